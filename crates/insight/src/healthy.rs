//! When tasks become healthy and stop being so, read from the records of a run.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::trace::{DeploymentId, TaskChange, What};

use crate::run::RunView;

/// A task that counts for the floor from now on, or does not any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HealthChange {
    /// When.
    pub at: SimTime,
    /// Its deployment.
    pub deployment: DeploymentId,
    /// Its revision number.
    pub revision: u32,
    /// It is healthy from now on.
    pub healthy: bool,
}

/// All of them, in the order of the records; what repeats a task's health is left out.
pub(crate) fn health_changes(run: RunView<'_>) -> impl Iterator<Item = HealthChange> {
    // Of each task: its deployment, and whether it is healthy.
    let mut tasks: Vec<(DeploymentId, bool)> = Vec::new();
    run.records.iter().filter_map(move |record| {
        let What::Task { task, change } = record.what else { return None };
        let now = match change {
            TaskChange::Existing { state, .. } => state == TaskState::Healthy,
            TaskChange::Healthy => true,
            TaskChange::Unhealthy(_)
            | TaskChange::Rechecking
            | TaskChange::StopDecided(_)
            | TaskChange::Stopped(_)
            | TaskChange::Created { .. } => false,
            _ => return None,
        };
        let id = task.id.0 as usize;
        if id >= tasks.len() {
            tasks.resize(id + 1, (DeploymentId(0), false));
        }
        if let TaskChange::Existing { deployment, .. } | TaskChange::Created { deployment, .. } = change {
            tasks[id].0 = deployment;
        }
        if tasks[id].1 == now {
            return None;
        }
        tasks[id].1 = now;
        Some(HealthChange { at: record.at, deployment: tasks[id].0, revision: task.name.revision, healthy: now })
    })
}
