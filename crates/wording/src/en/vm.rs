//! What happens to groups of virtual machines: in Google Cloud's words for a managed instance group, in Azure's for a
//! scale set.

use rollscope_engine::SimTime;
use rollscope_engine::frame::LaneCounts;
use rollscope_engine::platform::vm::{Blocked, GroupAct, Hold, Kind, Why};
use rollscope_engine::platform::vmss::{Breach, Mode, Status};
use rollscope_engine::trace::{Record, StopCause, StopCode, TaskChange, What};
use rollscope_engine::vm::{Change, MachineChange, Run, VmView};
use rollscope_insight::vm::json::{current_actions, progress};
use rollscope_insight::vm::{Check, Figures, Outcome};
use rollscope_insight::{OutcomeKind, Verdict};

use super::{count, duration, plural};
use crate::time::{clock, task};

fn vms(n: u32) -> String {
    plural(n, "VM", "VMs")
}

/// "is" or "are".
fn be(n: u32) -> &'static str {
    if n == 1 { "is" } else { "are" }
}

fn google(kind: &Kind) -> bool {
    matches!(kind, Kind::Mig(_))
}

/// What the size is called.
fn size(kind: &Kind) -> &'static str {
    if google(kind) { "targetSize" } else { "capacity" }
}

/// The name of a model.
pub fn version(version: u32, kind: &Kind) -> String {
    format!("{} {version}", if google(kind) { "template" } else { "model" })
}

/// What happened.
pub fn change(change: &Change, kind: &Kind) -> String {
    match change {
        Change::Started { target, from } if google(kind) => {
            format!("The group's version goes from template {from} to template {target}.")
        }
        Change::Started { target, from } => format!("The model of the scale set goes from {from} to {target}."),
        Change::Creating { n, version: of, why, .. } => {
            format!("{} of {} {} created: {}", vms(*n), version(*of, kind), be(*n), reason(why, kind))
        }
        Change::Deleting { n, why } => format!("{} {} deleted: {}", vms(*n), be(*n), reason(why, kind)),
        Change::Rebuilding { n, version: of, why } if google(kind) => {
            let names = if *n == 1 { "its name" } else { "their names" };
            format!("{} {} recreated under {names} with {}: {}", vms(*n), be(*n), version(*of, kind), reason(why, kind))
        }
        Change::Rebuilding { n, version: of, why } => {
            format!("{} {} upgraded in place to {}: {}", vms(*n), be(*n), version(*of, kind), reason(why, kind))
        }
        Change::BatchEnded { number, until } => match *until {
            SimTime::NEVER => format!("Batch {number} is over."),
            until => format!("Batch {number} is over; the next one may begin at {}.", clock(until)),
        },
        Change::Status { to, because, .. } => status(*to, *because),
        Change::TargetReached(true) => "versionTarget.isReached: every VM is of its target version.".into(),
        Change::TargetReached(false) => "versionTarget.isReached is false again.".into(),
        Change::Stable(true) => "isStable: nothing is being done with any VM.".into(),
        Change::Stable(false) => "isStable is false: something is being done with VMs.".into(),
        Change::Hold(hold) => self::hold(hold, kind),
        Change::Size { from, to } => format!("{} goes from {} to {}.", size(kind), count(*from), count(*to)),
        Change::Proactive(true) => "updatePolicy.type is PROACTIVE.".into(),
        Change::Proactive(false) => {
            "updatePolicy.type is OPPORTUNISTIC: what is old stays until something else replaces it.".into()
        }
        Change::NoUpgrade => "No rolling upgrade is under way.".into(),
        Change::InProgress => "A rolling upgrade is under way already: cancel it first.".into(),
        Change::Machine { machine, change } => format!("{}: {}", task(machine.name), self::machine(change, kind)),
    }
}

fn status(to: Status, because: Option<Breach>) -> String {
    let why = because.map(breach).unwrap_or_default();
    match to {
        Status::RollingForward => "The rolling upgrade is RollingForward.".into(),
        Status::RollingBack => format!("RollingBack: {why} The VMs that failed go back to the former model."),
        Status::Cancelled => "Cancelled: what is upgraded stays upgraded, nothing resumes by itself.".into(),
        Status::Completed => "Completed: every VM has the latest model.".into(),
        Status::Faulted if because.is_none() => "Faulted.".into(),
        Status::Faulted => format!("Faulted: {why} What is upgraded stays upgraded, nothing resumes by itself."),
    }
}

/// What stopped an upgrade, with both figures as the API tells them.
fn breach(breach: Breach) -> String {
    let percent = |part: u32, of: u32| u64::from(part) * 100 / u64::from(of.max(1));
    let name = breach.name();
    match breach {
        Breach::Unhealthy { unhealthy, of, limit } => format!(
            "{name}: {} of {} are unhealthy, {}% of at most {limit}%.",
            count(unhealthy),
            vms(of),
            percent(unhealthy, of)
        ),
        Breach::Upgraded { unhealthy, of, limit } => format!(
            "{name}: {} of {} upgraded are unhealthy, {}% of at most {limit}%.",
            count(unhealthy),
            vms(of),
            percent(unhealthy, of)
        ),
    }
}

/// Why machines come or go, after a colon.
fn reason(why: &Why, kind: &Kind) -> String {
    match *why {
        Why::Missing { size: wanted, counted } => {
            format!("{} of {} {}.", count(counted), size(kind), count(wanted))
        }
        Why::Surge { counted, ceiling } => {
            format!("maxSurge allows {} at once, there are {}.", count(ceiling), count(counted))
        }
        Why::Unavailable { available, floor } => format!(
            "not available, so that costs nothing; {} are available, {} must be.",
            count(available),
            count(floor)
        ),
        Why::Spare { available, floor } => {
            format!("{} are available, {} must stay so.", count(available), count(floor))
        }
        Why::Surplus { size: wanted, counted } => {
            format!("{} are more than {} {}.", count(counted), size(kind), count(wanted))
        }
        Why::Batch { number, most, total } => {
            format!("batch {number}, at most {} of {}.", count(most), vms(total))
        }
        Why::Replaced { number } => format!("the VMs of batch {number} are healthy and take their place."),
        Why::Breach => "they failed when the upgrade stopped.".into(),
    }
}

/// What keeps it, inside a sentence.
fn blocked(by: Blocked, kind: &Kind) -> &'static str {
    match by {
        Blocked::Quota => "the quota leaves no room for another VM",
        Blocked::Creation => "creations fail",
        Blocked::Floor => "too few VMs are available for one to go, and none is on its way",
        Blocked::NotAllowed if google(kind) => "a new template needs REPLACE, mostDisruptiveAllowedAction allows less",
        Blocked::NotAllowed => "the update needs more than it may do",
    }
}

/// Why nothing is done.
pub fn hold(hold: &Hold, kind: &Kind) -> String {
    match *hold {
        Hold::Stable { size, new } if new < size => {
            format!("Nothing to do: {}, {} of the new version as wanted.", vms(size), count(new))
        }
        Hold::Stable { size, .. } => format!("Nothing to do: {} as wanted.", vms(size)),
        Hold::Waiting { creating, verifying, settling, available, floor } => {
            let parts = [
                (creating, "being created"),
                (verifying, "not healthy yet"),
                (settling, if google(kind) { "in minReadySec" } else { "settling" }),
            ];
            let parts: Vec<String> =
                parts.iter().filter(|(n, _)| *n > 0).map(|(n, what)| format!("{} {what}", count(*n))).collect();
            let word = if google(kind) { "available" } else { "healthy" };
            let (available, floor) = (count(available), count(floor));
            let end = if google(kind) { " Nothing ends this wait but their health." } else { "" };
            let end = if verifying > 0 { end } else { "" };
            format!("It waits for {}. {available} {word}, {floor} must be.{end}", parts.join(", "))
        }
        Hold::Opportunistic { old } => {
            format!("OPPORTUNISTIC: {} of the old version {} until something else replaces them.", vms(old), stay(old))
        }
        Hold::Blocked { by, until: SimTime::NEVER } => format!("It waits: {}.", blocked(by, kind)),
        Hold::Blocked { by, until } => {
            format!("It waits: {}; the next attempt is at {}.", blocked(by, kind), clock(until))
        }
        Hold::Pause { until } => format!("pauseTimeBetweenBatches: the next batch begins at {}.", clock(until)),
        Hold::Over { old, status: None } => {
            format!("Mode Manual: {} {} on the old model until somebody upgrades them.", vms(old), stay(old))
        }
        Hold::Over { old, status: Some(status) } => {
            format!("{}: {} {} on the old model until another upgrade is started.", status.name(), vms(old), stay(old))
        }
    }
}

fn stay(n: u32) -> &'static str {
    if n == 1 { "stays" } else { "stay" }
}

/// What happens to a machine, after its name.
fn machine(change: &MachineChange, kind: &Kind) -> String {
    match *change {
        MachineChange::CreationFailed { next } => {
            format!("its creation fails; the next attempt comes at {}.", clock(next))
        }
        MachineChange::Settling { until } => format!("HEALTHY; minReadySec ends at {}.", clock(until)),
        MachineChange::FailsEarly { until } => {
            format!(
                "a health check fails inside initialDelaySec; it is recreated at {} if it still does.",
                clock(until)
            )
        }
        MachineChange::Repaired => "UNHEALTHY: autohealing recreates it.".into(),
        MachineChange::Crashed if google(kind) => "it stopped by itself: the group recreates it.".into(),
        MachineChange::Crashed => "it stopped by itself, and is unhealthy from here on.".into(),
        MachineChange::GivenUp => "it is not healthy in time, and counts as failed.".into(),
    }
}

/// What people do.
pub fn act(act: &GroupAct) -> String {
    match act {
        GroupAct::StopProactive => {
            "gcloud compute instance-groups managed rolling-action stop-proactive-update.".into()
        }
        GroupAct::Cancel => "The rolling upgrade is cancelled (az vmss rolling-upgrade cancel).".into(),
    }
}

/// The same in a few words, for the name of a branch.
pub fn act_short(act: &GroupAct) -> &'static str {
    match act {
        GroupAct::StopProactive => "stop proactive update",
        GroupAct::Cancel => "cancel",
    }
}

/// A change in the life of a machine that every platform knows, of `n` machines from `name` on.
fn life(name: &str, n: u32, change: &TaskChange, kind: &Kind) -> Option<String> {
    let who = if n == 1 { name.to_owned() } else { format!("{name} and {} more", count(n - 1)) };
    let (is, has) = if n == 1 { ("is", "has") } else { ("are", "have") };
    let mig = google(kind);
    Some(match change {
        TaskChange::Created { .. } if mig => format!("{who} {is} CREATING."),
        TaskChange::Created { .. } => format!("{who} {is} being provisioned."),
        TaskChange::Activating => format!("{who} {is} booting."),
        TaskChange::Running if mig => format!("{who} {is} RUNNING."),
        TaskChange::Running => format!("{who} {is} running."),
        TaskChange::Healthy if mig => format!("{who} {is} available."),
        TaskChange::Healthy => format!("{who} {is} Healthy."),
        TaskChange::Unhealthy(_) if mig => format!("{who} {has} turned UNHEALTHY."),
        TaskChange::Unhealthy(_) => format!("{who} {is} Unhealthy."),
        TaskChange::Rechecking => format!("{who} {has} no health state any more."),
        TaskChange::StopDecided(StopCause::User) => format!("{who} {is} deleted by hand; the size falls with that."),
        TaskChange::StopDecided(StopCause::Unhealthy) => format!("{who} {is} RECREATING."),
        TaskChange::StopDecided(_) => format!("{who} {is} taken down."),
        TaskChange::Draining => format!("{who} {is} leaving the load balancer."),
        TaskChange::Sigterm => format!("{who} {is} shutting down."),
        TaskChange::Stopped(StopCode::TaskFailedToStart) => format!("{who} {has} not come up."),
        TaskChange::Stopped(_) => format!("{who} {is} gone."),
        _ => return None,
    })
}

/// The line of a record in a story of a run.
pub fn line(record: &Record, kind: &Kind) -> Option<String> {
    match &record.what {
        What::Vm(change) => Some(self::change(change, kind)),
        What::Task { task: of, change } => life(&task(of.name), 1, change, kind),
        What::Places { .. } => Some(row(record, 1, kind)),
        _ => None,
    }
}

/// The line of a list for a record that stands for `n` alike.
pub fn row(record: &Record, n: u32, kind: &Kind) -> String {
    match &record.what {
        What::Task { task: of, change } => life(&task(of.name), n, change, kind).unwrap_or_else(|| {
            let more = if n == 1 { String::new() } else { format!(" and {} more", count(n - 1)) };
            format!("{}{more} {} there.", task(of.name), be(n))
        }),
        What::Vm(change) => self::change(change, kind),
        What::Places { places: u32::MAX } => "The quota has room for every VM.".into(),
        What::Places { places } => format!("The quota has room for {}.", vms(*places)),
        What::Ended(_) => "The run ends here.".into(),
        _ => String::new(),
    }
}

/// The sentence of an instant: a status, else what was decided, else what happened.
pub fn caption(records: &[Record], kind: &Kind) -> String {
    let changes = || {
        records.iter().filter_map(|record| match &record.what {
            What::Vm(change) => Some(change),
            _ => None,
        })
    };
    let told = |change: &&Change| match change {
        Change::Status { to, .. } => to.is_final() || *to == Status::RollingBack,
        Change::TargetReached(reached) => *reached,
        Change::Proactive(_) | Change::NoUpgrade | Change::InProgress => true,
        _ => false,
    };
    if let Some(change) = changes().rfind(told) {
        return self::change(change, kind);
    }
    let moved = |change: &&Change| {
        matches!(change, Change::Creating { .. } | Change::Deleting { .. } | Change::Rebuilding { .. })
    };
    let moves: Vec<String> = changes().filter(moved).take(2).map(|change| self::change(change, kind)).collect();
    if !moves.is_empty() {
        return moves.join(" ");
    }
    let failure = changes().find(|change| change.is_failure());
    if let Some(change) = failure.or_else(|| changes().find(|change| change.is_decision())) {
        return self::change(change, kind);
    }
    let of = |record: &&Record| matches!(record.what, What::Task { .. } | What::Vm(_));
    let Some(first) = records.iter().find(of) else { return String::new() };
    let alike = |record: &Record| match (&record.what, &first.what) {
        (What::Task { change, .. }, What::Task { change: other, .. }) => {
            core::mem::discriminant(change) == core::mem::discriminant(other)
        }
        _ => false,
    };
    let n = records.iter().filter(|record| alike(record)).count();
    row(first, (n as u32).max(1), kind)
}

/// The verdict in two or three words.
pub fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str {
    let mixed = outcome.is_some_and(|outcome| outcome.versions.len() > 1);
    match (outcome.map(|outcome| outcome.outcome), check.verdict) {
        (Some(OutcomeKind::Completed), Verdict::NothingToDo) => "Nothing to do",
        (Some(OutcomeKind::Completed), _) if google(&check.kind) => "Target reached",
        (Some(OutcomeKind::Completed), _) => "Completed",
        (Some(OutcomeKind::CompletedThenFailing), _) => "Fails afterwards",
        (Some(OutcomeKind::Failed), _) if mixed => "Faulted, stays mixed",
        (Some(OutcomeKind::Failed), _) => "Faulted",
        (Some(OutcomeKind::Cancelled), _) => "Cancelled",
        (Some(OutcomeKind::Stuck), _) | (None, Verdict::CannotMove) => "Cannot move",
        (Some(OutcomeKind::Waiting), _) | (None, Verdict::WillWait) => "Waits",
        (Some(_), _) if google(&check.kind) => "Waits, without end",
        (Some(_), _) => "Not done",
        (None, Verdict::NothingToDo) => "Nothing to do",
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

/// What the group does at time 0.
fn first_step(check: &Check) -> String {
    let in_place = matches!(&check.kind, Kind::Vmss(params) if !params.surge && params.mode != Mode::Manual);
    match (check.created, check.taken_down) {
        (0, 0) => "At the start nothing is created and nothing taken down.".into(),
        (0, down) if in_place => format!("At the start {} {} upgraded in place.", vms(down), be(down)),
        (created, 0) => format!("At the start {} {} created first.", vms(created), be(created)),
        (0, down) => format!("At the start {} {} taken down.", vms(down), be(down)),
        (created, down) => {
            format!("At the start {} {} taken down and {} created.", vms(down), be(down), count(created))
        }
    }
}

/// How it ended, in one or two sentences.
pub fn outcome(outcome: &Outcome) -> String {
    let at = outcome.completed_at.map(|at| format!(" at {}", clock(at))).unwrap_or_default();
    let mixed = mixed(outcome);
    let target = version(outcome.target, &outcome.kind);
    let hold = || outcome.hold.map(|hold| self::hold(&hold, &outcome.kind)).unwrap_or_default();
    match (outcome.outcome, outcome.because) {
        (OutcomeKind::Completed, _) if outcome.completed_at.is_none() => "No update was started.".into(),
        (OutcomeKind::Completed, _) if outcome.versions.len() > 1 => format!("The canary is there{at}. {mixed}"),
        (OutcomeKind::Completed, _) if google(&outcome.kind) => {
            format!("The version target is reached{at}: the group runs {target}.")
        }
        (OutcomeKind::Completed, _) => format!("Completed{at}: the scale set runs {target}."),
        (OutcomeKind::CompletedThenFailing, _) => {
            format!("Everything is replaced{at}, and afterwards VMs fail. {mixed}")
        }
        (OutcomeKind::Failed, Some(why)) => format!("Faulted: {} {mixed}", breach(why)),
        (OutcomeKind::Failed, None) => format!("Faulted. {mixed}"),
        (OutcomeKind::Cancelled, _) => format!("Cancelled. {mixed}"),
        _ => format!("It is not done when the run ends. {} {mixed}", hold()),
    }
}

/// Which models are healthy at the end.
fn mixed(outcome: &Outcome) -> String {
    let part = |(of, n): &(u32, u32)| format!("{} of {}", count(*n), version(*of, &outcome.kind));
    let parts: Vec<String> = outcome.versions.iter().map(part).collect();
    match parts.is_empty() {
        true => "Nothing is healthy at the end.".into(),
        false => format!("Healthy at the end: {}.", parts.join(", ")),
    }
}

/// The floor as a sum.
pub fn floor_sum(kind: &Kind, n: u32, floor: u32) -> String {
    let less = n - floor.min(n);
    let word = if google(kind) { "available" } else { "healthy" };
    format!("{} {word}: {} {} less {}", count(floor), size(kind), count(n), count(less))
}

/// The ceiling as a sum.
pub fn ceiling_sum(kind: &Kind, n: u32, ceiling: u32) -> String {
    format!("{} at once: {} {} plus {}", count(ceiling), size(kind), count(n), count(ceiling.saturating_sub(n)))
}

/// The figures of a run, by name.
pub fn figures(figures: &Figures, kind: &Kind) -> Vec<(&'static str, String)> {
    let [fewest, most, _] = figure_names(kind);
    let mut rows = vec![
        (fewest, vms(figures.lowest_healthy)),
        (most, format!("{}, {} with those that go", count(figures.peak_counted), count(figures.peak_physical))),
        ("Both versions", duration(figures.both_versions_ms)),
    ];
    if figures.batches > 0 {
        rows.push(("Batches", count(figures.batches)));
    }
    if figures.repaired > 0 {
        rows.push(("Autohealing", format!("{} recreated", vms(figures.repaired))));
    }
    if figures.given_up > 0 {
        rows.push(("Not healthy in time", vms(figures.given_up)));
    }
    if figures.creation_failures > 0 {
        rows.push(("Failed creations", count(figures.creation_failures)));
    }
    rows
}

/// An act had no object: what is to be added to its sentence.
pub fn no_object() -> &'static str {
    " Nothing happened."
}

/// The update beside the title of the page.
pub fn state(view: &VmView) -> String {
    match (&view.params.kind, view.upgrade) {
        (Kind::Vmss(_), Some(upgrade)) => upgrade.status.name().to_owned(),
        (Kind::Vmss(_), None) => "no upgrade".into(),
        (Kind::Mig(_), _) if view.stable => "stable".into(),
        (Kind::Mig(_), _) if view.rollout.reached.is_some() => "target reached".into(),
        (Kind::Mig(_), _) => "updating".into(),
    }
}

/// Names of three of the figures.
pub fn figure_names(kind: &Kind) -> [&'static str; 3] {
    let fewest = if google(kind) { "Fewest available" } else { "Fewest healthy" };
    [fewest, "Most at once", "Most with those that go"]
}

/// Those that count for the floor: available in one platform's words, healthy in the other's.
pub fn up_name(kind: &Kind) -> &'static str {
    if google(kind) { "VMs available" } else { "Healthy VMs" }
}

/// A machine's state and since when.
pub fn machine_state(state: &str, since: SimTime) -> String {
    format!("{state} since {}", clock(since))
}

/// The limits in one line.
pub fn limits(size: u32, floor: u32, ceiling: u32) -> String {
    format!("{}, floor {}, ceiling {}", vms(size), count(floor), count(ceiling))
}

/// How many are healthy.
pub fn serving(healthy: u32, kind: &Kind) -> String {
    if google(kind) {
        plural(healthy, "VM available", "VMs available")
    } else {
        plural(healthy, "VM healthy", "VMs healthy")
    }
}

/// How many machines of a model do what.
pub fn version_states(lane: &LaneCounts) -> String {
    let parts = [
        (lane.healthy, "healthy"),
        (lane.checking, "not healthy yet"),
        (lane.unhealthy, "unhealthy"),
        (lane.waiting + lane.starting, "being created"),
        (lane.leaving(), "going"),
    ];
    let parts: Vec<String> =
        parts.iter().filter(|(n, _)| *n > 0).map(|(n, name)| format!("{} {name}", count(*n))).collect();
    parts.join(", ")
}

/// The command that shows the state at a moment, and what it answers.
pub fn described(run: &Run) -> (&'static str, Vec<(&'static str, String)>) {
    let view = run.view();
    if google(&view.params.kind) {
        let mut rows = vec![
            ("status.isStable", view.stable.to_string()),
            ("status.versionTarget.isReached", view.rollout.reached.is_some().to_string()),
        ];
        let actions: Vec<String> =
            current_actions(run).iter().filter(|(_, n)| *n > 0).map(|(name, n)| format!("{name} {n}")).collect();
        rows.push(("currentActions", actions.join(", ")));
        return ("gcloud compute instance-groups managed describe", rows);
    }
    let code = view.upgrade.map_or("none", |upgrade| upgrade.status.name());
    let mut rows = vec![("runningStatus.code", code.to_owned())];
    rows.extend(progress(run).iter().map(|(name, n)| (*name, n.to_string())));
    ("az vmss rolling-upgrade get-latest", rows)
}
