//! Three figures that no ready-made alarm watches once a deployment is over: one has to build them.

use rollscope_engine::SimTime;
use rollscope_engine::trace::{DeploymentId, TaskChange, What};

use super::ledger::Ledger;
use super::waiter::desired_at;
use crate::run::RunView;

/// The three figures at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Gauges {
    /// Desired count minus running tasks of the PRIMARY revision, at least 0.
    pub target_missing: u32,
    /// Tasks of the PRIMARY deployment that were started to make good another one.
    pub target_replacements: u32,
    /// Age of the oldest task of any older revision that is not STOPPED, one that finishes its last
    /// requests included, in milliseconds; one that was there at the start counts from then. Absent
    /// without any.
    pub oldest_source_ms: Option<u64>,
}

/// The figures at `t`.
pub fn gauges(run: RunView<'_>, t: SimTime) -> Gauges {
    let ledger = Ledger::at(run.end.settings(), run.records, t);
    let Some(primary) = ledger.primary() else { return Gauges::default() };
    let target = primary.id;
    // Of each task: its deployment and since when it exists; none once it is STOPPED.
    let mut since: Vec<Option<(DeploymentId, SimTime)>> = Vec::new();
    let mut target_replacements = 0;
    for record in run.records.iter().take_while(|record| record.at <= t) {
        let What::Task { task, change } = record.what else { continue };
        let id = task.id.0 as usize;
        if id >= since.len() {
            since.resize(id + 1, None);
        }
        match change {
            TaskChange::Existing { deployment, .. } => since[id] = Some((deployment, record.at)),
            TaskChange::Created { deployment, replacement, .. } => {
                since[id] = Some((deployment, record.at));
                target_replacements += u32::from(replacement && deployment == target);
            }
            TaskChange::Stopped(_) => since[id] = None,
            _ => {}
        }
    }
    let sources = since.iter().flatten().filter(|(deployment, _)| *deployment != target);
    Gauges {
        target_missing: desired_at(run, t).saturating_sub(primary.running),
        target_replacements,
        oldest_source_ms: sources.map(|(_, at)| t.since(*at)).max(),
    }
}
