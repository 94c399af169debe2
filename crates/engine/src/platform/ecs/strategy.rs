//! How a deployment goes: rolling, or by shifting traffic between two full sets of tasks.

use alloc::vec::Vec;

use crate::sim::service_deployment::Stage;

/// All of the traffic, in thousandths. Weights of percentages in tenths are exact in them.
pub const WHOLE: u16 = 1_000;

/// `deploymentConfiguration.strategy`. Default `ROLLING`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub enum Strategy {
    /// `ROLLING`: floor and ceiling, a few tasks at a time.
    #[default]
    Rolling,
    /// `BLUE_GREEN`, `LINEAR` or `CANARY`: a second set of tasks, and traffic that moves to it.
    Shift(Shift),
}

impl Strategy {
    /// The shift, unless it is a rolling update.
    pub const fn shift(&self) -> Option<&Shift> {
        match self {
            Strategy::Rolling => None,
            Strategy::Shift(shift) => Some(shift),
        }
    }
}

/// Which of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ShiftKind {
    /// `BLUE_GREEN`: all at once.
    BlueGreen,
    /// `LINEAR`: in equal steps.
    Linear,
    /// `CANARY`: a small share first, then the rest.
    Canary,
}

impl ShiftKind {
    /// As the API writes it.
    pub const fn name(self) -> &'static str {
        match self {
            ShiftKind::BlueGreen => "BLUE_GREEN",
            ShiftKind::Linear => "LINEAR",
            ShiftKind::Canary => "CANARY",
        }
    }
}

/// A deployment that shifts traffic. Source: API `DeploymentConfiguration`; Developer Guide,
/// blue-green-deployment-how-it-works.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Shift {
    /// Which of the three.
    pub kind: ShiftKind,
    /// Weights of the new revision, one entry a shift, ascending; the last one is [`WHOLE`].
    pub steps: Vec<ShiftStep>,
    /// `bakeTimeInMinutes` in milliseconds, 0 to 1440 minutes: the old revision keeps its tasks for
    /// so long after the last shift.
    pub bake_ms: u64,
    /// There is a listener (or a Service Connect rule) for test traffic.
    pub test_listener: bool,
    /// A load balancer or Service Connect moves the traffic; false for a service without either.
    pub steered: bool,
    /// So much longer do the two traffic shifts take: about 10 minutes with a Network Load Balancer,
    /// else 0. Source: Developer Guide, deployment-type-blue-green.
    pub extra_ms: u64,
    /// `lifecycleHooks`, at most ten of each kind.
    pub hooks: Vec<Hook>,
}

/// One shift of the production traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ShiftStep {
    /// Weight of the new revision from here on, in thousandths.
    pub green: u16,
    /// `stepBakeTimeInMinutes` or `canaryBakeTimeInMinutes` in milliseconds; 0 after the last one.
    pub wait_ms: u64,
}

/// A lifecycle hook and how it answers. Source: API `DeploymentLifecycleHook`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Hook {
    /// `targetType`. Default `AWS_LAMBDA`.
    pub kind: HookKind,
    /// `lifecycleStages`, at least one.
    pub stages: Vec<Stage>,
    /// `timeoutInMinutes` in milliseconds. Default 1440 minutes.
    pub timeout_ms: u64,
    /// `action`. Default `ROLLBACK`.
    pub on_timeout: HookAction,
    /// How a function answers: the first entry that fits. Without one it answers SUCCEEDED at once.
    pub answers: Vec<HookAnswers>,
}

/// `targetType` of a hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookKind {
    /// `AWS_LAMBDA`: a function that answers.
    Lambda,
    /// `PAUSE`: somebody has to call `ContinueServiceDeployment`.
    Pause,
}

/// `action` of a time-out and of `ContinueServiceDeployment`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookAction {
    /// `CONTINUE`
    Continue,
    /// `ROLLBACK`
    Rollback,
}

/// What a function answers in some of its runs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HookAnswers {
    /// Only at this stage; absent: at every one.
    pub stage: Option<Stage>,
    /// Only in the k-th run at its stage, from 1; absent: in every one.
    pub run: Option<u32>,
    /// Its answers, call by call; the last one is given again and again. Never empty.
    pub calls: Vec<HookAnswer>,
}

/// One answer of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HookAnswer {
    /// `hookStatus`
    pub status: HookReply,
    /// From the call to the answer. Default 0; 15 minutes at most, after which it has failed.
    pub after_ms: u64,
    /// `callBackDelay` in milliseconds. Default 30 s.
    pub call_back_ms: u64,
}

/// `hookStatus` of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HookReply {
    /// `SUCCEEDED`: go on.
    Succeeded,
    /// `FAILED`, or no valid answer: roll back.
    Failed,
    /// `IN_PROGRESS`: call again later.
    InProgress,
}
