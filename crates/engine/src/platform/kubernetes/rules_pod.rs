//! Rules of a single Pod: restarts, its way out, who goes first.

use crate::time::{MINUTE, SECOND};

/// Longest wait between two restarts of a container, in milliseconds.
pub const BACK_OFF_MAX_MS: u64 = 300 * SECOND;
/// A run longer than this starts the series anew, in milliseconds: twice the longest wait.
pub const BACK_OFF_RESET_MS: u64 = 2 * BACK_OFF_MAX_MS;
/// What a process gets after a `preStop` hook that used up the grace period, in milliseconds.
pub const AFTER_LATE_HOOK_MS: u64 = 2 * SECOND;

const _: () = assert!(BACK_OFF_RESET_MS == 10 * MINUTE);

/// The wait before the next start after the k-th exit in a row (from 1), in milliseconds: none, then 10 s
/// doubling to 300 s. Counted from the exit.
///
/// Source: pkg/kubelet/kubelet.go (`MaxContainerBackOff`, 10 s base), concepts/workloads/pods/pod-lifecycle.
///
/// Example: exits 1 to 7 wait 0, 10, 20, 40, 80, 160 and 300 s.
pub fn crash_back_off(exits: u32) -> u64 {
    match exits {
        0 | 1 => 0,
        k if k >= 7 => BACK_OFF_MAX_MS,
        k => (10 * SECOND) << (k - 2),
    }
}

/// The exit in a row that this one is, after `before` of them and a run of `ran_ms`.
///
/// Example: a run of 700 s is the first of a new series, whatever came before.
pub fn exits_in_a_row(before: u32, ran_ms: u64) -> u32 {
    if ran_ms > BACK_OFF_RESET_MS { 1 } else { before.saturating_add(1) }
}

/// The wait after the k-th pull that failed in a row (from 1), in milliseconds: 10 s doubling to 300 s.
///
/// Source: concepts/containers/images, `ImagePullBackOff`.
///
/// Example: 10, 20, 40, 80, 160, 300, 300 s.
pub fn pull_back_off(failures: u32) -> u64 {
    crash_back_off(failures.saturating_add(1).max(2))
}

/// How a Pod with a running container goes: milliseconds from its deletion.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WayOut {
    /// The stop signal is sent.
    pub sigterm: u64,
    /// SIGKILL is sent unless the process is gone by then.
    pub sigkill: u64,
}

/// The hook runs first, and its time is part of the grace period; one that used it all leaves the process
/// two seconds.
///
/// Source: pkg/kubelet/kuberuntime/kuberuntime_container.go, `killContainer`.
///
/// Example: hook 5 s, grace 30 s: SIGTERM at 5, SIGKILL at 30. Hook 40 s: at 30 and 32.
pub fn way_out(pre_stop_ms: Option<u64>, grace_ms: u64) -> WayOut {
    let hook = pre_stop_ms.unwrap_or(0);
    if hook < grace_ms || (hook == 0 && grace_ms == 0) {
        return WayOut { sigterm: hook, sigkill: grace_ms };
    }
    WayOut { sigterm: grace_ms, sigkill: grace_ms.saturating_add(AFTER_LATE_HOOK_MS) }
}

/// What the race between endpoints and the stop costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct EndpointRace {
    /// Milliseconds in which requests still come and the process takes no new ones.
    pub refused_ms: u64,
    /// Milliseconds that the longest request lacks before the process is gone.
    pub cut_ms: u64,
}

/// The process takes no new requests from the stop signal on; requests come until the change of the
/// endpoints is known everywhere. The last of them may be open for `longest_ms` and is cut off with the
/// process, which waits for open requests as far as the grace period lets it.
///
/// Source: pkg/proxy/topology.go, KEP-3960, concepts/workloads/pods/pod-lifecycle. No delay is documented.
///
/// Example: no hook, 2 s until everybody knows: 2 s of refused requests. A hook of 5 s: none; with
/// requests of 28 s and a grace period of 30 s the longest lacks 5 + 28 - 30 = 3 s.
pub fn endpoint_race(way: WayOut, propagation_ms: u64, longest_ms: u64) -> EndpointRace {
    EndpointRace {
        refused_ms: propagation_ms.saturating_sub(way.sigterm),
        cut_ms: way.sigterm.saturating_add(longest_ms).saturating_sub(way.sigkill),
    }
}

/// The place of a Pod in the order in which a ReplicaSet deletes: the smallest goes first.
///
/// Without a node, then Pending, then not ready; then the shortest time ready, more restarts, the newer
/// one. (Pod deletion cost and co-located Pods are not part of the model; times ready are compared as
/// they are, not on a logarithmic scale.)
///
/// Source: pkg/controller/controller_utils.go, `ActivePodsWithRanks`.
///
/// Example: of a Pod that crashed three times and a ready one the first goes.
pub fn deletion_rank(pod: RankedPod) -> (u8, u64, u32, u32) {
    let stage = match (pod.assigned, pod.running, pod.ready_since) {
        (false, ..) => 0,
        (_, false, _) => 1,
        (.., None) => 2,
        (.., Some(_)) => 3,
    };
    (stage, u64::MAX - pod.ready_since.unwrap_or(0), u32::MAX - pod.restarts, u32::MAX - pod.created)
}

/// A Pod as that order sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RankedPod {
    /// It has a node.
    pub assigned: bool,
    /// Its phase is Running: a container of it has started at least once.
    pub running: bool,
    /// Ready since this moment, in milliseconds; absent: not ready.
    pub ready_since: Option<u64>,
    /// `restartCount`
    pub restarts: u32,
    /// Its place in the order of creation.
    pub created: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Starts of a container that runs so long each time, in seconds.
    fn starts(runs_s: u64, many: usize) -> alloc::vec::Vec<u64> {
        let (mut at, mut exits) = (0, 0);
        let mut starts = alloc::vec![0];
        while starts.len() < many {
            exits = exits_in_a_row(exits, runs_s * SECOND);
            at += runs_s * SECOND + crash_back_off(exits);
            starts.push(at / SECOND);
        }
        starts
    }

    #[test]
    fn a_crash_loop_waits_longer_and_longer() {
        assert_eq!(starts(5, 10), [0, 5, 20, 45, 90, 175, 340, 645, 950, 1_255]);
        assert_eq!(starts(700, 4), [0, 700, 1_400, 2_100]);
        assert_eq!([1, 2, 3, 6, 7].map(pull_back_off), [10_000, 20_000, 40_000, 300_000, 300_000]);
    }

    #[test]
    fn the_hook_is_part_of_the_grace_period() {
        for (hook, grace, sigterm, sigkill) in [
            (None, 30_000, 0, 30_000),
            (Some(5_000), 30_000, 5_000, 30_000),
            (Some(30_000), 30_000, 30_000, 32_000),
            (Some(40_000), 30_000, 30_000, 32_000),
            (None, 0, 0, 0),
        ] {
            assert_eq!(way_out(hook, grace), WayOut { sigterm, sigkill }, "{hook:?} {grace}");
        }
    }

    #[test]
    fn a_hook_longer_than_the_propagation_refuses_nothing() {
        for (hook, longest, refused, cut) in [
            (None, 30_000, 2_000, 0),
            (Some(1_000), 0, 1_000, 0),
            (Some(5_000), 20_000, 0, 0),
            (Some(5_000), 28_000, 0, 3_000),
        ] {
            let race = endpoint_race(way_out(hook, 30_000), 2_000, longest);
            assert_eq!(race, EndpointRace { refused_ms: refused, cut_ms: cut }, "{hook:?} {longest}");
        }
    }

    #[test]
    fn pods_nobody_misses_go_first() {
        let pod = |assigned, running, ready_since, restarts, created| {
            deletion_rank(RankedPod { assigned, running, ready_since, restarts, created })
        };
        let in_order = [
            pod(false, false, None, 0, 9),
            pod(true, false, None, 0, 8),
            pod(true, true, None, 3, 1),
            pod(true, true, None, 0, 7),
            pod(true, true, None, 0, 2),
            pod(true, true, Some(60_000), 0, 3),
            pod(true, true, Some(30_000), 2, 4),
            pod(true, true, Some(30_000), 0, 6),
            pod(true, true, Some(30_000), 0, 5),
        ];
        assert!(in_order.windows(2).all(|pair| pair[0] < pair[1]), "{in_order:?}");
    }
}
