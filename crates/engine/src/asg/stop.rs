//! An instance's way out: termination, deregistration, shutdown. From the decision on it does not count.

use super::Run;
use super::instance::Stage;
use crate::mechanism::lot::NO_ANSWER;
use crate::mechanism::probe::Probe;
use crate::rng::Stream;
use crate::time::SimTime;
use crate::trace::{StopCause, StopReason, TaskChange, Trace, What};

impl Run {
    /// It is `Terminating`: it leaves its target groups first, and does not count from here on.
    pub(super) fn terminate(&mut self, slot: u32, cause: StopCause, trace: &mut Trace) {
        let instance = *self.instance(slot);
        let task = instance.task();
        self.emit(trace, What::Task { task, change: TaskChange::StopDecided(cause) });
        self.zones[usize::from(instance.zone)] -= 1;
        let (now, serves) = (self.now, instance.stage == Stage::InService);
        let gone = self.settings.timing.gone_after.as_ref().map(|gone| self.draw(task.name, Stream::GoneAfter, gone));
        let drain = if serves && gone.is_none() { self.drain_ms(task.name) } else { 0 };
        let ends = now + gone.unwrap_or(if drain > 0 { drain } else { self.exit_ms(slot) });
        self.change(slot, trace, |instance| {
            instance.stop_reason = StopReason::of(cause);
            instance.stage = if drain > 0 { Stage::Deregistering } else { Stage::ShuttingDown };
            (instance.stage_ends, instance.exit_at) = (ends, SimTime::NEVER);
            (instance.healthy, instance.ready, instance.stale) = (false, false, false);
            (instance.answers, instance.probe) = (NO_ANSWER, Probe::IDLE);
        });
        self.dirty = true;
        let change = if drain > 0 { TaskChange::Draining } else { TaskChange::Sigterm };
        self.emit(trace, What::Task { task, change });
        if ends <= now {
            return self.gone(slot, trace);
        }
        self.reschedule(slot);
    }

    /// The longest deregistration delay, or the longest request when that is shorter; 0 without a target group.
    fn drain_ms(&self, name: crate::settings::TaskName) -> u64 {
        let delay = self.settings.target_groups.iter().map(|group| group.deregistration_delay_ms).max();
        let open = self.draw(name, Stream::OpenRequest, &self.settings.timing.open_request);
        delay.map_or(0, |delay| delay.min(open))
    }

    fn exit_ms(&self, slot: u32) -> u64 {
        let timing = &self.settings.timing;
        self.draw(self.instance(slot).name, Stream::Exit, &timing.exit_after_sigterm)
    }

    pub(super) fn shut_down(&mut self, slot: u32, trace: &mut Trace) {
        let ends = self.now + self.exit_ms(slot);
        self.change(slot, trace, |instance| (instance.stage, instance.stage_ends) = (Stage::ShuttingDown, ends));
        let task = self.instance(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Sigterm });
        if ends <= self.now {
            self.gone(slot, trace);
        }
    }

    /// It ends by itself, without a termination that anybody decided.
    pub(super) fn stops_being(&mut self, slot: u32, reason: StopReason, trace: &mut Trace) {
        let zone = usize::from(self.instance(slot).zone);
        self.zones[zone] -= 1;
        self.instance_mut(slot).stop_reason = reason;
        self.gone(slot, trace);
    }

    /// Nothing is left of the instance; its capacity is free.
    pub(super) fn gone(&mut self, slot: u32, trace: &mut Trace) {
        let instance = *self.instance(slot);
        let reason = instance.stop_reason;
        self.change(slot, trace, |instance| {
            (instance.stage, instance.stage_ends, instance.exit_at) =
                (Stage::Gone(reason), SimTime::NEVER, SimTime::NEVER);
            (instance.healthy, instance.ready, instance.stale) = (false, false, false);
        });
        self.emit(trace, What::Task { task: instance.task(), change: TaskChange::Stopped(reason.code()) });
        self.stamps = self.stamps.wrapping_add(1);
        self.instance_mut(slot).stamp = self.stamps;
        self.free.insert(slot);
        self.dirty = true;
    }
}
