//! Resources of Terraform's provider `hashicorp/aws`, as `terraform fmt` writes them.

use rollscope_scenario::json::Value;

use super::ecs::{self, Said};
use super::{Export, NoteKind};

/// Fields of the deployment configuration that are attributes or blocks of the resource itself.
const OF_RESOURCE: [(&str, &str); 4] = [
    ("minimumHealthyPercent", "deployment_minimum_healthy_percent"),
    ("maximumPercent", "deployment_maximum_percent"),
    ("deploymentCircuitBreaker", "deployment_circuit_breaker"),
    ("alarms", "alarms"),
];
/// Lists that are a block for each item.
const BLOCKS: [(&str, &str); 4] = [
    ("loadBalancers", "load_balancer"),
    ("capacityProviderStrategy", "capacity_provider_strategy"),
    ("serviceRegistries", "service_registries"),
    ("lifecycleHooks", "lifecycle_hook"),
];
/// Members for which the resource has no argument, by the block they stand in.
const NO_PLACE: [(&str, &str); 5] = [
    ("deployment_configuration", "earlySuccessCriteria"),
    ("deployment_circuit_breaker", "resetOnHealthyTask"),
    ("deployment_circuit_breaker", "thresholdConfiguration"),
    ("lifecycle_hook", "targetType"),
    ("lifecycle_hook", "timeoutConfiguration"),
];
/// Fields of a target group, by the block they stand in.
const GROUP: [(&str, &str, bool); 8] = [
    ("protocol", "protocol", false),
    ("deregistration_delay.timeout_seconds", "deregistration_delay", false),
    ("slow_start.duration_seconds", "slow_start", false),
    ("healthCheckProtocol", "protocol", true),
    ("healthCheckIntervalSeconds", "interval", true),
    ("healthCheckTimeoutSeconds", "timeout", true),
    ("healthyThresholdCount", "healthy_threshold", true),
    ("unhealthyThresholdCount", "unhealthy_threshold", true),
];

/// The inside of a block: attributes as text, then blocks.
#[derive(Default)]
struct Block {
    attributes: Vec<(String, String)>,
    blocks: Vec<(String, Block)>,
}

/// The resources that have to be said.
pub fn write(said: &Said, export: &mut Export) {
    let label = label(said.name.as_deref().unwrap_or("service"));
    let many = said.groups.len() > 1;
    let group_label = |index: usize| if many { format!("{label}_{}", index + 1) } else { label.clone() };
    let mut resources = Vec::new();
    let service = service(said, &label, &group_label, export);
    if !service.is_empty() {
        resources.push(resource("aws_ecs_service", &label, &service));
    }
    for (index, (_, group)) in said.groups.iter().enumerate() {
        let own = of_group(group);
        if !own.is_empty() || said.whole {
            resources.push(resource("aws_lb_target_group", &group_label(index), &own));
        }
    }
    if !said.containers.is_empty() {
        let one = |(name, fields): &(String, Value)| {
            let mut own = Value::object([("name", Value::from(name.as_str()))]);
            for (key, value) in fields.as_object().unwrap_or_default() {
                own.insert(key.as_str(), value.clone());
            }
            own
        };
        let all = Value::array(said.containers.iter().map(one));
        let mut own = Block::default();
        if said.whole {
            own.attributes
                .push(("family".into(), expression(&said.name.clone().unwrap_or_else(|| label.clone()).into(), 1)));
        }
        own.attributes.push(("container_definitions".into(), format!("jsonencode({})", expression(&all, 1))));
        resources.push(resource("aws_ecs_task_definition", &label, &own));
    }
    export.text = resources.join("\n");
}

fn service(said: &Said, label: &str, group_label: &dyn Fn(usize) -> String, export: &mut Export) -> Block {
    let mut own = Block::default();
    if let Some(name) = said.name.as_ref().filter(|_| said.whole) {
        own.attributes.push(("name".into(), expression(&name.as_str().into(), 1)));
    }
    if said.whole && !said.containers.is_empty() {
        own.attributes.push(("task_definition".into(), format!("aws_ecs_task_definition.{label}.arn")));
    }
    let mut fields = said.service.clone();
    let refer = |index: usize| reference(&format!("aws_lb_target_group.{}.arn", group_label(index)));
    if let Some(given) = said.service.get("loadBalancers") {
        fields.insert("loadBalancers", ecs::attached(given, refer));
    }
    if said.whole && !said.groups.is_empty() {
        let given = fields.get("loadBalancers").and_then(Value::as_array).unwrap_or_default().to_vec();
        let attached = (0..said.groups.len()).map(|index| {
            let mut one = given.get(index).cloned().unwrap_or_else(Value::empty_object);
            one.insert("targetGroupArn", refer(index));
            one
        });
        fields.insert("loadBalancers", Value::array(attached));
    }
    let configuration = fields.get("deploymentConfiguration").cloned().unwrap_or_default();
    for (key, name) in OF_RESOURCE {
        if let Some(value) = configuration.get(key) {
            own.put(name, value, export);
        }
    }
    for (key, value) in
        fields.as_object().unwrap_or_default().iter().filter(|(key, _)| key != "deploymentConfiguration")
    {
        own.field(key, value, export);
    }
    let rest = configuration.as_object().unwrap_or_default().iter();
    let rest = rest.filter(|(key, _)| OF_RESOURCE.iter().all(|(known, _)| known != key));
    let mut inner = Block::default();
    for (key, value) in rest {
        inner.member("deployment_configuration", key, value, export);
    }
    if !inner.is_empty() {
        own.blocks.push(("deployment_configuration".into(), inner));
    }
    own
}

fn of_group(group: &Value) -> Block {
    let (mut own, mut check) = (Block::default(), Block::default());
    for (key, name, inside) in GROUP {
        if let Some(value) = group.get(key) {
            let block = if inside { &mut check } else { &mut own };
            block.attributes.push((name.into(), expression(value, 1)));
        }
    }
    if !check.is_empty() {
        own.blocks.push(("health_check".into(), check));
    }
    own
}

impl Block {
    fn is_empty(&self) -> bool {
        self.attributes.is_empty() && self.blocks.is_empty()
    }

    /// A member of a block, if there is an argument for it.
    fn member(&mut self, of: &str, key: &str, value: &Value, export: &mut Export) {
        if NO_PLACE.contains(&(of, key)) {
            export.note(NoteKind::NoPlace, key);
        } else {
            self.field(key, value, export);
        }
    }

    /// A field under its own name: a list of structures as blocks, a structure as a block, anything else as an attribute.
    fn field(&mut self, key: &str, value: &Value, export: &mut Export) {
        let list = BLOCKS.iter().find(|(known, _)| *known == key).map(|(_, name)| *name);
        match (list, value) {
            // No block at all is what says that there are none: a text cannot take one out.
            (Some(_), Value::Array(items)) if items.is_empty() => export.note(NoteKind::Dropped, key),
            (Some(name), Value::Array(items)) => items.iter().for_each(|item| self.put(name, item, export)),
            _ => self.put(&words(key, '_'), value, export),
        }
    }

    fn put(&mut self, name: &str, value: &Value, export: &mut Export) {
        match value {
            Value::Object(entries) if value.get("Ref").is_none() => {
                let mut block = Block::default();
                for (key, member) in entries {
                    block.member(name, key, member, export);
                }
                self.blocks.push((name.to_owned(), block));
            }
            value => self.attributes.push((name.to_owned(), expression(value, 1))),
        }
    }

    /// The lines of the inside.
    fn lines(&self, depth: usize, out: &mut String) {
        let indent = "  ".repeat(depth);
        aligned(&self.attributes, &indent, out);
        for (index, (name, block)) in self.blocks.iter().enumerate() {
            if index > 0 || !self.attributes.is_empty() {
                out.push('\n');
            }
            block.whole(&indent, name, depth, out);
        }
    }

    fn whole(&self, indent: &str, head: &str, depth: usize, out: &mut String) {
        if self.is_empty() {
            out.push_str(&format!("{indent}{head} {{}}\n"));
            return;
        }
        out.push_str(&format!("{indent}{head} {{\n"));
        self.lines(depth + 1, out);
        out.push_str(&format!("{indent}}}\n"));
    }
}

/// Names with their values; the signs of equality of lines that follow each other stand below each other.
fn aligned(members: &[(String, String)], indent: &str, out: &mut String) {
    let single = |member: &&(String, String)| !member.1.contains('\n');
    let mut rest = members;
    while let Some((name, value)) = rest.first() {
        let (run, behind) = rest.split_at(rest.iter().take_while(single).count());
        let width = run.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        for (name, value) in run {
            out.push_str(&format!("{indent}{name:width$} = {value}\n"));
        }
        rest = behind;
        if run.is_empty() {
            out.push_str(&format!("{indent}{name} = {value}\n"));
            rest = &rest[1..];
        }
    }
}

fn resource(kind: &str, label: &str, inside: &Block) -> String {
    let mut out = String::new();
    inside.whole("", &format!("resource \"{kind}\" \"{label}\""), 0, &mut out);
    out
}

/// A reference, in the place of a value.
fn reference(text: &str) -> Value {
    Value::object([("Ref", Value::from(text))])
}

/// A value as an expression. A list of structures takes a line for each member.
fn expression(value: &Value, depth: usize) -> String {
    let indent = "  ".repeat(depth);
    match value {
        Value::Object(_) if value.get("Ref").is_some() => {
            value.get("Ref").and_then(Value::as_str).unwrap_or_default().to_owned()
        }
        Value::Object(entries) => {
            let members: Vec<(String, String)> =
                entries.iter().map(|(key, member)| (key.clone(), expression(member, depth + 1))).collect();
            let mut inside = String::new();
            aligned(&members, &format!("{indent}  "), &mut inside);
            format!("{{\n{inside}{indent}}}")
        }
        Value::Array(items) => {
            format!("[{}]", items.iter().map(|item| expression(item, depth)).collect::<Vec<_>>().join(", "))
        }
        Value::String(text) => Value::from(text.as_str()).to_string().replace("${", "$${").replace("%{", "%%{"),
        scalar => scalar.to_string(),
    }
}

/// `desiredCount` as `desired_count` or `desired-count`.
pub fn words(name: &str, between: char) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            out.push(between);
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}

/// A name as a label: letters, digits, `_` and `-`, not with a digit first.
fn label(name: &str) -> String {
    let label: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' }).collect();
    if label.starts_with(|c: char| c.is_ascii_alphabetic()) { label } else { format!("service_{label}") }
}
