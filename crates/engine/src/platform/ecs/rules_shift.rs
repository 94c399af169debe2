//! The rules of blue/green, linear and canary deployments as pure functions.

use alloc::vec;
use alloc::vec::Vec;

use super::strategy::{ShiftStep, WHOLE};
use crate::frame::Limits;
use crate::sim::service_deployment::Stage;
use crate::time::{DAY, MINUTE};

/// Longest time in one stage, and in one production step; then the deployment fails and rolls back.
/// Source: Developer Guide, blue-green-deployment-how-it-works.
pub const STAGE_LIMIT_MS: u64 = DAY;
/// The two traffic shifts take so much longer with a Network Load Balancer.
/// Source: Developer Guide, deployment-type-blue-green ("about 10 minutes").
pub const NLB_EXTRA_MS: u64 = 10 * MINUTE;
/// `stepPercent` of LINEAR in tenths of a percent when it is not given. Source: API `LinearConfiguration`.
pub const LINEAR_STEP: u16 = 100;
/// `stepBakeTimeInMinutes` when it is not given.
pub const LINEAR_WAIT_MINUTES: u64 = 6;
/// `canaryPercent` in tenths of a percent when it is not given. Source: API `CanaryConfiguration`.
pub const CANARY_STEP: u16 = 50;
/// `canaryBakeTimeInMinutes` when it is not given.
pub const CANARY_WAIT_MINUTES: u64 = 10;

/// One shift: everything at once.
pub fn blue_green() -> Vec<ShiftStep> {
    vec![ShiftStep { green: WHOLE, wait_ms: 0 }]
}

/// Shifts of `step` tenths of a percent each, the last one smaller where it does not divide; a wait
/// after every one but the last.
///
/// 33.3 % are four shifts: 33.3, 66.6, 99.9 and 100. Source: Developer Guide, deployment-type-linear.
pub fn linear(step: u16, wait_ms: u64) -> Vec<ShiftStep> {
    let step = step.max(1);
    let shifts = WHOLE.div_ceil(step);
    let shift = |k: u16| {
        let green = k.saturating_mul(step).min(WHOLE);
        ShiftStep { green, wait_ms: if green == WHOLE { 0 } else { wait_ms } }
    };
    (1..=shifts).map(shift).collect()
}

/// A first shift of `share` tenths of a percent, a wait, and the rest; 100 % is a single shift.
///
/// 5 % with 10 minutes: 5, then 100 after 10 minutes. Source: API `CanaryConfiguration`.
pub fn canary(share: u16, wait_ms: u64) -> Vec<ShiftStep> {
    if share >= WHOLE {
        return blue_green();
    }
    vec![ShiftStep { green: share, wait_ms }, ShiftStep { green: WHOLE, wait_ms: 0 }]
}

/// Time that passes only with waiting: after the shifts, and the bake time.
///
/// LINEAR 20 % with 10 minutes and a bake time of 15: 4 × 10 + 15 = 55 minutes.
pub fn waiting_ms(steps: &[ShiftStep], bake_ms: u64) -> u64 {
    steps.iter().map(|step| step.wait_ms).sum::<u64>() + bake_ms
}

/// What stands in for floor and ceiling while traffic is shifted: the old revision keeps what is
/// wanted, and the new one comes in full beside it. The two percentages play no part.
///
/// 4 tasks: 4 and 8. Source: Developer Guide, deployment-type-blue-green.
pub const fn limits(desired: u32) -> Limits {
    Limits { desired, floor: desired, ceiling: desired.saturating_mul(2) }
}

/// What a rollback passes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Back {
    /// Test traffic had been shifted.
    pub tested: bool,
    /// Production traffic had been shifted.
    pub shifted: bool,
}

/// What decides whether a stage ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Leave {
    /// Every hook of the stage has ended, and none of them asks for a rollback.
    pub hooks_done: bool,
    /// What the stage itself waits for has come: tasks healthy, a wait over, tasks gone.
    pub ready: bool,
    /// Shifts of the production traffic that are still to come.
    pub shifts_left: u32,
    /// It is a rollback.
    pub back: Option<Back>,
}

/// The stage that follows, once the present one may end; CLEAN_UP is the last one.
///
/// PRE_PRODUCTION_TRAFFIC_SHIFT and PRODUCTION_TRAFFIC_SHIFT come once a shift. A rollback passes the
/// traffic shifts again that had been reached, and then cleans up.
/// Source: Developer Guide, blue-green-deployment-how-it-works, lambda-lifecycle-hooks.
pub fn next_stage(stage: Stage, leave: &Leave) -> Option<Stage> {
    if !leave.hooks_done || !leave.ready {
        return None;
    }
    if let Some(back) = leave.back {
        return match stage {
            Stage::ScaleUp => Some(first_back(back)),
            Stage::TestTrafficShift if back.shifted => Some(Stage::ProductionTrafficShift),
            Stage::TestTrafficShift | Stage::ProductionTrafficShift => Some(Stage::CleanUp),
            _ => None,
        };
    }
    Some(match stage {
        Stage::ReconcileService => Stage::PreScaleUp,
        Stage::PreScaleUp => Stage::ScaleUp,
        Stage::ScaleUp => Stage::PostScaleUp,
        Stage::PostScaleUp => Stage::TestTrafficShift,
        Stage::TestTrafficShift => Stage::PostTestTrafficShift,
        Stage::PostTestTrafficShift => Stage::PreProductionTrafficShift,
        Stage::PreProductionTrafficShift => Stage::ProductionTrafficShift,
        Stage::ProductionTrafficShift if leave.shifts_left > 0 => Stage::PreProductionTrafficShift,
        Stage::ProductionTrafficShift => Stage::PostProductionTrafficShift,
        Stage::PostProductionTrafficShift => Stage::BakeTime,
        Stage::BakeTime => Stage::CleanUp,
        Stage::CleanUp => return None,
    })
}

/// The first stage of a rollback whose old revision is whole.
pub const fn first_back(back: Back) -> Stage {
    match back {
        Back { tested: true, .. } => Stage::TestTrafficShift,
        Back { shifted: true, .. } => Stage::ProductionTrafficShift,
        Back { .. } => Stage::CleanUp,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTES: u64 = MINUTE;

    /// `stepPercent` in tenths, `stepBakeTimeInMinutes`, bake time, shifts, minutes of waiting
    /// (reference vectors T01 to T08).
    const LINEAR: &[(u16, u64, u64, usize, u64)] = &[
        (100, 6, 5, 10, 59),
        (200, 10, 15, 5, 55),
        (110, 5, 0, 10, 45),
        (30, 1, 0, 34, 33),
        (333, 1, 0, 4, 3),
        (500, 5, 5, 2, 10),
        (1000, 6, 10, 1, 10),
        (300, 0, 0, 4, 0),
    ];

    #[test]
    fn linear_shifts() {
        for &(step, wait, bake, shifts, waiting) in LINEAR {
            let steps = linear(step, wait * MINUTES);
            assert_eq!(steps.len(), shifts, "{step}");
            assert_eq!(waiting_ms(&steps, bake * MINUTES), waiting * MINUTES, "{step}");
            let greens: Vec<u16> = steps.iter().map(|s| s.green).collect();
            assert!(greens.windows(2).all(|w| w[0] < w[1]) && greens.last() == Some(&WHOLE), "{step}");
        }
        let greens: Vec<u16> = linear(333, 0).iter().map(|s| s.green).collect();
        assert_eq!(greens, [333, 666, 999, 1000]);
    }

    #[test]
    fn canary_shifts() {
        let greens = |share| canary(share, MINUTES).iter().map(|s| (s.green, s.wait_ms)).collect::<Vec<_>>();
        assert_eq!(greens(50), [(50, MINUTES), (1000, 0)]);
        assert_eq!(greens(1), [(1, MINUTES), (1000, 0)]);
        assert_eq!(greens(1000), [(1000, 0)]);
    }

    #[test]
    fn stages_come_in_their_order() {
        let mut leave = Leave { hooks_done: true, ready: true, shifts_left: 2, back: None };
        let mut stage = Stage::ReconcileService;
        let mut passed = vec![stage];
        while let Some(next) = next_stage(stage, &leave) {
            leave.shifts_left -= u32::from(next == Stage::ProductionTrafficShift);
            passed.push(next);
            stage = next;
        }
        use Stage::*;
        assert_eq!(
            passed,
            [
                ReconcileService,
                PreScaleUp,
                ScaleUp,
                PostScaleUp,
                TestTrafficShift,
                PostTestTrafficShift,
                PreProductionTrafficShift,
                ProductionTrafficShift,
                PreProductionTrafficShift,
                ProductionTrafficShift,
                PostProductionTrafficShift,
                BakeTime,
                CleanUp
            ]
        );
        for held in [Leave { hooks_done: false, ..leave }, Leave { ready: false, ..leave }] {
            assert_eq!(next_stage(ScaleUp, &held), None);
        }
    }

    #[test]
    fn a_rollback_passes_the_shifts_that_were_reached() {
        let passed = |tested, shifted| {
            let back = Back { tested, shifted };
            let leave = Leave { hooks_done: true, ready: true, shifts_left: 0, back: Some(back) };
            core::iter::successors(Some(first_back(back)), |s| next_stage(*s, &leave)).collect::<Vec<_>>()
        };
        use Stage::*;
        assert_eq!(passed(true, true), [TestTrafficShift, ProductionTrafficShift, CleanUp]);
        assert_eq!(passed(true, false), [TestTrafficShift, CleanUp]);
        assert_eq!(passed(false, true), [ProductionTrafficShift, CleanUp]);
        assert_eq!(passed(false, false), [CleanUp]);
    }

    #[test]
    fn twice_the_tasks_are_the_ceiling() {
        assert_eq!(limits(4), Limits { desired: 4, floor: 4, ceiling: 8 });
        assert_eq!(limits(0), Limits { desired: 0, floor: 0, ceiling: 0 });
    }
}
