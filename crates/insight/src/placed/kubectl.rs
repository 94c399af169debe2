//! What kubectl prints, in its own words.

use rollscope_engine::kubernetes::{Controller, Pod, Run, Stage};

use super::pod_name;

/// What `kubectl rollout status` says at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RolloutStatus {
    /// It exits with an error: only RollingUpdate has a rollout.
    NotRolling,
    /// StatefulSet: Pods are not ready.
    NotReady {
        /// So many.
        pods: u32,
    },
    /// StatefulSet with a partition: Pods from it on are missing.
    Partitioned {
        /// Updated ones.
        updated: u32,
        /// Pods from the partition on.
        wanted: u32,
    },
    /// StatefulSet: everything from the partition on is updated (also for partition 0).
    PartitionedDone {
        /// Updated ones.
        updated: u32,
    },
    /// DaemonSet: nodes without a new Pod.
    Updating {
        /// Nodes with one.
        updated: u32,
        /// Nodes.
        nodes: u32,
    },
    /// DaemonSet: new Pods are not available.
    Waiting {
        /// Available ones.
        available: u32,
        /// Nodes.
        nodes: u32,
    },
    /// DaemonSet: it exits with 0.
    Done,
}

/// In the order in which kubectl asks.
///
/// Source: staging/src/k8s.io/kubectl/pkg/polymorphichelpers/rollout_status.go, `StatefulSetStatusViewer` and
/// `DaemonSetStatusViewer`.
///
/// Example: 4 wanted with partition 2, one updated: "1 out of 2 new pods have been updated".
pub fn rollout_status(run: &Run) -> RolloutStatus {
    let wanted = run.params().replicas;
    let Some(seen) = run.workload() else { return RolloutStatus::Done };
    match run.controller() {
        Controller::StatefulSet(state) => {
            let open = wanted.saturating_sub(state.own.partition);
            let status = seen.status;
            match () {
                () if state.own.on_delete => RolloutStatus::NotRolling,
                () if status.ready < wanted => RolloutStatus::NotReady { pods: wanted - status.ready },
                () if status.updated < open => RolloutStatus::Partitioned { updated: status.updated, wanted: open },
                () => RolloutStatus::PartitionedDone { updated: status.updated },
            }
        }
        Controller::DaemonSet(state) if state.own.on_delete => RolloutStatus::NotRolling,
        _ => match seen.nodes {
            Some((updated, _)) if updated < wanted => RolloutStatus::Updating { updated, nodes: wanted },
            Some((_, available)) if available < wanted => RolloutStatus::Waiting { available, nodes: wanted },
            _ => RolloutStatus::Done,
        },
    }
}

impl RolloutStatus {
    /// Its words.
    pub fn text(self, name: &str) -> String {
        let waits = |what: String| format!("Waiting for daemon set \"{name}\" rollout to finish: {what}...");
        match self {
            RolloutStatus::NotRolling => {
                "error: rollout status is only available for RollingUpdate strategy type".to_owned()
            }
            RolloutStatus::NotReady { pods } => format!("Waiting for {pods} pods to be ready..."),
            RolloutStatus::Partitioned { updated, wanted } => format!(
                "Waiting for partitioned roll out to finish: {updated} out of {wanted} new pods have been updated..."
            ),
            RolloutStatus::PartitionedDone { updated } => {
                format!("partitioned roll out complete: {updated} new pods have been updated...")
            }
            RolloutStatus::Updating { updated, nodes } => {
                waits(format!("{updated} out of {nodes} new pods have been updated"))
            }
            RolloutStatus::Waiting { available, nodes } => {
                waits(format!("{available} of {nodes} updated pods are available"))
            }
            RolloutStatus::Done => format!("daemon set \"{name}\" successfully rolled out"),
        }
    }

    /// Its exit code; absent while it waits.
    pub const fn exit(self) -> Option<u8> {
        match self {
            RolloutStatus::NotRolling => Some(1),
            RolloutStatus::PartitionedDone { .. } | RolloutStatus::Done => Some(0),
            _ => None,
        }
    }
}

/// The name of a revision. Where Kubernetes puts a hash of the template, its number stands here.
pub fn revision_name(name: &str, template: u32) -> String {
    format!("{name}-v{template}")
}

/// `kubectl get pods`, by ordinal or node: NAME, READY, STATUS, RESTARTS, REVISION.
pub fn get_pods(run: &Run, name: &str) -> Vec<[String; 5]> {
    let mut pods: Vec<(u32, &Pod)> = run
        .pods()
        .filter(|pod| pod.exists())
        .filter_map(|pod| Some((run.controller().place_of(pod.slot)?, pod)))
        .collect();
    rollscope_engine::order::by_key(&mut pods, |(place, pod)| (*place, pod.id.0));
    let row = |(place, pod): (u32, &Pod)| {
        [
            pod_name(run, name, place),
            if pod.counted() && pod.ready_since.is_some() { "1/1".into() } else { "0/1".into() },
            status(pod).to_owned(),
            pod.restarts.to_string(),
            revision_name(name, pod.name.revision),
        ]
    };
    pods.into_iter().map(row).collect()
}

/// The head of [`get_pods`]; the last column is the label `controller-revision-hash`.
pub const GET_PODS: [&str; 5] = ["NAME", "READY", "STATUS", "RESTARTS", "REVISION"];

/// STATUS of a Pod.
fn status(pod: &Pod) -> &'static str {
    match pod.stage {
        Stage::Unassigned | Stage::Scheduled => "Pending",
        Stage::Creating => "ContainerCreating",
        Stage::PullBackOff => "ImagePullBackOff",
        Stage::BackOff => "CrashLoopBackOff",
        Stage::Running => "Running",
        Stage::Hook | Stage::Stopping | Stage::Gone(_) => "Terminating",
    }
}

/// `kubectl get statefulset` or `kubectl get daemonset`: the head and its row.
pub fn get(run: &Run, name: &str) -> Vec<(&'static str, String)> {
    let Some(seen) = run.workload() else { return Vec::new() };
    let (wanted, status) = (run.params().replicas, seen.status);
    let Some((updated, available)) = seen.nodes else {
        return vec![("NAME", name.to_owned()), ("READY", format!("{}/{wanted}", status.ready))];
    };
    [
        ("NAME", name.to_owned()),
        ("DESIRED", wanted.to_string()),
        ("CURRENT", status.replicas.to_string()),
        ("READY", status.ready.to_string()),
        ("UP-TO-DATE", updated.to_string()),
        ("AVAILABLE", available.max(status.available.min(wanted)).to_string()),
    ]
    .to_vec()
}
