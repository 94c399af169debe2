//! The order of decisions: the group first keeps its size, then the refresh replaces.
//!
//! [`reconcile`] is one look at the counters; whoever carries its plan out asks again until it has none. Batches
//! go in lock step: the next one begins when every replacement of the last one is ready (reading).

use alloc::vec::Vec;

use super::params::{Params, StandbyInstances};
use super::rules_checkpoint::{ends_at, percent, reached, until_next};
use super::rules_size::{Room, batch, room};
use super::rules_time::{NO_PROGRESS_MS, TOTAL_MS};
use super::status::{Because, Blocked, Status, may_roll_back};
use crate::time::SimTime;

/// Instances by what the refresh has to do with them. Those on their way out are in none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Tally {
    /// To be replaced, ready.
    pub stale_ready: u32,
    /// To be replaced, not ready.
    pub stale_unready: u32,
    /// To be replaced once their protection ends.
    pub kept: u32,
    /// Protected and therefore left alone.
    pub ignored: u32,
    /// Neither stale nor healthy yet.
    pub booting: u32,
    /// Not stale, in service and healthy, inside the warm-up.
    pub warming: u32,
    /// Not stale, ready.
    pub ready: u32,
    /// Not stale, ready, protected from scale-in.
    pub shielded: u32,
    /// In standby, to be replaced.
    pub standby: u32,
}

impl Tally {
    /// Instances that count for the desired capacity.
    pub const fn counted(&self) -> u32 {
        self.stale_ready
            + self.stale_unready
            + self.kept
            + self.ignored
            + self.booting
            + self.warming
            + self.ready
            + self.shielded
    }

    /// Instances that need no replacement and are ready.
    pub const fn fresh(&self) -> u32 {
        self.ready + self.shielded
    }
}

/// Where a refresh stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Progress {
    /// Its status.
    pub status: Status,
    /// When it began.
    pub started: SimTime,
    /// When an instance was last replaced, a wait ended, or the refresh or its rollback began.
    pub progress_at: SimTime,
    /// The highest checkpoint announced; 0 for none.
    pub announced: u32,
    /// A checkpoint holds it until then; NEVER for none.
    pub hold_until: SimTime,
    /// The bake time ends then; NEVER while it does not run.
    pub bake_until: SimTime,
}

/// What there is to decide on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// The moment.
    pub now: SimTime,
    /// `DesiredCapacity` of this moment.
    pub desired: u32,
    /// Instances.
    pub tally: Tally,
    /// Ready instances, stale ones included, those in standby not.
    pub ready: u32,
    /// More instances that EC2 has capacity for.
    pub capacity: u32,
    /// The next launch may be tried then: launches have failed. In the past: at once.
    pub retry_at: SimTime,
    /// The refresh that is not over; absent for none.
    pub refresh: Option<Progress>,
    /// A watched alarm in ALARM.
    pub alarm: Option<u32>,
}

/// Why instances are launched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LaunchReason {
    /// Fewer than desired.
    Missing {
        /// DesiredCapacity.
        desired: u32,
        /// Counted ones before.
        counted: u32,
    },
    /// A batch of the refresh.
    Batch {
        /// Old ones that go at the same moment.
        going: u32,
        /// Old ones left after them.
        left: u32,
        /// Least ready ones.
        floor: u32,
        /// Most instances.
        ceiling: u32,
    },
}

/// Why instances are terminated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// A batch of the refresh: the replacement is launched at the same moment.
    Batch {
        /// Ready ones before.
        ready: u32,
        /// Least ready ones.
        floor: u32,
    },
    /// The replacement, launched first, is ready.
    Replaced {
        /// Ready ones before.
        ready: u32,
        /// DesiredCapacity.
        desired: u32,
    },
    /// More than desired.
    Surplus {
        /// DesiredCapacity.
        desired: u32,
        /// Counted ones before.
        counted: u32,
    },
    /// `StandbyInstances` is Terminate.
    Standby,
}

/// What is to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Launch so many.
    Launch {
        /// So many.
        n: u32,
        /// Why.
        reason: LaunchReason,
    },
    /// Terminate so many, those that are not ready first, then by age of their configuration.
    Terminate {
        /// Stale ones that are not ready, or others that are not.
        unready: u32,
        /// Ready ones.
        ready: u32,
        /// Only stale ones.
        stale: bool,
        /// Why.
        reason: StopReason,
    },
    /// A checkpoint is reached, and holds until then; NEVER when it does not hold.
    Checkpoint {
        /// Its percentage; 0: the share fell below all of them.
        at: u32,
        /// The end of the delay.
        until: SimTime,
    },
    /// The delay of a checkpoint is over.
    Resume,
    /// The refresh is in another status.
    Enter {
        /// Which.
        status: Status,
        /// Why it failed or rolls back.
        because: Option<Because>,
    },
}

/// Why nothing is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Hold {
    /// The group has what it wants, and no refresh runs.
    Rest {
        /// DesiredCapacity.
        desired: u32,
    },
    /// Replacements are not ready.
    Warming {
        /// Not healthy yet.
        booting: u32,
        /// Healthy, inside the warm-up.
        warming: u32,
        /// Ready ones.
        ready: u32,
        /// Least ready ones.
        floor: u32,
    },
    /// A checkpoint's delay.
    Checkpoint {
        /// Its percentage.
        at: u32,
        /// The end.
        until: SimTime,
    },
    /// The bake time.
    Baking {
        /// The end.
        until: SimTime,
    },
    /// Something keeps it from getting on; it fails then.
    Blocked {
        /// What.
        by: Blocked,
        /// The end of its patience; NEVER when it has no end.
        until: SimTime,
    },
}

/// One look.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Plan {
    /// What is to be done, in order.
    pub actions: Vec<Action>,
    /// Why nothing is.
    pub hold: Option<Hold>,
    /// Look again then at the latest; NEVER when only a change can change anything.
    pub look_at: SimTime,
}

impl Plan {
    fn act(actions: impl Into<Vec<Action>>) -> Plan {
        Plan { actions: actions.into(), hold: None, look_at: SimTime::NEVER }
    }

    fn wait(hold: Hold, look_at: SimTime) -> Plan {
        Plan { actions: Vec::new(), hold: Some(hold), look_at }
    }
}

/// Everything that one look needs.
struct Look<'a> {
    params: &'a Params,
    seen: &'a Observed,
    room: Room,
}

/// Looks once: keep the size, then end, wait, or replace.
pub fn reconcile(params: &Params, seen: &Observed) -> Plan {
    let preferences = &params.preferences;
    let room = room(seen.desired, preferences.min_healthy, preferences.max_healthy);
    let look = Look { params, seen, room };
    let found = look.fails().or_else(|| look.trim()).or_else(|| look.fill());
    let mut plan = found.unwrap_or_else(|| look.refresh());
    if let Some(refresh) = seen.refresh.filter(|_| plan.actions.is_empty()) {
        plan.look_at = plan.look_at.min(refresh.started + TOTAL_MS);
    }
    plan
}

impl Look<'_> {
    /// New instances are on their way: a batch is not over.
    fn open(&self) -> bool {
        self.seen.tally.booting + self.seen.tally.warming > 0
    }

    /// An end that nobody wants: an alarm, or too long.
    fn fails(&self) -> Option<Plan> {
        let refresh = self.seen.refresh?;
        let alarm = self.seen.alarm.filter(|_| matches!(refresh.status, Status::InProgress | Status::Baking));
        match alarm {
            Some(alarm) => Some(self.fail(refresh.status, Because::Alarm { alarm })),
            None if self.seen.now >= refresh.started + TOTAL_MS => Some(self.fail(refresh.status, Because::TooLong)),
            None => None,
        }
    }

    /// Failed, or back where that is wanted and possible.
    fn fail(&self, status: Status, because: Because) -> Plan {
        let back = may_roll_back(Some(status), self.params.desired_configuration, self.params.numbered).is_ok();
        let status = match status {
            Status::RollbackInProgress => Status::RollbackFailed,
            Status::Cancelling => Status::Cancelled,
            _ if self.params.preferences.auto_rollback && back => Status::RollbackInProgress,
            _ => Status::Failed,
        };
        Plan::act([Action::Enter { status, because: Some(because) }])
    }

    /// More than there may be: old ones whose replacement is ready, then what a smaller group has no place for.
    fn trim(&self) -> Option<Plan> {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let refresh =
            seen.refresh.is_some_and(|refresh| refresh.status.replaces() || refresh.status == Status::Cancelling);
        let limit = if refresh && self.open() { self.room.ceiling } else { seen.desired };
        let extra = tally.counted().saturating_sub(limit);
        let unready = extra.min(tally.stale_unready);
        let spare = seen.ready.saturating_sub(self.room.floor);
        let ready = (extra - unready).min(tally.stale_ready).min(spare);
        if unready + ready > 0 {
            let reason = if self.open() {
                StopReason::Surplus { desired: seen.desired, counted: tally.counted() }
            } else {
                StopReason::Replaced { ready: seen.ready, desired: seen.desired }
            };
            return Some(Plan::act([Action::Terminate { unready, ready, stale: true, reason }]));
        }
        // Where a refresh replaces, only ready ones are left that it may not touch now, or new ones.
        let booting = extra.min(tally.booting + tally.warming);
        let ready = (extra - booting).min(tally.ready);
        let reason = StopReason::Surplus { desired: seen.desired, counted: tally.counted() };
        (booting + ready > 0).then(|| Plan::act([Action::Terminate { unready: booting, ready, stale: false, reason }]))
    }

    /// Fewer than desired: launches, as far as EC2 has capacity and the last failures allow.
    fn fill(&self) -> Option<Plan> {
        let (seen, counted) = (self.seen, self.seen.tally.counted());
        let missing = seen.desired.saturating_sub(counted);
        if missing == 0 {
            return None;
        }
        let by = match () {
            () if seen.retry_at > seen.now => Blocked::Launch,
            () if seen.capacity == 0 => Blocked::Capacity,
            () => {
                let reason = LaunchReason::Missing { desired: seen.desired, counted };
                return Some(Plan::act([Action::Launch { n: missing.min(seen.capacity), reason }]));
            }
        };
        Some(self.blocked(by))
    }

    /// It cannot get on. While the refresh replaces and nothing holds it, its patience is an hour.
    fn blocked(&self, by: Blocked) -> Plan {
        let seen = self.seen;
        let retry = if by == Blocked::Launch { seen.retry_at } else { SimTime::NEVER };
        let patient = |refresh: &Progress| {
            matches!(refresh.status, Status::InProgress | Status::RollbackInProgress | Status::Cancelling)
                && refresh.hold_until == SimTime::NEVER
        };
        let waits = match seen.refresh {
            Some(refresh) if refresh.hold_until != SimTime::NEVER => refresh.hold_until,
            Some(refresh) if refresh.bake_until != SimTime::NEVER => refresh.bake_until,
            _ => SimTime::NEVER,
        };
        let Some(refresh) = seen.refresh.filter(patient) else {
            // A wait that is over ends also when something else is missing.
            return match seen.refresh {
                Some(refresh) if waits <= seen.now => self.wait_over(&refresh),
                _ => Plan::wait(Hold::Blocked { by, until: SimTime::NEVER }, retry.min(waits)),
            };
        };
        let until = refresh.progress_at + NO_PROGRESS_MS;
        if seen.now >= until {
            // An instance that is only warming up is progress to come.
            return match (by, seen.tally.warming) {
                (Blocked::Health, 1..) => self.warming(SimTime::NEVER),
                _ => self.fail(refresh.status, Because::NoProgress(by)),
            };
        }
        if by == Blocked::Health {
            return self.warming(until);
        }
        Plan::wait(Hold::Blocked { by, until }, retry.min(until))
    }

    fn warming(&self, look_at: SimTime) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let hold =
            Hold::Warming { booting: tally.booting, warming: tally.warming, ready: seen.ready, floor: self.room.floor };
        Plan::wait(hold, look_at)
    }

    /// The delay of a checkpoint or the bake time is over.
    fn wait_over(&self, refresh: &Progress) -> Plan {
        match refresh.status {
            Status::Baking => Plan::act([Action::Enter { status: Status::Successful, because: None }]),
            _ => Plan::act([Action::Resume]),
        }
    }

    /// The group has its size. What the refresh does.
    fn refresh(&self) -> Plan {
        let seen = self.seen;
        let Some(refresh) = seen.refresh else {
            let rest = Hold::Rest { desired: seen.desired };
            return if self.open() { self.warming(SimTime::NEVER) } else { Plan::wait(rest, SimTime::NEVER) };
        };
        match refresh.status {
            Status::Baking if seen.now >= refresh.bake_until => self.wait_over(&refresh),
            Status::Baking => Plan::wait(Hold::Baking { until: refresh.bake_until }, refresh.bake_until),
            Status::Cancelling if self.open() => self.blocked(Blocked::Health),
            Status::Cancelling => Plan::act([Action::Enter { status: Status::Cancelled, because: None }]),
            Status::Pending => Plan::act([Action::Enter { status: Status::InProgress, because: None }]),
            _ => self.replace(&refresh),
        }
    }

    fn replace(&self, refresh: &Progress) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let preferences = &self.params.preferences;
        if tally.standby > 0 && preferences.standby == StandbyInstances::Terminate {
            let reason = StopReason::Standby;
            return Plan::act([Action::Terminate { unready: tally.standby, ready: 0, stale: true, reason }]);
        }
        if seen.now >= refresh.hold_until {
            return Plan::act([Action::Resume]);
        }
        if refresh.hold_until != SimTime::NEVER {
            let (at, until) = (refresh.announced, refresh.hold_until);
            return Plan::wait(Hold::Checkpoint { at, until }, until);
        }
        if self.open() {
            return self.blocked(Blocked::Health);
        }
        let forward = refresh.status == Status::InProgress;
        let checkpoints: &[u32] = if forward { &preferences.checkpoints } else { &[] };
        let of = seen.desired.saturating_sub(tally.ignored);
        let updated = tally.fresh().min(of);
        let share = percent(updated, of);
        let waiting = tally.kept + if preferences.standby == StandbyInstances::Wait { tally.standby } else { 0 };
        let done = tally.stale_ready + tally.stale_unready + waiting == 0 || ends_at(checkpoints, share);
        let at = reached(checkpoints, share);
        if at != refresh.announced {
            let holds = at > refresh.announced && !done;
            let until = if holds { seen.now + preferences.checkpoint_delay_ms } else { SimTime::NEVER };
            return Plan::act([Action::Checkpoint { at, until }]);
        }
        if done {
            return Plan::act([Action::Enter { status: self.next_of(refresh.status), because: None }]);
        }
        self.next_batch(until_next(checkpoints, updated, of))
    }

    /// Everything is replaced.
    const fn next_of(&self, status: Status) -> Status {
        match status {
            Status::RollbackInProgress => Status::RollbackSuccessful,
            _ if self.params.preferences.bake_ms > 0 => Status::Baking,
            _ => Status::Successful,
        }
    }

    fn next_batch(&self, most: u32) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let stale = (tally.stale_unready, tally.stale_ready);
        if stale.0 + stale.1 == 0 {
            return self.blocked(match tally.kept {
                0 => Blocked::Standby { n: tally.standby },
                n => Blocked::Protected { n },
            });
        }
        if seen.retry_at > seen.now {
            return self.blocked(Blocked::Launch);
        }
        let next = batch(self.room, seen.desired, stale, seen.ready, most);
        let going = next.unready + next.ready;
        let launch = next.launch.min(seen.capacity);
        if going + launch == 0 {
            return self.blocked(if next.launch > 0 { Blocked::Capacity } else { Blocked::Floor });
        }
        let mut actions = Vec::new();
        if going > 0 {
            let reason = StopReason::Batch { ready: seen.ready, floor: self.room.floor };
            actions.push(Action::Terminate { unready: next.unready, ready: next.ready, stale: true, reason });
        }
        if launch > 0 {
            let Room { floor, ceiling } = self.room;
            let left = stale.0 + stale.1 - going;
            actions.push(Action::Launch { n: launch, reason: LaunchReason::Batch { going, left, floor, ceiling } });
        }
        Plan::act(actions)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use super::*;
    use crate::platform::asg::{Preferences, ProtectedInstances, StartCounts};
    use crate::time::{HOUR, MINUTE};

    fn params(min: u32, max: Option<u32>) -> Params {
        let preferences = Preferences {
            min_healthy: min,
            max_healthy: max,
            warm_up_ms: 0,
            skip_matching: false,
            auto_rollback: false,
            checkpoints: vec![50, 100],
            checkpoint_delay_ms: MINUTE,
            bake_ms: 0,
            protected: ProtectedInstances::Wait,
            standby: StandbyInstances::Wait,
        };
        Params {
            desired: 4,
            min_size: 0,
            max_size: 9,
            grace_ms: 0,
            elb: false,
            preferences,
            desired_configuration: true,
            numbered: true,
            start: StartCounts::default(),
        }
    }

    /// At two minutes, in progress since 0, the last instance replaced at one minute.
    fn seen(tally: Tally, ready: u32) -> Observed {
        let progress = Progress {
            status: Status::InProgress,
            started: SimTime::ZERO,
            progress_at: SimTime(MINUTE),
            announced: 0,
            hold_until: SimTime::NEVER,
            bake_until: SimTime::NEVER,
        };
        Observed {
            now: SimTime(2 * MINUTE),
            desired: 4,
            tally,
            ready,
            capacity: 9,
            retry_at: SimTime::ZERO,
            refresh: Some(progress),
            alarm: None,
        }
    }

    fn at(observed: Observed, now: u64, f: impl Fn(&mut Progress)) -> Observed {
        let mut refresh = observed.refresh.expect("one in progress");
        f(&mut refresh);
        Observed { now: SimTime(now), refresh: Some(refresh), ..observed }
    }

    fn first(params: &Params, observed: &Observed) -> Option<Action> {
        reconcile(params, observed).actions.first().copied()
    }

    const HALF: Tally = Tally {
        stale_ready: 2,
        stale_unready: 0,
        kept: 0,
        ignored: 0,
        booting: 0,
        warming: 0,
        ready: 2,
        shielded: 0,
        standby: 0,
    };

    #[test]
    fn the_size_comes_before_the_refresh() {
        let params = params(90, None);
        let missing = seen(Tally { ready: 1, ..HALF }, 3);
        let reason = LaunchReason::Missing { desired: 4, counted: 3 };
        assert_eq!(first(&params, &missing), Some(Action::Launch { n: 1, reason }));
        let extra = seen(Tally { ready: 3, ..HALF }, 5);
        let reason = StopReason::Replaced { ready: 5, desired: 4 };
        assert_eq!(first(&params, &extra), Some(Action::Terminate { unready: 0, ready: 1, stale: true, reason }));
        // An alarm comes before both.
        let failed = Action::Enter { status: Status::Failed, because: Some(Because::Alarm { alarm: 3 }) };
        assert_eq!(first(&params, &Observed { alarm: Some(3), ..missing }), Some(failed));
    }

    #[test]
    fn a_checkpoint_is_announced_then_held_then_left() {
        let params = params(90, None);
        let half = seen(HALF, 4);
        let until = SimTime(3 * MINUTE);
        assert_eq!(first(&params, &half), Some(Action::Checkpoint { at: 50, until }));
        let held = at(half, 2 * MINUTE, |refresh| (refresh.announced, refresh.hold_until) = (50, until));
        let plan = reconcile(&params, &held);
        assert_eq!((plan.hold, plan.look_at), (Some(Hold::Checkpoint { at: 50, until }), until));
        assert_eq!(first(&params, &Observed { now: until, ..held }), Some(Action::Resume));
        let left = at(half, 3 * MINUTE, |refresh| refresh.announced = 50);
        let reason = StopReason::Batch { ready: 4, floor: 3 };
        assert_eq!(first(&params, &left), Some(Action::Terminate { unready: 0, ready: 1, stale: true, reason }));
    }

    #[test]
    fn an_hour_without_progress_fails_it_unless_something_warms_up() {
        let params = params(100, None);
        let open = |booting, warming| seen(Tally { booting, warming, ..HALF }, 4);
        let late = HOUR + MINUTE;
        assert_eq!(reconcile(&params, &at(open(1, 0), late - 1, |_| ())).look_at, SimTime(late));
        let because = Some(Because::NoProgress(Blocked::Health));
        let failed = Action::Enter { status: Status::Failed, because };
        assert_eq!(first(&params, &at(open(1, 0), late, |_| ())), Some(failed));
        assert_eq!(first(&params, &at(open(0, 1), late, |_| ())), None);
        let protected = seen(Tally { stale_ready: 0, kept: 1, ready: 3, ..HALF }, 4);
        let protected = at(protected, late, |refresh| refresh.announced = 50);
        let because = Some(Because::NoProgress(Blocked::Protected { n: 1 }));
        assert_eq!(first(&params, &protected), Some(Action::Enter { status: Status::Failed, because }));
    }
}
