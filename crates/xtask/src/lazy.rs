//! The second WebAssembly file: built after the page, told to the page.
//!
//! Trunk puts the page together and empties `dist/` first. This one is joined here, goes to
//! `dist/lazy/`, and its two addresses go into the `<meta>` that `web/js/boot.js` reads.

use std::fs;
use std::path::Path;

use crate::failure::{Failure, Outcome, with_path};
use crate::house::{self, WASM_TARGET};
use crate::process;
use crate::setup::Toolbox;

const PACKAGE: &str = "rollscope-lazy";
/// Its folder in the finished site.
pub const FOLDER: &str = "lazy";

/// Builds it into the finished site.
pub fn build(toolbox: &Toolbox) -> Outcome {
    let target = process::target_folder()?;
    let mut cargo = toolbox.cargo()?;
    cargo.args(["build", "--release", "--offline", "--package", PACKAGE, "--lib", "--target", WASM_TARGET]);
    process::run(&mut cargo)?;
    let built = target.join(WASM_TARGET).join("release").join("rollscope_lazy.wasm");
    let joined = target.join("lazy");
    let mut bindgen = toolbox.command("wasm-bindgen")?;
    bindgen
        .args(["--target", "web", "--no-typescript", "--keep-debug", "--out-name", PACKAGE, "--out-dir"])
        .arg(&joined)
        .arg(built);
    process::run(&mut bindgen)?;
    let (js, wasm) = (format!("{PACKAGE}.js"), format!("{PACKAGE}_bg.wasm"));
    for name in [&js, &wasm] {
        place(&joined, name)?;
    }
    let page = house::dist().join("index.html");
    let html = fs::read_to_string(&page).map_err(with_path(&page))?;
    let told = tell(&html, &js, &wasm)
        .ok_or_else(|| Failure::new("The page has no place for the addresses of its second program."))?;
    fs::write(&page, told).map_err(with_path(&page))
}

fn place(joined: &Path, name: &str) -> Outcome {
    let folder = house::dist().join(FOLDER);
    fs::create_dir_all(&folder).map_err(with_path(&folder))?;
    let (from, to) = (joined.join(name), folder.join(name));
    fs::copy(&from, &to).map(drop).map_err(with_path(&from))
}

/// The page with the two addresses in the attributes that Trunk.toml leaves empty.
fn tell(html: &str, js: &str, wasm: &str) -> Option<String> {
    let with_js = replace_once(html, "data-lazy-js=\"\"", &format!("data-lazy-js=\"./{FOLDER}/{js}\""))?;
    replace_once(&with_js, "data-lazy-wasm=\"\"", &format!("data-lazy-wasm=\"./{FOLDER}/{wasm}\""))
}

fn replace_once(text: &str, from: &str, to: &str) -> Option<String> {
    (text.matches(from).count() == 1).then(|| text.replacen(from, to, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_both_addresses() {
        let html = "<meta data-lazy-js=\"\" data-lazy-wasm=\"\">";
        assert_eq!(
            tell(html, "a.js", "b.wasm").as_deref(),
            Some("<meta data-lazy-js=\"./lazy/a.js\" data-lazy-wasm=\"./lazy/b.wasm\">")
        );
        assert_eq!(tell("<meta>", "a", "b"), None);
    }

    #[test]
    fn trunk_leaves_the_attributes_empty() {
        let trunk = fs::read_to_string(house::root().join("Trunk.toml")).unwrap();
        assert!(tell(&trunk, "a", "b").is_some());
    }
}
