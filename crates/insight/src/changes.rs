//! The smallest changes that would make a rollout move.

use rollscope_engine::mechanism::host::{Host, HostState};
use rollscope_engine::settings::{AlarmState, Capacity, Cluster, Command, HOSTS_MAX, PlacesStep, Settings};
use rollscope_engine::time::SECOND;
use rollscope_engine::{SimTime, order};
use rollscope_scenario::Value;

use crate::check::{Check, StepLimit, evaluate};
use crate::remedy::BreakerChange;

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
    /// Dynamic host ports in the place of fixed ones: several tasks find room on one instance.
    DynamicPorts,
    /// `healthCheckGracePeriodSeconds` becomes this.
    Grace(u32),
    /// `startPeriod` of the only container check becomes this, in seconds.
    StartPeriod(u32),
    /// `retries` of the only container check becomes this.
    Retries(u32),
    /// `unhealthyThresholdCount` of the only target group becomes this.
    UnhealthyThreshold(u32),
    /// `deregistration_delay.timeout_seconds` of the only target group becomes this.
    Delay(u32),
    /// The same for a longer one, in which the longest request ends.
    LongerDelay(u32),
    /// An act, a template, sets another desired count.
    TemplateCount {
        /// Its index in the settings, whose acts are in the order of time.
        act: u32,
        /// Its index in the document.
        place: u32,
        /// The desired count.
        count: u32,
    },
    /// An act, a template, leaves the desired count out: it deploys, and the count in force stays.
    TemplateKeeps {
        /// Its index in the settings, whose acts are in the order of time.
        act: u32,
        /// Its index in the document.
        place: u32,
    },
    /// The alarm with this index is OK when the deployment begins.
    AlarmOk(u32),
    /// The capacity provider may have this many instances.
    ProviderMax(u32),
    /// Another circuit breaker.
    Breaker(BreakerChange),
}

impl Change {
    /// JSON pointer of the field in the document. Places are a list, so theirs is the list.
    pub fn field(&self) -> String {
        let fixed = match self {
            Change::Maximum(_) => "/service/deploymentConfiguration/maximumPercent",
            Change::Minimum(_) => "/service/deploymentConfiguration/minimumHealthyPercent",
            Change::Desired(_) => "/service/desiredCount",
            Change::Places(_) => "/places",
            Change::Instances(_) => "/capacity/instances/0/count",
            Change::DynamicPorts => "/capacity/task/hostPorts",
            Change::Grace(_) => "/service/healthCheckGracePeriodSeconds",
            Change::StartPeriod(_) => "/containers/0/healthCheck/startPeriod",
            Change::Retries(_) => "/containers/0/healthCheck/retries",
            Change::UnhealthyThreshold(_) => "/targetGroups/0/unhealthyThresholdCount",
            Change::Delay(_) | Change::LongerDelay(_) => "/targetGroups/0/deregistration_delay.timeout_seconds",
            Change::ProviderMax(_) => "/capacity/provider/max",
            Change::Breaker(change) => change.field(),
            Change::TemplateCount { place, .. } | Change::TemplateKeeps { place, .. } => {
                return format!("/acts/{place}/count");
            }
            Change::AlarmOk(alarm) => return format!("/alarms/{alarm}/at_start"),
        };
        fixed.to_owned()
    }

    /// The new value of the field in the document; null where it is left out.
    pub fn written(&self) -> Value {
        let value = Value::from(i64::from(self.value()));
        match self {
            Change::Places(_) => Value::array([Value::object([("at", Value::from("0s")), ("places", value)])]),
            Change::DynamicPorts => Value::array([value]),
            Change::TemplateKeeps { .. } => Value::Null,
            Change::AlarmOk(_) => Value::from("OK"),
            Change::Breaker(change) => change.written(),
            _ => value,
        }
    }

    /// The new number; 0 of what is none.
    pub fn value(&self) -> u32 {
        match *self {
            Change::Maximum(n) | Change::Minimum(n) | Change::Desired(n) | Change::Places(n) | Change::Instances(n) => {
                n
            }
            Change::DynamicPorts | Change::AlarmOk(_) | Change::Breaker(_) | Change::TemplateKeeps { .. } => 0,
            Change::Delay(n)
            | Change::LongerDelay(n)
            | Change::ProviderMax(n)
            | Change::TemplateCount { count: n, .. } => n,
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
                    if cluster.daemon {
                        params.desired += more;
                        changed.start.deployments.iter_mut().take(1).for_each(|old| old.healthy += more);
                    }
                }
            }
            Change::DynamicPorts => {
                if let Capacity::Ec2(cluster) = &mut changed.capacity {
                    cluster.needs.port = false;
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
            Change::Delay(seconds) | Change::LongerDelay(seconds) => {
                let delay = u64::from(seconds) * SECOND;
                changed.target_groups.iter_mut().for_each(|group| group.deregistration_delay_ms = delay);
            }
            Change::TemplateCount { act, count, .. } => {
                if let Some(Command::Template { desired, .. }) =
                    changed.acts.get_mut(act as usize).map(|act| &mut act.command)
                {
                    *desired = count;
                }
            }
            Change::TemplateKeeps { act, .. } => {
                if let Some(act) = changed.acts.get_mut(act as usize)
                    && let Command::Template { revision, .. } = act.command
                {
                    act.command = Command::Deploy { revision, behaviour: None };
                }
            }
            Change::AlarmOk(alarm) => {
                if let Some(alarm) = changed.alarms.get_mut(alarm as usize) {
                    alarm.at_start = AlarmState::Ok;
                }
            }
            Change::ProviderMax(max) => {
                if let Capacity::Ec2(cluster) = &mut changed.capacity
                    && let Some(provider) = &mut cluster.provider
                {
                    provider.most = max;
                }
            }
            Change::Breaker(change) => return change.apply(settings).unwrap_or(changed),
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

/// The nearest changes that let the first step do something; each one is tried before it is proposed, and
/// the smallest one comes first. Where some tasks find room, or all of them need it at once, it is room for
/// all of them.
pub(crate) fn smallest(settings: &Settings, check: &Check) -> Vec<Change> {
    let short_of_room = matches!(check.start_limited_by, StepLimit::Places | StepLimit::Room);
    if short_of_room && (check.started > 0 || check.shift.is_some()) {
        return whole_room(settings, check).into_iter().chain(ports(settings, check)).collect();
    }
    let helps = |change: &Change| evaluate(&change.apply(settings)).moves();
    let desired = check.limits.desired;
    let (cluster, daemon) = (settings.cluster(), settings.cluster().is_some_and(|cluster| cluster.daemon));
    let mut found = Vec::new();
    if let (StepLimit::Room, Some(cluster)) = (check.start_limited_by, cluster) {
        found.push(Change::Instances(cluster.first_kind + 1));
        found.extend(ports(settings, check));
    } else if check.start_limited_by == StepLimit::Places {
        found.push(Change::Places(check.before.physical() + 1));
    } else if !short_of_room && !daemon {
        found.extend(maximum(desired, check.before.counted, check.percentages.1).map(Change::Maximum));
    }
    // An old task makes room for a new one, but not where there is no capacity to take its place.
    if !short_of_room || check.start_limited_by == StepLimit::Places || cluster.is_some() {
        found.extend(minimum(desired, check.before.healthy(), check.percentages.0).map(Change::Minimum));
    }
    found.retain(helps);
    if !short_of_room {
        let counts = desired + 1..=desired.saturating_add(DESIRED_SEARCH);
        let rounds_apart = |n: &u32| {
            use rollscope_scenario::limits::Limits;
            let limits = Limits::of(*n, check.percentages.0, check.percentages.1);
            limits.ceiling > *n || limits.floor < *n
        };
        // The desired count of a DAEMON service is the number of its instances.
        let first_kind = cluster.map_or(0, |cluster| cluster.first_kind);
        let change = |n: u32| if daemon { Change::Instances(first_kind + (n - desired)) } else { Change::Desired(n) };
        let fits = |n: &u32| daemon || cluster.is_none_or(|cluster| room_at_start(cluster) >= u64::from(*n));
        found.extend(counts.filter(rounds_apart).take_while(fits).map(change).find(|change| helps(change)));
    }
    order::by_key(&mut found, |change| size(change, desired, check.percentages));
    found
}

/// Tasks that the instances of time 0 hold: those that run then must fit.
fn room_at_start(cluster: &Cluster) -> u64 {
    let there = cluster.hosts.iter().filter(|spec| spec.from == SimTime::ZERO);
    there.map(|spec| u64::from(Host::new(*spec, HostState::Active).fits(&cluster.needs))).sum()
}

/// The least room with which all new tasks start in the first step: places, or instances of the first kind.
fn whole_room(settings: &Settings, check: &Check) -> Option<Change> {
    if check.start_limited_by == StepLimit::Places {
        return Some(Change::Places(check.before.physical() + check.need));
    }
    let cluster = settings.cluster().filter(|cluster| !cluster.daemon)?;
    let all = |count: u32| evaluate(&Change::Instances(count).apply(settings)).started >= check.need;
    let most = HOSTS_MAX - (cluster.hosts.len() as u32 - cluster.first_kind);
    let (mut low, mut high) = (cluster.first_kind + 1, cluster.first_kind.saturating_add(check.need).min(most));
    if low > high || !all(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if all(middle) { high = middle } else { low = middle + 1 }
    }
    Some(Change::Instances(high))
}

/// Dynamic host ports, where fixed ones are what keeps a task out and more tasks start without them.
fn ports(settings: &Settings, check: &Check) -> Option<Change> {
    settings.cluster().filter(|cluster| cluster.needs.port && !cluster.needs.alone)?;
    let after = evaluate(&Change::DynamicPorts.apply(settings));
    (after.started > check.started).then_some(Change::DynamicPorts)
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
