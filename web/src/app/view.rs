//! Puts the page together from the model and the moment.

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_engine::frame::{LANES, TaskState};
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{DeploymentChange, Reason, Record, StopCode, TaskChange, What};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::{Check, Outcome, RunView, Verdict, check, outcome, verdict};
use rollscope_player::{Player, is_failure};
use rollscope_wording::Scene;
use web_sys::{MouseEvent, PointerEvent};
use yew::prelude::*;

use super::model::{Dialog, Filter, Go, Msg, Tab};
use super::runtime::last_change;
use super::{App, wiring};
use crate::form::Accepted;
use crate::parts::acts::Acts;
use crate::parts::dialogs::{CopyDialog, PasteDialog};
use crate::parts::events::{Events, Line};
use crate::parts::head::{Bar, Chip, Figure, Figures, Title};
use crate::parts::notice;
use crate::parts::settings::Settings;
use crate::parts::tasks::{Legend, Tasks};
use crate::parts::transport::Transport;
use crate::parts::verdict::{VerdictBox, changes};
use crate::parts::why::Why;
use crate::text::{self, Label, t};

/// What is worked out once a run and once a setting.
#[derive(Default)]
pub struct Cache {
    check: RefCell<Option<(Rc<Accepted>, Check)>>,
    outcome: RefCell<Option<((u32, usize, bool), Outcome)>>,
}

impl Cache {
    fn check(&self, accepted: &Rc<Accepted>) -> Check {
        let mut kept = self.check.borrow_mut();
        match &*kept {
            Some((of, found)) if Rc::ptr_eq(of, accepted) => found.clone(),
            _ => {
                let found = check(&accepted.resolved);
                *kept = Some((Rc::clone(accepted), found.clone()));
                found
            }
        }
    }

    /// The outcome of a computed run.
    fn outcome(&self, player: &Player) -> Option<Outcome> {
        if !player.complete() {
            return None;
        }
        let key = (player.active().0, player.timeline().records().len(), player.complete());
        let mut kept = self.outcome.borrow_mut();
        match &*kept {
            Some((of, found)) if *of == key => Some(found.clone()),
            _ => {
                let found = outcome(RunView::of_player(player));
                *kept = Some((key, found.clone()));
                Some(found)
            }
        }
    }

    /// Another run: the same numbers may mean something else.
    pub fn forget(&self) {
        self.outcome.replace(None);
    }
}

/// The moment as plain data.
struct Moment {
    frame: Rc<Frame>,
    end: SimTime,
    complete: bool,
    state: rollscope_player::PlayState,
    position: (usize, usize),
    /// The sentence of the last moment that told something, at or before the cursor.
    caption: Option<(SimTime, String)>,
    outcome: Option<Outcome>,
    lines: Vec<Line>,
    hidden: (usize, usize),
    next: Vec<(String, String)>,
    events: usize,
}

impl App {
    pub(super) fn page(&self, on: Callback<Msg>) -> Html {
        let moment = self.moment();
        let moment = moment.as_ref();
        html! {
            <div class="page">
                <a class="skip" href="#play" onclick={skip}>{ t(Label::Skip) }</a>
                <Bar can_undo={self.model.can_undo()} runs={moment.is_some()} on={on.clone()} />
                <div class="columns">
                    <main class="centre">
                        <div class="centre-body">{ self.centre(moment, &on) }</div>
                        { self.transport(moment, &on) }
                    </main>
                    <aside class="right" aria-label={t(Label::Details)}>{ self.right(moment, &on) }</aside>
                    <aside class="left" id="settings" aria-label={t(Label::Settings)}>
                        { self.settings(moment, &on) }
                    </aside>
                </div>
                { self.dialog(&on) }
            </div>
        }
    }

    fn moment(&self) -> Option<Moment> {
        let mut runtime = self.runtime.borrow_mut();
        let frame = runtime.frame()?;
        let player = runtime.player.as_ref()?;
        let (lines, hidden) = match self.model.tab {
            Tab::Events => self.lines(player),
            Tab::Why => (Vec::new(), (0, 0)),
        };
        Some(Moment {
            end: last_change(player),
            complete: player.complete(),
            state: player.play_state(),
            position: player.step_position(self.model.unit),
            caption: self.caption(player, &frame),
            outcome: self.figures.outcome(player),
            lines,
            hidden,
            next: self.next(player),
            events: player.timeline().records().len(),
            frame,
        })
    }

    fn centre(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let notices = html! {
            <>
                { self.model.broken.as_ref().map(|broken| notice::broken(broken, on)).unwrap_or_default() }
                { notice::note(self.model.note, on) }
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

    fn transport(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(moment) = moment else { return Html::default() };
        html! {
            <Transport at={moment.frame.at} end={moment.end} complete={moment.complete} state={moment.state}
                unit={self.model.unit} position={moment.position} speed={self.model.speed} on={on.clone()} />
        }
    }

    fn right(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let tab = |tab: Tab, name: &'static str, id: &'static str, count: Option<usize>| {
            let chosen = self.model.tab == tab;
            let on = on.clone();
            html! {
                <button type="button" role="tab" {id} aria-selected={chosen.to_string()} aria-controls="tab-panel"
                    onclick={move |_: MouseEvent| on.emit(Msg::Tab(tab))}>
                    { name }
                    if let Some(count) = count { <span class="n">{ text::number(count as u64) }</span> }
                </button>
            }
        };
        let events = moment.map(|moment| moment.events);
        html! {
            <>
                <div class="tabs" role="tablist">
                    { tab(Tab::Why, t(Label::Why), "tab-why", None) }
                    { tab(Tab::Events, t(Label::Events), "tab-events", events) }
                </div>
                <div id="tab-panel" role="tabpanel" aria-labelledby={if self.model.tab == Tab::Why { "tab-why" } else { "tab-events" }}>
                    { moment.map(|moment| self.panel(moment, on)).unwrap_or_default() }
                </div>
            </>
        }
    }

    fn panel(&self, moment: &Moment, on: &Callback<Msg>) -> Html {
        let frame = Rc::clone(&moment.frame);
        if self.model.tab == Tab::Events {
            let selected = self.model.selected.map(|name| self.say.task(name));
            return html! {
                <Events at={frame.at} lines={moment.lines.clone()} hidden={moment.hidden} filter={self.model.filter}
                    {selected} on={on.clone()} />
            };
        }
        let caption = || moment.caption.as_ref().map(|(_, sentence)| sentence.clone());
        let sentence = frame.hold.map(|reason| self.say.reason(&reason)).or_else(caption).unwrap_or_default();
        html! {
            <div class="why">
                <Why frame={Rc::clone(&frame)} {sentence} next={moment.next.clone()} say={self.say} />
                <Acts {frame} selected={self.model.selected} say={self.say} on={on.clone()} />
            </div>
        }
    }

    /// The settings, but for a page whose link could not be opened: nothing stands in its place.
    fn settings(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        if moment.is_none() && self.model.broken.is_some() {
            return html! { <p class="read">{ t(Label::NoSettings) }</p> };
        }
        html! {
            <Settings form={self.model.form.clone()} verdict={self.verdict(moment)} say={self.say} on={on.clone()} />
        }
    }

    fn verdict(&self, moment: Option<&Moment>) -> Html {
        let before = self.model.form.refused();
        let Some(accepted) = self.model.form.accepted() else {
            return html! { <VerdictBox verdict={Verdict::NotAccepted} title={t(Label::NotAccepted)} words={t(Label::NothingRuns)} /> };
        };
        let check = self.figures.check(accepted);
        let outcome = moment.and_then(|moment| moment.outcome.as_ref());
        let verdict = verdict(&check, outcome);
        let (title, words) = self.say.verdict(&check, outcome);
        html! { <VerdictBox {verdict} {title} {words} {before} /> }
    }

    /// The verdict in one line above the stage, where the settings stand below it.
    fn verdict_line(&self, moment: &Moment) -> Html {
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

    fn changes(&self, on: &Callback<Msg>) -> Html {
        match self.model.form.accepted() {
            Some(accepted) => changes(&self.figures.check(accepted), self.say, on),
            None => Html::default(),
        }
    }

    fn dialog(&self, on: &Callback<Msg>) -> Html {
        match &self.model.dialog {
            Dialog::None => Html::default(),
            Dialog::Paste(paste) => html! { <PasteDialog paste={(**paste).clone()} on={on.clone()} /> },
            Dialog::Copy(link) => html! { <CopyDialog link={link.clone()} on={on.clone()} /> },
        }
    }

    /// Revisions of the title: those of the scenario that are deployed by now, oldest first.
    fn chips(&self, frame: &Frame) -> Vec<Chip> {
        let mut numbers: Vec<u32> = self.revisions().into_iter().take(2).collect();
        for deployment in &frame.deployments {
            if !numbers.contains(&deployment.revision) {
                numbers.push(deployment.revision);
            }
        }
        numbers.into_iter().map(|number| (number, self.lane_of(number))).collect()
    }

    fn revisions(&self) -> Vec<u32> {
        let accepted = self.model.form.accepted();
        accepted.map(|a| a.resolved.settings.revisions.iter().map(|r| r.number).collect()).unwrap_or_default()
    }

    fn lane_of(&self, revision: u32) -> u8 {
        let place = self.revisions().iter().position(|number| *number == revision);
        place.map_or(LANES - 1, |place| place.min(LANES - 1)) as u8
    }

    /// The revision of a lane: the newest one where a lane holds several.
    fn revision_of(&self, lane: usize, frame: &Frame) -> u32 {
        let there = frame.deployments.iter().rev().map(|deployment| deployment.revision);
        there.into_iter().find(|revision| usize::from(self.lane_of(*revision)) == lane).unwrap_or_default()
    }

    fn traffic_name(&self) -> &'static str {
        let accepted = self.model.form.accepted();
        let balanced = accepted.is_some_and(|a| !a.resolved.settings.target_groups.is_empty());
        if balanced { t(Label::LoadBalancer) } else { t(Label::InService) }
    }

    /// What a sentence about the instant `at` refers to.
    fn scene<'a>(&self, player: &'a Player, at: SimTime) -> Scene<'a> {
        let counts = player.timeline().counts_at(at).copied().unwrap_or_default();
        let newest = self.newest(player, at);
        Scene {
            counts,
            target: newest.map(|revision| (revision, counts.lanes[usize::from(self.lane_of(revision))].healthy)),
            behind_load_balancer: !player.state().settings().target_groups.is_empty(),
            acts: player.acts(),
        }
    }

    /// Revision of the newest deployment at a moment.
    fn newest(&self, player: &Player, at: SimTime) -> Option<u32> {
        let records = player.timeline().records();
        let before = &records[..records.partition_point(|record| record.at <= at)];
        let started = before.iter().rev().find_map(|record| match record.what {
            What::Deployment { revision, change: DeploymentChange::Started, .. } => Some(revision),
            _ => None,
        });
        started.or_else(|| player.state().settings().start.deployments.last().map(|deployment| deployment.revision))
    }

    /// The sentence of the last instant at or before the cursor that has one. That nothing will
    /// ever move is said before all else.
    fn caption(&self, player: &Player, frame: &Frame) -> Option<(SimTime, String)> {
        if let Some(reason @ Reason::CannotMove { .. }) = frame.hold {
            return Some((frame.at, self.say.reason(&reason)));
        }
        let timeline = player.timeline();
        let past = &timeline.events()[..timeline.events().partition_point(|at| *at <= player.now())];
        past.iter().rev().take(50).find_map(|at| {
            let sentence = rollscope_wording::caption(timeline.records_at(*at), &self.scene(player, *at));
            (!sentence.is_empty()).then_some((*at, sentence))
        })
    }

    /// The next moments at which something changes for the scheduler.
    fn next(&self, player: &Player) -> Vec<(String, String)> {
        let records = player.timeline().records();
        let from = records.partition_point(|record| record.at <= player.now());
        let telling = |record: &&Record| {
            matches!(
                record.what,
                What::Task { change: TaskChange::Healthy | TaskChange::Stopped(_) | TaskChange::Unhealthy, .. }
            )
        };
        let ahead = &records[from..records.len().min(from + 400)];
        ahead
            .iter()
            .filter(telling)
            .take(2)
            .map(|r| (text::clock(r.at), self.say.record(r, &self.scene(player, r.at))))
            .collect()
    }

    /// Lines of the list around the cursor, and how many are left out.
    fn lines(&self, player: &Player) -> (Vec<Line>, (usize, usize)) {
        let records = player.timeline().records();
        let wanted = |record: &Record| match self.model.filter {
            Filter::All => true,
            Filter::Decisions => matches!(record.what, What::Decision(_)),
            Filter::Failures => is_failure(&record.what),
            Filter::Selected => task_of(record).is_some() && task_of(record) == self.model.selected,
        };
        let listed: Vec<usize> = (0..records.len()).filter(|index| wanted(&records[*index])).collect();
        let here = listed.partition_point(|index| records[*index].at <= player.now());
        let count = self.model.events;
        let from = here.saturating_sub(count / 2).min(listed.len().saturating_sub(count));
        let until = (from + count).min(listed.len());
        let lines = self.group(player, &listed[from..until]);
        (lines, (from, listed.len() - until))
    }

    /// More than three tasks of a revision that did the same at one moment are one line. Failures
    /// stand alone.
    fn group(&self, player: &Player, listed: &[usize]) -> Vec<Line> {
        let records = player.timeline().records();
        let mut groups: Vec<Group> = Vec::new();
        for &index in listed {
            let record = &records[index];
            let kind = match record.what {
                What::Task { task, change } if !is_failure(&record.what) => {
                    Some((task.name.revision, std::mem::discriminant(&change)))
                }
                _ => None,
            };
            // Only groups after the last line that stands alone are open, and of this moment only.
            let open = groups.iter_mut().rev().take_while(|group| group.kind.is_some() && group.at == record.at);
            match open.into_iter().find(|group| kind.is_some() && group.kind == kind) {
                Some(group) => group.members.push(index),
                None => groups.push(Group { at: record.at, kind, members: vec![index] }),
            }
        }
        let lines = groups.into_iter().flat_map(|group| match group.members.len() {
            0..=3 => group.members.into_iter().map(|index| self.line(player, index, None)).collect::<Vec<_>>(),
            many => vec![self.line(player, group.members[0], Some(many as u32))],
        });
        lines.collect()
    }

    fn line(&self, player: &Player, index: usize, several: Option<u32>) -> Line {
        let record = &player.timeline().records()[index];
        let scene = self.scene(player, record.at);
        let key = match record.what {
            What::Task { task, change } => state_after(change).map(|state| (state, self.lane_of(task.name.revision))),
            _ => None,
        };
        let words = match several {
            Some(count) => self.say.several(record, count, &scene),
            None => self.say.record(record, &scene),
        };
        let chosen = self.model.selected.is_some() && task_of(record) == self.model.selected;
        Line {
            index,
            at: record.at,
            words,
            key,
            decision: matches!(record.what, What::Decision(_)),
            failure: is_failure(&record.what),
            chosen,
        }
    }
}

/// Records that share a line, if they are more than three.
struct Group {
    at: SimTime,
    /// Revision and kind of change; `None` stands alone.
    kind: Option<(u32, std::mem::Discriminant<TaskChange>)>,
    members: Vec<usize>,
}

/// A link into the page would change the fragment, which holds the scenario.
fn skip(event: MouseEvent) {
    use wasm_bindgen::JsCast;
    event.prevent_default();
    let play = web_sys::window().and_then(|window| window.document()?.get_element_by_id("play"));
    if let Some(play) = play.and_then(|play| play.dyn_into::<web_sys::HtmlElement>().ok()) {
        let _ = play.focus();
    }
}

fn task_of(record: &Record) -> Option<TaskName> {
    match record.what {
        What::Task { task, .. } => Some(task.name),
        _ => None,
    }
}

/// The state a change leads to, for the picture beside it.
fn state_after(change: TaskChange) -> Option<TaskState> {
    Some(match change {
        TaskChange::Existing { state, .. } => state,
        TaskChange::Created { .. } => TaskState::Waiting,
        TaskChange::Activating => TaskState::Starting,
        TaskChange::Running | TaskChange::Rechecking => TaskState::Checking,
        TaskChange::Healthy => TaskState::Healthy,
        TaskChange::Unhealthy => TaskState::Unhealthy,
        TaskChange::StopDecided(_) | TaskChange::Draining => TaskState::Draining,
        TaskChange::Sigterm | TaskChange::Sigkill => TaskState::Stopping,
        TaskChange::Stopped(StopCode::TaskFailedToStart | StopCode::EssentialContainerExited) => TaskState::Failed,
        TaskChange::Stopped(_) => TaskState::Stopped,
        TaskChange::UnhealthyInGrace => return None,
    })
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
