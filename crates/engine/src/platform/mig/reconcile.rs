//! One look of a managed instance group: at most one thing to do, or why nothing is done. What it does changes the
//! counts, so it looks again until nothing is left to do at this moment.
//!
//! The order: a size that people lowered, missing machines, then the update. An update adds up to the ceiling first
//! and takes down to the floor second; what it took down comes back as a missing machine. It asks for availability as
//! the API defines it: RUNNING and, with a health check, HEALTHY at least once since the machine was created.

use super::params::Params;
use super::rules_size::{Room, canary, room};
use crate::platform::vm::{Action, Blocked, Hold, Model, Pick, Plan, Tally, Why};
use crate::time::SimTime;

/// What there is to decide on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Observed {
    /// The moment.
    pub now: SimTime,
    /// `targetSize` of this moment.
    pub size: u32,
    /// Machines.
    pub tally: Tally,
    /// More machines that the quota leaves room for.
    pub quota: u32,
    /// The next creation may be tried then. In the past: at once.
    pub retry_at: SimTime,
}

/// Machines that are available: a machine that is not healthy any more still is.
pub const fn available(tally: &Tally) -> u32 {
    tally.old.passed() + tally.new.passed()
}

struct Look<'a> {
    params: &'a Params,
    seen: &'a Observed,
    room: Room,
    /// Machines of the target that are wanted.
    goal: u32,
}

/// Looks once.
pub fn reconcile(params: &Params, seen: &Observed) -> Plan {
    let goal = params.canary.map_or(seen.size, |share| canary(share, seen.size));
    let look = Look { params, seen, room: room(seen.size, params.surge, params.unavailable), goal };
    let found = look.trim().or_else(|| look.fill());
    found.unwrap_or_else(|| if look.updates() { look.update() } else { look.rest() })
}

impl Look<'_> {
    /// Old machines beyond those that a canary leaves.
    fn excess(&self) -> u32 {
        self.seen.tally.old.total().saturating_sub(self.seen.size - self.goal)
    }

    fn updates(&self) -> bool {
        self.params.proactive && self.params.may_replace && self.excess() > 0
    }

    /// Available machines above the floor.
    fn spare(&self) -> u32 {
        available(&self.seen.tally).saturating_sub(self.room.floor)
    }

    /// More than there may be: what serves nobody goes first, the old before the new (reading).
    fn trim(&self) -> Option<Plan> {
        let (seen, tally) = (self.seen, &self.seen.tally);
        let limit = if self.updates() { self.room.ceiling } else { seen.size };
        let counted = tally.counted();
        let extra = counted.saturating_sub(limit);
        let kinds = [
            (Pick::OldUnready, tally.old.unready()),
            (Pick::NewUnready, tally.new.unready()),
            (Pick::OldPassed, tally.old.passed().min(self.spare())),
            (Pick::NewPassed, tally.new.passed().min(self.spare())),
        ];
        let (pick, there) = kinds.into_iter().find(|(_, n)| *n > 0)?;
        let why = Why::Surplus { size: seen.size, counted };
        (extra > 0).then(|| Plan::act(Action::Delete { n: extra.min(there), pick, why }))
    }

    /// Fewer than the size: of the target as far as it goes, else of the template before.
    fn fill(&self) -> Option<Plan> {
        let (size, counted) = (self.seen.size, self.seen.tally.counted());
        let missing = size.saturating_sub(counted);
        let of_target = missing.min(self.goal.saturating_sub(self.seen.tally.new.total()));
        let (n, model) = if of_target > 0 { (of_target, Model::Target) } else { (missing, Model::Former) };
        (missing > 0).then(|| self.create(n, model, Why::Missing { size, counted }))
    }

    fn create(&self, n: u32, model: Model, why: Why) -> Plan {
        let (seen, by) = (self.seen, |by, until| Plan::wait(Hold::Blocked { by, until }, until));
        match () {
            () if seen.retry_at > seen.now => by(Blocked::Creation, seen.retry_at),
            () if seen.quota == 0 => by(Blocked::Quota, SimTime::NEVER),
            () => Plan::act(Action::Create { n: n.min(seen.quota), model, why }),
        }
    }

    fn update(&self) -> Plan {
        let tally = &self.seen.tally;
        let (available, floor) = (available(tally), self.room.floor);
        let unready = self.excess().min(tally.old.unready());
        let ready = self.excess().min(tally.old.passed()).min(self.spare());
        let down = match () {
            () if unready > 0 => Some((unready, Pick::OldUnready, Why::Unavailable { available, floor })),
            () if ready > 0 => Some((ready, Pick::OldPassed, Why::Spare { available, floor })),
            () => None,
        };
        let surge = (!self.params.recreate).then(|| self.surge()).flatten();
        match (surge, down) {
            (Some(plan), _) if !plan.actions.is_empty() => plan,
            (_, Some((n, pick, why))) if self.params.recreate => {
                Plan::act(Action::Rebuild { n, pick, model: Model::Target, why })
            }
            (_, Some((n, pick, why))) => Plan::act(Action::Delete { n, pick, why }),
            // What is on its way may become available: the better reason.
            (_, None) if tally.new.pending() + tally.old.rebuilding > 0 => self.waiting(),
            (Some(blocked), None) => blocked,
            (None, None) => Plan::wait(Hold::Blocked { by: Blocked::Floor, until: SimTime::NEVER }, SimTime::NEVER),
        }
    }

    /// New machines above the size.
    fn surge(&self) -> Option<Plan> {
        let (counted, ceiling) = (self.seen.tally.counted(), self.room.ceiling);
        let n = ceiling.saturating_sub(counted).min(self.goal.saturating_sub(self.seen.tally.new.total()));
        (n > 0).then(|| self.create(n, Model::Target, Why::Surge { counted, ceiling }))
    }

    fn waiting(&self) -> Plan {
        let (old, new) = (&self.seen.tally.old, &self.seen.tally.new);
        let hold = Hold::Waiting {
            creating: old.rebuilding + new.rebuilding + old.creating + new.creating,
            verifying: old.verifying + new.verifying,
            settling: old.settling + new.settling,
            available: available(&self.seen.tally),
            floor: self.room.floor,
        };
        Plan::wait(hold, SimTime::NEVER)
    }

    /// No update, or none that may touch what is old.
    fn rest(&self) -> Plan {
        let tally = &self.seen.tally;
        let (excess, never) = (self.excess(), SimTime::NEVER);
        match () {
            () if tally.old.pending() + tally.new.pending() > 0 => self.waiting(),
            () if excess > 0 && !self.params.proactive => Plan::wait(Hold::Opportunistic { old: excess }, never),
            () if excess > 0 => Plan::wait(Hold::Blocked { by: Blocked::NotAllowed, until: never }, never),
            () => Plan::wait(Hold::Stable { size: self.seen.size, new: tally.new.total() }, never),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::mig::params::Share::{self, Fixed};
    use crate::platform::vm::Of;

    fn params(surge: Share, unavailable: Share) -> Params {
        Params {
            surge,
            unavailable,
            proactive: true,
            recreate: false,
            may_replace: true,
            min_ready_ms: 0,
            autohealing: None,
            force_update_on_repair: false,
            canary: None,
        }
    }

    fn seen(old: Of, new: Of) -> Observed {
        let tally = Tally { old, new };
        Observed { now: SimTime::ZERO, size: 4, tally, quota: 100, retry_at: SimTime::ZERO }
    }

    fn up(n: u32) -> Of {
        Of { up: n, ..Of::default() }
    }

    fn creating(up: u32, creating: u32) -> Of {
        Of { up, creating, ..Of::default() }
    }

    fn action(params: &Params, seen: &Observed) -> Option<Action> {
        reconcile(params, seen).actions.first().copied()
    }

    fn hold(params: &Params, seen: &Observed) -> Option<Hold> {
        reconcile(params, seen).hold
    }

    const NONE: Of = Of { rebuilding: 0, creating: 0, verifying: 0, settling: 0, up: 0, down: 0 };

    #[test]
    fn one_above_comes_first_and_goes_when_it_is_available() {
        let params = params(Fixed(1), Fixed(0));
        let why = Why::Surge { counted: 4, ceiling: 5 };
        let create = Action::Create { n: 1, model: Model::Target, why };
        assert_eq!(action(&params, &seen(up(4), NONE)), Some(create));
        let waits = Hold::Waiting { creating: 1, verifying: 0, settling: 0, available: 4, floor: 4 };
        assert_eq!(hold(&params, &seen(up(4), creating(0, 1))), Some(waits));
        let delete = Action::Delete { n: 1, pick: Pick::OldPassed, why: Why::Spare { available: 5, floor: 4 } };
        assert_eq!(action(&params, &seen(up(4), up(1))), Some(delete));
        assert_eq!(action(&params, &seen(up(1), up(4))), Some(delete));
        assert_eq!(hold(&params, &seen(NONE, up(4))), Some(Hold::Stable { size: 4, new: 4 }));
    }

    #[test]
    fn one_below_goes_first_and_is_made_good_without_waiting() {
        let params = params(Fixed(0), Fixed(1));
        let delete = Action::Delete { n: 1, pick: Pick::OldPassed, why: Why::Spare { available: 4, floor: 3 } };
        assert_eq!(action(&params, &seen(up(4), NONE)), Some(delete));
        let why = Why::Missing { size: 4, counted: 3 };
        assert_eq!(action(&params, &seen(up(3), NONE)), Some(Action::Create { n: 1, model: Model::Target, why }));
    }

    #[test]
    fn recreate_keeps_the_place() {
        let params = Params { recreate: true, ..params(Fixed(0), Fixed(2)) };
        let why = Why::Spare { available: 4, floor: 2 };
        let rebuild = Action::Rebuild { n: 2, pick: Pick::OldPassed, model: Model::Target, why };
        assert_eq!(action(&params, &seen(up(4), NONE)), Some(rebuild));
        let rebuilding = Of { rebuilding: 2, ..NONE };
        assert!(matches!(hold(&params, &seen(up(2), rebuilding)), Some(Hold::Waiting { creating: 2, .. })));
    }

    #[test]
    fn an_old_machine_that_never_was_healthy_costs_nothing() {
        let params = params(Fixed(0), Fixed(1));
        let old = Of { up: 2, verifying: 2, ..NONE };
        let why = Why::Unavailable { available: 2, floor: 3 };
        assert_eq!(action(&params, &seen(old, NONE)), Some(Action::Delete { n: 2, pick: Pick::OldUnready, why }));
        // One that was healthy once is available.
        let old = Of { up: 2, down: 2, ..NONE };
        let why = Why::Spare { available: 4, floor: 3 };
        assert_eq!(action(&params, &seen(old, NONE)), Some(Action::Delete { n: 1, pick: Pick::OldPassed, why }));
    }

    #[test]
    fn what_holds_an_update() {
        let of = |params: &Params, seen: &Observed| hold(params, seen).expect("nothing to do");
        let plain = params(Fixed(1), Fixed(0));
        let opportunistic = Params { proactive: false, ..plain };
        assert_eq!(of(&opportunistic, &seen(up(4), NONE)), Hold::Opportunistic { old: 4 });
        let less = Params { may_replace: false, ..plain };
        let never = SimTime::NEVER;
        assert_eq!(of(&less, &seen(up(4), NONE)), Hold::Blocked { by: Blocked::NotAllowed, until: never });
        let full = Observed { quota: 0, ..seen(up(4), NONE) };
        assert_eq!(of(&plain, &full), Hold::Blocked { by: Blocked::Quota, until: never });
        let failing = Observed { retry_at: SimTime(9), ..seen(up(4), NONE) };
        assert_eq!(of(&plain, &failing), Hold::Blocked { by: Blocked::Creation, until: SimTime(9) });
        // With room below the size a full quota is no obstacle.
        let both = params(Fixed(1), Fixed(1));
        assert!(matches!(action(&both, &full), Some(Action::Delete { n: 1, .. })));
    }

    #[test]
    fn a_canary_leaves_the_rest() {
        let params = Params { canary: Some(Fixed(1)), ..params(Fixed(1), Fixed(0)) };
        assert!(matches!(action(&params, &seen(up(4), NONE)), Some(Action::Create { n: 1, .. })));
        assert!(matches!(action(&params, &seen(up(4), up(1))), Some(Action::Delete { n: 1, .. })));
        assert_eq!(hold(&params, &seen(up(3), up(1))), Some(Hold::Stable { size: 4, new: 1 }));
        // A machine that is lost there comes back as what it was.
        let why = Why::Missing { size: 4, counted: 3 };
        assert_eq!(action(&params, &seen(up(2), up(1))), Some(Action::Create { n: 1, model: Model::Former, why }));
    }

    #[test]
    fn scaling_in_the_middle() {
        let params = params(Fixed(1), Fixed(0));
        let of = |size, old, new| Observed { size, ..seen(old, new) };
        // 4 to 8: all that is missing is of the target.
        let why = Why::Missing { size: 8, counted: 5 };
        let more = action(&params, &of(8, up(3), creating(1, 1)));
        assert_eq!(more, Some(Action::Create { n: 3, model: Model::Target, why }));
        // 4 to 2: to the ceiling, what is not available first.
        let why = Why::Surplus { size: 2, counted: 5 };
        let less = action(&params, &of(2, up(3), creating(1, 1)));
        assert_eq!(less, Some(Action::Delete { n: 1, pick: Pick::NewUnready, why }));
        let nobody = action(&params, &of(0, up(3), NONE));
        assert!(matches!(nobody, Some(Action::Delete { n: 3, pick: Pick::OldPassed, .. })));
    }
}
