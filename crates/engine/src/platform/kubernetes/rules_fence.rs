//! Fence posts: how far a rolling update may go above and below `replicas`.

use super::params::{IntOrPercent, Strategy};

fn resolve(value: Option<IntOrPercent>, replicas: u32, up: bool) -> u32 {
    match value {
        None => 0,
        Some(IntOrPercent::Int(n)) => n,
        Some(IntOrPercent::Percent(percent)) => {
            let product = u64::from(percent) * u64::from(replicas);
            let whole = if up { product.div_ceil(100) } else { product / 100 };
            u32::try_from(whole).unwrap_or(u32::MAX)
        }
    }
}

/// `maxSurge` and `maxUnavailable` as Pods: the first rounds up, the second down, an absent one is 0.
/// When both come out as 0 the second becomes 1, so that a rollout can move at all.
///
/// Source: pkg/controller/deployment/util/deployment_util.go, `ResolveFenceposts`.
///
/// Example: 25%/25% of 10 is 3 and 2; of 3 it is 1 and 0; 0/25% of 3 is 0 and 1.
pub fn fence_posts(surge: Option<IntOrPercent>, unavailable: Option<IntOrPercent>, replicas: u32) -> (u32, u32) {
    let (up, down) = (resolve(surge, replicas, true), resolve(unavailable, replicas, false));
    (up, if up == 0 && down == 0 { 1 } else { down })
}

/// Pods above `replicas`; 0 for Recreate.
///
/// Source: deployment_util.go, `MaxSurge`.
pub fn max_surge(strategy: Strategy, replicas: u32) -> u32 {
    match strategy {
        Strategy::RollingUpdate { max_surge, max_unavailable } => fence_posts(max_surge, max_unavailable, replicas).0,
        Strategy::Recreate => 0,
    }
}

/// Pods below `replicas`, at most `replicas`; 0 for Recreate and for no replicas.
///
/// Source: deployment_util.go, `MaxUnavailable`.
///
/// Example: 10 of 5 replicas acts as 5.
pub fn max_unavailable(strategy: Strategy, replicas: u32) -> u32 {
    match strategy {
        Strategy::RollingUpdate { max_surge, max_unavailable } if replicas > 0 => {
            fence_posts(max_surge, max_unavailable, replicas).1.min(replicas)
        }
        _ => 0,
    }
}

/// Available Pods that a rolling update leaves; 0 for Recreate.
///
/// Source: deployment_util.go, `MinAvailable`.
///
/// Example: 10 replicas with 60% unavailable leave 4.
pub fn min_available(strategy: Strategy, replicas: u32) -> u32 {
    match strategy {
        Strategy::RollingUpdate { .. } => replicas - max_unavailable(strategy, replicas),
        Strategy::Recreate => 0,
    }
}

/// Pods that may be asked for at once; 0 of 0 replicas.
///
/// Example: 25%/25% of 10 is 13.
pub fn ceiling(strategy: Strategy, replicas: u32) -> u32 {
    replicas.saturating_add(max_surge(strategy, replicas))
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn percent(p: u32) -> Option<IntOrPercent> {
        Some(IntOrPercent::Percent(p))
    }
    const fn int(n: u32) -> Option<IntOrPercent> {
        Some(IntOrPercent::Int(n))
    }

    #[test]
    fn surge_rounds_up_unavailable_down_and_never_both_zero() {
        for (surge, unavailable, replicas, expected) in [
            (percent(0), percent(0), 0, (0, 1)),
            (percent(39), percent(39), 10, (4, 3)),
            (None, None, 10, (0, 1)),
            (percent(25), percent(25), 3, (1, 0)),
            (int(0), percent(25), 3, (0, 1)),
            (percent(150), int(0), 4, (6, 0)),
        ] {
            assert_eq!(fence_posts(surge, unavailable, replicas), expected, "{surge:?} {unavailable:?} {replicas}");
        }
    }

    #[test]
    fn the_bounds_follow() {
        let rolling = |max_surge, max_unavailable| Strategy::RollingUpdate { max_surge, max_unavailable };
        assert_eq!(max_unavailable(rolling(int(1), int(10)), 5), 5);
        assert_eq!(max_unavailable(rolling(int(0), int(10)), 0), 0);
        assert_eq!(max_unavailable(Strategy::Recreate, 5), 0);
        assert_eq!(min_available(rolling(int(0), percent(60)), 10), 4);
        assert_eq!(min_available(Strategy::Recreate, 10), 0);
        assert_eq!((ceiling(Strategy::default(), 10), max_surge(Strategy::Recreate, 10)), (13, 0));
    }
}
