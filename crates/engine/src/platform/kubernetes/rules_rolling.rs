//! Sizes of ReplicaSets in a rolling update. Source of all of it: kubernetes/kubernetes
//! pkg/controller/deployment/rolling.go and util/deployment_util.go.

use alloc::vec::Vec;

/// A ReplicaSet as these rules see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    /// Pods asked for: `spec.replicas`.
    pub spec: u32,
    /// Pods that are available: `status.availableReplicas`.
    pub available: u32,
}

/// The size a new ReplicaSet grows to: what the ceiling leaves over all that is *asked for*, and not beyond
/// `replicas`. Terminating Pods are not asked for and take no room. `NewRSNewReplicas`, RollingUpdate.
///
/// Example: 10 replicas, ceiling 12, old 10, new 0: it grows to 2.
pub fn new_size(replicas: u32, ceiling: u32, asked: u32, new_spec: u32) -> u32 {
    if asked >= ceiling {
        return new_spec;
    }
    new_spec + (ceiling - asked).min(replicas.saturating_sub(new_spec))
}

/// The size `reconcileNewReplicaSet` gives the new ReplicaSet; the same size for nothing to do.
///
/// Example: 10 replicas and 11 new Pods: shrinks to 10, whatever the ceiling.
pub fn reconcile_new(replicas: u32, ceiling: u32, asked: u32, new_spec: u32) -> u32 {
    if new_spec > replicas { replicas } else { new_size(replicas, ceiling, asked, new_spec) }
}

/// What `reconcileOldReplicaSets` decided.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shrink {
    /// New size of each old ReplicaSet, oldest first.
    pub sizes: Vec<u32>,
    /// Removed Pods that were not available.
    pub unhealthy: u32,
    /// Removed Pods that were available.
    pub healthy: u32,
}

/// Pods that old ReplicaSets may lose: all that is asked for, less the floor, less new Pods that are not
/// available yet. At most 0: nothing goes.
///
/// Example: 10 replicas, floor 8, old 8, new 5 of which none is available: 13 - 8 - 5 = 0.
pub fn scale_down_budget(old_spec: u32, new: Size, min_available: u32) -> i64 {
    i64::from(old_spec) + i64::from(new.available.min(new.spec)) - i64::from(min_available)
}

/// Old Pods that are not available go first, oldest ReplicaSet first, as far as the budget reaches; no
/// replacement needs to be ready for them. `cleanupUnhealthyReplicas`.
///
/// Example: old 10 of which 8 are available, at most 1: one goes.
pub fn clean_up_unhealthy(old: &[Size], most: u32) -> (Vec<u32>, u32) {
    let mut removed = 0;
    let mut sizes = Vec::with_capacity(old.len());
    for set in old {
        let here = set.spec.saturating_sub(set.available).min(most - removed);
        sizes.push(set.spec - here);
        removed += here;
    }
    (sizes, removed)
}

/// Then available Pods above the floor, oldest ReplicaSet first.
/// `scaleDownOldReplicaSetsForRollingUpdate`; `available` counts old and new ones.
///
/// Example: floor 9, 10 available, old 10: one goes.
pub fn scale_down_healthy(old: &[u32], available: u32, min_available: u32) -> (Vec<u32>, u32) {
    let mut left = available.saturating_sub(min_available);
    let mut removed = 0;
    let mut sizes = Vec::with_capacity(old.len());
    for spec in old {
        let here = (*spec).min(left);
        sizes.push(spec - here);
        left -= here;
        removed += here;
    }
    (sizes, removed)
}

/// Both steps. `old` is oldest first.
///
/// Example: 10 replicas, 3/2, old 4 (2 available) and 6 (6), new 3 (3): the budget is 13 - 8 = 5; two
/// unavailable ones go, then 11 - 8 = 3 available ones: 0 and 5 remain.
pub fn reconcile_old(old: &[Size], new: Size, min_available: u32) -> Shrink {
    let spec: Vec<u32> = old.iter().map(|set| set.spec).collect();
    let budget = scale_down_budget(spec.iter().sum(), new, min_available);
    let Ok(budget) = u32::try_from(budget) else { return Shrink { sizes: spec, ..Shrink::default() } };
    if budget == 0 {
        return Shrink { sizes: spec, ..Shrink::default() };
    }
    let (sizes, unhealthy) = clean_up_unhealthy(old, budget);
    let available = old.iter().map(|set| set.available).sum::<u32>() + new.available;
    let (sizes, healthy) = scale_down_healthy(&sizes, available, min_available);
    Shrink { sizes, unhealthy, healthy }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    fn size((spec, available): (u32, u32)) -> Size {
        Size { spec, available }
    }

    #[test]
    fn the_new_one_grows_into_what_is_left_and_shrinks_to_replicas() {
        for (replicas, ceiling, asked, new, expected) in
            [(6, 16, 5, 2, 6), (10, 10, 10, 0, 0), (10, 12, 10, 0, 2), (10, 12, 13, 11, 10), (10, 12, 13, 3, 3)]
        {
            assert_eq!(reconcile_new(replicas, ceiling, asked, new), expected);
        }
    }

    #[test]
    fn unavailable_old_pods_go_before_available_ones() {
        type Row = (u32, &'static [(u32, u32)], (u32, u32), &'static [u32], u32, u32);
        let rows: &[Row] = &[
            (9, &[(10, 10)], (0, 0), &[9], 0, 1),
            (8, &[(10, 8)], (0, 0), &[8], 2, 0),
            (8, &[(8, 8)], (2, 0), &[8], 0, 0),
            (8, &[(4, 2), (6, 6)], (3, 3), &[0, 5], 2, 3),
            (4, &[(4, 0)], (1, 0), &[4], 0, 0),
        ];
        for (floor, old, new, sizes, unhealthy, healthy) in rows {
            let old: Vec<Size> = old.iter().copied().map(size).collect();
            let found = reconcile_old(&old, size(*new), *floor);
            let expected = Shrink { sizes: sizes.to_vec(), unhealthy: *unhealthy, healthy: *healthy };
            assert_eq!(found, expected, "{old:?} {new:?}");
        }
    }

    #[test]
    fn each_step_alone() {
        assert_eq!(clean_up_unhealthy(&[size((10, 8))], 1), (vec![9], 1));
        assert_eq!(clean_up_unhealthy(&[size((10, 8))], 0), (vec![10], 0));
        assert_eq!(scale_down_healthy(&[10], 8, 8), (vec![10], 0));
        assert_eq!(scale_down_healthy(&[0], 10, 8), (vec![0], 0));
    }
}
