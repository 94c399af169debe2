//! The release page: Trunk puts it together into `dist/`, then the second program joins it, then all of it
//! shrinks, and what the first picture does without becomes a file of its own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome, with_path};
use crate::setup::{self, Toolbox};
use crate::{house, lazy, names, process, shrink, split};

/// `cargo xtask dist`.
pub fn dist() -> Outcome {
    let toolbox = setup::prepare(&needs())?;
    build(&toolbox)?;
    let bytes = size_of(&house::dist())?;
    println!(
        "The site is in dist/ ({} kB in all). Its addresses are relative: any folder of any \
         web server will do.",
        bytes.div_ceil(1000)
    );
    Ok(())
}

/// What the set-up has to bring for [`build`].
pub fn needs() -> BTreeSet<setup::Need> {
    setup::FOR_THE_PAGE.iter().copied().collect()
}

/// Builds the release page.
pub fn build(toolbox: &Toolbox) -> Outcome {
    let mut trunk = toolbox.command("trunk")?;
    say("compiling the page, which takes minutes the first time.");
    trunk
        // Its last word is "success", and there is more to come.
        .arg("--quiet")
        // Offline, because Trunk would otherwise download tools of its own.
        .args(["build", "--release", "--offline", "--dist"])
        .arg(house::dist())
        .envs(process::for_wasm())
        // Trunk reads this variable as a flag of its own and refuses "1".
        .env_remove("NO_COLOR")
        // A filter from outside does not go with `--quiet`.
        .env_remove("RUST_LOG")
        // Its own stack says nothing about a mistake in the page.
        .env_remove("RUST_BACKTRACE");
    process::run(&mut trunk)
        .and_then(|()| {
            say("compiling its second program, for pasting and pictures.");
            lazy::build(toolbox)
        })
        .and_then(|()| {
            say("making both smaller.");
            shrink::site(toolbox)
        })
        .and_then(|()| split::site())
        .and_then(|()| names::by_content())
        .map_err(|failure| failure.or_way_out("The lines above say which part did not build."))
}

/// One line about how far it is.
fn say(sentence: &str) {
    println!("Page: {sentence}");
}

/// Fails with a sentence when nothing was built yet.
pub fn must_be_built() -> Outcome {
    if house::dist().join("index.html").is_file() {
        return Ok(());
    }
    Err(Failure::new("There is no finished page in dist/ yet.").or_way_out("Run `cargo xtask dist` first."))
}

fn size_of(folder: &Path) -> Outcome<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(folder).map_err(with_path(folder))? {
        let entry = entry.map_err(with_path(folder))?;
        let path = entry.path();
        let metadata = entry.metadata().map_err(with_path(&path))?;
        bytes += if metadata.is_dir() { size_of(&path)? } else { metadata.len() };
    }
    Ok(bytes)
}
