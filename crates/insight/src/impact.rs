//! What a rollout did to those who use the service, in a few numbers.

use rollscope_engine::SimTime;
use rollscope_engine::frame::{Counts, LANES};
use rollscope_engine::settings::Settings;
use rollscope_engine::sim::service_deployment::ServiceStatus;

use crate::failures::Failures;
use crate::outcome::Outcome;
use crate::run::RunView;

/// Shares are told in tenths of a per cent.
const WHOLE: u128 = 1_000;

/// The numbers.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Impact {
    /// When the newest rollout failed.
    pub failed_at: Option<SimTime>,
    /// Failures that counted.
    pub counted: u32,
    /// Failures that did not.
    pub not_counted: u32,
    /// How long fewer were healthy than are wanted, in milliseconds.
    pub below_desired_ms: u64,
    /// Share of the answers that each revision gave, in tenths of a per cent; revisions without any
    /// are left out.
    pub answered: Vec<(u32, u32)>,
    /// How long tasks of the revision that was rolled out served, in milliseconds.
    pub target_served_ms: u64,
    /// How long older revisions still answered after SUCCESSFUL, in milliseconds.
    pub old_after_success_ms: u64,
}

/// What a run did, from the start of the newest rollout to the end of what happens.
pub fn impact(run: RunView<'_>, outcome: &Outcome, failures: &Failures) -> Impact {
    let Some(service) = outcome.services.last() else { return Impact::default() };
    let settings = run.end.settings();
    let until = outcome.completed_at.or(outcome.rolled_back_at).unwrap_or(outcome.last_change_at);
    let target = lane_of(settings, service.revision);
    let success = service.finished.filter(|_| service.status() == ServiceStatus::Successful);
    let mut found = Impact {
        failed_at: service.failed_by.and(service.rollback.map(|back| back.at).or(service.finished)),
        counted: failures.counted,
        not_counted: failures.not_counted,
        ..Impact::default()
    };
    let mut answers = [0u128; LANES];
    for (index, (at, counts)) in run.samples.iter().enumerate() {
        let end = run.samples.get(index + 1).map_or(outcome.last_change_at, |(next, _)| *next);
        let (from, to) = ((*at).max(service.started), end);
        let (ms, told) = (to.since(from), to.min(until).since(from));
        let healthy = counts.healthy();
        if healthy < counts.limits.desired {
            found.below_desired_ms += told;
        }
        if counts.lanes[target].healthy > 0 {
            found.target_served_ms += ms;
        }
        if let Some(success) = success
            && healthy > counts.lanes[target].healthy
        {
            found.old_after_success_ms += to.since(from.max(success));
        }
        add_answers(&mut answers, counts, told);
    }
    let all: u128 = answers.iter().sum();
    let share = |lane: usize| {
        let tenths = (answers[lane] * WHOLE + all / 2).checked_div(all)?;
        Some((revision_of(settings, lane), tenths as u32)).filter(|(_, tenths)| *tenths > 0)
    };
    found.answered = (0..LANES).filter_map(share).collect();
    found
}

/// Each healthy task answers the same share of the requests of a moment.
fn add_answers(answers: &mut [u128; LANES], counts: &Counts, ms: u64) {
    /// One moment's answers, divisible finely enough.
    const ANSWERS: u128 = 1 << 20;
    let healthy = u128::from(counts.healthy());
    for (sum, lane) in answers.iter_mut().zip(&counts.lanes) {
        *sum += (u128::from(ms) * u128::from(lane.healthy) * ANSWERS).checked_div(healthy).unwrap_or(0);
    }
}

fn lane_of(settings: &Settings, revision: u32) -> usize {
    let place = settings.revisions.iter().position(|known| known.number == revision);
    place.unwrap_or(LANES - 1).min(LANES - 1)
}

/// The revision of a lane: the newest one where it holds several.
fn revision_of(settings: &Settings, lane: usize) -> u32 {
    let known = if lane + 1 < LANES { settings.revisions.get(lane) } else { settings.revisions.last() };
    known.map_or(0, |revision| revision.number)
}
