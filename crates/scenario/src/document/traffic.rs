//! Requests to the service over time, and target tracking on them.

use alloc::vec::Vec;

use super::field::record;
use crate::duration::Span;

record! {
    /// Requests to the service.
    record TrafficDoc {
        /// Requests a second from the start on: 0 to 1,000,000. Default 0.
        per_second: Option<i64> = "requests_per_second",
        /// Other rates later on.
        steps: Option<Vec<RateStep>> = "steps",
        /// Requests a second that one task can answer: 1 to 1,000,000. Default: any number.
        per_task: Option<i64> = "per_task",
        /// A load balancer without a healthy target uses every registered one. Default true.
        fail_open: Option<bool> = "fail_open",
    }
}

record! {
    /// Another rate from a moment on.
    record RateStep {
        /// When. Required.
        at: Option<Span> = "at",
        /// Requests a second, 0 to 1,000,000. Required.
        per_second: Option<i64> = "requests_per_second",
    }
}

record! {
    /// Application Auto Scaling of the service: target tracking with `ALBRequestCountPerTarget`.
    record Autoscaling {
        /// Fewest tasks: 0 to 20,000. Required.
        min: Option<i64> = "minCapacity",
        /// Most tasks, at least `minCapacity`. Required.
        max: Option<i64> = "maxCapacity",
        /// Requests a minute and target: 1 to 100,000,000. Required.
        target: Option<i64> = "targetValue",
        /// Seconds after a change until it scales out: 0 to 86,400. Default 300.
        out_cooldown: Option<i64> = "scaleOutCooldown",
        /// Seconds after a change until it scales in: 0 to 86,400. Default 300.
        in_cooldown: Option<i64> = "scaleInCooldown",
    }
}
