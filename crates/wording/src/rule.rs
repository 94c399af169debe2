//! Where a decision or a figure comes from: the rule's name and its source.

use rollscope_engine::trace::Reason;

/// A rule in a few words, with the page of the documentation that states it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWords {
    /// "Ceiling: desired count × maximum, rounded down"
    pub name: String,
    /// Title of the page.
    pub source_title: &'static str,
    /// Its address.
    pub url: &'static str,
}

/// A rule of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RuleKind {
    /// A deployment begins.
    Deploy,
    /// New tasks start inside the ceiling.
    Ceiling,
    /// Tasks stop above the floor.
    Floor,
    /// Both limits at once.
    BothLimits,
    /// Lost source tasks are made good.
    SourceRepair,
    /// Source tasks that nobody waits for stop.
    NotNeeded,
    /// Never-healthy tasks stop together.
    NeverHealthy,
    /// A replacement starts before the unhealthy task stops.
    ReplacementFirst,
    /// Tasks beyond the desired count stop.
    Surplus,
    /// All are healthy and nothing old is left.
    Completion,
    /// What counts as healthy.
    Healthy,
    /// What counts as healthy where no check looks.
    Unchecked,
    /// Stopping tasks count until they are STOPPED.
    StoppingCounts,
    /// Tasks find room.
    Places,
    /// Launches a minute.
    Quota,
    /// The pause after failed starts.
    Throttle,
    /// Start, wait, stop, wait.
    Lockstep,
    /// A FAILED deployment launches nothing.
    Failed,
    /// Failures reach the threshold.
    Breaker,
    /// The last COMPLETED deployment is rolled out again.
    Rollback,
    /// An alarm fails the deployment; the bake time.
    Alarms,
    /// Success before all new tasks are there.
    EarlySuccess,
    /// Tasks under scale-in protection stay.
    Protected,
    /// Tasks leave an instance that is being drained.
    InstanceDrain,
    /// Zones are evened out in steady state.
    Rebalance,
    /// Image digests are resolved.
    Digests,
    /// Two full sets of tasks, and the stages one after the other.
    Stages,
    /// Production traffic moves by weights.
    TrafficShift,
    /// Hooks hold a stage.
    Hooks,
}

impl RuleKind {
    /// The rule behind a decision, also the one to do nothing.
    pub const fn of(reason: &Reason) -> RuleKind {
        match reason {
            Reason::DeploymentBegins { .. } => RuleKind::Deploy,
            Reason::RoomToStart { .. } => RuleKind::Ceiling,
            Reason::SourceNeeded { .. } => RuleKind::SourceRepair,
            Reason::SpareToStop { .. } => RuleKind::Floor,
            Reason::NotNeeded { .. } => RuleKind::NotNeeded,
            Reason::NeverHealthy { .. } => RuleKind::NeverHealthy,
            Reason::ReplacementFirst { .. }
            | Reason::NoRoomStopFirst { .. }
            | Reason::OlderStops { .. }
            | Reason::ReplacementHealthy { .. } => RuleKind::ReplacementFirst,
            Reason::Surplus { .. } => RuleKind::Surplus,
            Reason::Completed { .. } | Reason::Steady { .. } => RuleKind::Completion,
            Reason::CannotMove { .. } | Reason::BothLimits { .. } => RuleKind::BothLimits,
            Reason::WaitHealthy { .. } => RuleKind::Healthy,
            Reason::WaitGone { .. } => RuleKind::StoppingCounts,
            Reason::StartsInRoom { .. }
            | Reason::NoPlaces { .. }
            | Reason::NoRoom { .. }
            | Reason::WaitInstances { .. }
            | Reason::NoCapacity { .. } => RuleKind::Places,
            Reason::InstanceDrains { .. } => RuleKind::InstanceDrain,
            Reason::Rebalances { .. } => RuleKind::Rebalance,
            Reason::Quota { .. } => RuleKind::Quota,
            Reason::Throttled { .. } => RuleKind::Throttle,
            Reason::Lockstep { .. } => RuleKind::Lockstep,
            Reason::DeploymentFailed { .. } | Reason::NoRollback { .. } => RuleKind::Failed,
            Reason::BreakerTripped { .. } => RuleKind::Breaker,
            Reason::RollsBack { .. } | Reason::NoCandidate { .. } => RuleKind::Rollback,
            Reason::AlarmFired { .. } | Reason::Baking { .. } => RuleKind::Alarms,
            Reason::EarlySuccess { .. } | Reason::GateLost { .. } | Reason::HoldsSource { .. } => {
                RuleKind::EarlySuccess
            }
            Reason::Protected { .. } | Reason::LeftForGood { .. } => RuleKind::Protected,
            Reason::DigestsFailed { .. } | Reason::WithoutDigests { .. } | Reason::ResolvesDigests { .. } => {
                RuleKind::Digests
            }
            Reason::GreenStarts { .. }
            | Reason::SideRepaired { .. }
            | Reason::CleanUp { .. }
            | Reason::Reconcile { .. }
            | Reason::StageLimit { .. }
            | Reason::GreenLacks { .. }
            | Reason::ShiftCompleted { .. } => RuleKind::Stages,
            Reason::TrafficShifts { .. }
            | Reason::TrafficBack { .. }
            | Reason::StepWaits { .. }
            | Reason::ShiftTakes { .. } => RuleKind::TrafficShift,
            Reason::HookWaits { .. } | Reason::HookFailed { .. } => RuleKind::Hooks,
        }
    }

    /// Title and address of the page that states it.
    pub const fn source(self) -> (&'static str, &'static str) {
        const fn page(title: &'static str, url: &'static str) -> (&'static str, &'static str) {
            (title, url)
        }
        const ROLLING: (&str, &str) = page(
            "Developer Guide: rolling deployments",
            "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-type-ecs.html",
        );
        match self {
            RuleKind::Deploy => page(
                "Developer Guide: service deployments",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-deployment.html",
            ),
            RuleKind::Ceiling | RuleKind::Floor | RuleKind::BothLimits | RuleKind::Healthy | RuleKind::Unchecked => {
                page(
                    "API: DeploymentConfiguration",
                    "https://docs.aws.amazon.com/AmazonECS/latest/APIReference/API_DeploymentConfiguration.html",
                )
            }
            RuleKind::Alarms => page(
                "Developer Guide: deployment alarms",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-alarm-failure.html",
            ),
            RuleKind::Protected => page(
                "Developer Guide: task scale-in protection",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/task-scale-in-protection.html",
            ),
            RuleKind::Completion | RuleKind::EarlySuccess => page(
                "Developer Guide: early success criteria",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/early-success-criteria.html",
            ),
            RuleKind::Rebalance => page(
                "Developer Guide: service rebalancing",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-rebalancing.html",
            ),
            RuleKind::StoppingCounts | RuleKind::InstanceDrain => page(
                "Developer Guide: container instance draining",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/container-instance-draining.html",
            ),
            RuleKind::Places => page(
                "Developer Guide: service event messages",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-event-messages-list.html",
            ),
            RuleKind::Quota => page(
                "Developer Guide: service quotas",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-quotas.html",
            ),
            RuleKind::Throttle => page(
                "Developer Guide: service throttle logic",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/service-throttle-logic.html",
            ),
            RuleKind::Failed | RuleKind::Breaker | RuleKind::Rollback => page(
                "Developer Guide: deployment circuit breaker",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-circuit-breaker.html",
            ),
            RuleKind::Stages => page(
                "Developer Guide: how blue/green deployments work",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/blue-green-deployment-how-it-works.html",
            ),
            RuleKind::TrafficShift => page(
                "Developer Guide: service deployments, all of the strategies that shift traffic",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/ecs_service-options.html",
            ),
            RuleKind::Hooks => page(
                "Developer Guide: deployment lifecycle hooks",
                "https://docs.aws.amazon.com/AmazonECS/latest/developerguide/deployment-lifecycle-hooks.html",
            ),
            RuleKind::SourceRepair
            | RuleKind::NotNeeded
            | RuleKind::NeverHealthy
            | RuleKind::ReplacementFirst
            | RuleKind::Surplus
            | RuleKind::Lockstep
            | RuleKind::Digests => ROLLING,
        }
    }
}
