//! The trail of calls that people and Application Auto Scaling made (CloudTrail). Nothing in it tells an early success from a whole
//! one: it holds what was asked, not what came of it.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Command;
use rollscope_engine::trace::What;

use crate::run::RunView;

/// A call of the API.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// When.
    pub at: SimTime,
    /// `eventName`
    pub name: &'static str,
    /// `errorCode`, or the reason of a failure in the answer, when the service refused it.
    pub error: Option<&'static str>,
}

/// All calls of a run, oldest first. What the world does is none.
pub fn calls(run: RunView<'_>) -> Vec<Call> {
    let start = &run.end.settings().start;
    // The first deployment of all comes with the service itself.
    let name = if start.deployments.is_empty() { "CreateService" } else { "UpdateService" };
    let mut list: Vec<Call> = start.deploy.iter().map(|_| Call { at: SimTime::ZERO, name, error: None }).collect();
    for record in run.records {
        if let What::Scaled { .. } = record.what {
            // Application Auto Scaling calls the API like anybody else.
            list.push(Call { at: record.at, name: "UpdateService", error: None });
        }
        let What::Act { index, effective } = record.what else { continue };
        let Some(act) = run.end.acts().get(index as usize) else { continue };
        let (name, refusal) = match act.command {
            Command::StopTask(_) => ("StopTask", "InvalidParameterException"),
            Command::SetDesired(_)
            | Command::Schedule(_)
            | Command::SetPercentages { .. }
            | Command::Deploy { .. }
            | Command::Template { .. } => ("UpdateService", "InvalidParameterException"),
            Command::DrainInstance(_) => ("UpdateContainerInstancesState", "InvalidParameterException"),
            Command::StopDeployment => ("StopServiceDeployment", "ConflictException"),
            Command::ContinueDeployment { .. } => ("ContinueServiceDeployment", "InvalidParameterException"),
            Command::Protect { .. } => ("UpdateTaskProtection", "DEPLOYMENT_BLOCKED"),
            Command::Unprotect(_) => ("UpdateTaskProtection", "MISSING"),
            Command::Kill(_)
            | Command::Interrupt(_)
            | Command::SetFate { .. }
            | Command::SetAlarm { .. }
            | Command::SetSchema(_)
            | Command::Rollout(_)
            | Command::Refresh(_)
            | Command::Group(_)
            | Command::AddInstances { .. }
            | Command::LoseInstance(_)
            | Command::ReclaimInstance(_)
            | Command::LoseZone(_) => continue,
        };
        list.push(Call { at: record.at, name, error: (!effective).then_some(refusal) });
    }
    list
}
