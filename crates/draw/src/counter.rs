//! The failure counter: how many failures the circuit breaker has counted, against its threshold.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::order;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, FailureVerdict, Record, ServiceChange, What};

use crate::geometry::{Rect, Scale};
use crate::guards::Level;
use crate::palette::Palette;
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::xscale::XScale;

/// Crosses closer than this in both directions, in CSS pixels, are one.
const MERGE: f64 = 5.0;
/// Half the size of a cross.
const CROSS: f64 = 3.5;

/// One deployment's count.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Piece {
    from: SimTime,
    until: SimTime,
    /// The count at its begin.
    first: u32,
    /// Counts from a moment on, ascending.
    steps: Vec<(SimTime, u32)>,
}

/// The count over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counter {
    pieces: Vec<Piece>,
    /// Each counted failure: its moment and the count after it.
    counted: Vec<(SimTime, u32)>,
    /// Moments at which a healthy task set the count to 0.
    resets: Vec<SimTime>,
    thresholds: Vec<Level>,
    /// The highest of counts and thresholds.
    top: u32,
}

/// A cross, and how many failures it stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cross {
    /// Its middle.
    pub at: BackendCoord,
    /// Failures.
    pub count: u32,
}

/// The words beside it.
pub struct CounterWords {
    /// What is counted: "fails".
    pub fails: String,
    /// At the first reset: "a healthy task: back to 0".
    pub reset: String,
    /// The threshold as a label of the axis.
    pub top: String,
}

impl Counter {
    /// Reads a run up to `end`; `None` where nothing was counted.
    pub fn read(records: &[Record], thresholds: Vec<Level>, end: SimTime) -> Option<Counter> {
        let mut out = Counter { pieces: Vec::new(), counted: Vec::new(), resets: Vec::new(), thresholds, top: 1 };
        let mut open = false;
        for record in records {
            let at = record.at;
            match record.what {
                What::Service { change: ServiceChange::Began { .. }, .. }
                | What::Deployment { change: DeploymentChange::RollingBack, .. } => {
                    out.close(open, at);
                    open = true;
                    out.pieces.push(Piece { from: at, until: end, first: 0, steps: Vec::new() });
                }
                What::Deployment { change: DeploymentChange::State(RolloutState::Failed), .. } => {
                    out.close(open, at);
                    open = false;
                }
                What::Service { change: ServiceChange::Status { to, .. }, .. } if to.is_final() => {
                    out.close(open, at);
                    open = false;
                }
                What::Failure(failure) if failure.verdict == FailureVerdict::Counted => {
                    out.step(at, failure.count.saturating_sub(1), failure.count);
                    out.counted.push((at, failure.count));
                }
                What::CountReset { from, .. } => {
                    out.step(at, from, 0);
                    out.resets.push(at);
                }
                _ => {}
            }
        }
        out.pieces.retain(|piece| !piece.steps.is_empty());
        let counts = out.pieces.iter().flat_map(|piece| piece.steps.iter().map(|step| step.1).chain([piece.first]));
        out.top = counts.chain(out.thresholds.iter().map(|level| level.value)).fold(1, u32::max);
        (!out.counted.is_empty()).then_some(out)
    }

    fn close(&mut self, open: bool, at: SimTime) {
        if let Some(piece) = self.pieces.last_mut().filter(|_| open) {
            piece.until = at;
        }
    }

    fn step(&mut self, at: SimTime, before: u32, after: u32) {
        let Some(piece) = self.pieces.last_mut() else { return };
        if piece.steps.is_empty() {
            piece.first = before;
        }
        piece.steps.push((at, after));
    }

    /// Failures that were counted.
    pub fn counted(&self) -> u32 {
        self.counted.len() as u32
    }

    /// The number at the last threshold, which is labelled.
    pub fn threshold(&self) -> Option<u32> {
        self.thresholds.last().map(|level| level.value)
    }

    /// The height of a count.
    pub fn y(&self, count: u32, place: Rect) -> i32 {
        let share = f64::from(count.min(self.top)) / f64::from(self.top);
        place.bottom() - (share * f64::from(place.h)).round() as i32
    }

    /// The crosses: failures that would touch share one, none is left out.
    pub fn crosses(&self, x: &XScale, place: Rect, scale: Scale) -> Vec<Cross> {
        let near = scale.px(MERGE);
        let mut out: Vec<Cross> = Vec::new();
        for (at, count) in &self.counted {
            let at = (x.x(*at), self.y(*count, place));
            match out.last_mut() {
                Some(last) if (at.0 - last.at.0).abs() < near && (at.1 - last.at.1).abs() < near => last.count += 1,
                _ => out.push(Cross { at, count: 1 }),
            }
        }
        out
    }

    /// The corners of a step line.
    fn corners(&self, piece: &Piece, x: &XScale, place: Rect) -> Vec<BackendCoord> {
        let mut y = self.y(piece.first, place);
        let mut out = vec![(x.x(piece.from), y)];
        for (at, count) in &piece.steps {
            let at = x.x(*at);
            out.push((at, y));
            y = self.y(*count, place);
            out.push((at, y));
        }
        out.push((x.x(piece.until), y));
        out.dedup();
        out
    }

    /// Draws it into `place`, from the base line to the highest count.
    pub fn paint<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        x: &XScale,
        place: Rect,
        scale: Scale,
        palette: &Palette,
        words: &CounterWords,
    ) -> Drawn<DB> {
        let thin = scale.line(1.0) as i32;
        pen::fill(to, Rect::new(place.x, place.bottom(), place.w, thin), palette.line)?;
        self.limits(to, x, place, scale, palette)?;
        let lines: Vec<Vec<BackendCoord>> = self.pieces.iter().map(|piece| self.corners(piece, x, place)).collect();
        for line in &lines {
            pen::path(to, line.clone(), Ink(palette.fail, scale.line(1.5)))?;
        }
        for reset in &self.resets {
            let at = (x.x(*reset), place.bottom());
            to.draw_circle(at, scale.px(4.0) as u32, &Ink(palette.ink, 1), true)?;
            to.draw_circle(at, scale.px(2.5) as u32, &Ink(palette.surface, 1), true)?;
        }
        self.axis(to, place, scale, palette, words)?;
        self.note(to, &lines, x, place, scale, palette, &words.reset)
    }

    /// Draws the crosses; the bar of a trip stands below the last one.
    pub fn paint_crosses<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        x: &XScale,
        place: Rect,
        scale: Scale,
        palette: &Palette,
    ) -> Drawn<DB> {
        let (r, ink) = (scale.px(CROSS), Ink(palette.fail, scale.line(2.0)));
        for Cross { at: (cx, cy), .. } in self.crosses(x, place, scale) {
            pen::path(to, vec![(cx - r, cy - r), (cx + r, cy + r)], ink)?;
            pen::path(to, vec![(cx - r, cy + r), (cx + r, cy - r)], ink)?;
        }
        Ok(())
    }

    /// The threshold: red dots; where it moves they move with it.
    fn limits<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        x: &XScale,
        place: Rect,
        scale: Scale,
        palette: &Palette,
    ) -> Drawn<DB> {
        let (dot, thick) = (scale.px(2.0).max(1), scale.line(1.5) as i32);
        for level in &self.thresholds {
            let (from, until) = (x.x(level.from), x.x(level.until));
            let y = self.y(level.value, place) - thick / 2;
            for k in (0..).take_while(|k| from + k * 2 * dot < until) {
                let left = from + k * 2 * dot;
                pen::fill(to, Rect::new(left, y, dot.min(until - left), thick), palette.fail)?;
            }
        }
        Ok(())
    }

    /// In the gutter at the left: threshold, what is counted, 0.
    fn axis<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        place: Rect,
        scale: Scale,
        palette: &Palette,
        words: &CounterWords,
    ) -> Drawn<DB> {
        let face = Face { size: scale.0 * 12.0, bold: false, colour: palette.ink_3, anchor: Anchor::Right };
        let x = place.x - scale.px(8.0);
        let line = scale.px(13.0);
        let (top, bottom) = (self.y(self.threshold().unwrap_or(self.top), place), place.bottom());
        let middle = place.y + place.h / 2;
        let zero = "0";
        pen::text(to, zero, (x, bottom), face)?;
        let free = bottom - top >= line;
        if free {
            pen::text(to, &words.top, (x, top), face)?;
        }
        let apart = |y: i32| (middle - y).abs() >= line;
        if apart(bottom) && (apart(top) || !free) {
            pen::text(to, &words.fails, (x, middle), face)?;
        }
        Ok(())
    }

    /// What the first circle means, where the line leaves room for it.
    #[allow(clippy::too_many_arguments)]
    fn note<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        lines: &[Vec<BackendCoord>],
        x: &XScale,
        place: Rect,
        scale: Scale,
        palette: &Palette,
        words: &str,
    ) -> Drawn<DB> {
        let Some(reset) = self.resets.first() else { return Ok(()) };
        let face = Face { size: scale.0 * 12.0, bold: false, colour: palette.ink_2, anchor: Anchor::Left };
        let width = to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32);
        let (pad, half) = (scale.px(8.0), scale.px(8.0));
        let y = place.bottom() - scale.px(10.0);
        let corners = || lines.iter().flatten().map(|corner| corner.0);
        let reset = x.x(*reset);
        // Right of the circle, or of one of the next corners.
        let mut starts: Vec<i32> = corners().filter(|corner| *corner >= reset).map(|corner| corner + pad).collect();
        order::by_key(&mut starts, |from| *from);
        starts.dedup();
        let free = |from: i32| {
            let room = Rect::new(from - scale.px(4.0), y - half, width + pad, 2 * half - scale.px(1.0));
            room.right() <= place.right() && !lines.iter().any(|line| crosses(line, room))
        };
        match starts.into_iter().take(6).find(|from| free(*from)) {
            Some(from) => pen::text(to, words, (from, y), face),
            None => Ok(()),
        }
    }
}

/// True when a right-angled line goes through a rectangle.
fn crosses(line: &[BackendCoord], room: Rect) -> bool {
    line.windows(2).any(|pair| {
        let (a, b) = (pair[0], pair[1]);
        let x = a.0.min(b.0) < room.right() && a.0.max(b.0) >= room.x;
        let y = a.1.min(b.1) < room.bottom() && a.1.max(b.1) >= room.y;
        x && y
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
    use rollscope_engine::settings::TaskName;
    use rollscope_engine::sim::service_deployment::ServiceStatus;
    use rollscope_engine::trace::{DeploymentId, Failure, InstanceId, ServiceId, TaskRef};

    const PLACE: Rect = Rect::new(46, 10, 640, 56);

    fn task() -> TaskRef {
        TaskRef { id: InstanceId(0), slot: 0, name: TaskName { revision: 8, start: 1 } }
    }

    fn failure(at: u64, count: u32, verdict: FailureVerdict) -> Record {
        let (deployment, kind) = (DeploymentId(1), FailureKind::HealthCheck);
        let what = What::Failure(Failure { task: Some(task()), deployment, kind, verdict, count, threshold: 5 });
        Record { at: SimTime(at), what }
    }

    fn service(at: u64, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(0), change } }
    }

    fn began(at: u64) -> Record {
        service(at, ServiceChange::Began { deployment: DeploymentId(1), revision: 8, sources: 1 })
    }

    fn five(until: u64) -> Vec<Level> {
        vec![Level { from: SimTime::ZERO, until: SimTime(until), value: 5 }]
    }

    #[test]
    fn only_what_counted_makes_a_counter() {
        let kind = failure(10, 0, FailureVerdict::Kind);
        assert_eq!(Counter::read(&[began(0), kind], five(100), SimTime(100)), None);
        let reset = What::CountReset { task: task(), deployment: DeploymentId(1), from: 2 };
        let records = [
            began(0),
            failure(10, 1, FailureVerdict::Counted),
            kind,
            failure(10, 2, FailureVerdict::Counted),
            Record { at: SimTime(20), what: reset },
            failure(30, 1, FailureVerdict::Counted),
            service(60, ServiceChange::Status { from: ServiceStatus::InProgress, to: ServiceStatus::Successful }),
        ];
        let counter = Counter::read(&records, five(100), SimTime(100)).expect("it counted");
        let steps = [(10, 1), (10, 2), (20, 0), (30, 1)].map(|(at, count)| (SimTime(at), count));
        assert_eq!(counter.pieces, [Piece { from: SimTime(0), until: SimTime(60), first: 0, steps: steps.to_vec() }]);
        assert_eq!((counter.resets.as_slice(), counter.top), ([SimTime(20)].as_slice(), 5));
    }

    #[test]
    fn a_count_that_was_given_is_where_the_line_begins() {
        let records = [began(0), failure(10, 4, FailureVerdict::Counted)];
        let counter = Counter::read(&records, five(100), SimTime(100)).expect("it counted");
        let x = XScale::new(756.0, Scale(1.0), SimTime(100));
        assert_eq!(counter.pieces[0].first, 3);
        assert_eq!(counter.corners(&counter.pieces[0], &x, PLACE)[0], (46, 32));
    }

    #[test]
    fn a_rollback_counts_anew() {
        let rolls = |at| {
            let change = DeploymentChange::RollingBack;
            Record { at: SimTime(at), what: What::Deployment { id: DeploymentId(0), revision: 7, change } }
        };
        let failed = |at| {
            let change = DeploymentChange::State(RolloutState::Failed);
            Record { at: SimTime(at), what: What::Deployment { id: DeploymentId(1), revision: 8, change } }
        };
        let counted = FailureVerdict::Counted;
        let records = [began(0), failure(10, 1, counted), failed(20), rolls(20), failure(40, 1, counted)];
        let counter = Counter::read(&records, five(100), SimTime(100)).expect("it counted");
        let spans: Vec<_> = counter.pieces.iter().map(|piece| (piece.from.0, piece.until.0, piece.first)).collect();
        assert_eq!(spans, [(0, 20, 0), (20, 100, 0)]);
    }

    /// Two hundred failures and more: each lies under a cross, and all are counted.
    #[test]
    fn many_failures_merge_and_none_is_lost() {
        for scale in [1.0, 2.0] {
            let scale = Scale(scale);
            let x = XScale::new(756.0, scale, SimTime(1_000));
            let each = (1..=240).map(|count| failure(u64::from(count) * 2, count, FailureVerdict::Counted));
            let records: Vec<Record> = [began(0)].into_iter().chain(each).collect();
            let counter = Counter::read(&records, five(1_000), SimTime(1_000)).expect("it counted");
            let crosses = counter.crosses(&x, PLACE, scale);
            assert_eq!(crosses.iter().map(|cross| cross.count).sum::<u32>(), 240);
            assert!(crosses.len() < 120, "{}", crosses.len());
            for (at, count) in &counter.counted {
                let (cx, cy) = (x.x(*at), counter.y(*count, PLACE));
                let near = |cross: &Cross| (cross.at.0 - cx).abs() < scale.px(MERGE) && (cross.at.1 - cy).abs() < 6;
                assert!(crosses.iter().any(near), "{count}");
            }
        }
    }
}
