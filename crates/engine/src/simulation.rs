//! One face for the runs of all platforms: the same calls, whichever platform runs behind them. A platform
//! is one variant; what only some platforms have is absent or empty on the others.

use alloc::boxed::Box;
use alloc::vec::Vec;

use crate::asg;
use crate::frame::{Counts, DeploymentView, Frame, TaskView};
use crate::guard::{Guards, Violation};
use crate::kubernetes::{self, Controller};
use crate::mechanism::placement::Shortage;
use crate::platform::PlatformSettings;
use crate::platform::kubernetes::Params;
use crate::settings::{Act, AlarmState, Command, Settings, TaskName};
use crate::sim::{self, Ending, ServiceDeployment, ShiftState, Step, TrafficView};
use crate::time::SimTime;
use crate::trace::{DeploymentId, Reason, Trace, Weights};
use crate::vm;

/// A run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Simulation {
    /// Of an Amazon ECS service.
    Ecs(Box<sim::Simulation>),
    /// Of a Kubernetes Deployment, StatefulSet or DaemonSet.
    Kubernetes(Box<kubernetes::Run>),
    /// Of an Amazon EC2 Auto Scaling group.
    Asg(Box<asg::Run>),
    /// Of a group of virtual machines of Google Cloud or Azure.
    Vm(Box<vm::Run>),
}

use Simulation::{Asg, Ecs, Kubernetes, Vm};

fn workload(settings: Settings, common: Params, controller: Controller) -> Simulation {
    Kubernetes(Box::new(kubernetes::Run::new(settings, common, controller)))
}

/// The same call on whichever platform runs.
macro_rules! each {
    ($self:expr, $run:ident => $call:expr) => {
        match $self {
            Ecs($run) => $call,
            Kubernetes($run) => $call,
            Asg($run) => $call,
            Vm($run) => $call,
        }
    };
}

impl Simulation {
    /// Starts a run; nothing has happened yet.
    pub fn new(settings: Settings) -> Simulation {
        match settings.platform.clone() {
            PlatformSettings::Ecs(_) => Ecs(Box::new(sim::Simulation::new(settings))),
            PlatformSettings::Kubernetes(params) => workload(settings, *params, Controller::Deployment),
            PlatformSettings::StatefulSet(params) => {
                workload(settings, params.common, Controller::stateful_set(params.own))
            }
            PlatformSettings::DaemonSet(params) => {
                workload(settings, params.common, Controller::daemon_set(params.own))
            }
            PlatformSettings::Asg(params) => Asg(Box::new(asg::Run::new(settings, *params))),
            PlatformSettings::Vm(params) => Vm(Box::new(vm::Run::new(settings, *params))),
        }
    }

    /// The run of a Kubernetes Deployment.
    pub fn kubernetes(&self) -> Option<&kubernetes::Run> {
        self.workload().filter(|run| *run.controller() == Controller::Deployment)
    }

    /// The run of a StatefulSet or a DaemonSet.
    pub fn placed(&self) -> Option<&kubernetes::Run> {
        self.workload().filter(|run| *run.controller() != Controller::Deployment)
    }

    /// The run of any Kubernetes workload.
    pub fn workload(&self) -> Option<&kubernetes::Run> {
        match self {
            Kubernetes(run) => Some(run),
            Ecs(_) | Asg(_) | Vm(_) => None,
        }
    }

    /// The run of an Auto Scaling group.
    pub fn asg(&self) -> Option<&asg::Run> {
        match self {
            Asg(run) => Some(run),
            Ecs(_) | Kubernetes(_) | Vm(_) => None,
        }
    }

    /// The run of a group of virtual machines.
    pub fn vm(&self) -> Option<&vm::Run> {
        match self {
            Vm(run) => Some(run),
            Ecs(_) | Kubernetes(_) | Asg(_) => None,
        }
    }

    /// The run of an Amazon ECS service.
    pub fn ecs(&self) -> Option<&sim::Simulation> {
        match self {
            Ecs(run) => Some(run),
            Kubernetes(_) | Asg(_) | Vm(_) => None,
        }
    }

    /// The present moment.
    pub fn now(&self) -> SimTime {
        each!(self, run => run.now())
    }

    /// When the next event is due; `None` once nothing can happen any more.
    pub fn next_event_at(&self) -> Option<SimTime> {
        each!(self, run => run.next_event_at())
    }

    /// Carries out exactly one event.
    // Not inlined: a caller compiled for size would take the loop's body with it.
    #[inline(never)]
    pub fn step(&mut self, trace: &mut Trace) -> Step {
        each!(self, run => run.step(trace))
    }

    /// Carries out everything up to and including `t`; time is `t` afterwards, or the end of the run.
    #[inline(never)]
    pub fn advance_to(&mut self, t: SimTime, trace: &mut Trace) -> Option<Ending> {
        each!(self, run => run.advance_to(t, trace))
    }

    /// A person's act at this moment, logged in [`Simulation::acts`]. True when it had an object.
    ///
    /// It is carried out after everything that is due now, and so is what follows from it at
    /// this instant: the same act read from a document gives the same state. A run that was cut
    /// off by its event budget takes no more acts.
    pub fn apply(&mut self, command: Command, trace: &mut Trace) -> bool {
        each!(self, run => run.apply(command, trace))
    }

    /// All acts carried out or still to come, ascending in time.
    pub fn acts(&self) -> &[Act] {
        each!(self, run => run.acts())
    }

    /// How many of them are done.
    pub fn acts_done(&self) -> usize {
        each!(self, run => run.acts_done())
    }

    /// The settings of the run as given, without the acts.
    pub fn settings(&self) -> &Settings {
        each!(self, run => run.settings())
    }

    /// Why the run ended, if it has.
    pub fn ending(&self) -> Option<Ending> {
        each!(self, run => run.ending())
    }

    /// Broken guards so far.
    pub fn violations(&self) -> &[Violation] {
        each!(self, run => run.violations())
    }

    /// The guards with their worst values.
    pub fn guards(&self) -> &Guards {
        each!(self, run => run.guards())
    }

    /// Events carried out so far.
    pub fn events_done(&self) -> u64 {
        each!(self, run => run.events_done())
    }

    /// Counts of this moment.
    pub fn counts(&self) -> Counts {
        each!(self, run => run.counts())
    }

    /// The present state in the viewer's words.
    pub fn frame(&self) -> Frame {
        self.frame_in(Vec::new())
    }

    /// The same, with the slots in the room of those of another frame.
    pub fn frame_in(&self, slots: Vec<Option<TaskView>>) -> Frame {
        each!(self, run => run.frame_in(slots))
    }

    /// Canonical hash of the state, the same natively and in WebAssembly.
    ///
    /// What is the same for the whole run (settings) and acts that are still to come stay out, so
    /// that an act made by hand and the same act read from a document give the same hash.
    pub fn state_hash(&self) -> u64 {
        each!(self, run => run.state_hash())
    }

    /// Slots there are, used ones and free ones.
    pub fn slot_count(&self) -> usize {
        each!(self, run => run.slot_count())
    }

    /// Rough size of a clone in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        each!(self, run => run.size_bytes())
    }

    /// Deployments (of a Kubernetes workload: ReplicaSets or revisions; of an Auto Scaling group: launch template versions; of virtual machines: models) that have not gone, oldest first.
    pub fn deployments(&self) -> impl DoubleEndedIterator<Item = DeploymentView> + '_ {
        let ecs = self.ecs().map(sim::Simulation::deployments);
        let sets = self.workload().map(kubernetes::Run::deployments);
        let versions = self.asg().map(asg::Run::deployments);
        let models = self.vm().map(vm::Run::deployments);
        ecs.into_iter().flatten().chain(sets.into_iter().chain(versions).chain(models).flatten())
    }

    /// Why nothing is being done, once the controller of an ECS service has looked; cheaper than a frame.
    pub fn hold(&self) -> Option<Reason> {
        self.ecs()?.hold()
    }

    /// `minimumHealthyPercent` and `maximumPercent` of this moment; 0 and 0 where there is no such thing.
    pub fn percentages(&self) -> (u32, u32) {
        self.ecs().map_or((0, 0), sim::Simulation::percentages)
    }

    /// Tasks that find room at this moment, those that exist included. Absent without a limit.
    pub fn places(&self) -> Option<u32> {
        self.ecs()?.places()
    }

    /// What would happen at this moment with room for `places` tasks: for trying on a clone.
    pub fn try_places(&mut self, places: u32, trace: &mut Trace) {
        if let Ecs(run) = self {
            run.try_places(places, trace);
        }
    }

    /// Service deployments of the run, oldest first.
    pub fn service_deployments(&self) -> &[ServiceDeployment] {
        self.ecs().map_or(&[], sim::Simulation::service_deployments)
    }

    /// A service deployment with its counts of this moment.
    pub fn service_deployment(&self, k: usize) -> Option<ServiceDeployment> {
        self.ecs()?.service_deployment(k)
    }

    /// The deployment a rollback would go back to, and its revision.
    pub fn rollback_candidate(&self) -> Option<(DeploymentId, u32)> {
        self.ecs()?.rollback_candidate()
    }

    /// Failures that trip the breaker at the latest desired count; absent while it is off.
    pub fn threshold(&self) -> Option<u32> {
        self.ecs()?.threshold()
    }

    /// Healthy target tasks an early success needs; absent when it is not enabled.
    pub fn gate(&self) -> Option<u32> {
        self.ecs()?.gate()
    }

    /// State of each alarm of the settings.
    pub fn alarms(&self) -> impl Iterator<Item = AlarmState> + '_ {
        let ecs = self.ecs().map(sim::Simulation::alarms).into_iter().flatten();
        ecs.chain(self.asg().map(asg::Run::alarms).into_iter().flatten().copied())
    }

    /// The newest deployment that shifts traffic.
    pub fn shift(&self) -> Option<&ShiftState> {
        self.ecs()?.shift()
    }

    /// Its weights.
    pub fn weights(&self) -> Option<Weights> {
        self.ecs()?.weights()
    }

    /// The traffic of this moment.
    pub fn traffic(&self) -> Option<TrafficView> {
        self.ecs()?.traffic()
    }

    /// From RUNNING to the first answer of a task of an ECS service, in milliseconds; 0 elsewhere.
    pub fn start_up_ms(&self, name: TaskName) -> u64 {
        self.ecs().map_or(0, |run| run.start_up_ms(name))
    }

    /// More tasks that instances have room for; absent where tasks run on none.
    pub fn room_for_more(&self) -> Option<u32> {
        self.ecs()?.room_for_more()
    }

    /// What is short on the instances when no task fits any more.
    pub fn shortage(&self) -> Option<Shortage> {
        self.ecs()?.shortage()
    }
}

/// Remembers the slots of the last snapshot.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct SnapshotTaker(sim::SnapshotTaker);

/// A state as the difference to the snapshot before it; where no Amazon ECS service runs always a whole one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Snapshot {
    /// Of an Amazon ECS service.
    Ecs(Box<sim::Snapshot>),
    /// Of a Kubernetes Deployment.
    Kubernetes(Box<kubernetes::Run>),
    /// Of an Auto Scaling group.
    Asg(Box<asg::Run>),
    /// Of a group of virtual machines.
    Vm(Box<vm::Run>),
}

impl SnapshotTaker {
    /// The state now; `whole` for one that needs no snapshot before it. The first one is whole.
    pub fn take(&mut self, state: &Simulation, whole: bool) -> Snapshot {
        match state {
            Ecs(run) => Snapshot::Ecs(Box::new(self.0.take(run, whole))),
            Kubernetes(run) => Snapshot::Kubernetes(run.clone()),
            Asg(run) => Snapshot::Asg(run.clone()),
            Vm(run) => Snapshot::Vm(run.clone()),
        }
    }
}

impl Snapshot {
    fn ecs(&self) -> Option<&sim::Snapshot> {
        match self {
            Snapshot::Ecs(snapshot) => Some(snapshot),
            Snapshot::Kubernetes(_) | Snapshot::Asg(_) | Snapshot::Vm(_) => None,
        }
    }

    /// It needs no snapshot before it.
    pub fn whole(&self) -> bool {
        self.ecs().is_none_or(sim::Snapshot::whole)
    }

    /// Events carried out by then.
    pub fn events_done(&self) -> u64 {
        match self {
            Snapshot::Ecs(snapshot) => snapshot.events_done(),
            Snapshot::Kubernetes(run) => run.events_done(),
            Snapshot::Asg(run) => run.events_done(),
            Snapshot::Vm(run) => run.events_done(),
        }
    }

    /// The state at the last snapshot of a chain that begins with a whole one.
    pub fn restore(chain: &[&Snapshot]) -> Option<Simulation> {
        match chain.last()? {
            Snapshot::Kubernetes(run) => Some(Kubernetes(run.clone())),
            Snapshot::Asg(run) => Some(Asg(run.clone())),
            Snapshot::Vm(run) => Some(Vm(run.clone())),
            Snapshot::Ecs(_) => {
                let chain: Vec<&sim::Snapshot> = chain.iter().filter_map(|snapshot| snapshot.ecs()).collect();
                sim::Snapshot::restore(&chain).map(|run| Ecs(Box::new(run)))
            }
        }
    }

    /// The same in the place of another state, whose memory is used again: slots are megabytes.
    /// False, and nothing changes, without a chain.
    pub fn restore_into(chain: &[&Snapshot], state: &mut Simulation) -> bool {
        let Some(last) = chain.last() else { return false };
        match (last, &mut *state) {
            (Snapshot::Ecs(_), Ecs(run)) => {
                let chain: Vec<&sim::Snapshot> = chain.iter().filter_map(|snapshot| snapshot.ecs()).collect();
                sim::Snapshot::restore_into(&chain, run)
            }
            (Snapshot::Kubernetes(from), Kubernetes(run)) => {
                run.clone_from(from);
                true
            }
            (Snapshot::Asg(from), Asg(run)) => {
                run.clone_from(from);
                true
            }
            (Snapshot::Vm(from), Vm(run)) => {
                run.clone_from(from);
                true
            }
            _ => Snapshot::restore(chain).map(|other| *state = other).is_some(),
        }
    }

    /// One snapshot in place of this one and the next.
    pub fn merged(&self, next: &Snapshot) -> Snapshot {
        match (self.ecs(), next.ecs()) {
            (Some(own), Some(next)) => Snapshot::Ecs(Box::new(own.merged(next))),
            _ => next.clone(),
        }
    }

    /// Rough size in bytes, for keyframe budgets.
    pub fn size_bytes(&self) -> usize {
        match self {
            Snapshot::Ecs(snapshot) => snapshot.size_bytes(),
            Snapshot::Kubernetes(run) => run.size_bytes(),
            Snapshot::Asg(run) => run.size_bytes(),
            Snapshot::Vm(run) => run.size_bytes(),
        }
    }
}
