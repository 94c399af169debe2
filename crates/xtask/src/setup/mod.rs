//! Set-up: everything the other commands need, installed once and kept.
//!
//! Every part looks first whether the thing is there, says what it installs
//! and why, and may run any number of times. What is built here stays in the
//! cache folder; a user's own tools are used when they fit and never replaced.

mod browser;
mod cargo_tools;
mod packages;
mod rust;

use std::collections::BTreeSet;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::{Failure, Outcome, with_path};
use crate::{house, process};

/// One thing a command can need, in the order of set-up: what may be missing
/// for good comes first, what takes minutes to build comes last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// Node.js itself, which runs the WebAssembly tests and weighs the page.
    Node,
    /// The npm packages of the browser tests.
    Packages,
    /// `wasm-opt`, which shrinks the page.
    WasmOpt,
    /// `esbuild`, which shrinks its scripts and styles.
    Esbuild,
    /// A Chromium for the browser tests.
    Browser,
    /// rustfmt and Clippy.
    RustComponents,
    /// The WebAssembly target of the Rust compiler.
    WasmTarget,
    /// The crates of `Cargo.lock`, so that the page builds offline.
    Crates,
    /// `wasm-bindgen` and its test runner.
    WasmBindgen,
    /// Trunk, which puts the page together.
    Trunk,
}

/// What building the page takes.
pub const FOR_THE_PAGE: &[Need] =
    &[Need::Node, Need::WasmOpt, Need::Esbuild, Need::WasmTarget, Need::Crates, Need::WasmBindgen, Need::Trunk];

/// The tools that were found or installed.
#[derive(Debug, Default)]
pub struct Toolbox {
    folders: Vec<PathBuf>,
    browser: Option<PathBuf>,
}

impl Toolbox {
    /// A command that finds our tools before the user's, in its own process only.
    pub fn command(&self, program: &str) -> Outcome<Command> {
        self.equip(Command::new(program))
    }

    /// Cargo, with our tools on its `PATH`.
    pub fn cargo(&self) -> Outcome<Command> {
        self.equip(process::cargo())
    }

    /// The browser for the browser tests.
    pub fn browser(&self) -> Outcome<&Path> {
        self.browser.as_deref().ok_or_else(|| Failure::new("No browser was set up for this command."))
    }

    fn equip(&self, mut command: Command) -> Outcome<Command> {
        command.current_dir(house::root()).env("PATH", process::path_with(&self.folders)?);
        Ok(command)
    }

    /// Lets child processes find the tools of one more folder.
    fn add_folder(&mut self, folder: PathBuf) {
        if !self.folders.contains(&folder) {
            self.folders.push(folder);
        }
    }
}

/// Makes sure that everything in `needs` is there.
pub fn prepare(needs: &BTreeSet<Need>) -> Outcome<Toolbox> {
    let mut toolbox = Toolbox::default();
    if needs.is_empty() {
        return Ok(toolbox);
    }
    let cache = house::cache()?;
    let _lock = lock(&cache)?;
    for need in needs {
        match need {
            Need::Node => packages::node()?,
            Need::Packages => packages::install()?,
            Need::WasmOpt => packages::wasm_opt(&mut toolbox)?,
            Need::Esbuild => packages::esbuild(&mut toolbox)?,
            Need::Browser => toolbox.browser = Some(browser::ensure()?),
            Need::RustComponents => rust::components()?,
            Need::WasmTarget => rust::wasm_target()?,
            Need::Crates => rust::crates()?,
            Need::WasmBindgen => cargo_tools::wasm_bindgen(&cache, &mut toolbox)?,
            Need::Trunk => cargo_tools::trunk(&cache, &mut toolbox)?,
        }
    }
    Ok(toolbox)
}

/// Two commands in two terminals must not install the same thing at once.
fn lock(cache: &Path) -> Outcome<File> {
    fs::create_dir_all(cache).map_err(with_path(cache))?;
    let path = cache.join("setup.lock");
    let file = File::create(&path).map_err(with_path(&path))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            say("Another set-up is running; this one waits for it.");
            file.lock().map_err(with_path(&path))?;
        }
        Err(TryLockError::Error(error)) => return Err(with_path(&path)(error)),
    }
    Ok(file)
}

/// One line about the set-up.
fn say(sentence: &str) {
    println!("Set-up: {sentence}");
}
