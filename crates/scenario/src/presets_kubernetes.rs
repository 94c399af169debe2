//! The examples of a Kubernetes Deployment: the folders of `tests/kubernetes/`, in the order of their numbers.
//!
//! Apart from the others because they have a platform, and numbers, of their own. `tests/tests/kubernetes.rs` compares
//! what is expected of each run.

use crate::presets::{Preset, PresetGroup};

macro_rules! preset {
    ($number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            group: PresetGroup::Kubernetes,
            id: concat!("kubernetes-", $id),
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/kubernetes/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All of them, in the order in which they are offered.
pub const KUBERNETES: &[Preset] = &[
    preset!(
        "01",
        "defaults",
        "Four at 25%/25%",
        "Surge 1, unavailable 1: three to five Pods asked for, and seven at once with the terminating ones."
    ),
    preset!(
        "02",
        "never-ready",
        "New Pods never turn ready",
        "A broken readiness check: four old Pods stay, and after ten minutes the condition tells. Nothing rolls back."
    ),
    preset!(
        "03",
        "slow",
        "A build that starts slowly",
        "Two minutes to start and minReadySeconds 30: four rounds of 165 s each."
    ),
    preset!(
        "04",
        "crash-loop",
        "CrashLoopBackOff",
        "The new build exits five seconds after its start. Each wait is longer than the one before."
    ),
    preset!(
        "05",
        "quota",
        "The quota refuses the Pod",
        "One Pod allowed and one Pod running: the surge Pod is refused, and there is not even a Pending one."
    ),
    preset!(
        "06",
        "bad-image",
        "Five old, three new",
        "Six replicas and an image that cannot be pulled: where the defaults come to rest."
    ),
    preset!(
        "07",
        "scale-mid-rollout",
        "Four to eight in a stall",
        "Scaled in the middle of a rollout that stalls: the extra Pods are split by size, seven old and three new."
    ),
    preset!(
        "08",
        "full-nodes",
        "Three on three nodes",
        "Each node takes one Pod. Three replicas round to 1/0, so the fourth Pod stays Pending for good."
    ),
    preset!(
        "09",
        "undo",
        "Undo in a stall",
        "The fourth new Pod never turns ready. At five minutes somebody undoes the rollout; the broken Pod goes at once."
    ),
    preset!(
        "10",
        "no-readiness",
        "A check that proves nothing",
        "Without a readinessProbe a Pod is ready when its container runs: the whole fleet is replaced by a bad build."
    ),
    preset!(
        "11",
        "recreate",
        "Recreate",
        "Every old Pod goes before the first new one starts: nothing serves for as long as that takes."
    ),
    preset!(
        "12",
        "four-steps",
        "Four steps",
        "Surge one, swap one at a time, a bad instance stalls it, fix and finish."
    ),
    preset!(
        "13",
        "one-zero",
        "One spare, none missing",
        "1/0: one Pod more while it runs, never one fewer, one swap at a time."
    ),
    preset!("14", "zero-one", "None spare, one missing", "0/1: no Pod more, and a quarter less serves while it runs."),
    preset!(
        "15",
        "quarter-quarter",
        "A quarter each way",
        "25%/25%, the default: of four Pods one more and one fewer, so a new one starts while an old one leaves."
    ),
    preset!(
        "16",
        "whole-set",
        "A whole new set",
        "100%/0, as Amazon ECS does by default: twice the Pods for half a minute, and done at once."
    ),
    preset!(
        "17",
        "dependency-blip",
        "A shared dependency blips",
        "The readiness check asks the database as well: while that is away for a minute every Pod turns unready at once, and nobody serves."
    ),
    preset!(
        "18",
        "version-skew",
        "Two versions at once",
        "Slow rounds and an undo: half of all pairs of requests meet two versions in the middle, on the way there and on the way back."
    ),
    preset!(
        "19",
        "first-batch",
        "Pause after the first batch",
        "The first new Pod serves, then somebody pauses for five minutes, looks, and resumes. The second one was asked for already."
    ),
    preset!(
        "20",
        "one-on-full-nodes",
        "One on full nodes",
        "One replica rounds to 1/0 and no node has room: it waits for good, and says 1/1 READY all the while."
    ),
    preset!(
        "21",
        "one-steps-aside",
        "The old one goes first",
        "The same at 0/1: the old Pod frees its place first, and nothing serves until the new one is ready."
    ),
    preset!(
        "22",
        "three-one-by-one",
        "Three, one steps aside",
        "Three nodes for three Pods at 0/1: three rounds, two ready at worst, and it ends."
    ),
    preset!(
        "23",
        "quota-recreate",
        "Recreate under the quota",
        "The quota allows one Pod: with Recreate the old one goes first, and the new one is let in."
    ),
    preset!(
        "24",
        "deadline-passed",
        "Late, and done all the same",
        "The image takes eleven minutes to pull: the deadline reports a failure, and the rollout completes a minute later."
    ),
    preset!(
        "25",
        "two-no-room",
        "Two on two nodes",
        "Two replicas round to 1/0 as well: the third Pod has no node, and nothing ever says so but the deadline."
    ),
    preset!(
        "26",
        "quota-moves-on",
        "A quota of four for four",
        "At 25%/25% one old Pod may go first, which frees its place in the quota: refused at first, and it moves on."
    ),
];

/// The table of four settings for a fleet of four, to be compared: 1/0, 0/1, 25%/25%, 100%/0.
pub const FOUR_SETTINGS: [&str; 4] =
    ["kubernetes-one-zero", "kubernetes-zero-one", "kubernetes-quarter-quarter", "kubernetes-whole-set"];
