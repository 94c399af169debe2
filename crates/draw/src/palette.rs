//! Colours by role. The page reads them from its style sheet, the host uses the light ones.

use plotters::style::RGBColor;
use plotters_backend::BackendColor;
use rollscope_engine::frame::LANES;

/// An opaque colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Reads `#rrggbb`.
    pub fn from_hex(text: &str) -> Option<Colour> {
        let digits = text.trim().strip_prefix('#')?;
        if digits.len() != 6 || !digits.is_ascii() {
            return None;
        }
        let part = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).ok();
        Some(Colour(part(0)?, part(2)?, part(4)?))
    }

    /// This colour at `share` per cent on `ground`, as one opaque colour, so that layers never mix.
    pub fn over(self, ground: Colour, share: u32) -> Colour {
        let mix = |a: u8, b: u8| {
            let sum = u32::from(a) * share + u32::from(b) * (100 - share.min(100));
            ((sum + 50) / 100).min(255) as u8
        };
        Colour(mix(self.0, ground.0), mix(self.1, ground.1), mix(self.2, ground.2))
    }

    pub(crate) fn rgb(self) -> RGBColor {
        RGBColor(self.0, self.1, self.2)
    }

    pub(crate) fn backend(self) -> BackendColor {
        BackendColor { alpha: 1.0, rgb: (self.0, self.1, self.2) }
    }
}

/// The colours of one revision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneColours {
    /// Fill of a healthy box.
    pub full: Colour,
    /// Text on `full`.
    pub on: Colour,
    /// The same meaning as text.
    pub ink: Colour,
    /// Light fill.
    pub tint: Colour,
    /// Stripes under text.
    pub mid: Colour,
}

/// Every colour a picture needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Palette {
    /// Ground of stage and chart.
    pub surface: Colour,
    /// Wells and places of stopped tasks.
    pub inset: Colour,
    /// Hairlines.
    pub line: Colour,
    /// Empty slots, hatching behind data.
    pub line_2: Colour,
    /// Text and limits.
    pub ink: Colour,
    /// Second text.
    pub ink_2: Colour,
    /// Smallest text.
    pub ink_3: Colour,
    /// Ticks and the track's past.
    pub control: Colour,
    /// Failure, nothing else.
    pub fail: Colour,
    /// Old, new, further revisions.
    pub lanes: [LaneColours; LANES],
}

impl Palette {
    /// Reads the design's custom properties (`--surface`, `--rev-old`, ...) through `token`;
    /// the name of the first one that is missing or not `#rrggbb` is the error.
    pub fn read(token: impl Fn(&str) -> String) -> Result<Palette, String> {
        let get = |name: &str| Colour::from_hex(&token(name)).ok_or_else(|| String::from(name));
        let lane = |name: &str| -> Result<LaneColours, String> {
            Ok(LaneColours {
                full: get(&format!("--rev-{name}"))?,
                on: get(&format!("--on-rev-{name}"))?,
                ink: get(&format!("--rev-{name}-ink"))?,
                tint: get(&format!("--rev-{name}-tint"))?,
                mid: get(&format!("--rev-{name}-mid"))?,
            })
        };
        Ok(Palette {
            surface: get("--surface")?,
            inset: get("--inset")?,
            line: get("--line")?,
            line_2: get("--line-2")?,
            ink: get("--ink")?,
            ink_2: get("--ink-2")?,
            ink_3: get("--ink-3")?,
            control: get("--control")?,
            fail: get("--fail")?,
            lanes: [lane("old")?, lane("new")?, lane("third")?],
        })
    }

    /// The light theme, for pictures made without a page.
    pub const fn light() -> Palette {
        const WHITE: Colour = Colour(255, 255, 255);
        Palette {
            surface: WHITE,
            inset: Colour(0xec, 0xee, 0xf2),
            line: Colour(0xe2, 0xe5, 0xea),
            line_2: Colour(0xcb, 0xd0, 0xd9),
            ink: Colour(0x12, 0x15, 0x1b),
            ink_2: Colour(0x43, 0x4a, 0x57),
            ink_3: Colour(0x5c, 0x64, 0x72),
            control: Colour(0x76, 0x7e, 0x8c),
            fail: Colour(0xb7, 0x0c, 0x2c),
            lanes: [
                LaneColours {
                    full: Colour(0x32, 0x36, 0xb6),
                    on: WHITE,
                    ink: Colour(0x2d, 0x31, 0xa6),
                    tint: Colour(0xe3, 0xe4, 0xf9),
                    mid: Colour(0xb3, 0xb5, 0xee),
                },
                LaneColours {
                    full: Colour(0x0b, 0x82, 0x7c),
                    on: WHITE,
                    ink: Colour(0x09, 0x6b, 0x67),
                    tint: Colour(0xd8, 0xf0, 0xed),
                    mid: Colour(0x93, 0xd2, 0xcc),
                },
                LaneColours {
                    full: Colour(0xb9, 0x7d, 0x00),
                    on: Colour(0x12, 0x15, 0x1b),
                    ink: Colour(0x7d, 0x53, 0x00),
                    tint: Colour(0xfa, 0xec, 0xcb),
                    mid: Colour(0xe8, 0xc8, 0x7c),
                },
            ],
        }
    }

    /// The colours of a lane; lanes beyond the last share its colours.
    pub fn lane(&self, lane: u8) -> &LaneColours {
        &self.lanes[usize::from(lane).min(LANES - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hex_is_read_or_refused() {
        assert_eq!(Colour::from_hex(" #0b827c "), Some(Colour(11, 130, 124)));
        for wrong in ["0b827c", "#0b8", "#0b827g", "rgb(1,2,3)", "", "#0b82é7"] {
            assert_eq!(Colour::from_hex(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_mixture_lies_between_its_parts() {
        let mixed = Colour(200, 0, 0).over(Colour(0, 0, 100), 42);
        assert_eq!(mixed, Colour(84, 0, 58));
        assert_eq!(Colour(9, 8, 7).over(Colour(1, 1, 1), 100), Colour(9, 8, 7));
    }

    #[test]
    fn the_first_missing_token_is_named() {
        let known = |name: &str| if name == "--line" { String::new() } else { String::from("#010203") };
        assert_eq!(Palette::read(known), Err(String::from("--line")));
    }

    /// The style sheet's light block holds these very colours.
    #[test]
    fn the_light_palette_is_that_of_the_style_sheet() {
        let sheet = include_str!("../../../web/tokens.css");
        let light = &sheet[sheet.find("theme:light").expect("light block")..sheet.find("end:light").expect("its end")];
        let read = Palette::read(|name| {
            let start = light.find(&format!(" {name}:")).map(|at| at + name.len() + 2);
            start.map_or(String::new(), |at| light[at..].split(';').next().unwrap_or("").to_string())
        });
        assert_eq!(read, Ok(Palette::light()));
    }
}
