//! Share: the link with its length and its QR code, or the code that shows the scenario in another page.

use rollscope_engine::SimTime;
use rollscope_scenario::{Document, Value};
use rollscope_wording::share as words;
use wasm_bindgen_futures::spawn_local;
use web_sys::{HtmlInputElement, HtmlTextAreaElement, InputEvent};
use yew::prelude::*;

use super::dialogs::Frame;
use super::icon;
use super::share_embed::{Embedding, ShareEmbed};
use crate::app::model::Msg;
use crate::lazy;
use crate::link::{self, Looked};
use crate::share;
use crate::text::{Label, t};

/// What is shared.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The scenario.
    pub document: Document,
    /// The moment, the panel and what is selected.
    pub looked: Looked,
    /// The address of the page without its fragment.
    pub base: String,
    /// What the scenario is called.
    pub name: String,
    /// Messages.
    pub on: Callback<Msg>,
}

/// The ways to share.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Link,
    Embed,
}

const WAYS: [(Way, Label, &str); 2] =
    [(Way::Link, Label::ShareLink, "share-link"), (Way::Embed, Label::ShareEmbed, "share-embed")];

/// What goes into the link.
#[derive(Clone, PartialEq)]
pub struct Choice {
    /// The moment; else the start.
    pub at: bool,
    /// Panel, order and selection.
    pub look: bool,
    /// Title and notes.
    pub notes: bool,
}

impl Choice {
    /// The fragment of a scenario with what was chosen.
    fn fragment(&self, document: &Document, looked: &Looked) -> String {
        let mut document = document.clone();
        if !self.notes {
            (document.title, document.notes) = (None, None);
        }
        let all = if self.look { *looked } else { Looked::default() };
        link::write(&document, &Looked { at: if self.at { looked.at } else { SimTime::ZERO }, ..all })
    }
}

/// The dialog.
#[component]
pub fn ShareDialog(props: &Props) -> Html {
    let way = use_state(|| Way::Link);
    let choice = use_state(|| Choice { at: true, look: true, notes: true });
    let typed = use_state(|| Typed {
        title: props.document.title.clone().unwrap_or_default(),
        notes: props.document.notes.clone().unwrap_or_default(),
    });
    let fragment = choice.fragment(&typed.in_document(&props.document), &props.looked);
    let tab = |(of, label, id): (Way, Label, &'static str)| {
        let (chosen, to) = (*way == of, way.clone());
        html! {
            <button type="button" role="tab" {id} aria-selected={chosen.to_string()} aria-controls="share-panel"
                tabindex={if chosen { "0" } else { "-1" }} onclick={move |_: MouseEvent| to.set(of)}>{ t(label) }</button>
        }
    };
    let onkeydown = {
        let way = way.clone();
        move |event: KeyboardEvent| {
            if matches!(event.key().as_str(), "ArrowLeft" | "ArrowRight") {
                event.prevent_default();
                let (other, id) =
                    if *way == Way::Link { (Way::Embed, "share-embed") } else { (Way::Link, "share-link") };
                way.set(other);
                crate::app::wiring::focus(id);
            }
        }
    };
    let (panel, foot) = match *way {
        Way::Link => {
            let whole = format!("{}#{fragment}", props.base);
            (
                html! { <ShareLink link={whole.clone()} fragment={fragment.clone()} /> },
                copy(whole, Label::CopyLink, Label::LinkOnClipboard, &props.on),
            )
        }
        Way::Embed => {
            let embedding = Embedding {
                base: props.base.clone(),
                fragment: fragment.clone(),
                title: words::frame_title(&props.name),
            };
            (html! { <ShareEmbed {embedding} on={props.on.clone()} /> }, Html::default())
        }
    };
    let labelled = WAYS.iter().find(|(of, ..)| *of == *way).map_or("", |(.., id)| *id);
    html! {
        <Frame title={t(Label::ShareTitle)} lead={t(Label::ShareLead)} class="share-dialog" {foot} on={props.on.clone()}>
            <div class="tabs" role="tablist" aria-label={t(Label::ShareWays)} {onkeydown}>{ for WAYS.into_iter().map(tab) }</div>
            <div role="tabpanel" id="share-panel" class="share-panel" aria-labelledby={labelled}>
                { panel }
                { options(props, &choice, &typed) }
            </div>
        </Frame>
    }
}

/// The button that copies a text.
pub fn copy(text: String, label: Label, said: Label, on: &Callback<Msg>) -> Html {
    let on = on.clone();
    html! {
        <button type="button" class="button solid end" id="copy-link" onclick={move |_: MouseEvent| on.emit(Msg::CopyText(text.clone(), said))}>
            { icon::chain() }<span>{ t(label) }</span></button>
    }
}

/// What goes into the link, and the title and the notes themselves.
fn options(props: &Props, choice: &UseStateHandle<Choice>, typed: &UseStateHandle<Typed>) -> Html {
    let flip = |change: fn(&mut Choice)| {
        let choice = choice.clone();
        Callback::from(move |_: Event| {
            let mut changed = (*choice).clone();
            change(&mut changed);
            choice.set(changed);
        })
    };
    html! {
        <>
            <div class="share-options">
                if props.looked.at > SimTime::ZERO {
                    { option("share-at", &words::opens_at(props.looked.at), t(Label::OtherwiseStart), choice.at, flip(|choice| choice.at = !choice.at)) }
                }
                { option("share-look", t(Label::WithLook), t(Label::WithLookHint), choice.look, flip(|choice| choice.look = !choice.look)) }
                { option("share-notes", t(Label::WithNotes), t(Label::WithNotesHint), choice.notes, flip(|choice| choice.notes = !choice.notes)) }
            </div>
            if choice.notes { { texts(props, typed) } }
        </>
    }
}

/// A choice with what it means.
pub fn option(id: &'static str, name: &str, hint: &str, checked: bool, onchange: Callback<Event>) -> Html {
    html! {
        <label class="switch" for={id}>
            <input type="checkbox" {id} {checked} {onchange} />
            <span><strong>{ name }</strong><span class="hint">{ hint }</span></span>
        </label>
    }
}

/// Title and notes as they are typed.
#[derive(Clone, PartialEq)]
struct Typed {
    title: String,
    notes: String,
}

impl Typed {
    /// The document with them.
    fn in_document(&self, document: &Document) -> Document {
        let text = |typed: &String| (!typed.is_empty()).then(|| typed.clone());
        Document { title: text(&self.title), notes: text(&self.notes), ..document.clone() }
    }
}

/// Title and notes: typed here they are the scenario's. The fields keep what is typed, whatever the page draws meanwhile.
fn texts(props: &Props, typed: &UseStateHandle<Typed>) -> Html {
    let set = |pointer: &'static str, take: fn(&mut Typed, String)| {
        let (on, typed) = (props.on.clone(), typed.clone());
        move |text: String| {
            let value = if text.is_empty() { Value::Null } else { Value::from(text.as_str()) };
            let mut changed = (*typed).clone();
            take(&mut changed, text);
            typed.set(changed);
            on.emit(Msg::Set(vec![(pointer.to_owned(), value)]));
        }
    };
    let title = {
        let set = set("/title", |typed, text| typed.title = text);
        move |event: InputEvent| {
            if let Some(field) = event.target_dyn_into::<HtmlInputElement>() {
                set(field.value());
            }
        }
    };
    let notes = {
        let set = set("/notes", |typed, text| typed.notes = text);
        move |event: InputEvent| {
            if let Some(field) = event.target_dyn_into::<HtmlTextAreaElement>() {
                set(field.value());
            }
        }
    };
    html! {
        <div class="share-texts">
            <label for="share-title">{ t(Label::TitleField) }</label>
            <input type="text" class="text-input" id="share-title" maxlength="120" value={typed.title.clone()} oninput={title} />
            <label for="share-text">{ t(Label::NotesField) }</label>
            <textarea class="text-input" id="share-text" rows="2" value={typed.notes.clone()} oninput={notes} />
        </div>
    }
}

/// The link of the tab.
#[derive(Clone, PartialEq, Properties)]
struct LinkProps {
    /// The whole address.
    link: String,
    /// Its fragment.
    fragment: String,
}

/// What became of the QR code.
#[derive(Clone, PartialEq)]
enum Code {
    /// It is being drawn.
    Asked,
    /// It is here: its width in modules and the path of the dark ones.
    Here(String, String),
    /// There is none, and why.
    None(String),
}

/// The link, its length, and its QR code where that is wanted.
#[component]
fn ShareLink(props: &LinkProps) -> Html {
    let wanted = use_state(|| false);
    let code = use_state(|| Code::Asked);
    // The link that was asked for last: an answer about an older one comes too late.
    let asked = use_mut_ref(String::new);
    {
        let code = code.clone();
        use_effect_with((props.link.clone(), *wanted), move |(link, wanted)| {
            if *wanted {
                let link = link.clone();
                *asked.borrow_mut() = link.clone();
                code.set(Code::Asked);
                spawn_local(async move {
                    let drawn = match lazy::qr(&link).await {
                        Ok(Some((width, path))) => Code::Here(width, path),
                        Ok(None) => Code::None(t(Label::QrTooLong).to_owned()),
                        Err(error) => Code::None(error.0),
                    };
                    if *asked.borrow() == link {
                        code.set(drawn);
                    }
                });
            }
        });
    }
    let flip = {
        let wanted = wanted.clone();
        move |_: MouseEvent| wanted.set(!*wanted)
    };
    html! {
        <>
            if !*wanted {
                <textarea class="paste small" id="link-text" readonly={true} aria-label={t(Label::ShareLinkField)} value={props.link.clone()} />
                { length(props) }
            } else {
                { drawn(&code) }
            }
            <p class="buttons"><button type="button" class="button line" id="share-qr" aria-pressed={wanted.to_string()} onclick={flip}>{ t(Label::QrCode) }</button></p>
        </>
    }
}

/// The code, or why there is none.
fn drawn(code: &Code) -> Html {
    match code {
        Code::Here(width, path) => html! {
            <svg class="qr" id="qr" role="img" aria-label={t(Label::QrAlt)} viewBox={format!("0 0 {width} {width}")} shape-rendering="crispEdges">
                <rect width="100%" height="100%" fill="#fff" /><path d={path.clone()} fill="#000" />
            </svg>
        },
        Code::None(why) => html! { <p role="status">{ why }</p> },
        Code::Asked => html! { <p role="status" class="hint">{ t(Label::QrLoading) }</p> },
    }
}

/// Characters at the right end of the scale of lengths.
const SCALE_END: usize = 2_400;

/// How long the link is, and who cuts it.
fn length(props: &LinkProps) -> Html {
    let length = props.link.chars().count();
    let programs = share::cut_by(length);
    let fits = match share::unreadable(&props.fragment) {
        true => t(Label::LinkTooLong).to_owned(),
        false => words::cut_by(&programs),
    };
    let place = |length: usize| format!("{}%", length.min(SCALE_END) * 100 / SCALE_END);
    let class = if programs.is_empty() { "fits" } else { "cut" };
    let mark = |(from, name): &(usize, &'static str)| {
        html! {
            <>
                <line x1={place(*from)} x2={place(*from)} y1="0" y2="15" />
                <text x={place(*from)} y="28" class={*name}>{ *name }<tspan>{ words::from(*from) }</tspan></text>
            </>
        }
    };
    html! {
        <div class="share-length">
            <p><strong id="share-length">{ words::characters(length) }</strong>{ " " }<span>{ fits }</span><span class="end">{ t(Label::Checksummed) }</span></p>
            <svg class={class} width="100%" height="32" aria-hidden="true" focusable="false">
                <rect class="all" y="4" width="100%" height="7" rx="3.5" /><rect class="part" y="4" width={place(length)} height="7" rx="3.5" />
                { for share::CUT_FROM.iter().map(mark) }
            </svg>
        </div>
    }
}
