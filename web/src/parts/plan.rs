//! What happens during the run beside the rollout: acts of people and of the world, and room.

use rollscope_engine::SimTime;
use rollscope_engine::order;
use rollscope_scenario::Value;
use rollscope_wording::act;
use web_sys::InputEvent;
use yew::prelude::*;

use super::field::{Input, input_text, problem};
use super::icon;
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::{FieldKind, Form, read_duration, show};
use crate::text::{self, Label, t};

/// The list of acts.
pub const ACTS: &str = "/acts";
/// The list of room over time.
pub const PLACES: &str = "/places";
/// Instances, or when Fargate has no capacity.
const CAPACITY: &str = "/capacity";
/// A change of room that is added is this late and this large, to be changed.
const LATER: (&str, i64) = ("2m", 10);

/// An act of the document in words.
struct Line {
    /// Its place in the document's list.
    index: usize,
    at: SimTime,
    words: String,
}

/// Acts in the order of time.
fn lines(form: &Form) -> Vec<Line> {
    let Some(accepted) = form.accepted() else { return vec![] };
    let written = accepted.document.acts.as_deref().unwrap_or_default();
    let at = |index: usize| written[index].at.map_or(SimTime::ZERO, |span| SimTime(span.0));
    let mut order: Vec<usize> = (0..written.len()).collect();
    order::by_key(&mut order, |index| at(*index));
    // Both lists are in the order of time.
    let acts = &accepted.resolved.settings.acts;
    order.into_iter().zip(acts).map(|(index, done)| Line { index, at: at(index), words: act(&done.command) }).collect()
}

/// The section of acts.
pub fn acts(form: &Form, on: &Callback<Msg>) -> Html {
    let lines = lines(form);
    let row = |line: &Line| {
        let at = text::clock(line.at);
        let take_out = {
            let (on, index) = (on.clone(), line.index);
            let list = form.wanted().pointer(ACTS).and_then(Value::as_array).unwrap_or_default().to_vec();
            move |_: MouseEvent| on.emit(Msg::Set(vec![(ACTS.into(), without(&list, index))]))
        };
        html! {
            <li>
                <span class="at">{ at.clone() }</span>
                <span class="words">{ &line.words }</span>
                <button type="button" class="reset" aria-label={text::remove(&format!("{at}, {}", line.words))}
                    title={text::remove(&line.words)} onclick={take_out}>{ icon::cross() }</button>
            </li>
        }
    };
    html! {
        <Section name={t(Label::InjectedEvents)} value={text::acts_value(lines.len())} changed={!lines.is_empty()}
            wrong={form.problem(ACTS).is_some()}>
            if lines.is_empty() { <p class="hint">{ t(Label::NoActs) }</p> }
            <ul class="plan">{ for lines.iter().map(row) }</ul>
            { problem(form.problem(ACTS), t(Label::InjectedEvents), "acts", on) }
        </Section>
    }
}

/// A list without one entry; an empty one is absent.
fn without(list: &[Value], index: usize) -> Value {
    let rest: Vec<Value> = list.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, item)| item.clone()).collect();
    if rest.is_empty() { Value::Null } else { Value::Array(rest) }
}

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

/// The section of room: one number for the whole run, or a list of changes.
pub fn room(form: &Form, on: &Callback<Msg>) -> Html {
    let steps = steps(form);
    if steps.is_empty() && form.wanted().pointer(CAPACITY).is_some_and(|capacity| !capacity.is_null()) {
        let value = t(Label::RoomByCapacity).to_owned();
        return html! {
            <Section name={t(Label::RoomSection)} {value} changed=true wrong={form.problem(CAPACITY).is_some()}>
                <p class="hint">{ t(Label::RoomByCapacityHint) }</p>
                { problem(form.problem(CAPACITY), t(Label::RoomSection), "places", on) }
            </Section>
        };
    }
    let value = match steps.first() {
        None => t(Label::NoLimit).to_owned(),
        Some(first) => text::room_value(&first.tasks, steps.len() - 1),
    };
    let simple = steps.is_empty() || matches!(&steps[..], [only] if matches!(only.at.as_str(), "0s" | "0"));
    let add = {
        let (on, steps) = (on.clone(), steps.clone());
        move |_: MouseEvent| {
            let later = Step { at: LATER.0.into(), tasks: LATER.1.to_string() };
            set(&[steps.clone(), vec![later]].concat(), &on);
        }
    };
    html! {
        <Section name={t(Label::RoomSection)} {value} changed={!steps.is_empty()} wrong={form.problem(PLACES).is_some()}>
            if simple {
                { at_start(&steps, on) }
            } else {
                { for (0..steps.len()).map(|index| change(&steps, index, on)) }
            }
            { problem(form.problem(PLACES), t(Label::RoomSection), "places", on) }
            if !steps.is_empty() {
                <div><button type="button" class="button line small" onclick={add}>{ t(Label::RoomLater) }</button></div>
            }
        </Section>
    }
}

/// Room for the whole run; an emptied field takes the limit away.
fn at_start(steps: &[Step], on: &Callback<Msg>) -> Html {
    let typed = {
        let on = on.clone();
        move |event: InputEvent| {
            let tasks = input_text(&event);
            let only = Step { at: "0s".into(), tasks: tasks.clone() };
            set(if tasks.trim().is_empty() { &[] } else { std::slice::from_ref(&only) }, &on);
        }
    };
    let tasks = steps.first().map(|step| step.tasks.clone()).unwrap_or_default();
    html! {
        <>
            <div class="row">
                <label for="room">{ t(Label::RoomTasks) }</label>
                <input class="text-input short" id="room" type="text" inputmode="numeric" autocomplete="off" value={tasks}
                    placeholder={t(Label::NoLimit)} oninput={typed} />
            </div>
            if steps.is_empty() { <p class="hint">{ t(Label::RoomLead) }</p> }
        </>
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
    fn acts_stand_in_order_of_time_with_their_place_in_the_document() {
        let form = form(
            r#""acts":[{"at":"95s","do":"desired","count":6},{"at":"9s","do":"protect","task":"7.1"},{"at":"5s","do":"kill","task":"7.1"}]"#,
        );
        let lines = lines(&form);
        let seen: Vec<_> = lines.iter().map(|line| (line.index, line.at.ms())).collect();
        assert_eq!(seen, [(2, 5_000), (1, 9_000), (0, 95_000)]);
        assert!(lines[0].words.contains("7·1") && lines[2].words.contains('6'), "{:?}", lines[0].words);
    }

    #[test]
    fn the_last_act_that_is_taken_out_leaves_no_list() {
        assert_eq!(without(&[Value::from(1)], 0), Value::Null);
        assert_eq!(without(&[Value::from(1), Value::from(2)], 0), Value::array([2]));
    }

    #[test]
    fn room_is_written_as_it_is_read() {
        let form = form(r#""places":[{"at":"0s","places":3},{"at":"2m","places":10}]"#);
        let steps = steps(&form);
        assert_eq!(steps.len(), 2);
        assert_eq!(Some(&write(&steps)), form.wanted().pointer(PLACES));
        assert_eq!(write(&[]), Value::Null);
    }
}
