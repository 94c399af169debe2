//! Groups of virtual machines in the language of the product: Google Cloud's words for a managed instance group,
//! Azure's for a scale set. Functions of their own: what the first screen does not say is not part of its program.

use rollscope_engine::SimTime;
use rollscope_engine::platform::vm::{Hold, Kind};
use rollscope_engine::trace::Record;
use rollscope_engine::vm::{Change, Run, VmView};
use rollscope_insight::vm::{Check, Figures, Outcome};

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::vm::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// What happened, in one sentence.
    fn change(change: &Change, kind: &Kind) -> String;
    /// The line of a record in the story of a run; absent for what is told elsewhere.
    fn line(record: &Record, kind: &Kind) -> Option<String>;
    /// The line of a list for a record that stands for so many alike.
    fn row(record: &Record, n: u32, kind: &Kind) -> String;
    /// The sentence of an instant.
    fn caption(records: &[Record], kind: &Kind) -> String;
    /// The update beside the title of the page.
    fn state(view: &VmView) -> String;
    /// Why nothing is done.
    fn hold(hold: &Hold, kind: &Kind) -> String;
    /// The verdict in two or three words.
    fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str;
    /// The verdict in one or two sentences.
    fn verdict(check: &Check, outcome: Option<&Outcome>) -> String;
    /// How it ended, in one or two sentences.
    fn outcome(outcome: &Outcome) -> String;
    /// The floor as a sum: "3 available: targetSize 4 less 1".
    fn floor_sum(kind: &Kind, size: u32, floor: u32) -> String;
    /// The ceiling as a sum: "5 at once: targetSize 4 plus 1".
    fn ceiling_sum(kind: &Kind, size: u32, ceiling: u32) -> String;
    /// The figures of a run, by name.
    fn figures(figures: &Figures, kind: &Kind) -> Vec<(&'static str, String)>;
    /// A machine's state and since when: "STAGING since 0:30".
    fn machine_state(state: &str, since: SimTime) -> String;
    /// "4 VMs available".
    fn serving(healthy: u32, kind: &Kind) -> String;
    /// The limits in one line: "4 VMs, floor 3, ceiling 5".
    fn limits(size: u32, floor: u32, ceiling: u32) -> String;
    /// Names of three of the figures.
    fn figure_names(kind: &Kind) -> [&'static str; 3];
    /// Those that count for the floor, by name.
    fn up_name(kind: &Kind) -> &'static str;
    /// An act had no object: what is to be added to its sentence.
    fn no_object() -> &'static str;
    /// The command that shows the state at a moment, and what it answers, one field a line.
    fn described(run: &Run) -> (&'static str, Vec<(&'static str, String)>);
    /// How many machines of a model do what: "4 healthy, 1 being created".
    fn version_states(lane: &rollscope_engine::frame::LaneCounts) -> String;
    /// The name of a model.
    fn version(version: u32, kind: &Kind) -> String;
}
