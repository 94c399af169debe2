//! What a presenter has beside the pictures: the step, a black screen, and the way out.

use gloo_timers::callback::Timeout;
use std::cell::RefCell;
use std::rc::Rc;
use yew::prelude::*;

use super::Moment;
use crate::app::App;
use crate::app::model::Msg;
use crate::canvas::Listener;
use crate::parts::icon;
use crate::text::{self, Label, t};

/// The pointer hides when it has rested this long, in milliseconds.
const REST_MS: u32 = 2_000;

impl App {
    /// Classes of the page while it is presented.
    pub(super) fn present_class(&self) -> Option<&'static str> {
        self.model.presenter.map(|presenter| if presenter.at_rest { "presenting at-rest" } else { "presenting" })
    }

    /// The step, the way out, and the black screen.
    pub(super) fn presenter(&self, moment: Option<&Moment>, on: &Callback<Msg>) -> Html {
        let Some(presenter) = self.model.presenter else { return Html::default() };
        let position = self.chapter_position().or(moment.map(|moment| moment.position));
        let leave = {
            let on = on.clone();
            move |_: MouseEvent| on.emit(Msg::Present)
        };
        html! {
            <section aria-label={t(Label::Present)}>
                <Pointer at_rest={presenter.at_rest} on={on.clone()} />
                if let Some(position) = position { <p class="present-step" id="present-step">{ text::position(position) }</p> }
                <button type="button" class="button icon present-leave" id="leave-presenter" aria-label={t(Label::LeavePresenter)}
                    title={t(Label::LeavePresenter)} onclick={leave}>{ icon::cross() }</button>
                if presenter.blank { <div class="present-blank" id="blank"><span class="only-read" role="status">{ t(Label::BlankScreen) }</span></div> }
            </section>
        }
    }
}

#[derive(Clone, PartialEq, Properties)]
struct PointerProps {
    /// It rests as far as the page knows.
    at_rest: bool,
    /// Messages.
    on: Callback<Msg>,
}

/// Says when the pointer moves and when it rests; and when the browser leaves the full screen by itself.
#[component]
fn Pointer(props: &PointerProps) -> Html {
    let resting = use_mut_ref(|| props.at_rest);
    *resting.borrow_mut() = props.at_rest;
    let on = props.on.clone();
    use_effect_with((), move |()| {
        let timer: Rc<RefCell<Option<Timeout>>> = Rc::default();
        let rest_later = {
            let (timer, on) = (Rc::clone(&timer), on.clone());
            move || {
                let on = on.clone();
                *timer.borrow_mut() = Some(Timeout::new(REST_MS, move || on.emit(Msg::Pointer(false))));
            }
        };
        rest_later();
        let window = web_sys::window();
        let moved = window.as_ref().map(|window| {
            let on = on.clone();
            Listener::new(window, "pointermove", move |_| {
                if *resting.borrow() {
                    on.emit(Msg::Pointer(true));
                }
                rest_later();
            })
        });
        let document = window.and_then(|window| window.document());
        let full = document.map(|document| {
            let of = document.clone();
            Listener::new(&document, "fullscreenchange", move |_| on.emit(Msg::Full(of.fullscreen_element().is_some())))
        });
        move || drop((moved, full, timer.borrow_mut().take()))
    });
    Html::default()
}
