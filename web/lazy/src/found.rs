//! A pasted text as data: what was read, what is wrong with it, the document.

use rollscope_import::{Format, Import, Origin, import_as};
use rollscope_scenario::{Document, Problem, Value};

/// Reads a text. The answer is an object of
///
/// | key | what |
/// |---|---|
/// | `format` | what the text was read as: `flag`, the word that asks for it, and `name` |
/// | `formats` | what can be asked for, each with `flag` and `name` |
/// | `rows` | every value with `field`, `value`, `origin` ([`Origin::name`]) and, where it stands in the text, `line` |
/// | `faults` | what keeps it from being opened, a sentence each |
/// | `notes` | what is worth knowing, a sentence each |
/// | `needs` | what the text cannot say and a run needs |
/// | `kept` | fields that are kept and not simulated yet, as paths |
/// | `ignored` | fields that are not used, as JSON pointers |
/// | `services` | names to choose from, when there are several |
/// | `document` | the scenario; absent when it cannot be opened |
/// | `refused` | the scenario as it is given, when only its values keep it from being accepted |
pub fn found(text: &str, service: Option<&str>, format: Option<&str>) -> Value {
    let read = import_as(text, service, format.and_then(Format::from_flag));
    let mut found = match read.format {
        Format::Document => document(text),
        _ => configuration(&read),
    };
    let one =
        |flag: &str, format: Format| Value::object([("flag", Value::from(flag)), ("name", Value::from(format.name()))]);
    found.insert("format", one(read.format.flag().unwrap_or_default(), read.format));
    found.insert("formats", Value::array(Format::FLAGS.map(|(flag, format)| one(flag, format))));
    found
}

fn sentences<'a>(problems: impl IntoIterator<Item = &'a Problem>) -> Vec<String> {
    problems.into_iter().map(Problem::to_string).collect()
}

fn row(field: String, value: &Value, origin: Origin, line: Option<u32>) -> Value {
    let mut row = Value::object([
        ("field", Value::from(field)),
        ("value", value.clone()),
        ("origin", Value::from(origin.name())),
    ]);
    if let Some(line) = line {
        row.insert("line", i64::from(line));
    }
    row
}

/// A scenario document: every problem with its place, every default that was filled in.
fn document(text: &str) -> Value {
    let reading = Document::from_text(text);
    let mut found = Value::empty_object();
    match reading.resolve() {
        Ok(resolved) => {
            let rows = resolved.defaulted.iter().map(|default| {
                let field = default.field.trim_start_matches('/').replace('/', ".");
                row(field, &default.value, Origin::Default, None)
            });
            found.insert("rows", Value::array(rows));
            found.insert("notes", Value::array(sentences(&resolved.warnings)));
            found.insert("document", reading.document.to_json());
        }
        Err(problems) => {
            let (errors, others): (Vec<_>, Vec<_>) = problems.iter().partition(|problem| problem.is_error());
            found.insert("faults", Value::array(sentences(errors)));
            found.insert("notes", Value::array(sentences(others)));
            if let Some(given) = reading.text {
                found.insert("refused", given.value);
            }
        }
    }
    found
}

/// A configuration: each value with its origin and its line, and what was not used.
fn configuration(read: &Import) -> Value {
    let (errors, others): (Vec<_>, Vec<_>) = read.problems.iter().partition(|problem| problem.is_error());
    let readable = errors.is_empty();
    let mut faults = sentences(errors);
    // What the service itself would refuse is shown here, before anything is opened.
    let resolved = read.document.as_ref().map(Document::resolve);
    if let Some(Err(problems)) = &resolved {
        faults.extend(sentences(problems.iter().filter(|problem| problem.is_error())));
    }
    let kept = resolved.iter().flatten().flat_map(|resolved| &resolved.not_simulated);
    let kept = kept.map(|field| field.field.trim_start_matches('/').replace('/', "."));
    let mut notes = sentences(others);
    notes.extend(read.warnings.iter().cloned());
    let rows = read.values.iter().map(|r| row(r.field.clone(), &r.value, r.origin, r.line));
    let document = read.document.as_ref().filter(|_| faults.is_empty());
    let mut found = Value::object([
        ("rows", Value::array(rows)),
        ("notes", Value::array(notes)),
        ("needs", Value::array(read.needs.iter().cloned())),
        ("kept", Value::array(kept)),
        ("ignored", Value::array(read.ignored.iter().cloned())),
        ("services", Value::array(read.choices.iter().cloned())),
    ]);
    if let Some(document) = document {
        found.insert("document", document.to_json());
    } else if let Some(refused) = read.document.as_ref().filter(|_| readable) {
        found.insert("refused", refused.to_json());
    }
    found.insert("faults", Value::array(faults));
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = r#"{"services":[
        {"serviceName":"web","desiredCount":4,"deploymentConfiguration":{"maximumPercent":150,"minimumHealthyPercent":100}},
        {"serviceName":"api","desiredCount":2,"deploymentConfiguration":{"maximumPercent":200,"minimumHealthyPercent":50}}]}"#;

    fn texts(found: &Value, key: &str) -> Vec<String> {
        let items = found.get(key).and_then(Value::as_array).unwrap_or(&[]);
        items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
    }

    #[test]
    fn one_of_several_services_is_chosen_by_name() {
        let unchosen = found(TWO, None, None);
        assert_eq!(texts(&unchosen, "services"), ["web", "api"]);
        assert_eq!(unchosen.get("document"), None);
        let chosen = found(TWO, Some("api"), None);
        let desired = chosen.pointer("/document/service/desiredCount").and_then(Value::as_i64);
        assert_eq!(desired, Some(2));
    }

    #[test]
    fn a_row_says_where_its_value_stands() {
        let found = found(TWO, Some("web"), None);
        let rows = found.get("rows").and_then(Value::as_array).expect("rows");
        let desired = rows.iter().find(|row| row.get("field").and_then(Value::as_str) == Some("desiredCount"));
        let desired = desired.expect("a row");
        assert_eq!(desired.get("value").and_then(Value::as_i64), Some(4));
        assert_eq!(desired.get("origin").and_then(Value::as_str), Some("explicit"));
        assert_eq!(desired.get("line").and_then(Value::as_i64), Some(2));
    }

    #[test]
    fn the_format_is_said_and_can_be_asked_for() {
        let text = "Resources:\n  Web:\n    Type: AWS::ECS::Service\n    Properties: {DesiredCount: 3}\n";
        let read = found(text, None, None);
        assert_eq!(read.pointer("/format/flag").and_then(Value::as_str), Some("cloudformation"));
        assert_eq!(read.pointer("/document/service/desiredCount").and_then(Value::as_i64), Some(3));
        let other = found(text, None, Some("compose"));
        assert_eq!(other.pointer("/format/flag").and_then(Value::as_str), Some("compose"));
        assert!(!texts(&other, "faults").is_empty());
        let formats = read.get("formats").and_then(Value::as_array).expect("a list");
        assert!(formats.len() > 8 && formats.iter().all(|one| one.get("name").is_some()));
    }

    #[test]
    fn a_fault_has_its_place() {
        let found = found("{\"service\": {\n  \"desiredCount\": 4,,\n}}", None, None);
        let faults = texts(&found, "faults");
        assert!(faults[0].contains("line 2"), "{faults:?}");
        assert_eq!(found.get("document"), None);
    }

    #[test]
    fn a_document_lists_the_defaults_it_leaves_out() {
        let found = found(r#"{"rollscope":1,"service":{"desiredCount":4}}"#, None, None);
        let rows = found.get("rows").and_then(Value::as_array).expect("rows");
        let field = |row: &Value| row.get("field").and_then(Value::as_str).map(str::to_owned);
        let maximum = "service.deploymentConfiguration.maximumPercent";
        assert!(rows.iter().any(|row| field(row).as_deref() == Some(maximum)), "{rows:?}");
        assert!(found.get("document").is_some());
    }

    #[test]
    fn what_the_service_refuses_is_not_opened() {
        let text = TWO.replace("\"maximumPercent\":150", "\"maximumPercent\":100");
        let refused = found(&text, Some("web"), None);
        assert!(!texts(&refused, "faults").is_empty());
        assert_eq!(refused.get("document"), None);
        // It can be mended in the page: what is given is there as it is given.
        let maximum = "/refused/service/deploymentConfiguration/maximumPercent";
        assert_eq!(refused.pointer(maximum).and_then(Value::as_i64), Some(100));
        let odd = found(r#"{"rollscope":1,"service":{"desiredCount":"many"}}"#, None, None);
        assert_eq!(odd.pointer("/refused/service/desiredCount").and_then(Value::as_str), Some("many"));
        assert_eq!(found("{\"rollscope\":1", None, None).get("refused"), None);
    }
}
