//! What rustup brings: components and the WebAssembly target; and the crates.

use std::path::Path;
use std::process::Command;

use super::say;
use crate::failure::{Failure, Outcome};
use crate::house::WASM_TARGET;
use crate::process;

/// rustfmt and Clippy, which the smallest installation of Rust leaves out.
pub fn components() -> Outcome {
    let parts = [("fmt", "rustfmt"), ("clippy", "clippy")];
    for (subcommand, component) in parts {
        let there = process::capture(process::cargo().args([subcommand, "--version"])).is_ok();
        if !there {
            say(&format!("adding the Rust component {component}, which the checks use."));
            rustup(&["component", "add", component])?;
        }
    }
    Ok(())
}

/// The standard library for WebAssembly.
pub fn wasm_target() -> Outcome {
    let folder = process::capture(Command::new("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]));
    if folder.is_ok_and(|folder| Path::new(folder.trim()).is_dir()) {
        return Ok(());
    }
    say(&format!("adding the Rust target {WASM_TARGET}, which the page is compiled for."));
    rustup(&["target", "add", WASM_TARGET])
}

/// The crates of `Cargo.lock`. Without this the page could not build offline.
pub fn crates() -> Outcome {
    process::run(process::cargo().arg("fetch"))
        .map_err(|failure| failure.or_way_out("Check the connection to the crate registry and try again."))
}

fn rustup(arguments: &[&str]) -> Outcome {
    if process::version_of("rustup").is_none() {
        return Err(Failure::new(format!(
            "rustup is missing; `rustup {}` would bring a part of Rust that is needed here.",
            arguments.join(" ")
        ))
        .or_way_out("Install rustup (https://rustup.rs), or install that part with your package manager."));
    }
    process::run(Command::new("rustup").args(arguments))
        .map_err(|failure| failure.or_way_out("Check the connection, run that command by hand, and try again."))
}
