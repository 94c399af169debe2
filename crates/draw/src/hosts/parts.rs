//! What of a resource is used, held and free, as lengths.

use rollscope_engine::frame::{Frame, HostView, LANES, TaskState, Usage};

/// Who has a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Who {
    /// Other services.
    Others,
    /// Tasks of a lane of colour that run or will.
    Tasks(u8),
    /// Tasks of a lane of colour on their way out, which hold what they have until they are gone.
    Leaving(u8),
}

/// Tasks of one instance by lane: those that run or will, and those on their way out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tally {
    pub active: [u32; LANES],
    pub leaving: [u32; LANES],
}

impl Tally {
    /// The tallies of all instances of a frame: one pass over the tasks.
    pub fn all(frame: &Frame) -> Vec<Tally> {
        let mut tallies = vec![Tally::default(); frame.hosts.len()];
        for task in frame.slots.iter().flatten() {
            let Some(tally) = task.host.and_then(|host| tallies.get_mut(host as usize)) else { continue };
            let lane = usize::from(task.lane).min(LANES - 1);
            match task.state {
                TaskState::Draining | TaskState::Stopping => tally.leaving[lane] += 1,
                TaskState::Stopped | TaskState::Failed => {}
                _ => tally.active[lane] += 1,
            }
        }
        tallies
    }
}

/// The parts of a bar `length` pixels long, one behind the other from 0: who, and up to where. Sums are
/// rounded, not parts, so the last edge is where what is used ends.
pub fn parts(usage: &Usage, tally: &Tally, length: i32) -> Vec<(Who, i32)> {
    let total = u64::from(usage.total.max(1));
    let lanes = |whole: u32, of: [u32; LANES]| {
        let all: u64 = of.iter().map(|n| u64::from(*n)).sum();
        of.map(|n| u64::from(whole) * u64::from(n) / all.max(1))
    };
    let tasks = lanes(usage.tasks, tally.active).into_iter().zip(0u8..).map(|(n, lane)| (Who::Tasks(lane), n));
    let leaving = lanes(usage.leaving, tally.leaving).into_iter().zip(0u8..).map(|(n, lane)| (Who::Leaving(lane), n));
    let all = [(Who::Others, u64::from(usage.others))].into_iter().chain(tasks).chain(leaving);
    let mut sum = 0;
    let edge = |(who, amount): (Who, u64)| {
        sum += amount;
        let until = (sum.min(total) * length.max(0) as u64 + total / 2) / total;
        (amount > 0).then_some((who, until as i32))
    };
    all.filter_map(edge).collect()
}

/// The resource of which the least share is free: it fills up first.
pub fn tightest(host: &HostView) -> Usage {
    let all = [Some(host.cpu), Some(host.memory), host.interfaces].into_iter().flatten();
    let share = |usage: &Usage| {
        u64::from(usage.total - usage.free().min(usage.total)) * 1_000_000 / u64::from(usage.total.max(1))
    };
    // Of equal shares the first.
    all.rev().max_by_key(share).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, host};
    use super::*;
    use rollscope_engine::frame::TaskState::{Draining, Healthy};

    #[test]
    fn what_is_used_and_held_stands_one_behind_the_other() {
        let mut view = host(1, 0, 2, 1);
        view.cpu.others = 256;
        let frame = frame(vec![view], &[(Some(0), 7, Draining), (Some(0), 7, Healthy), (Some(0), 8, Healthy)]);
        let tally = Tally::all(&frame)[0];
        assert_eq!((tally.active, tally.leaving), ([1, 1, 0], [1, 0, 0]));
        // 256, 512, 512 and 512 of 2,048 on 80 pixels.
        let expected = [(Who::Others, 10), (Who::Tasks(0), 30), (Who::Tasks(1), 50), (Who::Leaving(0), 70)];
        assert_eq!(parts(&view.cpu, &tally, 80), expected);
        assert_eq!(tightest(&view), view.cpu);
    }

    #[test]
    fn parts_never_reach_beyond_the_bar() {
        let usage = Usage { total: 100, others: 90, tasks: 30, leaving: 30 };
        let tally = Tally { active: [3, 0, 0], leaving: [3, 0, 0] };
        assert!(parts(&usage, &tally, 50).iter().all(|(_, until)| *until <= 50));
        assert!(parts(&Usage::default(), &Tally::default(), 50).is_empty());
    }
}
