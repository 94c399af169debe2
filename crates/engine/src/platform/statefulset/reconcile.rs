//! One pass of the controller of a StatefulSet: create, wait, scale down, update. The caller carries the actions
//! out and asks again until a pass has none.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::params::OrdinalParams;
use super::rules_update::{effective_max_unavailable, highest, ordinals, update_step};

/// Pods by ordinal. One that stays and is available at the update revision stands in no set.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Ordinals {
    /// Ordinals of the set without a Pod.
    pub missing: BTreeSet<u32>,
    /// The Pod is terminating.
    pub terminating: BTreeSet<u32>,
    /// The Pod stays and is not available.
    pub unavailable: BTreeSet<u32>,
    /// The Pod stays and is not of the update revision.
    pub outdated: BTreeSet<u32>,
    /// Pods beyond the last ordinal that stay.
    pub condemned: BTreeSet<u32>,
}

impl Ordinals {
    /// Ordinals in the range whose Pod is missing, terminating or not available.
    pub fn down(&self, range: &Range<u32>) -> u32 {
        let count = |set: &BTreeSet<u32>| set.range(range.clone()).count() as u32;
        count(&self.missing) + count(&self.terminating) + count(&self.unavailable)
    }

    /// The lowest (or highest) such ordinal in the range.
    pub fn first_down(&self, range: &Range<u32>, from_top: bool) -> Option<u32> {
        let sets = [&self.missing, &self.terminating, &self.unavailable];
        if from_top {
            return sets.into_iter().filter_map(|set| highest(set, range)).max();
        }
        sets.into_iter().filter_map(|set| set.range(range.clone()).next().copied()).min()
    }
}

/// Why a Pod is created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CreateReason {
    /// Its ordinal has none: at the update revision.
    Missing,
    /// The same below the partition: at the current revision.
    BelowPartition {
        /// `partition`
        partition: u32,
    },
}

/// Why a Pod is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeleteReason {
    /// Its ordinal lies beyond `replicas`.
    Condemned {
        /// `replicas`
        replicas: u32,
    },
    /// It is of another revision, and its turn.
    Outdated {
        /// Pods that were missing, terminating or not available before this pass.
        unavailable: u32,
        /// So many may be.
        max_unavailable: u32,
    },
    /// It is of another revision and not available: no budget is asked.
    OutdatedAndDown,
}

/// What a pass does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// A Pod for this ordinal.
    Create {
        /// Ordinal.
        ordinal: u32,
        /// At the current revision instead of the update revision.
        current: bool,
        /// Why.
        reason: CreateReason,
    },
    /// The Pod of this ordinal goes.
    Delete {
        /// Ordinal.
        ordinal: u32,
        /// Why.
        reason: DeleteReason,
    },
}

/// What is missing at the Pod that is waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WaitsFor {
    /// It does not exist: to create it was refused.
    Creation,
    /// It is terminating; its name is free once it is gone.
    Termination,
    /// It is not available.
    Availability {
        /// It is not of the update revision either: OrderedReady does not replace it while it is not
        /// available, so another template alone does not help.
        outdated: bool,
    },
}

/// Why a pass does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// Every Pod is as it should be.
    Done,
    /// One Pod holds everything else up.
    Pod {
        /// Ordinal.
        ordinal: u32,
        /// What it lacks.
        lacks: WaitsFor,
    },
    /// As many are unavailable as may be, and none of them is outdated.
    Budget {
        /// Missing, terminating or not available.
        unavailable: u32,
        /// So many may be.
        max_unavailable: u32,
    },
    /// Everything from the partition on is updated; what is below stays as it is, for as long as people want.
    Partition {
        /// `partition`
        partition: u32,
        /// Pods that stay outdated.
        kept: u32,
    },
    /// OnDelete: people delete the Pods.
    OnDelete {
        /// Outdated Pods.
        outdated: u32,
    },
}

/// What a pass comes to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// In this order; empty when it waits.
    pub actions: Vec<Action>,
    /// Why it does nothing; of a pass that acts only what is waited for next.
    pub wait: Option<Wait>,
}

impl Plan {
    fn wait(wait: Wait) -> Plan {
        Plan { actions: Vec::new(), wait: Some(wait) }
    }

    fn act(actions: Vec<Action>) -> Plan {
        Plan { actions, wait: None }
    }
}

/// One pass.
///
/// OrderedReady stops at the first ordinal, from the lowest, that is missing (and creates it), terminating or not
/// available: scaling down and updating come only after that. Parallel creates every missing Pod at once and
/// goes on.
///
/// Source: stateful_set_control.go, `updateStatefulSet`.
///
/// Example: 4 replicas, all outdated: ordinal 3 goes. Once it is gone it is created at the new revision; when it
/// is available, ordinal 2 goes.
pub fn reconcile(own: &OrdinalParams, replicas: u32, pods: &Ordinals) -> Plan {
    let range = ordinals(own.first, replicas);
    if own.parallel {
        let missing: Vec<Action> = pods.missing.range(range.clone()).map(|k| create(own, *k)).collect();
        let condemned = pods.condemned.iter().rev().map(|k| condemned(*k, replicas));
        let actions: Vec<Action> = missing.into_iter().chain(condemned).collect();
        if !actions.is_empty() {
            return Plan::act(actions);
        }
    } else if let Some(first) = pods.first_down(&range, false) {
        return if pods.missing.contains(&first) {
            Plan { actions: Vec::from([create(own, first)]), wait: Some(waits(pods, first)) }
        } else {
            Plan::wait(waits(pods, first))
        };
    } else if let Some(plan) = scale_down(range.end, replicas, pods) {
        return plan;
    }
    if own.on_delete {
        let outdated = pods.outdated.range(range).count() as u32;
        return Plan::wait(if outdated == 0 { still(pods, own, replicas) } else { Wait::OnDelete { outdated } });
    }
    let gone = update_step(own, replicas, pods);
    if gone.is_empty() {
        return Plan::wait(still(pods, own, replicas));
    }
    let unavailable = pods.down(&range);
    let max_unavailable = effective_max_unavailable(own, replicas);
    let reason = |k: u32| {
        if own.gate && own.parallel && pods.unavailable.contains(&k) {
            DeleteReason::OutdatedAndDown
        } else {
            DeleteReason::Outdated { unavailable, max_unavailable }
        }
    };
    Plan::act(gone.into_iter().map(|k| Action::Delete { ordinal: k, reason: reason(k) }).collect())
}

fn create(own: &OrdinalParams, ordinal: u32) -> Action {
    let current = !own.on_delete && ordinal < own.partition;
    let reason =
        if current { CreateReason::BelowPartition { partition: own.partition } } else { CreateReason::Missing };
    Action::Create { ordinal, current, reason }
}

fn condemned(ordinal: u32, replicas: u32) -> Action {
    Action::Delete { ordinal, reason: DeleteReason::Condemned { replicas } }
}

/// What the Pod of this ordinal lacks.
fn waits(pods: &Ordinals, ordinal: u32) -> Wait {
    let lacks = if pods.terminating.contains(&ordinal) {
        WaitsFor::Termination
    } else if pods.missing.contains(&ordinal) {
        WaitsFor::Creation
    } else {
        WaitsFor::Availability { outdated: pods.outdated.contains(&ordinal) }
    };
    Wait::Pod { ordinal, lacks }
}

/// OrderedReady, with every Pod of the set available: the highest ordinal beyond it goes, one at a time. One that
/// is not available goes only when no lower one beyond the set is down as well.
fn scale_down(end: u32, replicas: u32, pods: &Ordinals) -> Option<Plan> {
    if let Some(k) = pods.terminating.range(end..).next_back() {
        return Some(Plan::wait(waits(pods, *k)));
    }
    let highest = *pods.condemned.last()?;
    let down = pods.unavailable.range(end..).next().copied();
    match down {
        Some(lower) if pods.unavailable.contains(&highest) && lower < highest => Some(Plan::wait(waits(pods, lower))),
        _ => Some(Plan::act(Vec::from([condemned(highest, replicas)]))),
    }
}

/// Why the update step deletes nothing.
fn still(pods: &Ordinals, own: &OrdinalParams, replicas: u32) -> Wait {
    let range = ordinals(own.first, replicas);
    let open = own.partition.clamp(range.start, range.end)..range.end;
    let outdated = pods.outdated.range(open.clone()).next().is_some();
    if outdated && own.gate {
        let unavailable = pods.down(&range);
        return Wait::Budget { unavailable, max_unavailable: effective_max_unavailable(own, replicas) };
    }
    if let Some(ordinal) = pods.first_down(&range, true) {
        return waits(pods, ordinal);
    }
    let kept = pods.outdated.range(range.start..open.start).count() as u32;
    if kept > 0 { Wait::Partition { partition: own.partition, kept } } else { Wait::Done }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(list: &[u32]) -> BTreeSet<u32> {
        list.iter().copied().collect()
    }

    fn all_outdated(n: u32) -> Ordinals {
        Ordinals { outdated: (0..n).collect(), ..Ordinals::default() }
    }

    #[test]
    fn the_highest_ordinal_goes_first() {
        let own = OrdinalParams::default();
        let reason = DeleteReason::Outdated { unavailable: 0, max_unavailable: 1 };
        assert_eq!(reconcile(&own, 4, &all_outdated(4)), Plan::act(Vec::from([Action::Delete { ordinal: 3, reason }])));
    }

    #[test]
    fn ordered_ready_stops_at_a_broken_pod_even_when_it_is_outdated() {
        let pods = Ordinals { unavailable: set(&[3]), outdated: set(&[3]), ..Ordinals::default() };
        let lacks = WaitsFor::Availability { outdated: true };
        let own = OrdinalParams::default();
        assert_eq!(reconcile(&own, 4, &pods), Plan::wait(Wait::Pod { ordinal: 3, lacks }));
        // Parallel does not have this trap.
        let parallel = OrdinalParams { parallel: true, ..own };
        assert_eq!(reconcile(&parallel, 4, &pods).actions.len(), 1);
    }

    #[test]
    fn below_the_partition_a_pod_comes_back_at_the_current_revision() {
        let own = OrdinalParams { partition: 2, ..OrdinalParams::default() };
        for (ordinal, current) in [(1, true), (2, false)] {
            let pods = Ordinals { missing: set(&[ordinal]), ..Ordinals::default() };
            let Some(Action::Create { ordinal: k, current: found, .. }) = reconcile(&own, 4, &pods).actions.pop()
            else {
                panic!("ordinal {ordinal} is created");
            };
            assert_eq!((k, found), (ordinal, current));
        }
    }

    #[test]
    fn a_name_is_free_once_its_pod_is_gone() {
        let pods = Ordinals { terminating: set(&[3]), ..Ordinals::default() };
        let wait = Wait::Pod { ordinal: 3, lacks: WaitsFor::Termination };
        assert_eq!(reconcile(&OrdinalParams::default(), 4, &pods), Plan::wait(wait));
    }

    #[test]
    fn scaling_down_goes_one_by_one_from_the_top_and_waits_for_the_rest() {
        let own = OrdinalParams::default();
        let pods = Ordinals { condemned: set(&[2, 3]), ..Ordinals::default() };
        assert_eq!(reconcile(&own, 2, &pods).actions, [condemned(3, 2)]);
        let leaving = Ordinals { condemned: set(&[2]), terminating: set(&[3]), ..Ordinals::default() };
        assert_eq!(reconcile(&own, 2, &leaving).actions, []);
        let blocked = Ordinals { condemned: set(&[2, 3]), unavailable: set(&[0]), ..Ordinals::default() };
        assert_eq!(reconcile(&own, 2, &blocked).actions, []);
        let parallel = OrdinalParams { parallel: true, ..own };
        assert_eq!(reconcile(&parallel, 2, &blocked).actions, [condemned(3, 2), condemned(2, 2)]);
    }

    #[test]
    fn what_is_waited_for_has_a_name() {
        let own = OrdinalParams { partition: 2, ..OrdinalParams::default() };
        let kept = Ordinals { outdated: set(&[0, 1]), ..Ordinals::default() };
        assert_eq!(reconcile(&own, 4, &kept).wait, Some(Wait::Partition { partition: 2, kept: 2 }));
        let on_delete = OrdinalParams { on_delete: true, ..OrdinalParams::default() };
        assert_eq!(reconcile(&on_delete, 4, &all_outdated(4)).wait, Some(Wait::OnDelete { outdated: 4 }));
        let done = Ordinals::default();
        assert_eq!(reconcile(&OrdinalParams::default(), 4, &done).wait, Some(Wait::Done));
        let gate = OrdinalParams { gate: true, parallel: true, ..OrdinalParams::default() };
        let new_down = Ordinals { unavailable: set(&[3]), outdated: set(&[0, 1, 2]), ..Ordinals::default() };
        let budget = Wait::Budget { unavailable: 1, max_unavailable: 1 };
        assert_eq!(reconcile(&gate, 4, &new_down).wait, Some(budget));
    }
}
