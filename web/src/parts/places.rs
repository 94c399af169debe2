//! Room as a number of places: one for the whole run, or a list of changes.

use rollscope_scenario::Value;
use web_sys::InputEvent;
use yew::prelude::*;

use super::field::{Input, input_text, problem, toggle};
use super::icon;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, read_duration, show};
use crate::text::{self, Label, t};

/// The list of room over time.
pub const PLACES: &str = "/places";
/// With a capacity provider a task waits for its place.
pub const PROVIDERS: &str = "/service/capacityProviderStrategy";
/// The name of one that is added.
const PROVIDER: &str = "provider";
/// A change of room that is added is this late and this large, to be changed.
const LATER: (&str, i64) = ("2m", 10);

/// A moment and the tasks that find room from then on, as typed.
#[derive(Clone, Debug, PartialEq)]
struct Step {
    at: String,
    tasks: String,
}

fn steps(form: &Form) -> Vec<Step> {
    let list = form.wanted().pointer(PLACES).and_then(Value::as_array).unwrap_or_default();
    let text = |item: &Value, key: &str| item.get(key).map(show).unwrap_or_default();
    list.iter().map(|item| Step { at: text(item, "at"), tasks: text(item, "places") }).collect()
}

fn write(steps: &[Step]) -> Value {
    let value = |text: &str| text.trim().parse::<i64>().map_or_else(|_| Value::from(text), Value::from);
    let item = |step: &Step| Value::object([("at", read_duration(&step.at)), ("places", value(&step.tasks))]);
    if steps.is_empty() { Value::Null } else { Value::array(steps.iter().map(item)) }
}

fn set(steps: &[Step], on: &Callback<Msg>) {
    on.emit(Msg::Set(vec![(PLACES.into(), write(steps))]));
}

/// The fields: one number for the whole run, or a list of changes.
pub fn fields(form: &Form, on: &Callback<Msg>) -> Html {
    let steps = steps(form);
    let simple = steps.is_empty() || matches!(&steps[..], [only] if matches!(only.at.as_str(), "0s" | "0"));
    let add = {
        let (on, steps) = (on.clone(), steps.clone());
        move |_: MouseEvent| {
            let later = Step { at: LATER.0.into(), tasks: LATER.1.to_string() };
            set(&[steps.clone(), vec![later]].concat(), &on);
        }
    };
    html! {
        <>
            if simple {
                { at_start(&steps, on) }
            } else {
                { for (0..steps.len()).map(|index| change(&steps, index, on)) }
            }
            { problem(form.problem(PLACES), t(Label::RoomSection), "places", on) }
            <div><button type="button" class="button line small" onclick={add}>{ t(Label::RoomLater) }</button></div>
            { toggle(form, PROVIDERS, t(Label::PlacesProvider), form.is_given(PROVIDERS), waits, on) }
            <p class="hint">{ t(Label::PlacesProviderNote) }</p>
        </>
    }
}

/// The service with a capacity provider, which has no launch type beside it, or without one.
fn waits(on: bool) -> Vec<(String, Value)> {
    let strategy = Value::array([Value::object([("capacityProvider", Value::from(PROVIDER))])]);
    let launch = ("/service/launchType".to_owned(), Value::Null);
    if on { vec![(PROVIDERS.into(), strategy), launch] } else { vec![(PROVIDERS.into(), Value::Null)] }
}

/// What the closed section says.
pub fn value(form: &Form) -> String {
    let steps = steps(form);
    steps.first().map_or_else(String::new, |first| text::room_value(&first.tasks, steps.len() - 1))
}

/// Room for the whole run. An emptied field is refused: without a limit is another choice.
fn at_start(steps: &[Step], on: &Callback<Msg>) -> Html {
    let typed = {
        let on = on.clone();
        move |event: InputEvent| {
            let only = Step { at: "0s".into(), tasks: input_text(&event) };
            set(&[only], &on);
        }
    };
    let tasks = steps.first().map(|step| step.tasks.clone()).unwrap_or_default();
    html! {
        <div class="row">
            <label for="room">{ t(Label::RoomTasks) }</label>
            <input class="text-input short" id="room" type="text" inputmode="numeric" autocomplete="off" value={tasks}
                placeholder={t(Label::NoLimit)} oninput={typed} />
        </div>
    }
}

/// One change of room: from when, for how many, and a button that removes it.
fn change(steps: &[Step], index: usize, on: &Callback<Msg>) -> Html {
    let typed = |is_time: bool| {
        let (on, steps) = (on.clone(), steps.to_vec());
        Callback::from(move |text: String| {
            let mut steps = steps.clone();
            let step = &mut steps[index];
            *(if is_time { &mut step.at } else { &mut step.tasks }) = text;
            set(&steps, &on);
        })
    };
    let field = |is_time: bool, value: &str| {
        let name = text::room_step(index + 1, is_time);
        let kind = if is_time { FieldKind::Duration } else { FieldKind::Number };
        html! { <Input {name} {kind} value={value.to_owned()} on={typed(is_time)} /> }
    };
    let take_out = {
        let (on, rest) = (on.clone(), [&steps[..index], &steps[index + 1..]].concat());
        move |_: MouseEvent| set(&rest, &on)
    };
    let step = &steps[index];
    let name = text::remove(&format!("{}, {}", step.at, text::room_value(&step.tasks, 0)));
    html! {
        <div class="row change-row">
            <span class="words">{ t(Label::RoomFrom) }</span>
            { field(true, &step.at) }
            <span class="words">{ t(Label::RoomFor) }</span>
            { field(false, &step.tasks) }
            <button type="button" class="reset" aria-label={name.clone()} title={name} onclick={take_out}>{ icon::cross() }</button>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use rollscope_scenario::Document;

    use super::*;

    fn form(rest: &str) -> Form {
        let text = format!(r#"{{"service":{{"desiredCount":4}},{rest}}}"#);
        Form::new(&Document::from_text(&text).document)
    }

    #[test]
    fn room_is_written_as_it_is_read() {
        let form = form(r#""places":[{"at":"0s","places":3},{"at":"2m","places":10}]"#);
        let steps = steps(&form);
        assert_eq!(steps.len(), 2);
        assert_eq!(Some(&write(&steps)), form.wanted().pointer(PLACES));
        assert_eq!(write(&[]), Value::Null);
    }

    #[test]
    fn with_a_capacity_provider_a_task_waits_for_its_place() {
        let text = r#"{"service":{"desiredCount":4,"launchType":"EC2"},"places":[{"at":"0s","places":3}]}"#;
        let mut form = Form::new(&Document::from_text(text).document);
        let counts = |form: &Form| form.default_text("/readings/placement_failure_counts");
        assert_eq!(counts(&form).as_deref(), Some("true"));
        form.set_all(waits(true).iter().map(|(pointer, value)| (pointer.as_str(), value.clone())));
        assert!(!form.refused(), "{:?}", form.problems());
        assert_eq!(counts(&form).as_deref(), Some("false"));
        form.set_all(waits(false).iter().map(|(pointer, value)| (pointer.as_str(), value.clone())));
        assert_eq!(counts(&form).as_deref(), Some("true"));
    }
}
