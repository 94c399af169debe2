//! Share in another page: how the player looks there, its code, and the player itself.

use web_sys::HtmlSelectElement;
use yew::prelude::*;

use super::share::{copy, option};
use crate::app::model::Msg;
use crate::share::Look;
use crate::text::{Label, t};

/// What is shown in the frame.
#[derive(Clone, PartialEq)]
pub struct Embedding {
    /// The address of the page without its fragment.
    pub base: String,
    /// The scenario.
    pub fragment: String,
    /// The name of the frame.
    pub title: String,
}

/// What the tab shows.
#[derive(Clone, PartialEq, Properties)]
pub struct Props {
    /// The scenario and where its page is.
    pub embedding: Embedding,
    /// Messages.
    pub on: Callback<Msg>,
}

const THEMES: [Label; 3] = [Label::EmbedThemeAuto, Label::EmbedThemeLight, Label::EmbedThemeDark];
const CONTROLS: [Label; 3] = [Label::EmbedControlsFull, Label::EmbedControlsBar, Label::EmbedControlsNone];

/// The code with its choices and the player as it will be.
#[component]
pub fn ShareEmbed(props: &Props) -> Html {
    let look = use_state(Look::default);
    let Embedding { base, fragment, title } = &props.embedding;
    let code = look.frame(base, fragment, title);
    let address = look.address(base, fragment);
    let change = |by: fn(&mut Look, usize)| {
        let look = look.clone();
        move |index: usize| {
            let mut changed = *look;
            by(&mut changed, index);
            look.set(changed);
        }
    };
    let flip = |by: fn(&mut Look)| {
        let look = look.clone();
        Callback::from(move |_: Event| {
            let mut changed = *look;
            by(&mut changed);
            look.set(changed);
        })
    };
    html! {
        <>
            <div class="share-looks">
                { choose("embed-theme", Label::EmbedTheme, THEMES, look.theme, change(|look, index| look.theme = index)) }
                { choose("embed-controls", Label::EmbedControls, CONTROLS, look.controls, change(|look, index| look.controls = index)) }
                { option("embed-view", t(Label::EmbedViewOnly), t(Label::EmbedViewOnlyHint), look.view_only, flip(|look| look.view_only = !look.view_only)) }
                { option("embed-poster", t(Label::EmbedPoster), t(Label::EmbedPosterHint), look.poster, flip(|look| look.poster = !look.poster)) }
            </div>
            <textarea class="paste small" id="embed-code" readonly={true} aria-label={t(Label::CodeField)} value={code.clone()} />
            <p class="buttons">{ copy(code, Label::CopyCode, Label::CodeOnClipboard, &props.on) }</p>
            <h3 class="block-title">{ t(Label::EmbedPreview) }</h3>
            // A frame of its own for each address: a player that is told of another scenario keeps its looks.
            <iframe key={address.clone()} class="share-preview" title={title.clone()} src={address} />
        </>
    }
}

/// A choice of one of three.
fn choose(id: &'static str, label: Label, values: [Label; 3], chosen: usize, set: impl Fn(usize) + 'static) -> Html {
    let change = move |event: Event| {
        let index = event.target_dyn_into::<HtmlSelectElement>().map_or(-1, |select| select.selected_index());
        if let Ok(index) = usize::try_from(index) {
            set(index);
        }
    };
    let value = |(index, label): (usize, Label)| html! { <option selected={index == chosen}>{ t(label) }</option> };
    html! {
        <label class="share-choice" for={id}><span>{ t(label) }</span>
            <select class="select" {id} onchange={change}>{ for values.into_iter().enumerate().map(value) }</select></label>
    }
}
