//! Runs that gave way to another one and that an undo brings back, with their branches.

use rollscope_player::{KEYFRAME_BYTES, Player};

/// Most runs that are kept; the oldest go first, and start anew when they are asked for.
const KEPT_MAX: usize = 4;
/// Memory for the keyframes of a run that is kept, in bytes.
const KEPT_BYTES: usize = 8 << 20;

/// The number of the run that is looked at, and the runs that are kept.
#[derive(Default)]
pub struct Shelf {
    now: u32,
    kept: Vec<(u32, Player)>,
}

impl Shelf {
    /// Another run takes the place of the present one. A run without branches is not worth its memory.
    pub fn give_way(&mut self, player: Option<Player>, run: u32) {
        let old = std::mem::replace(&mut self.now, run);
        let Some(mut player) = player.filter(|player| player.branches().count() > 1) else { return };
        player.pause();
        player.set_memory(KEPT_BYTES);
        self.kept.retain(|(run, _)| *run != old);
        self.kept.push((old, player));
        if self.kept.len() > KEPT_MAX {
            self.kept.remove(0);
        }
    }

    /// True for the run that is looked at.
    pub fn is_now(&self, run: u32) -> bool {
        self.now == run
    }

    /// Takes a run that is kept.
    pub fn take(&mut self, run: u32) -> Option<Player> {
        let index = self.kept.iter().position(|(kept, _)| *kept == run)?;
        let (_, mut player) = self.kept.remove(index);
        player.set_memory(KEYFRAME_BYTES);
        Some(player)
    }
}
