//! Proportional scaling: what happens to `replicas` that change in the middle of a rollout, and to a paused
//! Deployment. Source: kubernetes/kubernetes pkg/controller/deployment/sync.go, `scale`.

use alloc::vec::Vec;

use crate::order;

/// A ReplicaSet as scaling sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Share {
    /// `spec.replicas`
    pub spec: u32,
    /// Annotation `deployment.kubernetes.io/max-replicas`; absent or 0 falls back to the Deployment's `status.replicas`.
    pub max_replicas: Option<u32>,
    /// Its place in the order of creation; greater is newer.
    pub created: u32,
}

/// `a / b` rounded to the nearest whole number, halves away from zero; both are positive.
///
/// Example: 5 / 2 is 3.
const fn half_up(a: u64, b: u64) -> u64 {
    (2 * a + b) / (2 * b)
}

/// How much a ReplicaSet would change alone. `getReplicaSetFraction`.
fn fraction(set: &Share, replicas: u32, allowed: u32, status_replicas: u32) -> i64 {
    let spec = i64::from(set.spec);
    if replicas == 0 {
        return -spec;
    }
    match set.max_replicas.filter(|max| *max > 0).unwrap_or(status_replicas) {
        0 => 0,
        base => half_up(u64::from(set.spec) * u64::from(allowed), u64::from(base)) as i64 - spec,
    }
}

/// New sizes of the active ReplicaSets, in the order given. All of them together come to `replicas` +
/// `surge` (0 of 0 replicas), whatever was asked for before; the largest one takes what rounding leaves.
///
/// Source: `scale` and `GetReplicaSetProportion`.
///
/// Example: 10 to 15 with surge 3, new 5 and old 8 with base 13: 18 allowed, 5 to add. Old:
/// 8 x 18 / 13 = 11.08, so +3; new: 5 x 18 / 13 = 6.92, so +2. New 7, old 11.
pub fn proportional(active: &[Share], replicas: u32, surge: u32, status_replicas: u32) -> Vec<u32> {
    let allowed = if replicas == 0 { 0 } else { replicas.saturating_add(surge) };
    let asked: i64 = active.iter().map(|set| i64::from(set.spec)).sum();
    let to_add = i64::from(allowed) - asked;
    let mut sizes: Vec<u32> = active.iter().map(|set| set.spec).collect();
    if to_add == 0 {
        return sizes;
    }
    let mut by_size: Vec<usize> = (0..active.len()).collect();
    // Equal sizes: newest first to add, oldest first to remove.
    order::by_key(&mut by_size, |i| {
        let created = i64::from(active[*i].created);
        (core::cmp::Reverse(active[*i].spec), if to_add > 0 { -created } else { created })
    });
    let mut added = 0;
    for i in &by_size {
        let raw = if added == to_add { 0 } else { fraction(&active[*i], replicas, allowed, status_replicas) };
        let share = if to_add > 0 { raw.min(to_add - added) } else { raw.max(to_add - added) };
        sizes[*i] = to_size(i64::from(active[*i].spec) + share);
        added += share;
    }
    if let Some(first) = by_size.first() {
        sizes[*first] = to_size(i64::from(sizes[*first]) + to_add - added);
    }
    sizes
}

fn to_size(n: i64) -> u32 {
    u32::try_from(n.max(0)).unwrap_or(u32::MAX)
}

/// What scaling does, in the order the controller asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scaling {
    /// One ReplicaSet (an index into those given) gets this size.
    One(usize, u32),
    /// The new one is saturated: every old one goes to 0.
    OldToZero,
    /// Sizes of all of them, in their order.
    Proportional(Vec<u32>),
    /// Nothing to do (Recreate with several active ones).
    Nothing,
}

/// Which of the four cases holds. `sets` is oldest first, `new` an index into it; `saturated` says that the
/// new one's size, its annotation and its available Pods all are `replicas`.
///
/// Source: `scale`, `FindActiveOrLatest`, `IsSaturated`.
///
/// Example: one ReplicaSet of 10 and `replicas` 12: it gets 12, no surge.
pub fn scaling(
    sets: &[Share],
    new: Option<usize>,
    (replicas, surge): (u32, u32),
    saturated: bool,
    rolling: bool,
    status_replicas: u32,
) -> Scaling {
    let mut active = (0..sets.len()).filter(|i| sets[*i].spec > 0);
    match (active.next(), active.next()) {
        (None, _) => match new.or(sets.len().checked_sub(1)) {
            Some(latest) => Scaling::One(latest, replicas),
            None => Scaling::Nothing,
        },
        (Some(only), None) => Scaling::One(only, replicas),
        _ if saturated => Scaling::OldToZero,
        _ if rolling => {
            let active: Vec<usize> = (0..sets.len()).filter(|i| sets[*i].spec > 0).collect();
            let shares: Vec<Share> = active.iter().map(|i| sets[*i]).collect();
            let mut sizes: Vec<u32> = sets.iter().map(|set| set.spec).collect();
            for (i, size) in active.into_iter().zip(proportional(&shares, replicas, surge, status_replicas)) {
                sizes[i] = size;
            }
            Scaling::Proportional(sizes)
        }
        _ => Scaling::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    /// Oldest first; all last scaled for `max`.
    fn sets(specs: &[u32], max: u32) -> Vec<Share> {
        let share =
            |(created, spec): (usize, &u32)| Share { spec: *spec, max_replicas: Some(max), created: created as u32 };
        specs.iter().enumerate().map(share).collect()
    }

    #[test]
    fn extra_replicas_are_split_by_size() {
        for (specs, max, replicas, surge, expected) in [
            (&[3, 2][..], 5, 10, 0, &[6, 4][..]),
            (&[1, 8], 9, 4, 0, &[0, 4]),
            (&[2, 3, 2], 7, 10, 0, &[3, 4, 3]),
            (&[1, 1, 1], 3, 4, 0, &[1, 1, 2]),
            (&[1, 1, 1], 3, 2, 0, &[0, 1, 1]),
            (&[8, 5], 13, 15, 3, &[11, 7]),
            (&[3, 1], 5, 4, 1, &[4, 1]),
            (&[4, 2], 6, 8, 2, &[7, 3]),
        ] {
            assert_eq!(proportional(&sets(specs, max), replicas, surge, 0), expected, "{specs:?}");
        }
    }

    #[test]
    fn one_or_none_active_needs_no_proportion() {
        assert_eq!(scaling(&sets(&[10], 10), None, (12, 3), false, true, 10), Scaling::One(0, 12));
        assert_eq!(scaling(&sets(&[0, 0, 0], 0), Some(2), (6, 0), false, true, 0), Scaling::One(2, 6));
        assert_eq!(scaling(&sets(&[0, 0], 0), None, (6, 0), false, true, 0), Scaling::One(1, 6));
        assert_eq!(scaling(&[], None, (6, 0), false, true, 0), Scaling::Nothing);
        assert_eq!(scaling(&sets(&[1, 2], 3), Some(1), (2, 1), true, true, 0), Scaling::OldToZero);
        assert_eq!(scaling(&sets(&[1, 2], 3), Some(1), (2, 1), false, false, 0), Scaling::Nothing);
        let all = Scaling::Proportional(vec![0, 6, 4]);
        assert_eq!(scaling(&sets(&[0, 3, 2], 5), Some(2), (10, 0), false, true, 0), all);
    }

    #[test]
    fn without_an_annotation_the_status_is_the_base() {
        let bare = |spec, created| Share { spec, max_replicas: None, created };
        assert_eq!(proportional(&[bare(3, 0), bare(2, 1)], 10, 0, 5), [6, 4]);
        assert_eq!(proportional(&[bare(3, 0), bare(2, 1)], 10, 0, 0), [8, 2], "no base: all goes to the largest");
    }
}
