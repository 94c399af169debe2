//! Two weighted strips above two walls: how much of the traffic each revision is sent. The whole length of a
//! strip is all of the production traffic; what comes over the test listener stands apart below it.

use plotters_backend::DrawingBackend;
use rollscope_engine::Frame;
use rollscope_engine::platform::ecs::strategy::WHOLE;

use crate::geometry::{Rect, Scale, nearest};
use crate::hatch;
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::stage::{Layout, Role};

/// Height in CSS pixels of both strips with their words.
pub const WEIGHTS_HEIGHT: f64 = 46.0;
/// Top and height of the strip and of the test listener's, in CSS pixels.
const STRIP: (f64, f64) = (20.0, 14.0);
const TEST: (f64, f64) = (36.0, 5.0);

/// The strip above one wall.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weight {
    /// Whose it is.
    pub role: Role,
    /// The number of its revision.
    pub revision: u32,
    /// Lane of colour.
    pub lane: u8,
    /// Production traffic that is sent there, in thousandths; of a service that nothing steers its share of
    /// the healthy tasks.
    pub weight: u32,
    /// Test traffic that is sent there, in thousandths.
    pub test: u32,
    /// Nobody is there to answer what is sent: it is refused.
    pub refused: bool,
    /// The whole length.
    pub well: Rect,
}

/// What stands above a strip: the same long and short.
pub struct WeightWords {
    /// "r7 90 % of the production traffic"
    pub long: String,
    /// "r7 90 %"
    pub short: String,
    /// Beside the strip of the test listener: "test traffic"; empty for none.
    pub test: String,
}

/// The strips above a stage with two walls, source and target; `None` above any other.
pub fn weights(frame: &Frame, layout: &Layout) -> Option<[Weight; 2]> {
    let scale = layout.scale;
    let (top, height) = (scale.px(STRIP.0), scale.px(STRIP.1));
    let whole = u32::from(WHOLE);
    let healthy = |lane: u8| frame.counts.lanes[usize::from(lane)].healthy;
    let all = layout.halves()?.iter().map(|(head, _)| healthy(head.lane)).sum::<u32>();
    let strip = |(head, half): (&crate::stage::Head, &Layout)| {
        let green = head.role == Role::Target;
        let weight = frame.weights.map(|weights| match green {
            true => u32::from(weights.production),
            false => whole - u32::from(weights.production),
        });
        let here = healthy(head.lane);
        Weight {
            role: head.role,
            revision: head.revision,
            lane: head.lane,
            weight: weight.unwrap_or_else(|| (here * whole).checked_div(all).unwrap_or(0)),
            test: frame.weights.filter(|_| green).map_or(0, |weights| u32::from(weights.test)),
            refused: here == 0 && weight.is_some_and(|weight| weight > 0),
            well: Rect::new(half.left, top, half.right() - half.left, height),
        }
    };
    Some(layout.halves()?.map(strip))
}

impl Weight {
    /// A part of the strip's length, of so many thousandths.
    fn part(&self, place: Rect, thousandths: u32) -> Rect {
        Rect { w: nearest(f64::from(place.w) * f64::from(thousandths) / f64::from(WHOLE)), ..place }
    }

    /// The part that is filled.
    pub fn bar(&self) -> Rect {
        self.part(self.well, self.weight)
    }
}

/// Draws both strips.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    strips: &[Weight; 2],
    scale: Scale,
    palette: &Palette,
    words: &[WeightWords; 2],
) -> Drawn<DB> {
    let (width, height) = to.get_size();
    pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
    for (strip, words) in strips.iter().zip(words) {
        bar(to, strip, scale, palette)?;
        title(to, strip, scale, palette, words)?;
        test(to, strip, scale, palette, &words.test)?;
    }
    Ok(())
}

/// The well with what is sent there: full where somebody answers it, red where nobody does.
fn bar<DB: DrawingBackend>(to: &mut DB, strip: &Weight, scale: Scale, palette: &Palette) -> Drawn<DB> {
    let lane = palette.lane(strip.lane);
    pen::polygon(to, pen::rounded(strip.well, scale.px(4.0)), palette.inset)?;
    let filled = strip.bar();
    if strip.weight == 0 {
        return Ok(());
    }
    // However little it is, it is seen.
    let filled = Rect { w: filled.w.max(scale.px(2.0)), ..filled };
    let corner = scale.px(3.0).min(filled.w / 2);
    if !strip.refused {
        return pen::polygon(to, pen::rounded(filled, corner), lane.full);
    }
    pen::fill(to, filled, palette.surface)?;
    hatch::stripes(to, filled, scale.px(6.0), Ink(palette.fail, scale.line(1.5)))?;
    pen::frame(to, filled, Ink(palette.fail, scale.line(1.5)))
}

fn title<DB: DrawingBackend>(
    to: &mut DB,
    strip: &Weight,
    scale: Scale,
    palette: &Palette,
    words: &WeightWords,
) -> Drawn<DB> {
    let colour = if strip.refused { palette.fail } else { palette.lane(strip.lane).ink };
    let face = Face { size: scale.0 * 12.0, bold: true, colour, anchor: Anchor::Left };
    let fits = |words: &String| to.estimate_text_size(words, &face).is_ok_and(|(wide, _)| wide as i32 <= strip.well.w);
    let words = if fits(&words.long) { &words.long } else { &words.short };
    pen::text(to, words, (strip.well.x, scale.px(STRIP.0 / 2.0)), face)
}

/// The strip of the test listener: dashes, so that nobody takes it for visitors.
fn test<DB: DrawingBackend>(to: &mut DB, strip: &Weight, scale: Scale, palette: &Palette, words: &str) -> Drawn<DB> {
    if strip.test == 0 {
        return Ok(());
    }
    let place = strip.part(Rect { y: scale.px(TEST.0), h: scale.px(TEST.1), ..strip.well }, strip.test);
    let face = Face { size: scale.0 * 12.0, bold: false, colour: palette.ink_2, anchor: Anchor::Right };
    let wide = to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32);
    pen::text(to, words, (place.right(), place.y + place.h / 2), face)?;
    let (dash, pitch) = (scale.px(6.0), scale.px(10.0));
    let until = place.right() - wide - scale.px(6.0);
    let starts = (0..).map(|k| place.x + k * pitch).take_while(|x| x + dash <= until);
    let full = palette.lane(strip.lane).full;
    starts.into_iter().try_for_each(|x| pen::fill(to, Rect { x, w: dash, ..place }, full))
}
