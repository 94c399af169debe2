//! The picture before a change fades out over the one after it.
//!
//! The browser does the fading: the old picture lies on a canvas above, whose opacity the style
//! sheet takes to nothing. So a change costs one copy and no frame, and a visitor who wants no
//! motion has none, because the style sheet's duration is 0 then.

use rollscope_engine::Frame;
use rollscope_engine::frame::TaskState;
use rollscope_engine::settings::TaskName;

use crate::canvas::Surface;

/// Changes that follow each other faster than this many milliseconds do not fade.
const LEAST_MS: f64 = 125.0;

/// What was shown, as far as it fades.
#[derive(Default)]
pub struct Fade {
    shown: Vec<Option<(TaskName, TaskState)>>,
    last: f64,
}

impl Fade {
    /// The picture is drawn anew: nothing fades.
    pub fn forget(&mut self, over: &Surface) {
        self.shown.clear();
        set(over, "gone");
    }

    /// Called before a moment is painted: keeps the picture that is there, if a state changes and
    /// the last change is not too near.
    pub fn before(&mut self, over: &mut Surface, under: [&Surface; 2], frame: &Frame, now: f64) {
        let states: Vec<_> = frame.slots.iter().map(|slot| slot.map(|task| (task.name, task.state))).collect();
        if states == self.shown {
            return;
        }
        let first = self.shown.is_empty();
        let slow = now - self.last >= LEAST_MS;
        self.shown = states;
        self.last = now;
        if first || !slow {
            return set(over, "gone");
        }
        let [strip, stage] = under;
        let height = strip.size().1 + stage.size().1;
        over.resize(stage.css_width, height as i32, stage.scale);
        over.copy_whole(strip, 0);
        over.copy_whole(stage, strip.size().1 as i32);
        // Two names by turns: a class that stays the same would not start again.
        let turn = if over.canvas().class_name() == "fade out-a" { "out-b" } else { "out-a" };
        set(over, turn);
    }
}

fn set(over: &Surface, class: &str) {
    over.canvas().set_class_name(&format!("fade {class}"));
}
