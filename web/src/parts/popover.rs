//! A button that opens a small panel beside it. Where there is room the style sheet shows some of
//! these panels all the time, without their button.

use wasm_bindgen::JsCast;
use web_sys::{Element, FocusEvent, HtmlElement, KeyboardEvent, Node};
use yew::prelude::*;

/// A button and its panel.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// Id of the button; the panel's is the same with `-panel`.
    pub id: &'static str,
    /// Name of the button for a screen reader and as its tooltip.
    pub name: AttrValue,
    /// Classes of the whole.
    pub class: &'static str,
    /// Classes of the button.
    pub button: &'static str,
    /// What the button shows.
    pub face: Html,
    /// What the panel holds. A click on an element with `data-closes` closes it.
    pub children: Children,
}

/// Escape, a click elsewhere and the focus that leaves close the panel; Escape and a choice give
/// the focus back to the button.
#[component]
pub fn Popover(props: &Props) -> Html {
    let open = use_state(|| false);
    let (whole, button) = (use_node_ref(), use_node_ref());
    let toggle = {
        let open = open.clone();
        move |_: MouseEvent| open.set(!*open)
    };
    let close = {
        let (open, button) = (open.clone(), button.clone());
        move || {
            open.set(false);
            if let Some(button) = button.cast::<HtmlElement>() {
                // One that is not shown leaves the focus where it is.
                let _ = button.focus();
            }
        }
    };
    let key = {
        let (open, close) = (open.clone(), close.clone());
        move |event: KeyboardEvent| {
            if *open && event.key() == "Escape" {
                event.prevent_default();
                event.stop_propagation();
                close();
            }
        }
    };
    let chosen = {
        let (open, close) = (open.clone(), close.clone());
        move |event: MouseEvent| {
            let target = event.target().and_then(|target| target.dyn_into::<Element>().ok());
            let closes = target.and_then(|target| target.closest("[data-closes]").ok().flatten()).is_some();
            if *open && closes {
                close();
            }
        }
    };
    let left = {
        let (open, whole) = (open.clone(), whole.clone());
        move |event: FocusEvent| {
            let to = event.related_target().and_then(|target| target.dyn_into::<Node>().ok());
            if let (Some(to), Some(whole)) = (to, whole.cast::<Node>())
                && !whole.contains(Some(&to))
            {
                open.set(false);
            }
        }
    };
    let elsewhere = {
        let open = open.clone();
        move |_: MouseEvent| open.set(false)
    };
    let panel = format!("{}-panel", props.id);
    html! {
        <div class={classes!("pop", props.class)} ref={whole} onkeydown={key} onfocusout={left}>
            <button type="button" id={props.id} class={classes!("pop-button", props.button)} ref={button} aria-label={props.name.clone()}
                title={props.name.clone()} aria-expanded={open.to_string()} aria-controls={panel.clone()} onclick={toggle}>
                { props.face.clone() }
            </button>
            if *open { <div class="pop-elsewhere" onclick={elsewhere}></div> }
            <div id={panel} class={classes!("pop-panel", open.then_some("open"))} onclick={chosen}>{ props.children.clone() }</div>
        </div>
    }
}
