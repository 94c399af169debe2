//! Several scenarios in one fragment, to be compared.
//!
//! ```text
//! compare/<link>/<link>[/<link>[/<link>]]
//! ```
//!
//! Each part is a whole link with its own length and checksum, so that a part that was cut or
//! changed is known as such. A `/` separates; inside a part it is written `%2F`, which a reader of
//! links takes for the same. The moment of the first part that has one is that of all.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;

use super::{Decoded, Link, LinkError, decode, encode};

/// What the fragment of a comparison begins with, without the `/`.
pub const COMPARE: &str = "compare";
/// Most scenarios of a comparison; least.
pub const COMPARED: (usize, usize) = (4, 2);

/// A comparison that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compared {
    /// Its parts in their order, the broken ones with what is wrong with them.
    pub parts: Vec<Result<Decoded, LinkError>>,
    /// The text of each part, a whole link of its own.
    pub texts: Vec<String>,
    /// Parts behind the fourth, which are not read.
    pub left_out: usize,
}

impl Compared {
    /// The moment of all: that of the first part that has one, in milliseconds.
    pub fn moment_ms(&self) -> Option<u64> {
        self.parts.iter().flatten().find_map(|part| part.link.moment_ms)
    }

    /// Everything was read and there is something to compare.
    pub fn is_whole(&self) -> bool {
        self.parts.len() >= COMPARED.1 && self.parts.iter().all(Result::is_ok)
    }
}

/// The fragment of a comparison, without the `#`.
pub fn encode_compared<'a>(links: impl IntoIterator<Item = &'a Link>) -> String {
    let mut out = COMPARE.to_owned();
    for link in links {
        out.push('/');
        // Keys and packed values never hold one.
        out.push_str(&encode(link).replace('/', "%2F"));
    }
    out
}

/// True for a fragment, or a whole address, that is meant as a comparison.
pub fn is_compared(text: &str) -> bool {
    body(text).is_some()
}

/// What follows `compare/`.
fn body(text: &str) -> Option<&str> {
    let text = text.trim();
    let fragment = text.rsplit_once('#').map_or(text, |(_, fragment)| fragment);
    let rest = fragment.strip_prefix(COMPARE)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix('/') }
}

/// Reads a comparison; `None` for anything else.
pub fn decode_compared(text: &str) -> Option<Compared> {
    let all: Vec<&str> = body(text)?.split('/').collect();
    let texts: Vec<String> = all.iter().take(COMPARED.0).map(|part| whole_escapes(part).to_owned()).collect();
    let parts = texts.iter().map(|part| decode(part)).collect();
    Some(Compared { parts, left_out: all.len() - texts.len(), texts })
}

/// A `%2F` that was cut is left out: what is left of it would count as characters of its own.
fn whole_escapes(part: &str) -> &str {
    part.strip_suffix('%').or_else(|| part.strip_suffix("%2")).unwrap_or(part)
}
