//! DAEMON services as pure functions.

/// The desired count of a DAEMON service: one task for every ACTIVE instance.
///
/// 4 instances, one of them DRAINING: 3. Source: API `SchedulingStrategy`.
pub const fn desired(active_instances: u32) -> u32 {
    active_instances
}

/// `minimumHealthyPercent` of a DAEMON service that gives none: 0 by API and command line. The console
/// writes 50. Source: API `DeploymentConfiguration.minimumHealthyPercent`.
pub const MINIMUM_DEFAULT: u32 = 0;
/// `maximumPercent` of a DAEMON service, and the only value it takes: a second task on an instance
/// finds no place. Source: API `DeploymentConfiguration.maximumPercent`.
pub const MAXIMUM: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::ecs::rules::{ceiling, floor};

    /// Instances, minimum, floor, ceiling, daemons that may stop at once.
    const TABLE: &[(u32, u32, u32, u32, u32)] =
        &[(1, 0, 0, 1, 1), (1, 50, 1, 1, 0), (4, 50, 2, 4, 2), (4, MINIMUM_DEFAULT, 0, 4, 4), (3, 67, 3, 3, 0)];

    #[test]
    fn floor_and_ceiling_follow_the_instances() {
        for &(instances, minimum, low, high, may_stop) in TABLE {
            let desired = desired(instances);
            assert_eq!((floor(desired, minimum), ceiling(desired, MAXIMUM)), (low, high), "{instances} at {minimum} %");
            assert_eq!(desired - low, may_stop);
        }
    }
}
