//! What keeps a new revision from booting, whatever becomes of its tasks otherwise: known before the run.

use rollscope_engine::SimTime;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::settings::{Revision, Settings};

/// What the tasks of the new revision meet when they start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Boot {
    /// Nothing in its way, and checks that look at it.
    Checked,
    /// Nothing in its way, and no check that looks at it.
    Unchecked,
    /// The schema gate, as long as the schema is older than this version; at the beginning it is.
    Refused {
        /// Expected.
        expects: u32,
    },
    /// The digests of its images do not resolve, and the circuit breaker counts that.
    NoDigests,
}

/// How the revision that is rolled out boots; one that is not known meets nothing.
///
/// Expected 42, 41 at the beginning: refused, until migration 42 is there.
pub fn boot(settings: &Settings) -> Boot {
    let new = settings.revisions.iter().find(|revision| Some(revision.number) == settings.start.deploy);
    let finds =
        settings.schema.iter().rev().find(|(from, _)| *from == SimTime::ZERO).map_or(0, |(_, version)| *version);
    let expects = new.and_then(|new: &Revision| new.expects_schema).filter(|expects| finds < *expects);
    let counts = settings.platform.ecs().breaker.is_some();
    let ecs = matches!(settings.platform, PlatformSettings::Ecs(_));
    match expects {
        Some(expects) => Boot::Refused { expects },
        None if counts && new.is_some_and(|new| new.digest_fails) => Boot::NoDigests,
        None if ecs && settings.containers.is_empty() && settings.target_groups.is_empty() => Boot::Unchecked,
        None => Boot::Checked,
    }
}
