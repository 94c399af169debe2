//! Which versions answer: the share of each in the requests, and what one user meets.

use rollscope_engine::kubernetes::KubernetesView;
use rollscope_engine::order;

/// Who answers at a moment.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Skew {
    /// Templates with ready Pods, lowest number first, and their share of the requests in tenths of a per cent.
    pub shares: Vec<(u32, u32)>,
    /// How likely two requests of one user are answered by two versions, in tenths of a per cent.
    pub two_versions: u32,
}

/// Who answers, where each request goes to any ready Pod alike, as a Service without session affinity does.
pub fn skew(view: &KubernetesView) -> Skew {
    let mut ready: Vec<(u32, u32)> = Vec::new();
    for set in view.sets.iter().filter(|set| set.ready > 0) {
        match ready.iter_mut().find(|(template, _)| *template == set.template) {
            Some((_, pods)) => *pods += set.ready,
            None => ready.push((set.template, set.ready)),
        }
    }
    order::by_key(&mut ready, |(template, _)| *template);
    let pods: Vec<u32> = ready.iter().map(|(_, pods)| *pods).collect();
    let all: u64 = pods.iter().map(|n| u64::from(*n)).sum();
    let shares = ready.iter().map(|(template, n)| (*template, tenths(u64::from(*n), all))).collect();
    Skew { shares, two_versions: two_versions(&pods) }
}

/// How likely two requests meet two versions, in tenths of a per cent: 1 less the chances that both meet the same.
///
/// Source: arithmetic. Example: 3 old and 1 new Pod: 1 - (9 + 1) / 16 = 37.5 %, 375 tenths; 2 and 2: 50 %, the
/// most there is with two versions.
pub fn two_versions(pods: &[u32]) -> u32 {
    let all: u64 = pods.iter().map(|n| u64::from(*n)).sum();
    let same: u64 = pods.iter().map(|n| u64::from(*n) * u64::from(*n)).sum();
    tenths(all * all - same, all * all)
}

/// `part` of `whole` in tenths of a per cent, rounded; 0 of nothing.
fn tenths(part: u64, whole: u64) -> u32 {
    (part * 1_000 + whole / 2).checked_div(whole).unwrap_or(0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_requests_of_one_user() {
        let table: [(&[u32], u32); 8] = [
            (&[], 0),
            (&[4], 0),
            (&[3, 1], 375),
            (&[2, 2], 500),
            (&[1, 3], 375),
            (&[4, 1], 320),
            (&[1, 1, 1], 667),
            (&[20_000, 20_000], 500),
        ];
        for (pods, expected) in table {
            assert_eq!(two_versions(pods), expected, "{pods:?}");
        }
    }
}
