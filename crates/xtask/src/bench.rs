//! `cargo xtask bench`: the speed of the engine, natively and in WebAssembly.
//!
//! The program is `tests/src/bin/bench.rs`; it prints ratios taken in one run,
//! since bare times say more about the machine than about the engine.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::failure::{Failure, Outcome};
use crate::house::WASM_TARGET;
use crate::process;
use crate::setup::{self, Need, Toolbox};

/// The program, and the arguments that name it to Cargo.
const PROGRAM: &str = "bench";
const NAMED: &[&str] = &["--release", "--package", "rollscope-tests", "--bin", PROGRAM];

/// Runs the program on this machine and then under Node.js.
pub fn command() -> Outcome {
    let needs = BTreeSet::from([Need::Node, Need::WasmTarget, Need::WasmBindgen]);
    let toolbox = setup::prepare(&needs)?;
    println!("== on this machine ==");
    process::run(process::cargo().arg("run").args(NAMED))?;
    println!("\n== in WebAssembly, under Node.js ==");
    under_node(&toolbox)
}

fn under_node(toolbox: &Toolbox) -> Outcome {
    let target = target_folder()?;
    process::run(process::cargo().arg("build").args(NAMED).args(["--target", WASM_TARGET]))?;
    let built = target.join(WASM_TARGET).join("release");
    let joined = target.join("bench-node");
    let mut bindgen = toolbox.command("wasm-bindgen")?;
    bindgen
        .args(["--target", "nodejs", "--no-typescript", "--out-dir"])
        .arg(&joined)
        .arg(built.join(PROGRAM).with_extension("wasm"));
    process::run(&mut bindgen)?;
    let mut node = toolbox.command("node")?;
    process::run(node.arg(joined.join(PROGRAM).with_extension("js")))
}

/// Where Cargo builds, which a variable or a setting may have moved.
fn target_folder() -> Outcome<PathBuf> {
    let metadata = process::capture(process::cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let value: Option<serde_json::Value> = serde_json::from_str(&metadata).ok();
    value
        .as_ref()
        .and_then(|value| value["target_directory"].as_str())
        .map(PathBuf::from)
        .ok_or_else(|| Failure::new("`cargo metadata` does not say where Cargo builds."))
}
