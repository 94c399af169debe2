//! Before the run: what the group does at time 0.

use rollscope_engine::platform::vm::{Blocked, Hold, Kind};
use rollscope_engine::trace::{TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_scenario::Resolved;
use rollscope_scenario::limits::Limits;

use crate::verdict::Verdict;

/// What the first looks find and do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Size, least available, most at once.
    pub limits: Limits,
    /// Machines before.
    pub before: u32,
    /// Created at time 0.
    pub created: u32,
    /// Taken down at time 0, for good or to come up again.
    pub taken_down: u32,
    /// Why nothing more is done.
    pub hold: Option<Hold>,
    /// Whose rules hold.
    pub kind: Kind,
    /// In one word.
    pub verdict: Verdict,
}

/// Carries the looks of time 0 out. Absent where no group of machines runs.
pub fn check(resolved: &Resolved) -> Option<Check> {
    let mut trace = Trace::new();
    let mut run = Simulation::new(resolved.settings.clone());
    run.advance_to(SimTime::ZERO, &mut trace);
    let view = run.vm()?.view();
    let tasks = |wanted: fn(&TaskChange) -> bool| {
        let fits = |what: &What| matches!(what, What::Task { change, .. } if wanted(change));
        trace.records.iter().filter(|record| fits(&record.what)).count() as u32
    };
    let created = tasks(|change| matches!(change, TaskChange::Created { .. }));
    let taken_down = tasks(|change| matches!(change, TaskChange::StopDecided(_)));
    let moved = created + taken_down > 0;
    let verdict = match view.hold {
        _ if resolved.settings.start.deploy.is_none() || resolved.limits.desired == 0 => Verdict::NothingToDo,
        Some(Hold::Stable { .. }) if !moved => Verdict::NothingToDo,
        Some(Hold::Blocked { by: Blocked::NotAllowed, .. }) if !moved => Verdict::CannotMove,
        Some(Hold::Blocked { .. } | Hold::Opportunistic { .. } | Hold::Over { .. }) if !moved => Verdict::WillWait,
        _ => Verdict::CanMove,
    };
    let before = resolved.settings.start.deployments.iter().map(|model| model.healthy).sum();
    let kind = view.params.kind;
    Some(Check { limits: resolved.limits, before, created, taken_down, hold: view.hold, kind, verdict })
}
