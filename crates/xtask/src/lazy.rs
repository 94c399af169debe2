//! The second WebAssembly file: built after the page, named by what is in it, told to the page.
//!
//! Trunk puts the page together and empties `dist/` first; it would give a second program a fixed
//! name, which a browser may keep for longer than it holds. So this one is joined here, goes to
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
        .args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"])
        .args(["--out-name", PACKAGE, "--out-dir"])
        .arg(&joined)
        .arg(built);
    process::run(&mut bindgen)?;
    let wasm = joined.join(format!("{PACKAGE}_bg.wasm"));
    let mut wasm_opt = toolbox.command("wasm-opt")?;
    wasm_opt.arg("-Oz").arg(&wasm).arg("-o").arg(&wasm);
    process::run(&mut wasm_opt)?;
    let js = place(&joined.join(format!("{PACKAGE}.js")), "js")?;
    let wasm = place(&wasm, "wasm")?;
    let page = house::dist().join("index.html");
    let html = fs::read_to_string(&page).map_err(with_path(&page))?;
    let told = tell(&html, &js, &wasm)
        .ok_or_else(|| Failure::new("The page has no place for the addresses of its second program."))?;
    fs::write(&page, told).map_err(with_path(&page))
}

/// Copies a file into the site under a name that changes with its content; returns its address.
fn place(file: &Path, extension: &str) -> Outcome<String> {
    let bytes = fs::read(file).map_err(with_path(file))?;
    let address = format!("{FOLDER}/{PACKAGE}-{:016x}.{extension}", fingerprint(&bytes));
    let folder = house::dist().join(FOLDER);
    fs::create_dir_all(&folder).map_err(with_path(&folder))?;
    let path = house::dist().join(&address);
    fs::write(&path, bytes).map_err(with_path(&path))?;
    Ok(address)
}

/// FNV-1a: tells versions of a file apart, which is all a name has to do.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The page with the two addresses in the attributes that Trunk.toml leaves empty.
fn tell(html: &str, js: &str, wasm: &str) -> Option<String> {
    let with_js = replace_once(html, "data-lazy-js=\"\"", &format!("data-lazy-js=\"./{js}\""))?;
    replace_once(&with_js, "data-lazy-wasm=\"\"", &format!("data-lazy-wasm=\"./{wasm}\""))
}

fn replace_once(text: &str, from: &str, to: &str) -> Option<String> {
    (text.matches(from).count() == 1).then(|| text.replacen(from, to, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_has_another_name() {
        assert_eq!(fingerprint(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_ne!(fingerprint(b"ab"), fingerprint(b"ba"));
    }

    #[test]
    fn the_page_is_told_both_addresses() {
        let html = "<meta data-lazy-js=\"\" data-lazy-wasm=\"\">";
        assert_eq!(
            tell(html, "lazy/a.js", "lazy/b.wasm").as_deref(),
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
