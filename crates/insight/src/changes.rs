//! The smallest changes that would make a rollout move.

use rollscope_engine::settings::{Capacity, PlacesStep, Settings};
use rollscope_engine::time::SECOND;
use rollscope_engine::{SimTime, order};

use crate::check::{Check, StepLimit, evaluate};

/// A desired count above this many more tasks is not proposed.
const DESIRED_SEARCH: u32 = 200;

/// One change of one setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// `maximumPercent` becomes this.
    Maximum(u32),
    /// `minimumHealthyPercent` becomes this.
    Minimum(u32),
    /// `desiredCount` becomes this.
    Desired(u32),
    /// Room for this many tasks at time 0.
    Places(u32),
    /// This many instances of the first kind.
    Instances(u32),
    /// `healthCheckGracePeriodSeconds` becomes this.
    Grace(u32),
    /// `startPeriod` of the only container check becomes this, in seconds.
    StartPeriod(u32),
    /// `retries` of the only container check becomes this.
    Retries(u32),
    /// `unhealthyThresholdCount` of the only target group becomes this.
    UnhealthyThreshold(u32),
}

impl Change {
    /// JSON pointer of the field in the document. Places are a list, so theirs is the list.
    pub fn field(&self) -> &'static str {
        match self {
            Change::Maximum(_) => "/service/deploymentConfiguration/maximumPercent",
            Change::Minimum(_) => "/service/deploymentConfiguration/minimumHealthyPercent",
            Change::Desired(_) => "/service/desiredCount",
            Change::Places(_) => "/places",
            Change::Instances(_) => "/capacity/instances/0/count",
            Change::Grace(_) => "/service/healthCheckGracePeriodSeconds",
            Change::StartPeriod(_) => "/containers/0/healthCheck/startPeriod",
            Change::Retries(_) => "/containers/0/healthCheck/retries",
            Change::UnhealthyThreshold(_) => "/targetGroups/0/unhealthyThresholdCount",
        }
    }

    /// The new value.
    pub fn value(&self) -> u32 {
        match *self {
            Change::Maximum(n) | Change::Minimum(n) | Change::Desired(n) | Change::Places(n) | Change::Instances(n) => {
                n
            }
            Change::Grace(n) | Change::StartPeriod(n) | Change::Retries(n) | Change::UnhealthyThreshold(n) => n,
        }
    }

    /// The settings with this change. A new desired count finds as many healthy old tasks, when
    /// the service was steady before.
    pub fn apply(&self, settings: &Settings) -> Settings {
        let mut changed = settings.clone();
        let Some(params) = changed.platform.ecs_mut() else { return changed };
        match *self {
            Change::Maximum(maximum) => params.maximum_percent = maximum,
            Change::Minimum(minimum) => params.minimum_healthy_percent = minimum,
            Change::Desired(desired) => {
                let before = params.desired;
                params.desired = desired;
                if let [only] = &mut changed.start.deployments[..]
                    && only.healthy == before
                {
                    only.healthy = desired;
                }
            }
            Change::Places(places) => {
                let mut steps = changed.places().to_vec();
                steps.retain(|step| step.at > SimTime::ZERO);
                steps.insert(0, PlacesStep { at: SimTime::ZERO, places });
                changed.capacity = Capacity::Places(steps);
            }
            Change::Instances(count) => {
                if let Capacity::Ec2(cluster) = &mut changed.capacity
                    && let Some(first) = cluster.hosts.first().copied()
                {
                    let more = count.saturating_sub(cluster.first_kind);
                    cluster.hosts.extend((0..more).map(|_| first));
                    cluster.first_kind = count;
                }
            }
            Change::Grace(seconds) => params.grace_ms = u64::from(seconds) * SECOND,
            Change::StartPeriod(seconds) => {
                changed.containers.iter_mut().for_each(|check| check.start_period_ms = u64::from(seconds) * SECOND);
            }
            Change::Retries(retries) => changed.containers.iter_mut().for_each(|check| check.retries = retries),
            Change::UnhealthyThreshold(count) => {
                changed.target_groups.iter_mut().for_each(|group| group.unhealthy_threshold = count);
            }
        }
        changed
    }
}

/// How large a change is, in per cent: points of a percentage, or its share of the desired count. Other
/// changes cannot be compared and come last.
///
/// 3 tasks at 100/125: maximum 134 is 9, desired count 4 is 33, minimum 66 is 34.
pub(crate) fn size(change: &Change, desired: u32, (minimum, maximum): (u32, u32)) -> u64 {
    match *change {
        Change::Maximum(n) => u64::from(n.abs_diff(maximum)),
        Change::Minimum(n) => u64::from(n.abs_diff(minimum)),
        Change::Desired(n) => 100 * u64::from(n.abs_diff(desired)) / u64::from(desired.max(1)),
        // One place or one instance more is one task's share.
        Change::Places(_) | Change::Instances(_) => 100 / u64::from(desired.max(1)),
        _ => u64::MAX,
    }
}

/// The nearest maximum, minimum, desired count and room that let the first step do something;
/// each one is tried before it is proposed. The smallest change comes first.
pub(crate) fn smallest(settings: &Settings, check: &Check) -> Vec<Change> {
    let mut found = Vec::new();
    let helps = |change: &Change| {
        let after = evaluate(&change.apply(settings));
        after.moves()
    };
    let desired = check.limits.desired;
    let short_of_room = matches!(check.start_limited_by, StepLimit::Places | StepLimit::Room);
    if let (StepLimit::Room, Some(cluster)) = (check.start_limited_by, settings.cluster()) {
        found.push(Change::Instances(cluster.first_kind + 1));
    } else if check.start_limited_by == StepLimit::Places {
        found.push(Change::Places(check.before.physical() + 1));
    } else if !short_of_room {
        found.extend(maximum(desired, check.before.counted, check.percentages.1).map(Change::Maximum));
    }
    found.extend(minimum(desired, check.before.healthy(), check.percentages.0).map(Change::Minimum));
    found.retain(helps);
    if !short_of_room {
        let counts = desired + 1..=desired.saturating_add(DESIRED_SEARCH);
        let rounds_apart = |n: &u32| {
            use rollscope_scenario::limits::Limits;
            let limits = Limits::of(*n, check.percentages.0, check.percentages.1);
            limits.ceiling > *n || limits.floor < *n
        };
        found.extend(counts.filter(rounds_apart).map(Change::Desired).find(|change| helps(change)));
    }
    order::by_key(&mut found, |change| size(change, desired, check.percentages));
    found
}

/// The smallest `maximumPercent` above the present one that leaves room for one more task.
///
/// `floor(desired × M / 100) ≥ total + 1` holds from `M = ceil(100 × (total + 1) / desired)` on.
pub(crate) fn maximum(desired: u32, total: u32, present: u32) -> Option<u32> {
    let least = (100 * (u64::from(total) + 1)).checked_div(u64::from(desired))?;
    let least = if least * u64::from(desired) < 100 * (u64::from(total) + 1) { least + 1 } else { least };
    u32::try_from(least).ok().filter(|least| *least > present)
}

/// The largest `minimumHealthyPercent` below the present one that lets one task stop.
///
/// `ceil(desired × m / 100) ≤ healthy - 1` holds up to `m = floor(100 × (healthy - 1) / desired)`.
pub(crate) fn minimum(desired: u32, healthy: u32, present: u32) -> Option<u32> {
    let most = (100 * u64::from(healthy.checked_sub(1)?)).checked_div(u64::from(desired))?;
    u32::try_from(most).ok().filter(|most| *most < present)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_percentages() {
        // desired, total = healthy, maximum, minimum
        for (desired, most, least) in [(1, Some(200), Some(0)), (3, Some(134), Some(66)), (9, Some(112), Some(88))] {
            assert_eq!(maximum(desired, desired, 100), most);
            assert_eq!(minimum(desired, desired, 100), least);
        }
        assert_eq!(maximum(0, 0, 100), None);
        assert_eq!(minimum(4, 0, 100), None);
    }
}
