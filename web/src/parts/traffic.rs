//! The lane of requests: how many come, who answers them, what goes wrong, and the load of a task.

use rollscope_engine::Frame;
use rollscope_engine::mechanism::traffic::FlowPart;
use rollscope_insight::Open;
use yew::prelude::*;

use crate::text;

/// Length of the bar in its own units.
const WHOLE: u64 = 1_000;

/// The lane; nothing where the scenario has no requests. `open` are those that tasks still answer which get no more; `lane` gives a revision's colour.
pub fn lane(frame: &Frame, open: &Open, lane: impl Fn(u32) -> u8) -> Option<Html> {
    let view = frame.traffic.as_ref()?;
    let part = |part: &FlowPart| {
        html! {
            <span class={format!("share lane-{}", lane(part.revision))}>
                { text::answers(part, view.rate) }
                { fault(&text::bad_answers(part)) }
                { takes(&text::takes(part)) }
            </span>
        }
    };
    let busy = view.most.is_some_and(|most| view.load > most);
    Some(html! {
        <div class="traffic-lane" id="traffic-lane">
            <strong class="rate">{ text::requests(view.rate) }</strong>
            { bar(view.rate, &view.flow.parts, view.flow.refused, &lane) }
            { for view.flow.parts.iter().map(part) }
            { takes(&text::takes_all(&view.flow)) }
            { fault(&text::refused_now(view)) }
            <span class={classes!("load", busy.then_some("fault"))}>{ text::load(view) }</span>
            <span class="open">{ text::open(open) }</span>
            <span class="lost">{ text::lost(view, open) }</span>
        </div>
    })
}

fn takes(words: &str) -> Html {
    if words.is_empty() {
        Html::default()
    } else {
        html! { <span class="takes">{ " " }{ words }</span> }
    }
}

fn fault(words: &str) -> Html {
    if words.is_empty() {
        Html::default()
    } else {
        html! { <span class="fault">{ " " }{ words }</span> }
    }
}

/// All requests of a second as one bar: good answers by revision, bad ones, refused ones.
fn bar(rate: u32, parts: &[FlowPart], refused: u64, lane: impl Fn(u32) -> u8) -> Html {
    let all = u64::from(rate) * 1_000;
    let good = parts.iter().map(|part| (format!("lane-{}", lane(part.revision)), part.answered - part.bad));
    let bad: u64 = parts.iter().map(|part| part.bad).sum();
    let wrong = [("bad".to_owned(), bad), ("refused".to_owned(), refused)];
    let mut from = 0;
    let rects = good.chain(wrong).map(|(class, amount)| {
        let until = from + amount;
        let x = |amount: u64| (amount * WHOLE).checked_div(all).unwrap_or(0);
        // What goes wrong is seen, however little it is.
        let least = if amount > 0 { 4 } else { 0 };
        let (left, width) = (x(from).min(WHOLE - least), (x(until) - x(from)).max(least));
        from = until;
        html! { <rect {class} x={left.to_string()} y="0" width={width.to_string()} height="10" /> }
    });
    let rects: Vec<Html> = rects.collect();
    html! {
        <svg class="flow-bar" viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
            <rect class="well" x="0" y="0" width="1000" height="10" />
            { for rects }
        </svg>
    }
}
