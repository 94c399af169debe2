//! From a path in an address to a file of the site.

use std::fs;
use std::path::{Path, PathBuf};

/// What lies at a path.
pub enum Found {
    File { content_type: &'static str, body: Vec<u8> },
    FolderWithoutSlash,
    Nothing,
}

/// A folder of files and the prefix it appears below.
pub struct Site {
    folder: PathBuf,
    prefix: String,
}

impl Site {
    /// `folder` must be canonical: a file is only served when its own
    /// canonical path lies inside, so no link leads out.
    pub fn new(folder: PathBuf, prefix: &str) -> Self {
        Self { folder, prefix: prefix.to_owned() }
    }

    /// Looks up a decoded path.
    pub fn find(&self, path: &str) -> Found {
        let Some(inside) = path.strip_prefix(&self.prefix) else {
            let without_slash = self.prefix.strip_suffix('/') == Some(path);
            return if without_slash { Found::FolderWithoutSlash } else { Found::Nothing };
        };
        self.find_inside(inside).unwrap_or(Found::Nothing)
    }

    fn find_inside(&self, path: &str) -> Option<Found> {
        let mut file = self.folder.clone();
        for name in path.split('/').filter(|name| !name.is_empty()) {
            if is_unsafe(name) {
                return None;
            }
            file.push(name);
        }
        let is_folder_address = path.is_empty() || path.ends_with('/');
        if file.is_dir() && !is_folder_address {
            return Some(Found::FolderWithoutSlash);
        }
        if is_folder_address {
            file.push("index.html");
        }
        let file = file.canonicalize().ok()?;
        if !file.starts_with(&self.folder) {
            return None;
        }
        Some(Found::File { content_type: content_type(&file), body: fs::read(file).ok()? })
    }
}

/// Names that could lead out of the folder or to what is hidden in it.
fn is_unsafe(name: &str) -> bool {
    name.starts_with('.') || name.contains(['\\', ':', '/', '\0'])
}

fn content_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js" | "mjs") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("json" | "map") => "application/json",
        Some("webmanifest") => "application/manifest+json",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("gif") => "image/gif",
        Some("ico") => "image/x-icon",
        Some("woff2") => "font/woff2",
        Some("txt" | "md") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_lead_elsewhere_are_unsafe() {
        for name in ["..", ".", ".git", "a\\b", "c:", "a/b", "x\0"] {
            assert!(is_unsafe(name), "{name:?}");
        }
        assert!(!is_unsafe("rollscope-web-1a2b.js"));
    }

    #[test]
    fn wasm_has_the_type_browsers_ask_for() {
        assert_eq!(content_type(Path::new("a.wasm")), "application/wasm");
        assert_eq!(content_type(Path::new("a.b")), "application/octet-stream");
    }
}
