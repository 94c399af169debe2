//! What `rollscope run` says of every scenario, word for word, in one file each: a change is read before it is kept.
//!
//! `UPDATE_SUMMARIES=1 cargo test -p rollscope-cli --test cli summaries` writes them anew; read the difference.

use std::fs;
use std::path::{Path, PathBuf};

use crate::rollscope;

fn folders() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/scenarios");
    let entries = fs::read_dir(all).expect("the folder of scenarios").map(|entry| entry.expect("an entry").path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    found.sort();
    found
}

#[test]
fn every_scenario_is_summed_up_as_before() {
    let update = std::env::var_os("UPDATE_SUMMARIES").is_some();
    let mut different = Vec::new();
    for folder in folders() {
        let scenario = folder.join("scenario.json");
        let said = rollscope(&["run", scenario.to_str().expect("a path")], "");
        let now = format!("{}{}exit code {}\n", said.out, said.err, said.code);
        let file = folder.join("summary.txt");
        if update {
            fs::write(&file, &now).expect("the file can be written");
        } else if fs::read_to_string(&file).ok().as_deref() != Some(now.as_str()) {
            different.push(format!("{}:\n{now}", folder.display()));
        }
    }
    assert!(different.is_empty(), "see how to write them anew at the top of summaries.rs\n{}", different.join("\n"));
}
