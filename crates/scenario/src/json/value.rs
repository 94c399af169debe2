//! The tree, its builders and its accessors.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// A number, exact.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Number {
    /// A whole number that fits.
    Int(i64),
    /// Any other number, as its JSON text (`90.5`, `1e3`, `18446744073709551615`).
    Text(String),
}

impl Number {
    /// The whole number, if it is one that fits.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Number::Int(i) => Some(*i),
            Number::Text(_) => None,
        }
    }

    /// The number times 10 to the power of `digits`, if that is whole; understands plain
    /// decimal text without an exponent. `33.3` with one digit gives 333, `12.34` nothing.
    pub fn scaled(&self, digits: u32) -> Option<i64> {
        let scale = 10i64.checked_pow(digits)?;
        let text = match self {
            Number::Int(i) => return i.checked_mul(scale),
            Number::Text(text) => text,
        };
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if fraction.contains(['e', 'E']) || whole.contains(['e', 'E']) {
            return None;
        }
        let fraction = fraction.trim_end_matches('0');
        if fraction.len() > digits as usize {
            return None;
        }
        let base = whole.parse::<i64>().ok()?.checked_mul(scale)?;
        let rest = if fraction.is_empty() {
            0
        } else {
            fraction.parse::<i64>().ok()? * 10i64.pow(digits - fraction.len() as u32)
        };
        if whole.starts_with('-') { base.checked_sub(rest) } else { base.checked_add(rest) }
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Number::Int(i) => write!(f, "{i}"),
            Number::Text(text) => f.write_str(text),
        }
    }
}

/// A JSON value. Objects keep the order of their keys.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Value {
    /// `null`
    #[default]
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(String),
    /// A list.
    Array(Vec<Value>),
    /// Keys with values. A key can stand twice only in what was read from text.
    Object(Vec<(String, Value)>),
}

impl Value {
    /// An object of these entries, in this order.
    pub fn object<K: Into<String>>(entries: impl IntoIterator<Item = (K, Value)>) -> Value {
        Value::Object(entries.into_iter().map(|(k, v)| (k.into(), v)).collect())
    }

    /// A list of these items.
    pub fn array<V: Into<Value>>(items: impl IntoIterator<Item = V>) -> Value {
        Value::Array(items.into_iter().map(Into::into).collect())
    }

    /// An empty object, for building with [`Value::insert`].
    pub fn empty_object() -> Value {
        Value::Object(Vec::new())
    }

    /// The value of a key of an object; of a key that stands twice, the last one.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.as_object()?.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v)
    }

    /// The item of a list.
    pub fn at(&self, index: usize) -> Option<&Value> {
        self.as_array()?.get(index)
    }

    /// Sets a key, in place when it is there, at the end otherwise. Not an object: becomes one.
    pub fn insert(&mut self, key: impl Into<String>, value: impl Into<Value>) {
        if !matches!(self, Value::Object(_)) {
            *self = Value::empty_object();
        }
        let (key, value) = (key.into(), value.into());
        if let Value::Object(entries) = self {
            match entries.iter_mut().rev().find(|(k, _)| *k == key) {
                Some(entry) => entry.1 = value,
                None => entries.push((key, value)),
            }
        }
    }

    /// Adds an item. Not a list: becomes one.
    pub fn push(&mut self, value: impl Into<Value>) {
        if !matches!(self, Value::Array(_)) {
            *self = Value::Array(Vec::new());
        }
        if let Value::Array(items) = self {
            items.push(value.into());
        }
    }

    /// Follows a JSON pointer (`/service/desiredCount`, `/acts/0/at`; empty is the value itself).
    pub fn pointer(&self, pointer: &str) -> Option<&Value> {
        let mut value = self;
        for part in pointer_parts(pointer)? {
            value = match value {
                Value::Array(items) => items.get(part.parse::<usize>().ok()?)?,
                _ => value.get(&part)?,
            };
        }
        Some(value)
    }

    /// Puts a value at a JSON pointer and makes the objects on the way. In a list only an
    /// existing index or the one after the last can be set. False when the way is barred.
    pub fn set_pointer(&mut self, pointer: &str, new: Value) -> bool {
        let Some(parts) = pointer_parts(pointer) else { return false };
        let mut value = self;
        for part in parts {
            if matches!(value, Value::Null) {
                *value = Value::empty_object();
            }
            value = match value {
                Value::Array(items) => {
                    let Ok(index) = part.parse::<usize>() else { return false };
                    if index == items.len() {
                        items.push(Value::Null);
                    }
                    match items.get_mut(index) {
                        Some(item) => item,
                        None => return false,
                    }
                }
                Value::Object(entries) => {
                    let index = match entries.iter().rposition(|(k, _)| *k == part) {
                        Some(index) => index,
                        None => {
                            entries.push((part, Value::Null));
                            entries.len() - 1
                        }
                    };
                    &mut entries[index].1
                }
                _ => return false,
            };
        }
        *value = new;
        true
    }

    /// Takes what stands at a JSON pointer out of its object or list.
    pub fn remove_pointer(&mut self, pointer: &str) -> Option<Value> {
        let (parent, last) = pointer.rsplit_once('/')?;
        let mut value = self;
        for part in pointer_parts(parent)? {
            value = match value {
                Value::Array(items) => items.get_mut(part.parse::<usize>().ok()?)?,
                Value::Object(entries) => &mut entries.iter_mut().rev().find(|(k, _)| *k == part)?.1,
                _ => return None,
            };
        }
        let last = unescape(last);
        match value {
            Value::Array(items) => {
                let index = last.parse::<usize>().ok()?;
                (index < items.len()).then(|| items.remove(index))
            }
            Value::Object(entries) => {
                let index = entries.iter().rposition(|(k, _)| *k == last)?;
                Some(entries.remove(index).1)
            }
            _ => None,
        }
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(s) => Some(s),
            _ => None,
        }
    }

    /// The truth value.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The whole number.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.as_int()
    }

    /// The whole number, when it is not negative.
    pub fn as_u64(&self) -> Option<u64> {
        match self.as_number()? {
            Number::Int(i) => u64::try_from(*i).ok(),
            Number::Text(text) => text.parse().ok(),
        }
    }

    /// The number.
    pub fn as_number(&self) -> Option<&Number> {
        match self {
            Value::Number(n) => Some(n),
            _ => None,
        }
    }

    /// The items of a list.
    pub fn as_array(&self) -> Option<&[Value]> {
        match self {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The entries of an object.
    pub fn as_object(&self) -> Option<&[(String, Value)]> {
        match self {
            Value::Object(entries) => Some(entries),
            _ => None,
        }
    }

    /// True for `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Value::Null)
    }

    /// The kind of value in plain words, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "true or false",
            Value::Number(Number::Int(_)) => "a whole number",
            Value::Number(_) => "a number",
            Value::String(_) => "text in quotes",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        }
    }

    /// The value on one line, cut to about `max` characters, for messages.
    pub fn short(&self, max: usize) -> String {
        let text = self.to_string();
        if text.chars().count() <= max {
            return text;
        }
        let cut: String = text.chars().take(max).collect();
        format!("{cut}…")
    }
}

/// One part of a JSON pointer with `~` and `/` escaped.
pub fn pointer_escape(part: &str) -> String {
    part.replace('~', "~0").replace('/', "~1")
}

/// A pointer one step further down.
pub fn pointer_join(pointer: &str, part: impl fmt::Display) -> String {
    format!("{pointer}/{}", pointer_escape(&part.to_string()))
}

fn unescape(part: &str) -> String {
    part.replace("~1", "/").replace("~0", "~")
}

/// The parts of a JSON pointer, unescaped; absent where it does not begin with `/`.
pub fn pointer_parts(pointer: &str) -> Option<Vec<String>> {
    if pointer.is_empty() {
        return Some(Vec::new());
    }
    Some(pointer.strip_prefix('/')?.split('/').map(unescape).collect())
}

macro_rules! from_small_int {
    ($($t:ty),*) => {$(
        impl From<$t> for Value {
            fn from(n: $t) -> Value { Value::Number(Number::Int(i64::from(n))) }
        }
    )*};
}
from_small_int!(i64, i32, u32, u16, u8);

impl From<u64> for Value {
    fn from(n: u64) -> Value {
        match i64::try_from(n) {
            Ok(i) => Value::Number(Number::Int(i)),
            Err(_) => Value::Number(Number::Text(n.to_string())),
        }
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Value {
        Value::from(n as u64)
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Value {
        Value::Bool(b)
    }
}

impl From<&str> for Value {
    fn from(s: &str) -> Value {
        Value::String(s.to_string())
    }
}

impl From<String> for Value {
    fn from(s: String) -> Value {
        Value::String(s)
    }
}

impl From<&String> for Value {
    fn from(s: &String) -> Value {
        Value::String(s.clone())
    }
}

impl From<Number> for Value {
    fn from(n: Number) -> Value {
        Value::Number(n)
    }
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(o: Option<T>) -> Value {
        o.map_or(Value::Null, Into::into)
    }
}

impl<T: Into<Value>> From<Vec<T>> for Value {
    fn from(items: Vec<T>) -> Value {
        Value::array(items)
    }
}
