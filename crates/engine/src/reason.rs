//! Decisions with their reasons, as data. Sentences are made elsewhere.

use crate::capacity::NoInstance;
use crate::mechanism::placement::Shortage;
use crate::settings::TaskName;
use crate::sim::service_deployment::Stage;
use crate::time::SimTime;

/// A decision of the controller with its reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Decision {
    /// Which rule decided.
    pub rule: Rule,
    /// Why, with the numbers.
    pub reason: Reason,
    /// The first task it is about.
    pub first: Option<TaskName>,
}

/// Rules of the scheduler, in the order of one evaluation (reference section 3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rule {
    /// A deployment starts.
    Deploy,
    /// 2. A failed deployment stops launching, and is rolled back or not.
    FailureFirst,
    /// 3. Lost source tasks are made good from their own revision.
    SourceRepair,
    /// 4. Target tasks start inside the ceiling.
    TargetStart,
    /// 5. Unhealthy tasks are replaced.
    UnhealthyReplacement,
    /// 6. Source tasks stop above the floor.
    SourceStop,
    /// Tasks on instances that are being drained stop above the floor.
    InstanceDrain,
    /// In steady state a task moves to an emptier zone.
    Rebalance,
    /// 7. Tasks beyond the desired count stop.
    TargetSurplus,
    /// 8. The deployment completes.
    Completion,
    /// Nothing is done.
    Hold,
    /// Blue/green, linear, canary: a stage ends, traffic moves, a hook decides.
    TrafficShift,
}

/// Why a decision was taken, with the numbers in it. `wording` makes the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reason {
    /// A new deployment began with these limits.
    DeploymentBegins {
        /// Its revision.
        revision: u32,
        /// Desired count.
        desired: u32,
        /// Fewest healthy.
        floor: u32,
        /// Most at once.
        ceiling: u32,
    },
    /// Room below the ceiling and target tasks missing.
    RoomToStart {
        /// Most at once.
        ceiling: u32,
        /// Tasks counted before.
        total: u32,
        /// Target tasks missing before.
        need: u32,
        /// Tasks started.
        started: u32,
    },
    /// Source tasks were lost and the floor still needs them.
    SourceNeeded {
        /// Fewest healthy.
        floor: u32,
        /// Healthy target tasks.
        healthy_target: u32,
        /// Source tasks still required.
        keep: u32,
        /// Tasks started.
        started: u32,
    },
    /// More are healthy than the floor asks for.
    SpareToStop {
        /// Healthy before.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// Source tasks that are not healthy and that nobody needs.
    NotNeeded {
        /// Healthy tasks.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// Target tasks that never were healthy failed their checks; they stop together.
    NeverHealthy {
        /// Tasks stopped.
        stopped: u32,
    },
    /// Unhealthy tasks and room: the replacement starts first.
    ReplacementFirst {
        /// Tasks counted before.
        total: u32,
        /// Most at once.
        ceiling: u32,
        /// Tasks started.
        started: u32,
    },
    /// Unhealthy tasks and no room: the unhealthy one stops first.
    NoRoomStopFirst {
        /// Tasks counted before.
        total: u32,
        /// Most at once.
        ceiling: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// The replacement is healthy, so the task it replaces stops.
    ReplacementHealthy {
        /// Tasks stopped.
        stopped: u32,
    },
    /// More target tasks than wanted.
    Surplus {
        /// Tasks wanted to run before.
        active: u32,
        /// Desired count.
        desired: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// All target tasks are healthy and no source task is left.
    Completed {
        /// Desired count.
        desired: u32,
    },
    /// Nothing to do: the service is as wanted.
    Steady {
        /// Desired count.
        desired: u32,
    },
    /// Both sums are 0 and nothing is on its way: it cannot move.
    CannotMove {
        /// Tasks counted.
        total: u32,
        /// Most at once.
        ceiling: u32,
        /// Healthy tasks.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
    },
    /// Both limits are reached; tasks on their way will change that.
    BothLimits {
        /// Tasks counted.
        total: u32,
        /// Most at once.
        ceiling: u32,
        /// Healthy tasks.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
    },
    /// Everything that is needed has started and is not healthy yet.
    WaitHealthy {
        /// Tasks started and not healthy.
        unready: u32,
        /// Healthy tasks.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
    },
    /// All target tasks are healthy; source tasks are still on their way out.
    WaitGone {
        /// Tasks stopping.
        stopping: u32,
    },
    /// No place for another task.
    NoPlaces {
        /// Tasks that hold a place.
        physical: u32,
        /// Places there are.
        places: u32,
        /// Tasks missing.
        need: u32,
    },
    /// The launch quota is used up until then.
    Quota {
        /// Next launch.
        until: SimTime,
        /// Tasks missing.
        need: u32,
    },
    /// Starts failed again and again; the next attempt comes then.
    Throttled {
        /// Next attempt.
        until: SimTime,
        /// Launch batches that failed in a row.
        failed_batches: u32,
    },
    /// Lockstep reading: nothing starts while a task is stopping, nothing stops while one is starting.
    Lockstep {
        /// Target tasks not healthy yet.
        unready: u32,
        /// Tasks stopping.
        stopping: u32,
    },
    /// The deployment is FAILED: it launches nothing.
    DeploymentFailed {
        /// Its revision.
        revision: u32,
    },
    /// The count reached the threshold: the deployment is FAILED.
    BreakerTripped {
        /// Failures counted.
        count: u32,
        /// Threshold at the latest desired count.
        threshold: u32,
        /// Latest desired count.
        desired: u32,
    },
    /// An alarm went to ALARM while the deployment was in progress: it is FAILED.
    AlarmFired {
        /// Index into the alarms of the settings.
        alarm: u32,
    },
    /// The image digests did not resolve: the deployment is FAILED.
    DigestsFailed {
        /// Attempts.
        attempts: u32,
    },
    /// The image digests did not resolve and nothing watches: it goes on without them.
    WithoutDigests {
        /// Attempts.
        attempts: u32,
    },
    /// The deployment is given up and this revision is rolled out again.
    RollsBack {
        /// Revision that is given up.
        from: u32,
        /// Revision that comes back.
        to: u32,
    },
    /// No COMPLETED deployment to go back to: nothing is launched any more.
    NoCandidate {
        /// Revision that failed.
        revision: u32,
    },
    /// The monitor that fired does not roll back: nothing is launched any more.
    NoRollback {
        /// Revision that failed.
        revision: u32,
    },
    /// Enough target tasks are healthy: the rollout counts as a success.
    EarlySuccess {
        /// Healthy target tasks.
        healthy: u32,
        /// So many were needed.
        gate: u32,
        /// Source tasks that are still there.
        left: u32,
    },
    /// Only protected source tasks are left to stop.
    Protected {
        /// So many.
        tasks: u32,
    },
    /// Everything else is done; the bake time runs.
    Baking {
        /// Its end.
        until: SimTime,
    },
    /// The gate of the early success is lost: completion waits until it is back.
    GateLost {
        /// Healthy target tasks.
        healthy: u32,
        /// So many are needed.
        gate: u32,
    },
    /// Source tasks are kept until the gate is met (switch `hold_source_until_gate`).
    HoldsSource {
        /// Healthy target tasks.
        healthy: u32,
        /// So many are needed.
        gate: u32,
    },
    /// The image digests are being resolved.
    ResolvesDigests {
        /// Attempts that failed.
        attempts: u32,
        /// Next attempt.
        until: SimTime,
    },
    /// DEFERRED clean-up was given up: source tasks stay for good.
    LeftForGood {
        /// So many.
        tasks: u32,
    },
    /// Tasks of the new revision start beside the old ones, in full.
    GreenStarts {
        /// Desired count.
        desired: u32,
        /// Tasks missing before.
        need: u32,
        /// Tasks started.
        started: u32,
    },
    /// The revision that has the production traffic lost tasks, and keeps what is wanted.
    SideRepaired {
        /// Its revision.
        revision: u32,
        /// Desired count.
        desired: u32,
        /// Tasks started.
        started: u32,
    },
    /// CLEAN_UP: the revision without production traffic goes.
    CleanUp {
        /// Its revision.
        revision: u32,
        /// Tasks stopped.
        stopped: u32,
        /// It is the new one: a rollback.
        back: bool,
    },
    /// RECONCILE_SERVICE: only one revision stays beside the new one.
    Reconcile {
        /// The revision that goes.
        revision: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// Production traffic moves on to the new revision.
    TrafficShifts {
        /// The new revision.
        revision: u32,
        /// Its weight from here on, in thousandths.
        green: u32,
        /// This shift, from 1.
        shift: u32,
        /// Shifts in all.
        shifts: u32,
    },
    /// Production traffic moves back to the old revision in one go.
    TrafficBack {
        /// The old revision.
        revision: u32,
        /// Its tasks had gone and started again first.
        afresh: bool,
    },
    /// The wait after a shift runs.
    StepWaits {
        /// Weight of the new revision, in thousandths.
        green: u32,
        /// The shift that was the last one, from 1.
        shift: u32,
        /// Shifts in all.
        shifts: u32,
        /// Its end.
        until: SimTime,
    },
    /// A traffic shift takes its time (Network Load Balancer).
    ShiftTakes {
        /// Its end.
        until: SimTime,
    },
    /// A hook has not ended.
    HookWaits {
        /// Its `hookId`.
        id: u32,
        /// Its stage.
        stage: Stage,
        /// It is a PAUSE hook.
        pause: bool,
        /// Its time-out.
        until: SimTime,
    },
    /// A hook asked for a rollback: the deployment is FAILED.
    HookFailed {
        /// Its `hookId`.
        id: u32,
        /// Its stage.
        stage: Stage,
        /// It is a PAUSE hook.
        pause: bool,
        /// It timed out.
        timed_out: bool,
    },
    /// A stage, or a step of the production traffic, lasted for 24 hours: the deployment is FAILED.
    StageLimit {
        /// Which.
        stage: Stage,
    },
    /// The last old task is gone, and the new revision has all of the traffic.
    ShiftCompleted {
        /// The revision that stays.
        revision: u32,
    },
    /// Target tasks are missing, and there is less room for them than below the ceiling.
    StartsInRoom {
        /// Most at once.
        ceiling: u32,
        /// Tasks counted before.
        total: u32,
        /// Target tasks missing before.
        need: u32,
        /// Tasks started: as many as find room.
        started: u32,
    },
    /// No instance takes one more task.
    NoRoom {
        /// Tasks missing.
        need: u32,
        /// What is short, on how many instances, and which are nearest.
        shortage: Shortage,
    },
    /// Tasks wait in PROVISIONING for an instance.
    WaitInstances {
        /// So many.
        waiting: u32,
        /// Instances on their way.
        coming: u32,
        /// The next one registers then; NEVER when none is on its way.
        until: SimTime,
        /// Why none is on its way; absent while one is.
        none: Option<NoInstance>,
    },
    /// Fargate has no capacity until then.
    NoCapacity {
        /// Tasks missing.
        need: u32,
        /// NEVER for an outage that stays.
        until: SimTime,
    },
    /// Healthy tasks on instances that are being drained, and more are healthy than the floor asks for.
    InstanceDrains {
        /// Healthy before.
        healthy: u32,
        /// Fewest healthy.
        floor: u32,
        /// Tasks stopped.
        stopped: u32,
    },
    /// Two zones differ by two tasks or more: one task more starts in the emptier one.
    Rebalances {
        /// The fuller zone, an index.
        from: u8,
        /// The emptier one.
        to: u8,
    },
    /// The new revision is not whole any more: until it is, the stage does not end.
    GreenLacks {
        /// Healthy tasks missing.
        lacks: u32,
        /// Desired count.
        desired: u32,
        /// The stage that is held.
        stage: Stage,
        /// The stage fails then.
        until: SimTime,
    },
    /// The replacement fails its checks as well, inside its grace period: two stand for one, and the older
    /// one stops.
    OlderStops {
        /// Tasks stopped.
        stopped: u32,
    },
}
