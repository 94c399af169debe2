//! The state of the page apart from the run, and how messages change it.
//!
//! [`Model::update`] is pure: it changes the model and says what is to be done. The component
//! carries that out.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_player::{Speed, StepUnit};
use rollscope_scenario::{Document, Value};

use crate::form::{CheckKind, FieldKind, Form};
use crate::link::{Broken, Opened};
use crate::paste::Paste;

/// Most steps that can be undone.
const UNDO_MAX: usize = 100;

/// Panels at the right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Tab {
    /// The two sums and what is waited for.
    #[default]
    Why,
    /// Everything that happened.
    Events,
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

/// Something the visitor or the page did.
#[derive(Clone, Debug, PartialEq)]
pub enum Msg {
    /// A text was typed into a field.
    Type(String, FieldKind, String),
    /// Fields were set in one step.
    Set(Vec<(String, Value)>),
    /// The kind of health check was chosen.
    Check(CheckKind),
    /// An act at the cursor.
    Act(Command),
    /// The act was carried out; all acts of the run as a document lists them.
    Acted(Value),
    /// The act had no object.
    Idle,
    /// Back by one change.
    Undo,
    /// A scenario was opened; true adds a history entry.
    Open(Box<Opened>, bool),
    /// A link could not be opened.
    Broken(Box<Broken>),
    /// What can be read of it is wanted.
    OpenReadable,
    /// The notice about a link or an act is put away.
    Dismiss,
    /// The cursor moves.
    Go(Go),
    /// Play or pause.
    Toggle,
    /// The unit of a step.
    Unit(StepUnit),
    /// The speed.
    Speed(Speed),
    /// A slot of the stage was chosen.
    Slot(Option<u32>),
    /// A task was chosen; `None` clears.
    Select(Option<TaskName>),
    /// A panel at the right.
    Tab(Tab),
    /// Which events.
    Filter(Filter),
    /// More events are to be listed.
    More,
    /// The paste dialog opens.
    OpenPaste,
    /// Its text changed.
    PasteText(String),
    /// Its text is to be read; a name chooses one of several services.
    PasteRead(Option<String>),
    /// What it found is to be opened.
    PasteOpen,
    /// The dialog closes.
    Close,
    /// The link is wanted.
    CopyLink,
    /// The clipboard took it (true) or not.
    Copied(bool),
    /// The chart as a file.
    SavePicture,
    /// The text of the page is behind the run.
    Refresh,
}

/// What the component has to do.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// Start the run anew from the settings in force; with a moment, go there, else keep it.
    Load(Option<SimTime>),
    /// Carry out an act at the cursor.
    Act(Command),
    /// Take the last act back; where that is not possible, load.
    UndoAct,
    /// Write the address: a new history entry, or in place of the present one.
    Address(bool),
    /// Move the cursor.
    Go(Go),
    /// Play or pause.
    Toggle,
    /// Change the speed.
    Speed(Speed),
    /// Find the task in a slot and select it.
    Pick(u32),
    /// The selection changed: draw it.
    Selected,
    /// Copy the link.
    Copy,
    /// Save the picture.
    Save,
}

/// A change that can be undone.
#[derive(Clone, Debug, PartialEq)]
struct Change {
    before: Form,
    act: bool,
    /// The field that was edited: further edits of it are the same change.
    field: Option<String>,
}

/// A short message that is not an error of a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// The link is on the clipboard.
    Copied,
    /// The act had no object at this moment.
    Idle,
}

/// The state.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The settings.
    pub form: Form,
    /// Panel at the right.
    pub tab: Tab,
    /// Which events are listed.
    pub filter: Filter,
    /// Events listed around the cursor.
    pub events: usize,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// Unit of a step.
    pub unit: StepUnit,
    /// Speed.
    pub speed: Speed,
    /// Dialog over the page.
    pub dialog: Dialog,
    /// A link that could not be opened.
    pub broken: Option<Broken>,
    /// A short message.
    pub note: Option<Note>,
    changes: Vec<Change>,
}

/// Events listed at first.
pub const EVENTS: usize = 120;

impl Model {
    /// The page with a document.
    pub fn new(document: &Document) -> Model {
        Model {
            form: Form::new(document),
            tab: Tab::default(),
            filter: Filter::default(),
            events: EVENTS,
            selected: None,
            unit: StepUnit::default(),
            speed: Speed::default(),
            dialog: Dialog::default(),
            broken: None,
            note: None,
            changes: Vec::new(),
        }
    }

    /// True when there is something to undo.
    pub fn can_undo(&self) -> bool {
        !self.changes.is_empty()
    }

    /// Takes over a message.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Type(pointer, kind, text) => {
                let field = Some(pointer.clone());
                self.edit(field, |form| form.type_into(&pointer, kind, &text))
            }
            Msg::Set(fields) => {
                let field = fields.first().map(|(pointer, _)| pointer.clone());
                let set =
                    |form: &mut Form| form.set_all(fields.iter().map(|(pointer, value)| (&**pointer, value.clone())));
                self.edit(field, set)
            }
            Msg::Check(kind) => self.edit(None, |form| form.set_check_kind(kind)),
            Msg::Act(command) => vec![Effect::Act(command)],
            Msg::Acted(acts) => self.acted(acts),
            Msg::Idle => self.tell(Note::Idle),
            Msg::Undo => self.undo(),
            Msg::Open(opened, push) => self.open(*opened, push),
            Msg::Broken(broken) => {
                self.broken = Some(*broken);
                self.dialog = Dialog::None;
                vec![]
            }
            Msg::OpenReadable => match self.broken.take().and_then(|broken| broken.readable) {
                Some(opened) => self.open(opened, true),
                None => vec![],
            },
            Msg::Dismiss => {
                self.broken = None;
                self.note = None;
                vec![]
            }
            other => self.look(other),
        }
    }

    /// Messages that change what is seen, not what is run.
    fn look(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Go(go) => return vec![Effect::Go(self.in_unit(go))],
            Msg::Toggle => return vec![Effect::Toggle],
            Msg::Unit(unit) => self.unit = unit,
            Msg::Speed(speed) => {
                self.speed = speed;
                return vec![Effect::Speed(speed)];
            }
            Msg::Slot(Some(slot)) => return vec![Effect::Pick(slot)],
            Msg::Slot(None) => return self.select(None),
            Msg::Select(task) => return self.select(task),
            Msg::Tab(tab) => self.tab = tab,
            Msg::Filter(filter) => {
                self.filter = filter;
                self.events = EVENTS;
            }
            Msg::More => self.events = self.events.saturating_mul(2),
            Msg::OpenPaste => self.dialog = Dialog::Paste(Box::default()),
            Msg::PasteText(text) => {
                if let Dialog::Paste(paste) = &mut self.dialog {
                    paste.type_text(text);
                }
            }
            Msg::PasteRead(service) => return self.read_paste(service),
            Msg::PasteOpen => {
                if let Dialog::Paste(paste) = &self.dialog
                    && let Some(opened) = paste.opened()
                {
                    return self.open(opened, true);
                }
            }
            Msg::Close => self.dialog = Dialog::None,
            Msg::CopyLink => return vec![Effect::Copy],
            Msg::Copied(true) => return self.tell(Note::Copied),
            Msg::SavePicture => return vec![Effect::Save],
            _ => {}
        }
        vec![]
    }

    fn in_unit(&self, go: Go) -> Go {
        match go {
            Go::Next => Go::Unit(self.unit, true),
            Go::Previous => Go::Unit(self.unit, false),
            other => other,
        }
    }

    /// Reads the pasted text; a whole scenario link opens at once.
    fn read_paste(&mut self, service: Option<String>) -> Vec<Effect> {
        let Dialog::Paste(paste) = &mut self.dialog else { return vec![] };
        paste.read(service.as_deref());
        match paste.link() {
            Some(opened) => self.open(opened, true),
            None => vec![],
        }
    }

    fn tell(&mut self, note: Note) -> Vec<Effect> {
        self.note = Some(note);
        vec![]
    }

    fn select(&mut self, task: Option<TaskName>) -> Vec<Effect> {
        self.selected = task;
        if task.is_none() && self.filter == Filter::Selected {
            self.filter = Filter::All;
        }
        vec![Effect::Selected]
    }

    fn remember(&mut self, before: Form, act: bool, field: Option<String>) {
        self.changes.push(Change { before, act, field });
        if self.changes.len() > UNDO_MAX {
            self.changes.remove(0);
        }
    }

    fn edit(&mut self, field: Option<String>, change: impl FnOnce(&mut Form) -> bool) -> Vec<Effect> {
        let before = self.form.clone();
        let changed = change(&mut self.form);
        self.note = None;
        if before == self.form {
            return vec![];
        }
        let same = field.is_some() && self.changes.last().is_some_and(|last| last.field == field);
        if !same {
            self.remember(before, false, field);
        }
        if changed { vec![Effect::Load(None), Effect::Address(false)] } else { vec![] }
    }

    fn acted(&mut self, acts: Value) -> Vec<Effect> {
        let before = self.form.clone();
        self.form.set("/acts", acts);
        self.note = None;
        self.remember(before, true, None);
        vec![Effect::Address(false)]
    }

    fn undo(&mut self) -> Vec<Effect> {
        let Some(change) = self.changes.pop() else { return vec![] };
        let in_force = self.form.accepted().cloned();
        self.form = change.before;
        self.note = None;
        if change.act {
            return vec![Effect::UndoAct, Effect::Address(false)];
        }
        if self.form.accepted() == in_force.as_ref() {
            return vec![];
        }
        vec![Effect::Load(None), Effect::Address(false)]
    }

    fn open(&mut self, opened: Opened, push: bool) -> Vec<Effect> {
        let before = std::mem::replace(&mut self.form, Form::new(&opened.document));
        self.selected = None;
        self.filter = Filter::All;
        self.dialog = Dialog::None;
        self.broken = None;
        self.note = None;
        let mut effects = vec![Effect::Load(Some(opened.at.unwrap_or(SimTime::ZERO)))];
        if push {
            self.remember(before, false, None);
            effects.push(Effect::Address(true));
        } else {
            // Another entry of the history is another page as far as undo goes.
            self.changes.clear();
        }
        effects
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";

    fn model() -> Model {
        Model::new(&Document::from_text(r#"{"service":{"desiredCount":4}}"#).document)
    }

    fn typed(text: &str) -> Msg {
        Msg::Type(MAXIMUM.to_owned(), FieldKind::Number, text.to_owned())
    }

    fn ceiling(model: &Model) -> u32 {
        model.form.accepted().expect("accepted").resolved.limits.ceiling
    }

    #[test]
    fn a_setting_starts_the_run_anew_and_replaces_the_address() {
        let mut model = model();
        assert_eq!(model.update(typed("150")), [Effect::Load(None), Effect::Address(false)]);
        assert_eq!(model.update(typed("150")), []);
    }

    #[test]
    fn a_refused_setting_starts_nothing_and_can_be_undone() {
        let mut model = model();
        assert_eq!(model.update(typed("many")), []);
        assert!(model.form.refused());
        assert_eq!(model.update(Msg::Undo), []);
        assert!(!model.form.refused());
        assert!(!model.can_undo());
    }

    #[test]
    fn edits_of_one_field_are_one_change() {
        let mut model = model();
        for text in ["1", "15", "150"] {
            model.update(typed(text));
        }
        assert_eq!(ceiling(&model), 6);
        assert_eq!(model.update(Msg::Undo), [Effect::Load(None), Effect::Address(false)]);
        assert_eq!(ceiling(&model), 8);
    }

    #[test]
    fn opening_adds_an_entry_and_going_back_does_not() {
        let mut model = model();
        let opened = Opened { document: Document::from_text("{}").document, at: Some(SimTime(5)), warnings: vec![] };
        let effects = model.update(Msg::Open(Box::new(opened.clone()), true));
        assert_eq!(effects, [Effect::Load(Some(SimTime(5))), Effect::Address(true)]);
        let effects = model.update(Msg::Open(Box::new(opened), false));
        assert_eq!(effects, [Effect::Load(Some(SimTime(5)))]);
        assert!(!model.can_undo());
    }

    #[test]
    fn an_act_is_written_into_the_document_and_undone_in_the_player() {
        let mut model = model();
        let command = Command::SetDesired(6);
        assert_eq!(model.update(Msg::Act(command.clone())), [Effect::Act(command)]);
        let act = rollscope_scenario::json::read(r#"[{"at":"5s","do":"desired","count":6}]"#).expect("JSON").value;
        assert_eq!(model.update(Msg::Acted(act)), [Effect::Address(false)]);
        assert_eq!(model.form.accepted().map(|a| a.resolved.settings.acts.len()), Some(1));
        assert_eq!(model.update(Msg::Undo), [Effect::UndoAct, Effect::Address(false)]);
        assert_eq!(model.form.accepted().map(|a| a.resolved.settings.acts.len()), Some(0));
    }

    #[test]
    fn steps_go_in_the_chosen_unit() {
        let mut model = model();
        model.update(Msg::Unit(StepUnit::Second));
        assert_eq!(model.update(Msg::Go(Go::Previous)), [Effect::Go(Go::Unit(StepUnit::Second, false))]);
        assert_eq!(model.update(Msg::Go(Go::End)), [Effect::Go(Go::End)]);
    }
}
