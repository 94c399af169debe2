//! The head of a request, as far as a server of files has to understand it.

use std::io::{self, ErrorKind, Read};

/// A head longer than this is refused.
const HEAD_BYTES_MAX: usize = 16 * 1024;

/// What may be done with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Get,
    Head,
}

/// A request for a file.
#[derive(Debug, PartialEq, Eq)]
pub struct Request {
    pub method: Method,
    /// The path as it was sent, without the query.
    pub target_path: String,
    /// The path in plain characters.
    pub path: String,
}

/// Why a request is not answered with a file.
#[derive(Debug, PartialEq, Eq)]
pub enum Refused {
    Malformed,
    MethodUnknown,
    TooLong,
}

impl Refused {
    /// The status line's number and words.
    pub fn status(&self) -> &'static str {
        match self {
            Self::Malformed => "400 Bad Request",
            Self::MethodUnknown => "405 Method Not Allowed",
            Self::TooLong => "431 Request Header Fields Too Large",
        }
    }

    /// The same for a person.
    pub fn sentence(&self) -> &'static str {
        match self {
            Self::Malformed => "This is not a request for a file.",
            Self::MethodUnknown => "Files can only be read here.",
            Self::TooLong => "The request is too long.",
        }
    }
}

impl Request {
    /// Reads up to the empty line and understands the first one.
    pub fn read(stream: &mut impl Read) -> io::Result<Result<Self, Refused>> {
        let mut head = Vec::new();
        let mut part = [0; 2048];
        while !head.windows(4).any(|four| four == b"\r\n\r\n") {
            if head.len() > HEAD_BYTES_MAX {
                return Ok(Err(Refused::TooLong));
            }
            let count = stream.read(&mut part)?;
            if count == 0 {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            head.extend_from_slice(&part[..count]);
        }
        let text = String::from_utf8_lossy(&head);
        Ok(Self::from_first_line(text.lines().next().unwrap_or("")))
    }

    fn from_first_line(line: &str) -> Result<Self, Refused> {
        let mut words = line.split(' ');
        let (Some(method), Some(target), Some(version), None) =
            (words.next(), words.next(), words.next(), words.next())
        else {
            return Err(Refused::Malformed);
        };
        if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
            return Err(Refused::Malformed);
        }
        let method = match method {
            "GET" => Method::Get,
            "HEAD" => Method::Head,
            _ => return Err(Refused::MethodUnknown),
        };
        let target_path = target.split(['?', '#']).next().unwrap_or(target);
        Ok(Self { method, target_path: target_path.to_owned(), path: decoded(target_path).ok_or(Refused::Malformed)? })
    }
}

/// Percent escapes as characters; nothing when they are broken or no text.
fn decoded(path: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let mut digit = || char::from(rest.next()?).to_digit(16);
        let value = digit()? * 16 + digit()?;
        bytes.push(u8::try_from(value).ok()?);
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_decoded_and_loses_its_query() {
        let request = Request::from_first_line("GET /a%20b/%C3%A9?q=%zz HTTP/1.1").unwrap();
        assert_eq!(request.path, "/a b/é");
        assert_eq!(request.target_path, "/a%20b/%C3%A9");
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "",
            "GET /",
            "GET  / HTTP/1.1",
            "GET x HTTP/1.1",
            "GET /%zz HTTP/1.1",
            "GET /%f HTTP/1.1",
            "GET /%ff HTTP/1.1",
            "GET / FTP",
        ] {
            let refused = Request::from_first_line(line).unwrap_err();
            assert_eq!(refused, Refused::Malformed, "{line}");
        }
    }

    #[test]
    fn an_endless_head_is_refused() {
        let mut endless = io::repeat(b'x');
        assert_eq!(Request::read(&mut endless).unwrap(), Err(Refused::TooLong));
    }
}
