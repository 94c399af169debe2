//! What happens to an Auto Scaling group and its instance refresh, in EC2's words.

use rollscope_engine::SimTime;
use rollscope_engine::asg::{AsgView, Change, InstanceChange, Refresh};
use rollscope_engine::frame::LaneCounts;
use rollscope_engine::platform::asg::{Because, Blocked, Hold, LaunchReason, NoObject, RefreshAct, Status, StopReason};
use rollscope_engine::settings::Alarm;
use rollscope_engine::trace::{Record, StopCause, StopCode, TaskChange, What};
use rollscope_insight::asg::{Check, Figures, Outcome};
use rollscope_insight::{OutcomeKind, Verdict};

use super::{count, duration, plural};
use crate::time::{clock, task};

fn instances(n: u32) -> String {
    plural(n, "instance", "instances")
}

/// "is" or "are".
fn be(n: u32) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

fn alarm_name(alarm: u32, alarms: &[Alarm]) -> &str {
    alarms.get(alarm as usize).map_or("an alarm", |alarm| alarm.name.as_str())
}

/// The name of a launch template version.
pub fn version(version: u32) -> String {
    format!("version {version}")
}

/// What happened.
pub fn change(change: &Change, alarms: &[Alarm]) -> String {
    match change {
        Change::Started { target, from, .. } => {
            format!("StartInstanceRefresh: from launch template version {from} to version {target}.")
        }
        Change::Status { from, to, because, percent, .. } => status(*from, *to, *because, *percent, alarms),
        Change::Launching { n, version, reason } => {
            format!("{} of version {version} {} launched: {}", instances(*n), be(*n), launch(reason))
        }
        Change::Terminating { n, unready, reason } => {
            format!("{} {} terminated: {}", instances(*n), be(*n), stop(reason, *unready))
        }
        Change::Checkpoint { at, percent, until: SimTime::NEVER } => {
            format!("Checkpoint {at} reached at {percent}%; nothing is left to hold back.")
        }
        Change::Checkpoint { at, percent, until } => {
            format!("Checkpoint {at} reached at {percent}%: nothing is replaced until {}.", clock(*until))
        }
        Change::CheckpointLost { at, percent } => {
            format!("The group grew: {percent}% is below checkpoint {at}, which may be announced again.")
        }
        Change::Resumed => "The checkpoint delay is over: replacements go on.".into(),
        Change::VersionSaved { version } => format!("The group takes over launch template version {version}."),
        Change::Hold(hold) => self::hold(hold),
        Change::Refused(why) => refused(*why, alarms),
        Change::Desired { from, to } => format!("DesiredCapacity goes from {} to {}.", count(*from), count(*to)),
        Change::Instance { instance, change } => format!("{}: {}", task(instance.name), self::instance(change)),
    }
}

fn status(from: Status, to: Status, because: Option<Because>, percent: u32, alarms: &[Alarm]) -> String {
    let why = because.map(|because| self::because(because, alarms)).unwrap_or_default();
    match to {
        Status::Pending => "The refresh is Pending.".into(),
        Status::InProgress => "The refresh is InProgress.".into(),
        Status::Baking => "Baking: everything is replaced, and the bake time begins.".into(),
        Status::Successful if percent < 100 => {
            format!("Successful at {percent}%: the last checkpoint ends it, the rest keeps its version.")
        }
        Status::Successful => "Successful: every instance is replaced.".into(),
        Status::Failed => format!("Failed at {percent}%: {why}. Nothing is rolled back, the group stays mixed."),
        Status::Cancelling => "Cancelling: instances on their way are waited for, no other one is replaced.".into(),
        Status::Cancelled if from == Status::Cancelling => {
            format!("Cancelled at {percent}%: what was replaced stays replaced.")
        }
        Status::Cancelled => "Cancelled.".into(),
        Status::RollbackInProgress => format!("RollbackInProgress at {percent}%: {why}."),
        Status::RollbackSuccessful => "RollbackSuccessful: the version before is back.".into(),
        Status::RollbackFailed => format!("RollbackFailed: {why}. The group stays mixed."),
    }
}

/// Why a refresh fails or rolls back, inside a sentence.
fn because(because: Because, alarms: &[Alarm]) -> String {
    match because {
        Because::NoProgress(by) => format!("no instance was replaced for an hour, {}", blocked(by)),
        Because::Alarm { alarm } => format!("alarm {} is in ALARM", alarm_name(alarm, alarms)),
        Because::TooLong => "fourteen days are over".into(),
        Because::Asked => "somebody asked for it".into(),
    }
}

/// What keeps it, inside a sentence.
fn blocked(by: Blocked) -> String {
    match by {
        Blocked::Health => "new instances do not become healthy".into(),
        Blocked::Launch => "launches fail".into(),
        Blocked::Capacity => "EC2 has no capacity for another instance".into(),
        Blocked::Protected { n } => format!("{} {} protected from scale-in", instances(n), be(n)),
        Blocked::Standby { n } => format!("{} {} in Standby", instances(n), be(n)),
        Blocked::Floor => "too few are ready for one to go".into(),
    }
}

/// Why instances are launched, after a colon.
fn launch(reason: &LaunchReason) -> String {
    match *reason {
        LaunchReason::Missing { desired, counted } => {
            format!("{} of DesiredCapacity {}.", count(counted), count(desired))
        }
        LaunchReason::Batch { going: 0, ceiling, .. } => {
            format!("before any old one goes, up to {} at once.", count(ceiling))
        }
        LaunchReason::Batch { going, floor, .. } => {
            format!("for {} that {} at the same moment; {} must stay ready.", count(going), go(going), count(floor))
        }
    }
}

fn go(n: u32) -> &'static str {
    if n == 1 { "goes" } else { "go" }
}

/// Why instances are terminated, after a colon.
fn stop(reason: &StopReason, unready: u32) -> String {
    match *reason {
        StopReason::Batch { ready, floor } if unready > 0 => format!(
            "{} not ready, which costs nothing; {} ready, {} must be.",
            plural(unready, "is", "are"),
            count(ready),
            count(floor)
        ),
        StopReason::Batch { ready, floor } => {
            format!("{} ready, {} must be; the replacement is launched at the same moment.", count(ready), count(floor))
        }
        StopReason::Replaced { ready, desired } => {
            format!("the replacement is ready ({} ready of DesiredCapacity {}).", count(ready), count(desired))
        }
        StopReason::Surplus { desired, counted } => {
            format!("{} are more than DesiredCapacity {}.", count(counted), count(desired))
        }
        StopReason::Standby => "StandbyInstances is Terminate.".into(),
    }
}

/// Why nothing is done.
pub fn hold(hold: &Hold) -> String {
    match *hold {
        Hold::Rest { desired } => format!("Nothing to do: {} as desired.", instances(desired)),
        Hold::Warming { booting, warming, ready, floor } => {
            let mut parts = Vec::new();
            if booting > 0 {
                parts.push(format!("{} not healthy yet", count(booting)));
            }
            if warming > 0 {
                parts.push(format!("{} inside the warm-up", count(warming)));
            }
            let rest = if ready >= floor { "" } else { ", so nothing else may go" };
            format!(
                "The batch is not over: {}. {} ready, {} must be{rest}.",
                parts.join(", "),
                count(ready),
                count(floor)
            )
        }
        Hold::Checkpoint { at, until } => {
            format!("Checkpoint {at}: CheckpointDelay holds the next batch until {}.", clock(until))
        }
        Hold::Baking { until } => format!("BakeTime runs until {}; an alarm can still fail it.", clock(until)),
        Hold::Blocked { by, until: SimTime::NEVER } => format!("It waits: {}.", blocked(by)),
        Hold::Blocked { by, until } => {
            format!("It waits: {}. Without progress it fails at {}.", blocked(by), clock(until))
        }
    }
}

fn refused(why: NoObject, alarms: &[Alarm]) -> String {
    let name = why.name();
    match why {
        NoObject::InProgress => format!("{name}: a refresh is going on already."),
        NoObject::NotFound => format!("{name}: no refresh is in progress."),
        NoObject::Irreversible => {
            format!("{name}: a rollback needs a DesiredConfiguration and an earlier version that is a number.")
        }
        NoObject::Alarm { alarm } => format!(
            "{name}: alarm {} is in ALARM or INSUFFICIENT_DATA, so no refresh starts.",
            alarm_name(alarm, alarms)
        ),
        NoObject::Size { min, max } => {
            format!("{name}: the desired capacity must be {} to {} (MinSize to MaxSize).", count(min), count(max))
        }
    }
}

/// What happens to an instance, after its name.
fn instance(change: &InstanceChange) -> String {
    match *change {
        InstanceChange::LaunchFailed { next } => {
            format!("the launch fails; the next attempt comes at {}.", clock(next))
        }
        InstanceChange::Warming { until } => format!("InService and healthy; its warm-up ends at {}.", clock(until)),
        InstanceChange::FailsInGrace { until } => {
            format!(
                "a health check fails inside the grace period; it is replaced at {} if it still does.",
                clock(until)
            )
        }
        InstanceChange::Impaired => "EC2 finds it impaired.".into(),
        InstanceChange::Standby => "EnterStandby: it serves nobody, and the desired capacity is one lower.".into(),
        InstanceChange::BackInService => "ExitStandby: it is InService again.".into(),
    }
}

/// What people do.
pub fn act(act: &RefreshAct) -> String {
    match act {
        RefreshAct::Cancel => "CancelInstanceRefresh.".into(),
        RefreshAct::RollBack => "RollbackInstanceRefresh.".into(),
        RefreshAct::EnterStandby(name) => format!("EnterStandby for {}.", task(*name)),
        RefreshAct::ExitStandby(name) => format!("ExitStandby for {}.", task(*name)),
    }
}

/// The same in a few words, for the name of a branch.
pub fn act_short(act: &RefreshAct) -> &'static str {
    match act {
        RefreshAct::Cancel => "cancel",
        RefreshAct::RollBack => "roll back",
        RefreshAct::EnterStandby(_) => "standby",
        RefreshAct::ExitStandby(_) => "back in service",
    }
}

/// A change in the life of an instance that every platform knows, of `n` instances from `name` on.
fn life(name: &str, n: u32, change: &TaskChange) -> Option<String> {
    let who = if n == 1 { name.to_owned() } else { format!("{name} and {} more", count(n - 1)) };
    let (is, has) = if n == 1 { ("is", "has") } else { ("are", "have") };
    Some(match change {
        TaskChange::Created { .. } => format!("{who} {is} Pending."),
        TaskChange::Activating => format!("{who} {is} booting."),
        TaskChange::Running => format!("{who} {is} InService."),
        TaskChange::Healthy => format!("{who} {is} ready: InService, healthy and warm."),
        TaskChange::Unhealthy(_) => format!("{who} {has} failed a health check."),
        TaskChange::Rechecking => format!("{who} {is} not ready any more."),
        TaskChange::Protected { .. } => format!("{who} {is} protected from scale-in."),
        TaskChange::Unprotected => format!("{who} {is} not protected from scale-in any more."),
        TaskChange::StopDecided(StopCause::User) => format!("{who} {is} terminated by hand, and replaced."),
        TaskChange::StopDecided(StopCause::Unhealthy) => format!("{who} {is} Unhealthy: terminated and replaced."),
        TaskChange::StopDecided(_) => format!("{who} {is} Terminating."),
        TaskChange::Draining => format!("{who} {is} leaving the target group."),
        TaskChange::Sigterm => format!("{who} {is} shutting down."),
        TaskChange::Stopped(StopCode::TaskFailedToStart) => format!("{who} never came into service."),
        TaskChange::Stopped(_) => format!("{who} {is} Terminated."),
        _ => return None,
    })
}

/// The line of a record in a story of a run.
pub fn line(record: &Record, alarms: &[Alarm]) -> Option<String> {
    match &record.what {
        What::Asg(change) => Some(self::change(change, alarms)),
        What::Task { task: of, change } => life(&task(of.name), 1, change),
        What::Alarm { .. } | What::Places { .. } => Some(row(record, 1, alarms)),
        _ => None,
    }
}

/// The line of a list for a record that stands for `n` alike.
pub fn row(record: &Record, n: u32, alarms: &[Alarm]) -> String {
    match &record.what {
        What::Task { task: of, change } => life(&task(of.name), n, change).unwrap_or_else(|| {
            let more = if n == 1 { String::new() } else { format!(" and {} more", count(n - 1)) };
            format!("{}{more} {} there.", task(of.name), be(n))
        }),
        What::Asg(change) => self::change(change, alarms),
        What::Alarm { alarm, state } => {
            let state = match state {
                rollscope_engine::settings::AlarmState::Ok => "OK",
                rollscope_engine::settings::AlarmState::Alarm => "ALARM",
                rollscope_engine::settings::AlarmState::InsufficientData => "INSUFFICIENT_DATA",
            };
            format!("Alarm {} is in {state}.", alarm_name(*alarm, alarms))
        }
        What::Places { places: u32::MAX } => "EC2 has capacity for every instance.".into(),
        What::Places { places } => format!("EC2 has capacity for {}.", instances(*places)),
        What::Ended(_) => "The run ends here.".into(),
        _ => String::new(),
    }
}

/// The sentence of an instant: a status, else a checkpoint, else what was decided, else what happened.
pub fn caption(records: &[Record], alarms: &[Alarm]) -> String {
    let changes = || {
        records.iter().filter_map(|record| match &record.what {
            What::Asg(change) => Some(change),
            _ => None,
        })
    };
    let told = |change: &&Change| {
        matches!(change, Change::Status { to, .. } if !matches!(to, Status::InProgress | Status::Pending))
            || matches!(change, Change::Checkpoint { .. } | Change::Refused(_) | Change::Resumed)
    };
    if let Some(change) = changes().rfind(told) {
        return self::change(change, alarms);
    }
    let moved = |change: &&Change| matches!(change, Change::Launching { .. } | Change::Terminating { .. });
    let moves: Vec<String> = changes().filter(moved).take(2).map(|change| self::change(change, alarms)).collect();
    if !moves.is_empty() {
        return moves.join(" ");
    }
    let failure = changes().find(|change| change.is_failure());
    if let Some(change) = failure.or_else(|| changes().find(|change| change.is_decision())) {
        return self::change(change, alarms);
    }
    let of = |record: &&Record| matches!(record.what, What::Task { .. } | What::Asg(_) | What::Alarm { .. });
    let Some(first) = records.iter().find(of) else { return String::new() };
    let kind = |record: &Record| match record.what {
        What::Task { change, .. } => Some(core::mem::discriminant(&change)),
        _ => None,
    };
    let alike = records.iter().filter(|record| kind(record).is_some() && kind(record) == kind(first)).count();
    row(first, (alike as u32).max(1), alarms)
}

/// The verdict in two or three words.
pub fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str {
    let is_mixed = outcome.is_some_and(|outcome| outcome.versions.len() > 1);
    match (outcome.map(|outcome| outcome.outcome), check.verdict) {
        (_, Verdict::NotAccepted) => "Refused",
        (Some(OutcomeKind::Completed), Verdict::NothingToDo) => "Nothing to do",
        (Some(OutcomeKind::Completed), _) => "Successful",
        (Some(OutcomeKind::CompletedThenFailing), _) => "Fails afterwards",
        (Some(OutcomeKind::RolledBack), _) => "Rolls back",
        (Some(OutcomeKind::Failed), _) if is_mixed => "Fails, stays mixed",
        (Some(OutcomeKind::Failed), _) => "Fails",
        (Some(OutcomeKind::Cancelled), _) => "Cancelled",
        (Some(OutcomeKind::Waiting), _) | (None, Verdict::WillWait) => "Waits",
        (Some(_), _) => "Not done",
        (None, Verdict::NothingToDo) => "Nothing to do",
        (None, _) => "Can move",
    }
}

/// The verdict in one or two sentences.
pub fn verdict(check: &Check, outcome: Option<&Outcome>, alarms: &[Alarm]) -> String {
    let first = first_step(check, alarms);
    match outcome.filter(|_| check.refused.is_none()) {
        None => first,
        Some(outcome) => format!("{first} {}", self::outcome(outcome, alarms)),
    }
}

/// What the group does at time 0.
fn first_step(check: &Check, alarms: &[Alarm]) -> String {
    match (check.refused, check.launched, check.terminated) {
        (Some(why), ..) => refused(why, alarms),
        (None, 0, 0) => "At the start nothing is launched and nothing terminated.".into(),
        (None, launched, 0) => format!("At the start {} {} launched first.", instances(launched), be(launched)),
        (None, 0, gone) => format!("At the start {} {} terminated.", instances(gone), be(gone)),
        (None, launched, gone) => {
            format!("At the start {} {} terminated and {} launched.", instances(gone), be(gone), count(launched))
        }
    }
}

/// How it ended, in one or two sentences.
pub fn outcome(outcome: &Outcome, alarms: &[Alarm]) -> String {
    let Some(refresh) = outcome.refresh else {
        return match outcome.outcome {
            OutcomeKind::Refused => "The refresh was refused; nothing ran.".into(),
            _ => "No refresh was started.".into(),
        };
    };
    let at = refresh.ended.map(|at| format!(" at {}", clock(at))).unwrap_or_default();
    let why = refresh.because.map(|why| because(why, alarms)).unwrap_or_default();
    let mixed = mixed(outcome);
    let target = refresh.target;
    match refresh.status {
        Status::Successful if outcome.outcome == OutcomeKind::CompletedThenFailing => {
            format!("Successful{at}, and afterwards instances of version {target} fail. {mixed}")
        }
        Status::Successful if refresh.percent < 100 => {
            format!("Successful{at} with {}%: the last checkpoint ends it. {mixed}", refresh.percent)
        }
        Status::Successful => format!("Successful{at}: the group runs version {target}."),
        Status::Failed => format!("Failed{at}: {why}. Nothing is rolled back. {mixed}"),
        Status::Cancelled => format!("Cancelled{at}. {mixed}"),
        Status::RollbackSuccessful => {
            format!("RollbackSuccessful{at}: {why}, and version {} is back in full.", refresh.from)
        }
        Status::RollbackFailed => format!("RollbackFailed{at}: {why}. {mixed}"),
        status => {
            let hold = outcome.hold.map(|hold| self::hold(&hold)).unwrap_or_default();
            format!("{} at {}% when the run ends. {hold}", status.name(), refresh.percent)
        }
    }
}

/// Which versions are ready at the end.
fn mixed(outcome: &Outcome) -> String {
    let parts: Vec<String> =
        outcome.versions.iter().map(|(version, n)| format!("{} of version {version}", count(*n))).collect();
    match parts.is_empty() {
        true => "Nothing is ready at the end.".into(),
        false => format!("Ready at the end: {}.", parts.join(", ")),
    }
}

/// The floor as a sum.
pub fn floor_sum(desired: u32, floor: u32) -> String {
    let n = desired - floor.min(desired);
    format!("{} ready: DesiredCapacity {} less {}", count(floor), count(desired), count(n))
}

/// The ceiling as a sum.
pub fn ceiling_sum(desired: u32, ceiling: u32) -> String {
    let n = ceiling.saturating_sub(desired);
    format!("{} at once: DesiredCapacity {} plus {}", count(ceiling), count(desired), count(n))
}

/// The figures of a run, by name.
pub fn figures(figures: &Figures) -> Vec<(&'static str, String)> {
    let mut rows = vec![
        ("Fewest ready", instances(figures.lowest_ready)),
        (
            "Most at once",
            format!("{}, {} with terminating ones", count(figures.peak_counted), count(figures.peak_physical)),
        ),
        ("Batches", count(figures.batches)),
        ("Both versions", duration(figures.both_versions_ms)),
    ];
    if figures.unhealthy > 0 {
        rows.push(("Unhealthy", format!("{} replaced", instances(figures.unhealthy))));
    }
    if figures.launch_failures > 0 {
        rows.push(("Launch failures", count(figures.launch_failures)));
    }
    rows
}

/// An act had no object: what is to be added to its sentence.
pub fn no_object() -> &'static str {
    " Nothing happened."
}

/// The refresh beside the title of the page, where it is not simply done.
pub fn state(refresh: &Refresh) -> String {
    format!("{} at {}%", refresh.status.name(), refresh.percent)
}

/// `StatusReason`; empty where there is none.
pub fn status_reason(refresh: &Refresh, alarms: &[Alarm]) -> String {
    let Some(why) = refresh.because else { return String::new() };
    let mut words = because(why, alarms);
    if let Some(first) = words.get(..1) {
        words.replace_range(..1, &first.to_ascii_uppercase());
    }
    words + "."
}

/// Names of three of the figures.
pub fn figure_names() -> [&'static str; 3] {
    ["Fewest ready", "Most at once", "Most with terminating"]
}

/// An instance's state and since when.
pub fn instance_state(state: &str, since: SimTime) -> String {
    format!("{state} since {}", clock(since))
}

/// The limits in one line.
pub fn limits(desired: u32, floor: u32, ceiling: u32) -> String {
    format!("{}, floor {}, ceiling {}", instances(desired), count(floor), count(ceiling))
}

/// How many are ready.
pub fn serving(ready: u32) -> String {
    plural(ready, "instance ready", "instances ready")
}

/// How many instances of a version do what.
pub fn version_states(lane: &LaneCounts) -> String {
    let parts = [
        (lane.healthy, "ready"),
        (lane.checking, "not ready"),
        (lane.unhealthy, "unhealthy"),
        (lane.waiting + lane.starting, "pending"),
        (lane.leaving(), "terminating"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{} {name}", count(*n))).collect();
    parts.join(", ")
}

/// What `DescribeInstanceRefreshes` says at a moment.
pub fn described(view: &AsgView, alarms: &[Alarm]) -> Vec<(&'static str, String)> {
    let Some(refresh) = &view.refresh else { return vec![("InstanceRefreshes", "[]".into())] };
    let mut rows = vec![
        ("Status", refresh.status.name().to_owned()),
        ("PercentageComplete", refresh.percent.to_string()),
        ("InstancesToUpdate", view.to_update.to_string()),
    ];
    let why = status_reason(refresh, alarms);
    if !why.is_empty() {
        rows.push(("StatusReason", why));
    }
    rows.push(("StartTime", clock(refresh.started)));
    if let Some(ended) = refresh.ended {
        rows.push(("EndTime", clock(ended)));
    }
    rows
}
