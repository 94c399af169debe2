//! YAML in block style.

use rollscope_scenario::json::Value;

/// A tree as YAML, with a line end behind it.
pub fn text(value: &Value) -> String {
    let mut out = String::new();
    block(value, 0, &mut out);
    out
}

/// The members of a mapping or the items of a list, each on lines of its own.
fn block(value: &Value, depth: usize, out: &mut String) {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(entries) => {
            for (key, member) in entries {
                out.push_str(&format!("{indent}{}:", word(key)));
                below(member, depth + 1, out);
            }
        }
        Value::Array(items) => {
            for item in items {
                // The first line of an item stands behind its dash.
                let mut own = String::new();
                match item {
                    Value::Object(entries) if !entries.is_empty() => block(item, depth + 1, &mut own),
                    _ => own.push_str(&format!("{indent}  {}\n", flow(item))),
                }
                out.push_str(&format!("{indent}- {}", own.trim_start()));
            }
        }
        scalar => out.push_str(&format!("{indent}{}\n", flow(scalar))),
    }
}

/// What stands behind a key.
fn below(value: &Value, depth: usize, out: &mut String) {
    let full = match value {
        Value::Object(entries) => !entries.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    };
    if full {
        out.push('\n');
        block(value, depth, out);
    } else {
        out.push_str(&format!(" {}\n", flow(value)));
    }
}

/// A value on one line; a list inside a list comes as JSON, which is YAML too.
fn flow(value: &Value) -> String {
    match value {
        Value::String(text) => word(text),
        value => value.to_string(),
    }
}

/// A text, in quotes where it would be read as something else without them.
fn word(text: &str) -> String {
    let begins = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/');
    // A colon only means something at the end and before a space.
    let plain = text.chars().all(|c| c.is_ascii_alphanumeric() || "_-./:".contains(c)) && !text.ends_with(':');
    let percent = text.strip_suffix('%').is_some_and(|n| !n.is_empty() && n.chars().all(|c| c.is_ascii_digit()));
    let special = ["true", "false", "yes", "no", "on", "off", "null", "y", "n"];
    let special = special.iter().any(|known| text.eq_ignore_ascii_case(known));
    if (begins && plain && !special) || percent { text.to_owned() } else { Value::from(text).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_scenario::json;

    #[test]
    fn words_that_mean_something_else_stand_in_quotes() {
        let table = [
            ("web", "web"),
            ("25%", "25%"),
            ("no", "\"no\""),
            ("1", "\"1\""),
            ("a: b", "\"a: b\""),
            ("", "\"\""),
            ("CMD-SHELL", "CMD-SHELL"),
            ("AWS::ECS::Service", "AWS::ECS::Service"),
            ("key:", "\"key:\""),
        ];
        for (text, expected) in table {
            assert_eq!(word(text), expected);
        }
    }

    #[test]
    fn mappings_and_lists() {
        let tree = r#"{"a":[{"b":1,"c":{"d":null}},"x",[1,2]],"e":[],"f":{}}"#;
        let tree = json::read(tree).expect("JSON").value;
        assert_eq!(text(&tree), "a:\n  - b: 1\n    c:\n      d: null\n  - x\n  - [1,2]\ne: []\nf: {}\n");
    }
}
