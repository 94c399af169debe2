//! HTML as text: this program puts whole regions into the page, so it has no components.

use std::fmt::{self, Write};

/// HTML that is put together. Text that people wrote goes through [`Markup::text`] only.
#[derive(Default)]
pub struct Markup(String);

impl Markup {
    /// Adds HTML as it stands; for fixed tags and attributes.
    pub fn raw(&mut self, html: &str) -> &mut Markup {
        self.0.push_str(html);
        self
    }

    /// Adds a text: what would be HTML in it is not.
    pub fn text(&mut self, text: &str) -> &mut Markup {
        self.0.push_str(&escaped(text));
        self
    }

    /// Adds an attribute with any value, behind the name of a tag.
    pub fn attribute(&mut self, name: &str, value: &str) -> &mut Markup {
        self.raw(" ").raw(name).raw("=\"").text(value).raw("\"")
    }

    /// Adds numbers and fixed words.
    pub fn put(&mut self, words: fmt::Arguments<'_>) -> &mut Markup {
        // A string takes everything.
        let _ = self.0.write_fmt(words);
        self
    }

    /// A button that does `does` (see `wire`), with a text.
    pub fn button(&mut self, class: &str, does: &str, text: &str) -> &mut Markup {
        self.raw("<button type=\"button\" class=\"button ").raw(class).raw("\"").attribute("data-do", does);
        self.attribute("id", &format!("cmp-{does}")).raw(">").text(text).raw("</button>")
    }

    /// A button that is a picture, with its name.
    pub fn icon(&mut self, class: &str, does: &str, name: &str, picture: &str, off: bool) -> &mut Markup {
        self.raw("<button type=\"button\" class=\"").raw(class).raw("\"").attribute("data-do", does);
        self.attribute("id", &format!("cmp-{does}")).attribute("aria-label", name).attribute("title", name);
        self.raw(if off { " disabled>" } else { ">" }).raw(picture).raw("</button>")
    }

    /// The HTML.
    pub fn done(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// A text in which nothing is HTML.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            other => out.push(other),
        }
    }
    out
}

macro_rules! pictures {
    ($($(#[$doc:meta])* $name:ident = $fill:literal, $path:literal;)*) => {
        $($(#[$doc])* pub const $name: &str = concat!(
            "<svg width=\"18\" height=\"18\" viewBox=\"0 0 24 24\" ", $fill, " aria-hidden=\"true\" focusable=\"false\"><path d=\"", $path, "\"/></svg>"
        );)*
    };
}

pictures! {
    /// To the start.
    TO_START = "fill=\"currentColor\"", "M12 6v12L4 12zM20 6v12l-8-6z";
    /// A step back.
    STEP_BACK = "fill=\"currentColor\"", "M18 6v12L8 12zM5 6h2.4v12H5z";
    /// Play.
    PLAY = "fill=\"currentColor\"", "M7 5v14l12-7z";
    /// Pause.
    PAUSE = "fill=\"currentColor\"", "M7 5h3.6v14H7zM13.4 5H17v14h-3.6z";
    /// A step on.
    STEP_ON = "fill=\"currentColor\"", "M6 6v12l10-6zM16.6 6H19v12h-2.4z";
    /// To the end.
    TO_END = "fill=\"currentColor\"", "M4 6v12l8-6zM12 6v12l8-6z";
    /// Away with it.
    CROSS = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\"", "M6 6l12 12M18 6L6 18";
    /// Take back.
    UNDO = "fill=\"none\" stroke=\"currentColor\" stroke-width=\"2\" stroke-linecap=\"round\" stroke-linejoin=\"round\"", "M8 5L4 9l4 4M4 9h10a6 6 0 0 1 0 12h-3";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_wrote_is_never_html() {
        let mut markup = Markup::default();
        let html = markup.raw("<p").attribute("title", "\"><script>").raw(">").text("<b>&'").raw("</p>").done();
        assert_eq!(html, "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;b&gt;&amp;&#39;</p>");
    }
}
