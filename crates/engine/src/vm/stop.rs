//! A machine's way out: load balancer, shutdown. One that comes up again keeps its place and counts on.

use super::Run;
use super::machine::Stage;
use crate::mechanism::lot::NO_ANSWER;
use crate::mechanism::probe::Probe;
use crate::rng::Stream;
use crate::time::SimTime;
use crate::trace::{StopCause, StopReason, TaskChange, Trace, What};

impl Run {
    /// It goes: for good, or to come up again of that model.
    pub(super) fn take_down(&mut self, slot: u32, again: Option<u32>, cause: StopCause, trace: &mut Trace) {
        let machine = *self.machine(slot);
        let task = machine.task();
        self.emit(trace, What::Task { task, change: TaskChange::StopDecided(cause) });
        if again.is_none() {
            self.zones[usize::from(machine.zone)] -= 1;
        }
        let (now, serves) = (self.now, machine.stage == Stage::Running);
        let gone = self.settings.timing.gone_after.as_ref().map(|gone| self.draw(task.name, Stream::GoneAfter, gone));
        let open = self.draw(task.name, Stream::OpenRequest, &self.settings.timing.open_request);
        let drain = if serves && gone.is_none() { self.params.drain_ms.min(open) } else { 0 };
        let ends = now + gone.unwrap_or(if drain > 0 { drain } else { self.exit_ms(slot) });
        let target = again.map_or(machine.target, |version| version == self.target);
        self.change(slot, trace, |machine| {
            machine.stop_reason = StopReason::of(cause);
            (machine.again, machine.target) = (again, target);
            machine.stage = if drain > 0 { Stage::Draining } else { Stage::ShuttingDown };
            (machine.stage_ends, machine.exit_at) = (ends, SimTime::NEVER);
            (machine.healthy, machine.settled, machine.given_up) = (false, false, false);
            (machine.answers, machine.probe) = (NO_ANSWER, Probe::IDLE);
        });
        self.dirty = true;
        let change = if drain > 0 { TaskChange::Draining } else { TaskChange::Sigterm };
        self.emit(trace, What::Task { task, change });
        if ends <= now {
            return self.gone(slot, trace);
        }
        self.reschedule(slot);
    }

    fn exit_ms(&self, slot: u32) -> u64 {
        let timing = &self.settings.timing;
        self.draw(self.machine(slot).name, Stream::Exit, &timing.exit_after_sigterm)
    }

    pub(super) fn shut_down(&mut self, slot: u32, trace: &mut Trace) {
        let ends = self.now + self.exit_ms(slot);
        self.change(slot, trace, |machine| (machine.stage, machine.stage_ends) = (Stage::ShuttingDown, ends));
        let task = self.machine(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Sigterm });
        if ends <= self.now {
            self.gone(slot, trace);
        }
    }

    /// It ends by itself; `again` as in [`Run::take_down`].
    pub(super) fn stops_being(&mut self, slot: u32, again: Option<u32>, reason: StopReason, trace: &mut Trace) {
        if again.is_none() {
            let zone = usize::from(self.machine(slot).zone);
            self.zones[zone] -= 1;
        }
        let machine = self.machine_mut(slot);
        (machine.stop_reason, machine.again) = (reason, again);
        self.gone(slot, trace);
    }

    /// Nothing is left of the machine. Its place is free, or the next one comes up in it, unless the group has
    /// become too small for that.
    pub(super) fn gone(&mut self, slot: u32, trace: &mut Trace) {
        let machine = *self.machine(slot);
        let reason = machine.stop_reason;
        self.change(slot, trace, |machine| {
            (machine.stage, machine.stage_ends, machine.exit_at) =
                (Stage::Gone(reason), SimTime::NEVER, SimTime::NEVER);
            (machine.healthy, machine.settled, machine.given_up) = (false, false, false);
        });
        self.emit(trace, What::Task { task: machine.task(), change: TaskChange::Stopped(reason.code()) });
        self.stamps = self.stamps.wrapping_add(1);
        self.machine_mut(slot).stamp = self.stamps;
        self.dirty = true;
        let fits = self.tally().counted() < self.limits().ceiling && self.physical() < self.places;
        match machine.again.filter(|_| fits) {
            Some(version) => self.again(slot, version, trace),
            None => {
                if machine.again.is_some() {
                    self.zones[usize::from(machine.zone)] -= 1;
                }
                self.free.insert(slot);
            }
        }
    }
}
