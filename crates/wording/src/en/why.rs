//! Why, at any moment, in English.

use rollscope_engine::settings::Act;
use rollscope_insight::account::Link;
use rollscope_insight::{
    Account, Change, EcsEffect, Moment, MomentChange, MomentKind, Part, Sums, Tasks, Wait, WaitCause,
};

use super::reason::who;
use super::record::act;
use super::{count, is_are, plural, product};
use crate::time::{clock, task};

fn was_were(count: u32) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn some(tasks: Tasks) -> String {
    who(Some(tasks.first), tasks.count)
}

/// The heading: "Nothing starts or stops right now".
pub(super) fn title(kind: MomentKind) -> String {
    match kind {
        MomentKind::Acting { started, stopped: 0 } => {
            format!("{} just started", plural(started, "task", "tasks"))
        }
        MomentKind::Acting { started: 0, stopped } => {
            format!("{} {} just picked to stop", plural(stopped, "task", "tasks"), was_were(stopped))
        }
        MomentKind::Acting { started, stopped } => {
            format!("{} just started and {} {} picked to stop", count(started), count(stopped), was_were(stopped))
        }
        MomentKind::NeverMoves => "Nothing will ever start or stop".into(),
        MomentKind::WaitsForHealth => "All that is wanted has started".into(),
        MomentKind::WaitsForStops => "Old tasks are still stopping".into(),
        MomentKind::Failed => "The deployment has failed".into(),
        MomentKind::Protected => "Protected old tasks stay".into(),
        MomentKind::Baking => "The bake time runs".into(),
        MomentKind::Gate => "The gate is not met".into(),
        MomentKind::Digests => "The image digests do not resolve".into(),
        MomentKind::LeftForGood => "Old tasks stay for good".into(),
        MomentKind::Hook { pause: true } => "The deployment pauses".into(),
        MomentKind::Hook { pause: false } => "A hook has not answered".into(),
        MomentKind::Shifting => "Traffic has moved one step".into(),
        MomentKind::Completed => "The deployment is done".into(),
        MomentKind::Steady => "The service is as wanted".into(),
        MomentKind::NoPlaces => "A new task finds no place".into(),
        MomentKind::NoRoom => "A new task finds no room".into(),
        MomentKind::WaitsForInstances => "New tasks wait for an instance".into(),
        MomentKind::Quota => "The launch quota is used up".into(),
        MomentKind::Paused => "ECS pauses between attempts".into(),
        MomentKind::BothLimits | MomentKind::Lockstep => "Nothing starts or stops right now".into(),
    }
}

/// The sentence below the heading.
pub(super) fn lead(moment: &Moment) -> &'static str {
    match moment.kind {
        MomentKind::Acting { stopped: 0, .. } => "There was room below the ceiling, and new tasks were missing.",
        MomentKind::Acting { started: 0, .. } => "More were healthy than the floor asks for, so old tasks could go.",
        MomentKind::Acting { .. } => "Both limits left something to do, so ECS used both at once.",
        MomentKind::BothLimits if moment.sums.spare == 0 => {
            "Both limits are reached. ECS waits until one of them gives way."
        }
        MomentKind::BothLimits => "There is no room to start another task. ECS waits until one is gone.",
        MomentKind::NeverMoves => "Both sums are 0, and no event can change them.",
        MomentKind::WaitsForHealth => "ECS waits until the new tasks are healthy.",
        MomentKind::WaitsForStops => "All new tasks are healthy. The deployment is done when the last old one is gone.",
        MomentKind::NoPlaces => "The ceiling would allow it, but there is no place to run it.",
        MomentKind::NoRoom => "The ceiling would allow it, but nothing takes one more task.",
        MomentKind::WaitsForInstances => "They are in PROVISIONING until an instance takes them.",
        MomentKind::Quota => "ECS starts only so many tasks a minute for one service.",
        MomentKind::Paused => "New tasks failed before they ran, several times in a row.",
        MomentKind::Lockstep => "One thing after the other: start, wait, stop, wait.",
        MomentKind::Failed => "It launches nothing any more.",
        MomentKind::Protected => "All that is wanted runs. ECS waits until the old tasks are not protected any more.",
        MomentKind::Baking => "Everything is done. ECS watches the alarms until the bake time is over.",
        MomentKind::Gate => "ECS waits until enough new tasks are healthy.",
        MomentKind::Digests => "Nothing starts before the third attempt.",
        MomentKind::Hook { pause: true } => "ECS waits for ContinueServiceDeployment.",
        MomentKind::Hook { pause: false } => "ECS waits for the function of a lifecycle hook.",
        MomentKind::Shifting => "ECS waits and watches before it goes on.",
        MomentKind::LeftForGood => "ECS tried for 14 days and stops them no more.",
        MomentKind::Completed => "All new tasks are healthy and no old one is left.",
        MomentKind::Steady => "Nothing is missing and nothing is too much.",
    }
}

/// The name of the term: "ceiling, 4 × 150 %", or "ceiling, 1.5 rounded down".
pub(super) fn ceiling_term(sums: &Sums) -> String {
    if sums.shifting {
        return format!("both revisions in full, 2 × {}", count(sums.desired));
    }
    term("ceiling", "down", sums.desired, sums.maximum_percent)
}

/// The name of the term: "floor, 4 × 100 %", or "floor, 1.5 rounded up".
pub(super) fn floor_term(sums: &Sums) -> String {
    if sums.shifting {
        return format!("the revision with the traffic, {}", count(sums.desired));
    }
    term("floor", "up", sums.desired, sums.minimum_percent)
}

fn term(name: &str, rounded: &str, desired: u32, percent: u32) -> String {
    if (u64::from(desired) * u64::from(percent)).is_multiple_of(100) {
        format!("{name}, {} × {percent} %", count(desired))
    } else {
        format!("{name}, {} rounded {rounded}", product(desired, percent))
    }
}

/// "7·2 is gone, its slot is free for 8·4."
pub(super) fn wait(wait: &Wait, acts: &[Act]) -> String {
    let cause = match wait.cause {
        WaitCause::Gone(tasks) => format!("{} {} gone", some(tasks), is_are(tasks.count)),
        WaitCause::Healthy(tasks) => format!("{} {} healthy", some(tasks), is_are(tasks.count)),
        WaitCause::Unhealthy(tasks) => {
            let fail = if tasks.count == 1 { "fails its checks" } else { "fail their checks" };
            format!("{} {fail}", some(tasks))
        }
        WaitCause::Places(places) => format!("There are places for {}", plural(places, "task", "tasks")),
        WaitCause::Instance(number) => format!("Instance {} registers", count(number)),
        WaitCause::Quota => "The launch quota refills".into(),
        WaitCause::Pause => "The pause is over".into(),
        WaitCause::Act(index) => acts
            .get(index as usize)
            .map_or_else(|| "Somebody acts".into(), |planned| act(&planned.command, &[]).trim_end_matches('.').into()),
        WaitCause::Time => "The moment comes".into(),
    };
    format!("{cause}{}.", consequence(wait))
}

fn consequence(wait: &Wait) -> String {
    let starts = wait.starts.map(|tasks| {
        if wait.same_slot {
            format!("its slot is free for {}", some(tasks))
        } else {
            format!("{} may start", some(tasks))
        }
    });
    let stops = wait.stops.map(|tasks| match wait.cause {
        WaitCause::Unhealthy(failing) if failing.first == tasks.first && failing.count == tasks.count => {
            if tasks.count == 1 { "it is stopped".into() } else { "they are stopped".into() }
        }
        WaitCause::Unhealthy(_) => format!("{} {} stopped", some(tasks), is_are(tasks.count)),
        _ => format!("{} may go", some(tasks)),
    });
    match (starts, stops, wait.completes) {
        (Some(starts), None, _) if wait.same_slot => format!(", {starts}"),
        (Some(starts), None, _) => format!(", so {starts}"),
        (None, Some(stops), _) => format!(", so {stops}"),
        (Some(starts), Some(stops), _) => format!(", so {stops} and {starts}"),
        (None, None, true) => ": the deployment is done".into(),
        (None, None, false) => String::new(),
    }
}

/// "Maximum 175 %: ceiling 7, one more starts now."
pub(super) fn change(change: &MomentChange) -> String {
    let (low, high) = (count(change.limits.floor), count(change.limits.ceiling));
    let setting = match change.change {
        Change::Maximum(percent) => format!("Maximum {percent} %: ceiling {high}"),
        Change::Minimum(percent) => format!("Minimum {percent} %: floor {low}"),
        Change::Desired(desired) => format!("Desired count {}: floor {low}, ceiling {high}", count(desired)),
        Change::Places(places) => format!("Places for {}", plural(places, "task", "tasks")),
        Change::Instances(_) => "One more instance like the first".into(),
        ref other => super::verdict::checks(other).trim_end_matches('.').into(),
    };
    let (started, stopped) = (change.started, change.stopped);
    let starts = format!("{} {} now", who(started.1, started.0), if started.0 == 1 { "starts" } else { "start" });
    let stops = format!("{} may stop now", who(stopped.1, stopped.0));
    match (started.0, stopped.0) {
        (0, _) => format!("{setting}, {stops}."),
        (_, 0) => format!("{setting}, {starts}."),
        _ => format!("{setting}, {starts} and {stops}."),
    }
}

/// What time is spent on, in a word or two.
pub(super) fn part(part: Part) -> &'static str {
    match part {
        Part::Start => "Start",
        Part::Checks => "Health checks",
        Part::Draining => "Draining",
        Part::Stopping => "Stopping",
        Part::Waiting => "Waiting",
        Part::Pausing => "Between attempts",
        Part::Baking => "Bake time",
    }
}

/// "Where the 2:34 go", and of which deployment, where it is not the one the run begins with.
pub(super) fn account_title(account: &Account) -> String {
    let length = clock(rollscope_engine::SimTime(account.to.since(account.from)));
    if account.from == rollscope_engine::SimTime::ZERO {
        return format!("Where the {length} go");
    }
    format!("Where the {length} of r{} go, from {} on", account.revision, clock(account.from))
}

/// "0:15 to 0:45: 8·1 passes its checks"
pub(super) fn link(link: &Link) -> String {
    let who = link.task.map_or_else(|| "a task".into(), task);
    let what = match link.part {
        Part::Start => format!("{who} starts"),
        Part::Checks => format!("{who} is checked"),
        Part::Draining => format!("{who} drains"),
        Part::Stopping => format!("{who} stops"),
        Part::Waiting => "waiting".into(),
        Part::Pausing => "the pause between two attempts".into(),
        Part::Baking => "bake time".into(),
    };
    format!("{} to {}: {what}", clock(link.from), clock(link.to))
}

/// Whether a change starts a deployment.
pub(super) fn ecs_effect(effect: EcsEffect) -> &'static str {
    match effect {
        EcsEffect::NewDeployment => "On ECS this starts a new deployment.",
        EcsEffect::NewRevision => {
            "On ECS this needs a new revision of the task definition, and that starts a new deployment."
        }
        EcsEffect::AtOnce => "On ECS this changes the running deployment at once and starts no new one.",
        EcsEffect::NoDeployment => {
            "On ECS this starts no deployment; tasks that run already stay as they are until a new one is forced."
        }
        EcsEffect::LoadBalancer => {
            "This is a setting of the target group: in force there at once, without a deployment."
        }
        EcsEffect::CapacityProvider => "This is a setting of the capacity provider: it starts no deployment.",
        EcsEffect::OneTask => "On ECS this starts no deployment: the service replaces the task where one is missing.",
        EcsEffect::Fixed => "On ECS this is set when the service is created and does not change later.",
        EcsEffect::NotStated => "The documentation does not say whether this starts a deployment.",
        EcsEffect::World => "This is no setting of ECS: it says how the application and the world behave.",
    }
}
