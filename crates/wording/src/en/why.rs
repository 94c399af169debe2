//! Why, at any moment, in English.

use rollscope_engine::settings::Act;
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::trace::{Decision, Reason};
use rollscope_insight::account::{After, Drain, Link, Share};
use rollscope_insight::{
    Account, Change, Course, EcsEffect, Moment, MomentChange, MomentKind, OutcomeKind, Part, Sums, Tasks, Wait,
    WaitCause, WaitEnd,
};

use super::reason::who;
use super::record::act;
use super::{count, is_are, plural, product, tasks};
use crate::time::{clock, task};

fn was_were(count: u32) -> &'static str {
    if count == 1 { "was" } else { "were" }
}

fn some(tasks: Tasks) -> String {
    who(Some(tasks.first), tasks.count)
}

/// The heading: "Nothing starts or stops right now".
pub(super) fn title(moment: &Moment) -> String {
    let course = moment.course;
    let rolling_back = course.is_some_and(|course| course.rolls_back());
    let plain = match moment.kind {
        MomentKind::Ended(kind) => return ended(kind, moment),
        MomentKind::Fails(FailedBy::Breaker) => return "The circuit breaker trips".into(),
        MomentKind::Fails(FailedBy::Alarm) => return "An alarm fails the deployment".into(),
        MomentKind::Fails(FailedBy::Digests) => return "The image digests do not resolve".into(),
        MomentKind::Fails(FailedBy::Hook) => return "A hook ends the deployment".into(),
        MomentKind::Fails(FailedBy::StageLimit) => return "A stage has lasted too long".into(),
        MomentKind::Fails(FailedBy::Person) => return "Somebody stops the deployment".into(),
        MomentKind::RollbackFails => return "The rollback fails".into(),
        MomentKind::RolledBack | MomentKind::Back => return back_on(course),
        MomentKind::Done | MomentKind::Completed => "The deployment is done".into(),
        MomentKind::Counts(n) => counts(n, moment.failure.map_or(n, |(failure, _)| failure.count)),
        MomentKind::TasksFail(n) => format!("{} failed, and nothing counts it", plural(n, "task", "tasks")),
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
        MomentKind::WaitsForStops => format!("{} still stopping", sentence_case(&stopping(moment))),
        MomentKind::Failed => "The deployment has failed".into(),
        MomentKind::Protected => "Protected old tasks stay".into(),
        MomentKind::Baking => "The bake time runs".into(),
        MomentKind::Gate => "The gate is not met".into(),
        MomentKind::Digests => "The image digests do not resolve".into(),
        MomentKind::LeftForGood => "Old tasks stay for good".into(),
        MomentKind::Hook { pause: true } => "The deployment pauses".into(),
        MomentKind::Hook { pause: false } => "A hook has not answered".into(),
        MomentKind::Shifting => "Traffic has moved one step".into(),
        MomentKind::Steady => "The service is as wanted".into(),
        MomentKind::NoPlaces => "A new task finds no place".into(),
        MomentKind::NoRoom if on_fargate(moment) => "Fargate has no capacity".into(),
        MomentKind::NoRoom => "A new task finds no room".into(),
        MomentKind::WaitsForInstances => "New tasks wait for an instance".into(),
        MomentKind::Quota => "The launch quota is used up".into(),
        MomentKind::Paused => "ECS pauses between attempts".into(),
        MomentKind::BothLimits | MomentKind::Lockstep => "Nothing starts or stops right now".into(),
    };
    if rolling_back { format!("Rolling back: {}", lower_first(&plain)) } else { plain }
}

/// "1 failure counted", and where others counted before: "The second failure counts", "2 more failures counted".
fn counts(n: u32, of: u32) -> String {
    const WORDS: [&str; 10] =
        ["", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
    match (n, WORDS.get(of as usize)) {
        (n, _) if of <= n => format!("{} counted", plural(n, "failure", "failures")),
        (1, Some(word)) => format!("The {word} failure counts"),
        (1, None) => format!("Failure {} counts", count(of)),
        _ => format!("{} more failures counted", count(n)),
    }
}

/// The heading at the end of a run.
fn ended(kind: OutcomeKind, moment: &Moment) -> String {
    let course = moment.course;
    let revision = course.map_or(0, |course| course.revision);
    let because = moment.because.map(|decision| decision.reason);
    match kind {
        OutcomeKind::Completed => match because {
            Some(Reason::EarlySuccess { healthy, gate, .. }) => {
                format!("r{revision} is rolled out early: {} healthy, the gate is {}", count(healthy), count(gate))
            }
            _ => format!("r{revision} is rolled out"),
        },
        OutcomeKind::CompletedThenFailing => format!("r{revision} is rolled out, and its tasks fail"),
        OutcomeKind::RolledBack => back_on(course),
        OutcomeKind::Failed => format!("r{revision} failed and stays failed"),
        OutcomeKind::Stuck => "Nothing will change any more".into(),
        OutcomeKind::Waiting => "It goes on waiting".into(),
        OutcomeKind::InProgress => format!("r{revision} is not rolled out"),
        OutcomeKind::Cancelled => format!("r{revision} is cancelled"),
        OutcomeKind::Refused => "The platform refuses these settings".into(),
    }
}

/// "Back on r7"
fn back_on(course: Option<Course>) -> String {
    let back = course.and_then(|course| course.back);
    back.map_or_else(|| "Rolled back".into(), |revision| format!("Back on r{revision}"))
}

/// Whose tasks are stopping: the old ones, or those of the revision that is given up.
fn stopping(moment: &Moment) -> String {
    match moment.course {
        Some(course) if course.failed.is_some() => format!("tasks of r{} are", course.revision),
        _ => "old tasks are".into(),
    }
}

/// The sentence below the heading.
pub(super) fn lead(moment: &Moment) -> String {
    let course = moment.course;
    match moment.kind {
        MomentKind::Ended(_) => {
            return moment.end.as_ref().map_or_else(String::new, |end| super::report::outcome(end));
        }
        MomentKind::Fails(by) => return fails(moment, by),
        MomentKind::RollbackFails => return "ECS launches nothing more. Only another update helps.".into(),
        MomentKind::RolledBack | MomentKind::Back => return is_back(course),
        MomentKind::Done => return done(moment),
        MomentKind::Counts(_) | MomentKind::TasksFail(_) => return failed(moment),
        MomentKind::Acting { .. } => return acting(moment),
        MomentKind::WaitsForHealth => return format!("ECS waits until {} healthy.", wanted(moment)),
        MomentKind::WaitsForStops => return waits_for_stops(moment),
        MomentKind::Shifting | MomentKind::Hook { .. } => {
            if let Some(hold) = &moment.hold {
                return super::shift::hold(hold);
            }
        }
        MomentKind::NoRoom | MomentKind::WaitsForInstances => {
            if let Some(hold) = &moment.hold {
                return super::capacity::reason(hold, tasks);
            }
        }
        _ => {}
    }
    holding(moment).into()
}

fn holding(moment: &Moment) -> &'static str {
    match moment.kind {
        MomentKind::BothLimits if moment.sums.spare == 0 && moment.sums.room == 0 => {
            "Both limits are reached. ECS waits until one of them gives way."
        }
        MomentKind::BothLimits => "There is no room to start another task. ECS waits until one is gone.",
        MomentKind::NeverMoves => "Both sums are 0, and no event can change them.",
        MomentKind::NoPlaces => "The ceiling would allow it, but there is no place to run it.",
        MomentKind::NoRoom => "The ceiling would allow it, but nothing takes one more task.",
        MomentKind::WaitsForInstances => "They are in PROVISIONING until an instance takes them.",
        MomentKind::Quota => "ECS starts only so many tasks a minute for one service.",
        MomentKind::Paused => "New tasks failed before they ran, several times in a row.",
        MomentKind::Lockstep => "One thing after the other: start, wait, stop, wait.",
        MomentKind::Failed => "It launches nothing any more.",
        MomentKind::Protected => "All that is wanted runs. ECS waits until the old tasks are not protected any more.",
        MomentKind::Baking => match (moment.alarms, moment.sums.shifting) {
            (true, _) => "Everything is done. ECS watches the alarms until the bake time is over.",
            (false, true) => "The old tasks stay until the bake time is over. No alarm is watched meanwhile.",
            (false, false) => "Everything is done. The bake time has to pass; no alarm is watched meanwhile.",
        },
        MomentKind::Gate => "ECS waits until enough new tasks are healthy.",
        MomentKind::Digests => "Nothing starts before the third attempt.",
        MomentKind::Hook { pause: true } => "ECS waits for ContinueServiceDeployment.",
        MomentKind::Hook { pause: false } => "ECS waits for the function of a lifecycle hook.",
        MomentKind::Shifting if !moment.alarms => "ECS waits before it goes on. No alarm is watched meanwhile.",
        MomentKind::Shifting => "ECS waits and watches before it goes on.",
        MomentKind::LeftForGood => "ECS tried for 14 days and stops them no more.",
        MomentKind::Completed => "Nothing is missing, and no old task is left.",
        _ => "Nothing is missing and nothing is too much.",
    }
}

/// What is missing is not room on instances.
fn on_fargate(moment: &Moment) -> bool {
    matches!(moment.hold, Some(Reason::NoCapacity { .. }))
}

/// Who is still to become healthy.
fn wanted(moment: &Moment) -> String {
    match moment.course {
        Some(Course { back: Some(revision), .. }) => format!("the tasks of r{revision} are"),
        _ => "the new tasks are".into(),
    }
}

fn waits_for_stops(moment: &Moment) -> String {
    match moment.course {
        Some(course) if course.rolls_back() => format!(
            "All tasks of r{} are healthy. The rollback is done when the last task of r{} is gone.",
            course.back.unwrap_or_default(),
            course.revision
        ),
        Some(course) if course.finished.is_none() => {
            "All new tasks are healthy. The deployment is done when the last old one is gone.".into()
        }
        _ => "Nothing more is wanted; the deployment itself is over.".into(),
    }
}

/// What made it fail, and what follows from that.
fn fails(moment: &Moment, by: FailedBy) -> String {
    let revision = moment.course.map_or(0, |course| course.revision);
    let why = match moment.because.map(|decision| decision.reason) {
        Some(Reason::BreakerTripped { count: n, threshold, .. }) => {
            format!("{} of {} count, so r{revision} has failed", count(n), plural(threshold, "failure", "failures"))
        }
        _ if by == FailedBy::Person => format!("r{revision} is given up"),
        Some(Reason::DigestsFailed { attempts }) => {
            format!("{} failed, so r{revision} has failed", plural(attempts, "attempt", "attempts"))
        }
        _ => format!("r{revision} has failed"),
    };
    let then = match moment.follows {
        Some(Reason::RollsBack { to, .. }) => format!(" and goes back to r{to}."),
        Some(Reason::NoCandidate { .. }) => {
            ". There is no COMPLETED deployment to go back to: ECS launches nothing more.".into()
        }
        Some(Reason::NoRollback { .. }) => ". Rollback is off: ECS launches nothing more of it.".into(),
        _ => ".".into(),
    };
    format!("{why}{then}")
}

/// "r8 failed at 0:35 and r7 is back since 0:37."
fn is_back(course: Option<Course>) -> String {
    let Some(course) = course else { return String::new() };
    let gone = match course.failed {
        Some((at, FailedBy::Person)) => format!("r{} was stopped at {}", course.revision, clock(at)),
        Some((at, _)) => format!("r{} failed at {}", course.revision, clock(at)),
        None => format!("r{} failed", course.revision),
    };
    let back = course.back.map_or_else(String::new, |revision| format!("r{revision}"));
    let since = course.finished.map_or_else(String::new, |at| format!(" since {}", clock(at)));
    format!("{gone}. All of {back} is healthy again{since}.")
}

fn done(moment: &Moment) -> String {
    match moment.because {
        Some(decision) => super::reason::reason(&decision.reason, decision.first),
        None => "All new tasks are healthy and no old one is left.".into(),
    }
}

/// What failed, and what the breaker makes of it.
fn failed(moment: &Moment) -> String {
    match moment.failure {
        Some((failure, n)) => super::failure::failure(&failure, n, None),
        None => "No circuit breaker is on: a task that failed is replaced, again and again.".into(),
    }
}

/// Why the scheduler does something.
fn acting(moment: &Moment) -> String {
    let Some(decision) = moment.because else { return String::new() };
    let both = matches!(moment.kind, MomentKind::Acting { started, stopped } if started > 0 && stopped > 0);
    let why = if both && matches!(decision.reason, Reason::SpareToStop { .. }) {
        "Both limits left something to do, so ECS used both at once.".into()
    } else {
        cause(&decision, moment)
    };
    match decision.reason {
        // The floor let only some of them go.
        Reason::SpareToStop { healthy, floor, stopped } if floor > 0 && stopped + floor == healthy => {
            format!("{why} {STOP_ORDER}")
        }
        _ => why,
    }
}

/// Who goes first where not all may.
const STOP_ORDER: &str = "Of those alike, one in the fullest zone goes first, then the oldest.";

/// The rule behind a decision, in one sentence.
fn cause(decision: &Decision, moment: &Moment) -> String {
    let newest = moment.course.map(|course| course.revision);
    let of = decision.first.map(|name| name.revision);
    let given_up = moment.course.is_some_and(|course| course.failed.is_some()) && of == newest;
    let whose = match of {
        Some(revision) if given_up => format!("tasks of r{revision}"),
        Some(revision) if Some(revision) != newest => "old tasks".into(),
        _ => "tasks".into(),
    };
    let missing = match of {
        Some(revision) if moment.course.is_some_and(|course| course.back == Some(revision)) => {
            format!("tasks of r{revision}")
        }
        _ => "new tasks".into(),
    };
    match decision.reason {
        Reason::DeploymentBegins { .. } => "A deployment begins.".into(),
        Reason::RoomToStart { .. } => format!("There was room below the ceiling, and {missing} were missing."),
        Reason::SourceNeeded { .. } => {
            "There are fewer old tasks than the floor needs until new ones are healthy.".into()
        }
        Reason::SpareToStop { .. } => format!("More were healthy than the floor asks for, so {whose} could go."),
        Reason::NotNeeded { .. } => "Tasks that are not healthy and not needed stop at once.".into(),
        Reason::NeverHealthy { .. } => "New tasks that fail before they ever were healthy stop at once.".into(),
        Reason::ReplacementFirst { .. } => {
            "There is room, so the replacement starts before the unhealthy task stops.".into()
        }
        Reason::NoRoomStopFirst { .. } => {
            "There is no room, so the unhealthy task stops before its replacement starts.".into()
        }
        Reason::ReplacementHealthy { .. } => "The replacement is healthy, so the unhealthy task stops.".into(),
        Reason::OlderStops { .. } => {
            "The replacement fails its checks as well, inside its grace period, so the older task stops.".into()
        }
        Reason::Surplus { .. } => "More tasks run than are wanted.".into(),
        Reason::DeploymentFailed { revision } => {
            format!("r{revision} has failed: its unhealthy tasks stop, and none takes their place.")
        }
        ref other => super::reason::reason(other, decision.first),
    }
}

/// What is waited for at a moment: "6 tasks exist and 4 are healthy: both limits are reached, so ECS waits." and
/// in a rollback "Rolling back: 1 task is on the way: ECS waits until it is healthy."
pub(super) fn waiting(reason: &Reason, rolls_back: bool) -> String {
    let plain = super::reason::reason(reason, None);
    if rolls_back { format!("Rolling back: {}", lower_first(&plain)) } else { plain }
}

fn sentence_case(text: &str) -> String {
    super::verdict::capital(text)
}

/// "Nothing starts" becomes "nothing starts"; names of their own stay.
fn lower_first(text: &str) -> String {
    if text.starts_with("ECS") || text.starts_with("r") {
        return text.to_owned();
    }
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    text
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
        return match sums.cleans_up {
            true => format!("the revision with the traffic, {}", count(sums.desired)),
            false => format!("kept until CLEAN_UP, 2 × {}", count(sums.desired)),
        };
    }
    term("floor", "up", sums.desired, sums.minimum_percent)
}

/// What comes of the room: "room to start", or why nothing starts in it. Where places limit it further the room is
/// not the result yet: "room below the ceiling".
pub(super) fn room(sums: &Sums) -> String {
    match (sums.room, sums.missing) {
        _ if !places(sums).is_empty() => "room below the ceiling".into(),
        (0, _) => "no room: nothing can start".into(),
        (_, 0) => "room, but nothing to start".into(),
        _ => "room to start".into(),
    }
}

/// What comes of the spare: "spare to stop", or why nothing stops.
pub(super) fn spare(sums: &Sums) -> String {
    match (sums.spare, sums.left) {
        (0, _) if sums.shifting && !sums.cleans_up => "nothing may stop before CLEAN_UP".into(),
        (0, _) => "no spare: nothing may stop".into(),
        (_, 0) => "spare, but nothing old to stop".into(),
        _ => "spare to stop".into(),
    }
}

/// "room to start: 0 of 95 places are free"; empty where places allow what the ceiling does.
pub(super) fn places(sums: &Sums) -> String {
    match sums.places {
        Some((places, free)) if free < sums.room && sums.missing > 0 => {
            format!("room to start: {} of {} places {} free", count(free), count(places), is_are(free))
        }
        _ => String::new(),
    }
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
        WaitCause::Failed(tasks) => format!("{} {}", some(tasks), if tasks.count == 1 { "fails" } else { "fail" }),
        WaitCause::Healthy(tasks) => format!("{} {} healthy", some(tasks), is_are(tasks.count)),
        WaitCause::Unhealthy(tasks) => {
            let fail = if tasks.count == 1 { "fails its checks" } else { "fail their checks" };
            format!("{} {fail}", some(tasks))
        }
        WaitCause::Unprotected(tasks) => {
            format!("{} {} not protected any more", some(tasks), is_are(tasks.count))
        }
        WaitCause::Places(places) => format!("There are places for {}", plural(places, "task", "tasks")),
        WaitCause::Instance(number) => format!("Instance {} registers", count(number)),
        WaitCause::Quota => "The launch quota refills".into(),
        WaitCause::Pause => "The pause is over".into(),
        WaitCause::Act(index) => acts
            .get(index as usize)
            .map_or_else(|| "Somebody acts".into(), |planned| act(&planned.command, &[]).trim_end_matches('.').into()),
        WaitCause::Scaled(desired) => format!("Target tracking asks for {}", plural(desired, "task", "tasks")),
        WaitCause::Capacity => "Fargate has capacity again".into(),
        WaitCause::Alarm(_) => "An alarm has fired".into(),
        WaitCause::Baked => "The bake time is over".into(),
        WaitCause::Stepped => "The wait after this shift is over".into(),
        WaitCause::Shifted => "The load balancer has moved the traffic".into(),
        WaitCause::Limit(stage) => format!("{} has lasted for 24 hours", stage.name()),
        WaitCause::Hook(id, status) => super::shift::hook_ended(id, status),
        WaitCause::Time => "The moment comes".into(),
    };
    let healthy = wait.healthy.map(|tasks| format!(" and {} {} healthy", some(tasks), is_are(tasks.count)));
    format!("{cause}{}{}.", healthy.unwrap_or_default(), consequence(wait))
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
    let then = match (starts, stops) {
        (Some(starts), None) if wait.same_slot => format!(", {starts}"),
        (Some(starts), None) => format!(", so {starts}"),
        (None, Some(stops)) => format!(", so {stops}"),
        (Some(starts), Some(stops)) => format!(", so {stops} and {starts}"),
        (None, None) => String::new(),
    };
    let then = match wait.shift {
        Some(shift) => {
            format!("{then}{} {}", if then.is_empty() { ", so" } else { " and" }, super::shift::shifts(shift))
        }
        None => then,
    };
    match wait.ends {
        // What a failure stops and starts follows from it.
        Some(WaitEnd::FailsBack(revision)) => format!(": the deployment fails and goes back to r{revision}"),
        Some(WaitEnd::FailsForGood) => ": the deployment fails".into(),
        Some(WaitEnd::Done) => format!("{then}: the deployment is done"),
        Some(WaitEnd::Back(revision)) => format!("{then}: r{revision} is back"),
        None => then,
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
        Change::DynamicPorts => "Dynamic host ports".into(),
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
        Part::Provisioning => "Provisioning",
        Part::Pull => "Image pull",
        Part::StartUp => "Start-up",
        Part::Checks => "Health checks",
        Part::Grace => "Grace period",
        Part::Unchecked => "Running, unchecked",
        Part::Draining => "Draining",
        Part::Stopping => "Stopping",
        Part::OtherSide => "Other revision",
        Part::Waiting => "Waiting",
        Part::Pausing => "Between attempts",
        Part::Baking => "Bake time",
        Part::Serving => "Serving",
    }
}

/// What is shorter would be told as 0:00.
const SHORTEST_MS: u64 = 500;

/// "provisioning 0:05, image pull 0:10, health checks 0:30"
pub(super) fn task_time(shares: &[Share]) -> String {
    let one = |share: &Share| {
        format!("{} {}", part(share.part).to_ascii_lowercase(), clock(rollscope_engine::SimTime(share.ms)))
    };
    shares.iter().filter(|share| share.ms >= SHORTEST_MS).map(one).collect::<Vec<_>>().join(", ")
}

/// "Where the 2:34 go", and of which deployment, where it is not the one the run begins with; "Where the
/// first 1:00:00 go" of one that is not over.
pub(super) fn account_title(account: &Account) -> String {
    let length = clock(rollscope_engine::SimTime(account.to.since(account.from)));
    if account.from == rollscope_engine::SimTime::ZERO {
        return format!("Where the {}{length} go", if account.over { "" } else { "first " });
    }
    let first = if account.over { "" } else { "first " };
    format!("Where the {first}{length} of r{} go, from {} on", account.revision, clock(account.from))
}

/// "After SUCCESSFUL: 30:00 more, until 30:35": what a deployment that is over leaves to be done.
pub(super) fn after_title(account: &Account, after: &After) -> String {
    let what = if after.successful { "SUCCESSFUL" } else { "its end" };
    let length = clock(rollscope_engine::SimTime(after.to.since(account.to)));
    format!("After {what}: {length} more, until {}", clock(after.to))
}

/// Less than a tenth of a task-minute would be told as 0.0.
const LEAST_TASK_MS: u64 = 3_000;

/// "serving 1,204.5, draining 90.0"
pub(super) fn task_minutes_of(shares: &[Share]) -> String {
    let one =
        |share: &Share| format!("{} {}", part(share.part).to_ascii_lowercase(), super::page::task_minutes(share.ms));
    shares.iter().filter(|share| share.ms >= LEAST_TASK_MS).map(one).collect::<Vec<_>>().join(", ")
}

/// "Open requests are done after 30 seconds; the deregistration delay of 2 minutes is not used up."
pub(super) fn drain(drain: &Drain) -> String {
    let (took, delay) = (super::duration(drain.took_ms), super::duration(drain.delay_ms));
    if drain.took_ms < drain.delay_ms {
        format!("Draining: open requests are done after {took}; the deregistration delay of {delay} is not used up.")
    } else {
        format!("Draining: it takes the whole deregistration delay of {delay}.")
    }
}

/// "0:15 to 0:45: 8·1 passes its checks"
pub(super) fn link(link: &Link) -> String {
    let who = link.task.map_or_else(|| "a task".into(), task);
    let what = match link.part {
        Part::Provisioning => format!("{who} is provisioned"),
        Part::Pull => format!("{who} pulls its image"),
        Part::StartUp => format!("the application of {who} starts"),
        Part::Checks => format!("{who} is checked"),
        Part::Grace => format!("{who} fails, and the grace period hides it"),
        Part::Unchecked => format!("{who} runs until it counts as healthy"),
        Part::Draining => format!("{who} drains"),
        Part::Stopping => format!("{who} stops"),
        Part::OtherSide => format!("{who} waits for the other revision"),
        Part::Waiting => "waiting".into(),
        Part::Pausing => "the pause between two attempts".into(),
        Part::Baking => "bake time".into(),
        Part::Serving => format!("{who} serves"),
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
