//! What is said of the map around a scenario, in the language of the product.

use rollscope_insight::comparison::Summary;
use rollscope_insight::explore::{Figures, Measure};
use rollscope_scenario::Value;

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::explore::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// How many pairs, and how many behaviours.
    fn title(pairs: usize, fields: usize) -> String;
    /// Why there are fewer behaviours than pairs; absent where each pair is one.
    fn lead(pairs: usize, fields: usize) -> &'static str;
    /// How far it is, while it computes.
    fn progress(done: usize, all: usize) -> String;
    /// The name of a setting, from its pointer.
    fn setting(pointer: &str) -> String;
    /// A pair of settings in the list.
    fn pair(rows: &str, columns: &str) -> String;
    /// A value of a setting at the edge of the map.
    fn value(value: &Value, pointer: &str) -> String;
    /// What is shown.
    fn measure(measure: Measure) -> &'static str;
    /// A group of columns, or of rows: "ceiling 5", "floor 4".
    fn group(columns: bool, n: u32) -> String;
    /// The figure of a field: a clock, a number, or how it ends.
    fn figure(measure: Measure, found: &Summary) -> String;
    /// Below it: "4 to 5".
    fn range(found: &Summary) -> String;
    /// What is said before the figure of a field to those who listen.
    fn spoken(rows: &str, columns: &str, measure: Measure) -> String;
    /// What is said behind it where it is best of its kind.
    fn best() -> &'static str;
    /// Which values come to the same as a field: "Every maximum from 125 % to 149 % does the same."
    fn same(name: &str, first: &str, last: &str) -> String;
    /// What the spread comes to.
    fn spread(figures: &Figures, runs: usize) -> String;
    /// Runs beyond a wait, of all.
    fn beyond(over: usize, runs: usize, wait: &str) -> String;
    /// A label of the screen without numbers.
    fn label(label: Label) -> &'static str;
}

/// Labels of the screen with the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Above the choice of the two settings.
    Settings,
    /// Above the choice of the measure.
    Show,
    /// Stops the computing.
    Stop,
    /// Goes on.
    GoOn,
    /// A field that the platform refuses.
    Refused,
    /// A field that is not computed yet.
    Waiting,
    /// Above the selected field.
    Selected,
    /// Figure: until it is over.
    DoneAfter,
    /// Figure: fewest healthy.
    Fewest,
    /// Figure: most at once.
    Most,
    /// Above the runs with other seeds.
    Spread,
    /// Luck plays no part.
    NoSpread,
    /// The wait that gives up.
    Wait,
    /// Opens the worst run.
    OpenWorst,
    /// Above the neighbours.
    OneStep,
    /// Selects a neighbour.
    Select,
    /// Opens the field's scenario.
    OpenInStudio,
    /// Compares it with the scenario of the map.
    CompareWithCurrent,
    /// What the dot means.
    Best,
    /// Name of the map.
    Map,
    /// The link cannot be opened.
    Broken,
}
