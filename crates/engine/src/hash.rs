//! A hasher whose result is the same on every target.
//!
//! `core::hash` leaves the width of `usize` and the byte order of integers to the
//! machine. Here every integer is taken as 64 bits, so a state hashed natively and
//! in WebAssembly gives the same number.

use core::hash::Hasher;

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
