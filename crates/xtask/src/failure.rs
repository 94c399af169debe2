//! What went wrong, and the way out, both as whole sentences.

use std::fmt;

/// The result of everything in here.
pub type Outcome<T = ()> = Result<T, Failure>;

/// A reason to stop, told to a person.
#[derive(Debug)]
pub struct Failure {
    what: String,
    way_out: Option<String>,
}

impl Failure {
    /// A failure that says what happened.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), way_out: None }
    }

    /// The same failure with what to do about it. A way out that is already
    /// there stays: whoever was closer to the cause knows better.
    pub fn or_way_out(mut self, way_out: impl Into<String>) -> Self {
        self.way_out.get_or_insert_with(|| way_out.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.what)?;
        match &self.way_out {
            Some(way_out) => write!(f, "\n  What to do: {way_out}"),
            None => Ok(()),
        }
    }
}

/// Turns an error of the operating system into a sentence that names the file.
pub fn with_path(path: &std::path::Path) -> impl FnOnce(std::io::Error) -> Failure + '_ {
    move |error| Failure::new(format!("{} cannot be used: {error}.", path.display()))
}

#[cfg(test)]
mod tests {
    use super::Failure;

    #[test]
    fn the_first_way_out_stays() {
        let failure = Failure::new("It broke.").or_way_out("Mend it.").or_way_out("Give up.");
        assert_eq!(failure.to_string(), "It broke.\n  What to do: Mend it.");
    }
}
