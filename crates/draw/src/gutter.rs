//! Labels in the gutter at the right: each beside its line, in one line or in two short ones, none over
//! another one.

use plotters_backend::DrawingBackend;
use rollscope_engine::order;

use crate::geometry::Scale;
use crate::palette::Colour;
use crate::pen::{self, Anchor, Drawn, Face};

/// Height of a line in CSS pixels.
const LINE: f64 = 14.0;

/// A label.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// What it says; empty for nothing.
    pub words: String,
    /// Height of the line it belongs to.
    pub y: i32,
    /// Its colour.
    pub colour: Colour,
}

/// Draws labels from `x` on between two heights: in bold where all of them fit so into a line, else in
/// plain letters, and what does not fit then in two lines.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    x: i32,
    (top, bottom): (i32, i32),
    mut labels: Vec<Label>,
    scale: Scale,
) -> Drawn<DB> {
    labels.retain(|label| !label.words.is_empty());
    // Of labels at one height the first one stands above.
    order::by_key(&mut labels, |label| label.y);
    let room = to.get_size().0 as i32 - x;
    let face = |bold, colour| Face { size: scale.0 * 12.0, bold, colour, anchor: Anchor::Left };
    let fits = |to: &DB, words: &str, bold| {
        let face = face(bold, Colour(0, 0, 0));
        to.estimate_text_size(words, &face).is_ok_and(|(width, _)| width as i32 <= room)
    };
    let bold = labels.iter().all(|label| fits(to, &label.words, true));
    let lines: Vec<Vec<&str>> = labels
        .iter()
        .map(|label| match in_two(&label.words) {
            Some((first, second)) if !fits(to, &label.words, bold) => vec![first, second],
            _ => vec![label.words.as_str()],
        })
        .collect();
    let line = scale.px(LINE);
    let wanted: Vec<(i32, i32)> =
        labels.iter().zip(&lines).map(|(label, lines)| (label.y, lines.len() as i32 * line)).collect();
    let tops = apart(&wanted, (top, bottom), scale.px(1.0));
    for ((label, lines), top) in labels.iter().zip(&lines).zip(tops) {
        for (words, k) in lines.iter().zip(0..) {
            pen::text(to, words, (x, top + k * line + line / 2), face(bold, label.colour))?;
        }
    }
    Ok(())
}

/// Words in two lines, broken where the longer one is shortest.
fn in_two(words: &str) -> Option<(&str, &str)> {
    let breaks = words.match_indices(' ').map(|(at, _)| (&words[..at], &words[at + 1..]));
    breaks.min_by_key(|(first, second)| first.len().max(second.len()))
}

/// Tops of labels, given their middles (ascending) and heights: as near to what is wanted as the room
/// and the labels above them allow.
fn apart(wanted: &[(i32, i32)], (top, bottom): (i32, i32), gap: i32) -> Vec<i32> {
    let mut free = top;
    let mut tops: Vec<i32> = Vec::with_capacity(wanted.len());
    for (middle, height) in wanted {
        let at = (middle - height / 2).max(free);
        tops.push(at);
        free = at + height + gap;
    }
    let mut end = bottom;
    for (at, (_, height)) in tops.iter_mut().zip(wanted).rev() {
        *at = (*at).min(end - height);
        end = *at - gap;
    }
    tops
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_break_where_both_lines_are_short() {
        assert_eq!(in_two("1 line is 45 tasks"), Some(("1 line is", "45 tasks")));
        assert_eq!(in_two("ceiling 1,250"), Some(("ceiling", "1,250")));
        assert_eq!(in_two("ceiling"), None);
    }

    #[test]
    fn labels_stand_beside_their_lines_and_never_over_each_other() {
        let room = (0, 200);
        assert_eq!(apart(&[(50, 14), (90, 14)], room, 1), [43, 83]);
        // Equal limits stack.
        assert_eq!(apart(&[(50, 14), (50, 14), (50, 14)], room, 1), [43, 58, 73]);
        // Two lines need more room, and below is none.
        assert_eq!(apart(&[(50, 28), (60, 14)], room, 1), [36, 65]);
        assert_eq!(apart(&[(180, 14), (195, 28)], room, 1), [157, 172]);
        for seed in 0..500_i32 {
            let mut middles: Vec<i32> = (0..5).map(|k| (seed * 37 + k * seed * 11) % 200).collect();
            middles.sort_unstable();
            let wanted: Vec<(i32, i32)> = middles.into_iter().map(|y| (y, if y % 3 == 0 { 28 } else { 14 })).collect();
            let tops = apart(&wanted, room, 1);
            let ends: Vec<i32> = tops.iter().zip(&wanted).map(|(top, (_, height))| top + height).collect();
            assert!(tops[1..].iter().zip(&ends).all(|(top, end)| top > end), "{wanted:?}");
            assert!(tops[0] >= 0 && ends[4] <= 200, "{wanted:?}");
        }
    }
}
