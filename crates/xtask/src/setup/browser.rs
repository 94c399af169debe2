//! A Chromium for the browser tests.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::say;
use crate::failure::{Failure, Outcome};
use crate::process;

/// The names a Chromium or Chrome goes by.
const NAMES: &[&str] = &["chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome"];

/// Where macOS keeps them, which is not on `PATH`.
const APPLICATIONS: &[&str] = &[
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/// Package managers, and what brings the browser there.
const MANAGERS: &[(&str, &str)] = &[
    ("apt-get", "sudo apt-get install chromium"),
    ("dnf", "sudo dnf install chromium"),
    ("pacman", "sudo pacman -S chromium"),
    ("brew", "brew install --cask google-chrome"),
];

/// The browser to test with; installed only where that needs no question.
pub fn ensure() -> Outcome<PathBuf> {
    if let Some(browser) = chosen()? {
        return Ok(browser);
    }
    if let Some(browser) = find() {
        return Ok(browser);
    }
    if !is_root() || process::find_on_path("apt-get").is_none() {
        return Err(missing());
    }
    say("installing the package chromium, which the browser tests drive.");
    apt(&["update"])?;
    apt(&["install", "-y", "--no-install-recommends", "chromium"])?;
    find().ok_or_else(missing)
}

/// What the user chose by `$CHROME`. A choice that cannot work is told, not ignored.
fn chosen() -> Outcome<Option<PathBuf>> {
    let Some(value) = env::var_os("CHROME").filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    let path = Path::new(&value);
    let found = if path.components().count() > 1 {
        path.is_file().then(|| path.to_owned())
    } else {
        process::find_on_path(&value.to_string_lossy())
    };
    match found {
        Some(browser) => Ok(Some(browser)),
        None => Err(Failure::new(format!("CHROME names `{}`, and there is no such program.", path.display()))
            .or_way_out("Let CHROME name a Chromium or Chrome, or unset it.")),
    }
}

fn find() -> Option<PathBuf> {
    NAMES.iter().find_map(|name| process::find_on_path(name)).or_else(|| {
        let mut applications = APPLICATIONS.iter().map(PathBuf::from);
        applications.find(|application| application.is_file())
    })
}

fn apt(arguments: &[&str]) -> Outcome {
    let mut command = Command::new("apt-get");
    command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    process::run(&mut command)
        .map_err(|failure| failure.or_way_out("Install Chromium by hand, or let CHROME name one."))
}

fn missing() -> Failure {
    let by_manager = MANAGERS
        .iter()
        .find(|(manager, _)| process::find_on_path(manager).is_some())
        .map_or_else(|| "Install the package `chromium`".to_owned(), |(_, command)| format!("Run `{command}`"));
    Failure::new("No Chromium or Chrome was found; the browser tests drive one.")
        .or_way_out(format!("{by_manager}, or let the variable CHROME name a browser you have."))
}

fn is_root() -> bool {
    process::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}
