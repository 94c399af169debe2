//! The examples of groups of virtual machines: the folders of `tests/machine-groups/`, in the order of their numbers.
//!
//! `tests/tests/machine_groups.rs` compares what is expected of each run.

use crate::presets::{Preset, PresetGroup};

macro_rules! preset {
    ($number:literal, $id:literal, $title:literal, $lead:literal) => {
        Preset {
            group: PresetGroup::MachineGroups,
            id: $id,
            title: $title,
            lead: $lead,
            document: include_str!(concat!("../../../tests/machine-groups/", $number, "-", $id, "/scenario.json")),
        }
    };
}

/// All of them, in the order in which they are offered: Google Cloud's, then Azure's.
pub const MACHINE_GROUPS: &[Preset] = &[
    preset!(
        "01",
        "mig-surge",
        "One VM above the size",
        "A group of four with one VM above and none missing: four rounds of 30 s, and four serve all the time."
    ),
    preset!(
        "02",
        "mig-default-one",
        "The only VM of a group",
        "A zonal group of one and the defaults, one above and one missing: the only VM goes as the new one boots, and nobody serves for 30 s."
    ),
    preset!(
        "03",
        "mig-never-healthy",
        "Never healthy, never over",
        "The health check fails on every new VM. Nothing gives up: each is repaired after its initial delay, and the update waits for ever."
    ),
    preset!(
        "04",
        "mig-no-check",
        "Nobody looks",
        "Without an autohealing check a VM only has to run: a build that answers nobody replaces the whole group."
    ),
    preset!(
        "05",
        "mig-region",
        "Three zones, three and three",
        "A regional group of nine with its defaults, three above and three missing: most of it is done in one round."
    ),
    preset!(
        "06",
        "mig-recreate",
        "Recreate, in the same place",
        "RECREATE keeps the names: each VM goes before its successor comes, so three of four serve and there are never more than four."
    ),
    preset!(
        "07",
        "mig-scale-mid-rollout",
        "Four become eight on the way",
        "Half way through the size is set to eight: the four that are added are of the new template already."
    ),
    preset!(
        "08",
        "mig-quota",
        "No quota for one above",
        "The quota holds four VMs and none may be missing: nothing can be created and nothing taken down. It waits, and says so."
    ),
    preset!(
        "09",
        "vmss-defaults",
        "Scale set, defaults",
        "Four VMs in batches of 20 %, in place: one at a time is taken down and comes up as the new model. Three serve."
    ),
    preset!(
        "10",
        "vmss-max-surge",
        "Scale set, MaxSurge",
        "MaxSurge creates the batch first and deletes the old ones afterwards: four serve all the time."
    ),
    preset!(
        "11",
        "vmss-faulted",
        "Faulted after one batch",
        "The first upgraded VM never gets healthy. One of one is above the limit of 10 %: the upgrade is Faulted, and three old VMs stay."
    ),
    preset!(
        "12",
        "vmss-unhealthy-before",
        "Unhealthy before it begins",
        "One VM of two is unhealthy already: 50 % is above the limit of 20 %, and not one VM is upgraded."
    ),
    preset!(
        "13",
        "vmss-only-one",
        "The only VM of a scale set",
        "One VM, in place: it is restarted as the new model, and nobody serves for 50 s."
    ),
    preset!(
        "14",
        "vmss-rolled-back",
        "The failed one goes back",
        "With rollbackFailedInstancesOnPolicyBreach the VM that failed comes back with the former model. The upgrade is Faulted all the same."
    ),
    preset!(
        "15",
        "vmss-scale-mid-rollout",
        "Four become six on the way",
        "Two VMs are added in the middle of the first batch: they have the latest model and need no upgrade of their own."
    ),
];
