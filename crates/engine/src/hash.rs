//! A hasher whose result is the same on every target.
//!
//! `core::hash` leaves the width of `usize` and the byte order of integers to the
//! machine. Here every integer is taken as 64 bits, so a state hashed natively and
//! in WebAssembly gives the same number.

use core::hash::{Hash, Hasher};
use core::ops::{Index, IndexMut};

/// A list that has grown from `FIRST` to `N` entries, of which a later one hashes only where it says
/// something: a state without it keeps the hash it had before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grown<T, const N: usize, const FIRST: usize>(pub [T; N]);

impl<T: Default, const N: usize, const FIRST: usize> Default for Grown<T, N, FIRST> {
    fn default() -> Self {
        Grown(core::array::from_fn(|_| T::default()))
    }
}

impl<T: Default + PartialEq + Hash, const N: usize, const FIRST: usize> Hash for Grown<T, N, FIRST> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (first, later) = self.0.split_at(FIRST.min(N));
        first.hash(state);
        for (i, entry) in later.iter().enumerate().filter(|(_, entry)| **entry != T::default()) {
            (i, entry).hash(state);
        }
    }
}

impl<T, const N: usize, const FIRST: usize> Index<usize> for Grown<T, N, FIRST> {
    type Output = T;
    fn index(&self, i: usize) -> &T {
        &self.0[i]
    }
}

impl<T, const N: usize, const FIRST: usize> IndexMut<usize> for Grown<T, N, FIRST> {
    fn index_mut(&mut self, i: usize) -> &mut T {
        &mut self.0[i]
    }
}

/// Mixes 64-bit words; not meant against an attacker, only to tell states apart.
#[derive(Clone, Copy, Debug)]
pub struct StateHasher(u64);

impl Default for StateHasher {
    fn default() -> Self {
        StateHasher(0x9e37_79b9_7f4a_7c15)
    }
}

/// The finaliser of SplitMix64 (Steele, Lea, Flood 2014).
pub const fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

impl Hasher for StateHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = 0u64;
            for (i, byte) in chunk.iter().enumerate() {
                word |= u64::from(*byte) << (8 * i);
            }
            self.write_u64(word ^ (chunk.len() as u64) << 56);
        }
    }
    fn write_u8(&mut self, i: u8) {
        self.write_u64(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.write_u64(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.write_u64(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.0 = mix(self.0.rotate_left(5) ^ i).wrapping_add(0x9e37_79b9_7f4a_7c15);
    }
    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }
    fn write_isize(&mut self, i: isize) {
        self.write_u64(i as i64 as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(of: &impl Hash) -> u64 {
        let mut h = StateHasher::default();
        of.hash(&mut h);
        h.finish()
    }

    #[test]
    fn an_entry_that_came_later_hashes_once_it_says_something() {
        assert_eq!(hash(&Grown::<u32, 5, 3>([1, 2, 3, 0, 0])), hash(&[1u32, 2, 3]));
        let all = [[1u32, 2, 3, 0, 0], [1, 2, 3, 4, 0], [1, 2, 3, 0, 4]].map(|list| hash(&Grown::<u32, 5, 3>(list)));
        assert!(all[0] != all[1] && all[1] != all[2] && all[0] != all[2]);
    }
}
