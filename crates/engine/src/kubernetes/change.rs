//! What happens to a Kubernetes workload, as data; the Pods' common life is told as on every platform.

use super::controller::Wait;
use crate::platform::kubernetes::rules_history::NoUndo;
use crate::platform::kubernetes::{Because, ConditionKind, Hold, SetId, SizeReason, Truth};
use crate::platform::{daemonset, statefulset};
use crate::time::SimTime;
use crate::trace::TaskRef;

/// A ReplicaSet in a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SetRef {
    /// Identity.
    pub id: SetId,
    /// Its Pod template, by the number people give it.
    pub template: u32,
    /// Its revision at this moment.
    pub revision: u32,
}

/// Why a Pod is created at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlaceReason {
    /// An ordinal.
    Ordinal(statefulset::CreateReason),
    /// A node.
    Node(daemonset::CreateReason),
}

/// Why the Pod of a place is deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RemoveReason {
    /// An ordinal.
    Ordinal(statefulset::DeleteReason),
    /// A node.
    Node(daemonset::DeleteReason),
}

/// Something that happened to a Kubernetes workload, its ReplicaSets or its Pods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Change {
    /// The Deployment has another Pod template.
    Template {
        /// Before.
        from: u32,
        /// From here on.
        to: u32,
    },
    /// A ReplicaSet was created.
    SetCreated {
        /// Which.
        set: SetRef,
        /// Pods asked for.
        size: u32,
        /// Why.
        reason: SizeReason,
    },
    /// A ReplicaSet has another size (`ScalingReplicaSet`).
    SetScaled {
        /// Which.
        set: SetRef,
        /// Pods asked for before.
        from: u32,
        /// From here on.
        to: u32,
        /// Why.
        reason: SizeReason,
    },
    /// An existing ReplicaSet is the new one, under a new revision.
    SetRevised {
        /// Which, with the revision it has now.
        set: SetRef,
        /// The revision it had.
        from: u32,
    },
    /// A ReplicaSet was deleted: the history is full.
    SetForgotten {
        /// Which.
        set: SetRef,
    },
    /// A StatefulSet or a DaemonSet wrote a revision down (`ControllerRevision`).
    RevisionWritten {
        /// Which.
        set: SetRef,
    },
    /// The Pod of an ordinal or a node was created (`SuccessfulCreate`).
    Placed {
        /// Which Pod.
        pod: TaskRef,
        /// Ordinal or node.
        place: u32,
        /// Why.
        reason: PlaceReason,
    },
    /// The Pod of an ordinal or a node is deleted (`SuccessfulDelete`).
    Removed {
        /// Which Pod.
        pod: TaskRef,
        /// Ordinal or node.
        place: u32,
        /// Why.
        reason: RemoveReason,
    },
    /// Why a StatefulSet or a DaemonSet does nothing, when that changes.
    Waits(Wait),
    /// A condition changed.
    Condition {
        /// Which.
        kind: ConditionKind,
        /// Its status and reason; absent: it is gone.
        now: Option<(Truth, Because)>,
    },
    /// The API server refused to create Pods (`FailedCreate`, "exceeded quota").
    Refused {
        /// For this ReplicaSet.
        set: SetRef,
        /// So many.
        missing: u32,
        /// Pods that count for the quota.
        used: u32,
        /// The quota.
        quota: u32,
    },
    /// Why nothing is done, when that changes.
    Hold(Hold),
    /// An undo did nothing.
    NoUndo(NoUndo),
    /// The quota is another one.
    Quota {
        /// Pods from here on.
        pods: u32,
    },
    /// Something happened to a Pod that only Kubernetes knows.
    Pod {
        /// Which.
        pod: TaskRef,
        /// What.
        change: PodChange,
    },
}

/// Changes of a Pod that only Kubernetes knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PodChange {
    /// No node has room for it (`FailedScheduling`).
    Unschedulable,
    /// It has a node (`Scheduled`).
    Scheduled,
    /// Its image could not be pulled (`ErrImagePull`, then `ImagePullBackOff`).
    PullFailed,
    /// Its container started again.
    Restarted {
        /// `restartCount`
        count: u32,
    },
    /// Its container exited.
    Exited {
        /// How long it ran, in milliseconds.
        ran_ms: u64,
        /// The next start comes then; now for at once.
        next: SimTime,
    },
    /// A probe gave up: the container is killed.
    Killing {
        /// The startup probe; else the liveness probe.
        startup: bool,
    },
    /// The startup probe passed.
    StartedUp,
    /// Ready.
    Ready,
    /// Not ready any more.
    NotReady,
    /// On its way out requests still came: the race between the endpoints and the stop.
    Race {
        /// Milliseconds in which requests were refused.
        refused_ms: u64,
        /// Milliseconds that the longest request lacked.
        cut_ms: u64,
    },
}

impl Change {
    /// The controller decided something, also to do nothing.
    pub const fn is_decision(&self) -> bool {
        matches!(
            self,
            Change::SetCreated { .. }
                | Change::SetScaled { .. }
                | Change::SetRevised { .. }
                | Change::SetForgotten { .. }
                | Change::Placed { .. }
                | Change::Removed { .. }
                | Change::Waits(_)
                | Change::Hold(_)
        )
    }

    /// It tells of a failure.
    pub const fn is_failure(&self) -> bool {
        matches!(
            self,
            Change::Refused { .. }
                | Change::Condition { now: Some((Truth::False, Because::ProgressDeadlineExceeded)), .. }
                | Change::Pod {
                    change: PodChange::PullFailed | PodChange::Killing { .. } | PodChange::Exited { .. },
                    ..
                }
        )
    }
}
