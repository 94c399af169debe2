//! The command line of AWS, in the quotes of a POSIX shell.

use rollscope_scenario::json::{Number, Value};

use super::ecs::{self, Said};
use super::{Export, NoteKind};

/// A service that exists keeps these for good.
const CREATE_ONLY: [&str; 2] = ["schedulingStrategy", "launchType"];

/// One command for each thing that is changed.
pub fn write(said: &Said, export: &mut Export) {
    let mut commands = Vec::new();
    let mut options = Vec::new();
    for (key, value) in said.service.as_object().unwrap_or_default() {
        match key.as_str() {
            key if CREATE_ONLY.contains(&key) => export.note(NoteKind::CreateOnly, key),
            "forceNewDeployment" => options.push("--force-new-deployment".to_owned()),
            // An entry that does not say what it attaches is not for an API.
            "loadBalancers" if said.whole && !complete(value) => {}
            "loadBalancers" => options.push(format!("--load-balancers {}", argument(&addressed(value, export)))),
            key => options.push(format!("--{} {}", dashed(key), argument(value))),
        }
    }
    if !options.is_empty() {
        export.note(NoteKind::Blank, "CLUSTER");
        let name = said.name.clone().unwrap_or_else(|| {
            export.note(NoteKind::Blank, "SERVICE");
            "SERVICE".to_owned()
        });
        let before = ["--cluster CLUSTER".to_owned(), format!("--service {}", argument(&name.into()))];
        commands.push(command("ecs update-service", before.into_iter().chain(options)));
    }
    for (index, (arn, group)) in said.groups.iter().enumerate() {
        of_group(arn.clone(), place(index, said.groups.len()), group, export, &mut commands);
    }
    for (name, fields) in &said.containers {
        if fields != &Value::empty_object() {
            export.note(NoteKind::InTaskDefinition, format!("{name} {fields}"));
        }
    }
    export.notes.retain(|note| note.kind != NoteKind::Blank || !note.of.starts_with("CONTAINER"));
    export.text = commands.join("\n");
}

/// Each entry says what it attaches.
fn complete(balancers: &Value) -> bool {
    let whole = |one: &Value| one.get("containerName").is_some() && one.get("containerPort").is_some();
    balancers.as_array().is_some_and(|all| all.iter().all(whole))
}

/// The placeholder for the address of a group.
fn place(index: usize, all: usize) -> String {
    if all == 1 { "TARGET_GROUP_ARN".to_owned() } else { format!("TARGET_GROUP_ARN_{}", index + 1) }
}

/// Load balancers with a placeholder where a template or a configuration has a name of its own for a group.
fn addressed(balancers: &Value, export: &mut Export) -> Value {
    let all = balancers.as_array().map_or(0, <[Value]>::len);
    let own = ecs::attached(balancers, |index| place(index, all).into());
    for one in own.as_array().unwrap_or_default() {
        if let Some(blank) = one.get("targetGroupArn").filter(|arn| !ecs::is_address(arn)).and_then(Value::as_str) {
            export.note(NoteKind::Blank, blank);
        }
    }
    own
}

/// What is changed of a target group: its check by one command, its attributes by another.
fn of_group(arn: Option<String>, place: String, group: &Value, export: &mut Export, commands: &mut Vec<String>) {
    let (mut options, mut attributes) = (Vec::new(), Vec::new());
    for (key, value) in group.as_object().unwrap_or_default() {
        match key.as_str() {
            "protocol" => export.note(NoteKind::CreateOnly, "targetGroups.protocol"),
            key if key.contains('.') => attributes.push(format!("Key={key},Value={value}")),
            key => options.push(format!("--{} {}", dashed(key), argument(value))),
        }
    }
    if options.is_empty() && attributes.is_empty() {
        return;
    }
    let known = arn.is_some();
    let arn = format!("--target-group-arn {}", arn.unwrap_or_else(|| place.clone()));
    if !known {
        export.note(NoteKind::Blank, place);
    }
    if !options.is_empty() {
        commands.push(command("elbv2 modify-target-group", [arn.clone()].into_iter().chain(options)));
    }
    if !attributes.is_empty() {
        let attributes = format!("--attributes {}", attributes.join(" "));
        commands.push(command("elbv2 modify-target-group-attributes", [arn, attributes].into_iter()));
    }
}

/// A command with each option on a line of its own.
fn command(name: &str, options: impl Iterator<Item = String>) -> String {
    let lines: Vec<String> = [format!("aws {name}")].into_iter().chain(options).collect();
    lines.join(" \\\n  ") + "\n"
}

/// `healthCheckIntervalSeconds` as `health-check-interval-seconds`.
fn dashed(name: &str) -> String {
    super::terraform::words(name, '-')
}

/// The value of an option: a plain word, shorthand in quotes, or JSON where shorthand cannot say it. A list of structures
/// comes as a word for each.
fn argument(value: &Value) -> String {
    match value {
        Value::Array(items) if items.is_empty() => "'[]'".to_owned(),
        Value::Array(items) if items.iter().all(|item| is_short(item) && item.as_object().is_some()) => {
            items.iter().map(|item| quoted(&members(item))).collect::<Vec<_>>().join(" ")
        }
        Value::Object(_) if is_short(value) => quoted(&members(value)),
        Value::Object(_) | Value::Array(_) => quoted(&value.to_string()),
        Value::String(text) => quoted(text),
        scalar => scalar.to_string(),
    }
}

/// True when shorthand can say it: no text with a sign that means something there, no empty structure.
fn is_short(value: &Value) -> bool {
    match value {
        Value::Object(entries) => !entries.is_empty() && entries.iter().all(|(_, member)| is_short(member)),
        Value::Array(items) => !items.is_empty() && items.iter().all(is_short),
        Value::String(text) => !text.is_empty() && text.chars().all(is_plain),
        Value::Null => false,
        Value::Bool(_) | Value::Number(Number::Int(_)) | Value::Number(Number::Text(_)) => true,
    }
}

fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_-./:+@".contains(c)
}

fn members(value: &Value) -> String {
    let one = |(key, member): &(String, Value)| format!("{key}={}", short(member));
    value.as_object().unwrap_or_default().iter().map(one).collect::<Vec<_>>().join(",")
}

fn short(value: &Value) -> String {
    match value {
        Value::Object(_) => format!("{{{}}}", members(value)),
        Value::Array(items) => format!("[{}]", items.iter().map(short).collect::<Vec<_>>().join(",")),
        Value::String(text) => text.clone(),
        scalar => scalar.to_string(),
    }
}

/// A word for the shell, in quotes where it needs them.
fn quoted(text: &str) -> String {
    let plain = !text.is_empty() && text.chars().all(|c| is_plain(c) || "=,".contains(c));
    if plain { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}
