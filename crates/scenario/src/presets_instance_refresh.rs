//! The examples of an EC2 instance refresh: the folders of `tests/instance-refresh/`, in the order of their numbers.
//!
//! `tests/tests/instance_refresh.rs` compares what is expected of each run.

use crate::presets::{Preset, PresetGroup};

macro_rules! preset {
    ($number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            group: PresetGroup::InstanceRefresh,
            id: concat!("instance-refresh-", $id),
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/instance-refresh/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All of them, in the order in which they are offered.
pub const INSTANCE_REFRESH: &[Preset] = &[
    preset!(
        "01",
        "defaults",
        "Instance refresh, defaults",
        "Four instances, 90 % and no maximum: rounding leaves no room, so one is terminated and its replacement launched at the same moment. Three serve."
    ),
    preset!(
        "02",
        "never-healthy",
        "New instances never healthy",
        "The load balancer's check fails, so each new instance is replaced again and again. After an hour without progress the refresh fails, and nothing is rolled back."
    ),
    preset!(
        "03",
        "auto-rollback",
        "Alarm, and back",
        "Half the group is replaced when the alarm fires: with AutoRollback the version before comes back, at the same pace."
    ),
    preset!(
        "04",
        "checkpoints",
        "Checkpoints with a delay",
        "The example of the user guide: ten instances, 80 %, checkpoints at 20 and 50 with a quarter of an hour between, ten minutes of warm-up. It ends at 50 %."
    ),
    preset!(
        "05",
        "launch-first",
        "Launch before terminate",
        "A minimum of 100 changes the mode: one new instance beside the four, and only when it is warm does an old one go."
    ),
    preset!(
        "06",
        "one-instance",
        "One instance alone",
        "One instance and the defaults: it is terminated while its replacement boots, and nobody serves. A written maximum of 100 would launch first."
    ),
    preset!(
        "07",
        "machine-only",
        "A check of the machine",
        "HealthCheckType EC2 looks at the machine, not at what runs on it: a build that answers nobody replaces the whole fleet, and the refresh is Successful."
    ),
    preset!(
        "08",
        "no-capacity",
        "No capacity to launch first",
        "EC2 has capacity for four instances and no more: launching first never begins, and after an hour the refresh fails with everything as it was."
    ),
    preset!(
        "09",
        "protected",
        "Protected, and waited for",
        "Two of six instances are protected from scale-in. Wait, the default of the API, holds the refresh for an hour; here somebody ends the protection in time."
    ),
    preset!(
        "10",
        "scale-out",
        "Scale out in mid-refresh",
        "Four become eight while the refresh is at 50 %: the four that are added are of the new version already."
    ),
    preset!(
        "11",
        "grace-too-short",
        "Grace period too short",
        "The instances need two minutes to answer, the grace period is one: each is replaced before it could have passed a check. A good build never gets in."
    ),
    preset!(
        "12",
        "cancel",
        "Cancelled half way",
        "Somebody cancels at 50 %: the instance on its way is waited for, and the group stays mixed."
    ),
    preset!(
        "13",
        "one-launch-first",
        "One instance, launched first",
        "The same single instance with a maximum of 110: the new one comes first, and somebody serves all the time."
    ),
];

/// The same four, one at a time and none missing, as a service, a Deployment and a group: the fragment of their
/// comparison. Each starts in 30 s and is gone after 20 s; the group's instances warm up for a minute.
pub const THREE_PLATFORMS: &str = "compare/v1&desired=4&max=125&quotas=none&t.healthy_after=30s&t.gone_after=20s\
    /v1&platform=kubernetes-deployment&s.replicas=4&s.strategy.rollingUpdate.maxSurge=1\
    &s.strategy.rollingUpdate.maxUnavailable=0&t.healthy_after=30s&t.gone_after=20s\
    /v1&platform=asg-refresh&s.DesiredCapacity=4&s.Preferences.MinHealthyPercentage=100\
    &s.Preferences.MaxHealthyPercentage=100&s.Preferences.InstanceWarmup=60&t.healthy_after=30s&t.gone_after=20s";
