//! A shared pool (connections, licences): the tasks that run longest hold its places.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;

/// One pool with `limit` places. A task joins when it reaches RUNNING and leaves when it is
/// gone; the first `limit` in the order of joining are inside.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pool {
    /// Places.
    pub limit: u32,
    inside: BTreeSet<(u64, u32)>,
    waiting: BTreeSet<(u64, u32)>,
}

impl Pool {
    /// An empty pool.
    pub const fn new(limit: u32) -> Pool {
        Pool { limit, inside: BTreeSet::new(), waiting: BTreeSet::new() }
    }

    /// A task joins; `order` grows with every join. True when it got a place.
    pub fn join(&mut self, order: u64, slot: u32) -> bool {
        let free = self.inside.len() < self.limit as usize;
        if free { &mut self.inside } else { &mut self.waiting }.insert((order, slot));
        free
    }

    /// A task leaves; the slot of the task that inherits its place, if one waits.
    pub fn leave(&mut self, order: u64, slot: u32) -> Option<u32> {
        if !self.inside.remove(&(order, slot)) {
            self.waiting.remove(&(order, slot));
            return None;
        }
        let next = self.waiting.pop_first()?;
        self.inside.insert(next);
        Some(next.1)
    }

    /// True when the task has a place.
    pub fn holds(&self, order: u64, slot: u32) -> bool {
        self.inside.contains(&(order, slot))
    }
}

/// Pools by limit; few.
pub type Pools = Vec<Pool>;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_to_come_wait_for_those_before_them() {
        let mut pool = Pool::new(2);
        assert!(pool.join(1, 10) && pool.join(2, 11) && !pool.join(3, 12) && !pool.join(4, 13));
        assert_eq!(pool.leave(4, 13), None);
        assert_eq!(pool.leave(1, 10), Some(12));
        assert!(pool.holds(3, 12) && !pool.holds(1, 10));
        assert_eq!(pool.leave(2, 11), None);
    }
}
