//! Target groups as Elastic Load Balancing describes them, and their attributes.

use rollscope_scenario::json::Value;

use crate::pieces::{Found, Pieces};
use crate::{Import, Origin};

/// ELB field, field of the document, default.
const FIELDS: &[(&str, &str, Option<u32>)] = &[
    ("Protocol", "protocol", None),
    ("HealthCheckProtocol", "healthCheckProtocol", None),
    ("HealthCheckIntervalSeconds", "healthCheckIntervalSeconds", Some(30)),
    ("HealthCheckTimeoutSeconds", "healthCheckTimeoutSeconds", None),
    ("HealthyThresholdCount", "healthyThresholdCount", Some(5)),
    ("UnhealthyThresholdCount", "unhealthyThresholdCount", Some(2)),
];
const ATTRIBUTES: &[(&str, u32)] = &[("deregistration_delay.timeout_seconds", 300), ("slow_start.duration_seconds", 0)];

/// Reads the target groups of the text into the document.
pub fn read(pieces: &Pieces, tree: &mut Value, import: &mut Import) {
    let mut groups = pieces
        .find(|value| value.get("HealthCheckIntervalSeconds").is_some() || value.get("TargetGroupName").is_some());
    only_attached(tree, &mut groups, import);
    let attributes = pieces.find(|value| {
        value.get("Key").and_then(Value::as_str).is_some_and(|key| ATTRIBUTES.iter().any(|(known, _)| *known == key))
    });
    if groups.is_empty() && attributes.is_empty() {
        return;
    }
    let mut own: Vec<Value> = Vec::new();
    for (i, found) in groups.iter().enumerate() {
        let mut group = Value::empty_object();
        if let Some(name) = found.value.get("TargetGroupName") {
            group.insert("name", name.clone());
        }
        for (theirs, ours, default) in FIELDS {
            let field = format!("targetGroup.{i}.{ours}");
            match found.value.get(theirs).filter(|value| !value.is_null()) {
                Some(value) => {
                    group.insert(*ours, value.clone());
                    import.row(field, value.clone(), Origin::Explicit, found.line(&format!("/{theirs}")));
                }
                None => {
                    if let Some(default) = default {
                        import.row(field, *default, Origin::Default, None);
                    }
                }
            }
        }
        own.push(group);
    }
    if own.is_empty() {
        // Attributes alone: they belong to the groups the service is attached to.
        let attached = tree.get("targetGroups").and_then(Value::as_array).map_or(1, |groups| groups.len().max(1));
        own = vec![Value::empty_object(); attached];
    }
    for (name, default) in ATTRIBUTES {
        let value = attributes.iter().rev().find(|found| found.value.get("Key").and_then(Value::as_str) == Some(name));
        let seconds = value.and_then(|found| number(found.value.get("Value")?));
        let field = format!("targetGroup.{name}");
        match (seconds, value) {
            (Some(seconds), Some(found)) => {
                own.iter_mut().for_each(|group| group.insert(*name, seconds));
                import.row(field, seconds, Origin::Explicit, found.line("/Value"));
            }
            _ => import.row(field, *default, Origin::Default, None),
        }
    }
    let attached = tree.get("targetGroups").and_then(Value::as_array).map(<[Value]>::len);
    if attached.is_some_and(|n| n != own.len()) {
        import.warnings.push("The target groups in the text are not as many as the service is attached to.".into());
    }
    tree.insert("targetGroups", Value::Array(own));
    import.needs.retain(|need| !need.starts_with("target group check"));
}

/// Of several groups, those the service is attached to, when their addresses say which these are.
fn only_attached(tree: &Value, groups: &mut Vec<Found<'_>>, import: &mut Import) {
    let balancers = tree.pointer("/service/loadBalancers").and_then(Value::as_array).unwrap_or_default();
    let arns: Vec<&str> = balancers.iter().filter_map(|b| b.get("targetGroupArn")?.as_str()).collect();
    let attached = |found: &Found<'_>| {
        found.value.get("TargetGroupArn").and_then(Value::as_str).is_some_and(|arn| arns.contains(&arn))
    };
    if groups.iter().any(attached) {
        let before = groups.len();
        groups.retain(attached);
        if groups.len() < before {
            let left = before - groups.len();
            import
                .warnings
                .push(format!("{left} target groups in the text are not attached to the service: left out."));
        }
    }
}

/// ELB writes the values of attributes as text.
fn number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}
