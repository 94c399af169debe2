//! A Pod's way out: deletion, hook, stop signal, kill. From the deletion on nobody counts it.

use super::Run;
use super::change::{Change, PodChange};
use super::pod::Stage;
use crate::mechanism::lot::NO_ANSWER;
use crate::mechanism::probe::Probe;
use crate::platform::kubernetes::rules_pod::{EndpointRace, endpoint_race, way_out};
use crate::rng::Stream;
use crate::time::SimTime;
use crate::trace::{StopCause, StopReason, TaskChange, Trace, What};

impl Run {
    /// The Pod is deleted: it is not counted any more, its replacement may start at once.
    pub(super) fn delete_pod(&mut self, slot: u32, cause: StopCause, trace: &mut Trace) {
        let pod = *self.pod(slot);
        let task = pod.task();
        self.emit(trace, What::Task { task, change: TaskChange::StopDecided(cause) });
        self.zones[usize::from(pod.zone)] -= 1;
        self.unassigned.remove(&(pod.id.0, slot));
        let runs = pod.stage == Stage::Running;
        let (leaves, kill_at, hook) = if runs { self.way_of(slot) } else { (self.now, SimTime::NEVER, false) };
        let now = self.now;
        self.change(slot, trace, |pod| {
            pod.stop_reason = StopReason::of(cause);
            pod.stage = if hook { Stage::Hook } else { Stage::Stopping };
            pod.stage_ends = leaves;
            (pod.exit_at, pod.killed) = (pod.exit_at.min(if hook { SimTime::NEVER } else { kill_at }), false);
            (pod.available, pod.available_at, pod.ready_since) = (false, SimTime::NEVER, None);
            (pod.answers, pod.ready_answers, pod.probes) = (NO_ANSWER, NO_ANSWER, [Probe::IDLE; 3]);
        });
        self.dirty = true;
        if !runs {
            return self.gone(slot, trace);
        }
        if pod.ready_since.is_some() && self.settings.timing.gone_after.is_none() {
            self.race(slot, trace);
        }
        let change = if hook { TaskChange::Draining } else { TaskChange::Sigterm };
        self.emit(trace, What::Task { task, change });
        if leaves <= now {
            return self.gone(slot, trace);
        }
        self.reschedule(slot);
    }

    /// When its stage ends and its process is gone for certain, and whether a hook comes first.
    fn way_of(&self, slot: u32) -> (SimTime, SimTime, bool) {
        let (now, name) = (self.now, self.pod(slot).name);
        if let Some(gone) = &self.settings.timing.gone_after {
            return (now + self.draw(name, Stream::GoneAfter, 0, gone), SimTime::NEVER, false);
        }
        let way = way_out(self.params.pod.pre_stop_ms, self.params.pod.grace_ms);
        if way.sigterm > 0 {
            return (now + way.sigterm, SimTime::NEVER, true);
        }
        (self.exit_after(slot, 0), SimTime::NEVER, false)
    }

    /// When the process is gone that gets its stop signal now, `used` milliseconds after the deletion.
    fn exit_after(&self, slot: u32, used: u64) -> SimTime {
        let name = self.pod(slot).name;
        let exit = self.draw(name, Stream::Exit, 0, &self.settings.timing.exit_after_sigterm);
        let way = way_out(self.params.pod.pre_stop_ms, self.params.pod.grace_ms);
        self.now + exit.min(way.sigkill.saturating_sub(used))
    }

    /// The hook is over: the process is told to stop.
    pub(super) fn sigterm(&mut self, slot: u32, trace: &mut Trace) {
        let way = way_out(self.params.pod.pre_stop_ms, self.params.pod.grace_ms);
        let ends = self.exit_after(slot, way.sigterm);
        self.change(slot, trace, |pod| (pod.stage, pod.stage_ends) = (Stage::Stopping, ends));
        let task = self.pod(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Sigterm });
        if ends <= self.now {
            self.gone(slot, trace);
        }
    }

    fn race(&mut self, slot: u32, trace: &mut Trace) {
        let pod = &self.params.pod;
        let name = self.pod(slot).name;
        let longest = self.draw(name, Stream::OpenRequest, 0, &self.settings.timing.open_request);
        let way = way_out(pod.pre_stop_ms, pod.grace_ms);
        let EndpointRace { refused_ms, cut_ms } = endpoint_race(way, pod.propagation_ms, longest);
        if refused_ms + cut_ms > 0 {
            let pod = self.pod(slot).task();
            self.tell(trace, Change::Pod { pod, change: PodChange::Race { refused_ms, cut_ms } });
        }
    }

    /// Nothing is left of the Pod; its room and its share of the quota are free.
    pub(super) fn gone(&mut self, slot: u32, trace: &mut Trace) {
        let pod = *self.pod(slot);
        let reason = pod.stop_reason;
        let task = pod.task();
        if pod.assigned_at != SimTime::NEVER {
            self.assigned -= 1;
        }
        if self.ends_by_kill(slot) {
            self.emit(trace, What::Task { task, change: TaskChange::Sigkill });
        }
        self.change(slot, trace, |pod| {
            (pod.stage, pod.stage_ends, pod.exit_at) = (Stage::Gone(reason), SimTime::NEVER, SimTime::NEVER);
        });
        self.emit(trace, What::Task { task, change: TaskChange::Stopped(reason.code()) });
        self.stamps = self.stamps.wrapping_add(1);
        self.pod_mut(slot).stamp = self.stamps;
        self.free.insert(slot);
        self.dirty = true;
        self.assign(trace);
    }

    /// The grace period is used up now, and the process would still be there.
    fn ends_by_kill(&self, slot: u32) -> bool {
        let pod = self.pod(slot);
        if pod.stage != Stage::Stopping || pod.running_at == SimTime::NEVER || self.settings.timing.gone_after.is_some()
        {
            return false;
        }
        let exit = self.draw(pod.name, Stream::Exit, 0, &self.settings.timing.exit_after_sigterm);
        self.now.since(pod.since) < exit && self.now < pod.exit_at
    }
}
