//! `cargo xtask test`: every check, in the order in which failures are cheapest.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::net::{Ipv4Addr, TcpListener};
use std::time::{Duration, Instant};

use crate::failure::{Failure, Outcome, with_path};
use crate::house::WASM_TARGET;
use crate::server::Server;
use crate::setup::{self, Need, Toolbox};
use crate::{budget, house, page, process, tidy, unknown_argument};

/// The package of the page, which is checked as WebAssembly.
const PAGE: &str = "rollscope-web";

/// One step of the checks.
struct Step {
    name: &'static str,
    what: &'static str,
    needs: &'static [Need],
    run: fn(&Context) -> Outcome,
    way_out: &'static str,
}

/// What a step works with.
struct Context {
    toolbox: Toolbox,
    /// What stands behind `--`, for the runner of the step.
    arguments: Vec<String>,
}

const STEPS: &[Step] = &[
    Step {
        name: "fmt",
        what: "the layout of the sources",
        needs: &[Need::RustComponents],
        run: fmt,
        way_out: "Run `cargo fmt --all` and commit what it changes.",
    },
    Step {
        name: "tidy",
        what: "the house rules",
        needs: &[],
        run: |_| tidy::command(),
        way_out: "Each line above names a file and the rule; ARCHITECTURE.md says why the rules are.",
    },
    Step {
        name: "clippy",
        what: "lints, for this machine and for WebAssembly",
        needs: &[Need::RustComponents, Need::WasmTarget],
        run: clippy,
        way_out: "Mend what Clippy names; `cargo xtask test --only clippy` looks again.",
    },
    Step {
        name: "host",
        what: "the tests on this machine",
        needs: &[],
        run: host,
        way_out: "`cargo test --package PACKAGE TEST` runs the one that failed.",
    },
    Step {
        name: "docs",
        what: "the documentation, warnings denied",
        needs: &[Need::WasmTarget],
        run: docs,
        way_out: "Mend the comments the lines above name.",
    },
    Step {
        name: "wasm",
        what: "the tests in WebAssembly, under Node.js",
        needs: &[Need::Node, Need::WasmTarget, Need::WasmBindgen],
        run: wasm,
        way_out: "`cargo xtask test --only wasm -- TEST` runs the one that failed.",
    },
    Step {
        name: "page",
        what: "the release page and its weight",
        needs: setup::FOR_THE_PAGE,
        run: |context| page::build(&context.toolbox).and_then(|()| budget::check(&context.toolbox)),
        way_out: "`cargo xtask dist` builds it again.",
    },
    Step {
        name: "browser",
        what: "the release page in a real browser",
        needs: &[Need::Packages, Need::Browser],
        run: browser,
        way_out: "`cargo xtask test --only browser -- --test-name-pattern=NAME` runs one of them \
                  against the page in dist/.",
    },
];

/// Runs all steps, or those that were named.
pub fn command(arguments: &[String]) -> Outcome {
    let (steps, arguments) = read(arguments)?;
    let needs: BTreeSet<Need> = steps.iter().flat_map(|step| step.needs).copied().collect();
    let start = Instant::now();
    let toolbox = setup::prepare(&needs)?;
    println!("Set-up: done after {}.", seconds(start.elapsed()));
    let context = Context { toolbox, arguments };
    let mut lines = Vec::new();
    for (index, step) in steps.iter().enumerate() {
        println!("\n== {} ({} of {}): {} ==", step.name, index + 1, steps.len(), step.what);
        let start = Instant::now();
        let result = (step.run)(&context);
        let took = seconds(start.elapsed());
        if let Err(failure) = result {
            println!("== {} failed after {took} ==", step.name);
            return Err(failure.or_way_out(step.way_out));
        }
        let line = format!("{} passed in {took}", step.name);
        println!("== {line} ==");
        lines.push(line);
    }
    println!("\nAll checks passed in {}:\n  {}", seconds(start.elapsed()), lines.join("\n  "));
    Ok(())
}

fn seconds(duration: Duration) -> String {
    let tenths = duration.as_millis() / 100;
    format!("{}.{} s", tenths / 10, tenths % 10)
}

/// The steps to run, in our order, and the arguments for the runner.
fn read(arguments: &[String]) -> Outcome<(Vec<&'static Step>, Vec<String>)> {
    let mut only: Option<Vec<&str>> = None;
    let mut rest = arguments.iter();
    let mut passed_on = Vec::new();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--only" => {
                let names = rest.next().map(String::as_str).unwrap_or_default();
                only.get_or_insert_default().extend(names.split(','));
            }
            "--" => passed_on.extend(rest.by_ref().cloned()),
            other => return Err(unknown_argument(other)),
        }
    }
    let Some(only) = only else {
        if !passed_on.is_empty() {
            return Err(Failure::new("Arguments behind `--` are for one runner.")
                .or_way_out("Name its step with `--only STEP`."));
        }
        return Ok((STEPS.iter().collect(), passed_on));
    };
    let known = |name: &&str| STEPS.iter().any(|step| step.name == *name);
    if let Some(unknown) = only.iter().find(|name| !known(name)) {
        let names: Vec<_> = STEPS.iter().map(|step| step.name).collect();
        return Err(Failure::new(format!("There is no step `{unknown}`."))
            .or_way_out(format!("The steps are {}.", names.join(", "))));
    }
    let steps = STEPS.iter().filter(|step| only.contains(&step.name));
    Ok((steps.collect(), passed_on))
}

fn fmt(_: &Context) -> Outcome {
    process::run(process::cargo().args(["fmt", "--all", "--check"]))
}

fn clippy(_: &Context) -> Outcome {
    let deny = ["--", "--deny", "warnings"];
    process::run(
        process::cargo().args(["clippy", "--keep-going", "--workspace", "--exclude", PAGE, "--all-targets"]).args(deny),
    )?;
    // The tests package runs in WebAssembly too.
    process::run(
        process::cargo()
            .args(["clippy", "--package", PAGE, "--package", "rollscope-tests"])
            .args(["--all-targets", "--target", WASM_TARGET])
            .args(deny),
    )
}

/// Where the laws over random scenarios take their seed from.
const RANDOM_SEED: &str = "PROPTEST_RNG_SEED";

fn host(context: &Context) -> Outcome {
    let mut command = process::cargo();
    // With the page: what it decides without a browser is tested here too.
    command.args(["test", "--workspace"]);
    // A check that is run twice has the same answer. `cargo test` by hand draws other cases each time.
    if std::env::var_os(RANDOM_SEED).is_none() {
        command.env(RANDOM_SEED, "1");
    }
    process::run(with_arguments(&mut command, context))
}

fn docs(_: &Context) -> Outcome {
    let doc = || {
        let mut command = process::cargo();
        command.args(["doc", "--no-deps"]).env("RUSTDOCFLAGS", "--deny warnings");
        command
    };
    process::run(doc().args(["--workspace", "--exclude", PAGE]))?;
    process::run(doc().args(["--package", PAGE, "--target", WASM_TARGET]))
}

fn wasm(context: &Context) -> Outcome {
    let mut command = context.toolbox.cargo()?;
    command
        .args(["test", "--package", "rollscope-tests"])
        .args(["--target", WASM_TARGET])
        .env("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", "wasm-bindgen-test-runner");
    process::run(with_arguments(&mut command, context))
}

fn browser(context: &Context) -> Outcome {
    page::must_be_built()?;
    // Two servers: one that has the page in a sub-folder must not also have it
    // at the top, or an address that is not relative would go unnoticed.
    let top = start_server("/")?;
    let sub_folder = start_server("/some/sub-folder/")?;
    let mut command = context.toolbox.command("node")?;
    command
        .args(["--test", "--test-reporter=spec"])
        .args(&context.arguments)
        .args(browser_test_files()?)
        .env("ROLLSCOPE_URL", top)
        .env("ROLLSCOPE_SUB_FOLDER_URL", sub_folder)
        .env("ROLLSCOPE_BROWSER", context.toolbox.browser()?);
    process::run(&mut command)
}

fn start_server(prefix: &str) -> Outcome<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| Failure::new(format!("No server can be started: {error}.")))?;
    let server = Server::new(listener, &house::dist(), prefix)?;
    let address = server.address().to_owned();
    server.run_beside();
    Ok(address)
}

/// Named one by one: older Node.js versions do not know patterns.
fn browser_test_files() -> Outcome<Vec<OsString>> {
    let folder = house::browser_tests();
    let mut files = Vec::new();
    for entry in std::fs::read_dir(&folder).map_err(with_path(&folder))? {
        let path = entry.map_err(with_path(&folder))?.path();
        if path.to_string_lossy().ends_with(".test.mjs") {
            files.push(path.into_os_string());
        }
    }
    files.sort();
    Ok(files)
}

fn with_arguments<'a>(command: &'a mut std::process::Command, context: &Context) -> &'a mut std::process::Command {
    if !context.arguments.is_empty() {
        command.arg("--").args(&context.arguments);
    }
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(arguments: &[&str]) -> Outcome<Vec<&'static str>> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        let (steps, _) = read(&arguments)?;
        Ok(steps.iter().map(|step| step.name).collect())
    }

    #[test]
    fn steps_run_in_our_order() {
        assert_eq!(names(&[]).unwrap().len(), STEPS.len());
        assert_eq!(names(&["--only", "tidy,fmt"]).unwrap(), ["fmt", "tidy"]);
    }

    #[test]
    fn an_unknown_step_is_refused() {
        let failure = names(&["--only", "fmt,rubbish"]).unwrap_err();
        assert!(failure.to_string().contains("no step `rubbish`"));
        assert!(names(&["--only"]).is_err());
    }

    #[test]
    fn arguments_need_a_step_to_go_to() {
        assert!(names(&["--", "x"]).is_err());
        assert!(names(&["--only", "wasm", "--", "x"]).is_ok());
    }

    #[test]
    fn durations_are_told_in_tenths() {
        assert_eq!(seconds(Duration::from_millis(61_260)), "61.2 s");
    }

    #[test]
    fn the_browser_tests_are_found() {
        assert!(!browser_test_files().unwrap().is_empty());
    }
}
