//! Names of files that change with their content, so that a host may let browsers keep them for good.
//!
//! Trunk names files by what they were before they were shrunk; these are the last names.

use std::fs;
use std::path::Path;

use crate::failure::{Outcome, with_path};
use crate::{house, lazy, split};

/// Renames every script, program and style sheet of the site, and their addresses in the page.
pub fn by_content() -> Outcome {
    let page = house::dist().join("index.html");
    let mut html = fs::read_to_string(&page).map_err(with_path(&page))?;
    let inside = |folder: &str| (house::dist().join(folder), format!("{folder}/"));
    for (folder, prefix) in [(house::dist(), String::new()), inside(lazy::FOLDER), inside(split::FOLDER)] {
        for entry in fs::read_dir(&folder).map_err(with_path(&folder))? {
            let path = entry.map_err(with_path(&folder))?.path();
            if path.is_dir() {
                continue;
            }
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if let Some(new) = renamed(&name, &fs::read(&path).map_err(with_path(&path))?) {
                fs::rename(&path, folder.join(&new)).map_err(with_path(Path::new(&new)))?;
                html = html.replace(&format!("\"./{prefix}{name}\""), &format!("\"./{prefix}{new}\""));
            }
        }
    }
    fs::write(&page, html).map_err(with_path(&page))
}

/// Files that pages of others name: they are found under this name for good.
const KEPT: [&str; 1] = ["rollscope-player.js"];

/// The name with the fingerprint of the content in the place of an older one; nothing for files
/// whose name is to stay.
fn renamed(name: &str, content: &[u8]) -> Option<String> {
    let (stem, extension) = name.rsplit_once('.')?;
    if !matches!(extension, "js" | "wasm" | "css") || KEPT.contains(&name) {
        return None;
    }
    let stem = stem.strip_suffix("_bg").unwrap_or(stem);
    let is_fingerprint = |part: &str| part.len() >= 12 && part.bytes().all(|byte| byte.is_ascii_hexdigit());
    let bare = stem.rsplit_once('-').filter(|(_, last)| is_fingerprint(last)).map_or(stem, |(bare, _)| bare);
    Some(format!("{bare}-{:016x}.{extension}", fingerprint(content)))
}

/// FNV-1a: tells versions of a file apart, which is all a name has to do.
fn fingerprint(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_content_has_another_name() {
        assert_eq!(fingerprint(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_ne!(fingerprint(b"ab"), fingerprint(b"ba"));
    }

    #[test]
    fn a_name_keeps_what_is_said_in_it() {
        let names = [
            ("rollscope-web-bc73d820a36110ab_bg.wasm", "rollscope-web-cbf29ce484222325.wasm"),
            ("rollscope-web-70f2cfb70e585bc.js", "rollscope-web-cbf29ce484222325.js"),
            ("style.css", "style-cbf29ce484222325.css"),
            ("rollscope-lazy_bg.wasm", "rollscope-lazy-cbf29ce484222325.wasm"),
        ];
        for (old, new) in names {
            assert_eq!(renamed(old, b"").as_deref(), Some(new));
        }
        assert_eq!(renamed("index.html", b""), None);
        assert_eq!(renamed("rollscope-player.js", b""), None);
        assert_eq!(renamed("favicon-aec81d1dfd0a52f0.svg", b""), None);
    }
}
