//! What the guards keep in their own books about deployments, from the records alone.

use alloc::vec::Vec;

use crate::guard::GuardKind;
use crate::settings::RolloutState;
use crate::sim::service_deployment::ServiceStatus;
use crate::trace::{DeploymentChange, DeploymentId, Failure, FailureVerdict, ServiceChange, ServiceId, What};

/// A deployment in the books.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Known {
    id: DeploymentId,
    state: RolloutState,
    /// It has no tasks any more; a rollback may still take it up.
    gone: bool,
    /// Failures counted.
    count: u32,
}

/// A service deployment in the books.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Service {
    id: ServiceId,
    status: ServiceStatus,
    unprotected: bool,
}

/// What a record was judged to be: which guard looked at it, the value, its bound, and whether it
/// holds.
pub(crate) type Judgement = (GuardKind, u64, u64, bool);

/// The books.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub(crate) struct Books {
    deployments: Vec<Known>,
    services: Vec<Service>,
}

impl Books {
    /// A deployment that exists at time 0.
    pub(crate) fn existing(&mut self, id: DeploymentId, state: RolloutState, count: u32) {
        self.deployments.push(Known { id, state, gone: false, count });
    }

    /// The deployment is FAILED.
    pub(crate) fn is_failed(&self, id: DeploymentId) -> bool {
        self.deployments.iter().any(|d| d.id == id && d.state == RolloutState::Failed)
    }

    /// Enters a record that is about deployments.
    pub(crate) fn enter(&mut self, what: &What) -> Option<Judgement> {
        match what {
            What::Deployment { id, change, .. } => self.deployment(*id, *change).map(transition),
            What::Service { id, change } => self.service(*id, change),
            What::Failure(failure) if failure.verdict == FailureVerdict::Counted => Some(self.counted(failure)),
            What::CountReset { deployment, from, .. } => {
                let known = self.find(*deployment)?;
                let right = core::mem::take(&mut known.count) == *from;
                (!right).then_some((GuardKind::FailureCount, u64::from(*from), 0, false))
            }
            _ => None,
        }
    }

    fn find(&mut self, id: DeploymentId) -> Option<&mut Known> {
        self.deployments.iter_mut().rev().find(|d| d.id == id)
    }

    /// Whether the change is a documented one; nothing for changes that any deployment may make.
    fn deployment(&mut self, id: DeploymentId, change: DeploymentChange) -> Option<bool> {
        match change {
            DeploymentChange::Started => {
                let new = self.find(id).is_none();
                self.existing(id, RolloutState::InProgress, 0);
                Some(new)
            }
            DeploymentChange::State(state) => {
                let known = self.find(id)?;
                let before = core::mem::replace(&mut known.state, state);
                if state == RolloutState::Completed {
                    self.deployments.retain(|d| d.id == id || !d.gone);
                }
                Some(before == RolloutState::InProgress && state != RolloutState::InProgress)
            }
            DeploymentChange::RollingBack => {
                let known = self.find(id)?;
                let before = core::mem::replace(&mut known.state, RolloutState::InProgress);
                (known.gone, known.count) = (false, 0);
                Some(before == RolloutState::Completed)
            }
            DeploymentChange::Gone => {
                let completed = |d: &Known| d.state == RolloutState::Completed;
                let newest = self.deployments.iter().filter(|d| completed(d)).map(|d| d.id).max();
                self.find(id)?.gone = true;
                self.deployments.retain(|d| !d.gone || Some(d.id) == newest);
                None
            }
            DeploymentChange::Superseded => None,
        }
    }

    fn candidate(&self, failed: Option<DeploymentId>) -> Option<DeploymentId> {
        let completed = |d: &&Known| d.state == RolloutState::Completed && Some(d.id) != failed;
        self.deployments.iter().filter(completed).map(|d| d.id).max()
    }

    fn service(&mut self, id: ServiceId, change: &ServiceChange) -> Option<Judgement> {
        match change {
            ServiceChange::Began { .. } => {
                let in_order = usize::from(id.0) == self.services.len();
                self.services.push(Service { id, status: ServiceStatus::Pending, unprotected: false });
                Some(transition(in_order))
            }
            ServiceChange::Status { from, to } => {
                let known = self.services.iter_mut().rev().find(|service| service.id == id)?;
                let before = core::mem::replace(&mut known.status, *to);
                Some(transition(before == *from && from.may_become(*to)))
            }
            ServiceChange::ProtectionEnded(_) => {
                let known = self.services.iter_mut().rev().find(|service| service.id == id)?;
                let again = core::mem::replace(&mut known.unprotected, true);
                Some((GuardKind::Protection, u64::from(again), 0, !again))
            }
            ServiceChange::RollsBack { from, to, .. } => {
                let right = self.candidate(Some(*from)) == Some(*to);
                Some((GuardKind::Candidate, u64::from(!right), 0, right))
            }
            ServiceChange::NoCandidate => {
                let right = self.candidate(None).is_none();
                Some((GuardKind::Candidate, u64::from(!right), 0, right))
            }
            _ => None,
        }
    }

    fn counted(&mut self, failure: &Failure) -> Judgement {
        let threshold = failure.threshold;
        let right = self.find(failure.deployment).is_some_and(|known| {
            known.count += 1;
            known.count == failure.count
        });
        let (value, bound) = (u64::from(failure.count), u64::from(threshold));
        (GuardKind::FailureCount, value, bound, right && failure.count <= threshold)
    }
}

fn transition(documented: bool) -> Judgement {
    (GuardKind::Transition, u64::from(!documented), 0, documented)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sim::service_deployment::{FailedBy, ProtectionEnd};
    use crate::trace::What;

    const OLD: DeploymentId = DeploymentId(0);
    const NEW: DeploymentId = DeploymentId(1);

    fn of(id: DeploymentId, change: DeploymentChange) -> What {
        What::Deployment { id, revision: 7, change }
    }

    fn service(change: ServiceChange) -> What {
        What::Service { id: ServiceId(0), change }
    }

    /// The old deployment is COMPLETED, the new one began.
    fn under_way() -> Books {
        let mut books = Books::default();
        books.existing(OLD, RolloutState::Completed, 0);
        books.enter(&of(NEW, DeploymentChange::Started));
        books.enter(&service(ServiceChange::Began { deployment: NEW, revision: 8, sources: 1 }));
        books
    }

    fn holds(books: &mut Books, what: &What) -> Option<bool> {
        books.enter(what).map(|judgement| judgement.3)
    }

    #[test]
    fn transitions_outside_the_tables_are_seen() {
        let status = |from, to| service(ServiceChange::Status { from, to });
        use ServiceStatus::{InProgress, Pending, RollbackFailed, Successful};
        let mut books = under_way();
        assert_eq!(holds(&mut books, &status(Pending, InProgress)), Some(true));
        assert_eq!(holds(&mut books.clone(), &status(InProgress, RollbackFailed)), Some(false));
        assert_eq!(holds(&mut books.clone(), &status(Pending, InProgress)), Some(false), "it is not PENDING any more");
        assert_eq!(holds(&mut books, &status(InProgress, Successful)), Some(true));
        assert_eq!(holds(&mut books, &status(Successful, InProgress)), Some(false));
        let state = DeploymentChange::State;
        assert_eq!(holds(&mut books, &of(OLD, state(RolloutState::Failed))), Some(false));
        assert_eq!(holds(&mut books, &of(NEW, state(RolloutState::Completed))), Some(true));
        assert_eq!(holds(&mut books, &of(NEW, DeploymentChange::RollingBack)), Some(true));
        assert_eq!(holds(&mut books, &of(NEW, DeploymentChange::RollingBack)), Some(false));
    }

    #[test]
    fn only_the_most_recent_completed_deployment_may_come_back() {
        let back = |from, to| service(ServiceChange::RollsBack { by: FailedBy::Breaker, from, to });
        let mut books = under_way();
        assert_eq!(holds(&mut books.clone(), &back(NEW, OLD)), Some(true));
        assert_eq!(holds(&mut books.clone(), &back(OLD, NEW)), Some(false));
        assert_eq!(holds(&mut books.clone(), &service(ServiceChange::NoCandidate)), Some(false));
        // It may be gone; it is forgotten once the new one is COMPLETED.
        assert_eq!(books.enter(&of(OLD, DeploymentChange::Gone)), None);
        assert_eq!(holds(&mut books.clone(), &back(NEW, OLD)), Some(true));
        books.enter(&of(NEW, DeploymentChange::State(RolloutState::Completed)));
        assert_eq!(holds(&mut books, &back(DeploymentId(2), OLD)), Some(false));
    }

    #[test]
    fn protection_ends_once() {
        let ended = service(ServiceChange::ProtectionEnded(ProtectionEnd::Successful));
        let mut books = under_way();
        assert_eq!(holds(&mut books, &ended), Some(true));
        assert_eq!(holds(&mut books, &ended), Some(false));
    }

    #[test]
    fn the_count_goes_up_by_one_and_not_above_the_threshold() {
        let failure = |count, threshold| {
            let kind = crate::platform::ecs::rules_breaker::FailureKind::NeverRan;
            let verdict = FailureVerdict::Counted;
            What::Failure(Failure { task: None, deployment: NEW, kind, verdict, count, threshold })
        };
        for (counts, expected) in [([1, 2], true), ([1, 3], false), ([2, 1], false)] {
            let mut books = under_way();
            let all = counts.iter().all(|count| holds(&mut books, &failure(*count, 2)) == Some(true));
            assert_eq!(all, expected, "{counts:?}");
        }
        let mut books = under_way();
        assert_eq!(holds(&mut books, &failure(1, 1)), Some(true));
        assert_eq!(holds(&mut books, &failure(2, 1)), Some(false), "above the threshold");
        assert!(!books.is_failed(NEW));
        books.enter(&of(NEW, DeploymentChange::State(RolloutState::Failed)));
        assert!(books.is_failed(NEW));
    }
}
