//! Stopped tasks: what DescribeTasks still shows, and the event that a log keeps for longer.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{EXIT_CODE, TaskName};
use rollscope_engine::time::{DAY, MINUTE};
use rollscope_engine::trace::{DeploymentId, FailedCheck, StopCause, StopCode, TaskChange, What};
use rollscope_scenario::Value;

use super::texts::{Names, stamp, without_nulls};
use crate::names;
use crate::run::RunView;
use crate::watchdog;

/// A stopped task can be asked about for about an hour. Source: the guide's page on stopped tasks.
pub const VISIBLE_MS: u64 = 60 * MINUTE;
/// The log of the watchdog keeps its events for 30 days.
pub const LOG_MS: u64 = 30 * DAY;

/// A task that is STOPPED, with what its last event says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StoppedTask {
    /// `8·3`
    pub task: TaskName,
    /// Whose task it was.
    pub deployment: DeploymentId,
    /// When it was STOPPED.
    pub at: SimTime,
    /// `stopCode`
    pub code: StopCode,
    /// Who wanted it stopped; absent when it stopped by itself.
    pub cause: Option<StopCause>,
    /// It was RUNNING before.
    pub ran: bool,
    /// It was killed: it did not end in time after SIGTERM.
    pub killed: bool,
    /// Exit code of its container where it exits by itself.
    pub exits_with: u32,
    /// The check that found it unhealthy, if one did.
    pub check: Option<FailedCheck>,
}

impl StoppedTask {
    /// DescribeTasks still knows it.
    pub fn visible_at(&self, now: SimTime) -> bool {
        now >= self.at && now.since(self.at) < VISIBLE_MS
    }

    /// It differs from another one by its name only.
    pub fn is_like(&self, other: &StoppedTask) -> bool {
        StoppedTask { task: other.task, ..*self } == *other
    }

    /// Nobody wanted it to stop: it ended by itself, never started, or failed a check.
    pub fn is_abnormal(&self) -> bool {
        watchdog::keeps(self.code) || self.cause == Some(StopCause::Unhealthy)
    }

    /// `stoppedReason`. Source: the guide's list of stopped task error codes.
    pub fn reason(&self) -> String {
        let text = match (self.code, self.cause) {
            (StopCode::TaskFailedToStart, _) => "Task failed to start",
            (StopCode::EssentialContainerExited, _) => "Essential container in task exited",
            (StopCode::UserInitiated, _) => "Task stopped by user",
            (StopCode::SpotInterruption, _) => "Your Spot Task was interrupted.",
            (StopCode::InfrastructureHealth, _) => "Host EC2 terminated",
            (StopCode::ServiceSchedulerInitiated, Some(StopCause::Unhealthy)) => match self.check {
                Some(FailedCheck::Container) | None => "Task failed container health checks",
                Some(FailedCheck::Target | FailedCheck::Platform) => "Task failed ELB health checks in (target-group)",
            },
            (StopCode::ServiceSchedulerInitiated, _) => {
                return format!("Scaling activity initiated by (deployment {})", names::deployment(self.deployment));
            }
        };
        text.into()
    }

    /// Exit code of its container: its own when it exited by itself, 137 after SIGKILL, 0 after SIGTERM;
    /// absent when it never ran.
    pub fn exit_code(&self) -> Option<u32> {
        match (self.ran, self.code) {
            (false, _) => None,
            (true, StopCode::EssentialContainerExited) => Some(self.exits_with),
            (true, _) if self.killed => Some(137),
            (true, _) => Some(0),
        }
    }

    /// What DescribeTasks answers about it.
    pub fn describe(&self, names: &Names<'_>) -> Value {
        let container = without_nulls(Value::object([
            ("name", Value::from("app")),
            ("lastStatus", "STOPPED".into()),
            ("exitCode", self.exit_code().into()),
        ]));
        Value::object([
            ("taskArn", Value::from(names.task_arn(self.task))),
            ("clusterArn", names.cluster_arn().into()),
            ("group", format!("service:{}", names.service).into()),
            ("taskDefinitionArn", names.task_definition_arn(self.task.revision).into()),
            ("desiredStatus", "STOPPED".into()),
            ("lastStatus", "STOPPED".into()),
            ("stopCode", names::stop_code(self.code).into()),
            ("stoppedReason", self.reason().into()),
            ("stoppedAt", stamp(self.at)),
            ("containers", Value::array([container])),
        ])
    }

    /// Until when DescribeTasks knows it.
    pub fn visible_until(&self) -> SimTime {
        self.at + VISIBLE_MS
    }

    /// The event "ECS Task State Change" of its end.
    pub fn event(&self, names: &Names<'_>) -> Value {
        Value::object([
            ("detail-type", Value::from("ECS Task State Change")),
            ("source", "aws.ecs".into()),
            ("resources", Value::array([names.task_arn(self.task)])),
            ("detail", self.describe(names)),
        ])
    }
}

/// Every task that was STOPPED, in order.
pub fn stopped_tasks(run: RunView<'_>) -> Vec<StoppedTask> {
    #[derive(Clone, Copy)]
    struct Seen {
        ran: bool,
        killed: bool,
        cause: Option<StopCause>,
        check: Option<FailedCheck>,
        deployment: DeploymentId,
    }
    const UNSEEN: Seen = Seen { ran: false, killed: false, cause: None, check: None, deployment: DeploymentId(0) };
    let settings = run.end.settings();
    let first = if settings.containers.is_empty() { FailedCheck::Target } else { FailedCheck::Container };
    let mut seen: Vec<Seen> = Vec::new();
    let mut list = Vec::new();
    for record in run.records {
        let What::Task { task, change } = record.what else { continue };
        let id = task.id.0 as usize;
        if id >= seen.len() {
            seen.resize(id + 1, UNSEEN);
        }
        let known = &mut seen[id];
        match change {
            TaskChange::Created { deployment, .. } => known.deployment = deployment,
            TaskChange::Existing { deployment, state, .. } => {
                use rollscope_engine::frame::TaskState;
                known.deployment = deployment;
                known.ran = !matches!(state, TaskState::Waiting | TaskState::Starting);
                // It fails every check it has.
                known.check = (state == TaskState::Unhealthy).then_some(first);
            }
            TaskChange::Running => known.ran = true,
            TaskChange::Unhealthy(check) => known.check = Some(check),
            TaskChange::StopDecided(cause) => known.cause = Some(cause),
            TaskChange::Sigkill => known.killed = true,
            TaskChange::Stopped(code) => {
                let Seen { ran, killed, cause, check, deployment } = *known;
                let (task, at) = (task.name, record.at);
                let own = settings.exit_codes.iter().find(|(revision, _)| *revision == task.revision);
                let exits_with = own.map_or(EXIT_CODE, |(_, code)| *code);
                list.push(StoppedTask { task, deployment, at, code, cause, ran, killed, exits_with, check });
            }
            _ => {}
        }
    }
    list
}
