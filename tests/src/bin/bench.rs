//! Speed of the engine as ratios to a bare binary-heap loop over the same number of events,
//! taken in one run. Runs natively and, compiled to WebAssembly, under Node.js.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::hint::black_box;

use rollscope_engine::settings::{Capacity, Cluster, HostSpec, Needs, Placement};
use rollscope_engine::{Settings, SimTime, Simulation, Step, Trace};
use rollscope_player::Player;
use rollscope_tests::base;

#[cfg(not(target_arch = "wasm32"))]
mod host {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();

    /// Milliseconds since the first call.
    pub fn now_ms() -> f64 {
        START.get_or_init(Instant::now).elapsed().as_secs_f64() * 1_000.0
    }

    pub fn print(line: &str) {
        println!("{line}");
    }

    pub const NAME: &str = "native";
}

#[cfg(target_arch = "wasm32")]
mod host {
    use wasm_bindgen::prelude::wasm_bindgen;

    #[wasm_bindgen]
    extern "C" {
        #[wasm_bindgen(js_namespace = performance, js_name = now)]
        pub fn now_ms() -> f64;
        #[wasm_bindgen(js_namespace = console, js_name = log)]
        pub fn print(line: &str);
    }

    pub const NAME: &str = "wasm";
}

const ROUNDS: usize = 9;

/// A whole deployment of `desired` tasks at 100/200 behind a target group, with spread.
fn deployment(desired: u32) -> Settings {
    let mut settings = base::settings(desired, 100, 200);
    settings.timing.start_up = base::uniform(10, 40);
    settings.timing.pull = base::uniform(5, 15);
    settings.timing.open_request = base::uniform(5, 60);
    settings.target_groups.push(base::target_group());
    settings
}

/// Runs to the end without a trace: milliseconds and events.
fn run(settings: &Settings) -> (f64, u64) {
    let settings = settings.clone();
    let started = host::now_ms();
    let mut sim = Simulation::new(settings);
    let mut trace = Trace::null();
    while !matches!(sim.step(&mut trace), Step::Ended(_)) {}
    let took = host::now_ms() - started;
    black_box(sim.state_hash());
    (took, sim.events_done())
}

/// The same number of events through std's binary heap with `held` entries in it.
fn bare_heap(events: u64, held: u32) -> f64 {
    let mut heap: BinaryHeap<Reverse<(u64, u64, u32, u32)>> = BinaryHeap::new();
    let mut x = 1u64;
    let mut sequence = 0;
    let mut draw = || {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        x >> 44
    };
    let started = host::now_ms();
    for slot in 0..held {
        heap.push(Reverse((draw(), sequence, slot, 0)));
        sequence += 1;
    }
    for _ in 0..events {
        let Some(Reverse((at, _, slot, stamp))) = heap.pop() else { break };
        heap.push(Reverse((at + draw(), sequence, slot, stamp + 1)));
        sequence += 1;
    }
    let took = host::now_ms() - started;
    black_box(heap.len());
    took
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Seeks in a run of `desired` tasks that is computed: the state and the frame at a moment, each
/// in milliseconds. Far apart and never in order, as a hand that jumps.
fn seek(desired: u32) -> Vec<f64> {
    let mut player = Player::new(deployment(desired));
    player.advance_to_end();
    let last = player.timeline().samples().last().map_or(0, |(at, _)| at.ms());
    let moment = |turn: u64| SimTime(last * (turn * 618 % 1_000) / 1_000);
    let mut times = Vec::new();
    for turn in 1..=200 {
        let started = host::now_ms();
        player.seek(moment(turn));
        black_box(player.frame());
        times.push(host::now_ms() - started);
    }
    times.sort_by(f64::total_cmp);
    times
}

struct Figures {
    ms: f64,
    events: u64,
    ratio: f64,
}

fn measure(desired: u32) -> Figures {
    let settings = deployment(desired);
    let (_, events) = run(&settings);
    let (mut times, mut ratios) = (Vec::new(), Vec::new());
    // Taken in turn, so that a slow moment of the machine meets both.
    for _ in 0..ROUNDS {
        let (ms, _) = run(&settings);
        let bare = bare_heap(events, 2 * desired);
        times.push(ms);
        ratios.push(ms / bare.max(0.000_1));
    }
    Figures { ms: median(times), events, ratio: median(ratios) }
}

/// The same deployment on instances that hold ten tasks each, in three zones.
fn on_instances(desired: u32, instances: u32) -> Settings {
    let mut settings = deployment(desired);
    let spec = |n: u32| HostSpec {
        cpu: 2_560,
        memory: 5_120,
        interfaces: u32::MAX,
        zone: (n % 3) as u8,
        used_cpu: 0,
        used_memory: 0,
        used_interfaces: 0,
        used_port: false,
        from: SimTime::ZERO,
    };
    settings.capacity = Capacity::Ec2(Box::new(Cluster {
        hosts: (0..instances).map(spec).collect(),
        first_kind: instances,
        needs: Needs { cpu: 256, memory: 512, interface: false, port: false, alone: false },
        strategy: Placement::default(),
        daemon: false,
        provider: None,
    }));
    settings
}

/// What instances add to a task (its placement, its stop, the way back of its resources), in
/// microseconds, and the whole run compared with one without instances.
fn placement(desired: u32, instances: u32) -> (f64, f64) {
    let (with, without) = (on_instances(desired, instances), deployment(desired));
    let (mut costs, mut ratios) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let ((slow, _), (fast, _)) = (run(&with), run(&without));
        costs.push((slow - fast) * 1e3 / f64::from(2 * desired));
        ratios.push(slow / fast.max(0.000_1));
    }
    (median(costs), median(ratios))
}

fn main() {
    let name = host::NAME;
    let small = measure(1_000);
    let large = measure(10_000);
    let seeks = seek(10_000);
    let (middle, slowest) = (seeks[seeks.len() / 2], seeks[seeks.len() * 95 / 100]);
    let (placed, times) = placement(5_000, 1_000);
    let rows = [
        ("events a second, 10,000 tasks", format!("{:.1} million", large.events as f64 / large.ms / 1e3), "-"),
        ("1,000 tasks : bare heap loop", format!("{:.2}", small.ratio), "at most 4"),
        ("10,000 tasks : bare heap loop", format!("{:.2}", large.ratio), "at most 4"),
        ("10,000 tasks : 1,000 tasks", format!("{:.1}", large.ms / small.ms), "at most 12"),
        ("1,000 tasks", format!("{:.2} ms, {} events", small.ms, small.events), "about 4 ms in wasm"),
        ("10,000 tasks", format!("{:.2} ms, {} events", large.ms, large.events), "about 30 ms in wasm"),
        ("5,000 tasks on 1,000 instances", format!("{placed:.2} us a task, {times:.1} x"), "at most 5 us a task"),
        ("seek, 10,000 tasks", format!("{middle:.2} ms, p95 {slowest:.2} ms"), "at most 5 ms"),
    ];
    for (what, figure, goal) in rows {
        host::print(&format!("{name:<7} {what:<34} {figure:<24} goal: {goal}"));
    }
}
