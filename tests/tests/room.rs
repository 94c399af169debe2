//! Laws of instances, over random clusters and what happens to them.
#![cfg(not(target_arch = "wasm32"))]

use proptest::prelude::*;
use rollscope_engine::frame::Usage;
use rollscope_engine::mechanism::host::HostState;
use rollscope_engine::settings::{
    Act, Behaviour, Capacity, Cluster, Command, HostSpec, Needs, Placement, Revision, Settings,
};
use rollscope_engine::simulation::{Snapshot, SnapshotTaker};
use rollscope_engine::trace::{Decision, Reason, What};
use rollscope_engine::{Ending, Frame, SimTime, Simulation, Step, Trace};
use rollscope_tests::dice::Dice;
use rollscope_tests::runs::run;

fn within(usage: &Usage) -> bool {
    let taken = u64::from(usage.others) + u64::from(usage.tasks) + u64::from(usage.leaving);
    // What others use beyond the instance is not the service's doing.
    usage.tasks + usage.leaving == 0 || taken <= u64::from(usage.total)
}

/// No instance is over its resources or ports, and its books are those of the tasks.
fn holds(frame: &Frame) -> Result<(), TestCaseError> {
    for (index, host) in (0u32..).zip(&frame.hosts) {
        prop_assert!(within(&host.cpu) && within(&host.memory), "{host:?}");
        prop_assert!(host.interfaces.as_ref().is_none_or(within), "{host:?}");
        prop_assert!(host.port_taken.is_none() || host.tasks + host.leaving <= 1, "one fixed port: {host:?}");
        let here = frame.slots.iter().flatten().filter(|task| task.host == Some(index) && task.stop_reason.is_none());
        prop_assert_eq!(here.count() as u32, host.tasks + host.leaving);
        let empty = matches!(host.state, HostState::Gone | HostState::Coming(_));
        prop_assert!(!empty || host.tasks + host.leaving == 0, "nobody runs where nothing is: {host:?}");
    }
    Ok(())
}

fn at(settings: &Settings, t: SimTime) -> Simulation {
    let mut sim = Simulation::new(settings.clone());
    sim.advance_to(t, &mut Trace::null());
    sim
}

proptest! {
    #[test]
    fn no_instance_is_over_its_resources_and_no_task_is_lost(seed: u64) {
        let mut sim = Simulation::new(Dice::new(seed).on_instances());
        let mut trace = Trace::null();
        let mut moment = SimTime::ZERO;
        while !matches!(sim.step(&mut trace), Step::Ended(_)) {
            if sim.now() > moment {
                moment = sim.now();
                holds(&sim.frame())?;
            }
        }
        holds(&sim.frame())?;
        // The guards keep books of every task of their own.
        prop_assert_eq!(sim.violations(), &[]);
    }

    #[test]
    fn rebalancing_comes_to_rest(seed: u64) {
        let mut dice = Dice::new(seed);
        let mut settings = dice.on_instances();
        // Nothing is deployed and nothing happens: whatever moves, moves for the sake of the zones.
        settings.start.deploy = None;
        settings.start.deployments.truncate(1);
        settings.acts.clear();
        settings.containers.clear();
        settings.target_groups.clear();
        (settings.scaling, settings.until, settings.rebalancing) = (None, None, true);
        for revision in &mut settings.revisions {
            *revision = Revision::new(revision.number, Behaviour::default());
        }
        let (sim, trace) = run(&settings);
        prop_assert_eq!(sim.violations(), &[]);
        let moves = trace.records.iter().filter(|record| {
            matches!(record.what, What::Decision(Decision { reason: Reason::Rebalances { .. }, .. }))
        });
        let tasks = sim.counts().limits.desired.max(sim.counts().physical());
        prop_assert!(moves.count() as u32 <= tasks, "more moves than tasks");
    }

    #[test]
    fn snapshots_and_detours_end_in_the_same_state(seed: u64, cut in 0u64..600_000, more in 0u64..600_000) {
        let settings = Dice::new(seed).on_instances();
        let direct = at(&settings, SimTime(cut + more));
        let mut taker = SnapshotTaker::default();
        let mut sim = Simulation::new(settings);
        let first = taker.take(&sim, true);
        sim.advance_to(SimTime(cut), &mut Trace::null());
        let second = taker.take(&sim, false);
        let mut restored = Snapshot::restore(&[&first, &second]).expect("the chain begins with a whole one");
        prop_assert_eq!(&restored, &sim);
        restored.advance_to(SimTime(cut + more), &mut Trace::null());
        prop_assert_eq!(restored.state_hash(), direct.state_hash());
        prop_assert_eq!(restored, direct);
    }

    #[test]
    fn an_act_by_hand_equals_the_act_from_a_document(seed: u64, moment in 0u64..400_000) {
        let mut dice = Dice::new(seed);
        let settings = dice.on_instances();
        let command = dice.instance_command();
        let mut by_hand = at(&settings, SimTime(moment));
        prop_assume!(!matches!(by_hand.ending(), Some(Ending::EventBudget)));
        let before = by_hand.acts().len();
        let moment = by_hand.now();
        by_hand.apply(command.clone(), &mut Trace::null());
        let mut written = settings;
        written.acts.push(Act { at: moment, command });
        written.acts.sort_by_key(|act| act.at);
        let mut from_document = at(&written, moment);
        if by_hand.acts().len() == before {
            // Not one event is left for it, which is the end of the other as well.
            prop_assert_eq!(from_document.ending(), Some(Ending::EventBudget));
            return Ok(());
        }
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
        by_hand.advance_to(moment + 300_000, &mut Trace::null());
        from_document.advance_to(moment + 300_000, &mut Trace::null());
        prop_assert_eq!(by_hand.state_hash(), from_document.state_hash());
    }
}

#[test]
fn a_lost_instance_loses_no_task_for_good() {
    // Four tasks on four instances with room for two each; two instances fail.
    let mut settings = rollscope_tests::base::settings(4, 100, 200);
    settings.start.deploy = None;
    let spec = |zone: u8| HostSpec {
        cpu: 512,
        memory: 1_024,
        interfaces: u32::MAX,
        zone,
        used_cpu: 0,
        used_memory: 0,
        used_interfaces: 0,
        used_port: false,
        from: SimTime::ZERO,
    };
    settings.capacity = Capacity::Ec2(Box::new(Cluster {
        hosts: (0..4).map(|n| spec(n % 3)).collect(),
        first_kind: 4,
        needs: Needs { cpu: 256, memory: 512, interface: false, port: false, alone: false },
        strategy: Placement::default(),
        daemon: false,
        provider: None,
    }));
    for number in [1, 2] {
        settings.acts.push(Act { at: SimTime(60_000), command: Command::LoseInstance(number) });
    }
    let before = at(&settings, SimTime(59_999)).counts();
    assert_eq!((before.healthy(), before.physical()), (4, 4));
    let lost = at(&settings, SimTime(60_000)).counts();
    assert_eq!((lost.healthy(), lost.physical()), (2, 4), "both are made good at once");
    // 5 + 10 s to RUNNING, 40 s without a check.
    let after = at(&settings, SimTime(115_000)).counts();
    assert_eq!((after.healthy(), after.physical()), (4, 4));
}
