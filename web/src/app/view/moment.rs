//! What the moment says: revisions, caption, and what a sentence refers to.

use rollscope_engine::frame::{Counts, LANES, TaskState};
use rollscope_engine::settings::{Act, Alarm};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{DeploymentChange, Reason, Record, StopCode, TaskChange, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::RunView;
use rollscope_player::{PlayState, Player};
use rollscope_wording::{Scene, Text};

use crate::app::App;
use crate::names::Names;
use crate::parts::head::Chip;
use crate::text::{self, Label, t};

impl App {
    /// Revisions of the title: everything the run deploys, one after the other.
    pub(super) fn chips(&self, player: &Player) -> Vec<Chip> {
        let scenes = self.figures.scenes(player, || self.scenes(player));
        scenes.deployed.iter().map(|number| (*number, scenes.lane(*number))).collect()
    }

    /// Revisions of a table of the moment: the first two of the scenario and those deployed by now.
    pub(super) fn columns(&self, frame: &Frame) -> Vec<Chip> {
        let mut numbers: Vec<u32> = self.revisions().into_iter().take(2).collect();
        for deployment in &frame.deployments {
            if !numbers.contains(&deployment.revision) {
                numbers.push(deployment.revision);
            }
        }
        numbers.into_iter().map(|number| (number, self.lane_of(number))).collect()
    }

    /// The revisions of each lane, where the run deploys more than an old and a new one.
    pub(super) fn lanes(&self, player: &Player) -> Vec<String> {
        let scenes = self.figures.scenes(player, || self.scenes(player));
        let of = |lane: usize| {
            let mut revisions = scenes.deployed.clone();
            revisions.retain(|revision| usize::from(scenes.lane(*revision)) == lane);
            rollscope_engine::order::by_key(&mut revisions, |revision| *revision);
            revisions.dedup();
            if self.elsewhere() {
                rollscope_wording::kubernetes::versions(&revisions)
            } else {
                text::revisions(&revisions)
            }
        };
        let lanes: Vec<String> = (0..LANES).map(of).collect();
        if lanes[LANES - 1].is_empty() { Vec::new() } else { lanes }
    }

    fn revisions(&self) -> Vec<u32> {
        let accepted = self.model.form.accepted();
        accepted.map(|a| a.resolved.settings.revisions.iter().map(|r| r.number).collect()).unwrap_or_default()
    }

    pub(super) fn lane_of(&self, revision: u32) -> u8 {
        lane(&self.revisions(), revision)
    }

    /// The revision of a lane: the newest one where a lane holds several.
    pub(super) fn revision_of(&self, lane: usize, frame: &Frame) -> u32 {
        let there = frame.deployments.iter().rev().map(|deployment| deployment.revision);
        there.into_iter().find(|revision| usize::from(self.lane_of(*revision)) == lane).unwrap_or_default()
    }

    pub(super) fn traffic_name(&self) -> &'static str {
        if let Some(name) = self.serving_name() {
            return name;
        }
        let accepted = self.model.form.accepted();
        let balanced = accepted.is_some_and(|a| !a.resolved.settings.target_groups.is_empty());
        if balanced { t(Label::LoadBalancer) } else { t(Label::InService) }
    }

    /// What sentences of this run refer to.
    pub(super) fn scenes(&self, player: &Player) -> Scenes {
        Scenes::of(player, self.revisions())
    }

    /// What the tasks of a run are called.
    pub(super) fn names(&self, player: &Player) -> Names {
        self.figures.scenes(player, || self.scenes(player)).names().clone()
    }

    /// The sentence of the cursor with its moment: how the run ended, what happens there, or what is
    /// waited for. While it plays what happened last stays, so that it can be read. That nothing
    /// will ever move is said before all else.
    pub(super) fn caption(&self, player: &Player, frame: &Frame) -> Option<(SimTime, String)> {
        if frame.has_versions() {
            return self.caption_elsewhere(player);
        }
        if let Some(reason @ Reason::CannotMove { .. }) = frame.hold {
            return Some((frame.at, self.say.reason(&reason)));
        }
        let last = RunView::of_player(player).last_moment().filter(|last| *last <= frame.at && *last > SimTime::ZERO);
        if let Some(outcome) = last.and_then(|_| self.figures.outcome(player)) {
            return Some((frame.at, rollscope_wording::outcome(&outcome)));
        }
        let told = self.told(player);
        let here = told.as_ref().is_some_and(|(at, _)| *at == frame.at);
        match frame.hold.filter(|hold| !here && !matches!(hold, Reason::Steady { .. })) {
            Some(hold) if player.play_state() != PlayState::Playing => {
                let newest = frame.service_deployments.last();
                let rolls_back = newest.is_some_and(|service| service.status() == ServiceStatus::RollbackInProgress);
                Some((frame.at, self.say.text(Text::Waiting(&hold, rolls_back))))
            }
            _ => told,
        }
    }

    /// The sentence of the last instant at or before the cursor that has one.
    fn told(&self, player: &Player) -> Option<(SimTime, String)> {
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= player.now())];
        let scenes = self.figures.scenes(player, || self.scenes(player));
        past.iter().rev().take(50).find_map(|at| {
            let counts = timeline.counts_at(*at).copied().unwrap_or_default();
            let sentence = rollscope_wording::caption(timeline.records_at(*at), &scenes.scene(counts, *at));
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }
}

/// The colour of a revision among those of the scenario.
fn lane(revisions: &[u32], revision: u32) -> u8 {
    let place = revisions.iter().position(|number| *number == revision);
    place.map_or(LANES - 1, |place| place.min(LANES - 1)) as u8
}

/// What the sentences about a run refer to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scenes {
    /// Revisions of the scenario, oldest first.
    revisions: Vec<u32>,
    /// Deployments that started, ascending.
    started: Vec<(SimTime, u32)>,
    /// Revision of the newest deployment at time 0.
    before: Option<u32>,
    /// Revisions in the order in which the run deploys them; one that comes back stands there again.
    deployed: Vec<u32>,
    behind_load_balancer: bool,
    checked: bool,
    services: Vec<ServiceDeployment>,
    /// Of a Kubernetes Deployment.
    kubernetes: bool,
    /// Of a StatefulSet or a DaemonSet.
    placed: bool,
    /// Of an Auto Scaling group.
    asg: bool,
    /// Of a group of virtual machines, and whose rules hold.
    vm: Option<rollscope_engine::platform::vm::Kind>,
    names: Names,
    acts: Vec<Act>,
    alarms: Vec<Alarm>,
}

impl Scenes {
    fn of(player: &Player, revisions: Vec<u32>) -> Scenes {
        let started = player.timeline().records().iter().filter_map(|record| match record.what {
            What::Deployment { revision, change: DeploymentChange::Started, .. } => Some((record.at, revision)),
            What::Asg(rollscope_engine::asg::Change::Started { target, .. }) => Some((record.at, target)),
            What::Vm(rollscope_engine::vm::Change::Started { target, .. }) => Some((record.at, target)),
            _ => None,
        });
        let started: Vec<(SimTime, u32)> = started.collect();
        let settings = player.state().settings();
        let before = settings.start.deployments.iter().map(|deployment| deployment.revision);
        let mut deployed: Vec<u32> = before.chain(started.iter().map(|(_, revision)| *revision)).collect();
        deployed.dedup();
        Scenes {
            revisions,
            started,
            before: settings.start.deployments.last().map(|deployment| deployment.revision),
            deployed,
            behind_load_balancer: !settings.target_groups.is_empty(),
            checked: !(settings.target_groups.is_empty() && settings.containers.is_empty()),
            services: player.head().service_deployments().to_vec(),
            kubernetes: player.head().kubernetes().is_some(),
            placed: player.head().placed().is_some(),
            asg: player.head().asg().is_some(),
            vm: settings.platform.vm().map(|params| params.kind.clone()),
            names: Names::of(player),
            acts: player.acts().to_vec(),
            alarms: settings.alarms.clone(),
        }
    }

    /// What a sentence about the instant `at` refers to; `counts` are those at its end.
    pub fn scene(&self, counts: Counts, at: SimTime) -> Scene<'_> {
        let started = self.started[..self.started.partition_point(|(start, _)| *start <= at)].last();
        let newest = started.map(|(_, revision)| *revision).or(self.before);
        Scene {
            counts,
            target: newest.map(|revision| (revision, counts.lanes[usize::from(self.lane(revision))].healthy)),
            behind_load_balancer: self.behind_load_balancer,
            checked: self.checked,
            acts: &self.acts,
            alarms: &self.alarms,
            services: &self.services,
        }
    }

    /// The colour of a revision.
    pub fn lane(&self, revision: u32) -> u8 {
        lane(&self.revisions, revision)
    }

    /// The acts of the run.
    pub fn acts(&self) -> &[Act] {
        &self.acts
    }

    /// The same where no Amazon ECS service runs. An act without an object is told as everywhere.
    fn row_elsewhere(&self, record: &Record, count: u32) -> Option<String> {
        if let What::Act { index, effective: true } = record.what {
            let act = self.acts.get(index as usize).filter(|_| self.kubernetes || self.placed)?;
            return Some(rollscope_wording::placed::command(&act.command, &self.names.say()));
        }
        if self.placed {
            return Some(rollscope_wording::placed::row(record, count, &self.names.say()))
                .filter(|words| !words.is_empty());
        }
        let words = match (self.kubernetes, self.asg) {
            _ if let Some(kind) = &self.vm => Some(rollscope_wording::vm::row(record, count, kind)),
            (true, _) => Some(rollscope_wording::kubernetes::row(record, count)),
            (_, true) => Some(rollscope_wording::asg::row(record, count, &self.alarms)),
            _ => None,
        };
        words.filter(|words| !words.is_empty())
    }

    /// What the tasks are called.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The line of the list for a record that stands for `count` alike.
    pub fn line(&self, record: &Record, count: u32) -> String {
        if let Some(words) = self.row_elsewhere(record, count) {
            return words;
        }
        text::line(record, count, &self.scene(Counts::default(), record.at))
    }

    /// Everything a search may find a change of a task by: its line and its sentence.
    pub fn all_words(&self, record: &Record, count: u32) -> String {
        if let Some(words) = self.row_elsewhere(record, count) {
            return words;
        }
        let scene = self.scene(Counts::default(), record.at);
        let (line, sentence) = (text::line(record, count, &scene), rollscope_wording::record(record, &scene));
        format!("{line} {sentence}")
    }
}

/// The state a change leads to, for the picture beside it.
pub fn state_after(change: TaskChange) -> Option<TaskState> {
    Some(match change {
        TaskChange::Existing { state, .. } => state,
        TaskChange::Created { .. } => TaskState::Waiting,
        TaskChange::Activating => TaskState::Starting,
        TaskChange::Running | TaskChange::Rechecking => TaskState::Checking,
        TaskChange::Healthy => TaskState::Healthy,
        TaskChange::Unhealthy(_) => TaskState::Unhealthy,
        TaskChange::StopDecided(_) | TaskChange::Draining => TaskState::Draining,
        TaskChange::Sigterm | TaskChange::Sigkill => TaskState::Stopping,
        TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited) => TaskState::Failed,
        TaskChange::Stopped(_) => TaskState::Stopped,
        TaskChange::Placed { .. }
        | TaskChange::UnhealthyInGrace
        | TaskChange::Protected { .. }
        | TaskChange::Unprotected => return None,
    })
}
