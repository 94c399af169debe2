//! Node.js and the npm packages: the driver of the browser tests and `wasm-opt`.

use std::fs;
use std::path::Path;
use std::process::Command;

use super::{Toolbox, say};
use crate::failure::{Failure, Outcome, with_path};
use crate::{house, process};

/// The oldest Node.js the driver of the browser tests runs on.
const NODE_MAJOR: u32 = 20;

/// Node.js is not installed here: every platform has its own good way.
pub fn node() -> Outcome {
    let way_out = format!(
        "Install Node.js {NODE_MAJOR} or newer with npm (https://nodejs.org, or the package \
         `nodejs` of your package manager) and try again."
    );
    let missing = |program: &str| {
        Failure::new(format!("{program} is missing; it runs the WebAssembly and browser tests and shrinks the page."))
            .or_way_out(way_out.clone())
    };
    let said = process::version_of("node").ok_or_else(|| missing("Node.js"))?;
    if major(&said).is_none_or(|major| major < NODE_MAJOR) {
        return Err(Failure::new(format!("Node.js is {said} here, which is too old for the browser tests."))
            .or_way_out(way_out));
    }
    process::version_of("npm").ok_or_else(|| missing("npm"))?;
    Ok(())
}

/// The packages of `tests/e2e/package-lock.json`, in their own `node_modules`.
pub fn install() -> Outcome {
    node()?;
    let folder = house::browser_tests();
    let lock_path = folder.join("package-lock.json");
    let lock = fs::read_to_string(&lock_path).map_err(with_path(&lock_path))?;
    // A copy of the lock file inside says what is installed.
    let stamp = folder.join("node_modules").join(".installed-lock.json");
    if fs::read_to_string(&stamp).is_ok_and(|installed| installed == lock) {
        return Ok(());
    }
    say("installing the npm packages that drive the browser tests and shrink the page.");
    let mut command = Command::new("npm");
    command
        .args(["ci", "--ignore-scripts", "--no-audit", "--no-fund"])
        .current_dir(&folder)
        .env("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")
        // A newer npm is no news here.
        .env("npm_config_update_notifier", "false");
    process::run(&mut command)
        .map_err(|failure| failure.or_way_out("Check the connection to the npm registry and try again."))?;
    fs::write(&stamp, lock).map_err(with_path(&stamp))
}

/// `wasm-opt` of the version the packages name. Older ones, as distributions
/// have them, cannot read what today's Rust compiler writes.
pub fn wasm_opt(toolbox: &mut Toolbox) -> Outcome {
    let manifest = house::browser_tests().join("package.json");
    let wanted = wasm_opt_version(&manifest)?;
    let on_path =
        process::version_of("wasm-opt").is_some_and(|said| said.split_whitespace().any(|word| word == wanted));
    if !on_path {
        install()?;
        let modules = house::browser_tests().join("node_modules");
        toolbox.add_folder(modules.join("binaryen").join("bin"));
    }
    Ok(())
}

/// `esbuild`, always that of the packages.
pub fn esbuild(toolbox: &mut Toolbox) -> Outcome {
    install()?;
    toolbox.add_folder(house::browser_tests().join("node_modules").join("esbuild").join("bin"));
    Ok(())
}

/// The package `binaryen` counts its releases in the first number.
fn wasm_opt_version(manifest: &Path) -> Outcome<String> {
    let text = fs::read_to_string(manifest).map_err(with_path(manifest))?;
    let value: serde_json::Value = serde_json::from_str(&text)
        .map_err(|error| Failure::new(format!("{} is no JSON: {error}.", manifest.display())))?;
    value["devDependencies"]["binaryen"]
        .as_str()
        .and_then(|version| version.split('.').next())
        .map(str::to_owned)
        .ok_or_else(|| Failure::new(format!("{} does not name a version of binaryen.", manifest.display())))
}

/// The first number of `v20.20.2`.
fn major(said: &str) -> Option<u32> {
    said.strip_prefix('v')?.split('.').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_major_version_is_read() {
        assert_eq!(major("v20.20.2"), Some(20));
        assert_eq!(major("20.20.2"), None);
        assert_eq!(major("v"), None);
    }

    #[test]
    fn the_manifest_names_wasm_opt_exactly() {
        let manifest = house::browser_tests().join("package.json");
        let version = wasm_opt_version(&manifest).unwrap();
        assert!(version.parse::<u32>().is_ok(), "{version}");
    }
}
