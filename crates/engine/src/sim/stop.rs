//! The end of a task: drain, SIGTERM, SIGKILL, STOPPED.

use super::Simulation;
use crate::mechanism::instance::{Health, Phase};
use crate::rng::Stream;
use crate::time::SimTime;
use crate::trace::{StopCause, StopReason, TaskChange, Trace, What};

impl Simulation {
    /// `desiredStatus` becomes STOPPED: from here on the task counts for nothing.
    pub(super) fn decide_stop(&mut self, slot: u32, cause: StopCause, trace: &mut Trace) {
        let was_running = self.task(slot).phase == Phase::Running;
        self.leaves_rotation(slot, !matches!(cause, StopCause::User | StopCause::Spot));
        self.leave_active(slot);
        let task = self.task_mut(slot);
        task.stop_reason = StopReason::of(cause);
        task.grace_hides = false;
        task.ready_at = SimTime::NEVER;
        let task = task.task();
        let deployment = self.task(slot).deployment;
        self.emit(trace, What::Task { task, change: TaskChange::StopDecided(cause) });
        self.failure_by_stop(task, deployment, cause, trace);
        let now = self.now;
        if !was_running {
            // No container runs: there is nothing to drain or to signal.
            self.change(slot, |task| {
                task.phase = Phase::Stopping;
                task.phase_ends = now + 1;
                task.exit_at = SimTime::NEVER;
            });
            return;
        }
        let (drain, _) = self.stop_times(slot);
        if drain > 0 && !matches!(cause, StopCause::User | StopCause::Spot) {
            self.change(slot, |task| {
                task.phase = Phase::Draining;
                task.phase_ends = now + drain;
            });
            self.emit(trace, What::Task { task, change: TaskChange::Draining });
        } else {
            self.sigterm(slot, trace);
        }
    }

    /// A task that was in rotation gets no more requests: those that outlast its time are cut off.
    fn leaves_rotation(&mut self, slot: u32, drains: bool) {
        if self.traffic.is_none() || self.task(slot).health != Health::Healthy {
            return;
        }
        let (_, exit) = self.stop_times(slot);
        let revision = self.deployment(self.task(slot).deployment).revision;
        let after = self.time_to_end(drains, exit);
        self.cut_off(revision, after);
    }

    /// Milliseconds of drain, and from SIGTERM to STOPPED.
    ///
    /// A target drains until its last request is done, at most for the deregistration delay; one
    /// that never was in rotation has no request to wait for. Several target groups drain side by
    /// side. Source: Developer Guide, load-balancer-connection-draining.
    fn stop_times(&self, slot: u32) -> (u64, u64) {
        let task = self.task(slot);
        let timing = &self.settings.timing;
        let exit = self.draw(task.name, Stream::Exit, &timing.exit_after_sigterm);
        let exit = exit.min(self.settings.stop_timeout_ms).max(1);
        let groups = &self.settings.target_groups;
        if let Some(gone) = &timing.gone_after {
            let gone = self.draw(task.name, Stream::GoneAfter, gone).max(1);
            let exit = if groups.is_empty() { gone } else { exit.min(gone) };
            return (gone - exit, exit);
        }
        let longest = groups.iter().map(|group| group.deregistration_delay_ms).max().unwrap_or(0);
        let open = if task.ever_healthy { self.draw(task.name, Stream::OpenRequest, &timing.open_request) } else { 0 };
        (longest.min(open), exit)
    }

    pub(super) fn sigterm(&mut self, slot: u32, trace: &mut Trace) {
        let (_, exit) = self.stop_times(slot);
        let wanted = self.draw(self.task(slot).name, Stream::Exit, &self.settings.timing.exit_after_sigterm);
        let killed = self.settings.timing.gone_after.is_none() && wanted > self.settings.stop_timeout_ms;
        let now = self.now;
        self.change(slot, |task| {
            task.phase = Phase::Stopping;
            task.phase_ends = now + exit;
            task.killed = killed;
        });
        let task = self.task(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Sigterm });
    }

    /// STOPPED: the slot is free, its last task stays to be seen until it is used again.
    pub(super) fn stopped(&mut self, slot: u32, trace: &mut Trace) {
        let task = self.task(slot);
        let (reference, deployment, reason) = (task.task(), task.deployment, task.stop_reason);
        let (healing, killed) = (task.healing, task.killed && task.phase == Phase::Stopping);
        if killed && task.phase_ends == self.now {
            self.emit(trace, What::Task { task: reference, change: TaskChange::Sigkill });
        }
        self.leave_pools(slot);
        self.change(slot, |task| {
            task.phase = Phase::Stopped(reason);
            task.phase_ends = SimTime::NEVER;
            task.exit_at = SimTime::NEVER;
            task.wake_at = SimTime::NEVER;
        });
        // Whatever still waits in the queue for this task does not hold any more.
        self.stamps = self.stamps.wrapping_add(1);
        let stamp = self.stamps;
        self.task_mut(slot).stamp = stamp;
        self.free.insert(slot);
        if healing {
            self.deployment_mut(deployment).healing -= 1;
        }
        self.emit(trace, What::Task { task: reference, change: TaskChange::Stopped(reason.code()) });
        self.leave_host(slot, trace);
        self.drop_empty_deployments(trace);
        self.dirty = true;
    }
}
