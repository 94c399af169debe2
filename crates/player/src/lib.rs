//! The player: a run computed ahead, and a cursor that moves over it.
//!
//! ```text
//! Player::new(settings)      nothing is computed yet
//! advance(budget)            computes ahead, a slice at a time; false when the run is complete
//! timeline()                 records, samples and the moments worth stopping at
//! seek(t), step(..)          the cursor moves; the state there is exactly that of the run
//! seek_end()                 it goes to the end, and along with it while that is not known
//! frame()                    the state at the cursor
//! play(), tick(dt)           the cursor moves by itself
//! act(command)               the future branches at the cursor; the old one is kept
//! replace_act(command)       the same for a dial that is dragged: one act instead of many
//! undo(), redo()             takes an act back, and makes it again as it was
//! ```
//!
//! Law: [`Player::seek`] to a moment, `advance_to` that moment from zero, and any sequence of
//! seeks that ends there give the same `state_hash`.
//!
//! Only the branches and the cursor are state; a clock is what the caller says it is.

mod branch;
mod clock;
mod history;
mod keyframes;
mod player;
mod step;
mod timeline;

pub use branch::{BranchId, BranchView};
pub use clock::{Clock, FIT_MS, PlayState, SPEED_MAX, SPEED_MIN, Speed, TICK_MAX_MS};
pub use history::UNDONE_MAX;
pub use player::{KEYFRAME_BYTES, Player};
pub use step::StepUnit;
pub use timeline::{Fold, Timeline, is_failure};
