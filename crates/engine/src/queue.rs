//! The future event list: a binary heap keyed by time, class and sequence.
//!
//! Three independent engines (ns-3, SimPy, NeXosim) order equal times by a sequence
//! number; so does this one, after the class of the event. Nothing is ever removed from
//! the middle: an event that no longer holds is recognised by its owner when it comes up.

use alloc::vec::Vec;

use crate::time::SimTime;

/// Class of an event at one instant: state changes of tasks, then results of probes, then timers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum EventClass {
    /// A task reaches its next state.
    State = 0,
    /// A check changes its verdict.
    Probe = 1,
    /// A period of time is over.
    Timer = 2,
}

/// One entry: when, and for whom. The stamp tells whether its owner still waits for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Entry {
    /// When it is due.
    pub at: SimTime,
    /// Class and sequence in one word, class in the top byte.
    order: u64,
    /// Slot of the task it is for.
    pub slot: u32,
    /// Stamp of the owner when it was scheduled.
    pub stamp: u32,
}

impl Entry {
    fn key(&self) -> (SimTime, u64) {
        (self.at, self.order)
    }
}

/// The future event list.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Queue {
    heap: Vec<Entry>,
    sequence: u64,
}

impl Queue {
    /// Events that wait, those that no longer hold included.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// True when nothing waits.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// The entry that comes next.
    pub fn peek(&self) -> Option<&Entry> {
        self.heap.first()
    }

    /// Adds an event.
    pub fn push(&mut self, at: SimTime, class: EventClass, slot: u32, stamp: u32) {
        let order = (class as u64) << 56 | self.sequence;
        self.sequence += 1;
        self.heap.push(Entry { at, order, slot, stamp });
        self.sift_up(self.heap.len() - 1);
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<Entry> {
        let last = self.heap.len().checked_sub(1)?;
        self.heap.swap(0, last);
        let entry = self.heap.pop();
        self.sift_down(0);
        entry
    }

    fn sift_up(&mut self, mut i: usize) {
        let entry = self.heap[i];
        while i > 0 {
            let parent = (i - 1) / 2;
            if self.heap[parent].key() <= entry.key() {
                break;
            }
            self.heap[i] = self.heap[parent];
            i = parent;
        }
        self.heap[i] = entry;
    }

    /// Moves the hole down, then the entry into it: one write a level.
    fn sift_down(&mut self, mut i: usize) {
        let Some(entry) = self.heap.get(i).copied() else { return };
        loop {
            let left = 2 * i + 1;
            let Some(first) = self.heap.get(left) else { break };
            let child = match self.heap.get(left + 1) {
                Some(second) if second.key() < first.key() => left + 1,
                _ => left,
            };
            if entry.key() <= self.heap[child].key() {
                break;
            }
            self.heap[i] = self.heap[child];
            i = child;
        }
        self.heap[i] = entry;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_times_come_by_class_then_in_order_of_arrival() {
        let mut queue = Queue::default();
        let at = SimTime(5);
        queue.push(at, EventClass::Timer, 1, 0);
        queue.push(at, EventClass::State, 2, 0);
        queue.push(at, EventClass::Probe, 3, 0);
        queue.push(at, EventClass::State, 4, 0);
        queue.push(SimTime(4), EventClass::Timer, 5, 0);
        let order: Vec<u32> = core::iter::from_fn(|| queue.pop()).map(|e| e.slot).collect();
        assert_eq!(order, [5, 2, 4, 3, 1]);
    }

    #[test]
    fn pops_in_time_order() {
        let mut queue = Queue::default();
        let mut x = 7u64;
        for i in 0..500 {
            x = crate::hash::mix(x + i);
            queue.push(SimTime(x % 97), EventClass::State, i as u32, 0);
        }
        let times: Vec<u64> = core::iter::from_fn(|| queue.pop()).map(|e| e.at.ms()).collect();
        assert_eq!(times.len(), 500);
        assert!(times.is_sorted());
    }
}
