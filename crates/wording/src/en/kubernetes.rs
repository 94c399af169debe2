//! What happens to a Kubernetes Deployment, in its own words.

use rollscope_engine::SimTime;
use rollscope_engine::kubernetes::{Change, PodChange};
use rollscope_engine::platform::kubernetes::rules_history::NoUndo;
use rollscope_engine::platform::kubernetes::{
    Because, ConditionKind, Hold, IntOrPercent, RolloutAct, SizeReason, Truth,
};
use rollscope_engine::settings::Command;
use rollscope_engine::trace::{DeploymentChange, Record, StopCause, TaskChange, What};
use rollscope_insight::OutcomeKind;
use rollscope_insight::Verdict;
use rollscope_insight::kubernetes::{Check, Figures, Outcome, StalledBy};

use super::{count, duration, placed, plural};
use crate::time::{clock, task};

fn pods(n: u32) -> String {
    plural(n, "Pod", "Pods")
}

/// "is" or "are".
fn be(n: u32) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

/// What happened.
pub fn change(change: &Change) -> String {
    match change {
        Change::Template { from, to } => format!("The Pod template changes from v{from} to v{to}."),
        Change::SetCreated { set, size, reason } => {
            let of = format!("A ReplicaSet for v{} is created (revision {})", set.template, set.revision);
            format!("{of} with {}: {}", pods(*size), why(reason, *size))
        }
        Change::SetScaled { set, from, to, reason } => {
            let n = from.abs_diff(*to);
            let up = if to > from { "up" } else { "down" };
            format!("v{} is scaled {up} from {} to {}: {}", set.template, count(*from), count(*to), why(reason, n))
        }
        Change::SetRevised { set, from } => {
            format!(
                "The ReplicaSet of v{} is used again: revision {from} becomes revision {}.",
                set.template, set.revision
            )
        }
        Change::SetForgotten { set } => {
            format!("The ReplicaSet of v{} (revision {}) is deleted: the history is full.", set.template, set.revision)
        }
        Change::RevisionWritten { set } => {
            format!("v{} is written down as revision {}.", set.template, set.revision)
        }
        Change::Placed { pod, place, reason } => placed::placed(*pod, *place, reason),
        Change::Removed { pod, place, reason } => placed::removed(*pod, *place, reason),
        Change::Waits(wait) => placed::wait(wait),
        Change::Condition { kind, now } => condition(*kind, *now),
        Change::Refused { set, missing, used, quota } => format!(
            "FailedCreate: {} of v{} {} refused, exceeded quota: {} used of {}. There is not even a Pending Pod.",
            pods(*missing),
            set.template,
            be(*missing),
            count(*used),
            count(*quota)
        ),
        Change::Hold(hold) => self::hold(hold),
        Change::NoUndo(why) => no_undo(*why).into(),
        Change::Quota { pods: u32::MAX } => "There is no quota any more.".into(),
        Change::Quota { pods: n } => format!("The quota is {} from here on.", pods(*n)),
        Change::Pod { pod, change } => pod_line(&task(pod.name), change),
    }
}

/// What happens to the Pod of this name.
pub(super) fn pod_line(name: &str, change: &PodChange) -> String {
    format!("{name}: {}", pod(change))
}

/// Why a size changes, after a colon.
fn why(reason: &SizeReason, n: u32) -> String {
    match *reason {
        SizeReason::RoomToGrow { ceiling, asked, .. } if asked >= ceiling => {
            format!("{} are asked for already, and the ceiling is {}.", count(asked), count(ceiling))
        }
        SizeReason::RoomToGrow { ceiling, asked, replicas } => format!(
            "{} asked for, ceiling {}, and not beyond replicas {}.",
            count(asked),
            count(ceiling),
            count(replicas)
        ),
        SizeReason::TooMany { replicas } => format!("more than replicas {}.", count(replicas)),
        SizeReason::AboveFloor { budget, unhealthy: 0, healthy, available, floor } => format!(
            "{} available, floor {}, budget {}: {} available {} can go.",
            count(available),
            count(floor),
            count(budget),
            count(healthy),
            if healthy == 1 { "one" } else { "ones" }
        ),
        SizeReason::AboveFloor { budget, unhealthy, healthy: 0, floor, .. } => format!(
            "clean-up: {} not available, which costs nothing (floor {}, budget {}).",
            plural(unhealthy, "Pod is", "Pods are"),
            count(floor),
            count(budget)
        ),
        SizeReason::AboveFloor { budget, unhealthy, healthy, available, floor } => format!(
            "{} available, floor {}, budget {}: first {} that {} not available, then {}.",
            count(available),
            count(floor),
            count(budget),
            pods(unhealthy),
            be(unhealthy),
            count(healthy)
        ),
        SizeReason::OnlyActive { replicas } => {
            format!("the only ReplicaSet with Pods takes replicas {}.", count(replicas))
        }
        SizeReason::Saturated => "the new ReplicaSet has everything already.".into(),
        SizeReason::Proportional { ceiling, asked, paused: true } => format!(
            "paused, and still filled up to the ceiling {}: {} were asked for, and the larger one takes the rest.",
            count(ceiling),
            count(asked)
        ),
        SizeReason::Proportional { ceiling, asked, paused: false } => format!(
            "replicas changed during a rollout: {} were asked for, {} may be, split by size.",
            count(asked),
            count(ceiling)
        ),
        SizeReason::RecreateDown => {
            format!("Recreate: {} of the old template {} first.", pods(n), if n == 1 { "goes" } else { "go" })
        }
        SizeReason::RecreateUp { replicas } => {
            format!("Recreate: no old Pod is left, so {} start at once.", pods(replicas))
        }
    }
}

fn condition(kind: ConditionKind, now: Option<(Truth, Because)>) -> String {
    let Some((status, because)) = now else {
        return format!("Condition {} is removed.", kind.name());
    };
    let tail = match because {
        Because::ProgressDeadlineExceeded => " Nothing else happens: no Pod is touched, nothing rolls back.",
        Because::MinimumReplicasUnavailable => " Fewer Pods are available than the floor asks for.",
        _ => "",
    };
    format!("Condition {}={} ({}).{tail}", kind.name(), status.name(), because.name())
}

/// Why nothing is done.
pub fn hold(hold: &Hold) -> String {
    match *hold {
        Hold::Complete { replicas } => format!("Complete: {} of the new template, all available.", pods(replicas)),
        Hold::Paused => "Paused: no new ReplicaSet, no rollout; replicas still scale.".into(),
        Hold::WaitAvailable { unavailable, asked, ceiling, available, floor } => format!(
            "It waits: {} of the new template {} not available. Asked for {} of at most {}; {} available, {} must be.",
            pods(unavailable),
            be(unavailable),
            count(asked),
            count(ceiling),
            count(available),
            count(floor)
        ),
        Hold::Refused { missing } => {
            format!("It waits: {} {} missing, and the API server refuses to create more.", pods(missing), be(missing))
        }
        Hold::WaitGone { terminating } => {
            format!("Recreate waits: {} of the old template {} still terminating.", pods(terminating), be(terminating))
        }
    }
}

fn no_undo(why: NoUndo) -> &'static str {
    match why {
        NoUndo::Paused => "Undo is refused: you cannot rollback a paused deployment; resume it first.",
        NoUndo::NotFound => "Undo is refused: unable to find the revision in the history.",
        NoUndo::SameTemplate => "Undo does nothing: the current template already matches the revision.",
    }
}

/// What happens to a Pod, after its name.
pub(super) fn pod(change: &PodChange) -> String {
    match *change {
        PodChange::Unschedulable => "FailedScheduling: no node has room; it stays Pending.".into(),
        PodChange::Scheduled => "Scheduled: it has a node.".into(),
        PodChange::PullFailed => "ErrImagePull, then ImagePullBackOff: the image cannot be pulled.".into(),
        PodChange::Restarted { count: n } => format!("Started again, restart {}.", count(n)),
        PodChange::Exited { ran_ms, next } => {
            format!("the container exits after {}; CrashLoopBackOff until {}.", duration(ran_ms), clock(next))
        }
        PodChange::Killing { startup: true } => "Killing: the startup probe gave up.".into(),
        PodChange::Killing { startup: false } => "Killing: the liveness probe gave up.".into(),
        PodChange::StartedUp => "the startup probe passed.".into(),
        PodChange::Ready => "Ready: it gets traffic.".into(),
        PodChange::NotReady => "Unhealthy: not ready any more.".into(),
        PodChange::Race { refused_ms, cut_ms: 0 } => {
            format!(
                "requests still come for {} after it takes none: a preStop sleep is too short.",
                duration(refused_ms)
            )
        }
        PodChange::Race { refused_ms: 0, cut_ms } => {
            format!("the longest request lacks {}: the grace period is too short.", duration(cut_ms))
        }
        PodChange::Race { refused_ms, cut_ms } => format!(
            "requests are refused for {}, and the longest one lacks {}.",
            duration(refused_ms),
            duration(cut_ms)
        ),
    }
}

/// What people do.
pub fn act(act: &RolloutAct) -> String {
    let fence = |value: &IntOrPercent| match value {
        IntOrPercent::Int(n) => count(*n),
        IntOrPercent::Percent(n) => format!("{n}%"),
    };
    match act {
        RolloutAct::Pause => "kubectl rollout pause.".into(),
        RolloutAct::Resume => "kubectl rollout resume.".into(),
        RolloutAct::Undo { to: None } => "kubectl rollout undo.".into(),
        RolloutAct::Undo { to: Some(to) } => format!("kubectl rollout undo --to-revision={to}."),
        RolloutAct::SetStrategy { max_surge, max_unavailable } => {
            let parts = [("maxSurge", max_surge), ("maxUnavailable", max_unavailable)];
            let parts: Vec<String> = parts
                .iter()
                .filter_map(|(name, value)| Some(format!("{name} to {}", fence(value.as_ref()?))))
                .collect();
            format!("Somebody sets {}.", parts.join(" and "))
        }
        RolloutAct::SetPartition { partition } => format!("Somebody sets partition to {}.", count(*partition)),
        RolloutAct::SetQuota { pods: n } => format!("Somebody sets the quota to {}.", pods(*n)),
        RolloutAct::Unready { pod: Some(name), for_ms } => unready(&task(*name), *for_ms),
        RolloutAct::Unready { pod: None, for_ms } => {
            format!("Every Pod fails its readiness checks for {}: something they share is down.", duration(*for_ms))
        }
    }
}

/// A Pod of this name fails its checks.
pub(super) fn unready(name: &str, for_ms: u64) -> String {
    format!("{name} fails its readiness checks for {}.", duration(for_ms))
}

/// The same in a few words, for the name of a branch.
pub fn act_short(act: &RolloutAct) -> &'static str {
    match act {
        RolloutAct::Pause => "pause",
        RolloutAct::Resume => "resume",
        RolloutAct::Undo { .. } => "undo",
        RolloutAct::SetStrategy { .. } => "other strategy",
        RolloutAct::SetPartition { .. } => "other partition",
        RolloutAct::SetQuota { .. } => "other quota",
        RolloutAct::Unready { .. } => "readiness fails",
    }
}

/// A change in the life of a Pod that every platform knows, of `n` Pods from `name` on.
pub fn life(name: &str, n: u32, change: &TaskChange) -> Option<String> {
    let who = if n == 1 { name.to_owned() } else { format!("{name} and {} more", count(n - 1)) };
    let (is, has) = if n == 1 { ("is", "has") } else { ("are", "have") };
    Some(match change {
        TaskChange::Created { .. } => format!("{who} {is} created."),
        TaskChange::Activating => format!("{who}: ContainerCreating, the image is being pulled."),
        TaskChange::Running => format!("{who} {has} a running container."),
        TaskChange::Healthy => format!("{who} {is} available."),
        TaskChange::Unhealthy(_) => format!("{who} {is} not available: not ready, or waiting for a restart."),
        TaskChange::StopDecided(StopCause::User) => format!("{who} {is} deleted by hand, and replaced."),
        TaskChange::StopDecided(_) => {
            format!("{who} {is} deleted: not counted any more, and the next start does not wait for it.")
        }
        TaskChange::Draining => format!("{who} {is} terminating: the preStop hook runs."),
        TaskChange::Sigterm => format!("{who}: SIGTERM."),
        TaskChange::Sigkill => format!("{who}: SIGKILL, the grace period is used up."),
        TaskChange::Stopped(_) => format!("{who} {is} gone."),
        _ => return None,
    })
}

/// The line of a record in a story of a run.
pub fn line(record: &Record) -> Option<String> {
    match &record.what {
        What::Kubernetes(change) => Some(self::change(change)),
        What::Task { task: of, change } => life(&task(of.name), 1, change),
        _ => None,
    }
}

/// The line of a list for a record that stands for `n` alike.
pub fn row(record: &Record, n: u32) -> String {
    match &record.what {
        What::Task { task: of, change } => tasks_row(&task(of.name), change, n),
        What::Kubernetes(change) => self::change(change),
        What::Deployment { revision, change, .. } => rollout(*revision, *change),
        What::Places { places: u32::MAX } => "The nodes have room for every Pod.".into(),
        What::Places { places } => format!("The nodes have room for {}.", pods(*places)),
        What::Ended(_) => "The run ends here.".into(),
        _ => String::new(),
    }
}

/// The Pod of this name and others do the same.
pub(super) fn tasks_row(name: &str, change: &TaskChange, n: u32) -> String {
    life(name, n, change).unwrap_or_else(|| {
        let there = if n == 1 { "is" } else { "are" };
        format!("{name}{} {there} there.", if n == 1 { String::new() } else { format!(" and {} more", count(n - 1)) })
    })
}

fn rollout(template: u32, change: DeploymentChange) -> String {
    match change {
        DeploymentChange::Started => format!("The rollout of v{template} begins."),
        DeploymentChange::Superseded => format!("v{template} is an old template from here on."),
        DeploymentChange::RollingBack => format!("v{template} is rolled out again."),
        DeploymentChange::State(_) => format!("v{template} is rolled out: every Pod is of it and available."),
        DeploymentChange::Gone => format!("Nothing is left of v{template}."),
    }
}

/// The sentence of an instant: its size changes, else its condition, else the weightiest of what happened.
pub fn caption(records: &[Record]) -> String {
    caption_by(records, &row)
}

/// The same with another line for a record that stands for so many alike.
pub(super) fn caption_by(records: &[Record], row: &dyn Fn(&Record, u32) -> String) -> String {
    let changes = || {
        records.iter().filter_map(|record| match &record.what {
            What::Kubernetes(change) => Some(change),
            _ => None,
        })
    };
    let sized = |change: &&Change| matches!(change, Change::SetScaled { .. } | Change::SetCreated { .. });
    let done = |change: &&Change| {
        matches!(
            change,
            Change::Condition { kind: ConditionKind::Progressing, now: Some((_, Because::ProgressDeadlineExceeded)) }
        )
    };
    let sizes: Vec<String> = changes().filter(sized).take(2).map(self::change).collect();
    let complete = records.iter().find_map(|record| match record.what {
        What::Deployment { revision, change: change @ DeploymentChange::State(_), .. } => {
            Some(rollout(revision, change))
        }
        _ => None,
    });
    if let Some(sentence) = complete.or_else(|| changes().find(done).map(self::change)) {
        return sentence;
    }
    if !sizes.is_empty() {
        return sizes.join(" ");
    }
    let failure = changes().find(|change| change.is_failure());
    let told = failure.or_else(|| changes().find(|change| change.is_decision()));
    if let Some(change) = told {
        let of = |record: &&Record| matches!(&record.what, What::Kubernetes(of) if of == change);
        return records.iter().find(of).map(|record| row(record, 1)).unwrap_or_default();
    }
    let of = |record: &&Record| matches!(record.what, What::Task { .. } | What::Kubernetes(_));
    let Some(first) = records.iter().find(of) else { return String::new() };
    let kind = |record: &Record| match record.what {
        What::Task { change, .. } => Some(core::mem::discriminant(&change)),
        _ => None,
    };
    let alike = records.iter().filter(|record| kind(record).is_some() && kind(record) == kind(first)).count();
    row(first, (alike as u32).max(1))
}

/// The verdict in two or three words.
pub fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str {
    match (outcome.map(|outcome| outcome.outcome), check.verdict) {
        (Some(OutcomeKind::Completed), _) => "Rolls out",
        (Some(OutcomeKind::RolledBack), _) => "Goes back",
        (Some(OutcomeKind::CompletedThenFailing), _) => "Fails afterwards",
        (Some(OutcomeKind::Stuck), _) => "Stalls",
        (Some(OutcomeKind::Waiting), _) | (None, Verdict::WillWait) => "Waits",
        (Some(_), _) => "Not done",
        (None, Verdict::NothingToDo) => "Nothing to do",
        (None, Verdict::CannotMove) => "Cannot move",
        (None, _) => "Can move",
    }
}

/// The verdict in one or two sentences.
pub fn verdict(check: &Check, outcome: Option<&Outcome>) -> String {
    let first = first_step(check);
    match outcome {
        None => first,
        Some(outcome) => format!("{first} {}", self::outcome(outcome)),
    }
}

/// What the passes of time 0 do.
fn first_step(check: &Check) -> String {
    let mut parts = vec![match (check.started, check.stopped) {
        (0, 0) => "At the start nothing is created and nothing deleted.".to_owned(),
        (started, 0) => format!("At the start {} {} created.", pods(started), if started == 1 { "is" } else { "are" }),
        (0, stopped) => format!("At the start {} {} deleted.", pods(stopped), be(stopped)),
        (started, stopped) => {
            format!("At the start {} {} created and {} deleted.", pods(started), be(started), count(stopped))
        }
    }];
    if check.refused > 0 {
        parts.push(format!("The quota refuses {}.", pods(check.refused)));
    }
    if check.unschedulable > 0 {
        parts.push(format!("No node has room for {}.", pods(check.unschedulable)));
    }
    parts.join(" ")
}

/// How it ended, in one or two sentences.
pub fn outcome(outcome: &Outcome) -> String {
    let reported = match outcome.reported_at {
        Some(at) => format!(
            " ProgressDeadlineExceeded is reported at {}; nothing is rolled back and no Pod is touched.",
            clock(at)
        ),
        None => String::new(),
    };
    let why = outcome.blocked_by.map_or("", stalled_by);
    let template = outcome.template;
    match outcome.outcome {
        OutcomeKind::Completed => match outcome.completed_at {
            Some(at) => format!("v{template} is rolled out at {}.{reported}", clock(at)),
            None => format!("v{template} is rolled out."),
        },
        OutcomeKind::RolledBack => match outcome.completed_at {
            Some(at) => format!("v{template} is back in full at {}.{reported}", clock(at)),
            None => format!("v{template} is back in full."),
        },
        OutcomeKind::CompletedThenFailing => format!(
            "v{template} was rolled out, and fails afterwards: {why}. Progressing stays True/NewReplicaSetAvailable, only Available tells."
        ),
        OutcomeKind::Stuck => format!("The rollout stalls: {why}.{reported}"),
        OutcomeKind::Waiting => format!("The rollout waits: {why}.{reported}"),
        _ => format!("It is not done when the run ends: {why}.{reported}"),
    }
}

/// What a rollout waits for, after a colon.
pub fn stalled_by(why: StalledBy) -> &'static str {
    match why {
        StalledBy::Paused => "it is paused, and somebody has to resume it",
        StalledBy::ImagePull => "the image of the new template cannot be pulled (ImagePullBackOff)",
        StalledBy::CrashLoop => "the containers of the new template exit again and again (CrashLoopBackOff)",
        StalledBy::Readiness => "Pods of the new template run and never become available",
        StalledBy::Room => "no node has room for another Pod (FailedScheduling)",
        StalledBy::Quota => "the quota refuses another Pod (FailedCreate)",
        StalledBy::Terminating => "old Pods are still terminating",
        StalledBy::Time => "Pods are on their way",
    }
}

/// The floor as a sum.
pub fn floor_sum(replicas: u32, floor: u32) -> String {
    let n = replicas - floor.min(replicas);
    format!("{} available: replicas {} less maxUnavailable {}", count(floor), count(replicas), count(n))
}

/// The ceiling as a sum.
pub fn ceiling_sum(replicas: u32, ceiling: u32) -> String {
    let n = ceiling.saturating_sub(replicas);
    format!("{} asked for: replicas {} plus maxSurge {}", count(ceiling), count(replicas), count(n))
}

/// The figures of a run, by name.
pub fn figures(figures: &Figures) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("Fewest available", pods(figures.lowest_available)),
        ("Asked for", format!("{} to {}", count(figures.lowest_asked), count(figures.peak_asked))),
        ("Most at once", format!("{}, with terminating ones", pods(figures.peak_physical))),
        ("Both versions", duration(figures.both_versions_ms)),
    ];
    if figures.restarts > 0 {
        rows.push(("Restarts", count(figures.restarts)));
    }
    let (gone, refused, cut) = figures.races;
    if gone > 0 {
        let mut parts = Vec::new();
        if refused > 0 {
            parts.push(format!("requests refused for up to {}", duration(refused)));
        }
        if cut > 0 {
            parts.push(format!("the longest request cut {} short", duration(cut)));
        }
        rows.push(("Endpoint race", format!("{}: {}", pods(gone), parts.join(", "))));
    }
    rows
}

/// An act had no object: what is to be added to its sentence.
pub fn no_object() -> &'static str {
    " Nothing happened."
}

/// The name of the rollout beside the title of the page, where it is not simply done.
pub fn state(reason: Because) -> String {
    format!("Progressing: {}", reason.name())
}

/// Names of three of the figures.
pub fn figure_names() -> [&'static str; 3] {
    ["Fewest available", "Asked for", "Most with terminating"]
}

/// A Pod's state and since when.
pub fn pod_state(state: &str, since: SimTime) -> String {
    format!("{state} since {}", clock(since))
}

/// How many Pods serve.
pub fn serving(available: u32) -> String {
    plural(available, "Pod serves", "Pods serve")
}

/// "v2"
pub fn version(template: u32) -> String {
    format!("v{template}")
}

/// "37.5 %"
pub fn share(tenths: u32) -> String {
    super::shift::per_mille(tenths)
}

/// "v2: 4"
pub fn group_of_version(template: u32, slots: u32) -> String {
    format!("v{template}: {}", count(slots))
}

/// "v1 and v3", "v1 to v5"
pub fn versions(templates: &[u32]) -> String {
    match *templates {
        [] => String::new(),
        [one] => version(one),
        [one, other] => format!("v{one} and v{other}"),
        [first, .., last] => format!("v{first} to v{last}"),
    }
}

/// An act by Kubernetes' names; what is called alike everywhere is said as everywhere.
pub fn command(command: &Command) -> String {
    match command {
        Command::SetDesired(n) => format!("kubectl scale: replicas {}.", count(*n)),
        Command::Deploy { revision, .. } => format!("The Pod template becomes v{revision}."),
        Command::StopTask(name) => format!("Somebody deletes {}.", task(*name)),
        other => crate::act(other).replace("tasks of r", "Pods of v"),
    }
}

/// "v2 75 %"
pub fn share_of(template: u32, part: u32, whole: u32) -> String {
    super::page::share(template, part, whole).replacen('r', "v", 1)
}

/// "4 Pods, floor 4, ceiling 5"
pub fn limits(replicas: u32, floor: u32, ceiling: u32) -> String {
    format!("{}, floor {}, ceiling {}", pods(replicas), count(floor), count(ceiling))
}
