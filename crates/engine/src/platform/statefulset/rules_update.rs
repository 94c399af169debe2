//! The update step: which Pods a StatefulSet deletes so that they come back at the new revision.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::ops::Range;

use super::params::OrdinalParams;
use super::reconcile::Ordinals;
use crate::platform::kubernetes::IntOrPercent;

/// `maxUnavailable` as Pods: percentages round down, at least 1; absent: 1.
///
/// Source: pkg/controller/statefulset/stateful_set_utils.go, `getStatefulSetMaxUnavailable`, and KEP-961. (The
/// comment of the API says "rounding up"; the source rounds down.)
///
/// Example: 10% of 25 is 2; 10% of 5 is 1.
pub fn max_unavailable(value: Option<IntOrPercent>, replicas: u32) -> u32 {
    let pods = match value {
        None => 1,
        Some(IntOrPercent::Int(n)) => n,
        Some(IntOrPercent::Percent(percent)) => {
            u32::try_from(u64::from(percent) * u64::from(replicas) / 100).unwrap_or(u32::MAX)
        }
    };
    pods.max(1)
}

/// Pods below `replicas` that a rolling update may cause: 1 while the cluster does not read `maxUnavailable`.
///
/// Example: 3 of 10 is 3 with the gate on and 1 with it off.
pub fn effective_max_unavailable(own: &OrdinalParams, replicas: u32) -> u32 {
    if own.gate { max_unavailable(own.max_unavailable, replicas) } else { 1 }
}

/// The ordinals of a StatefulSet.
///
/// Example: 3 replicas that start at 5: 5, 6 and 7.
pub fn ordinals(first: u32, replicas: u32) -> Range<u32> {
    first..first.saturating_add(replicas)
}

/// The update step. Ordinals that are deleted, in that order: from the highest one down to `partition`.
///
/// With the gate off the highest Pod that is outdated or unavailable decides alone: an outdated one goes, any
/// other one is waited for. With the gate on a budget counts every Pod that is missing, terminating or
/// unavailable, below the partition as well; Parallel replaces outdated Pods that are unavailable anyway
/// without asking the budget.
///
/// Source: stateful_set_control.go, `updateStatefulSet`, and kubernetes pull request 137666.
///
/// Example: 5 replicas, all outdated, Parallel with 3: 0 and 1 are unavailable and go, and with what is left of
/// the budget 4 goes.
pub fn update_step(own: &OrdinalParams, replicas: u32, pods: &Ordinals) -> Vec<u32> {
    let range = ordinals(own.first, replicas);
    let open = own.partition.max(range.start)..range.end;
    if open.is_empty() {
        return Vec::new();
    }
    if !own.gate {
        let outdated = highest(&pods.outdated, &open);
        return outdated.filter(|k| pods.first_down(&open, true).is_none_or(|down| *k >= down)).into_iter().collect();
    }
    let most = max_unavailable(own.max_unavailable, replicas);
    let mut left = most.saturating_sub(pods.down(&range)) as usize;
    let mut gone: Vec<u32> = Vec::new();
    if own.parallel {
        // Unavailable already: to delete it costs nothing.
        gone.extend(pods.unavailable.range(open.clone()).rev().filter(|k| pods.outdated.contains(k)));
        let whole = pods.outdated.range(open).rev().filter(|k| !pods.unavailable.contains(k));
        gone.extend(whole.take(left));
        return gone;
    }
    for k in pods.outdated.range(open).rev() {
        if left == 0 {
            break;
        }
        left -= 1;
        gone.push(*k);
    }
    gone
}

/// The highest member in a range.
pub(super) fn highest(set: &BTreeSet<u32>, range: &Range<u32>) -> Option<u32> {
    set.range(range.clone()).next_back().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(list: &[u32]) -> BTreeSet<u32> {
        list.iter().copied().collect()
    }

    #[test]
    fn percentages_round_down_to_one_at_least() {
        let percent = |p| Some(IntOrPercent::Percent(p));
        for (value, replicas, expected) in [
            (None, 10, 1),
            (Some(IntOrPercent::Int(3)), 10, 3),
            (percent(10), 25, 2),
            (percent(50), 5, 2),
            (percent(10), 5, 1),
            (percent(100), 5, 5),
        ] {
            assert_eq!(max_unavailable(value, replicas), expected, "{value:?} of {replicas}");
            let own = OrdinalParams { max_unavailable: value, ..OrdinalParams::default() };
            assert_eq!(effective_max_unavailable(&own, replicas), 1, "{value:?}: the gate is off");
        }
    }

    #[test]
    fn with_the_gate_off_one_pod_decides() {
        let own = OrdinalParams { partition: 1, ..OrdinalParams::default() };
        for (outdated, unavailable, expected) in [
            (&[0, 1, 2, 3][..], &[][..], &[3][..]),
            // A new Pod above is not available: it is waited for.
            (&[0, 1, 2], &[3], &[]),
            // An outdated Pod goes, available or not.
            (&[0, 1, 2, 3], &[3], &[3]),
            // What is unavailable further down does not matter.
            (&[0, 1, 2], &[1], &[2]),
            // Below the partition nothing goes.
            (&[0], &[], &[]),
        ] {
            let pods = Ordinals { outdated: set(outdated), unavailable: set(unavailable), ..Ordinals::default() };
            assert_eq!(update_step(&own, 4, &pods), expected, "{outdated:?} {unavailable:?}");
        }
    }

    #[test]
    fn a_partition_beyond_the_last_ordinal_updates_nothing() {
        for partition in [4, 9] {
            let own = OrdinalParams { partition, ..OrdinalParams::default() };
            let pods = Ordinals { outdated: set(&[0, 1, 2, 3]), ..Ordinals::default() };
            assert_eq!(update_step(&own, 4, &pods), []);
        }
    }
}
