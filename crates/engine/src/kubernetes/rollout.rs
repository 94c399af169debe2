//! The rollouts of ReplicaSets in the words all platforms share: begun, complete, superseded, gone. Nothing
//! fails here: a Deployment has no such end.

use super::Run;
use crate::platform::kubernetes::{Because, SetId};
use crate::settings::RolloutState;
use crate::trace::{DeploymentChange, DeploymentId, Trace, What};

impl Run {
    fn tell_rollout(&mut self, id: SetId, change: DeploymentChange, trace: &mut Trace) {
        let Some(revision) = self.set_mut(id).map(|set| set.template) else { return };
        self.emit(trace, What::Deployment { id: DeploymentId(id.0), revision, change });
    }

    /// The ReplicaSet for the Deployment's template.
    fn new_set(&self) -> Option<SetId> {
        self.sets.iter().find(|set| set.template == self.template).map(|set| set.id)
    }

    /// The template has changed: the ReplicaSet that was the new one is an old one from here on, and one
    /// that exists for the template is rolled out again.
    pub(super) fn rollout_changes(&mut self, before: u32, trace: &mut Trace) {
        if let Some(id) = self.sets.iter().find(|set| set.template == before).map(|set| set.id) {
            self.tell_rollout(id, DeploymentChange::Superseded, trace);
        }
        let Some(id) = self.new_set() else { return };
        let Some(set) = self.set_mut(id) else { return };
        if set.rollout == Some(RolloutState::Completed) {
            set.rollout = Some(RolloutState::InProgress);
            self.tell_rollout(id, DeploymentChange::RollingBack, trace);
        }
    }

    /// A ReplicaSet has been created for the template.
    pub(super) fn rollout_begins(&mut self, id: SetId, trace: &mut Trace) {
        if let Some(set) = self.set_mut(id) {
            set.rollout = Some(RolloutState::InProgress);
            self.tell_rollout(id, DeploymentChange::Started, trace);
        }
    }

    /// The conditions were written: a rollout may be complete.
    pub(super) fn rollout_completes(&mut self, trace: &mut Trace) {
        if self.conditions.progress() != Some(Because::NewReplicaSetAvailable) {
            return;
        }
        let Some(id) = self.new_set() else { return };
        let Some(set) = self.set_mut(id) else { return };
        let whole = set.pods.healthy == set.spec;
        if whole && set.rollout == Some(RolloutState::InProgress) {
            set.rollout = Some(RolloutState::Completed);
            self.tell_rollout(id, DeploymentChange::State(RolloutState::Completed), trace);
        }
    }
}
