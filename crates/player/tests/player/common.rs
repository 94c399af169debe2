//! Settings and dice for the player's tests.

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::Strategy;
use rollscope_engine::platform::ecs::{
    ALARM_DELAY_MS, AlarmWatch, Breaker, Cleanup, EarlySuccess, Params, Readings, Threshold,
};
use rollscope_engine::settings::*;
use rollscope_engine::{SimTime, Simulation};

/// Deterministic dice (SplitMix64).
pub struct Dice(pub u64);

impl Dice {
    /// A number from 0 to `n - 1`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

/// `desired` healthy tasks of revision 7, a deployment of revision 8, behind a load balancer.
pub fn settings(desired: u32, minimum: u32, maximum: u32) -> Settings {
    let params = Params {
        desired,
        minimum_healthy_percent: minimum,
        maximum_percent: maximum,
        grace_ms: 0,
        breaker: None,
        alarms: None,
        early_success: None,
        readings: Readings::default(),
    };
    let old = StartDeployment {
        revision: 7,
        state: RolloutState::Completed,
        failed_tasks: 0,
        healthy: desired,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    };
    Settings {
        platform: PlatformSettings::Ecs(params),
        strategy: Strategy::Rolling,
        traffic: None,
        scaling: None,
        containers: Vec::new(),
        target_groups: vec![TargetGroup {
            interval_ms: 10_000,
            timeout_ms: 5_000,
            healthy_threshold: 5,
            unhealthy_threshold: 2,
            deregistration_delay_ms: 30_000,
            new_target_passes: 1,
        }],
        stop_timeout_ms: 30_000,
        timing: Timing {
            provisioning: Distribution::Constant(5_000),
            pull: Distribution::Uniform { min: 5_000, max: 15_000 },
            start_up: Distribution::Triangular { min: 5_000, mode: 10_000, max: 40_000 },
            first_check: None,
            open_request: Distribution::Uniform { min: 1_000, max: 40_000 },
            exit_after_sigterm: Distribution::Constant(2_000),
            healthy_after: None,
            gone_after: None,
        },
        revisions: vec![Revision::new(7, Behaviour::default()), Revision::new(8, Behaviour::default())],
        capacity: Capacity::Unlimited,
        rebalancing: false,
        alarms: Vec::new(),
        schema: Vec::new(),
        schema_check_ms: SCHEMA_CHECK_MS,
        start: Start { deployments: vec![old], deploy: Some(8) },
        acts: Vec::new(),
        fargate: false,
        exit_codes: vec![],
        quotas: Quotas::None,
        seed: 1,
        until: Some(SimTime(1_800_000)),
        event_budget: 100_000,
    }
}

/// Settings with everything that can vary, varied.
pub fn random(dice: &mut Dice) -> Settings {
    let desired = 1 + dice.below(12) as u32;
    let mut s = settings(desired, dice.below(101) as u32, 100 + 10 * dice.below(15) as u32);
    s.seed = dice.below(1 << 30);
    let fates = [
        Fate::Healthy,
        Fate::NeverRunning { after: None },
        Fate::NeverPasses,
        Fate::Hangs,
        Fate::ExitsAfter(1 + dice.below(90_000)),
        Fate::TurnsUnhealthyAfter(dice.below(200_000)),
    ];
    let fate = fates[dice.below(6) as usize].clone();
    s.revisions[1].behaviour.fate = match dice.below(3) {
        0 => Fate::Healthy,
        1 => Fate::Ratio { hits: 1, of: 4, fate: Box::new(fate) },
        _ => fate,
    };
    if dice.below(2) == 0 {
        guard(dice, &mut s);
    }
    for _ in 0..dice.below(4) {
        let at = SimTime(dice.below(600_000));
        s.acts.push(Act { at, command: command(dice) });
    }
    s.acts.sort_by_key(|act| act.at);
    if dice.below(3) == 0 {
        let places = desired + dice.below(5) as u32;
        s.capacity = Capacity::Places(vec![PlacesStep { at: SimTime::ZERO, places }]);
    }
    s
}

/// Breaker, alarms and early success.
fn guard(dice: &mut Dice, s: &mut Settings) {
    let params = s.platform.ecs_mut().expect("an ECS service");
    let threshold = Threshold::Count(1 + dice.below(4) as u32);
    params.breaker = Some(Breaker { rollback: true, reset_on_healthy_task: dice.below(2) == 0, threshold });
    let alarm_delay_ms = ALARM_DELAY_MS;
    params.alarms = (dice.below(2) == 0).then_some(AlarmWatch { rollback: true, bake_ms: None, alarm_delay_ms });
    let early = EarlySuccess { healthy_percent: 60, cleanup: Cleanup::Deferred };
    params.early_success = (dice.below(2) == 0).then_some(early);
    let derived = Some(BadResponses { over: (1, 100), for_ms: 60_000 });
    s.alarms = vec![Alarm { name: "errors".into(), at_start: AlarmState::Ok, changes: Vec::new(), derived }];
    s.revisions[1].behaviour.bad_responses = (dice.below(2) == 0).then_some((1, 20));
}

/// An act.
pub fn command(dice: &mut Dice) -> Command {
    let name = TaskName { revision: 7 + dice.below(2) as u32, start: 1 + dice.below(8) as u32 };
    match dice.below(7) {
        5 => Command::Protect { task: name, for_ms: Some(60_000 * (1 + dice.below(10))) },
        6 => Command::StopDeployment,
        0 => Command::Kill(name),
        1 => Command::StopTask(name),
        2 => Command::SetDesired(dice.below(14) as u32),
        3 => Command::SetPercentages { minimum: Some(dice.below(101) as u32), maximum: Some(200) },
        _ => Command::Deploy { revision: 9, behaviour: None },
    }
}

/// The hash at `t` of a run that goes there from zero in one go.
pub fn from_zero(settings: &Settings, t: SimTime) -> u64 {
    let mut sim = Simulation::new(settings.clone());
    sim.advance_to(t, &mut rollscope_engine::Trace::null());
    sim.state_hash()
}
