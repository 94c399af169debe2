//! YAML as JSON values with the place of each: several documents, comments, anchors, aliases and merge keys.
//!
//! What is read is bounded: bytes, documents, depth, and values after aliases are put in, so that a text of a
//! few lines cannot grow beyond measure. Templates of other tools (`{{ .Values.x }}`, `${X}`) cannot be known here;
//! their values are kept as text and found again by [`is_unresolved`].

use rollscope_scenario::json::{self, Value};
use rollscope_scenario::problem::{Kind, Problem};
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Span, Tag};

use crate::node::{Node, NodeKind, Place};

/// Most bytes of a text.
const SIZE_MAX: usize = 1_000_000;
/// Most documents of a text.
const DOCUMENTS_MAX: usize = 256;
/// Most levels of lists and mappings inside each other.
const DEPTH_MAX: usize = 64;
/// Most values of a text, with those that aliases repeat.
const NODES_MAX: usize = 100_000;
/// Stands for each character of a template while YAML is read, so that every place stays where it is.
const MASK: char = '\u{e000}';

/// True for a text that a tool fills in later: `{{ .Values.replicas }}`, `${REPLICAS}`.
pub fn is_unresolved(value: &Value) -> bool {
    value.as_str().is_some_and(|text| text.contains("{{") || text.contains("${"))
}

/// Every document of a text that is not empty, or what is wrong with the text.
pub fn read(text: &str) -> Result<Vec<Node>, Box<Problem>> {
    if text.len() > SIZE_MAX {
        let allowed = format!("at most {SIZE_MAX} bytes");
        return Err(Problem::error(Kind::Syntax, "", format!("{} bytes", text.len()), allowed).into());
    }
    let masked = mask(text);
    let mut reader = Reader { text, open: Vec::new(), anchors: Vec::new(), documents: Vec::new(), nodes: 0 };
    for event in Parser::new_from_str(&masked) {
        let (event, span) = event.map_err(|error| fault(text, &error))?;
        reader.take(event, span)?;
    }
    Ok(reader.documents)
}

/// The text with each template masked; a line that is nothing but one is a comment.
fn mask(text: &str) -> String {
    if !text.contains("{{") {
        return text.to_owned();
    }
    let line = |line: &str| {
        let own = line.trim();
        if own.starts_with("{{") && own.ends_with("}}") {
            return line.replacen("{{", "# ", 1);
        }
        let mut out = String::new();
        let mut rest = line;
        while let Some((before, behind)) = rest.split_once("{{") {
            let Some((inside, after)) = behind.split_once("}}") else { break };
            out.push_str(before);
            out.extend(std::iter::repeat_n(MASK, inside.chars().count() + 4));
            rest = after;
        }
        out + rest
    };
    text.split_inclusive('\n').map(line).collect()
}

/// What a list or a mapping is made of while it is open.
struct Open {
    at: Place,
    anchor: usize,
    /// The short form of an intrinsic function before it.
    tag: Option<String>,
    items: Vec<Node>,
    entries: Vec<(String, Node)>,
    /// The key that waits for its value, with its place.
    key: Option<(String, Place)>,
    is_map: bool,
}

struct Reader<'a> {
    text: &'a str,
    open: Vec<Open>,
    anchors: Vec<(usize, Node)>,
    documents: Vec<Node>,
    nodes: usize,
}

impl Reader<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Box<Problem>> {
        let at = (span.start.line() as u32, span.start.col() as u32 + 1);
        match event {
            Event::SequenceStart(anchor, tag) => self.begin(at, anchor, short(tag.as_deref()), false),
            Event::MappingStart(anchor, tag) => self.begin(at, anchor, short(tag.as_deref()), true),
            Event::SequenceEnd | Event::MappingEnd => {
                let Some(open) = self.open.pop() else { return Ok(()) };
                let (at, anchor) = (open.at, open.anchor);
                let node = if open.is_map { Node::map(at, merged(open.entries)) } else { Node::list(at, open.items) };
                self.put(intrinsic(node, open.tag.as_deref()), anchor)
            }
            Event::Scalar(text, style, anchor, tag) => {
                let plain = style == ScalarStyle::Plain && !is_text(tag.as_deref());
                let value = self.scalar(&text, plain, at);
                self.put(intrinsic(Node::scalar(at, value), short(tag.as_deref())), anchor)
            }
            Event::Alias(anchor) => {
                let known = self.anchors.iter().rfind(|(known, _)| *known == anchor);
                let Some((_, node)) = known else {
                    return Err(problem(at, "an alias", "an anchor of that name before it"));
                };
                self.put(node.clone(), 0)
            }
            Event::DocumentEnd => {
                self.anchors.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn begin(&mut self, at: Place, anchor: usize, tag: Option<&str>, is_map: bool) -> Result<(), Box<Problem>> {
        if self.open.len() >= DEPTH_MAX {
            return Err(problem(at, "deeper", &format!("at most {DEPTH_MAX} levels")));
        }
        let tag = tag.map(str::to_owned);
        self.open.push(Open { at, anchor, tag, items: Vec::new(), entries: Vec::new(), key: None, is_map });
        Ok(())
    }

    /// A value is complete: it goes to where it belongs.
    fn put(&mut self, mut node: Node, anchor: usize) -> Result<(), Box<Problem>> {
        self.nodes += node.size();
        if self.nodes > NODES_MAX {
            let allowed = format!("at most {NODES_MAX} values, those that aliases repeat included");
            return Err(problem(node.at, "more", &allowed));
        }
        if anchor > 0 {
            self.anchors.push((anchor, node.clone()));
        }
        let Some(open) = self.open.last_mut() else {
            let empty = matches!(node.kind, NodeKind::Scalar(Value::Null));
            if self.documents.len() < DOCUMENTS_MAX && !empty {
                self.documents.push(node);
            }
            return Ok(());
        };
        if !open.is_map {
            open.items.push(node);
        } else if let Some((key, at)) = open.key.take() {
            // A member stands where its key does.
            node.at = at;
            match open.entries.iter_mut().find(|(known, _)| *known == key && key != "<<") {
                Some((_, before)) => {
                    let (line, _) = before.at;
                    return Err(problem(at, &key, &format!("each key once; it stands in line {line} already")));
                }
                None => open.entries.push((key, node)),
            }
        } else {
            let at = node.at;
            let key = match node.value() {
                Value::String(text) => text,
                value @ (Value::Number(_) | Value::Bool(_) | Value::Null) => value.to_string(),
                _ => return Err(problem(at, "a list or a mapping", "a name before the colon")),
            };
            open.key = Some((key, at));
        }
        Ok(())
    }

    fn scalar(&self, text: &str, plain: bool, at: Place) -> Value {
        if text.contains(MASK) {
            // The template as it is written.
            let line = self.text.lines().nth(at.0 as usize - 1).unwrap_or_default();
            let own: String = line.chars().skip(at.1 as usize - 1).collect();
            return Value::from(own.trim().trim_matches(['"', '\'']));
        }
        if plain { resolved(text) } else { Value::from(text) }
    }
}

/// The function of a template that a tag is the short form of: `!Ref`, `!If`.
fn short(tag: Option<&Tag>) -> Option<&str> {
    let known = |tag: &&Tag| tag.handle == "!" && tag.suffix.starts_with(|c: char| c.is_ascii_alphabetic());
    tag.filter(known).map(|tag| tag.suffix.as_str())
}

/// The long form of a value behind a short tag: `!Ref X` is `{"Ref": X}`, `!GetAtt A.B` is `{"Fn::GetAtt": [A, B]}`.
fn intrinsic(node: Node, tag: Option<&str>) -> Node {
    let Some(tag) = tag else { return node };
    let at = node.at;
    let node = match (tag, node.text()) {
        ("GetAtt", Some(text)) => {
            let (of, attribute) = text.split_once('.').unwrap_or((text, ""));
            Node::list(at, vec![Node::scalar(at, of), Node::scalar(at, attribute)])
        }
        _ => node,
    };
    let key = if matches!(tag, "Ref" | "Condition") { tag.to_owned() } else { format!("Fn::{tag}") };
    Node::map(at, vec![(key, node)])
}

/// `!!str`
fn is_text(tag: Option<&Tag>) -> bool {
    tag.is_some_and(|tag| tag.is_yaml_core_schema() && tag.suffix == "str")
}

/// A plain scalar by YAML 1.2's core schema.
fn resolved(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let based = |prefix: &str, base: u32| i64::from_str_radix(text.strip_prefix(prefix)?, base).ok();
    if let Some(number) = based("0x", 16).or_else(|| based("0o", 8)) {
        return Value::from(number);
    }
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    if digits.starts_with(|c: char| c.is_ascii_digit()) {
        if let Ok(number) = text.strip_prefix('+').unwrap_or(text).parse::<i64>() {
            return Value::from(number);
        }
        if let Some(number) = json::read(text).ok().filter(|read| read.value.as_number().is_some()) {
            return number.value;
        }
    }
    Value::from(text)
}

/// The members with those of `<<` where they are not given.
fn merged(entries: Vec<(String, Node)>) -> Vec<(String, Node)> {
    let (merges, mut own): (Vec<_>, Vec<_>) = entries.into_iter().partition(|(key, _)| key == "<<");
    for (_, node) in merges {
        let sources = match node.kind {
            NodeKind::List(items) => items,
            _ => vec![node],
        };
        for source in sources {
            let NodeKind::Map(members) = source.kind else { continue };
            for (key, node) in members {
                if own.iter().all(|(known, _)| *known != key) {
                    own.push((key, node));
                }
            }
        }
    }
    own
}

fn problem(at: Place, given: &str, allowed: &str) -> Box<Problem> {
    let mut problem = Problem::error(Kind::Syntax, "", given, allowed);
    problem.position = Some(at);
    problem.into()
}

/// Most characters of a line that are repeated.
const SHOWN_MAX: usize = 40;

/// What YAML's grammar refuses: where, what stands there, what was expected.
fn fault(text: &str, error: &ScanError) -> Box<Problem> {
    let mark = error.marker();
    let line = text.lines().nth(mark.line().saturating_sub(1)).unwrap_or_default();
    let there: String = line.trim_end().chars().skip(mark.col()).take(SHOWN_MAX).collect();
    let given =
        if there.trim().is_empty() { "the end of the line".to_owned() } else { format!("“{}”", there.trim()) };
    let info = error.info();
    let indented_by_tab = line.trim_start_matches(' ').starts_with('\t');
    let allowed = match () {
        () if indented_by_tab => "expected spaces for the indentation, not a tab".to_owned(),
        () if info.contains("mapping values are not allowed") => {
            "a colon makes a new key only at the start of a line; expected a value on one line, or quotes around it"
                .to_owned()
        }
        () if info.contains("did not find expected") => {
            let what = info.rsplit("did not find expected").next().unwrap_or_default().trim();
            format!("expected {what}")
        }
        () => format!("expected YAML: {info}"),
    };
    problem((mark.line() as u32, mark.col() as u32 + 1), &given, &allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> Value {
        read(text).unwrap_or_else(|problem| panic!("{problem}")).first().expect("a document").value()
    }

    #[test]
    fn scalars_by_the_core_schema() {
        let table = [
            ("a: 3", r#"{"a":3}"#),
            ("a: -3", r#"{"a":-3}"#),
            ("a: 0x10", r#"{"a":16}"#),
            ("a: '3'", r#"{"a":"3"}"#),
            ("a: !!str 3", r#"{"a":"3"}"#),
            ("a: 25%", r#"{"a":"25%"}"#),
            ("a: 1.5", r#"{"a":1.5}"#),
            ("a: 1.42.0", r#"{"a":"1.42.0"}"#),
            ("a:", r#"{"a":null}"#),
            ("a: ~ # nothing", r#"{"a":null}"#),
            ("a: yes", r#"{"a":"yes"}"#),
            ("a: |\n  x\n  y\n", r#"{"a":"x\ny\n"}"#),
            ("{a: [1, two, true]}", r#"{"a":[1,"two",true]}"#),
        ];
        for (text, expected) in table {
            assert_eq!(one(text).to_string(), expected, "{text}");
        }
    }

    #[test]
    fn documents_anchors_and_merge_keys() {
        let text = "# top\n---\na: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n---\n...\n---\ne: [*x]\n";
        assert!(read(text).is_err(), "an anchor ends with its document");
        let text = "# top\n---\na: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\n---\n# nothing\n---\ne: 1\n";
        let all: Vec<String> = read(text).expect("YAML").iter().map(|node| node.value().to_string()).collect();
        assert_eq!(all, [r#"{"a":{"b":1,"c":2},"d":{"c":3,"b":1}}"#, r#"{"e":1}"#]);
    }

    #[test]
    fn a_place_is_that_of_the_key() {
        let read = read("a:\n  b: 1\n  c:\n  - d\n  - e: 2\n").expect("YAML");
        let table = [("/a/b", (2, 3)), ("/a/c", (3, 3)), ("/a/c/1/e", (5, 5)), ("/a/none", (1, 1))];
        for (pointer, place) in table {
            assert_eq!(read[0].position(pointer), Some(place), "{pointer}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        let table = [
            ("a: 1\nb: c: d\n", 2, "a colon"),
            ("a: [1, 2\nb: 3\n", 2, "expected"),
            ("a:\n\tb: 1\n", 2, "tab"),
            ("a: 1\na: 2\n", 2, "each key once; it stands in line 1"),
            ("a: *none\n", 1, "expected"),
        ];
        for (text, line, words) in table {
            let problem = read(text).expect_err(text);
            assert_eq!(problem.position.map(|(line, _)| line), Some(line), "{text}: {problem}");
            assert!(problem.to_string().contains(words), "{text}: {problem}");
        }
    }

    #[test]
    fn what_grows_without_end_is_refused() {
        let mut text = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
        for n in 1..9 {
            let list = vec![format!("*a{}", n - 1); 9].join(", ");
            text += &format!("a{n}: &a{n} [{list}]\n");
        }
        assert!(read(&text).expect_err("too many").to_string().contains("aliases"));
        assert!(read(&("[".repeat(70) + &"]".repeat(70))).expect_err("too deep").to_string().contains("64 levels"));
    }

    #[test]
    fn templates_are_kept_and_known() {
        let text = "{{- if .Values.on }}\nreplicas: {{ .Values.replicas }}\nname: \"{{ .Release.Name }}-web\"\nn: ${N}\nend: 1\n{{- end }}\n";
        let value = one(text);
        assert_eq!(value.get("replicas").and_then(Value::as_str), Some("{{ .Values.replicas }}"));
        let unresolved = |key: &str| is_unresolved(value.get(key).expect(key));
        assert!(unresolved("replicas") && unresolved("name") && unresolved("n") && !unresolved("end"));
    }
}
