//! What is handed on: how long a link may be, and the code that shows a scenario in another page. Pure.

use rollscope_scenario::link::LINK_MAX;

/// Lengths in characters from which a program cuts an address or does not make it a link, shortest first.
pub const CUT_FROM: [(usize, &str); 3] = [(1_024, "Outlook"), (1_747, "Teams"), (2_049, "Slack")];

/// The programs that cut an address of this length.
pub fn cut_by(length: usize) -> Vec<&'static str> {
    CUT_FROM.iter().filter(|(from, _)| length >= *from).map(|(_, name)| *name).collect()
}

/// A fragment is longer than the page reads.
pub fn unreadable(fragment: &str) -> bool {
    fragment.len() > LINK_MAX
}

/// How a player is to look in another page. The defaults are those of its address, which are left out there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Look {
    /// `theme`: follows the browser, light, or dark.
    pub theme: usize,
    /// `controls`: all, without the ways on, or only pictures and sentence.
    pub controls: usize,
    /// `view=1`: nothing can be changed there.
    pub view_only: bool,
    /// `poster=1`: the program is fetched when Play is pressed.
    pub poster: bool,
}

/// The values of `theme` and of `controls`; the first one is the default.
const THEMES: [&str; 3] = ["auto", "light", "dark"];
const CONTROLS: [&str; 3] = ["full", "bar", "none"];

impl Look {
    /// The address of a player: `base` is that of the page without its fragment.
    pub fn address(self, base: &str, fragment: &str) -> String {
        let mut query = String::from("?embed=1");
        for (name, values, chosen) in [("theme", THEMES, self.theme), ("controls", CONTROLS, self.controls)] {
            if let Some(value) = values.get(chosen).filter(|_| chosen > 0) {
                query += &format!("&{name}={value}");
            }
        }
        for (name, on) in [("view", self.view_only), ("poster", self.poster)] {
            if on {
                query += &format!("&{name}=1");
            }
        }
        format!("{base}{query}#{fragment}")
    }

    /// The frame as HTML.
    pub fn frame(self, base: &str, fragment: &str, title: &str) -> String {
        format!(
            "<iframe title=\"{}\" width=\"100%\" height=\"420\" loading=\"lazy\"\n  src=\"{}\"></iframe>",
            attribute(title),
            attribute(&self.address(base, fragment))
        )
    }
}

/// A text inside the quotes of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_cuts_from_its_length_on() {
        for (length, names) in [
            (83, vec![]),
            (1_023, vec![]),
            (1_024, vec!["Outlook"]),
            (1_746, vec!["Outlook"]),
            (1_747, vec!["Outlook", "Teams"]),
            (2_049, vec!["Outlook", "Teams", "Slack"]),
        ] {
            assert_eq!(cut_by(length), names, "{length}");
        }
        assert!(!unreadable(&"x".repeat(32 * 1024)) && unreadable(&"x".repeat(32 * 1024 + 1)));
    }

    #[test]
    fn a_frame_names_what_is_no_default() {
        let base = "https://docs.example.com/rollscope/";
        assert_eq!(Look::default().address(base, "v1&desired=4"), format!("{base}?embed=1#v1&desired=4"));
        let all = Look { theme: 2, controls: 1, view_only: true, poster: true };
        assert_eq!(
            all.frame(base, "v1&desired=4", "\"Half\" & <more>"),
            concat!(
                "<iframe title=\"&quot;Half&quot; &amp; &lt;more>\" width=\"100%\" height=\"420\" loading=\"lazy\"\n",
                "  src=\"https://docs.example.com/rollscope/?embed=1&amp;theme=dark&amp;controls=bar&amp;view=1&amp;poster=1",
                "#v1&amp;desired=4\"></iframe>"
            )
        );
    }

    #[test]
    fn what_is_written_is_what_a_player_reads() {
        use crate::app::model::Theme;
        use crate::embed::{Controls, Embed};
        let look = Look { theme: 1, controls: 2, view_only: true, poster: false };
        let address = look.address("/", "v1");
        let query = address.trim_start_matches('/').split('#').next().expect("a query");
        let expected = Embed { controls: Controls::None, theme: Theme::Light, at: None, view_only: true };
        assert_eq!(Embed::read(query), Some(expected));
    }
}
