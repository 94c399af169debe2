//! What the visitor chose once for all visits: theme and keys. Nothing else is stored.

use crate::app::model::Theme;

const THEME: &str = "rollscope-theme";
const KEYS: &str = "rollscope-single-keys";

/// Storage, where the browser allows it.
fn storage() -> Option<web_sys::Storage> {
    web_sys::window()?.local_storage().ok()?
}

fn read(key: &str) -> Option<String> {
    storage()?.get_item(key).ok()?
}

/// Theme and whether single keys act.
pub fn choices() -> (Theme, bool) {
    let theme = match read(THEME).as_deref() {
        Some("dark") => Theme::Dark,
        Some("light") => Theme::Light,
        _ => Theme::System,
    };
    (theme, read(KEYS).as_deref() != Some("off"))
}

/// Keeps both; the defaults leave nothing behind.
pub fn keep(theme: Theme, single_keys: bool) {
    let Some(storage) = storage() else { return };
    let put = |key: &str, value: Option<&str>| {
        // A full or refused storage only means that the choice does not last.
        let _ = match value {
            Some(value) => storage.set_item(key, value),
            None => storage.remove_item(key),
        };
    };
    put(THEME, name(theme));
    put(KEYS, (!single_keys).then_some("off"));
}

fn name(theme: Theme) -> Option<&'static str> {
    match theme {
        Theme::System => None,
        Theme::Light => Some("light"),
        Theme::Dark => Some("dark"),
    }
}

/// Puts a theme in force: the tokens follow an attribute of the root.
pub fn put_theme(theme: Theme) {
    let root = web_sys::window().and_then(|window| window.document()?.document_element());
    if let Some(root) = root {
        // The root takes every attribute.
        let _ = match name(theme) {
            Some(name) => root.set_attribute("data-theme", name),
            None => root.remove_attribute("data-theme"),
        };
    }
}
