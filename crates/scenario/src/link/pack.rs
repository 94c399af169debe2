//! The packed form of long lists: one byte a value, variable-length integers, a dictionary of the
//! words that documents use. Frozen with version 1: words may be added at the end, never moved.

use alloc::string::{String, ToString};
use alloc::vec::Vec;

use data_encoding::BASE64URL_NOPAD;

use crate::json::{Number, Value};

const NULL: u8 = 0;
const FALSE: u8 = 1;
const TRUE: u8 = 2;
const INT: u8 = 3;
const NUMBER: u8 = 4;
const STRING: u8 = 5;
const WORD: u8 = 6;
const ARRAY: u8 = 7;
const OBJECT: u8 = 8;
/// Whole numbers 0 to 99 take one byte: 100 + n.
const SMALL: u8 = 100;
/// The first 56 words take one byte: 200 + their place.
const SHORT_WORD: u8 = 200;

const DEPTH_MAX: u32 = 24;

/// Words that stand for themselves.
const WORDS: &[&str] = &[
    "at",
    "do",
    "kill",
    "stop_task",
    "desired",
    "percent",
    "deploy",
    "fate",
    "task",
    "count",
    "revision",
    "by_start",
    "minimumHealthyPercent",
    "maximumPercent",
    "start",
    "places",
    "healthy",
    "never_running",
    "never_passes",
    "hangs",
    "exits_after",
    "turns_unhealthy_after",
    "above_running",
    "in_zone",
    "zone",
    "ratio",
    "of",
    "after",
    "rolloutState",
    "COMPLETED",
    "IN_PROGRESS",
    "FAILED",
    "failedTasks",
    "running",
    "pending",
    "unhealthy",
    "stopping",
    "name",
    "essential",
    "healthCheck",
    "command",
    "interval",
    "timeout",
    "retries",
    "startPeriod",
    "stopTimeout",
    "CMD",
    "CMD-SHELL",
    "protocol",
    "healthCheckProtocol",
    "healthCheckIntervalSeconds",
    "healthCheckTimeoutSeconds",
    "healthyThresholdCount",
    "unhealthyThresholdCount",
    "deregistration_delay.timeout_seconds",
    "slow_start.duration_seconds",
    "HTTP",
    "HTTPS",
    "TCP",
    "TLS",
    "app",
    "web",
];

/// The packed form as base64url.
pub fn pack(value: &Value) -> String {
    let mut bytes = Vec::new();
    put(value, &mut bytes);
    BASE64URL_NOPAD.encode(&bytes)
}

fn put(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Null => out.push(NULL),
        Value::Bool(b) => out.push(if *b { TRUE } else { FALSE }),
        Value::Number(Number::Int(n @ 0..=99)) => out.push(SMALL + *n as u8),
        Value::Number(Number::Int(n)) => {
            out.push(INT);
            // Zigzag, so that small negative numbers stay short.
            varint(((n << 1) ^ (n >> 63)) as u64, out);
        }
        Value::Number(Number::Text(text)) => {
            out.push(NUMBER);
            string(text, out);
        }
        Value::String(text) => text_value(text, out),
        Value::Array(items) => {
            out.push(ARRAY);
            varint(items.len() as u64, out);
            items.iter().for_each(|item| put(item, out));
        }
        Value::Object(entries) => {
            out.push(OBJECT);
            varint(entries.len() as u64, out);
            for (key, item) in entries {
                text_value(key, out);
                put(item, out);
            }
        }
    }
}

fn text_value(text: &str, out: &mut Vec<u8>) {
    match WORDS.iter().position(|word| *word == text) {
        Some(i @ 0..=55) => out.push(SHORT_WORD + i as u8),
        Some(i) => {
            out.push(WORD);
            varint(i as u64, out);
        }
        None => {
            out.push(STRING);
            string(text, out);
        }
    }
}

fn string(text: &str, out: &mut Vec<u8>) {
    varint(text.len() as u64, out);
    out.extend_from_slice(text.as_bytes());
}

fn varint(mut n: u64, out: &mut Vec<u8>) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads a packed value; `None` when it is not one. Needs no more memory than the text is long,
/// times a constant: every item takes at least one byte.
pub fn unpack(text: &str) -> Option<Value> {
    let bytes = BASE64URL_NOPAD.decode(text.as_bytes()).ok()?;
    let mut reader = Reader { bytes: &bytes };
    let value = reader.value(0)?;
    reader.bytes.is_empty().then_some(value)
}

struct Reader<'a> {
    bytes: &'a [u8],
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(*first)
    }

    fn varint(&mut self) -> Option<u64> {
        let mut n = 0u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let part = u64::from(byte & 0x7f);
            n |= part.checked_shl(shift).filter(|shifted| shifted >> shift == part)?;
            if byte < 0x80 {
                return Some(n);
            }
        }
        None
    }

    fn string(&mut self) -> Option<String> {
        let length = usize::try_from(self.varint()?).ok()?;
        let (text, rest) = self.bytes.split_at_checked(length)?;
        self.bytes = rest;
        Some(core::str::from_utf8(text).ok()?.to_string())
    }

    fn text(&mut self, kind: u8) -> Option<String> {
        match kind {
            SHORT_WORD..=255 => Some((*WORDS.get(usize::from(kind - SHORT_WORD))?).to_string()),
            STRING => self.string(),
            WORD => Some((*WORDS.get(usize::try_from(self.varint()?).ok()?)?).to_string()),
            _ => None,
        }
    }

    fn count(&mut self) -> Option<usize> {
        usize::try_from(self.varint()?).ok().filter(|n| *n <= self.bytes.len())
    }

    fn value(&mut self, depth: u32) -> Option<Value> {
        if depth > DEPTH_MAX {
            return None;
        }
        Some(match self.byte()? {
            NULL => Value::Null,
            FALSE => Value::Bool(false),
            TRUE => Value::Bool(true),
            INT => {
                let n = self.varint()?;
                Value::Number(Number::Int((n >> 1) as i64 ^ -((n & 1) as i64)))
            }
            NUMBER => {
                let text = self.string()?;
                match crate::json::read(&text).ok()?.value {
                    number @ Value::Number(_) => number,
                    _ => return None,
                }
            }
            ARRAY => {
                let n = self.count()?;
                Value::Array((0..n).map(|_| self.value(depth + 1)).collect::<Option<_>>()?)
            }
            OBJECT => {
                let n = self.count()?;
                let entry = |reader: &mut Self| {
                    let kind = reader.byte()?;
                    Some((reader.text(kind)?, reader.value(depth + 1)?))
                };
                Value::Object((0..n).map(|_| entry(self)).collect::<Option<_>>()?)
            }
            small @ SMALL..=199 => Value::from(u32::from(small - SMALL)),
            kind => Value::String(self.text(kind)?),
        })
    }
}
