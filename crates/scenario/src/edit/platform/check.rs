//! The check that decides whether a new one counts, by the names of each platform.

use alloc::format;

use super::{Move, Platform};
use crate::json::Value;

/// A field of a check.
pub(super) struct Field {
    name: &'static str,
    default: i64,
    /// Least and most.
    range: (i64, i64),
}

/// The fields of a check: interval, time to answer, successes, failures; absent where there is none.
pub(super) struct Check {
    /// Where they stand.
    at: &'static str,
    /// What is given where there is a check.
    given: &'static str,
    fields: [Option<Field>; 4],
}

const fn field(name: &'static str, default: i64, range: (i64, i64)) -> Option<Field> {
    Some(Field { name, default, range })
}

/// Nothing bounds it from above.
const ANY: i64 = i32::MAX as i64;

impl Check {
    /// That of Elastic Load Balancing.
    pub(super) const TARGETS: Check = Check {
        at: "/targetGroups/0",
        given: "/targetGroups/0",
        fields: [
            field("healthCheckIntervalSeconds", 30, (5, 300)),
            field("healthCheckTimeoutSeconds", 5, (2, 120)),
            field("healthyThresholdCount", 5, (2, 10)),
            field("unhealthyThresholdCount", 2, (2, 10)),
        ],
    };
    /// The readiness probe of the first container.
    pub(super) const READINESS: Check = Check {
        at: "/service/template/spec/containers/0/readinessProbe",
        given: "/service/template/spec/containers/0/readinessProbe",
        fields: [
            field("periodSeconds", 10, (1, ANY)),
            field("timeoutSeconds", 1, (1, ANY)),
            field("successThreshold", 1, (1, ANY)),
            field("failureThreshold", 3, (1, ANY)),
        ],
    };
    /// That of autohealing.
    pub(super) const GOOGLE: Check = Check {
        at: "/service/healthCheck",
        given: "/service/autoHealingPolicies/0",
        fields: [
            field("checkIntervalSec", 5, (1, 300)),
            field("timeoutSec", 5, (1, 300)),
            field("healthyThreshold", 2, (1, 10)),
            field("unhealthyThreshold", 2, (1, 10)),
        ],
    };
    /// The Application Health extension: one number of probes either way.
    pub(super) const AZURE: Check = Check {
        at: "/service/applicationHealth",
        given: "/service/applicationHealth",
        fields: [field("intervalInSeconds", 5, (5, 60)), None, field("numberOfProbes", 1, (1, 24)), None],
    };
}

/// Carries the check over, and what a platform wants to know beside it.
pub(super) fn carry(moving: &mut Move<'_>) {
    const KIND: &str = "/service/HealthCheckType";
    let to = moving.there.platform;
    // Without ELB an Auto Scaling group looks at the machine only.
    let counts = moving.here.platform != Platform::InstanceRefresh
        || moving.get(KIND).is_some_and(|kind| kind.as_str() == Some("ELB"));
    if counts && moving.from.pointer(moving.here.check.given).is_some() {
        values(moving);
        match to {
            Platform::InstanceRefresh => moving.put(KIND, KIND, "ELB"),
            Platform::Mig => moving.put("", "/service/autoHealingPolicies/0/healthCheck", "check"),
            _ => {}
        }
        grace(moving);
    } else if to == Platform::Vmss {
        // A rolling upgrade is refused without one.
        moving.put("", "/service/applicationHealth", Value::empty_object());
    }
}

fn values(moving: &mut Move<'_>) {
    let name = "/service/autoHealingPolicies/0/healthCheck";
    moving.get(name);
    if moving.from.pointer(moving.here.check.given).and_then(Value::as_object) == Some(&[]) {
        moving.read.push(moving.here.check.given.into());
    }
    // Nothing takes longer than the interval.
    let mut interval = ANY;
    for index in 0..moving.here.check.fields.len() {
        let read =
            |check: &Check| check.fields[index].as_ref().map(|f| (format!("{}/{}", check.at, f.name), f.default));
        let Some((here, default)) = read(&moving.here.check) else { continue };
        let Some(there) = moving.there.check.fields[index].as_ref() else { continue };
        let (at, (least, most)) = (format!("{}/{}", moving.there.check.at, there.name), there.range);
        let value = moving.get(&here).and_then(|value| value.as_i64()).unwrap_or(default).clamp(least, most);
        let bound = if moving.there.platform == Platform::Mig && index == 1 { interval } else { most };
        interval = if index == 0 { value } else { interval };
        moving.put(&here, &at, value.min(bound));
    }
}

/// Time without consequences: at most an hour on Google Cloud, four on Azure.
fn grace(moving: &mut Move<'_>) {
    let (Some(here), Some(there)) = (moving.here.grace, moving.there.grace) else { return };
    let most = match moving.there.platform {
        Platform::Mig => 3600,
        Platform::Vmss => 14_400,
        _ => ANY,
    };
    if let Some(value) = moving.get(here) {
        moving.put(here, there, value.as_i64().unwrap_or(0).clamp(0, most));
    }
}
