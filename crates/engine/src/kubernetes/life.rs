//! A Pod up to the decision to delete it: node, image, container, probes, restarts.

use super::Run;
use super::change::{Change, PodChange};
use super::pod::{LIVENESS, Pod, PodWake, READINESS, STARTUP, Stage};
use super::set::ReplicaSet;
use crate::frame::TaskState;
use crate::mechanism::lot::{Lot, NO_ANSWER};
use crate::mechanism::probe::{Answers, Probe, Verdict};
use crate::platform::kubernetes::SetId;
use crate::platform::kubernetes::rules_pod::{crash_back_off, exits_in_a_row, pull_back_off, way_out};
use crate::rng::{self, Stream};
use crate::settings::{Distribution, TaskName};
use crate::time::SimTime;
use crate::trace::{DeploymentId, FailedCheck, InstanceId, StopReason, TaskChange, TaskRef, Trace, What};

impl Run {
    pub(super) fn pod_at(&self, slot: u32) -> Option<&Pod> {
        self.slots.get(slot as usize).and_then(Option::as_ref)
    }

    pub(super) fn pod(&self, slot: u32) -> &Pod {
        self.slots[slot as usize].as_ref().expect("an event names a slot in use")
    }

    pub(super) fn pod_mut(&mut self, slot: u32) -> &mut Pod {
        self.slots[slot as usize].as_mut().expect("an event names a slot in use")
    }

    pub(super) fn set_mut(&mut self, id: SetId) -> Option<&mut ReplicaSet> {
        self.sets.iter_mut().rev().find(|set| set.id == id)
    }

    /// Carries out a change of a Pod; counts, order and records follow.
    pub(super) fn change(&mut self, slot: u32, trace: &mut Trace, f: impl FnOnce(&mut Pod)) {
        let before = *self.pod(slot);
        let pod = self.pod_mut(slot);
        f(pod);
        let after = *pod;
        let (was, is) = (before.shown, after.state());
        if was != is {
            let now = self.now;
            let pod = self.pod_mut(slot);
            (pod.shown, pod.since) = (is, now);
            let lane = usize::from(after.lane);
            self.lanes[lane].step(was, is);
        }
        let ready = |pod: &Pod| pod.counted() && pod.ready_since.is_some();
        if let Some(set) = self.sets.iter_mut().rev().find(|set| set.id == after.set) {
            if was != is {
                set.pods.step(was, is);
            }
            set.ready = set.ready + u32::from(ready(&after)) - u32::from(ready(&before));
            if before.counted() && (!after.counted() || before.rank() != after.rank()) {
                set.order.remove(&(before.rank(), slot));
            }
            if after.counted() {
                set.order.insert((after.rank(), slot));
            }
        }
        let seen = |pod: &Pod| (pod.exists(), pod.counted(), pod.available, pod.ready_since.is_some());
        if seen(&before) != seen(&after) {
            self.track(slot);
        }
        self.dirty |= was != is || ready(&before) != ready(&after);
        let task = after.task();
        let change = match (was, is) {
            (TaskState::Healthy, TaskState::Checking) | (TaskState::Unhealthy, TaskState::Checking) => {
                TaskChange::Rechecking
            }
            (_, TaskState::Healthy) if was != is => TaskChange::Healthy,
            (_, TaskState::Unhealthy) if was != is => TaskChange::Unhealthy(FailedCheck::Platform),
            _ => return,
        };
        self.emit(trace, What::Task { task, change });
    }

    /// Finds what wakes the Pod next and puts it into the queue.
    pub(super) fn reschedule(&mut self, slot: u32) {
        let pod = self.pod(slot);
        let (at, wake) = pod.next_wake(self.turns_by_itself(pod));
        if (at, wake) == (pod.wake_at, pod.wake) {
            return;
        }
        self.stamps = self.stamps.wrapping_add(1);
        let stamp = self.stamps;
        let pod = self.pod_mut(slot);
        (pod.wake_at, pod.wake, pod.stamp) = (at, wake, stamp);
        if at != SimTime::NEVER {
            self.queue.push(at, wake.class(), slot, stamp);
        }
    }

    /// Readiness follows the answers directly: the shortcut `healthy_after` stands in for every probe.
    fn shortcut(&self) -> bool {
        self.settings.timing.healthy_after.is_some()
    }

    fn turns_by_itself(&self, pod: &Pod) -> SimTime {
        match (self.shortcut(), pod.ready_since) {
            (false, _) => SimTime::NEVER,
            (true, None) if self.now >= pod.ready_answers.fail_from => SimTime::NEVER,
            (true, None) => pod.ready_answers.pass_from,
            (true, Some(_)) => pod.ready_answers.fail_from,
        }
    }

    pub(super) fn draw(&self, name: TaskName, stream: Stream, n: u32, distribution: &Distribution) -> u64 {
        distribution.sample(rng::draw(self.settings.seed, stream, name, n))
    }

    pub(super) fn index_of(&self, template: u32) -> usize {
        self.revisions.iter().position(|r| r.number == template).expect("every template has a revision")
    }

    /// A new Pod in the lowest free slot, in the zone with fewest Pods; one with a place of its own is in the slot
    /// and the zone of that place.
    pub(super) fn occupy(&mut self, set: SetId, template: u32, place: Option<u32>) -> u32 {
        let slot = self.seat(place);
        let fewest = || (0..self.zones.len()).min_by_key(|zone| self.zones[*zone]).unwrap_or(0);
        let zone = place.map_or_else(fewest, |place| place as usize % self.zones.len());
        self.zones[zone] += 1;
        let index = self.index_of(template);
        self.starts[index] += 1;
        let id = InstanceId(self.created);
        self.created += 1;
        self.stamps = self.stamps.wrapping_add(1);
        let pod = Pod {
            id,
            slot,
            name: TaskName { revision: template, start: self.starts[index] },
            set,
            lane: index.min(self.lanes.len() - 1) as u8,
            zone: zone as u8,
            lot: Lot::Healthy,
            stage: Stage::Unassigned,
            shown: TaskState::Waiting,
            since: self.now,
            stage_ends: SimTime::NEVER,
            exit_at: SimTime::NEVER,
            created: self.now,
            assigned_at: SimTime::NEVER,
            running_at: SimTime::NEVER,
            restarts: 0,
            exits: 0,
            pull_failed_at: SimTime::NEVER,
            started_up: false,
            killing: false,
            answers: NO_ANSWER,
            ready_answers: NO_ANSWER,
            probes: [Probe::IDLE; 3],
            ready_since: None,
            ever_ready: false,
            available_at: SimTime::NEVER,
            available: false,
            killed: false,
            stop_reason: StopReason::Scheduler,
            stamp: self.stamps,
            wake: PodWake::Stage,
            wake_at: SimTime::NEVER,
        };
        self.lanes[usize::from(pod.lane)].waiting += 1;
        if let Some(set) = self.set_mut(set) {
            set.pods.waiting += 1;
            set.order.insert((pod.rank(), slot));
        }
        self.slots[slot as usize] = Some(pod);
        self.unassigned.insert((id.0, slot));
        self.track(slot);
        slot
    }

    /// A Pod that has run for a while and is available at time 0.
    pub(super) fn already_running(&mut self, slot: u32) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        let mut answers = lot.answers(now, now);
        if answers.pass_from == SimTime::NEVER {
            // It passed until now.
            answers = Answers { pass_from: now, fail_from: now, hangs: answers.hangs };
        }
        let specs = self.specs.clone();
        let shortcut = self.shortcut();
        // What was there before is told by one record.
        self.change(slot, &mut Trace::null(), |pod| {
            (pod.stage, pod.stage_ends) = (Stage::Running, SimTime::NEVER);
            (pod.lot, pod.assigned_at, pod.running_at) = (lot, now, now);
            (pod.answers, pod.ready_answers, pod.started_up) = (answers, answers, true);
            (pod.ready_since, pod.ever_ready, pod.available) = (Some(now), true, true);
            if let Lot::ExitsAfter(after) = lot {
                pod.exit_at = now + after.max(1);
            }
            for which in [READINESS, LIVENESS] {
                if let (Some(spec), false) = (&specs[which], shortcut) {
                    pod.probes[which] = Probe::settled(spec, Verdict::Healthy, now, &answers);
                }
            }
        });
    }

    /// A controller creates a Pod, at a place where Pods have one.
    pub(super) fn create_pod(&mut self, set: SetId, template: u32, place: Option<u32>, trace: &mut Trace) -> TaskRef {
        let slot = self.occupy(set, template, place);
        let pod = self.pod(slot);
        let (task, zone) = (pod.task(), pod.zone);
        let change = TaskChange::Created { deployment: DeploymentId(set.0), zone, replacement: false };
        self.emit(trace, What::Task { task, change });
        if self.assigned >= self.places {
            self.tell(trace, Change::Pod { pod: task, change: PodChange::Unschedulable });
        }
        self.assign(trace);
        task
    }

    /// The scheduler finds nodes for Pods that wait, oldest first.
    pub(super) fn assign(&mut self, trace: &mut Trace) {
        while self.assigned < self.places
            && let Some((_, slot)) = self.unassigned.pop_first()
        {
            self.assigned += 1;
            let name = self.pod(slot).name;
            let (provisioning, _) = self.start_times(name);
            let now = self.now;
            self.change(slot, trace, |pod| {
                (pod.stage, pod.assigned_at, pod.stage_ends) = (Stage::Scheduled, now, now + provisioning);
            });
            let pod = self.pod(slot).task();
            self.tell(trace, Change::Pod { pod, change: PodChange::Scheduled });
            self.reschedule(slot);
        }
    }

    /// Milliseconds from its node to the pull and from there to the first start of the container, which
    /// comes before `healthy_after` where that shortcut is used.
    fn start_times(&self, name: TaskName) -> (u64, u64) {
        let timing = &self.settings.timing;
        let provisioning = self.draw(name, Stream::Provisioning, 0, &timing.provisioning);
        let mut running = provisioning.saturating_add(self.draw(name, Stream::Pull, 0, &timing.pull)).max(1);
        if let Some(ready) = &timing.healthy_after {
            running = running.min(self.draw(name, Stream::HealthyAfter, 0, ready).saturating_sub(1).max(1));
        }
        let provisioning = provisioning.min(running);
        (provisioning, running - provisioning)
    }

    /// The event of the Pod in `slot` is due.
    pub(super) fn wake(&mut self, slot: u32, trace: &mut Trace) {
        let pod = self.pod_mut(slot);
        pod.wake_at = SimTime::NEVER;
        match (pod.wake, pod.stage) {
            (PodWake::Stage, Stage::Scheduled) => self.pull(slot, trace),
            (PodWake::Stage, Stage::Creating | Stage::PullBackOff) => self.pulled(slot, trace),
            (PodWake::Stage, Stage::BackOff) => self.start_container(slot, trace),
            (PodWake::Stage, Stage::Hook) => self.sigterm(slot, trace),
            (PodWake::Stage | PodWake::Exit, Stage::Stopping) | (PodWake::Exit, Stage::Hook) => self.gone(slot, trace),
            (PodWake::Exit, Stage::Running) => self.container_exits(slot, trace),
            (PodWake::Probe(which), Stage::Running) => self.probe_changes(slot, usize::from(which), trace),
            (PodWake::Ready, Stage::Running) => {
                let ready = self.pod(slot).ready_since.is_none();
                self.set_ready(slot, ready, trace);
            }
            (PodWake::Available, Stage::Running) => self.change(slot, trace, |pod| {
                (pod.available, pod.available_at) = (true, SimTime::NEVER);
            }),
            _ => {}
        }
        if self.pod(slot).exists() {
            self.reschedule(slot);
        }
    }

    fn pull(&mut self, slot: u32, trace: &mut Trace) {
        let (_, pull) = self.start_times(self.pod(slot).name);
        let now = self.now;
        self.change(slot, trace, |pod| (pod.stage, pod.stage_ends) = (Stage::Creating, now + pull));
        let task = self.pod(slot).task();
        self.emit(trace, What::Task { task, change: TaskChange::Activating });
    }

    /// The pull has ended, one way or the other. A pull that keeps failing changes nothing, so only a fix
    /// wakes the Pod again ([`Run::pull_again`]).
    fn pulled(&mut self, slot: u32, trace: &mut Trace) {
        let lot = self.draw_lot(slot);
        if !matches!(lot, Lot::NeverRunning(_)) {
            return self.start_container(slot, trace);
        }
        let now = self.now;
        let first = self.pod(slot).pull_failed_at == SimTime::NEVER;
        self.change(slot, trace, |pod| {
            (pod.stage, pod.stage_ends) = (Stage::PullBackOff, SimTime::NEVER);
            pod.pull_failed_at = pod.pull_failed_at.min(now);
        });
        if first {
            let pod = self.pod(slot).task();
            self.tell(trace, Change::Pod { pod, change: PodChange::PullFailed });
        }
    }

    /// The image may be there now: the next attempt of the series finds out.
    pub(super) fn pull_again(&mut self, slot: u32) {
        let now = self.now;
        let pod = self.pod_mut(slot);
        let (mut at, mut failures) = (pod.pull_failed_at, 0);
        while at <= now {
            failures += 1;
            at = at + pull_back_off(failures);
        }
        pod.stage_ends = at;
        self.reschedule(slot);
    }

    fn start_container(&mut self, slot: u32, trace: &mut Trace) {
        let first = self.pod(slot).running_at == SimTime::NEVER;
        self.enter_running(slot, trace);
        let pod = self.pod(slot);
        let (task, restarts) = (pod.task(), pod.restarts);
        if first {
            self.emit(trace, What::Task { task, change: TaskChange::Running });
        } else {
            self.tell(trace, Change::Pod { pod: task, change: PodChange::Restarted { count: restarts } });
        }
        self.begin_probes(slot, trace);
    }

    /// The container runs: how it fares this time.
    fn enter_running(&mut self, slot: u32, trace: &mut Trace) {
        let (now, lot) = (self.now, self.draw_lot(slot));
        let pod = *self.pod(slot);
        let again = pod.running_at != SimTime::NEVER;
        let restarts = pod.restarts + u32::from(again);
        let start_up = self.draw(pod.name, Stream::StartUp, restarts, &self.settings.timing.start_up);
        let mut answers = lot.answers(now, now + start_up);
        if let (Some(ready), false) = (&self.settings.timing.healthy_after, again)
            && answers.pass_from != SimTime::NEVER
        {
            let ready = self.draw(pod.name, Stream::HealthyAfter, 0, ready);
            answers.pass_from = (pod.assigned_at + ready).max(now);
        }
        self.change(slot, trace, |pod| {
            (pod.stage, pod.stage_ends) = (Stage::Running, SimTime::NEVER);
            (pod.lot, pod.running_at, pod.restarts) = (lot, now, restarts);
            (pod.answers, pod.ready_answers, pod.probes) = (answers, answers, [Probe::IDLE; 3]);
            (pod.started_up, pod.killing) = (false, false);
            if let Lot::ExitsAfter(after) = lot {
                pod.exit_at = now + after.max(1);
            }
        });
    }

    fn begin_probes(&mut self, slot: u32, trace: &mut Trace) {
        if self.shortcut() {
            self.pod_mut(slot).started_up = true;
            // A wait of no length is over at once.
            if self.pod(slot).ready_answers.pass_from <= self.now {
                self.set_ready(slot, true, trace);
            }
            return;
        }
        match (&self.specs[STARTUP], self.params.pod.startup) {
            (Some(spec), Some(params)) => {
                let answers = self.pod(slot).answers;
                let probe = Probe::begin(spec, self.now, params.initial_delay_ms, &answers);
                self.pod_mut(slot).probes[STARTUP] = probe;
            }
            _ => self.started_up(slot, trace),
        }
    }

    /// The startup probe has passed, or there is none: the others begin.
    fn started_up(&mut self, slot: u32, trace: &mut Trace) {
        let now = self.now;
        let pod = self.pod_mut(slot);
        pod.started_up = true;
        let (running_at, answers) = (pod.running_at, [pod.answers, pod.ready_answers, pod.answers]);
        let params = [None, self.params.pod.readiness, self.params.pod.liveness];
        for which in [READINESS, LIVENESS] {
            if let (Some(spec), Some(params)) = (&self.specs[which], params[which]) {
                let delay = (running_at + params.initial_delay_ms).since(now);
                let probe = Probe::begin(spec, now, delay, &answers[which]);
                self.pod_mut(slot).probes[which] = probe;
            }
        }
        if self.specs[READINESS].is_none() {
            self.set_ready(slot, true, trace);
        }
    }

    fn probe_changes(&mut self, slot: u32, which: usize, trace: &mut Trace) {
        let Some(spec) = self.specs[which].clone() else { return };
        let pod = self.pod(slot);
        let answers = if which == READINESS { pod.ready_answers } else { pod.answers };
        let mut probe = pod.probes[which];
        probe.change(&spec, &answers);
        self.change(slot, trace, |pod| pod.probes[which] = probe);
        match (which, probe.verdict) {
            (STARTUP, Verdict::Healthy) => {
                let pod = self.pod(slot).task();
                self.pod_mut(slot).probes[STARTUP] = Probe::IDLE;
                self.tell(trace, Change::Pod { pod, change: PodChange::StartedUp });
                self.started_up(slot, trace);
            }
            (READINESS, verdict) => self.set_ready(slot, verdict == Verdict::Healthy, trace),
            (_, Verdict::Unhealthy) => self.kill_container(slot, which, trace),
            _ => {}
        }
    }

    pub(super) fn set_ready(&mut self, slot: u32, ready: bool, trace: &mut Trace) {
        if self.pod(slot).ready_since.is_some() == ready {
            return;
        }
        let (now, wait) = (self.now, self.params.min_ready_ms);
        let pod = self.pod(slot).task();
        let change = if ready { PodChange::Ready } else { PodChange::NotReady };
        self.tell(trace, Change::Pod { pod, change });
        self.change(slot, trace, |pod| {
            pod.ready_since = ready.then_some(now);
            pod.ever_ready |= ready;
            pod.available = ready && wait == 0;
            pod.available_at = if ready && wait > 0 { now + wait } else { SimTime::NEVER };
        });
    }

    /// A probe gave up: the container is killed and starts again.
    fn kill_container(&mut self, slot: u32, which: usize, trace: &mut Trace) {
        let probe = if which == STARTUP { self.params.pod.startup } else { self.params.pod.liveness };
        let grace = probe.and_then(|probe| probe.grace_ms).unwrap_or(self.params.pod.grace_ms);
        let way = way_out(self.params.pod.pre_stop_ms, grace);
        let (name, n) = (self.pod(slot).name, self.pod(slot).restarts + 1);
        let exit = self.draw(name, Stream::Exit, n, &self.settings.timing.exit_after_sigterm);
        let gone = way.sigterm.saturating_add(exit).min(way.sigkill).max(1);
        let now = self.now;
        self.change(slot, trace, |pod| {
            pod.killing = true;
            pod.exit_at = pod.exit_at.min(now + gone);
            pod.probes[STARTUP] = Probe::IDLE;
            pod.probes[LIVENESS] = Probe::IDLE;
        });
        let pod = self.pod(slot).task();
        self.tell(trace, Change::Pod { pod, change: PodChange::Killing { startup: which == STARTUP } });
    }

    /// The container has exited; it starts again after its back-off.
    pub(super) fn container_exits(&mut self, slot: u32, trace: &mut Trace) {
        let now = self.now;
        let pod = self.pod(slot);
        let ran_ms = now.since(pod.running_at);
        let exits = exits_in_a_row(pod.exits, ran_ms);
        let next = now + crash_back_off(exits);
        let task = pod.task();
        if pod.ready_since.is_some() {
            self.tell(trace, Change::Pod { pod: task, change: PodChange::NotReady });
        }
        self.tell(trace, Change::Pod { pod: task, change: PodChange::Exited { ran_ms, next } });
        self.change(slot, trace, |pod| {
            (pod.stage, pod.stage_ends, pod.exit_at) = (Stage::BackOff, next, SimTime::NEVER);
            (pod.ready_since, pod.available, pod.available_at) = (None, false, SimTime::NEVER);
            (pod.exits, pod.probes) = (exits, [Probe::IDLE; 3]);
        });
        if next == now {
            self.start_container(slot, trace);
        }
    }

    /// What its template has in store for the Pod in `slot` at its next start.
    fn draw_lot(&self, slot: u32) -> Lot {
        let pod = self.pod(slot);
        let behaviour = &self.revisions[self.index_of(pod.name.revision)].behaviour;
        Lot::drawn(behaviour, self.settings.seed, pod.name, pod.zone)
    }
}
