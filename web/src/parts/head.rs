//! Header of the page, title of the scenario and the figures of its whole run.

use rollscope_engine::SimTime;
use rollscope_scenario::Document;
use rollscope_scenario::presets::Preset;
use rollscope_wording::RuleKind;
use rollscope_wording::kubernetes;
use yew::prelude::*;

use super::branches::{self, BranchChip};
use super::icon;
use super::popover::Popover;
use crate::app::model::{Cited, Dialog, Go, Msg, Sheet, Theme};
use crate::app::wiring;
use crate::link::Opened;
use crate::text::{self, Label, t};

/// What the bar at the top shows.
pub struct Bar<'a> {
    /// The scenario's name, which stands here where the page is narrow.
    pub title: &'a str,
    /// Revisions, oldest first, likewise.
    pub chips: &'a [Chip],
    /// They are versions on another platform than Amazon ECS.
    pub versions: bool,
    /// Something can be undone.
    pub can_undo: bool,
    /// Something can be redone.
    pub can_redo: bool,
    /// There is a run.
    pub runs: bool,
    /// The theme that was chosen.
    pub theme: Theme,
    /// A comparison stands in the place of the Studio.
    pub comparing: bool,
    /// It is the map around a scenario.
    pub exploring: bool,
}

/// Name and the actions on the whole scenario.
pub fn bar(props: &Bar<'_>, on: &Callback<Msg>) -> Html {
    let send = |msg: Msg| {
        let on = on.clone();
        move |_: MouseEvent| on.emit(msg.clone())
    };
    // A picture alone; its word stands beside it in the menu of a narrow page.
    let icon_button = |id: &'static str, label: &'static str, picture: Html, off: bool, msg: Msg| {
        html! {
            <button type="button" class="button icon" {id} aria-label={label} title={label} disabled={off} data-closes=""
                onclick={send(msg)}>{ picture }<span class="in-menu">{ label }</span></button>
        }
    };
    let (theme, theme_icon) = match props.theme {
        Theme::System => (t(Label::ThemeSystem), icon::theme_system()),
        Theme::Light => (t(Label::ThemeLight), icon::theme_light()),
        Theme::Dark => (t(Label::ThemeDark), icon::theme_dark()),
    };
    html! {
        <header class="top topbar">
            <div class={classes!("brand", (!props.runs).then_some("alone"))}>{ icon::brand() }<span class="brand-name">{ "Rollscope" }</span></div>
            { sections(props, on) }
            // The heading of the page stays with the title row; this is what is seen of it on a phone.
            if props.runs && !props.comparing {
                <div class="topbar-title" aria-hidden="true"><span class="name">{ props.title }</span>{ revisions(props.chips, CHIPS_MAX.1, props.versions) }</div>
            }
            <Popover id="menu" name={t(Label::Menu)} class="menu" button="button icon" face={icon::menu()}>
                <div class="actions">
                    { icon_button("undo", t(Label::Undo), icon::undo(), !props.can_undo || props.comparing, Msg::Undo) }
                    { icon_button("redo", t(Label::Redo), icon::redo(), !props.can_redo || props.comparing, Msg::Redo) }
                    <button type="button" class="button only-narrow" id="menu-section" data-closes="" disabled={!props.runs && !props.comparing}
                        onclick={send(if props.comparing { Msg::ToStudio } else { Msg::Compare(None) })}>
                        { icon::compare() }<span>{ t(if props.comparing { Label::Studio } else { Label::CompareCopy }) }</span></button>
                    <button type="button" class="button only-narrow" id="menu-explore" data-closes="" disabled={!props.runs || props.exploring}
                        onclick={send(Msg::Explore)}>{ icon::examples() }<span>{ t(Label::Explore) }</span></button>
                    <button type="button" class="button" id="open-paste" aria-label={t(Label::PasteLong)} title={t(Label::PasteLong)} data-closes=""
                        onclick={send(Msg::Show(Dialog::Paste(Box::default())))}>{ icon::paste() }<span>{ t(Label::Paste) }</span></button>
                    <button type="button" class="button" id="open-presets" data-closes=""
                        onclick={send(Msg::Show(Dialog::Presets))}>{ icon::examples() }<span>{ t(Label::Examples) }</span></button>
                    <button type="button" class="button" id="save-picture" disabled={!props.runs || props.comparing} data-closes=""
                        onclick={send(Msg::SavePicture)}>{ icon::picture() }<span>{ t(Label::SavePicture) }</span></button>
                    <button type="button" class="button" id="present" disabled={!props.runs || props.comparing} aria-label={t(Label::PresentLong)} title={t(Label::PresentLong)} data-closes=""
                        onclick={send(Msg::Present)}>{ icon::screen() }<span>{ t(Label::Present) }</span></button>
                    { icon_button("theme", theme, theme_icon, false, Msg::Theme) }
                    { icon_button("open-help", t(Label::Help), icon::help(), false, Msg::Show(Dialog::Help)) }
                </div>
            </Popover>
            if props.comparing {
                <button type="button" class="button solid copy-link" id="copy-link" aria-label={t(Label::CopyLink)} title={t(Label::CopyLink)}
                    onclick={send(Msg::CopyLink)}>{ icon::link() }<span>{ t(Label::CopyLink) }</span></button>
            } else {
                <button type="button" class="button solid copy-link" id="share" aria-label={t(Label::ShareTitle)} title={t(Label::ShareTitle)}
                    disabled={!props.runs} onclick={send(Msg::Show(Dialog::Share))}>{ icon::link() }<span>{ t(Label::Share) }</span></button>
            }
        </header>
    }
}

/// The sections of the product: the one that is shown, and the way to the other.
fn sections(props: &Bar<'_>, on: &Callback<Msg>) -> Html {
    let section = |label: Label, id: &'static str, here: bool, msg: Msg, off: bool| {
        let on = on.clone();
        html! {
            <button type="button" class="section-link" {id} aria-current={here.then_some("page")} disabled={off}
                onclick={move |_: MouseEvent| if !here { on.emit(msg.clone()) }}>{ t(label) }</button>
        }
    };
    html! {
        <nav class="product" aria-label={t(Label::Sections)}>
            { section(Label::Studio, "to-studio", !props.comparing, Msg::ToStudio, false) }
            { section(Label::Compare, "to-compare", props.comparing && !props.exploring, Msg::Compare(None), !props.comparing && !props.runs) }
            { section(Label::Explore, "to-explore", props.exploring, Msg::Explore, !props.comparing && !props.runs) }
        </nav>
    }
}

/// A revision of the title: number and lane of colour.
pub type Chip = (u32, u8);

/// Most revisions that are named: in the title row, and in the bar, which is narrow where they stand there.
pub const CHIPS_MAX: (usize, usize) = (4, 3);

/// Title, revisions, state of the run and its branches.
pub struct Title<'a> {
    /// The scenario's name.
    pub title: &'a str,
    /// Revisions, oldest first.
    pub chips: &'a [Chip],
    /// They are versions on another platform than Amazon ECS.
    pub versions: bool,
    /// State of the run at the cursor in the platform's words; empty for plain success.
    pub state: &'a str,
    /// That state is a failure.
    pub failed: bool,
    /// The futures of this run; shown when there is more than one.
    pub branches: &'a [BranchChip],
    /// The example it comes from.
    pub origin: Option<Origin>,
}

/// The title row; its chips are the colour key.
pub fn title(props: &Title<'_>, on: &Callback<Msg>) -> Html {
    html! {
        <div class="title-row">
            <h1 class="title">{ props.title }</h1>
            <span class="title-revisions">{ revisions(props.chips, CHIPS_MAX.0, props.versions) }</span>
            if !props.state.is_empty() {
                if props.failed {
                    <span class="tag fail">{ icon::cross() }{ props.state }</span>
                } else {
                    <span class="tag">{ props.state }</span>
                }
            }
            { branches::chips(props.branches, on) }
            { origin(props, on) }
            { compare_button(on) }
        </div>
    }
}

/// The example a scenario comes from.
#[derive(Clone, Copy)]
pub struct Origin {
    /// The example.
    pub preset: &'static Preset,
    /// The scenario is another one by now.
    pub changed: bool,
}

/// Where the scenario comes from, and the way back to it. The state of a run takes the place of what says no more
/// than that it is an example.
fn origin(props: &Title<'_>, on: &Callback<Msg>) -> Html {
    let Some(Origin { preset, changed }) = props.origin else { return Html::default() };
    let alone = props.state.is_empty() && props.branches.len() < 2;
    if !changed {
        return html! { if alone { <span class="origin">{ t(Label::FromExamples) }</span> } };
    }
    // Beside a state or branches there is no room for its name, which is the title.
    let words = if alone { text::changed_example(preset.title) } else { t(Label::ExampleChanged).to_owned() };
    let on = on.clone();
    let reset = move |_: MouseEvent| {
        on.emit(Msg::Open(Box::new(Opened::document(Document::from_text(preset.document).document)), true));
    };
    html! {
        <span class="origin">
            { words }{ " · " }
            <button type="button" id="reset-example" title={t(Label::ResetExampleLong)} aria-label={t(Label::ResetExampleLong)} onclick={reset}>{ t(Label::ResetExample) }</button>
        </span>
    }
}

/// Puts the scenario beside a copy of itself.
fn compare_button(on: &Callback<Msg>) -> Html {
    let on = on.clone();
    html! {
        <button type="button" class="button line small" id="compare-copy" title={t(Label::CompareCopy)} aria-label={t(Label::CompareCopy)}
            onclick={move |_: MouseEvent| on.emit(Msg::Compare(None))}>{ t(Label::Compare) }</button>
    }
}

/// The chips; of more than `most` the first and the last ones.
pub fn revisions(chips: &[Chip], most: usize, versions: bool) -> Html {
    let name = |number| if versions { kubernetes::version(number) } else { text::revision(number) };
    let left_out = if chips.len() > most { 1..chips.len() + 2 - most } else { 0..0 };
    let chip = |(index, (number, lane)): (usize, &Chip)| {
        if left_out.contains(&index) {
            let first = index == left_out.start;
            return html! { if first { <span class="to">{ "…" }</span> } };
        }
        html! {
            <>
                if index > 0 { <span class="to">{ t(Label::To) }</span> }
                <span class={format!("revision lane-{lane}")}>{ name(*number) }</span>
            </>
        }
    };
    html! { <>{ for chips.iter().enumerate().map(chip) }</> }
}

/// One figure of the whole run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Figure {
    /// What it is.
    pub name: AttrValue,
    /// The number.
    pub value: String,
    /// What belongs to it: unit or limit.
    pub beside: String,
    /// The moment that made it; the figure leads there.
    pub at: Option<SimTime>,
    /// It tells of a failure.
    pub bad: bool,
    /// The rule that makes it; absent where none is told.
    pub rule: Option<RuleKind>,
}

impl Figure {
    /// A plain figure, with nothing beside it.
    pub fn of(name: impl Into<AttrValue>, value: String, at: Option<SimTime>) -> Figure {
        Figure { name: name.into(), value, beside: String::new(), at, bad: false, rule: None }
    }
}

/// What a click on a figure asks for: its moment, or the present one where it has none, and its rule.
fn asked(figure: &Figure, now: SimTime) -> Option<Msg> {
    let at = figure.at.unwrap_or(now);
    let rule = figure.rule.map(|rule| {
        let beside = if figure.beside.is_empty() { String::new() } else { format!(" · {}", figure.beside) };
        Msg::Cite(Box::new(Cited { name: format!("{}: {}{beside}", figure.name, figure.value), rule, at }))
    });
    rule.or(figure.at.map(|at| Msg::Go(Go::To(at))))
}

/// The row of figures; `now` is the cursor.
pub fn figures(figures: &[Figure], now: SimTime, on: &Callback<Msg>) -> Html {
    let figure = |figure: &Figure| {
        let inner = html! {
            <>
                <span class="figure-name">{ &figure.name }</span>
                <span class={classes!("figure-value", figure.bad.then_some("bad"))}>{ &figure.value }if !figure.beside.is_empty() { <small>{ " " }{ &figure.beside }</small> }</span>
            </>
        };
        let Some(msg) = asked(figure, now) else { return html! { <li><div class="figure">{ inner }</div></li> } };
        let on = on.clone();
        let go = figure.at.map_or_else(|| t(Label::ShowRule).to_owned(), |at| text::go_to(&text::clock(at)));
        let click = move |_: MouseEvent| {
            on.emit(msg.clone());
            if wiring::is_narrow() && matches!(msg, Msg::Cite(_)) {
                on.emit(Msg::Sheet(Some(Sheet::Details)));
            }
        };
        html! {
            <li><button type="button" class="figure" title={go.clone()} onclick={click}>
                { inner }<span class="only-read">{ go }</span>
            </button></li>
        }
    };
    html! { <ul class="figures" aria-label={t(Label::FiguresOfRun)}>{ for figures.iter().map(figure) }</ul> }
}
