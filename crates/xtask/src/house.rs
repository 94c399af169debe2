//! Where things lie: the checkout, the finished site, the cache of tools.

use std::env;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome};

/// The target of everything that runs in a browser.
pub const WASM_TARGET: &str = "wasm32-unknown-unknown";

/// The root of the checkout. The caller's folder may be any sub-folder of it.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).unwrap_or(Path::new("."))
}

/// Where the finished static site lies.
pub fn dist() -> PathBuf {
    root().join("dist")
}

/// The browser tests, with the npm packages they and the page build use.
pub fn browser_tests() -> PathBuf {
    root().join("tests").join("e2e")
}

/// The folder outside the checkout that keeps the tools built by the set-up.
pub fn cache() -> Outcome<PathBuf> {
    cache_from(|name| env::var_os(name).map(PathBuf::from)).ok_or_else(|| {
        Failure::new("There is no place to keep the tools: no home folder is set.")
            .or_way_out("Set ROLLSCOPE_CACHE to a folder that may be written.")
    })
}

fn cache_from(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<PathBuf> {
    let set = |name| variable(name).filter(|value| !value.as_os_str().is_empty());
    if let Some(own) = set("ROLLSCOPE_CACHE") {
        // Children run in other folders, so a relative path would wander.
        return std::path::absolute(own).ok();
    }
    let general = set("XDG_CACHE_HOME").or_else(|| Some(set("HOME")?.join(".cache")))?;
    Some(general.join("rollscope"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache_with(variables: &[(&str, &str)]) -> Option<PathBuf> {
        cache_from(|name| {
            let (_, value) = variables.iter().find(|(key, _)| *key == name)?;
            Some(PathBuf::from(value))
        })
    }

    #[test]
    fn the_root_holds_the_page() {
        assert!(root().join("index.html").is_file());
    }

    #[test]
    fn the_most_particular_cache_wins() {
        let home = ("HOME", "/home/ann");
        let general = ("XDG_CACHE_HOME", "/caches");
        let own = ("ROLLSCOPE_CACHE", "/tools");
        assert_eq!(cache_with(&[home, general, own]), Some("/tools".into()));
        assert_eq!(cache_with(&[home, general]), Some("/caches/rollscope".into()));
        assert_eq!(cache_with(&[home, ("XDG_CACHE_HOME", "")]), Some("/home/ann/.cache/rollscope".into()));
        assert_eq!(cache_with(&[]), None);
    }
}
