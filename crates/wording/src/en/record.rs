//! What happened, in English.

use rollscope_engine::platform::ecs::strategy::HookAction;
use rollscope_engine::settings::{Alarm, Command, Fate, RolloutState};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::trace::{
    DeploymentChange, DeploymentId, Reason, Record, StopCause, StopCode, TaskChange, TaskRef, What,
};
use rollscope_engine::{Ending, SimTime};

use super::guards::violation;
use super::page::zone;
use super::reason::who;
use super::{count, duration, plural, tasks};
use crate::text::Scene;
use crate::time::{clock, task};

/// `n` tasks share what the record tells; its own is the first of them.
pub(super) fn record(record: &Record, n: u32, scene: &Scene<'_>) -> String {
    match &record.what {
        What::Task { task, change } => change_of(task, n, change, scene),
        What::Decision(decision) => match decision.reason {
            Reason::AlarmFired { alarm } => super::failure::alarm_fired(alarm, scene.alarms),
            reason => super::reason::reason(&reason, decision.first),
        },
        What::Deployment { id, revision, change } => match change {
            DeploymentChange::Started => format!("The deployment of r{revision} is PRIMARY now."),
            DeploymentChange::Superseded => format!("The deployment of r{revision} is being replaced."),
            DeploymentChange::State(RolloutState::Completed) => completed(*id, *revision, record.at, scene),
            DeploymentChange::State(RolloutState::Failed) => format!("The deployment of r{revision} failed."),
            DeploymentChange::State(RolloutState::InProgress) => {
                format!("The deployment of r{revision} is in progress.")
            }
            DeploymentChange::RollingBack => format!("Rollback: the deployment of r{revision} is PRIMARY again."),
            DeploymentChange::Gone => format!("Nothing is left of the deployment of r{revision}."),
        },
        What::Act { index, effective } => {
            let what =
                scene.acts.get(*index as usize).map_or_else(String::new, |done| act(&done.command, scene.alarms));
            if *effective { what } else { format!("{what} It was gone already: nothing happened.") }
        }
        What::Places { places: u32::MAX } => "From now on there is a place for every task.".into(),
        What::Places { places } => format!("From now on there are places for {}.", tasks(*places)),
        What::Host { host, change } => super::capacity::host(*host, change),
        What::Failure(failure) => super::failure::failure(failure, n, None),
        What::CountReset { task: name, .. } => super::failure::reset(name.name),
        What::Service { change, .. } => super::failure::service(change, scene.counts.limits.desired),
        What::Alarm { alarm, state } => super::failure::alarm(*alarm, *state, scene.alarms),
        What::Schema { version } => format!("The database schema is at version {version} now."),
        What::Rate { per_second } => super::shift::rate(*per_second),
        What::Scaled { from, to } => super::shift::scaled(*from, *to),
        What::Kubernetes(change) => super::kubernetes::change(change),
        What::Asg(change) => super::asg::change(change, scene.alarms),
        // Whose words they are, only those know who say more: see `vm`.
        What::Vm(_) => String::new(),
        What::Guard(broken) => violation(broken),
        What::Ended(ending) => end(*ending).into(),
    }
}

/// A deployment is COMPLETED: the rollout is done, or the last good revision is back.
fn completed(id: DeploymentId, revision: u32, at: SimTime, scene: &Scene<'_>) -> String {
    let begun = |service: &&ServiceDeployment| service.started <= at;
    match scene.services.iter().rfind(begun) {
        Some(service) if service.rollback.is_some_and(|back| back.to == id && back.at <= at) => {
            super::report::back(service, at)
        }
        Some(service) if service.deployment == id => super::report::done(revision, service.started, at),
        _ => super::report::done(revision, SimTime::ZERO, at),
    }
}

fn change_of(first: &TaskRef, n: u32, change: &TaskChange, scene: &Scene<'_>) -> String {
    let name = who(Some(first.name), n);
    let one = n == 1;
    let pick = |singular: &'static str, plural: &'static str| if one { singular } else { plural };
    let (is, their) = (pick("is", "are"), pick("its", "their"));
    let slot = || {
        if one { format!(" Slot {} is free.", count(first.slot + 1)) } else { format!(" {} slots are free.", count(n)) }
    };
    match change {
        TaskChange::Existing { .. } => format!("{name} {} there before.", pick("was", "were")),
        TaskChange::Created { replacement: true, .. } => {
            format!("{name} {is} created in place of {} lost.", pick("one that was", "those that were"))
        }
        TaskChange::Created { .. } if one => format!("{name} is created in slot {}.", count(first.slot + 1)),
        TaskChange::Created { .. } => format!("{name} are created."),
        TaskChange::Placed { host, .. } if one => format!("{name} has its place on instance {}.", count(*host)),
        TaskChange::Placed { .. } => format!("{name} have their places on instances."),
        TaskChange::Activating => format!("{name} {} {their} image.", pick("pulls", "pull")),
        TaskChange::Running if scene.checked => format!("{name} {is} running, {their} checks begin."),
        TaskChange::Running => format!("{name} {is} running; no check looks at {}.", pick("it", "them")),
        TaskChange::Healthy => healthy(first, n, &name, scene),
        TaskChange::Unhealthy(_) => format!("{name} failed {their} {}.", pick("check", "checks")),
        TaskChange::UnhealthyInGrace => {
            format!(
                "{name} {} {their} {}, but the grace period hides it.",
                pick("fails", "fail"),
                pick("check", "checks")
            )
        }
        TaskChange::Rechecking => format!("{name} {is} being checked again."),
        TaskChange::StopDecided(cause) => match cause {
            StopCause::Replaced => format!("{name} {is} picked to stop."),
            StopCause::Unhealthy => format!("{name} {is} stopped: {} {is} unhealthy.", pick("it", "they")),
            StopCause::Surplus => format!("{name} {is} stopped: more run than are wanted."),
            StopCause::User => format!("{name} {is} stopped by hand."),
            StopCause::Spot => format!("{name} {is} stopped: {their} Spot capacity is taken back."),
            StopCause::Draining => format!("{name} {is} stopped: {their} instance is being drained."),
            StopCause::HostLost => format!("{name} {is} lost with {their} instance."),
        },
        TaskChange::Protected { until: None } => format!("{name} {is} protected from scale-in, for ever."),
        TaskChange::Protected { until: Some(until) } => {
            format!("{name} {is} protected from scale-in until {}.", clock(*until))
        }
        TaskChange::Unprotected => format!("{name} {is} not protected any more."),
        TaskChange::Draining => {
            let verbs = (pick("gets", "get"), pick("finishes its", "finish their"));
            format!("{name} {} no new requests and {} open ones.", verbs.0, verbs.1)
        }
        TaskChange::Sigterm => format!("{name} {is} asked to exit (SIGTERM)."),
        TaskChange::Sigkill => format!("{name} did not exit in time and {is} killed (SIGKILL)."),
        TaskChange::Stopped(StopCode::TaskFailedToStart) => format!("{name} failed to start."),
        TaskChange::Stopped(StopCode::EssentialContainerExited) => {
            format!("The {} of {name} exited.", pick("container", "containers"))
        }
        TaskChange::Stopped(_) => {
            format!("{name} {} stopped.{}", pick("has", "have"), slot())
        }
    }
}

/// "8·3 is healthy and gets traffic. 3 of 4 are new."
fn healthy(first: &TaskRef, n: u32, name: &str, scene: &Scene<'_>) -> String {
    let (is, gets) = if n == 1 { ("is", "gets") } else { ("are", "get") };
    let serves = if scene.behind_load_balancer { format!(" and {gets} traffic") } else { String::new() };
    match scene.target.filter(|(revision, _)| *revision == first.name.revision) {
        Some((_, healthy)) => {
            let desired = scene.counts.limits.desired;
            let new = if healthy == 1 { "is" } else { "are" };
            format!("{name} {is} healthy{serves}. {} of {} {new} new.", count(healthy), count(desired))
        }
        None => format!("{name} {is} healthy{serves}."),
    }
}

fn end(ending: Ending) -> &'static str {
    match ending {
        Ending::Quiet => "Nothing more happens from here on.",
        Ending::Until => "The run ends here because the scenario says so.",
        Ending::Horizon => {
            "The run ends here: 24 hours after the last deployment or act, 16 days where protection or a clean-up goes on."
        }
        Ending::EventBudget => "The run ends here: it has used up its budget of events.",
        Ending::Rounds => "The run ends here with an error: the controller did not come to rest.",
    }
}

fn percent(value: Option<u32>, name: &str) -> Option<String> {
    value.map(|n| format!("the {name} to {n} %"))
}

/// What a person does.
pub(super) fn act(command: &Command, alarms: &[Alarm]) -> String {
    match command {
        Command::Kill(name) => format!("Somebody kills the container of {}.", task(*name)),
        Command::StopTask(name) => format!("Somebody stops {}.", task(*name)),
        Command::Interrupt(name) => format!("The Spot capacity of {} is taken back.", task(*name)),
        Command::SetAlarm { alarm, state } => super::failure::alarm(*alarm, *state, alarms),
        Command::StopDeployment => "Somebody stops the deployment and asks for a rollback.".into(),
        Command::ContinueDeployment { action: HookAction::Continue, .. } => {
            "Somebody answers the pause: the deployment goes on.".into()
        }
        Command::ContinueDeployment { action: HookAction::Rollback, .. } => {
            "Somebody answers the pause with a rollback.".into()
        }
        Command::Protect { task: name, for_ms: None } => {
            format!("Protection of {} from scale-in is asked for and renewed for ever.", task(*name))
        }
        Command::Protect { task: name, for_ms: Some(ms) } => {
            format!("Protection of {} from scale-in is asked for, for {}.", task(*name), duration(*ms))
        }
        Command::Unprotect(name) => format!("The protection of {} from scale-in is removed.", task(*name)),
        Command::SetSchema(version) => format!("Somebody migrates the database schema to version {version}."),
        Command::SetDesired(n) => format!("Somebody sets the desired count to {}.", count(*n)),
        Command::SetPercentages { minimum, maximum } => {
            let parts = [percent(*minimum, "minimum"), percent(*maximum, "maximum")];
            let parts: Vec<String> = parts.into_iter().flatten().collect();
            if parts.is_empty() {
                "Somebody saves the settings unchanged.".into()
            } else {
                format!("Somebody sets {}.", parts.join(" and "))
            }
        }
        Command::Rollout(act) => super::kubernetes::act(act),
        Command::Refresh(act) => super::asg::act(act),
        Command::Group(act) => super::vm::act(act),
        Command::Deploy { revision, .. } => format!("Somebody deploys r{revision}."),
        Command::SetFate { revision, behaviour } => {
            let exceptions = match behaviour.by_start.len() {
                0 => String::new(),
                n => format!(", with {}", plural(n as u32, "exception", "exceptions")),
            };
            format!("From here on tasks of r{revision} {}{exceptions}.", fate(&behaviour.fate))
        }
        elsewhere => super::capacity::act(elsewhere),
    }
}

/// The same in a few words, for the name of a branch.
pub(super) fn act_short(command: &Command) -> String {
    match command {
        Command::Kill(name) => format!("kill {}", task(*name)),
        Command::StopTask(name) => format!("stop {}", task(*name)),
        Command::Interrupt(name) => format!("Spot takes {}", task(*name)),
        Command::SetAlarm { alarm, state } => super::failure::alarm_short(*alarm, *state),
        Command::StopDeployment => "stop deployment".into(),
        Command::ContinueDeployment { action: HookAction::Continue, .. } => "continue".into(),
        Command::ContinueDeployment { action: HookAction::Rollback, .. } => "answer with a rollback".into(),
        Command::Protect { task: name, .. } => format!("protect {}", task(*name)),
        Command::Unprotect(name) => format!("unprotect {}", task(*name)),
        Command::SetSchema(version) => format!("schema {version}"),
        Command::SetDesired(n) => format!("desired {}", count(*n)),
        Command::SetPercentages { minimum, maximum } => {
            let parts = [("minimum", minimum), ("maximum", maximum)];
            let parts = parts.iter().filter_map(|(name, percent)| percent.map(|n| format!("{name} {n} %")));
            let parts = parts.collect::<Vec<_>>().join(", ");
            if parts.is_empty() { "settings as they are".into() } else { parts }
        }
        Command::Rollout(act) => super::kubernetes::act_short(act).into(),
        Command::Refresh(act) => super::asg::act_short(act).into(),
        Command::Group(act) => super::vm::act_short(act).into(),
        Command::Deploy { revision, .. } => format!("deploy r{revision}"),
        Command::SetFate { revision, behaviour } => format!("r{revision}: tasks {}", fate(&behaviour.fate)),
        elsewhere => super::capacity::act_short(elsewhere),
    }
}

/// What becomes of the tasks of a revision, after "tasks".
fn fate(fate: &Fate) -> String {
    match fate {
        Fate::Healthy => "are healthy".into(),
        Fate::NeverRunning { .. } => "fail to start".into(),
        Fate::ExitsAfter(ms) => format!("exit after {}", duration(*ms)),
        Fate::NeverPasses => "never pass their checks".into(),
        Fate::TurnsUnhealthyAfter(ms) => format!("turn unhealthy after {}", duration(*ms)),
        Fate::Hangs => "never answer their checks".into(),
        Fate::AboveRunning(n) => format!("fail their checks while {} or more others run", count(*n)),
        Fate::InZone { zone: index, fate: inner } => format!("in {} {}", zone(*index), self::fate(inner)),
        Fate::Ratio { hits, of, fate: inner } => {
            format!("{}, {} in {}", self::fate(inner), count(*hits), count(*of))
        }
    }
}
