//! CloudWatch alarms: given over time, set by hand, or following the answers of the service.

use super::Simulation;
use crate::settings::{AlarmState, BadResponses};
use crate::sim::service_deployment::FailedBy;
use crate::time::SimTime;
use crate::trace::{Decision, Reason, Rule, Trace, What};

/// An alarm at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AlarmNow {
    /// Its state.
    pub state: AlarmState,
    /// Changes of the settings that are done.
    done: u32,
    /// The share of bad answers has been on this side of the alarm's level since then; absent while
    /// the present instant has not passed.
    side: Option<(bool, SimTime)>,
    /// It was set from outside: it follows the answers again once they cross its level.
    held: bool,
}

/// Bad answers are added up in this many parts of one.
const PARTS: u128 = 1_000_000_000_000;

impl Simulation {
    /// The alarms of the settings as they are now.
    pub fn alarms(&self) -> impl Iterator<Item = AlarmState> + '_ {
        self.alarms.iter().map(|alarm| alarm.state)
    }

    pub(super) fn alarms_at_start(&mut self) {
        let state =
            |alarm: &crate::settings::Alarm| AlarmNow { state: alarm.at_start, done: 0, side: None, held: false };
        self.alarms = self.settings.alarms.iter().map(state).collect();
        for i in 0..self.alarms.len() {
            while let Some((_, state)) = self.next_change(i).filter(|(at, _)| *at == SimTime::ZERO) {
                self.alarms[i].state = state;
                self.alarms[i].done += 1;
            }
        }
    }

    fn next_change(&self, alarm: usize) -> Option<(SimTime, AlarmState)> {
        self.settings.alarms[alarm].changes.get(self.alarms[alarm].done as usize).copied()
    }

    /// When an alarm changes next by itself.
    pub(super) fn alarm_change_at(&self) -> Option<SimTime> {
        let each = |i: usize| [self.next_change(i).map(|(at, _)| at), self.derived_change(i).map(|(at, _)| at)];
        (0..self.alarms.len()).flat_map(each).flatten().min()
    }

    /// Carries out a change of an alarm that is due; false when none is.
    pub(super) fn alarm_changes(&mut self, trace: &mut Trace) -> bool {
        for i in 0..self.alarms.len() {
            if let Some((_, state)) = self.next_change(i).filter(|(at, _)| *at <= self.now) {
                self.alarms[i].done += 1;
                self.set_alarm(i, state, trace);
                return true;
            }
        }
        if self.dirty {
            // Counts in the middle of an instant are no level.
            return false;
        }
        for i in 0..self.alarms.len() {
            if let Some((_, state)) = self.derived_change(i).filter(|(at, _)| *at <= self.now) {
                self.set(i, state, false, trace);
                return true;
            }
        }
        false
    }

    /// Somebody, or the document, sets an alarm. True for one that exists.
    pub(super) fn set_alarm(&mut self, alarm: usize, state: AlarmState, trace: &mut Trace) -> bool {
        self.set(alarm, state, true, trace)
    }

    /// The one place where an alarm changes. True for an alarm that exists.
    fn set(&mut self, alarm: usize, state: AlarmState, from_outside: bool, trace: &mut Trace) -> bool {
        let Some(known) = self.alarms.get_mut(alarm) else { return false };
        let before = core::mem::replace(&mut known.state, state);
        if from_outside {
            known.held = true;
        }
        if before != state {
            self.emit(trace, What::Alarm { alarm: alarm as u32, state });
            if state == AlarmState::Alarm {
                self.alarm_fires(alarm);
            }
        }
        true
    }

    pub(super) fn any_in_alarm(&self) -> bool {
        self.alarms.iter().any(|alarm| alarm.state == AlarmState::Alarm)
    }

    /// The first task of the target is RUNNING: the alarms are watched from here on.
    pub(super) fn watch_alarms(&mut self) {
        let now = self.now;
        let Some(service) = self.services.last_mut().filter(|s| s.is_live() && s.watch.on) else { return };
        if service.watch.from.is_some() {
            return;
        }
        service.watch.from = Some(now);
        for alarm in 0..self.alarms.len() {
            if self.alarms[alarm].state == AlarmState::Alarm {
                self.alarm_fires(alarm);
            }
        }
    }

    /// An alarm is in ALARM: when somebody watches it, the deployment fails a little later.
    fn alarm_fires(&mut self, alarm: usize) {
        let Some(watched) = self.params.alarms else { return };
        let due = self.now + watched.alarm_delay_ms;
        let Some(service) = self.services.last_mut().filter(|s| s.is_live()) else { return };
        let watch = &mut service.watch;
        if watch.on && watch.from.is_some() {
            watch.fired.push(alarm as u32);
            watch.due = watch.due.min(due);
            self.dirty = true;
        }
    }

    /// The alarm that fired fails the deployment.
    pub(super) fn alarm_fails(&mut self, trace: &mut Trace) {
        let Some(service) = self.services.last_mut() else { return };
        service.watch.due = SimTime::NEVER;
        let alarm = service.watch.fired.first().copied().unwrap_or(0);
        let reason = Reason::AlarmFired { alarm };
        self.emit(trace, What::Decision(Decision { rule: Rule::FailureFirst, reason, first: None }));
        self.fail(FailedBy::Alarm, trace);
    }

    /// When an alarm that follows the answers changes its state next, as things are now.
    fn derived_change(&self, alarm: usize) -> Option<(SimTime, AlarmState)> {
        let derived = self.settings.alarms[alarm].derived?;
        let over = self.is_over(&derived);
        let state = if over { AlarmState::Alarm } else { AlarmState::Ok };
        let now = &self.alarms[alarm];
        let known = now.side.filter(|(side, _)| *side == over);
        if known.is_some() && now.held {
            return None;
        }
        let since = known.map_or(self.now, |(_, since)| since);
        (now.state != state).then(|| (since + derived.for_ms, state))
    }

    /// The present instant passes: on which side of their levels the answers are from here on.
    pub(super) fn pass_levels(&mut self) {
        for i in 0..self.alarms.len() {
            let Some(derived) = self.settings.alarms[i].derived else { continue };
            let over = self.is_over(&derived);
            if self.alarms[i].side.is_none_or(|(side, _)| side != over) {
                self.alarms[i].side = Some((over, self.now));
                self.alarms[i].held = false;
            }
        }
    }

    /// More answers are bad than the level allows. The traffic goes where [`Simulation::serves`] says;
    /// without a healthy task there is none.
    fn is_over(&self, level: &BadResponses) -> bool {
        let part = |(n, of): (u32, u32)| u128::from(n) * PARTS / u128::from(of.max(1));
        let serves = |d: &super::Deployment| u128::from(self.serves(d));
        let all: u128 = self.deployments.iter().map(serves).sum();
        let bad = |d: &super::Deployment| {
            self.revisions[d.revision].behaviour.bad_responses.map_or(0, |bad| serves(d) * part(bad))
        };
        self.deployments.iter().map(bad).sum::<u128>() > all * part(level.over)
    }
}
