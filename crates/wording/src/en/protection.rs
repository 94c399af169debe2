//! What guards a rollout, on the page: breaker, alarms, early success, and what others see, in English.

use rollscope_engine::SimTime;
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_breaker::{BOUND_HIGH, BOUND_LOW};
use rollscope_engine::settings::{AlarmState, TaskName};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, ProtectionEnd, ServiceStatus};
use rollscope_insight::Headlines;
use rollscope_insight::guarding::{Counted, Uncounted};
use rollscope_insight::headlines::{RevisionShare, Span};
use rollscope_insight::outside::{Colour, Gauges, Misleads, OwnAlarm, OwnState, Signal, Trusts};
use rollscope_insight::remedy::{BreakerChange, Remedy};
use rollscope_insight::tally::{Tally, total};
use rollscope_scenario::limits::{gate, threshold};

use super::failure::{alarm_state, happened};
use super::outside::protection_end;
use super::ui::Label;
use super::{count, duration, plural, product};
use crate::page::OwnAlarmText;
use crate::time::{clock, task};

/// "5 failures"
pub fn failures(n: u32) -> String {
    plural(n, "failure", "failures")
}

/// How the threshold comes about: "10 × 50 % = 5", "3 × 50 % = 1.5, at least 3".
pub fn threshold_sum(rule: Threshold, desired: u32) -> String {
    let (percent, bounded) = match rule {
        Threshold::Count(n) => return format!("{}, whatever the desired count", failures(n)),
        Threshold::BoundedPercent(percent) => (percent, true),
        Threshold::UnboundedPercent(percent) => (percent, false),
    };
    let sum = format!("{} × {percent} % = {}", count(desired), product(desired, percent));
    let hundredths = u64::from(desired) * u64::from(percent);
    let result = threshold(rule, desired);
    if bounded && result == BOUND_LOW && hundredths < u64::from(BOUND_LOW) * 100 {
        format!("{sum}, at least {BOUND_LOW}")
    } else if bounded && result == BOUND_HIGH && hundredths > u64::from(BOUND_HIGH) * 100 {
        format!("{sum}, at most {BOUND_HIGH}")
    } else if hundredths < 100 {
        format!("{sum}, at least 1")
    } else if hundredths.is_multiple_of(100) {
        sum
    } else {
        format!("{sum}, up to {}", count(result))
    }
}

/// The sum of the gate and its result: "100 × 90 % = ", "gate 90".
pub fn gate_sum(desired: u32, percent: u32) -> (String, String) {
    let up = if (u64::from(desired) * u64::from(percent)).is_multiple_of(100) { "" } else { "up to " };
    let sum = format!("{} × {percent} % = {}", count(desired), product(desired, percent));
    (
        if up.is_empty() { format!("{sum}, ") } else { format!("{sum}, {up}") },
        format!("gate {}", count(gate(desired, percent))),
    )
}

/// What the closed section says about the breaker: its threshold, absent while it is off, and whether
/// it rolls back to a candidate that there is.
pub fn breaker_value(threshold: Option<u32>, rollback: bool, candidate: bool) -> String {
    let Some(threshold) = threshold else { return "off".into() };
    let then = match (rollback, candidate) {
        (false, _) => "no rollback",
        (true, true) => "rolls back",
        (true, false) => "nothing to go back to",
    };
    format!("{}, {then}", failures(threshold))
}

/// What the closed section says of the Fjall constructs.
pub fn fjall_value(given: bool, watches: bool, told: bool, gate: bool) -> String {
    if !given {
        return "not used".into();
    }
    let watchdog = match (watches, told) {
        (false, _) => "no watchdog",
        (true, false) => "watchdog, no alarm",
        (true, true) => "watchdog, alarm",
    };
    if gate { watchdog.into() } else { format!("{watchdog}, no gate") }
}

/// What the closed section says of the seed and the end.
pub fn seed_value(seed: &str, until: &str) -> String {
    if until.is_empty() { seed.into() } else { format!("{seed}, ends by {until}") }
}

/// What the closed section says about the alarms, how many there are, and the bake time in minutes.
pub fn alarms_value(alarms: usize, rollback: bool, bake: &str) -> String {
    if alarms == 0 {
        return "off".into();
    }
    let names = plural(alarms as u32, "alarm", "alarms");
    let bake = if bake.is_empty() { String::new() } else { format!(", bake {bake} min") };
    format!("{names}{}{bake}", if rollback { "" } else { ", no rollback" })
}

/// What the closed section says about early success: the percentage and what becomes of old tasks.
pub fn early_value(percent: &str, cleanup: &str) -> String {
    if percent.is_empty() { "off".into() } else { format!("{percent} %, {cleanup}") }
}

/// What a failure goes back to.
pub fn goes_back_to(revision: Option<u32>) -> String {
    revision.map_or_else(|| "nothing: no deployment is COMPLETED".into(), |number| format!("r{number}, COMPLETED"))
}

/// Label of the field of an alarm's behaviour.
pub fn alarm_does(name: &str) -> String {
    format!("Alarm “{name}”")
}

/// A field of an alarm, for those who do not see it beside its alarm.
pub fn alarm_field(name: &str, field: &str) -> String {
    format!("{name}: {field}")
}

/// "12·2 failed its check"
pub fn counted_event(event: &Counted) -> String {
    let name = event.task.map_or_else(|| "A new task".into(), task);
    format!("{name} {}", happened(event.kind, 1))
}

/// "12·9, 12·10 and 12·11 were stopped on purpose. The breaker does not count this."
pub fn uncounted(group: &Uncounted) -> String {
    let why = super::failure::uncounted(group.verdict);
    format!("{} {}. {why}", names(&group.tasks, group.times), happened(group.kind, group.times))
}

/// "12·9", "12·9 and 12·10", "12·9, 12·10, 12·11 and 4 more"
fn names(named: &[TaskName], times: u32) -> String {
    let mut parts: Vec<String> = named.iter().map(|name| task(*name)).collect();
    let more = times.saturating_sub(named.len() as u32);
    match (parts.len(), more) {
        (0, _) => return plural(times, "new task", "new tasks"),
        (_, 0) => {}
        _ => parts.push(format!("{} more", count(more))),
    }
    match parts.pop() {
        Some(last) if !parts.is_empty() => format!("{} and {last}", parts.join(", ")),
        Some(last) => last,
        None => String::new(),
    }
}

/// Rows of the list that are not shown.
pub fn earlier(n: usize) -> String {
    format!("{} earlier", count(n as u64))
}

/// What the counter begins with where no failure of the run is counted yet: "1 counted before this run."
pub fn counted_before(n: u32) -> String {
    match n {
        0 => "No failure counted yet.".into(),
        n => format!("{} counted before this run.", count(n)),
    }
}

/// "5 of 5"
pub fn count_of(n: u32, threshold: u32) -> String {
    format!("{} of {}", count(n), count(threshold))
}

/// The counter for those who do not see its pips.
pub fn gauge(n: u32, threshold: u32) -> String {
    format!("{} of {}", count(n), failures(threshold))
}

/// Heading of the counted failures, once the deployment has failed.
pub fn why_failed(at: SimTime) -> String {
    format!("Why it failed at {}", clock(at))
}

/// Label of the threshold below the counted failures: "threshold 3 × 50 % = 1.5, at least 3".
pub fn threshold_term(rule: Option<Threshold>, desired: u32) -> String {
    match rule {
        Some(rule @ (Threshold::BoundedPercent(_) | Threshold::UnboundedPercent(_))) => {
            format!("threshold {}", threshold_sum(rule, desired))
        }
        _ => "threshold".into(),
    }
}

/// What the breaker looks at in its first and in its second stage; there may be no check to look at.
pub fn breaker_stage(second: bool, checked: bool) -> &'static str {
    match (second, checked) {
        (false, _) => "starts, until a task is RUNNING",
        (true, true) => "starts and health checks",
        (true, false) => "starts only: there is no health check",
    }
}

/// What the alarms of a service deployment do: watching, ignored, fired.
pub fn alarms_state(s: &ServiceDeployment, names: &[String]) -> String {
    if s.alarms.ignored {
        return "ignored: one was in ALARM at the start".into();
    }
    let fired: Vec<&str> =
        s.alarms.triggered.iter().filter_map(|i| names.get(*i as usize)).map(String::as_str).collect();
    match s.alarms.status {
        MonitorStatus::Triggered => format!("fired: {}", fired.join(", ")),
        MonitorStatus::Disabled => "off".into(),
        MonitorStatus::Complete => "done watching".into(),
        MonitorStatus::Monitoring => match s.watch.from {
            Some(at) => format!("watched since {}", clock(at)),
            None => "watched from the first running task on".into(),
        },
    }
}

/// An alarm with its state.
pub fn alarm_is(name: &str, state: AlarmState) -> String {
    format!("{name} {}", alarm_state(state))
}

/// The clock of the bake time.
pub fn bake_clock(until: SimTime, now: SimTime) -> String {
    if now >= until {
        return format!("over at {}", clock(until));
    }
    format!("until {}, {} left", clock(until), clock(SimTime(until.since(now))))
}

/// Whether automatic rollback protects: "until 3:51: the deployment is SUCCESSFUL".
pub fn protects_not(at: SimTime, why: ProtectionEnd) -> String {
    format!("Since {} a failure is not rolled back: {}.", clock(at), protection_end(why))
}

/// What those who listen hear at the border.
pub fn border_crossed(at: SimTime, why: ProtectionEnd) -> String {
    match why {
        ProtectionEnd::Successful => "Successful. From here on nothing rolls back by itself.".into(),
        _ => format!("From {} on nothing rolls back by itself: {}.", clock(at), protection_end(why)),
    }
}

/// What a pipeline sees that trusts one signal.
pub fn signal(signal: &Signal) -> String {
    let at = signal.at.map_or_else(String::new, |at| format!(" at {}", clock(at)));
    let on = signal.revision.map_or_else(String::new, |revision| format!(", on r{revision}"));
    let stack = if signal.creates { "CREATE" } else { "UPDATE" };
    match (signal.trusts, signal.colour) {
        (Trusts::Waiter, Colour::Green) => format!("A wait for “services stable” turns green{at}{on}."),
        (Trusts::Waiter, Colour::Red) => format!("A wait for “services stable” gives up{at}, after 40 tries."),
        (Trusts::Waiter, Colour::Waiting) => "A wait for “services stable” goes on waiting.".into(),
        (Trusts::RolloutState, Colour::Green) => format!("rolloutState is COMPLETED{at}{on}."),
        (Trusts::RolloutState, Colour::Red) => format!("rolloutState is FAILED{at}."),
        (Trusts::RolloutState, Colour::Waiting) => "rolloutState stays IN_PROGRESS.".into(),
        (Trusts::FailedEvent, Colour::Green) => format!("SERVICE_DEPLOYMENT_COMPLETED comes{at}{on}."),
        (Trusts::FailedEvent, Colour::Red) => format!("A rule on SERVICE_DEPLOYMENT_FAILED fires{at}."),
        (Trusts::FailedEvent, Colour::Waiting) => "A rule on SERVICE_DEPLOYMENT_FAILED does not fire.".into(),
        (Trusts::CloudFormation, Colour::Green) => format!("CloudFormation says {stack}_COMPLETE{at}."),
        (Trusts::CloudFormation, Colour::Red) => format!("CloudFormation says {stack}_FAILED{at}."),
        (Trusts::CloudFormation, Colour::Waiting) => format!("CloudFormation says {stack}_IN_PROGRESS."),
        (Trusts::ServiceStatus, Colour::Green) => format!("ServiceDeployment.status is SUCCESSFUL{at}{on}."),
        (Trusts::ServiceStatus, Colour::Red) => format!("ServiceDeployment.status is {}{at}.", signal.status.name()),
        (Trusts::ServiceStatus, Colour::Waiting) => "ServiceDeployment.status stays IN_PROGRESS.".into(),
        (Trusts::OwnAlarms, Colour::Green) => format!("The three alarms of one’s own are OK{at}{on}."),
        (Trusts::OwnAlarms, Colour::Red) => format!("One of the three alarms of one’s own goes to ALARM{at}."),
        (Trusts::OwnAlarms, Colour::Waiting) => "The three alarms of one’s own are not all OK.".into(),
    }
}

/// What a pipeline trusts, in a word.
pub fn trusts(trusts: Trusts) -> &'static str {
    match trusts {
        Trusts::Waiter => "waiter",
        Trusts::RolloutState => "rolloutState",
        Trusts::FailedEvent => "failed event",
        Trusts::CloudFormation => "CloudFormation",
        Trusts::ServiceStatus => "status",
        Trusts::OwnAlarms => "own alarms",
    }
}

/// What a green light does not say, in a phrase of its own; empty where it does not mislead.
pub fn misleads(signal: &Signal, rolled_out: u32) -> String {
    match signal.misleads {
        None => String::new(),
        Some(Misleads::OtherRevision(revision)) => format!("r{revision} is PRIMARY, not r{rolled_out}."),
        Some(Misleads::FailedLater { at }) => format!("The deployment failed later, at {}.", clock(at)),
        Some(Misleads::TasksFail(n)) => {
            format!("Since then {} of it {} failed.", plural(n, "task", "tasks"), if n == 1 { "has" } else { "have" })
        }
        Some(Misleads::NotWhole { healthy, desired }) => {
            format!("Only {} of {} were healthy then.", count(healthy), count(desired))
        }
    }
}

/// The colour of a pipeline.
pub fn light(colour: Colour) -> &'static str {
    match colour {
        Colour::Green => "green",
        Colour::Red => "red",
        Colour::Waiting => "waiting",
    }
}

/// The state of a run beside its title, in words; empty where nothing is wrong.
pub fn run_state(s: &ServiceDeployment) -> String {
    let back = s.rollback.map(|rollback| rollback.revision);
    let person = s.failed_by == Some(FailedBy::Person);
    match (s.status(), back) {
        (ServiceStatus::RollbackRequested | ServiceStatus::StopRequested, _) => "Stopping".into(),
        (ServiceStatus::RollbackInProgress, _) if person => "Stopped, rolling back".into(),
        (ServiceStatus::RollbackInProgress, _) => "Failed, rolling back".into(),
        (ServiceStatus::RollbackSuccessful, Some(revision)) if person => format!("Stopped, back on r{revision}"),
        (ServiceStatus::RollbackSuccessful, Some(revision)) => format!("Failed, back on r{revision}"),
        (ServiceStatus::RollbackSuccessful, None) => "Failed, rolled back".into(),
        (ServiceStatus::RollbackFailed, Some(_)) => "Failed, and so did the rollback".into(),
        (ServiceStatus::RollbackFailed, None) => "Failed, nothing to go back to".into(),
        (ServiceStatus::Stopped, _) if s.failed_by.is_some_and(|by| by != FailedBy::Person) => {
            "Failed, no rollback".into()
        }
        (ServiceStatus::Stopped, _) => "Stopped".into(),
        (ServiceStatus::Pending | ServiceStatus::InProgress | ServiceStatus::Successful, _) => String::new(),
    }
}

/// Name of a figure: when a revision was back.
pub fn back_on(revision: Option<u32>) -> String {
    revision.map_or_else(|| "Back after".into(), |number| format!("Back on r{number} after"))
}

/// Name of a figure: how long the revision that failed served.
pub fn served_for(revision: u32) -> String {
    format!("r{revision} served for")
}

/// What stands where nothing rolls a run back by itself.
pub fn never(whole: bool, shifts: bool) -> &'static str {
    super::ui::label(match (whole, shifts) {
        (true, false) => Label::NoRollbackEver,
        (false, false) => Label::NoRollbackHere,
        (true, true) => Label::NoMonitorEver,
        (false, true) => Label::NoMonitorHere,
    })
}

/// A change of the breaker in a few words: "Reset off".
pub fn breaker_change(change: BreakerChange) -> String {
    match change {
        BreakerChange::On => "Circuit breaker on".into(),
        BreakerChange::RollBack => "Roll back on".into(),
        BreakerChange::Reset(true) => "Reset by healthy tasks on".into(),
        BreakerChange::Reset(false) => "Reset by healthy tasks off".into(),
        BreakerChange::Count(n) => format!("Threshold COUNT {n}"),
    }
}

/// What comes of it: "fails at 0:50, back on r11 at 1:20".
pub fn remedy(found: &Remedy) -> String {
    let fails = found.failed_at.map(|at| format!("fails at {}", clock(at)));
    let back = found.back.map(|(revision, at)| match found.failed_at {
        Some(_) => format!("back on r{revision} at {}", clock(at)),
        None => format!("r{revision} is done at {}", clock(at)),
    });
    let ends: Vec<String> = fails.into_iter().chain(back).collect();
    format!("{}: {}", breaker_change(found.change), ends.join(", "))
}

/// "3 failures counted, 1 not counted"; of several service deployments the whole and each of them.
fn tallied(tallies: &[Tally]) -> Option<String> {
    let (counted, not_counted) = total(tallies);
    let whole = match (counted, not_counted) {
        (0, 0) => return None,
        (0, not) => format!("{}, none counted", failures(not)),
        (counted, 0) => format!("{} counted", failures(counted)),
        (counted, not) => format!("{} counted, {} not counted", failures(counted), count(not)),
    };
    let each: Vec<String> = tallies
        .iter()
        .filter(|tally| tally.counted + tally.not_counted > 0)
        .map(|tally| format!("r{} {} + {}", tally.revision, count(tally.counted), count(tally.not_counted)))
        .collect();
    Some(if each.len() > 1 { format!("{whole} ({})", each.join(", ")) } else { whole })
}

/// What a rollout did to its users: the failures, then a sentence for each of the two spans, whose figures
/// are all of that span.
pub fn headlines(found: &Headlines, tallies: &[Tally]) -> Vec<String> {
    let mut parts: Vec<String> = tallied(tallies).into_iter().collect();
    // While it is rolled out old tasks leave all the time; what goes on afterwards is worth a word.
    let rollout = Span { old_leaves_ms: 0, ..found.during.clone() };
    let during = span(&rollout, found.balanced);
    if !during.is_empty() {
        parts.push(format!("during the deployment: {}", during.join(", ")));
    }
    if let Some(after) = &found.after {
        let told = span(after, found.balanced);
        let name = if found.successful { "after SUCCESSFUL" } else { "after it" };
        let plain =
            after.below_desired_ms == 0 && !after.below_for_good && after.shares.len() < 2 && after.old_leaves_ms == 0;
        if (found.successful || !plain) && !told.is_empty() {
            parts.push(format!("{name}: {}", told.join(", ")));
        }
    }
    parts
}

/// The figures of one span.
fn span(span: &Span, balanced: bool) -> Vec<String> {
    let time = |ms: u64| clock(SimTime(ms));
    let mut parts = Vec::new();
    if span.below_for_good {
        parts.push("below the desired count for good".into());
    } else if span.below_desired_ms > 0 {
        parts.push(format!("below the desired count for {}", time(span.below_desired_ms)));
    }
    let share = |share: &RevisionShare| match share.per_mille {
        0 => format!("r{} under 0.1 %", share.revision),
        tenths if tenths % 10 == 0 => format!("r{} {} %", share.revision, tenths / 10),
        tenths => format!("r{} {}.{} %", share.revision, tenths / 10, tenths % 10),
    };
    if !span.shares.is_empty() {
        let who = if balanced { "answers by" } else { "healthy tasks" };
        parts.push(format!("{who} {}", span.shares.iter().map(share).collect::<Vec<_>>().join(", ")));
    } else if span.ms > 0 {
        parts.push("nobody healthy to answer".into());
    }
    if span.old_leaves_ms > 0 {
        parts.push(format!("old tasks end what they have for {}", time(span.old_leaves_ms)));
    }
    parts
}

/// Stamp of an answer that does not change any more.
pub fn frozen(at: SimTime) -> String {
    format!("frozen {}", clock(at))
}

/// Stamp of an answer about this moment.
pub fn live(at: SimTime) -> String {
    format!("live {}", clock(at))
}

/// Lines of an answer that changed since another moment.
pub fn lines_changed(lines: usize, since: SimTime) -> String {
    let lines = plural(lines as u32, "line", "lines");
    format!("{lines} changed since {}", clock(since))
}

/// The alarms that one has to build oneself, each with its figure and its state.
pub fn own_alarms(gauges: &Gauges, states: &[OwnState; 3]) -> [OwnAlarmText; 3] {
    states.map(|own| {
        let (name, value) = match own.alarm {
            OwnAlarm::Missing => ("Desired − running, new revision", count(gauges.target_missing)),
            OwnAlarm::Replacements => ("Replacements of new tasks", count(gauges.target_replacements)),
            OwnAlarm::OldTasks => {
                let age = gauges.oldest_source_ms.map_or_else(|| "none".into(), |ms| clock(SimTime(ms)));
                ("Age of the oldest old task", age)
            }
        };
        OwnAlarmText { name, value, state: alarm_state(own.state), rule: own_rule(own.alarm) }
    })
}

/// When an alarm of one's own is in ALARM.
fn own_rule(alarm: OwnAlarm) -> String {
    let for_ms = duration(alarm.for_ms());
    match alarm {
        OwnAlarm::Missing => format!("ALARM: a task is missing for {for_ms}, from COMPLETED on"),
        OwnAlarm::Replacements => format!("ALARM: {} replacements within {for_ms}", count(alarm.tasks())),
        OwnAlarm::OldTasks => format!("ALARM: an old task is left {for_ms} after COMPLETED"),
    }
}

/// How many of them are in ALARM.
pub fn own_alarms_fire(alarms: usize) -> String {
    if alarms == 0 { String::new() } else { format!("{alarms} × ALARM") }
}

/// Place of a narrated step.
pub fn step_of(step: usize, of: usize) -> String {
    format!("Step {step} of {of}")
}

/// Events of a list that are not shown.
pub fn earlier_events(events: usize) -> String {
    if events == 1 {
        "1 earlier event is in the JSON.".to_owned()
    } else {
        format!("{events} earlier events are in the JSON.")
    }
}

/// How many steps are narrated, before the first one.
pub fn steps_told(of: usize) -> String {
    if of == 1 { "Told in 1 step".to_owned() } else { format!("Told in {of} steps") }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::platform::ecs::rules_breaker::FailureKind;
    use rollscope_engine::trace::FailureVerdict;

    use super::*;

    #[test]
    fn sums_of_thresholds() {
        let table = [
            (Threshold::BoundedPercent(50), 10, "10 × 50 % = 5"),
            (Threshold::BoundedPercent(50), 25, "25 × 50 % = 12.5, up to 13"),
            (Threshold::BoundedPercent(50), 3, "3 × 50 % = 1.5, at least 3"),
            (Threshold::BoundedPercent(50), 800, "800 × 50 % = 400, at most 200"),
            (Threshold::BoundedPercent(50), 400, "400 × 50 % = 200"),
            (Threshold::UnboundedPercent(50), 800, "800 × 50 % = 400"),
            (Threshold::UnboundedPercent(1), 10, "10 × 1 % = 0.1, at least 1"),
            (Threshold::Count(2), 10, "2 failures, whatever the desired count"),
        ];
        for (rule, desired, expected) in table {
            assert_eq!(threshold_sum(rule, desired), expected, "{rule:?} of {desired}");
        }
        assert_eq!(gate_sum(100, 90), ("100 × 90 % = 90, ".into(), "gate 90".into()));
        assert_eq!(gate_sum(3, 50), ("3 × 50 % = 1.5, up to ".into(), "gate 2".into()));
    }

    #[test]
    fn groups_of_failures_that_did_not_count() {
        let task = |start| TaskName { revision: 12, start };
        let group = |times, tasks| Uncounted {
            kind: FailureKind::Routine,
            verdict: FailureVerdict::Kind,
            tasks,
            times,
            last: SimTime::ZERO,
        };
        let rest = "stopped on purpose. The breaker does not count this.";
        assert_eq!(uncounted(&group(1, vec![task(9)])), format!("12·9 was {rest}"));
        assert_eq!(uncounted(&group(2, vec![task(9), task(10)])), format!("12·9 and 12·10 were {rest}"));
        let many = group(7, vec![task(9), task(10), task(11)]);
        assert_eq!(uncounted(&many), format!("12·9, 12·10, 12·11 and 4 more were {rest}"));
    }

    #[test]
    fn a_stack_creates_the_first_deployment_and_updates_the_others() {
        let says = |colour, creates| {
            let (trusts, revision, misleads, status) = (Trusts::CloudFormation, None, None, ServiceStatus::InProgress);
            super::signal(&Signal { trusts, colour, at: Some(SimTime(70_000)), revision, misleads, status, creates })
        };
        assert_eq!(says(Colour::Red, true), "CloudFormation says CREATE_FAILED at 1:10.");
        assert_eq!(says(Colour::Green, true), "CloudFormation says CREATE_COMPLETE at 1:10.");
        assert_eq!(says(Colour::Waiting, true), "CloudFormation says CREATE_IN_PROGRESS.");
        assert_eq!(says(Colour::Red, false), "CloudFormation says UPDATE_FAILED at 1:10.");
    }

    #[test]
    fn who_asks_for_the_status_sees_the_one_of_that_moment() {
        let (trusts, colour, at, revision, misleads) =
            (Trusts::ServiceStatus, Colour::Red, Some(SimTime(35_000)), None, None);
        for status in [ServiceStatus::RollbackInProgress, ServiceStatus::RollbackFailed, ServiceStatus::Stopped] {
            let said = super::signal(&Signal { trusts, colour, at, revision, misleads, status, creates: false });
            assert_eq!(said, format!("ServiceDeployment.status is {} at 0:35.", status.name()));
        }
    }
}
