//! What a service deployment goes on showing once it is over: the percentages and the weights of the moment of
//! its end. Its task counts, its status and its monitors are frozen in its own record.
//!
//! Source: Developer Guide, early-success-criteria (DescribeServiceDeployments is a snapshot after the end). That
//! this holds for `deploymentConfiguration` and the weights as well is read here: a snapshot that changes is none.

use rollscope_engine::settings::Command;
use rollscope_engine::trace::{Record, ServiceChange, ServiceId, Weights, What};

use crate::run::RunView;

/// The snapshot of one service deployment, as far as its own record does not hold it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frozen {
    /// Which.
    pub id: ServiceId,
    /// `minimumHealthyPercent` and `maximumPercent` at its end.
    pub percentages: (u32, u32),
    /// The weights at its end, where it shifted traffic.
    pub weights: Option<Weights>,
}

/// Those of the service deployments that are over by the end of the records, in the order of their ends.
pub fn frozen(run: RunView<'_>) -> Vec<Frozen> {
    let params = run.end.settings().platform.ecs();
    let mut percentages = (params.minimum_healthy_percent, params.maximum_percent);
    let mut weights: Option<(ServiceId, Weights)> = None;
    let mut list = Vec::new();
    for record in run.records {
        match record.what {
            What::Service { id, change: ServiceChange::Weights(new) } => weights = Some((id, new)),
            What::Service { id, change: ServiceChange::Status { to, .. } } if to.is_final() => {
                let weights = weights.filter(|(of, _)| *of == id).map(|(_, weights)| weights);
                list.push(Frozen { id, percentages, weights });
            }
            _ => percentages = after(run, record, percentages),
        }
    }
    list
}

/// The percentages after a record.
fn after(run: RunView<'_>, record: &Record, (old_minimum, old_maximum): (u32, u32)) -> (u32, u32) {
    let What::Act { index, effective: true } = record.what else { return (old_minimum, old_maximum) };
    match run.end.acts().get(index as usize).map(|act| &act.command) {
        Some(Command::SetPercentages { minimum, maximum }) => {
            (minimum.unwrap_or(old_minimum), maximum.unwrap_or(old_maximum))
        }
        _ => (old_minimum, old_maximum),
    }
}
