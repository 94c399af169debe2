//! What is said of several runs beside each other, in the language of the product. Functions of
//! their own: what the first screen does not say is not part of its program.

use rollscope_engine::SimTime;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::kubernetes::Strategy;
use rollscope_engine::settings::TaskName;
use rollscope_insight::account::Part;
use rollscope_insight::comparison::{Borrowed, Difference, Figure, Fleet, Heading, Largest, RowKind, SharedChange};
use rollscope_scenario::edit::Platform;
use rollscope_scenario::link::LinkError;

use crate::{Language, en};

const PRODUCT: Language = Language::English;

macro_rules! says {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),*) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::compare::$name($($arg),*),
            }
        })*
    };
}

says! {
    /// The letter of a run: A to D.
    fn letter(run: usize) -> &'static str;
    /// The difference in one sentence, without praise.
    fn heading(heading: &Heading, fleet: Fleet) -> String;
    /// What the runs borrow, in one or two sentences.
    fn borrowed(borrowed: &[Borrowed], fleet: Fleet) -> String;
    /// What a row is about; `revision` is the one that all runs roll out, where it is one.
    fn row(kind: RowKind, revision: Option<u32>, fleet: Fleet) -> String;
    /// A figure of the table.
    fn figure(figure: Figure) -> String;
    /// A difference with its sign: "+ 18:45"; a dash where there is none to tell.
    fn difference(difference: Option<Difference>) -> String;
    /// Head of the column of differences: "B − A".
    fn minus(run: usize, base: usize) -> String;
    /// How much of the time the largest part takes.
    fn largest(largest: &Largest) -> String;
    /// What a change of all runs would make of them.
    fn shared_change(change: &SharedChange) -> String;
    /// Its button.
    fn try_on_all(runs: usize) -> &'static str;
    /// A part in the legend of the accounts.
    fn part(part: Part) -> &'static str;
    /// Both percentages: "100 % / 200 %".
    fn percentages(minimum: u32, maximum: u32) -> String;
    /// Surge and unavailable of a Deployment: "1/0", "25%/25%"; "Recreate".
    fn deployment(strategy: &Strategy) -> String;
    /// Both percentages of an instance refresh: "90 % / 110 %"; "90 %, no maximum".
    fn refresh(minimum: u32, maximum: Option<u32>) -> String;
    /// How a group of virtual machines goes, with whose it is: "Google Cloud 1/0".
    fn machines(kind: &rollscope_engine::platform::vm::Kind) -> String;
    /// A run of several platforms by its platform: "Kubernetes 1/0".
    fn on_platform(platform: Platform, way: &str) -> String;
    /// How a StatefulSet or a DaemonSet of so many goes: "one at a time", "2 at a time", "1 beside".
    fn placed(settings: &PlatformSettings, desired: u32) -> String;
    /// A revision of the head: "r8"; of Pods and instances "v2".
    fn revision(number: u32, fleet: Fleet) -> String;
    /// "floor 4, ceiling 8"
    fn limits(floor: u32, ceiling: u32) -> String;
    /// Where a run ends: "A is done at 6:15".
    fn ends(run: usize, at: SimTime, done: bool) -> String;
    /// What all runs have in common.
    fn in_common(desired: u32, drain_s: Option<u64>, fleet: Fleet) -> String;
    /// Name of a picture: "Run A, 100 % / 200 %".
    fn picture(run: usize, name: &str) -> String;
    /// What a part of a link that cannot be opened is: "B is cut: 7 characters are missing."
    fn broken_part(run: usize, error: &LinkError) -> String;
    /// Parts of a link behind the fourth.
    fn left_out(parts: usize) -> String;
    /// A name of a task.
    fn task(name: TaskName) -> String;
    /// What one run does at a moment, for those who listen: "A: 4 of 4 are healthy".
    fn moment(run: usize, healthy: u32, desired: u32, total: u32) -> String;
    /// Takes a run away, or opens it.
    fn remove(run: usize) -> String;
    /// Opens a run alone.
    fn open_in_studio(run: usize) -> String;
    /// Adds a copy of the last run.
    fn add(run: usize) -> String;
    /// The value of a setting of a run, as the name of its field.
    fn field_of(run: usize, label: &str) -> String;
    /// Why a run is shown as it was.
    fn refused(run: usize) -> String;
    /// Value of the scrubber for those who listen.
    fn scrubber(at: SimTime, end: SimTime) -> String;
    /// A label of the screen without numbers.
    fn label(label: Label) -> &'static str;
}

/// Labels of the screen that compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Label {
    /// Title where the runs have different names.
    Title,
    /// The region with the pictures.
    Pictures,
    /// The region with the table.
    Table,
    /// Exchanges the first two.
    Swap,
    /// Opens the drawer.
    Edit,
    /// Closes the drawer.
    Close,
    /// Takes the last change back.
    Undo,
    /// Copies the table as text.
    CopyTable,
    /// It was copied.
    Copied,
    /// The browser did not let it be copied.
    NotCopied,
    /// Above the bars.
    WhereTimeGoes,
    /// What the drawer holds.
    Settings,
    /// What it says where all is alike.
    NothingDiffers,
    /// An empty field of the drawer.
    Absent,
    /// Heading of a comparison that cannot be opened.
    BrokenTitle,
    /// What is said below it.
    BrokenWords,
    /// Opens what can be read.
    OpenReadable,
    /// One scenario is no comparison.
    OneOnly,
    /// Head of the column of rows.
    Figure,
    /// Head of the column of moments in the mirrored data.
    Moment,
    /// Title of the mirrored data.
    Data,
}
