//! Names and types of the ECS API, for values that come under the names of another form.

use rollscope_scenario::json::Value;

use crate::node::{Node, NodeKind};

/// Whole numbers, also where a form writes them as text.
const NUMBERS: [&str; 25] = [
    "desiredCount",
    "minimumHealthyPercent",
    "maximumPercent",
    "healthCheckGracePeriodSeconds",
    "value",
    "bakeTimeInMinutes",
    "stepBakeTimeInMinutes",
    "canaryBakeTimeInMinutes",
    "healthyPercent",
    "timeoutInMinutes",
    "weight",
    "base",
    "containerPort",
    "hostPort",
    "port",
    "interval",
    "timeout",
    "retries",
    "startPeriod",
    "stopTimeout",
    "startTimeout",
    "restartAttemptPeriod",
    "cpu",
    "memory",
    "memoryReservation",
];
/// Numbers that may have a fraction.
const FRACTIONS: [&str; 2] = ["stepPercent", "canaryPercent"];
/// True or false.
const SWITCHES: [&str; 6] = ["enable", "rollback", "resetOnHealthyTask", "essential", "enabled", "forceNewDeployment"];

/// A value of this key with the type that the API has for it.
pub fn typed(key: &str, mut node: Node) -> Node {
    let Some(text) = node.text() else { return node };
    let value = if NUMBERS.contains(&key) {
        text.trim().parse::<i64>().ok().map(Value::from)
    } else if FRACTIONS.contains(&key) {
        let read = rollscope_scenario::json::read(text.trim()).ok().map(|read| read.value);
        read.filter(|value| value.as_number().is_some())
    } else if SWITCHES.contains(&key) {
        ["true", "false"].iter().find(|word| text.eq_ignore_ascii_case(word)).map(|word| Value::from(*word == "true"))
    } else {
        None
    };
    if let Some(value) = value {
        node.kind = NodeKind::Scalar(value);
    }
    node
}

/// The same tree under the API's names: each key by `rename`, each value with its type.
pub fn named(node: Node, rename: fn(&str) -> String) -> Node {
    let Node { at, origin, kind } = node;
    let kind = match kind {
        NodeKind::Map(entries) => {
            let one = |(key, node): (String, Node)| {
                let key = rename(&key);
                let node = typed(&key, named(node, rename));
                (key, node)
            };
            NodeKind::Map(entries.into_iter().map(one).collect())
        }
        NodeKind::List(items) => NodeKind::List(items.into_iter().map(|item| named(item, rename)).collect()),
        scalar => scalar,
    };
    Node { at, origin, kind }
}

/// `DesiredCount` as `desiredCount`.
pub fn from_pascal(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_lowercase().to_string() + letters.as_str())
}

/// `desired_count` or `desired-count` as `desiredCount`.
pub fn from_words(name: &str) -> String {
    let mut parts = name.split(['_', '-']);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |name, part| {
        let mut letters = part.chars();
        let first = letters.next().map(|first| first.to_ascii_uppercase());
        name + &first.map(String::from).unwrap_or_default() + letters.as_str()
    })
}

/// Fields of a service that are read, by the API's names; all others are listed as not used.
pub const SERVICE: [&str; 14] = [
    "serviceName",
    "desiredCount",
    "schedulingStrategy",
    "deploymentController",
    "healthCheckGracePeriodSeconds",
    "availabilityZoneRebalancing",
    "launchType",
    "capacityProviderStrategy",
    "forceNewDeployment",
    "serviceRegistries",
    "loadBalancers",
    "deploymentConfiguration",
    "placementStrategy",
    "taskDefinition",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        assert_eq!(from_pascal("HealthCheckGracePeriodSeconds"), "healthCheckGracePeriodSeconds");
        assert_eq!(from_pascal(""), "");
        assert_eq!(from_words("health_check_grace_period_seconds"), "healthCheckGracePeriodSeconds");
        assert_eq!(from_words("desired-count"), "desiredCount");
    }

    #[test]
    fn text_gets_the_type_of_its_key_and_nothing_else_does() {
        for (key, text, expected) in [
            ("desiredCount", "4", "4"),
            ("desiredCount", "four", "\"four\""),
            ("enable", "True", "true"),
            ("enable", "on", "\"on\""),
            ("stepPercent", "12.5", "12.5"),
            ("family", "4", "\"4\""),
        ] {
            assert_eq!(typed(key, Node::scalar((1, 1), text)).value().to_string(), expected, "{key} {text}");
        }
    }
}
