//! Rollouts that go wrong, and the settings that watch them.

use rollscope_engine::platform::ecs::{AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Threshold};
use rollscope_engine::settings::{
    Alarm, AlarmState, BadResponses, Behaviour, Command, Fate, Settings, Start, TaskName,
};

use super::{S, settings, uniform, with_act, with_fate};

fn with(mut settings: Settings, change: impl FnOnce(&mut Params)) -> Settings {
    let params = settings.platform.ecs_mut().expect("an ECS service");
    change(params);
    settings
}

/// A circuit breaker that rolls back and resets.
pub fn with_breaker(settings: Settings, threshold: Threshold) -> Settings {
    let breaker = Breaker { rollback: true, reset_on_healthy_task: true, threshold };
    with(settings, |params| params.breaker = Some(breaker))
}

fn with_alarms(mut settings: Settings, alarms: Vec<Alarm>, bake_s: u64) -> Settings {
    settings.alarms = alarms;
    let watch = AlarmWatch { rollback: true, bake_ms: Some(bake_s * S), alarm_delay_ms: 20 * S };
    with(settings, |params| params.alarms = Some(watch))
}

fn alarm(name: &str, at_start: AlarmState, derived: Option<BadResponses>) -> Alarm {
    Alarm { name: name.into(), at_start, changes: vec![], derived }
}

/// Only the third task of ten passes its checks: five failures in a row trip the breaker.
pub fn tripped() -> Settings {
    let fated = with_fate(settings(10, 100, 150), Fate::NeverPasses, vec![(3, Fate::Healthy)]);
    with_breaker(fated, Threshold::BoundedPercent(50))
}

/// Failures between healthy tasks: each of those sets the count back to 0.
pub fn reset() -> Settings {
    let exits = |start| (start, Fate::ExitsAfter(5 * S));
    let fated = with_fate(settings(6, 100, 134), Fate::Healthy, [1, 2, 6, 7, 8].map(exits).to_vec());
    with_breaker(fated, Threshold::BoundedPercent(80))
}

/// Six hundred tasks that never run: two hundred failures.
pub fn many() -> Settings {
    let fated = with_fate(settings(600, 100, 150), Fate::NeverRunning { after: None }, vec![]);
    with_breaker(fated, Threshold::BoundedPercent(50))
}

/// Eight of ten are enough; the ninth and the tenth fail, and what replaces them is unprotected.
pub fn early() -> Settings {
    let fails = Fate::ExitsAfter(30 * S);
    let fated = with_fate(settings(10, 80, 110), Fate::Healthy, vec![(9, fails.clone()), (10, fails)]);
    let guarded = with_breaker(fated, Threshold::Count(5));
    let early = EarlySuccess { healthy_percent: 80, cleanup: Cleanup::Blocking };
    let lost = Command::Kill(TaskName { revision: 8, start: 4 });
    with_act(with(guarded, |params| params.early_success = Some(early)), 480, lost)
}

/// Nine of ten are enough after half a minute; the old tasks leave twenty minutes later, and the time between is folded.
pub fn deferred() -> Settings {
    let guarded = with_breaker(settings(100, 90, 200), Threshold::BoundedPercent(50));
    let early = EarlySuccess { healthy_percent: 90, cleanup: Cleanup::Deferred };
    let mut settings = with(guarded, |params| params.early_success = Some(early));
    settings.timing.open_request = uniform(1_200, 1_200);
    settings
}

/// Bad answers of the new revision fire an alarm in the bake time; a second alarm stays OK.
pub fn bake() -> Settings {
    let over = BadResponses { over: (1, 100), for_ms: 120 * S };
    let alarms =
        vec![alarm("errors", AlarmState::Ok, Some(over)), alarm("latency", AlarmState::InsufficientData, None)];
    let mut settings = with_alarms(settings(4, 100, 150), alarms, 600);
    settings.revisions[1].behaviour.bad_responses = Some((1, 20));
    settings.timing.open_request = uniform(1, 2);
    settings
}

/// Nothing ran before and every task exits: there is nothing to go back to.
pub fn first() -> Settings {
    let mut settings = with_breaker(settings(2, 100, 200), Threshold::BoundedPercent(50));
    settings.start = Start { deployments: vec![], deploy: Some(8) };
    with_fate(settings, Fate::ExitsAfter(5 * S), vec![])
}

/// An alarm is in ALARM from the start and ignored; the desired count moves the threshold, the
/// third failure trips, and after the rollback another revision is rolled out.
pub fn twice() -> Settings {
    let fated = with_fate(settings(4, 100, 150), Fate::NeverPasses, vec![]);
    let mut guarded = with_breaker(fated, Threshold::BoundedPercent(100));
    guarded = with_alarms(guarded, vec![alarm("errors", AlarmState::Alarm, None)], 0);
    let fixed = Command::Deploy { revision: 9, behaviour: Some(Behaviour::default()) };
    let clear = Command::SetAlarm { alarm: 0, state: AlarmState::Ok };
    let fewer = with_act(guarded, 70, Command::SetDesired(3));
    with_act(with_act(fewer, 400, clear), 420, fixed)
}
