//! What runs: containers and target groups, times in seconds, as ECS and ELB name them.

use alloc::string::String;
use alloc::vec::Vec;

use super::field::record;

record! {
    /// A container of the task definition.
    record Container {
        /// Name.
        name: Option<String> = "name",
        /// The task stops when it exits. Default true; at least one container is essential.
        essential: Option<bool> = "essential",
        /// Check run inside the container; absent: none.
        health_check: Option<ContainerHealthCheck> = "healthCheck",
        /// Seconds from SIGTERM to SIGKILL; Fargate 2 to 120. Default 30.
        stop_timeout: Option<i64> = "stopTimeout",
        /// Seconds to wait for containers it depends on; Fargate 2 to 120.
        start_timeout: Option<i64> = "startTimeout",
        /// Restart in place.
        restart_policy: Option<RestartPolicy> = "restartPolicy",
        /// `enabled` (default) or `disabled`.
        version_consistency: Option<String> = "versionConsistency",
    }
}

record! {
    /// `healthCheck` of a container.
    record ContainerHealthCheck {
        /// Starts with `CMD` or `CMD-SHELL`.
        command: Option<Vec<String>> = "command",
        /// Seconds between probes: 5 to 300. Default 30.
        interval: Option<i64> = "interval",
        /// Seconds until a probe has failed: 2 to 60. Default 5.
        timeout: Option<i64> = "timeout",
        /// Failures in a row: 1 to 10. Default 3.
        retries: Option<i64> = "retries",
        /// Seconds in which failures do not count: 0 to 300. Default 0.
        start_period: Option<i64> = "startPeriod",
    }
}

record! {
    /// `restartPolicy` of a container.
    record RestartPolicy {
        /// On or off.
        enabled: Option<bool> = "enabled",
        /// Exit codes that do not restart.
        ignored_exit_codes: Option<Vec<i64>> = "ignoredExitCodes",
        /// Seconds it must have run: 60 to 1800. Default 300.
        attempt_period: Option<i64> = "restartAttemptPeriod",
    }
}

record! {
    /// A target group; `{}` has all defaults.
    record TargetGroup {
        /// Name, only shown.
        name: Option<String> = "name",
        /// `HTTP` (default), `HTTPS`, `TCP`, `TLS`, `UDP`, `TCP_UDP` or `GENEVE`.
        protocol: Option<String> = "protocol",
        /// `HTTP`, `HTTPS` or `TCP`. Default: TCP for TCP, TLS, UDP and TCP_UDP, otherwise HTTP.
        check_protocol: Option<String> = "healthCheckProtocol",
        /// Seconds between checks: 5 to 300. Default 30.
        interval: Option<i64> = "healthCheckIntervalSeconds",
        /// Seconds until a check has failed: 2 to 120. Default 6 (HTTP) or 10 (TCP, TLS, HTTPS).
        timeout: Option<i64> = "healthCheckTimeoutSeconds",
        /// Passes in a row that recover an unhealthy target: 2 to 10. Default 5.
        healthy_threshold: Option<i64> = "healthyThresholdCount",
        /// Failures in a row that make a target unhealthy: 2 to 10. Default 2.
        unhealthy_threshold: Option<i64> = "unhealthyThresholdCount",
        /// Seconds of draining: 0 to 3600. Default 300.
        deregistration_delay: Option<i64> = "deregistration_delay.timeout_seconds",
        /// Seconds of slow start: 0 (off, default) or 30 to 900.
        slow_start: Option<i64> = "slow_start.duration_seconds",
    }
}
