//! The shorthand of the AWS CLI: `key=value,key={key=value},key=[a,b]`.

use rollscope_scenario::problem::{Kind, Problem};

use super::words::Word;
use crate::node::{Node, Place};

/// Most levels inside each other.
const DEPTH_MAX: u32 = 32;

struct Reader<'a> {
    letters: &'a [(char, Place)],
    index: usize,
    end: Place,
}

/// A structure in shorthand.
pub fn read(word: &Word) -> Result<Node, Box<Problem>> {
    let end = word.letters.last().map_or(word.at, |(_, at)| (at.0, at.1 + 1));
    let mut reader = Reader { letters: &word.letters, index: 0, end };
    let node = reader.members(None, 0)?;
    Ok(Node { at: word.at, ..node })
}

impl Reader<'_> {
    fn peek(&self) -> Option<char> {
        self.letters.get(self.index).map(|(c, _)| *c)
    }

    fn place(&self) -> Place {
        self.letters.get(self.index).map_or(self.end, |(_, at)| *at)
    }

    fn fault(&self, expected: &str) -> Box<Problem> {
        let given = self.peek().map_or_else(|| "the end of the value".to_owned(), |c| format!("“{c}”"));
        let mut problem = Problem::error(Kind::Syntax, "", given, format!("expected {expected}"));
        problem.position = Some(self.place());
        problem.into()
    }

    fn space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.index += 1;
        }
    }

    /// `key=value,…` up to `close`.
    fn members(&mut self, close: Option<char>, depth: u32) -> Result<Node, Box<Problem>> {
        if depth > DEPTH_MAX {
            return Err(self.fault(&format!("at most {DEPTH_MAX} levels")));
        }
        let at = self.place();
        let mut entries: Vec<(String, Node)> = Vec::new();
        loop {
            self.space();
            if self.peek() == close {
                self.index += 1;
                return Ok(Node::map(at, entries));
            }
            let key_at = self.place();
            let mut key = String::new();
            while let Some(c) = self.peek().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | ':' | '/'))
            {
                key.push(c);
                self.index += 1;
            }
            if key.is_empty() {
                return Err(self.fault("a name"));
            }
            if self.peek() != Some('=') {
                return Err(self.fault(&format!("= behind {key}")));
            }
            self.index += 1;
            let value = self.value(depth)?;
            entries.push((key, value.seen_at(key_at)));
            self.space();
            match self.peek() {
                Some(',') => self.index += 1,
                c if c == close => {}
                _ => return Err(self.fault(", or the end of the value")),
            }
        }
    }

    /// One value; several with commas and no name between them are a list.
    fn value(&mut self, depth: u32) -> Result<Node, Box<Problem>> {
        let at = self.place();
        let first = self.item(depth)?;
        let mut items = vec![first];
        while self.peek() == Some(',') && self.is_item() {
            self.index += 1;
            items.push(self.item(depth)?);
        }
        Ok(if items.len() > 1 { Node::list(at, items) } else { items.remove(0) })
    }

    /// Behind this comma stands no `name=`.
    fn is_item(&self) -> bool {
        let rest = self.letters[self.index + 1..].iter().map(|(c, _)| *c);
        let mut rest = rest.skip_while(|c| !matches!(c, '=' | ',' | '}' | ']' | '{' | '['));
        !matches!(rest.next(), Some('='))
            && self.letters.get(self.index + 1).is_some_and(|(c, _)| !matches!(c, '}' | ']'))
    }

    fn item(&mut self, depth: u32) -> Result<Node, Box<Problem>> {
        let at = self.place();
        match self.peek() {
            Some('{') => {
                self.index += 1;
                self.members(Some('}'), depth + 1)
            }
            Some('[') => {
                self.index += 1;
                self.list(depth + 1)
            }
            Some(quote @ ('"' | '\'')) => {
                self.index += 1;
                let mut text = String::new();
                while let Some(c) = self.peek().filter(|c| *c != quote) {
                    text.push(c);
                    self.index += 1;
                }
                if self.peek().is_none() {
                    return Err(self.fault(&quote.to_string()));
                }
                self.index += 1;
                Ok(Node::scalar(at, text))
            }
            _ => {
                let mut text = String::new();
                while let Some(c) = self.peek().filter(|c| !matches!(c, ',' | '}' | ']')) {
                    text.push(c);
                    self.index += 1;
                }
                Ok(Node::scalar(at, text.trim()))
            }
        }
    }

    fn list(&mut self, depth: u32) -> Result<Node, Box<Problem>> {
        if depth > DEPTH_MAX {
            return Err(self.fault(&format!("at most {DEPTH_MAX} levels")));
        }
        let at = self.place();
        let mut items = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(']') => {
                    self.index += 1;
                    return Ok(Node::list(at, items));
                }
                Some(',') => self.index += 1,
                None | Some('}') => return Err(self.fault("]")),
                Some(_) => items.push(self.item(depth)?),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::words;
    use super::*;

    fn word(text: &str) -> Word {
        words::commands(&format!("'{text}'")).expect("a word").remove(0).remove(0)
    }

    #[test]
    fn structures_and_lists() {
        for (text, expected) in [
            ("a=1,b=x y", r#"{"a":"1","b":"x y"}"#),
            ("a={b=1,c={d=2}},e=3", r#"{"a":{"b":"1","c":{"d":"2"}},"e":"3"}"#),
            ("a=[x,y],b=1", r#"{"a":["x","y"],"b":"1"}"#),
            ("a=x,y,b=1", r#"{"a":["x","y"],"b":"1"}"#),
            ("a=[{b=1},{b=2}]", r#"{"a":[{"b":"1"},{"b":"2"}]}"#),
            ("a=\"x,y\",b=", r#"{"a":"x,y","b":""}"#),
            ("", "{}"),
        ] {
            assert_eq!(read(&word(text)).expect(text).value().to_string(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        for (text, column, words) in [
            ("a", 3, "= behind a"),
            ("a=1,=2", 6, "a name"),
            ("a={b=1", 8, ", or the end"),
            ("a=[1", 6, "]"),
            ("a={b=1}x", 9, ","),
        ] {
            let problem = read(&word(text)).expect_err(text);
            assert_eq!(problem.position, Some((1, column)), "{text}: {problem}");
            assert!(problem.to_string().contains(words), "{text}: {problem}");
        }
        assert!(read(&word(&"a={".repeat(50))).is_err());
    }
}
