//! Why, at any moment: the two sums, what is being waited for, and what would change it.
//!
//! ```text
//! moment(&Player) -> Moment              at the cursor; cheap: no frame, no clone of the state
//! changes(&Player) -> Vec<MomentChange>  tries up to four acts on clones; for a cursor that rests
//! moment_at, changes_at                  the same for a run and a state, without a player
//! ```

use rollscope_engine::frame::{DeploymentView, Limits};
use rollscope_engine::settings::{Command, RolloutState, TaskName};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::sim::service_deployment::{FailedBy, MonitorStatus, ServiceStatus, Stage};
use rollscope_engine::trace::{Decision, Failure, Reason, Record, What};
use rollscope_engine::{SimTime, Simulation, Step, Trace, order};
use rollscope_player::Player;
use rollscope_scenario::limits;

use crate::changes::{self, Change};
use crate::instant::{Instant, acted, records_at};
use crate::outcome::{Outcome, OutcomeKind, failed_at, outcome};
use crate::run::RunView;
use crate::waits::{Wait, waits};

/// Most coming events that are told.
const WAITS: usize = 3;
/// A desired count further away than this is not proposed.
const DESIRED_SEARCH: u32 = 200;

/// A moment of a run, explained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// Which.
    pub at: SimTime,
    /// What happens now, in one word.
    pub kind: MomentKind,
    /// The decision behind it, also the one to do nothing.
    pub because: Option<Decision>,
    /// What was decided with a failure of the deployment: to roll back, or that it cannot be.
    pub follows: Option<Reason>,
    /// The last failure of this very moment that weighs most, and how many tasks it happened to.
    pub failure: Option<(Failure, u32)>,
    /// The newest rollout as it stands now.
    pub course: Option<Course>,
    /// The two sums with their terms.
    pub sums: Sums,
    /// Why nothing is being done, with the numbers, when nothing is.
    pub hold: Option<Reason>,
    /// The next events that have a consequence, at most three, as far as the run is computed.
    pub waits_for: Vec<Wait>,
    /// Some health check looks at the tasks; else 40 seconds of RUNNING are healthy.
    pub checked: bool,
    /// The alarms are watched for the newest rollout at this moment.
    pub alarms: bool,
    /// How the run ended, at its last moment.
    pub end: Option<Box<Outcome>>,
}

/// The newest rollout at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Course {
    /// The revision that is rolled out.
    pub revision: u32,
    /// Its service deployment.
    pub status: ServiceStatus,
    /// When it failed or was stopped, and by what.
    pub failed: Option<(SimTime, FailedBy)>,
    /// The revision that is brought back.
    pub back: Option<u32>,
    /// Its end.
    pub finished: Option<SimTime>,
}

impl Course {
    fn of(service: &ServiceDeployment) -> Course {
        Course {
            revision: service.revision,
            status: service.status(),
            failed: failed_at(service).zip(service.failed_by),
            back: service.rollback.map(|back| back.revision),
            finished: service.finished,
        }
    }

    /// The last good revision is being brought back.
    pub fn rolls_back(&self) -> bool {
        self.status == ServiceStatus::RollbackInProgress && self.back.is_some()
    }

    /// The last good revision is back.
    pub fn is_back(&self) -> bool {
        self.status == ServiceStatus::RollbackSuccessful
    }
}

/// What happens at a moment, the weightiest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
    /// The run is over.
    Ended(OutcomeKind),
    /// The deployment fails right now.
    Fails(FailedBy),
    /// The rollback fails right now.
    RollbackFails,
    /// The last good revision is back and steady right now.
    RolledBack,
    /// The rollout is done right now.
    Done,
    /// Failures count right now: so many tasks.
    Counts(u32),
    /// Tasks fail right now and nothing counts it.
    TasksFail(u32),
    /// The scheduler starts or stops tasks right now.
    Acting {
        /// Tasks that start.
        started: u32,
        /// Tasks that are picked to stop.
        stopped: u32,
    },
    /// Both limits are reached; something on its way will change that.
    BothLimits,
    /// Both sums are 0 and no event can change them.
    NeverMoves,
    /// Everything that is wanted has started; it is not healthy yet.
    WaitsForHealth,
    /// Only stopping tasks are left to wait for.
    WaitsForStops,
    /// There is no place for another task.
    NoPlaces,
    /// No instance takes one more task, or Fargate has no capacity.
    NoRoom,
    /// Tasks wait in PROVISIONING for an instance.
    WaitsForInstances,
    /// The launch quota is used up.
    Quota,
    /// Starts failed again and again; ECS pauses.
    Paused,
    /// One thing after the other (switch `start_first`).
    Lockstep,
    /// The deployment is FAILED and launches nothing.
    Failed,
    /// Only protected old tasks are left to stop.
    Protected,
    /// The bake time runs.
    Baking,
    /// The gate of the early success is lost, or old tasks are kept until it is met.
    Gate,
    /// The image digests are being resolved.
    Digests,
    /// A hook of the stage has not ended; PAUSE or not.
    Hook {
        /// Somebody has to answer it.
        pause: bool,
    },
    /// Traffic has moved on, and the wait before the next shift runs.
    Shifting,
    /// Old tasks stay for good: ECS has stopped trying.
    LeftForGood,
    /// The deployment has completed and the service is as wanted.
    Completed,
    /// The newest deployment failed, the last good revision is back and as wanted.
    Back,
    /// No deployment is under way and the service is as wanted.
    Steady,
}

/// The two sums: ceiling minus tasks that count is room, healthy minus floor is spare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sums {
    /// `desiredCount` of the moment.
    pub desired: u32,
    /// `minimumHealthyPercent` of the moment.
    pub minimum_percent: u32,
    /// `maximumPercent` of the moment.
    pub maximum_percent: u32,
    /// Most tasks at once; `u32::MAX` for no ceiling.
    pub ceiling: u32,
    /// Tasks that count against it.
    pub counted: u32,
    /// Ceiling minus counted tasks, at least 0: so many may start.
    pub room: u32,
    /// Healthy tasks of all revisions.
    pub healthy: u32,
    /// Fewest that must stay healthy.
    pub floor: u32,
    /// Healthy minus floor, at least 0: so many may stop.
    pub spare: u32,
    /// Tasks that are wanted and have not started: with room and a place they start.
    pub missing: u32,
    /// Tasks of other revisions that nobody has picked to stop yet.
    pub left: u32,
    /// Places there are and how many of them are free; absent without a limit.
    pub places: Option<(u32, u32)>,
    /// Traffic is being shifted: both revisions in full stand in for the two percentages. Until CLEAN_UP none of
    /// their tasks may stop.
    pub shifting: bool,
    /// CLEAN_UP: the tasks of the revision without traffic stop.
    pub cleans_up: bool,
}

/// A change that makes the scheduler do something at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MomentChange {
    /// The change.
    pub change: Change,
    /// The act that makes it at the cursor; absent for places, which no act changes: they are a
    /// field of the document.
    pub command: Option<Command>,
    /// The limits with it.
    pub limits: Limits,
    /// Tasks that start at once, and the first of them.
    pub started: (u32, Option<TaskName>),
    /// Tasks that are picked to stop at once, and the first of them.
    pub stopped: (u32, Option<TaskName>),
}

/// The moment at the player's cursor.
pub fn moment(player: &Player) -> Moment {
    moment_at(RunView::of_player(player), player.state())
}

/// A moment of a run; `state` is that of the run at this moment.
pub fn moment_at(run: RunView<'_>, state: &Simulation) -> Moment {
    let now = state.now();
    let here = Instant::of(records_at(run.records, now), run.end.settings());
    let course = state.service_deployments().last().map(Course::of);
    let still = here.started.0 + here.stopped.0 == 0;
    let end = run.last_moment().filter(|last| *last <= now && course.is_some()).map(|_| Box::new(outcome(run)));
    let kind = kind(state, &here, course, end.as_deref());
    let because = here.because(kind);
    Moment {
        at: now,
        kind,
        because: because
            .or_else(|| last_decision(run.records, now, |reason| ended_by(kind, reason)))
            .or_else(|| last_decision(run.records, now, |_| ended_well(kind))),
        follows: here.follows,
        failure: here.failure(),
        course,
        sums: sums(state),
        hold: state.hold().filter(|_| still),
        waits_for: waits(run.records, now, WAITS),
        alarms: state.service_deployments().last().is_some_and(|s| s.alarms.status == MonitorStatus::Monitoring),
        checked: !(run.end.settings().containers.is_empty() && run.end.settings().target_groups.is_empty()),
        end: end.filter(|_| matches!(kind, MomentKind::Ended(_))),
    }
}

/// The last decision at or before a moment that is wanted, also one to do nothing.
fn last_decision(records: &[Record], now: SimTime, wanted: impl Fn(&Reason) -> bool) -> Option<Decision> {
    let past = &records[..records.partition_point(|record| record.at <= now)];
    past.iter().rev().find_map(|record| match record.what {
        What::Decision(decision) if wanted(&decision.reason) => Some(decision),
        _ => None,
    })
}

/// The run is over and nothing failed.
fn ended_well(kind: MomentKind) -> bool {
    matches!(kind, MomentKind::Ended(OutcomeKind::Completed | OutcomeKind::CompletedThenFailing))
}

/// Whether a decision is behind the end of a rollout: what completed it, or what came of its failure; any is behind
/// all other moments.
fn ended_by(kind: MomentKind, reason: &Reason) -> bool {
    match kind {
        MomentKind::RolledBack | MomentKind::Back | MomentKind::Ended(OutcomeKind::RolledBack) => {
            matches!(reason, Reason::RollsBack { .. })
        }
        MomentKind::Ended(OutcomeKind::Failed) => {
            matches!(reason, Reason::NoCandidate { .. } | Reason::NoRollback { .. })
        }
        kind if ended_well(kind) => {
            matches!(reason, Reason::Completed { .. } | Reason::EarlySuccess { .. } | Reason::ShiftCompleted { .. })
        }
        _ => true,
    }
}

fn sums(state: &Simulation) -> Sums {
    let counts = state.counts();
    let (minimum_percent, maximum_percent) = state.percentages();
    let Limits { desired, ceiling, .. } = counts.limits;
    let healthy = counts.healthy();
    let mut others: Vec<DeploymentView> = state.deployments().collect();
    let target = others.pop();
    let shifting = state.shift().is_some_and(|shift| !shift.over);
    let cleans_up = state.service_deployments().last().is_some_and(|service| service.stage == Stage::CleanUp);
    let floor = if shifting && !cleans_up { desired.saturating_mul(2) } else { counts.limits.floor };
    Sums {
        desired,
        minimum_percent,
        maximum_percent,
        ceiling,
        counted: counts.counted,
        room: ceiling.saturating_sub(counts.counted),
        healthy,
        floor,
        spare: healthy.saturating_sub(floor),
        missing: target.filter(|d| !d.launches_none).map_or(0, |d| desired.saturating_sub(d.tasks.active())),
        left: others.iter().map(|d| d.tasks.active()).sum(),
        places: state.places().map(|places| (places, places.saturating_sub(counts.physical()))),
        shifting,
        cleans_up: shifting && cleans_up,
    }
}

fn kind(state: &Simulation, here: &Instant, course: Option<Course>, end: Option<&Outcome>) -> MomentKind {
    let never = matches!(state.hold(), Some(Reason::CannotMove { .. }));
    if let Some(end) = end.filter(|_| !never) {
        return MomentKind::Ended(end.outcome);
    }
    let rolls_back = course.is_some_and(|course| course.back.is_some());
    let (started, stopped) = (here.started.0, here.stopped.0);
    match (here.fails, here.ends) {
        (Some(_), _) if here.rollback_fails => MomentKind::RollbackFails,
        (Some(by), _) => MomentKind::Fails(by),
        (None, true) if rolls_back => MomentKind::RolledBack,
        (None, true) => MomentKind::Done,
        _ if here.counted.1 > 0 => MomentKind::Counts(here.counted.1),
        _ if here.failed > 0 => MomentKind::TasksFail(here.failed),
        _ if started + stopped > 0 => MomentKind::Acting { started, stopped },
        _ => holding(state, course),
    }
}

/// What is waited for, where nothing happens.
fn holding(state: &Simulation, course: Option<Course>) -> MomentKind {
    let target = state.deployments().next_back();
    match state.hold() {
        Some(Reason::BothLimits { .. }) => MomentKind::BothLimits,
        Some(Reason::CannotMove { .. }) if state.next_event_at().is_none() => MomentKind::NeverMoves,
        Some(Reason::CannotMove { .. }) => MomentKind::BothLimits,
        Some(Reason::WaitHealthy { .. }) => MomentKind::WaitsForHealth,
        Some(Reason::WaitGone { .. }) => MomentKind::WaitsForStops,
        Some(Reason::NoPlaces { .. }) => MomentKind::NoPlaces,
        Some(Reason::NoRoom { .. } | Reason::NoCapacity { .. }) => MomentKind::NoRoom,
        Some(Reason::WaitInstances { .. }) => MomentKind::WaitsForInstances,
        Some(Reason::Quota { .. }) => MomentKind::Quota,
        Some(Reason::Throttled { .. }) => MomentKind::Paused,
        Some(Reason::Lockstep { .. }) => MomentKind::Lockstep,
        Some(Reason::DeploymentFailed { .. }) => MomentKind::Failed,
        Some(Reason::Protected { .. }) => MomentKind::Protected,
        Some(Reason::Baking { .. }) => MomentKind::Baking,
        Some(Reason::GateLost { .. } | Reason::HoldsSource { .. }) => MomentKind::Gate,
        Some(Reason::ResolvesDigests { .. }) => MomentKind::Digests,
        Some(Reason::LeftForGood { .. }) => MomentKind::LeftForGood,
        _ if course.is_some_and(|course| course.is_back()) => MomentKind::Back,
        Some(Reason::HookWaits { pause, .. }) => MomentKind::Hook { pause },
        Some(Reason::StepWaits { .. } | Reason::ShiftTakes { .. }) => MomentKind::Shifting,
        Some(Reason::GreenLacks { .. }) => MomentKind::WaitsForHealth,
        // A service that was never deployed to in this run is steady, not completed.
        _ if target.is_some_and(|d| d.state == RolloutState::Completed && d.id.0 > 0) => MomentKind::Completed,
        _ => MomentKind::Steady,
    }
}

/// The smallest changes that make the scheduler do something at the cursor, at most three. Each
/// one is carried out on a clone of the state, for this instant only. Empty where new tasks fail, when something happens
/// already, when the deployment is over, and while waiting is all there is to do.
pub fn changes(player: &Player) -> Vec<MomentChange> {
    changes_at(RunView::of_player(player), player.state())
}

/// The same for a moment of a run; `state` is that of the run at this moment.
pub fn changes_at(run: RunView<'_>, state: &Simulation) -> Vec<MomentChange> {
    let records = records_at(run.records, state.now());
    let under_way = state.deployments().next_back().is_some_and(|d| d.state == RolloutState::InProgress);
    let (started, stopped) = acted(records);
    if !under_way || started.0 + stopped.0 > 0 {
        return Vec::new();
    }
    // Where new tasks fail, more of them at once or fewer old ones make the end no better; what helps there is
    // another breaker, or other checks.
    if fails(run, state) {
        return Vec::new();
    }
    let sums = sums(state);
    let by_room = matches!(state.hold(), Some(Reason::NoRoom { .. }));
    let (by_limits, by_places) = match state.hold() {
        Some(Reason::BothLimits { .. } | Reason::CannotMove { .. } | Reason::Lockstep { .. }) => (true, false),
        Some(Reason::NoPlaces { .. }) => (false, true),
        Some(Reason::NoRoom { .. }) => (false, false),
        Some(Reason::WaitHealthy { .. } | Reason::Quota { .. } | Reason::Throttled { .. }) => (false, false),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    if by_limits {
        let most = changes::maximum(sums.desired, sums.counted, sums.maximum_percent);
        found.extend(most.and_then(|percent| attempt(run, state, Change::Maximum(percent))));
    }
    let least = changes::minimum(sums.desired, sums.healthy, sums.minimum_percent);
    found.extend(least.and_then(|percent| attempt(run, state, Change::Minimum(percent))));
    if by_limits {
        found.extend(desired(&sums).into_iter().flatten().find_map(|n| attempt(run, state, Change::Desired(n))));
    }
    if by_places {
        let places = state.counts().physical().saturating_add(1);
        found.extend(attempt(run, state, Change::Places(places)));
    }
    if let Some(cluster) = state.settings().cluster().filter(|_| by_room) {
        found.extend(attempt(run, state, Change::Instances(cluster.first_kind + 1)));
    }
    let percentages = (sums.minimum_percent, sums.maximum_percent);
    order::by_key(&mut found, |way: &MomentChange| changes::size(&way.change, sums.desired, percentages));
    found
}

/// A task of the PRIMARY revision fails in this run, as far as it is computed.
fn fails(run: RunView<'_>, state: &Simulation) -> bool {
    let target = state.deployments().next_back().map(|d| d.revision);
    run.records.iter().any(|record| match record.what {
        What::Task { task, .. } => Some(task.name.revision) == target && rollscope_player::is_failure(&record.what),
        _ => false,
    })
}

/// The nearest desired counts whose limits give room or spare: the nearer one first, of two equally
/// near ones the higher one.
fn desired(sums: &Sums) -> [Option<u32>; 2] {
    let gives = |n: &u32| {
        limits::ceiling(*n, sums.maximum_percent) > sums.counted
            || (*n < sums.desired && limits::floor(*n, sums.minimum_percent) < sums.healthy)
    };
    let up = (sums.desired + 1..=sums.desired.saturating_add(DESIRED_SEARCH)).find(gives);
    let down = (1..sums.desired).rev().take(DESIRED_SEARCH as usize).find(gives);
    match (up, down) {
        (Some(high), Some(low)) if sums.desired - low < high - sums.desired => [down, up],
        _ => [up, down],
    }
}

/// Steps after which nobody knows how a run with a change ends.
const CONFIRM_STEPS: u32 = 20_000;
/// A larger service takes too long to run to its end.
const CONFIRM_TASKS: u32 = 200;

/// How the newest rollout stands: the better, the greater.
fn standing(state: &Simulation) -> u8 {
    match state.service_deployments().last().map(ServiceDeployment::status) {
        Some(ServiceStatus::Successful) => 3,
        Some(ServiceStatus::RollbackSuccessful) => 2,
        Some(ServiceStatus::RollbackFailed | ServiceStatus::Stopped) => 1,
        _ => 0,
    }
}

/// The run ends better from here on than it does as it is, or well as it does today; asked of small services and of
/// runs whose end is known only.
fn ends_well(run: RunView<'_>, mut changed: Simulation) -> bool {
    if changed.counts().limits.desired > CONFIRM_TASKS || run.end.ending().is_none() {
        return true;
    }
    let mut trace = Trace::null();
    for _ in 0..CONFIRM_STEPS {
        if matches!(changed.step(&mut trace), Step::Ended(_)) {
            break;
        }
    }
    let (then, today) = (standing(&changed), standing(run.end));
    then > today || (then == today && today > 1)
}

/// Carries the change out on a clone, for this instant; absent when nothing comes of it, or nothing good.
fn attempt(run: RunView<'_>, state: &Simulation, change: Change) -> Option<MomentChange> {
    let command = match change {
        Change::Maximum(percent) => Some(Command::SetPercentages { minimum: None, maximum: Some(percent) }),
        Change::Minimum(percent) => Some(Command::SetPercentages { minimum: Some(percent), maximum: None }),
        Change::Desired(count) => Some(Command::SetDesired(count)),
        // One more of the first kind, now.
        Change::Instances(_) => Some(Command::AddInstances { like: 1, count: 1 }),
        // What no act changes is a field of the document.
        _ => None,
    };
    let (mut clone, mut trace) = (state.clone(), Trace::new());
    match &command {
        Some(command) => {
            if !clone.apply(command.clone(), &mut trace) {
                return None;
            }
        }
        None => clone.try_places(change.value(), &mut trace),
    }
    let (started, stopped) = acted(&trace.records);
    let limits = clone.counts().limits;
    let worth = started.0 + stopped.0 > 0 && ends_well(run, clone);
    worth.then_some(MomentChange { change, command, limits, started, stopped })
}
