//! Rows of `--events`: one a task, one a decision.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{Decision, DeploymentId, Failure, FailureVerdict, StopCode, TaskChange, What};

use crate::run::RunView;

/// The life of one task. A moment that did not come is absent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskRow {
    /// `8·3`
    pub name: TaskName,
    /// Its deployment.
    pub deployment: DeploymentId,
    /// The slot it kept, from 0.
    pub slot: u32,
    /// Zone, 0 to 2.
    pub zone: u8,
    /// PROVISIONING began; absent for a task that was there at time 0.
    pub created: Option<SimTime>,
    /// What it did at time 0; absent for one that was created later.
    pub existing: Option<TaskState>,
    /// It got its place on an instance; absent where tasks run on none.
    pub placed: Option<SimTime>,
    /// ACTIVATING: the pull began.
    pub activating: Option<SimTime>,
    /// The grace period hid a failed check for the first time.
    pub grace_from: Option<SimTime>,
    /// RUNNING.
    pub running: Option<SimTime>,
    /// It counted for the floor for the first time.
    pub first_healthy: Option<SimTime>,
    /// A check failed for the first time, outside the grace period.
    pub unhealthy: Option<SimTime>,
    /// `desiredStatus` became STOPPED.
    pub stop_decided: Option<SimTime>,
    /// SIGTERM.
    pub sigterm: Option<SimTime>,
    /// SIGKILL.
    pub sigkill: Option<SimTime>,
    /// STOPPED.
    pub stopped: Option<SimTime>,
    /// `stopCode`
    pub stop_code: Option<StopCode>,
    /// The circuit breaker counted its failure, or looked at it and did not; absent when there was
    /// nothing to look at, or no breaker.
    pub counted: Option<bool>,
}

/// A decision with its moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DecisionRow {
    /// When.
    pub at: SimTime,
    /// What and why.
    pub decision: Decision,
}

/// All tasks in the order they came to be.
pub fn tasks(run: RunView<'_>) -> Vec<TaskRow> {
    let mut rows: Vec<TaskRow> = Vec::new();
    for record in run.records {
        if let What::Failure(Failure { task: Some(task), verdict, .. }) = record.what
            && let Some(row) = rows.get_mut(task.id.0 as usize)
        {
            // A check inside the grace period may come before the failure that counts.
            row.counted = Some(row.counted == Some(true) || verdict == FailureVerdict::Counted);
        }
        let What::Task { task, change } = record.what else { continue };
        let at = record.at;
        if let TaskChange::Existing { deployment, zone, .. } | TaskChange::Created { deployment, zone, .. } = change {
            let created = matches!(change, TaskChange::Created { .. }).then_some(at);
            let existing = match change {
                TaskChange::Existing { state, .. } => Some(state),
                _ => None,
            };
            rows.push(TaskRow {
                name: task.name,
                deployment,
                slot: task.slot,
                zone,
                created,
                existing,
                placed: None,
                activating: None,
                grace_from: None,
                running: None,
                first_healthy: None,
                unhealthy: None,
                stop_decided: None,
                sigterm: None,
                sigkill: None,
                stopped: None,
                stop_code: None,
                counted: None,
            });
            continue;
        }
        // Tasks are numbered in the order they came to be, which is the order of the rows.
        if let Some(row) = rows.get_mut(task.id.0 as usize) {
            note(row, change, at);
        }
    }
    rows
}

fn note(row: &mut TaskRow, change: TaskChange, at: SimTime) {
    let moment = match change {
        TaskChange::Placed { .. } => &mut row.placed,
        TaskChange::Activating => &mut row.activating,
        TaskChange::UnhealthyInGrace => &mut row.grace_from,
        TaskChange::Running => &mut row.running,
        TaskChange::Healthy => &mut row.first_healthy,
        TaskChange::Unhealthy(_) => &mut row.unhealthy,
        TaskChange::StopDecided(_) => &mut row.stop_decided,
        TaskChange::Sigterm => &mut row.sigterm,
        TaskChange::Sigkill => &mut row.sigkill,
        TaskChange::Stopped(code) => {
            row.stop_code = Some(code);
            &mut row.stopped
        }
        _ => return,
    };
    moment.get_or_insert(at);
}

/// All decisions, in order.
pub fn decisions(run: RunView<'_>) -> Vec<DecisionRow> {
    let row = |record: &rollscope_engine::trace::Record| match record.what {
        What::Decision(decision) => Some(DecisionRow { at: record.at, decision }),
        _ => None,
    };
    run.records.iter().filter_map(row).collect()
}
