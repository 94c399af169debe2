//! How it ended, in English.

use rollscope_engine::SimTime;
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, ServiceStatus};
use rollscope_engine::time::{MINUTE, SECOND};
use rollscope_engine::trace::Reason;
use rollscope_insight::{BlockedBy, CutOff, Outcome, OutcomeKind, failed_at};

use super::{count, duration, plural, tasks};
use crate::text::{Figure, Heading};
use crate::time::clock;

/// "about 4 minutes"; what is shorter than two minutes to the second.
pub(super) fn about(ms: u64) -> String {
    if ms < 2 * MINUTE {
        return duration((ms + SECOND / 2) / SECOND * SECOND);
    }
    if ms < 120 * MINUTE {
        return format!("about {}", duration((ms + MINUTE / 2) / MINUTE * MINUTE));
    }
    format!("about {}", duration(ms))
}

/// The end of a rollout: "Done after 3 minutes 53 seconds.", and of one that began later "r9 is done after
/// 50 seconds, at 2:40."
pub(super) fn done(revision: u32, started: SimTime, at: SimTime) -> String {
    let after = duration(at.since(started));
    if started == SimTime::ZERO {
        return format!("Done after {after}.");
    }
    format!("r{revision} is done after {after}, at {}.", clock(at))
}

/// The end of a rollback: "r8 failed at 0:35. Back on r7 after 37 seconds."
pub(super) fn back(service: &ServiceDeployment, at: SimTime) -> String {
    let revision = service.rollback.map_or(0, |back| back.revision);
    let when = if service.started == SimTime::ZERO {
        format!("after {}", duration(at.ms()))
    } else {
        format!("at {}", clock(at))
    };
    format!("{} Back on r{revision} {when}.", failed(service))
}

/// "r8 failed at 0:35."
fn failed(service: &ServiceDeployment) -> String {
    let verb = if service.failed_by == Some(FailedBy::Person) { "was stopped" } else { "failed" };
    let when = failed_at(service).map_or_else(String::new, |at| format!(" at {}", clock(at)));
    format!("r{} {verb}{when}.", service.revision)
}

/// Why nothing brings the old revision back.
pub(super) fn stays(service: &ServiceDeployment) -> &'static str {
    match (service.status(), service.rollback) {
        (ServiceStatus::RollbackFailed, Some(_)) => "The rollback fails as well: ECS launches nothing more.",
        (ServiceStatus::RollbackFailed, None) => "There is no COMPLETED deployment to go back to.",
        _ if service.failed_by == Some(FailedBy::Person) => "There is no COMPLETED deployment to go back to.",
        _ => "Rollback is off: nothing brings the old revision back.",
    }
}

pub(super) fn outcome(outcome: &Outcome) -> String {
    let newest = outcome.services.last();
    let done = outcome.completed_at.map(|at| {
        let (revision, started) = newest.map_or((0, SimTime::ZERO), |s| (s.revision, s.started));
        done(revision, started, at)
    });
    let why = why_not(outcome);
    match (outcome.outcome, done) {
        (OutcomeKind::Completed, Some(done)) => done,
        (OutcomeKind::Completed, None) => "Nothing was rolled out; the service is as wanted.".into(),
        (OutcomeKind::CompletedThenFailing, Some(done)) => {
            format!("{done} Afterwards its tasks go on failing: {why}.")
        }
        (OutcomeKind::CompletedThenFailing, None) => format!("Its tasks go on failing: {why}."),
        (OutcomeKind::RolledBack, _) => match (newest, outcome.rolled_back_at) {
            (Some(service), Some(at)) => back(service, at),
            _ => "The deployment failed, and the last good revision is back.".into(),
        },
        (OutcomeKind::Failed, _) => match newest {
            Some(service) => format!("{} {}", failed(service), stays(service)),
            None => "The deployment failed and stays failed.".into(),
        },
        (OutcomeKind::Stuck, _) => format!("Stuck since {}: {why}.", clock(outcome.last_change_at)),
        (OutcomeKind::Waiting, _) => format!("Waiting since {}: {why}.", clock(outcome.last_change_at)),
        (OutcomeKind::InProgress, _) => {
            let after = duration(outcome.ended_at.ms());
            let cut = outcome.cut_off_by.map_or_else(String::new, |cut| format!(" ({})", cut_off(cut)));
            format!("Not done after {after}{cut}: {why}.")
        }
        (OutcomeKind::Refused, _) => "The platform refuses these settings; nothing ran.".into(),
    }
}

/// What keeps it, with what is short where that is known.
pub(super) fn why_not(outcome: &Outcome) -> String {
    match (outcome.blocked_by, outcome.hold) {
        (Some(BlockedBy::Room), Some(Reason::NoRoom { shortage, .. })) => super::capacity::short(&shortage),
        (Some(BlockedBy::Room), Some(Reason::NoCapacity { .. })) => "Fargate has no capacity to give".into(),
        (Some(BlockedBy::Room), Some(Reason::WaitInstances { none, .. })) => {
            format!("tasks wait in PROVISIONING, and {}", super::capacity::no_instance(none))
        }
        (blocked, _) => blocked.map_or("", blocked_by).into(),
    }
}

pub(super) fn blocked_by(blocked: BlockedBy) -> &'static str {
    match blocked {
        BlockedBy::Configuration => "the two limits leave no room to start or stop a task",
        BlockedBy::Room => "nothing takes another task",
        BlockedBy::Places => "there is no place for another task",
        BlockedBy::Quota => "the launch quota is used up",
        BlockedBy::Throttle => "new tasks fail before they run, and ECS pauses between attempts",
        BlockedBy::FailingTasks => "new tasks fail to start or exit",
        BlockedBy::UnhealthyTarget => "new tasks fail their checks",
        BlockedBy::FailedDeployment => "the deployment has failed and launches nothing",
        BlockedBy::Protection => "old tasks are protected from scale-in",
        BlockedBy::Time => "tasks are still on their way",
    }
}

pub(super) fn cut_off(cut: CutOff) -> &'static str {
    match cut {
        CutOff::Until => "the end the scenario sets",
        CutOff::Horizon => "24 hours after the last deployment or act, or 16 days of protection or clean-up",
        CutOff::EventBudget => "the budget of events is used up",
        CutOff::Rounds => "an error of the model",
    }
}

pub(super) fn figure_name(figure: Figure) -> &'static str {
    match figure {
        Figure::DoneAfter => "Done after",
        Figure::FewestHealthy => "Fewest healthy",
        Figure::MostAtOnce => "Most at once",
        Figure::Waves => "Waves",
        Figure::BothVersions => "Both versions serve",
        Figure::ExtraCapacity => "Extra capacity",
    }
}

pub(super) fn figure_value(figure: Figure, outcome: &Outcome) -> String {
    let f = &outcome.figures;
    let (ceiling, floor) = f.bounds;
    match figure {
        Figure::DoneAfter => outcome.completed_at.map_or_else(|| "not done".into(), |at| duration(at.ms())),
        Figure::FewestHealthy => format!("{} (floor {})", count(f.lowest_healthy), count(floor)),
        Figure::MostAtOnce if ceiling == u32::MAX => format!("{} (no ceiling)", count(f.peak_tasks)),
        Figure::MostAtOnce => format!("{} (ceiling {})", count(f.peak_tasks), count(ceiling)),
        Figure::Waves => count(f.waves),
        Figure::BothVersions => duration(f.both_versions_ms),
        Figure::ExtraCapacity => {
            // Tenths are enough, and integers never drift.
            let tenths = (f.task_ms_extra + MINUTE / 20) / (MINUTE / 10);
            format!("{}.{} task-minutes", count(tenths / 10), tenths % 10)
        }
    }
}

/// "r8: 4 healthy · r7: 1 stopping"
pub(super) fn end_state(outcome: &Outcome) -> String {
    let parts = outcome.now.by_revision.iter().filter(|(_, n)| n.total > 0).map(|(revision, n)| {
        let checking = n.running.saturating_sub(n.healthy);
        let named =
            [(n.pending, "pending"), (checking, "not healthy"), (n.healthy, "healthy"), (n.stopping, "stopping")];
        let named: Vec<String> =
            named.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{} {word}", count(*n))).collect();
        format!("r{revision}: {}", named.join(", "))
    });
    let failures = match outcome.failures {
        0 => String::new(),
        // Nothing is rolled out where no service deployment is: what fails is the revision that runs.
        n if outcome.services.is_empty() => {
            let revision = outcome.deployments.last().map_or(0, |d| d.revision);
            format!(" · {} of r{revision}", plural(n, "failure", "failures"))
        }
        n => format!(" · {} of the new revision", plural(n, "failure", "failures")),
    };
    if outcome.now.all.total == 0 {
        return format!("no tasks{failures}");
    }
    format!("{} ({}){failures}", tasks(outcome.now.all.total), parts.collect::<Vec<_>>().join(" · "))
}

pub(super) fn heading(heading: Heading) -> &'static str {
    match heading {
        Heading::Verdict => "Verdict",
        Heading::Floor => "Floor",
        Heading::Ceiling => "Ceiling",
        Heading::FirstStep => "First step",
        Heading::Breaker => "Circuit breaker",
        Heading::Gate => "Early success",
        Heading::Counted => "Counted",
        Heading::Alarms => "Alarms",
        Heading::Users => "To its users",
        Heading::Time => "The time goes",
        Heading::AllTasks => "all tasks together, task-minutes",
        Heading::Protection => "Rollback protects",
        Heading::GoesBack => "Goes back to",
        Heading::Watchdog => "Watchdog",
        Heading::Pipelines => "Pipelines",
        Heading::Outcome => "Outcome",
        Heading::EndState => "At the end",
        Heading::WouldHelp => "Would help",
        Heading::Defaults => "Filled in",
        Heading::NotSimulated => "Not simulated",
        Heading::Warnings => "Warnings",
        Heading::Problems => "Problems",
        Heading::Broken => "Broken guards",
    }
}
