//! Header of the page, title of the scenario and the figures of its whole run.

use yew::prelude::*;

use super::icon;
use crate::app::model::{Dialog, Msg};
use crate::text::{Label, t};

/// The bar at the top.
#[derive(Clone, PartialEq, Properties)]
pub struct BarProps {
    /// Something can be undone.
    pub can_undo: bool,
    /// There is a run.
    pub runs: bool,
    /// Messages.
    pub on: Callback<Msg>,
}

/// Name and the actions on the whole scenario.
#[component]
pub fn Bar(props: &BarProps) -> Html {
    let send = |msg: Msg| {
        let on = props.on.clone();
        move |_: MouseEvent| on.emit(msg.clone())
    };
    html! {
        <header class="top">
            <div class="brand">{ icon::brand() }<span>{ "Rollscope" }</span></div>
            <button type="button" class="button icon" aria-label={t(Label::Undo)} title={t(Label::Undo)}
                disabled={!props.can_undo} onclick={send(Msg::Undo)}>{ icon::undo() }</button>
            <button type="button" class="button" id="open-paste" aria-label={t(Label::PasteLong)}
                onclick={send(Msg::Show(Dialog::Paste(Box::default())))}>{ icon::paste() }<span class="wide-only">{ t(Label::Paste) }</span></button>
            <button type="button" class="button" aria-label={t(Label::SavePicture)} disabled={!props.runs}
                onclick={send(Msg::SavePicture)}>{ icon::picture() }<span class="wide-only">{ t(Label::SavePicture) }</span></button>
            <button type="button" class="button solid" id="copy-link" aria-label={t(Label::CopyLink)} disabled={!props.runs}
                onclick={send(Msg::CopyLink)}>{ icon::link() }<span class="wide-only">{ t(Label::CopyLink) }</span></button>
        </header>
    }
}

/// A revision of the title: number and lane of colour.
pub type Chip = (u32, u8);

/// Title, revisions and the state of the run.
#[derive(Clone, PartialEq, Properties)]
pub struct TitleProps {
    /// The scenario's name.
    pub title: String,
    /// Revisions, oldest first.
    pub chips: Vec<Chip>,
    /// State of the run at the cursor.
    pub state: String,
}

/// The title row; its chips are the colour key.
#[component]
pub fn Title(props: &TitleProps) -> Html {
    let chip = |(index, (number, lane)): (usize, &Chip)| {
        html! {
            <>
                if index > 0 { <span class="to">{ t(Label::To) }</span> }
                <span class={format!("revision lane-{lane}")}>{ format!("r{number}") }</span>
            </>
        }
    };
    html! {
        <div class="head">
            <h1>{ &props.title }</h1>
            { for props.chips.iter().enumerate().map(chip) }
            <span class="state">{ &props.state }</span>
        </div>
    }
}

/// One figure of the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is.
    pub name: &'static str,
    /// The number.
    pub value: String,
    /// What belongs to it: unit or limit.
    pub beside: String,
}

/// The figures.
#[derive(Clone, PartialEq, Properties)]
pub struct FiguresProps {
    /// Five, in a fixed order.
    pub figures: Vec<Figure>,
}

/// The row of figures.
#[component]
pub fn Figures(props: &FiguresProps) -> Html {
    let figure = |figure: &Figure| {
        html! {
            <div>
                <dt>{ figure.name }</dt>
                <dd>{ &figure.value }if !figure.beside.is_empty() { <small>{ &figure.beside }</small> }</dd>
            </div>
        }
    };
    html! { <dl class="results">{ for props.figures.iter().map(figure) }</dl> }
}
