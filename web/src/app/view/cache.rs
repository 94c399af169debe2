//! What is worked out once a run and once a setting.

use std::cell::RefCell;
use std::rc::Rc;

use rollscope_insight::{Check, Outcome, RunView, check, outcome};
use rollscope_player::Player;

use crate::form::Accepted;

/// What is worked out once a run and once a setting.
#[derive(Default)]
pub struct Cache {
    check: RefCell<Option<(Rc<Accepted>, Check)>>,
    outcome: RefCell<Option<((u32, usize, bool), Outcome)>>,
}

impl Cache {
    /// The evaluation at time 0.
    pub fn check(&self, accepted: &Rc<Accepted>) -> Check {
        let mut kept = self.check.borrow_mut();
        match &*kept {
            Some((of, found)) if Rc::ptr_eq(of, accepted) => found.clone(),
            _ => {
                let found = check(&accepted.resolved);
                *kept = Some((Rc::clone(accepted), found.clone()));
                found
            }
        }
    }

    /// The outcome of a computed run.
    pub fn outcome(&self, player: &Player) -> Option<Outcome> {
        if !player.complete() {
            return None;
        }
        let key = (player.active().0, player.timeline().records().len(), player.complete());
        let mut kept = self.outcome.borrow_mut();
        match &*kept {
            Some((of, found)) if *of == key => Some(found.clone()),
            _ => {
                let found = outcome(RunView::of_player(player));
                *kept = Some((key, found.clone()));
                Some(found)
            }
        }
    }

    /// Another run: the same numbers may mean something else.
    pub fn forget(&self) {
        self.outcome.replace(None);
    }
}
