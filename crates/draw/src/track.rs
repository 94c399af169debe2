//! The scrubber under the chart, on the same x scale.

use plotters_backend::DrawingBackend;
use rollscope_engine::order;
use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
use rollscope_engine::protection::{Lapses, Unprotected};
use rollscope_engine::settings::AlarmState;
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{FailureVerdict, InstanceId, Record, StopCode, TaskChange, What};

use crate::border::{self, Hatching};
use crate::geometry::{Rect, Scale};
use crate::guards;
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::tear;
use crate::ticks;

pub use crate::xscale::{GUTTER_LEFT, GUTTER_RIGHT, XScale};

/// Marks closer than this merge.
const MERGE: f64 = 11.0;
/// Height of the scrubber in CSS pixels: track, marks and the labels below.
pub const TRACK_HEIGHT: f64 = 44.0;
/// The same where a finger moves it.
pub const TRACK_HEIGHT_TOUCH: f64 = 56.0;
/// Between a pill and its neighbours.
const PILL_GAP: f64 = 4.0;

/// What a mark on the scrubber stands for; a failure is never merged away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkKind {
    /// A decision of the scheduler: a diamond.
    Decision,
    /// Something a person or the world did: a bar.
    Act,
    /// A failure that the circuit breaker watched and did not count: a small red cross.
    Uncounted,
    /// A failure that counted, or that nothing watches: a red cross.
    Failure,
}

/// A mark on the scrubber.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    /// Its moment.
    pub at: SimTime,
    /// What it stands for.
    pub kind: MarkKind,
}

/// The marks of a run, ascending. What the circuit breaker said about a task stands for its failure.
/// Trips are no marks: they are bars through everything.
pub fn marks(records: &[Record]) -> Vec<Mark> {
    let mut told: Vec<InstanceId> = records.iter().filter_map(|record| judged(&record.what)?.0).collect();
    order::by_key(&mut told, |id| *id);
    let lapses = Lapses::of(records);
    let kind = |at: SimTime, what: &What| match what {
        what if guards::is_trip(what) => None,
        What::Decision(_) => Some(MarkKind::Decision),
        What::Kubernetes(change) if change.is_decision() => Some(MarkKind::Decision),
        What::Asg(change) if change.is_failure() => Some(MarkKind::Failure),
        What::Asg(change) if change.is_decision() => Some(MarkKind::Decision),
        What::Vm(change) if change.is_failure() => Some(MarkKind::Failure),
        What::Vm(change) if change.is_decision() => Some(MarkKind::Decision),
        What::Act { .. } => Some(MarkKind::Act),
        What::Guard(_) | What::Alarm { state: AlarmState::Alarm, .. } => Some(MarkKind::Failure),
        What::Failure(_) => {
            judged(what).map(|(_, kind)| if is_watched(&lapses, at) { kind } else { MarkKind::Failure })
        }
        What::Task { task, change } => {
            let failed = matches!(
                change,
                TaskChange::Unhealthy(_)
                    | TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited)
            );
            (failed && told.binary_search(&task.id).is_err()).then_some(MarkKind::Failure)
        }
        _ => None,
    };
    records.iter().filter_map(|record| Some(Mark { at: record.at, kind: kind(record.at, &record.what)? })).collect()
}

/// Something still watches failures at a moment: a rollout or a rollback that is under way.
fn is_watched(lapses: &Lapses, at: SimTime) -> bool {
    lapses.at(at).is_none_or(|lapse| {
        let without = [
            ProtectionEnd::RolledBack,
            ProtectionEnd::NoCandidate,
            ProtectionEnd::RollbackOff,
            ProtectionEnd::AlarmsIgnored,
        ];
        without.contains(&lapse.why)
    })
}

/// A failure on which the breaker passed a verdict: its task, and the mark it gets.
fn judged(what: &What) -> Option<(Option<InstanceId>, MarkKind)> {
    let What::Failure(failure) = what else { return None };
    let kind = match failure.kind {
        _ if failure.verdict == FailureVerdict::Counted => MarkKind::Failure,
        FailureKind::NeverRan
        | FailureKind::NoPlace
        | FailureKind::HealthCheck
        | FailureKind::ExitBeforeHealthy
        | FailureKind::ExitUnchecked
        | FailureKind::ExitAfterHealthy => MarkKind::Uncounted,
        FailureKind::WaitsForCapacity | FailureKind::InGrace | FailureKind::Routine | FailureKind::BecameHealthy => {
            return None;
        }
    };
    Some((failure.task.map(|task| task.id), kind))
}

/// A mark that is drawn, and those that are merged into it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Merged {
    /// The mark: of several the gravest, of equals the first.
    pub mark: Mark,
    /// Moment of the first one.
    pub first: SimTime,
    /// Moment of the last one.
    pub last: SimTime,
    /// How many there are.
    pub count: u32,
}

/// The scrubber.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// Its x layout.
    pub x: XScale,
    /// Device pixels per CSS pixel.
    pub scale: Scale,
    /// The run ends here; the axis may go on.
    pub end: SimTime,
    /// Spans without rollback protection, hatched; none unless set.
    pub borders: Vec<Unprotected>,
    /// Moments at which a deployment failed: red bars; none unless set.
    pub trips: Vec<SimTime>,
    /// Moments at which the gate of early success was reached: flags; none unless set.
    pub gates: Vec<SimTime>,
    /// Ends of several runs on one axis, in outlined pills; none unless set.
    pub ends: Vec<SimTime>,
    /// A finger moves it: everything is larger. Default false.
    pub touch: bool,
    marks: Vec<Merged>,
}

impl Track {
    /// Merges marks (ascending) that would touch: the first one stays, a failure always does.
    pub fn new(x: XScale, scale: Scale, end: SimTime, marks: impl IntoIterator<Item = Mark>) -> Track {
        let least = scale.px(MERGE);
        let mut kept: Vec<Merged> = Vec::new();
        for mark in marks {
            match kept.last_mut() {
                Some(last) if x.x(mark.at) - x.x(last.mark.at) < least => {
                    last.last = mark.at;
                    last.count += 1;
                    if mark.kind > last.mark.kind {
                        last.mark = mark;
                    }
                }
                _ => kept.push(Merged { mark, first: mark.at, last: mark.at, count: 1 }),
            }
        }
        let (borders, trips, gates, ends) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Track { x, scale, end, borders, trips, gates, ends, touch: false, marks: kept }
    }

    /// The marks that are drawn, ascending.
    pub fn marks(&self) -> impl Iterator<Item = Mark> + '_ {
        self.marks.iter().map(|merged| merged.mark)
    }

    /// The mark nearest to a pixel, if one is there.
    pub fn mark_at(&self, x: i32) -> Option<Merged> {
        let far = |merged: &Merged| (self.x.x(merged.mark.at) - x).abs();
        let nearest = self.marks.iter().min_by_key(|merged| far(merged))?;
        (far(nearest) <= self.px(if self.touch { 16.0 } else { 8.0 })).then_some(*nearest)
    }

    /// Its height in device pixels.
    pub fn height(&self) -> i32 {
        self.px(if self.touch { TRACK_HEIGHT_TOUCH } else { TRACK_HEIGHT })
    }

    fn px(&self, css: f64) -> i32 {
        self.scale.px(css)
    }

    /// Height of the track's middle, and of its labels' middle.
    fn levels(&self) -> (i32, i32) {
        let (track, labels) = if self.touch { (16.0, 43.0) } else { (12.0, 33.0) };
        (self.px(track), self.px(labels))
    }

    /// Times in outlined pills, ascending: where a monitor triggers, where protection ends, and the
    /// end of the run.
    fn fixed(&self) -> Vec<SimTime> {
        let borders = self.borders.iter().filter(|span| span.border).map(|span| span.from);
        // Where the axis ends with the run there is nothing behind it: a label of the axis will do.
        let moments = self.trips.iter().chain(&self.ends).copied();
        let all = borders.chain(moments).chain([self.end]);
        let mut all: Vec<SimTime> = all.filter(|at| *at != SimTime::ZERO && *at < self.x.end).collect();
        order::by_key(&mut all, |at| *at);
        all.dedup();
        all
    }
}

/// Draws the scrubber with the playhead at `at`.
pub fn paint<DB: DrawingBackend>(to: &mut DB, track: &Track, at: SimTime, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.px(css);
    let (width, height) = to.get_size();
    pen::fill(to, Rect::new(0, 0, width as i32, height as i32), palette.surface)?;
    let (x, (y, labels_y)) = (track.x, track.levels());
    let head = x.x(at);
    let bar = |from: i32, until: i32| Rect::new(from, y - px(2.0), until - from, px(4.0));
    let last = track.borders.last().map_or(track.end, |span| span.from.max(track.end));
    let heights = (y - px(10.0), y + px(10.0));
    hatching(to, track, heights, palette)?;
    pen::fill(to, bar(x.left, x.x(last)), palette.line)?;
    pen::fill(to, bar(x.left, head), palette.control)?;
    for fold in x.folds() {
        tear::paint(to, (fold, track.x.is_open()), heights, track.scale, palette)?;
    }
    lines(to, track, (heights.0 - px(2.0), heights.1), palette)?;
    // The line stands for the decision that ends protection.
    let border = |mark: &Mark| {
        mark.kind == MarkKind::Decision && track.borders.iter().any(|span| span.border && span.from == mark.at)
    };
    for mark in track.marks().filter(|mark| !border(mark)) {
        draw_mark(to, track, mark, mark.at <= at, palette)?;
    }
    for gate in &track.gates {
        flag(to, (x.x(*gate), heights.0 - px(2.0), heights.1), track.scale, palette)?;
    }
    labels(to, track, labels_y, at, palette)?;
    let radius = if track.touch { 11.0 } else { 8.0 };
    for (radius, colour) in [(radius + 2.0, palette.surface), (radius, palette.ink), (radius / 3.2, palette.surface)] {
        to.draw_circle((head, y), px(radius) as u32, &Ink(colour, 1), true)?;
    }
    Ok(())
}

/// A bar with half circles at both ends.
fn capsule<DB: DrawingBackend>(to: &mut DB, place: Rect, colour: Colour) -> Drawn<DB> {
    let radius = place.h / 2;
    let middle = place.y + radius;
    pen::fill(to, place.narrower(radius), colour)?;
    for x in [place.x + radius, place.right() - radius] {
        to.draw_circle((x, middle), radius as u32, &Ink(colour, 1), true)?;
    }
    Ok(())
}

/// The spans without protection.
fn hatching<DB: DrawingBackend>(to: &mut DB, track: &Track, (top, bottom): (i32, i32), palette: &Palette) -> Drawn<DB> {
    track.borders.iter().try_for_each(|span| {
        let (from, until) = (track.x.x(span.from), track.x.x(span.until));
        let place = Rect::new(from, top, until - from, bottom - top);
        border::behind(to, place, Hatching::of(span), track.scale, palette)
    })
}

/// The red bars of failures, and the lines that end protection.
fn lines<DB: DrawingBackend>(to: &mut DB, track: &Track, heights: (i32, i32), palette: &Palette) -> Drawn<DB> {
    let (x, scale) = (track.x, track.scale);
    track.trips.iter().try_for_each(|at| border::trip(to, x.x(*at), heights, scale, palette))?;
    track.borders.iter().filter(|span| span.border).try_for_each(|span| {
        let beside_trip = track.trips.iter().any(|at| x.x(*at) == x.x(span.from));
        border::line(to, x.x(span.from), beside_trip, heights, scale, palette)
    })
}

fn draw_mark<DB: DrawingBackend>(to: &mut DB, track: &Track, mark: Mark, past: bool, palette: &Palette) -> Drawn<DB> {
    let px = |css: f64| track.px(css);
    let (cx, cy) = (track.x.x(mark.at), track.levels().0);
    match mark.kind {
        MarkKind::Decision => {
            let diamond = |r: i32| vec![(cx, cy - r), (cx + r, cy), (cx, cy + r), (cx - r, cy)];
            pen::polygon(to, diamond(px(8.0)), palette.surface)?;
            pen::polygon(to, diamond(px(6.0)), palette.ink)?;
            if past { Ok(()) } else { pen::polygon(to, diamond(px(4.0)), palette.surface) }
        }
        MarkKind::Act => {
            pen::fill(to, Rect::new(cx - px(4.0), cy - px(8.0), px(8.0), px(16.0)), palette.surface)?;
            pen::fill(to, Rect::new(cx - px(2.0), cy - px(7.0), px(4.0), px(14.0)), palette.ink)
        }
        MarkKind::Failure | MarkKind::Uncounted => {
            let (r, width) = if mark.kind == MarkKind::Failure { (px(5.0), 2.0) } else { (px(3.5), 1.2) };
            pen::fill(to, Rect::new(cx - r, cy - r, 2 * r, 2 * r), palette.surface)?;
            let ink = Ink(palette.fail, track.scale.line(width));
            pen::path(to, vec![(cx - r, cy - r), (cx + r, cy + r)], ink)?;
            pen::path(to, vec![(cx - r, cy + r), (cx + r, cy - r)], ink)
        }
    }
}

/// A gate that was reached: a flag on a dotted pole, left of its moment.
fn flag<DB: DrawingBackend>(
    to: &mut DB,
    (x, top, bottom): (i32, i32, i32),
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let ink = Ink(palette.ink, scale.line(1.5));
    border::dotted(to, x, (top, bottom), scale, palette)?;
    let at = |dx: f64, dy: f64| (x - scale.px(dx), top + scale.px(dy));
    let cloth = vec![at(0.0, 0.0), at(11.0, 0.0), at(8.0, 4.0), at(11.0, 8.0), at(0.0, 8.0)];
    pen::polygon(to, cloth.clone(), palette.surface)?;
    pen::path(to, cloth.into_iter().chain([at(0.0, 0.0)]).collect(), ink)
}

/// The line of labels: the present moment in a filled pill, fixed times in outlined ones, and the
/// labels of the axis, each where none of the earlier ones stands.
fn labels<DB: DrawingBackend>(to: &mut DB, track: &Track, y: i32, at: SimTime, palette: &Palette) -> Drawn<DB> {
    let plain = Face { size: track.scale.0 * 12.0, bold: false, colour: palette.ink_3, anchor: Anchor::Centre };
    let bold = Face { bold: true, colour: palette.ink, ..plain };
    let mut taken: Vec<(i32, i32)> = Vec::new();
    let mut free = |x: i32, half: i32| {
        let gap = track.px(PILL_GAP);
        let place = (x - half - gap, x + half + gap);
        let free = taken.iter().all(|other| place.1 <= other.0 || other.1 <= place.0);
        if free {
            taken.push((x - half, x + half));
        }
        free
    };
    let now = ticks::clock(at.0, false);
    let head = pill(to, track, y, at, &now, bold);
    free(head.x + head.w / 2, head.w / 2);
    let mut outlined = Vec::new();
    for time in track.fixed() {
        let words = ticks::clock(time.0, false);
        let mut place = pill(to, track, y, time, &words, bold);
        // One beside a fold gives way to the one before it.
        let before = outlined.last().map_or(i32::MIN, |(before, _): &(Rect, String)| before.right());
        let gap = before.saturating_add(track.px(PILL_GAP)).saturating_sub(place.x);
        if (1..place.w).contains(&gap) && place.right() + gap <= to.get_size().0 as i32 {
            place.x += gap;
        }
        if free(place.x + place.w / 2, place.w / 2) {
            outlined.push((place, words));
        }
    }
    for tick in track.x.ticks(track.px(crate::xscale::LABEL_GAP)) {
        let words = ticks::clock(tick.0, true);
        let x = track.x.x(tick);
        if free(x, half_width(to, &words, plain)) {
            pen::text(to, &words, (x, y), plain)?;
        }
    }
    for (place, words) in outlined {
        capsule(to, place, palette.ink)?;
        capsule(to, place.inset(track.scale.line(1.5) as i32), palette.surface)?;
        pen::text(to, &words, (place.x + place.w / 2, y), bold)?;
    }
    capsule(to, head, palette.ink)?;
    pen::text(to, &now, (head.x + head.w / 2, y), Face { colour: palette.surface, ..bold })
}

/// The place of a pill, inside of the picture.
fn pill<DB: DrawingBackend>(to: &DB, track: &Track, y: i32, at: SimTime, words: &str, face: Face) -> Rect {
    let half = half_width(to, words, face) + track.px(9.0);
    let (width, _) = to.get_size();
    let x = track.x.x(at).clamp(half, (width as i32 - half).max(half));
    Rect::new(x - half, y - track.px(10.0), 2 * half, track.px(20.0))
}

fn half_width<DB: DrawingBackend>(to: &DB, words: &str, face: Face) -> i32 {
    to.estimate_text_size(words, &face).map_or(0, |(width, _)| (width as i32 + 1) / 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use plotters::backend::SVGBackend;

    #[test]
    fn near_marks_merge_and_failures_stay() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(640_000));
        let mark = |at, kind| Mark { at: SimTime(at), kind };
        let track = Track::new(
            x,
            Scale(1.0),
            SimTime(640_000),
            [
                mark(0, MarkKind::Decision),
                mark(5_000, MarkKind::Failure),
                mark(7_000, MarkKind::Decision),
                mark(30_000, MarkKind::Decision),
            ],
        );
        let kept: Vec<Mark> = track.marks().collect();
        assert_eq!(kept, [mark(5_000, MarkKind::Failure), mark(30_000, MarkKind::Decision)]);
        let merged = track.mark_at(x.x(SimTime(6_000))).expect("a mark is near");
        assert_eq!((merged.mark.kind, merged.count), (MarkKind::Failure, 3));
        assert_eq!((merged.first, merged.last), (SimTime::ZERO, SimTime(7_000)));
        assert_eq!(track.mark_at(x.x(SimTime(200_000))), None);
    }

    #[test]
    fn the_scrubber_shows_the_moment_and_the_end() {
        let x = XScale::new(756.0, Scale(1.0), SimTime(250_000));
        let track = Track::new(x, Scale(1.0), SimTime(233_000), []);
        let mut text = String::new();
        {
            let mut svg = SVGBackend::with_string(&mut text, (756, 44));
            paint(&mut svg, &track, SimTime(110_400), &Palette::light()).expect("paint");
            svg.present().expect("present");
        }
        assert!(text.contains("1:50") && text.contains("3:53") && text.contains("0:30"));
    }

    #[test]
    fn the_verdict_of_the_breaker_stands_for_a_failure() {
        use rollscope_engine::settings::TaskName;
        use rollscope_engine::trace::{DeploymentId, Failure, TaskRef};
        let task = |id: u32| TaskRef { id: InstanceId(id), slot: id, name: TaskName { revision: 8, start: id } };
        let change = |id, change| What::Task { task: task(id), change };
        let exited = TaskChange::Stopped(StopCode::EssentialContainerExited);
        let failure = |id, kind, verdict| {
            let deployment = DeploymentId(1);
            What::Failure(Failure { task: Some(task(id)), deployment, kind, verdict, count: 1, threshold: 3 })
        };
        let all = [
            change(0, TaskChange::Unhealthy(rollscope_engine::trace::FailedCheck::Target)),
            failure(0, FailureKind::HealthCheck, FailureVerdict::Counted),
            failure(1, FailureKind::ExitAfterHealthy, FailureVerdict::Kind),
            change(1, exited),
            failure(2, FailureKind::Routine, FailureVerdict::Kind),
            // Nothing watches it.
            change(3, exited),
        ];
        let records: Vec<Record> =
            all.into_iter().enumerate().map(|(at, what)| Record { at: SimTime(at as u64), what }).collect();
        let kinds: Vec<(u64, MarkKind)> = marks(&records).iter().map(|mark| (mark.at.0, mark.kind)).collect();
        assert_eq!(kinds, [(1, MarkKind::Failure), (2, MarkKind::Uncounted), (5, MarkKind::Failure)]);
    }
}
