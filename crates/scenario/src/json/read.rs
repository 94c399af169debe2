//! The reader: strict JSON, with the place of every value.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use super::value::{Number, Value, pointer_join, pointer_parts};

/// Most bytes of a text that is read.
pub const SIZE_MAX: usize = 1_000_000;
/// Most levels of lists and objects inside each other.
pub const DEPTH_MAX: usize = 64;

/// A place in a text. Lines and columns count from 1, columns in characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Bytes before it.
    pub offset: usize,
}

impl Position {
    /// The place of a byte of a text.
    pub fn of(text: &str, offset: usize) -> Position {
        let mut offset = offset.min(text.len());
        while !text.is_char_boundary(offset) {
            offset -= 1;
        }
        let before = &text[..offset];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
        let column = before[start..].chars().count() + 1;
        Position { line: line as u32, column: column as u32, offset }
    }
}

/// Why a text is not JSON.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Where reading stopped.
    pub at: Position,
    /// What could have stood there.
    pub expected: String,
    /// What stood there.
    pub found: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Position { line, column, .. } = self.at;
        write!(f, "line {line}, column {column}: expected {}, found {}", self.expected, self.found)
    }
}

/// A text that was read, with the place of every value in it.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The tree.
    pub value: Value,
    /// Pointers of keys that stand twice in their object; the last one counts.
    pub duplicates: Vec<String>,
    /// Bytes of the text that were used, with the white space after them.
    pub used: usize,
    /// Byte offset of every value (of its key, if it has one) in the order of the text.
    offsets: Vec<u32>,
    text: String,
}

impl Parsed {
    /// Byte offset of every value (of its key, if it has one) in the order of the text: the value itself, then
    /// its parts, each with theirs.
    pub fn offsets(&self) -> &[u32] {
        &self.offsets
    }

    /// Where the value of a JSON pointer stands (its key, if it has one). A pointer that leads
    /// nowhere gives the nearest parent.
    pub fn position(&self, pointer: &str) -> Option<Position> {
        let mut value = &self.value;
        let mut index = 0;
        for part in pointer_parts(pointer)? {
            let found = match value {
                Value::Array(items) => part.parse::<usize>().ok().filter(|i| *i < items.len()),
                Value::Object(entries) => entries.iter().rposition(|(k, _)| *k == part),
                _ => None,
            };
            let Some(found) = found else { break };
            index += 1;
            let child = |i: usize| match value {
                Value::Array(items) => &items[i],
                Value::Object(entries) => &entries[i].1,
                other => other,
            };
            index += (0..found).map(|i| count(child(i))).sum::<usize>();
            value = child(found);
        }
        let offset = *self.offsets.get(index)? as usize;
        Some(Position::of(&self.text, offset))
    }
}

/// Values in a tree, itself included.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(entries) => entries.iter().map(|(_, v)| count(v)).sum(),
        _ => 0,
    }
}

/// Reads one JSON value that fills the whole text.
pub fn read(text: &str) -> Result<Parsed, Fault> {
    let parsed = read_first(text)?;
    if parsed.used < text.len() {
        return Err(fault(text, parsed.used, "the end of the text"));
    }
    Ok(parsed)
}

/// Reads the first JSON value of a text and the white space around it; [`Parsed::used`] says
/// where the next one could begin. For several values pasted one after the other.
pub fn read_first(text: &str) -> Result<Parsed, Fault> {
    if text.len() > SIZE_MAX {
        let mut fault = fault(text, SIZE_MAX, "");
        fault.expected = format!("at most {SIZE_MAX} bytes");
        fault.found = format!("{} bytes", text.len());
        return Err(fault);
    }
    let mut reader = Reader { text, at: 0, depth: 0, offsets: Vec::new(), duplicates: Vec::new() };
    if text.starts_with('\u{feff}') {
        reader.at = '\u{feff}'.len_utf8();
    }
    reader.space();
    let value = reader.value("", None)?;
    reader.space();
    Ok(Parsed {
        value,
        duplicates: reader.duplicates,
        used: reader.at,
        offsets: reader.offsets,
        text: text.to_string(),
    })
}

fn fault(text: &str, offset: usize, expected: &str) -> Fault {
    let at = Position::of(text, offset);
    let rest = &text[at.offset..];
    let found = match rest.chars().next() {
        None => "the end of the text".to_string(),
        Some('\n' | '\r') => "the end of the line".to_string(),
        Some(c) if is_letter(c) => {
            let word: String = rest.chars().take_while(|c| is_letter(*c) || *c == '_').take(20).collect();
            format!("`{word}`")
        }
        Some(c) if c.is_control() => format!("the control character U+{:04X}", c as u32),
        Some(c) => format!("`{c}`"),
    };
    Fault { at, expected: expected.to_string(), found }
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    offsets: Vec<u32>,
    duplicates: Vec<String>,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn fail<T>(&self, expected: &str) -> Result<T, Fault> {
        Err(fault(self.text, self.at, expected))
    }

    /// Reads one value. `key_at` is where its key stood, the more helpful place for messages.
    fn value(&mut self, pointer: &str, key_at: Option<usize>) -> Result<Value, Fault> {
        self.offsets.push(key_at.unwrap_or(self.at) as u32);
        match self.peek() {
            Some(b'{') => self.nested(|r| r.object(pointer)),
            Some(b'[') => self.nested(|r| r.array(pointer)),
            Some(b'"') => Ok(Value::String(self.string()?)),
            Some(b'-' | b'0'..=b'9') => self.number(),
            _ => self.word(),
        }
    }

    fn nested(&mut self, inner: impl FnOnce(&mut Self) -> Result<Value, Fault>) -> Result<Value, Fault> {
        if self.depth == DEPTH_MAX {
            return self.fail(&format!("at most {DEPTH_MAX} levels of lists and objects"));
        }
        self.depth += 1;
        self.at += 1;
        self.space();
        let value = inner(self)?;
        self.depth -= 1;
        Ok(value)
    }

    fn object(&mut self, pointer: &str) -> Result<Value, Fault> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        let mut keys = BTreeSet::new();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(Value::Object(entries));
        }
        loop {
            let key_at = self.at;
            if self.peek() != Some(b'"') {
                let what = if entries.is_empty() { "a key in double quotes or `}`" } else { "a key in double quotes" };
                return self.fail(what);
            }
            let key = self.string()?;
            let here = pointer_join(pointer, &key);
            if !keys.insert(key.clone()) {
                self.duplicates.push(here.clone());
            }
            self.space();
            if self.peek() != Some(b':') {
                return self.fail(&format!("`:` after the key \"{key}\""));
            }
            self.at += 1;
            self.space();
            let value = self.value(&here, Some(key_at))?;
            entries.push((key, value));
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b'}') => {
                    self.at += 1;
                    return Ok(Value::Object(entries));
                }
                _ => return self.fail("`,` or `}`"),
            }
            self.space();
        }
    }

    fn array(&mut self, pointer: &str) -> Result<Value, Fault> {
        let mut items = Vec::new();
        if self.peek() == Some(b']') {
            self.at += 1;
            return Ok(Value::Array(items));
        }
        loop {
            items.push(self.value(&pointer_join(pointer, items.len()), None)?);
            self.space();
            match self.peek() {
                Some(b',') => self.at += 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(Value::Array(items));
                }
                _ => return self.fail("`,` or `]`"),
            }
            self.space();
        }
    }

    fn word(&mut self) -> Result<Value, Fault> {
        for (word, value) in [("true", Value::Bool(true)), ("false", Value::Bool(false)), ("null", Value::Null)] {
            let rest = &self.text[self.at..];
            if rest.starts_with(word) && !rest[word.len()..].starts_with(is_letter) {
                self.at += word.len();
                return Ok(value);
            }
        }
        self.fail("a value (text in double quotes, a number, true, false, null, a list or an object)")
    }

    fn digits(&mut self) -> Result<(), Fault> {
        if !matches!(self.peek(), Some(b'0'..=b'9')) {
            return self.fail("a digit");
        }
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<Value, Fault> {
        let start = self.at;
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return self.fail("a number without a leading 0");
            }
        } else {
            self.digits()?;
        }
        let mut whole = true;
        if self.peek() == Some(b'.') {
            whole = false;
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            whole = false;
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        let number = match text.parse::<i64>() {
            Ok(i) if whole => Number::Int(i),
            _ => Number::Text(text.to_string()),
        };
        Ok(Value::Number(number))
    }

    fn string(&mut self) -> Result<String, Fault> {
        self.at += 1;
        let mut out = String::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(c) = rest.chars().next() else {
                return self.fail("`\"` at the end of the text in quotes");
            };
            match c {
                '"' => {
                    self.at += 1;
                    return Ok(out);
                }
                '\\' => {
                    self.at += 1;
                    out.push(self.escape()?);
                }
                c if (c as u32) < 0x20 => {
                    return self.fail("`\"` at the end of the text in quotes (a line break inside is written \\n)");
                }
                c => {
                    out.push(c);
                    self.at += c.len_utf8();
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Fault> {
        let c = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                self.at += 1;
                return self.unicode();
            }
            _ => return self.fail("an escape: \\\" \\\\ \\/ \\b \\f \\n \\r \\t or \\u with four digits"),
        };
        self.at += 1;
        Ok(c)
    }

    fn hex4(&mut self) -> Result<u32, Fault> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.peek().and_then(|b| (b as char).to_digit(16));
            let Some(digit) = digit else { return self.fail("four hexadecimal digits after \\u") };
            code = code * 16 + digit;
            self.at += 1;
        }
        Ok(code)
    }

    fn unicode(&mut self) -> Result<char, Fault> {
        let first = self.hex4()?;
        let code = if (0xd800..0xdc00).contains(&first) {
            if !self.text[self.at..].starts_with("\\u") {
                return self.fail("the second half of a pair \\uD8xx\\uDCxx");
            }
            self.at += 2;
            let second = self.hex4()?;
            if !(0xdc00..0xe000).contains(&second) {
                return self.fail("the second half of a pair \\uD8xx\\uDCxx");
            }
            0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00)
        } else {
            first
        };
        match char::from_u32(code) {
            Some(c) => Ok(c),
            None => self.fail("a character (half of a pair stands alone)"),
        }
    }
}

/// A letter or digit, in any script: what belongs to a word.
fn is_letter(c: char) -> bool {
    c.is_ascii_alphanumeric() || !c.is_ascii()
}
