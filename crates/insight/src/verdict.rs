//! One word on a scenario.

use rollscope_engine::SimTime;
use rollscope_engine::time::MINUTE;

use crate::check::{Check, StepLimit};
use crate::outcome::{BlockedBy, Outcome, OutcomeKind};
use crate::outside::WaiterEnd;
use crate::troubles::{CutRequests, HostDrain, LateAlarm, LoweredCount, Overload, Short};

/// The verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// It can move.
    CanMove,
    /// It can move, and there is one thing to know.
    Caution(Caution),
    /// It waits for room.
    WillWait,
    /// It fails, and the last good revision is brought back.
    WillFailAndRollBack,
    /// It fails and nothing brings it back.
    WillFailAndStay,
    /// Nothing can start and nothing can stop.
    CannotMove,
    /// The service refuses the settings.
    NotAccepted,
    /// There is no rollout, or no task to replace.
    NothingToDo,
}

/// The one thing to know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Caution {
    /// The first step stops every task: nothing serves until a new one is healthy.
    NothingServes,
    /// Nothing moves until somebody acts; then it completes.
    MovesLater,
    /// Only some of the tasks find room; the rest follow as places become free.
    SomeWait,
    /// The first tasks wait in PROVISIONING until the capacity provider has brought instances.
    WaitsForInstances,
    /// It starts well and then stays where it is for ever.
    StuckLater(BlockedBy),
    /// It goes on and on; it was cut off before anything changed for good.
    NeverDone(BlockedBy),
    /// It completes, and afterwards tasks go on failing.
    FailsAfterwards,
    /// It completes, and afterwards so many tasks fail before all is well again.
    FailsForAWhile(u32),
    /// It completes, and before that so many of its tasks fail, [`MANY`] or more.
    FailsFirst(u32),
    /// It completes, and an alarm goes off when nothing is rolled back any more.
    AlarmTooLate(LateAlarm),
    /// An alarm is in ALARM already: all alarms are ignored for this deployment.
    AlarmsIgnored,
    /// No deployment is COMPLETED: a failure cannot be rolled back.
    NoCandidate,
    /// The circuit breaker trips only after this many failures.
    LateBreaker(u32),
    /// Tasks fail without end and the circuit breaker counts none of them.
    Unseen,
    /// Tasks fail without end, and healthy ones set the breaker's count back before it trips.
    NeverEnough,
    /// Nothing is rolled out, and the replacement of an unhealthy task waits this many milliseconds for its room.
    ReplacementWaits(u64),
    /// A template lowers the desired count while it deploys: the floor of the smaller number protects nobody else.
    LowersCount(LoweredCount),
    /// An instance is drained, and the two limits keep its tasks on it.
    DrainBlocked(HostDrain),
    /// Nothing is rolled out, and fewer tasks are healthy than the floor for a while: so many, of this floor.
    FallsLow((u32, u32)),
    /// Tasks get more requests than they can answer.
    Overload(Overload),
    /// Open requests are cut off: their task has less time to end them than they take.
    CutsOff(CutRequests),
    /// Old tasks stop first, and for a while there is no capacity for new ones.
    RunsShort(Short),
    /// All goes well, and whoever waits for "services stable" gives up before.
    WaiterGivesUp,
    /// A guard of the model broke: the run is not to be trusted.
    NotTrustworthy,
}

/// The verdict of a check, sharpened by the outcome where there is one.
pub fn verdict(check: &Check, outcome: Option<&Outcome>) -> Verdict {
    let Some(outcome) = outcome else { return check.verdict };
    if !outcome.figures.invariants_broken.is_empty() {
        return Verdict::Caution(Caution::NotTrustworthy);
    }
    let blocked = outcome.blocked_by.unwrap_or(BlockedBy::Time);
    match (check.verdict, outcome.outcome) {
        (Verdict::NotAccepted, _) => check.verdict,
        (Verdict::CannotMove, OutcomeKind::Completed) => Verdict::Caution(Caution::MovesLater),
        // Nothing was started before the end: the limits are still what holds it.
        (Verdict::CannotMove, OutcomeKind::Stuck | OutcomeKind::InProgress)
            if outcome.figures.waves == 0 && blocked == BlockedBy::Configuration =>
        {
            Verdict::CannotMove
        }
        (Verdict::NothingToDo, OutcomeKind::Completed) if outcome.replacement_waited_ms >= LONG_MS => {
            Verdict::Caution(Caution::ReplacementWaits(outcome.replacement_waited_ms))
        }
        (_, OutcomeKind::Completed) if met(check, outcome).is_some() => {
            met(check, outcome).map_or(check.verdict, Verdict::Caution)
        }
        (_, OutcomeKind::CompletedThenFailing) => Verdict::Caution(Caution::FailsAfterwards),
        (_, OutcomeKind::Completed) if outcome.failures_after > 0 && outcome.completed_at.is_some() => {
            Verdict::Caution(Caution::FailsForAWhile(outcome.failures_after))
        }
        (Verdict::CanMove, OutcomeKind::Completed) if unguarded(outcome).is_some() => {
            unguarded(outcome).map_or(check.verdict, Verdict::Caution)
        }
        (_, OutcomeKind::RolledBack) => Verdict::WillFailAndRollBack,
        (_, OutcomeKind::Failed) => Verdict::WillFailAndStay,
        (_, OutcomeKind::Waiting) => Verdict::WillWait,
        (_, OutcomeKind::Stuck) => Verdict::Caution(Caution::StuckLater(blocked)),
        // Cut off while all went well says nothing against it.
        (_, OutcomeKind::InProgress) if outcome.cut_off_by.is_some() && blocked != BlockedBy::Time => {
            Verdict::Caution(unseen(check, outcome).unwrap_or(Caution::NeverDone(blocked)))
        }
        // The room there was turned out to be enough.
        (Verdict::WillWait, OutcomeKind::Completed) => Verdict::Caution(Caution::SomeWait),
        (Verdict::CanMove | Verdict::NothingToDo, OutcomeKind::Completed) if outcome.troubles.cut.is_some() => {
            outcome.troubles.cut.map_or(check.verdict, |cut| Verdict::Caution(Caution::CutsOff(cut)))
        }
        (Verdict::CanMove, OutcomeKind::Completed) if gives_up(outcome).is_some() => {
            Verdict::Caution(Caution::WaiterGivesUp)
        }
        (verdict, _) => verdict,
    }
}

/// What a run that ends well meets on its way, the gravest first.
fn met(check: &Check, outcome: &Outcome) -> Option<Caution> {
    let troubles = &outcome.troubles;
    let (lowest, floor) = (outcome.figures.lowest_healthy, outcome.figures.bounds.1);
    let low = (!check.rollout && outcome.services.is_empty() && lowest < floor).then_some((lowest, floor));
    let blocked = troubles.drain.filter(|drain| drain.empty_at.is_none());
    let lowered = troubles.template.map(Caution::LowersCount);
    // With so many failures before all is well, those come first.
    let fails = outcome.failures_after > 0 && outcome.completed_at.is_some();
    let load = troubles.overload.filter(|_| !fails).map(Caution::Overload);
    let short = troubles.short.filter(|_| check.rollout).map(Caution::RunsShort);
    lowered.or(blocked.map(Caution::DrainBlocked)).or(low.map(Caution::FallsLow)).or(short).or(load)
}

/// What a run that ends well went through without anything that would have stopped it, the gravest first.
fn unguarded(outcome: &Outcome) -> Option<Caution> {
    let before = outcome.failures - outcome.failures_after;
    let fails = (before >= MANY && outcome.completed_at.is_some()).then_some(Caution::FailsFirst(before));
    let ignored = outcome.services.last().is_some_and(|newest| newest.alarms.ignored);
    let late = outcome.troubles.late_alarm.map(Caution::AlarmTooLate);
    fails.or(late).or(ignored.then_some(Caution::AlarmsIgnored))
}

/// When the ServicesStable waiter of the newest rollout gives up, where it does.
pub fn gives_up(outcome: &Outcome) -> Option<SimTime> {
    match outcome.waiter?.end {
        Some(WaiterEnd::GivesUp { at }) => Some(at),
        _ => None,
    }
}

/// A replacement that waits this long is worth a word: the default stop of a task takes no longer.
pub(crate) const LONG_MS: u64 = MINUTE;

/// So many failures before the end are worth a word: the least threshold of a circuit breaker by percent, and what
/// raises the alarm of a watchdog.
pub const MANY: u32 = 3;

/// A circuit breaker that needs this many failures or more is worth a word: each of them takes the
/// time of a start.
const LATE: u32 = 100;

/// A breaker is on, tasks go on failing, and it does not trip.
fn unseen(check: &Check, outcome: &Outcome) -> Option<Caution> {
    check.threshold?;
    let failing = matches!(outcome.blocked_by, Some(BlockedBy::FailingTasks | BlockedBy::UnhealthyTarget));
    match outcome.failures_counted {
        _ if !failing => None,
        0 => Some(Caution::Unseen),
        _ => Some(Caution::NeverEnough),
    }
}

/// The verdict of one evaluation.
pub(crate) fn of_check(check: &Check) -> Verdict {
    let tasks = check.before.physical();
    if !check.rollout || (check.limits.desired == 0 && tasks == 0) {
        return Verdict::NothingToDo;
    }
    let of_room = matches!(check.start_limited_by, StepLimit::Places | StepLimit::Room);
    let short_of_places = of_room && check.started < check.need;
    if !check.moves() {
        return match check.hold {
            Some(rollscope_engine::trace::Reason::CannotMove { .. }) => Verdict::CannotMove,
            _ if short_of_places => Verdict::WillWait,
            _ => Verdict::CanMove,
        };
    }
    if short_of_places && check.stopped == 0 {
        // Each new task that gets healthy lets an old one make room for the next.
        let goes_on = check.started > 0 && check.shift.is_none();
        return if goes_on { Verdict::Caution(Caution::SomeWait) } else { Verdict::WillWait };
    }
    let desired = check.limits.desired;
    if desired > 0 && check.stopped > 0 && check.before.healthy() <= check.stopped {
        return Verdict::Caution(Caution::NothingServes);
    }
    if check.waiting.0 > 0 {
        return Verdict::Caution(Caution::WaitsForInstances);
    }
    if check.alarms_ignored {
        return Verdict::Caution(Caution::AlarmsIgnored);
    }
    if check.rolls_back && check.candidate.is_none() {
        return Verdict::Caution(Caution::NoCandidate);
    }
    if let Some(late) = check.threshold.filter(|threshold| *threshold >= LATE) {
        return Verdict::Caution(Caution::LateBreaker(late));
    }
    Verdict::CanMove
}
