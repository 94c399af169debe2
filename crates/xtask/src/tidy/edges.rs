//! The house: which of our crates may use which.

use serde_json::Value;

use super::Finding;
use crate::failure::{Failure, Outcome};

/// A crate of ours and what it declares.
#[derive(Debug, PartialEq, Eq)]
pub struct Package {
    pub name: String,
    pub manifest: String,
    /// Every dependency of any kind.
    pub dependencies: Vec<String>,
}

const PREFIX: &str = "rollscope-";

/// The libraries, from the bottom to the top.
const ENGINE: &str = "engine";
const SCENARIO: &str = "scenario";
const PLAYER: &str = "player";
const INSIGHT: &str = "insight";
const IMPORT: &str = "import";
const DRAW: &str = "draw";
const WORDING: &str = "wording";
/// What both programs of the page draw with.
const CANVAS: &str = "canvas";
const LIBRARIES: &[&str] = &[ENGINE, SCENARIO, PLAYER, INSIGHT, IMPORT, DRAW, WORDING];

/// The drawing of the house in ARCHITECTURE.md, as a table.
const HOUSE: &[(&str, &[&str])] = &[
    (ENGINE, &[]),
    (SCENARIO, &[ENGINE]),
    (PLAYER, &[ENGINE]),
    (INSIGHT, &[ENGINE, PLAYER, SCENARIO]),
    (IMPORT, &[ENGINE, SCENARIO]),
    (DRAW, &[ENGINE]),
    (WORDING, &[ENGINE, INSIGHT, SCENARIO]),
    ("cli", LIBRARIES),
    (CANVAS, &[DRAW]),
    ("web", &[ENGINE, SCENARIO, PLAYER, INSIGHT, DRAW, WORDING, CANVAS]),
    ("lazy", &[ENGINE, SCENARIO, PLAYER, INSIGHT, IMPORT, DRAW, WORDING, CANVAS]),
    ("tests", LIBRARIES),
    ("xtask", &[]),
];

/// Reads what `cargo metadata --no-deps` writes.
pub fn packages(metadata: &str) -> Outcome<Vec<Package>> {
    let unreadable = || Failure::new("The answer of `cargo metadata` has an unknown form.");
    let value: Value = serde_json::from_str(metadata).map_err(|_| unreadable())?;
    let list = value["packages"].as_array().ok_or_else(unreadable)?;
    list.iter()
        .map(|package| {
            let text = |key: &str| Some(package[key].as_str()?.to_owned());
            let dependencies = package["dependencies"].as_array()?;
            Some(Package {
                name: text("name")?,
                manifest: text("manifest_path")?,
                dependencies: dependencies
                    .iter()
                    .map(|dependency| Some(dependency["name"].as_str()?.to_owned()))
                    .collect::<Option<_>>()?,
            })
        })
        .collect::<Option<_>>()
        .ok_or_else(unreadable)
}

/// Every edge between our crates that the house does not have.
pub fn forbidden_edges(packages: &[Package]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in packages {
        let Some(name) = package.name.strip_prefix(PREFIX) else {
            findings.push(Finding::new(&package.name, format!("packages of ours are named {PREFIX}FOLDER.")));
            continue;
        };
        let Some((_, allowed)) = HOUSE.iter().find(|(known, _)| *known == name) else {
            findings.push(Finding::new(
                &package.name,
                "this crate has no place in the house; give it one in ARCHITECTURE.md and in \
                 the table of the tidy check.",
            ));
            continue;
        };
        for dependency in &package.dependencies {
            let Some(used) = dependency.strip_prefix(PREFIX) else {
                continue;
            };
            if !allowed.contains(&used) {
                findings.push(Finding::new(
                    &package.name,
                    format!("it must not depend on {dependency}; dependencies point one way."),
                ));
            }
        }
    }
    findings
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A package for the tests of the rules.
    pub fn package(name: &str, dependencies: &[&str]) -> Package {
        Package {
            name: name.to_owned(),
            manifest: String::new(),
            dependencies: dependencies.iter().map(|&name| name.to_owned()).collect(),
        }
    }

    #[test]
    fn an_edge_against_the_direction_is_found() {
        for (from, to) in [
            ("rollscope-engine", "rollscope-scenario"),
            ("rollscope-scenario", "rollscope-player"),
            ("rollscope-draw", "rollscope-wording"),
            ("rollscope-cli", "rollscope-web"),
            ("rollscope-web", "rollscope-cli"),
            ("rollscope-web", "rollscope-lazy"),
            ("rollscope-web", "rollscope-import"),
            ("rollscope-tests", "rollscope-xtask"),
        ] {
            let findings = forbidden_edges(&[package(from, &[to])]);
            assert_eq!(findings.len(), 1, "{from} -> {to}");
            assert!(findings[0].rule.contains(to));
        }
    }

    #[test]
    fn the_house_itself_is_fine() {
        let findings = forbidden_edges(&[
            package("rollscope-scenario", &["rollscope-engine", "data-encoding"]),
            package("rollscope-web", &["rollscope-draw", "yew"]),
        ]);
        assert_eq!(findings, []);
    }

    #[test]
    fn a_crate_without_a_place_is_found() {
        assert_eq!(forbidden_edges(&[package("rollscope-util", &[])]).len(), 1);
        assert_eq!(forbidden_edges(&[package("engine", &[])]).len(), 1);
    }

    #[test]
    fn metadata_is_read() {
        let metadata = r#"{"packages": [{"name": "rollscope-cli", "manifest_path": "a/Cargo.toml",
            "dependencies": [{"name": "rollscope-engine", "kind": "dev"}]}]}"#;
        let [cli] = &packages(metadata).unwrap()[..] else {
            panic!("one package");
        };
        assert_eq!(cli.dependencies, ["rollscope-engine"]);
        assert!(packages("{}").is_err());
    }
}
