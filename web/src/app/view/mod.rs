//! Puts the page together from the model and the moment.

mod cache;
mod centre;
mod left;
mod lines;
mod moment;
mod right;

use std::rc::Rc;

use rollscope_engine::{Frame, SimTime};
use rollscope_insight::Outcome;
use web_sys::MouseEvent;
use yew::prelude::*;

use super::model::{Dialog, Msg, Tab};
use super::runtime::last_change;
use super::{App, wiring};
use crate::parts::dialogs::{CopyDialog, PasteDialog};
use crate::parts::events::Line;
use crate::parts::head::Bar;
use crate::parts::transport::Transport;
use crate::parts::verdict::changes;
use crate::text::{Label, t};
pub use cache::Cache;

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
            Tab::Why | Tab::Guards => (Vec::new(), (0, 0)),
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

    fn transport(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(moment) = moment else { return Html::default() };
        html! {
            <Transport at={moment.frame.at} end={moment.end} complete={moment.complete} state={moment.state}
                unit={self.model.unit} position={moment.position} speed={self.model.speed} on={on.clone()} />
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
            Dialog::Help | Dialog::Presets => Html::default(),
        }
    }
}

/// A link into the page would change the fragment, which holds the scenario.
fn skip(event: MouseEvent) {
    event.prevent_default();
    wiring::focus("play");
}
