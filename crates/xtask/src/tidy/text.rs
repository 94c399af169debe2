//! The rules about single source files.

use super::Finding;
use super::source::Source;

/// A file longer than this holds more than one concept.
const LINES_MAX: usize = 700;

/// Crates whose runs must be the same everywhere, so nothing in them may
/// depend on a clock or on the order of a hash map.
const DETERMINISTIC: &[&str] = &["engine", "scenario", "player", "insight", "draw"];

/// Crates that every visitor loads.
const IN_THE_PAGE: &[&str] = &["engine", "scenario", "player", "insight", "draw", "wording"];

/// Code that is not finished or switched off. Split here, so that a search for
/// these words does not find this list.
const UNFINISHED_CODE: &[&str] =
    &[concat!("todo", "!"), concat!("unimplemented", "!"), concat!("dbg", "!"), concat!("#[", "ignore")];
const UNFINISHED_COMMENTS: &[&str] = &[concat!("FIX", "ME"), concat!("XX", "X")];
const SWITCHED_OFF: &[&str] = &[
    concat!("test.", "skip("),
    concat!("test.", "only("),
    concat!("test.", "todo("),
    concat!("describe.", "skip("),
    concat!("describe.", "only("),
];

/// What brings much code or tables into the page, and what to use instead. Tests may use it.
const HEAVY: &[(&[&str], &str)] = &[
    (
        &["sort_by_key", "sort_by", "sort_unstable", "sort_unstable_by_key", "select_nth_unstable"],
        "is compiled anew for each type, kilobytes each; use `rollscope_engine::order::by_key`",
    ),
    (&["to_lowercase", "to_uppercase"], "brings tables of all scripts; use the `ascii` one"),
    (&["clamp(0.", "clamp(1."], "writes floats when it panics; use `rollscope_draw::within`"),
    (&["parse::<f64>"], "brings tables that do not compress; use `decimal::read` of the page"),
    (&["sin()", "cos()", "sin_cos()", "tan()"], "brings tables; use `circle::sin_cos` of the drawing crate"),
];

/// Every finding about one file.
pub fn check(source: &Source) -> Vec<Finding> {
    let is_rust = source.path.ends_with(".rs");
    let mut findings: Vec<Finding> = too_long(source).into_iter().collect();
    if is_rust {
        findings.extend(words(source, &source.code, UNFINISHED_CODE, "is not finished"));
        findings.extend(words(source, &source.comments, UNFINISHED_COMMENTS, "is not finished"));
    } else {
        // JavaScript is not split, since its literals differ.
        findings.extend(words(source, &source.text, UNFINISHED_COMMENTS, "is not finished"));
        findings.extend(words(source, &source.text, SWITCHED_OFF, "switches tests off"));
    }
    if is_in(source, "engine") {
        findings.extend(floats(source));
    }
    if is_rust && DETERMINISTIC.iter().any(|name| is_in(source, name)) {
        findings.extend(unsteady(source));
    }
    if is_rust && source.path.starts_with("web/src/") {
        findings.extend(style_attributes(source));
    }
    if is_rust && (source.path.starts_with("web/src/") || IN_THE_PAGE.iter().any(|name| is_in(source, name))) {
        findings.extend(heavy(source));
    }
    findings
}

fn is_in(source: &Source, name: &str) -> bool {
    source
        .path
        .strip_prefix("crates/")
        .and_then(|path| path.strip_prefix(name))
        .is_some_and(|path| path.starts_with("/src/"))
}

fn too_long(source: &Source) -> Option<Finding> {
    let lines = source.text.lines().count();
    (lines > LINES_MAX).then(|| {
        Finding::new(
            &source.path,
            format!("it has {lines} lines; more than {LINES_MAX} are more than one concept, so split it."),
        )
    })
}

/// Floats have other bits on other targets, so the engine has none.
fn floats(source: &Source) -> Vec<Finding> {
    let mut findings = words(source, &source.code, &["f32", "f64"], "is a float; the engine computes in integers");
    findings.extend(
        float_literals(&source.code)
            .into_iter()
            .map(|at| Finding::new(source.place(at), "this number is a float; the engine computes in integers.")),
    );
    findings
}

/// Numbers with a point; `x.0.1` and `0..9` are none.
fn float_literals(code: &str) -> Vec<usize> {
    let bytes = code.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
    let is_start = |at: usize| digit(at) && (at == 0 || !(is_word(bytes[at - 1]) || bytes[at - 1] == b'.'));
    (0..bytes.len())
        .filter(|&start| is_start(start))
        .filter(|&start| {
            let end = (start..).find(|&at| !digit(at) && bytes.get(at) != Some(&b'_')).unwrap_or(start);
            bytes.get(end) == Some(&b'.') && digit(end + 1)
        })
        .collect()
}

/// What differs from run to run. `Instant` alone is also a good name for a moment of a run.
fn unsteady(source: &Source) -> Vec<Finding> {
    words(
        source,
        &source.code,
        &["HashMap", "HashSet", "Instant::now", "SystemTime"],
        "makes runs differ; use an ordered map or the simulation's time",
    )
}

/// What costs many bytes in the page, outside of tests.
fn heavy(source: &Source) -> Vec<Finding> {
    let code = source.code.split("#[cfg(test)]").next().unwrap_or_default();
    HEAVY.iter().flat_map(|(list, what)| words(source, code, list, what)).collect()
}

/// `style=` in `html!` becomes an attribute, which the content policy blocks;
/// `~style=` is a property and works.
fn style_attributes(source: &Source) -> Vec<Finding> {
    let code = &source.code;
    let mut findings = Vec::new();
    for (start, end) in html_bodies(code) {
        for (at, word) in code[start..end].match_indices("style") {
            let before = code[start..start + at].trim_end();
            let after = code[start + at + word.len()..end].trim_start();
            let touches =
                code[..start + at].chars().next_back().is_some_and(|c| c.is_alphanumeric() || "_-.~:".contains(c));
            let is_binding = before.ends_with("let") || before.ends_with("mut");
            let is_value = after.starts_with('=') && !after.starts_with("==");
            if !touches && !is_binding && is_value && !before.ends_with('~') {
                findings.push(Finding::new(
                    source.place(start + at),
                    "the content policy blocks `style=`; use a class, or `~style=`.",
                ));
            }
        }
    }
    findings
}

/// The insides of every `html!` and `html_nested!`, as byte ranges.
fn html_bodies(code: &str) -> Vec<(usize, usize)> {
    let mut bodies: Vec<(usize, usize)> = Vec::new();
    for name in ["html!", "html_nested!"] {
        for (at, _) in code.match_indices(name) {
            let preceded = at > 0 && is_word(code.as_bytes()[at - 1]);
            let nested = bodies.iter().any(|&(start, end)| start <= at && at < end);
            if !preceded && !nested {
                let start = at + name.len();
                bodies.push((start, start + balanced(&code[start..])));
            }
        }
    }
    bodies
}

/// The length up to the bracket that closes the first one.
fn balanced(code: &str) -> usize {
    let mut depth = 0_u32;
    for (at, byte) in code.bytes().enumerate() {
        match byte {
            b'{' | b'(' | b'[' => depth += 1,
            b'}' | b')' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    code.len()
}

/// Whole words in one of the texts of a file.
fn words(source: &Source, text: &str, list: &[&str], what: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for word in list {
        for (at, _) in text.match_indices(word) {
            let bytes = text.as_bytes();
            let starts = at == 0 || !is_word(bytes[at - 1]) || !is_word(word.as_bytes()[0]);
            let after = bytes.get(at + word.len());
            let ends = !after.copied().is_some_and(is_word) || !word.as_bytes().last().copied().is_some_and(is_word);
            if starts && ends {
                findings.push(Finding::new(source.place(at), format!("`{word}` {what}.")));
            }
        }
    }
    findings
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(path: &str, text: &str) -> Vec<String> {
        let source = Source::new(path.to_owned(), text.to_owned());
        let findings = check(&source);
        findings.into_iter().map(|finding| finding.place).collect()
    }

    const ENGINE: &str = "crates/engine/src/time.rs";
    const WEB: &str = "web/src/app.rs";

    #[test]
    fn a_long_file_is_found() {
        assert!(places(WEB, &"a\n".repeat(LINES_MAX)).is_empty());
        assert_eq!(places(WEB, &"a\n".repeat(LINES_MAX + 1)), [WEB]);
    }

    #[test]
    fn unfinished_code_is_found() {
        for text in UNFINISHED_CODE {
            let line = format!("fn f() {{}}\n{text}(1)");
            assert_eq!(places(WEB, &line), ["web/src/app.rs:2"], "{text}");
            assert!(places(WEB, &format!("// {text}(1)")).is_empty());
        }
        for text in UNFINISHED_COMMENTS {
            assert_eq!(places(WEB, &format!("// {text}: later")).len(), 1);
            assert!(places(WEB, &format!("// A{text}B")).is_empty());
        }
    }

    #[test]
    fn switched_off_browser_tests_are_found() {
        for text in SWITCHED_OFF {
            let line = format!("{text}'it works', () => {{}});");
            assert_eq!(places("tests/e2e/a.test.mjs", &line).len(), 1, "{text}");
        }
    }

    #[test]
    fn floats_are_found_in_the_engine_only() {
        for text in ["let a: f64 = b;", "x as f32", "let a = 1.5;", "f(10_0.0)"] {
            assert_eq!(places(ENGINE, text).len(), 1, "{text}");
            assert!(places("crates/draw/src/lib.rs", text).is_empty());
        }
        for text in ["x.0.1", "0..10", "1.max(2)", "a_f64_b", "// 1.5 f64", "\"f64\""] {
            assert!(places(ENGINE, text).is_empty(), "{text}");
        }
    }

    #[test]
    fn clocks_and_hash_maps_are_found() {
        for text in ["use std::collections::HashMap;", "std::time::Instant::now()"] {
            assert_eq!(places("crates/player/src/lib.rs", text).len(), 1);
            assert!(places("crates/import/src/lib.rs", text).is_empty());
        }
        assert!(places(ENGINE, "struct Instant; // Instant::now").is_empty());
    }

    #[test]
    fn what_is_heavy_is_found_outside_of_tests() {
        for text in ["a.sort_by_key(f)", "a.sort_unstable()", "a.to_lowercase()", "a.parse::<f64>()", "a.sin()"] {
            assert_eq!(places(WEB, &format!("fn f() {{}}\n{text}")), ["web/src/app.rs:2"], "{text}");
            assert!(places(WEB, &format!("#[cfg(test)]\nmod tests {{ {text} }}")).is_empty());
            assert!(places("crates/import/src/lib.rs", text).is_empty());
        }
        assert!(places(WEB, "a.to_ascii_lowercase(); circle::sin_cos(t); order::by_key(a, f)").is_empty());
    }

    #[test]
    fn style_attributes_are_found() {
        let line = |inside: &str| format!("fn f() {{ html! {{ {inside} }} }}");
        for inside in ["<p style=\"a\">", "<p style={a}>", "<p class={b} style = {a}>"] {
            assert_eq!(places(WEB, &line(inside)).len(), 1, "{inside}");
        }
        for inside in [
            "<p ~style={a}>",
            "<p style_name={a}>",
            "<p data-style={a}>",
            "{ { let style = 1; style == 1 } }",
            "<p title=\"style=\">",
        ] {
            assert!(places(WEB, &line(inside)).is_empty(), "{inside}");
        }
        assert!(places(WEB, "let x = style = 3;").is_empty());
        assert!(places("crates/cli/src/main.rs", &line("<p style={a}>")).is_empty());
    }
}
