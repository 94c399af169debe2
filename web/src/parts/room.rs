//! Capacity: where tasks find room.

use rollscope_engine::settings::Capacity;
use rollscope_scenario::edit::{self, Room};
use rollscope_scenario::{Value, json};
use yew::prelude::*;

use super::field::{Cell, cells, choice, problem, toggle};
use super::sections::Section;
use super::{cluster, places};
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Instances, or when Fargate has no capacity.
pub const CAPACITY: &str = "/capacity";
const OUTAGES: &str = "/capacity/unavailable";
const REBALANCING: &str = "/service/availabilityZoneRebalancing";
/// Where tasks run and who places them, beside the instances themselves.
pub const AROUND: [&str; 6] = [
    "/service/launchType",
    "/service/schedulingStrategy",
    "/service/placementStrategy",
    "/service/placementConstraints",
    "/service/managedScaling",
    REBALANCING,
];
/// A span without capacity as it is added.
const OUTAGE: &str = r#"[{"from":"0s","until":"10m"}]"#;

fn kind_words(room: Room) -> &'static str {
    t(match room {
        Room::Unlimited => Label::RoomUnlimited,
        Room::Places => Label::RoomPlaces,
        Room::Fargate => Label::RoomFargate,
        Room::Instances => Label::RoomInstances,
    })
}

/// True when a problem of this field is shown here.
pub fn shows(field: &str) -> bool {
    AROUND.iter().chain(&[CAPACITY, places::PLACES, places::PROVIDERS]).any(|pointer| field.starts_with(pointer))
}

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let now = edit::room(form.wanted());
    let outages = form.wanted().pointer(OUTAGES).and_then(Value::as_array).map_or(0, <[Value]>::len);
    let value = match (now, form.accepted().map(|accepted| &accepted.resolved.settings.capacity)) {
        (Room::Places, _) => places::value(form),
        (Room::Fargate, _) => text::fargate_value(outages).to_owned(),
        (Room::Instances, Some(Capacity::Ec2(cluster))) => text::cluster_value(&cluster.hosts),
        _ => t(Label::NoLimit).to_owned(),
    };
    let all = || AROUND.iter().chain(&[CAPACITY, places::PLACES]);
    let wrong = all().any(|pointer| form.problem(pointer).is_some());
    let changed = now != Room::Unlimited || form.is_given(REBALANCING);
    let zones = matches!(now, Room::Fargate | Room::Instances) && !edit::is_daemon(form.wanted());
    let placed = matches!(now, Room::Fargate | Room::Instances);
    let on_ecs =
        [(placed, Label::RoomKind, AROUND[0]), (zones || form.is_given(REBALANCING), Label::Rebalancing, REBALANCING)];
    let on_ecs: Vec<_> =
        on_ecs.into_iter().filter(|(shown, ..)| *shown).map(|(_, label, at)| (Some(label), at)).collect();
    html! {
        <Section name={t(Label::RoomSection)} {value} {changed} {wrong} {on_ecs}>
            { kind(form, now, on) }
            { match now {
                Room::Unlimited => html! { <p class="hint">{ t(Label::RoomLead) }</p> },
                Room::Places => places::fields(form, on),
                Room::Fargate => fargate(form, outages, on),
                Room::Instances => cluster::fields(form, on),
            } }
            if zones || form.is_given(REBALANCING) {
                { toggle(form, REBALANCING, t(Label::Rebalancing), form.text(REBALANCING) == "ENABLED",
                    |on| vec![(REBALANCING.into(), if on { "ENABLED".into() } else { Value::Null })], on) }
            }
            { problem(form.problem("/service/launchType"), t(Label::RoomKind), "room-kind", on) }
        </Section>
    }
}

fn kind(form: &Form, now: Room, on: &Callback<Msg>) -> Html {
    let options = Room::ALL.map(|room| (kind_words(room), room == now));
    let tree = form.wanted().clone();
    let choose = move |index: usize| Room::ALL.get(index).map(|room| edit::with_room(&tree, *room)).unwrap_or_default();
    choice("room-kind", t(Label::RoomKind), &options, choose, on)
}

/// The launch quota, and spans in which Fargate has none to give.
fn fargate(form: &Form, outages: usize, on: &Callback<Msg>) -> Html {
    let flip = |on: bool| {
        let spans = json::read(OUTAGE).map_or(Value::Null, |read| read.value);
        vec![(OUTAGES.into(), if on { spans } else { Value::Null })]
    };
    let span = |index: usize| {
        let cell = |key: &str, label: Label| {
            let pointer = format!("{OUTAGES}/{index}/{key}");
            let placeholder = if key == "from" { "0s" } else { t(Label::AlarmNever) };
            Cell { pointer, name: t(label).into(), kind: FieldKind::Duration, placeholder: placeholder.into() }
        };
        cells(
            form,
            t(Label::OutageFrom),
            &[cell("from", Label::OutageFrom), cell("until", Label::OutageUntil)],
            t(Label::OutageUntil),
            on,
        )
    };
    html! {
        <>
            <p class="hint">{ t(Label::RoomOnFargate) }</p>
            { toggle(form, OUTAGES, t(Label::FargateShort), outages > 0, flip, on) }
            { for (0..outages).map(span) }
        </>
    }
}
