//! Where the time of a run goes, as bars.

use rollscope_insight::Account;
use rollscope_insight::account::{Link, Share};
use rollscope_wording::Text;
use yew::prelude::*;

use crate::app::model::{Go, Msg};
use crate::say::Say;
use crate::text::{self, Label, t};

/// Width of the bar in tenths of a percent, and the gap between two parts.
const WIDTH: u64 = 1_000;
const GAP: u64 = 6;
/// A part is at least this wide.
const LEAST: u64 = 14;

/// Where the time goes: of the deployment, of what goes on after it, and of all tasks.
#[derive(Clone, Debug, PartialEq)]
pub struct Times {
    /// The deployment, and what goes on after it.
    pub account: Account,
    /// All tasks together, in task-milliseconds.
    pub tasks: Vec<Share>,
}

/// The bars with their legends.
pub fn bars(times: &Times, say: Say, on: &Callback<Msg>) -> Html {
    let account = &times.account;
    let all: u64 = times.tasks.iter().map(|share| share.ms).sum();
    html! {
        <section class="account">
            <div id="time-of-deployment">
                <h3>{ say.text(Text::AccountTitle(account)) }</h3>
                { bar(&account.parts, patterns()) }
                { legend(&account.parts, &account.chain, say, on) }
                if let Some(drain) = &account.drain { <p class="read">{ say.text(Text::Drain(drain)) }</p> }
            </div>
            if let Some(after) = &account.after {
                <div id="time-after">
                    <h3>{ say.text(Text::AfterTitle(account, after)) }</h3>
                    { bar(&after.parts, Html::default()) }
                    { legend(&after.parts, &after.chain, say, on) }
                </div>
            }
            if all > 0 {
                <details class="acts" id="time-of-tasks">
                    <summary>{ t(Label::AllTasks) }<span class="n">{ text::in_task_minutes(all) }</span></summary>
                    { bar(&times.tasks, Html::default()) }
                    <ul>{ for times.tasks.iter().map(|share| html! { <li>{ words(share, text::task_minutes(share.ms), say) }</li> }) }</ul>
                </details>
            }
        </section>
    }
}

/// The parts beside each other, each as long as its time.
fn bar(parts: &[Share], defs: Html) -> Html {
    let ms: Vec<u64> = parts.iter().map(|share| share.ms).collect();
    let part = |(share, (x, width)): (&Share, (u64, u64))| {
        let class = format!("part {}", share.part.looks_like());
        html! { <rect {class} x={percent(x)} y="0" width={percent(width)} height="16" /> }
    };
    html! {
        <svg class="bar-of-time" height="16" aria-hidden="true" focusable="false">
            { defs }
            { for parts.iter().zip(widths(&ms)).map(part) }
        </svg>
    }
}

/// The parts in words; each leads to the longest stretch of its kind.
fn legend(parts: &[Share], chain: &[Link], say: Say, on: &Callback<Msg>) -> Html {
    let entry = |share: &Share| {
        let words = words(share, text::part_percent(share.percent), say);
        let of_part = chain.iter().filter(|link| link.part == share.part);
        match of_part.max_by_key(|link| link.to.since(link.from)) {
            Some(link) => {
                let (on, from) = (on.clone(), link.from);
                html! {
                    <li><button type="button" title={say.text(Text::AccountLink(link))}
                        onclick={move |_: MouseEvent| on.emit(Msg::Go(Go::To(from)))}>{ words }</button></li>
                }
            }
            None => html! { <li>{ words }</li> },
        }
    };
    html! { <ul>{ for parts.iter().map(entry) }</ul> }
}

fn words(share: &Share, value: String, say: Say) -> Html {
    let class = format!("part {}", share.part.looks_like());
    html! {
        <>
            <span class="of">{ say.text(Text::Part(share.part)) }</span>
            <strong>
                <svg class="swatch" width="14" height="10" aria-hidden="true"><rect {class} width="14" height="10" /></svg>
                { value }
            </strong>
        </>
    }
}

fn percent(tenths: u64) -> String {
    format!("{}.{}%", tenths / 10, tenths % 10)
}

fn patterns() -> Html {
    html! {
        <defs>
            <pattern id="time-dots" width="5" height="5" patternUnits="userSpaceOnUse">
                <rect class="ground new" width="5" height="5" /><circle class="ink new" cx="1.25" cy="1.25" r="1" /><circle class="ink new" cx="3.75" cy="3.75" r="1" />
            </pattern>
            <pattern id="time-stripes" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(40)">
                <rect class="ground old" width="6" height="6" /><rect class="ink old" width="3" height="6" />
            </pattern>
            <pattern id="time-hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(40)">
                <rect class="ground none" width="6" height="6" /><rect class="ink none" width="1.2" height="6" />
            </pattern>
        </defs>
    }
}

/// Place and width of each part: as long as its time, but never too narrow to be seen.
fn widths(parts: &[u64]) -> Vec<(u64, u64)> {
    let gaps = GAP * (parts.len() as u64).saturating_sub(1);
    let room = WIDTH.saturating_sub(gaps + LEAST * parts.len() as u64);
    let whole: u64 = parts.iter().sum::<u64>().max(1);
    let mut x = 0;
    let place = |ms: &u64| {
        let width = LEAST + (u128::from(*ms) * u128::from(room) / u128::from(whole)) as u64;
        let at = x;
        x += width + GAP;
        (at, width)
    };
    parts.iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_as_wide_as_they_are_long_and_never_vanish() {
        let widths = widths(&[0, 300, 100]);
        assert_eq!(widths[0], (0, LEAST));
        let long = |index: usize| widths[index].1 - LEAST;
        assert!(long(1).abs_diff(3 * long(2)) <= 3);
        let (last, width) = widths[2];
        assert!(last + width <= WIDTH && last + width > WIDTH - 3);
    }

    #[test]
    fn a_bar_of_one_part_fills_it() {
        assert_eq!(widths(&[5]), [(0, WIDTH)]);
        assert!(widths(&[]).is_empty());
    }
}
