//! The columns of the traffic chart.

use rollscope_engine::frame::{Counts, LANES};
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::platform::ecs::strategy::WHOLE;
use rollscope_engine::time::SimTime;
use rollscope_engine::trace::Weights;

use super::{BAD, BANDS, FlowColumn, REFUSED, Step, UPWARDS};

/// Sums from below.
fn column(at: SimTime, good: [u64; LANES], bad: u64, refused: u64) -> FlowColumn {
    let mut bands = [0; BANDS];
    for (band, lane) in UPWARDS.into_iter().enumerate() {
        bands[band] = good[lane];
    }
    (bands[BAD], bands[REFUSED]) = (bad, refused);
    let mut sum = 0;
    FlowColumn {
        at,
        edges: bands.map(|band| {
            sum += band;
            sum
        }),
    }
}

/// The lane of a revision.
fn lane(revision: u32, revisions: &[u32]) -> usize {
    let place = revisions.iter().position(|number| *number == revision);
    place.map_or(LANES - 1, |place| place.min(LANES - 1))
}

/// Requests a second by who answers them.
pub fn requests(flows: &[(SimTime, Flow)], revisions: &[u32]) -> Vec<FlowColumn> {
    let of = |(at, flow): &(SimTime, Flow)| {
        let (mut good, mut bad) = ([0; LANES], 0);
        for part in &flow.parts {
            good[lane(part.revision, revisions)] += part.answered - part.bad;
            bad += part.bad;
        }
        column(*at, good, bad, flow.refused)
    };
    flows.iter().map(of).collect()
}

/// Shares of the traffic by who gets them: by weight once weights are set, else each healthy task the same. What
/// is sent to a revision without a healthy task is refused.
pub fn shares(samples: &[(SimTime, Counts)], weights: &[Step], revisions: &[u32]) -> Vec<FlowColumn> {
    let whole = u64::from(WHOLE);
    let mut moments: Vec<SimTime> =
        samples.iter().map(|(at, _)| *at).chain(weights.iter().map(|step| step.0)).collect();
    rollscope_engine::order::by_key(&mut moments, |at| *at);
    moments.dedup();
    let share = |at: SimTime| {
        let counts =
            samples[..samples.partition_point(|(moment, _)| *moment <= at)].last().map(|(_, counts)| counts)?;
        let step = weights[..weights.partition_point(|step| step.0 <= at)].last();
        let healthy: [u64; LANES] = std::array::from_fn(|lane| u64::from(counts.lanes[lane].healthy));
        let good = match step {
            Some((_, Weights { green, blue: Some(blue), production, .. })) => {
                let mut sent = [0; LANES];
                sent[lane(*green, revisions)] += u64::from(*production);
                sent[lane(*blue, revisions)] += whole - u64::from(*production);
                std::array::from_fn(|lane| if healthy[lane] > 0 { sent[lane] } else { 0 })
            }
            // There is nothing to weigh against.
            _ => evenly(healthy),
        };
        Some(column(at, good, 0, whole - good.iter().sum::<u64>()))
    };
    moments.into_iter().filter_map(share).collect()
}

/// Each healthy task gets the same; rounding is the largest part's.
fn evenly(healthy: [u64; LANES]) -> [u64; LANES] {
    let (whole, all) = (u64::from(WHOLE), healthy.iter().sum::<u64>());
    let mut good = healthy.map(|healthy| (healthy * whole).checked_div(all).unwrap_or(0));
    let largest = (0..LANES).max_by_key(|lane| healthy[*lane]).unwrap_or(0);
    good[largest] += if all > 0 { whole - good.iter().sum::<u64>() } else { 0 };
    good
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::frame::LaneCounts;
    use rollscope_engine::mechanism::traffic::FlowPart;
    use rollscope_engine::trace::DeploymentId;

    fn counts(old: u32, new: u32) -> Counts {
        let lane = |healthy| LaneCounts { healthy, ..LaneCounts::default() };
        Counts { lanes: [lane(old), lane(new), lane(0)], ..Counts::default() }
    }

    #[test]
    fn requests_are_stacked_by_who_answers_them() {
        let part = |revision, answered, bad| FlowPart { revision, targets: 1, answered, bad, load: 0, mean_ms: 0 };
        let flow = Flow {
            rate: 100,
            parts: vec![part(7, 80_000, 0), part(8, 15_000, 3_000)],
            refused: 5_000,
            ..Flow::default()
        };
        let columns = requests(&[(SimTime(5), flow)], &[7, 8]);
        // New, further, old; bad; refused.
        assert_eq!(columns[0].edges, [12_000, 12_000, 92_000, 95_000, 100_000]);
    }

    #[test]
    fn shares_follow_the_weights_and_what_finds_nobody_is_refused() {
        let samples = [(SimTime(0), counts(4, 0)), (SimTime(10), counts(4, 4)), (SimTime(40), counts(0, 4))];
        let step = |at, production| {
            (
                SimTime(at),
                Weights {
                    to: DeploymentId(1),
                    green: 8,
                    from: Some(DeploymentId(0)),
                    blue: Some(7),
                    production,
                    test: 0,
                },
            )
        };
        let weights = [step(0, 0), step(20, 100), step(30, 1_000)];
        let at = |columns: &[FlowColumn]| columns.iter().map(|c| (c.at.0, c.edges)).collect::<Vec<_>>();
        let edges = |new: u64| [new, new, 1_000, 1_000, 1_000];
        let expected = [(0, edges(0)), (10, edges(0)), (20, edges(100)), (30, edges(1_000)), (40, edges(1_000))];
        assert_eq!(at(&shares(&samples, &weights, &[7, 8])), expected);
        // A tenth goes to nobody.
        let lost = shares(&[(SimTime(0), counts(4, 0))], &[step(0, 100)], &[7, 8]);
        assert_eq!(lost[0].edges, [0, 0, 900, 900, 1_000]);
    }

    #[test]
    fn without_weights_each_healthy_task_has_the_same() {
        let columns = shares(&[(SimTime(0), counts(2, 1)), (SimTime(9), counts(0, 0))], &[], &[7, 8]);
        assert_eq!(columns[0].edges, [333, 333, 1_000, 1_000, 1_000]);
        assert_eq!(columns[1].edges, [0, 0, 0, 0, 1_000]);
    }
}
