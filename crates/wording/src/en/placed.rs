//! What happens to a StatefulSet or a DaemonSet, in Kubernetes' words.

use rollscope_engine::kubernetes::{Change, PlaceReason, RemoveReason, Wait};
use rollscope_engine::platform::kubernetes::RolloutAct;
use rollscope_engine::platform::{daemonset, statefulset};
use rollscope_engine::settings::{Command, TaskName};
use rollscope_engine::trace::{Record, TaskChange, TaskRef, What};
use rollscope_insight::OutcomeKind;
use rollscope_insight::kubernetes::Check;
use rollscope_insight::placed::{BlockedBy, Outcome};

use super::{count, kubernetes, plural};
use crate::placed::Names;
use crate::time::clock;

fn nodes(n: u32) -> String {
    plural(n, "node", "nodes")
}

/// A Pod is created at its place.
pub(super) fn placed(pod: TaskRef, place: u32, reason: &PlaceReason) -> String {
    use daemonset::CreateReason::{EmptyNode, OldDown, Surge};
    use statefulset::CreateReason::{BelowPartition, Missing};
    let version = pod.name.revision;
    match *reason {
        PlaceReason::Ordinal(Missing) => {
            format!("Pod {place} is created at v{version}: its name is free.")
        }
        PlaceReason::Ordinal(BelowPartition { partition }) => format!(
            "Pod {place} is created at v{version}: below partition {} it comes back at the current revision.",
            count(partition)
        ),
        PlaceReason::Node(EmptyNode) => format!("Node {place} has no Pod and gets one of v{version}."),
        PlaceReason::Node(Surge { surging, max_surge }) => format!(
            "Node {place} gets a Pod of v{version} beside the old one: {} had two before, maxSurge is {}.",
            nodes(surging),
            count(max_surge)
        ),
        PlaceReason::Node(OldDown) => {
            format!("Node {place} gets a Pod of v{version}: its old one is not available, so maxSurge is not asked.")
        }
    }
}

/// The Pod of a place is deleted.
pub(super) fn removed(pod: TaskRef, place: u32, reason: &RemoveReason) -> String {
    use daemonset::DeleteReason as Node;
    use statefulset::DeleteReason as Ordinal;
    let version = pod.name.revision;
    let old = format!("The Pod of v{version} on node {place} is deleted");
    match *reason {
        RemoveReason::Ordinal(Ordinal::Condemned { replicas }) => {
            format!("Pod {place} is deleted: it lies beyond replicas {}.", count(replicas))
        }
        RemoveReason::Ordinal(Ordinal::Outdated { unavailable, max_unavailable }) => format!(
            "Pod {place} of v{version} is deleted, the highest one that is outdated: {} unavailable, {} may be. It \
             comes back under the same name once it is gone.",
            count(unavailable),
            count(max_unavailable)
        ),
        RemoveReason::Ordinal(Ordinal::OutdatedAndDown) => format!(
            "Pod {place} of v{version} is deleted: it is outdated and not available anyway, so no budget is asked."
        ),
        RemoveReason::Node(Node::Outdated { unavailable, max_unavailable }) => format!(
            "{old}: {} unavailable, {} may be. The node gets a new one once it is gone.",
            count(unavailable),
            count(max_unavailable)
        ),
        RemoveReason::Node(Node::OldDown) => format!("{old}: it is not available anyway, so no budget is asked."),
        RemoveReason::Node(Node::Succeeded) => {
            format!("{old}: its successor is available, or it is not ready itself any more.")
        }
        RemoveReason::Node(Node::Extra) => format!("{old}: the node has an older one of its kind."),
        RemoveReason::Node(Node::NodeGone) => format!("{old}: the node does not run the daemon any more."),
    }
}

/// Why nothing is done.
pub fn wait(wait: &Wait) -> String {
    match wait {
        Wait::Ordinal(wait) => ordinal(wait),
        Wait::Node(wait) => node(wait),
    }
}

/// The same in two or three words.
pub const fn wait_title(wait: Option<&Wait>) -> &'static str {
    use daemonset::Wait as Node;
    use statefulset::{Wait as Ordinal, WaitsFor};
    match wait {
        None => "Rolls out",
        Some(Wait::Ordinal(Ordinal::Done) | Wait::Node(Node::Done)) => "Up to date",
        Some(Wait::Ordinal(Ordinal::Pod { lacks: WaitsFor::Creation, .. }) | Wait::Node(Node::Refused { .. })) => {
            "The quota is full"
        }
        Some(Wait::Ordinal(Ordinal::Pod { .. }) | Wait::Node(Node::NewDown { .. } | Node::Terminating { .. })) => {
            "Waits for Pods"
        }
        Some(Wait::Ordinal(Ordinal::Budget { .. }) | Wait::Node(Node::Budget { .. })) => "No more may be down",
        Some(Wait::Ordinal(Ordinal::Partition { .. })) => "Up to date from the partition on",
        Some(Wait::Ordinal(Ordinal::OnDelete { .. }) | Wait::Node(Node::OnDelete { .. })) => "Waits for people",
    }
}

fn ordinal(wait: &statefulset::Wait) -> String {
    use statefulset::{Wait, WaitsFor};
    match *wait {
        Wait::Done => "Every Pod is of the update revision and available.".into(),
        Wait::Pod { ordinal, lacks: WaitsFor::Creation } => {
            format!("It waits for Pod {ordinal}: the API server refuses to create it.")
        }
        Wait::Pod { ordinal, lacks: WaitsFor::Termination } => {
            format!("It waits for Pod {ordinal} to be gone: its name is taken until then.")
        }
        Wait::Pod { ordinal, lacks: WaitsFor::Availability { outdated: false } } => {
            format!("It waits for Pod {ordinal} to be available.")
        }
        Wait::Pod { ordinal, lacks: WaitsFor::Availability { outdated: true } } => format!(
            "It waits for Pod {ordinal} to be available, and does not replace it although it is outdated: somebody \
             has to delete it."
        ),
        Wait::Budget { unavailable, max_unavailable } => {
            format!("It waits: {} unavailable, and no more than {} may be.", count(unavailable), count(max_unavailable))
        }
        Wait::Partition { partition, kept } => format!(
            "Everything from partition {} on is updated; {} below it {} on the current revision.",
            count(partition),
            plural(kept, "Pod", "Pods"),
            if kept == 1 { "stays" } else { "stay" }
        ),
        Wait::OnDelete { outdated } => format!(
            "OnDelete: {} of another revision {} until somebody deletes {}.",
            plural(outdated, "Pod", "Pods"),
            if outdated == 1 { "stays" } else { "stay" },
            if outdated == 1 { "it" } else { "them" }
        ),
    }
}

fn node(wait: &daemonset::Wait) -> String {
    use daemonset::Wait;
    match *wait {
        Wait::Done => "Every node has one Pod of the new template, and it is available.".into(),
        Wait::Terminating { nodes: n } => {
            format!("It waits: on {} the old Pod is not gone yet, and two are not allowed.", nodes(n))
        }
        Wait::Budget { unavailable, most, surge: false } => format!(
            "It waits: {} without an available new Pod, and maxUnavailable is {}.",
            nodes(unavailable),
            count(most)
        ),
        Wait::Budget { unavailable, most, surge: true } => format!(
            "It waits: on {} the new Pod is not available yet and the old one runs beside it; maxSurge is {}.",
            nodes(unavailable),
            count(most)
        ),
        Wait::NewDown { nodes: n } => format!("It waits for the new Pods of {} to be available.", nodes(n)),
        Wait::Refused { nodes: n } => {
            format!("It waits: {} without a Pod, and the API server refuses to create more.", nodes(n))
        }
        Wait::OnDelete { outdated } => {
            format!("OnDelete: {} keep the old Pod until somebody deletes it.", nodes(outdated))
        }
    }
}

/// The line of a record in a story of a run, about a Pod of this name. That a controller creates or deletes a Pod is
/// told with its reason.
pub fn line(record: &Record, pod: &str) -> Option<String> {
    match &record.what {
        What::Task { change: TaskChange::Created { .. }, .. } => None,
        What::Task { change: TaskChange::StopDecided(cause), .. } if cause.by_scheduler() => None,
        What::Task { change, .. } => kubernetes::life(pod, 1, change),
        What::Kubernetes(Change::Pod { change, .. }) => Some(format!("{pod}: {}", kubernetes::pod(change))),
        What::Kubernetes(Change::SetRevised { set, from }) => {
            Some(format!("v{} was there before: revision {from} becomes revision {}.", set.template, set.revision))
        }
        What::Kubernetes(Change::SetForgotten { set }) => {
            Some(format!("v{} (revision {}) is forgotten: the history is full.", set.template, set.revision))
        }
        _ => kubernetes::line(record),
    }
}

/// The line of a list for a record that stands for `n` alike.
pub fn row(record: &Record, n: u32, pod: &dyn Fn(TaskName) -> String) -> String {
    match &record.what {
        What::Task { task: of, change: TaskChange::StopDecided(cause) } if cause.by_scheduler() => {
            let more = if n == 1 { String::new() } else { format!(" and {} more", count(n - 1)) };
            let (is, its) = if n == 1 { ("is", "its place is") } else { ("are", "their places are") };
            format!("{}{more} {is} deleted: {its} free once nothing is left.", pod(of.name))
        }
        What::Task { task: of, change } => kubernetes::tasks_row(&pod(of.name), change, n),
        What::Kubernetes(Change::Pod { pod: of, change }) => kubernetes::pod_line(&pod(of.name), change),
        _ => kubernetes::row(record, n),
    }
}

/// The sentence of an instant.
pub fn caption(records: &[Record], pod: &dyn Fn(TaskName) -> String) -> String {
    kubernetes::caption_by(records, &|record, n| row(record, n, pod))
}

/// An act by Kubernetes' names.
pub fn command(command: &Command, pod: &dyn Fn(TaskName) -> String) -> String {
    match command {
        Command::StopTask(name) => format!("Somebody deletes {}.", pod(*name)),
        Command::Rollout(RolloutAct::Unready { pod: Some(name), for_ms }) => kubernetes::unready(&pod(*name), *for_ms),
        other => kubernetes::command(other),
    }
}

/// The same in a few words, for the name of a branch.
pub fn act_short(command: &Command, pod: &dyn Fn(TaskName) -> String) -> String {
    match command {
        Command::StopTask(name) => format!("delete {}", pod(*name)),
        Command::SetDesired(n) => format!("replicas {}", count(*n)),
        Command::Deploy { revision, .. } => format!("deploy v{revision}"),
        other => super::record::act_short(other),
    }
}

/// How it ended, in one or two sentences.
pub fn outcome(outcome: &Outcome) -> String {
    let template = outcome.template;
    let at = outcome.completed_at.map_or_else(String::new, |at| format!(" at {}", clock(at)));
    let why = outcome.blocked_by.map_or_else(String::new, blocked_by);
    match outcome.outcome {
        OutcomeKind::Completed if outcome.kept > 0 => format!(
            "v{template} is rolled out from the partition on{at}; {} below it {} as before, for as long as the \
             partition stands.",
            plural(outcome.kept, "Pod", "Pods"),
            if outcome.kept == 1 { "stays" } else { "stay" }
        ),
        OutcomeKind::Completed => format!("v{template} is rolled out{at}."),
        OutcomeKind::RolledBack => format!("v{template} is back in full{at}."),
        OutcomeKind::CompletedThenFailing => {
            format!("v{template} was rolled out{at}, and fails afterwards: {why}. No condition tells.")
        }
        OutcomeKind::Stuck => {
            format!("The rollout stalls: {why}. There is no deadline and no condition: nothing reports it.")
        }
        OutcomeKind::Waiting => format!("The rollout waits: {why}."),
        _ => format!("It is not done when the run ends: {why}."),
    }
}

/// What a rollout waits for, after a colon.
pub fn blocked_by(why: BlockedBy) -> String {
    match why {
        BlockedBy::Partition => "no ordinal lies from the partition on; somebody has to lower it".into(),
        BlockedBy::OnDelete => "with OnDelete a Pod takes the new template only when somebody deletes it".into(),
        BlockedBy::OutdatedPod { ordinal } => format!(
            "Pod {ordinal} is not available, and OrderedReady does not replace it although the template has changed; \
             somebody has to delete it"
        ),
        BlockedBy::Pods(why) => kubernetes::stalled_by(why).into(),
    }
}

/// The verdict in one or two sentences.
pub fn verdict(check: &Check, outcome: Option<&Outcome>) -> String {
    let first = kubernetes::verdict(check, None);
    match outcome {
        None => first,
        Some(outcome) => format!("{first} {}", self::outcome(outcome)),
    }
}

/// The verdict in two or three words.
pub fn title(check: &Check, outcome: Option<&Outcome>) -> &'static str {
    match outcome.map(|outcome| (outcome.outcome, outcome.kept)) {
        None => kubernetes::title(check, None),
        Some((OutcomeKind::Completed, 0)) => "Rolls out",
        Some((OutcomeKind::Completed, _)) => "Rolls out in part",
        Some((OutcomeKind::RolledBack, _)) => "Goes back",
        Some((OutcomeKind::CompletedThenFailing, _)) => "Fails afterwards",
        Some((OutcomeKind::Stuck, _)) => "Stalls",
        Some((OutcomeKind::Waiting, _)) => "Waits",
        Some(_) => "Not done",
    }
}

/// The floor as a sum: "3 available: 4 wanted less 1".
pub fn floor_sum(wanted: u32, floor: u32) -> String {
    format!("{} available: {} wanted less {}", count(floor), count(wanted), count(wanted.saturating_sub(floor)))
}

/// The ceiling as a sum: "5 at most: 4 wanted plus maxSurge 1"; without surge every place has one Pod.
pub fn ceiling_sum(wanted: u32, ceiling: u32) -> String {
    match ceiling.saturating_sub(wanted) {
        0 => format!("{} at most: one Pod a place, the next one once it is gone", count(ceiling)),
        surge => format!("{} at most: {} wanted plus maxSurge {}", count(ceiling), count(wanted), count(surge)),
    }
}

/// Which Pod of a StatefulSet goes last.
pub fn last_one(first: u32) -> String {
    format!("Pod {first} goes last: with many databases and queues it is the primary. It is not treated specially.")
}

/// Names in the panels.
pub const fn names() -> Names {
    Names {
        get_pods: "kubectl get pods",
        delete_pod: "Delete the Pod",
        may_be_down: "Places that may be down",
        down_now: "Down now",
        more_may_go: "More may go",
    }
}
