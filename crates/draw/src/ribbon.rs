//! The status ribbon: the status of the service deployments over time, one after the other.

use plotters_backend::{BackendCoord, DrawingBackend};
use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::asg;
use rollscope_engine::platform::kubernetes::{Because, ConditionKind, Truth};
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, Record, ServiceChange, What};

use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::xscale::XScale;

/// Least width of a piece in CSS pixels.
const LEAST: f64 = 6.0;
/// Before and behind a word in CSS pixels.
const PAD: f64 = 8.0;
/// About the width of a letter of a status in CSS pixels.
const LETTER: f64 = 8.2;

/// What the ribbon says of a span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// `rolloutState` of the newest deployment: no service deployment has begun yet.
    Rollout(RolloutState),
    /// `status` of the service deployment; `failed` when its deployment has failed.
    Service {
        /// The API's value.
        status: ServiceStatus,
        /// The deployment is FAILED: a monitor has triggered.
        failed: bool,
    },
    /// `lifecycleStage` BAKE_TIME, so many milliseconds long.
    Bake {
        /// Its whole length.
        ms: u64,
    },
    /// The condition `Progressing` of a Kubernetes Deployment.
    Progressing {
        /// Its `status`.
        status: Truth,
        /// Its `reason`.
        reason: Because,
    },
    /// `Status` of an instance refresh.
    Refresh(asg::Status),
    /// Another stage of a deployment that shifts traffic, on its way forward.
    Stage {
        /// Which.
        stage: Stage,
        /// Weight of the new revision in the production traffic, in thousandths.
        green: u16,
    },
}

impl Status {
    /// It tells of a failure.
    pub const fn is_failure(self) -> bool {
        match self {
            Status::Rollout(state) => matches!(state, RolloutState::Failed),
            Status::Service { status, failed } => failed || matches!(status, ServiceStatus::RollbackFailed),
            Status::Progressing { status, .. } => matches!(status, Truth::False),
            Status::Refresh(status) => status.is_failure(),
            Status::Bake { .. } | Status::Stage { .. } => false,
        }
    }

    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Status::Rollout(RolloutState::InProgress) => "IN_PROGRESS",
            Status::Rollout(RolloutState::Completed) => "COMPLETED",
            Status::Rollout(RolloutState::Failed) => "FAILED",
            Status::Service { status, .. } => status.name(),
            Status::Bake { .. } => Stage::BakeTime.name(),
            Status::Stage { stage, .. } => stage.name(),
            Status::Progressing { reason, .. } => reason.name(),
            Status::Refresh(status) => status.name(),
        }
    }

    /// Its word stands below the ribbon where it finds no place on it. What is in progress is the ground
    /// of everything else, and a success has its tick and the border.
    const fn is_noted(self) -> bool {
        match self {
            Status::Rollout(state) => matches!(state, RolloutState::Failed),
            Status::Service { status, .. } => {
                !matches!(status, ServiceStatus::Pending | ServiceStatus::InProgress | ServiceStatus::Successful)
            }
            // The stages of a shift are many and short; their names come with the moment's own sentence.
            Status::Stage { .. } => false,
            Status::Progressing { status, .. } => matches!(status, Truth::False),
            Status::Refresh(status) => status.is_failure(),
            Status::Bake { .. } => true,
        }
    }

    /// The rollback is done.
    const fn is_restored(self) -> bool {
        matches!(self, Status::Service { status: ServiceStatus::RollbackSuccessful, .. })
    }

    /// It stays so: until the next service deployment begins.
    const fn is_final(self) -> bool {
        match self {
            Status::Rollout(state) => !matches!(state, RolloutState::InProgress),
            Status::Service { status, .. } => status.is_final(),
            Status::Progressing { reason, .. } => matches!(reason, Because::NewReplicaSetAvailable),
            Status::Refresh(status) => status.is_final(),
            Status::Bake { .. } | Status::Stage { .. } => false,
        }
    }
}

/// A span with one status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub until: SimTime,
    /// What holds in it.
    pub status: Status,
    /// Revision that the service deployment rolls out; 0 before the first one.
    pub revision: u32,
}

impl Segment {
    /// It is to be seen. What begins is passed in no time; an end, and the way to it, is told however
    /// short it was: a rollback that fails at once was one.
    fn is_told(&self) -> bool {
        let begins = |status| matches!(status, ServiceStatus::Pending | ServiceStatus::InProgress);
        self.from < self.until || matches!(self.status, Status::Service { status, .. } if !begins(status))
    }
}

/// What is known while the records are read.
struct Reader {
    out: Vec<Segment>,
    until: SimTime,
    revision: u32,
    failed: bool,
    bake_ms: u64,
    /// Traffic is shifted: every stage of the way forward is a span.
    shifts: bool,
    /// It is rolled back, or over.
    forward: bool,
    green: u16,
}

impl Reader {
    fn enter(&mut self, from: SimTime, status: Status) {
        if let Some(last) = self.out.last_mut() {
            last.until = from.min(self.until);
        }
        self.out.retain(Segment::is_told);
        self.out.push(Segment { from, until: self.until, status, revision: self.revision });
    }

    fn service(&mut self, at: SimTime, change: ServiceChange) {
        let bakes = matches!(self.out.last(), Some(Segment { status: Status::Bake { .. }, .. }));
        match change {
            ServiceChange::Began { revision, .. } => {
                (self.revision, self.failed, self.bake_ms, self.green) = (revision, false, 0, 0);
            }
            ServiceChange::Status { to, .. } => {
                self.forward = to == ServiceStatus::InProgress;
                self.enter(at, Status::Service { status: to, failed: self.failed });
            }
            ServiceChange::BakeBegins { until } => self.bake_ms = until.since(at),
            ServiceChange::Weights(weights) => self.green = weights.production,
            ServiceChange::Stage(Stage::BakeTime) => self.enter(at, Status::Bake { ms: self.bake_ms }),
            ServiceChange::Stage(stage) if self.shifts && self.forward => {
                self.enter(at, Status::Stage { stage, green: self.green });
            }
            ServiceChange::Stage(_) if bakes => {
                self.enter(at, Status::Service { status: ServiceStatus::InProgress, failed: self.failed });
            }
            _ => {}
        }
    }
}

/// A stage that only a deployment passes that shifts traffic.
pub(crate) fn is_shift(what: &What) -> bool {
    let rolling = |stage: Stage| {
        matches!(stage, Stage::ReconcileService | Stage::PreScaleUp | Stage::ScaleUp | Stage::BakeTime | Stage::CleanUp)
    };
    match what {
        What::Service { change: ServiceChange::Stage(stage), .. } => !rolling(*stage),
        What::Service { change: ServiceChange::Weights(_), .. } => true,
        _ => false,
    }
}

/// The spans of a run up to `until`, ascending. `before` is the state that holds before any record
/// tells of one.
pub fn segments(records: &[Record], before: Option<RolloutState>, until: SimTime) -> Vec<Segment> {
    let (out, revision, failed, bake_ms) = (Vec::new(), 0, false, 0);
    let shifts = records.iter().any(|record| is_shift(&record.what));
    let mut reader = Reader { out, until, revision, failed, bake_ms, shifts, forward: true, green: 0 };
    let bare = |one: &Record| matches!(one.what, What::Asg(_) | What::Kubernetes(Change::Waits(_)));
    let kubernetes = records.iter().any(|record| matches!(record.what, What::Kubernetes(_)));
    match before {
        // Before a refresh there is no status, and of a StatefulSet or a DaemonSet never one.
        Some(_) if records.iter().any(bare) => {}
        Some(_) if kubernetes => {
            let (status, reason) = (Truth::True, Because::NewReplicaSetAvailable);
            reader.enter(SimTime::ZERO, Status::Progressing { status, reason });
        }
        Some(state) => reader.enter(SimTime::ZERO, Status::Rollout(state)),
        None => {}
    }
    for record in records {
        match record.what {
            What::Service { change, .. } => reader.service(record.at, change),
            What::Kubernetes(Change::Condition { kind: ConditionKind::Progressing, now: Some((status, reason)) }) => {
                reader.enter(record.at, Status::Progressing { status, reason });
            }
            What::Asg(rollscope_engine::asg::Change::Status { to, .. }) => {
                reader.enter(record.at, Status::Refresh(to));
            }
            What::Deployment { change: DeploymentChange::State(RolloutState::Failed), .. } => reader.failed = true,
            _ => {}
        }
    }
    reader.out.retain(|segment| segment.is_told() && segment.from <= until);
    reader.out
}

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
    let pad = scale.px(PAD);
    let mut below: Vec<(Piece, String)> = Vec::new();
    // What words have left free of the pieces so far.
    let mut free: Vec<(i32, i32)> = Vec::new();
    for piece in pieces {
        let bar = piece.bar;
        let ink = ground(to, piece.status, bar, scale, palette)?;
        let face = Face { size: scale.0 * 12.0, bold: true, colour: ink, anchor: Anchor::Left };
        let words = word(piece.status);
        // Where the clock of a stage does not fit, its name may.
        let short = words.split(' ').next().unwrap_or_default();
        let room = [words.as_str(), short].into_iter().find_map(|words| {
            let width = to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32) + 2 * pad;
            let parts = x.outside_folds(bar.x, bar.right());
            parts.into_iter().find(|(from, until)| until - from >= width).map(|(from, _)| (words, from, width))
        });
        if let Some((words, from, width)) = room {
            pen::text(to, words, (from + pad, bar.y + bar.h / 2), face)?;
            free.extend(x.outside_folds((from + width).min(bar.right()), bar.right()));
            continue;
        }
        if bar.w >= scale.px(14.0) {
            sign(to, piece.status, bar, scale, ink)?;
        }
        if piece.status.is_noted() {
            below.push((*piece, words));
        }
    }
    if notes.is_empty() { before(to, &below, &free, scale, palette) } else { note(to, &below, notes, scale, palette) }
}

/// Where words about the whole run stand: behind the word of the first status that goes on and has room for
/// both, beside the folds. Left end and middle of their height; `None` where there is none.
pub fn aside<DB: DrawingBackend>(
    to: &DB,
    pieces: &[Piece],
    x: &XScale,
    scale: Scale,
    aside: &str,
    word: impl Fn(Status) -> String,
) -> Option<BackendCoord> {
    let pad = scale.px(PAD);
    let length = |words: &str, bold: bool| {
        let face = Face { size: scale.0 * 12.0, bold, colour: Colour(0, 0, 0), anchor: Anchor::Left };
        to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32)
    };
    let needed = length(aside, false) + pad;
    let goes_on = |piece: &&Piece| !piece.status.is_final() && !piece.status.is_failure();
    pieces.iter().filter(goes_on).find_map(|piece| {
        let before = pad + length(&word(piece.status), true) + pad;
        let parts = x.outside_folds(piece.bar.x, piece.bar.right());
        let (from, _) = parts.into_iter().find(|(from, until)| until - from >= before + needed)?;
        Some((from + before, piece.bar.y + piece.bar.h / 2))
    })
}

/// The words that found no place and have no line below either: before their pieces, where the ribbon is
/// free, from the right, each where it ends nearest to its piece.
fn before<DB: DrawingBackend>(
    to: &mut DB,
    below: &[(Piece, String)],
    free: &[(i32, i32)],
    scale: Scale,
    palette: &Palette,
) -> Drawn<DB> {
    let pad = scale.px(PAD);
    let mut limit = i32::MAX;
    for (piece, words) in below.iter().rev() {
        let colour = if piece.status.is_failure() { palette.fail } else { palette.ink_2 };
        let face = Face { size: scale.0 * 12.0, bold: false, colour, anchor: Anchor::Left };
        let length = to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32);
        let place = |&(from, until): &(i32, i32)| {
            let x = until.min(piece.bar.x).min(limit) - pad - length;
            (x >= from).then_some(x)
        };
        let Some(x) = free.iter().rev().find_map(place) else { continue };
        pen::text(to, words, (x, piece.bar.y + piece.bar.h / 2), face)?;
        limit = x;
    }
    Ok(())
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
    use rollscope_engine::trace::{DeploymentId, ServiceId, Weights};

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
