//! Before the run: what the group does at time 0.

use rollscope_engine::asg::Change;
use rollscope_engine::platform::asg::{Blocked, Hold, NoObject};
use rollscope_engine::trace::{TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_scenario::Resolved;
use rollscope_scenario::limits::Limits;

use crate::verdict::Verdict;

/// What the first looks find and do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Desired capacity, least ready, most at once.
    pub limits: Limits,
    /// Instances in service before.
    pub before: u32,
    /// Launched at time 0.
    pub launched: u32,
    /// Terminated at time 0.
    pub terminated: u32,
    /// The API refuses the refresh.
    pub refused: Option<NoObject>,
    /// Why nothing more is done.
    pub hold: Option<Hold>,
    /// In one word.
    pub verdict: Verdict,
}

/// Carries the looks of time 0 out.
pub fn check(resolved: &Resolved) -> Check {
    let mut trace = Trace::new();
    let mut run = Simulation::new(resolved.settings.clone());
    run.advance_to(SimTime::ZERO, &mut trace);
    let tasks = |wanted: fn(&TaskChange) -> bool| {
        let fits = |what: &What| matches!(what, What::Task { change, .. } if wanted(change));
        trace.records.iter().filter(|record| fits(&record.what)).count() as u32
    };
    let launched = tasks(|change| matches!(change, TaskChange::Created { .. }));
    let terminated = tasks(|change| matches!(change, TaskChange::StopDecided(_)));
    let refused = trace.records.iter().find_map(|record| match record.what {
        What::Asg(Change::Refused(why)) => Some(why),
        _ => None,
    });
    let hold = run.asg().and_then(|run| run.view().hold);
    let verdict = match hold {
        _ if refused.is_some() => Verdict::NotAccepted,
        _ if resolved.settings.start.deploy.is_none() || resolved.limits.desired == 0 => Verdict::NothingToDo,
        Some(Hold::Rest { .. }) if launched + terminated == 0 => Verdict::NothingToDo,
        Some(Hold::Blocked { by: Blocked::Capacity | Blocked::Launch, .. }) if launched == 0 => Verdict::WillWait,
        Some(Hold::Blocked { .. }) if launched + terminated == 0 => Verdict::WillWait,
        _ => Verdict::CanMove,
    };
    let before = resolved.settings.start.deployments.iter().map(|version| version.healthy).sum();
    Check { limits: resolved.limits, before, launched, terminated, refused, hold, verdict }
}
