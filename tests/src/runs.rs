//! Runs of settings, to their end and to a moment.

use rollscope_engine::{Settings, SimTime, Simulation, Step, Trace};

/// A run to its end, with all that was recorded.
pub fn run(settings: &Settings) -> (Simulation, Trace) {
    let (mut sim, mut trace) = (Simulation::new(settings.clone()), Trace::new());
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    (sim, trace)
}

/// A run up to and including `t`, with all that was recorded.
pub fn at(settings: &Settings, t: SimTime) -> (Simulation, Trace) {
    let (mut sim, mut trace) = (Simulation::new(settings.clone()), Trace::new());
    sim.advance_to(t, &mut trace);
    (sim, trace)
}

/// The state at `to` by way of the moments of `cuts` before it, a clone going on from each. Times in milliseconds.
pub fn by_detours(settings: Settings, cuts: Vec<u64>, to: u64) -> Simulation {
    let mut cuts: Vec<u64> = cuts.into_iter().filter(|cut| *cut <= to).collect();
    cuts.sort_unstable();
    let mut sim = Simulation::new(settings);
    for cut in cuts {
        sim.advance_to(SimTime(cut), &mut Trace::null());
        sim = sim.clone();
    }
    sim.advance_to(SimTime(to), &mut Trace::new());
    sim
}
