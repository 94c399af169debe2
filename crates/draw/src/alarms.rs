//! Alarms over time: a lane each. A line while all is well, a red bar while it fires.

use plotters_backend::DrawingBackend;
use rollscope_engine::settings::{Alarm, AlarmState};
use rollscope_engine::sim::service_deployment::MonitorStatus;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::{Record, ServiceChange, What};

use crate::border::{self, Hatching};
use crate::geometry::{Rect, Scale};
use crate::palette::{Colour, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::xscale::XScale;

/// Most lanes; more alarms than that share one, in which the worst state wins.
pub const LANES_MOST: usize = 3;

/// A span in which an alarm has one state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// Its begin.
    pub from: SimTime,
    /// Its end.
    pub until: SimTime,
    /// `StateValue`
    pub state: AlarmState,
    /// The service deployment in progress does not look at it.
    pub ignored: bool,
}

/// An alarm, or all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// Its name; empty for all.
    pub name: String,
    /// Ascending, without a gap.
    pub spans: Vec<Span>,
}

/// The worse, the higher.
fn rank(state: AlarmState) -> u8 {
    match state {
        AlarmState::Ok => 0,
        AlarmState::InsufficientData => 1,
        AlarmState::Alarm => 2,
    }
}

/// The state at time 0, with what is due then.
fn at_start(alarm: &Alarm) -> AlarmState {
    let due = alarm.changes.iter().take_while(|(at, _)| *at == SimTime::ZERO).last();
    due.map_or(alarm.at_start, |(_, state)| *state)
}

/// The lanes of a run up to `until`.
pub fn lanes(alarms: &[Alarm], records: &[Record], until: SimTime) -> Vec<Lane> {
    let mut states: Vec<AlarmState> = alarms.iter().map(at_start).collect();
    let together = alarms.len() > LANES_MOST;
    let now = |states: &[AlarmState], lane: usize| match together {
        true => states.iter().copied().max_by_key(|state| rank(*state)).unwrap_or(AlarmState::Ok),
        false => states[lane],
    };
    let names = || alarms.iter().map(|alarm| alarm.name.clone());
    let names: Vec<String> = if together { vec![String::new()] } else { names().collect() };
    let begin = |(lane, name): (usize, String)| {
        let span = Span { from: SimTime::ZERO, until, state: now(&states, lane), ignored: false };
        Lane { name, spans: vec![span] }
    };
    let mut lanes: Vec<Lane> = names.into_iter().enumerate().map(begin).collect();
    // Whether a service deployment looks at them, or would if none was in ALARM at its begin.
    let (mut watched, mut ignored) = (false, false);
    for record in records {
        match record.what {
            What::Alarm { alarm, state } => {
                if let Some(known) = states.get_mut(alarm as usize) {
                    *known = state;
                }
            }
            What::Service { change, .. } => match change {
                ServiceChange::AlarmsIgnored => (watched, ignored) = (true, true),
                ServiceChange::Alarms(MonitorStatus::Monitoring) => watched = true,
                // A rollback ignores them as well when one is in ALARM.
                ServiceChange::RollsBack { .. } => ignored = watched && states.contains(&AlarmState::Alarm),
                ServiceChange::Status { to, .. } if to.is_final() => (watched, ignored) = (false, false),
                _ => continue,
            },
            _ => continue,
        }
        for (index, lane) in lanes.iter_mut().enumerate() {
            let state = now(&states, index);
            let Some(last) = lane.spans.last_mut() else { continue };
            if (last.state, last.ignored) != (state, ignored) {
                last.until = record.at;
                lane.spans.push(Span { from: record.at, until, state, ignored });
            }
        }
    }
    lanes.iter_mut().for_each(|lane| lane.spans.retain(|span| span.from < span.until));
    lanes
}

/// Draws a lane; `word` says what a span is, with the alarm's name or without it.
pub fn paint<DB: DrawingBackend>(
    to: &mut DB,
    lane: &Lane,
    x: &XScale,
    place: Rect,
    scale: Scale,
    palette: &Palette,
    word: impl Fn(&str, &Span) -> String,
) -> Drawn<DB> {
    let pad = scale.px(6.0);
    let mut name = lane.name.as_str();
    for span in &lane.spans {
        let (from, until) = (x.x(span.from), x.x(span.until));
        let apart = if until - from > scale.px(4.0) && until < place.right() { scale.line(1.0) as i32 } else { 0 };
        let bar = Rect::new(from, place.y, (until - from - apart).max(scale.px(2.0)), place.h);
        let ink = shape(to, span, bar, scale, palette)?;
        let fires = span.state == AlarmState::Alarm;
        let face = Face { size: scale.0 * 12.0, bold: fires, colour: ink, anchor: Anchor::Left };
        // The name stands in the first span that has room for it.
        let said = [name, ""].into_iter().find_map(|with| {
            let words = word(with, span);
            let width = to.estimate_text_size(&words, &face).map_or(0, |(width, _)| width as i32) + 2 * pad;
            let parts = x.outside_folds(bar.x, bar.right());
            let (from, _) = parts.into_iter().find(|(from, until)| until - from >= width)?;
            Some((with, words, Rect::new(from, bar.y, width, bar.h)))
        });
        let Some((with, words, room)) = said else {
            if fires && bar.w >= scale.px(6.0) {
                mark(to, bar, scale, ink)?;
            }
            continue;
        };
        if !fires || span.ignored {
            // Words need a ground without lines.
            let air = scale.line(1.0) as i32;
            let left = if fires { pad / 2 } else { 0 };
            pen::fill(
                to,
                Rect::new(room.x + left, room.y + air, room.w - pad / 2 - left, room.h - 2 * air),
                palette.surface,
            )?;
        }
        let indent = if fires { pad } else { scale.px(1.0) };
        pen::text(to, &words, (room.x + indent, room.y + room.h / 2), face)?;
        name = if with.is_empty() { name } else { "" };
    }
    Ok(())
}

/// The state without words, and the colour of words on it: a line, a dashed one without data, a red bar;
/// what is ignored while it fires is hatched.
fn shape<DB: DrawingBackend>(
    to: &mut DB,
    span: &Span,
    bar: Rect,
    scale: Scale,
    palette: &Palette,
) -> Result<Colour, plotters_backend::DrawingErrorKind<DB::ErrorType>> {
    let thick = scale.line(1.5) as i32;
    let level = Rect::new(bar.x, bar.y + (bar.h - thick) / 2, bar.w, thick);
    match (span.state, span.ignored) {
        (AlarmState::Alarm, false) => {
            pen::polygon(to, pen::rounded(bar, scale.px(2.0)), palette.fail)?;
            Ok(palette.surface)
        }
        (AlarmState::Alarm, true) => {
            border::behind(to, bar, Hatching::Plain, scale, palette)?;
            pen::frame(to, bar, Ink(palette.fail, scale.line(1.0)))?;
            Ok(palette.fail)
        }
        (AlarmState::Ok, _) => {
            pen::fill(to, level, palette.control)?;
            Ok(palette.ink_2)
        }
        (AlarmState::InsufficientData, _) => {
            let dash = scale.px(4.0).max(1);
            let dashes = (0..).map(|k| level.x + k * 2 * dash).take_while(|from| *from < level.right());
            dashes
                .map(|from| Rect { x: from, w: dash.min(level.right() - from), ..level })
                .try_for_each(|dash| pen::fill(to, dash, palette.control))?;
            Ok(palette.ink_2)
        }
    }
}

/// It fires, where the word finds no place: a bar and a dot.
fn mark<DB: DrawingBackend>(to: &mut DB, bar: Rect, scale: Scale, colour: Colour) -> Drawn<DB> {
    let w = scale.px(2.0).max(1);
    let x = bar.x + (bar.w - w) / 2;
    let (top, bottom) = (bar.y + scale.px(3.0), bar.bottom() - scale.px(3.0));
    pen::fill(to, Rect::new(x, top, w, bottom - top - 2 * w), colour)?;
    pen::fill(to, Rect::new(x, bottom - w, w, w), colour)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::sim::service_deployment::ServiceStatus;
    use rollscope_engine::trace::ServiceId;

    fn alarm(name: &str, at_start: AlarmState) -> Alarm {
        Alarm { name: name.into(), at_start, changes: Vec::new(), derived: None }
    }

    fn turns(at: u64, alarm: u32, state: AlarmState) -> Record {
        Record { at: SimTime(at), what: What::Alarm { alarm, state } }
    }

    fn service(at: u64, change: ServiceChange) -> Record {
        Record { at: SimTime(at), what: What::Service { id: ServiceId(0), change } }
    }

    fn spans(lane: &Lane) -> Vec<(u64, u64, AlarmState, bool)> {
        lane.spans.iter().map(|span| (span.from.0, span.until.0, span.state, span.ignored)).collect()
    }

    #[test]
    fn each_alarm_has_its_lane() {
        use AlarmState::{Alarm as Fires, InsufficientData, Ok};
        let mut late = alarm("late", Ok);
        late.changes = vec![(SimTime::ZERO, InsufficientData), (SimTime(50), Ok)];
        let records = [turns(40, 0, Fires), turns(50, 1, Ok)];
        let lanes = lanes(&[alarm("5xx", Ok), late], &records, SimTime(100));
        assert_eq!(spans(&lanes[0]), [(0, 40, Ok, false), (40, 100, Fires, false)]);
        assert_eq!(spans(&lanes[1]), [(0, 50, InsufficientData, false), (50, 100, Ok, false)]);
    }

    #[test]
    fn a_deployment_that_begins_in_alarm_ignores_it_to_its_end() {
        use AlarmState::Alarm as Fires;
        let end = ServiceChange::Status { from: ServiceStatus::InProgress, to: ServiceStatus::Successful };
        let records = [service(0, ServiceChange::AlarmsIgnored), service(60, end)];
        let lanes = lanes(&[alarm("5xx", Fires)], &records, SimTime(100));
        assert_eq!(spans(&lanes[0]), [(0, 60, Fires, true), (60, 100, Fires, false)]);
    }

    #[test]
    fn a_rollback_ignores_the_alarm_that_began_it() {
        use AlarmState::{Alarm as Fires, Ok};
        use rollscope_engine::sim::service_deployment::FailedBy;
        use rollscope_engine::trace::DeploymentId;
        let (by, from, to) = (FailedBy::Alarm, DeploymentId(1), DeploymentId(0));
        let records = [
            service(0, ServiceChange::Alarms(MonitorStatus::Monitoring)),
            turns(20, 0, Fires),
            service(40, ServiceChange::RollsBack { by, from, to }),
            turns(50, 0, Ok),
        ];
        let lanes = lanes(&[alarm("5xx", Ok)], &records, SimTime(100));
        let expected = [(0, 20, Ok, false), (20, 40, Fires, false), (40, 50, Fires, true), (50, 100, Ok, true)];
        assert_eq!(spans(&lanes[0]), expected);
    }

    #[test]
    fn many_alarms_share_a_lane_and_the_worst_wins() {
        use AlarmState::{Alarm as Fires, Ok};
        let alarms: Vec<Alarm> = (0..9).map(|k| alarm(&format!("a{k}"), Ok)).collect();
        let records = [turns(10, 3, Fires), turns(20, 5, Fires), turns(30, 3, Ok), turns(40, 5, Ok)];
        let lanes = lanes(&alarms, &records, SimTime(100));
        assert_eq!(lanes.len(), 1);
        assert_eq!(spans(&lanes[0]), [(0, 10, Ok, false), (10, 40, Fires, false), (40, 100, Ok, false)]);
    }
}
