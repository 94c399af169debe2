//! Settings as text for another tool.

use rollscope_import::export::{Export, Note, NoteKind, Target, export};
use rollscope_scenario::{Document, Value, json};
use rollscope_wording::export::{Aside, Form, Word, aside, form, usage, word};

/// Writes settings. The order is an object of `document`, `base` where only what differs from it is wanted, and `to`, the word of
/// a form, where another than the first one is wanted. The answer is an object of
///
/// | key | what |
/// |---|---|
/// | `forms` | what can be asked for on this platform, each with `flag` and `name` |
/// | `to` | the word of the form that was written |
/// | `usage` | a sentence: what to do with the text |
/// | `text` | the text; empty where there is nothing to say |
/// | `notes` | what it does not say by itself, a sentence each |
pub fn exported(order: &str) -> Value {
    let order = json::read(order).map(|read| read.value).unwrap_or_default();
    let read = |key: &str| order.get(key).map(|tree| Document::from_value(tree).0);
    let document = read("document").unwrap_or_default();
    let targets = Target::of(&document);
    let asked = order.get("to").and_then(Value::as_str).and_then(Target::from_flag);
    let target = asked.filter(|asked| targets.contains(asked)).or(targets.first().copied());
    let name = |target: Target| Form::from_flag(target.flag()).map_or("", form);
    let one = |target: &Target| Value::object([("flag", target.flag()), ("name", name(*target))].map(text));
    let mut answer = Value::object([("forms", Value::array(targets.iter().map(one)))]);
    let Some(target) = target else {
        answer.insert("usage", word(Word::NoForm));
        return answer;
    };
    let base = read("base");
    let written = export(&document, base.as_ref(), target).unwrap_or_default();
    let nothing = if base.is_some() { Word::Nothing } else { Word::NothingGiven };
    let used = Form::from_flag(target.flag()).map_or("", usage);
    answer.insert("to", target.flag());
    answer.insert("usage", if written.text.is_empty() { word(nothing) } else { used });
    answer.insert("notes", Value::array(sentences(&written)));
    answer.insert("text", written.text);
    answer
}

fn text((key, text): (&'static str, &'static str)) -> (&'static str, Value) {
    (key, Value::from(text))
}

fn sentences(export: &Export) -> Vec<String> {
    let one = |note: &Note| {
        let kind = match note.kind {
            NoteKind::Blank => Aside::Blank,
            NoteKind::CreateOnly => Aside::CreateOnly,
            NoteKind::NoPlace => Aside::NoPlace,
            NoteKind::Dropped => Aside::Dropped,
            NoteKind::InTaskDefinition => Aside::InTaskDefinition,
            NoteKind::HowItAsks => Aside::HowItAsks,
        };
        aside(kind, &note.of)
    };
    export.notes.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FOUR: &str = r#"{"service":{"desiredCount":4}}"#;

    fn said(answer: &Value, key: &str) -> String {
        answer.get(key).and_then(Value::as_str).unwrap_or_default().to_owned()
    }

    #[test]
    fn the_first_form_of_the_platform_is_written_where_none_is_asked_for() {
        let answer = exported(&format!(r#"{{"document":{FOUR}}}"#));
        assert_eq!(said(&answer, "to"), "cli");
        assert!(said(&answer, "text").contains("--desired-count 4"));
        assert_eq!(answer.get("forms").and_then(Value::as_array).map(<[Value]>::len), Some(3));
        assert!(answer.pointer("/notes/0").and_then(Value::as_str).is_some_and(|note| note.starts_with("CLUSTER")));
        let asked = exported(&format!(r#"{{"document":{FOUR},"to":"terraform"}}"#));
        assert!(said(&asked, "text").starts_with("resource"));
    }

    #[test]
    fn where_there_is_nothing_to_say_a_sentence_says_so() {
        let answer = exported(&format!(r#"{{"document":{FOUR},"base":{FOUR}}}"#));
        assert_eq!((said(&answer, "text"), said(&answer, "usage")), (String::new(), "Nothing differs.".into()));
        let other = exported(r#"{"document":{"platform":"mig"}}"#);
        assert_eq!(other.get("text"), None);
        assert!(!said(&other, "usage").is_empty() && !said(&exported("{"), "usage").is_empty());
    }
}
