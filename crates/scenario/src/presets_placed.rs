//! The examples of StatefulSets and DaemonSets: the folders of `tests/statefulset/` and `tests/daemonset/`, each in the
//! order of their numbers.
//!
//! `tests/tests/placed.rs` compares what is expected of each run.

use crate::presets::{Preset, PresetGroup};

macro_rules! preset {
    ($folder:literal, $number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            group: PresetGroup::Placed,
            id: concat!($folder, "-", $id),
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/", $folder, "/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All of them, in the order in which they are offered.
pub const PLACED: &[Preset] = &[
    preset!(
        "statefulset",
        "01",
        "highest-first",
        "Highest ordinal first",
        "Pod 3 goes, comes back under its name, and only then Pod 2; Pod 0, often the primary, goes last."
    ),
    preset!(
        "statefulset",
        "02",
        "stuck-after-revert",
        "A revert does not help",
        "The new build never turns ready; after the undo the set still waits for the broken Pod until somebody deletes it."
    ),
    preset!(
        "statefulset",
        "03",
        "nobody-deletes-it",
        "Nobody deletes the Pod",
        "The same without the person: one short, on the old template again, and nothing reports it."
    ),
    preset!(
        "statefulset",
        "04",
        "partition",
        "A partition as a canary",
        "Partition 4 of 5 updates Pod 4 alone; ten minutes later somebody lowers it and the rest follows."
    ),
    preset!(
        "statefulset",
        "05",
        "two-at-a-time",
        "Two at a time in order",
        "With the feature gate two Pods drain together, and still boot one after the other."
    ),
    preset!(
        "statefulset",
        "06",
        "parallel",
        "Parallel comes back",
        "Parallel replaces a broken Pod of the wrong revision, so an undo is enough."
    ),
    preset!(
        "statefulset",
        "07",
        "primary-last",
        "Only the last one fails",
        "Every Pod but the last start comes up: it stops at Pod 0, and clients of a primary notice first."
    ),
    preset!(
        "daemonset",
        "01",
        "node-by-node",
        "Node by node",
        "A node has no Pod from the moment the old one goes until the new one is available."
    ),
    preset!(
        "daemonset",
        "02",
        "surge",
        "New beside old",
        "With maxSurge 1 every node is served throughout, and one node at a time has two Pods."
    ),
    preset!(
        "daemonset",
        "03",
        "bad-build",
        "A bad build on a tenth",
        "10% of 24 nodes rounds up to 3: they are without the daemon, and the rest is never touched."
    ),
    preset!(
        "daemonset",
        "04",
        "undone",
        "Undone in time",
        "The undo replaces the broken Pods at once: an old Pod that is down costs no budget."
    ),
    preset!(
        "daemonset",
        "05",
        "surge-bad-build",
        "Surge keeps the old one",
        "The bad Pod stands beside the old one on one node: nobody is without the daemon."
    ),
    preset!(
        "daemonset",
        "06",
        "nodes-join",
        "Nodes join in the middle",
        "Two nodes join during the rollout: they get the new Pod at once, and until it is available they use up the budget."
    ),
];
