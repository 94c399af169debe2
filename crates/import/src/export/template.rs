//! Resources of a CloudFormation template.

use rollscope_scenario::json::Value;

use super::ecs::{self, Said};
use super::{Export, NoteKind, yaml};

/// The resources that have to be said, in one `Resources`.
pub fn write(said: &Said, export: &mut Export) {
    let id = id(said.name.as_deref().unwrap_or("Service"));
    let none = Value::empty_object();
    let many = said.groups.len() > 1;
    let group_id =
        |index: usize| if many { format!("{id}TargetGroup{}", index + 1) } else { format!("{id}TargetGroup") };
    let mut properties = Value::empty_object();
    if let Some(name) = said.name.as_ref().filter(|_| said.whole) {
        properties.insert("ServiceName", name.as_str());
    }
    if !said.containers.is_empty() && said.whole {
        properties.insert("TaskDefinition", reference(&format!("{id}TaskDefinition")));
    }
    for (key, value) in said.service.as_object().unwrap_or_default() {
        match key.as_str() {
            // There it is a number that changes, not a switch.
            "forceNewDeployment" => export.note(NoteKind::NoPlace, key.as_str()),
            "loadBalancers" => {
                properties.insert("LoadBalancers", named(&ecs::attached(value, |index| reference(&group_id(index)))));
            }
            key => properties.insert(pascal(key), named(value)),
        }
    }
    if said.whole && !said.groups.is_empty() {
        let own = properties.get("LoadBalancers").and_then(Value::as_array).unwrap_or_default().to_vec();
        let attached = (0..said.groups.len()).map(|index| {
            let mut one = own.get(index).cloned().unwrap_or_else(Value::empty_object);
            one.insert("TargetGroupArn", reference(&group_id(index)));
            one
        });
        properties.insert("LoadBalancers", Value::array(attached));
    }
    let mut resources = Value::empty_object();
    if properties != none {
        resources.insert(id.as_str(), resource("AWS::ECS::Service", properties));
    }
    for (index, (_, group)) in said.groups.iter().enumerate() {
        if *group != none || said.whole {
            resources.insert(group_id(index), resource("AWS::ElasticLoadBalancingV2::TargetGroup", of_group(group)));
        }
    }
    if !said.containers.is_empty() {
        let one = |(name, fields): &(String, Value)| {
            let mut own = Value::object([("Name", Value::from(name.as_str()))]);
            for (key, value) in fields.as_object().unwrap_or_default() {
                own.insert(pascal(key), named(value));
            }
            own
        };
        let all = Value::array(said.containers.iter().map(one));
        let definition = Value::object([("ContainerDefinitions", all)]);
        resources.insert(format!("{id}TaskDefinition"), resource("AWS::ECS::TaskDefinition", definition));
    }
    if resources != none {
        export.text = yaml::text(&Value::object([("Resources", resources)]));
    }
}

fn resource(kind: &str, properties: Value) -> Value {
    let mut resource = Value::object([("Type", Value::from(kind))]);
    if properties != Value::empty_object() {
        resource.insert("Properties", properties);
    }
    resource
}

fn reference(id: &str) -> Value {
    Value::object([("Ref", Value::from(id))])
}

/// A target group: fields, and attributes by key and value, both texts.
fn of_group(group: &Value) -> Value {
    let mut own = Value::empty_object();
    let mut attributes = Vec::new();
    for (key, value) in group.as_object().unwrap_or_default() {
        if key.contains('.') {
            attributes.push(Value::object([("Key", Value::from(key.as_str())), ("Value", value.to_string().into())]));
        } else {
            own.insert(pascal(key), value.clone());
        }
    }
    if !attributes.is_empty() {
        own.insert("TargetGroupAttributes", Value::Array(attributes));
    }
    own
}

/// The same tree under the names of CloudFormation.
fn named(value: &Value) -> Value {
    match value {
        Value::Object(entries) => Value::object(entries.iter().map(|(key, member)| (pascal(key), named(member)))),
        Value::Array(items) => Value::array(items.iter().map(named)),
        scalar => scalar.clone(),
    }
}

/// `desiredCount` as `DesiredCount`.
fn pascal(name: &str) -> String {
    let mut letters = name.chars();
    letters.next().map_or_else(String::new, |first| first.to_ascii_uppercase().to_string() + letters.as_str())
}

/// A name as a logical id: letters and digits, each part with a capital.
fn id(name: &str) -> String {
    let parts = name.split(|c: char| !c.is_ascii_alphanumeric()).map(pascal);
    let id: String = parts.collect();
    if id.starts_with(|c: char| c.is_ascii_alphabetic()) { id } else { format!("Service{id}") }
}
