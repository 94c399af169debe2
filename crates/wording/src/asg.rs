//! An instance refresh in the language of the product. Functions of their own: what the first screen does not
//! say is not part of its program.

use rollscope_engine::SimTime;
use rollscope_engine::asg::{AsgView, Change, Refresh};
use rollscope_engine::platform::asg::Hold;
use rollscope_engine::settings::Alarm;
use rollscope_engine::trace::Record;
use rollscope_insight::asg::{Check, Figures, Outcome};

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::asg::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// What happened, in one sentence.
    fn change(change: &Change, alarms: &[Alarm]) -> String;
    /// The line of a record in the story of a run; absent for what is told elsewhere.
    fn line(record: &Record, alarms: &[Alarm]) -> Option<String>;
    /// The line of a list for a record that stands for so many alike.
    fn row(record: &Record, n: u32, alarms: &[Alarm]) -> String;
    /// The sentence of an instant.
    fn caption(records: &[Record], alarms: &[Alarm]) -> String;
    /// The refresh beside the title of the page.
    fn state(refresh: &Refresh) -> String;
    /// `StatusReason`; empty where there is none.
    fn status_reason(refresh: &Refresh, alarms: &[Alarm]) -> String;
    /// Why nothing is done.
    fn hold(hold: &Hold) -> String;
    /// The verdict in two or three words.
    fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str;
    /// The verdict in one or two sentences.
    fn verdict(check: &Check, outcome: Option<&Outcome>, alarms: &[Alarm]) -> String;
    /// How it ended, in one or two sentences.
    fn outcome(outcome: &Outcome, alarms: &[Alarm]) -> String;
    /// The floor as a sum: "3 ready: desired capacity 4 less 1".
    fn floor_sum(desired: u32, floor: u32) -> String;
    /// The ceiling as a sum: "5 at once: desired capacity 4 plus 1".
    fn ceiling_sum(desired: u32, ceiling: u32) -> String;
    /// The figures of a run, by name.
    fn figures(figures: &Figures) -> Vec<(&'static str, String)>;
    /// An instance's state and since when: "Pending since 0:30".
    fn instance_state(state: &str, since: SimTime) -> String;
    /// "4 instances ready".
    fn serving(ready: u32) -> String;
    /// The limits in one line: "4 instances, floor 3, ceiling 5".
    fn limits(desired: u32, floor: u32, ceiling: u32) -> String;
    /// Names of three of the figures.
    fn figure_names() -> [&'static str; 3];
    /// An act had no object: what is to be added to its sentence.
    fn no_object() -> &'static str;
    /// What `DescribeInstanceRefreshes` says at a moment, one field a line.
    fn described(view: &AsgView, alarms: &[Alarm]) -> Vec<(&'static str, String)>;
    /// How many instances of a version do what: "4 ready, 1 pending".
    fn version_states(lane: &rollscope_engine::frame::LaneCounts) -> String;
    /// The name of a launch template version.
    fn version(version: u32) -> String;
}
