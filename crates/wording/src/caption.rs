//! Which of the records of an instant the caption is about.

use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::platform::kubernetes::ConditionKind;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{
    Decision, DeploymentChange, Failure, FailureVerdict, Reason, Record, Rule, ServiceChange, StopCode, TaskChange,
    What,
};
use rollscope_engine::{asg, vm};

use crate::Language;
use crate::text::{Scene, Text};

/// Weight of the end of a deployment.
const DONE: u8 = 9;

/// How much a record matters to somebody who sees one sentence; 0 is never shown.
fn weight(what: &What) -> u8 {
    match what {
        What::Guard(_) => 10,
        What::Deployment {
            change: DeploymentChange::State(RolloutState::Completed | RolloutState::Failed), ..
        } => DONE,
        What::Act { .. } => 8,
        What::Task { change: TaskChange::Stopped(StopCode::TaskFailedToStart), .. } => 7,
        What::Task { change: TaskChange::Stopped(StopCode::EssentialContainerExited), .. } => 7,
        What::Task { change: TaskChange::Unhealthy(_), .. } => 7,
        What::Service { change: ServiceChange::RollsBack { .. } | ServiceChange::NoCandidate, .. } => 9,
        What::Failure(Failure { verdict: FailureVerdict::Counted, .. }) => 8,
        What::Alarm { .. } | What::CountReset { .. } => 7,
        What::Service { change, .. } => match change {
            ServiceChange::GateMet { .. } | ServiceChange::CleanupGivenUp { .. } | ServiceChange::AlarmsIgnored => 7,
            ServiceChange::Hook { status: HookStatus::InProgress | HookStatus::Succeeded, .. } => 3,
            ServiceChange::Hook { .. } => 7,
            ServiceChange::BakeBegins { .. } | ServiceChange::ProtectionEnded(_) => 2,
            _ => 0,
        },
        What::Failure(_) => 1,
        What::Schema { .. } | What::Rate { .. } => 5,
        What::Scaled { .. } => 8,
        What::Kubernetes(change) => match change {
            Change::Condition { kind: ConditionKind::Progressing, .. } => DONE,
            change if change.is_failure() => 7,
            change if change.is_decision() => 6,
            _ => 2,
        },
        What::Asg(asg::Change::Status { .. }) => DONE,
        What::Asg(change) if change.is_failure() => 7,
        What::Asg(change) if change.is_decision() => 6,
        What::Asg(_) => 2,
        What::Vm(vm::Change::Status { .. }) => DONE,
        What::Vm(change) if change.is_failure() => 7,
        What::Vm(change) if change.is_decision() => 6,
        What::Vm(_) => 2,
        What::Decision(Decision { rule: Rule::Hold, .. }) => 4,
        // A completion is told by the deployment itself.
        What::Decision(Decision { rule: Rule::Completion, .. }) => 1,
        What::Decision(_) => 6,
        What::Task { change: TaskChange::Healthy | TaskChange::UnhealthyInGrace, .. } => 5,
        What::Places { .. } | What::Host { .. } => 5,
        What::Task { change: TaskChange::Placed { .. }, .. } => 0,
        What::Task { change: TaskChange::Existing { .. }, .. } => 0,
        What::Task { change: TaskChange::Stopped(_), .. } => 3,
        // How it ended is told by the outcome.
        What::Ended(_) => 0,
        What::Task { .. } | What::Deployment { .. } => 1,
    }
}

/// Tasks to which the same happened in this instant.
fn alike(records: &[Record], one: &Record) -> u32 {
    let What::Task { task, change } = one.what else { return 1 };
    let same = |record: &&Record| {
        matches!(record.what, What::Task { task: other, change: what }
            if other.name.revision == task.name.revision && kind(&what) == kind(&change))
    };
    records.iter().filter(same).count() as u32
}

/// Changes that are told alike, whatever else they carry.
fn kind(change: &TaskChange) -> (core::mem::Discriminant<TaskChange>, Option<StopCode>) {
    let code = match change {
        TaskChange::Stopped(code) => Some(*code),
        _ => None,
    };
    (core::mem::discriminant(change), code)
}

/// An event that mattered and what the controller did about it, or two decisions, or one of anything else. Two
/// sentences, or three where tasks start and others stop at the same instant.
pub(crate) fn caption(language: Language, records: &[Record], scene: &Scene<'_>) -> String {
    let failing = Failing::of(records);
    if let Some(sentence) = failing.fails(language, scene) {
        return sentence;
    }
    let decided = |record: &&Record| {
        matches!(record.what, What::Decision(Decision { rule, .. })
            if !matches!(rule, Rule::Hold | Rule::Completion))
    };
    let say = |record: &Record| language.say(Text::Records(record, alike(records, record), scene));
    if let Some((failure, n)) = failing.counted {
        let counted = language.say(Text::Failure(&failure, n, None));
        // That what never was healthy stops is the failure itself.
        let mut decisions = records.iter().filter(decided).filter(|record| !is_never_healthy(record));
        return [Some(counted), decisions.next().map(say)].into_iter().flatten().collect::<Vec<_>>().join(" ");
    }
    let heaviest = records.iter().rev().max_by_key(|record| weight(&record.what));
    let Some(heaviest) = heaviest.filter(|record| weight(&record.what) > 0) else { return String::new() };
    let first = if decided(&heaviest) { None } else { Some(heaviest) };
    let decisions = records.iter().filter(decided);
    let room = if weight(&heaviest.what) > 6 { 1 } else { 2 };
    let gate = records.iter().find(|r| matches!(r.what, What::Service { change: ServiceChange::GateMet { .. }, .. }));
    let never_healthy = records.iter().find(|record| is_never_healthy(record));
    let shown: Vec<&Record> = if weight(&heaviest.what) == DONE {
        gate.into_iter().chain([heaviest]).collect()
    } else if matches!(heaviest.what, What::Task { change: TaskChange::Unhealthy(_), .. }) && never_healthy.is_some() {
        never_healthy.into_iter().chain(decisions.filter(|record| !is_never_healthy(record)).take(1)).collect()
    } else if weight(&heaviest.what) >= 6 {
        first.into_iter().chain(both_ways(decisions.collect(), room)).collect()
    } else {
        vec![heaviest]
    };
    shown.into_iter().map(say).collect::<Vec<_>>().join(" ")
}

/// The first few decisions; where some start tasks and others stop some, one of each kind is among them.
fn both_ways(decisions: Vec<&Record>, room: usize) -> Vec<&Record> {
    let of = |wanted: Way| decisions.iter().find(|record| way(record) == Some(wanted)).copied();
    let mut shown: Vec<&Record> = decisions.iter().take(room).copied().collect();
    let (Some(starts), Some(stops)) = (of(Way::Starts), of(Way::Stops)) else { return shown };
    for missing in [starts, stops] {
        if !shown.iter().any(|record| way(record) == way(missing)) {
            shown.push(missing);
        }
    }
    shown
}

/// What a decision does with tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Starts,
    Stops,
}

/// What the decision of a record does with tasks; absent for any other.
fn way(record: &Record) -> Option<Way> {
    let What::Decision(Decision { reason, .. }) = record.what else { return None };
    match reason {
        Reason::RoomToStart { .. }
        | Reason::SourceNeeded { .. }
        | Reason::ReplacementFirst { .. }
        | Reason::StartsInRoom { .. }
        | Reason::GreenStarts { .. } => Some(Way::Starts),
        Reason::SpareToStop { .. } | Reason::NotNeeded { .. } | Reason::Surplus { .. } | Reason::CleanUp { .. } => {
            Some(Way::Stops)
        }
        _ => None,
    }
}

fn is_never_healthy(record: &Record) -> bool {
    matches!(record.what, What::Decision(Decision { reason: Reason::NeverHealthy { .. }, .. }))
}

/// What counts at an instant, and what comes of it.
#[derive(Default)]
struct Failing {
    /// The last failure that counted, and how many there were.
    counted: Option<(Failure, u32)>,
    /// What fails the deployment.
    why: Option<Reason>,
    /// What follows from that.
    follows: Option<Reason>,
}

impl Failing {
    fn of(records: &[Record]) -> Failing {
        let mut found = Failing::default();
        for record in records {
            match record.what {
                What::Failure(failure) if failure.verdict == FailureVerdict::Counted => {
                    found.counted = Some((failure, found.counted.map_or(0, |(_, n)| n) + 1));
                }
                What::Decision(Decision { reason, .. }) => match reason {
                    Reason::RollsBack { .. } | Reason::NoCandidate { .. } | Reason::NoRollback { .. } => {
                        found.follows = Some(reason);
                    }
                    _ if rollscope_insight::failing(&reason).is_some() => found.why = Some(reason),
                    _ => {}
                },
                _ => {}
            }
        }
        found
    }

    /// The sentence of a deployment that fails.
    fn fails(&self, language: Language, scene: &Scene<'_>) -> Option<String> {
        let (why, follows) = (self.why.as_ref()?, self.follows.as_ref());
        Some(match (why, &self.counted) {
            (Reason::BreakerTripped { .. }, Some((failure, n))) => language.say(Text::Failure(failure, *n, follows)),
            _ => language.say(Text::Fails(why, follows, scene)),
        })
    }
}
