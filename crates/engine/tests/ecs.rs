//! Whole runs of the ECS scheduler against numbers worked out by hand.

use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::platform::ecs::Params;
use rollscope_engine::settings::*;
use rollscope_engine::trace::*;
use rollscope_engine::{SimTime, Simulation, Step, Trace};

const S: u64 = 1_000;

fn settings(desired: u32, minimum: u32, maximum: u32) -> Settings {
    let c = |s: u64| Distribution::Constant(s * S);
    Settings {
        platform: PlatformSettings::Ecs(Params {
            desired,
            minimum_healthy_percent: minimum,
            maximum_percent: maximum,
            grace_ms: 0,
            readings: Default::default(),
        }),
        containers: vec![],
        target_groups: vec![],
        stop_timeout_ms: 30 * S,
        timing: Timing {
            provisioning: c(5),
            pull: c(10),
            start_up: c(15),
            first_check: None,
            open_request: c(30),
            exit_after_sigterm: c(2),
            healthy_after: Some(c(45)),
            gone_after: Some(c(330)),
        },
        revisions: vec![
            Revision { number: 7, behaviour: Behaviour::default() },
            Revision { number: 8, behaviour: Behaviour::default() },
        ],
        places: vec![],
        start: Start {
            deployments: vec![StartDeployment {
                revision: 7,
                state: RolloutState::Completed,
                failed_tasks: 0,
                healthy: desired,
                running: 0,
                pending: 0,
                unhealthy: 0,
                stopping: 0,
            }],
            deploy: Some(8),
        },
        acts: vec![],
        quotas: Quotas::None,
        seed: 1,
        until: None,
        event_budget: EVENT_BUDGET_NATIVE,
    }
}

fn run(settings: Settings) -> (Simulation, Trace) {
    let mut sim = Simulation::new(settings);
    let mut trace = Trace::new();
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    assert_eq!(sim.violations(), []);
    (sim, trace)
}

fn completed_at(trace: &Trace) -> Option<u64> {
    trace.records.iter().find_map(|r| match r.what {
        What::Deployment { change: DeploymentChange::State(RolloutState::Completed), .. } => Some(r.at.ms() / S),
        _ => None,
    })
}

fn waves(trace: &Trace) -> usize {
    let mut at: Vec<SimTime> = trace
        .records
        .iter()
        .filter(|r| matches!(r.what, What::Task { task, change: TaskChange::Created { replacement: false, .. } } if task.name.revision == 8))
        .map(|r| r.at)
        .collect();
    at.dedup();
    at.len()
}

#[test]
fn one_wave_and_four_waves() {
    assert_eq!(completed_at(&run(settings(4, 100, 200)).1), Some(375), "H21");
    assert_eq!(completed_at(&run(settings(4, 100, 125)).1), Some(1500), "H22");
}

/// id, desired, minimum, maximum, waves in lockstep (0: stuck), waves by default, peak, low
const TABLE: &[(&str, u32, u32, u32, usize, usize, u32, u32)] = &[
    ("A01", 4, 100, 200, 1, 1, 8, 4),
    ("A02", 4, 50, 100, 2, 2, 4, 2),
    ("A04", 3, 100, 125, 0, 0, 3, 3),
    ("A06", 4, 0, 100, 1, 1, 4, 0),
    ("A10", 4, 100, 125, 4, 4, 5, 4),
    ("A12", 10, 90, 110, 6, 10, 11, 9),
    ("A13", 7, 33, 133, 2, 3, 9, 3),
    ("A14", 100, 29, 129, 2, 2, 129, 29),
    ("A15", 100, 7, 107, 2, 2, 107, 7),
    ("A16", 100, 100, 115, 7, 7, 115, 100),
    ("A17", 3, 34, 134, 2, 3, 4, 2),
    ("A18", 5, 80, 120, 3, 5, 6, 4),
    ("A20", 6, 50, 150, 2, 2, 9, 3),
    ("A21", 8, 75, 125, 3, 4, 10, 6),
    ("A22", 2, 50, 100, 2, 2, 2, 1),
    ("A24", 10, 100, 110, 10, 10, 11, 10),
    ("A25", 0, 100, 200, 0, 0, 0, 0),
    ("A26", 1000, 99, 101, 51, 100, 1010, 990),
    ("A27", 3, 100, 300, 1, 1, 6, 3),
];

#[test]
fn waves_peak_and_low() {
    for &(id, desired, minimum, maximum, lockstep, default, peak, low) in TABLE {
        for (start_first, expected) in [(true, lockstep), (false, default)] {
            let mut s = settings(desired, minimum, maximum);
            let PlatformSettings::Ecs(params) = &mut s.platform;
            params.readings.start_first = start_first;
            let (sim, trace) = run(s);
            let most = trace.samples.iter().map(|s| s.1.counted).max();
            let least = trace.samples.iter().map(|s| s.1.healthy()).min();
            assert_eq!(
                (waves(&trace), most, least),
                (expected, Some(peak), Some(low)),
                "{id} lockstep {start_first} {:?}",
                sim.frame().hold
            );
        }
    }
}
