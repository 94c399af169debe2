//! From the functions that ran to the list of those that are not needed: as few lines as say it.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::choose::{self, Rule};
use super::program::Program;

/// A line that saves fewer bytes than this is not worth reading.
const WORTH: usize = 40;

/// The rules that cover what may go and never ran, and nothing that ran.
pub fn rules<'p>(program: &'p Program<'_>, ran: &[bool]) -> Vec<Rule<'p>> {
    let movable = choose::movable(program);
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    let mut taken: BTreeSet<&str> = BTreeSet::new();
    for (index, name) in &program.names {
        let index = *index as usize;
        if ran.get(index).copied().unwrap_or(true) {
            taken.insert(name);
        } else if movable[index] {
            *sizes.entry(name).or_default() += program.size(index);
        }
    }
    // A name that one of its functions needs is needed.
    sizes.retain(|name, _| !taken.contains(name));
    let used: BTreeSet<&str> = taken.iter().flat_map(|name| paths(name)).collect();
    let mut saved: HashMap<Rule<'p>, usize> = HashMap::new();
    for (name, size) in &sizes {
        for rule in candidates(name, &used) {
            *saved.entry(rule).or_default() += size;
        }
    }
    let mut best: Vec<(Rule<'p>, usize)> = saved.into_iter().collect();
    best.sort_by(|(a, saved_a), (b, saved_b)| saved_b.cmp(saved_a).then(a.cmp(b)));
    let mut rules = Vec::new();
    for (rule, _) in best {
        let news = sizes.iter().filter(|(name, _)| rule.covers(name));
        if news.clone().map(|(_, size)| size).sum::<usize>() >= WORTH {
            sizes.retain(|name, _| !rule.covers(name));
            rules.push(rule);
        }
    }
    rules.sort();
    rules
}

/// What a rule for this function may say: its name, or a path in it that no needed function has.
fn candidates<'n>(name: &'n str, used: &BTreeSet<&str>) -> Vec<Rule<'n>> {
    let paths = paths(name).into_iter().filter(|path| path.contains("::") && !used.contains(path));
    let mut rules: Vec<Rule<'n>> = paths.map(Rule::About).collect();
    rules.push(Rule::Named(name));
    rules.sort();
    rules.dedup();
    rules
}

/// Every path in a name, and the paths above it.
fn paths(name: &str) -> Vec<&str> {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut paths = Vec::new();
    let bytes = name.as_bytes();
    let mut start = 0;
    while start < bytes.len() {
        if !is_part(bytes[start]) {
            start += 1;
            continue;
        }
        let mut end = start;
        loop {
            while end < bytes.len() && is_part(bytes[end]) {
                end += 1;
            }
            paths.push(&name[start..end]);
            let goes_on = name[end..].starts_with("::") && bytes.get(end + 2).is_some_and(|byte| is_part(*byte));
            if !goes_on {
                break;
            }
            end += 2;
        }
        start = end + 1;
    }
    paths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_paths() {
        assert_eq!(
            paths("<a::b::C as d::E<f>>::g::{closure#0}"),
            ["a", "a::b", "a::b::C", "as", "d", "d::E", "f", "g", "closure", "0"]
        );
    }

    #[test]
    fn a_rule_covers_nothing_that_is_needed() {
        let used: BTreeSet<&str> = paths("a::b::used").into_iter().collect();
        assert_eq!(
            candidates("a::b::c::d", &used),
            [Rule::Named("a::b::c::d"), Rule::About("a::b::c"), Rule::About("a::b::c::d")]
        );
    }
}
