//! Puts the page together from the model and the moment.

mod api;
mod asg;
mod cache;
mod centre;
mod chapter;
mod elsewhere;
mod embed;
mod kubernetes;
mod left;
mod lines;
mod moment;
mod placed;
mod present;
mod protection;
mod results;
mod right;
mod share;
mod tables;
mod vm;

use std::rc::Rc;

use rollscope_engine::{Frame, SimTime};
use rollscope_insight::{Outcome, Promise, Verdict};
use rollscope_player::{Speed, is_failure};
use web_sys::MouseEvent;
use yew::prelude::*;

use super::model::{Dialog, Msg, Rest, Sheet, Tab};
use super::runtime::last_change;
use super::{App, wiring};
use crate::names::Names;
use crate::parts::dialogs::{CopyDialog, PasteDialog};
use crate::parts::drop;
use crate::parts::export::ExportDialog;
use crate::parts::head::{self, Chip};
use crate::parts::help::help_dialog;
use crate::parts::icon;
use crate::parts::presets::presets_dialog;
use crate::parts::transport::Transport;
use crate::parts::verdict::changes;
use crate::text::{self, Label, t};
pub use cache::Cache;

/// The moment as plain data.
struct Moment {
    frame: Rc<Frame>,
    /// What its tasks are called.
    names: Names,
    /// Revisions in the order in which the run deploys them.
    chips: Vec<Chip>,
    end: SimTime,
    complete: bool,
    state: rollscope_player::PlayState,
    position: (usize, usize),
    /// The speed in force, and in thousandths of real time.
    speed: Speed,
    milli: u64,
    /// The sentence of the last moment that told something, at or before the cursor.
    caption: Option<(SimTime, String)>,
    /// That moment told of a failure.
    failure: bool,
    outcome: Option<Outcome>,
    /// The outcome of a computed run of a Kubernetes Deployment; the one above is absent then.
    kubernetes: Option<Rc<rollscope_insight::kubernetes::Outcome>>,
    /// The same of a StatefulSet or a DaemonSet.
    placed: Option<Rc<rollscope_insight::placed::Outcome>>,
    /// The same of an Auto Scaling group.
    asg: Option<Rc<rollscope_insight::asg::Outcome>>,
    /// The same of a group of virtual machines.
    vm: Option<Rc<rollscope_insight::vm::Outcome>>,
    events: usize,
}

impl Moment {
    /// The cursor stands at the end of a computed run.
    fn over(&self) -> bool {
        self.complete && self.frame.at >= self.end
    }
}

impl App {
    pub(super) fn page(&self, on: Callback<Msg>) -> Html {
        let moment = self.moment();
        let moment = moment.as_ref();
        let model = &self.model;
        let details = match model.tab {
            Tab::Why => Label::Why,
            Tab::Events => Label::Events,
            Tab::Api if self.elsewhere() => Label::Why,
            Tab::Api => Label::ApiView,
            Tab::Guards => Label::Guards,
        };
        let sheet = |sheet: Sheet| (model.sheet == Some(sheet)).then_some("open");
        let title = self.title();
        let bar = head::Bar {
            title: &title,
            chips: moment.map_or(&[], |moment| &moment.chips),
            versions: self.elsewhere(),
            can_undo: model.can_undo(),
            can_redo: model.can_redo(),
            runs: moment.is_some(),
            theme: model.theme,
            comparing: model.comparing.is_some(),
            exploring: model.comparing.as_deref().is_some_and(crate::link::is_explored),
        };
        let comparing = model.comparing.is_some();
        html! {
            <div class={classes!("page", model.stage_only.then_some("stage-only"), self.present_class())}>
                <nav class="skips" aria-label={t(Label::Skips)}>
                    if comparing {
                        { skip("cmp-play", Label::Skip) }
                        { skip("cmp-side", Label::SkipToDetails) }
                    } else {
                        { skip("play", Label::Skip) }
                        { skip("settings", Label::SkipToSettings) }
                        { skip("details", Label::SkipToDetails) }
                    }
                </nav>
                { head::bar(&bar, &on) }
                if let Some(why) = &model.not_compared { <p class="notice" role="alert" id="not-compared">{ why }</p> }
                // The second program fills it.
                <main class="compare" id="compare" tabindex="-1" hidden={!comparing} data-keys={(!model.single_keys).then_some("off")}></main>
                <div class="columns" hidden={comparing}>
                    <aside class={classes!("left", "sheet", sheet(Sheet::Settings))} id="settings" tabindex="-1" aria-label={t(Label::Settings)}>
                        { self.sheet_head(Label::Settings, &on) }
                        { self.rest(&on).unwrap_or_else(|| self.settings(moment, &on)) }
                    </aside>
                    <main class="centre">
                        <div class="centre-body" ref={self.nodes.body.clone()}>
                            <div class="content" ref={self.nodes.content.clone()}>{ self.centre(moment, &on) }</div>
                        </div>
                        { self.transport(moment, &on) }
                    </main>
                    <aside class={classes!("right", "sheet", sheet(Sheet::Details))} id="details" tabindex="-1" aria-label={t(Label::Details)}>
                        { self.sheet_head(details, &on) }
                        { self.rest(&on).unwrap_or_else(|| self.right(moment, &on)) }
                    </aside>
                </div>
                if !comparing { { self.bottom_bar(&on) } }
                { self.presenter(moment, &on) }
                { self.dialog(&on) }
                { drop::zone(model.dragged) }
            </div>
        }
    }

    /// What stands in the place of a panel that comes with the rest of the program, as long as that is not there.
    #[inline(never)]
    pub(super) fn rest(&self, on: &Callback<Msg>) -> Option<Html> {
        let sentence = match &self.model.rest {
            Rest::Here => return None,
            Rest::Awaited => return Some(Html::default()),
            Rest::Missing(sentence) => sentence,
        };
        let on = on.clone();
        Some(html! {
            <div class="paste-failed" role="alert">
                <p>{ sentence }</p>
                <button type="button" class="button line" onclick={move |_: MouseEvent| on.emit(Msg::AskRest)}>{ t(Label::TryAgain) }</button>
            </div>
        })
    }

    /// The head of a panel where it lies over a narrow page.
    pub(super) fn sheet_head(&self, name: Label, on: &Callback<Msg>) -> Html {
        let on = on.clone();
        html! {
            <div class="sheet-head">
                <span class="grip" aria-hidden="true"></span>
                <strong>{ t(name) }</strong>
                <button type="button" class="button icon" aria-label={t(Label::CloseSheet)}
                    onclick={move |_: MouseEvent| on.emit(Msg::Sheet(None))}>{ icon::cross() }</button>
            </div>
        }
    }

    /// What a narrow page opens from its lower edge.
    fn bottom_bar(&self, on: &Callback<Msg>) -> Html {
        let model = &self.model;
        let details = model.sheet == Some(Sheet::Details);
        let button = |label: Label, open: bool, msgs: Vec<Msg>| {
            let on = on.clone();
            html! {
                <button type="button" aria-pressed={open.to_string()} onclick={move |_: MouseEvent| {
                    msgs.iter().for_each(|msg| on.emit(msg.clone()));
                }}>{ t(label) }</button>
            }
        };
        let tab = |label: Label, tab: Tab| {
            let open = details && model.tab == tab;
            let sheet = Msg::Sheet((!open).then_some(Sheet::Details));
            button(label, open, vec![Msg::Tab(tab), sheet])
        };
        let tasks = model.sheet == Some(Sheet::Tasks);
        html! {
            <nav class="bottom" aria-label={t(Label::Panels)}>
                { tab(Label::Why, Tab::Why) }
                { button(self.things(), tasks, vec![Msg::Sheet((!tasks).then_some(Sheet::Tasks))]) }
                { tab(Label::Events, Tab::Events) }
                if !self.elsewhere() {
                    { tab(Label::ApiView, Tab::Api) }
                    { tab(Label::Guards, Tab::Guards) }
                }
            </nav>
        }
    }

    fn moment(&self) -> Option<Moment> {
        let mut runtime = self.runtime.borrow_mut();
        let frame = runtime.frame()?;
        let player = runtime.player.as_ref()?;
        Some(Moment {
            names: self.names(player),
            chips: self.chips(player),
            end: last_change(player),
            complete: player.complete(),
            state: player.play_state(),
            position: player.step_position(self.model.unit),
            speed: player.speed(),
            milli: player.speed_milli(),
            caption: self.caption(player, &frame),
            failure: player.last_records().iter().any(|record| is_failure(&record.what)),
            outcome: self.figures.outcome(player),
            kubernetes: self.kubernetes_outcome(player),
            placed: self.placed_outcome(player),
            asg: self.asg_outcome(player),
            vm: self.vm_outcome(player),
            events: player.timeline().records().len(),
            frame,
        })
    }

    fn transport(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(moment) = moment else { return Html::default() };
        html! {
            <Transport at={moment.frame.at} end={moment.end} complete={moment.complete} state={moment.state}
                unit={self.model.unit} position={moment.position} speed={moment.speed} milli={moment.milli}
                typing={self.model.typing_time} stage_only={self.model.stage_only} on={on.clone()} />
        }
    }

    #[inline(never)]
    fn changes(&self, on: &Callback<Msg>) -> Html {
        let Some(accepted) = self.model.form.accepted().filter(|_| !self.elsewhere()) else {
            return Html::default();
        };
        // What somebody does later may let it move all the same.
        let outcome = self.with_player(|player| self.figures.outcome(player)).flatten();
        let mut check = self.figures.check(accepted);
        let found = rollscope_insight::verdict(&check, outcome.as_ref());
        let all = check.changes.clone();
        check.changes = self.moving(accepted, &check, outcome.as_ref());
        // What only takes longer than it might is told at the left, beside the verdict.
        match found {
            found if check.mendable(found) && !matches!(found, Verdict::Caution(_)) => {
                let told = |run: Promise| text::changed(run.lowest_healthy, run.desired, run.done);
                let runs = self.figures.changed(accepted);
                let shown = all.iter().zip(runs.iter()).filter(|(change, _)| check.changes.contains(change));
                let told: Vec<String> = shown.map(|(_, run)| run.map_or_else(String::new, told)).collect();
                changes(&check, &told, self.say, on)
            }
            _ => Html::default(),
        }
    }

    fn dialog(&self, on: &Callback<Msg>) -> Html {
        match &self.model.dialog {
            Dialog::None => Html::default(),
            opened => self.opened(opened, on),
        }
    }

    #[inline(never)]
    fn opened(&self, dialog: &Dialog, on: &Callback<Msg>) -> Html {
        match dialog {
            Dialog::None => Html::default(),
            Dialog::Paste(paste) => html! { <PasteDialog paste={(**paste).clone()} on={on.clone()} /> },
            Dialog::Copy(link) => html! { <CopyDialog link={link.clone()} on={on.clone()} /> },
            Dialog::Export => {
                let form = self.model.shown();
                html! { <ExportDialog own={Rc::new(form.wanted().clone())} base={form.opened().clone()} on={on.clone()} /> }
            }
            Dialog::Share => self.share_dialog(on),
            Dialog::Help => help_dialog(self.model.single_keys, on),
            Dialog::Presets => presets_dialog(on),
        }
    }
}

/// Jumps to a part of the page. A link would change the fragment, which holds the scenario.
fn skip(id: &'static str, label: Label) -> Html {
    html! {
        <button type="button" class="skip" onclick={move |_: MouseEvent| wiring::focus(id)}>{ t(label) }</button>
    }
}
