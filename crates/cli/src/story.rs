//! The run as a story: one line an instant.

use std::fmt::Write;

use rollscope_engine::frame::{Counts, LANES};
use rollscope_engine::trace::{DeploymentChange, Record, What};
use rollscope_insight::Run;
use rollscope_wording as wording;
use rollscope_wording::Scene;
use rollscope_wording::time::clock_exact;

/// Every instant of the run with its caption.
pub fn story(run: &Run) -> String {
    let settings = run.end.settings();
    let mut out = String::new();
    let mut target = None;
    let mut samples = run.trace.samples.iter().peekable();
    let mut counts = Counts::default();
    for records in run.trace.records.chunk_by(|a, b| a.at == b.at) {
        let Some(at) = records.first().map(|record| record.at) else { continue };
        while let Some((_, sample)) = samples.next_if(|(moment, _)| *moment <= at) {
            counts = *sample;
        }
        target = newest(records).or(target);
        let healthy = target.and_then(|revision| {
            // The first two lanes hold one revision each; beyond them nobody knows which is meant.
            let lane = settings.revisions.iter().position(|known| known.number == revision)?;
            (lane + 1 < LANES).then_some((revision, counts.lanes[lane].healthy))
        });
        let behind_load_balancer = !settings.target_groups.is_empty();
        let checked = behind_load_balancer || !settings.containers.is_empty();
        let (acts, alarms) = (run.end.acts(), settings.alarms.as_slice());
        let services = run.end.service_deployments();
        let scene = Scene { counts, target: healthy, behind_load_balancer, checked, acts, alarms, services };
        let caption = wording::caption(records, &scene);
        if !caption.is_empty() {
            let _ = writeln!(out, "{:>12}  {caption}", clock_exact(at));
        }
    }
    let ended = rollscope_insight::outcome(run.view());
    let _ = writeln!(out, "{:>12}  {}", clock_exact(run.end.now()), wording::outcome(&ended));
    out
}

/// The revision of a deployment that starts here.
fn newest(records: &[Record]) -> Option<u32> {
    records.iter().rev().find_map(|record| match record.what {
        What::Deployment { revision, change: DeploymentChange::Started, .. } => Some(revision),
        _ => None,
    })
}
