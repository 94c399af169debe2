//! The status ribbon: the status of the service deployments over time, one after the other.

use plotters_backend::DrawingBackend;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, Record, ServiceChange, What};

use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::xscale::XScale;

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
            Status::Bake { .. } | Status::Stage { .. } => false,
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
        // What held for no time at all is not a span.
        self.out.retain(|segment| segment.from < segment.until);
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
fn is_shift(what: &What) -> bool {
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
    if let Some(state) = before {
        reader.enter(SimTime::ZERO, Status::Rollout(state));
    }
    for record in records {
        match record.what {
            What::Service { change, .. } => reader.service(record.at, change),
            What::Deployment { change: DeploymentChange::State(RolloutState::Failed), .. } => reader.failed = true,
            _ => {}
        }
    }
    reader.out.retain(|segment| segment.from < segment.until);
    reader.out
}

/// Draws the spans into `place`; `word` gives the platform's own word for a status. A word stands
/// where it fits, beside the folds; where it does not, the end of a rollout has a sign.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    segments: &[Segment],
    x: &XScale,
    place: Rect,
    scale: Scale,
    palette: &Palette,
    word: impl Fn(Status) -> String,
) -> Drawn<DB> {
    let gap = scale.px(2.0);
    for segment in segments {
        let (from, until) = (x.x(segment.from), x.x(segment.until));
        let apart = if until - from > 2 * gap && until < place.right() { gap } else { 0 };
        let bar = Rect::new(from, place.y, (until - from - apart).max(1), place.h);
        let ink = ground(to, segment.status, bar, scale, palette)?;
        let face = Face { size: scale.0 * 12.0, bold: true, colour: ink, anchor: Anchor::Left };
        let words = word(segment.status);
        let pad = scale.px(8.0);
        // Where the clock of a stage does not fit, its name may.
        let short = words.split(' ').next().unwrap_or_default();
        let room = [words.as_str(), short].into_iter().find_map(|words| {
            let width = to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32) + 2 * pad;
            let parts = x.outside_folds(bar.x, bar.right());
            parts.into_iter().find(|(from, until)| until - from >= width).map(|(from, _)| (words, from))
        });
        match room {
            Some((words, from)) => pen::text(to, words, (from + pad, bar.y + bar.h / 2), face)?,
            None if bar.w >= scale.px(14.0) => sign(to, segment.status, bar, scale, ink)?,
            None => {}
        }
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
    fn stages_of_a_shift_are_spans_on_the_way_forward() {
        use ServiceStatus::*;
        let weights = |at, production| {
            let weights = Weights { green: 8, blue: Some(7), production, test: 0 };
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
