//! Why, at any moment: the two sums, what is being waited for, and what would change it.
//!
//! ```text
//! moment(&Player) -> Moment              at the cursor; cheap: no frame, no clone of the state
//! changes(&Player) -> Vec<MomentChange>  tries up to four acts on clones; for a cursor that rests
//! moment_at, changes_at                  the same for a run and a state, without a player
//! ```

use rollscope_engine::frame::Limits;
use rollscope_engine::settings::{Command, RolloutState, TaskName};
use rollscope_engine::trace::{Reason, Record, TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Trace};
use rollscope_player::Player;
use rollscope_scenario::limits;

use crate::changes::{self, Change};
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
    /// The two sums with their terms.
    pub sums: Sums,
    /// Why nothing is being done, with the numbers, when nothing is.
    pub hold: Option<Reason>,
    /// The next events that have a consequence, at most three, as far as the run is computed.
    pub waits_for: Vec<Wait>,
}

/// What happens at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MomentKind {
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
    /// Traffic is being shifted: both revisions in full stand in for the two percentages.
    pub shifting: bool,
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
    let sums = sums(state);
    let (started, stopped) = acted(records_at(run.records, now));
    Moment {
        at: now,
        kind: kind(state, started.0, stopped.0),
        sums,
        hold: state.hold().filter(|_| started.0 + stopped.0 == 0),
        waits_for: waits(run.records, now, WAITS),
    }
}

fn sums(state: &Simulation) -> Sums {
    let counts = state.counts();
    let (minimum_percent, maximum_percent) = state.percentages();
    let Limits { desired, floor, ceiling } = counts.limits;
    let healthy = counts.healthy();
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
        shifting: state.shift().is_some_and(|shift| !shift.over),
    }
}

fn kind(state: &Simulation, started: u32, stopped: u32) -> MomentKind {
    if started + stopped > 0 {
        return MomentKind::Acting { started, stopped };
    }
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
        Some(Reason::HookWaits { pause, .. }) => MomentKind::Hook { pause },
        Some(Reason::StepWaits { .. } | Reason::ShiftTakes { .. }) => MomentKind::Shifting,
        // A service that was never deployed to in this run is steady, not completed.
        _ if target.is_some_and(|d| d.state == RolloutState::Completed && d.id.0 > 0) => MomentKind::Completed,
        _ => MomentKind::Steady,
    }
}

/// How many, and the first of them.
type Tally = (u32, Option<TaskName>);

/// Tasks that the records start, and tasks that the scheduler picks to stop in them.
fn acted(records: &[Record]) -> (Tally, Tally) {
    let (mut started, mut stopped): (Tally, Tally) = ((0, None), (0, None));
    for record in records {
        let What::Task { task, change } = record.what else { continue };
        let tally = match change {
            TaskChange::Created { .. } => &mut started,
            TaskChange::StopDecided(cause) if cause.by_scheduler() => &mut stopped,
            _ => continue,
        };
        tally.0 += 1;
        tally.1.get_or_insert(task.name);
    }
    (started, stopped)
}

/// The smallest changes that make the scheduler do something at the cursor, at most three. Each
/// one is carried out on a clone of the state, for this instant only. Empty when something happens
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
        found.extend(most.and_then(|percent| attempt(state, Change::Maximum(percent))));
    }
    let least = changes::minimum(sums.desired, sums.healthy, sums.minimum_percent);
    found.extend(least.and_then(|percent| attempt(state, Change::Minimum(percent))));
    if by_limits {
        found.extend(desired(&sums).into_iter().flatten().find_map(|n| attempt(state, Change::Desired(n))));
    }
    if by_places {
        let places = state.counts().physical().saturating_add(1);
        found.extend(attempt(state, Change::Places(places)));
    }
    if let Some(cluster) = state.settings().cluster().filter(|_| by_room) {
        found.extend(attempt(state, Change::Instances(cluster.first_kind + 1)));
    }
    found
}

/// The records of exactly this instant.
fn records_at(records: &[Record], t: SimTime) -> &[Record] {
    let from = records.partition_point(|record| record.at < t);
    let to = records.partition_point(|record| record.at <= t);
    &records[from..to]
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

/// Carries the change out on a clone, for this instant; absent when nothing comes of it.
fn attempt(state: &Simulation, change: Change) -> Option<MomentChange> {
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
    (started.0 + stopped.0 > 0).then_some(MomentChange { change, command, limits, started, stopped })
}
