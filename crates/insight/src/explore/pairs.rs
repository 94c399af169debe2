//! Which two settings a map is about, by platform.

use rollscope_scenario::edit::Platform;
use rollscope_scenario::{Document, Value, duration};

/// A setting of a map: where it stands and what it may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Where it stands in the document.
    pub pointer: &'static str,
    /// Its values, in the order of the map.
    pub values: Vec<Value>,
}

/// Two settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Its name in a link.
    pub name: &'static str,
    rows: Setting,
    columns: Setting,
}

/// A setting with the values that are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Setting {
    pointer: &'static str,
    values: Values,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Values {
    /// Numbers.
    Numbers(&'static [i64]),
    /// Numbers with a percent sign, as Kubernetes writes them.
    Percent(&'static [i64]),
    /// Seconds, as a duration.
    Seconds(&'static [i64]),
}

const DOWN: &[i64] = &[100, 90, 80, 70, 60, 50, 40, 30, 20, 10, 0];
const UP: &[i64] = &[100, 110, 120, 130, 140, 150, 160, 170, 180, 190, 200];
const SHARE: &[i64] = &[0, 10, 20, 25, 30, 40, 50, 60, 75, 100];
const COUNTS: &[i64] = &[0, 1, 2, 3, 4, 5];
const SIZES: &[i64] = &[1, 2, 3, 4, 6, 8, 12, 16, 24, 40];
const FAILURES: &[i64] = &[1, 3, 5, 10, 20, 50];
const START: &[i64] = &[5, 15, 30, 60, 120, 300];
const WAIT: &[i64] = &[0, 15, 30, 60, 120, 300, 600];
const EARLY: &[i64] = &[50, 60, 70, 80, 90, 95, 100];

const MINIMUM: Setting =
    Setting { pointer: "/service/deploymentConfiguration/minimumHealthyPercent", values: Values::Numbers(DOWN) };
const MAXIMUM: Setting =
    Setting { pointer: "/service/deploymentConfiguration/maximumPercent", values: Values::Numbers(UP) };
const DESIRED: Setting = Setting { pointer: "/service/desiredCount", values: Values::Numbers(SIZES) };
const START_UP: Setting = Setting { pointer: "/timing/start_up", values: Values::Seconds(START) };
const EARLY_PERCENT: Setting = Setting {
    pointer: "/service/deploymentConfiguration/earlySuccessCriteria/healthyPercent",
    values: Values::Numbers(EARLY),
};

const fn pair(name: &'static str, rows: Setting, columns: Setting) -> Pair {
    Pair { name, rows, columns }
}

const fn numbers(pointer: &'static str, values: &'static [i64]) -> Setting {
    Setting { pointer, values: Values::Numbers(values) }
}

const fn percent(pointer: &'static str) -> Setting {
    Setting { pointer, values: Values::Percent(SHARE) }
}

const ECS: [Pair; 6] = [
    pair("limits", MINIMUM, MAXIMUM),
    pair("size-maximum", DESIRED, MAXIMUM),
    pair("start-drain", START_UP, numbers("/targetGroups/0/deregistration_delay.timeout_seconds", WAIT)),
    pair("grace-start", numbers("/service/healthCheckGracePeriodSeconds", WAIT), START_UP),
    pair(
        "early-threshold",
        EARLY_PERCENT,
        numbers("/service/deploymentConfiguration/deploymentCircuitBreaker/thresholdConfiguration/value", FAILURES),
    ),
    pair("early-size", EARLY_PERCENT, DESIRED),
];
const DEPLOYMENT: [Pair; 3] = [
    pair(
        "limits",
        percent("/service/strategy/rollingUpdate/maxUnavailable"),
        percent("/service/strategy/rollingUpdate/maxSurge"),
    ),
    pair("size-surge", numbers("/service/replicas", SIZES), percent("/service/strategy/rollingUpdate/maxSurge")),
    pair("start-grace", START_UP, numbers("/service/template/spec/terminationGracePeriodSeconds", WAIT)),
];
const STATEFUL_SET: [Pair; 2] = [
    pair(
        "limits",
        numbers("/service/updateStrategy/rollingUpdate/partition", COUNTS),
        numbers("/service/replicas", SIZES),
    ),
    pair("start-grace", START_UP, numbers("/service/template/spec/terminationGracePeriodSeconds", WAIT)),
];
const DAEMON_SET: [Pair; 2] = [
    pair(
        "limits",
        numbers("/service/updateStrategy/rollingUpdate/maxUnavailable", COUNTS),
        numbers("/service/updateStrategy/rollingUpdate/maxSurge", COUNTS),
    ),
    pair("start-grace", START_UP, numbers("/service/template/spec/terminationGracePeriodSeconds", WAIT)),
];
const REFRESH: [Pair; 2] = [
    pair(
        "limits",
        numbers("/service/Preferences/MinHealthyPercentage", DOWN),
        numbers("/service/Preferences/MaxHealthyPercentage", UP),
    ),
    pair(
        "warm-up-size",
        numbers("/service/Preferences/InstanceWarmup", WAIT),
        numbers("/service/DesiredCapacity", SIZES),
    ),
];
const GOOGLE: [Pair; 2] = [
    pair(
        "limits",
        numbers("/service/updatePolicy/maxUnavailable/fixed", COUNTS),
        numbers("/service/updatePolicy/maxSurge/fixed", COUNTS),
    ),
    pair("start-size", START_UP, numbers("/service/targetSize", SIZES)),
];
const AZURE: [Pair; 2] = [
    pair(
        "limits",
        numbers(
            "/service/upgradePolicy/rollingUpgradePolicy/maxBatchInstancePercent",
            &[5, 10, 20, 25, 30, 40, 50, 75, 100],
        ),
        numbers("/service/sku/capacity", SIZES),
    ),
    pair("start-size", START_UP, numbers("/service/sku/capacity", SIZES)),
];

/// The pairs of a platform that say something about this scenario, the two dials first.
pub fn pairs(document: &Document) -> Vec<Pair> {
    let tree = document.to_json();
    let all: &[Pair] = match Platform::of(&tree).unwrap_or(Platform::Ecs) {
        Platform::Ecs => &ECS,
        Platform::Kubernetes => &DEPLOYMENT,
        Platform::StatefulSet => &STATEFUL_SET,
        Platform::DaemonSet => &DAEMON_SET,
        Platform::InstanceRefresh => &REFRESH,
        Platform::Mig => &GOOGLE,
        Platform::Vmss => &AZURE,
    };
    let shifted = tree.pointer("/service/deploymentConfiguration/strategy").and_then(Value::as_str);
    let fits = |pair: &&Pair| {
        let has = |pointer: &str| tree.pointer(pointer).is_some();
        let early = has("/service/deploymentConfiguration/earlySuccessCriteria/healthyPercent");
        match pair.name {
            "start-drain" => has("/targetGroups/0"),
            "grace-start" => has("/targetGroups/0") || has("/containers"),
            "early-threshold" => early && has(pair.columns.pointer),
            "early-size" => early,
            // A strategy that shifts traffic runs both revisions in full.
            "limits" | "size-maximum" => shifted.is_none_or(|name| name == "ROLLING"),
            _ => true,
        }
    };
    let found: Vec<Pair> = all.iter().filter(fits).copied().collect();
    if found.is_empty() { vec![pair("size-start", DESIRED, START_UP)] } else { found }
}

impl Pair {
    /// Rows and columns, with the scenario's own values among them.
    pub fn axes(&self, document: &Document) -> (Axis, Axis) {
        let tree = document.to_json();
        (self.rows.axis(&tree), self.columns.axis(&tree))
    }

    /// Where the two settings stand: rows, columns.
    pub const fn pointers(&self) -> (&'static str, &'static str) {
        (self.rows.pointer, self.columns.pointer)
    }
}

impl Setting {
    fn axis(&self, tree: &Value) -> Axis {
        let (list, value): (&[i64], fn(i64) -> Value) = match self.values {
            Values::Numbers(list) => (list, Value::from),
            Values::Percent(list) => (list, |n| Value::from(format!("{n}%"))),
            Values::Seconds(list) => (list, |n| Value::from(format!("{n}s"))),
        };
        let mut values: Vec<Value> = list.iter().map(|n| value(*n)).collect();
        // The scenario's own one, at its place.
        if let Some(own) = tree.pointer(self.pointer).filter(|own| !values.contains(own)) {
            match number(own) {
                Some(n) => {
                    if !list.contains(&n) {
                        let falls = list.first() > list.last();
                        let at = list.iter().position(|other| if falls { *other < n } else { *other > n });
                        values.insert(at.unwrap_or(values.len()), own.clone());
                    } else if let Some(at) = list.iter().position(|other| *other == n) {
                        values[at] = own.clone();
                    }
                }
                None => values.insert(0, own.clone()),
            }
        }
        Axis { pointer: self.pointer, values }
    }
}

/// The number of a value, of a percentage, or of a duration in seconds.
fn number(value: &Value) -> Option<i64> {
    value.as_i64().or_else(|| {
        let text = value.as_str()?;
        let percent = text.strip_suffix('%').and_then(|n| n.parse().ok());
        percent.or_else(|| duration::parse(text).ok().and_then(|ms| i64::try_from(ms / 1_000).ok()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(text: &str) -> Document {
        Document::from_text(text).document
    }

    #[test]
    fn the_scenarios_own_values_are_among_those_of_the_map() {
        let own = document(
            r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":67,"maximumPercent":125}}}"#,
        );
        let (rows, columns) = pairs(&own)[0].axes(&own);
        let shown = |axis: &Axis| axis.values.iter().map(Value::to_string).collect::<Vec<_>>().join(" ");
        assert_eq!(shown(&rows), "100 90 80 70 67 60 50 40 30 20 10 0");
        assert_eq!(shown(&columns), "100 110 120 125 130 140 150 160 170 180 190 200");
        let own = document(
            r#"{"platform":"kubernetes-deployment","service":{"replicas":4,"strategy":{"rollingUpdate":{"maxSurge":3}}}}"#,
        );
        let (_, columns) = pairs(&own)[0].axes(&own);
        assert_eq!(shown(&columns), r#""0%" 3 "10%" "20%" "25%" "30%" "40%" "50%" "60%" "75%" "100%""#);
    }

    #[test]
    fn what_a_scenario_does_not_have_is_no_axis_of_it() {
        let names = |text: &str| pairs(&document(text)).iter().map(|pair| pair.name).collect::<Vec<_>>();
        assert_eq!(names(r#"{"service":{"desiredCount":4}}"#), ["limits", "size-maximum"]);
        assert_eq!(names(r#"{"targetGroups":[{}]}"#), ["limits", "size-maximum", "start-drain", "grace-start"]);
        assert_eq!(names(r#"{"service":{"deploymentConfiguration":{"strategy":"BLUE_GREEN"}}}"#), ["size-start"]);
        assert_eq!(names(r#"{"platform":"vmss"}"#), ["limits", "start-size"]);
    }
}
