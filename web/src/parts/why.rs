//! Why something happens now, or nothing: two sums explain everything.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::{MomentChange, Sums};
use rollscope_scenario::{Value, duration};
use rollscope_wording::{RuleWords, Text};
use yew::prelude::*;

use super::account::{self, Times};
use super::places::PLACES;
use crate::app::model::{Go, Msg};
use crate::form::Form;
use crate::say::Say;
use crate::text::{self, Label, t};

/// A change with what it does at this moment, and what makes it.
pub type Way = (String, Msg);

/// What makes a change at a moment: an act, or more places from then on.
pub fn way(change: &MomentChange, form: &Form, at: SimTime) -> Msg {
    if let Some(command) = &change.command {
        return Msg::Act(command.clone());
    }
    let mut places = form.wanted().pointer(PLACES).and_then(Value::as_array).unwrap_or_default().to_vec();
    let from = Value::from(duration::print(at.ms()));
    places.push(Value::object([("at", from), ("places", Value::from(i64::from(change.change.value())))]));
    Msg::Set(vec![(PLACES.to_owned(), Value::Array(places))])
}

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// What happens now, in a few words.
    pub title: String,
    /// The sentence below.
    pub lead: String,
    /// The end of the run: what is said of later moments leads nowhere.
    pub end: SimTime,
    /// The two sums.
    pub sums: Sums,
    /// What is waited for, each with its moment.
    pub waits: Vec<(SimTime, String)>,
    /// What would make something happen at this moment.
    pub ways: Vec<Way>,
    /// The one service event of a rollout that cannot move.
    pub in_account: Option<String>,
    /// The rule behind the present decision.
    pub rule: Option<RuleWords>,
    /// A figure of the whole run that was asked for, and its rule.
    #[prop_or_default]
    pub cited: Option<(String, RuleWords)>,
    /// What guards the rollout.
    pub protection: Html,
    /// It counts, or has failed the rollout: it stands before the two sums.
    pub counts: bool,
    /// Where the time of the run goes.
    pub times: Option<Rc<Times>>,
    /// Act on something at this moment.
    pub acts: Html,
    /// Language.
    pub say: Say,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The panel.
#[component]
pub fn Why(props: &Props) -> Html {
    let sums = &props.sums;
    let start = [
        (props.say.text(Text::CeilingTerm(sums)), ceiling(sums.ceiling)),
        (t(Label::Counted).to_owned(), text::minus(sums.counted)),
    ];
    let stop = [
        (t(Label::HealthyTerm).to_owned(), text::number(sums.healthy.into())),
        (props.say.text(Text::FloorTerm(sums)), text::minus(sums.floor)),
    ];
    let (room, spare) = (props.say.text(Text::RoomTotal(sums)), props.say.text(Text::SpareTotal(sums)));
    let places = props.say.text(Text::PlacesTerm(sums));
    let free = sums.places.map_or(0, |(_, free)| free);
    html! {
        <div class="why">
            if let Some((figure, rule)) = &props.cited {
                <section class="cited" id="cited"><h3>{ figure }</h3>{ rule_line(rule) }</section>
            }
            <div>
                <h2>{ &props.title }</h2>
                <p class="read">{ linked(&props.lead, props.end, &props.on) }</p>
                { props.rule.as_ref().map(rule_line).unwrap_or_default() }
            </div>
            if props.counts { { props.protection.clone() } }
            { sum(t(Label::StartATask), &start, &room, ceiling(sums.room), (&places, free)) }
            { sum(t(Label::StopATask), &stop, &spare, text::number(sums.spare.into()), ("", 0)) }
            if !props.counts { { props.protection.clone() } }
            { waits(props) }
            { ways(props) }
            { in_account(props) }
            { props.acts.clone() }
            if let Some(times) = &props.times {
                { account::bars(times, props.say, &props.on) }
            }
        </div>
    }
}

fn ceiling(n: u32) -> String {
    if n == u32::MAX { t(Label::NoLimit).to_owned() } else { text::number(n.into()) }
}

/// One sum, and what limits its result further, where anything does.
fn sum(title: &str, rows: &[(String, String)], total: &str, value: String, limit: (&str, u32)) -> Html {
    let row = |(term, value): &(String, String)| html! { <div><dt>{ term }</dt><dd>{ value }</dd></div> };
    // What something limits further is not the result yet.
    let result = limit.0.is_empty().then_some("total");
    html! {
        <section class="sum-card">
            <h3>{ title }</h3>
            <dl>
                { for rows.iter().map(row) }
                <div class={result}><dt>{ total }</dt><dd>{ value }</dd></div>
                if !limit.0.is_empty() { <div class="total"><dt>{ limit.0 }</dt><dd>{ text::number(limit.1.into()) }</dd></div> }
            </dl>
        </section>
    }
}

/// A moment as a button that leads to it.
pub fn moment(at: SimTime, on: &Callback<Msg>) -> Html {
    let (on, clock) = (on.clone(), text::clock(at));
    html! {
        <button type="button" class="moment" aria-label={text::go_to(&clock)}
            onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(at)))}>{ clock }</button>
    }
}

/// A sentence about the run: each moment in it up to `end`, its end, leads there. For sentences without lengths of
/// time in figures.
pub fn linked(sentence: &str, end: SimTime, on: &Callback<Msg>) -> Html {
    let part = |(part, at): (&str, Option<SimTime>)| match at.filter(|at| *at <= end) {
        Some(at) => moment(at, on),
        None => html! { { part.to_owned() } },
    };
    html! { <>{ for parts(sentence).into_iter().map(part) }</> }
}

/// The parts of a sentence, moments apart from what stands between them.
fn parts(sentence: &str) -> Vec<(&str, Option<SimTime>)> {
    let of_clock = |c: char| c.is_ascii_digit() || c == ':' || c == '.';
    let (mut found, mut rest) = (Vec::new(), sentence);
    let mut plain = 0;
    while let Some(from) = rest[plain..].find(|c: char| c.is_ascii_digit()).map(|index| plain + index) {
        let length = rest[from..].find(|c| !of_clock(c)).unwrap_or(rest.len() - from);
        let clock = rest[from..from + length].trim_end_matches(['.', ':']);
        match Some(clock).filter(|clock| clock.contains(':')).and_then(text::read_clock) {
            Some(at) => {
                found.extend((from > 0).then_some((&rest[..from], None)));
                found.push((clock, Some(at)));
                (rest, plain) = (&rest[from + clock.len()..], 0);
            }
            None => plain = from + length,
        }
    }
    found.extend((!rest.is_empty()).then_some((rest, None)));
    found
}

fn waits(props: &Props) -> Html {
    if props.waits.is_empty() {
        return Html::default();
    }
    let wait = |(at, words): &(SimTime, String)| {
        html! { <li>{ moment(*at, &props.on) }{ " " }<span>{ words }</span></li> }
    };
    html! {
        <section>
            <h3>{ t(Label::WaitsFor) }</h3>
            <ul class="read waits">{ for props.waits.iter().map(wait) }</ul>
        </section>
    }
}

fn ways(props: &Props) -> Html {
    if props.ways.is_empty() {
        return Html::default();
    }
    let way = |(words, msg): &Way| {
        let words = words.trim_end_matches('.');
        let (on, msg) = (props.on.clone(), msg.clone());
        html! {
            <li>
                <span>{ words }</span>
                <button type="button" class="button line" aria-label={text::try_change(words)}
                    onclick={move |_: MouseEvent| on.emit(msg.clone())}>{ t(Label::Try) }</button>
            </li>
        }
    };
    html! {
        <section>
            <h3>{ t(Label::WouldChange) }</h3>
            <ul class="ways">{ for props.ways.iter().map(way) }</ul>
        </section>
    }
}

/// What a rollout that cannot move looks like in the account.
fn in_account(props: &Props) -> Html {
    let Some(event) = &props.in_account else { return Html::default() };
    html! {
        <section>
            <h3>{ t(Label::InAccount) }</h3>
            <p class="read">
                { t(Label::RolloutStays) }<code class="mono">{ "IN_PROGRESS" }</code>{ t(Label::FailedTasksStay) }
            </p>
            <code class="service-event mono">{ event }</code>
        </section>
    }
}

/// A rule with its source.
fn rule_line(rule: &RuleWords) -> Html {
    html! {
        <p class="rule">
            { t(Label::Rule) }{ &rule.name }{ " · " }
            <a href={rule.url} target="_blank" rel="noopener noreferrer">{ rule.source_title }</a>
        </p>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_stand_apart_in_a_sentence() {
        let cases: [(&str, &[(&str, Option<u64>)]); 4] = [
            ("r8 failed at 0:35. Back on r7.", &[("r8 failed at ", None), ("0:35", Some(35)), (". Back on r7.", None)]),
            ("0:35 and 1:01:00", &[("0:35", Some(35)), (" and ", None), ("1:01:00", Some(3_660))]),
            ("8·3 of 12, 1.5 is 2", &[("8·3 of 12, 1.5 is 2", None)]),
            ("", &[]),
        ];
        for (sentence, expected) in cases {
            let found: Vec<_> =
                parts(sentence).into_iter().map(|(part, at)| (part, at.map(|at| at.ms() / 1000))).collect();
            assert_eq!(found, expected, "{sentence}");
            assert_eq!(found.iter().map(|(part, _)| *part).collect::<String>(), sentence);
        }
    }
}
