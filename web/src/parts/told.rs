//! What an example tells: the sentence of the present moment, and the way to the next one.

use rollscope_engine::SimTime;
use rollscope_insight::Chapter;
use web_sys::MouseEvent;
use yew::prelude::*;

use crate::app::model::{Go, Msg};
use crate::text::{self, Label, t};

/// A moment of the story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// When.
    pub at: SimTime,
    /// What is said from here on, until the next one.
    pub words: String,
}

/// The sentences by moment, ascending; those of one moment are said together.
pub fn scenes(chapters: &[Chapter<'_>], language: &str) -> Vec<Scene> {
    let mut list: Vec<Scene> = Vec::new();
    for chapter in chapters {
        let words = chapter.step.text(language);
        match list.last_mut().filter(|scene| scene.at == chapter.at) {
            Some(scene) => {
                scene.words.push(' ');
                scene.words.push_str(words);
            }
            None => list.push(Scene { at: chapter.at, words: words.to_owned() }),
        }
    }
    list
}

/// Where a cursor stands in a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Scenes that have begun.
    pub begun: usize,
    /// Where the one before begins; before the first one the start of the run.
    pub back: Option<SimTime>,
    /// Where the next one begins.
    pub next: Option<SimTime>,
}

/// Where a cursor stands in a story.
pub fn place(scenes: &[Scene], at: SimTime) -> Place {
    let begun = scenes.partition_point(|scene| scene.at <= at);
    let back = match begun {
        0 => None,
        1 => Some(SimTime::ZERO).filter(|start| *start < scenes[0].at),
        _ => Some(scenes[begun - 2].at),
    };
    Place { begun, back, next: scenes.get(begun).map(|scene| scene.at) }
}

/// The sentence, its place in the story, and the ways back and on. Before the first scene stands
/// what the example is about.
pub fn told(scenes: &[Scene], lead: &str, at: SimTime, on: &Callback<Msg>) -> Html {
    let place = place(scenes, at);
    let words = place.begun.checked_sub(1).map_or(lead, |i| &scenes[i].words);
    let button = |id: &'static str, label: Label, to: Option<SimTime>| {
        let on = on.clone();
        html! {
            <button type="button" class="button line" {id} disabled={to.is_none()} onclick={move |_: MouseEvent| {
                if let Some(to) = to {
                    on.emit(Msg::Go(Go::To(to)));
                }
            }}>{ t(label) }</button>
        }
    };
    html! {
        <section class="told" id="told" aria-label={t(Label::Told)}>
            <p role="status">{ words }</p>
            if place.begun > 0 {
                <span class="place">{ text::position((place.begun, scenes.len())) }</span>
            }
            { button("told-back", Label::ToldBack, place.back) }
            { button("told-next", Label::ToldNext, place.next) }
        </section>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::form::Form;
    use rollscope_scenario::{Document, PRESETS, preset_steps, steps};

    fn story(moments: &[(u64, &str)]) -> Vec<Scene> {
        moments.iter().map(|(at, words)| Scene { at: SimTime(*at), words: (*words).to_owned() }).collect()
    }

    #[test]
    fn sentences_of_one_moment_are_said_together() {
        let list = steps::read(
            r#"[{"when": "start", "text": {"en": "a."}}, {"when": "gate", "text": {"en": "b."}},
                {"when": "success", "text": {"en": "c."}}]"#,
        )
        .expect("a list");
        let at = [0, 35, 35];
        let chapters: Vec<_> = list.iter().zip(at).map(|(step, at)| Chapter { at: SimTime(at), step }).collect();
        assert_eq!(scenes(&chapters, "en"), story(&[(0, "a."), (35, "b. c.")]));
    }

    #[test]
    fn an_example_is_told_from_the_settings_panel_as_well() {
        let mut told = 0;
        for preset in PRESETS.iter().filter(|preset| !preset_steps::of(preset.id).is_empty()) {
            let form = Form::new(&Document::from_text(preset.document).document);
            let accepted = form.accepted().unwrap_or_else(|| panic!("{}", preset.id));
            assert_eq!(preset_steps::of_document(&accepted.document), preset_steps::of(preset.id), "{}", preset.id);
            told += 1;
        }
        assert!(told > 0);
    }

    #[test]
    fn back_and_on() {
        let late = story(&[(15, "a"), (35, "b")]);
        let table = [
            (0, Place { begun: 0, back: None, next: Some(SimTime(15)) }),
            (15, Place { begun: 1, back: Some(SimTime(0)), next: Some(SimTime(35)) }),
            (20, Place { begun: 1, back: Some(SimTime(0)), next: Some(SimTime(35)) }),
            (35, Place { begun: 2, back: Some(SimTime(15)), next: None }),
            (99, Place { begun: 2, back: Some(SimTime(15)), next: None }),
        ];
        for (at, expected) in table {
            assert_eq!(place(&late, SimTime(at)), expected, "{at}");
        }
        let early = story(&[(0, "a"), (35, "b")]);
        assert_eq!(place(&early, SimTime(0)), Place { begun: 1, back: None, next: Some(SimTime(35)) });
    }
}
