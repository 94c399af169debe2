//! Commands of a shell as words: bash and its kind, PowerShell, the command prompt of Windows.

use rollscope_scenario::problem::{Kind, Problem};

use crate::node::Place;

/// A word without its quotes, each character with its place.
#[derive(Clone, Debug, Default)]
pub struct Word {
    /// Its characters.
    pub letters: Vec<(char, Place)>,
    /// Its place.
    pub at: Place,
    /// A part of it is filled in by the shell: `$COUNT`, `$(…)`.
    pub open: bool,
}

impl Word {
    /// As a text.
    pub fn text(&self) -> String {
        self.letters.iter().map(|(c, _)| *c).collect()
    }
}

/// A text, character by character.
struct Shell {
    letters: Vec<(char, Place)>,
    index: usize,
    power: bool,
}

/// Each command of a text as its words.
pub fn commands(text: &str) -> Result<Vec<Vec<Word>>, Box<Problem>> {
    let mut at = (1, 1);
    let mut letters = Vec::new();
    for c in text.chars().filter(|c| *c != '\r') {
        letters.push((c, at));
        at = if c == '\n' { (at.0 + 1, 1) } else { (at.0, at.1 + 1) };
    }
    let mut shell = Shell { letters, index: 0, power: is_power(text) };
    let mut all = Vec::new();
    while shell.peek().is_some() {
        let words = shell.command()?;
        if !words.is_empty() {
            all.push(words);
        }
    }
    Ok(all)
}

/// PowerShell goes on in the next line behind a backtick.
fn is_power(text: &str) -> bool {
    text.lines().any(|line| line.trim_end().ends_with('`') || line.trim_start().starts_with("PS "))
        || text.contains("$env:")
}

impl Shell {
    fn peek(&self) -> Option<char> {
        self.ahead(0)
    }

    fn ahead(&self, by: usize) -> Option<char> {
        self.letters.get(self.index + by).map(|(c, _)| *c)
    }

    fn place(&self) -> Place {
        self.letters.get(self.index).or(self.letters.last()).map_or((1, 1), |(_, at)| *at)
    }

    /// The character here goes into the word.
    fn take(&mut self, word: &mut Word) {
        if let Some(letter) = self.letters.get(self.index) {
            word.letters.push(*letter);
        }
        self.index += 1;
    }

    /// Behind this character a line goes on in the next one, or another character stands for itself.
    fn escapes(&self, c: char) -> bool {
        if self.power { c == '`' } else { c == '\\' }
    }

    /// The end of a line that does not end its command.
    fn goes_on(&self) -> bool {
        matches!(self.peek(), Some('\\' | '`' | '^')) && self.ahead(1) == Some('\n')
    }

    /// The words up to the end of a command.
    fn command(&mut self) -> Result<Vec<Word>, Box<Problem>> {
        let mut words = Vec::new();
        loop {
            match self.peek() {
                None => return Ok(words),
                Some('\n' | ';' | '|' | '&' | '>') => {
                    self.index += 1;
                    return Ok(words);
                }
                Some(_) if self.goes_on() => self.index += 2,
                Some(c) if c.is_whitespace() => self.index += 1,
                Some('#') => {
                    while self.peek().is_some_and(|c| c != '\n') {
                        self.index += 1;
                    }
                }
                Some(_) => words.push(self.word()?),
            }
        }
    }

    fn word(&mut self) -> Result<Word, Box<Problem>> {
        let mut word = Word { at: self.place(), ..Word::default() };
        loop {
            match self.peek() {
                None | Some('\n' | ';' | '|' | '&' | '>') => return Ok(word),
                Some(_) if self.goes_on() => return Ok(word),
                Some(c) if c.is_whitespace() => return Ok(word),
                Some('\'') => self.single(&mut word)?,
                Some('"') => self.double(&mut word)?,
                Some('$') => self.filled(&mut word),
                Some(c) if self.escapes(c) => {
                    self.index += 1;
                    self.take(&mut word);
                }
                Some(_) => self.take(&mut word),
            }
        }
    }

    fn single(&mut self, word: &mut Word) -> Result<(), Box<Problem>> {
        let start = self.place();
        self.index += 1;
        loop {
            match self.peek() {
                None => return Err(unclosed(start, '\'')),
                Some('\'') if self.power && self.ahead(1) == Some('\'') => {
                    self.index += 1;
                    self.take(word);
                }
                Some('\'') => {
                    self.index += 1;
                    return Ok(());
                }
                Some(_) => self.take(word),
            }
        }
    }

    fn double(&mut self, word: &mut Word) -> Result<(), Box<Problem>> {
        let start = self.place();
        self.index += 1;
        loop {
            match (self.peek(), self.ahead(1)) {
                (None, _) => return Err(unclosed(start, '"')),
                (Some('"'), Some('"')) if self.power => {
                    self.index += 1;
                    self.take(word);
                }
                (Some('"'), _) => {
                    self.index += 1;
                    return Ok(());
                }
                // A quote behind a backslash is one for both: PowerShell hands it on to the program that way.
                (Some('\\'), Some('"')) => {
                    self.index += 1;
                    self.take(word);
                }
                (Some(c), Some('\n')) if self.escapes(c) => self.index += 2,
                (Some(c), Some('"' | '\\' | '$' | '`')) if self.escapes(c) => {
                    self.index += 1;
                    self.take(word);
                }
                (Some('$'), _) => self.filled(word),
                (Some(_), _) => self.take(word),
            }
        }
    }

    /// `$NAME`, `${NAME}`, `$(command)`: the shell fills it in.
    fn filled(&mut self, word: &mut Word) {
        self.take(word);
        let end = match self.peek() {
            Some('{') => '}',
            Some('(') => ')',
            Some(c) if c.is_alphabetic() || c == '_' => {
                word.open = true;
                while self.peek().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                    self.take(word);
                }
                return;
            }
            _ => return,
        };
        word.open = true;
        while self.peek().is_some_and(|c| c != end && c != '\n') {
            self.take(word);
        }
        self.take(word);
    }
}

fn unclosed(at: Place, quote: char) -> Box<Problem> {
    let mut problem =
        Problem::error(Kind::Syntax, "", "the end of the text", format!("expected {quote} to close the quote"));
    problem.position = Some(at);
    problem.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<Vec<String>> {
        let all = commands(text).unwrap_or_else(|problem| panic!("{problem}"));
        all.iter().map(|words| words.iter().map(Word::text).collect()).collect()
    }

    #[test]
    fn quotes_of_bash_and_of_powershell() {
        for (text, expected) in [
            ("a 'b c' \"d e\"f", vec![vec!["a", "b c", "d ef"]]),
            ("a \\\n  b # c\nd", vec![vec!["a", "b"], vec!["d"]]),
            ("a \"\\\"b\\\"\" '\\x'", vec![vec!["a", "\"b\"", "\\x"]]),
            ("a `\n b 'it''s' \"x\"\"y\" \"`$z\"", vec![vec!["a", "b", "it's", "x\"y", "$z"]]),
            ("a ^\n b && c; d", vec![vec!["a", "b"], vec!["c"], vec!["d"]]),
            ("a '{\n  \"b\": 1\n}'", vec![vec!["a", "{\n  \"b\": 1\n}"]]),
        ] {
            assert_eq!(words(text), expected, "{text}");
        }
    }

    #[test]
    fn what_the_shell_fills_in_is_known() {
        let all = commands("a $N ${N} \"$(x y)\" '$N' \\$N").expect("words");
        assert_eq!(all[0].iter().map(|word| word.open).collect::<Vec<_>>(), [false, true, true, true, false, false]);
        assert_eq!(all[0][3].text(), "$(x y)");
    }

    #[test]
    fn a_quote_that_is_never_closed_has_its_place() {
        let problem = commands("a\n 'b").expect_err("open");
        assert_eq!(problem.position, Some((2, 2)));
    }
}
