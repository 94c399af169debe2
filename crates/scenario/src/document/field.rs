//! How a field is read from the tree and written back. One macro makes both, so that they
//! cannot drift apart.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::duration::{self, Span};
use crate::json::{Number, Value, pointer_join};
use crate::problem::{Kind, Problem, nearest_name};

/// Collects what is noticed while a tree is read.
#[derive(Default, Debug)]
pub struct Reader {
    /// Problems in the order of the document.
    pub problems: Vec<Problem>,
}

impl Reader {
    /// Notes that a value has the wrong form.
    pub fn wrong(&mut self, at: &str, value: &Value, allowed: impl Into<String>) {
        let mut problem = Problem::error(Kind::Syntax, at, value.short(60), allowed);
        if at.starts_with("/service/") || at.starts_with("/containers/") || at.starts_with("/targetGroups/") {
            problem.service_error = Some("client-side validation error: invalid type for parameter".to_string());
        }
        self.problems.push(problem);
    }
}

/// A value of the document.
pub trait Field: Sized {
    /// Reads it; `None` after a problem.
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self>;
    /// Writes it.
    fn write(&self) -> Value;
}

/// A field of a record: one that may be absent, or a group that is absent when it is empty.
pub trait Member: Sized {
    /// Reads it; absent and `null` are the same.
    fn read_member(value: Option<&Value>, reader: &mut Reader, at: &str) -> Self;
    /// Writes it, unless it is absent.
    fn write_member(&self) -> Option<Value>;
}

impl<F: Field> Member for Option<F> {
    fn read_member(value: Option<&Value>, reader: &mut Reader, at: &str) -> Self {
        value.filter(|v| !v.is_null()).and_then(|v| F::read(v, reader, at))
    }
    fn write_member(&self) -> Option<Value> {
        self.as_ref().map(Field::write)
    }
}

/// Warns about the keys of an object that are not in `known`.
pub fn unknown_keys(value: &Value, known: &[&str], reader: &mut Reader, at: &str) {
    for (key, _) in value.as_object().unwrap_or(&[]) {
        if known.contains(&key.as_str()) {
            continue;
        }
        let near = nearest_name(key, known.iter().copied());
        let allowed = match near {
            Some(near) => format!("unknown key, ignored; did you mean \"{near}\"?"),
            None => "unknown key, ignored".to_string(),
        };
        let key_short: String = key.chars().take(60).collect();
        reader.problems.push(Problem::warning(Kind::Unknown, pointer_join(at, key), key_short, allowed));
    }
}

/// Reads the member of a record. One function a type, not one a field: there are many fields.
#[inline(never)]
pub fn read_at<M: Member>(record: &Value, key: &str, reader: &mut Reader, at: &str) -> M {
    M::read_member(record.get(key), reader, &pointer_join(at, key))
}

/// Writes the member of a record, unless it is absent.
#[inline(never)]
pub fn write_at<M: Member>(member: &M, key: &str, out: &mut Value) {
    if let Some(value) = member.write_member() {
        out.insert(key, value);
    }
}

/// Declares a record: a struct whose fields are members, with their keys in canonical order.
/// `record` is absent as a whole or there; `member` stands for itself and is left out when empty.
macro_rules! record {
    (record $($rest:tt)*) => { $crate::document::field::record!(@struct $($rest)*); };
    ($(#[$doc:meta])* record $name:ident { $($body:tt)* }) => {
        $crate::document::field::record!(@struct $(#[$doc])* $name { $($body)* });
    };
    ($(#[$doc:meta])* member $name:ident { $($body:tt)* }) => {
        $crate::document::field::record!(@struct $(#[$doc])* $name { $($body)* });
        impl $crate::document::Member for $name {
            fn read_member(value: Option<&$crate::json::Value>, reader: &mut $crate::document::Reader, at: &str) -> Self {
                value
                    .filter(|v| !v.is_null())
                    .and_then(|v| <$name as $crate::document::Field>::read(v, reader, at))
                    .unwrap_or_default()
            }
            fn write_member(&self) -> Option<$crate::json::Value> {
                if *self == $name::default() { None } else { Some($crate::document::Field::write(self)) }
            }
        }
    };
    (@struct $(#[$doc:meta])* $name:ident { $($(#[$fdoc:meta])* $field:ident : $ty:ty = $key:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Default)]
        pub struct $name {
            $($(#[$fdoc])* pub $field: $ty,)*
        }
        impl $name {
            /// The keys of this record in canonical order.
            pub const KEYS: &'static [&'static str] = &[$($key),*];
        }
        impl $crate::document::Field for $name {
            fn read(value: &$crate::json::Value, reader: &mut $crate::document::Reader, at: &str) -> Option<Self> {
                if value.as_object().is_none() {
                    reader.wrong(at, value, "an object in { }");
                    return None;
                }
                $crate::document::field::unknown_keys(value, Self::KEYS, reader, at);
                Some($name {
                    $($field: $crate::document::field::read_at(value, $key, reader, at),)*
                })
            }
            fn write(&self) -> $crate::json::Value {
                let mut out = $crate::json::Value::empty_object();
                $($crate::document::field::write_at(&self.$field, $key, &mut out);)*
                out
            }
        }
    };
}
pub(crate) use record;

/// The whole number next to what was written, where that is a number with a fraction or in quotes.
///
/// Example: `4.5` and `"4.5"` are next to 5, `"30"` to 30; `"many"` to none.
fn near_whole(value: &Value) -> Option<i64> {
    let text = match value {
        Value::String(text) | Value::Number(Number::Text(text)) => text.trim(),
        _ => return None,
    };
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    let (whole, part) = text.split_once(['.', ',']).unwrap_or((text, "0"));
    if !digits(whole) || !digits(part) {
        return None;
    }
    whole.parse::<i64>().ok()?.checked_add(i64::from(part.as_bytes()[0] >= b'5'))
}

impl Field for i64 {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let number = value.as_i64();
        if number.is_none() {
            reader.wrong(at, value, "a whole number");
            if let (Some(near), Some(problem)) = (near_whole(value), reader.problems.last_mut()) {
                problem.nearest = Some(near.into());
            }
        }
        number
    }
    fn write(&self) -> Value {
        Value::from(*self)
    }
}

impl Field for Number {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let number = value.as_number().cloned();
        if number.is_none() {
            reader.wrong(at, value, "a number");
        }
        number
    }
    fn write(&self) -> Value {
        Value::Number(self.clone())
    }
}

impl Field for bool {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let b = value.as_bool();
        if b.is_none() {
            reader.wrong(at, value, "true or false");
        }
        b
    }
    fn write(&self) -> Value {
        Value::from(*self)
    }
}

impl Field for String {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let s = value.as_str().map(ToString::to_string);
        if s.is_none() {
            reader.wrong(at, value, "text in double quotes");
        }
        s
    }
    fn write(&self) -> Value {
        Value::from(self)
    }
}

impl<F: Field> Field for Vec<F> {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let Some(items) = value.as_array() else {
            reader.wrong(at, value, "a list in [ ]");
            return None;
        };
        let read = |(i, item)| F::read(item, reader, &pointer_join(at, i));
        Some(items.iter().enumerate().filter_map(read).collect())
    }
    fn write(&self) -> Value {
        Value::Array(self.iter().map(Field::write).collect())
    }
}

/// Deepest nesting of a value that is kept as it is.
const OPAQUE_DEPTH_MAX: usize = 16;

fn depth(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(depth).max().unwrap_or(0),
        Value::Object(entries) => entries.iter().map(|(_, item)| depth(item)).max().unwrap_or(0),
        _ => 0,
    }
}

/// A value that nothing here reads: kept as it is.
impl Field for Value {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        if depth(value) > OPAQUE_DEPTH_MAX {
            reader.wrong(at, value, "at most 16 levels of lists and objects");
            return None;
        }
        Some(value.clone())
    }
    fn write(&self) -> Value {
        self.clone()
    }
}

impl Field for Span {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        match read_ms(value) {
            Ok(ms) => Some(Span(ms)),
            Err(allowed) => {
                reader.wrong(at, value, allowed);
                None
            }
        }
    }
    fn write(&self) -> Value {
        Value::from(duration::print(self.0))
    }
}

/// Milliseconds of a duration in the tree.
pub fn read_ms(value: &Value) -> Result<u64, String> {
    match value {
        Value::String(text) => duration::parse(text),
        Value::Number(number) => match number {
            Number::Int(i) if *i >= 0 => duration::parse(&i.to_string()),
            Number::Int(_) => Err("a duration of 0 or more".to_string()),
            Number::Text(text) => Err(format!("{} ({text} is not a whole number of milliseconds)", duration::FORMS)),
        },
        _ => Err(duration::FORMS.to_string()),
    }
}
