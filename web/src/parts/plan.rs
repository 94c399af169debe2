//! What happens during the run beside the rollout: acts of people and of the world.

use rollscope_engine::SimTime;
use rollscope_engine::order;
use rollscope_scenario::Value;
use rollscope_wording::{act, kubernetes};
use yew::prelude::*;

use super::field::problem;
use super::icon;
use super::sections::Section;
use crate::app::model::Msg;
use crate::form::Form;
use crate::text::{self, Label, t};

/// The list of acts.
pub const ACTS: &str = "/acts";

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
    let act = if form.is_kubernetes() || form.is_placed() { kubernetes::command } else { act };
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
}
