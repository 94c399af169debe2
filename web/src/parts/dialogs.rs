//! Dialogs over the page: their frame, paste and copy.

use rollscope_wording::reading::{self, Part, part};
use web_sys::{
    DragEvent, HtmlDialogElement, HtmlElement, HtmlInputElement, HtmlSelectElement, HtmlTextAreaElement, InputEvent,
};
use yew::prelude::*;

use super::{drop, icon};
use crate::app::model::{Msg, Sheet};
use crate::app::wiring;
use crate::paste::{Found, Kind, Mark, Paste, Reader, Row};
use crate::text::{self, Label, t};

/// A dialog's frame.
#[derive(Clone, PartialEq, Properties)]
pub struct FrameProps {
    /// Its title.
    pub title: &'static str,
    /// What it is for.
    pub lead: &'static str,
    /// A further class.
    #[prop_or_default]
    pub class: &'static str,
    /// Id of the element that gets the focus; empty: the first one that can have it.
    #[prop_or_default]
    pub focus: &'static str,
    /// Buttons at its foot, which stay in sight while the rest scrolls.
    #[prop_or_default]
    pub foot: Html,
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
        let (node, focus) = (node.clone(), props.focus);
        use_effect_with((), move |()| {
            let before = web_sys::window().and_then(|window| window.document()?.active_element());
            if let Some(dialog) = node.cast::<HtmlDialogElement>() {
                // Fails when it is open already, which is what is wanted.
                let _ = dialog.show_modal();
            }
            if !focus.is_empty() {
                wiring::focus(focus);
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
    let close = {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(Msg::Close)
    };
    html! {
        <dialog class={classes!("dialog", props.class)} ref={node} aria-labelledby="dialog-title" aria-describedby="dialog-lead" onclose={closed}>
            <div class="dialog-frame">
                <div class="dialog-head">
                    <h2 id="dialog-title">{ props.title }</h2>
                    <button type="button" class="button icon" id="dialog-close" aria-label={t(Label::Dismiss)} title={t(Label::Dismiss)}
                        onclick={close}>{ icon::cross() }</button>
                </div>
                <div class="dialog-body">
                    <p class="lead" id="dialog-lead">{ props.lead }</p>
                    { props.children.clone() }
                </div>
                if props.foot != Html::default() { <div class="dialog-foot buttons">{ props.foot.clone() }</div> }
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

/// Paste: the text stays in its field whatever was found. A text that is pasted, dropped or chosen
/// as a file is read at once.
#[component]
pub fn PasteDialog(props: &PasteProps) -> Html {
    let file = use_state(|| None::<String>);
    let fault = use_state(|| None::<Label>);
    let over = use_state(|| false);
    let take = {
        let (on, fault) = (props.on.clone(), fault.clone());
        Callback::from(move |taken: Result<String, Label>| match taken {
            Ok(text) => {
                fault.set(None);
                on.emit(Msg::PasteText(text));
                on.emit(Msg::PasteRead(None));
            }
            Err(label) => fault.set(Some(label)),
        })
    };
    let typed = {
        let (on, file, fault) = (props.on.clone(), file.clone(), fault.clone());
        move |event: InputEvent| {
            let text = event.target_dyn_into::<HtmlTextAreaElement>().map(|area| area.value()).unwrap_or_default();
            file.set(None);
            fault.set(None);
            on.emit(Msg::PasteText(text));
            if event.input_type() == "insertFromPaste" {
                on.emit(Msg::PasteRead(None));
            }
        }
    };
    let dropped = {
        let (take, file, over) = (take.clone(), file.clone(), over.clone());
        move |event: DragEvent| {
            event.prevent_default();
            event.stop_propagation();
            over.set(false);
            if let Some(data) = event.data_transfer() {
                file.set(data.files().and_then(|files| files.get(0)).map(|file| file.name()));
                let take = take.clone();
                drop::dropped(&data, move |taken| take.emit(taken));
            }
        }
    };
    let dragged = |is_over: bool| {
        let over = over.clone();
        move |event: DragEvent| {
            event.prevent_default();
            over.set(is_over);
        }
    };
    let chosen = {
        let (take, file) = (take, file.clone());
        move |event: Event| {
            let input = event.target_dyn_into::<HtmlInputElement>();
            if let Some(found) = input.and_then(|input| input.files()?.get(0)) {
                file.set(Some(found.name()));
                let take = take.clone();
                drop::file_text(&found, move |taken| take.emit(taken));
            }
        }
    };
    use_effect_with(props.paste.opened().is_some(), |ready| {
        // What was pasted or read is understood: the next key opens it.
        if *ready {
            wiring::focus("paste-open");
        }
    });
    let found = props.paste.found().filter(|_| props.paste.reader() == Reader::Ready);
    let title = t(Label::PasteTitle);
    html! {
        <Frame {title} lead={t(Label::PasteLead)} class="paste-dialog" focus="paste-text" foot={paste_foot(props)} on={props.on.clone()}>
            <div class={classes!("paste-area", over.then_some("over"))} ondragover={dragged(true)} ondragleave={dragged(false)} ondrop={dropped}>
                <textarea class={classes!("paste", found.is_some().then_some("small"))} id="paste-text" aria-label={t(Label::PasteField)}
                    spellcheck="false" value={props.paste.text().to_owned()} oninput={typed} />
                <p class="paste-file">
                    <label class="button line" for="paste-file">{ icon::file() }{ t(Label::ChooseFile) }</label>
                    <input type="file" id="paste-file" class="only-read" accept=".json,.yaml,.yml,.tf,.hcl,.sh,.ps1,.txt,application/json,text/plain" onchange={chosen} />
                    <span class="hint">{ t(Label::DropHint) }</span>
                </p>
            </div>
            <div aria-live="polite">
                if let Some(label) = *fault { <p class="faults" role="alert">{ t(label) }</p> }
                { reader(props) }
                { found.map(|found| result(found, props.paste.format(), file.as_deref(), &props.on)).unwrap_or_default() }
            </div>
        </Frame>
    }
}

/// The buttons at the foot: one of them is the next step.
fn paste_foot(props: &PasteProps) -> Html {
    let send = |msgs: Vec<Msg>| {
        let on = props.on.clone();
        move |_: MouseEvent| msgs.iter().for_each(|msg| on.emit(msg.clone()))
    };
    let ready = props.paste.opened().is_some();
    let filled = props.paste.found().is_some_and(|found| found.rows.iter().any(|row| row.mark != Mark::Read));
    let mend = props.paste.refused().map(|refused| {
        let open = send(vec![Msg::Open(Box::new(refused), true), Msg::Sheet(Some(Sheet::Settings))]);
        html! { <button type="button" class="button line" id="paste-mend" onclick={open}>{ t(Label::MendIt) }</button> }
    });
    let empty = props.paste.text().trim().is_empty();
    html! {
        <>
            if ready {
                <button type="button" class="button solid" id="paste-open" onclick={send(vec![Msg::PasteOpen])}>{ t(Label::OpenIt) }</button>
                if filled {
                    <button type="button" class="button line" id="paste-edit"
                        onclick={send(vec![Msg::PasteOpen, Msg::Sheet(Some(Sheet::Settings))])}>{ t(Label::EditMissing) }</button>
                }
            }
            { mend.unwrap_or_default() }
            if !ready {
                <button type="button" class="button solid" id="paste-read" disabled={empty || props.paste.reader() == Reader::Loading}
                    onclick={send(vec![Msg::PasteRead(None)])}>{ t(Label::ReadIt) }</button>
            }
            <button type="button" class="button end" onclick={send(vec![Msg::Close])}>{ t(Label::Cancel) }</button>
        </>
    }
}

/// What reads configurations is on its way, or did not arrive.
fn reader(props: &PasteProps) -> Html {
    let on = props.on.clone();
    match props.paste.reader() {
        Reader::Ready => Html::default(),
        Reader::Loading => html! { <p class="hint" id="paste-loading">{ t(Label::ReaderLoading) }</p> },
        Reader::Failed => html! {
            <div class="paste-failed" role="alert" id="paste-failed">
                <p>{ t(Label::ReaderFailed) }</p>
                <button type="button" class="button line" onclick={move |_: MouseEvent| on.emit(Msg::PasteRead(None))}>{ t(Label::TryAgain) }</button>
            </div>
        },
    }
}

fn result(found: &Found, asked: Option<&str>, file: Option<&str>, on: &Callback<Msg>) -> Html {
    // What the text cannot say changes the answer most: it comes before all that was read.
    let (read, filled): (Vec<&Row>, Vec<&Row>) = found.rows.iter().partition(|row| row.mark == Mark::Read);
    html! {
        <>
            if !found.faults.is_empty() {
                <div role="alert"><ul class="faults" id="paste-faults">
                    { for found.faults.iter().map(|line| html! { <li>{ icon::cross() }<span class="only-read">{ t(Label::MarkNotUnderstood) }{ ": " }</span><span>{ line }</span></li> }) }
                </ul></div>
            }
            { format(found, asked, on) }
            { services(found, on) }
            { notes(&found.needs) }
            if !found.rows.is_empty() {
                <h3 class="block-title">{ file.map_or_else(|| t(Label::WhatWasRead).to_owned(), text::read_from) }</h3>
                <table class="readings" id="paste-rows">
                    <thead class="only-read"><tr>
                        <th scope="col">{ t(Label::Mark) }</th><th scope="col">{ t(Label::Field) }</th><th scope="col">{ t(Label::Value) }</th>
                    </tr></thead>
                    <tbody>{ for read.into_iter().chain(filled).map(reading) }</tbody>
                </table>
            }
            { notes(&found.notes) }
        </>
    }
}

/// Sentences, each with a mark.
pub fn notes(lines: &[String]) -> Html {
    if lines.is_empty() {
        return Html::default();
    }
    html! { <ul class="notes">{ for lines.iter().map(|line| html! { <li>{ icon::triangle() }<span>{ line }</span></li> }) }</ul> }
}

fn reading(row: &Row) -> Html {
    let (picture, word) = match row.mark {
        Mark::Read => (icon::tick(), t(Label::MarkRead)),
        Mark::Default => (icon::info(), t(Label::MarkFilled)),
        Mark::Filled => (icon::triangle(), t(Label::MarkMissing)),
    };
    html! {
        <tr>
            <td class="mark">{ picture }<span class="only-read">{ word }</span></td>
            <td>{ &row.field }</td>
            <td class="value"><strong>{ &row.value }</strong><span class="how">{ &row.how }</span></td>
        </tr>
    }
}

/// What the text was read as, and the choice of another format.
fn format(found: &Found, asked: Option<&str>, on: &Callback<Msg>) -> Html {
    let Some(format) = &found.format else { return Html::default() };
    let change = {
        let (on, flags) = (on.clone(), found.formats.clone());
        move |event: Event| {
            let index = event.target_dyn_into::<HtmlSelectElement>().map_or(0, |select| select.selected_index());
            // The first one is that of the text's looks.
            let flag = usize::try_from(index - 1).ok().and_then(|index| flags.get(index)).map(|kind| kind.flag.clone());
            on.emit(Msg::PasteAs(flag));
        }
    };
    let option = |kind: &Kind| html! { <option selected={asked == Some(kind.flag.as_str())}>{ &kind.name }</option> };
    html! {
        <div class="paste-format">
            <label for="paste-format">{ part(Part::ReadAs) }</label>
            <select class="select" id="paste-format" onchange={change}>
                <option selected={asked.is_none()}>{ part(Part::ByItself) }</option>
                { for found.formats.iter().map(option) }
            </select>
            <span class="hint" id="paste-kind">{ reading::read_as(&format.name) }</span>
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
    html! {
        <Frame title={t(Label::CopyTitle)} lead={t(Label::CopyLead)} on={props.on.clone()}>
            <textarea class="paste small" id="link-text" readonly={true} aria-label={t(Label::LinkField)} ref={node}
                value={props.link.clone()} />
        </Frame>
    }
}
