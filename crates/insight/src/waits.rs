//! What a moment waits for: the next events of the run that have a consequence.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::settings::{RolloutState, TaskName};
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::trace::{
    Decision, DeploymentChange, HostChange, Reason, Record, Rule, ServiceChange, StopCause, StopCode, TaskChange,
    TaskRef, Weights, What,
};

use crate::instant::failing;

/// Some tasks of one instant: the first of them and how many there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tasks {
    /// The first one.
    pub first: TaskName,
    /// How many, 1 and up.
    pub count: u32,
}

/// A coming event with its consequence, as the run has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait {
    /// When.
    pub at: SimTime,
    /// What happens then.
    pub cause: WaitCause,
    /// Tasks that become healthy at the same moment, where stops follow from them and starts from `cause`.
    pub healthy: Option<Tasks>,
    /// Tasks that start because of it.
    pub starts: Option<Tasks>,
    /// The one task that starts takes the slot of the one that is gone.
    pub same_slot: bool,
    /// Tasks that are picked to stop because of it.
    pub stops: Option<Tasks>,
    /// What becomes of the traffic because of it.
    pub shift: Option<WaitShift>,
    /// What the rollout comes to because of it.
    pub ends: Option<WaitEnd>,
}

/// What becomes of traffic that is shifted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitShift {
    /// The new revision, the first number, has so many thousandths of the production traffic from then on; and
    /// whether the bake time begins.
    Moves(u32, u16, bool),
    /// The test listener sends its traffic to this new revision.
    Tests(u32),
    /// The bake time begins.
    Bakes,
    /// A pause, the hook with this id, waits for an answer.
    Pauses(u32),
}

/// What a rollout comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitEnd {
    /// It is done.
    Done,
    /// The last good revision, this one, is back.
    Back(u32),
    /// It fails, and this revision is brought back.
    FailsBack(u32),
    /// It fails and stays failed.
    FailsForGood,
}

/// What happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitCause {
    /// These tasks are STOPPED: their slots and places are free.
    Gone(Tasks),
    /// These tasks failed to start or exited: they are STOPPED as well.
    Failed(Tasks),
    /// These tasks count for the floor.
    Healthy(Tasks),
    /// These tasks fail their checks.
    Unhealthy(Tasks),
    /// These tasks are not protected from scale-in any more.
    Unprotected(Tasks),
    /// Room for this many tasks from then on.
    Places(u32),
    /// This instance registers.
    Instance(u32),
    /// The launch quota allows the next start.
    Quota,
    /// The pause after failed starts is over.
    Pause,
    /// The act with this index in the acts of the run.
    Act(u32),
    /// Target tracking sets this desired count.
    Scaled(u32),
    /// Fargate has capacity again.
    Capacity,
    /// The alarm with this index in the settings fired, and ECS has looked at it.
    Alarm(u32),
    /// The bake time is over.
    Baked,
    /// The wait after a shift of traffic is over.
    Stepped,
    /// The load balancer has shifted the traffic.
    Shifted,
    /// This stage has lasted as long as any may.
    Limit(Stage),
    /// The hook with this id has ended.
    Hook(u32, HookStatus),
    /// Nothing but the moment itself.
    Time,
}

/// What one instant of the run holds.
#[derive(Default)]
struct Instant {
    gone: Option<(Tasks, TaskRef)>,
    /// Of the gone ones those that failed.
    failed: Option<Tasks>,
    healthy: Option<Tasks>,
    unhealthy: Option<Tasks>,
    /// Those whose check fails inside the grace period, which is seldom of any consequence.
    in_grace: Option<Tasks>,
    unprotected: Option<Tasks>,
    places: Option<u32>,
    instance: Option<u32>,
    act: Option<u32>,
    scaled: Option<u32>,
    starts: Option<(Tasks, TaskRef)>,
    stops: Option<Tasks>,
    /// Of these, so many are stopped because they fail their checks.
    ill: u32,
    alarm: Option<u32>,
    hook: Option<(u32, HookStatus)>,
    limit: Option<Stage>,
    pauses: Option<u32>,
    weights: Option<Weights>,
    stage: Option<Stage>,
    fails: bool,
    ends: Option<WaitEnd>,
}

fn add(tasks: &mut Option<Tasks>, task: &TaskRef) {
    tasks.get_or_insert(Tasks { first: task.name, count: 0 }).count += 1;
}

fn of_revision(tasks: Tasks, task: &TaskRef) -> bool {
    tasks.first.revision == task.name.revision
}

fn add_ref(tasks: &mut Option<(Tasks, TaskRef)>, task: &TaskRef) {
    tasks.get_or_insert((Tasks { first: task.name, count: 0 }, *task)).0.count += 1;
}

impl Instant {
    fn of(records: &[Record]) -> Instant {
        let (mut instant, mut completed) = (Instant::default(), 0);
        for record in records {
            match record.what {
                What::Task { task, change } => match change {
                    TaskChange::Stopped(code) => {
                        add_ref(&mut instant.gone, &task);
                        if matches!(code, StopCode::TaskFailedToStart | StopCode::EssentialContainerExited) {
                            add(&mut instant.failed, &task);
                        }
                    }
                    // Those of one revision: "7·5 and 1 more" is read as two of r7.
                    TaskChange::Healthy if instant.healthy.is_none_or(|tasks| of_revision(tasks, &task)) => {
                        add(&mut instant.healthy, &task);
                    }
                    TaskChange::Unhealthy(_) => add(&mut instant.unhealthy, &task),
                    TaskChange::UnhealthyInGrace => add(&mut instant.in_grace, &task),
                    TaskChange::Unprotected => add(&mut instant.unprotected, &task),
                    TaskChange::Created { .. } => add_ref(&mut instant.starts, &task),
                    TaskChange::StopDecided(cause) => {
                        add(&mut instant.stops, &task);
                        instant.ill += u32::from(cause == StopCause::Unhealthy);
                    }
                    _ => {}
                },
                What::Places { places } => instant.places = Some(places),
                What::Host { host, change: HostChange::Arrived } => instant.instance = Some(host),
                What::Act { index, effective: true } => instant.act = Some(index),
                What::Scaled { to, .. } => instant.scaled = Some(to),
                What::Decision(decision) => instant.decide(&decision),
                What::Deployment { revision, change: DeploymentChange::State(RolloutState::Completed), .. } => {
                    completed = revision;
                }
                What::Service { change, .. } => instant.serve(change, completed),
                _ => {}
            }
        }
        instant
    }

    fn serve(&mut self, change: ServiceChange, completed: u32) {
        match change {
            ServiceChange::Status { to: ServiceStatus::Successful, .. } => self.ends = Some(WaitEnd::Done),
            ServiceChange::Status { to: ServiceStatus::RollbackSuccessful, .. } => {
                self.ends.get_or_insert(WaitEnd::Back(completed));
            }
            ServiceChange::Weights(weights) => self.weights = Some(weights),
            ServiceChange::Stage(stage) => self.stage = Some(stage),
            ServiceChange::Hook { id, status: HookStatus::AwaitingAction, .. } => self.pauses = Some(id),
            ServiceChange::Hook { id, status, .. } if status.is_final() => self.hook = Some((id, status)),
            _ => {}
        }
    }

    /// What becomes of the traffic; `before` are the weights until then.
    fn shift(&self, before: Option<Weights>) -> Option<WaitShift> {
        let bakes = self.stage == Some(Stage::BakeTime);
        let changed = self.weights.filter(|now| before.is_none_or(|before| before.production != now.production));
        match (self.weights, changed, self.pauses) {
            (_, _, Some(id)) => Some(WaitShift::Pauses(id)),
            (_, Some(weights), _) => Some(WaitShift::Moves(weights.green, weights.production, bakes)),
            (Some(weights), None, _) if weights.test > before.map_or(0, |before| before.test) => {
                Some(WaitShift::Tests(weights.green))
            }
            _ if bakes => Some(WaitShift::Bakes),
            _ => None,
        }
    }

    fn decide(&mut self, decision: &Decision) {
        match decision.reason {
            Reason::AlarmFired { alarm } => (self.alarm, self.fails) = (Some(alarm), true),
            Reason::StageLimit { stage } => (self.limit, self.fails) = (Some(stage), true),
            Reason::RollsBack { to, .. } if self.fails => self.ends = Some(WaitEnd::FailsBack(to)),
            Reason::NoCandidate { .. } | Reason::NoRollback { .. } => self.ends = Some(WaitEnd::FailsForGood),
            reason => self.fails |= failing(&reason).is_some(),
        }
    }

    /// The healthy tasks behind stops, where `cause` is only what starts follow from.
    fn behind_stops(&self, cause: WaitCause) -> Option<Tasks> {
        let of_room = matches!(cause, WaitCause::Gone(_) | WaitCause::Failed(_) | WaitCause::Places(_));
        let both = self.starts.is_some() && self.stops.is_some() && self.ill == 0;
        self.healthy.filter(|_| of_room && both && !self.fails)
    }

    /// The event that the consequence follows from: an act first, then what the kind of consequence
    /// asks for (a start asks for room, a stop for spare).
    fn cause(&self, hold: Option<Reason>) -> WaitCause {
        let gone = self.gone.map(|(tasks, _)| match self.failed {
            Some(failed) if self.fails || failed.count == tasks.count => WaitCause::Failed(failed),
            _ => WaitCause::Gone(tasks),
        });
        let healthy = self.healthy.map(WaitCause::Healthy);
        let unhealthy = self.unhealthy.map(WaitCause::Unhealthy);
        let places = self.places.map(WaitCause::Places).or(self.instance.map(WaitCause::Instance));
        let act = self.act.map(WaitCause::Act).or(self.scaled.map(WaitCause::Scaled));
        let timer = match hold {
            Some(Reason::Quota { .. }) if self.starts.is_some() => Some(WaitCause::Quota),
            Some(Reason::NoCapacity { .. }) if self.starts.is_some() => Some(WaitCause::Capacity),
            Some(Reason::Throttled { .. }) if self.starts.is_some() => Some(WaitCause::Pause),
            Some(Reason::Baking { .. }) if self.ends == Some(WaitEnd::Done) || self.stops.is_some() => {
                Some(WaitCause::Baked)
            }
            Some(Reason::StepWaits { .. }) if self.stage.is_some() => Some(WaitCause::Stepped),
            Some(Reason::ShiftTakes { .. }) if self.stage.is_some() => Some(WaitCause::Shifted),
            _ => None,
        };
        let hook = self.hook.map(|(id, status)| WaitCause::Hook(id, status)).or(self.limit.map(WaitCause::Limit));
        let alarm = self.alarm.map(WaitCause::Alarm);
        let order = if self.fails {
            [alarm, act, hook, unhealthy, gone, healthy, places]
        } else if self.starts.is_some() {
            [act, hook, timer, gone, places, unhealthy, healthy]
        } else {
            [act, hook, healthy, unhealthy, gone, places, timer]
        };
        let seldom =
            [self.unprotected.map(WaitCause::Unprotected), self.in_grace.map(WaitCause::Unhealthy)].into_iter();
        order.into_iter().chain(seldom).flatten().next().unwrap_or(WaitCause::Time)
    }
}

/// The next events after `now` that have a consequence, at most `most`.
pub(crate) fn waits(records: &[Record], now: SimTime, most: usize) -> Vec<Wait> {
    let from = records.partition_point(|record| record.at <= now);
    let mut hold = hold_before(records, now + 1).map(|(_, reason)| reason);
    let mut weights = weights_before(&records[..from]);
    let mut found = Vec::new();
    for instant in records[from..].chunk_by(|a, b| a.at == b.at) {
        let at = instant[0].at;
        let held = hold;
        hold = hold_before(instant, SimTime::NEVER).map_or(hold, |(_, reason)| Some(reason));
        let instant = Instant::of(instant);
        // A rollback tells of all the traffic that goes back.
        let shift = instant.shift(weights).filter(|_| instant.ends.is_none());
        weights = instant.weights.or(weights);
        if instant.starts.is_none() && instant.stops.is_none() && instant.ends.is_none() && shift.is_none() {
            continue;
        }
        let cause = instant.cause(held);
        let same_slot = match (instant.gone, instant.starts) {
            (Some((gone, from)), Some((new, to))) => gone.count == 1 && new.count == 1 && from.slot == to.slot,
            _ => false,
        };
        let starts = instant.starts.map(|(tasks, _)| tasks);
        // The same tasks fail and are stopped, in whatever order: they are named once.
        let same = |failing: &Tasks| Some(failing.count) == instant.stops.map(|stops| stops.count);
        let stops = instant.unhealthy.filter(|failing| same(failing) && failing.count == instant.ill).or(instant.stops);
        let healthy = instant.behind_stops(cause);
        found.push(Wait { at, cause, healthy, starts, same_slot, stops, shift, ends: instant.ends });
        if found.len() == most {
            break;
        }
    }
    found
}

/// The weights at the end of records; absent where nothing steers the traffic.
fn weights_before(records: &[Record]) -> Option<Weights> {
    records.iter().rev().find_map(|record| match record.what {
        What::Service { change: ServiceChange::Weights(weights), .. } => Some(weights),
        _ => None,
    })
}

/// Every reason to do nothing, and when: a kind of reason is recorded when it begins.
pub(crate) fn holds(records: &[Record]) -> Vec<(SimTime, Reason)> {
    let hold = |record: &Record| match record.what {
        What::Decision(Decision { rule: Rule::Hold, reason, .. }) => Some((record.at, reason)),
        _ => None,
    };
    records.iter().filter_map(hold).collect()
}

/// The last reason to do nothing that was recorded before `t`, and when. Looks back from there; who asks
/// for many moments takes [`holds`].
pub(crate) fn hold_before(records: &[Record], t: SimTime) -> Option<(SimTime, Reason)> {
    let before = &records[..records.partition_point(|record| record.at < t)];
    before.iter().rev().find_map(|record| match record.what {
        What::Decision(Decision { rule: Rule::Hold, reason, .. }) => Some((record.at, reason)),
        _ => None,
    })
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::presets::PRESETS;

    use super::*;
    use crate::run_to_end;

    /// How many tasks of the revision became healthy then, and whether any did.
    fn healthy_at(records: &[Record], at: SimTime, revision: u32) -> u32 {
        let here = records.iter().filter(|record| record.at == at);
        let tasks = here.filter(|record| match record.what {
            What::Task { task, change: TaskChange::Healthy } => task.name.revision == revision,
            _ => false,
        });
        tasks.count() as u32
    }

    #[test]
    fn what_is_healthy_is_named_of_one_revision_and_wherever_stops_follow() {
        let (mut named, mut both) = (0, 0);
        for preset in PRESETS {
            let Ok(resolved) = rollscope_scenario::Document::from_text(preset.document).document.resolve() else {
                continue;
            };
            let run = run_to_end(resolved.settings);
            let records = run.view().records;
            let mut now = SimTime::ZERO;
            while let Some(wait) = waits(records, now, 1).pop() {
                now = wait.at;
                let told = match wait.cause {
                    WaitCause::Healthy(tasks) => Some(tasks),
                    _ => wait.healthy,
                };
                if let Some(tasks) = told {
                    named += 1;
                    let there = healthy_at(records, now, tasks.first.revision);
                    assert_eq!(tasks.count, there, "{} at {now:?}", preset.id);
                }
                if wait.starts.is_some() && wait.stops.is_some() && matches!(wait.cause, WaitCause::Gone(_)) {
                    let here = records.iter().filter(|record| record.at == now);
                    let healthy =
                        |record: &&Record| matches!(record.what, What::Task { change: TaskChange::Healthy, .. });
                    both += 1;
                    let unhealthy = |record: &&Record| {
                        matches!(record.what, What::Task { change: TaskChange::StopDecided(StopCause::Unhealthy), .. })
                    };
                    if !here.clone().any(|record| unhealthy(&record)) {
                        assert_eq!(
                            wait.healthy.is_some(),
                            here.clone().any(|r| healthy(&r)),
                            "{} at {now:?}",
                            preset.id
                        );
                    }
                }
            }
        }
        assert!(named > 50 && both > 0, "{named} {both}");
    }
}
