//! The order of decisions in one evaluation.
//!
//! [`reconcile`] sees counts only, as the real controller does, and answers with a plan; the
//! simulation picks the tasks and carries it out. Both limits act at once in every evaluation:
//! what starts here is counted at once, what stops here leaves the healthy set at once.

use super::observed::{Action, Group, Observed, Plan, Room};
use super::params::Params;
use super::rules;
use crate::mechanism::instance::Class;
use crate::settings::RolloutState;
use crate::trace::{Reason, Rule, StopCause};

/// What keeps a launch from happening.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    Ceiling,
    Places,
    Quota,
    Throttle(usize),
    Digests,
}

pub(super) struct Evaluation<'a> {
    params: &'a Params,
    pub(super) o: Observed,
    pub(super) target: usize,
    pub(super) plan: Plan,
    /// Why the last launch was cut short.
    pub(super) limit: Option<Limit>,
    launched_target: bool,
}

/// One evaluation.
pub fn reconcile(params: &Params, observed: Observed) -> Plan {
    let Some(target) = observed.groups.len().checked_sub(1) else {
        return Plan { hold: Some(Reason::Steady { desired: observed.desired }), ..Plan::default() };
    };
    let mut e = Evaluation::new(params, observed, target);
    if let Some(action) = e.failure_first() {
        e.plan.actions.push((action, None));
        return e.plan;
    }
    let failed = e.target_group().launches_none();
    if !params.readings.legacy_replacement {
        e.source_repair();
    }
    if !failed {
        e.target_start();
    }
    e.unhealthy(e.target, failed);
    for group in 0..e.target {
        e.unhealthy_source(group);
    }
    e.drained();
    if !failed {
        e.source_stop();
    }
    e.target_surplus();
    e.completion();
    e.rebalance();
    if e.plan.actions.is_empty() {
        e.plan.hold = Some(e.hold(failed));
    }
    e.look_again();
    e.plan
}

impl<'a> Evaluation<'a> {
    pub(super) fn new(params: &'a Params, o: Observed, target: usize) -> Evaluation<'a> {
        Evaluation { params, o, target, plan: Plan::default(), limit: None, launched_target: false }
    }
}

impl Evaluation<'_> {
    /// Rule 2: what fails the target, or brings it nearer to failing, comes before everything else.
    pub(super) fn failure_first(&self) -> Option<Action> {
        let (r, now) = (&self.o.rollout, self.o.now);
        if r.alarm_due.is_some_and(|due| due <= now) {
            return Some(Action::AlarmFails);
        }
        if r.digests.is_some_and(|(_, next)| next <= now) {
            return Some(Action::DigestAttempt);
        }
        if r.cleanup_until.is_some_and(|until| until <= now) {
            let left = self.leftovers();
            return Some(Action::GiveUpCleanup { left });
        }
        None
    }

    /// Source tasks that DEFERRED clean-up still has to stop.
    fn leftovers(&self) -> u32 {
        self.sources().iter().filter(|g| !g.abandoned).map(Group::all).sum()
    }

    pub(super) fn target_group(&self) -> &Group {
        &self.o.groups[self.target]
    }

    fn sources(&self) -> &[Group] {
        &self.o.groups[..self.target]
    }

    fn healthy(&self) -> u32 {
        self.o.groups.iter().map(|g| g.n(Class::Healthy)).sum()
    }

    pub(super) fn decide(&mut self, action: Action, rule: Rule, reason: Reason) {
        self.plan.actions.push((action, Some((rule, reason))));
    }

    /// How many of `want` launches every limit allows; remembers the tightest one.
    pub(super) fn launches(&mut self, group: usize, want: u32) -> u32 {
        if want == 0 {
            return 0;
        }
        let o = &self.o;
        let throttled = o.groups[group].throttled_until > o.now;
        let limits = [
            (if throttled { 0 } else { u32::MAX }, Limit::Throttle(group)),
            (self.room_below_ceiling(group), Limit::Ceiling),
            (o.places.saturating_sub(o.physical), Limit::Places),
            (o.quota, Limit::Quota),
        ];
        let mut allowed = want;
        for (n, limit) in limits {
            if n < allowed {
                allowed = n;
                self.limit = Some(limit);
            }
        }
        allowed
    }

    /// The ceiling bounds all revisions together; while traffic is shifted each one has its own.
    fn room_below_ceiling(&self, group: usize) -> u32 {
        match self.o.shift {
            Some(_) => self.o.groups[group].room_in_set(self.o.desired),
            None => self.o.ceiling.saturating_sub(self.o.total),
        }
    }

    pub(super) fn start(&mut self, group: usize, count: u32, over: bool, rule: Rule, reason: Reason) {
        let of = self.o.groups[group].id;
        let g = &mut self.o.groups[group];
        let replacements = if over { count } else { count.min(g.lost) };
        if over {
            g.active[Class::FreshReplacing as usize] += count;
            g.active[Class::Unhealthy as usize] -= count;
            g.active[Class::Covered as usize] += count;
        } else {
            g.active[Class::Fresh as usize] += count;
            g.lost -= replacements;
        }
        self.o.total += count;
        self.o.physical += count;
        self.o.quota -= count.min(self.o.quota);
        self.decide(Action::Start { of, count, replacements, over }, rule, reason);
    }

    pub(super) fn stop(
        &mut self,
        group: usize,
        class: Class,
        count: u32,
        cause: StopCause,
        rule: Rule,
        reason: Reason,
    ) {
        let healing = matches!(reason, Reason::NoRoomStopFirst { .. });
        let of = self.o.groups[group].id;
        let g = &mut self.o.groups[group];
        g.active[class as usize] -= count;
        // Those that have to leave their instance go first.
        g.displaced = g.displaced.min(g.active[Class::Healthy as usize]);
        g.leaving += count;
        if healing {
            g.healing += count;
        }
        if !self.params.readings.stopping_counts {
            self.o.total -= count;
        }
        self.decide(Action::Stop { of, class, count, cause, healing }, rule, reason);
    }

    /// Rule 3: lost source tasks are made good from their own revision while the floor needs them.
    fn source_repair(&mut self) {
        let healthy_target = self.target_group().n(Class::Healthy);
        for group in (0..self.target).rev() {
            let g = &self.o.groups[group];
            // What has to leave its instance is made good as what is lost.
            let owed = g.lost + g.displaced;
            if owed == 0 {
                continue;
            }
            let others: u32 = self.sources().iter().map(Group::useful).sum::<u32>() - g.useful();
            let active = g.useful() + g.n(Class::Unhealthy);
            let floor = self.o.floor.saturating_sub(others);
            let keep = rules::keep_source(active, owed, floor, healthy_target);
            if keep <= active || g.launches_none() || g.abandoned {
                if g.lost == 0 {
                    continue;
                }
                self.plan.actions.push((Action::Forgive { of: self.o.groups[group].id }, None));
                self.o.groups[group].lost = 0;
                continue;
            }
            let started = self.launches(group, keep - active);
            if started > 0 {
                let reason = Reason::SourceNeeded { floor: self.o.floor, healthy_target, keep, started };
                self.start(group, started, false, Rule::SourceRepair, reason);
            }
        }
    }

    pub(super) fn need(&self) -> u32 {
        let g = self.target_group();
        self.o.desired.saturating_sub(g.all() - g.replacing() - g.displaced)
    }

    fn leaving(&self) -> u32 {
        self.o.groups.iter().map(|g| g.leaving).sum()
    }

    /// Rule 4: missing target tasks start inside the ceiling.
    fn target_start(&mut self) {
        let need = self.need();
        if self.params.readings.start_first && self.target > 0 && self.leaving() > 0 {
            return;
        }
        if self.o.rollout.digests.is_some() {
            self.limit = Some(Limit::Digests);
            return;
        }
        let total = self.o.total;
        let started = self.launches(self.target, need);
        if started == 0 && self.limit == Some(Limit::Places) && self.placement_due() {
            self.plan.actions.push((Action::NoPlace, None));
        }
        if started > 0 {
            self.launched_target = true;
            let ceiling = self.o.ceiling;
            let reason = match self.limit {
                Some(Limit::Places) if self.o.room.real => Reason::StartsInRoom { ceiling, total, need, started },
                _ => Reason::RoomToStart { ceiling, total, need, started },
            };
            self.start(self.target, started, false, Rule::TargetStart, reason);
        }
    }

    /// A launch attempt without a place counts now.
    pub(super) fn placement_due(&self) -> bool {
        self.o.rollout.placement_counts.is_some_and(|from| from <= self.o.now)
    }

    /// Rule 5 for the target: never-healthy tasks stop together; the others are replaced first,
    /// or one by one when there is no room.
    pub(super) fn unhealthy(&mut self, group: usize, failed: bool) {
        self.stop_relieved(group);
        let g = &self.o.groups[group];
        let stopped = g.n(Class::NeverHealthy);
        if stopped > 0 {
            let reason = Reason::NeverHealthy { stopped };
            self.stop(group, Class::NeverHealthy, stopped, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        }
        let bare = self.o.groups[group].n(Class::Unhealthy);
        if bare == 0 {
        } else if failed {
            let reason = Reason::DeploymentFailed { revision: self.o.groups[group].revision };
            self.stop(group, Class::Unhealthy, bare, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        } else {
            self.replace(group, bare);
        }
    }

    fn stop_relieved(&mut self, group: usize) {
        let stopped = self.o.groups[group].n(Class::Relieved);
        if stopped > 0 {
            let reason = Reason::ReplacementHealthy { stopped };
            self.stop(group, Class::Relieved, stopped, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        }
        // More run than are wanted, and none of the two is healthy: grace does not keep both.
        let stopped = self.o.groups[group].n(Class::Outdone);
        if stopped > 0 {
            let reason = Reason::OlderStops { stopped };
            self.stop(group, Class::Outdone, stopped, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
            let g = &mut self.o.groups[group];
            g.active[Class::FreshReplacing as usize] -= stopped;
            g.active[Class::Fresh as usize] += stopped;
        }
    }

    /// Start before stop while there is room, else stop one and wait until it is gone.
    fn replace(&mut self, group: usize, bare: u32) {
        let (total, room) = (self.o.total, self.room_below_ceiling(group));
        let ceiling = if self.o.shift.is_some() { total + room } else { self.o.ceiling };
        let before = self.limit;
        let started = self.launches(group, bare);
        if started > 0 {
            let reason = Reason::ReplacementFirst { total, ceiling, started };
            self.start(group, started, true, Rule::UnhealthyReplacement, reason);
            return;
        }
        let full = matches!(self.limit, Some(Limit::Ceiling | Limit::Places));
        self.limit = before.or(self.limit);
        // Replacements that are on their way come first: 8 of 8 unhealthy at 150 % start 4 and wait.
        let g = &self.o.groups[group];
        if full && g.healing == 0 && g.n(Class::Covered) == 0 {
            let batch = rules::stop_at_ceiling(self.params.readings.unhealthy_batch, total, self.o.desired);
            let stopped = batch.min(bare);
            let reason = Reason::NoRoomStopFirst { total, ceiling, stopped };
            self.stop(group, Class::Unhealthy, stopped, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        }
    }

    /// Rule 5 for a source: an unhealthy task that nobody needs is stopped, not replaced.
    fn unhealthy_source(&mut self, group: usize) {
        self.stop_relieved(group);
        let lack = self.o.floor.saturating_sub(self.target_group().n(Class::Healthy));
        let useful: u32 = self.sources().iter().map(Group::useful).sum();
        let never = self.o.groups[group].n(Class::NeverHealthy);
        if never > 0 {
            let reason = Reason::NeverHealthy { stopped: never };
            self.stop(group, Class::NeverHealthy, never, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        }
        let bare = self.o.groups[group].n(Class::Unhealthy);
        // Before November 2025 only the target replaced what the source lost.
        let launches_none = self.params.readings.legacy_replacement || self.o.groups[group].launches_none();
        let needed = if launches_none { 0 } else { lack.saturating_sub(useful).min(bare) };
        if bare > needed {
            let stopped = bare - needed;
            let reason = Reason::NotNeeded { healthy: self.healthy(), floor: self.o.floor, stopped };
            self.stop(group, Class::Unhealthy, stopped, StopCause::Unhealthy, Rule::UnhealthyReplacement, reason);
        }
        if needed > 0 {
            self.replace(group, needed);
        }
    }

    /// Tasks on instances that are being drained stop above the floor, of sources first.
    /// Source: Developer Guide, container-instance-draining.
    pub(super) fn drained(&mut self) {
        for group in 0..=self.target {
            self.leave_instances(group, self.healthy(), self.o.floor);
        }
    }

    /// Tasks of a group that have to leave their instance stop as far as more than `floor` are healthy.
    pub(super) fn leave_instances(&mut self, group: usize, healthy: u32, floor: u32) {
        let stopped = rules::source_stop(healthy, floor, self.o.groups[group].displaced);
        if stopped > 0 {
            let reason = Reason::InstanceDrains { healthy, floor, stopped };
            self.o.groups[group].displaced -= stopped;
            self.stop(group, Class::Healthy, stopped, StopCause::Draining, Rule::InstanceDrain, reason);
        }
    }

    /// In steady state zones are evened out one task at a time, inside the ceiling.
    /// Source: Developer Guide, service-rebalancing.
    fn rebalance(&mut self) {
        let Some((from, to)) = self.o.room.uneven.filter(|_| self.plan.actions.is_empty()) else { return };
        if self.launches(self.target, 1) == 1 {
            let of = self.target_group().id;
            self.decide(Action::Rebalance { of }, Rule::Rebalance, Reason::Rebalances { from, to });
        }
        self.limit = None;
    }

    /// What source `k` of the order in which sources give up tasks is: superseded ones that never
    /// completed, then the completed ones, oldest first, so that the last good revision goes last.
    fn source_order(&self) -> impl Iterator<Item = usize> + use<> {
        let completed = self.sources().iter().map(|g| g.state == RolloutState::Completed);
        // Few sources exist at once; the order fits into one word without an allocation.
        let proven = completed.take(64).enumerate().fold(0u64, |bits, (i, done)| bits | u64::from(done) << i);
        let (is_proven, n) = (move |i: &usize| *i < 64 && proven >> i & 1 == 1, self.target);
        (0..n).filter(move |i| !is_proven(i)).chain((0..n).filter(is_proven))
    }

    /// Rule 6: source tasks nobody waits for stop, then healthy ones above the floor.
    fn source_stop(&mut self) {
        if self.target == 0 {
            return;
        }
        let lockstep = self.params.readings.start_first;
        if lockstep && (self.launched_target || self.target_group().fresh() > 0) {
            return;
        }
        if self.holds_source() {
            return;
        }
        let (healthy, floor) = (self.healthy(), self.o.floor);
        let fresh: u32 = self.sources().iter().map(Group::fresh).sum();
        let mut left = rules::source_not_needed(fresh, healthy, floor);
        for group in self.source_order() {
            if self.o.groups[group].abandoned {
                continue;
            }
            for class in [Class::Fresh, Class::FreshReplacing] {
                let stopped = left.min(self.o.groups[group].free(class));
                if stopped > 0 {
                    left -= stopped;
                    let reason = Reason::NotNeeded { healthy, floor, stopped };
                    self.stop(group, class, stopped, StopCause::Replaced, Rule::SourceStop, reason);
                }
            }
        }
        for group in self.source_order() {
            if self.o.groups[group].abandoned {
                continue;
            }
            let healthy = self.healthy();
            let stopped = rules::source_stop(healthy, floor, self.o.groups[group].free(Class::Healthy));
            if stopped > 0 {
                let reason = Reason::SpareToStop { healthy, floor, stopped };
                self.stop(group, Class::Healthy, stopped, StopCause::Replaced, Rule::SourceStop, reason);
            }
        }
    }

    /// Rule 7: target tasks beyond the desired count stop: not healthy, then unhealthy (with their
    /// replacements, which replace nobody then), then healthy.
    pub(super) fn target_surplus(&mut self) {
        let desired = self.o.desired + self.o.room.extra;
        for class in [Class::Fresh, Class::Unhealthy, Class::Covered, Class::Fresh, Class::Healthy] {
            let g = self.target_group();
            let active = g.all() - g.replacing() - g.displaced;
            let mut stopped = active.saturating_sub(desired).min(g.free(class));
            if class == Class::Healthy {
                stopped = stopped.min(self.healthy().saturating_sub(self.o.floor));
            }
            if stopped > 0 {
                let reason = Reason::Surplus { active, desired, stopped };
                self.stop(self.target, class, stopped, StopCause::Surplus, Rule::TargetSurplus, reason);
                if class == Class::Covered {
                    let g = &mut self.o.groups[self.target];
                    g.active[Class::FreshReplacing as usize] -= stopped;
                    g.active[Class::Fresh as usize] += stopped;
                }
            }
        }
    }

    /// Early success with the switch `hold_source_until_gate`: no source task stops before the gate
    /// is met, unless new tasks wait for the room it takes.
    fn holds_source(&self) -> bool {
        let r = &self.o.rollout;
        let tight = matches!(self.limit, Some(Limit::Ceiling | Limit::Places));
        self.params.readings.hold_source_until_gate && r.gate.is_some() && !r.gate_met && !tight
    }

    /// Rule 8: all target tasks healthy, nothing of the sources left, the bake time over.
    fn completion(&mut self) {
        let g = self.target_group();
        if g.state != RolloutState::InProgress || g.halted {
            return;
        }
        let desired = self.o.desired;
        let sources_gone = self.sources().iter().all(|s| s.all() + s.leaving == 0);
        if let Some(gate) = self.o.rollout.gate.filter(|_| desired > 0) {
            self.early_success(gate, sources_gone);
            return;
        }
        let whole = g.n(Class::Healthy) == desired && g.all() == desired && g.displaced == 0;
        if !whole || !sources_gone || (desired == 0 && g.leaving > 0) {
            return;
        }
        match self.o.rollout.bake_until {
            None if self.o.rollout.bakes => self.plan.actions.push((Action::BakeBegins, None)),
            Some(until) if until > self.o.now => {}
            _ => self.decide(Action::Complete, Rule::Completion, Reason::Completed { desired }),
        }
    }

    /// Rule 8 with early success: gate, bake time, and in BLOCKING form the clean-up. The gate must
    /// hold at the end; the bake time goes on when it is lost in between.
    fn early_success(&mut self, gate: u32, sources_gone: bool) {
        let (r, healthy) = (self.o.rollout, self.target_group().n(Class::Healthy));
        if healthy < gate {
            return;
        }
        if !r.gate_met {
            self.plan.actions.push((Action::GateMet { healthy, gate }, None));
            return;
        }
        let baked = r.bake_until.is_none_or(|until| until <= self.o.now);
        if baked && (sources_gone || !r.blocking) {
            let left = self.sources().iter().map(|s| s.all() + s.leaving).sum();
            self.decide(Action::Complete, Rule::Completion, Reason::EarlySuccess { healthy, gate, left });
        }
    }

    pub(super) fn hold(&self, failed: bool) -> Reason {
        let o = &self.o;
        let (total, ceiling, healthy, floor) = (o.total, o.ceiling, self.healthy(), o.floor);
        let unready: u32 = o.groups.iter().map(Group::fresh).sum();
        let leaving = self.leaving();
        if failed {
            return Reason::DeploymentFailed { revision: self.target_group().revision };
        }
        let need = self.need();
        if o.room.waiting > 0 {
            let Room { waiting, coming, next, none, .. } = o.room;
            return Reason::WaitInstances { waiting, coming, until: next, none };
        }
        let protected: u32 = self.sources().iter().map(Group::protected).sum();
        if let Some(gate) = o.rollout.gate.filter(|_| self.holds_source() && healthy > floor) {
            return Reason::HoldsSource { healthy: self.target_group().n(Class::Healthy), gate };
        }
        match self.limit {
            Some(Limit::Digests) => {
                let (attempts, until) = o.rollout.digests.unwrap_or((0, o.now));
                return Reason::ResolvesDigests { attempts, until };
            }
            Some(Limit::Throttle(group)) => {
                let g = &o.groups[group];
                return Reason::Throttled { until: g.throttled_until, failed_batches: g.failed_batches };
            }
            Some(Limit::Quota) => return Reason::Quota { until: o.quota_next, need },
            Some(Limit::Places) => return self.no_room(need),
            Some(Limit::Ceiling) if unready + leaving == 0 && protected > 0 => {
                return Reason::Protected { tasks: protected };
            }
            Some(Limit::Ceiling) if unready + leaving == 0 => {
                return Reason::CannotMove { total, ceiling, healthy, floor };
            }
            Some(Limit::Ceiling) => return Reason::BothLimits { total, ceiling, healthy, floor },
            None => {}
        }
        if need > 0 {
            return Reason::Lockstep { unready, stopping: leaving };
        }
        if unready > 0 {
            return Reason::WaitHealthy { unready, healthy, floor };
        }
        if leaving > 0 {
            return Reason::WaitGone { stopping: leaving };
        }
        self.waits(protected).unwrap_or({
            if self.leftovers() > 0 {
                Reason::CannotMove { total, ceiling, healthy, floor }
            } else {
                Reason::Steady { desired: o.desired }
            }
        })
    }

    /// No place for another task: why.
    fn no_room(&self, need: u32) -> Reason {
        let o = &self.o;
        match (o.room.outage, o.room.shortage) {
            (Some(until), _) => Reason::NoCapacity { need, until },
            (None, Some(shortage)) => Reason::NoRoom { need, shortage },
            (None, None) => Reason::NoPlaces { physical: o.physical, places: o.places, need },
        }
    }

    /// What the rollout waits for once no task is on its way.
    fn waits(&self, protected: u32) -> Option<Reason> {
        let (o, g) = (&self.o, self.target_group());
        let baking = o.rollout.bake_until.filter(|until| *until > o.now && g.state == RolloutState::InProgress);
        if let Some(until) = baking {
            return Some(Reason::Baking { until });
        }
        let healthy = g.n(Class::Healthy);
        if let Some(gate) = o.rollout.gate.filter(|gate| o.rollout.gate_met && healthy < *gate) {
            return Some(Reason::GateLost { healthy, gate });
        }
        let abandoned: u32 = self.sources().iter().filter(|g| g.abandoned).map(Group::all).sum();
        if abandoned > 0 {
            return Some(Reason::LeftForGood { tasks: abandoned });
        }
        (protected > 0).then_some(Reason::Protected { tasks: protected })
    }

    pub(super) fn look_again(&mut self) {
        let (o, now) = (&self.o, self.o.now);
        let limit = match self.limit {
            Some(Limit::Throttle(group)) => Some(o.groups[group].throttled_until),
            Some(Limit::Quota) if o.quota_next > now => Some(o.quota_next),
            Some(Limit::Places) => [o.rollout.placement_counts, o.room.outage].into_iter().flatten().min(),
            _ => None,
        };
        let r = &o.rollout;
        let cleanup = r.cleanup_until.filter(|_| self.leftovers() > 0);
        let rest = [r.alarm_due, r.digests.map(|(_, next)| next), r.bake_until, cleanup];
        self.plan.look_at = rest.into_iter().chain([limit]).flatten().filter(|at| *at > now).min();
    }
}
