//! Words about a text that was read.

use crate::reading::Part;

/// The words of a part.
pub const fn part(part: Part) -> &'static str {
    match part {
        Part::Format => "Format",
        Part::ReadAs => "Read it as",
        Part::ByItself => "what it looks like",
        Part::Name => "Read",
        Part::Values => "Values",
        Part::Needs => "Not in the text",
        Part::Notes => "Worth knowing",
        Part::NotUsed => "Not used",
        Part::Choices => "Choose one",
    }
}

/// What the text was taken for.
pub fn read_as(format: &str) -> String {
    format!("It was read as: {format}.")
}
