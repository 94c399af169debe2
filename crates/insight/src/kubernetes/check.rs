//! Before the run: what the controllers do at time 0.

use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::kubernetes::Hold;
use rollscope_engine::trace::{TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_scenario::Resolved;
use rollscope_scenario::limits::Limits;

use crate::verdict::Verdict;

/// What the first passes find and do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// `replicas`, fewest available, most asked for.
    pub limits: Limits,
    /// Pods asked for before the first pass.
    pub asked_before: u32,
    /// Available Pods before the first pass.
    pub available_before: u32,
    /// Pods that the passes of time 0 create.
    pub started: u32,
    /// Pods that they delete.
    pub stopped: u32,
    /// Pods that the API server refuses.
    pub refused: u32,
    /// Pods that no node has room for.
    pub unschedulable: u32,
    /// Why no size changes after them.
    pub hold: Option<Hold>,
    /// In one word.
    pub verdict: Verdict,
}

/// Carries the passes of time 0 out, and looks.
pub fn check(resolved: &Resolved) -> Check {
    let mut trace = Trace::new();
    let mut run = Simulation::new(resolved.settings.clone());
    run.advance_to(SimTime::ZERO, &mut trace);
    let existing = resolved.settings.start.deployments.iter().map(|set| set.healthy).sum();
    let tasks = |wanted: fn(&TaskChange) -> bool| {
        let counts = |record: &&rollscope_engine::trace::Record| matches!(&record.what, What::Task { change, .. } if wanted(change));
        trace.records.iter().filter(counts).count() as u32
    };
    let started = tasks(|change| matches!(change, TaskChange::Created { .. }));
    let stopped = tasks(|change| matches!(change, TaskChange::StopDecided(_)));
    let refused = trace.records.iter().rev().find_map(|record| match record.what {
        What::Kubernetes(Change::Refused { missing, .. }) => Some(missing),
        _ => None,
    });
    let placed_waits = run.placed().and_then(|run| run.controller().wait()).is_some();
    let view = run.workload().map(rollscope_engine::kubernetes::Run::view);
    let hold = view.as_ref().and_then(|view| view.hold);
    let unschedulable = view.map_or(0, |view| view.unassigned);
    let rollout = resolved.settings.start.deploy.is_some() && resolved.limits.desired > 0;
    let verdict = match (rollout, hold) {
        (false, _) => Verdict::NothingToDo,
        // A partition, OnDelete or a Pod that is not available: it has a name.
        _ if placed_waits && started == 0 && stopped == 0 => Verdict::WillWait,
        _ if started == 0 && stopped == 0 && refused.is_none() => Verdict::CannotMove,
        // What was refused or found no node is all there was to begin with, and no old Pod may go.
        _ if started.saturating_sub(unschedulable) == 0 && stopped == 0 => Verdict::WillWait,
        _ => Verdict::CanMove,
    };
    Check {
        limits: resolved.limits,
        asked_before: existing,
        available_before: existing,
        started,
        stopped,
        refused: refused.unwrap_or(0),
        unschedulable,
        hold,
        verdict,
    }
}
