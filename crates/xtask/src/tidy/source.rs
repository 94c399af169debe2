//! A source file, split into what the compiler reads and what people read.
//!
//! The rules look for words. A word in a comment or in a text of the product
//! is no broken rule, so both are blanked out of `code`; lines stay where
//! they are.

/// A source file of ours.
pub struct Source {
    /// The path from the root of the checkout.
    pub path: String,
    pub text: String,
    /// The text without comments and without the insides of literals.
    pub code: String,
    /// The text of the comments only.
    pub comments: String,
}

impl Source {
    /// Splits the text of a file.
    pub fn new(path: String, text: String) -> Self {
        let (code, comments) = split(&text);
        Self { path, text, code, comments }
    }

    /// The place of a byte of the text, for a finding.
    pub fn place(&self, at: usize) -> String {
        let line = self.text[..at].matches('\n').count() + 1;
        format!("{}:{line}", self.path)
    }
}

/// Where a character belongs.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Literal,
}

/// Both texts are as long as the original, byte for byte.
fn split(text: &str) -> (String, String) {
    let mut code = String::with_capacity(text.len());
    let mut comments = String::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let (part, length) = next_piece(rest, code.chars().next_back());
        let (piece, after) = rest.split_at(length);
        for character in piece.chars() {
            let blank = if character == '\n' { "\n" } else { " " };
            let blanks = blank.repeat(character.len_utf8());
            match part {
                Part::Code => {
                    code.push(character);
                    comments.push_str(&blanks);
                }
                Part::Comment => {
                    code.push_str(&blanks);
                    comments.push(character);
                }
                Part::Literal => {
                    code.push_str(&blanks);
                    comments.push_str(&blanks);
                }
            }
        }
        rest = after;
    }
    (code, comments)
}

/// The kind and length of the piece the text begins with.
fn next_piece(text: &str, before: Option<char>) -> (Part, usize) {
    if text.starts_with("//") {
        return (Part::Comment, text.find('\n').unwrap_or(text.len()));
    }
    if text.starts_with("/*") {
        return (Part::Comment, block_comment(text));
    }
    let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if !in_word && let Some(length) = raw_string(text) {
        return (Part::Literal, length);
    }
    if text.starts_with('"') {
        return (Part::Literal, quoted(text, '"'));
    }
    if let Some(length) = character(text) {
        return (Part::Literal, length);
    }
    (Part::Code, text.chars().next().map_or(1, char::len_utf8))
}

/// Block comments nest.
fn block_comment(text: &str) -> usize {
    let mut depth = 0_u32;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        if rest.starts_with("/*") {
            depth += 1;
            at += 2;
        } else if rest.starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// `r"..."`, `r#"..."#`, `br"..."`: ends at the quote with as many signs.
fn raw_string(text: &str) -> Option<usize> {
    let after_r = text.strip_prefix('b').unwrap_or(text).strip_prefix('r')?;
    let after_signs = after_r.trim_start_matches('#');
    let signs = after_r.len() - after_signs.len();
    let inside = after_signs.strip_prefix('"')?;
    let end = format!("\"{}", "#".repeat(signs));
    let head = text.len() - inside.len();
    Some(inside.find(&end).map_or(text.len(), |at| head + at + end.len()))
}

/// A text that ends at the next quote without a backslash before it.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, character) in text.char_indices().skip(1) {
        if escaped {
            escaped = false;
        } else if character == '\\' {
            escaped = true;
        } else if character == quote {
            return at + 1;
        }
    }
    text.len()
}

/// A character such as `'a'` or `'\n'`; a lifetime such as `'a` is none.
fn character(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('\'')?;
    if inside.starts_with('\\') {
        return Some(quoted(text, '\''));
    }
    let length = inside.chars().next()?.len_utf8();
    inside[length..].starts_with('\'').then_some(length + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(text: &str) -> String {
        let (code, comments) = split(text);
        assert_eq!(code.len(), text.len());
        assert_eq!(comments.len(), text.len());
        code.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_and_literals_are_blank() {
        assert_eq!(code("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(code(r#"a "b \" c" d"#), "a d");
        assert_eq!(code("a r#\"b \" c\"# d br\"e\" f"), "a d f");
        assert_eq!(code(r"a '\'' b '/' c '\\' d 'é' e"), "a b c d e");
        assert_eq!(code("a \"ä // ö\" b"), "a b");
    }

    #[test]
    fn lifetimes_and_words_with_r_are_code() {
        assert_eq!(code("fn f<'a>(x: &'a str)"), "fn f<'a>(x: &'a str)");
        assert_eq!(code("for \"x\" r#type"), "for r#type");
    }

    #[test]
    fn lines_stay_where_they_are() {
        let source = Source::new("a.rs".into(), "/*\n*/\n\"\n\" b".into());
        let at = source.code.find('b').unwrap();
        assert_eq!(source.place(at), "a.rs:4");
        assert!(source.comments.starts_with("/*\n*/"));
    }

    #[test]
    fn an_open_end_is_no_endless_loop() {
        for text in ["/* a", "\"a", "r#\"a", "'", "'\\", "//"] {
            code(text);
        }
    }
}
