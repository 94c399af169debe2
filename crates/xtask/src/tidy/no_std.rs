//! The rules about the crates without a standard library, and about lints.

use super::Finding;
use super::edges::Package;
use super::source::Source;

/// The crates that must work without a standard library.
pub const CRATES: &[&str] = &["engine", "scenario"];

/// The engine has no dependency at all, of any kind.
pub fn engine_stands_alone(packages: &[Package]) -> Vec<Finding> {
    let engine = packages.iter().filter(|package| package.name == "rollscope-engine");
    engine
        .flat_map(|package| &package.dependencies)
        .map(|dependency| {
            Finding::new("rollscope-engine", format!("it has no dependency at all, but declares {dependency}."))
        })
        .collect()
}

/// `#![no_std]` without a condition, so that no build has the standard library.
pub fn declares_no_std(source: &Source) -> Option<Finding> {
    let declared = source.code.lines().any(|line| line.trim() == "#![no_std]");
    (!declared).then(|| Finding::new(&source.path, "the crate must carry `#![no_std]` without a condition."))
}

/// No dependency may turn its feature `std` on. `tree` has a line
/// `NAME VERSION|FEATURE,FEATURE` for each package.
pub fn enables_std(name: &str, tree: &str) -> Vec<Finding> {
    tree.lines()
        .filter_map(|line| line.split_once('|'))
        .filter(|(_, features)| {
            // Cargo marks a package it has listed before with a trailing star.
            let mut names = features.trim_end_matches(" (*)").split(',');
            names.any(|feature| feature == "std")
        })
        .map(|(package, _)| {
            Finding::new(
                format!("rollscope-{name}"),
                format!("its dependency {} has the feature `std`.", package.split(' ').next().unwrap_or(package)),
            )
        })
        .collect()
}

/// The lints of the workspace forbid unsafe code.
pub fn workspace_forbids_unsafe(manifest: &str) -> Option<Finding> {
    let forbidden = has_entry(manifest, "[workspace.lints.rust]", "unsafe_code", "forbid");
    (!forbidden).then(|| Finding::new("Cargo.toml", "[workspace.lints.rust] must say `unsafe_code = \"forbid\"`."))
}

/// Each crate takes the lints of the workspace.
pub fn takes_workspace_lints(name: &str, manifest: &str) -> Option<Finding> {
    (!has_entry(manifest, "[lints]", "workspace", "true"))
        .then(|| Finding::new(name, "its manifest must say `[lints]` and `workspace = true`."))
}

/// Whether a section of a manifest has the entry, written on a line of its own.
fn has_entry(manifest: &str, section: &str, key: &str, value: &str) -> bool {
    let mut lines = manifest.lines().map(str::trim);
    lines.by_ref().any(|line| line == section)
        && lines
            .take_while(|line| !line.starts_with('['))
            .filter_map(|line| line.split_once('='))
            .any(|(left, right)| left.trim() == key && right.trim().trim_matches('"') == value)
}

#[cfg(test)]
mod tests {
    use super::super::edges::tests::package;
    use super::*;

    #[test]
    fn a_dependency_of_the_engine_is_found() {
        let with_one = package("rollscope-engine", &["libm"]);
        assert_eq!(engine_stands_alone(&[with_one]).len(), 1);
        let others = package("rollscope-scenario", &["libm"]);
        assert_eq!(engine_stands_alone(&[others]), []);
    }

    #[test]
    fn a_conditional_no_std_is_not_enough() {
        let source = |text: &str| Source::new("lib.rs".to_owned(), text.to_owned());
        assert_eq!(declares_no_std(&source("//! Doc.\n#![no_std]\nextern crate alloc;")), None);
        for text in ["", "#![cfg_attr(not(test), no_std)]", "// #![no_std]", "/*\n#![no_std]\n*/"] {
            assert!(declares_no_std(&source(text)).is_some(), "{text}");
        }
    }

    #[test]
    fn a_feature_std_below_is_found() {
        let fine = "rollscope-scenario v0.1.0 (here)|\ndata-encoding v2.11.1|alloc\n";
        assert_eq!(enables_std("scenario", fine), []);
        let broken = "data-encoding v2.11.1|alloc,std (*)\nx v1.0.0|std\ny v1.0.0|stdx\n";
        assert_eq!(enables_std("scenario", broken).len(), 2);
    }

    #[test]
    fn lints_must_be_taken() {
        assert_eq!(takes_workspace_lints("x", "[lints]\nworkspace = true\n"), None);
        for manifest in
            ["[package]\nworkspace = true", "[lints]\n[dependencies]\nworkspace = true", "[lints]\nworkspace = false"]
        {
            assert!(takes_workspace_lints("x", manifest).is_some());
        }
    }

    #[test]
    fn unsafe_must_be_forbidden() {
        let forbid = "[workspace.lints.rust]\nmissing_docs = \"warn\"\nunsafe_code = \"forbid\"\n";
        assert_eq!(workspace_forbids_unsafe(forbid), None);
        let deny = forbid.replace("forbid", "deny");
        assert!(workspace_forbids_unsafe(&deny).is_some());
    }
}
