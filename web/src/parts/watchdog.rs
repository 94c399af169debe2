//! The task-stop watchdog: its alarm, its metric over the run, its log.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_insight::watchdog::STOPS;
use rollscope_scenario::Value;
use yew::prelude::*;

use super::api_view::ApiCard;
use super::watchers::{List, lines};
use super::why::moment;
use crate::app::model::Msg;
use crate::text::{self, Label, t};

/// What it has seen by now.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its log.
    pub log: List,
    /// The whole events of the log, newest first.
    pub events: Rc<Value>,
    /// Its metric: from each moment on so many stops are in the window; over the whole run.
    pub metric: Vec<(SimTime, u32)>,
    /// All stops it has logged.
    pub all: usize,
    /// The metric now.
    pub in_window: u32,
    /// It is there; otherwise this is what one would see.
    pub there: bool,
    /// Its alarm is set up.
    pub alarms: bool,
    /// When it fired, and until when, by now.
    pub spans: Vec<(SimTime, Option<SimTime>)>,
}

impl Seen {
    /// It fires now, and since when it does or does not.
    pub fn alarm(&self) -> (bool, Option<SimTime>) {
        match self.spans.last() {
            Some((from, None)) => (true, Some(*from)),
            Some((_, until)) => (false, *until),
            None => (false, None),
        }
    }

    /// Its state in words.
    pub fn state(&self) -> String {
        let (alarm, since) = self.alarm();
        if self.alarms { text::watchdog_state(alarm, since) } else { text::watchdog_silent().to_owned() }
    }
}

/// The section; `end` is the end of the run.
pub fn section(seen: &Seen, at: SimTime, end: SimTime, on: &Callback<Msg>) -> Html {
    let span = |(from, until): &(SimTime, Option<SimTime>)| {
        html! { <li>{ moment(*from, on) }<span>{ text::watchdog_span(*until) }</span></li> }
    };
    html! {
        <>
            <section id="watchdog">
                <h4>{ t(Label::Watchdog) }</h4>
                if !seen.there { <p class="hint">{ t(Label::WatchdogOutside) }</p> }
                <dl class="facts">
                    <div class={seen.alarm().0.then_some("bad")}><dt>{ t(Label::WatchdogAlarm) }</dt><dd>{ seen.state() }</dd></div>
                    <div><dt class="mono">{ "StoppedTaskCount" }</dt><dd>{ text::watchdog_metric(seen.in_window, seen.all) }</dd></div>
                </dl>
                { picture(&seen.metric, at, end) }
                if !seen.spans.is_empty() { <ol class="seen-lines spans">{ for seen.spans.iter().map(span) }</ol> }
            </section>
            <ApiCard name={t(Label::WatchdogLog)} {at} value={Rc::clone(&seen.events)}>{ lines(&seen.log, on) }</ApiCard>
        </>
    }
}

/// Size of the picture in units of its own; it is stretched to the width of the panel.
const WIDTH: u64 = 1_000;
const HEIGHT: u64 = 40;

/// The metric over the run, the line at which it fires, and the moment that is looked at.
fn picture(metric: &[(SimTime, u32)], at: SimTime, end: SimTime) -> Html {
    if metric.is_empty() {
        return Html::default();
    }
    let highest = metric.iter().map(|(_, n)| u64::from(*n)).max().unwrap_or(0).max(STOPS as u64 + 1);
    let x = |at: SimTime| (at.ms().min(end.ms()) * WIDTH).checked_div(end.ms()).unwrap_or(0);
    let y = |n: u64| HEIGHT - n * HEIGHT / highest;
    let fires = y(STOPS as u64).to_string();
    let (now, height) = (x(at).to_string(), HEIGHT.to_string());
    html! {
        <svg class="metric" viewBox={format!("0 0 {WIDTH} {HEIGHT}")} preserveAspectRatio="none" role="img" aria-label={text::watchdog_picture(STOPS)}>
            <path class="area" d={outline(metric, x, y)} />
            <path class="fires" d={format!("M0 {fires}H{WIDTH}")} />
            <path class="now" d={format!("M{now} 0V{height}")} />
        </svg>
    }
}

/// Right-angled steps over the lower edge.
fn outline(metric: &[(SimTime, u32)], x: impl Fn(SimTime) -> u64, y: impl Fn(u64) -> u64) -> String {
    let mut path = format!("M0 {}", y(0));
    for (at, n) in metric {
        path.push_str(&format!("H{}V{}", x(*at), y(u64::from(*n))));
    }
    path.push_str(&format!("H{WIDTH}V{}Z", y(0)));
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_metric_is_drawn_in_steps() {
        let metric = [(SimTime(10), 2), (SimTime(30), 0)];
        assert_eq!(outline(&metric, |at| at.ms(), |n| 40 - n * 10), "M0 40H10V20H30V40H1000V40Z");
    }

    #[test]
    fn the_alarm_has_a_state_since_its_last_change() {
        let seen = |spans: &[(u64, Option<u64>)]| Seen {
            log: List::default(),
            events: Rc::new(Value::Null),
            metric: Vec::new(),
            all: 0,
            in_window: 0,
            there: true,
            alarms: true,
            spans: spans.iter().map(|(from, until)| (SimTime(*from), until.map(SimTime))).collect(),
        };
        assert_eq!(seen(&[]).alarm(), (false, None));
        assert_eq!(seen(&[(5, Some(9))]).alarm(), (false, Some(SimTime(9))));
        assert_eq!(seen(&[(5, Some(9)), (20, None)]).alarm(), (true, Some(SimTime(20))));
    }
}
