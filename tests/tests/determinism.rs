//! The same hashes natively and in WebAssembly: one committed file, read by both.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test;

use rollscope_engine::{Settings, SimTime, Simulation, Step, Trace};
use rollscope_scenario::Document;
use rollscope_scenario::presets_instance_refresh::INSTANCE_REFRESH;
use rollscope_scenario::presets_kubernetes::KUBERNETES;
use rollscope_scenario::presets_machine_groups::MACHINE_GROUPS;
use rollscope_scenario::presets_placed::PLACED;
use rollscope_tests::dice::Dice;

const HASHES: &str = include_str!("hashes.txt");
const RUNS: u64 = 120;

/// One line a run: its name, hash in the middle, hash at the end, events.
fn line(name: &str, settings: Settings) -> String {
    let mut sim = Simulation::new(settings);
    let mut trace = Trace::new();
    sim.advance_to(SimTime(100_000), &mut trace);
    let middle = sim.state_hash();
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    format!("{name} {middle:016x} {:016x} {}\n", sim.state_hash(), sim.events_done())
}

/// Random services by their seeds, then the examples of the other platforms by their names.
fn hashes() -> String {
    let random = (0..RUNS).map(|seed| line(&seed.to_string(), Dice::new(seed).settings()));
    let examples = KUBERNETES.iter().chain(INSTANCE_REFRESH).chain(MACHINE_GROUPS).chain(PLACED).map(|preset| {
        let resolved = Document::from_text(preset.document).document.resolve();
        let resolved = resolved.unwrap_or_else(|problems| panic!("{}: {problems:?}", preset.id));
        line(preset.id, resolved.settings)
    });
    random.chain(examples).collect()
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn every_target_gives_the_committed_hashes() {
    let now = hashes();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("UPDATE_HASHES").is_some() {
        std::fs::write(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/hashes.txt"), &now)
            .expect("the file can be written");
        return;
    }
    for (line, (now, committed)) in now.lines().zip(HASHES.lines()).enumerate() {
        assert_eq!(now, committed, "run {line}: a change of behaviour is deliberate and updates the file");
    }
    assert_eq!(now.lines().count(), HASHES.lines().count());
}
