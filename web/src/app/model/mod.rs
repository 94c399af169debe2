//! The state of the page apart from the run, and how messages change it.
//!
//! [`Model::update`] is pure: it changes the model and says what is to be done. The component
//! carries that out.

mod history;
mod kinds;
mod message;
#[cfg(test)]
mod tests;

use rollscope_engine::SimTime;
use rollscope_engine::settings::{Command, TaskName};
use rollscope_player::{SPEED_MAX, SPEED_MIN, Speed, StepUnit};
use rollscope_scenario::{Document, Problem, Value};

use crate::embed::Embed;
use crate::form::{FieldKind, Form};
use crate::link::{Broken, Opened};
use crate::rest::apart;
use history::{ActChange, Change, History};
pub use kinds::{
    ChartOf, Cited, Dial, Dialog, Filter, Go, Group, Here, Hover, Note, Presenter, Rest, Sheet, Tab, Theme, Way,
};
pub use message::{Acted, Effect, Msg};

/// The state.
#[derive(Clone, Debug, PartialEq)]
pub struct Model {
    /// The settings of the run from its start.
    pub form: Form,
    /// The cursor in the middle of a run, as the component last saw it.
    pub here: Option<Here>,
    /// The cursor, as the component last saw it.
    pub at: SimTime,
    /// The run that is looked at, by its number: another one begins with each setting from the start.
    pub run: u32,
    /// Runs that began so far.
    runs: u32,
    /// In the middle of a run the dials act from the cursor on.
    pub from_here: bool,
    /// Dials typed at the cursor that were refused.
    pub probe: Option<Form>,
    /// Panel at the right.
    pub tab: Tab,
    /// What lies over the lower part of a narrow page.
    pub sheet: Option<Sheet>,
    /// The figure whose rule is looked at.
    pub cited: Option<Cited>,
    /// Which events are listed.
    pub filter: Filter,
    /// Only events with this text.
    pub query: String,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// The selected instance, by its number.
    pub host: Option<u32>,
    /// What the pointer is on.
    pub hover: Hover,
    /// The order of the stage, where one was chosen; else the run decides.
    pub group: Option<Group>,
    /// What the chart shows.
    pub chart: ChartOf,
    /// Unit of a step.
    pub unit: StepUnit,
    /// Speed.
    pub speed: Speed,
    /// The time is being typed.
    pub typing_time: bool,
    /// Dialog over the page.
    pub dialog: Dialog,
    /// The fragment of a comparison that stands in the place of the Studio.
    pub comparing: Option<String>,
    /// Why it cannot be shown.
    pub not_compared: Option<String>,
    /// A link that could not be opened.
    pub broken: Option<Broken>,
    /// What was noticed in the link or text that was opened.
    pub warnings: Vec<Problem>,
    /// A short message.
    pub note: Option<Note>,
    /// Something is dragged over the page.
    pub dragged: bool,
    /// Theme.
    pub theme: Theme,
    /// The legend is shown.
    pub legend: bool,
    /// Only stage, caption and player are shown.
    pub stage_only: bool,
    /// Single keys act.
    pub single_keys: bool,
    /// What the first picture does without.
    pub rest: Rest,
    /// The presenter, while it is open.
    pub presenter: Option<Presenter>,
    /// The player inside another page, and how it is shown there.
    pub embed: Option<Embed>,
    history: History,
}

impl Model {
    /// The page with a document.
    pub fn new(document: &Document) -> Model {
        Model {
            form: Form::new(document),
            here: None,
            at: SimTime::ZERO,
            run: 0,
            runs: 0,
            from_here: true,
            probe: None,
            tab: Tab::default(),
            sheet: None,
            cited: None,
            filter: Filter::default(),
            query: String::new(),
            selected: None,
            host: None,
            hover: Hover::None,
            group: None,
            chart: ChartOf::default(),
            unit: StepUnit::default(),
            speed: Speed::default(),
            typing_time: false,
            dialog: Dialog::default(),
            comparing: None,
            not_compared: None,
            broken: None,
            warnings: Vec::new(),
            note: None,
            dragged: false,
            theme: Theme::default(),
            legend: true,
            stage_only: false,
            single_keys: true,
            rest: Rest::default(),
            presenter: None,
            embed: None,
            history: History::default(),
        }
    }

    /// The player inside another page: nothing is stored, and a change of its limits holds from the start.
    pub fn embedded(mut self, embed: Embed) -> Model {
        self.theme = embed.theme;
        self.from_here = false;
        self.embed = Some(embed);
        self
    }

    /// True when there is something to undo.
    pub fn can_undo(&self) -> bool {
        self.history.can_undo()
    }

    /// True when there is something to redo.
    pub fn can_redo(&self) -> bool {
        self.history.can_redo()
    }

    /// Where the dials act: at the cursor, or (`None`) from the start of the run.
    pub fn acts_at(&self) -> Option<Here> {
        self.here.filter(|_| self.from_here)
    }

    /// The settings as the dials show them: those in force at the cursor, or those of the start.
    pub fn shown(&self) -> Form {
        match (&self.probe, self.acts_at()) {
            (_, None) => self.form.clone(),
            (Some(probe), _) => probe.clone(),
            (None, Some(here)) => {
                let mut form = self.form.clone();
                let changed = |dial: &Dial| form.number(dial.pointer()) != Some(i64::from(here.value(*dial)));
                let values: Vec<_> = Dial::ALL
                    .into_iter()
                    .filter(changed)
                    .map(|dial| (dial.pointer(), Value::from(i64::from(here.value(dial)))))
                    .collect();
                if !values.is_empty() {
                    form.set_all(values);
                }
                form
            }
        }
    }

    /// Takes over a message.
    pub fn update(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Type(pointer, kind, text) => apart(|| self.typed(&pointer, kind, &text)),
            Msg::Set(fields) => apart(|| self.set(&fields)),
            Msg::Choose(fields) => apart(|| {
                self.edit(None, |form| form.set_all(fields.iter().map(|(pointer, value)| (&**pointer, value.clone()))))
            }),
            Msg::Check(kind) => apart(|| self.edit(None, |form| form.set_check_kind(kind))),
            Msg::FromHere(from_here) => {
                self.from_here = from_here;
                self.probe = None;
                vec![]
            }
            Msg::Act(command) => vec![Effect::Act(command, false)],
            Msg::Acted(acted) => apart(|| self.acted(acted)),
            Msg::Idle => self.tell(Note::Idle),
            Msg::Unchanged(command) => self.tell(Note::Unchanged(command)),
            Msg::Unacted => match self.history.drop_last() {
                Some(change) => self.swap_form(change.form),
                None => vec![],
            },
            Msg::Remade(branch) => {
                self.history.remade(branch);
                vec![]
            }
            Msg::Branch(branch) => vec![Effect::Branch(branch)],
            Msg::Entered(acts) => {
                // A run without acts has no list of them.
                let none = acts.as_array().is_some_and(<[Value]>::is_empty);
                self.form.set("/acts", if none { Value::Null } else { acts });
                self.probe = None;
                vec![Effect::Look, Effect::Address(false)]
            }
            Msg::Undo => apart(|| self.undo()),
            Msg::Redo => apart(|| self.redo()),
            Msg::Open(opened, push) => self.open(*opened, push),
            Msg::Broken(broken) => {
                self.broken = Some(*broken);
                self.dialog = Dialog::None;
                self.leave_compared()
            }
            Msg::Compare(fragment) => vec![Effect::Compare(fragment)],
            Msg::Explore => {
                let fragment = self.form.accepted().map(|accepted| crate::link::explore(&accepted.document));
                fragment.map(|fragment| Effect::Compare(Some(fragment))).into_iter().collect()
            }
            // A player shows one scenario.
            Msg::Comparing(fragment) if self.embed.is_some() => {
                self.comparing = Some(fragment);
                vec![]
            }
            Msg::Comparing(fragment) => {
                self.dialog = Dialog::None;
                (self.comparing, self.not_compared) = (Some(fragment.clone()), None);
                vec![Effect::ShowCompared(fragment)]
            }
            Msg::NotCompared(why) => {
                self.not_compared = Some(why);
                vec![]
            }
            Msg::ToStudio => vec![Effect::ToStudio],
            Msg::Studio => {
                let mut effects = self.leave_compared();
                effects.push(Effect::Look);
                effects
            }
            Msg::OpenReadable => match self.broken.take().and_then(|broken| broken.readable) {
                Some(opened) => self.open(opened, true),
                None => vec![],
            },
            Msg::Dismiss => {
                self.broken = None;
                self.note = None;
                self.warnings.clear();
                vec![]
            }
            Msg::Rested => vec![Effect::LoadNow],
            other => self.look(other),
        }
    }

    /// Messages that change what is seen, not what is run.
    fn look(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Go(go) => {
                self.probe = None;
                return vec![Effect::Go(self.in_unit(go))];
            }
            Msg::Cite(cited) => {
                self.probe = None;
                (self.tab, self.sheet) = (Tab::Why, self.sheet.map(|_| Sheet::Details));
                let go = Effect::Go(Go::To(cited.at));
                self.cited = Some(*cited);
                return vec![go];
            }
            Msg::Chapter(on) => return vec![Effect::Chapter(on)],
            Msg::GoTyped(text) => return apart(|| self.go_typed(&text)),
            Msg::TypeTime(typing) => {
                self.typing_time = typing;
                return if typing { vec![Effect::Focus("go-to")] } else { vec![] };
            }
            Msg::Toggle => return vec![Effect::Toggle],
            Msg::Unit(unit) => self.unit = unit,
            Msg::Speed(speed) => return self.speed(speed),
            Msg::Faster(faster) => return self.speed(next_speed(self.speed, faster)),
            Msg::Slot(Some(slot)) => return vec![Effect::Pick(slot)],
            Msg::Slot(None) => return self.select(None),
            Msg::Select(task) => return self.select(task),
            Msg::Host(host) => {
                self.host = host.filter(|_| host != self.host);
                let mut effects = if self.host.is_some() { self.select(None) } else { Vec::new() };
                effects.push(Effect::Look);
                return effects;
            }
            Msg::Walk(way) => return vec![Effect::Walk(way)],
            Msg::Hover(hover) if hover != self.hover => {
                self.hover = hover;
                return vec![Effect::Look];
            }
            Msg::Read(on) => return vec![Effect::Read(on)],
            Msg::GoRead => {
                if let Hover::Moment(at) = self.hover {
                    return vec![Effect::Go(Go::To(at))];
                }
            }
            Msg::BranchHere => {
                self.tab = Tab::Why;
                self.sheet = self.sheet.map(|_| Sheet::Details);
                return vec![Effect::Focus("act-desired")];
            }
            Msg::Single(msg) => return if self.single_keys { self.update(*msg) } else { vec![] },
            Msg::Group(group) => {
                self.group = Some(group);
                return vec![Effect::Look, Effect::Address(false)];
            }
            Msg::Chart(chart) => {
                self.chart = chart;
                return vec![Effect::Look, Effect::Address(false)];
            }
            Msg::Tab(tab) => {
                self.tab = tab;
                self.sheet = self.sheet.map(|_| Sheet::Details);
            }
            Msg::Sheet(sheet) => {
                self.sheet = sheet;
                return sheet.map(|sheet| Effect::Focus(sheet.id())).into_iter().collect();
            }
            Msg::Filter(filter) => self.filter = filter,
            Msg::Search(query) => self.query = query,
            Msg::Find => {
                self.tab = Tab::Events;
                return vec![Effect::Focus("find")];
            }
            other => return self.dialogs(other),
        }
        vec![]
    }

    /// Dialogs, what is copied and saved, and how the page looks.
    fn dialogs(&mut self, msg: Msg) -> Vec<Effect> {
        match msg {
            Msg::Show(dialog) => {
                let shares = dialog == Dialog::Share;
                self.dialog = dialog;
                // What is shared is a moment.
                return if shares { vec![Effect::Pause] } else { vec![] };
            }
            Msg::Dragged(over) => self.dragged = over,
            Msg::Given(text) => {
                let mut paste = crate::paste::Paste::default();
                paste.type_text(text);
                self.dialog = Dialog::Paste(Box::new(paste));
                return self.read_paste(None);
            }
            Msg::NotGiven(why) => return self.tell(Note::Unread(why)),
            Msg::PasteText(text) => {
                if let Dialog::Paste(paste) = &mut self.dialog {
                    paste.type_text(text);
                }
            }
            Msg::PasteAs(format) => {
                if let Dialog::Paste(paste) = &mut self.dialog {
                    paste.read_as(format);
                }
                return apart(|| self.read_paste(None));
            }
            Msg::PasteRead(service) => return apart(|| self.read_paste(service)),
            Msg::PasteAnswered(question, answer) => {
                if let Dialog::Paste(paste) = &mut self.dialog {
                    paste.answered(&question, answer);
                }
            }
            Msg::PasteOpen => {
                if let Dialog::Paste(paste) = &self.dialog
                    && let Some(opened) = paste.opened()
                {
                    return self.open(opened, true);
                }
            }
            Msg::Close => self.dialog = Dialog::None,
            Msg::Escape => return apart(|| self.escape()),
            Msg::CopyLink => return vec![Effect::Copy],
            Msg::CopyReport => return vec![Effect::Report],
            Msg::Copied(true) => return self.tell(Note::Copied),
            Msg::CopyText(text, said) => return vec![Effect::CopyText(text, said)],
            Msg::CopiedText(said) => return self.tell(Note::CopiedText(said)),
            Msg::Saved(false) => return self.tell(Note::NotSaved),
            Msg::SavePicture => return vec![Effect::Save],
            Msg::Theme => {
                self.theme = match self.theme {
                    Theme::System => Theme::Dark,
                    Theme::Dark => Theme::Light,
                    Theme::Light => Theme::System,
                };
                return vec![Effect::Theme, Effect::Remember];
            }
            Msg::Rest(missing) if missing.is_empty() => self.rest = Rest::Here,
            Msg::Rest(missing) => self.rest = Rest::Missing(missing),
            Msg::AskRest => {
                self.rest = Rest::Awaited;
                return vec![Effect::AskRest];
            }
            Msg::Legend => self.legend = !self.legend,
            Msg::Present => {
                self.presenter = if self.presenter.is_none() { Some(Presenter::default()) } else { None };
                return vec![Effect::Present];
            }
            Msg::Full(full) if !full && self.presenter.is_some() => return self.update(Msg::Present),
            Msg::Full(_) => return vec![Effect::Measure],
            Msg::Blank => self.presenter.iter_mut().for_each(|presenter| presenter.blank = !presenter.blank),
            Msg::Pointer(moved) => self.presenter.iter_mut().for_each(|presenter| presenter.at_rest = !moved),
            Msg::Story(on) => return vec![Effect::Story(on)],
            Msg::StageOnly => self.stage_only = !self.stage_only,
            Msg::SingleKeys(act) => {
                self.single_keys = act;
                return vec![Effect::Remember];
            }
            _ => {}
        }
        vec![]
    }

    fn escape(&mut self) -> Vec<Effect> {
        if self.typing_time {
            self.typing_time = false;
        } else if self.sheet.is_some() {
            self.sheet = None;
        } else if self.presenter.is_some() {
            return self.update(Msg::Present);
        } else if self.hover != Hover::None {
            self.hover = Hover::None;
            return vec![Effect::Look];
        } else if self.selected.is_some() {
            return self.select(None);
        } else if self.host.is_some() {
            return self.look(Msg::Host(None));
        } else {
            self.stage_only = false;
        }
        vec![]
    }

    fn speed(&mut self, speed: Speed) -> Vec<Effect> {
        self.speed = speed;
        vec![Effect::Speed(speed)]
    }

    fn in_unit(&self, go: Go) -> Go {
        match go {
            Go::Next => Go::Unit(self.unit, true),
            Go::Previous => Go::Unit(self.unit, false),
            other => other,
        }
    }

    fn go_typed(&mut self, text: &str) -> Vec<Effect> {
        self.typing_time = false;
        match crate::text::read_clock(text) {
            Some(at) => {
                self.note = None;
                vec![Effect::Go(Go::To(at))]
            }
            None => self.tell(Note::NotATime(text.to_owned())),
        }
    }

    /// Reads the pasted text; a whole scenario link opens at once, the second program reads the rest.
    fn read_paste(&mut self, service: Option<String>) -> Vec<Effect> {
        let Dialog::Paste(paste) = &mut self.dialog else { return vec![] };
        if crate::link::is_compared(paste.text()) {
            return vec![Effect::Compare(Some(paste.text().to_owned()))];
        }
        let question = paste.read(service.as_deref());
        match paste.link() {
            Some(opened) => self.open(opened, true),
            None => question.map(Effect::Import).into_iter().collect(),
        }
    }

    /// The Studio takes the place of a comparison, if there is one.
    fn leave_compared(&mut self) -> Vec<Effect> {
        self.not_compared = None;
        let left = self.comparing.take().filter(|_| self.embed.is_none());
        left.map(|_| Effect::LeaveCompared).into_iter().collect()
    }

    fn tell(&mut self, note: Note) -> Vec<Effect> {
        self.note = Some(note);
        vec![]
    }

    fn select(&mut self, task: Option<TaskName>) -> Vec<Effect> {
        self.selected = task;
        self.host = self.host.filter(|_| task.is_none());
        if task.is_none() && self.filter == Filter::Selected {
            self.filter = Filter::All;
        }
        vec![Effect::Look]
    }

    /// A text was typed. A dial in the middle of a run is an act at the cursor.
    fn typed(&mut self, pointer: &str, kind: FieldKind, text: &str) -> Vec<Effect> {
        if Dial::at(pointer).is_some() && self.acts_at().is_some() {
            return self.turn(true, |form| form.type_into(pointer, kind, text));
        }
        let field = Some(pointer.to_owned());
        self.edit(field, |form| form.type_into(pointer, kind, text))
    }

    fn set(&mut self, fields: &[(String, Value)]) -> Vec<Effect> {
        let all_dials = fields.iter().all(|(pointer, _)| Dial::at(pointer).is_some());
        let values = || fields.iter().map(|(pointer, value)| (&**pointer, value.clone()));
        if all_dials && self.acts_at().is_some() {
            return self.turn(fields.len() == 1, |form| form.set_all(values()));
        }
        // Common settings are two dials at once: each choice is a change of its own.
        let pair = all_dials && fields.len() > 1;
        let field = fields.first().filter(|_| !pair).map(|(pointer, _)| pointer.clone());
        self.edit(field, |form| form.set_all(values()))
    }

    /// Dials are turned at the cursor: what is refused stays in its field, what is accepted is an act.
    /// `goes_on`: it may take the place of the act before, as when a dial is dragged.
    fn turn(&mut self, goes_on: bool, change: impl FnOnce(&mut Form) -> bool) -> Vec<Effect> {
        let Some(here) = self.acts_at() else { return vec![] };
        let mut form = self.shown();
        change(&mut form);
        self.note = None;
        // Any error: what a dial breaks may stand at another field.
        if form.problem("").is_some() {
            self.probe = Some(form);
            return vec![];
        }
        self.probe = None;
        let value = |dial: Dial| form.number(dial.pointer()).and_then(|n| u32::try_from(n).ok());
        let (desired, minimum, maximum) = (value(Dial::Desired), value(Dial::Minimum), value(Dial::Maximum));
        if let Some(count) = desired.filter(|count| *count != here.desired) {
            return vec![Effect::Act(Command::SetDesired(count), goes_on)];
        }
        let minimum = minimum.filter(|minimum| *minimum != here.minimum);
        let maximum = maximum.filter(|maximum| *maximum != here.maximum);
        if minimum.is_some() || maximum.is_some() {
            return vec![Effect::Act(Command::SetPercentages { minimum, maximum }, goes_on)];
        }
        vec![]
    }

    /// Starts the run anew.
    fn load(&mut self, at: Option<SimTime>) -> Effect {
        self.runs += 1;
        self.run = self.runs;
        self.probe = None;
        self.cited = None;
        Effect::Load(at)
    }

    /// A change of the settings whose other side is `before`, in the run that is looked at now.
    fn changed(&self, before: Form, act: Option<ActChange>, field: Option<String>) -> Change {
        Change { form: before, moment: self.at, run: self.run, act, field }
    }

    fn edit(&mut self, field: Option<String>, change: impl FnOnce(&mut Form) -> bool) -> Vec<Effect> {
        let before = self.form.clone();
        let changed = change(&mut self.form);
        self.note = None;
        if before == self.form {
            return vec![];
        }
        // After an undo the next edit is a change of its own: what was taken back is gone.
        let same = !self.history.can_redo() && field.as_ref().is_some_and(|field| self.history.goes_on(field));
        if !same {
            self.history.push(self.changed(before, None, field));
        }
        if changed { vec![self.load(None), Effect::Address(false)] } else { vec![] }
    }

    fn acted(&mut self, acted: Acted) -> Vec<Effect> {
        let before = self.form.clone();
        self.form.set("/acts", acted.acts);
        self.note = None;
        let act = ActChange { branch: acted.branch, at: acted.at, command: acted.command };
        if acted.replaced {
            self.history.renew(act);
        } else {
            self.history.push(self.changed(before, Some(act), None));
        }
        vec![Effect::Address(false)]
    }

    fn undo(&mut self) -> Vec<Effect> {
        let Some(change) = self.history.undo(&self.form, self.at, self.run) else { return vec![] };
        let act = change.act.as_ref().map(|act| Effect::UndoAct(act.branch));
        self.swap(change, act)
    }

    fn redo(&mut self) -> Vec<Effect> {
        let Some(change) = self.history.redo(&self.form, self.at, self.run) else { return vec![] };
        let act = change.act.as_ref().map(|act| Effect::RedoAct(act.at, act.command.clone()));
        self.swap(change, act)
    }

    /// Settings that the player has already.
    fn swap_form(&mut self, form: Form) -> Vec<Effect> {
        self.form = form;
        self.probe = None;
        vec![Effect::Address(false)]
    }

    /// Other settings are in force: by an act in the player, or in another run.
    fn swap(&mut self, change: Change, act: Option<Effect>) -> Vec<Effect> {
        let in_force = self.form.accepted().cloned();
        let same_run = std::mem::replace(&mut self.run, change.run) == change.run;
        self.form = change.form;
        self.note = None;
        self.probe = None;
        match act {
            Some(act) => vec![act, Effect::Address(false)],
            None if same_run && self.form.accepted() == in_force.as_ref() => vec![],
            None => vec![Effect::Return(change.run, change.moment), Effect::Address(false)],
        }
    }

    fn open(&mut self, opened: Opened, push: bool) -> Vec<Effect> {
        let form = Form::with_refused(&opened.document, &opened.warnings);
        // What is wrong with a field stands beside it; the rest is listed.
        self.warnings = opened.warnings.into_iter().filter(|w| !w.is_error() || !form.is_given(&w.field)).collect();
        let before = std::mem::replace(&mut self.form, form);
        (self.selected, self.host) = (opened.selected, opened.host);
        self.group = opened.group.or(self.group);
        self.chart = opened.chart.unwrap_or_default();
        self.filter = Filter::All;
        self.query.clear();
        self.hover = Hover::None;
        self.dialog = Dialog::None;
        self.sheet = None;
        self.broken = None;
        self.note = None;
        if let Some(tab) = opened.tab {
            self.tab = tab;
        }
        let change = self.changed(before, None, None);
        let mut effects = self.leave_compared();
        effects.push(self.load(Some(opened.at.unwrap_or(SimTime::ZERO))));
        if push {
            self.history.push(change);
            effects.push(Effect::Address(true));
        } else {
            // Another entry of the browser's history is another page as far as undo goes.
            self.history.clear();
        }
        effects
    }
}

/// Speeds of the keys: 1, 2, 5, 10, 20, 50 ... 10,000 times real time.
fn next_speed(speed: Speed, faster: bool) -> Speed {
    let now = match speed {
        Speed::Milli(milli) => milli,
        Speed::Fit | Speed::Decisions => 20_000,
    };
    let mut steps = (3..=7).flat_map(|power| [1, 2, 5].map(|times| times * 10u64.pow(power)));
    let next = if faster { steps.find(|step| *step > now) } else { steps.take_while(|step| *step < now).last() };
    Speed::Milli(next.unwrap_or(now).clamp(SPEED_MIN, SPEED_MAX))
}
