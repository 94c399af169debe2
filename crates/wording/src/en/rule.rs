//! Names of rules, in English.

use crate::rule::RuleKind;

pub(super) fn name(rule: RuleKind) -> &'static str {
    match rule {
        RuleKind::Deploy => "A new revision starts a deployment",
        RuleKind::Ceiling => "Ceiling: desired count × maximum, rounded down",
        RuleKind::Floor => "Floor: desired count × minimum, rounded up",
        RuleKind::BothLimits => "Both limits act at once",
        RuleKind::SourceRepair => "Old tasks that the floor still needs are started again, of their own revision",
        RuleKind::NotNeeded => "An old task that is not healthy and not needed stops",
        RuleKind::NeverHealthy => "New tasks that never were healthy stop together",
        RuleKind::ReplacementFirst => "A replacement starts first where there is room to start it",
        RuleKind::Surplus => "Tasks beyond the desired count stop",
        RuleKind::Completion => "Done when all new tasks are healthy and no old one is left",
        RuleKind::Unchecked => "Without any check a task is healthy after 40 seconds of RUNNING",
        RuleKind::Healthy => "Healthy is what every check says, not RUNNING alone",
        RuleKind::StoppingCounts => "A stopping task counts until it is STOPPED",
        RuleKind::Places => "A task without a place is tried again and again",
        RuleKind::Quota => "500 starts a minute for one service",
        RuleKind::Throttle => "After failed starts ECS waits longer each time",
        RuleKind::Lockstep => "Lockstep: start, wait, stop, wait",
        RuleKind::Failed => "A failed deployment launches nothing",
        RuleKind::Breaker => "The failure that reaches the threshold trips the circuit breaker",
        RuleKind::Rollback => "A rollback takes up the last COMPLETED deployment again",
        RuleKind::Alarms => "An alarm that fires before the end fails the deployment",
        RuleKind::EarlySuccess => "Early success: healthy percent of the desired count, rounded up",
        RuleKind::Protected => "A protected task is left alone by scale-in and deployments",
        RuleKind::InstanceDrain => "Draining an instance keeps to floor and ceiling",
        RuleKind::Rebalance => "In steady state a task moves to an emptier zone",
        RuleKind::Digests => "Three attempts to resolve the image digests",
        RuleKind::Stages => "Two full sets of tasks; the old one stays until CLEAN_UP",
        RuleKind::TrafficShift => "Production traffic moves by weights, step by step",
        RuleKind::Hooks => "A stage ends when all of its hooks have ended",
    }
}
