//! What kubectl prints, in its own words.

use rollscope_engine::kubernetes::KubernetesView;
use rollscope_engine::platform::kubernetes::reconcile::find_new;
use rollscope_engine::platform::kubernetes::{Because, SetView};

/// What `kubectl rollout status` says at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolloutStatus {
    /// The deadline has passed: it exits with an error.
    DeadlineExceeded,
    /// New Pods are missing.
    Updating {
        /// New ones.
        updated: u32,
        /// `replicas`
        replicas: u32,
    },
    /// Old Pods are still counted.
    OldPending {
        /// So many.
        old: u32,
    },
    /// New Pods are not available.
    Waiting {
        /// Available ones of all.
        available: u32,
        /// New ones.
        updated: u32,
    },
    /// It exits with 0.
    Done,
}

/// In the order in which kubectl asks.
///
/// Source: staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, `DeploymentStatusViewer`.
///
/// Example: 4 wanted, 2 updated: "2 out of 4 new replicas have been updated".
pub fn rollout_status(view: &KubernetesView, replicas: u32) -> RolloutStatus {
    let status = view.status;
    if view.conditions.progress() == Some(Because::ProgressDeadlineExceeded) {
        RolloutStatus::DeadlineExceeded
    } else if status.updated < replicas {
        RolloutStatus::Updating { updated: status.updated, replicas }
    } else if status.replicas > status.updated {
        RolloutStatus::OldPending { old: status.replicas - status.updated }
    } else if status.available < status.updated {
        RolloutStatus::Waiting { available: status.available, updated: status.updated }
    } else {
        RolloutStatus::Done
    }
}

impl RolloutStatus {
    /// Its words.
    pub fn text(self, name: &str) -> String {
        let waits = |what: String| format!("Waiting for deployment \"{name}\" rollout to finish: {what}...");
        match self {
            RolloutStatus::DeadlineExceeded => format!("error: deployment \"{name}\" exceeded its progress deadline"),
            RolloutStatus::Updating { updated, replicas } => {
                waits(format!("{updated} out of {replicas} new replicas have been updated"))
            }
            RolloutStatus::OldPending { old } => waits(format!("{old} old replicas are pending termination")),
            RolloutStatus::Waiting { available, updated } => {
                waits(format!("{available} of {updated} updated replicas are available"))
            }
            RolloutStatus::Done => format!("deployment \"{name}\" successfully rolled out"),
        }
    }

    /// Its exit code; absent while it waits.
    pub const fn exit(self) -> Option<u8> {
        match self {
            RolloutStatus::DeadlineExceeded => Some(1),
            RolloutStatus::Done => Some(0),
            _ => None,
        }
    }
}

/// The name of a ReplicaSet. Where Kubernetes puts a hash of the template, its number stands here.
pub fn set_name(name: &str, template: u32) -> String {
    format!("{name}-v{template}")
}

/// `kubectl get rs`, newest revision first: NAME, DESIRED, CURRENT, READY, AVAILABLE, REVISION.
pub fn get_rs(view: &KubernetesView, name: &str) -> Vec<[String; 6]> {
    let mut sets: Vec<&SetView> = view.sets.iter().collect();
    rollscope_engine::order::by_key(&mut sets, |set| std::cmp::Reverse(set.revision));
    let row = |set: &SetView| {
        [
            set_name(name, set.template),
            set.spec.to_string(),
            set.pods.to_string(),
            set.ready.to_string(),
            set.available.to_string(),
            set.revision.to_string(),
        ]
    };
    sets.into_iter().map(row).collect()
}

/// The head of [`get_rs`].
pub const GET_RS: [&str; 6] = ["NAME", "DESIRED", "CURRENT", "READY", "AVAILABLE", "REVISION"];

/// The new ReplicaSet, if there is one.
pub fn new_set(view: &KubernetesView) -> Option<&SetView> {
    find_new(&view.sets, view.template).map(|index| &view.sets[index])
}
