//! The writer: compact with `to_string`, indented with `{:#}` or [`Value::pretty`].

use alloc::format;
use alloc::string::String;
use core::fmt::{self, Write};

use super::value::Value;

impl fmt::Display for Value {
    /// Compact; with `{:#}` one entry a line and two spaces of indent.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if f.alternate() { pretty(self, 0, f) } else { compact(self, f) }
    }
}

impl Value {
    /// Indented text for people. Short lists of plain values stay on one line.
    pub fn pretty(&self) -> String {
        format!("{self:#}")
    }
}

fn compact(value: &Value, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Null => f.write_str("null"),
        Value::Bool(b) => write!(f, "{b}"),
        Value::Number(n) => write!(f, "{n}"),
        Value::String(s) => string(s, f),
        Value::Array(items) => {
            f.write_char('[')?;
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    f.write_char(',')?;
                }
                compact(item, f)?;
            }
            f.write_char(']')
        }
        Value::Object(entries) => {
            f.write_char('{')?;
            for (i, (key, item)) in entries.iter().enumerate() {
                if i > 0 {
                    f.write_char(',')?;
                }
                string(key, f)?;
                f.write_char(':')?;
                compact(item, f)?;
            }
            f.write_char('}')
        }
    }
}

fn pretty(value: &Value, indent: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    match value {
        Value::Array(items) if items.iter().all(is_plain) => {
            f.write_char('[')?;
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    f.write_str(", ")?;
                }
                compact(item, f)?;
            }
            f.write_char(']')
        }
        Value::Array(items) => {
            f.write_str("[\n")?;
            for (i, item) in items.iter().enumerate() {
                spaces(indent + 2, f)?;
                pretty(item, indent + 2, f)?;
                f.write_str(if i + 1 < items.len() { ",\n" } else { "\n" })?;
            }
            spaces(indent, f)?;
            f.write_char(']')
        }
        Value::Object(entries) if !entries.is_empty() => {
            f.write_str("{\n")?;
            for (i, (key, item)) in entries.iter().enumerate() {
                spaces(indent + 2, f)?;
                string(key, f)?;
                f.write_str(": ")?;
                pretty(item, indent + 2, f)?;
                f.write_str(if i + 1 < entries.len() { ",\n" } else { "\n" })?;
            }
            spaces(indent, f)?;
            f.write_char('}')
        }
        _ => compact(value, f),
    }
}

fn is_plain(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

fn spaces(n: usize, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, "{:n$}", "")
}

fn string(s: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in s.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            // Line separators and controls would break text pasted into scripts and terminals.
            c if (c as u32) < 0x20 || c == '\u{2028}' || c == '\u{2029}' || c == '\u{7f}' => {
                write!(f, "\\u{:04x}", c as u32)?;
            }
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}
