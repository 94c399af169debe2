//! Dialogs over the page.

use web_sys::{HtmlDialogElement, HtmlElement, HtmlTextAreaElement, InputEvent};
use yew::prelude::*;

use crate::app::model::Msg;
use crate::paste::{Found, Paste};
use crate::text::{Label, t};

/// A dialog's frame.
#[derive(Clone, PartialEq, Properties)]
pub struct FrameProps {
    /// Its title.
    pub title: &'static str,
    /// What it is for.
    pub lead: &'static str,
    /// Messages.
    pub on: Callback<Msg>,
    /// Its content.
    pub children: Children,
}

/// Opens as a modal dialog, so that focus stays inside; Escape closes it and gives focus back.
#[component]
pub fn Frame(props: &FrameProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with((), move |()| {
            let before = web_sys::window().and_then(|window| window.document()?.active_element());
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails when it is open already, which is what is wanted.
                let _ = dialog.show_modal();
            }
            move || {
                use wasm_bindgen::JsCast;
                if let Some(element) = before.and_then(|element| element.dyn_into::<HtmlElement>().ok()) {
                    let _ = element.focus();
                }
            }
        });
    }
    let closed = {
        let on = props.on.clone();
        move |_: Event| on.emit(Msg::Close)
    };
    html! {
        <dialog class="dialog" ref={node} aria-labelledby="dialog-title" onclose={closed}>
            <div class="dialog-body">
                <h2 id="dialog-title">{ props.title }</h2>
                <p class="lead">{ props.lead }</p>
                { props.children.clone() }
            </div>
        </dialog>
    }
}

/// What the paste dialog shows.
#[derive(Clone, PartialEq, Properties)]
pub struct PasteProps {
    /// Its text and what was found in it.
    pub paste: Paste,
    /// Messages.
    pub on: Callback<Msg>,
}

/// Paste: the text stays in its field whatever was found.
#[component]
pub fn PasteDialog(props: &PasteProps) -> Html {
    let send = |msg: Msg| {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(msg.clone())
    };
    let typed = {
        let on = props.on.clone();
        move |event: InputEvent| {
            let text = event.target_dyn_into::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default();
            on.emit(Msg::PasteText(text));
        }
    };
    let found = props.paste.found();
    let ready = props.paste.opened().is_some();
    html! {
        <Frame title={t(Label::PasteTitle)} lead={t(Label::PasteLead)} on={props.on.clone()}>
            <textarea class={classes!("paste", found.is_some().then_some("small"))} id="paste-text" aria-label={t(Label::PasteField)} spellcheck="false"
                value={props.paste.text().to_owned()} oninput={typed} />
            { found.map(|found| result(found, &props.on)).unwrap_or_default() }
            <div class="buttons">
                <button type="button" class={classes!("button", if ready { "line" } else { "solid" })} id="paste-read"
                    disabled={props.paste.text().trim().is_empty()} onclick={send(Msg::PasteRead(None))}>{ t(Label::ReadIt) }</button>
                if ready {
                    <button type="button" class="button solid" id="paste-open" onclick={send(Msg::PasteOpen)}>{ t(Label::OpenIt) }</button>
                }
                <button type="button" class="button end" onclick={send(Msg::Close)}>{ t(Label::Cancel) }</button>
            </div>
        </Frame>
    }
}

fn result(found: &Found, on: &Callback<Msg>) -> Html {
    html! {
        <div aria-live="polite">
            if !found.faults.is_empty() {
                <ul class="faults" role="alert" id="paste-faults">
                    { for found.faults.iter().map(|line| html! { <li>{ line }</li> }) }
                </ul>
            }
            { services(found, on) }
            if !found.rows.is_empty() {
                <h3 class="block-title">{ t(Label::WhatWasRead) }</h3>
                <div class="table-frame">
                    <table class="readings" id="paste-rows">
                        <thead><tr><th>{ t(Label::Field) }</th><th>{ t(Label::Value) }</th><th>{ t(Label::How) }</th></tr></thead>
                        <tbody>
                            { for found.rows.iter().map(|row| html! {
                                <tr><td>{ &row.field }</td><td class="value">{ &row.value }</td><td>{ &row.how }</td></tr>
                            }) }
                        </tbody>
                    </table>
                </div>
            }
            if !found.notes.is_empty() {
                <ul class="notes">{ for found.notes.iter().map(|line| html! { <li>{ line }</li> }) }</ul>
            }
        </div>
    }
}

/// Several services: one is chosen by its name.
fn services(found: &Found, on: &Callback<Msg>) -> Html {
    if found.services.is_empty() {
        return Html::default();
    }
    let button = |name: &String| {
        let (on, name) = (on.clone(), name.clone());
        let chosen = found.chosen.as_ref() == Some(&name);
        html! {
            <button type="button" class="button line" aria-pressed={chosen.to_string()}
                onclick={{ let name = name.clone(); move |_: MouseEvent| on.emit(Msg::PasteRead(Some(name.clone()))) }}>{ name }</button>
        }
    };
    html! {
        <div>
            <p>{ t(Label::WhichService) }</p>
            <div class="buttons" id="paste-services">{ for found.services.iter().map(button) }</div>
        </div>
    }
}

/// What the copy dialog shows.
#[derive(Clone, PartialEq, Properties)]
pub struct CopyProps {
    /// The link.
    pub link: String,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The link in a selected field, where the clipboard is refused.
#[component]
pub fn CopyDialog(props: &CopyProps) -> Html {
    let node = use_node_ref();
    {
        let node = node.clone();
        use_effect_with(props.link.clone(), move |_| {
            if let Some(area) = node.cast::<HtmlTextAreaElement>() {
                let _ = area.focus();
                area.select();
            }
        });
    }
    let close = {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(Msg::Close)
    };
    html! {
        <Frame title={t(Label::CopyTitle)} lead={t(Label::CopyLead)} on={props.on.clone()}>
            <textarea class="paste small" id="link-text" readonly={true} aria-label={t(Label::LinkField)} ref={node}
                value={props.link.clone()} />
            <div class="buttons"><button type="button" class="button line end" onclick={close}>{ t(Label::Dismiss) }</button></div>
        </Frame>
    }
}
