//! The weight of the site against `budget.toml`: what a visitor loads before the page runs, and
//! what comes later.
//!
//! Node.js compresses, as good hosts do: gzip at its best level, brotli at its best quality.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::ops::Add;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome, with_path};
use crate::setup::Toolbox;
use crate::{house, lazy, process, split};

/// The program that weighs.
const WEIGH: &str = include_str!("weigh.mjs");

/// Bytes as they are and as they travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Weight {
    raw: u64,
    gzip: u64,
    brotli: u64,
}

impl Add for Weight {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self { raw: self.raw + other.raw, gzip: self.gzip + other.gzip, brotli: self.brotli + other.brotli }
    }
}

impl fmt::Display for Weight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} raw, {} gzip, {} brotli", kb(self.raw), kb(self.gzip), kb(self.brotli))
    }
}

fn kb(bytes: u64) -> String {
    format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100)
}

/// One part of the site that has a bound.
#[derive(Debug, PartialEq, Eq)]
struct Part {
    /// Its section in `budget.toml`.
    name: String,
    weight: Weight,
}

/// The bounds by section and key.
type Bounds = BTreeMap<String, BTreeMap<String, u64>>;

/// Prints the weight of the site beside its bounds; fails when one is broken.
pub fn check(toolbox: &Toolbox) -> Outcome {
    let path = house::root().join("budget.toml");
    let bounds = read(&fs::read_to_string(&path).map_err(with_path(&path))?)?;
    let parts = parts(toolbox)?;
    for Part { name, weight } in &parts {
        println!("{name}: {weight}");
        if let Some(goal) = bounds.get(name).and_then(|keys| keys.get("goal_brotli")) {
            println!("{name}: the goal is {} brotli", kb(*goal));
        }
    }
    let broken = broken(&parts, &bounds);
    if broken.is_empty() {
        return Ok(());
    }
    Err(Failure::new(broken.join("\n")).or_way_out(
        "Take something out, or move it into web/lazy. If the bytes are worth it, raise the bound in budget.toml and \
         say why in the commit.",
    ))
}

/// Every bound that does not hold, and every part or bound without the other, as sentences.
fn broken(parts: &[Part], bounds: &Bounds) -> Vec<String> {
    let mut sentences = Vec::new();
    for Part { name, weight } in parts {
        let Some(keys) = bounds.get(name) else {
            sentences.push(format!("{name} has no bounds in budget.toml."));
            continue;
        };
        for (key, is) in [("raw", weight.raw), ("gzip", weight.gzip), ("brotli", weight.brotli)] {
            match keys.get(key) {
                Some(bound) if is > *bound => {
                    let over = is - bound;
                    sentences.push(format!("{name} has {is} bytes ({key}), {over} more than the {bound} it may have."));
                }
                Some(_) => {}
                None => sentences.push(format!("budget.toml has no bound `{key}` for {name}.")),
            }
        }
    }
    let known = |name: &str| parts.iter().any(|part| part.name == name);
    for name in bounds.keys().filter(|name| !known(name)) {
        sentences.push(format!("budget.toml has bounds for {name}, and the site has no such part."));
    }
    sentences
}

/// The first load, and each program under `lazy/` by its name without the fingerprint.
fn parts(toolbox: &Toolbox) -> Outcome<Vec<Part>> {
    let mut files = Vec::new();
    collect(&house::dist(), &mut files)?;
    let mut sums: BTreeMap<String, Weight> = BTreeMap::new();
    for (file, weight) in files.iter().zip(weigh(toolbox, &files)?) {
        let sum = sums.entry(part_of(file.strip_prefix(house::dist()).unwrap_or(file))).or_default();
        *sum = *sum + weight;
    }
    Ok(sums.into_iter().map(|(name, weight)| Part { name, weight }).collect())
}

/// The part a file of the site belongs to. Everything outside of `rest/` and `lazy/` counts as the first load.
fn part_of(inside: &Path) -> String {
    if inside.starts_with(split::FOLDER) {
        return split::FOLDER.to_owned();
    }
    let Ok(name) = inside.strip_prefix(lazy::FOLDER) else { return "first_load".to_owned() };
    let name = name.to_string_lossy();
    let bare = name.rsplit_once('-').map_or(&*name, |(bare, _)| bare);
    format!("lazy.{bare}")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Outcome {
    for entry in fs::read_dir(folder).map_err(with_path(folder))? {
        let path = entry.map_err(with_path(folder))?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    files.sort();
    Ok(())
}

fn weigh(toolbox: &Toolbox, files: &[PathBuf]) -> Outcome<Vec<Weight>> {
    let mut node = toolbox.command("node")?;
    node.args(["--input-type=module", "--eval", WEIGH, "--"]).args(files);
    let said = process::capture(&mut node)?;
    let weights: Option<Vec<Weight>> = said.lines().map(weight).collect();
    weights
        .filter(|weights| weights.len() == files.len())
        .ok_or_else(|| Failure::new("The answer of the program that weighs files has an unknown form."))
}

fn weight(line: &str) -> Option<Weight> {
    let mut numbers = line.split(' ').map(str::parse);
    let (Some(Ok(raw)), Some(Ok(gzip)), Some(Ok(brotli)), None) =
        (numbers.next(), numbers.next(), numbers.next(), numbers.next())
    else {
        return None;
    };
    Some(Weight { raw, gzip, brotli })
}

/// Reads the little of TOML that `budget.toml` uses: sections, whole numbers, comments.
fn read(text: &str) -> Outcome<Bounds> {
    let mut bounds = Bounds::new();
    let mut section = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or("").trim();
        if line.is_empty() {
            continue;
        }
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = Some(bounds.entry(name.to_owned()).or_default());
            continue;
        }
        let pair = line.split_once('=').and_then(|(key, value)| {
            let value = value.trim().replace('_', "").parse().ok()?;
            Some((key.trim().to_owned(), value))
        });
        let (Some(section), Some((key, value))) = (section.as_deref_mut(), pair) else {
            return Err(Failure::new(format!(
                "budget.toml, line {}: expected `key = bytes` in a [section].",
                index + 1
            )));
        };
        section.insert(key, value);
    }
    Ok(bounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, brotli: u64) -> Part {
        Part { name: name.to_owned(), weight: Weight { raw: 30, gzip: 20, brotli } }
    }

    const BOUNDS: &str = "# bytes\n[first_load]\nraw = 1_000\ngzip = 20\nbrotli = 10 # small\ngoal_brotli = 5\n";

    #[test]
    fn a_bound_holds_to_the_byte() {
        let bounds = read(BOUNDS).unwrap();
        assert_eq!(broken(&[part("first_load", 10)], &bounds), Vec::<String>::new());
        let sentences = broken(&[part("first_load", 12)], &bounds);
        assert_eq!(sentences, ["first_load has 12 bytes (brotli), 2 more than the 10 it may have."]);
    }

    #[test]
    fn every_part_has_bounds_and_every_bound_a_part() {
        let bounds = read(BOUNDS).unwrap();
        assert_eq!(
            broken(&[part("first_load", 1), part("lazy.x", 1)], &bounds),
            ["lazy.x has no bounds in budget.toml."]
        );
        assert_eq!(broken(&[], &bounds).len(), 1);
        let half = read("[first_load]\nraw = 30\ngzip = 20\n").unwrap();
        assert_eq!(broken(&[part("first_load", 1)], &half), ["budget.toml has no bound `brotli` for first_load."]);
    }

    #[test]
    fn what_is_no_budget_is_refused_with_its_line() {
        for (text, line) in [("raw = 1", 1), ("[a]\nraw = many", 2), ("[a]\n\nraw", 3)] {
            let failure = read(text).unwrap_err().to_string();
            assert!(failure.contains(&format!("line {line}:")), "{failure}");
        }
    }

    #[test]
    fn only_two_folders_come_later() {
        assert_eq!(part_of(Path::new("rest/rollscope-rest-0f.wasm")), "rest");
        assert_eq!(part_of(Path::new("rollscope-web-1a.js")), "first_load");
        assert_eq!(part_of(Path::new("lazy/rollscope-lazy-0f.wasm")), "lazy.rollscope-lazy");
        assert_eq!(part_of(Path::new("lazy/rollscope-lazy-1f.js")), "lazy.rollscope-lazy");
    }

    #[test]
    fn the_budget_of_the_house_can_be_read() {
        let text = fs::read_to_string(house::root().join("budget.toml")).unwrap();
        let bounds = read(&text).unwrap();
        assert!(bounds["first_load"].contains_key("brotli"));
    }

    #[test]
    fn three_numbers_are_a_weight() {
        assert_eq!(weight("30 20 10"), Some(Weight { raw: 30, gzip: 20, brotli: 10 }));
        assert_eq!(weight("30 20"), None);
        assert_eq!(
            Weight { raw: 927_653, gzip: 0, brotli: 90 }.to_string(),
            "927.6 kB raw, 0.0 kB gzip, 0.0 kB brotli"
        );
    }
}
