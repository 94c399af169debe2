//! The state at one moment, as plain data in the viewer's words.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::asg::AsgView;
use crate::kubernetes::{KubernetesView, WorkloadView};
use crate::mechanism::host::HostState;
use crate::platform::ecs::strategy::WHOLE;
use crate::settings::{AlarmState, RolloutState, TaskName};
use crate::sim::{Ending, ServiceDeployment, ShiftState, TrafficView};
use crate::time::SimTime;
use crate::trace::{DeploymentId, InstanceId, Reason, StopReason, Weights};
use crate::vm::VmView;

/// Lanes of colour: old, new, and every further revision.
pub const LANES: usize = 3;

/// Tasks of one lane by what they do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct LaneCounts {
    /// PROVISIONING or PENDING.
    pub waiting: u32,
    /// ACTIVATING.
    pub starting: u32,
    /// RUNNING, neither healthy nor unhealthy yet (also unhealthy inside the grace period).
    pub checking: u32,
    /// Counts for the floor.
    pub healthy: u32,
    /// RUNNING and a check fails outside the grace period.
    pub unhealthy: u32,
    /// DEACTIVATING.
    pub draining: u32,
    /// STOPPING.
    pub stopping: u32,
}

impl LaneCounts {
    /// Tasks with `desiredStatus` RUNNING.
    pub const fn active(&self) -> u32 {
        self.waiting + self.starting + self.checking + self.healthy + self.unhealthy
    }
    /// Tasks that are on their way out.
    pub const fn leaving(&self) -> u32 {
        self.draining + self.stopping
    }
    /// Tasks not yet STOPPED.
    pub const fn physical(&self) -> u32 {
        self.active() + self.leaving()
    }

    /// One of them is in another state.
    pub fn step(&mut self, was: TaskState, is: TaskState) {
        if let Some(n) = self.of(was) {
            *n -= 1;
        }
        if let Some(n) = self.of(is) {
            *n += 1;
        }
    }

    /// The counter of a state; absent for those that are gone.
    pub fn of(&mut self, state: TaskState) -> Option<&mut u32> {
        Some(match state {
            TaskState::Waiting => &mut self.waiting,
            TaskState::Starting => &mut self.starting,
            TaskState::Checking => &mut self.checking,
            TaskState::Healthy => &mut self.healthy,
            TaskState::Unhealthy => &mut self.unhealthy,
            TaskState::Draining => &mut self.draining,
            TaskState::Stopping => &mut self.stopping,
            TaskState::Stopped | TaskState::Failed => return None,
        })
    }
}

/// Tasks of the service at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Counts {
    /// Per lane: old, new, further.
    pub lanes: [LaneCounts; LANES],
    /// Tasks that count against the ceiling.
    pub counted: u32,
    /// Floor, ceiling and desired count of this moment.
    pub limits: Limits,
}

impl Counts {
    /// Sum over the lanes of what `f` reads.
    pub fn sum(&self, f: impl Fn(&LaneCounts) -> u32) -> u32 {
        self.lanes.iter().map(f).sum()
    }
    /// Tasks not yet STOPPED.
    pub fn physical(&self) -> u32 {
        self.sum(LaneCounts::physical)
    }
    /// Healthy tasks of all revisions.
    pub fn healthy(&self) -> u32 {
        self.sum(|lane| lane.healthy)
    }
    /// `runningCount`: tasks that are RUNNING.
    pub fn running(&self) -> u32 {
        self.sum(|lane| lane.checking + lane.healthy + lane.unhealthy)
    }
    /// `pendingCount`: PROVISIONING, PENDING and ACTIVATING.
    pub fn pending(&self) -> u32 {
        self.sum(|lane| lane.waiting + lane.starting)
    }
    /// Tasks on their way out.
    pub fn leaving(&self) -> u32 {
        self.sum(LaneCounts::leaving)
    }
}

/// The limits of a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Limits {
    /// Latest desired count.
    pub desired: u32,
    /// Healthy tasks that must remain.
    pub floor: u32,
    /// Tasks that may exist at once.
    pub ceiling: u32,
}

/// State of a task in the vocabulary of the stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TaskState {
    /// PROVISIONING, PENDING
    Waiting,
    /// ACTIVATING
    Starting,
    /// RUNNING, not healthy yet
    Checking,
    /// RUNNING, counts for the floor
    Healthy,
    /// RUNNING, a check fails
    Unhealthy,
    /// DEACTIVATING
    Draining,
    /// STOPPING
    Stopping,
    /// STOPPED on purpose
    Stopped,
    /// STOPPED, it failed
    Failed,
}

/// A task (or the last one that had the slot).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TaskView {
    /// Identity.
    pub id: InstanceId,
    /// Slot, from 0.
    pub slot: u32,
    /// `8·3`
    pub name: TaskName,
    /// Its deployment: a revision may be deployed again beside itself.
    pub deployment: DeploymentId,
    /// Lane of colour.
    pub lane: u8,
    /// Zone index.
    pub zone: u8,
    /// Its instance, an index into [`Frame::hosts`]; absent where tasks run on none, and while it waits for one.
    pub host: Option<u32>,
    /// What it does.
    pub state: TaskState,
    /// Since when.
    pub since: SimTime,
    /// When this state ends by itself, if it does.
    pub until: Option<SimTime>,
    /// End of its grace period while it is inside it.
    pub grace_until: Option<SimTime>,
    /// End of its scale-in protection while it has one; NEVER when it is renewed for ever.
    pub protected_until: Option<SimTime>,
    /// What ended it, once it is STOPPED.
    pub stop_reason: Option<StopReason>,
}

/// A deployment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DeploymentView {
    /// Identity.
    pub id: DeploymentId,
    /// Revision number.
    pub revision: u32,
    /// `PRIMARY` (newest) or `ACTIVE`.
    pub primary: bool,
    /// `rolloutState`
    pub state: RolloutState,
    /// `failedTasks`: what the circuit breaker has counted, or as given at the start.
    pub failed_tasks: u32,
    /// A task of it has been RUNNING since it became PRIMARY: the breaker's second stage, in which
    /// health checks are looked at.
    pub second_stage: bool,
    /// It is FAILED, or a person stopped it.
    pub launches_none: bool,
    /// DEFERRED clean-up was given up: its tasks stay for good.
    pub left_for_good: bool,
    /// Tasks under scale-in protection.
    pub protected: u32,
    /// Tasks by what they do.
    pub tasks: LaneCounts,
}

/// What is used of a resource of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Usage {
    /// What the instance has.
    pub total: u32,
    /// Used by other services.
    pub others: u32,
    /// Used by tasks of the service that run or will.
    pub tasks: u32,
    /// Held by tasks of the service that are on their way out.
    pub leaving: u32,
}

impl Usage {
    /// What nobody uses.
    pub const fn free(&self) -> u32 {
        self.total.saturating_sub(self.others).saturating_sub(self.tasks).saturating_sub(self.leaving)
    }
}

/// An instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HostView {
    /// Its number for people, 1 and up.
    pub number: u32,
    /// Zone index.
    pub zone: u8,
    /// Where it stands.
    pub state: HostState,
    /// CPU units.
    pub cpu: Usage,
    /// Memory in MiB.
    pub memory: Usage,
    /// Network interfaces for tasks; absent where they do not limit.
    pub interfaces: Option<Usage>,
    /// A fixed host port that the tasks want is taken; absent where they want none.
    pub port_taken: Option<bool>,
    /// Tasks that run there or will.
    pub tasks: u32,
    /// Tasks on their way out.
    pub leaving: u32,
    /// More tasks that fit; 0 unless it is ACTIVE.
    pub room: u32,
}

impl Weights {
    /// The share of the production traffic that is sent to a revision, in thousandths: all of it where both
    /// sides are of the same one.
    pub fn of(&self, revision: u32) -> u32 {
        let side = |is: bool, weight: u16| if is { u32::from(weight) } else { 0 };
        side(revision == self.green, self.production) + side(Some(revision) == self.blue, WHOLE - self.production)
    }

    /// The share that is sent to a deployment, in thousandths.
    pub fn of_deployment(&self, id: DeploymentId) -> u16 {
        match () {
            () if id == self.to => self.production,
            () if Some(id) == self.from => WHOLE - self.production,
            () => 0,
        }
    }
}

impl Frame {
    /// The traffic that a healthy task shares, in thousandths of all, and with how many, itself included: all
    /// healthy tasks share all of it, where weights steer it those of a deployment the weight of that one.
    ///
    /// Weights 900 and 100 with four healthy tasks each: a task of the new revision is one of four for 100.
    pub fn share(&self, task: &TaskView) -> (u32, u32) {
        let Some(weights) = self.weights else {
            return (u32::from(WHOLE), self.counts.healthy());
        };
        let weight = u32::from(weights.of_deployment(task.deployment));
        let deployment = self.deployments.iter().find(|deployment| deployment.id == task.deployment);
        (weight, deployment.map_or(0, |deployment| deployment.tasks.healthy))
    }
}

/// Everything a viewer needs to know about one moment.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// The moment.
    pub at: SimTime,
    /// `minimumHealthyPercent` of this moment.
    pub minimum_healthy_percent: u32,
    /// `maximumPercent` of this moment.
    pub maximum_percent: u32,
    /// Counts and limits.
    pub counts: Counts,
    /// Ceiling minus counted tasks, at least 0.
    pub room_to_start: u32,
    /// Healthy tasks minus floor, at least 0.
    pub spare_to_stop: u32,
    /// Deployments that have not gone, oldest first.
    pub deployments: Vec<DeploymentView>,
    /// One entry a slot, in slot order; `None` for a slot that was never used.
    pub slots: Vec<Option<TaskView>>,
    /// Service deployments of the run, oldest first, with their counts of this moment.
    pub service_deployments: Vec<ServiceDeployment>,
    /// The newest deployment that shifts traffic: stage, hooks, waits; absent for rolling updates.
    pub shift: Option<ShiftState>,
    /// Its weights; absent where nothing steers the traffic.
    pub weights: Option<Weights>,
    /// The traffic; absent when the scenario has none.
    pub traffic: Option<TrafficView>,
    /// The deployment a rollback would go back to, and its revision; absent for none.
    pub rollback_candidate: Option<(DeploymentId, u32)>,
    /// Failures that trip the breaker at the latest desired count; absent while it is off.
    pub threshold: Option<u32>,
    /// Healthy target tasks an early success needs; absent when it is not enabled.
    pub gate: Option<u32>,
    /// State of each alarm of the settings.
    pub alarms: Vec<AlarmState>,
    /// Version of the database schema.
    pub schema: u32,
    /// Instances, in the order of their numbers; empty where tasks run on none.
    pub hosts: Vec<HostView>,
    /// Tasks that wait in PROVISIONING for an instance.
    pub waiting_for_instance: u32,
    /// Why nothing is being done, once the controller has looked.
    pub hold: Option<Reason>,
    /// When the next thing happens.
    pub next_event: Option<SimTime>,
    /// How the run ended, if it has.
    pub ending: Option<Ending>,
    /// What only Kubernetes has to show; absent on any other platform.
    pub kubernetes: Option<Box<KubernetesView>>,
    /// What only an Auto Scaling group has to show; absent on any other platform.
    pub asg: Option<Box<AsgView>>,
    /// What only a StatefulSet or a DaemonSet has to show.
    pub workload: Option<Box<WorkloadView>>,
    /// What only a group of virtual machines has to show; absent on any other platform.
    pub vm: Option<Box<VmView>>,
}

impl Frame {
    /// What runs are Pods of Kubernetes.
    pub fn has_pods(&self) -> bool {
        self.kubernetes.is_some() || self.workload.is_some()
    }

    /// What is rolled out is a version of something, not a revision of a service: another platform than Amazon ECS.
    pub fn has_versions(&self) -> bool {
        self.has_pods() || self.asg.is_some() || self.vm.is_some()
    }
}
