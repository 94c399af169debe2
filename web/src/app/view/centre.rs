//! The middle: title, figures, stage, timeline.

use std::rc::Rc;

use rollscope_draw::hosts::Detail;
use rollscope_draw::stage::Level;
use rollscope_engine::frame::{LANES, TaskState, TaskView};
use rollscope_engine::settings::{Command, TaskName};
use rollscope_engine::trace::Reason;
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::open::open;
use rollscope_insight::{Demand, Open, RunView, verdict};
use rollscope_player::{BranchView, Player};
use rollscope_scenario::{Document, Preset};
use rollscope_wording::Text;
use web_sys::{MouseEvent, PointerEvent};
use yew::prelude::*;

use super::Moment;
use crate::app::model::{ChartOf, Go, Group, Hover, Msg, Rest, Sheet};
use crate::app::runtime::hosts;
use crate::app::{App, wiring};
use crate::form::Accepted;
use crate::parts::branches::BranchChip;
use crate::parts::empty;
use crate::parts::grid::CELLS_MAX;
use crate::parts::head;
use crate::parts::icon;
use crate::parts::notice;
use crate::parts::stage_head;
use crate::parts::tasks::{Legend, Tasks};
use crate::parts::traffic;
use crate::parts::verdict::look;
use crate::rest::apart;
use crate::text::{self, Label, t};

/// Slots from which the boxes can be ordered otherwise, and up to which.
const GROUPED_FROM: usize = 25;
const GROUPED_UNTIL: usize = 2_500;

impl App {
    pub(super) fn centre(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let notices = self.notices(moment, on);
        let Some(moment) = moment else {
            let refused = || empty::refused(self.model.form.problems(), on);
            return html! { <>{ notices }if self.model.broken.is_none() { { refused() } }</> };
        };
        let (state, failed) = if self.elsewhere() { self.state_elsewhere(moment) } else { self.title_state(moment) };
        let (title, branches) = (self.title(), self.branches());
        let title = head::Title {
            title: &title,
            chips: &moment.chips,
            versions: self.elsewhere(),
            state: &state,
            failed,
            branches: &branches,
            origin: self.origin(),
        };
        html! {
            <>
                { notices }
                { self.verdict_line(moment, on) }
                { head::title(&title, on) }
                { self.narration(Some(moment), on) }
                { head::figures(&if self.elsewhere() { self.figures_elsewhere(moment) } else { self.results(moment) }, moment.frame.at, on) }
                { self.headlines(moment, on) }
                { self.stage(moment, on) }
                <p class="only-read" role="status" id="spoken">{ self.spoken(moment) }</p>
                <p class="caption" id="caption">
                    if let Some((at, sentence)) = self.told_here().or_else(|| moment.caption.clone()) {
                        <span class="at">{ text::clock(at) }</span><span>{ sentence }</span>
                    }
                </p>
                { self.changes(on) }
                { self.above_timeline(moment, on) }
                { self.timeline(moment, on) }
                if self.model.rest == Rest::Here { { self.tasks(moment, on) } }
            </>
        }
    }

    /// What has to be said before all else.
    #[inline(never)]
    fn notices(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let outcome = moment.and_then(|moment| moment.outcome.as_ref());
        let cut =
            outcome.and_then(|outcome| outcome.cut_off_by.map(|cut| apart(|| notice::cut_off(cut, outcome.ended_at))));
        let broken = outcome.map_or(&[][..], |outcome| &outcome.figures.invariants_broken);
        html! {
            <>
                { self.model.broken.as_ref().map(|broken| apart(|| notice::broken(broken, on))).unwrap_or_default() }
                if let Some(note) = self.model.note.clone() { { apart(|| notice::note(Some(note), on)) } }
                if !self.model.warnings.is_empty() { { apart(|| notice::warnings(&self.model.warnings, on)) } }
                if self.model.form.refused() && moment.is_some() { { apart(notice::from_before) } }
                if !broken.is_empty() { { apart(|| notice::guards(broken, self.say, on)) } }
                { cut.unwrap_or_default() }
            </>
        }
    }

    /// The example the scenario comes from, by its title; with what somebody did in it, it is another one.
    fn origin(&self) -> Option<head::Origin> {
        let document = &self.model.form.accepted()?.document;
        let preset = Preset::all().find(|preset| document.title.as_deref() == Some(preset.title))?;
        let changed = Document::from_text(preset.document).document != *document;
        Some(head::Origin { preset, changed })
    }

    /// An act in a few words.
    fn act_short(&self, player: &Player, command: &Command) -> String {
        match player.head().placed() {
            Some(_) => rollscope_wording::placed::act_short(command, &self.names(player).say()),
            None => self.say.act_short(command),
        }
    }

    /// The futures of the run.
    #[inline(never)]
    fn branches(&self) -> Vec<BranchChip> {
        let chips = self.with_player(|player| {
            let player = &*player;
            let chip = |branch: BranchView<'_>| BranchChip {
                id: branch.id,
                label: branch.command.map(|command| self.act_short(player, command)).unwrap_or_default(),
                at: branch.from,
                active: branch.active,
            };
            player.branches().map(chip).collect()
        });
        chips.unwrap_or_default()
    }

    pub(super) fn stage(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let frame = &moment.frame;
        let runtime = || Rc::clone(&self.runtime);
        let picked = {
            let (on, runtime, embedded) = (on.clone(), runtime(), self.model.embed.is_some());
            move |event: PointerEvent| {
                let place = wiring::place(&event, ".stage");
                let Some(chosen) = place.and_then(|(x, y)| Some(runtime.try_borrow().ok()?.chosen_at(x, y))) else {
                    return;
                };
                // Inside another page one looks; acts are the Studio's.
                if embedded && matches!(chosen, Msg::Act(_)) {
                    return;
                }
                let host = matches!(chosen, Msg::Host(_));
                on.emit(chosen);
                if host && !embedded && wiring::is_narrow() {
                    // What can be done to it lies in the panel.
                    on.emit(Msg::Sheet(Some(Sheet::Details)));
                }
            }
        };
        let frames = self.frames.clone();
        let hover = wiring::hover(".stage", runtime(), frames.clone(), |runtime, x, y| runtime.over_stage(x, y));
        html! {
            <>
                { self.stage_head(frame, on) }
                { apart(|| traffic::lane(frame, &self.open_now(frame), |revision| self.lane_of(revision))).unwrap_or_default() }
                <div class="stage-frame" ref={self.nodes.frame.clone()}>
                    <canvas ref={self.nodes.strip.clone()} id="strip" aria-hidden="true"></canvas>
                    <canvas ref={self.nodes.stage.clone()} class="stage" id="stage" aria-hidden="true"
                        onpointerup={picked} onpointermove={hover.clone()} onpointerleave={wiring::no_hover(runtime(), frames)}></canvas>
                    <canvas ref={self.nodes.fade.clone()} class="fade gone" aria-hidden="true"></canvas>
                    if self.model.rest == Rest::Here { { self.grid(moment, on) } }
                    { self.frames_note() }
                    { self.counts(moment) }
                    { self.stuck(moment) }
                    { self.tip(frame) }
                </div>
                if frame.slots.is_empty() { { notice::nothing() } }
            </>
        }
    }

    /// Who serves, or the stage of a deployment that shifts traffic.
    fn stage_head(&self, frame: &Frame, on: &Callback<Msg>) -> Html {
        if let Some(head) = apart(|| stage_head::head(frame, on)) {
            // A frame or a revision holds tasks of one side or of both: only the walls, by slot, have weighted strips.
            let other = self.model.group.is_some_and(|group| group != Group::Slot) && !frame.hosts.is_empty();
            let grouped = other && frame.weights.is_some();
            return html! {
                <div class="stage-head">
                    { head }
                    if grouped { <span class="name" id="unweighted">{ t(Label::InServiceUnweighted) }</span> }
                    { self.groups(frame, on) }
                </div>
            };
        }
        let healthy = frame.counts.healthy();
        let shares = (0..LANES).filter(|lane| frame.counts.lanes[*lane].healthy > 0).map(|lane| {
            let revision = self.revision_of(lane, frame);
            let share = match frame.weights {
                Some(weights) => text::weight(revision, weights.of(revision)),
                None if frame.has_pods() => {
                    rollscope_wording::kubernetes::share_of(revision, frame.counts.lanes[lane].healthy, healthy)
                }
                None => text::share(revision, frame.counts.lanes[lane].healthy, healthy),
            };
            html! { <span class={format!("share lane-{lane}")}>{ share }</span> }
        });
        html! {
            <div class={classes!("stage-head", (!frame.hosts.is_empty()).then_some("on-hosts"))}>
                <span class="name">{ self.traffic_name() }</span>
                <span class="count">{ self.serving(healthy) }</span>
                { self.groups(frame, on) }
                <span class="shares">{ for shares }</span>
            </div>
        }
    }

    /// Why nothing moves, of a run in which nothing ever does; placed beside the task that finds no slot.
    #[inline(never)]
    fn stuck(&self, moment: &Moment) -> Html {
        let frame = &moment.frame;
        if !(still(moment) && matches!(frame.hold, Some(Reason::CannotMove { .. }))) {
            return Html::default();
        }
        let limits = frame.counts.limits;
        html! {
            <p class="stuck-note" id="stuck" ref={self.nodes.note.clone()}>
                <strong>{ text::stuck_sum(limits.desired, frame.maximum_percent) }</strong>{ " " }
                { text::stuck_why(limits.desired, frame.maximum_percent, limits.ceiling) }
            </p>
        }
    }

    /// What frames without words mean.
    #[inline(never)]
    fn frames_note(&self) -> Html {
        let runtime = self.runtime.borrow();
        let note = match runtime.racks().layout().map(|frames| frames.detail) {
            Some(Detail::Cells | Detail::Bars) => Label::BarsNote,
            Some(Detail::Heat) => Label::SquaresNote,
            Some(Detail::Named | Detail::Tiles) | None => return Html::default(),
        };
        html! { <p class="frames-note" id="frames-note">{ t(note) }</p> }
    }

    /// How the stage is ordered, where there are too many boxes to read each.
    #[inline(never)]
    fn groups(&self, frame: &Frame, on: &Callback<Msg>) -> Html {
        let far = self.runtime.borrow().layout().is_some_and(|layout| layout.level == Level::Far);
        let many = !far && (GROUPED_FROM..=GROUPED_UNTIL).contains(&frame.slots.len());
        let hosts = !frame.hosts.is_empty();
        if !many && !hosts {
            return Html::default();
        }
        let order = hosts::order(frame, self.model.group);
        let button = |(group, label): (Group, Label)| {
            let on = on.clone();
            html! {
                <button type="button" aria-pressed={(order == group).to_string()}
                    onclick={move |_: MouseEvent| on.emit(Msg::Group(group))}>{ t(label) }</button>
            }
        };
        let all = [
            (Group::Slot, Label::BySlot),
            (Group::Revision, Label::ByRevision),
            (Group::Zone, Label::ByZone),
            (Group::Instance, Label::ByInstance),
        ];
        let all = all.into_iter().filter(|(group, _)| match group {
            Group::Slot => true,
            Group::Revision => many,
            Group::Zone => many || hosts,
            Group::Instance => hosts,
        });
        html! { <span class="segments small" role="group" aria-label={t(Label::Group)} id="group">{ for all.map(button) }</span> }
    }

    /// The legend, or what is read on the chart.
    #[inline(never)]
    fn above_timeline(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let switch = self.chart_switch(moment, on);
        let words = self.legend(moment);
        if switch == Html::default() {
            words
        } else {
            html! { <div class="above-chart">{ words }{ switch }</div> }
        }
    }

    /// Tasks or traffic in the chart, where there is any traffic to tell of.
    fn chart_switch(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        if moment.frame.traffic.is_none() && moment.frame.weights.is_none() {
            return Html::default();
        }
        let button = |(chart, label): (ChartOf, Label)| {
            let on = on.clone();
            html! {
                <button type="button" aria-pressed={(self.model.chart == chart).to_string()}
                    onclick={move |_: MouseEvent| on.emit(Msg::Chart(chart))}>{ t(label) }</button>
            }
        };
        let all = [(ChartOf::Tasks, Label::ChartOfTasks), (ChartOf::Traffic, Label::ChartOfTraffic)];
        html! { <span class="segments small" role="group" aria-label={t(Label::ChartShows)} id="chart-of">{ for all.map(button) }</span> }
    }

    /// The legend, or what is read on the chart.
    fn legend(&self, moment: &Moment) -> Html {
        if let Hover::Moment(at) = self.model.hover
            && let Some(read) = self.readout(at)
        {
            return html! { <p class="readout" id="readout">{ read }</p> };
        }
        // The table of counts has all the legend has, and where nothing happens there is nothing to tell apart.
        if !self.model.legend || moment.frame.slots.len() > CELLS_MAX || still(moment) {
            return Html::default();
        }
        let first = self.runtime.borrow().unprotected_from(moment.frame.at);
        let there = |task: &TaskView| !matches!(task.state, TaskState::Stopped | TaskState::Failed);
        let marked = |task: &TaskView| there(task) && first.is_some_and(|first| task.id >= first);
        let corner = moment.frame.slots.iter().flatten().any(marked);
        html! { <Legend frame={Rc::clone(&moment.frame)} {corner} say={self.say} /> }
    }

    /// Requests that are open at the cursor in tasks that get no more.
    fn open_now(&self, frame: &Frame) -> Open {
        let now = self.with_player(|player| open(&self.figures.leavings(player), player.head().settings(), frame.at));
        now.filter(|_| frame.traffic.is_some()).unwrap_or_default()
    }

    /// One moment of the chart in numbers.
    #[inline(never)]
    fn readout(&self, at: SimTime) -> Option<String> {
        let runtime = self.runtime.borrow();
        let player = runtime.player.as_ref()?;
        let timeline = player.timeline();
        if self.model.chart == ChartOf::Traffic {
            let flow = timeline.flows()[..timeline.flows().partition_point(|(from, _)| *from <= at)].last();
            let weights = || rollscope_insight::json_shift::weights(RunView::of_player(player));
            return match flow {
                Some((_, flow)) => {
                    let still = open(&self.figures.leavings(player), player.head().settings(), at);
                    Some(text::flow_readout(at, flow, &still))
                }
                None => {
                    let last = weights().into_iter().rev().find(|(from, _)| *from <= at);
                    last.map(|(_, weights)| text::weights_readout(at, &weights))
                }
            };
        }
        let counts = timeline.counts_at(at)?;
        Some(text::readout(at, counts, &self.lanes(player)))
    }

    pub(super) fn timeline(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let hold = |class: &'static str| {
            let (on, runtime) = (on.clone(), Rc::clone(&self.runtime));
            Callback::from(move |event: PointerEvent| {
                if let Some(at) = wiring::held_moment(&event, class, &runtime) {
                    on.emit(Msg::Go(Go::To(at)));
                }
            })
        };
        let (chart, scrubber) = (hold("#chart"), hold(".scrubber"));
        let press = {
            let (on, runtime, chart) = (on.clone(), Rc::clone(&self.runtime), chart.clone());
            move |event: PointerEvent| {
                let row = wiring::place(&event, "#chart").and_then(|(x, y)| runtime.try_borrow().ok()?.row_at(x, y));
                match row {
                    Some(task) => on.emit(Msg::Select(Some(task))),
                    None => chart.emit(event),
                }
            }
        };
        let (runtime, frames) = (|| Rc::clone(&self.runtime), self.frames.clone());
        let hover = wiring::hover("#chart", runtime(), frames.clone(), |runtime, x, y| runtime.over_time(x, y));
        let moves = move |event: PointerEvent| {
            hover.emit(event.clone());
            chart.emit(event);
        };
        let summary = moment.outcome.as_ref().map(|outcome| {
            let limits = outcome.limits;
            let (fewest, most) = (outcome.figures.lowest_healthy, outcome.figures.peak_tasks);
            text::chart_summary(fewest, limits.floor, most, limits.ceiling)
        });
        let (at, end) = (moment.frame.at, moment.end);
        html! {
            <>
                <div class="chart-frame">
                    <canvas ref={self.nodes.chart.clone()} id="chart" role="img" tabindex="0"
                        aria-label={summary.unwrap_or(t(Label::Chart).to_owned())}
                        onpointerdown={press} onpointermove={moves} onpointerleave={wiring::no_hover(runtime(), frames)}></canvas>
                </div>
                <div class="scrubber" id="scrubber" role="slider" tabindex="0" aria-label={t(Label::Scrubber)} aria-valuemin="0"
                    aria-valuemax={end.ms().to_string()} aria-valuenow={at.ms().min(end.ms()).to_string()}
                    aria-valuetext={text::scrubber(at, end, moment.position)}
                    onpointerdown={scrubber.clone()} onpointermove={scrubber}>
                    <canvas ref={self.nodes.track.clone()} aria-hidden="true"></canvas>
                </div>
                if self.model.rest == Rest::Here && self.model.embed.is_none() { { self.chart_table(on) } }
            </>
        }
    }

    /// The tasks in words.
    #[inline(never)]
    fn tasks(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let open = (self.model.sheet == Some(Sheet::Tasks)).then_some("open");
        html! {
            <section class={classes!("tasks", "sheet", open)} id="tasks" tabindex="-1" aria-label={t(self.things())}>
                { self.sheet_head(self.things(), on) }
                <Tasks frame={Rc::clone(&moment.frame)} selected={self.model.selected} names={moment.names.clone()} say={self.say} on={on.clone()} />
            </section>
        }
    }

    /// What is known of the task or the slots under the pointer; placed by the fast path.
    #[inline(never)]
    fn tip(&self, frame: &Frame) -> Html {
        let lines = match self.model.hover {
            Hover::Task(name) => self.about(name, frame),
            Hover::Slots(_) => {
                return html! {
                    <div class="tip lens" id="tip" ref={self.nodes.tip.clone()}>
                        <canvas ref={self.nodes.lens.clone()} aria-hidden="true"></canvas>
                    </div>
                };
            }
            Hover::Host(number) => self.about_host(number, frame),
            Hover::Moment(_) | Hover::None => Vec::new(),
        };
        if lines.is_empty() {
            return Html::default();
        }
        html! {
            <div class="tip" id="tip" ref={self.nodes.tip.clone()}>{ for lines.iter().map(|line| html! { <div>{ line }</div> }) }</div>
        }
    }

    /// A task in a few lines: name and place, state and since when, what comes next, its badges.
    #[inline(never)]
    fn about(&self, name: TaskName, frame: &Frame) -> Vec<String> {
        let found = self.with_player(|player| Some((self.figures.hovered(player, name)?, self.names(player))));
        let Some((story, names)) = found.flatten() else { return Vec::new() };
        let say = |text: Text<'_>| self.say.text(text);
        let first = format!("{} · {}", names.with_version(name), say(Text::StoryPlace(&story)));
        let at = frame.at;
        let lines = [first, say(Text::StoryNow(&story, at)), say(Text::StoryNext(&story, at))];
        let task = frame.slots.iter().flatten().find(|task| task.name == name);
        let badges = task.map_or([false; 2], |task| self.runtime.borrow().badges(task));
        let badges = badges.into_iter().zip([Label::ScaleInProtected, Label::StartedUnprotected]);
        let badges = badges.filter(|(has, _)| *has).map(|(_, label)| t(label).to_owned());
        lines.into_iter().filter(|line| !line.is_empty()).chain(badges).collect()
    }

    /// An instance in a few lines: name and state, what it holds, whether it takes one more task.
    #[inline(never)]
    fn about_host(&self, number: u32, frame: &Frame) -> Vec<String> {
        let story = self.with_player(|player| rollscope_insight::host(&Demand::of(player.state())?, frame, number));
        let Some(story) = story.flatten() else { return Vec::new() };
        let first = format!("{} · {}", text::host_title(number), text::host_place(&story.view, frame.at));
        let takes = format!("{} {}", t(Label::OneMoreTask), text::host_takes(&story, frame.at));
        let holds = text::host_holds(&story).into_iter().map(|(what, amount)| format!("{what}: {amount}"));
        [first].into_iter().chain(holds).chain([takes]).collect()
    }

    /// The limits in one line.
    pub(super) fn limits_in_words(&self, accepted: &Accepted) -> String {
        let limits = accepted.resolved.limits;
        if self.elsewhere() {
            return self.limits_elsewhere(limits);
        }
        // Where traffic is shifted the two percentages play no part.
        match accepted.resolved.settings.strategy.shift() {
            Some(_) => text::limits_shifting(limits.desired),
            None => text::limits(limits.desired, limits.floor, limits.ceiling),
        }
    }

    /// The verdict in one line above the stage, where the settings stand below it.
    #[inline(never)]
    pub(super) fn verdict_line(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted() else { return Html::default() };
        if let Some((found, title)) = self.verdict_elsewhere(moment) {
            return verdict_button(look(found).1, &title, self.limits_in_words(accepted), on);
        }
        let (check, outcome) = (self.figures.check(accepted), moment.outcome.as_ref());
        let (title, _) = self.say.verdict(&check, outcome);
        let failed = outcome.and_then(|outcome| outcome.services.last().filter(|service| service.failed_by.is_some()));
        let failed_at = failed.and_then(|service| service.rollback.map(|rollback| rollback.at).or(service.finished));
        let title = match (failed_at, outcome.and_then(|outcome| outcome.completed_at)) {
            (Some(at), _) => text::verdict_fails(&title, at),
            (None, Some(at)) => text::verdict_done(&title, at),
            (None, None) => title,
        };
        let words = self.limits_in_words(accepted);
        verdict_button(look(verdict(&check, outcome)).1, &title, words, on)
    }
}

/// The verdict in one line, which opens the settings.
fn verdict_button(sign: Html, title: &str, words: String, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    let open = move |_: MouseEvent| on.emit(Msg::Sheet(Some(Sheet::Settings)));
    html! {
        <button type="button" class="verdict-line" onclick={open}>
            { sign }
            <span>
                <strong>{ title }</strong>
                <span class="limits">{ words }</span>
            </span>
            <span class="go">{ icon::sliders() }<span class="only-read">{ t(Label::Settings) }</span></span>
        </button>
    }
}

/// Nothing happens after the begin of the run.
fn still(moment: &Moment) -> bool {
    moment
        .outcome
        .as_ref()
        .is_some_and(|outcome| outcome.last_change_at == SimTime::ZERO && outcome.cut_off_by.is_none())
}
