//! The order of decisions in one evaluation.
//!
//! [`reconcile`] sees counts only, as the real controller does, and answers with a plan; the
//! simulation picks the tasks and carries it out. Both limits act at once in every evaluation:
//! what starts here is counted at once, what stops here leaves the healthy set at once.

use alloc::vec::Vec;

use super::params::Params;
use super::rules;
use crate::mechanism::instance::{CLASSES, Class};
use crate::settings::RolloutState;
use crate::time::SimTime;
use crate::trace::{DeploymentId, Reason, Rule, StopCause};

/// A deployment as the controller sees it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Group {
    /// Which.
    pub id: DeploymentId,
    /// Its revision number.
    pub revision: u32,
    /// Where its rollout stands.
    pub state: RolloutState,
    /// Active tasks by class.
    pub active: [u32; CLASSES],
    /// Tasks on their way out.
    pub leaving: u32,
    /// Of these, tasks that stop to make room for their own replacement.
    pub healing: u32,
    /// Tasks lost (exit, failed start, health stop) or owed (scale-out), not yet made good.
    pub lost: u32,
    /// No launch before this moment.
    pub throttled_until: SimTime,
    /// Launch batches that failed in a row.
    pub failed_batches: u32,
}

impl Group {
    /// Active tasks of a class.
    pub const fn n(&self, class: Class) -> u32 {
        self.active[class as usize]
    }
    /// Tasks with `desiredStatus` RUNNING.
    pub fn all(&self) -> u32 {
        self.active.iter().sum()
    }
    /// Not healthy yet.
    pub const fn fresh(&self) -> u32 {
        self.n(Class::Fresh) + self.n(Class::FreshReplacing)
    }
    /// Unhealthy tasks whose replacement is alive: they do not count against the wanted number.
    pub const fn replacing(&self) -> u32 {
        self.n(Class::Covered) + self.n(Class::Relieved)
    }
    /// Tasks that serve or will serve.
    pub const fn useful(&self) -> u32 {
        self.fresh() + self.n(Class::Healthy)
    }
}

/// What the controller can see.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// Now.
    pub now: SimTime,
    /// Latest desired count.
    pub desired: u32,
    /// Fewest healthy.
    pub floor: u32,
    /// Most at once.
    pub ceiling: u32,
    /// Tasks that count against the ceiling.
    pub total: u32,
    /// Tasks not yet STOPPED.
    pub physical: u32,
    /// Places there are; `u32::MAX` for no limit.
    pub places: u32,
    /// Launches the quota allows now.
    pub quota: u32,
    /// When it allows the next one.
    pub quota_next: SimTime,
    /// Deployments that have not gone, oldest first; the last one is the target.
    pub groups: Vec<Group>,
}

/// Something to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Start tasks.
    Start {
        /// Of this deployment.
        of: DeploymentId,
        /// So many.
        count: u32,
        /// Of these, so many make good a lost task.
        replacements: u32,
        /// Each one takes over from an unhealthy task of its group.
        over: bool,
    },
    /// Stop tasks of a class, by zone balance, then the oldest.
    Stop {
        /// Of this deployment.
        of: DeploymentId,
        /// Of this class.
        class: Class,
        /// So many.
        count: u32,
        /// Why.
        cause: StopCause,
        /// They stop to make room for their replacement.
        healing: bool,
    },
    /// Forget lost tasks that nobody needs.
    Forgive {
        /// Of this deployment.
        of: DeploymentId,
    },
    /// The target is COMPLETED.
    Complete,
}

/// What one evaluation decided.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// Decisions with their actions, in order; an action that needs no explanation has none.
    pub actions: Vec<(Action, Option<(Rule, Reason)>)>,
    /// Why nothing is done; set when there are no actions.
    pub hold: Option<Reason>,
    /// Look again at this moment at the latest.
    pub look_at: Option<SimTime>,
}

/// What keeps a launch from happening.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Limit {
    Ceiling,
    Places,
    Quota,
    Throttle(usize),
}

struct Evaluation<'a> {
    params: &'a Params,
    o: Observed,
    target: usize,
    plan: Plan,
    /// Why the last launch was cut short.
    limit: Option<Limit>,
    launched_target: bool,
}

/// One evaluation.
pub fn reconcile(params: &Params, observed: Observed) -> Plan {
    let Some(target) = observed.groups.len().checked_sub(1) else {
        return Plan { hold: Some(Reason::Steady { desired: observed.desired }), ..Plan::default() };
    };
    let mut e = Evaluation { params, o: observed, target, plan: Plan::default(), limit: None, launched_target: false };
    let failed = e.target_group().state == RolloutState::Failed;
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
    if !failed {
        e.source_stop();
    }
    e.target_surplus();
    e.completion();
    if e.plan.actions.is_empty() {
        e.plan.hold = Some(e.hold(failed));
    }
    e.look_again();
    e.plan
}

impl Evaluation<'_> {
    fn target_group(&self) -> &Group {
        &self.o.groups[self.target]
    }

    fn sources(&self) -> &[Group] {
        &self.o.groups[..self.target]
    }

    fn healthy(&self) -> u32 {
        self.o.groups.iter().map(|g| g.n(Class::Healthy)).sum()
    }

    fn decide(&mut self, action: Action, rule: Rule, reason: Reason) {
        self.plan.actions.push((action, Some((rule, reason))));
    }

    /// How many of `want` launches every limit allows; remembers the tightest one.
    fn launches(&mut self, group: usize, want: u32) -> u32 {
        if want == 0 {
            return 0;
        }
        let o = &self.o;
        let throttled = o.groups[group].throttled_until > o.now;
        let limits = [
            (if throttled { 0 } else { u32::MAX }, Limit::Throttle(group)),
            (o.ceiling.saturating_sub(o.total), Limit::Ceiling),
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

    fn start(&mut self, group: usize, count: u32, over: bool, rule: Rule, reason: Reason) {
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

    fn stop(&mut self, group: usize, class: Class, count: u32, cause: StopCause, rule: Rule, reason: Reason) {
        let healing = matches!(reason, Reason::NoRoomStopFirst { .. });
        let of = self.o.groups[group].id;
        let g = &mut self.o.groups[group];
        g.active[class as usize] -= count;
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
            if g.lost == 0 {
                continue;
            }
            let others: u32 = self.sources().iter().map(Group::useful).sum::<u32>() - g.useful();
            let active = g.useful() + g.n(Class::Unhealthy);
            let floor = self.o.floor.saturating_sub(others);
            let keep = rules::keep_source(active, g.lost, floor, healthy_target);
            if keep <= active || g.state == RolloutState::Failed {
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

    fn need(&self) -> u32 {
        let g = self.target_group();
        self.o.desired.saturating_sub(g.all() - g.replacing())
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
        let total = self.o.total;
        let started = self.launches(self.target, need);
        if started > 0 {
            self.launched_target = true;
            let reason = Reason::RoomToStart { ceiling: self.o.ceiling, total, need, started };
            self.start(self.target, started, false, Rule::TargetStart, reason);
        }
    }

    /// Rule 5 for the target: never-healthy tasks stop together; the others are replaced first,
    /// or one by one when there is no room.
    fn unhealthy(&mut self, group: usize, failed: bool) {
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
    }

    /// Start before stop while there is room, else stop one and wait until it is gone.
    fn replace(&mut self, group: usize, bare: u32) {
        let (total, ceiling) = (self.o.total, self.o.ceiling);
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
        let launches_none =
            self.params.readings.legacy_replacement || self.o.groups[group].state == RolloutState::Failed;
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
        let (healthy, floor) = (self.healthy(), self.o.floor);
        let fresh: u32 = self.sources().iter().map(Group::fresh).sum();
        let mut left = rules::source_not_needed(fresh, healthy, floor);
        for group in self.source_order() {
            for class in [Class::Fresh, Class::FreshReplacing] {
                let stopped = left.min(self.o.groups[group].n(class));
                if stopped > 0 {
                    left -= stopped;
                    let reason = Reason::NotNeeded { healthy, floor, stopped };
                    self.stop(group, class, stopped, StopCause::Replaced, Rule::SourceStop, reason);
                }
            }
        }
        for group in self.source_order() {
            let healthy = self.healthy();
            let stopped = rules::source_stop(healthy, floor, self.o.groups[group].n(Class::Healthy));
            if stopped > 0 {
                let reason = Reason::SpareToStop { healthy, floor, stopped };
                self.stop(group, Class::Healthy, stopped, StopCause::Replaced, Rule::SourceStop, reason);
            }
        }
    }

    /// Rule 7: target tasks beyond the desired count stop: not healthy, then unhealthy (with their
    /// replacements, which replace nobody then), then healthy.
    fn target_surplus(&mut self) {
        let desired = self.o.desired;
        for class in [Class::Fresh, Class::Unhealthy, Class::Covered, Class::Fresh, Class::Healthy] {
            let g = self.target_group();
            let active = g.all() - g.replacing();
            let mut stopped = active.saturating_sub(desired).min(g.n(class));
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

    /// Rule 8: all target tasks healthy, nothing of the sources left.
    fn completion(&mut self) {
        let g = self.target_group();
        let desired = self.o.desired;
        let whole = g.n(Class::Healthy) == desired && g.all() == desired;
        let empty = self.sources().iter().all(|s| s.all() + s.leaving == 0) && (desired > 0 || g.leaving == 0);
        if g.state == RolloutState::InProgress && whole && empty {
            self.decide(Action::Complete, Rule::Completion, Reason::Completed { desired });
        }
    }

    fn hold(&self, failed: bool) -> Reason {
        let o = &self.o;
        let (total, ceiling, healthy, floor) = (o.total, o.ceiling, self.healthy(), o.floor);
        let unready: u32 = o.groups.iter().map(Group::fresh).sum();
        let leaving = self.leaving();
        if failed {
            return Reason::DeploymentFailed { revision: self.target_group().revision };
        }
        let need = self.need();
        match self.limit {
            Some(Limit::Throttle(group)) => {
                let g = &o.groups[group];
                return Reason::Throttled { until: g.throttled_until, failed_batches: g.failed_batches };
            }
            Some(Limit::Quota) => return Reason::Quota { until: o.quota_next, need },
            Some(Limit::Places) => return Reason::NoPlaces { physical: o.physical, places: o.places, need },
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
        if self.target > 0 {
            return Reason::CannotMove { total, ceiling, healthy, floor };
        }
        Reason::Steady { desired: o.desired }
    }

    fn look_again(&mut self) {
        let now = self.o.now;
        self.plan.look_at = match self.limit {
            Some(Limit::Throttle(group)) => Some(self.o.groups[group].throttled_until),
            Some(Limit::Quota) if self.o.quota_next > now => Some(self.o.quota_next),
            _ => None,
        };
    }
}
