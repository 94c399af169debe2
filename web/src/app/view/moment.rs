//! What the moment says: revisions, caption, what comes next.

use rollscope_engine::frame::LANES;
use rollscope_engine::trace::{DeploymentChange, Reason, Record, TaskChange, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_player::Player;
use rollscope_wording::Scene;

use crate::app::App;
use crate::parts::head::Chip;
use crate::text::{self, Label, t};

impl App {
    /// Revisions of the title: those of the scenario that are deployed by now, oldest first.
    pub(super) fn chips(&self, frame: &Frame) -> Vec<Chip> {
        let mut numbers: Vec<u32> = self.revisions().into_iter().take(2).collect();
        for deployment in &frame.deployments {
            if !numbers.contains(&deployment.revision) {
                numbers.push(deployment.revision);
            }
        }
        numbers.into_iter().map(|number| (number, self.lane_of(number))).collect()
    }

    fn revisions(&self) -> Vec<u32> {
        let accepted = self.model.form.accepted();
        accepted.map(|a| a.resolved.settings.revisions.iter().map(|r| r.number).collect()).unwrap_or_default()
    }

    pub(super) fn lane_of(&self, revision: u32) -> u8 {
        let place = self.revisions().iter().position(|number| *number == revision);
        place.map_or(LANES - 1, |place| place.min(LANES - 1)) as u8
    }

    /// The revision of a lane: the newest one where a lane holds several.
    pub(super) fn revision_of(&self, lane: usize, frame: &Frame) -> u32 {
        let there = frame.deployments.iter().rev().map(|deployment| deployment.revision);
        there.into_iter().find(|revision| usize::from(self.lane_of(*revision)) == lane).unwrap_or_default()
    }

    pub(super) fn traffic_name(&self) -> &'static str {
        let accepted = self.model.form.accepted();
        let balanced = accepted.is_some_and(|a| !a.resolved.settings.target_groups.is_empty());
        if balanced { t(Label::LoadBalancer) } else { t(Label::InService) }
    }

    /// What a sentence about the instant `at` refers to.
    pub(super) fn scene<'a>(&self, player: &'a Player, at: SimTime) -> Scene<'a> {
        let counts = player.timeline().counts_at(at).copied().unwrap_or_default();
        let newest = self.newest(player, at);
        Scene {
            counts,
            target: newest.map(|revision| (revision, counts.lanes[usize::from(self.lane_of(revision))].healthy)),
            behind_load_balancer: !player.state().settings().target_groups.is_empty(),
            acts: player.acts(),
        }
    }

    /// Revision of the newest deployment at a moment.
    fn newest(&self, player: &Player, at: SimTime) -> Option<u32> {
        let records = player.timeline().records();
        let before = &records[..records.partition_point(|record| record.at <= at)];
        let started = before.iter().rev().find_map(|record| match record.what {
            What::Deployment { revision, change: DeploymentChange::Started, .. } => Some(revision),
            _ => None,
        });
        started.or_else(|| player.state().settings().start.deployments.last().map(|deployment| deployment.revision))
    }

    /// The sentence of the last instant at or before the cursor that has one. That nothing will
    /// ever move is said before all else.
    pub(super) fn caption(&self, player: &Player, frame: &Frame) -> Option<(SimTime, String)> {
        if let Some(reason @ Reason::CannotMove { .. }) = frame.hold {
            return Some((frame.at, self.say.reason(&reason)));
        }
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= player.now())];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = rollscope_wording::caption(timeline.records_at(*at), &self.scene(player, *at));
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }

    /// The next moments at which something changes for the scheduler.
    pub(super) fn next(&self, player: &Player) -> Vec<(String, String)> {
        let records = player.timeline().records();
        let from = records.partition_point(|record| record.at <= player.now());
        let telling = |record: &&Record| {
            matches!(
                record.what,
                What::Task { change: TaskChange::Healthy | TaskChange::Stopped(_) | TaskChange::Unhealthy, .. }
            )
        };
        let ahead = &records[from..records.len().min(from + 400)];
        ahead
            .iter()
            .filter(telling)
            .take(2)
            .map(|r| (text::clock(r.at), self.say.record(r, &self.scene(player, r.at))))
            .collect()
    }
}
