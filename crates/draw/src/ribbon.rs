//! The status ribbon: the status of the service deployments over time, one after the other.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::sim::service_deployment::ServiceStatus;

use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
pub(crate) use crate::statuses::is_shift;
pub use crate::statuses::{Segment, Status, segments};
use crate::xscale::XScale;

/// Least width of a piece in CSS pixels.
const LEAST: f64 = 6.0;
/// Before and behind a word in CSS pixels.
const PAD: f64 = 8.0;
/// About the width of a letter of a status in CSS pixels.
const LETTER: f64 = 8.2;

/// A span on the ribbon: where it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// What holds in it.
    pub status: Status,
    /// Its bar; at least a few pixels wide, however short it holds.
    pub bar: Rect,
}

/// Brings the spans to their pixels. One that is too short to be seen gets some of what follows, at the
/// right end of what goes before: every status that was entered has its piece.
pub fn pieces(segments: &[Segment], x: &XScale, place: Rect, scale: Scale) -> Vec<Piece> {
    let least = scale.px(LEAST).max(1);
    let mut from = i32::MIN / 2;
    let mut begins: Vec<i32> = Vec::with_capacity(segments.len());
    for segment in segments {
        from = x.x(segment.from).max(from + least);
        begins.push(from);
    }
    let mut bound = place.right();
    for begin in begins.iter_mut().rev() {
        *begin = (*begin).min(bound - least);
        bound = *begin;
    }
    let ends = begins.iter().skip(1).copied().chain([place.right()]);
    let gap = scale.px(2.0);
    let piece = |((segment, from), next): ((&Segment, &i32), i32)| {
        let until = x.x(segment.until).max(from + least).min(next);
        let until = if segment.until == segment.from { next } else { until };
        let apart = if until - from > 2 * gap && until < place.right() { gap } else { 0 };
        Piece { status: segment.status, bar: Rect::new(*from, place.y, (until - from - apart).max(1), place.h) }
    };
    segments.iter().zip(&begins).zip(ends).map(piece).collect()
}

/// Whether words will be missing, as far as that can be known before they are measured: then there is
/// a line of notes below.
pub fn needs_notes(segments: &[Segment], x: &XScale, place: Rect, scale: Scale) -> bool {
    let short = |piece: &Piece| {
        let letters = piece.status.name().len() as f64;
        piece.status.is_noted() && f64::from(piece.bar.w) < (letters * LETTER + 2.0 * PAD) * scale.0
    };
    pieces(segments, x, place, scale).iter().any(short)
}

/// Draws the pieces; `word` gives the platform's own word for a status. A word stands where it fits,
/// beside the folds, else below its piece, where `notes` has a place for it; the end of a rollout has a
/// sign at least.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    pieces: &[Piece],
    x: &XScale,
    notes: Rect,
    scale: Scale,
    palette: &Palette,
    word: impl Fn(Status) -> String,
) -> Drawn<DB> {
    let found = words_of(to, pieces, x, scale, word);
    for (piece, inside) in pieces.iter().zip(&found.inside) {
        let bar = piece.bar;
        let ink = ground(to, piece.status, bar, scale, palette)?;
        if let Some((words, from)) = inside {
            pen::text(to, words, (*from, bar.y + bar.h / 2), face(scale, true, ink))?;
        } else if bar.w >= scale.px(14.0) {
            sign(to, piece.status, bar, scale, ink)?;
        }
    }
    if !notes.is_empty() {
        return note(to, &found.below, notes, scale, palette);
    }
    for (piece, words, x) in found.before(to, scale) {
        let colour = if piece.status.is_failure() { palette.fail } else { palette.ink_2 };
        pen::text(to, words, (x, piece.bar.y + piece.bar.h / 2), face(scale, false, colour))?;
    }
    Ok(())
}

fn face(scale: Scale, bold: bool, colour: Colour) -> Face {
    Face { size: scale.0 * 12.0, bold, colour, anchor: Anchor::Left }
}

fn length<DB: DrawingBackend>(to: &DB, words: &str, scale: Scale, bold: bool) -> i32 {
    to.estimate_text_size(words, &face(scale, bold, Colour(0, 0, 0))).map_or(0, |(width, _)| width as i32)
}

/// Where the words of the pieces stand.
struct Placed {
    /// Of each piece its words and their left end, where they fit.
    inside: Vec<Option<(String, i32)>>,
    /// Those that fit nowhere in their piece.
    below: Vec<(Piece, String)>,
    /// What words have left free of the pieces.
    free: Vec<(i32, i32)>,
}

fn words_of<DB: DrawingBackend>(
    to: &DB,
    pieces: &[Piece],
    x: &XScale,
    scale: Scale,
    word: impl Fn(Status) -> String,
) -> Placed {
    let pad = scale.px(PAD);
    let mut placed = Placed { inside: Vec::new(), below: Vec::new(), free: Vec::new() };
    for piece in pieces {
        let bar = piece.bar;
        let words = word(piece.status);
        // Where the clock of a stage does not fit, its name may.
        let short = words.split(' ').next().unwrap_or_default();
        let room = [words.as_str(), short].into_iter().find_map(|words| {
            let width = length(to, words, scale, true) + 2 * pad;
            let parts = x.outside_folds(bar.x, bar.right());
            let part = parts.into_iter().find(|(from, until)| until - from >= width);
            part.map(|(from, _)| (words.to_owned(), from, width))
        });
        let Some((inside, from, width)) = room else {
            placed.inside.push(None);
            if piece.status.is_noted() {
                placed.below.push((*piece, words));
            }
            continue;
        };
        placed.inside.push(Some((inside, from + pad)));
        placed.free.extend(x.outside_folds((from + width).min(bar.right()), bar.right()));
    }
    placed
}

impl Placed {
    /// The left ends of [`Placed::before`].
    fn before_ends<DB: DrawingBackend>(&self, to: &DB, scale: Scale) -> Vec<i32> {
        self.before(to, scale).into_iter().map(|(.., x)| x).collect()
    }

    /// The words that found no place and have no line below either: before their pieces, where the ribbon is
    /// free, from the right, each with its left end where it ends nearest to its piece.
    fn before<DB: DrawingBackend>(&self, to: &DB, scale: Scale) -> Vec<(&Piece, &str, i32)> {
        let pad = scale.px(PAD);
        let (mut limit, mut found) = (i32::MAX, Vec::new());
        for (piece, words) in self.below.iter().rev() {
            let length = length(to, words, scale, false);
            let place = |&(from, until): &(i32, i32)| {
                let x = until.min(piece.bar.x).min(limit) - pad - length;
                (x >= from).then_some(x)
            };
            let Some(x) = self.free.iter().rev().find_map(place) else { continue };
            found.push((piece, words.as_str(), x));
            limit = x;
        }
        found
    }
}

/// Where words about the whole run stand: behind the word of the first status that goes on and has room for
/// both, beside the folds and, without a line of `notes` below, beside the words of others. Left end and middle of
/// their height; `None` where there is none.
pub fn aside<DB: DrawingBackend>(
    to: &DB,
    pieces: &[Piece],
    x: &XScale,
    (scale, notes): (Scale, bool),
    aside: &str,
    word: impl Fn(Status) -> String,
) -> Option<BackendCoord> {
    let pad = scale.px(PAD);
    let needed = length(to, aside, scale, false) + pad;
    let found = if notes { Vec::new() } else { words_of(to, pieces, x, scale, &word).before_ends(to, scale) };
    let limit = found.into_iter().min().unwrap_or(i32::MAX);
    let goes_on = |piece: &&Piece| !piece.status.is_final() && !piece.status.is_failure();
    pieces.iter().filter(goes_on).find_map(|piece| {
        let before = pad + length(to, &word(piece.status), scale, true) + pad;
        let parts = x.outside_folds(piece.bar.x, piece.bar.right());
        let (from, _) = parts.into_iter().find(|(from, until)| until.min(&limit) - from >= before + needed)?;
        Some((from + before, piece.bar.y + piece.bar.h / 2))
    })
}

/// The words that found no place, below their pieces: from the right, none over another one; inside the
/// axis where all fit there, else up to the edge of the picture. Words that stand before their piece lead to it.
fn note<DB: DrawingBackend>(
    to: &mut DB,
    below: &[(Piece, String)],
    notes: Rect,
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let face = |colour: Colour| Face { size: scale.0 * 12.0, bold: false, colour, anchor: Anchor::Left };
    let length = |words: &str| to.estimate_text_size(words, &face(palette.ink_2)).map_or(0, |(width, _)| width as i32);
    let lengths: Vec<i32> = below.iter().map(|(_, words)| length(words)).collect();
    let needed: i32 = lengths.iter().map(|length| length + scale.px(PAD)).sum();
    let edge = to.get_size().0 as i32 - scale.px(1.0);
    let mut free = if needed <= notes.w { notes.right().min(edge) } else { edge };
    for ((piece, words), length) in below.iter().zip(lengths).rev() {
        let colour = if piece.status.is_failure() { palette.fail } else { palette.ink_2 };
        let from = piece.bar.x.min(free - length);
        if from < notes.x {
            continue;
        }
        let (middle, tick) = (piece.bar.x + piece.bar.w / 2, scale.line(1.5) as i32);
        let (left, top) = (middle - tick / 2, piece.bar.bottom());
        let until = from + length;
        if middle > until {
            // Thin and close below the bars: the next words stand under it.
            let thin = scale.line(1.0) as i32;
            pen::fill(to, Rect::new(left, top, tick, thin), colour)?;
            pen::fill(to, Rect::new(until - tick, top + thin, left + tick - until + tick, thin), colour)?;
            pen::fill(to, Rect::new(until - tick, top + thin, tick, scale.px(3.0)), colour)?;
        } else {
            pen::fill(to, Rect::new(left, top, tick, scale.px(3.0)), colour)?;
        }
        pen::text(to, words, (from, notes.y + notes.h / 2), face(colour))?;
        free = from - scale.px(PAD);
    }
    Ok(())
}

/// Fills a span and gives the colour of its words: what goes on is a well, what ended is outlined,
/// a failure is red, and only outlined once it is rolled back; the bake time is outlined by dashes.
fn ground<DB: DrawingBackend>(
    to: &mut DB,
    status: Status,
    bar: Rect,
    scale: Scale,
    palette: &Palette,
) -> Result<Colour, plotters_backend::DrawingErrorKind<DB::ErrorType>> {
    let edge = scale.line(1.0) as i32;
    let plain = |to: &mut DB, colour: Colour| pen::polygon(to, pen::rounded(bar, scale.px(4.0)), colour);
    if status.is_failure() {
        plain(to, palette.fail)?;
        if status.is_restored() {
            pen::polygon(to, pen::rounded(bar.inset(edge), scale.px(3.0)), palette.surface)?;
            return Ok(palette.fail);
        }
        return Ok(palette.surface);
    }
    if let Status::Bake { .. } = status {
        let ink = Ink(palette.ink_2, edge as u32);
        pen::dashed_rounded(to, bar, scale.px(4.0), ink, (scale.px(4.0), scale.px(3.0)))?;
    } else if status.is_final() {
        plain(to, palette.line_2)?;
        pen::polygon(to, pen::rounded(bar.inset(edge), scale.px(3.0)), palette.surface)?;
    } else {
        plain(to, palette.inset)?;
    }
    Ok(palette.ink)
}

/// The end of a rollout where its word does not fit: a tick or a cross.
fn sign<DB: DrawingBackend>(to: &mut DB, status: Status, bar: Rect, scale: Scale, colour: Colour) -> Drawn<DB> {
    let (cx, cy) = (bar.x + bar.w / 2, bar.y + bar.h / 2);
    let at = |dx: f64, dy: f64| (cx + scale.px(dx), cy + scale.px(dy));
    let ink = Ink(colour, scale.line(1.8));
    let stopped = matches!(status, Status::Service { status: ServiceStatus::Stopped, .. });
    match status {
        status if !status.is_final() && !status.is_failure() => Ok(()),
        status if stopped || status.is_failure() && !status.is_restored() => {
            pen::path(to, vec![at(-3.5, -3.5), at(3.5, 3.5)], ink)?;
            pen::path(to, vec![at(-3.5, 3.5), at(3.5, -3.5)], ink)
        }
        _ => pen::path(to, vec![at(-4.5, 0.0), at(-1.5, 3.0), at(4.5, -3.5)], ink),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::kubernetes::Change;
    use rollscope_engine::platform::kubernetes::{Because, ConditionKind, Truth};
    use rollscope_engine::platform::vmss;
    use rollscope_engine::settings::RolloutState;
    use rollscope_engine::sim::service_deployment::Stage;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::{DeploymentChange, DeploymentId, Record, ServiceChange, ServiceId, Weights, What};
    use rollscope_engine::vm;

    fn service(at: u64, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(0), change } }
    }

    fn began(at: u64, revision: u32) -> Record {
        service(at, ServiceChange::Began { deployment: DeploymentId(1), revision, sources: 1 })
    }

    fn status(at: u64, to: ServiceStatus) -> Record {
        service(at, ServiceChange::Status { from: ServiceStatus::Pending, to })
    }

    fn failed(at: u64) -> Record {
        let change = DeploymentChange::State(RolloutState::Failed);
        Record { at: SimTime(at), what: What::Deployment { id: DeploymentId(1), revision: 8, change } }
    }

    fn spans(records: &[Record]) -> Vec<(u64, u64, Status)> {
        let before = Some(RolloutState::Completed);
        segments(records, before, SimTime(100)).iter().map(|s| (s.from.0, s.until.0, s.status)).collect()
    }

    const fn of(status: ServiceStatus, failed: bool) -> Status {
        Status::Service { status, failed }
    }

    #[test]
    fn service_deployments_stand_one_after_the_other() {
        use ServiceStatus::*;
        let records = [
            began(10, 8),
            status(10, InProgress),
            failed(40),
            status(40, RollbackInProgress),
            status(60, RollbackSuccessful),
            began(80, 9),
            status(80, InProgress),
        ];
        let expected = [
            (0, 10, Status::Rollout(RolloutState::Completed)),
            (10, 40, of(InProgress, false)),
            (40, 60, of(RollbackInProgress, true)),
            (60, 80, of(RollbackSuccessful, true)),
            (80, 100, of(InProgress, false)),
        ];
        assert_eq!(spans(&records), expected);
        assert_eq!(spans(&[]), [(0, 100, Status::Rollout(RolloutState::Completed))]);
        assert_eq!(segments(&[], None, SimTime(100)), []);
    }

    #[test]
    fn a_deployment_shows_its_condition() {
        let condition = |at, status, reason| Record {
            at: SimTime(at),
            what: What::Kubernetes(Change::Condition { kind: ConditionKind::Progressing, now: Some((status, reason)) }),
        };
        let records = [
            condition(10, Truth::True, Because::NewReplicaSetCreated),
            condition(10, Truth::True, Because::ReplicaSetUpdated),
            condition(70, Truth::False, Because::ProgressDeadlineExceeded),
        ];
        let of = |status, reason| Status::Progressing { status, reason };
        let failed = of(Truth::False, Because::ProgressDeadlineExceeded);
        let expected = [
            (0, 10, of(Truth::True, Because::NewReplicaSetAvailable)),
            (10, 70, of(Truth::True, Because::ReplicaSetUpdated)),
            (70, 100, failed),
        ];
        assert_eq!(spans(&records), expected);
        assert!(failed.is_failure() && failed.is_noted() && !failed.is_final());
        assert!(expected[0].2.is_final() && !expected[1].2.is_failure());
    }

    #[test]
    fn groups_of_machines_show_what_their_api_says() {
        let vm = |at, change| Record { at: SimTime(at), what: What::Vm(change) };
        let upgrade = |at, to| vm(at, vm::Change::Status { from: None, to, because: None });
        let started = |at| vm(at, vm::Change::Started { target: 2, from: 1 });
        let azure = [started(10), upgrade(10, vmss::Status::RollingForward), upgrade(70, vmss::Status::Faulted)];
        let expected = [
            (10, 70, Status::Upgrade(vmss::Status::RollingForward)),
            (70, 100, Status::Upgrade(vmss::Status::Faulted)),
        ];
        assert_eq!(spans(&azure), expected);
        assert!(expected[1].2.is_failure() && expected[1].2.is_final() && expected[1].2.is_noted());
        assert!(!expected[0].2.is_failure() && !expected[0].2.is_final());
        let google = [started(10), vm(80, vm::Change::TargetReached(true))];
        let expected = [(10, 80, Status::VersionTarget(false)), (80, 100, Status::VersionTarget(true))];
        assert_eq!(spans(&google), expected);
        assert!(expected[1].2.is_final() && !expected[0].2.is_failure());
    }

    #[test]
    fn the_bake_time_is_a_span_of_its_own() {
        use ServiceStatus::*;
        let records = [
            began(0, 8),
            status(0, InProgress),
            service(20, ServiceChange::BakeBegins { until: SimTime(50) }),
            service(20, ServiceChange::Stage(Stage::BakeTime)),
            service(50, ServiceChange::Stage(Stage::CleanUp)),
            status(70, Successful),
        ];
        let expected = [
            (0, 20, of(InProgress, false)),
            (20, 50, Status::Bake { ms: 30 }),
            (50, 70, of(InProgress, false)),
            (70, 100, of(Successful, false)),
        ];
        assert_eq!(spans(&records), expected);
    }

    #[test]
    fn a_status_that_holds_no_time_has_its_piece() {
        use ServiceStatus::*;
        // No candidate: the rollback is over when it begins.
        let records = [
            began(0, 8),
            status(0, InProgress),
            failed(40),
            status(40, RollbackInProgress),
            status(40, RollbackFailed),
        ];
        let found = segments(&records, Some(RolloutState::Completed), SimTime(100));
        let expected = [(0, 40, InProgress), (40, 40, RollbackInProgress), (40, 100, RollbackFailed)];
        let told: Vec<(u64, u64, Status)> = found.iter().map(|s| (s.from.0, s.until.0, s.status)).collect();
        assert_eq!(told, expected.map(|(from, until, status)| (from, until, of(status, status != InProgress))));
        let (scale, place) = (Scale(1.0), Rect::new(46, 0, 640, 20));
        let x = XScale::new(756.0, scale, SimTime(100));
        let bars: Vec<Rect> = pieces(&found, &x, place, scale).iter().map(|piece| piece.bar).collect();
        assert_eq!(
            bars.iter().map(|bar| (bar.x, bar.right())).collect::<Vec<_>>(),
            [(46, 300), (302, 306), (308, 686)]
        );
        assert!(needs_notes(&found, &x, place, scale) && !needs_notes(&found[..1], &x, place, scale));
    }

    #[test]
    fn without_a_line_below_words_stand_before_their_pieces() {
        use ServiceStatus::*;
        use plotters::backend::SVGBackend;
        let records = [
            began(0, 8),
            status(0, InProgress),
            failed(90),
            status(90, RollbackInProgress),
            status(95, RollbackSuccessful),
        ];
        let found = segments(&records, Some(RolloutState::Completed), SimTime(100));
        let (scale, place) = (Scale(1.0), Rect::new(46, 0, 640, 18));
        let x = XScale::new(756.0, scale, SimTime(100));
        let pieces = pieces(&found, &x, place, scale);
        let picture = |notes: Rect| {
            let mut text = String::new();
            {
                let mut svg = SVGBackend::with_string(&mut text, (756, 40));
                let word = |status: Status| status.name().to_owned();
                paint(&mut svg, &pieces, &x, notes, scale, &Palette::light(), word).expect("painted");
                svg.present().expect("present");
            }
            text
        };
        use plotters_backend::DrawingBackend;
        let place_of = |picture: &str, word: &str| {
            let before = &picture[..picture.find(word)?];
            let texts = before.rfind("<text")?;
            let number =
                |key: &str| -> Option<f64> { before[texts..].split_once(key)?.1.split('"').next()?.parse().ok() };
            number(" x=\"").zip(number(" y=\""))
        };
        let inside = picture(Rect::new(46, 18, 640, 0));
        let words = ["IN_PROGRESS", "ROLLBACK_IN_PROGRESS\n", "ROLLBACK_SUCCESSFUL"];
        let at = words.map(|word| place_of(&inside, word).unwrap_or_else(|| panic!("{word}: {inside}")));
        assert!(at[0].0 < at[1].0 && at[1].0 < at[2].0 && at[2].0 < f64::from(pieces[1].bar.x), "{at:?}");
        assert!(at.iter().all(|(_, y)| *y < 18.0), "{at:?}");
        let below = picture(Rect::new(46, 18, 640, 15));
        let (_, y) = place_of(&below, "ROLLBACK_SUCCESSFUL").expect("it stands below");
        assert!(y > 18.0);
        // Its words end with the axis, not in the gutter of labels.
        let face = Face { size: 12.0, bold: false, colour: Palette::light().fail, anchor: Anchor::Left };
        let mut unused = String::new();
        let svg = SVGBackend::with_string(&mut unused, (756, 40));
        let length = |word: &str| svg.estimate_text_size(word, &face).map_or(0.0, |(width, _)| f64::from(width));
        let (x, _) = place_of(&below, "ROLLBACK_SUCCESSFUL").expect("it stands below");
        assert!(x + length("ROLLBACK_SUCCESSFUL") <= 686.0 + 1.0, "{x}");
    }

    #[test]
    fn pieces_stay_on_the_axis_and_apart() {
        use ServiceStatus::*;
        // Twelve service deployments in the last second of a long run.
        let each =
            (0..12).flat_map(|k| [began(99_000 + k, 8), status(99_000 + k, InProgress), status(99_000 + k, Stopped)]);
        let records: Vec<Record> = each.collect();
        let found = segments(&records, None, SimTime(100_000));
        for (width, scale) in [(358.0, 3.0), (756.0, 1.0)].map(|(width, scale)| (width, Scale(scale))) {
            let x = XScale::new(width, scale, SimTime(100_000));
            let place = Rect::new(x.left, 0, x.width(), 20);
            let pieces = pieces(&found, &x, place, scale);
            assert!(pieces.len() >= 12);
            assert!(pieces.iter().all(|piece| piece.bar.x >= place.x && piece.bar.right() <= place.right()));
            assert!(pieces.windows(2).all(|two| two[0].bar.right() <= two[1].bar.x && two[0].bar.w >= 2));
        }
    }

    #[test]
    fn stages_of_a_shift_are_spans_on_the_way_forward() {
        use ServiceStatus::*;
        let weights = |at, production| {
            let weights = Weights {
                to: DeploymentId(1),
                green: 8,
                from: Some(DeploymentId(0)),
                blue: Some(7),
                production,
                test: 0,
            };
            service(at, ServiceChange::Weights(weights))
        };
        let records = [
            began(0, 8),
            status(0, InProgress),
            weights(0, 0),
            service(0, ServiceChange::Stage(Stage::ScaleUp)),
            weights(20, 200),
            service(20, ServiceChange::Stage(Stage::ProductionTrafficShift)),
            failed(50),
            status(50, RollbackInProgress),
            weights(50, 0),
            service(50, ServiceChange::Stage(Stage::ProductionTrafficShift)),
            status(70, RollbackSuccessful),
        ];
        let expected = [
            (0, 20, Status::Stage { stage: Stage::ScaleUp, green: 0 }),
            (20, 50, Status::Stage { stage: Stage::ProductionTrafficShift, green: 200 }),
            (50, 70, of(RollbackInProgress, true)),
            (70, 100, of(RollbackSuccessful, true)),
        ];
        assert_eq!(spans(&records), expected);
    }

    #[test]
    fn only_failures_are_red() {
        use ServiceStatus::*;
        for (status, failed, red) in [
            (InProgress, false, false),
            (Successful, false, false),
            // A person stopped it.
            (Stopped, false, false),
            (RollbackInProgress, false, false),
            (Stopped, true, true),
            (RollbackInProgress, true, true),
            (RollbackFailed, false, true),
        ] {
            assert_eq!(of(status, failed).is_failure(), red, "{status:?} {failed}");
        }
    }
}
