//! The choice of platform and strategy in one list. What has a counterpart under the other one is kept, and what has none
//! is said.

use rollscope_engine::platform::ecs::strategy::ShiftKind;
use rollscope_scenario::Value;
use rollscope_scenario::edit::{self, Platform};
use yew::prelude::*;

use super::field::{problem, select};
use crate::app::model::Msg;
use crate::form::Form;
use crate::link::Opened;
use crate::text::{self, Label, t};

/// Where the strategy of a service stands.
const STRATEGY: &str = "/service/deploymentConfiguration/strategy";
/// Where that of a Deployment stands, and its dials, which Recreate has no use for.
const TYPE: &str = "/service/strategy/type";
const ROLLING: &str = "/service/strategy/rollingUpdate";

/// A way to deploy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Amazon ECS: a rolling update, or traffic that is shifted.
    Ecs(Option<ShiftKind>),
    /// A Kubernetes Deployment with Recreate.
    Recreate,
    /// Another platform, the usual way.
    Other(Platform),
}

/// All of them in the order of the list.
const WAYS: [Way; 11] = [
    Way::Ecs(None),
    Way::Ecs(Some(ShiftKind::BlueGreen)),
    Way::Ecs(Some(ShiftKind::Linear)),
    Way::Ecs(Some(ShiftKind::Canary)),
    Way::Other(Platform::Kubernetes),
    Way::Recreate,
    Way::Other(Platform::StatefulSet),
    Way::Other(Platform::DaemonSet),
    Way::Other(Platform::InstanceRefresh),
    Way::Other(Platform::Mig),
    Way::Other(Platform::Vmss),
];

impl Way {
    fn of(tree: &Value) -> Way {
        match Platform::of(tree) {
            Some(Platform::Kubernetes) if tree.pointer(TYPE).and_then(Value::as_str) == Some("Recreate") => {
                Way::Recreate
            }
            None | Some(Platform::Ecs) => Way::Ecs(edit::strategy(tree)),
            Some(platform) => Way::Other(platform),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Way::Ecs(kind) => text::platform(kind),
            Way::Recreate => t(Label::KubernetesRecreate),
            Way::Other(platform) => text::platform_name(platform),
        }
    }

    const fn platform(self) -> Platform {
        match self {
            Way::Ecs(_) => Platform::Ecs,
            Way::Recreate => Platform::Kubernetes,
            Way::Other(platform) => platform,
        }
    }

    /// What it changes in a document of its platform.
    fn fields(self, tree: &Value) -> edit::Fields {
        match self {
            Way::Ecs(kind) => edit::with_strategy(tree, kind),
            Way::Recreate => vec![(TYPE.into(), "Recreate".into()), (ROLLING.into(), Value::Null)],
            Way::Other(Platform::Kubernetes) => vec![(TYPE.into(), Value::Null)],
            Way::Other(_) => Vec::new(),
        }
    }
}

/// What a choice does to the scenario that is open.
fn message(tree: &Value, way: Way) -> Option<Msg> {
    let now = Way::of(tree);
    if now == way {
        return None;
    }
    Some(match now.platform() == way.platform() {
        true => Msg::Choose(way.fields(tree)),
        false => Msg::Open(Box::new(Opened::moved(tree, way.platform(), |there| way.fields(there))), true),
    })
}

/// The list.
pub fn choice(form: &Form, on: &Callback<Msg>) -> Html {
    let now = Way::of(form.wanted());
    let options = WAYS.map(|way| (way.name(), way == now));
    let choose = {
        let (on, tree) = (on.clone(), form.wanted().clone());
        move |index: usize| {
            if let Some(msg) = WAYS.get(index).and_then(|way| message(&tree, *way)) {
                on.emit(msg);
            }
        }
    };
    let at = if now.platform() == Platform::Ecs { STRATEGY } else { TYPE };
    html! {
        <div class="field platform">
            { select("strategy", t(Label::Strategy), &options, choose) }
            { problem(form.problem(at), t(Label::Strategy), "strategy", on) }
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_scenario::Document;

    #[test]
    fn each_way_can_be_chosen_from_each_other() {
        for from in WAYS {
            let mut form = Form::new(&Document::from_text(r#"{"service":{"desiredCount":4}}"#).document);
            let mut reach = |way: Way| {
                let tree = match message(form.wanted(), way) {
                    Some(Msg::Choose(fields)) => {
                        form.set_all(fields.iter().map(|(pointer, value)| (pointer.as_str(), value.clone())));
                        return form.wanted().clone();
                    }
                    Some(Msg::Open(opened, true)) => opened.document.clone(),
                    _ => return form.wanted().clone(),
                };
                form = Form::new(&tree);
                form.wanted().clone()
            };
            for way in [from].into_iter().chain(WAYS) {
                reach(from);
                let tree = reach(way);
                assert!(Way::of(&tree) == way, "{} from {}", way.name(), from.name());
            }
            assert!(form.accepted().is_some() && !form.refused(), "{:?}", form.problems());
        }
    }

    #[test]
    fn a_move_says_what_became_of_the_fields() {
        let text = r#"{"service":{"desiredCount":4,"healthCheckGracePeriodSeconds":30}}"#;
        let form = Form::new(&Document::from_text(text).document);
        let Some(Msg::Open(opened, true)) = message(form.wanted(), Way::Other(Platform::Kubernetes)) else {
            panic!("it moves");
        };
        let said: Vec<&str> = opened.warnings.iter().map(|warning| warning.allowed.as_str()).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(
            said[0].contains("desiredCount as replicas") && said[1].contains("healthCheckGracePeriodSeconds"),
            "{said:?}"
        );
    }
}
