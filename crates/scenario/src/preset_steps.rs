//! The narrated steps of the presets: the file `steps.json` of their folders.
//!
//! Apart from the list of presets, so that a program that never narrates does not carry them.

use alloc::vec::Vec;

use crate::document::Document;
use crate::presets::Preset;
use crate::steps::{self, Step};

macro_rules! steps {
    ($($number:literal $id:literal,)*) => {
        /// Presets with steps, by name.
        const FILES: &[(&str, &str)] = &[$((
            $id,
            include_str!(concat!("../../../tests/scenarios/", $number, "-", $id, "/steps.json")),
        ),)*];
    };
}

steps! {
    "18" "breaker-trips",
    "19" "threshold",
    "19a" "threshold-one",
    "19b" "threshold-400",
    "20" "threshold-capped",
    "21" "intermittent",
    "22" "intermittent-counted",
    "23" "one-two-three",
    "24" "first-deployment",
    "25" "eighteen-minutes",
    "26" "alarm-in-bake",
    "27" "early-blocking",
    "28" "early-deferred",
    "29" "early-renewed",
    "30" "early-tail",
    "31" "early-relaxed",
    "32" "early-recommended",
    "33" "worker-unseen",
    "34" "worker-watchdog",
    "35" "worker-check",
    "36" "boot-gate",
    "37" "boot-gate-rollback",
    "38" "grace-120",
    "39" "grace-150",
    "40" "grace-180",
    "41" "pipeline-gives-up",
    "66" "grace-is-no-shield",
    "67" "alarm-already-red",
    "68" "old-task-dies",
    "69" "ninety-nine-at-once",
    "70" "daemon-four-nodes",
    "80" "rebalance",
    "81" "same-again",
    "85" "room-later",
    "86" "drain-too-short",
    "73" "worker-gate",
    "74" "nobody-told",
    "75" "opted-out",
    "76" "blocking-protected",
    "77" "three-tasks",
    "79" "unbounded",
    "79a" "latest-count",
    "79b" "alarm-too-late",
    "93" "load-in-mid-rollout",
    "95" "fargate-outage",
}

/// The same of Kubernetes Deployments.
const KUBERNETES: &[(&str, &str)] =
    &[("kubernetes-four-steps", include_str!("../../../tests/kubernetes/12-four-steps/steps.json"))];

macro_rules! instance_refresh {
    ($($number:literal $id:literal,)*) => {
        /// The same of EC2 instance refreshes.
        const INSTANCE_REFRESH: &[(&str, &str)] = &[$((
            concat!("instance-refresh-", $id),
            include_str!(concat!("../../../tests/instance-refresh/", $number, "-", $id, "/steps.json")),
        ),)*];
    };
}

instance_refresh! {
    "02" "never-healthy",
    "03" "auto-rollback",
    "04" "checkpoints",
    "06" "one-instance",
    "11" "grace-too-short",
}

/// Name and file of each preset with steps.
fn files() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    FILES.iter().chain(KUBERNETES).chain(INSTANCE_REFRESH)
}

/// The steps of a preset; empty for one that has none.
pub fn of(id: &str) -> Vec<Step> {
    let file = files().find(|(name, _)| *name == id);
    file.and_then(|(_, text)| steps::read(text).ok()).unwrap_or_default()
}

/// The steps that tell what a document does: those of the preset that it is, field for field. Any
/// other document has other numbers, and no steps.
pub fn of_document(document: &Document) -> Vec<Step> {
    let named = Preset::all().find(|preset| document.title.as_deref() == Some(preset.title));
    let same = named.filter(|preset| Document::from_text(preset.document).document == *document);
    same.map_or(Vec::new(), |preset| of(preset.id))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::link;
    use alloc::string::String;

    #[test]
    fn a_document_is_told_as_long_as_it_is_the_presets() {
        for (id, _) in files() {
            let preset = crate::Preset::find(id).unwrap();
            let document = Document::from_text(preset.document).document;
            assert_eq!(of_document(&document), of(id), "{id}");
            let link = crate::Link { document: document.clone(), ..crate::Link::default() };
            let opened = link::decode(&link::encode(&link)).unwrap();
            assert_eq!(of_document(&opened.link.document), of(id), "{id}: opened from a link");
            let mut other = document;
            (other.service.desired_count, other.deployment.replicas) = (Some(7), Some(7));
            assert_eq!(of_document(&other), [], "{id}");
        }
    }

    #[test]
    fn every_file_is_a_list_of_steps() {
        for (id, text) in files() {
            let read = steps::read(text);
            assert_eq!(read.as_ref().err(), None::<&String>, "{id}");
            assert_eq!(of(id), read.unwrap_or_default());
        }
        assert_eq!(of("all-at-once"), []);
        assert_eq!(of("none"), []);
    }
}
