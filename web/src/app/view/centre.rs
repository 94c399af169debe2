//! The middle: title, figures, stage, timeline.

use std::rc::Rc;

use rollscope_engine::frame::LANES;
use rollscope_insight::Outcome;
use web_sys::{MouseEvent, PointerEvent};
use yew::prelude::*;

use super::Moment;
use crate::app::model::{Go, Msg};
use crate::app::{App, wiring};
use crate::parts::head::{Figure, Figures, Title};
use crate::parts::notice;
use crate::parts::tasks::{Legend, Tasks};
use crate::text::{self, Label, t};

impl App {
    pub(super) fn centre(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let notices = html! {
            <>
                { self.model.broken.as_ref().map(|broken| notice::broken(broken, on)).unwrap_or_default() }
                { notice::note(self.model.note.clone(), on) }
                { moment.and_then(|m| m.outcome.as_ref()).map(|o| notice::guards(&o.figures.invariants_broken, self.say)).unwrap_or_default() }
            </>
        };
        let Some(moment) = moment else {
            return html! { <>{ notices }if self.model.broken.is_none() { <p class="read">{ t(Label::NothingRuns) }</p> }</> };
        };
        let frame = &moment.frame;
        // Sentences that follow each other faster than they are spoken are not spoken.
        let playing = moment.state == rollscope_player::PlayState::Playing;
        html! {
            <>
                { notices }
                { self.verdict_line(moment) }
                <Title title={self.title()} chips={self.chips(frame)} state={self.say.run_state(frame)} />
                <Figures figures={figures(moment)} />
                { self.stage(moment, on) }
                <p class="caption" role="status" aria-live={if playing { "off" } else { "polite" }} id="caption">
                    if let Some((at, sentence)) = &moment.caption {
                        <span class="at">{ text::clock(*at) }</span><span>{ sentence }</span>
                    }
                </p>
                { self.changes(on) }
                <Legend frame={Rc::clone(frame)} selected={self.model.selected} say={self.say} on={on.clone()} />
                { self.timeline(moment, on) }
                <Tasks frame={Rc::clone(frame)} selected={self.model.selected} say={self.say} on={on.clone()} />
            </>
        }
    }

    fn stage(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let frame = &moment.frame;
        let healthy = frame.counts.healthy();
        let picked = {
            let (on, runtime) = (on.clone(), Rc::clone(&self.runtime));
            move |event: MouseEvent| {
                let (x, y) = (f64::from(event.offset_x()), f64::from(event.offset_y()));
                let slot = runtime.try_borrow().ok().and_then(|runtime| runtime.slot_at(x, y));
                on.emit(Msg::Slot(slot));
            }
        };
        let shares = (0..LANES).filter(|lane| frame.counts.lanes[*lane].healthy > 0).map(|lane| {
            let share = text::share(self.revision_of(lane, frame), frame.counts.lanes[lane].healthy, healthy);
            html! { <span class={format!("share lane-{lane}")}>{ share }</span> }
        });
        html! {
            <>
                <div class="stage-head">
                    <span class="name">{ self.traffic_name() }</span>
                    <span class="count">{ text::targets(healthy) }</span>
                    <span class="shares">{ for shares }</span>
                </div>
                <div class="stage-frame" ref={self.nodes.frame.clone()}>
                    <canvas ref={self.nodes.strip.clone()} aria-hidden="true"></canvas>
                    <canvas ref={self.nodes.stage.clone()} class="stage" id="stage" aria-hidden="true" onclick={picked}></canvas>
                </div>
                if frame.slots.is_empty() { <p class="read">{ t(Label::NoTasks) }</p> }
            </>
        }
    }

    fn timeline(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let seek = |captures: bool| {
            let (on, runtime) = (on.clone(), Rc::clone(&self.runtime));
            Callback::from(move |event: PointerEvent| {
                if let Some(at) = wiring::pointer_moment(&event, &runtime, captures) {
                    on.emit(Msg::Go(Go::To(at)));
                }
            })
        };
        let summary = moment.outcome.as_ref().map(|outcome| {
            let limits = outcome.limits;
            text::chart_summary(
                outcome.figures.lowest_healthy,
                limits.floor,
                outcome.figures.peak_tasks,
                limits.ceiling,
            )
        });
        let (at, end) = (moment.frame.at, moment.end);
        html! {
            <>
                <div class="chart-frame">
                    <canvas ref={self.nodes.chart.clone()} id="chart" role="img" aria-label={summary.unwrap_or(t(Label::Chart).to_owned())}
                        onpointerdown={seek(true)} onpointermove={seek(true)}></canvas>
                </div>
                <div class="scrubber" id="scrubber" role="slider" tabindex="0" aria-label={t(Label::Scrubber)} aria-valuemin="0"
                    aria-valuemax={end.ms().to_string()} aria-valuenow={at.ms().min(end.ms()).to_string()}
                    aria-valuetext={text::scrubber(at, end, moment.position)}
                    onpointerdown={seek(true)} onpointermove={seek(true)}>
                    <canvas ref={self.nodes.track.clone()} aria-hidden="true"></canvas>
                </div>
            </>
        }
    }

    /// The verdict in one line above the stage, where the settings stand below it.
    pub(super) fn verdict_line(&self, moment: &Moment) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        let (title, _) = self.say.verdict(&self.figures.check(accepted), moment.outcome.as_ref());
        let limits = accepted.resolved.limits;
        html! {
            <button type="button" class="verdict-line" onclick={|_: MouseEvent| wiring::scroll_to("settings")}>
                <span>
                    <strong>{ title }</strong>
                    <span class="limits">{ text::limits(limits.desired, limits.floor, limits.ceiling) }</span>
                </span>
                <span class="go">{ t(Label::Settings) }</span>
            </button>
        }
    }
}

fn figures(moment: &Moment) -> Vec<Figure> {
    let outcome = moment.outcome.as_ref();
    let limits = outcome.map_or(moment.frame.counts.limits, |outcome| outcome.limits);
    let or_computing = |value: Option<String>| value.unwrap_or_else(|| "…".to_owned());
    let count = |read: fn(&Outcome) -> u32| or_computing(outcome.map(|o| text::number(u64::from(read(o)))));
    let done = outcome
        .map(|o| o.completed_at.map_or(t(Label::Never).to_owned(), |at| rollscope_draw::ticks::clock(at.ms(), false)));
    let both = outcome.map(|o| rollscope_draw::ticks::clock(o.figures.both_versions_ms, false));
    let figure = |name, value, beside| Figure { name, value, beside };
    vec![
        figure(
            t(Label::DoneAfter),
            or_computing(done),
            if outcome.is_none() { t(Label::Computing).to_owned() } else { String::new() },
        ),
        figure(t(Label::Fewest), count(|o| o.figures.lowest_healthy), text::floor_label(limits.floor)),
        figure(t(Label::Most), count(|o| o.figures.peak_tasks), text::ceiling_label(limits.ceiling)),
        figure(t(Label::Both), or_computing(both), String::new()),
        figure(
            t(Label::Extra),
            or_computing(outcome.map(|o| text::task_minutes(o.figures.task_ms_extra))),
            t(Label::TaskMinutes).to_owned(),
        ),
    ]
}
