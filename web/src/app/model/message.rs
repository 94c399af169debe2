//! What the visitor or the page did, and what the component has to do about it.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_player::{BranchId, Speed, StepUnit};
use rollscope_scenario::Value;

use super::kinds::{ChartOf, Cited, Dialog, Filter, Go, Group, Hover, Sheet, Tab, Way};
use crate::form::{CheckKind, FieldKind};
use crate::lazy::LazyError;
use crate::link::{Broken, Opened};
use crate::paste::Question;
use crate::text::Label;

/// Something the visitor or the page did.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A text was typed into a field.
    Type(String, FieldKind, String),
    /// Fields were set in one step; `Null` takes a field out.
    Set(Vec<(String, Value)>),
    /// Sets several fields as one choice, which is a change of its own.
    Choose(Vec<(String, Value)>),
    /// The kind of health check was chosen.
    Check(CheckKind),
    /// Changes of dials hold from the cursor on (true), or from the start of the run.
    FromHere(bool),
    /// An act at the cursor: a branch begins.
    Act(Command),
    /// An act was carried out.
    Acted(Acted),
    /// The last act was dragged back to nothing.
    Unacted,
    /// The act had no object.
    Idle,
    /// The act asks for what is in force already.
    Unchanged(Command),
    /// An act that had been taken back was made again: its branch.
    Remade(BranchId),
    /// Another branch is to be looked at.
    Branch(BranchId),
    /// The branch that is looked at, by its acts as a document lists them.
    Entered(Value),
    /// Back by one change.
    Undo,
    /// On by one change that was taken back.
    Redo,
    /// A scenario was opened; true adds a history entry.
    Open(Box<Opened>, bool),
    /// A link could not be opened.
    Broken(Box<Broken>),
    /// The scenario beside a copy of itself, or the comparison of this fragment, as a new entry.
    Compare(Option<String>),
    /// Opens the map around the scenario.
    Explore,
    /// The address holds a comparison.
    Comparing(String),
    /// The second program, which compares, is not there: its sentence.
    NotCompared(String),
    /// From a comparison to the Studio.
    ToStudio,
    /// The Studio as it was left for a comparison.
    Studio,
    /// What can be read of it is wanted.
    OpenReadable,
    /// The notice about a link or an act is put away.
    Dismiss,
    /// The cursor moves.
    Go(Go),
    /// A figure is looked at: the cursor goes to its moment, and its rule is shown.
    Cite(Box<Cited>),
    /// The presenter opens, or is left.
    Present,
    /// The presenter's screen turns black, or back.
    Blank,
    /// The screen is full (true), or not any more.
    Full(bool),
    /// The pointer has moved (true), or rests.
    Pointer(bool),
    /// The presenter goes to the next (true) or previous step of the story.
    Story(bool),
    /// The cursor goes to the next (true) or previous narrated step.
    Chapter(bool),
    /// A time was typed: go there.
    GoTyped(String),
    /// The time is being typed, or not any more.
    TypeTime(bool),
    /// Play or pause.
    Toggle,
    /// The unit of a step.
    Unit(StepUnit),
    /// The speed.
    Speed(Speed),
    /// The next faster (true) or slower speed.
    Faster(bool),
    /// A slot of the stage was chosen.
    Slot(Option<u32>),
    /// A task was chosen; `None` clears.
    Select(Option<TaskName>),
    /// An instance was chosen, by its number; the same one again lets it go, as `None` does.
    Host(Option<u32>),
    /// The task beside the selected one.
    Walk(Way),
    /// What the pointer is on.
    Hover(Hover),
    /// The moment read on the chart goes to the next (true) or previous change.
    Read(bool),
    /// The cursor goes to the moment read on the chart.
    GoRead,
    /// A future of one's own is wanted here.
    BranchHere,
    /// What a single key does, if single keys act.
    Single(Box<Msg>),
    /// How the stage is ordered.
    Group(Group),
    /// Tasks or traffic in the chart.
    Chart(ChartOf),
    /// A panel at the right.
    Tab(Tab),
    /// A panel over the lower part of a narrow page; `None` closes it.
    Sheet(Option<Sheet>),
    /// Which events.
    Filter(Filter),
    /// Only events with this text.
    Search(String),
    /// The field for `Search` is wanted.
    Find,
    /// A dialog opens.
    Show(Dialog),
    /// Something is dragged over the page, or not any more.
    Dragged(bool),
    /// A text was dropped or picked as a file: it is read in the paste dialog.
    Given(String),
    /// A file could not be read, and why.
    NotGiven(Label),
    /// The text of the paste dialog changed.
    PasteText(String),
    /// Its text is to be read; a name chooses one of several services.
    PasteRead(Option<String>),
    /// Reads the text as a format, by its word, or as what it looks like.
    PasteAs(Option<String>),
    /// The second program answered, or did not come.
    PasteAnswered(Question, Result<String, LazyError>),
    /// What it found is to be opened.
    PasteOpen,
    /// The dialog closes.
    Close,
    /// Escape: the nearest thing closes, else the selection is cleared.
    Escape,
    /// The link is wanted.
    CopyLink,
    /// A report about a broken guard is wanted.
    CopyReport,
    /// A text is to go to the clipboard, and what is said once it is there.
    CopyText(String, Label),
    /// The clipboard took the link (true) or not.
    Copied(bool),
    /// The clipboard took a text; what is said then.
    CopiedText(Label),
    /// The chart as a file.
    SavePicture,
    /// The browser has the file (true) or not.
    Saved(bool),
    /// The next theme.
    Theme,
    /// The legend is shown or hidden.
    Legend,
    /// Only stage, caption and player are shown, or everything.
    StageOnly,
    /// Single keys act (true) or not.
    SingleKeys(bool),
    /// The hand on a dial rests: the run it asks for starts.
    Rested,
    /// Nothing was moved for a while.
    AtRest,
    /// The text of the page is behind the run.
    Refresh,
    /// The rest of the program is there (an empty text), or did not load: the sentence.
    Rest(String),
    /// The rest of the program is wanted.
    AskRest,
}

/// An act that was carried out.
#[derive(Clone, Debug, PartialEq)]
pub struct Acted {
    /// All acts of the run as a document lists them.
    pub acts: Value,
    /// The branch it made.
    pub branch: BranchId,
    /// When.
    pub at: SimTime,
    /// What.
    pub command: Command,
    /// It took the place of the act before, of the same kind and moment.
    pub replaced: bool,
}

/// What the component has to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Compare the scenario with a copy, or what this fragment holds, as a new entry of the history.
    Compare(Option<String>),
    /// Let the second program show the comparison of this fragment.
    ShowCompared(String),
    /// Let it leave.
    LeaveCompared,
    /// Go from a comparison to the Studio, by the address.
    ToStudio,
    /// Start the run anew from the settings in force; with a moment, go there, else keep it.
    Load(Option<SimTime>),
    /// Go back to a run by its number, with its branches, and to a moment of it; where it is not kept,
    /// it starts anew.
    Return(u32, SimTime),
    /// The same, at once.
    LoadNow,
    /// Carry out an act at the cursor; true: it may take the place of one of its kind at this moment.
    Act(Command, bool),
    /// Take the act that made a branch back.
    UndoAct(BranchId),
    /// Carry out an act again at its moment.
    RedoAct(SimTime, Command),
    /// Look at another branch.
    Branch(BranchId),
    /// Write the address: a new history entry, or in place of the present one.
    Address(bool),
    /// Move the cursor.
    Go(Go),
    /// Go to the next (true) or previous narrated step.
    Chapter(bool),
    /// Play or pause.
    Toggle,
    /// Change the speed.
    Speed(Speed),
    /// Find the task in a slot and select it.
    Pick(u32),
    /// Select the task beside the selected one.
    Walk(Way),
    /// The selection, the hover or the order of the stage changed: draw it.
    Look,
    /// The moment read on the chart moves.
    Read(bool),
    /// Put the keyboard into the field with this id.
    Focus(&'static str),
    /// Copy the link.
    Copy,
    /// Copy a text; what is said then.
    CopyText(String, Label),
    /// The player pauses.
    Pause,
    /// The presenter opened or was left.
    Present,
    /// The room of the pictures is another one.
    Measure,
    /// To the next (true) or previous step of the story.
    Story(bool),
    /// Copy a report about a broken guard.
    Report,
    /// Let the second program read a pasted text.
    Import(Question),
    /// Save the picture.
    Save,
    /// Put the theme in force.
    Theme,
    /// Keep what the visitor chose for the next visit.
    Remember,
    /// Ask for the rest of the program.
    AskRest,
}
