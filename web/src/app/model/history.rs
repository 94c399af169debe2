//! Changes that can be taken back and made again.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Command;
use rollscope_player::BranchId;

use crate::form::Form;

/// Most steps that can be undone.
const UNDO_MAX: usize = 100;

/// An act of a person as a change.
#[derive(Clone, Debug, PartialEq)]
pub struct ActChange {
    /// The branch it made, while the player that has it lives.
    pub branch: BranchId,
    /// When.
    pub at: SimTime,
    /// What.
    pub command: Command,
}

/// A change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The settings on its other side: before it while it is made, after it while it is taken back.
    pub form: Form,
    /// The moment that was looked at there.
    pub moment: SimTime,
    /// The run that was looked at there, by its number: its branches are part of what comes back.
    pub run: u32,
    /// The act, if it was one.
    pub act: Option<ActChange>,
    /// The field that was edited: further edits of it are the same change.
    pub field: Option<String>,
}

/// The changes made and those taken back.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct History {
    made: Vec<Change>,
    back: Vec<Change>,
}

impl History {
    /// Something can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.made.is_empty()
    }

    /// Something can be made again.
    pub fn can_redo(&self) -> bool {
        !self.back.is_empty()
    }

    /// True when the last change was of this field.
    pub fn goes_on(&self, field: &str) -> bool {
        self.made.last().is_some_and(|last| last.field.as_deref() == Some(field))
    }

    /// A change was made; what was taken back is gone.
    pub fn push(&mut self, change: Change) {
        self.back.clear();
        self.made.push(change);
        if self.made.len() > UNDO_MAX {
            self.made.remove(0);
        }
    }

    /// The last change was made anew in another way.
    pub fn renew(&mut self, act: ActChange) {
        self.back.clear();
        if let Some(last) = self.made.last_mut() {
            last.act = Some(act);
        }
    }

    /// The last change came to nothing.
    pub fn drop_last(&mut self) -> Option<Change> {
        self.made.pop()
    }

    /// Takes the last change back: the settings before it, for `now`, those after it, with their
    /// moment and run.
    pub fn undo(&mut self, now: &Form, moment: SimTime, run: u32) -> Option<Change> {
        let change = self.made.pop()?;
        self.back.push(Change { form: now.clone(), moment, run, ..change.clone() });
        Some(change)
    }

    /// Makes the last change that was taken back again.
    pub fn redo(&mut self, now: &Form, moment: SimTime, run: u32) -> Option<Change> {
        let change = self.back.pop()?;
        self.made.push(Change { form: now.clone(), moment, run, ..change.clone() });
        Some(change)
    }

    /// An act that was made again has another branch now.
    pub fn remade(&mut self, branch: BranchId) {
        if let Some(act) = self.made.last_mut().and_then(|last| last.act.as_mut()) {
            act.branch = branch;
        }
    }

    /// Another entry of the browser's history is another page.
    pub fn clear(&mut self) {
        *self = History::default();
    }
}
