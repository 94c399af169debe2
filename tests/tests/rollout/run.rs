//! Settings of these tests, and what they read off a run.

use rollscope_engine::platform::ecs::{
    ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Readings, Threshold,
};
use rollscope_engine::settings::{
    Act, Alarm, AlarmState, Command, ContainerCheck, Fate, RolloutState, Settings, TaskName,
};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::ServiceStatus;
use rollscope_engine::trace::{DeploymentChange, Failure, FailureVerdict, ServiceChange, TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Step, Trace};
use rollscope_tests::base::{self, S, seconds};

/// The configuration of the service.
pub fn params(settings: &mut Settings) -> &mut Params {
    settings.platform.ecs_mut().expect("an ECS service")
}

/// The circuit breaker with rollback and a count that a healthy task resets.
pub fn breaker(threshold: Threshold) -> Breaker {
    Breaker { rollback: true, reset_on_healthy_task: true, threshold }
}

/// A service with the default breaker; new tasks are healthy 10 s after their start, old ones gone
/// 5 s after the decision.
pub fn guarded(desired: u32, minimum: u32, maximum: u32) -> Settings {
    let mut settings = base::settings(desired, minimum, maximum);
    settings.timing.provisioning = seconds(1);
    settings.timing.pull = seconds(2);
    settings.timing.healthy_after = Some(seconds(10));
    settings.timing.gone_after = Some(seconds(5));
    settings.containers = vec![check()];
    params(&mut settings).breaker = Some(breaker(Threshold::default()));
    settings
}

/// A container check that fails a task 20 s after RUNNING.
pub fn check() -> ContainerCheck {
    ContainerCheck { interval_ms: 10 * S, timeout_ms: 5 * S, retries: 2, start_period_ms: 0 }
}

/// Stops before RUNNING after so many milliseconds.
pub fn start_fails(after: u64) -> Fate {
    Fate::NeverRunning { after: Some(after) }
}

/// The starts of the new revision fare like this; the rest as `fate` says.
pub fn new_tasks(settings: &mut Settings, fate: Fate, by_start: &[(u32, Fate)]) {
    settings.revisions[1].behaviour.fate = fate;
    settings.revisions[1].behaviour.by_start = by_start.to_vec();
}

pub fn act(settings: &mut Settings, at_s: u64, command: Command) {
    settings.acts.push(Act { at: SimTime(at_s * S), command });
    settings.acts.sort_by_key(|act| act.at);
}

pub fn name(revision: u32, start: u32) -> TaskName {
    TaskName { revision, start }
}

/// Alarms with rollback and this bake time in seconds, and one alarm that changes at these seconds.
pub fn watch(settings: &mut Settings, bake_s: Option<u64>, changes: &[(u64, AlarmState)]) {
    params(settings).alarms =
        Some(AlarmWatch { rollback: true, bake_ms: bake_s.map(|s| s * S), alarm_delay_ms: ALARM_DELAY_MS });
    settings.alarms.push(Alarm {
        name: "errors".into(),
        at_start: AlarmState::Ok,
        changes: changes.iter().map(|(at, state)| (SimTime(at * S), *state)).collect(),
        derived: None,
    });
}

pub fn early(settings: &mut Settings, healthy_percent: u32, cleanup: Cleanup) {
    params(settings).early_success = Some(EarlySuccess { healthy_percent, cleanup });
}

pub fn readings(settings: &mut Settings) -> &mut Readings {
    &mut params(settings).readings
}

/// A run up to its end.
pub struct Run {
    pub sim: Simulation,
    pub trace: Trace,
}

impl Run {
    pub fn whole(settings: Settings) -> Run {
        let (mut sim, mut trace) = (Simulation::new(settings), Trace::new());
        while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
        assert_eq!(sim.violations(), &[]);
        Run { sim, trace }
    }

    pub fn until(settings: Settings, s: u64) -> Run {
        let (mut sim, mut trace) = (Simulation::new(settings), Trace::new());
        sim.advance_to(SimTime(s * S), &mut trace);
        assert_eq!(sim.violations(), &[]);
        Run { sim, trace }
    }

    fn each<T>(&self, f: impl Fn(&What) -> Option<T>) -> Vec<(u64, T)> {
        self.trace.records.iter().filter_map(|r| Some((r.at.ms(), f(&r.what)?))).collect()
    }

    pub fn failures(&self) -> Vec<Failure> {
        let failure = |what: &What| if let What::Failure(failure) = what { Some(*failure) } else { None };
        self.each(failure).into_iter().map(|(_, failure)| failure).collect()
    }

    /// The count after each counted failure; 0 for a reset.
    pub fn counts(&self) -> Vec<u32> {
        let count = |what: &What| match what {
            What::Failure(f) if f.verdict == FailureVerdict::Counted => Some(f.count),
            What::CountReset { .. } => Some(0),
            _ => None,
        };
        self.each(count).into_iter().map(|(_, n)| n).collect()
    }

    /// When the k-th deployment's rollout came to its states, in seconds.
    pub fn states(&self, k: u16) -> Vec<(u64, RolloutState)> {
        let state = |what: &What| match what {
            What::Deployment { id, change: DeploymentChange::State(state), .. } if id.0 == k => Some(*state),
            What::Deployment { id, change: DeploymentChange::RollingBack, .. } if id.0 == k => {
                Some(RolloutState::InProgress)
            }
            _ => None,
        };
        self.each(state).into_iter().map(|(at, state)| (at / S, state)).collect()
    }

    /// The statuses of the k-th service deployment.
    pub fn statuses(&self, k: u16) -> Vec<ServiceStatus> {
        let status = |what: &What| match what {
            What::Service { id, change: ServiceChange::Status { to, .. } } if id.0 == k => Some(*to),
            _ => None,
        };
        self.each(status).into_iter().map(|(_, status)| status).collect()
    }

    /// Moments in milliseconds and changes of the service deployments that `f` picks.
    pub fn changes<T>(&self, f: impl Fn(&ServiceChange) -> Option<T>) -> Vec<(u64, T)> {
        self.each(|what| if let What::Service { change, .. } = what { f(change) } else { None })
    }

    /// When a task came to a change that `f` picks, in milliseconds.
    pub fn moments(&self, of: TaskName, f: impl Fn(&TaskChange) -> bool) -> Vec<u64> {
        let moment = |what: &What| match what {
            What::Task { task, change } if task.name == of && f(change) => Some(()),
            _ => None,
        };
        self.each(moment).into_iter().map(|(at, ())| at).collect()
    }

    /// Starts of a revision in the run.
    pub fn starts(&self, revision: u32) -> usize {
        let start = |what: &What| match what {
            What::Task { task, change: TaskChange::Created { .. } } if task.name.revision == revision => Some(()),
            _ => None,
        };
        self.each(start).len()
    }

    pub fn last_service(&self) -> ServiceDeployment {
        let n = self.sim.service_deployments().len();
        self.sim.service_deployment(n - 1).expect("a deployment began")
    }

    /// Healthy tasks of a revision at the end.
    pub fn healthy(&self, revision: u32) -> u32 {
        self.sim.deployments().filter(|d| d.revision == revision).map(|d| d.tasks.healthy).sum()
    }
}
