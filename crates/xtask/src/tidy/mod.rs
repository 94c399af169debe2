//! `cargo xtask tidy`: the house rules a compiler does not know.
//!
//! Each rule is a function from plain data to findings, with a test that shows
//! it can fail. ARCHITECTURE.md says why the rules are.

mod edges;
mod no_std;
mod source;
mod text;

use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome, with_path};
use crate::{house, process};
use edges::Package;
use source::Source;

/// A broken rule: the place, and the rule in words.
#[derive(Debug, PartialEq, Eq)]
struct Finding {
    place: String,
    rule: String,
}

impl Finding {
    fn new(place: impl Into<String>, rule: impl Into<String>) -> Self {
        Self { place: place.into(), rule: rule.into() }
    }
}

/// Checks every rule and tells all findings at once.
pub fn command() -> Outcome {
    let packages =
        edges::packages(&process::capture(process::cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?)?;
    let sources = sources()?;
    let mut findings = edges::forbidden_edges(&packages);
    findings.extend(check_crates(&packages)?);
    for source in &sources {
        findings.extend(text::check(source));
    }
    if findings.is_empty() {
        println!("Tidy: {} crates and {} source files keep the house rules.", packages.len(), sources.len());
        return Ok(());
    }
    for Finding { place, rule } in &findings {
        println!("{place}: {rule}");
    }
    Err(Failure::new(match findings.len() {
        1 => "A house rule is broken at the place above.".to_owned(),
        count => format!("House rules are broken at the {count} places above."),
    }))
}

/// The rules about whole crates: lints, `no_std`, dependencies.
fn check_crates(packages: &[Package]) -> Outcome<Vec<Finding>> {
    let mut findings = no_std::engine_stands_alone(packages);
    let root_manifest = read(&house::root().join("Cargo.toml"))?;
    findings.extend(no_std::workspace_forbids_unsafe(&root_manifest));
    for package in packages {
        let manifest = read(Path::new(&package.manifest))?;
        findings.extend(no_std::takes_workspace_lints(&package.name, &manifest));
    }
    for name in no_std::CRATES {
        let root = house::root().join("crates").join(name).join("src").join("lib.rs");
        let source = Source::new(format!("crates/{name}/src/lib.rs"), read(&root)?);
        findings.extend(no_std::declares_no_std(&source));
        let tree = process::capture(process::cargo().args([
            "tree",
            "--package",
            &format!("rollscope-{name}"),
            "--edges",
            "normal,no-proc-macro",
            "--prefix",
            "none",
            "--format",
            "{p}|{f}",
        ]))?;
        findings.extend(no_std::enables_std(name, &tree));
    }
    Ok(findings)
}

/// Every source file of ours, with its path from the root.
fn sources() -> Outcome<Vec<Source>> {
    let mut found = Vec::new();
    for top in ["crates", "tests", "web"] {
        collect(&house::root().join(top), &mut found)?;
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Source>) -> Outcome {
    for entry in fs::read_dir(folder).map_err(with_path(folder))? {
        let path = entry.map_err(with_path(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            let is_ours = !matches!(&*name, "node_modules" | "target" | "dist" | "out");
            if is_ours && !name.starts_with('.') {
                collect(&path, found)?;
            }
            continue;
        }
        let extension = path.extension().and_then(|extension| extension.to_str());
        if matches!(extension, Some("rs" | "js" | "mjs")) {
            let inside = path.strip_prefix(house::root()).unwrap_or(&path);
            let written = inside.to_string_lossy().replace('\\', "/");
            found.push(Source::new(written, read(&path)?));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Outcome<String> {
    fs::read_to_string(path).map_err(with_path(path))
}
