//! The panel at the right: why, events, guards, and the selected task.

use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::trace::{FailureVerdict, Record, What};
use rollscope_insight::{BlockedBy, Demand, GuardRow, MomentKind, RunView, ServiceEventKind, ecs_effect_of_act};
use rollscope_player::{PlayState, Player, is_failure};
use rollscope_wording::{RuleWords, Text};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, KeyboardEvent, MouseEvent};
use yew::prelude::*;

use super::Moment;
use super::lines::{Listing, Wanted, task_of};
use super::moment::{Scenes, state_after};
use crate::app::App;
use crate::app::model::{Filter, Msg, Tab};
use crate::parts::acts::Acts;
use crate::parts::empty;
use crate::parts::events::{Events, Line, Mark};
use crate::parts::guards::{self, Guard};
use crate::parts::host;
use crate::parts::mark;
use crate::parts::selected::{Selected, Span, gone};
use crate::parts::why::{self, Why};
use crate::text::{self, Label, t};

/// The tabs in their order, with the ids of their buttons.
const TABS: [(Tab, Label, &str); 4] = [
    (Tab::Why, Label::Why, "tab-why"),
    (Tab::Events, Label::Events, "tab-events"),
    (Tab::Api, Label::ApiView, "tab-api"),
    (Tab::Guards, Label::Guards, "tab-guards"),
];

/// Up to this many slots changes are tried at each moment the cursor is moved to.
const TRIED_AT_ONCE: usize = 200;

impl App {
    #[inline(never)]
    pub(super) fn right(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let runtime = self.runtime.borrow();
        let player = runtime.player.as_ref();
        let guards = player.map(|player| self.figures.guards(player));
        let panel = match (moment, player, &guards) {
            (Some(moment), Some(player), Some(guards)) => self.panel(moment, player, guards, on),
            _ => empty::panel(self.model.tab, self.why_empty(), on),
        };
        let labelled = TABS.iter().find(|(tab, ..)| *tab == self.model.tab).map_or("", |(.., id)| *id);
        let of_tab = format!("tab-panel on-{labelled}");
        html! {
            <>
                { self.tabs(moment.map(|moment| moment.events), guards.as_deref(), on) }
                <div id="tab-panel" class={of_tab} role="tabpanel" aria-labelledby={labelled}>{ panel }</div>
            </>
        }
    }

    /// Why there is no run.
    fn why_empty(&self) -> empty::Cause {
        if self.model.broken.is_some() { empty::Cause::Broken } else { empty::Cause::Refused }
    }

    fn tabs(&self, events: Option<usize>, guards: Option<&[GuardRow]>, on: &Callback<Msg>) -> Html {
        let tab = |(tab, label, id): (Tab, Label, &'static str)| {
            let chosen = self.model.tab == tab;
            let on = on.clone();
            let beside = match tab {
                Tab::Why | Tab::Api => Html::default(),
                Tab::Events => {
                    events.map(|n| html! { <span class="n">{ text::number(n as u64) }</span> }).unwrap_or_default()
                }
                Tab::Guards => guards.map(guards_mark).unwrap_or_default(),
            };
            html! {
                <button type="button" role="tab" {id} aria-selected={chosen.to_string()} aria-controls="tab-panel"
                    tabindex={if chosen { "0" } else { "-1" }} onclick={move |_: MouseEvent| on.emit(Msg::Tab(tab))}>
                    { t(label) }{ " " }{ beside }
                </button>
            }
        };
        let onkeydown = {
            let (on, now) = (on.clone(), self.model.tab);
            move |event: KeyboardEvent| {
                if let Some((to, id)) = beside(now, &event.key()) {
                    event.prevent_default();
                    on.emit(Msg::Tab(to));
                    focus(id);
                }
            }
        };
        html! { <div class="tabs" role="tablist" aria-label={t(Label::Details)} {onkeydown}>{ for TABS.into_iter().filter(|(tab, ..)| self.has_tab(*tab)).map(tab) }</div> }
    }

    /// The API view and the guards speak of Amazon ECS.
    fn has_tab(&self, tab: Tab) -> bool {
        matches!(tab, Tab::Why | Tab::Events) || !self.elsewhere()
    }

    fn panel(&self, moment: &Moment, player: &Player, guards: &Rc<[GuardRow]>, on: &Callback<Msg>) -> Html {
        if self.elsewhere() && self.model.tab != Tab::Events {
            return self.why_elsewhere(moment, player, on);
        }
        match self.model.tab {
            // An instance is chosen to be asked or acted on: its card comes first.
            Tab::Why if self.model.host.is_some() => {
                html! { <>{ self.selected(moment, player, on) }{ self.why(moment, player, on) }</> }
            }
            Tab::Why => html! { <>{ self.why(moment, player, on) }{ self.selected(moment, player, on) }</> },
            Tab::Events => self.events(moment, player, on),
            Tab::Api => html! { <>{ self.api(moment, player, on) }{ self.selected(moment, player, on) }</> },
            Tab::Guards => html! { <>{ self.guards(player, guards, on) }{ self.selected(moment, player, on) }</> },
        }
    }

    fn why(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let say = self.say;
        let now = rollscope_insight::moment(player);
        let scenes = self.figures.scenes(player, || self.scenes(player));
        let waits = now.waits_for.iter().map(|wait| (wait.at, say.text(Text::Wait(wait, scenes.acts()))));
        // While it plays, the moments are too short to try changes on each of them. What lets a
        // run move that never does stands large in the middle.
        let never = now.kind == MomentKind::NeverMoves && now.at == SimTime::ZERO;
        let tried = moment.state != PlayState::Playing && !never;
        // Trying changes on many tasks takes longer than a frame: it waits until the hand rests.
        let tried = tried && (moment.frame.slots.len() <= TRIED_AT_ONCE || self.rests());
        let found = if tried { self.figures.changes(player) } else { Rc::from([]) };
        let ways = found.iter().map(|way| (say.text(Text::MomentChange(way)), why::way(way, &self.model.form, now.at)));
        let frame = Rc::clone(&moment.frame);
        let alarms: Vec<String> = player.head().settings().alarms.iter().map(|alarm| alarm.name.clone()).collect();
        let daemon = player.head().settings().cluster().is_some_and(|cluster| cluster.daemon);
        let selected = self.model.selected.is_some();
        let acts = html! { <Acts {frame} {selected} {daemon} {alarms} {say} on={on.clone()} /> };
        let (protection, counts) = self.protection(moment, player, on);
        html! {
            <Why title={say.text(Text::MomentTitle(&now))} lead={say.text(Text::MomentLead(&now))} end={moment.end} sums={now.sums}
                waits={waits.collect::<Vec<_>>()} ways={ways.collect::<Vec<_>>()} in_account={self.in_account(moment, player, now.kind)}
                rule={rollscope_wording::moment_rule(&now)} cited={self.cited(now.at)} {protection} {counts} times={self.figures.times(player)} {acts} {say} on={on.clone()} />
        }
    }

    /// The figure that was asked for its rule, while the cursor stands at its moment.
    fn cited(&self, now: SimTime) -> Option<(String, RuleWords)> {
        let cited = self.model.cited.as_ref().filter(|cited| cited.at == now)?;
        Some((cited.name.clone(), rollscope_wording::rule_words(cited.rule)))
    }

    /// The service event of a rollout that cannot move because of its settings.
    fn in_account(&self, moment: &Moment, player: &Player, kind: MomentKind) -> Option<String> {
        let outcome = moment.outcome.as_ref()?;
        if kind != MomentKind::NeverMoves
            || outcome.blocked_by != Some(BlockedBy::Configuration)
            || outcome.failures > 0
        {
            return None;
        }
        let events = rollscope_insight::service_events::service_events(RunView::of_player(player));
        let blocks = events.into_iter().rev().find(|event| event.kind == ServiceEventKind::ConfigurationBlocks)?;
        Some(rollscope_wording::service_event(&blocks, &self.title()))
    }

    fn events(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let selected = self.model.selected;
        let wanted = Wanted {
            filter: self.model.filter,
            selected: selected.filter(|_| self.model.filter == Filter::Selected),
            query: self.model.query.trim().to_owned(),
        };
        let scenes = self.figures.scenes(player, || self.scenes(player));
        let list = self.figures.lines(player, &wanted, &scenes);
        let (rows, now) = (Rc::clone(&list.rows), list.line_at(moment.frame.at));
        let runtime = Rc::clone(&self.runtime);
        let line = Callback::from(move |row: usize| {
            let runtime = runtime.try_borrow().ok()?;
            let records = runtime.player.as_ref()?.timeline().records();
            line(records, &list, row, &scenes, selected)
        });
        html! {
            <Events at={moment.frame.at} {rows} {now} {line} filter={self.model.filter} query={self.model.query.clone()}
                selected={selected.map(|name| moment.names.with_version(name))} on={on.clone()} />
        }
    }

    fn guards(&self, player: &Player, rows: &Rc<[GuardRow]>, on: &Callback<Msg>) -> Html {
        let say = self.say;
        let moments = rollscope_insight::guard_moments(RunView::of_player(player));
        let guard = |row: &GuardRow| Guard {
            name: say.text(Text::GuardTitle(row.kind)),
            holds: row.holds,
            worst: say.text(Text::GuardWorst(row)),
            // What must not be at all, and was not, has no moment.
            at: row.worst.filter(|(value, _)| *value > 0 || row.bound > 0).map(|(_, at)| at),
            bound: say.text(Text::GuardBound(row)),
            more: match &row.broken {
                Some(broken) => say.guard(broken),
                None => say.text(Text::GuardBeyond(row)),
            },
        };
        let (title, lead) = (say.text(Text::GuardsTitle(rows)), say.text(Text::GuardsLead { moments }));
        guards::panel(&title, &lead, &rows.iter().map(guard).collect::<Vec<_>>(), on)
    }

    /// The card of the selected instance.
    #[inline(never)]
    fn selected_host(&self, number: u32, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        let frame = &moment.frame;
        let story = Demand::of(player.state()).and_then(|demand| rollscope_insight::host(&demand, frame, number));
        let Some(story) = story else { return Html::default() };
        host::card(&host::Card { story, at: frame.at }, on)
    }

    /// The card of the selected task.
    fn selected(&self, moment: &Moment, player: &Player, on: &Callback<Msg>) -> Html {
        if let Some(number) = self.model.host {
            return self.selected_host(number, moment, player, on);
        }
        let Some((name, story)) = self.model.selected.and_then(|name| Some((name, self.figures.story(player, name)?)))
        else {
            return Html::default();
        };
        let (say, at) = (self.say, moment.frame.at);
        let now = story.at(at);
        let spans = story.spans.iter().map(|span| Span {
            state: say.state(span.state),
            time: say.text(Text::StorySpan(span)),
            from: span.from,
            now: now.is_some_and(|now| now.from == span.from),
        });
        let there = moment.frame.slots.iter().flatten().find(|task| task.name == name);
        let protected = there.is_some_and(|task| task.protected_until.is_some());
        let effect = ecs_effect_of_act(&rollscope_engine::settings::Command::Kill(name));
        let leaving = self.figures.leavings(player);
        let leaving = leaving.iter().find(|leaving| leaving.task == name);
        let open = text::open_of_task(leaving.map_or(0, |leaving| leaving.open(player.head().settings(), at)));
        html! {
            <Selected {name} time={say.text(Text::TaskTime(&self.figures.task_time(player, &story)))} task={moment.names.task(name)} place={say.text(Text::StoryPlace(&story))}
                state={now.map(|span| say.state(span.state)).unwrap_or_default()} there={now.is_some_and(|span| !gone(span.state))} {protected}
                spans={spans.collect::<Vec<_>>()} {open} why={say.text(Text::StoryWhyStopped(&story))}
                effect={say.text(Text::EcsEffect(effect))} on={on.clone()} />
        }
    }
}

/// One line of the list.
fn line(
    records: &[Record],
    list: &Listing,
    row: usize,
    scenes: &Scenes,
    selected: Option<rollscope_engine::settings::TaskName>,
) -> Option<Line> {
    let entry = list.entry(row)?;
    let members = list.members(entry);
    let record = records.get(list.first(entry))?;
    let mark = match record.what {
        What::Task { task, change } => match state_after(change) {
            Some(state) => Mark::State(state, scenes.lane(task.name.revision)),
            None => Mark::Other,
        },
        What::Decision(_) => Mark::Decision,
        What::Kubernetes(change) if change.is_decision() => Mark::Decision,
        What::Kubernetes(change) if change.is_failure() => Mark::Broken,
        What::Kubernetes(_) => Mark::Other,
        What::Asg(change) if change.is_failure() => Mark::Broken,
        What::Asg(rollscope_engine::asg::Change::Status { .. }) => Mark::Deployment,
        What::Asg(change) if change.is_decision() => Mark::Decision,
        What::Asg(_) => Mark::Other,
        What::Vm(change) if change.is_failure() => Mark::Broken,
        What::Vm(rollscope_engine::vm::Change::Status { .. }) => Mark::Deployment,
        What::Vm(change) if change.is_decision() => Mark::Decision,
        What::Vm(_) => Mark::Other,
        What::Act { .. } => Mark::Act,
        What::Deployment { .. } | What::Service { .. } => Mark::Deployment,
        What::Guard(_) => Mark::Broken,
        What::Failure(failure) if failure.verdict == FailureVerdict::Counted => Mark::Broken,
        What::CountReset { .. } => Mark::Holds,
        What::Failure(_)
        | What::Alarm { .. }
        | What::Schema { .. }
        | What::Rate { .. }
        | What::Scaled { .. }
        | What::Places { .. }
        | What::Host { .. }
        | What::Ended(_) => Mark::Other,
    };
    let about = |index: &u32| records.get(*index as usize).and_then(task_of).map(|task| task.name);
    Some(Line {
        at: entry.at,
        words: scenes.line(record, members.len() as u32),
        mark,
        tall: list.is_tall(records, entry),
        failure: is_failure(&record.what),
        chosen: selected.is_some() && members.iter().any(|index| about(index) == selected),
    })
}

/// A tick while all guards hold, else how many are broken.
fn guards_mark(rows: &[GuardRow]) -> Html {
    let broken = rows.iter().filter(|row| !row.holds).count();
    html! {
        <>
            if broken == 0 { { mark::holds() } } else { <span class="n bad" aria-hidden="true">{ text::number(broken as u64) }</span> }
            <span class="only-read">{ text::guards_tab(broken) }</span>
        </>
    }
}

/// The tab that a key leads to, with its id.
fn beside(now: Tab, key: &str) -> Option<(Tab, &'static str)> {
    let at = TABS.iter().position(|(tab, ..)| *tab == now)?;
    let to = match key {
        "ArrowRight" => (at + 1) % TABS.len(),
        "ArrowLeft" => (at + TABS.len() - 1) % TABS.len(),
        "Home" => 0,
        "End" => TABS.len() - 1,
        _ => return None,
    };
    Some((TABS[to].0, TABS[to].2))
}

fn focus(id: &str) {
    let found = web_sys::window().and_then(|window| window.document()?.get_element_by_id(id));
    if let Some(element) = found.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
        let _ = element.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_go_round_the_tabs() {
        assert_eq!(beside(Tab::Why, "ArrowLeft"), Some((Tab::Guards, "tab-guards")));
        assert_eq!(beside(Tab::Guards, "ArrowRight"), Some((Tab::Why, "tab-why")));
        assert_eq!(beside(Tab::Why, "End"), Some((Tab::Guards, "tab-guards")));
        assert_eq!(beside(Tab::Why, "x"), None);
    }
}
