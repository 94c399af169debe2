//! Requests to the service over time, and target tracking on them.

use rollscope_scenario::{Value, edit};
use yew::prelude::*;

use super::field::{
    Cell, Setting, cells, choose_button, entry_head, problem, switch, text_row, toggle, with_entry, without_entry,
};
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form};
use crate::text::{self, Label, t};

/// Requests.
pub const TRAFFIC: &str = "/traffic";
/// Target tracking.
pub const TRACKING: &str = "/autoscaling";
const RATE: Setting = Setting::number("/traffic/requests_per_second", Label::RequestRate);
const EACH: Setting = Setting::number("/traffic/per_task", Label::RequestsEach);
const FAIL_OPEN: &str = "/traffic/fail_open";
const STEPS: &str = "/traffic/steps";
const TIMES: [Setting; 2] = [
    Setting::duration("/old/request_time", Label::RequestTimeOld),
    Setting::duration("/new/request_time", Label::RequestTimeNew),
];
const TARGETS: [Setting; 5] = [
    Setting::number("/autoscaling/minCapacity", Label::TrackingMin),
    Setting::number("/autoscaling/maxCapacity", Label::TrackingMax),
    Setting::number("/autoscaling/targetValue", Label::TrackingTarget),
    Setting::seconds("/autoscaling/scaleOutCooldown", Label::TrackingOut),
    Setting::seconds("/autoscaling/scaleInCooldown", Label::TrackingIn),
];
/// A later rate as it is added.
const LATER: (&str, i64) = ("2m", 200);

/// True when a problem of this field is shown here.
pub fn shows(field: &str) -> bool {
    let pointers = TIMES.iter().map(|setting| setting.pointer).chain([TRAFFIC, TRACKING]);
    pointers.into_iter().any(|pointer| field.starts_with(pointer))
}

/// The section.
pub fn section(form: &Form, on: &Callback<Msg>) -> Html {
    let steps = form.wanted().pointer(STEPS).and_then(Value::as_array).map_or(0, <[Value]>::len);
    let tracked = form.is_given(TRACKING);
    let times = || TIMES.iter().map(|setting| setting.pointer);
    let changed = form.is_given(TRAFFIC) || tracked || times().any(|pointer| form.is_given(pointer));
    let wrong = times().chain([TRAFFIC, TRACKING]).any(|pointer| form.problem(pointer).is_some());
    let tree = form.wanted().clone();
    let later = Value::object([("at", Value::from(LATER.0)), ("requests_per_second", Value::from(LATER.1))]);
    html! {
        <Section name={t(Label::TrafficSection)} value={text::traffic_value(&form.text(RATE.pointer), steps, tracked)} {changed} {wrong}>
            { text_row(form, RATE, None, on) }
            { for (0..steps).map(|index| step(form, index, on)) }
            { problem(form.problem(STEPS).filter(|found| found.field == STEPS), t(Label::TrafficSection), "traffic-steps", on) }
            <div>{ choose_button(t(Label::RoomLater), vec![with_entry(form, STEPS, later)], on) }</div>
            { text_row(form, EACH, None, on) }
            { for TIMES.iter().map(|setting| text_row(form, *setting, None, on)) }
            { switch(form, FAIL_OPEN, t(Label::FailOpen), true, on) }
            { toggle(form, TRACKING, t(Label::Tracking), tracked, move |on| edit::with_tracking(&tree, on), on) }
            if tracked {
                { for TARGETS.iter().map(|setting| text_row(form, *setting, None, on)) }
                if !form.is_given(TRAFFIC) { <p class="hint">{ t(Label::TrackingIdle) }</p> }
            }
        </Section>
    }
}

fn step(form: &Form, index: usize, on: &Callback<Msg>) -> Html {
    let cell = |key: &str, is_time: bool| Cell {
        pointer: format!("{STEPS}/{index}/{key}"),
        name: text::rate_step(index + 1, is_time),
        kind: if is_time { FieldKind::Duration } else { FieldKind::Number },
        placeholder: String::new(),
    };
    let at = form.text(&format!("{STEPS}/{index}/at"));
    html! {
        <>
            { entry_head(&text::rate_from(&at), vec![without_entry(form, STEPS, index)], on) }
            { cells(form, t(Label::RoomFrom), &[cell("at", true), cell("requests_per_second", false)], t(Label::RateFor), on) }
        </>
    }
}
