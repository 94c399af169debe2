//! One pass of the deployment controller: at most one size change, up before down. The caller carries the
//! actions out and asks again until a pass changes nothing.

use alloc::vec::Vec;

use super::conditions::{Because, Conditions, Status, Truth, set};
use super::params::{Params, Strategy};
use super::rules_fence::{ceiling, max_surge, min_available};
use super::rules_history::{OldSet, forgotten, next_revision};
use super::rules_progress::{complete, follow_pause, next_look, refresh, refresh_available, requeue};
use super::rules_proportional::{Scaling, Share, scaling};
use super::rules_rolling::{Shrink, Size, new_size, reconcile_new, reconcile_old, scale_down_budget};
use crate::time::SimTime;

/// Identity of a ReplicaSet for the whole run: the k-th created, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SetId(pub u16);

/// A ReplicaSet as the deployment controller sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetView {
    /// Identity; also the order of creation.
    pub id: SetId,
    /// Its Pod template, by the number people give it.
    pub template: u32,
    /// Annotation `deployment.kubernetes.io/revision`.
    pub revision: u32,
    /// `spec.replicas`
    pub spec: u32,
    /// Annotation `deployment.kubernetes.io/desired-replicas`.
    pub desired: u32,
    /// Annotation `deployment.kubernetes.io/max-replicas`.
    pub max: u32,
    /// `status.replicas`: Pods that are not terminating.
    pub pods: u32,
    /// `status.readyReplicas`
    pub ready: u32,
    /// `status.availableReplicas`
    pub available: u32,
    /// Its last attempt to create a Pod was refused.
    pub refused: bool,
    /// Pods of it that exist, terminating ones included.
    pub physical: u32,
}

/// What a pass sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Observed<'a> {
    /// The moment.
    pub now: SimTime,
    /// ReplicaSets, oldest first.
    pub sets: &'a [SetView],
    /// The Deployment's Pod template.
    pub template: u32,
    /// `status` as last written.
    pub status: Status,
    /// Conditions as last written.
    pub conditions: Conditions,
}

/// Why a ReplicaSet gets another size, with the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SizeReason {
    /// The new one grows into what the ceiling leaves.
    RoomToGrow {
        /// `replicas` + surge.
        ceiling: u32,
        /// Pods asked for before, of all ReplicaSets.
        asked: u32,
        /// `replicas`
        replicas: u32,
    },
    /// The new one has more than `replicas`.
    TooMany {
        /// `replicas`
        replicas: u32,
    },
    /// Old Pods above the floor go.
    AboveFloor {
        /// Pods that could go.
        budget: u32,
        /// Of those that go here, Pods that are not available.
        unhealthy: u32,
        /// Of those that go, available ones.
        healthy: u32,
        /// Available Pods before.
        available: u32,
        /// Fewest available.
        floor: u32,
    },
    /// `replicas` changed (or the Deployment is paused) with one active ReplicaSet: it gets all.
    OnlyActive {
        /// `replicas`
        replicas: u32,
    },
    /// The same with the new one complete: old ones go to 0.
    Saturated,
    /// The same in the middle of a rollout: split by size.
    Proportional {
        /// `replicas` + surge.
        ceiling: u32,
        /// Pods asked for before, of all ReplicaSets.
        asked: u32,
        /// The Deployment is paused.
        paused: bool,
    },
    /// Recreate: every old Pod goes.
    RecreateDown,
    /// Recreate: no old Pod is left.
    RecreateUp {
        /// `replicas`
        replicas: u32,
    },
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A ReplicaSet for the Deployment's template is created.
    Create {
        /// Its size.
        size: u32,
        /// Its revision.
        revision: u32,
        /// Why this size.
        reason: SizeReason,
    },
    /// An existing one becomes the new one: a higher revision.
    Revise {
        /// Which.
        set: SetId,
        /// From here on.
        revision: u32,
    },
    /// Another size.
    Scale {
        /// Which.
        set: SetId,
        /// Pods asked for from here on.
        to: u32,
        /// Why.
        reason: SizeReason,
    },
    /// The annotations follow `replicas` without another size.
    Annotate {
        /// Which.
        set: SetId,
    },
    /// Beyond the history limit: it is deleted.
    Forget {
        /// Which.
        set: SetId,
    },
}

/// Why a pass changes no size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// Everything is as wanted.
    Complete {
        /// `replicas`
        replicas: u32,
    },
    /// The Deployment is paused.
    Paused,
    /// New Pods are not available, and what is asked for is at the ceiling or at `replicas`.
    WaitAvailable {
        /// New Pods that are not available.
        unavailable: u32,
        /// Pods asked for.
        asked: u32,
        /// `replicas` + surge.
        ceiling: u32,
        /// Available Pods.
        available: u32,
        /// Fewest available.
        floor: u32,
    },
    /// Pods are missing because the API server refused to create them.
    Refused {
        /// So many.
        missing: u32,
    },
    /// Recreate: old Pods are still there.
    WaitGone {
        /// So many, terminating ones.
        terminating: u32,
    },
}

/// The result of a pass.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pass {
    /// What to do, in order.
    pub actions: Vec<Action>,
    /// `status` to write.
    pub status: Status,
    /// Conditions to write.
    pub conditions: Conditions,
    /// The next pass comes then at the latest; NEVER without a timer.
    pub look_at: SimTime,
    /// Why no size changed; absent when one did.
    pub hold: Option<Hold>,
}

impl Pass {
    /// It changed something: another pass follows.
    pub fn acted(&self, observed: &Observed<'_>) -> bool {
        !self.actions.is_empty() || self.status != observed.status || self.conditions != observed.conditions
    }
}

/// Pods asked for: the sum of `spec.replicas`.
pub fn asked(sets: &[SetView]) -> u32 {
    sets.iter().map(|set| set.spec).sum()
}

/// The index of the ReplicaSet for a template: the oldest one that has it. `FindNewReplicaSet`.
pub fn find_new(sets: &[SetView], template: u32) -> Option<usize> {
    sets.iter().position(|set| set.template == template)
}

/// `status` from the ReplicaSets. `calculateStatus`.
pub fn status_of(sets: &[SetView], template: u32) -> Status {
    let sum = |f: fn(&SetView) -> u32| sets.iter().map(f).sum();
    let updated = find_new(sets, template).map_or(0, |new| sets[new].pods);
    Status { replicas: sum(|s| s.pods), updated, ready: sum(|s| s.ready), available: sum(|s| s.available) }
}

/// A pass under way.
struct Work<'a> {
    params: &'a Params,
    observed: &'a Observed<'a>,
    /// As observed, with the changes of this pass in `spec`.
    sets: Vec<SetView>,
    new: Option<usize>,
    actions: Vec<Action>,
    conditions: Conditions,
}

/// One pass. `syncDeployment`.
///
/// Example: 4 replicas, 1/0, template changed: a ReplicaSet of 1 is created; the next passes write status
/// and conditions, then nothing changes until its Pod is available.
pub fn reconcile(params: &Params, observed: &Observed<'_>) -> Pass {
    let mut work = Work {
        params,
        observed,
        sets: observed.sets.to_vec(),
        new: find_new(observed.sets, observed.template),
        actions: Vec::new(),
        conditions: observed.conditions,
    };
    follow_pause(&mut work.conditions, params.paused, params.progress_deadline_ms, observed.now);
    let stale = observed.sets.iter().any(|set| set.spec > 0 && set.desired != params.replicas);
    match params.strategy {
        _ if params.paused || stale => work.sync(),
        Strategy::Recreate => work.recreate(),
        Strategy::RollingUpdate { .. } => work.rolling(),
    }
}

impl Work<'_> {
    fn replicas(&self) -> u32 {
        self.params.replicas
    }

    fn ceiling(&self) -> u32 {
        ceiling(self.params.strategy, self.params.replicas)
    }

    fn floor(&self) -> u32 {
        min_available(self.params.strategy, self.params.replicas)
    }

    fn scale(&mut self, index: usize, to: u32, reason: SizeReason) {
        let set = &mut self.sets[index];
        if core::mem::replace(&mut set.spec, to) != to {
            self.actions.push(Action::Scale { set: set.id, to, reason });
        }
    }

    /// The revision of the new ReplicaSet is the highest.
    fn revise(&mut self) {
        let Some(new) = self.new else { return };
        let highest = self.highest_old();
        let set = &mut self.sets[new];
        if set.revision <= highest {
            set.revision = next_revision(Some(set.revision), highest);
            self.actions.push(Action::Revise { set: set.id, revision: set.revision });
        }
        let progressing = &mut self.conditions.progressing;
        if self.params.progress_deadline_ms.is_some() && progressing.is_none() {
            set_condition(progressing, Because::FoundNewReplicaSet, self.observed.now);
        }
    }

    fn highest_old(&self) -> u32 {
        let old = |(i, _): &(usize, &SetView)| Some(*i) != self.new;
        self.sets.iter().enumerate().filter(old).map(|(_, set)| set.revision).max().unwrap_or(0)
    }

    /// `getNewReplicaSet` with creation.
    fn find_or_create(&mut self, size: u32, reason: SizeReason) {
        if self.new.is_some() {
            return self.revise();
        }
        let revision = next_revision(None, self.highest_old());
        self.actions.push(Action::Create { size, revision, reason });
        if self.params.progress_deadline_ms.is_some() {
            set_condition(&mut self.conditions.progressing, Because::NewReplicaSetCreated, self.observed.now);
        }
        let id = SetId(self.sets.last().map_or(0, |set| set.id.0 + 1));
        self.sets.push(SetView {
            id,
            template: self.observed.template,
            revision,
            spec: size,
            desired: self.params.replicas,
            max: self.ceiling(),
            pods: 0,
            ready: 0,
            available: 0,
            refused: false,
            physical: 0,
        });
        self.new = Some(self.sets.len() - 1);
    }

    /// Paused, or `replicas` changed: sizes by proportion, no new ReplicaSet, `Progressing` untouched.
    fn sync(mut self) -> Pass {
        self.revise();
        self.scale_all();
        if self.params.paused {
            self.forget();
        }
        let status = status_of(self.observed.sets, self.observed.template);
        let floor = self.floor();
        refresh_available(&mut self.conditions, status, floor, self.observed.now);
        self.finish(status)
    }

    fn scale_all(&mut self) {
        let share = |set: &SetView| Share {
            spec: set.spec,
            max_replicas: Some(set.max).filter(|max| *max > 0),
            created: u32::from(set.id.0),
        };
        let shares: Vec<Share> = self.sets.iter().map(share).collect();
        let (replicas, surge) = (self.replicas(), max_surge(self.params.strategy, self.replicas()));
        let full = |set: &SetView| set.spec == replicas && set.desired == replicas && set.available == replicas;
        let saturated = self.new.is_some_and(|new| full(&self.sets[new]));
        let rolling = matches!(self.params.strategy, Strategy::RollingUpdate { .. });
        let status = self.observed.status.replicas;
        match scaling(&shares, self.new, (replicas, surge), saturated, rolling, status) {
            Scaling::One(index, size) => self.scale(index, size, SizeReason::OnlyActive { replicas }),
            Scaling::OldToZero => {
                let new = self.new;
                for index in (0..self.sets.len()).filter(|index| Some(*index) != new) {
                    self.scale(index, 0, SizeReason::Saturated);
                }
            }
            Scaling::Proportional(sizes) => {
                let (ceiling, asked) = (self.ceiling(), asked(&self.sets));
                let reason = SizeReason::Proportional { ceiling, asked, paused: self.params.paused };
                for (index, size) in sizes.into_iter().enumerate() {
                    self.scale(index, size, reason);
                }
            }
            Scaling::Nothing => {}
        }
        // Whatever was not written gets its annotations: else the same pass would come again for ever.
        let ceiling = self.ceiling();
        let written = |actions: &[Action], id| {
            actions.iter().any(|action| matches!(action, Action::Scale { set, .. } if *set == id))
        };
        for set in self.sets.iter().filter(|set| set.spec > 0) {
            if (set.desired, set.max) != (replicas, ceiling) && !written(&self.actions, set.id) {
                self.actions.push(Action::Annotate { set: set.id });
            }
        }
    }

    /// `rolloutRolling`
    fn rolling(mut self) -> Pass {
        let (replicas, ceiling, asked_now) = (self.replicas(), self.ceiling(), asked(&self.sets));
        let grows = SizeReason::RoomToGrow { ceiling, asked: asked_now, replicas };
        self.find_or_create(new_size(replicas, ceiling, asked_now, 0), grows);
        let Some(new) = self.new else { return self.end_of_rollout() };
        let spec = self.sets[new].spec;
        let size = reconcile_new(replicas, ceiling, asked(&self.sets), spec);
        if size != spec {
            let reason = if spec > replicas { SizeReason::TooMany { replicas } } else { grows };
            self.scale(new, size, reason);
            return self.end_of_rollout();
        }
        if self.shrink_old(new) {
            return self.end_of_rollout();
        }
        let status = status_of(self.observed.sets, self.observed.template);
        if complete(replicas, status) {
            self.forget();
        }
        self.end_of_rollout()
    }

    fn shrink_old(&mut self, new: usize) -> bool {
        let old: Vec<usize> = (0..self.sets.len()).filter(|i| *i != new).collect();
        let size = |set: &SetView| Size { spec: set.spec, available: set.available };
        let sizes: Vec<Size> = old.iter().map(|i| size(&self.sets[*i])).collect();
        let of_new = size(&self.sets[new]);
        let floor = self.floor();
        let asked_old = sizes.iter().map(|size| size.spec).sum();
        if asked_old == 0 {
            return false;
        }
        let budget = u32::try_from(scale_down_budget(asked_old, of_new, floor)).unwrap_or(0);
        let available = self.sets.iter().map(|set| set.available).sum();
        let Shrink { sizes: after, unhealthy, healthy } = reconcile_old(&sizes, of_new, floor);
        for (index, to) in old.into_iter().zip(after) {
            let reason = SizeReason::AboveFloor { budget, unhealthy, healthy, available, floor };
            self.scale(index, to, reason);
        }
        unhealthy + healthy > 0
    }

    /// `rolloutRecreate`
    fn recreate(mut self) -> Pass {
        self.revise();
        let old: Vec<usize> = (0..self.sets.len()).filter(|i| Some(*i) != self.new).collect();
        if old.iter().any(|i| self.sets[*i].spec > 0) {
            for index in old {
                self.scale(index, 0, SizeReason::RecreateDown);
            }
            return self.end_of_rollout();
        }
        if old.iter().any(|i| self.sets[*i].physical > 0) {
            return self.end_of_rollout();
        }
        let replicas = self.replicas();
        self.find_or_create(replicas, SizeReason::RecreateUp { replicas });
        if let Some(new) = self.new {
            self.scale(new, replicas, SizeReason::RecreateUp { replicas });
        }
        if complete(replicas, status_of(self.observed.sets, self.observed.template)) {
            self.forget();
        }
        self.end_of_rollout()
    }

    /// `syncRolloutStatus`
    fn end_of_rollout(mut self) -> Pass {
        let (now, sets) = (self.observed.now, self.observed.sets);
        let status = status_of(sets, self.observed.template);
        let deadline = self.params.progress_deadline_ms;
        let both = (self.observed.status, status);
        let (replicas, floor) = (self.replicas(), self.floor());
        refresh(&mut self.conditions, both, replicas, floor, deadline, now);
        if sets.iter().any(|set| set.refused) {
            set(&mut self.conditions.replica_failure, Truth::True, Because::FailedCreate, now);
        } else {
            self.conditions.replica_failure = None;
        }
        self.finish(status)
    }

    fn forget(&mut self) {
        let old: Vec<usize> = (0..self.sets.len()).filter(|i| Some(*i) != self.new).collect();
        let view = |i: &usize| {
            let set = &self.sets[*i];
            OldSet { revision: set.revision, spec: set.spec, pods: set.pods }
        };
        let views: Vec<OldSet> = old.iter().map(view).collect();
        for k in forgotten(&views, self.params.revision_history_limit) {
            self.actions.push(Action::Forget { set: self.sets[old[k]].id });
        }
    }

    fn finish(self, status: Status) -> Pass {
        let now = self.observed.now;
        let deadline = self.params.progress_deadline_ms.filter(|_| !self.params.paused);
        let condition = self.conditions.progressing;
        let look_at = next_look(condition, deadline, requeue(condition, deadline, self.replicas(), status, now), now);
        let sized = |action: &Action| matches!(action, Action::Create { .. } | Action::Scale { .. });
        let hold = if self.actions.iter().any(sized) { None } else { Some(self.hold(status)) };
        Pass { actions: self.actions, status, conditions: self.conditions, look_at, hold }
    }

    fn hold(&self, status: Status) -> Hold {
        let (replicas, asked) = (self.replicas(), asked(&self.sets));
        let missing: u32 =
            self.sets.iter().filter(|set| set.refused).map(|set| set.spec.saturating_sub(set.pods)).sum();
        if self.params.paused {
            return Hold::Paused;
        }
        if complete(replicas, status) {
            return Hold::Complete { replicas };
        }
        if missing > 0 {
            return Hold::Refused { missing };
        }
        let old = |(i, _): &(usize, &SetView)| Some(*i) != self.new;
        let leaving: u32 = self.sets.iter().enumerate().filter(old).map(|(_, set)| set.physical).sum();
        if self.params.strategy == Strategy::Recreate && leaving > 0 {
            return Hold::WaitGone { terminating: leaving };
        }
        let unavailable = self.new.map_or(0, |new| self.sets[new].spec.saturating_sub(self.sets[new].available));
        let (ceiling, floor) = (self.ceiling(), self.floor());
        Hold::WaitAvailable { unavailable, asked, ceiling, available: status.available, floor }
    }
}

fn set_condition(slot: &mut Option<super::conditions::Condition>, reason: Because, now: SimTime) {
    set(slot, Truth::True, reason, now);
}
