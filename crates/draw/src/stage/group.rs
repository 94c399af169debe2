//! Slots in another order than their number: tasks of one revision, or of one zone, beside each other.

use std::rc::Rc;

use rollscope_engine::Frame;
use rollscope_engine::frame::TaskView;
use rollscope_engine::order;

use super::plan::Level;

/// What stands beside each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Grouping {
    /// Slots by number: a task never moves. The default.
    #[default]
    Slot,
    /// Tasks of a revision, the oldest revision first.
    Revision,
    /// Tasks of an availability zone.
    Zone,
    /// Tasks in the frame of the instance they run on: [`crate::hosts`].
    Instance,
}

/// What the slots of a group have in common; in the order in which groups stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum GroupKey {
    /// The revision's number and its lane of colour.
    Revision(u32, u8),
    /// Index of the zone, from 0.
    Zone(u8),
    /// Slots that were never used.
    Free,
}

/// Slots that stand beside each other, under one caption.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Group {
    /// What they have in common.
    pub key: GroupKey,
    /// First place of the group, from 0.
    pub first: u32,
    /// Number of its slots, at least 1.
    pub slots: u32,
}

/// The place of every slot in a grouped stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    by: Grouping,
    keys: Vec<GroupKey>,
    places: Vec<u32>,
    slots: Vec<u32>,
    groups: Vec<Group>,
}

impl Order {
    /// The order for a frame with `slots` slots, which is `last` again as long as no slot went to
    /// another group. `None` by slot, and where slots are not grouped: as cards (up to 8) and far
    /// away (from 2,501).
    pub fn of(frame: &Frame, slots: u32, by: Grouping, last: Option<&Rc<Order>>) -> Option<Rc<Order>> {
        if matches!(by, Grouping::Slot | Grouping::Instance) || matches!(Level::of(slots), Level::Cards | Level::Far) {
            return None;
        }
        let same = |last: &&Rc<Order>| {
            last.by == by
                && last.keys.len() == slots as usize
                && (0..slots).all(|slot| last.keys[slot as usize] == key(task(frame, slot), by))
        };
        last.filter(same).cloned().or_else(|| Some(Rc::new(Order::new(frame, slots, by))))
    }

    fn new(frame: &Frame, slots: u32, by: Grouping) -> Order {
        let keys: Vec<GroupKey> = (0..slots).map(|slot| key(task(frame, slot), by)).collect();
        let mut order: Vec<u32> = (0..slots).collect();
        // Stable: inside a group slots stay in the order of their numbers.
        order::by_key(&mut order, |&slot| keys[slot as usize]);
        let mut places = vec![0; slots as usize];
        let mut groups: Vec<Group> = Vec::new();
        for (place, &slot) in order.iter().enumerate() {
            places[slot as usize] = place as u32;
            let key = keys[slot as usize];
            match groups.last_mut() {
                Some(group) if group.key == key => group.slots += 1,
                _ => groups.push(Group { key, first: place as u32, slots: 1 }),
            }
        }
        Order { by, keys, places, slots: order, groups }
    }

    /// Number of slots.
    pub fn len(&self) -> u32 {
        self.slots.len() as u32
    }

    /// True without slots.
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// The groups, in the order of their places.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The place of a slot; its own number beyond the order.
    pub fn place(&self, slot: u32) -> u32 {
        self.places.get(slot as usize).copied().unwrap_or(slot)
    }

    /// The slot at a place; the place's own number beyond the order.
    pub fn slot(&self, place: u32) -> u32 {
        self.slots.get(place as usize).copied().unwrap_or(place)
    }
}

fn task(frame: &Frame, slot: u32) -> Option<&TaskView> {
    frame.slots.get(slot as usize).and_then(Option::as_ref)
}

fn key(task: Option<&TaskView>, by: Grouping) -> GroupKey {
    match task {
        None => GroupKey::Free,
        Some(task) if by == Grouping::Zone => GroupKey::Zone(task.zone),
        Some(task) => GroupKey::Revision(task.name.revision, task.lane),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests_frame::{frame, task};
    use super::*;
    use rollscope_engine::frame::TaskState::Healthy;

    fn mixed() -> Frame {
        frame(0, vec![task(0, 8, 1, Healthy), task(1, 7, 1, Healthy), task(3, 8, 2, Healthy), task(4, 7, 2, Healthy)])
    }

    #[test]
    fn revisions_stand_together_and_free_slots_last() {
        let order = Order::of(&mixed(), 9, Grouping::Revision, None).expect("grouped");
        assert_eq!((0..9).map(|place| order.slot(place)).collect::<Vec<_>>(), [1, 4, 0, 3, 2, 5, 6, 7, 8]);
        assert!((0..9).all(|slot| order.slot(order.place(slot)) == slot));
        let keys: Vec<_> = order.groups().iter().map(|group| (group.key, group.first, group.slots)).collect();
        let revision = |number, lane| GroupKey::Revision(number, lane);
        assert_eq!(keys, [(revision(7, 0), 0, 2), (revision(8, 1), 2, 2), (GroupKey::Free, 4, 5)]);
    }

    #[test]
    fn zones_stand_together() {
        let mut frame = mixed();
        for (slot, zone) in [(0, 2), (1, 0), (3, 0), (4, 1)] {
            if let Some(task) = &mut frame.slots[slot] {
                task.zone = zone;
            }
        }
        let order = Order::of(&frame, 9, Grouping::Zone, None).expect("grouped");
        assert_eq!((0..4).map(|place| order.slot(place)).collect::<Vec<_>>(), [1, 3, 4, 0]);
    }

    #[test]
    fn an_order_is_kept_until_a_slot_changes_its_group() {
        let first = Order::of(&mixed(), 9, Grouping::Revision, None).expect("grouped");
        let again = Order::of(&mixed(), 9, Grouping::Revision, Some(&first)).expect("grouped");
        assert!(Rc::ptr_eq(&first, &again));
        let mut moved = mixed();
        moved.slots[1] = Some(task(1, 8, 3, Healthy));
        let other = Order::of(&moved, 9, Grouping::Revision, Some(&first)).expect("grouped");
        assert_eq!((other.place(1), first.place(1)), (2, 0));
    }

    #[test]
    fn nothing_is_grouped_by_slot_nor_as_cards_nor_far_away() {
        assert!(Order::of(&mixed(), 9, Grouping::Slot, None).is_none());
        assert!(Order::of(&mixed(), 8, Grouping::Zone, None).is_none());
        assert!(Order::of(&mixed(), 2_501, Grouping::Zone, None).is_none());
    }
}
