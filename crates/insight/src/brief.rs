//! How a run ended, in the few figures that every platform has.

use rollscope_engine::SimTime;

use crate::asg;
use crate::kubernetes;
use crate::outcome::{CutOff, OutcomeKind, outcome};
use crate::placed;
use crate::run::RunView;
use crate::vm;

/// The outcome in short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Brief {
    /// In one word.
    pub outcome: OutcomeKind,
    /// What cut it off, when something could still have happened.
    pub cut_off_by: Option<CutOff>,
    /// The newest rollout completed then.
    pub completed_at: Option<SimTime>,
    /// The last change.
    pub last_change_at: SimTime,
    /// Fewest healthy tasks, or available Pods.
    pub lowest_healthy: u32,
    /// Most tasks that count against the ceiling, or Pods that are not terminating.
    pub peak_tasks: u32,
    /// Guards that broke.
    pub broken: usize,
}

/// Of any run.
pub fn brief(run: RunView<'_>) -> Brief {
    match run.end.kubernetes() {
        Some(end) => {
            let found = kubernetes::outcome(run, end);
            Brief {
                outcome: found.outcome,
                cut_off_by: found.cut_off_by,
                completed_at: found.completed_at,
                last_change_at: found.last_change_at,
                lowest_healthy: found.figures.lowest_available,
                peak_tasks: found.figures.peak_counted,
                broken: found.figures.invariants_broken.len(),
            }
        }
        None if let Some(end) = run.end.placed() => {
            let found = placed::outcome(run, end);
            Brief {
                outcome: found.outcome,
                cut_off_by: found.cut_off_by,
                completed_at: found.completed_at,
                last_change_at: found.last_change_at,
                lowest_healthy: found.figures.lowest_available,
                peak_tasks: found.figures.peak_counted,
                broken: found.figures.invariants_broken.len(),
            }
        }
        None if let Some(end) = run.end.asg() => {
            let found = asg::outcome(run, end);
            Brief {
                outcome: found.outcome,
                cut_off_by: found.cut_off_by,
                completed_at: found.completed_at,
                last_change_at: found.last_change_at,
                lowest_healthy: found.figures.lowest_ready,
                peak_tasks: found.figures.peak_counted,
                broken: found.figures.invariants_broken.len(),
            }
        }
        None if let Some(end) = run.end.vm() => {
            let found = vm::outcome(run, end);
            Brief {
                outcome: found.outcome,
                cut_off_by: found.cut_off_by,
                completed_at: found.completed_at,
                last_change_at: found.last_change_at,
                lowest_healthy: found.figures.lowest_healthy,
                peak_tasks: found.figures.peak_counted,
                broken: found.figures.invariants_broken.len(),
            }
        }
        None => {
            let found = outcome(run);
            Brief {
                outcome: found.outcome,
                cut_off_by: found.cut_off_by,
                completed_at: found.completed_at,
                last_change_at: found.last_change_at,
                lowest_healthy: found.figures.lowest_healthy,
                peak_tasks: found.figures.peak_tasks,
                broken: found.figures.invariants_broken.len(),
            }
        }
    }
}
