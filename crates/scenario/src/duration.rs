//! Durations as people write them: `1m30s`, `500ms`, `2h`; a plain number is milliseconds.

use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;

use rollscope_engine::time::{DAY, HOUR, MINUTE, SECOND};

/// Longest duration that is read: 1000 days.
pub const MAX_MS: u64 = 1_000 * DAY;

/// A duration in whole milliseconds. Prints as [`print`] does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(pub u64);

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&print(self.0))
    }
}

/// What a duration may look like, for messages.
pub const FORMS: &str = "a duration such as \"1m30s\", \"500ms\", \"2h\" or a whole number of milliseconds";

/// The same where a person types it into a field.
pub const TYPED_FORMS: &str = "a time such as 30s, 1m30s, 2h or 500ms; a number alone means seconds";

const UNITS: [(&str, u64); 5] = [("d", DAY), ("h", HOUR), ("m", MINUTE), ("s", SECOND), ("ms", 1)];

/// Reads a duration: numbers with the units d, h, m, s, ms in falling order, or a whole number
/// of milliseconds. The error says how to write it instead.
pub fn parse(text: &str) -> Result<u64, String> {
    let text = text.trim();
    if text.is_empty() {
        return Err(FORMS.to_string());
    }
    if text.contains(['.', ',']) {
        return Err(fraction_advice(text));
    }
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return bounded(text.parse::<u64>().ok());
    }
    let mut rest = text;
    let mut total: Option<u64> = Some(0);
    let mut largest = u64::MAX;
    while !rest.is_empty() {
        let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let letters = rest[digits..].find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len() - digits);
        let (number, unit) = (&rest[..digits], &rest[digits..digits + letters]);
        let size = UNITS.iter().find(|(name, _)| *name == unit).map(|(_, size)| *size);
        let Some(size) = size.filter(|size| digits > 0 && *size < largest) else {
            return Err(format!("{FORMS}; units are d, h, m, s and ms, the largest first, each once"));
        };
        largest = size;
        total = number.parse::<u64>().ok().and_then(|n| n.checked_mul(size)).and_then(|ms| total?.checked_add(ms));
        rest = &rest[digits + letters..];
    }
    bounded(total)
}

fn bounded(ms: Option<u64>) -> Result<u64, String> {
    ms.filter(|ms| *ms <= MAX_MS).ok_or_else(|| format!("at most {}", print(MAX_MS)))
}

/// Reads a duration as a person types it into a field: as [`parse`] does, but a number alone means
/// seconds, spaces do not matter, and a fraction of one unit is read as well.
///
/// Example: `30` is 30 s, `1.5` is 1,500 ms, `0.5m` is 30 s, `1m 30s` is 90 s; `soon` is none.
pub fn parse_typed(text: &str) -> Option<u64> {
    let text: String = text.split_whitespace().collect();
    if text.bytes().all(|b| b.is_ascii_digit()) {
        return text.parse::<u64>().ok()?.checked_mul(SECOND).filter(|ms| *ms <= MAX_MS);
    }
    parse(&text).ok().or_else(|| fraction(&text, "s"))
}

/// `1.5s` is refused; its way out is the same time in smaller whole units.
fn fraction_advice(text: &str) -> String {
    match fraction(text, "") {
        Some(ms) => format!("a duration in whole numbers: write \"{}\"", print(ms)),
        None => format!("a duration in whole numbers; {FORMS}"),
    }
}

/// A number with a fraction and one unit, where that is whole milliseconds.
fn fraction(text: &str, default_unit: &str) -> Option<u64> {
    let plain = text.replace(',', ".");
    let split = plain.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(plain.len());
    let (number, unit) = plain.split_at(split);
    let unit = if unit.is_empty() { default_unit } else { unit };
    let (_, size) = UNITS.iter().find(|(name, _)| *name == unit)?;
    let (whole, part) = number.split_once('.')?;
    if part.is_empty() || part.len() > 9 || !part.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let scale = 10u64.pow(part.len() as u32);
    let small = part.parse::<u64>().ok()?.checked_mul(*size)?;
    let ms = whole.parse::<u64>().ok()?.checked_mul(*size)?.checked_add(small / scale)?;
    (small % scale == 0 && ms <= MAX_MS).then_some(ms)
}

/// Writes a duration with the fewest parts: `0s`, `500ms`, `1m30s`, `1d1h`.
pub fn print(ms: u64) -> String {
    if ms == 0 {
        return "0s".to_string();
    }
    let mut rest = ms;
    let mut out = String::new();
    for (name, size) in UNITS {
        if rest >= size {
            out.push_str(&format!("{}{name}", rest / size));
            rest %= size;
        }
    }
    out
}
