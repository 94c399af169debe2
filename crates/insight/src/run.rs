//! A finished (or half finished) run, wherever it was computed.

use rollscope_engine::frame::Counts;
use rollscope_engine::mechanism::traffic::Flow;
use rollscope_engine::settings::Settings;
use rollscope_engine::trace::{Record, What};
use rollscope_engine::{Ending, SimTime, Simulation, Step, Trace};
use rollscope_player::Player;

/// A run that was computed in one go.
#[derive(Clone, Debug)]
pub struct Run {
    /// What happened.
    pub trace: Trace,
    /// The state at its end.
    pub end: Simulation,
}

/// What insight reads of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunView<'a> {
    /// What happened, in order.
    pub records: &'a [Record],
    /// Counts at the end of every instant at which they changed.
    pub samples: &'a [(SimTime, Counts)],
    /// The requests from the end of every instant on at which that changed; empty without traffic.
    pub flows: &'a [(SimTime, Flow)],
    /// The state at the end, or as far as it is computed.
    pub end: &'a Simulation,
}

/// Computes a run to its end.
pub fn run_to_end(settings: Settings) -> Run {
    let mut run = Run { trace: Trace::new(), end: Simulation::new(settings) };
    while !matches!(run.end.step(&mut run.trace), Step::Ended(_)) {}
    run
}

impl Run {
    /// The run for reading.
    pub fn view(&self) -> RunView<'_> {
        RunView { records: &self.trace.records, samples: &self.trace.samples, flows: &self.trace.flows, end: &self.end }
    }
}

impl<'a> RunView<'a> {
    /// The player's active branch, as far as it is computed.
    pub fn of_player(player: &'a Player) -> RunView<'a> {
        let timeline = player.timeline();
        RunView {
            records: timeline.records(),
            samples: timeline.samples(),
            flows: timeline.flows(),
            end: player.head(),
        }
    }

    /// The last moment there is something to see, once the run is computed: the end of one that was cut
    /// off, the last thing that happened in one that came to rest.
    pub fn last_moment(&self) -> Option<SimTime> {
        if self.end.ending()? != Ending::Quiet {
            return Some(self.end.now());
        }
        let happens = |record: &&Record| !matches!(record.what, What::Ended(_));
        Some(self.records.iter().rev().find(happens).map_or(SimTime::ZERO, |record| record.at))
    }
}
