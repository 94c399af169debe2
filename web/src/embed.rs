//! The player inside another page: `?embed=1#<scenario>` and what the address may ask for beside it.
//!
//! `web/js/embed.js` reads the same address before any WebAssembly runs, for the first text and the theme.

use rollscope_engine::SimTime;

use crate::app::model::Theme;
use crate::text::read_clock;

/// What of the player is shown around its pictures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Controls {
    /// Title line with the ways on, and the bar.
    #[default]
    Full,
    /// Title line without the ways on, and the bar.
    Bar,
    /// Only the pictures and their sentence.
    None,
}

/// What the address of a player asks for.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Embed {
    /// `controls=full|bar|none`; absent is `full`.
    pub controls: Controls,
    /// `theme=auto|light|dark`; absent is `auto`, the preference of the browser.
    pub theme: Theme,
    /// `t=1:35` or `t=95s`: where the cursor stands at first, before the moment of the link. Absent: the link's.
    pub at: Option<SimTime>,
    /// `view=1`: the settings cannot be changed here.
    pub view_only: bool,
}

impl Embed {
    /// Reads the query of an address, with or without its `?`; `None` where no player is asked for. A value
    /// that is not known has the default's meaning, so that an older page plays what a newer one wrote.
    pub fn read(query: &str) -> Option<Embed> {
        let value = |name: &str| {
            let pairs = query.trim_start_matches('?').split('&');
            pairs.filter_map(|pair| pair.split_once('=')).find(|(key, _)| *key == name).map(|(_, value)| value)
        };
        let is_on = |name: &str| value(name) == Some("1");
        is_on("embed").then(|| Embed {
            controls: match value("controls") {
                Some("bar") => Controls::Bar,
                Some("none") => Controls::None,
                _ => Controls::Full,
            },
            theme: match value("theme") {
                Some("light") => Theme::Light,
                Some("dark") => Theme::Dark,
                _ => Theme::System,
            },
            // A colon may be written as it is, or as programs that build addresses write it.
            at: value("t").and_then(|text| read_clock(&text.replace("%3A", ":").replace("%3a", ":"))),
            view_only: is_on("view"),
        })
    }

    /// What the address of this page asks for.
    pub fn of_page() -> Option<Embed> {
        Embed::read(&web_sys::window()?.location().search().ok()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_address_that_says_so_is_a_player() {
        for query in ["", "?", "?embed=0", "?embed", "?theme=dark", "?not-embed=1", "?xembed=1&view=1"] {
            assert_eq!(Embed::read(query), None, "{query}");
        }
        for query in
            ["?embed=1", "embed=1", "?utm=x&embed=1", "?embed=1&lang=en", "?embed=1&controls=all&theme=sepia&t=soon"]
        {
            assert_eq!(Embed::read(query), Some(Embed::default()), "{query}");
        }
    }

    #[test]
    fn each_parameter_is_read() {
        let all = Embed::read("?embed=1&controls=none&theme=dark&t=95s&view=1").expect("a player");
        let expected =
            Embed { controls: Controls::None, theme: Theme::Dark, at: Some(SimTime(95_000)), view_only: true };
        assert_eq!(all, expected);
        for (query, at) in [("1:35", 95_000), ("1%3A35", 95_000), ("0", 0), ("12.5", 12_500)] {
            let read = Embed::read(&format!("embed=1&t={query}")).expect("a player");
            assert_eq!(read.at, Some(SimTime(at)), "{query}");
        }
        assert_eq!(
            Embed::read("embed=1&controls=bar&theme=light").map(|e| (e.controls, e.theme)),
            Some((Controls::Bar, Theme::Light))
        );
    }
}
