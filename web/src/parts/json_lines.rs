//! JSON line by line, and which of the lines are not as they were before.

use rollscope_scenario::Value;

/// One line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How deep it stands.
    pub depth: usize,
    /// What it says.
    pub text: String,
    /// It was not so before.
    pub changed: bool,
}

/// What stood in a place before.
#[derive(Clone, Copy)]
enum Before<'a> {
    /// Nothing is known of it.
    Unknown,
    /// This; nothing at all where the place is new.
    Was(Option<&'a Value>),
}

impl<'a> Before<'a> {
    fn field(self, key: &str) -> Before<'a> {
        match self {
            Before::Unknown => Before::Unknown,
            Before::Was(value) => Before::Was(value.and_then(|value| value.get(key))),
        }
    }

    /// Entries of lists are told apart from the end: the answers put what is new at the front.
    fn entry(self, from_end: usize) -> Before<'a> {
        match self {
            Before::Unknown => Before::Unknown,
            Before::Was(value) => {
                let list = value.and_then(Value::as_array).unwrap_or_default();
                Before::Was(list.len().checked_sub(from_end).and_then(|index| list.get(index)))
            }
        }
    }

    fn is_other(self, now: &Value) -> bool {
        match (self, now) {
            (Before::Unknown, _) => false,
            (Before::Was(Some(Value::Object(_))), Value::Object(_)) => false,
            (Before::Was(Some(Value::Array(_))), Value::Array(_)) => false,
            (Before::Was(was), now) => was != Some(now),
        }
    }
}

/// The lines of a value; `before` is what it was, where that is known.
pub fn lines(now: &Value, before: Option<&Value>) -> Vec<Line> {
    let mut out = Vec::new();
    let before = before.map_or(Before::Unknown, |value| Before::Was(Some(value)));
    walk("", now, before, (0, ""), &mut out);
    out
}

fn walk(key: &str, now: &Value, before: Before<'_>, (depth, comma): (usize, &str), out: &mut Vec<Line>) {
    let changed = before.is_other(now);
    let mut push = |depth: usize, text: String| out.push(Line { depth, text, changed });
    let comma_after = |index: usize, len: usize| if index + 1 < len { "," } else { "" };
    match now {
        Value::Object(entries) if !entries.is_empty() => {
            push(depth, format!("{key}{{"));
            for (index, (name, value)) in entries.iter().enumerate() {
                let key = format!("{}: ", Value::from(name.as_str()));
                walk(&key, value, before.field(name), (depth + 1, comma_after(index, entries.len())), out);
            }
            out.push(Line { depth, text: format!("}}{comma}"), changed });
        }
        Value::Array(items) if !items.is_empty() => {
            push(depth, format!("{key}["));
            for (index, value) in items.iter().enumerate() {
                let place = (depth + 1, comma_after(index, items.len()));
                walk("", value, before.entry(items.len() - index), place, out);
            }
            out.push(Line { depth, text: format!("]{comma}"), changed });
        }
        plain => push(depth, format!("{key}{plain}{comma}")),
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::json;

    use super::*;

    fn value(text: &str) -> Value {
        json::read(text).expect("JSON").value
    }

    fn changed(now: &str, before: &str) -> Vec<String> {
        let lines = lines(&value(now), Some(&value(before)));
        lines.into_iter().filter(|line| line.changed).map(|line| line.text).collect()
    }

    #[test]
    fn a_line_for_each_value() {
        let lines = lines(&value(r#"{"a":1,"b":[{"c":"x"},2],"d":{},"e":[]}"#), None);
        let texts: Vec<(usize, &str)> = lines.iter().map(|line| (line.depth, &*line.text)).collect();
        let expected = [
            (0, "{"),
            (1, "\"a\": 1,"),
            (1, "\"b\": ["),
            (2, "{"),
            (3, "\"c\": \"x\""),
            (2, "},"),
            (2, "2"),
            (1, "],"),
            (1, "\"d\": {},"),
            (1, "\"e\": []"),
            (0, "}"),
        ];
        assert_eq!(texts, expected);
        assert!(lines.iter().all(|line| !line.changed), "nothing is known of before");
    }

    #[test]
    fn what_is_not_as_before_is_marked() {
        assert_eq!(changed(r#"{"a":1,"b":2}"#, r#"{"a":1,"b":3}"#), ["\"b\": 2"]);
        assert_eq!(changed(r#"{"a":1}"#, r#"{"a":1}"#), [""; 0]);
        assert_eq!(changed(r#"{"a":{"b":1}}"#, "{}"), ["\"a\": {", "\"b\": 1", "}"]);
    }

    #[test]
    fn what_is_new_in_a_list_stands_in_front() {
        assert_eq!(changed(r#"[{"m":"new"},{"m":"old"}]"#, r#"[{"m":"old"}]"#), ["{", "\"m\": \"new\"", "},"]);
    }
}
