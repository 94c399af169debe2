//! Words about a text that was read: what it is, where its values come from. Functions of their own, as in `outside`.

use crate::{Language, en};

const PRODUCT: Language = Language::English;

/// A part of what was read, as a heading or the label of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// What the text is.
    Format,
    /// The label of the choice of a format.
    ReadAs,
    /// The choice of the format that the text looks like.
    ByItself,
    /// The name of the thing that was read.
    Name,
    /// Its values.
    Values,
    /// What the text cannot say.
    Needs,
    /// What is worth knowing.
    Notes,
    /// What is not used.
    NotUsed,
    /// Names to choose from.
    Choices,
}

/// The words of a part.
pub const fn part(part: Part) -> &'static str {
    match PRODUCT {
        Language::English => en::reading::part(part),
    }
}

/// What the text was taken for, beside the choice: "It was read as a Compose file (YAML)."
pub fn read_as(format: &str) -> String {
    match PRODUCT {
        Language::English => en::reading::read_as(format),
    }
}
