//! Laws of deployments that shift traffic, over random ones.
#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeMap;

use proptest::prelude::*;
use rollscope_engine::frame::TaskState;
use rollscope_engine::platform::ecs::strategy::WHOLE;
use rollscope_engine::settings::{Act, Command};
use rollscope_engine::sim::service_deployment::{ServiceStatus, Stage};
use rollscope_engine::trace::{Decision, DeploymentId, Reason, ServiceChange, StopCause, TaskChange, Weights, What};
use rollscope_engine::{Ending, Settings, SimTime, Simulation, Trace};
use rollscope_tests::dice::Dice;
use rollscope_tests::runs::{at, by_detours, run};

/// What the records say of the service deployment that is live.
#[derive(Default)]
struct Books {
    stage: Option<Stage>,
    back: bool,
    shifted: bool,
    weights: (u16, u16),
    /// Deployment of each task.
    tasks: BTreeMap<u32, DeploymentId>,
    target: Option<DeploymentId>,
    /// Revisions by deployment.
    revisions: BTreeMap<DeploymentId, u32>,
    blue: Option<u32>,
    /// The sides of the last weights.
    sides: (Option<DeploymentId>, Option<DeploymentId>),
    /// Healthy tasks, each with its deployment.
    healthy: BTreeMap<u32, DeploymentId>,
    /// Latest desired count.
    desired: u32,
}

impl Books {
    fn service(&mut self, change: ServiceChange) -> Result<(), String> {
        match change {
            ServiceChange::Began { deployment, revision, .. } => {
                let (tasks, revisions) = (std::mem::take(&mut self.tasks), std::mem::take(&mut self.revisions));
                let (healthy, desired) = (std::mem::take(&mut self.healthy), self.desired);
                *self = Books { target: Some(deployment), tasks, revisions, healthy, desired, ..Books::default() };
                self.revisions.insert(deployment, revision);
            }
            ServiceChange::RollsBack { .. } => (self.back, self.stage) = (true, None),
            ServiceChange::Weights(w) => {
                if w.production > WHOLE || w.test > WHOLE {
                    return Err(format!("more than everything: {w:?}"));
                }
                let before = std::mem::replace(&mut self.weights, (w.production, w.test));
                if !self.back && before.0 > w.production && self.shifted {
                    return Err(format!("traffic goes back on the way forward: {w:?}"));
                }
                if w.of_deployment(w.to) + w.from.map_or(WHOLE - w.production, |from| w.of_deployment(from)) != WHOLE {
                    return Err(format!("not the whole: {w:?}"));
                }
                self.receives(w, before)?;
                self.sides = (Some(w.to), w.from);
                self.shifted |= w.production > 0;
                self.blue = w.blue;
            }
            ServiceChange::Stage(stage) => {
                let before = self.stage.replace(stage);
                let again = before == Some(Stage::ProductionTrafficShift) && stage == Stage::PreProductionTrafficShift;
                if before.is_some_and(|before| before.order() >= stage.order()) && !again {
                    return Err(format!("{before:?} before {stage:?}"));
                }
            }
            ServiceChange::Status { to: ServiceStatus::Successful, .. } if self.stage != Some(Stage::CleanUp) => {
                return Err(format!("SUCCESSFUL in {:?}", self.stage));
            }
            _ => {}
        }
        Ok(())
    }

    fn wants(&mut self, acts: &[Act], what: &What, daemon: bool) {
        self.desired = match what {
            _ if daemon => 0,
            What::Decision(Decision { reason: Reason::DeploymentBegins { desired, .. }, .. }) => *desired,
            What::Scaled { to, .. } => *to,
            What::Act { index, effective: true } => match acts[*index as usize].command {
                Command::SetDesired(desired) | Command::Schedule(desired) => desired,
                _ => return,
            },
            _ => return,
        };
    }

    fn healthy_of(&self, id: Option<DeploymentId>) -> u32 {
        self.healthy.values().filter(|of| Some(**of) == id).count() as u32
    }

    /// Whoever gets more of the traffic than before has a healthy task to answer it.
    fn receives(&self, w: Weights, before: (u16, u16)) -> Result<(), String> {
        if self.sides != (Some(w.to), w.from) || self.desired == 0 {
            // Where a deployment begins the listeners are as they were.
            return Ok(());
        }
        let forward = w.production > before.0 || w.test > before.1;
        let side = if forward { Some(w.to) } else { w.from.filter(|_| w.production < before.0) };
        match side {
            Some(side) if self.healthy_of(Some(side)) == 0 => Err(format!("traffic to nobody: {w:?}")),
            _ => Ok(()),
        }
    }

    /// In CLEAN_UP on the way forward the new revision is whole when a task of the old one is picked to stop.
    fn stands(&self) -> Result<(), String> {
        let healthy = self.healthy_of(self.target);
        let cleans = self.stage == Some(Stage::CleanUp) && !self.back;
        if cleans && healthy < self.desired {
            return Err(format!("{healthy} of {} new tasks healthy in CLEAN_UP", self.desired));
        }
        Ok(())
    }

    fn health(&mut self, id: u32, change: &TaskChange) {
        let healthy = match change {
            TaskChange::Existing { state, .. } => *state == TaskState::Healthy,
            TaskChange::Healthy => true,
            TaskChange::Unhealthy(_) | TaskChange::Rechecking | TaskChange::StopDecided(_) | TaskChange::Stopped(_) => {
                false
            }
            _ => return,
        };
        match self.tasks.get(&id).filter(|_| healthy) {
            Some(of) => self.healthy.insert(id, *of),
            None => self.healthy.remove(&id),
        };
    }

    /// The revision that stays: the records name it by its number, which two older deployments may share.
    fn is_blue(&self, revision: u32) -> bool {
        let same = self.revisions.iter().filter(|(id, number)| **number == revision && Some(**id) != self.target);
        self.blue == Some(revision) && same.count() == 1
    }

    fn see(&mut self, what: &What) -> Result<(), String> {
        match what {
            What::Service { change, .. } => self.service(*change),
            What::Task { task, change } => {
                match change {
                    TaskChange::Existing { deployment, .. } | TaskChange::Created { deployment, .. } => {
                        self.tasks.insert(task.id.0, *deployment);
                        self.revisions.insert(*deployment, task.name.revision);
                    }
                    TaskChange::StopDecided(StopCause::Replaced) => {
                        let of = self.tasks.get(&task.id.0).copied();
                        if of != self.target {
                            self.stands()?;
                        }
                        let stays = self.is_blue(task.name.revision) && of != self.target;
                        if stays && !self.back && self.stage.is_some_and(|stage| stage != Stage::CleanUp) {
                            return Err(format!("{:?} of the old revision stops in {:?}", task.name, self.stage));
                        }
                    }
                    _ => {}
                }
                self.health(task.id.0, change);
                Ok(())
            }
            _ => Ok(()),
        }
    }
}

/// Reads the records of a run; what breaks a law first, and when.
fn check(settings: &Settings, trace: &Trace) -> Result<(), String> {
    let mut books = Books::default();
    let daemon = settings.cluster().is_some_and(|cluster| cluster.daemon);
    for record in &trace.records {
        // A daemon's number follows its instances, which these books do not count.
        books.wants(&settings.acts, &record.what, daemon);
        books.see(&record.what).map_err(|why| format!("{why} at {} ms", record.at.ms()))?;
    }
    Ok(())
}

proptest! {
    #[test]
    fn stages_come_in_order_and_the_old_revision_stays_until_clean_up(seed: u64) {
        let settings = Dice::new(seed).shifting();
        let (sim, trace) = run(&settings);
        prop_assert_eq!(sim.violations(), &[]);
        prop_assert_eq!(check(&settings, &trace), Ok(()));
    }

    #[test]
    fn they_hold_on_instances_as_well(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut settings = dice.shifting();
        dice.place(&mut settings);
        let (sim, trace) = run(&settings);
        prop_assert_eq!(sim.violations(), &[]);
        prop_assert_eq!(check(&settings, &trace), Ok(()));
    }

    #[test]
    fn any_way_to_a_moment_ends_in_the_same_state(seed: u64, cuts in prop::collection::vec(0u64..2_000_000, 1..6), to in 0u64..3_000_000) {
        let settings = Dice::new(seed).shifting();
        let (direct, _) = at(&settings, SimTime(to));
        let sim = by_detours(settings, cuts, to);
        prop_assert_eq!(sim.state_hash(), direct.state_hash());
        prop_assert_eq!(sim, direct);
    }

    #[test]
    fn an_act_by_hand_equals_the_act_from_a_document(seed: u64, moment in 0u64..1_500_000) {
        let mut dice = Dice::new(seed);
        let settings = dice.shifting();
        let command = dice.shift_command();
        let (mut by_hand, mut trace) = at(&settings, SimTime(moment));
        prop_assume!(!matches!(by_hand.ending(), Some(Ending::EventBudget)));
        let before = by_hand.acts().len();
        let moment = by_hand.now();
        by_hand.apply(command.clone(), &mut trace);
        let mut planned = settings;
        let place = planned.acts.partition_point(|act| act.at <= moment);
        planned.acts.insert(place, Act { at: moment, command });
        let (mut from_document, _) = at(&planned, moment);
        if by_hand.acts().len() == before {
            // Not one event is left for it, which is the end of the other as well.
            prop_assert_eq!(from_document.ending(), Some(Ending::EventBudget));
            return Ok(());
        }
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
        let later = moment + 900_000;
        by_hand.advance_to(later, &mut trace);
        from_document.advance_to(later, &mut Trace::null());
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
    }

    #[test]
    fn the_limit_of_a_stage_ends_every_deployment(seed: u64) {
        let mut settings = Dice::new(seed).shifting();
        settings.until = None;
        let (_, trace) = run(&settings);
        let mut entered: Option<SimTime> = None;
        for record in &trace.records {
            let What::Service { change, .. } = record.what else { continue };
            match change {
                ServiceChange::Stage(_) => entered = Some(record.at),
                ServiceChange::Status { to, .. } if to.is_final() => entered = None,
                _ => {}
            }
            if let Some(since) = entered {
                prop_assert!(record.at.since(since) <= 86_400_000, "{} ms", record.at.ms());
            }
        }
    }
    #[test]
    fn what_is_offered_is_answered_or_refused(seed: u64, cuts in prop::collection::vec(0u64..2_000_000, 1..6)) {
        let settings = Dice::new(seed).shifting();
        let mut sim = Simulation::new(settings);
        let mut cuts = cuts;
        cuts.sort_unstable();
        for cut in cuts {
            sim.advance_to(SimTime(cut), &mut Trace::null());
            let Some(view) = sim.traffic() else { continue };
            let answered: u64 = view.totals.served.iter().sum();
            prop_assert_eq!(answered + view.totals.refused, view.totals.offered);
            prop_assert!(view.totals.bad.iter().zip(&view.totals.served).all(|(bad, served)| bad <= served));
            prop_assert!(view.shares.iter().map(|(_, share)| share).sum::<u32>() <= 1000);
        }
    }
}

/// Found by the law above: a replacement stopped before the unhealthy task it was to replace, which the
/// plan then took for gone, and one task too many was started.
#[test]
fn a_revision_given_up_in_the_middle_of_a_replacement_stops_whole() {
    let (sim, trace) = run(&Dice::new(2_829_745_318_473_919_451).shifting());
    let replaces =
        |what: &What| matches!(what, What::Task { change: TaskChange::Created { replacement: true, .. }, .. });
    assert!(trace.records.iter().any(|record| replaces(&record.what)), "the case is still in it");
    assert_eq!(sim.violations(), &[]);
}
