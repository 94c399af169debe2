//! Small closed lists of what the page can show and where the cursor can go.

pub use rollscope_draw::stage::{Direction as Way, Grouping as Group};
pub use rollscope_draw::timeline::ChartOf;
use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_player::StepUnit;
use rollscope_wording::RuleKind;

use crate::paste::Paste;
use crate::text::Label;

/// Panels at the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tab {
    /// The two sums and what is waited for.
    #[default]
    Why,
    /// Everything that happened.
    Events,
    /// What the APIs answer.
    Api,
    /// What the simulation checks about itself.
    Guards,
}

/// Which events are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// All.
    #[default]
    All,
    /// Decisions of the scheduler.
    Decisions,
    /// Failures.
    Failures,
    /// Those of the selected task.
    Selected,
}

/// A figure of the whole run that was asked for its rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cited {
    /// What it is, with its value: "Fewest healthy: 4".
    pub name: String,
    /// The rule that makes it.
    pub rule: RuleKind,
    /// Its moment; its rule is shown as long as the cursor stands there.
    pub at: SimTime,
}

/// A dialog over the page.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Dialog {
    /// None.
    #[default]
    None,
    /// Paste a link, a document or a configuration.
    Paste(Box<Paste>),
    /// A text to copy by hand, where the browser refuses the clipboard.
    Copy(String),
    /// The settings as text for other tools.
    Export,
    /// The link, and the code that shows it in another page.
    Share,
    /// The keys.
    Help,
    /// The examples.
    Presets,
}

/// The presenter: the pictures and their sentence over the whole screen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Presenter {
    /// The screen is black.
    pub blank: bool,
    /// The pointer rests, and is not shown.
    pub at_rest: bool,
}

/// What lies over the lower part of a narrow page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sheet {
    /// The settings.
    Settings,
    /// The panel of the chosen tab.
    Details,
    /// The tasks as a list.
    Tasks,
}

impl Sheet {
    /// The identifier of its element.
    pub fn id(self) -> &'static str {
        match self {
            Sheet::Settings => "settings",
            Sheet::Details => "details",
            Sheet::Tasks => "tasks",
        }
    }
}

/// A setting that can also be turned in the middle of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dial {
    /// `desiredCount`
    Desired,
    /// `minimumHealthyPercent`
    Minimum,
    /// `maximumPercent`
    Maximum,
}

impl Dial {
    /// All of them.
    pub const ALL: [Dial; 3] = [Dial::Desired, Dial::Minimum, Dial::Maximum];

    /// Where it stands in the document.
    pub fn pointer(self) -> &'static str {
        match self {
            Dial::Desired => "/service/desiredCount",
            Dial::Minimum => "/service/deploymentConfiguration/minimumHealthyPercent",
            Dial::Maximum => "/service/deploymentConfiguration/maximumPercent",
        }
    }

    /// The dial at a place of the document.
    pub fn at(pointer: &str) -> Option<Dial> {
        Dial::ALL.into_iter().find(|dial| dial.pointer() == pointer)
    }
}

/// The cursor in the middle of a run, with the dials in force there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Here {
    /// The cursor.
    pub at: SimTime,
    /// Latest desired count.
    pub desired: u32,
    /// `minimumHealthyPercent`
    pub minimum: u32,
    /// `maximumPercent`
    pub maximum: u32,
}

impl Here {
    /// The value of a dial.
    pub fn value(&self, dial: Dial) -> u32 {
        match dial {
            Dial::Desired => self.desired,
            Dial::Minimum => self.minimum,
            Dial::Maximum => self.maximum,
        }
    }
}

/// What the pointer or the keys of a picture are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Hover {
    /// Nothing.
    #[default]
    None,
    /// A task, wherever it is shown.
    Task(TaskName),
    /// A hundred slots, by their first one.
    Slots(u32),
    /// An instance, by its number.
    Host(u32),
    /// A moment of the chart.
    Moment(SimTime),
}

/// The rest of the program, which brings the panels.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Rest {
    /// On its way.
    #[default]
    Awaited,
    /// There.
    Here,
    /// It did not load, and why, as a sentence.
    Missing(String),
}

/// The theme of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Theme {
    /// As the system has it.
    #[default]
    System,
    /// Light.
    Light,
    /// Dark.
    Dark,
}

/// Where the cursor goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Go {
    /// To a moment.
    To(SimTime),
    /// To the start.
    Start,
    /// To the end of what happens.
    End,
    /// One step on, in the chosen unit.
    Next,
    /// One step back, in the chosen unit.
    Previous,
    /// One step of this unit; true is on.
    Unit(StepUnit, bool),
    /// To the next (true) or previous failure.
    Failure(bool),
    /// A tenth of the axis on (true) or back.
    Tenth(bool),
}

/// A short message that is not an error of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// The link is on the clipboard.
    Copied,
    /// A text is on the clipboard; which one.
    CopiedText(Label),
    /// The act had no object at this moment.
    Idle,
    /// The act asks for what is in force already.
    Unchanged(Command),
    /// A file could not be read, and why.
    Unread(Label),
    /// The picture could not be saved.
    NotSaved,
    /// A time that was typed cannot be read.
    NotATime(String),
}
