//! A StatefulSet and a DaemonSet in the language of the product.

use rollscope_engine::kubernetes::Wait;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_engine::trace::Record;
use rollscope_insight::kubernetes::Check;
use rollscope_insight::placed::{BlockedBy, Outcome};

use crate::{Language, en};

/// Names in the panels.
#[derive(Clone, Copy, Debug)]
pub struct Names {
    /// The command that lists Pods.
    pub get_pods: &'static str,
    /// An act on the selected Pod.
    pub delete_pod: &'static str,
    /// The sum of places without an available Pod.
    pub may_be_down: &'static str,
    /// Of those, how many there are.
    pub down_now: &'static str,
    /// And how many more may be.
    pub more_may_go: &'static str,
}

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::placed::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// The line of a record in the story of a run, about a Pod of this name; absent for what is told elsewhere.
    fn line(record: &Record, pod: &str) -> Option<String>;
    /// The line of a list for a record that stands for so many alike; `pod` says what a Pod is called.
    fn row(record: &Record, n: u32, pod: &dyn Fn(TaskName) -> String) -> String;
    /// The sentence of an instant.
    fn caption(records: &[Record], pod: &dyn Fn(TaskName) -> String) -> String;
    /// What a person did or will do.
    fn command(command: &Command, pod: &dyn Fn(TaskName) -> String) -> String;
    /// The same in a few words, for the name of a branch.
    fn act_short(command: &Command, pod: &dyn Fn(TaskName) -> String) -> String;
    /// Why nothing is done.
    fn wait(wait: &Wait) -> String;
    /// The same in two or three words.
    fn wait_title(wait: Option<&Wait>) -> &'static str;
    /// The verdict in two or three words.
    fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str;
    /// The verdict in one or two sentences.
    fn verdict(check: &Check, outcome: Option<&Outcome>) -> String;
    /// How it ended, in one or two sentences.
    fn outcome(outcome: &Outcome) -> String;
    /// What a rollout waits for, after a colon.
    fn blocked_by(why: BlockedBy) -> String;
    /// The floor as a sum: "3 available: 4 wanted less 1".
    fn floor_sum(wanted: u32, floor: u32) -> String;
    /// The ceiling as a sum: "5 at most: 4 wanted plus maxSurge 1".
    fn ceiling_sum(wanted: u32, ceiling: u32) -> String;
    /// Names in the panels.
    fn names() -> Names;
    /// Which Pod of a StatefulSet goes last, by the first ordinal.
    fn last_one(first: u32) -> String;
}
