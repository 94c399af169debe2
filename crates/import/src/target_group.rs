//! Target groups as Elastic Load Balancing describes them, and their attributes.

use rollscope_scenario::json::Value;

use crate::pieces::{Dialect, Found, Pieces};
use crate::service::TARGET_GROUP;
use crate::{Import, Origin};

/// A field of a target group.
struct Field {
    /// Its name in the ELB API.
    theirs: &'static str,
    /// Its name in the document.
    ours: &'static str,
    /// Its name in the rows; empty: no row.
    row: &'static str,
}

const fn field(theirs: &'static str, ours: &'static str, row: &'static str) -> Field {
    Field { theirs, ours, row }
}

const FIELDS: [Field; 6] = [
    field("Protocol", "protocol", ""),
    field("HealthCheckProtocol", "healthCheckProtocol", ""),
    field("HealthCheckIntervalSeconds", "healthCheckIntervalSeconds", "intervalSeconds"),
    field("HealthCheckTimeoutSeconds", "healthCheckTimeoutSeconds", "timeoutSeconds"),
    field("HealthyThresholdCount", "healthyThresholdCount", "healthyThreshold"),
    field("UnhealthyThresholdCount", "unhealthyThresholdCount", "unhealthyThreshold"),
];

/// Key, name in the rows, default: ELB `TargetGroupAttribute`.
const ATTRIBUTES: [(&str, &str, u32); 2] = [
    ("deregistration_delay.timeout_seconds", "deregistrationDelaySeconds", 300),
    ("slow_start.duration_seconds", "slowStartSeconds", 0),
];

/// The documented default of a field. Terraform's provider has thresholds of its own; a timeout follows the protocol.
fn default(row: &str, group: &Value, dialect: Dialect) -> Option<u32> {
    let terraform = dialect == Dialect::Terraform;
    let text = |key: &str| group.get(key).and_then(Value::as_str);
    let tcp = matches!(text("Protocol"), Some("TCP" | "TLS" | "UDP" | "TCP_UDP"));
    let check = text("HealthCheckProtocol").unwrap_or(if tcp { "TCP" } else { "HTTP" });
    Some(match row {
        "intervalSeconds" => 30,
        "timeoutSeconds" if check == "HTTP" => 6,
        "timeoutSeconds" => 10,
        "healthyThreshold" if terraform => 3,
        "healthyThreshold" => 5,
        "unhealthyThreshold" if terraform => 3,
        "unhealthyThreshold" => 2,
        _ => return None,
    })
}

/// Reads the target groups of the text into the document.
pub fn read(pieces: &Pieces, dialect: Dialect, tree: &mut Value, import: &mut Import) {
    let mut groups = pieces
        .find(|value| value.get("HealthCheckIntervalSeconds").is_some() || value.get("TargetGroupName").is_some());
    only_attached(tree, &mut groups, import);
    let attributes = pieces.find(|value| key_of(value).is_some());
    if groups.is_empty() && attributes.is_empty() {
        return;
    }
    let mut own: Vec<Value> = Vec::new();
    let many = groups.len() > 1;
    for (index, found) in groups.iter().enumerate() {
        let prefix = if many { format!("targetGroup.{index}") } else { "targetGroup".to_owned() };
        let mut group = one(found, dialect, &prefix, import);
        // Attributes inside the group are its own; those beside all groups hold for each.
        let mine: Vec<_> = attributes.iter().filter(|at| inside(at, found)).collect();
        let beside = attributes.iter().filter(|at| groups.iter().all(|group| !inside(at, group)));
        let mine = if mine.is_empty() { beside.collect() } else { mine };
        read_attributes(&mine, &prefix, &mut group, import);
        own.push(group);
    }
    if own.is_empty() {
        // Attributes alone: they belong to the groups the service is attached to.
        let attached = tree.get("targetGroups").and_then(Value::as_array).map_or(1, |groups| groups.len().max(1));
        let mut group = Value::empty_object();
        read_attributes(&attributes.iter().collect::<Vec<_>>(), "targetGroup", &mut group, import);
        own = vec![group; attached];
    }
    let attached = tree.get("targetGroups").and_then(Value::as_array).map(<[Value]>::len);
    if attached.is_some_and(|n| n != own.len()) {
        import.warnings.push("The target groups in the text are not as many as the service is attached to.".into());
    }
    tree.insert("targetGroups", Value::Array(own));
    import.needs.retain(|need| need != TARGET_GROUP);
}

/// The key of an attribute that a run needs.
fn key_of(value: &Value) -> Option<&str> {
    value.get("Key").and_then(Value::as_str).filter(|key| ATTRIBUTES.iter().any(|(known, ..)| known == key))
}

/// A part stands inside another one.
fn inside(part: &Found<'_>, whole: &Found<'_>) -> bool {
    std::ptr::eq(part.piece, whole.piece) && part.pointer.starts_with(&format!("{}/", whole.pointer))
}

/// The settings of one group.
fn one(found: &Found<'_>, dialect: Dialect, prefix: &str, import: &mut Import) -> Value {
    let mut group = Value::empty_object();
    if let Some(name) = found.value.get("TargetGroupName").filter(|name| !name.is_null()) {
        group.insert("name", name.clone());
    }
    for Field { theirs, ours, row } in FIELDS {
        let pointer = format!("/{theirs}");
        match (found.origin(&pointer), default(row, found.value, dialect)) {
            (Some(origin), default) => {
                let value = found.value.get(theirs).cloned().unwrap_or_default();
                if !row.is_empty() {
                    import.row(format!("{prefix}.{row}"), value.clone(), origin, found.line(&pointer));
                }
                if !value.is_null() {
                    group.insert(ours, value);
                } else if let Some(default) = default {
                    import.needs.push(format!("{prefix}.{row}, which is given elsewhere ({default} is the default)"));
                }
            }
            (None, Some(default)) => {
                import.row(format!("{prefix}.{row}"), default, Origin::Default, None);
                if dialect == Dialect::Terraform {
                    group.insert(ours, default);
                }
            }
            (None, None) => {}
        }
    }
    group
}

/// Attributes that a run needs.
fn read_attributes(attributes: &[&Found<'_>], prefix: &str, group: &mut Value, import: &mut Import) {
    for (name, row, default) in ATTRIBUTES {
        let found = attributes.iter().rev().find(|found| key_of(found.value) == Some(name));
        let field = format!("{prefix}.{row}");
        match found.map(|found| (found, found.origin("/Value").unwrap_or(Origin::Explicit))) {
            Some((found, Origin::Unresolved)) => {
                import.row(field, Value::Null, Origin::Unresolved, found.line("/Value"));
                import.needs.push(format!("{prefix}.{row}, which is given elsewhere ({default} is the default)"));
            }
            Some((found, origin)) => match found.value.get("Value").and_then(number) {
                Some(seconds) => {
                    group.insert(name, seconds);
                    import.row(field, seconds, origin, found.line("/Value"));
                }
                None => import.row(field, default, Origin::Default, None),
            },
            None => import.row(field, default, Origin::Default, None),
        }
    }
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
