//! The page: a pure model, a component that carries out what it says, and the fast path.

mod act;
mod compare;
mod drop;
mod keys;
pub mod model;
mod present;
pub mod runtime;
mod shelf;
mod view;
pub(crate) mod wiring;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use gloo_timers::callback::Timeout;
use rollscope_engine::SimTime;
use rollscope_engine::settings::Command;
use rollscope_player::{Player, StepUnit};
use rollscope_scenario::Value;
use rollscope_scenario::document::Field;
use yew::prelude::*;

use crate::address::Address;
use crate::api;
use crate::canvas::{self, Frames};
use crate::embed::Embed;
use crate::keep;
use crate::lazy;
use crate::link;
use crate::rest;
use crate::say::Say;
use crate::text::{self, Label, t};
use compare::show_compared;
use model::{Dialog, Effect, Go, Here, Hover, Model, Msg, Way};
use runtime::Runtime;
use shelf::Shelf;
use wiring::{Nodes, Wiring};

/// Up to this many tasks a dial that is dragged starts a new run at each of its steps.
const DIRECT_MAX: u32 = 1_000;
/// Above that the run starts when the hand rests this long, in milliseconds.
const REST_MS: u32 = 80;
/// The cursor rests when it has not moved this long, in milliseconds: its sentence is spoken then.
const STILL_MS: u32 = 300;

/// Whether the hand on the scrubber or on a dial rests.
#[derive(Default)]
enum Rest {
    /// Nothing has moved for a while.
    #[default]
    Rests,
    /// Something moved; the timer ends the movement.
    Moving(#[expect(dead_code, reason = "the timer stops when it is dropped")] Timeout),
}

/// The whole page.
pub struct App {
    model: Model,
    runtime: Rc<RefCell<Runtime>>,
    frames: Frames,
    address: Address,
    nodes: Nodes,
    wiring: Option<Wiring>,
    say: Say,
    /// The run was computed to its end when the page was last drawn.
    complete: bool,
    /// The cursor has not moved for a while, or when it will not have.
    rest: Rest,
    /// The last sentence for those who listen.
    last_spoken: RefCell<String>,
    /// The moment that was last heard of.
    heard_at: Cell<SimTime>,
    /// The verdict that was last heard of, empty before the first one; and the sentence that it took the place of.
    heard_verdict: RefCell<(String, Option<String>)>,
    /// The room for the timeline may have changed.
    measure: bool,
    /// The run that is to be started when the hand on a dial rests.
    later: Option<Timeout>,
    /// The element that gets the keyboard once it is in the page.
    focus: Option<&'static str>,
    /// Figures of the run, kept while it stays the same.
    figures: view::Cache,
    /// Runs with branches that an undo brings back.
    shelf: Shelf,
    /// The fragment of the Studio when it was left for a comparison.
    left: Option<String>,
}

impl Component for App {
    type Message = Msg;
    type Properties = ();

    fn create(ctx: &Context<Self>) -> App {
        rest::introduce(ctx.link().callback(Msg::Rest));
        let say = Say::default();
        let address = Address::new();
        let runtime = Rc::new(RefCell::new(Runtime::new(canvas::palette(), say)));
        let embed = Embed::of_page();
        let model = Model::new(&link::first());
        let mut app = App {
            nodes: Nodes::of(embed.is_some()),
            model: match embed {
                Some(embed) => model.embedded(embed),
                None => stored(model),
            },
            runtime,
            frames: Frames::default(),
            address,
            wiring: None,
            say,
            complete: false,
            rest: Rest::default(),
            last_spoken: RefCell::default(),
            heard_at: Cell::default(),
            heard_verdict: RefCell::default(),
            measure: false,
            later: None,
            focus: None,
            figures: view::Cache::default(),
            shelf: Shelf::default(),
            left: None,
        };
        keep::put_theme(app.model.theme);
        app.runtime.borrow_mut().set_palette(canvas::palette());
        app.start_frames(ctx);
        // No link: the first example. A link that cannot be read: nothing in its place.
        let fragment = app.address.fragment();
        let effects = match link::read(&fragment) {
            _ if link::is_compared(&fragment) => app.model.update(Msg::Comparing(fragment)),
            Ok(None) => vec![Effect::Load(app.model.embed.as_ref().and_then(|embed| embed.at))],
            Ok(Some(opened)) => app.model.update(Msg::Open(Box::new(app.at_first(opened)), false)),
            Err(broken) => app.model.update(Msg::Broken(broken)),
        };
        app.carry_out(ctx, effects);
        app
    }

    fn update(&mut self, ctx: &Context<Self>, msg: Msg) -> bool {
        let msg = self.back_from_compared(msg);
        if matches!(msg, Msg::Open(_, false) | Msg::Broken(_) | Msg::Comparing(_) | Msg::Studio) {
            // What was waiting to be written belongs to the entry that was left.
            self.address.arrive();
        }
        let rests = matches!(msg, Msg::Refresh);
        if let Msg::Go(_) | Msg::Cite(_) | Msg::Chapter(_) | Msg::Type(..) | Msg::Set(_) = msg {
            self.rest_later(ctx);
        }
        // What a moment says may change the lines of the caption; the pictures do not jump for that.
        let complete = self.with_player(|player| player.complete()).unwrap_or(false);
        self.measure |=
            !matches!(msg, Msg::Refresh | Msg::Hover(_) | Msg::Go(_) | Msg::Cite(_)) || complete != self.complete;
        self.complete = complete;
        if msg == Msg::AtRest {
            self.rest = Rest::Rests;
        }
        self.model.here = self.here();
        self.model.at = self.with_player(|player| player.now()).unwrap_or(SimTime::ZERO);
        let effects = self.model.update(msg);
        self.carry_out(ctx, effects);
        self.model.here = self.here();
        if rests {
            self.write_moment();
        }
        true
    }

    fn view(&self, ctx: &Context<Self>) -> Html {
        let on = ctx.link().callback(|msg| msg);
        match &self.model.embed {
            Some(embed) => rest::apart(|| self.embedded(embed, &on)),
            None => self.page(on),
        }
    }

    fn rendered(&mut self, ctx: &Context<Self>, first: bool) {
        if first {
            self.wiring = Some(Wiring::new(ctx.link().clone(), &self.runtime, &self.frames, &self.nodes));
            api::publish(ctx.link().clone(), &self.runtime);
            // Also where there is nothing to draw: the rest of the program comes after the first frame.
            self.frames.ask();
        }
        if let Some(id) = self.focus.take() {
            wiring::focus(id);
        }
        // Longer sentences than the moments before had take from the pictures, shorter ones give nothing back.
        let seen = self.model.comparing.is_none();
        if seen && (std::mem::take(&mut self.measure) || self.nodes.overflows()) {
            self.nodes.measure(&self.runtime);
            self.frames.ask();
        }
        if self.nodes.embedded {
            rest::apart(api::changed);
        }
        self.nodes.place_tip(&self.runtime, self.model.hover);
        self.nodes.place_note(&self.runtime);
        let bound = self.nodes.bind(&self.runtime) | self.nodes.bind_lens(&self.runtime);
        if bound {
            self.frames.ask();
        }
    }
}

impl App {
    /// A scenario that was opened, with the cursor where the address of a player has it.
    fn at_first(&self, opened: link::Opened) -> link::Opened {
        let at = self.model.embed.as_ref().and_then(|embed| embed.at);
        link::Opened { at: at.or(opened.at), ..opened }
    }

    fn start_frames(&self, ctx: &Context<Self>) {
        let (runtime, link) = (Rc::clone(&self.runtime), ctx.link().clone());
        let mut wanted = rest::Wanted::default();
        let embedded = self.model.embed.is_some();
        self.frames.start(move |now| {
            // Busy only while the component itself works on the run: it asks for a frame afterwards.
            let Ok(mut runtime) = runtime.try_borrow_mut() else { return true };
            // Inside another page what was scrolled away stands still.
            let hidden = wiring::hidden() || (embedded && (!runtime.is_seen() || runtime.was_away(now)));
            let done = runtime.tick(now, hidden);
            drop(runtime);
            wanted.frame(done.again);
            if let Some(hover) = done.hover {
                link.send_message(Msg::Hover(hover));
            }
            if done.text {
                link.send_message(Msg::Refresh);
            }
            done.again
        });
    }

    fn carry_out(&mut self, ctx: &Context<Self>, effects: Vec<Effect>) {
        for effect in effects {
            self.carry_out_one(ctx, effect);
        }
    }

    fn carry_out_one(&mut self, ctx: &Context<Self>, effect: Effect) {
        match effect {
            Effect::Load(at) => {
                if at.is_some() {
                    wiring::to_top();
                }
                self.load_soon(ctx, at);
            }
            Effect::Return(run, at) => rest::apart(|| self.return_to(ctx, run, at)),
            Effect::Act(command, may_replace) => rest::apart(|| self.act(ctx, command, may_replace)),
            Effect::UndoAct(branch) => rest::apart(|| {
                if self.with_player(|player| player.switch(branch) && player.undo()) == Some(true) {
                    self.entered(ctx);
                } else {
                    self.load(None);
                }
            }),
            Effect::RedoAct(at, command) => rest::apart(|| {
                let made = self.with_player(|player| {
                    player.seek(at);
                    player.act(command)
                });
                match made.flatten() {
                    Some(branch) => {
                        ctx.link().send_message(Msg::Remade(branch));
                        self.entered(ctx);
                    }
                    None => self.load(None),
                }
            }),
            Effect::Branch(branch) => rest::apart(|| {
                if self.with_player(|player| player.switch(branch)) == Some(true) {
                    self.entered(ctx);
                }
            }),
            Effect::LoadNow => self.load(None),
            Effect::Address(push) => self.write_address(push),
            Effect::Go(go) => self.go(go),
            Effect::Chapter(on) => rest::apart(|| {
                if let Some(go) = self.chapter_beside(on) {
                    self.go(go);
                }
            }),
            Effect::Present => rest::apart(|| self.present()),
            Effect::Measure => self.measure = true,
            Effect::Story(on) => rest::apart(|| self.story(on)),
            Effect::Toggle => {
                self.stop_at_step();
                self.with_player(Player::toggle);
                self.runtime.borrow_mut().wake();
            }
            Effect::Speed(speed) => self.runtime.borrow_mut().set_speed(speed),
            Effect::Pick(slot) => rest::apart(|| {
                let picked = self.with_player(|player| player.frame().slots.get(slot as usize).copied().flatten());
                let name = picked.flatten().map(|task| task.name);
                let again = name.is_some() && name == self.model.selected;
                ctx.link().send_message(Msg::Select(if again { None } else { name }));
            }),
            Effect::Walk(way) => rest::apart(|| self.walk(ctx, way)),
            Effect::Look => self.look(),
            Effect::Read(on) => rest::apart(|| self.read(ctx, on)),
            Effect::Focus(id) => self.focus = Some(id),
            Effect::Copy => rest::apart(|| self.copy_link(ctx)),
            Effect::Report => rest::apart(|| self.copy_report(ctx)),
            Effect::CopyText(text, said) => rest::apart(|| copy_text(ctx, text, said)),
            Effect::Pause => {
                self.with_player(|player| player.pause());
            }
            Effect::Import(question) => rest::apart(|| {
                ctx.link().send_future(async move {
                    let answer = lazy::read(&question).await;
                    Msg::PasteAnswered(question, answer)
                });
            }),
            Effect::Save => rest::apart(|| self.save_picture(ctx)),
            Effect::Theme => self.put_theme(ctx),
            Effect::AskRest => rest::ask(),
            Effect::Compare(fragment) => self.compare(ctx, fragment),
            Effect::ShowCompared(fragment) => show_compared(ctx, fragment),
            Effect::LeaveCompared => show_compared(ctx, String::new()),
            Effect::ToStudio => self.to_studio(),
            // A player inside another page stores nothing there.
            Effect::Remember if self.model.embed.is_some() => {}
            Effect::Remember => keep::keep(self.model.theme, self.model.single_keys),
        }
        self.frames.ask();
    }

    /// The cursor was moved: it rests when it stays there for a while.
    fn rest_later(&mut self, ctx: &Context<Self>) {
        let link = ctx.link().clone();
        self.rest = Rest::Moving(Timeout::new(STILL_MS, move || link.send_message(Msg::AtRest)));
    }

    /// The cursor has not moved for a while.
    fn rests(&self) -> bool {
        matches!(self.rest, Rest::Rests)
    }

    fn with_player<T>(&self, work: impl FnOnce(&mut Player) -> T) -> Option<T> {
        self.runtime.borrow_mut().player.as_mut().map(work)
    }

    /// The cursor, where it stands between the start and the end of a run.
    fn here(&self) -> Option<Here> {
        self.with_player(|player| {
            let end = runtime::last_change(player);
            let frame = player.frame();
            let (at, limits) = (frame.at, frame.counts.limits);
            (at > SimTime::ZERO && at < end).then_some(Here {
                at,
                desired: limits.desired,
                minimum: frame.minimum_healthy_percent,
                maximum: frame.maximum_percent,
            })
        })?
    }

    /// An act at the cursor. A dial that is dragged there goes on changing one and the same act.
    fn act(&mut self, ctx: &Context<Self>, command: Command, may_replace: bool) {
        let made = self.with_player(|player| {
            // What is turned holds from one moment on: the run rests there.
            player.pause();
            let killed = matches!(command, Command::Kill(_));
            let told = act::carry_out(player, command, may_replace);
            if killed {
                // It exits a millisecond later: from there on all pictures and words tell the same.
                player.seek(player.now() + 1);
            }
            told
        });
        self.runtime.borrow_mut().forget();
        ctx.link().send_message(made.unwrap_or(Msg::Idle));
    }

    /// Tells the fast path what is selected, what the pointer is on, and the order of the stage.
    fn look(&self) {
        let Model { selected, host, hover, group, chart, .. } = self.model;
        self.runtime.borrow_mut().look(selected, host, hover, (group, chart));
    }

    /// Goes back to a run with its branches, or to what the settings in force give where it is not kept.
    fn return_to(&mut self, ctx: &Context<Self>, run: u32, at: SimTime) {
        self.later = None;
        let kept = self.shelf.take(run);
        if kept.is_none() && !self.shelf.is_now(run) {
            return self.load(Some(at));
        }
        if let Some(player) = kept {
            let old = self.runtime.borrow_mut().put(player);
            self.shelf.give_way(old, run);
        }
        self.with_player(|player| player.seek(at));
        self.look();
        self.entered(ctx);
    }

    /// Another branch is looked at.
    fn entered(&mut self, ctx: &Context<Self>) {
        self.runtime.borrow_mut().forget();
        self.figures.forget();
        if let Some(acts) = self.with_player(|player| acts(player)) {
            ctx.link().send_message(Msg::Entered(acts));
        }
    }

    fn put_theme(&self, ctx: &Context<Self>) {
        keep::put_theme(self.model.theme);
        self.runtime.borrow_mut().set_palette(canvas::palette());
        if self.model.comparing.is_some() {
            ctx.link().send_future(async {
                lazy::repaint().await.map_or_else(|error| Msg::NotCompared(error.0), |()| Msg::AtRest)
            });
        }
    }

    /// Starts the run of the settings in force; one that is too large for a frame when the hand on
    /// the dial rests. The figures that need no run follow at once.
    fn load_soon(&mut self, ctx: &Context<Self>, at: Option<SimTime>) {
        let desired = self.model.form.accepted().map_or(0, |accepted| accepted.resolved.limits.desired);
        if at.is_some() || desired <= DIRECT_MAX {
            self.later = None;
            return self.load(at);
        }
        let link = ctx.link().clone();
        self.later = Some(Timeout::new(REST_MS, move || link.send_message(Msg::Rested)));
    }

    /// Starts the run of the settings in force, at a moment or where the cursor is.
    fn load(&mut self, at: Option<SimTime>) {
        let now = self.with_player(|player| player.now());
        let mut runtime = self.runtime.borrow_mut();
        self.shelf.give_way(runtime.player.take(), self.model.run);
        match self.model.form.accepted() {
            Some(accepted) => {
                let mut settings = accepted.resolved.settings.clone();
                settings.event_budget = rollscope_engine::settings::EVENT_BUDGET_PAGE;
                runtime.load(settings, at.or(now).unwrap_or(SimTime::ZERO));
            }
            None => runtime.player = None,
        }
        drop(runtime);
        self.figures.forget();
        self.look();
    }

    /// Selects the task beside the selected one on the stage.
    fn walk(&self, ctx: &Context<Self>, way: Way) {
        let hover = self.runtime.borrow_mut().beside_slot(self.model.selected, self.model.hover, way);
        if let Some(name) = hover {
            ctx.link().send_message(Msg::Hover(Hover::Task(name)));
        }
    }

    /// Moves the moment that is read on the chart.
    fn read(&self, ctx: &Context<Self>, on: bool) {
        let from = match self.model.hover {
            Hover::Moment(at) => Some(at),
            _ => self.with_player(|player| player.now()),
        };
        if let Some(at) = from.and_then(|at| self.runtime.borrow().beside(at, on)) {
            ctx.link().send_message(Msg::Hover(Hover::Moment(at)));
        }
    }

    fn go(&mut self, go: Go) {
        self.with_player(|player| {
            let end = runtime::last_change(player);
            match go {
                Go::To(t) => player.seek(t),
                Go::Start => player.seek(SimTime::ZERO),
                Go::End => player.seek_end(),
                Go::Unit(unit, on) => step(player, unit, on, end),
                Go::Next => step(player, StepUnit::Decision, true, end),
                Go::Previous => step(player, StepUnit::Decision, false, end),
                Go::Failure(true) => drop(player.next_failure()),
                Go::Failure(false) => drop(player.prev_failure()),
                Go::Tenth(on) => {
                    let tenth = (end.ms() / 10).max(1);
                    player.seek(if on { (player.now() + tenth).min(end) } else { player.now() - tenth });
                }
            }
            player.pause();
        });
        if self.model.broken.is_none() {
            self.write_address(false);
        }
    }

    /// The document in force with the moment, as a fragment.
    fn fragment(&self) -> Option<String> {
        let accepted = self.model.form.accepted()?;
        Some(link::write(&accepted.document, &self.looked()))
    }

    /// What is looked at: the moment, the panel, what is selected.
    fn looked(&self) -> link::Looked {
        let at = self.with_player(|player| player.now()).unwrap_or(SimTime::ZERO);
        let Model { tab, selected, host, group, chart, .. } = self.model;
        link::Looked { at, tab, selected, host, group, chart }
    }

    fn write_address(&mut self, push: bool) {
        // The history of a page belongs to that page, not to a player inside it.
        if self.model.comparing.is_some() || self.model.embed.is_some() {
            return;
        }
        if let Some(fragment) = self.fragment() {
            self.address.write(&fragment, push);
        }
    }

    /// The moment goes into the address when the cursor rests. A page without a link stays without
    /// one until something happens.
    fn write_moment(&mut self) {
        let rests = |player: &mut Player| {
            let moved = player.now() > SimTime::ZERO;
            (player.play_state() != rollscope_player::PlayState::Playing).then_some(moved)
        };
        let Some(Some(moved)) = self.with_player(rests) else { return };
        if self.model.broken.is_none() && self.model.comparing.is_none() && (moved || self.address.is_used()) {
            self.write_address(false);
        }
    }

    fn copy_link(&mut self, ctx: &Context<Self>) {
        let Some(fragment) = self.fragment_to_copy() else { return };
        let whole = self.address.whole(&fragment);
        let link = ctx.link().clone();
        self.model.dialog = Dialog::Copy(whole.clone());
        wiring::to_clipboard(&whole, move |done| {
            if done {
                link.send_message(Msg::Close);
            }
            link.send_message(Msg::Copied(done));
        });
    }

    /// What whoever mends Rollscope needs to know about a broken guard.
    fn copy_report(&self, ctx: &Context<Self>) {
        let broken = self.with_player(|player| player.head().violations().first().copied());
        let (Some(Some(broken)), Some(fragment)) = (broken, self.fragment()) else { return };
        let report = self.say.report(&broken, &self.address.whole(&fragment));
        let link = ctx.link().clone();
        wiring::to_clipboard(&report.clone(), move |done| {
            link.send_message(if done {
                Msg::CopiedText(Label::ReportCopied)
            } else {
                Msg::Show(Dialog::Copy(report))
            });
        });
    }

    /// The second program draws the chart of the whole run as a file.
    fn save_picture(&self, ctx: &Context<Self>) {
        let runtime = self.runtime.borrow();
        let (Some(timeline), Some(accepted)) = (runtime.timeline(), self.model.form.accepted()) else { return };
        let Some(limits) = timeline.chart.columns.last().map(|column| column.limits) else { return };
        let shifts = accepted.resolved.settings.strategy.shift().is_some();
        let picture = lazy::Picture {
            document: accepted.document.clone(),
            end: timeline.end,
            axis: timeline.x.end,
            idle: timeline.x.folds().iter().map(|fold| (fold.from, fold.to)).collect(),
            gate: timeline.chart.gates.last().map_or_else(String::new, |gate| text::gate_label(gate.value)),
            border: t(Label::NoRollback).to_owned(),
            never: text::never(true, shifts).to_owned(),
            title: self.title(),
            ceiling: if shifts { text::both_label(limits.ceiling) } else { self.say.ceiling_label(limits.ceiling) },
            floor: if shifts { text::each_label(limits.floor) } else { self.say.floor_label(limits.floor) },
            file: "rollscope.png".to_owned(),
        };
        ctx.link().send_future(async move { Msg::Saved(lazy::picture(&picture).await == Ok(true)) });
    }

    fn title(&self) -> String {
        let document = self.model.form.accepted().map(|accepted| &accepted.document);
        let title = document.and_then(|document| document.title.clone());
        title.unwrap_or_else(|| text::untitled(document.and_then(|document| document.service.service_name.as_deref())))
    }
}

/// A text goes to the clipboard; where that is refused it is shown, to be copied by hand.
fn copy_text(ctx: &Context<App>, text: String, said: Label) {
    let link = ctx.link().clone();
    wiring::to_clipboard(&text.clone(), move |done| {
        if done {
            link.send_message(Msg::Close);
            link.send_message(Msg::CopiedText(said));
        } else {
            link.send_message(Msg::Show(Dialog::Copy(text)));
        }
    });
}

/// With what the visitor chose on an earlier visit.
fn stored(mut model: Model) -> Model {
    (model.theme, model.single_keys) = keep::choices();
    model
}

/// One step; behind the last one the cursor goes to the end of what happens.
fn step(player: &mut Player, unit: StepUnit, on: bool, end: SimTime) {
    if !on {
        player.step_prev(unit);
    } else if unit.after(player.timeline(), player.now(), end).is_none_or(|next| next > end) {
        player.seek(end.max(player.now()));
    } else {
        player.step_next(unit);
    }
}

/// All acts of a run as a document lists them.
pub(crate) fn acts(player: &Player) -> Value {
    let alarms = &player.head().settings().alarms;
    Value::array(player.acts().iter().map(|act| rollscope_scenario::document::Act::of(act, alarms).write()))
}
