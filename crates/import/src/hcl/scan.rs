//! Characters one by one, with their places.

use rollscope_scenario::problem::Problem;

use super::syntax;
use crate::node::Place;

/// Most characters of an expression that are kept as its words.
const WORDS_MAX: usize = 60;

/// A text and a place in it.
pub struct Scan {
    letters: Vec<char>,
    index: usize,
    at: Place,
}

/// A place to come back to.
#[derive(Clone, Copy)]
pub struct Mark {
    index: usize,
    at: Place,
}

impl Scan {
    /// At the beginning of a text.
    pub fn new(text: &str) -> Scan {
        Scan { letters: text.chars().filter(|c| *c != '\r').collect(), index: 0, at: (1, 1) }
    }

    /// Line and column.
    pub fn place(&self) -> Place {
        self.at
    }

    /// The character here.
    pub fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    /// The character so many further on.
    pub fn peek_at(&self, ahead: usize) -> Option<char> {
        self.letters.get(self.index + ahead).copied()
    }

    /// The character here; the place moves behind it.
    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.index += 1;
        self.at = if c == '\n' { (self.at.0 + 1, 1) } else { (self.at.0, self.at.1 + 1) };
        Some(c)
    }

    /// This place.
    pub fn mark(&self) -> Mark {
        Mark { index: self.index, at: self.at }
    }

    /// Back to a place.
    pub fn back(&mut self, mark: Mark) {
        (self.index, self.at) = (mark.index, mark.at);
    }

    /// What stands from a place to here, on one line and not too long.
    pub fn words(&self, from: Mark) -> String {
        let text: String = self.letters[from.index..self.index.max(from.index)].iter().take(WORDS_MAX * 2).collect();
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match text.char_indices().nth(WORDS_MAX) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text,
        }
    }

    /// The text that stands here begins with this one.
    pub fn stands(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(ahead, c)| self.peek_at(ahead) == Some(c))
    }

    /// Moves over white space and comments; over ends of lines only where `lines` says so.
    pub fn space(&mut self, lines: bool) {
        loop {
            match self.peek() {
                Some('\n') if !lines => return,
                Some(c) if c.is_whitespace() => {
                    self.next();
                }
                Some('#') => self.rest_of_line(),
                Some('/') if self.peek_at(1) == Some('/') => self.rest_of_line(),
                Some('/') if self.peek_at(1) == Some('*') => {
                    while self.peek().is_some() && !self.stands("*/") {
                        self.next();
                    }
                    self.next();
                    self.next();
                }
                _ => return,
            }
        }
    }

    fn rest_of_line(&mut self) {
        while self.peek().is_some_and(|c| c != '\n') {
            self.next();
        }
    }

    /// A name, if one stands here.
    pub fn name(&mut self) -> Option<String> {
        let begins = |c: char| c.is_alphabetic() || c == '_';
        self.peek().filter(|c| begins(*c))?;
        let mut name = String::new();
        while let Some(c) = self.peek().filter(|c| c.is_alphanumeric() || matches!(c, '_' | '-')) {
            name.push(c);
            self.next();
        }
        Some(name)
    }

    /// A problem here with what is given and what was expected.
    pub fn problem(&self, given: &str, expected: &str) -> Box<Problem> {
        syntax(self.at, given, expected)
    }

    /// A problem with what stands here.
    pub fn fault(&self, expected: &str) -> Box<Problem> {
        let there: String = self.letters[self.index..].iter().take_while(|c| **c != '\n').take(40).collect();
        let given = match (self.peek(), there.trim()) {
            (None, _) => "the end of the text".to_owned(),
            (_, "") => "the end of the line".to_owned(),
            (_, there) => format!("“{there}”"),
        };
        self.problem(&given, expected)
    }
}
