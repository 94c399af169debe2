//! Failures of each service deployment: one account for everybody who names a number.

use rollscope_engine::settings::Settings;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::trace::{FailureVerdict, Record, ServiceId, What};

use crate::failures::{is_failure, is_unwatched_failure};

/// Failures while a service deployment was the newest one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Tally {
    /// Which service deployment.
    pub service: ServiceId,
    /// The revision it rolls out.
    pub revision: u32,
    /// Failures that the breaker counted, of its own tasks and of those of its rollback.
    pub counted: u32,
    /// Failures of any task of the service that it did not count.
    pub not_counted: u32,
}

/// The failures of every service deployment, oldest first.
///
/// Example: "Deployment 1, 2, 3": r8 has 3 counted and 1 not, r9 has 3 counted and 1 not.
pub fn tallies(records: &[Record], services: &[ServiceDeployment], settings: &Settings) -> Vec<Tally> {
    let params = settings.platform.ecs();
    let watched = params.breaker.is_some();
    let new = |s: &ServiceDeployment| Tally { service: s.id, revision: s.revision, counted: 0, not_counted: 0 };
    let mut list: Vec<Tally> = services.iter().map(new).collect();
    // Those that have begun at the record; one begins with its own record.
    let mut begun = 0;
    for record in records {
        let newest = begun.max(1) - 1;
        match record.what {
            What::Service { id, .. } => begun = begun.max(usize::from(id.0) + 1),
            What::Failure(failure) if begun > 0 => {
                let counted = failure.verdict == FailureVerdict::Counted;
                let tally = &mut list[newest];
                tally.counted += u32::from(counted);
                tally.not_counted += u32::from(!counted && is_failure(failure.kind));
            }
            What::Task { change, .. } if !watched && begun > 0 => {
                list[newest].not_counted += u32::from(is_unwatched_failure(change));
            }
            _ => {}
        }
        if begun > list.len() {
            break;
        }
    }
    list
}

/// Counted and not counted, of all of them together.
pub fn total(tallies: &[Tally]) -> (u32, u32) {
    (tallies.iter().map(|tally| tally.counted).sum(), tallies.iter().map(|tally| tally.not_counted).sum())
}
