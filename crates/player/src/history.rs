//! Acts make branches; undo and redo take them back and bring them again.

use rollscope_engine::SimTime;
use rollscope_engine::settings::Command;

use crate::branch::{Branch, BranchId};
use crate::player::Player;

/// Most branches that are kept for redo; the oldest go first.
pub const UNDONE_MAX: usize = 8;

/// A branch that was taken back.
#[derive(Clone, Debug)]
pub(crate) struct Undone {
    pub branch: Branch,
    /// Branches that had left it.
    children: Vec<BranchId>,
}

impl Player {
    /// A person's act at the cursor: a new branch begins here and becomes the active one. Acts
    /// planned later stay planned in it; acts made by hand later belong to the old branch only.
    /// Absent, and nothing changes, when the act has no object at this moment.
    pub fn act(&mut self, command: Command) -> Option<BranchId> {
        self.act_at(self.now(), command)
    }

    /// The same at another moment than the cursor's, computed so far or not: the cursor goes there
    /// only when a branch begins. Beyond the end of the run it is an act at the end.
    pub fn act_at(&mut self, t: SimTime, command: Command) -> Option<BranchId> {
        let (id, share) = self.place();
        let branch = self.branch().fork(id, t, command, share)?;
        self.undone.clear();
        self.branches.push(branch);
        self.active = self.branches.len() - 1;
        self.share();
        self.enter(self.branch().from);
        Some(id)
    }

    /// An act at the cursor that goes on changing what the last one changed, as a dial does that is
    /// dragged: when the active branch was made at this moment by an act of the same kind, and no
    /// other branch has left it, a new branch takes its place. Percentages that the new act leaves
    /// out stay as the old one set them. Else it is [`Player::act`]. Undo goes back to before both.
    pub fn replace_act(&mut self, command: Command) -> Option<BranchId> {
        let active = self.branch();
        let here = active.from == self.now() && self.branches.iter().all(|other| other.parent != Some(active.id));
        let merged = active.command.as_ref().filter(|_| here).and_then(|old| merged(old, &command));
        let Some(command) = merged else { return self.act(command) };
        let (id, share) = self.place();
        let branch = self.branch().instead(id, command, share)?;
        self.undone.clear();
        self.branches.remove(self.active);
        self.branches.push(branch);
        self.active = self.branches.len() - 1;
        self.share();
        self.enter(self.branch().from);
        Some(id)
    }

    /// When and by which act a branch was made; absent for the first one and for an unknown one.
    pub fn branch_label(&self, id: BranchId) -> Option<(SimTime, &Command)> {
        let branch = self.branches.iter().find(|branch| branch.id == id)?;
        Some((branch.from, branch.command.as_ref()?))
    }

    /// Drops a branch for good; its children hang on its parent. The cursor goes to the parent when
    /// it was in it. False for the first branch, which stays, and for an unknown one.
    pub fn drop_branch(&mut self, id: BranchId) -> bool {
        self.take(id).is_some()
    }

    /// Takes back the act that made the active branch; false in the first one.
    pub fn undo(&mut self) -> bool {
        let Some(undone) = self.take(self.active()) else { return false };
        self.undone.push(undone);
        if self.undone.len() > UNDONE_MAX {
            self.undone.remove(0);
        }
        self.share();
        true
    }

    /// Brings the branch back that was taken back last, with everything that was computed of it;
    /// the cursor goes to where its act was made. False when there is none: a new act ends it.
    pub fn redo(&mut self) -> bool {
        let Some(undone) = self.undone.pop() else { return false };
        let id = undone.branch.id;
        let kept = self.undone.iter_mut().map(|undone| &mut undone.branch);
        for child in self.branches.iter_mut().chain(kept).filter(|child| undone.children.contains(&child.id)) {
            child.parent = Some(id);
        }
        let index = self.branches.partition_point(|branch| branch.id < id);
        self.branches.insert(index, undone.branch);
        self.active = index;
        self.share();
        self.enter(self.branch().from);
        true
    }

    /// True when [`Player::redo`] has something to bring back.
    pub fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Another bound for the memory of the keyframes of all branches together, in bytes.
    pub fn set_memory(&mut self, bytes: usize) {
        self.bound = bytes;
        self.share();
    }

    fn take(&mut self, id: BranchId) -> Option<Undone> {
        let index = self.branches.iter().position(|branch| branch.id == id)?;
        let parent = self.branches[index].parent?;
        let was_active = self.active() == id;
        let active = if was_active { parent } else { self.active() };
        let branch = self.branches.remove(index);
        let mut children = Vec::new();
        for child in self.branches.iter_mut().filter(|child| child.parent == Some(id)) {
            child.parent = Some(parent);
            children.push(child.id);
        }
        // What was taken back before hangs on the parent as well, should it come again.
        for undone in self.undone.iter_mut().filter(|undone| undone.branch.parent == Some(id)) {
            undone.branch.parent = Some(parent);
            children.push(undone.branch.id);
        }
        self.active = self.branches.iter().position(|branch| branch.id == active).unwrap_or(0);
        self.share();
        if was_active {
            self.enter(branch.from);
        }
        Some(Undone { branch, children })
    }
}

/// The act that stands for both when they are of one kind: the new one, with what it leaves out.
fn merged(old: &Command, new: &Command) -> Option<Command> {
    Some(match (old, new) {
        (Command::SetDesired(_), Command::SetDesired(_)) => new.clone(),
        (
            Command::SetPercentages { minimum: old_minimum, maximum: old_maximum },
            Command::SetPercentages { minimum, maximum },
        ) => Command::SetPercentages { minimum: minimum.or(*old_minimum), maximum: maximum.or(*old_maximum) },
        (Command::SetFate { revision: old, .. }, Command::SetFate { revision, .. }) if old == revision => new.clone(),
        (Command::Deploy { revision: old, behaviour: before }, Command::Deploy { revision, behaviour })
            if old == revision =>
        {
            Command::Deploy { revision: *revision, behaviour: behaviour.clone().or_else(|| before.clone()) }
        }
        _ => return None,
    })
}
