//! The narrated steps of the presets: the file `steps.json` of their folders.
//!
//! Apart from the list of presets, so that a program that never narrates does not carry them.

use alloc::vec::Vec;

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
}

/// The steps of a preset; empty for one that has none.
pub fn of(id: &str) -> Vec<Step> {
    let file = FILES.iter().find(|(name, _)| *name == id);
    file.and_then(|(_, text)| steps::read(text).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::String;

    #[test]
    fn every_file_is_a_list_of_steps() {
        for (id, text) in FILES {
            let read = steps::read(text);
            assert_eq!(read.as_ref().err(), None::<&String>, "{id}");
            assert_eq!(of(id), read.unwrap_or_default());
        }
        assert_eq!(of("all-at-once"), []);
        assert_eq!(of("none"), []);
    }
}
