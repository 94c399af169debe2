//! A corpus of texts that readers stumble over: each is read as what it looks like and as every format, without a panic, and
//! what comes out can be written again. Whoever meets a new one adds it to the folder.

use std::fs;
use std::path::Path;

use rollscope_import::export::{Target, export};
use rollscope_import::{Format, Import, Origin, import, import_as};
use rollscope_scenario::link;

/// Every text of the folder, by its name.
fn corpus() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/corpus");
    let entries = fs::read_dir(folder).expect("the folder");
    let mut all: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            (name, fs::read_to_string(&path).expect("a text"))
        })
        .collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

/// What was read has places in the text, nothing for what is not known, and can be resolved and written.
fn look(name: &str, read: &Import) {
    for problem in &read.problems {
        assert!(problem.position.is_none_or(|(line, column)| line >= 1 && column >= 1), "{name}: {problem}");
    }
    for row in &read.values {
        assert!(row.origin != Origin::Unresolved || row.value.is_null(), "{name}: {row:?}");
    }
    let Some(document) = &read.document else { return };
    let _ = document.resolve();
    for (_, target) in Target::FLAGS {
        let _ = export(document, None, target);
    }
}

#[test]
fn each_text_is_answered_as_what_it_looks_like() {
    let all = corpus();
    assert!(all.len() >= 45, "{}", all.len());
    for (name, text) in &all {
        let read = import(text, None);
        let said = read.document.is_some() || !read.problems.is_empty() || !read.choices.is_empty();
        assert!(said || read.link_error.is_some() || read.format == Format::Parts, "{name}: {read:?}");
        look(name, &read);
        for choice in read.choices.iter().take(4) {
            look(name, &import(text, Some(choice)));
        }
    }
}

#[test]
fn each_text_comes_to_an_end_as_every_format() {
    for (name, text) in &corpus() {
        for (flag, format) in Format::FLAGS {
            look(&format!("{name} as {flag}"), &import_as(text, None, Some(format)));
        }
        // A link is read by itself too, from the address of the page.
        let _ = link::decode(text);
        let _ = link::decode(text.trim_start_matches('#'));
    }
}
