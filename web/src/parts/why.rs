//! Why something happens now, or nothing: two sums explain everything.

use std::rc::Rc;

use rollscope_engine::Frame;
use yew::prelude::*;

use crate::say::Say;
use crate::text::{self, Label, t};

/// What the panel shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The moment.
    pub frame: Rc<Frame>,
    /// The sentence of the last decision.
    pub sentence: String,
    /// What comes next, each with its moment.
    pub next: Vec<(String, String)>,
    /// Language.
    pub say: Say,
}

/// The panel.
#[component]
pub fn Why(props: &Props) -> Html {
    let frame = &props.frame;
    let limits = frame.counts.limits;
    let (minimum, maximum) = (frame.minimum_healthy_percent, frame.maximum_percent);
    let start = [
        (text::ceiling_term(limits.desired, maximum), text::number(limits.ceiling.into())),
        (t(Label::Counted).to_owned(), text::minus(frame.counts.counted)),
    ];
    let stop = [
        (t(Label::HealthyTerm).to_owned(), text::number(frame.counts.healthy().into())),
        (text::floor_term(limits.desired, minimum), text::minus(limits.floor)),
    ];
    html! {
        <div class="why">
            <div>
                <h2>{ props.say.heading(frame) }</h2>
                <p class="read">{ &props.sentence }</p>
            </div>
            { sum(t(Label::StartATask), &start, t(Label::Room), frame.room_to_start) }
            { sum(t(Label::StopATask), &stop, t(Label::Spare), frame.spare_to_stop) }
            if !props.next.is_empty() {
                <div>
                    <h3>{ t(Label::WhatComesNext) }</h3>
                    <ul class="read">
                        { for props.next.iter().map(|(at, what)| html! { <li><strong>{ at }</strong>{ " " }{ what }</li> }) }
                    </ul>
                </div>
            }
        </div>
    }
}

fn sum(title: &str, rows: &[(String, String)], total: &str, value: u32) -> Html {
    let row = |(term, value): &(String, String)| html! { <div><dt>{ term }</dt><dd>{ value }</dd></div> };
    html! {
        <section class="sum-card">
            <h3>{ title }</h3>
            <dl>
                { for rows.iter().map(row) }
                <div class="total"><dt>{ total }</dt><dd>{ text::number(value.into()) }</dd></div>
            </dl>
        </section>
    }
}
