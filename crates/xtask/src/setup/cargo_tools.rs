//! The tools that are built from source once: Trunk and wasm-bindgen.

use std::fs;
use std::path::Path;
use std::time::Instant;

use super::{Toolbox, say};
use crate::failure::{Failure, Outcome, with_path};
use crate::{house, process};

/// A program that `cargo install` brings.
struct CargoTool<'a> {
    package: &'a str,
    version: &'a str,
    /// Every program of the package that is used here.
    programs: &'a [&'a str],
    arguments: &'a [&'a str],
    why: &'a str,
}

/// The last Trunk that compiles with the Rust version of this workspace.
const TRUNK_VERSION: &str = "0.21.14";

/// Trunk, without its update check and its TLS: it works offline here.
pub fn trunk(cache: &Path, toolbox: &mut Toolbox) -> Outcome {
    ensure(
        &CargoTool {
            package: "trunk",
            version: TRUNK_VERSION,
            programs: &["trunk"],
            arguments: &["--no-default-features"],
            why: "it puts the page together",
        },
        cache,
        toolbox,
    )
}

/// wasm-bindgen, in the very version of the library in `Cargo.lock`: the two
/// speak a format that changes with every release.
pub fn wasm_bindgen(cache: &Path, toolbox: &mut Toolbox) -> Outcome {
    let path = house::root().join("Cargo.lock");
    let lock = fs::read_to_string(&path).map_err(with_path(&path))?;
    let version = locked_version(&lock, "wasm-bindgen")
        .ok_or_else(|| Failure::new("Cargo.lock does not name a version of wasm-bindgen."))?;
    ensure(
        &CargoTool {
            package: "wasm-bindgen-cli",
            version,
            programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
            arguments: &[],
            why: "it joins the compiled page with the browser and runs the WebAssembly tests",
        },
        cache,
        toolbox,
    )
}

fn ensure(tool: &CargoTool<'_>, cache: &Path, toolbox: &mut Toolbox) -> Outcome {
    let on_path = |program: &&str| fits(Path::new(program), tool.version);
    if tool.programs.iter().all(on_path) {
        return Ok(());
    }
    let home = cache.join(format!("{}-{}", tool.package, tool.version));
    let folder = home.join("bin");
    let cached = |program: &&str| fits(&folder.join(program), tool.version);
    if !tool.programs.iter().all(cached) {
        say(&format!(
            "building {} {} from source, once, which takes some minutes; {}.",
            tool.package, tool.version, tool.why
        ));
        let start = Instant::now();
        install(tool, &home, &cache.join(format!("build-{}", tool.package)))?;
        if let Some(missing) = tool.programs.iter().find(|program| !cached(program)) {
            return Err(Failure::new(format!("{} was built, but `{missing}` does not start.", tool.package))
                .or_way_out(format!("Delete {} and try again.", home.display())));
        }
        say(&format!("{} is built, after {} s.", tool.package, start.elapsed().as_secs()));
    }
    toolbox.add_folder(folder);
    Ok(())
}

fn install(tool: &CargoTool<'_>, home: &Path, build: &Path) -> Outcome {
    // The tool's own lock file first. It may name a release the registry does
    // not show yet; then any compatible set of crates has to do.
    let built = install_once(tool, home, build, &["--locked"]).or_else(|_| {
        say(&format!(
            "{} did not build, the lines above say why; trying once more with other versions of its crates.",
            tool.package
        ));
        install_once(tool, home, build, &[])
    });
    // Hundreds of megabytes that nobody needs again, also after a failure.
    let _ = fs::remove_dir_all(build);
    built.map_err(|failure| {
        failure.or_way_out(format!(
            "The lines above say why. Check the connection and the free space and run the command again, or install {} {} \
             yourself so that it is on PATH.",
            tool.package, tool.version
        ))
    })
}

fn install_once(tool: &CargoTool<'_>, home: &Path, build: &Path, lock: &[&str]) -> Outcome {
    let mut command = process::cargo();
    command
        // What an earlier try left behind is written over: it is here because it does not work.
        .args(["install", tool.package, "--version", tool.version, "--force"])
        .args(tool.arguments)
        .args(lock)
        .arg("--root")
        .arg(home)
        // Outside the checkout, so that its settings do not apply.
        .current_dir(home.parent().unwrap_or(home))
        .env("CARGO_TARGET_DIR", build);
    // Building fast matters here, running fast does not: the tools work for
    // a second per page build.
    let cheap = [("LTO", "off"), ("OPT_LEVEL", "0"), ("CODEGEN_UNITS", "16"), ("DEBUG", "0"), ("STRIP", "symbols")];
    for (setting, value) in cheap {
        command.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    command.env_remove("CARGO_BUILD_TARGET");
    command.env_remove("RUSTFLAGS");
    process::run(&mut command)
}

/// Whether the program is there and says exactly this version.
fn fits(program: &Path, version: &str) -> bool {
    process::version_of(program).is_some_and(|said| says_version(&said, version))
}

fn says_version(said: &str, version: &str) -> bool {
    said.split_whitespace().any(|word| word == version)
}

/// The version of a package in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let head = format!("name = \"{package}\"\nversion = \"");
    let (_, rest) = lock.split_once(&head)?;
    rest.split('"').next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_must_be_the_same_to_the_last_digit() {
        assert!(says_version("wasm-bindgen 0.2.130", "0.2.130"));
        assert!(!says_version("wasm-bindgen 0.2.1300", "0.2.130"));
        assert!(!says_version("trunk 0.21.140", "0.21.14"));
    }

    #[test]
    fn the_lock_file_names_the_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-futures\"\nversion = \"0.4.80\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.130\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.130"));
        assert_eq!(locked_version(lock, "yew"), None);
    }
}
