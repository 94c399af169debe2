//! What would spare a run its troubles: one field each, each confirmed by a run of its own with all its acts.

use rollscope_engine::order;
use rollscope_engine::settings::{Capacity, Command, HOSTS_MAX, Settings};
use rollscope_engine::time::SECOND;
use rollscope_scenario::Resolved;

use crate::changes::{self, Change};
use crate::check::{Check, evaluate};
use crate::outcome::{BlockedBy, CutOff, Outcome, OutcomeKind, failed_at, outcome};
use crate::remedy::BreakerChange;
use crate::run::run_to_end;
use crate::verdict::{Caution, LONG_MS, Verdict, verdict};

/// Events of the run that confirms a change.
const CONFIRM_EVENTS: u64 = 20_000;
/// A larger service takes too long to run again.
const CONFIRM_TASKS: u32 = 200;
/// Deregistration delays that are proposed, in seconds, the greatest first: the nearest one that helps.
const DELAYS: [u32; 5] = [120, 60, 30, 10, 0];
/// Longest deregistration delay that a target group takes, in seconds.
const DELAY_MAX: u32 = 3_600;
/// More is not proposed: a list of every field there is helps nobody.
const MOST: usize = 3;

/// Changes that spare the run what its verdict warns of, the smallest first and at most three. Empty where the verdict
/// warns of nothing that one field changes, where the first step has its own changes already, and for large services.
pub fn relief(resolved: &Resolved, check: &Check, seen: &Outcome) -> Vec<Change> {
    let settings = &resolved.settings;
    let found = verdict(check, Some(seen));
    if !check.changes.is_empty() || check.limits.desired.max(seen.limits.desired) > CONFIRM_TASKS {
        return Vec::new();
    }
    let goal = Goal::of(found, seen);
    let Some(goal) = goal else { return Vec::new() };
    let mut list = candidates(resolved, check, seen, goal);
    let (desired, percentages) = (check.limits.desired, check.percentages);
    order::by_key(&mut list, |change| changes::size(change, desired, percentages));
    let mut helps: Vec<Change> = Vec::new();
    for change in list {
        // Of several values of one field the first that helps is the nearest; to leave it out is no value.
        let left_out = |change: &Change| matches!(change, Change::TemplateKeeps { .. });
        let known = helps.iter().any(|other| other.field() == change.field() && left_out(other) == left_out(&change));
        if !known && helps.len() < MOST && confirmed(settings, &change, seen, goal) {
            helps.push(change);
        }
    }
    // Where nothing lets it get done, something may at least bring it back.
    let breaker = Change::Breaker(BreakerChange::On);
    let off = settings.platform.ecs().breaker.is_none();
    // Not where Fargate has none to give: that passes, and whoever goes back then has waited for nothing.
    let passes = matches!(settings.capacity, Capacity::Fargate(_)) && seen.blocked_by == Some(BlockedBy::Room);
    if helps.is_empty() && goal == Goal::Ends && off && !passes && confirmed(settings, &breaker, seen, goal) {
        helps.push(breaker);
    }
    helps
}

/// What a change has to come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// The rollout ends, or ends better.
    Ends,
    /// A stage does not have to last for 24 hours before it is given up.
    Sooner,
    /// The instances do not have to come first.
    NoWait,
    /// The service keeps more tasks.
    Stronger,
    /// The drained instance gets empty.
    Empties,
    /// The replacement does not wait.
    Replaces,
    /// The alarms are watched.
    Watched,
    /// No task has more than it can answer.
    Load,
    /// No request is cut off.
    Whole,
    /// Something serves all the time.
    Serves,
}

impl Goal {
    fn of(found: Verdict, seen: &Outcome) -> Option<Goal> {
        Some(match found {
            Verdict::Caution(caution) => match caution {
                Caution::LowersCount(_) | Caution::FallsLow(_) => Goal::Stronger,
                Caution::DrainBlocked(_) => Goal::Empties,
                Caution::ReplacementWaits(_) => Goal::Replaces,
                Caution::AlarmsIgnored => Goal::Watched,
                Caution::Overload(_) => Goal::Load,
                Caution::NothingServes => Goal::Serves,
                Caution::CutsOff(_) => Goal::Whole,
                Caution::WaitsForInstances => Goal::NoWait,
                Caution::StuckLater(_) | Caution::NeverDone(_) => Goal::Ends,
                _ => return None,
            },
            Verdict::WillWait | Verdict::CannotMove => Goal::Ends,
            Verdict::WillFailAndRollBack | Verdict::WillFailAndStay if seen.troubles.held.is_some() => Goal::Sooner,
            _ => return None,
        })
    }
}

fn candidates(resolved: &Resolved, check: &Check, seen: &Outcome, goal: Goal) -> Vec<Change> {
    let settings = &resolved.settings;
    let mut list = Vec::new();
    match goal {
        Goal::Stronger => {
            list.extend(templates(resolved, seen));
            list.push(Change::Desired(check.limits.desired + 1));
        }
        Goal::Watched => list.extend((0u32..).zip(&settings.alarms).map(|(alarm, _)| Change::AlarmOk(alarm))),
        Goal::Load => list.extend(against_load(check, seen)),
        Goal::Serves => list.extend(one_stays(check)),
        Goal::Whole => list.extend(longer_delay(settings, seen)),
        Goal::Replaces => {
            list.extend(delays(settings));
            list.extend(instances(settings));
        }
        Goal::Empties | Goal::Ends => {
            list.extend(limits(check, seen));
            list.extend(instances(settings));
            list.extend(provider(settings));
        }
        Goal::NoWait | Goal::Sooner => list.extend(instances(settings)),
    }
    list
}

/// The two percentages that let one more start, or one more stop, as things stand at the end.
fn limits(check: &Check, seen: &Outcome) -> Vec<Change> {
    let (desired, (minimum, maximum)) = (seen.limits.desired, check.percentages);
    let more = changes::maximum(desired, seen.now.all.total, maximum).map(Change::Maximum);
    let fewer = changes::minimum(desired, seen.now.all.healthy, minimum).map(Change::Minimum);
    more.into_iter().chain(fewer).collect()
}

/// The count of the template that lowers it, as it was before, or no count at all.
fn templates(resolved: &Resolved, seen: &Outcome) -> Vec<Change> {
    template(resolved, seen).into_iter().flatten().collect()
}

fn template(resolved: &Resolved, seen: &Outcome) -> Option<[Change; 2]> {
    let lowered = seen.troubles.template?;
    let ours = |command: &Command| matches!(command, Command::Template { desired, .. } if *desired == lowered.to);
    let act = resolved.settings.acts.iter().position(|act| act.at == lowered.at && ours(&act.command))?;
    let (act, place) = (act as u32, *resolved.act_places.get(act)?);
    Some([Change::TemplateCount { act, place, count: lowered.from }, Change::TemplateKeeps { act, place }])
}

/// Shorter delays of the only target group than its own.
fn delays(settings: &Settings) -> Vec<Change> {
    let [only] = &settings.target_groups[..] else { return Vec::new() };
    let shorter = |delay: &u32| u64::from(*delay) * SECOND < only.deregistration_delay_ms;
    DELAYS.into_iter().filter(shorter).map(Change::Delay).collect()
}

/// The shortest delay, in whole seconds, in which the longest request ends.
///
/// 59.5 s: 60.
fn longer_delay(settings: &Settings, seen: &Outcome) -> Option<Change> {
    let cut = seen.troubles.cut.filter(|_| settings.target_groups.len() == 1)?;
    let seconds = u32::try_from(cut.longest_ms.div_ceil(SECOND)).ok()?;
    (seconds <= DELAY_MAX).then_some(Change::LongerDelay(seconds))
}

/// A minimum of one task.
///
/// 4 tasks: 25 %, a floor of 1, and three may stop. 3 tasks: 33 %, 0.99 rounded up.
fn one_stays(check: &Check) -> Option<Change> {
    let (desired, (minimum, _)) = (check.limits.desired, check.percentages);
    let stays = 100u32.checked_div(desired).map(|percent| percent.max(1));
    stays.filter(|percent| desired > 1 && *percent > minimum).map(Change::Minimum)
}

/// One instance more of the first kind, twice as many of them, and as many as tasks are wanted.
fn instances(settings: &Settings) -> Vec<Change> {
    let Some(cluster) = settings.cluster().filter(|cluster| !cluster.daemon) else { return Vec::new() };
    let now = cluster.first_kind;
    let desired = settings.platform.ecs().desired;
    let mut counts = vec![now + 1, now.saturating_mul(2), now.saturating_add(desired)];
    counts.retain(|count| *count > now && *count <= HOSTS_MAX);
    counts.dedup();
    counts.into_iter().map(Change::Instances).collect()
}

/// A greater maximum of the capacity provider.
fn provider(settings: &Settings) -> Vec<Change> {
    let Capacity::Ec2(cluster) = &settings.capacity else { return Vec::new() };
    let Some(provider) = &cluster.provider else { return Vec::new() };
    let desired = settings.platform.ecs().desired;
    let counts = [1, 2, 4, 8, desired].map(|more| provider.most.saturating_add(more));
    counts.into_iter().filter(|count| *count <= HOSTS_MAX).map(Change::ProviderMax).collect()
}

/// Limits with which as many tasks as the load asks for stay healthy: a greater minimum, or more tasks.
///
/// 100 requests a second, 30 for each task: 4 tasks. Of 4 the minimum is 100 %; at 50 % it takes 8.
fn against_load(check: &Check, seen: &Outcome) -> Vec<Change> {
    let Some(load) = seen.troubles.overload else { return Vec::new() };
    let needed = u64::from(load.rate.div_ceil(load.most.max(1)));
    let (desired, (minimum, _)) = (u64::from(check.limits.desired), check.percentages);
    let percent = (needed * 100).checked_div(desired).and_then(|percent| u32::try_from(percent).ok());
    let percent = percent.map(|percent| if needed * 100 % desired > 0 { percent + 1 } else { percent });
    let more = (needed * 100).div_ceil(u64::from(minimum.max(1)));
    let counts =
        [needed, more].into_iter().filter(|count| *count > desired).filter_map(|count| u32::try_from(count).ok());
    let higher = percent.filter(|percent| *percent > minimum && *percent <= 100).map(Change::Minimum);
    higher.into_iter().chain(counts.map(Change::Desired)).collect()
}

/// The run ends better with this change.
pub(crate) fn ends_better(settings: &Settings, change: &Change, seen: &Outcome) -> bool {
    confirmed(settings, change, seen, Goal::Ends)
}

fn confirmed(settings: &Settings, change: &Change, seen: &Outcome, goal: Goal) -> bool {
    let changed = Settings { event_budget: CONFIRM_EVENTS, ..change.apply(settings) };
    if changed.platform.ecs().desired > CONFIRM_TASKS {
        return false;
    }
    let before = evaluate(&changed);
    let then = outcome(run_to_end(changed).view());
    // Of a run that is cut off nobody knows what would come later.
    then.cut_off_by != Some(CutOff::EventBudget) && goal.is_met(seen, &then, &before)
}

impl Goal {
    fn is_met(self, seen: &Outcome, then: &Outcome, before: &Check) -> bool {
        let worse = rank(then) < rank(seen);
        match self {
            Goal::Ends => rank(then) > rank(seen) && then.outcome != OutcomeKind::CompletedThenFailing,
            Goal::Sooner => {
                let failed = |outcome: &Outcome| outcome.services.last().and_then(failed_at);
                then.outcome == OutcomeKind::Completed || (!worse && failed(then) < failed(seen))
            }
            Goal::NoWait => !worse && before.waiting.0 == 0 && then.completed_at < seen.completed_at,
            Goal::Stronger => {
                let (lowest, bound) = (then.figures.lowest_healthy, then.figures.bounds.1);
                !worse && lowest > seen.figures.lowest_healthy && (lowest >= bound || seen.figures.lowest_healthy == 0)
            }
            Goal::Empties => !worse && then.troubles.drain.is_some_and(|drain| drain.empty_at.is_some()),
            Goal::Replaces => !worse && then.replacement_waited_ms < LONG_MS,
            Goal::Watched => !worse && !before.alarms_ignored,
            Goal::Serves => !worse && then.figures.lowest_healthy > 0,
            Goal::Whole => !worse && then.troubles.cut.is_none(),
            Goal::Load => !worse && then.troubles.overload.is_none(),
        }
    }
}

/// How well a run ends: the more the better.
fn rank(outcome: &Outcome) -> u8 {
    match outcome.outcome {
        OutcomeKind::Completed => 4,
        OutcomeKind::RolledBack => 3,
        OutcomeKind::CompletedThenFailing => 2,
        OutcomeKind::Failed => 1,
        OutcomeKind::InProgress if outcome.blocked_by == Some(BlockedBy::Time) => 1,
        _ => 0,
    }
}
