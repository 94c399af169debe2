//! The panel at the right.

use std::rc::Rc;

use web_sys::MouseEvent;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::{Msg, Tab};
use crate::parts::acts::Acts;
use crate::parts::events::Events;
use crate::parts::why::Why;
use crate::text::{self, Label, t};

impl App {
    pub(super) fn right(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
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
}
