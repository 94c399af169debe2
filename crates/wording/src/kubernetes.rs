//! A Kubernetes Deployment in the language of the product. Functions of their own: what the first screen
//! does not say is not part of its program.

use rollscope_engine::SimTime;
use rollscope_engine::kubernetes::Change;
use rollscope_engine::platform::kubernetes::{Because, Hold};
use rollscope_engine::settings::Command;
use rollscope_engine::trace::Record;
use rollscope_insight::kubernetes::{Check, Figures, Outcome};

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::kubernetes::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// What happened, in one sentence.
    fn change(change: &Change) -> String;
    /// The line of a record in the story of a run; absent for what is told elsewhere.
    fn line(record: &Record) -> Option<String>;
    /// The line of a list for a record that stands for so many alike.
    fn row(record: &Record, n: u32) -> String;
    /// The sentence of an instant.
    fn caption(records: &[Record]) -> String;
    /// The rollout beside the title of the page.
    fn state(reason: Because) -> String;
    /// Why nothing is done.
    fn hold(hold: &Hold) -> String;
    /// The verdict in two or three words.
    fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str;
    /// The verdict in one or two sentences.
    fn verdict(check: &Check, outcome: Option<&Outcome>) -> String;
    /// How it ended, in one or two sentences.
    fn outcome(outcome: &Outcome) -> String;
    /// The floor as a sum: "3 available: replicas 4 less maxUnavailable 1".
    fn floor_sum(replicas: u32, floor: u32) -> String;
    /// The figures of a run, by name.
    fn figures(figures: &Figures) -> Vec<(&'static str, String)>;
    /// A Pod's state and since when: "checking since 0:30".
    fn pod_state(state: &str, since: SimTime) -> String;
    /// "4 Pods serve".
    fn serving(available: u32) -> String;
    /// A Pod template by its number: "v2".
    fn version(template: u32) -> String;
    /// Tenths of a per cent: "37.5 %".
    fn share(tenths: u32) -> String;
    /// Pods of a template on the stage: "v2: 4".
    fn group_of_version(template: u32, slots: u32) -> String;
    /// Templates of one colour: "v1 and v3".
    fn versions(templates: &[u32]) -> String;
    /// Names of three of them.
    fn figure_names() -> [&'static str; 3];
    /// A template's share of the requests: "v2 75 %".
    fn share_of(template: u32, part: u32, whole: u32) -> String;
    /// "4 Pods, floor 4, ceiling 5"
    fn limits(replicas: u32, floor: u32, ceiling: u32) -> String;
    /// An act of people or of the world: "From here on Pods of v2 are healthy."
    fn command(command: &Command) -> String;
    /// An act had no object: what is to be added to its sentence.
    fn no_object() -> &'static str;
    /// The ceiling as a sum: "5 asked for: replicas 4 plus maxSurge 1".
    fn ceiling_sum(replicas: u32, ceiling: u32) -> String;
}
