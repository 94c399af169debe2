//! What the tasks of a run are called: `8·3`, and where the platform gives names of its own by those.

use std::rc::Rc;

use rollscope_engine::settings::TaskName;
use rollscope_insight::placed::PodNames;
use rollscope_player::Player;

/// What kubectl calls the workload.
pub const WORKLOAD: &str = "web";

/// The names of a run; without a run those of every other platform.
#[derive(Clone, Debug, Default)]
pub struct Names(Option<Rc<PodNames>>);

/// Names are taken in once and shared.
impl PartialEq for Names {
    fn eq(&self, other: &Names) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(one), Some(other)) => Rc::ptr_eq(one, other) || one == other,
            _ => false,
        }
    }
}

impl Names {
    /// Of what is computed of a run.
    pub fn of(player: &Player) -> Names {
        let mut names = Names::default();
        names.follow(player);
        names
    }

    /// Takes in what was computed since the last time. Another run starts with new names.
    pub fn follow(&mut self, player: &Player) {
        let Some(run) = player.head().placed() else {
            self.0 = None;
            return;
        };
        let records = player.timeline().records();
        let read = self.0.as_ref().map_or(usize::MAX, |names| names.len_read());
        if read == records.len() {
            return;
        }
        if read > records.len() {
            self.0 = Some(Rc::new(PodNames::new(run, WORKLOAD)));
        }
        if let Some(names) = &mut self.0 {
            Rc::make_mut(names).read(records);
        }
    }

    /// The same where there is little room: `web-3`, `node 3`. The colour tells the revision.
    pub fn short(&self, name: TaskName) -> String {
        let own = self.0.as_ref().and_then(|names| names.short(name));
        own.unwrap_or_else(|| rollscope_wording::time::task(name))
    }

    /// The same where no colour tells the revision: `web-3 v2`.
    pub fn with_version(&self, name: TaskName) -> String {
        match self.0.as_ref().and_then(|names| names.short(name)) {
            Some(own) => format!("{own} {}", rollscope_wording::kubernetes::version(name.revision)),
            None => rollscope_wording::time::task(name),
        }
    }

    /// `8·3`; a Pod of a StatefulSet is `web-3`, one of a DaemonSet is called by its node.
    pub fn task(&self, name: TaskName) -> String {
        let own = self.0.as_ref().and_then(|names| names.name(name));
        own.unwrap_or_else(|| rollscope_wording::time::task(name))
    }

    /// The same as a function for sentences.
    pub fn say(&self) -> impl Fn(TaskName) -> String {
        |name| self.task(name)
    }
}
