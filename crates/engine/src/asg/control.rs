//! Looks of the group: what it sees, and what becomes of its plan.

use super::Run;
use super::change::Change;
use super::instance::Class;
use crate::frame::{LaneCounts, Limits};
use crate::platform::asg::{Action, LaunchReason, Observed, Plan, StopReason, Tally, reconcile, room};
use crate::settings::AlarmState;
use crate::trace::{StopCause, Trace};

impl Run {
    /// DesiredCapacity, least ready, most at once.
    pub(super) fn limits(&self) -> Limits {
        let preferences = &self.params.preferences;
        let room = room(self.params.desired, preferences.min_healthy, preferences.max_healthy);
        Limits { desired: self.params.desired, floor: room.floor, ceiling: room.ceiling }
    }

    fn of(&self, class: Class) -> u32 {
        self.classes[class as usize].len() as u32
    }

    /// Instances in standby.
    pub(super) fn standby(&self) -> u32 {
        self.of(Class::Standby) + self.of(Class::StandbyStale)
    }

    /// Instances by what the refresh has to do with them.
    pub(super) fn tally(&self) -> Tally {
        Tally {
            stale_ready: self.of(Class::StaleReady),
            stale_unready: self.of(Class::StaleUnready),
            kept: self.of(Class::Kept),
            ignored: self.of(Class::Ignored),
            booting: self.of(Class::Booting),
            warming: self.of(Class::Warming),
            ready: self.of(Class::Ready),
            shielded: self.of(Class::Shielded),
            standby: self.of(Class::StandbyStale),
        }
    }

    /// Instances that exist, those on their way out included.
    pub(super) fn physical(&self) -> u32 {
        self.lanes.iter().map(LaneCounts::physical).sum()
    }

    /// One look. True when anything changed.
    pub(super) fn pass(&mut self, trace: &mut Trace) -> bool {
        self.note_progress();
        let alarm = self.alarms.iter().position(|state| *state == AlarmState::Alarm);
        let seen = Observed {
            now: self.now,
            desired: self.params.desired,
            tally: self.tally(),
            ready: self.lanes.iter().map(|lane| lane.healthy).sum(),
            capacity: self.places.saturating_sub(self.physical()),
            retry_at: self.retry_at,
            refresh: self.refresh().map(super::Refresh::progress),
            alarm: alarm.map(|index| index as u32),
        };
        let Plan { actions, hold, look_at } = reconcile(&self.params, &seen);
        let acted = !actions.is_empty();
        for action in actions {
            self.carry_out(action, trace);
        }
        if acted {
            return true;
        }
        self.look_at = look_at;
        let kind = |hold: &Option<crate::platform::asg::Hold>| hold.as_ref().map(core::mem::discriminant);
        if let Some(reason) = hold
            && kind(&self.hold) != kind(&hold)
        {
            self.tell(trace, Change::Hold(reason));
        }
        self.hold = hold;
        false
    }

    fn carry_out(&mut self, action: Action, trace: &mut Trace) {
        match action {
            Action::Launch { n, reason } => {
                let version = self.launching();
                self.tell(trace, Change::Launching { n, version, reason });
                // What is in standby is beyond the desired capacity, and so beyond its bounds.
                self.guards.launching(self.limits().ceiling.saturating_add(self.standby()));
                for _ in 0..n {
                    self.launch(version, matches!(reason, LaunchReason::Missing { .. }), trace);
                }
            }
            Action::Terminate { unready, ready, stale, reason } => self.remove(unready, ready, stale, reason, trace),
            Action::Checkpoint { at, until } => self.checkpoint(at, until, trace),
            Action::Resume => self.resume(trace),
            Action::Enter { status, because } => self.enter(status, because, trace),
        }
    }

    fn remove(&mut self, unready: u32, ready: u32, stale: bool, reason: StopReason, trace: &mut Trace) {
        self.tell(trace, Change::Terminating { n: unready + ready, unready, reason });
        let (cause, floor) = match reason {
            StopReason::Batch { floor, .. } => (StopCause::Replaced, floor),
            StopReason::Replaced { .. } => (StopCause::Replaced, self.limits().floor),
            // People may ask for less than there is.
            StopReason::Surplus { .. } => (StopCause::Surplus, 0),
            StopReason::Standby => (StopCause::Replaced, 0),
        };
        self.guards.stopping(floor);
        let (first, then): (&[Class], Class) = match (reason, stale) {
            (StopReason::Standby, _) => (&[Class::StandbyStale], Class::StaleReady),
            (_, true) => (&[Class::StaleUnready], Class::StaleReady),
            (_, false) => (&[Class::Booting, Class::Warming], Class::Ready),
        };
        for _ in 0..unready {
            let Some(slot) = first.iter().find_map(|class| self.first_of(*class)) else { break };
            self.terminate(slot, cause, trace);
        }
        for _ in 0..ready {
            let Some(slot) = self.first_of(then) else { break };
            self.terminate(slot, cause, trace);
        }
    }

    fn first_of(&self, class: Class) -> Option<u32> {
        self.classes[class as usize].first().map(|(_, _, slot)| *slot)
    }
}
