//! One instance at a moment, and the room on all of them.

use rollscope_engine::frame::HostView;
use rollscope_engine::mechanism::host::{HostState, RESOURCES, Resource};
use rollscope_engine::mechanism::placement::Shortage;
use rollscope_engine::settings::Needs;
use rollscope_engine::{Frame, SimTime, Simulation};

/// An instance at a moment, with what one more task would lack there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostStory {
    /// The instance.
    pub view: HostView,
    /// What one task takes.
    pub needs: Needs,
    /// What one more task would lack, by [`Resource`]; nothing on one that is not ACTIVE.
    pub lacks: [bool; RESOURCES],
    /// Why no instance at all takes one more task; absent where one does.
    pub shortage: Option<Shortage>,
}

/// Room on the instances at a moment, and who waits for some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HostRoom {
    /// Tasks that wait in PROVISIONING.
    pub waiting: u32,
    /// More tasks that find a place now.
    pub room: u32,
    /// Why none does.
    pub shortage: Option<Shortage>,
    /// What the nearest instance is short of, and how much of it: CPU units or MiB.
    pub short_by: Option<(Resource, u32)>,
    /// When the next instance registers.
    pub next: Option<SimTime>,
}

/// What one more task asks of the instances, and why none takes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// What one task takes.
    pub needs: Needs,
    /// Why no instance takes one more; absent where one does.
    pub shortage: Option<Shortage>,
}

impl Demand {
    /// The demand at the present moment of a run; `None` where tasks run on no instances.
    pub fn of(sim: &Simulation) -> Option<Demand> {
        Some(Demand { needs: sim.settings().cluster()?.needs, shortage: sim.shortage() })
    }
}

/// How much of CPU or memory one more task misses on an instance.
///
/// A task of 1,024 units on an instance with 512 free misses 512 units of CPU. Where neither is short (a
/// host port, an interface) nothing is missing in units.
fn missing(view: &HostView, needs: &Needs) -> Option<(Resource, u32)> {
    let short = |resource, need: u32, free: u32| need.checked_sub(free).filter(|n| *n > 0).map(|n| (resource, n));
    short(Resource::Cpu, needs.cpu, view.cpu.free())
        .or_else(|| short(Resource::Memory, needs.memory, view.memory.free()))
}

/// The instance people call `number`; `None` where there is none.
pub fn host(demand: &Demand, frame: &Frame, number: u32) -> Option<HostStory> {
    let needs = demand.needs;
    let view = *frame.hosts.get(number.checked_sub(1)? as usize)?;
    let held = view.tasks + view.leaving > 0;
    let all = [
        view.cpu.free() < needs.cpu,
        view.memory.free() < needs.memory,
        view.port_taken == Some(true),
        view.interfaces.is_some_and(|interfaces| interfaces.free() == 0),
        needs.alone && held,
    ];
    let lacks = if view.state == HostState::Active { all } else { [false; RESOURCES] };
    Some(HostStory { view, needs, lacks, shortage: demand.shortage })
}

/// The room on all instances.
pub fn host_room(demand: &Demand, frame: &Frame) -> HostRoom {
    let Demand { needs, shortage } = *demand;
    let nearest =
        shortage.and_then(|shortage| frame.hosts.get(u32::from(shortage.nearest[0]).checked_sub(1)? as usize));
    let arrives = frame.hosts.iter().filter_map(|host| match host.state {
        HostState::Coming(at) => Some(at),
        _ => None,
    });
    HostRoom {
        waiting: frame.waiting_for_instance,
        room: frame.hosts.iter().fold(0, |sum, host| host.room.saturating_add(sum)),
        shortage,
        short_by: nearest.and_then(|view| missing(view, &needs)),
        next: arrives.min(),
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::trace::Trace;
    use rollscope_scenario::Document;

    use super::*;

    fn at(text: &str, at: u64) -> (Option<Demand>, Frame) {
        let mut sim = Simulation::new(Document::from_text(text).document.resolve().expect("runs").settings);
        sim.advance_to(SimTime(at), &mut Trace::default());
        (Demand::of(&sim), sim.frame())
    }

    const FULL: &str = r#"{"service":{"desiredCount":4,"launchType":"EC2"},
        "capacity":{"instances":[{"count":2}],"task":{"cpu":1024}}}"#;

    #[test]
    fn a_full_instance_says_what_is_short() {
        let (Some(demand), frame) = at(FULL, 1_000) else { panic!("no instances") };
        let story = host(&demand, &frame, 1).expect("an instance");
        assert_eq!((story.view.tasks, story.view.room), (2, 0));
        assert!(story.lacks[Resource::Cpu as usize] && !story.lacks[Resource::Memory as usize]);
        let room = host_room(&demand, &frame);
        assert_eq!((room.room, room.waiting, room.short_by), (0, 0, Some((Resource::Cpu, 1_024))));
        assert_eq!(room.shortage.map(|shortage| shortage.instances), Some(2));
        assert!(host(&demand, &frame, 3).is_none() && host(&demand, &frame, 0).is_none());
    }

    #[test]
    fn what_every_instance_lacks_is_what_the_engine_counts() {
        for text in [
            FULL,
            r#"{"service":{"desiredCount":1,"launchType":"EC2"},"capacity":{"instances":[{}],"task":{"hostPorts":[30000]}}}"#,
            r#"{"service":{"schedulingStrategy":"DAEMON"},"capacity":{"instances":[{"count":3}]}}"#,
            r#"{"service":{"desiredCount":4,"launchType":"EC2"},"capacity":{"instances":[{"count":2,"cpu":8192,"memory":2048}],
                "task":{"cpu":256,"memory":1024}}}"#,
        ] {
            let (Some(demand), frame) = at(text, 0) else { panic!("no instances in {text}") };
            let shortage = demand.shortage.expect("no room");
            let mut short = [0u16; RESOURCES];
            for number in 1..=frame.hosts.len() as u32 {
                let story = host(&demand, &frame, number).expect("an instance");
                for (count, lacks) in short.iter_mut().zip(story.lacks) {
                    *count += u16::from(lacks);
                }
            }
            assert_eq!(short, shortage.short, "{text}");
        }
    }

    #[test]
    fn fargate_has_no_instances() {
        assert_eq!(at(r#"{"service":{"desiredCount":4}}"#, 0).0, None);
    }
}
