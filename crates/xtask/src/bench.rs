//! `cargo xtask bench`: the speed of the engine, natively and in WebAssembly, and of the page.
//!
//! The engine's program is `tests/src/bin/bench.rs`, the page's is `tests/e2e/bench.mjs`. Both
//! print ratios taken in one run, since bare times say more about the machine than about us.
//! Nothing here fails on a slow day.

use std::collections::BTreeSet;

use crate::bench_page;
use crate::failure::{Failure, Outcome};
use crate::house::WASM_TARGET;
use crate::process;
use crate::setup::{self, Need, Toolbox};
use crate::unknown_argument;

/// The program, and the arguments that name it to Cargo.
const PROGRAM: &str = "bench";
const NAMED: &[&str] = &["--release", "--package", "rollscope-tests", "--bin", PROGRAM];

/// What is measured, and how long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    engine: bool,
    page: bool,
    /// The page in `dist/` is taken as it is.
    pub no_build: bool,
    /// Ten minutes of play for the memory instead of one.
    pub long: bool,
}

/// Runs the engine's program on this machine and then under Node.js, and the page's in a browser.
pub fn command(arguments: &[String]) -> Outcome {
    let options = read(arguments)?;
    let mut needs = BTreeSet::from([Need::Node, Need::WasmTarget, Need::WasmBindgen]);
    if options.page {
        needs.extend(setup::FOR_THE_PAGE.iter().chain(&[Need::Packages, Need::Browser]));
    }
    let toolbox = setup::prepare(&needs)?;
    if options.engine {
        println!("== on this machine ==");
        process::run(process::cargo().arg("run").args(NAMED))?;
        println!("\n== in WebAssembly, under Node.js ==");
        under_node(&toolbox)?;
    }
    if options.page {
        println!("\n== the page, in a browser ==");
        bench_page::run(&toolbox, options)?;
    }
    Ok(())
}

fn read(arguments: &[String]) -> Outcome<Options> {
    let mut options = Options { engine: true, page: true, no_build: false, long: false };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--long" => options.long = true,
            "--no-build" => options.no_build = true,
            "--only" => match rest.next().map(String::as_str) {
                Some("engine") => options.page = false,
                Some("page") => options.engine = false,
                _ => {
                    return Err(Failure::new("`--only` takes a part of the measurements.")
                        .or_way_out("The parts are engine and page."));
                }
            },
            other => return Err(unknown_argument(other)),
        }
    }
    Ok(options)
}

fn under_node(toolbox: &Toolbox) -> Outcome {
    let target = process::target_folder()?;
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

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Outcome<Options> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        read(&arguments)
    }

    #[test]
    fn all_is_measured_unless_a_part_is_named() {
        let all = options(&[]).unwrap();
        assert_eq!((all.engine, all.page, all.no_build, all.long), (true, true, false, false));
        let page = options(&["--only", "page", "--no-build", "--long"]).unwrap();
        assert_eq!((page.engine, page.page, page.no_build, page.long), (false, true, true, true));
        assert!(!options(&["--only", "engine"]).unwrap().page);
    }

    #[test]
    fn an_unknown_part_is_refused() {
        assert!(options(&["--only", "rubbish"]).is_err());
        assert!(options(&["--only"]).is_err());
        assert!(options(&["--fast"]).is_err());
    }
}
