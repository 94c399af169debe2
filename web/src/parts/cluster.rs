//! A cluster: instances in kinds, what a task takes of them, placement, the capacity provider.

use rollscope_engine::mechanism::host::{Host, HostState};
use rollscope_engine::settings::{Capacity, Cluster, HostSpec};
use rollscope_scenario::{Value, edit};
use yew::prelude::*;

use super::field::{
    Cell, cells, choice, choose_button, entry_head, id, list_row, problem, toggle, with_entry, without_entry,
};
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

const INSTANCES: &str = "/capacity/instances";
const TASK: &str = "/capacity/task";
const PROVIDER: &str = "/capacity/provider";
const SCHEDULING: &str = "/service/schedulingStrategy";
const STRATEGY: &str = "/service/placementStrategy";
const CONSTRAINTS: &str = "/service/placementConstraints";
const MODES: [&str; 4] = ["bridge", "host", "awsvpc", "none"];
/// The mode in which a task has an interface and ports of its own.
const OWN_INTERFACE: &str = "awsvpc";
const ZONES: &str = "attribute:ecs.availability-zone";
/// Orders of placement: type and field of each entry. The first one is that of a service without any.
const ORDERS: [(&[(&str, &str)], Label); 6] = [
    (&[], Label::PlaceDefault),
    (&[("spread", "instanceId")], Label::PlaceSpread),
    (&[("binpack", "cpu")], Label::PlacePackCpu),
    (&[("binpack", "memory")], Label::PlacePackMemory),
    (&[("spread", ZONES), ("binpack", "cpu")], Label::PlaceZonesCpu),
    (&[("spread", ZONES), ("binpack", "memory")], Label::PlaceZonesMemory),
];

/// All fields of a cluster.
pub fn fields(form: &Form, on: &Callback<Msg>) -> Html {
    let kinds = form.wanted().pointer(INSTANCES).and_then(Value::as_array).map_or(0, <[Value]>::len);
    let cluster = form.accepted().and_then(|accepted| match &accepted.resolved.settings.capacity {
        Capacity::Ec2(cluster) => Some(&**cluster),
        _ => None,
    });
    let tree = form.wanted().clone();
    let whole = form.problem(INSTANCES).filter(|found| found.field == INSTANCES);
    html! {
        <>
            { toggle(form, SCHEDULING, t(Label::Daemon), edit::is_daemon(form.wanted()), move |on| edit::daemon(&tree, on), on) }
            { for (0..kinds).map(|index| kind(form, index, kinds, cluster, on)) }
            { problem(whole, t(Label::RoomInstances), "instances", on) }
            <div>{ choose_button(t(Label::AddInstances), vec![with_entry(form, INSTANCES, Value::empty_object())], on) }</div>
            { task(form, cluster, on) }
            { order(form, on) }
            { distinct(form, on) }
            { provider(form, on) }
        </>
    }
}

/// The instances of one kind in the cluster that was accepted.
fn of_kind<'a>(form: &Form, index: usize, cluster: Option<&'a Cluster>) -> &'a [HostSpec] {
    let count = |index: usize| {
        let given = form.wanted().pointer(&format!("{INSTANCES}/{index}/count")).and_then(Value::as_i64);
        given.map_or(1, |count| usize::try_from(count).unwrap_or(0))
    };
    let from: usize = (0..index).map(count).sum();
    cluster.and_then(|cluster| cluster.hosts.get(from..from + count(index))).unwrap_or_default()
}

fn kind(form: &Form, index: usize, kinds: usize, cluster: Option<&Cluster>, on: &Callback<Msg>) -> Html {
    let at = format!("{INSTANCES}/{index}");
    let title = if kinds > 1 { text::instances_title(index + 1) } else { t(Label::InstancesOne).to_owned() };
    let cell = |key: &str, name: Label| Cell::number(form, format!("{at}/{key}"), text::entry_field(&title, t(name)));
    let none = |key: &str, name: Label, kind: FieldKind, placeholder: &str| {
        let (pointer, name) = (format!("{at}/{key}"), text::entry_field(&title, t(name)));
        Cell { pointer, name, kind, placeholder: placeholder.into() }
    };
    let used = [
        none("used/cpu", Label::UsedCpu, FieldKind::Number, "0"),
        none("used/memory", Label::UsedMemory, FieldKind::Number, "0"),
    ];
    let hosts = of_kind(form, index, cluster);
    let room =
        cluster.zip(hosts.first()).map(|(cluster, host)| Host::new(*host, HostState::Active).fits(&cluster.needs));
    let by_port = form.is_given(&format!("{TASK}/hostPorts")) || form.is_given(&format!("{at}/used/hostPorts"));
    let own = form.text(&format!("{TASK}/networkMode")) == OWN_INTERFACE;
    html! {
        <>
            if kinds > 1 { { entry_head(&title, vec![without_entry(form, INSTANCES, index)], on) } }
            { cells(form, t(Label::InstanceCount), &[cell("count", Label::InstanceCount)], "", on) }
            { cells(form, t(Label::InstanceSize), &[cell("cpu", Label::CpuUnits), cell("memory", Label::MemoryMib)], "", on) }
            { cells(form, t(Label::InstanceUsed), &used, "", on) }
            if by_port { { list_row(form, &format!("{at}/used/hostPorts"), t(Label::InstancePorts), &text::entry_field(&title, t(Label::InstancePorts)), on) } }
            if own { { cells(form, t(Label::InstanceInterfaces), &[none("interfaces", Label::InstanceInterfaces, FieldKind::Number, t(Label::NoLimit))], "", on) } }
            { zone(form, &at, on) }
            { cells(form, t(Label::InstanceAt), &[none("at", Label::InstanceAt, FieldKind::Duration, "0s")], "", on) }
            if let Some(room) = room { <p class="hint sum">{ text::instances_sum(hosts, room) }</p> }
        </>
    }
}

fn zone(form: &Form, at: &str, on: &Callback<Msg>) -> Html {
    let pointer = format!("{at}/zone");
    let now = form.wanted().pointer(&pointer).and_then(Value::as_i64);
    let zones: Vec<String> = (0..3).map(text::zone).collect();
    let choose = {
        let pointer = pointer.clone();
        move |index: usize| {
            let value = (index as i64).checked_sub(1).filter(|zone| *zone >= 0).map_or(Value::Null, Value::from);
            vec![(pointer.clone(), value)]
        }
    };
    let option = |words: &str, here: bool| html! { <option selected={here}>{ words.to_owned() }</option> };
    let change = {
        let on = on.clone();
        move |event: Event| {
            use web_sys::HtmlSelectElement;
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(-1, |select| select.selected_index());
            if let Ok(index) = usize::try_from(index) {
                on.emit(Msg::Choose(choose(index)));
            }
        }
    };
    html! {
        <div class="field">
            <div class="row">
                <label for={id(&pointer)}>{ t(Label::InstanceZone) }</label>
                <select class="select" id={id(&pointer)} onchange={change}>
                    { option(t(Label::ZonesInTurn), now.is_none()) }
                    { for zones.iter().enumerate().map(|(index, words)| option(words, now == Some(index as i64))) }
                </select>
            </div>
            { problem(form.problem(&pointer), t(Label::InstanceZone), &id(&pointer), on) }
        </div>
    }
}

/// What one task takes of its instance.
fn task(form: &Form, cluster: Option<&Cluster>, on: &Callback<Msg>) -> Html {
    let cell = |key: &str, name: Label| {
        Cell::number(form, format!("{TASK}/{key}"), text::entry_field(t(Label::TaskSize), t(name)))
    };
    let mode = format!("{TASK}/networkMode");
    let written = form.text(&mode);
    let now = MODES.iter().position(|name| *name == written).unwrap_or(0);
    let options: Vec<(&'static str, bool)> = MODES.iter().enumerate().map(|(i, name)| (*name, i == now)).collect();
    let choose = {
        let mode = mode.clone();
        move |index: usize| {
            let value = MODES.get(index).filter(|_| index > 0).map_or(Value::Null, |name| Value::from(*name));
            vec![(mode.clone(), value)]
        }
    };
    html! {
        <>
            <h3>{ t(Label::TaskSize) }</h3>
            { cells(form, t(Label::InstanceSize), &[cell("cpu", Label::CpuUnits), cell("memory", Label::MemoryMib)], "", on) }
            if let Some(cluster) = cluster { <p class="hint sum">{ text::task_sum(cluster.needs.cpu, cluster.needs.memory) }</p> }
            <div class="field">
                { choice(&id(&mode), t(Label::NetworkMode), &options, choose, on) }
                { problem(form.problem(&mode), t(Label::NetworkMode), &id(&mode), on) }
            </div>
            if MODES[now] != OWN_INTERFACE || form.is_given(&format!("{TASK}/hostPorts")) {
                { list_row(form, &format!("{TASK}/hostPorts"), t(Label::HostPorts), t(Label::HostPorts), on) }
            }
        </>
    }
}

/// Which of the plain orders a service has; absent where only the document says it.
fn ordered(form: &Form) -> Option<usize> {
    let list = form.wanted().pointer(STRATEGY).and_then(Value::as_array).unwrap_or_default();
    let word =
        |entry: &Value, key: &str| entry.get(key).and_then(Value::as_str).unwrap_or_default().to_ascii_lowercase();
    let is = |order: &[(&str, &str)]| {
        let same = |(entry, (kind, field)): (&Value, &(&str, &str))| {
            word(entry, "type") == *kind && word(entry, "field") == field.to_ascii_lowercase()
        };
        list.len() == order.len() && list.iter().zip(order).all(same)
    };
    ORDERS.iter().position(|(order, _)| is(order))
}

fn of_order(order: &[(&str, &str)]) -> Value {
    if order.is_empty() {
        return Value::Null;
    }
    let entry =
        |(kind, field): &(&str, &str)| Value::object([("type", Value::from(*kind)), ("field", Value::from(*field))]);
    Value::array(order.iter().map(entry))
}

fn order(form: &Form, on: &Callback<Msg>) -> Html {
    let now = ordered(form);
    let mut options: Vec<(&'static str, bool)> =
        ORDERS.iter().enumerate().map(|(i, (_, label))| (t(*label), Some(i) == now)).collect();
    if now.is_none() {
        options.push((t(Label::PlaceOther), true));
    }
    let choose = |index: usize| {
        let order = ORDERS.get(index).map(|(order, _)| (STRATEGY.to_owned(), of_order(order)));
        order.into_iter().collect()
    };
    choice("placement", t(Label::PlacementSection), &options, choose, on)
}

fn is_distinct(entry: &Value) -> bool {
    entry.get("type").and_then(Value::as_str).is_some_and(|kind| kind.eq_ignore_ascii_case("distinctInstance"))
}

fn distinct(form: &Form, on: &Callback<Msg>) -> Html {
    let list = form.wanted().pointer(CONSTRAINTS).and_then(Value::as_array).unwrap_or_default().to_vec();
    let is_on = list.iter().any(is_distinct);
    let flip = move |on: bool| {
        let others = list.iter().filter(|entry| !is_distinct(entry)).cloned();
        let own = on.then(|| Value::object([("type", Value::from("distinctInstance"))]));
        let all: Vec<Value> = others.chain(own).collect();
        vec![(CONSTRAINTS.into(), if all.is_empty() { Value::Null } else { Value::Array(all) })]
    };
    toggle(form, CONSTRAINTS, t(Label::Distinct), is_on, flip, on)
}

fn provider(form: &Form, on: &Callback<Msg>) -> Html {
    let is_on = form.is_given(PROVIDER);
    let most = Cell {
        pointer: format!("{PROVIDER}/max"),
        name: t(Label::ProviderMax).into(),
        kind: FieldKind::Number,
        placeholder: t(Label::NoLimit).into(),
    };
    let after = format!("{PROVIDER}/arrives_after");
    let arrives = Cell {
        placeholder: form.default_text(&after).unwrap_or_default(),
        pointer: after,
        name: t(Label::ProviderAfter).into(),
        kind: FieldKind::Duration,
    };
    html! {
        <>
            { toggle(form, PROVIDER, t(Label::Provider), is_on,
                |on| vec![(PROVIDER.into(), if on { Value::empty_object() } else { Value::Null })], on) }
            if is_on {
                { cells(form, t(Label::ProviderMax), &[most], "", on) }
                { cells(form, t(Label::ProviderAfter), &[arrives], "", on) }
            }
        </>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::Document;

    use super::*;

    #[test]
    fn every_order_is_written_as_it_was_read() {
        let text = r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":3}]}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        for (index, (order, _)) in ORDERS.iter().enumerate() {
            form.set(STRATEGY, of_order(order));
            assert!(!form.refused(), "{:?}", form.problems());
            assert_eq!(ordered(&form), Some(index));
            let accepted = form.accepted().expect("accepted");
            assert!(accepted.resolved.not_simulated.is_empty(), "each of them is simulated");
        }
    }

    #[test]
    fn a_provider_without_fields_of_its_own_stays() {
        let text = r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":3}],"provider":{"max":5}}}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        form.type_into("/capacity/provider/max", FieldKind::Number, "");
        assert!(form.is_given(PROVIDER) && !form.refused());
    }

    #[test]
    fn a_kind_of_instances_is_told_with_its_room() {
        let text =
            r#"{"service":{"desiredCount":4},"capacity":{"instances":[{"count":3},{"count":2,"cpu":512,"zone":1}]}}"#;
        let form = Form::new(&Document::from_text(text).document);
        let Capacity::Ec2(cluster) = &form.accepted().expect("accepted").resolved.settings.capacity else {
            panic!("a cluster")
        };
        assert_eq!(of_kind(&form, 0, Some(cluster)).len(), 3);
        let second = of_kind(&form, 1, Some(cluster));
        assert_eq!((second.len(), second[0].cpu, second[0].zone), (2, 512, 1));
    }
}
