//! The life of one task, for its tooltip and its card: what it does from when to when, why it was
//! started, why it was picked to stop.

use rollscope_engine::SimTime;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{
    Decision, DeploymentId, InstanceId, Reason, Record, Rule, StopCause, StopCode, StopReason, TaskChange, What,
};

use crate::run::RunView;

/// The whole life of a task, as far as the run is computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Story {
    /// Which.
    pub id: InstanceId,
    /// `8·3`
    pub name: TaskName,
    /// The slot it keeps, from 0.
    pub slot: u32,
    /// Zone, 0 to 2.
    pub zone: u8,
    /// Its deployment.
    pub deployment: DeploymentId,
    /// Why it was started; absent for a task that was there at time 0.
    pub started: Option<Reason>,
    /// What it did, ascending in time, without a gap.
    pub spans: Vec<Span>,
    /// How its stop was decided; absent while it was not, and for a task that stopped by itself.
    pub stop: Option<Stop>,
    /// Its stop code once it is STOPPED.
    pub code: Option<StopCode>,
    /// It was killed because it did not exit in time.
    pub killed: bool,
}

/// What a task did for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// What.
    pub state: TaskState,
    /// Since when.
    pub from: SimTime,
    /// Until when; absent for the last one, which goes on (STOPPED for good).
    pub to: Option<SimTime>,
}

/// The decision to stop a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// When.
    pub at: SimTime,
    /// Who wanted it.
    pub cause: StopCause,
    /// Why, with the numbers; absent when a person did it, or before the run.
    pub reason: Option<Reason>,
}

impl Story {
    /// What it does at `t`; absent before it was created.
    pub fn at(&self, t: SimTime) -> Option<Span> {
        let index = self.spans.partition_point(|span| span.from <= t).checked_sub(1)?;
        Some(self.spans[index])
    }

    /// What it does next after `t`; absent when nothing changes any more.
    pub fn next(&self, t: SimTime) -> Option<Span> {
        self.spans.get(self.spans.partition_point(|span| span.from <= t)).copied()
    }

    fn goes_on(&mut self, at: SimTime, state: TaskState) {
        match self.spans.last_mut() {
            // Several changes of one moment: the last one is what it does.
            Some(last) if last.from == at => last.state = state,
            Some(last) => {
                last.to = Some(at);
                self.spans.push(Span { state, from: at, to: None });
            }
            None => self.spans.push(Span { state, from: at, to: None }),
        }
    }
}

/// The life of a task; absent for one that the run does not know.
pub fn story(run: RunView<'_>, id: InstanceId) -> Option<Story> {
    let mut story: Option<Story> = None;
    for (index, record) in run.records.iter().enumerate() {
        let What::Task { task, change } = record.what else { continue };
        if task.id != id {
            continue;
        }
        match (&mut story, change) {
            (None, TaskChange::Existing { deployment, zone, .. } | TaskChange::Created { deployment, zone, .. }) => {
                let started =
                    matches!(change, TaskChange::Created { .. }).then(|| decision(run.records, index, STARTS));
                let begun = Story {
                    id,
                    name: task.name,
                    slot: task.slot,
                    zone,
                    deployment,
                    started: started.flatten(),
                    spans: Vec::new(),
                    stop: None,
                    code: None,
                    killed: false,
                };
                let state = match change {
                    TaskChange::Existing { state, .. } => state,
                    _ => TaskState::Waiting,
                };
                story.insert(begun).goes_on(record.at, state);
            }
            (Some(story), change) => tell(story, run.records, index, change),
            (None, _) => return None,
        }
    }
    story
}

fn tell(story: &mut Story, records: &[Record], index: usize, change: TaskChange) {
    let at = records[index].at;
    let state = match change {
        TaskChange::Existing { .. }
        | TaskChange::Created { .. }
        | TaskChange::Placed { .. }
        | TaskChange::UnhealthyInGrace
        | TaskChange::Protected { .. }
        | TaskChange::Unprotected => return,
        TaskChange::Sigkill => {
            story.killed = true;
            return;
        }
        TaskChange::Activating => TaskState::Starting,
        TaskChange::Running | TaskChange::Rechecking => TaskState::Checking,
        TaskChange::Healthy => TaskState::Healthy,
        TaskChange::Unhealthy(_) => TaskState::Unhealthy,
        TaskChange::StopDecided(cause) => {
            let before_the_run = index.checked_sub(1).is_some_and(|before| {
                matches!(records[before].what, What::Task { task, change: TaskChange::Existing { .. } } if task.id == story.id)
                    && at == SimTime::ZERO
            });
            let known = cause.by_scheduler() && !before_the_run;
            let reason = if known { decision(records, index, STOPS) } else { None };
            story.stop = Some(Stop { at, cause, reason });
            TaskState::Stopping
        }
        TaskChange::Draining => TaskState::Draining,
        TaskChange::Sigterm => TaskState::Stopping,
        TaskChange::Stopped(code) => {
            story.code = Some(code);
            StopReason::told(code, story.stop.map(|stop| stop.cause)).state()
        }
    };
    story.goes_on(at, state);
}

/// Rules that start tasks.
const STARTS: [Rule; 3] = [Rule::SourceRepair, Rule::TargetStart, Rule::UnhealthyReplacement];
/// Rules that stop tasks.
const STOPS: [Rule; 3] = [Rule::UnhealthyReplacement, Rule::SourceStop, Rule::TargetSurplus];

/// The decision that the record at `index` carries out: a decision is recorded right after the
/// tasks it is about, at the same moment.
fn decision(records: &[Record], index: usize, rules: [Rule; 3]) -> Option<Reason> {
    let at = records[index].at;
    let later = records[index..].iter().take_while(|record| record.at == at);
    later
        .filter_map(|record| match record.what {
            What::Decision(Decision { rule, reason, .. }) if rules.contains(&rule) => Some(reason),
            _ => None,
        })
        .next()
}

/// The task people call `8·3`; absent for one that the run does not know.
pub fn find(run: RunView<'_>, name: TaskName) -> Option<InstanceId> {
    run.records.iter().find_map(|record| match record.what {
        What::Task { task, change: TaskChange::Existing { .. } | TaskChange::Created { .. } } if task.name == name => {
            Some(task.id)
        }
        _ => None,
    })
}
