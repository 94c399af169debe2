//! Version 1 of the link. Frozen once released: keys may be added to the document, but nothing
//! here may change its meaning.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::pack;
use crate::json::{Number, Value};
use crate::problem::{Kind, Problem};

/// The tag in front.
pub const TAG: &str = "v1";
/// Key of the moment.
pub const MOMENT: &str = "at";
/// Key of the step.
pub const STEP: &str = "step";
/// Key of the selected task.
pub const SELECTION: &str = "sel";
/// Key of the open panel.
pub const PANEL: &str = "panel";
/// Key of the order of the stage.
pub const GROUP: &str = "group";
/// What the chart shows.
pub const CHART: &str = "chart";

/// Deepest path that is read.
const DEPTH_MAX: usize = 24;
/// Most pairs that are read.
const PAIRS_MAX: usize = 20_000;
/// A list shorter than this stays readable even where its packed form is shorter.
const READABLE: usize = 96;
/// Before a packed value.
const PACKED: char = '~';
/// An empty list; square brackets are not allowed in a fragment.
const EMPTY_LIST: &str = "()";
/// An empty object.
const EMPTY_OBJECT: &str = "(:)";
/// Before a text that would read as something else.
const TEXT: char = '\'';

/// Short forms of frequent beginnings, the longest first.
const SHORT: &[(&str, &str)] = &[
    ("min", "service.deploymentConfiguration.minimumHealthyPercent"),
    ("max", "service.deploymentConfiguration.maximumPercent"),
    ("dc", "service.deploymentConfiguration"),
    ("grace", "service.healthCheckGracePeriodSeconds"),
    ("desired", "service.desiredCount"),
    ("s", "service"),
    ("tg", "targetGroups"),
    ("c", "containers"),
    ("t", "timing"),
    ("r", "readings"),
];

/// Keys of the document that hold a dot themselves. They are written with `%2E`; by hand the dot may stand as it is.
const DOTTED: &[&str] = &["deregistration_delay.timeout_seconds", "slow_start.duration_seconds"];

/// The pairs of a document, in its order.
pub fn write(tree: &Value) -> Vec<String> {
    let mut pairs = Vec::new();
    for (key, value) in tree.as_object().unwrap_or_default() {
        put(&escape_part(key), value, &mut pairs);
    }
    pairs
}

fn put(path: &str, value: &Value, pairs: &mut Vec<String>) {
    if has_odd_keys(path, value) {
        pairs.push(format!("{}={PACKED}{}", shorten(path), pack::pack(value)));
        return;
    }
    let mut own = Vec::new();
    match value {
        Value::Array(items) if !items.is_empty() => {
            for (i, item) in items.iter().enumerate() {
                put(&format!("{path}.{i}"), item, &mut own);
            }
        }
        Value::Object(entries) if !entries.is_empty() => {
            for (key, item) in entries {
                put(&format!("{path}.{}", escape_part(key)), item, &mut own);
            }
        }
        plain => {
            pairs.push(format!("{}={}", shorten(path), scalar(plain)));
            return;
        }
    }
    // Lists, and maps whose keys are numbers, are what grows long.
    let is_list = matches!(value, Value::Array(_)) || path.ends_with(".by_start");
    let readable: usize = own.iter().map(|pair| pair.len() + 1).sum();
    if is_list && readable > READABLE {
        let packed = format!("{}={PACKED}{}", shorten(path), pack::pack(value));
        if packed.len() < readable {
            pairs.push(packed);
            return;
        }
    }
    pairs.append(&mut own);
}

/// Keys that a path cannot hold: an empty one, or a number that would read as the index of a list.
fn has_odd_keys(path: &str, value: &Value) -> bool {
    let odd = |key: &str| key.is_empty() || key.parse::<usize>().is_ok();
    let entries = value.as_object().unwrap_or_default();
    !path.ends_with(".by_start") && entries.iter().any(|(key, _)| odd(key))
}

fn shorten(path: &str) -> String {
    for (short, long) in SHORT {
        match path.strip_prefix(long) {
            Some("") => return (*short).to_string(),
            Some(rest) if rest.starts_with('.') => return format!("{short}{rest}"),
            _ => {}
        }
    }
    path.to_string()
}

fn lengthen(path: &str) -> String {
    let (first, rest) = path.split_once('.').map_or((path, None), |(a, b)| (a, Some(b)));
    let first = SHORT.iter().find(|(short, _)| *short == first).map_or(first, |(_, long)| long);
    match rest {
        Some(rest) => format!("{first}.{rest}"),
        None => first.to_string(),
    }
}

fn scalar(value: &Value) -> String {
    match value {
        Value::String(text) => {
            let misread = text.is_empty()
                || text.starts_with([TEXT, PACKED])
                || matches!(text.as_str(), "true" | "false" | "null" | EMPTY_LIST | EMPTY_OBJECT)
                || number(text).is_some();
            let mark = if misread { TEXT.to_string() } else { String::new() };
            mark + &escape(text)
        }
        Value::Array(_) => EMPTY_LIST.to_string(),
        Value::Object(_) => EMPTY_OBJECT.to_string(),
        other => other.to_string(),
    }
}

fn unscalar(raw: &str) -> Option<Value> {
    if let Some(packed) = raw.strip_prefix(PACKED) {
        return pack::unpack(packed);
    }
    let text = unescape(raw)?;
    if let Some(text) = text.strip_prefix(TEXT) {
        return Some(Value::String(text.to_owned()));
    }
    Some(match text.as_str() {
        "true" => Value::Bool(true),
        "false" => Value::Bool(false),
        "null" => Value::Null,
        EMPTY_LIST => Value::Array(Vec::new()),
        EMPTY_OBJECT => Value::empty_object(),
        other => number(other).map_or_else(|| Value::String(text.clone()), Value::Number),
    })
}

/// The text as a JSON number, if it is one.
fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c == '-' || c.is_ascii_digit()) {
        return None;
    }
    match crate::json::read(text).ok()?.value {
        Value::Number(number) => Some(number),
        _ => None,
    }
}

/// Reads pairs into a tree. Nothing is fatal: a pair that makes no sense is reported.
pub fn read(body: &str) -> (Value, Vec<Problem>) {
    let mut tree = Value::empty_object();
    let mut problems = Vec::new();
    let strange = |pair: &str, why: &str| Problem::warning(Kind::Syntax, "", shown(pair), why);
    for (n, pair) in body.split('&').filter(|pair| !pair.is_empty()).enumerate() {
        if n == PAIRS_MAX {
            problems.push(strange(pair, "at most 20,000 pairs are read"));
            break;
        }
        let Some((key, raw)) = pair.split_once('=') else {
            problems.push(strange(pair, "each part of a link is key=value; this one is ignored"));
            continue;
        };
        let Some(value) = unscalar(raw) else {
            problems.push(strange(pair, "this value cannot be read and is ignored"));
            continue;
        };
        if !set(&mut tree, &lengthen(key), value) {
            problems.push(strange(pair, "this key does not fit with the ones before it and is ignored"));
        }
    }
    (tree, problems)
}

fn shown(pair: &str) -> String {
    pair.chars().take(60).collect()
}

/// Puts a value at a path. A number is an index of a list, but under `by_start`, where it is a key.
fn set(tree: &mut Value, path: &str, value: Value) -> bool {
    let dotted = DOTTED.iter().find(|key| path.strip_suffix(**key).is_some_and(|parent| parent.ends_with('.')));
    let parent = dotted.map_or(path, |key| &path[..path.len() - key.len() - 1]);
    let mut parts = Vec::new();
    for part in parent.split('.') {
        let Some(part) = unescape(part).filter(|part| !part.is_empty()) else { return false };
        parts.push(part);
    }
    parts.extend(dotted.map(|key| (*key).to_string()));
    if parts.len() > DEPTH_MAX {
        return false;
    }
    let mut at = tree;
    let mut before = "";
    for part in &parts {
        let index = part.parse::<usize>().ok().filter(|_| before != "by_start");
        if at.is_null() {
            *at = if index.is_some() { Value::Array(Vec::new()) } else { Value::empty_object() };
        }
        at = match (at, index) {
            (Value::Array(items), Some(i)) => {
                if i == items.len() {
                    items.push(Value::Null);
                }
                match items.get_mut(i) {
                    Some(item) => item,
                    None => return false,
                }
            }
            (Value::Object(entries), None) => {
                let i = match entries.iter().position(|(key, _)| key == part) {
                    Some(i) => i,
                    None => {
                        entries.push((part.clone(), Value::Null));
                        entries.len() - 1
                    }
                };
                &mut entries[i].1
            }
            _ => return false,
        };
        before = part;
    }
    *at = value;
    true
}

/// What stands in a value as it is, beside letters and digits.
const PLAIN: &[u8] = b"-._~!$'()*+,;:@/?";

/// Percent-encodes what a fragment or this format does not allow.
pub fn escape(text: &str) -> String {
    escape_but(text, PLAIN)
}

/// An escaped value, escaped the way [`escape`] does it. A broken escape stays as it is.
pub fn normalised_value(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut out = String::with_capacity(value.len());
    let mut i = 0;
    while i < bytes.len() {
        let escaped = escaped_byte(&bytes[i..]);
        let byte = escaped.unwrap_or(bytes[i]);
        let broken = escaped.is_none() && byte == b'%';
        if broken || byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
        i += if escaped.is_some() { 3 } else { 1 };
    }
    out
}

/// The same for one part of a key, where a dot separates.
fn escape_part(text: &str) -> String {
    escape_but(text, b"-_~$@")
}

fn escape_but(text: &str, plain: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || plain.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Takes percent-encoding back; `None` when it is broken or the bytes are no text.
fn unescape(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let bytes = text.as_bytes();
    let mut i = 0;
    while i < bytes.len() {
        if bytes[i] == b'%' {
            out.push(escaped_byte(&bytes[i..])?);
            i += 3;
        } else {
            out.push(bytes[i]);
            i += 1;
        }
    }
    String::from_utf8(out).ok()
}

/// The byte of the escape (`%41`) that the text begins with, if it begins with one.
fn escaped_byte(text: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = text else { return None };
    let digit = |b: &u8| char::from(*b).to_digit(16).map(|d| d as u8);
    Some(digit(high)? * 16 + digit(low)?)
}
