//! What each platform calls the things that all, or most, of them have.

use super::Platform;
use super::check::Check;

/// Lists of which a move writes the first item.
pub(super) const LISTS: [&str; 4] =
    ["/containers", "/targetGroups", "/service/template/spec/containers", "/service/autoHealingPolicies"];

/// JSON pointers by what they mean; absent where the platform has no such field.
pub(super) struct Shape {
    pub platform: Platform,
    /// A name for people.
    pub name: Option<&'static str>,
    /// How many are wanted.
    pub desired: &'static str,
    /// What may be missing during a rollout.
    pub down: &'static str,
    /// What may run beyond.
    pub up: Option<&'static str>,
    /// Time to stop by oneself, in seconds.
    pub stop: Option<&'static str>,
    /// Time for open requests before the stop, in seconds.
    pub drain: Option<&'static str>,
    /// How long a new one has to be fine before it counts, in seconds.
    pub ready: Option<&'static str>,
    /// How long failed checks are not acted on after a start, in seconds.
    pub grace: Option<&'static str>,
    /// The check that decides whether one is healthy.
    pub check: Check,
}

const STOP_OF_PODS: &str = "/service/template/spec/terminationGracePeriodSeconds";
const DRAIN_OF_TARGETS: &str = "/targetGroups/0/deregistration_delay.timeout_seconds";

/// The shape of a platform's documents.
pub(super) const fn of(platform: Platform) -> Shape {
    let pods = Shape {
        platform,
        name: None,
        desired: "/service/replicas",
        down: "/service/updateStrategy/rollingUpdate/maxUnavailable",
        up: Some("/service/updateStrategy/rollingUpdate/maxSurge"),
        stop: Some(STOP_OF_PODS),
        drain: None,
        ready: Some("/service/minReadySeconds"),
        grace: None,
        check: Check::READINESS,
    };
    match platform {
        Platform::Ecs => Shape {
            name: Some("/service/serviceName"),
            desired: "/service/desiredCount",
            down: "/service/deploymentConfiguration/minimumHealthyPercent",
            up: Some("/service/deploymentConfiguration/maximumPercent"),
            stop: Some("/containers/0/stopTimeout"),
            drain: Some(DRAIN_OF_TARGETS),
            ready: None,
            grace: Some("/service/healthCheckGracePeriodSeconds"),
            check: Check::TARGETS,
            ..pods
        },
        Platform::Kubernetes => Shape {
            down: "/service/strategy/rollingUpdate/maxUnavailable",
            up: Some("/service/strategy/rollingUpdate/maxSurge"),
            ..pods
        },
        Platform::StatefulSet => Shape { up: None, ..pods },
        Platform::DaemonSet => Shape { desired: "/nodes", ..pods },
        Platform::InstanceRefresh => Shape {
            name: Some("/service/AutoScalingGroupName"),
            desired: "/service/DesiredCapacity",
            down: "/service/Preferences/MinHealthyPercentage",
            up: Some("/service/Preferences/MaxHealthyPercentage"),
            stop: None,
            drain: Some(DRAIN_OF_TARGETS),
            ready: Some("/service/Preferences/InstanceWarmup"),
            grace: Some("/service/HealthCheckGracePeriod"),
            check: Check::TARGETS,
            ..pods
        },
        Platform::Mig => Shape {
            name: Some("/service/name"),
            desired: "/service/targetSize",
            down: "/service/updatePolicy/maxUnavailable/fixed",
            up: Some("/service/updatePolicy/maxSurge/fixed"),
            stop: None,
            drain: Some("/service/connectionDraining/drainingTimeoutSec"),
            ready: Some("/service/updatePolicy/minReadySec"),
            grace: Some("/service/autoHealingPolicies/0/initialDelaySec"),
            check: Check::GOOGLE,
            ..pods
        },
        Platform::Vmss => Shape {
            name: Some("/service/name"),
            desired: "/service/sku/capacity",
            down: "/service/upgradePolicy/rollingUpgradePolicy/maxBatchInstancePercent",
            up: Some("/service/upgradePolicy/rollingUpgradePolicy/maxSurge"),
            stop: None,
            drain: None,
            ready: None,
            grace: Some("/service/applicationHealth/gracePeriod"),
            check: Check::AZURE,
            ..pods
        },
    }
}
