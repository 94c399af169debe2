//! Plain settings to start from.

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::{Params, Readings, Strategy};
use rollscope_engine::settings::{
    Behaviour, Capacity, Distribution, EVENT_BUDGET_NATIVE, Quotas, Revision, RolloutState, SCHEMA_CHECK_MS, Settings,
    Start, StartDeployment, TargetGroup, Timing,
};

/// One second in milliseconds.
pub const S: u64 = 1_000;

/// Always so many seconds.
pub fn seconds(s: u64) -> Distribution {
    Distribution::Constant(s * S)
}

/// Between so many seconds.
pub fn uniform(min: u64, max: u64) -> Distribution {
    Distribution::Uniform { min: min * S, max: max * S }
}

/// A target group with the defaults of Elastic Load Balancing.
pub fn target_group() -> TargetGroup {
    TargetGroup {
        interval_ms: 30 * S,
        timeout_ms: 6 * S,
        healthy_threshold: 5,
        unhealthy_threshold: 2,
        deregistration_delay_ms: 300 * S,
        new_target_passes: 1,
    }
}

/// A steady service of revision 7 whose deployment of revision 8 starts at 0: default timing, no
/// checks, no quotas.
pub fn settings(desired: u32, minimum: u32, maximum: u32) -> Settings {
    Settings {
        platform: PlatformSettings::Ecs(Params {
            desired,
            minimum_healthy_percent: minimum,
            maximum_percent: maximum,
            grace_ms: 0,
            breaker: None,
            alarms: None,
            early_success: None,
            readings: Readings::default(),
        }),
        strategy: Strategy::Rolling,
        traffic: None,
        scaling: None,
        containers: vec![],
        target_groups: vec![],
        stop_timeout_ms: 30 * S,
        timing: Timing {
            provisioning: seconds(5),
            pull: seconds(10),
            start_up: seconds(15),
            first_check: None,
            open_request: seconds(30),
            exit_after_sigterm: seconds(2),
            healthy_after: None,
            gone_after: None,
        },
        revisions: [7, 8].map(|number| Revision::new(number, Behaviour::default())).to_vec(),
        capacity: Capacity::Unlimited,
        rebalancing: false,
        alarms: vec![],
        schema: vec![],
        schema_check_ms: SCHEMA_CHECK_MS,
        start: Start {
            deployments: vec![StartDeployment {
                revision: 7,
                state: RolloutState::Completed,
                failed_tasks: 0,
                healthy: desired,
                protected: 0,
                running: 0,
                pending: 0,
                unhealthy: 0,
                stopping: 0,
            }],
            deploy: Some(8),
        },
        acts: vec![],
        fargate: false,
        exit_codes: vec![],
        quotas: Quotas::None,
        seed: 1,
        until: None,
        event_budget: EVENT_BUDGET_NATIVE,
    }
}
