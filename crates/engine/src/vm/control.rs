//! Looks of the group: what it sees, and what becomes of its plan.

use super::Run;
use super::change::Change;
use super::machine::Class;
use crate::frame::{LaneCounts, Limits};
use crate::platform::vm::{Action, Hold, Kind, Model, Of, Pick, Plan, Tally, Why};
use crate::platform::{mig, vmss};
use crate::time::SimTime;
use crate::trace::{StopCause, Trace};

/// When the newest update began, and how far it came.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rollout {
    /// Its number in the run; 0 before the first one.
    pub number: u32,
    /// It began then.
    pub started: SimTime,
    /// All machines that it is for are of the target, and have been healthy, since then; absent while not.
    pub reached: Option<SimTime>,
    /// An upgrade of a scale set ended then.
    pub ended: Option<SimTime>,
}

impl Run {
    /// Size, least available, most at once.
    pub(super) fn limits(&self) -> Limits {
        let size = self.params.size;
        let (floor, ceiling) = match &self.params.kind {
            Kind::Mig(params) => {
                let room = mig::room(size, params.surge, params.unavailable);
                (room.floor, room.ceiling)
            }
            Kind::Vmss(params) => vmss::reconcile::room(size, params),
        };
        Limits { desired: size, floor, ceiling }
    }

    /// Machines by what an update has to do with them.
    pub(super) fn tally(&self) -> Tally {
        let side = |target| Of {
            rebuilding: self.of(target, Class::Rebuilding),
            creating: self.of(target, Class::Creating),
            verifying: self.of(target, Class::Verifying),
            settling: self.of(target, Class::Settling),
            up: self.of(target, Class::Up),
            down: self.of(target, Class::Down),
        };
        Tally { old: side(false), new: side(true) }
    }

    /// Machines that exist, those on their way out included.
    pub(super) fn physical(&self) -> u32 {
        self.lanes.iter().map(LaneCounts::physical).sum()
    }

    fn plan(&self) -> Plan {
        let (now, size, tally, retry_at) = (self.now, self.params.size, self.tally(), self.retry_at);
        let quota = self.places.saturating_sub(self.physical());
        match &self.params.kind {
            Kind::Mig(params) => mig::reconcile(params, &mig::Observed { now, size, tally, quota, retry_at }),
            Kind::Vmss(params) => {
                let in_zone = self.old_zones.iter().copied().find(|n| *n > 0).unwrap_or(0);
                let upgrade = self.upgrade;
                vmss::reconcile(params, &vmss::Observed { now, size, tally, in_zone, quota, retry_at, upgrade })
            }
        }
    }

    /// One look. True when anything changed.
    pub(super) fn pass(&mut self, trace: &mut Trace) -> bool {
        let Plan { actions, hold, look_at } = self.plan();
        let acted = !actions.is_empty();
        for action in actions {
            self.carry_out(action, trace);
        }
        if acted {
            return true;
        }
        self.look_at = look_at;
        let kind = |hold: &Option<Hold>| hold.as_ref().map(core::mem::discriminant);
        if let Some(reason) = hold
            && kind(&self.hold) != kind(&hold)
        {
            self.tell(trace, Change::Hold(reason));
        }
        self.hold = hold;
        self.note(trace);
        false
    }

    /// What the API says of the group, where it changed.
    fn note(&mut self, trace: &mut Trace) {
        let at_rest = matches!(self.hold, Some(Hold::Stable { .. }));
        if at_rest != self.rollout.reached.is_some() {
            self.rollout.reached = at_rest.then_some(self.now);
            if self.rollout.number > 0 && matches!(self.params.kind, Kind::Mig(_)) {
                self.tell(trace, Change::TargetReached(at_rest));
            }
        }
        let tally = self.tally();
        let leaving: u32 = self.lanes.iter().map(LaneCounts::leaving).sum();
        let stable = tally.old.pending() + tally.new.pending() + leaving == 0
            && matches!(self.hold, Some(Hold::Stable { .. } | Hold::Opportunistic { .. } | Hold::Over { .. }));
        let before = self.stable.replace(stable);
        if before.is_some_and(|before| before != stable) && matches!(self.params.kind, Kind::Mig(_)) {
            self.tell(trace, Change::Stable(stable));
        }
    }

    fn carry_out(&mut self, action: Action, trace: &mut Trace) {
        match action {
            Action::Create { n, model, why } => {
                let version = self.version(model);
                self.tell(trace, Change::Creating { n, version, model, why });
                self.opens(why);
                self.guards.launching(self.limits().ceiling);
                for _ in 0..n {
                    self.create(version, matches!(why, Why::Missing { .. }), trace);
                }
            }
            Action::Delete { n, pick, why } => {
                self.tell(trace, Change::Deleting { n, why });
                let cause = if matches!(why, Why::Surplus { .. }) { StopCause::Surplus } else { StopCause::Replaced };
                self.remove(n, pick, None, (cause, why), trace);
            }
            Action::Rebuild { n, pick, model, why } => {
                let version = self.version(model);
                self.tell(trace, Change::Rebuilding { n, version, why });
                self.opens(why);
                self.remove(n, pick, Some(version), (StopCause::Replaced, why), trace);
            }
            Action::EndBatch { until } => {
                let Some(upgrade) = &mut self.upgrade else { return };
                (upgrade.open, upgrade.pause_until) = (false, until);
                let number = upgrade.batches;
                let until = if until > self.now { until } else { SimTime::NEVER };
                self.tell(trace, Change::BatchEnded { number, until });
            }
            Action::Enter { status, because } => self.enter(status, because, trace),
        }
    }

    /// A batch begins.
    fn opens(&mut self, why: Why) {
        if let (Why::Batch { number, .. }, Some(upgrade)) = (why, &mut self.upgrade) {
            (upgrade.batches, upgrade.open) = (number, true);
        }
    }

    /// The upgrade has another status.
    pub(super) fn enter(&mut self, status: vmss::Status, because: Option<vmss::Breach>, trace: &mut Trace) {
        let Some(upgrade) = &mut self.upgrade else { return };
        let from = Some(upgrade.status);
        upgrade.status = status;
        if status.is_final() {
            upgrade.open = false;
            self.rollout.ended = Some(self.now);
        }
        self.dirty = true;
        self.tell(trace, Change::Status { from, to: status, because });
    }

    const fn version(&self, model: Model) -> u32 {
        match model {
            Model::Target => self.target,
            Model::Former => self.former,
        }
    }

    fn remove(&mut self, n: u32, pick: Pick, again: Option<u32>, why: (StopCause, Why), trace: &mut Trace) {
        let down = self.of(false, Class::Down) + self.of(true, Class::Down);
        let floor = match why.1 {
            // A machine that was healthy once is available, whatever it is now: the floor bounds those.
            Why::Spare { floor, .. } => floor.saturating_sub(down),
            Why::Replaced { .. } => self.params.size.min(self.limits().floor).saturating_sub(down),
            Why::Batch { most, total, .. } => total.saturating_sub(most + self.tally().unhealthy()),
            // People may ask for less than there is, and what is not available costs nothing.
            _ => 0,
        };
        self.guards.stopping(floor);
        for _ in 0..n {
            let Some(slot) = self.picked(pick) else { break };
            self.take_down(slot, again, why.0, trace);
        }
    }

    /// The next machine to go.
    fn picked(&self, pick: Pick) -> Option<u32> {
        use Class::{Creating, Down, Settling, Up, Verifying};
        let first = |target: bool, class: Class| self.classes[usize::from(target)][class as usize].first().copied();
        let last = |target: bool, class: Class| self.classes[usize::from(target)][class as usize].last().copied();
        let old = |classes: &[Class]| classes.iter().find_map(|class| first(false, *class));
        let new = |classes: &[Class]| classes.iter().find_map(|class| last(true, *class));
        let rank = match pick {
            Pick::OldUnready => old(&[Creating, Verifying, Settling]),
            Pick::OldPassed => old(&[Down, Up]),
            Pick::OldInOrder => {
                [Creating, Verifying, Settling, Down, Up].iter().filter_map(|class| first(false, *class)).min()
            }
            Pick::OldUnhealthyFirst => old(&[Down, Creating, Verifying, Settling, Up]),
            Pick::NewUnready => new(&[Creating, Verifying, Settling]),
            Pick::NewPassed => new(&[Down, Up]),
            Pick::NewFailed => new(&[Down]),
        };
        rank.map(|(_, _, slot)| slot)
    }
}
