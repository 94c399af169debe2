//! Revisions: their numbers, which one undo takes, which ones are forgotten. Source: kubernetes/kubernetes
//! pkg/controller/deployment/sync.go (`cleanupDeployment`), util/deployment_util.go and
//! staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollback.go.

use alloc::vec::Vec;

use crate::order;

/// An old ReplicaSet as the clean-up sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OldSet {
    /// `deployment.kubernetes.io/revision`
    pub revision: u32,
    /// `spec.replicas`
    pub spec: u32,
    /// `status.replicas`
    pub pods: u32,
}

/// Old ReplicaSets (indices into `old`) that are deleted: of those beyond the limit the ones with the
/// lowest revisions, unless they are still wanted or have Pods; no other one goes in their place.
/// `limit` absent: none go.
///
/// Example: three old ones, limit 1, revision 1 still has Pods: only revision 2 goes.
pub fn forgotten(old: &[OldSet], limit: Option<u32>) -> Vec<usize> {
    let Some(limit) = limit else { return Vec::new() };
    let mut by_revision: Vec<usize> = (0..old.len()).collect();
    order::by_key(&mut by_revision, |i| old[*i].revision);
    by_revision.truncate(old.len().saturating_sub(limit as usize));
    by_revision.retain(|i| old[*i].spec == 0 && old[*i].pods == 0);
    by_revision
}

/// The revision a new or reused ReplicaSet gets: one more than the highest old one, or its own when that is
/// higher already. `SetNewReplicaSetAnnotations`.
///
/// Example: undo from revision 2 to 1: it becomes revision 3.
pub fn next_revision(own: Option<u32>, highest_old: u32) -> u32 {
    own.unwrap_or(0).max(highest_old.saturating_add(1))
}

/// Why an undo does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NoUndo {
    /// "you cannot rollback a paused deployment; resume it first"
    Paused,
    /// "unable to find specified revision in history", or "no rollout history found"
    NotFound,
    /// "skipped rollback (current template already matches revision)"
    SameTemplate,
}

/// The revision that `kubectl rollout undo` takes: the given one, or the second highest.
///
/// Example: revisions 1, 2 and 3: undo takes 2, `--to-revision=1` takes 1.
pub fn undo_to(revisions: &[u32], to: Option<u32>, paused: bool) -> Result<u32, NoUndo> {
    if paused {
        return Err(NoUndo::Paused);
    }
    match to.filter(|to| *to > 0) {
        Some(to) => revisions.contains(&to).then_some(to).ok_or(NoUndo::NotFound),
        None => {
            let highest = revisions.iter().max().ok_or(NoUndo::NotFound)?;
            revisions.iter().filter(|revision| *revision < highest).max().copied().ok_or(NoUndo::NotFound)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_revisions_beyond_the_limit_go_when_they_are_empty() {
        type Row = (&'static [(u32, u32, u32)], Option<u32>, &'static [usize]);
        let rows: &[Row] = &[
            (&[(1, 0, 0), (2, 0, 0), (3, 0, 0)], Some(1), &[0, 1]),
            (&[(1, 0, 0), (2, 0, 1), (3, 1, 0), (4, 1, 1)], Some(0), &[0]),
            (&[(1, 0, 0), (2, 0, 0)], None, &[]),
            (&[(1, 0, 1), (2, 0, 0), (3, 0, 0)], Some(1), &[1]),
            (&[(3, 0, 0), (1, 0, 0), (4, 0, 0), (2, 0, 0)], Some(2), &[1, 3]),
        ];
        for (old, limit, expected) in rows {
            let old: Vec<OldSet> = old
                .iter()
                .map(|(revision, spec, pods)| OldSet { revision: *revision, spec: *spec, pods: *pods })
                .collect();
            assert_eq!(forgotten(&old, *limit), *expected, "{old:?}");
        }
    }

    #[test]
    fn undo_takes_the_second_highest_and_makes_it_the_highest() {
        assert_eq!(undo_to(&[1, 2, 3], None, false), Ok(2));
        assert_eq!(undo_to(&[1, 2, 3], Some(1), false), Ok(1));
        assert_eq!(undo_to(&[2, 3], Some(1), false), Err(NoUndo::NotFound));
        assert_eq!(undo_to(&[3], None, false), Err(NoUndo::NotFound));
        assert_eq!(undo_to(&[1, 2], None, true), Err(NoUndo::Paused));
        assert_eq!((next_revision(Some(1), 2), next_revision(None, 2), next_revision(Some(5), 2)), (3, 3, 5));
    }
}
