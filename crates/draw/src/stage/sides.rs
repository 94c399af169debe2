//! Who stands behind which of two walls, while a deployment shifts traffic: the tasks of the revision that
//! has it (source, blue), and those of the revision that is to get it (target, green).
//!
//! A place belongs to a side, not to a number: slots are handed out by the engine as they come free, so each
//! side has its slots in the order of their numbers, and as many free places as it has tasks to come.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::order;
use rollscope_engine::trace::DeploymentId;

/// Most places of a side that are shown; a service has at most 5,000 tasks.
const PLACES_MAX: u32 = 10_000;

/// Which of the two walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// The old revision, blue: it keeps all of its tasks until clean-up.
    Source,
    /// The new revision, green.
    Target,
}

/// Both, in the order in which they stand.
pub const ROLES: [Role; 2] = [Role::Source, Role::Target];

/// A side for itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Head {
    /// Which it is.
    pub role: Role,
    /// The number of its revision.
    pub revision: u32,
    /// Lane of colour.
    pub lane: u8,
    /// Places before its wall: the desired count.
    pub places: u32,
}

/// The places of both sides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sides {
    heads: [Head; 2],
    slots: [Vec<u32>; 2],
    homes: Vec<Option<(u8, u32)>>,
}

fn lives(task: &TaskView) -> bool {
    !matches!(task.state, TaskState::Stopped | TaskState::Failed)
}

impl Sides {
    /// The sides of a moment, which are `last` again as long as no slot went to another one. `None` unless a
    /// deployment shifts traffic away from another one, or has done so last.
    pub fn of(frame: &Frame, last: Option<&Rc<Sides>>) -> Option<Rc<Sides>> {
        let shift = frame.shift.as_ref()?;
        let revisions = [shift.weights.blue?, shift.weights.green];
        Some(Sides::between(frame, [shift.blue?, shift.green], revisions, last))
    }

    /// The sides of two deployments, source and target.
    fn between(
        frame: &Frame,
        [blue, green]: [DeploymentId; 2],
        revisions: [u32; 2],
        last: Option<&Rc<Sides>>,
    ) -> Rc<Sides> {
        let places = frame.counts.limits.desired.min(PLACES_MAX);
        let role = |task: &TaskView| match () {
            () if task.deployment == green => Some(1),
            () if task.deployment == blue => Some(0),
            // Whatever else still runs is old.
            () if lives(task) => Some(0),
            () => None,
        };
        let (slots, homes) = share_out(frame, places as usize, role);
        let lane = |side: usize| {
            let of_it = |task: &&TaskView| task.name.revision == revisions[side];
            frame.slots.iter().flatten().find(of_it).map_or(side as u8, |task| task.lane)
        };
        let head = |side: usize| Head { role: ROLES[side], revision: revisions[side], lane: lane(side), places };
        let sides = Sides { heads: [head(0), head(1)], slots, homes };
        match last.filter(|last| ***last == sides) {
            Some(last) => Rc::clone(last),
            None => Rc::new(sides),
        }
    }

    /// Source and target.
    pub fn heads(&self) -> &[Head; 2] {
        &self.heads
    }

    /// The slots of a side, in the order of its places.
    pub fn slots(&self, side: usize) -> &[u32] {
        &self.slots[side]
    }

    /// Slots there are in all, free places included.
    pub fn len(&self) -> u32 {
        self.homes.len() as u32
    }

    /// True without any slot.
    pub fn is_empty(&self) -> bool {
        self.homes.is_empty()
    }

    /// Side and place of a slot; `None` for one that is shown nowhere: who stopped in it belongs to neither
    /// revision, and both have all their places.
    pub fn home(&self, slot: u32) -> Option<(usize, u32)> {
        let (side, place) = (*self.homes.get(slot as usize)?)?;
        Some((usize::from(side), place))
    }
}

type Shared = ([Vec<u32>; 2], Vec<Option<(u8, u32)>>);

/// Shares the slots out: who is there stands on his side; who has stopped stays in sight while his side has
/// a place for him; the other slots fill up the places, the target's first.
fn share_out(frame: &Frame, places: usize, role: impl Fn(&TaskView) -> Option<usize>) -> Shared {
    let (mut slots, mut gone, mut free) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()], Vec::new());
    for (slot, task) in (0..).zip(&frame.slots) {
        match task.as_ref().map(|task| (role(task), lives(task))) {
            Some((Some(side), true)) => slots[side].push(slot),
            Some((Some(side), false)) => gone[side].push(slot),
            _ => free.push(slot),
        }
    }
    for (side, gone) in gone.into_iter().enumerate() {
        let room = places.saturating_sub(slots[side].len()).min(gone.len());
        slots[side].extend_from_slice(&gone[..room]);
        free.extend_from_slice(&gone[room..]);
    }
    order::by_key(&mut free, |slot| *slot);
    let mut next = frame.slots.len() as u32;
    let mut free = free.into_iter();
    for side in [1, 0] {
        while slots[side].len() < places {
            slots[side].push(free.next().unwrap_or_else(|| {
                next += 1;
                next - 1
            }));
        }
    }
    let mut homes = vec![None; next as usize];
    for (side, slots) in (0..).zip(&mut slots) {
        order::by_key(slots, |slot| *slot);
        for (place, slot) in (0..).zip(slots.iter()) {
            homes[*slot as usize] = Some((side, place));
        }
    }
    (slots, homes)
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use rollscope_engine::frame::TaskState::{Failed, Healthy, Stopped, Waiting};

    fn between(tasks: &[(u32, u32, TaskState)], desired: u32, last: Option<&Rc<Sides>>) -> Rc<Sides> {
        let tasks = tasks.iter().map(|&(slot, revision, state)| {
            let mut task = task(slot, revision, slot, state);
            task.deployment = DeploymentId(revision as u16 - 6);
            task
        });
        let mut frame = frame(0, tasks.collect());
        frame.counts.limits.desired = desired;
        Sides::between(&frame, [DeploymentId(1), DeploymentId(2)], [7, 8], last)
    }

    #[test]
    fn each_revision_has_its_own_places_and_free_ones_are_the_targets_first() {
        let sides = between(&[(0, 7, Healthy), (1, 7, Healthy), (2, 7, Healthy), (3, 8, Waiting)], 3, None);
        assert_eq!((sides.slots(0), sides.slots(1)), (&[0, 1, 2][..], &[3, 4, 5][..]));
        assert_eq!(sides.heads().map(|head| (head.revision, head.lane, head.places)), [(7, 0, 3), (8, 1, 3)]);
        assert_eq!((sides.home(1), sides.home(4), sides.home(9)), (Some((0, 1)), Some((1, 1)), None));
    }

    #[test]
    fn who_stopped_stays_on_its_side_while_there_is_a_place_for_it() {
        let tasks =
            [(0, 7, Healthy), (1, 7, Stopped), (2, 8, Failed), (3, 8, Healthy), (4, 7, Healthy), (5, 9, Stopped)];
        let sides = between(&tasks, 2, None);
        // Two of r7 are there: the stopped one has no place beside them.
        assert_eq!((sides.slots(0), sides.slots(1)), (&[0, 4][..], &[2, 3][..]));
        assert_eq!((sides.home(1), sides.home(5)), (None, None));
    }

    #[test]
    fn more_tasks_than_places_are_all_shown() {
        let sides = between(&[(0, 7, Healthy), (1, 7, Healthy), (2, 7, Healthy), (3, 8, Healthy)], 2, None);
        assert_eq!((sides.slots(0).len(), sides.slots(1).len(), sides.len()), (3, 2, 5));
    }

    #[test]
    fn every_place_is_the_home_of_its_slot() {
        for desired in 0..9 {
            let tasks: Vec<_> =
                (0..11).map(|slot| (slot, 6 + slot % 3, [Healthy, Stopped][slot as usize % 2])).collect();
            let sides = between(&tasks, desired, None);
            for side in [0, 1] {
                assert!(sides.slots(side).len() >= desired as usize);
                for (place, slot) in (0..).zip(sides.slots(side)) {
                    assert_eq!(sides.home(*slot), Some((side, place)));
                }
            }
            let homes = (0..sides.len()).filter(|slot| sides.home(*slot).is_some()).count();
            assert_eq!(homes, sides.slots(0).len() + sides.slots(1).len());
        }
    }

    #[test]
    fn the_sides_stay_the_same_until_a_slot_goes_to_another_one() {
        let tasks = |state| vec![(0, 7, state), (1, 7, Healthy)];
        let first = between(&tasks(Healthy), 2, None);
        assert!(Rc::ptr_eq(&first, &between(&tasks(Waiting), 2, Some(&first))));
        assert!(!Rc::ptr_eq(&first, &between(&tasks(Waiting), 3, Some(&first))));
        assert!(Sides::of(&frame(0, Vec::new()), None).is_none());
    }
}
