//! Changes of kind in a document's tree: another strategy, tasks that run elsewhere, another platform.
//!
//! Each is a list of fields to set. What has a counterpart under the new kind is carried over, what the
//! service would refuse there is taken out, and everything else stays as it is.

mod platform;
mod room;
mod strategy;
mod traffic;

use alloc::string::String;
use alloc::vec::Vec;

pub use platform::{Moved, Platform, moved};
pub use room::{Room, daemon, is_daemon, room, with_room};
pub use strategy::{strategy, with_strategy, without_hook};
pub use traffic::{test_listener, with_test_listener, with_tracking};

use crate::json::Value;

/// Fields to set, in this order: a JSON pointer and its value. `Null` takes the field out.
pub type Fields = Vec<(String, Value)>;

/// A change of kind, put together field by field.
struct Edit<'a> {
    tree: &'a Value,
    fields: Fields,
}

impl<'a> Edit<'a> {
    fn of(tree: &'a Value) -> Edit<'a> {
        Edit { tree, fields: Fields::new() }
    }

    fn get(&self, pointer: &str) -> Option<&'a Value> {
        self.tree.pointer(pointer).filter(|value| !value.is_null())
    }

    fn list(&self, pointer: &str) -> &'a [Value] {
        self.get(pointer).and_then(Value::as_array).unwrap_or_default()
    }

    fn set(&mut self, pointer: &str, value: impl Into<Value>) {
        self.fields.push((pointer.into(), value.into()));
    }

    /// Takes a field out where it is given.
    fn out(&mut self, pointer: &str) {
        if self.tree.pointer(pointer).is_some() {
            self.fields.push((pointer.into(), Value::Null));
        }
    }

    /// Keeps the entries of a list that pass; an empty list is absent.
    fn keep(&mut self, pointer: &str, passes: impl Fn(&Value) -> bool) {
        let all = self.list(pointer);
        let rest: Vec<Value> = all.iter().filter(|item| passes(item)).cloned().collect();
        if rest.len() < all.len() {
            self.set(pointer, if rest.is_empty() { Value::Null } else { Value::Array(rest) });
        }
    }
}

fn word<'a>(value: Option<&'a Value>, key: &str) -> &'a str {
    value.and_then(|value| value.get(key)).and_then(Value::as_str).unwrap_or_default()
}

#[cfg(test)]
mod tests;
