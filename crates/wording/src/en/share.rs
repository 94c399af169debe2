//! What is said of a link that is handed on, in English.

use rollscope_engine::SimTime;

use super::count;
use crate::time::clock;

pub(crate) fn characters(n: usize) -> String {
    format!("{} {}", count(n as u64), if n == 1 { "character" } else { "characters" })
}

pub(crate) fn cut_by(programs: &[&str]) -> String {
    match programs {
        [] => "fits everywhere".into(),
        [one] => format!("{one} may cut it"),
        [first @ .., last] => format!("{} and {last} may cut it", first.join(", ")),
    }
}

pub(crate) fn opens_at(at: SimTime) -> String {
    format!("Open at {}", clock(at))
}

pub(crate) fn from(length: usize) -> String {
    format!(" {}", count(length as u64))
}

pub(crate) fn frame_title(title: &str) -> String {
    format!("Rollscope: {title}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_in_words() {
        assert_eq!([1, 83, 1_024].map(characters), ["1 character", "83 characters", "1,024 characters"]);
        assert_eq!(cut_by(&[]), "fits everywhere");
        assert_eq!(cut_by(&["Outlook"]), "Outlook may cut it");
        assert_eq!(cut_by(&["Outlook", "Teams", "Slack"]), "Outlook, Teams and Slack may cut it");
        assert_eq!(opens_at(SimTime(110_000)), "Open at 1:50");
        assert_eq!(from(1_024), " 1,024");
    }
}
