//! Which of the records of an instant the caption is about.

use rollscope_engine::platform::ecs::rules_hooks::HookStatus;
use rollscope_engine::settings::RolloutState;
use rollscope_engine::trace::{
    Decision, DeploymentChange, Failure, FailureVerdict, Record, Rule, ServiceChange, StopCode, TaskChange, What,
};

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
        What::Task { change: TaskChange::Unhealthy, .. } => 7,
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
        What::Schema { .. } => 5,
        What::Decision(Decision { rule: Rule::Hold, .. }) => 4,
        // A completion is told by the deployment itself.
        What::Decision(Decision { rule: Rule::Completion, .. }) => 1,
        What::Decision(_) => 6,
        What::Task { change: TaskChange::Healthy | TaskChange::UnhealthyInGrace, .. } => 5,
        What::Places { .. } | What::Host { .. } => 5,
        What::Task { change: TaskChange::Placed { .. }, .. } => 0,
        What::Task { change: TaskChange::Existing { .. }, .. } => 0,
        What::Task { change: TaskChange::Stopped(_), .. } => 3,
        What::Ended(_) => 2,
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

/// At most two sentences: an event that mattered and what the controller did about it, or two
/// decisions, or one of anything else.
pub(crate) fn caption(language: Language, records: &[Record], scene: &Scene<'_>) -> String {
    let decided = |record: &&Record| {
        matches!(record.what, What::Decision(Decision { rule, .. })
            if !matches!(rule, Rule::Hold | Rule::Completion))
    };
    let say = |record: &Record| language.say(Text::Records(record, alike(records, record), scene));
    let heaviest = records.iter().rev().max_by_key(|record| weight(&record.what));
    let Some(heaviest) = heaviest.filter(|record| weight(&record.what) > 0) else { return String::new() };
    let first = if decided(&heaviest) { None } else { Some(heaviest) };
    let decisions = records.iter().filter(decided);
    let room = if weight(&heaviest.what) > 6 { 1 } else { 2 };
    let shown: Vec<&Record> = if weight(&heaviest.what) == DONE {
        // What was decided led to it.
        decisions.take(room).chain(first).collect()
    } else if weight(&heaviest.what) >= 6 {
        first.into_iter().chain(decisions.take(room)).collect()
    } else {
        vec![heaviest]
    };
    shown.into_iter().map(say).collect::<Vec<_>>().join(" ")
}
