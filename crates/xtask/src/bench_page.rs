//! The page's part of `cargo xtask bench`: the release page, and its drawing alone, in a browser.

use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};

use crate::bench::Options;
use crate::failure::{Failure, Outcome, with_path};
use crate::house::{self, WASM_TARGET};
use crate::server::Server;
use crate::setup::Toolbox;
use crate::{page, process};

/// The program that draws without the page (`tests/src/bin/drawing/`).
const DRAWING: &str = "drawing";

/// Seconds of play before the memory is looked at.
const PLAY_S: u32 = 60;
const PLAY_LONG_S: u32 = 600;

/// Builds what is missing, serves it and runs the script that measures.
pub fn run(toolbox: &Toolbox, options: Options) -> Outcome {
    if !options.no_build {
        page::build(toolbox)?;
    }
    page::must_be_built()?;
    let drawing = build_drawing(toolbox)?;
    let script = house::browser_tests().join("bench.mjs");
    let mut node = toolbox.command("node")?;
    node.arg(script)
        .env("ROLLSCOPE_URL", serve(&house::dist())?)
        .env("ROLLSCOPE_DRAWING_URL", serve(&drawing)?)
        .env("ROLLSCOPE_DIST", house::dist())
        .env("ROLLSCOPE_PLAY_S", if options.long { PLAY_LONG_S } else { PLAY_S }.to_string())
        .env("ROLLSCOPE_BROWSER", toolbox.browser()?);
    process::run(&mut node)
}

/// Puts the bench page together, as the page itself is: the same profile, the same shrinking.
fn build_drawing(toolbox: &Toolbox) -> Outcome<PathBuf> {
    let target = process::target_folder()?;
    let build = ["build", "--release", "--package", "rollscope-tests", "--bin", DRAWING, "--target", WASM_TARGET];
    process::run(process::cargo().args(build))?;
    let folder = target.join("bench-page");
    let built = target.join(WASM_TARGET).join("release").join(DRAWING).with_extension("wasm");
    let mut bindgen = toolbox.command("wasm-bindgen")?;
    bindgen.args(["--target", "web", "--no-typescript", "--out-dir"]).arg(&folder).arg(built);
    process::run(&mut bindgen)?;
    let module = folder.join(format!("{DRAWING}_bg.wasm"));
    let mut shrink = toolbox.command("wasm-opt")?;
    process::run(shrink.arg("-Oz").arg(&module).arg("--output").arg(&module))?;
    let page = house::root().join("tests").join("bench-page");
    let uplot = house::browser_tests().join("node_modules").join("uplot").join("dist");
    let scripts = house::root().join("web").join("js");
    let files = [
        (&page, "index.html"),
        (&page, "run.js"),
        (&scripts, "shapes.js"),
        (&uplot, "uPlot.iife.min.js"),
        (&uplot, "uPlot.min.css"),
    ];
    for (from, name) in files {
        let from = from.join(name);
        fs::copy(&from, folder.join(name)).map_err(with_path(&from))?;
    }
    Ok(folder)
}

fn serve(folder: &Path) -> Outcome<String> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| Failure::new(format!("No server can be started: {error}.")))?;
    let server = Server::new(listener, folder, "/")?;
    let address = server.address().to_owned();
    server.run_beside();
    Ok(address)
}
