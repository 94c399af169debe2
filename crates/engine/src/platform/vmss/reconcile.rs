//! One look of a scale set: at most one thing to do, or why nothing is done.
//!
//! A size that people changed comes first. Then the rolling upgrade: while a batch is open it waits for it, deletes
//! what the batch replaces, and judges the upgraded machines; between batches it pauses, judges all machines, and takes
//! the next batch.

use super::params::{Mode, Params};
use super::rules_batch::{batch, too_many};
use super::status::{Breach, Status};
use crate::platform::vm::{Action, Blocked, Hold, Model, Pick, Plan, Tally, Why};
use crate::time::SimTime;

/// Where an upgrade stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Upgrade {
    /// Its status.
    pub status: Status,
    /// Batches begun.
    pub batches: u32,
    /// One of them is not over.
    pub open: bool,
    /// The next one waits until then.
    pub pause_until: SimTime,
}

/// What there is to decide on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// The moment.
    pub now: SimTime,
    /// `sku.capacity` of this moment.
    pub size: u32,
    /// Machines.
    pub tally: Tally,
    /// Old machines in the lowest zone that has some.
    pub in_zone: u32,
    /// More machines that the quota leaves room for.
    pub quota: u32,
    /// The next creation may be tried then. In the past: at once.
    pub retry_at: SimTime,
    /// The newest upgrade; absent before the first one.
    pub upgrade: Option<Upgrade>,
}

/// Least healthy and most machines while all goes well: a batch below, or a batch above.
///
/// Example: 10 at 20 %: 8 of at most 10; with MaxSurge 10 of at most 12.
pub fn room(size: u32, params: &Params) -> (u32, u32) {
    let most = batch(size, params.batch_percent, 0).min(size);
    match (params.mode, params.surge) {
        (Mode::Rolling, true) => (size, size.saturating_add(most)),
        (Mode::Rolling, false) => (size.saturating_sub(most), size),
        (Mode::Manual, _) => (size, size),
        (Mode::Automatic, _) => (0, size),
    }
}

/// Looks once.
pub fn reconcile(params: &Params, seen: &Observed) -> Plan {
    let look = Look { params, seen };
    let rolling = seen.upgrade.filter(|upgrade| !upgrade.status.is_final());
    let found = look.trim(rolling.as_ref()).or_else(|| look.fill());
    found.unwrap_or_else(|| match rolling {
        Some(upgrade) if upgrade.status == Status::RollingBack => look.back(),
        Some(upgrade) if upgrade.open => look.close(&upgrade),
        Some(upgrade) => look.next(&upgrade),
        None => look.rest(),
    })
}

struct Look<'a> {
    params: &'a Params,
    seen: &'a Observed,
}

impl Look<'_> {
    /// More than the size, and no batch that is created first: the old go before the new (reading).
    fn trim(&self, rolling: Option<&Upgrade>) -> Option<Plan> {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let counted = tally.counted();
        let forward = |upgrade: &&Upgrade| upgrade.open && upgrade.status == Status::RollingForward;
        let ahead = rolling.filter(forward).filter(|_| self.params.surge);
        let limit = ahead.map_or(seen.size, |_| room(seen.size, self.params).1);
        let extra = counted.saturating_sub(limit);
        let kinds = [
            (Pick::OldUnready, tally.old.unready()),
            (Pick::NewFailed, tally.new.down),
            (Pick::NewUnready, tally.new.unready()),
            (Pick::OldPassed, tally.old.passed()),
            (Pick::NewPassed, tally.new.passed()),
        ];
        let (pick, there) = kinds.into_iter().find(|(_, n)| *n > 0)?;
        let why = Why::Surplus { size: seen.size, counted };
        (extra > 0).then(|| Plan::act(Action::Delete { n: extra.min(there), pick, why }))
    }

    /// Fewer than the size: new machines have the latest model.
    fn fill(&self) -> Option<Plan> {
        let (seen, counted) = (self.seen, self.seen.tally.counted());
        let missing = seen.size.saturating_sub(counted);
        let blocked = |by, until| Some(Plan::wait(Hold::Blocked { by, until }, until));
        match () {
            () if missing == 0 => None,
            () if seen.retry_at > seen.now => blocked(Blocked::Creation, seen.retry_at),
            () if seen.quota == 0 => blocked(Blocked::Quota, SimTime::NEVER),
            () => {
                let why = Why::Missing { size: seen.size, counted };
                Some(Plan::act(Action::Create { n: missing.min(seen.quota), model: Model::Target, why }))
            }
        }
    }

    /// The batch on its way: wait for it, delete what it replaces, judge.
    fn close(&self, upgrade: &Upgrade) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        if tally.new.pending() > 0 {
            return self.waiting();
        }
        let (unhealthy, of, limit) = (tally.new.down, tally.new.passed(), self.params.unhealthy_upgraded_percent);
        if self.params.mode == Mode::Rolling && too_many(unhealthy, of, limit) {
            return self.fault(Breach::Upgraded { unhealthy, of, limit });
        }
        let extra = tally.counted().saturating_sub(seen.size).min(tally.old.total() - tally.old.rebuilding);
        if extra > 0 {
            let why = Why::Replaced { number: upgrade.batches };
            return Plan::act(Action::Delete { n: extra, pick: self.pick(), why });
        }
        let pause = if tally.old.total() > 0 { self.params.pause_ms } else { 0 };
        Plan::act(Action::EndBatch { until: seen.now + pause })
    }

    fn pick(&self) -> Pick {
        if self.params.unhealthy_first { Pick::OldUnhealthyFirst } else { Pick::OldInOrder }
    }

    fn fault(&self, breach: Breach) -> Plan {
        let back = self.params.roll_back_failed && self.seen.tally.new.down > 0;
        let status = if back { Status::RollingBack } else { Status::Faulted };
        Plan::act(Action::Enter { status, because: Some(breach) })
    }

    /// Between batches.
    fn next(&self, upgrade: &Upgrade) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        if tally.old.total() == 0 && tally.new.pending() == 0 {
            return Plan::act(Action::Enter { status: Status::Completed, because: None });
        }
        if seen.now < upgrade.pause_until {
            return Plan::wait(Hold::Pause { until: upgrade.pause_until }, upgrade.pause_until);
        }
        // Machines that a larger size added belong to no batch; whether they become healthy is seen first.
        if tally.new.pending() + tally.old.rebuilding > 0 {
            return self.waiting();
        }
        if self.params.mode == Mode::Automatic {
            return self.take(upgrade, tally.old.total(), tally.old.total());
        }
        let (total, unhealthy) = (tally.counted(), tally.unhealthy());
        let limit = self.params.unhealthy_percent;
        if too_many(unhealthy, total, limit) {
            return self.fault(Breach::Unhealthy { unhealthy, of: total, limit });
        }
        let most = batch(total, self.params.batch_percent, unhealthy);
        let reach = if self.params.cross_zone { tally.old.total() } else { seen.in_zone };
        self.take(upgrade, most.min(reach), most)
    }

    fn take(&self, upgrade: &Upgrade, n: u32, most: u32) -> Plan {
        let seen = self.seen;
        let why = Why::Batch { number: upgrade.batches + 1, most, total: seen.tally.counted() };
        // Without quota for the whole batch it is upgraded in place.
        let surge = self.params.surge && self.params.mode == Mode::Rolling;
        let ahead = surge && seen.quota >= n && seen.retry_at <= seen.now;
        Plan::act(match ahead {
            true => Action::Create { n, model: Model::Target, why },
            false => Action::Rebuild { n, pick: self.pick(), model: Model::Target, why },
        })
    }

    /// Machines that failed go back to the former model, and then it is over.
    fn back(&self) -> Plan {
        let tally = &self.seen.tally;
        match tally.new.down {
            0 if tally.old.pending() > 0 => self.waiting(),
            0 => Plan::act(Action::Enter { status: Status::Faulted, because: None }),
            n => Plan::act(Action::Rebuild { n, pick: Pick::NewFailed, model: Model::Former, why: Why::Breach }),
        }
    }

    fn waiting(&self) -> Plan {
        let (old, new) = (&self.seen.tally.old, &self.seen.tally.new);
        let hold = Hold::Waiting {
            creating: old.rebuilding + new.rebuilding + old.creating + new.creating,
            verifying: old.verifying + new.verifying,
            settling: old.settling + new.settling,
            available: old.up + new.up,
            floor: room(self.seen.size, self.params).0,
        };
        Plan::wait(hold, SimTime::NEVER)
    }

    fn rest(&self) -> Plan {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let status = seen.upgrade.map(|upgrade| upgrade.status);
        let hold = match tally.old.total() {
            _ if tally.new.pending() + tally.old.pending() > 0 => return self.waiting(),
            0 => Hold::Stable { size: seen.size, new: tally.new.total() },
            old => Hold::Over { old, status },
        };
        Plan::wait(hold, SimTime::NEVER)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::vm::Of;
    use crate::platform::vmss::params::PATIENCE_MS;

    const PARAMS: Params = Params {
        mode: Mode::Rolling,
        batch_percent: 20,
        unhealthy_percent: 20,
        unhealthy_upgraded_percent: 20,
        pause_ms: 0,
        cross_zone: true,
        unhealthy_first: false,
        roll_back_failed: false,
        surge: false,
        patience_ms: PATIENCE_MS,
    };
    const FORWARD: Upgrade =
        Upgrade { status: Status::RollingForward, batches: 0, open: false, pause_until: SimTime::ZERO };

    fn of(up: u32, down: u32) -> Of {
        Of { up, down, ..Of::default() }
    }

    fn seen(old: Of, new: Of, upgrade: Upgrade) -> Observed {
        let tally = Tally { old, new };
        let (now, retry_at) = (SimTime(1000), SimTime::ZERO);
        Observed { now, size: 10, tally, in_zone: old.total(), quota: 100, retry_at, upgrade: Some(upgrade) }
    }

    fn action(params: &Params, seen: &Observed) -> Option<Action> {
        reconcile(params, seen).actions.first().copied()
    }

    #[test]
    fn a_batch_in_place_or_ahead() {
        let start = seen(of(10, 0), of(0, 0), FORWARD);
        let why = Why::Batch { number: 1, most: 2, total: 10 };
        let in_place = Action::Rebuild { n: 2, pick: Pick::OldInOrder, model: Model::Target, why };
        let ahead = Params { surge: true, ..PARAMS };
        assert_eq!(action(&PARAMS, &start), Some(in_place));
        assert_eq!(action(&ahead, &start), Some(Action::Create { n: 2, model: Model::Target, why }));
        assert_eq!(action(&ahead, &Observed { quota: 1, ..start }), Some(in_place), "no quota for the whole batch");
        let by_zone = Params { cross_zone: false, ..PARAMS };
        assert!(matches!(action(&by_zone, &Observed { in_zone: 1, ..start }), Some(Action::Rebuild { n: 1, .. })));
        let first = Params { unhealthy_first: true, ..PARAMS };
        let pick = Pick::OldUnhealthyFirst;
        assert!(matches!(action(&first, &start), Some(Action::Rebuild { pick: p, .. }) if p == pick));
    }

    #[test]
    fn limits_before_and_after_a_batch() {
        let enter = |breach| Some(Action::Enter { status: Status::Faulted, because: Some(breach) });
        assert!(matches!(action(&PARAMS, &seen(of(8, 2), of(0, 0), FORWARD)), Some(Action::Rebuild { n: 1, .. })));
        let breach = Breach::Unhealthy { unhealthy: 3, of: 10, limit: 20 };
        assert_eq!(action(&PARAMS, &seen(of(7, 3), of(0, 0), FORWARD)), enter(breach));
        let open = Upgrade { batches: 1, open: true, ..FORWARD };
        let breach = Breach::Upgraded { unhealthy: 1, of: 2, limit: 20 };
        assert_eq!(action(&PARAMS, &seen(of(8, 0), of(1, 1), open)), enter(breach));
        let back = Params { roll_back_failed: true, ..PARAMS };
        let rolling_back = Action::Enter { status: Status::RollingBack, because: Some(breach) };
        assert_eq!(action(&back, &seen(of(8, 0), of(1, 1), open)), Some(rolling_back));
    }

    #[test]
    fn the_end_of_a_batch() {
        let open = Upgrade { batches: 1, open: true, ..FORWARD };
        let paused = Params { pause_ms: 60_000, surge: true, ..PARAMS };
        let delete = Action::Delete { n: 2, pick: Pick::OldInOrder, why: Why::Replaced { number: 1 } };
        assert_eq!(action(&paused, &seen(of(10, 0), of(2, 0), open)), Some(delete));
        let end = Action::EndBatch { until: SimTime(61_000) };
        assert_eq!(action(&paused, &seen(of(8, 0), of(2, 0), open)), Some(end));
        let last = Action::EndBatch { until: SimTime(1000) };
        assert_eq!(action(&paused, &seen(of(0, 0), of(10, 0), open)), Some(last), "no pause after the last one");
        let pause = Upgrade { batches: 1, pause_until: SimTime(61_000), ..FORWARD };
        let plan = reconcile(&paused, &seen(of(8, 0), of(2, 0), pause));
        assert_eq!((plan.hold, plan.look_at), (Some(Hold::Pause { until: SimTime(61_000) }), SimTime(61_000)));
        let done = Action::Enter { status: Status::Completed, because: None };
        assert_eq!(action(&PARAMS, &seen(of(0, 0), of(10, 0), FORWARD)), Some(done));
    }

    #[test]
    fn nothing_resumes_by_itself() {
        for status in [Status::Faulted, Status::Cancelled] {
            let over = Upgrade { status, ..FORWARD };
            let hold = reconcile(&PARAMS, &seen(of(8, 0), of(2, 0), over)).hold;
            assert_eq!(hold, Some(Hold::Over { old: 8, status: Some(status) }));
        }
        let manual = Observed { upgrade: None, ..seen(of(10, 0), of(0, 0), FORWARD) };
        assert_eq!(reconcile(&PARAMS, &manual).hold, Some(Hold::Over { old: 10, status: None }));
    }

    #[test]
    fn failed_ones_go_back() {
        let back = Upgrade { status: Status::RollingBack, ..FORWARD };
        let plan = action(&PARAMS, &seen(of(8, 0), of(1, 1), back));
        let rebuild = Action::Rebuild { n: 1, pick: Pick::NewFailed, model: Model::Former, why: Why::Breach };
        assert_eq!(plan, Some(rebuild));
        let over = Action::Enter { status: Status::Faulted, because: None };
        assert_eq!(action(&PARAMS, &seen(of(9, 0), of(1, 0), back)), Some(over));
    }

    #[test]
    fn scaling_in_the_middle() {
        let more = Observed { size: 12, ..seen(of(8, 0), of(2, 0), FORWARD) };
        let why = Why::Missing { size: 12, counted: 10 };
        assert_eq!(action(&PARAMS, &more), Some(Action::Create { n: 2, model: Model::Target, why }));
        let less = Observed { size: 6, ..seen(of(8, 0), of(2, 0), FORWARD) };
        let why = Why::Surplus { size: 6, counted: 10 };
        assert_eq!(action(&PARAMS, &less), Some(Action::Delete { n: 4, pick: Pick::OldPassed, why }));
    }
}
