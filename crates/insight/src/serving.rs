//! Who answers the traffic: spans of a run in which that does not change.

use rollscope_engine::SimTime;
use rollscope_engine::trace::{DeploymentId, Weights};

use crate::healthy::{HealthChange, health_changes};
use crate::json_shift::weights;
use crate::run::RunView;

/// A revision and its part of the traffic, beside those of the others: its healthy tasks, for each of
/// them gets the same share; or, where traffic is shifted, its weight while a task of it is healthy.
pub(crate) type Serving = (u32, u32);

/// Calls `f` for every span of the run, oldest first; a span without a healthy task has an empty list.
pub(crate) fn each_span(run: RunView<'_>, f: &mut dyn FnMut(SimTime, SimTime, &[Serving])) {
    let mut now = Now { since: SimTime::ZERO, healthy: Vec::new(), weights: None };
    let mut shifts = weights(run).into_iter().peekable();
    for change in health_changes(run) {
        while let Some((at, weights)) = shifts.next_if(|(at, _)| *at <= change.at) {
            now.pass(at, f);
            now.weights = Some(weights);
        }
        now.pass(change.at, f);
        now.count(&change);
    }
    for (at, weights) in shifts {
        now.pass(at, f);
        now.weights = Some(weights);
    }
    now.pass(run.end.now(), f);
}

struct Now {
    since: SimTime,
    /// Healthy tasks by deployment and its revision.
    healthy: Vec<((DeploymentId, u32), u32)>,
    /// Weights of the listeners, where the traffic is steered.
    weights: Option<Weights>,
}

impl Now {
    fn pass(&mut self, to: SimTime, f: &mut dyn FnMut(SimTime, SimTime, &[Serving])) {
        if to > self.since {
            f(self.since, to, &self.serving());
        }
        self.since = to;
    }

    fn serving(&self) -> Vec<Serving> {
        let mut list: Vec<Serving> = Vec::new();
        for ((deployment, revision), healthy) in &self.healthy {
            let part = self.weights.map_or(*healthy, |weights| u32::from(weights.of_deployment(*deployment)));
            match list.iter_mut().find(|(known, _)| known == revision) {
                Some((_, parts)) => *parts += part,
                None if part > 0 => list.push((*revision, part)),
                None => {}
            }
        }
        list
    }

    fn count(&mut self, change: &HealthChange) {
        let side = (change.deployment, change.revision);
        match self.healthy.iter_mut().find(|(known, _)| *known == side) {
            Some((_, n)) => *n = if change.healthy { *n + 1 } else { n.saturating_sub(1) },
            None => self.healthy.push((side, u32::from(change.healthy))),
        }
        self.healthy.retain(|(_, n)| *n > 0);
    }
}
