//! No two states of the sheet look the same, at any level.

use plotters::backend::SVGBackend;
use plotters_backend::DrawingBackend;
use rollscope_draw::{Palette, stage};
use rollscope_engine::SimTime;
use rollscope_engine::frame::{TaskState, TaskView};
use rollscope_engine::settings::TaskName;

use crate::frames::{Mute, Plain, STATES, frame, layout};

/// One box with a task, or a square of a hundred, in a state, without its words.
fn picture(slots: u32, css_width: f64, ratio: f64, state: TaskState) -> String {
    let layout = layout(slots, css_width, ratio);
    let mut frame = frame(slots.min(100), |_| state);
    // Timed or not, in its grace or not: the state alone must make the difference.
    for task in frame.slots.iter_mut().flatten() {
        task.until = None;
        task.grace_until = None;
    }
    let mut text = String::new();
    {
        let mut backend = SVGBackend::with_string(&mut text, (layout.width as u32, layout.height as u32));
        stage::paint(&mut backend, &layout, &frame, &[0], None, &Palette::light(), &Mute).expect("painted");
        backend.present().expect("present");
    }
    text
}

#[test]
fn every_state_is_drawn_differently_at_every_level() {
    for (slots, css_width) in [
        (4, 756.0),
        (6, 358.0),
        (24, 756.0),
        (100, 756.0),
        (160, 358.0),
        (1_000, 756.0),
        (2_500, 358.0),
        (10_000, 756.0),
        (10_000, 358.0),
    ] {
        for ratio in [1.0, 1.25, 2.0] {
            let pictures: Vec<_> =
                STATES.iter().map(|&state| (state, picture(slots, css_width, ratio, state))).collect();
            for (k, (state, drawn)) in pictures.iter().enumerate() {
                let same = pictures[..k].iter().find(|(_, other)| other == drawn).map(|(state, _)| state);
                assert_eq!(same, None, "{state:?} of {slots} at {css_width} x {ratio}");
            }
        }
    }
}

/// Words with the time that is left.
struct Timed;

impl stage::Words for Timed {
    fn name(&self, name: TaskName) -> String {
        Plain.name(name)
    }
    fn state(&self, state: TaskState) -> String {
        Plain.state(state)
    }
    fn note(&self, task: &TaskView, at: SimTime) -> String {
        Plain.note(task, at)
    }
    fn left(&self, _: &TaskView, _: SimTime) -> String {
        "0:04".into()
    }
    fn ceiling(&self, ceiling: u32) -> String {
        Plain.ceiling(ceiling)
    }
}

#[test]
fn a_state_that_ends_by_itself_tells_when_on_every_card() {
    let timed =
        [TaskState::Waiting, TaskState::Starting, TaskState::Checking, TaskState::Draining, TaskState::Stopping];
    for slots in 1..=8 {
        for css_width in [328.0, 358.0, 480.0, 596.0, 620.0, 756.0, 1_100.0] {
            for (state, ratio) in timed.iter().flat_map(|state| [(*state, 1.0), (*state, 2.0)]) {
                let layout = layout(slots, css_width, ratio);
                let mut text = String::new();
                {
                    let mut backend = SVGBackend::with_string(&mut text, (layout.width as u32, layout.height as u32));
                    let (frame, palette) = (frame(slots, |_| state), Palette::light());
                    stage::paint(&mut backend, &layout, &frame, &[0], None, &palette, &Timed).expect("painted");
                    backend.present().expect("present");
                }
                assert!(text.contains("0:04"), "{state:?}, {slots} slots at {css_width} x {ratio}");
            }
        }
    }
}

#[test]
fn a_failure_is_red_at_every_level() {
    for slots in [1, 8, 24, 160, 2_500, 10_000] {
        for state in [TaskState::Failed, TaskState::Unhealthy] {
            assert!(picture(slots, 756.0, 1.0, state).contains("#B70C2C"), "{state:?} of {slots}");
        }
        assert!(!picture(slots, 756.0, 1.0, TaskState::Draining).contains("#B70C2C"), "{slots}");
    }
}
