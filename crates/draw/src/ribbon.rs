//! The status ribbon: the rollout state of the newest deployment over time.

use plotters_backend::DrawingBackend;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{DeploymentChange, Record, What};

use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::xscale::XScale;

/// A span in which the newest deployment has one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub until: SimTime,
    /// `rolloutState`
    pub state: RolloutState,
    /// Revision of the deployment; 0 for the one before the run.
    pub revision: u32,
}

/// The spans of a run up to `until`, ascending. `before` is the state that holds before any record
/// tells of one.
pub fn segments(records: &[Record], before: Option<RolloutState>, until: SimTime) -> Vec<Segment> {
    let mut out: Vec<Segment> = Vec::new();
    let mut newest = None;
    let mut enter = |from: SimTime, state, revision| {
        if let Some(last) = out.last_mut() {
            last.until = from.min(until);
        }
        // What held for no time at all is not a span.
        out.retain(|segment| segment.from < segment.until);
        out.push(Segment { from, until, state, revision });
    };
    if let Some(state) = before {
        enter(SimTime::ZERO, state, 0);
    }
    for record in records {
        let What::Deployment { id, revision, change } = record.what else { continue };
        match change {
            DeploymentChange::Started | DeploymentChange::RollingBack => {
                newest = Some(id);
                enter(record.at, RolloutState::InProgress, revision);
            }
            DeploymentChange::State(state) if newest.is_none_or(|newest| newest == id) => {
                enter(record.at, state, revision);
            }
            DeploymentChange::State(_) | DeploymentChange::Superseded | DeploymentChange::Gone => {}
        }
    }
    out.retain(|segment| segment.from < segment.until);
    out
}

/// Spans without rollback protection: from the completion of the newest deployment to the begin
/// of the next one, or to `until`.
pub fn unprotected(records: &[Record], until: SimTime) -> Vec<(SimTime, SimTime)> {
    let completed = |segment: &&Segment| segment.state == RolloutState::Completed;
    // What was complete before the run ended its protection then: no border to show.
    segments(records, None, until).iter().filter(completed).map(|segment| (segment.from, segment.until)).collect()
}

/// Draws the spans into `place`; `word` gives the platform's own word for a state. A word stands
/// where it fits, beside the folds; where it does not, the end of a rollout has a sign.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    segments: &[Segment],
    x: &XScale,
    place: Rect,
    scale: Scale,
    palette: &Palette,
    word: impl Fn(RolloutState) -> String,
) -> Drawn<DB> {
    let gap = scale.px(2.0);
    for segment in segments {
        let (from, until) = (x.x(segment.from), x.x(segment.until));
        let apart = if until - from > 2 * gap && until < place.right() { gap } else { 0 };
        let bar = Rect::new(from, place.y, (until - from - apart).max(1), place.h);
        let ink = match segment.state {
            RolloutState::InProgress => {
                pen::polygon(to, pen::rounded(bar, scale.px(4.0)), palette.inset)?;
                palette.ink
            }
            RolloutState::Completed => {
                pen::polygon(to, pen::rounded(bar, scale.px(4.0)), palette.line_2)?;
                let edge = scale.line(1.0) as i32;
                pen::polygon(to, pen::rounded(bar.inset(edge), scale.px(3.0)), palette.surface)?;
                palette.ink
            }
            RolloutState::Failed => {
                pen::polygon(to, pen::rounded(bar, scale.px(4.0)), palette.fail)?;
                palette.surface
            }
        };
        let face = Face { size: scale.0 * 12.0, bold: true, colour: ink, anchor: Anchor::Left };
        let words = word(segment.state);
        let pad = scale.px(8.0);
        let width = to.estimate_text_size(&words, &face).map_or(0, |(width, _)| width as i32) + 2 * pad;
        let room = x.outside_folds(bar.x, bar.right()).into_iter().find(|(from, until)| until - from >= width);
        match room {
            Some((from, _)) => pen::text(to, &words, (from + pad, bar.y + bar.h / 2), face)?,
            None if bar.w >= scale.px(14.0) => sign(to, segment.state, bar, scale, ink)?,
            None => {}
        }
    }
    Ok(())
}

/// The end of a rollout where its word does not fit: a tick or a cross.
fn sign<DB: DrawingBackend>(to: &mut DB, state: RolloutState, bar: Rect, scale: Scale, colour: Colour) -> Drawn<DB> {
    let (cx, cy) = (bar.x + bar.w / 2, bar.y + bar.h / 2);
    let at = |dx: f64, dy: f64| (cx + scale.px(dx), cy + scale.px(dy));
    let ink = Ink(colour, scale.line(1.8));
    match state {
        RolloutState::InProgress => Ok(()),
        RolloutState::Completed => pen::path(to, vec![at(-4.5, 0.0), at(-1.5, 3.0), at(4.5, -3.5)], ink),
        RolloutState::Failed => {
            pen::path(to, vec![at(-3.5, -3.5), at(3.5, 3.5)], ink)?;
            pen::path(to, vec![at(-3.5, 3.5), at(3.5, -3.5)], ink)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::trace::DeploymentId;

    fn record(at: u64, id: u16, change: DeploymentChange) -> Record {
        let what = What::Deployment { id: DeploymentId(id), revision: 7 + u32::from(id), change };
        Record { at: SimTime(at), what }
    }

    fn spans(records: &[Record], before: Option<RolloutState>) -> Vec<(u64, u64, RolloutState)> {
        segments(records, before, SimTime(100)).iter().map(|s| (s.from.0, s.until.0, s.state)).collect()
    }

    #[test]
    fn the_newest_deployment_says_what_stands_there() {
        use RolloutState::*;
        let done = DeploymentChange::State(Completed);
        let failed = DeploymentChange::State(Failed);
        let records = [
            record(0, 1, DeploymentChange::Started),
            record(40, 1, failed),
            record(50, 2, DeploymentChange::Started),
            // Of an older one: not shown.
            record(60, 1, done),
            record(80, 2, done),
        ];
        let expected = [(0, 40, InProgress), (40, 50, Failed), (50, 80, InProgress), (80, 100, Completed)];
        assert_eq!(spans(&records, Some(Completed)), expected);
        assert_eq!(unprotected(&records, SimTime(100)), [(SimTime(80), SimTime(100))]);
        assert_eq!(spans(&[], Some(Completed)), [(0, 100, Completed)]);
        assert_eq!(spans(&[], None), []);
    }

    #[test]
    fn a_new_deployment_is_protected_again() {
        let done = DeploymentChange::State(RolloutState::Completed);
        let records =
            [record(0, 1, DeploymentChange::Started), record(40, 1, done), record(60, 2, DeploymentChange::Started)];
        assert_eq!(unprotected(&records, SimTime(100)), [(SimTime(40), SimTime(60))]);
        assert_eq!(unprotected(&records[..1], SimTime(100)), []);
    }
}
