//! Expressions of HCL: what says a value is read, the rest is skipped as a whole.

use rollscope_scenario::json::{self, Value};
use rollscope_scenario::problem::Problem;

use super::scan::Scan;
use super::{DEPTH_MAX, Expression, ExpressionKind, Part};

type Read<T> = Result<T, Box<Problem>>;

/// An expression. Inside brackets a line does not end it.
pub fn read(scan: &mut Scan, inside: bool, depth: u32) -> Read<Expression> {
    if depth > DEPTH_MAX {
        return Err(scan.problem("deeper", &format!("at most {DEPTH_MAX} levels")));
    }
    scan.space(inside);
    let (start, at) = (scan.mark(), scan.place());
    let first = primary(scan, depth)?;
    let mut kind = ExpressionKind::Other;
    if let Some(first) = first {
        let end = scan.mark();
        scan.space(inside);
        if matches!(scan.peek(), None | Some('\n' | ',' | ']' | '}' | ')' | ':' | '=')) && !scan.stands("==") {
            kind = first;
        } else {
            scan.back(end);
        }
    } else {
        scan.back(start);
    }
    if kind == ExpressionKind::Other {
        skip(scan, inside)?;
    }
    Ok(Expression { at, words: scan.words(start), kind })
}

/// Moves to the end of an expression, over everything in brackets and quotes.
fn skip(scan: &mut Scan, inside: bool) -> Read<()> {
    let mut open: Vec<char> = Vec::new();
    loop {
        match scan.peek() {
            None if open.is_empty() => return Ok(()),
            None => return Err(scan.fault(&open.iter().rev().take(1).collect::<String>())),
            Some('\n' | ',') if open.is_empty() && !(inside && scan.peek() == Some('\n')) => return Ok(()),
            Some(']' | '}' | ')') if open.is_empty() => return Ok(()),
            Some('"') => {
                text(scan, 0)?;
                continue;
            }
            Some('#') => {
                scan.space(false);
                continue;
            }
            Some('/') if matches!(scan.peek_at(1), Some('/' | '*')) => {
                scan.space(false);
                continue;
            }
            Some('(') => open.push(')'),
            Some('[') => open.push(']'),
            Some('{') => open.push('}'),
            Some(c @ (']' | '}' | ')')) => {
                if open.pop() != Some(c) {
                    return Err(scan.fault("brackets that match"));
                }
            }
            Some(_) => {}
        }
        if open.len() > DEPTH_MAX as usize {
            return Err(scan.problem("deeper", &format!("at most {DEPTH_MAX} levels")));
        }
        scan.next();
    }
}

/// What stands first in an expression; absent for what would have to be computed.
fn primary(scan: &mut Scan, depth: u32) -> Read<Option<ExpressionKind>> {
    match scan.peek() {
        Some('"') => {
            let parts = text(scan, depth)?;
            let directive = parts.iter().any(|part| matches!(part, Part::Inserted(one) if one.words == DIRECTIVE));
            Ok((!directive).then_some(ExpressionKind::Template(parts)))
        }
        Some('<') if scan.stands("<<") => heredoc(scan).map(Some),
        Some(c) if c.is_ascii_digit() || (c == '-' && scan.peek_at(1).is_some_and(|c| c.is_ascii_digit())) => {
            Ok(number(scan))
        }
        Some('[') => list(scan, depth),
        Some('{') => object(scan, depth),
        Some('(') => {
            let start = scan.mark();
            scan.next();
            let inner = read(scan, true, depth + 1)?;
            scan.space(true);
            if scan.peek() == Some(')') && inner.kind != ExpressionKind::Other {
                scan.next();
                return Ok(Some(inner.kind));
            }
            scan.back(start);
            Ok(None)
        }
        _ => named(scan, depth),
    }
}

fn number(scan: &mut Scan) -> Option<ExpressionKind> {
    let mut text = String::new();
    while let Some(c) = scan.peek().filter(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | 'e' | 'E' | '+')) {
        // A sign inside a number stands behind its exponent only.
        if matches!(c, '-' | '+') && !(text.is_empty() || text.ends_with(['e', 'E'])) {
            break;
        }
        text.push(c);
        scan.next();
    }
    json::read(&text).ok().map(|read| ExpressionKind::Literal(read.value))
}

/// `true`, a reference, a call.
fn named(scan: &mut Scan, depth: u32) -> Read<Option<ExpressionKind>> {
    let Some(name) = scan.name() else { return Ok(None) };
    match name.as_str() {
        "true" | "false" => return Ok(Some(ExpressionKind::Literal(Value::from(name == "true")))),
        "null" => return Ok(Some(ExpressionKind::Literal(Value::Null))),
        _ => {}
    }
    if scan.peek() == Some('(') {
        return call(scan, name, depth);
    }
    let mut parts = vec![name];
    loop {
        match scan.peek() {
            Some('.') => {
                scan.next();
                match scan.name() {
                    Some(name) => parts.push(name),
                    None => return Ok(None),
                }
            }
            Some('[') => {
                scan.next();
                let index = read(scan, true, depth + 1)?;
                let part = match index.kind {
                    ExpressionKind::Literal(value) => value.to_string(),
                    ExpressionKind::Template(parts) => match parts.as_slice() {
                        [Part::Text(text)] => text.clone(),
                        _ => return Ok(None),
                    },
                    _ => return Ok(None),
                };
                scan.space(true);
                if scan.next() != Some(']') {
                    return Ok(None);
                }
                parts.push(part);
            }
            _ => return Ok(Some(ExpressionKind::Reference(parts))),
        }
    }
}

fn call(scan: &mut Scan, name: String, depth: u32) -> Read<Option<ExpressionKind>> {
    scan.next();
    let mut arguments = Vec::new();
    loop {
        scan.space(true);
        match scan.peek() {
            Some(')') => {
                scan.next();
                return Ok(Some(ExpressionKind::Call(name, arguments)));
            }
            Some(',') => {
                scan.next();
            }
            None => return Err(scan.fault(")")),
            Some(']' | '}') => return Err(scan.fault("brackets that match")),
            Some(_) => arguments.push(read(scan, true, depth + 1)?),
        }
    }
}

/// True at `for`, which makes a list or an object of another one.
fn is_loop(scan: &mut Scan) -> bool {
    scan.space(true);
    scan.stands("for") && scan.peek_at(3).is_some_and(char::is_whitespace)
}

fn list(scan: &mut Scan, depth: u32) -> Read<Option<ExpressionKind>> {
    let start = scan.mark();
    scan.next();
    if is_loop(scan) {
        scan.back(start);
        return Ok(None);
    }
    let mut items = Vec::new();
    loop {
        scan.space(true);
        match scan.peek() {
            Some(']') => {
                scan.next();
                return Ok(Some(ExpressionKind::List(items)));
            }
            Some(',') => {
                scan.next();
            }
            None | Some('}' | ')' | ':' | '=') => return Err(scan.fault("]")),
            Some(_) => items.push(read(scan, true, depth + 1)?),
        }
    }
}

fn object(scan: &mut Scan, depth: u32) -> Read<Option<ExpressionKind>> {
    let start = scan.mark();
    scan.next();
    if is_loop(scan) {
        scan.back(start);
        return Ok(None);
    }
    let mut entries = Vec::new();
    loop {
        scan.space(true);
        let key = match scan.peek() {
            Some('}') => {
                scan.next();
                return Ok(Some(ExpressionKind::Object(entries)));
            }
            Some(',') => {
                scan.next();
                continue;
            }
            Some('"') => match text(scan, depth)?.as_slice() {
                [Part::Text(text)] => text.clone(),
                _ => String::new(),
            },
            // A key that is computed is of no use here; its value is read over.
            Some('(') => read(scan, true, depth + 1)?.words,
            _ => scan.name().ok_or_else(|| scan.fault("a name or }"))?,
        };
        scan.space(false);
        match scan.next() {
            Some('=' | ':') => entries.push((key, read(scan, false, depth + 1)?)),
            _ => return Err(scan.fault("= behind the name")),
        }
    }
}

/// A text in quotes.
pub fn text(scan: &mut Scan, depth: u32) -> Read<Vec<Part>> {
    scan.next();
    let mut parts = Vec::new();
    let mut own = String::new();
    loop {
        match scan.peek() {
            None | Some('\n') => return Err(scan.fault("\" at the end of the text")),
            Some('"') => {
                scan.next();
                break;
            }
            Some('\\') => {
                scan.next();
                own.push(escaped(scan));
            }
            Some(_) => inserted(scan, depth, &mut own, &mut parts)?,
        }
    }
    if !own.is_empty() {
        parts.push(Part::Text(own));
    }
    Ok(parts)
}

fn escaped(scan: &mut Scan) -> char {
    match scan.next() {
        Some('n') => '\n',
        Some('t') => '\t',
        Some('r') => '\r',
        Some('u') => {
            let digits: String = (0..4).filter_map(|_| scan.next()).collect();
            u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32).unwrap_or('\u{fffd}')
        }
        Some(c) => c,
        None => '\\',
    }
}

/// How a condition or a loop in a text begins; a text with one is not known.
const DIRECTIVE: &str = "%{";

/// One character of a text, or `${…}`.
fn inserted(scan: &mut Scan, depth: u32, own: &mut String, parts: &mut Vec<Part>) -> Read<()> {
    if scan.stands("$${") || scan.stands("%%{") {
        scan.next();
        own.extend(scan.next());
        own.extend(scan.next());
        return Ok(());
    }
    if scan.stands(DIRECTIVE) {
        let words = DIRECTIVE.to_owned();
        parts.push(Part::Inserted(Expression { at: scan.place(), kind: ExpressionKind::Other, words }));
    }
    if !scan.stands("${") {
        own.extend(scan.next());
        return Ok(());
    }
    if !own.is_empty() {
        parts.push(Part::Text(std::mem::take(own)));
    }
    scan.next();
    scan.next();
    if scan.peek() == Some('~') {
        scan.next();
    }
    let mut part = read(scan, true, depth + 1)?;
    scan.space(true);
    if scan.peek() != Some('}') {
        part.kind = ExpressionKind::Other;
        while scan.peek().is_some_and(|c| c != '}') {
            skip(scan, true)?;
            if scan.peek() != Some('}') {
                scan.next();
            }
        }
    }
    if scan.next() != Some('}') {
        return Err(scan.fault("} at the end of ${"));
    }
    parts.push(Part::Inserted(part));
    Ok(())
}

/// A text of several lines, `<<EOF` or `<<-EOF`.
fn heredoc(scan: &mut Scan) -> Read<ExpressionKind> {
    scan.next();
    scan.next();
    let indented = scan.peek() == Some('-');
    if indented {
        scan.next();
    }
    let Some(end) = scan.name() else { return Err(scan.fault("a name behind <<")) };
    while scan.peek().is_some_and(|c| c != '\n') {
        scan.next();
    }
    scan.next();
    let mut lines: Vec<String> = Vec::new();
    loop {
        let mut line = String::new();
        while let Some(c) = scan.peek().filter(|c| *c != '\n') {
            line.push(c);
            scan.next();
        }
        if line.trim() == end {
            break;
        }
        if scan.next().is_none() {
            return Err(scan.fault(&format!("a line with {end}")));
        }
        lines.push(line);
    }
    let indent = |line: &String| line.len() - line.trim_start().len();
    let least = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let least = if indented { least } else { 0 };
    let text: String = lines.iter().map(|line| format!("{}\n", line.get(least..).unwrap_or_default())).collect();
    // What is put into such a text is not looked for: a text with some of it is not known as a whole.
    Ok(if text.contains("${") || text.contains("%{") {
        ExpressionKind::Other
    } else {
        ExpressionKind::Template(vec![Part::Text(text)])
    })
}
