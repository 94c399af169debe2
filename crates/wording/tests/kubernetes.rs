//! A Kubernetes Deployment speaks Kubernetes' words, in every sentence of every scenario.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use rollscope_engine::trace::What;
use rollscope_insight::kubernetes::{check, outcome};
use rollscope_insight::run_to_end;
use rollscope_scenario::Document;
use rollscope_wording::kubernetes::{caption, figures, line, outcome as ending, row, title, verdict};

/// Words of Amazon ECS that have no business here.
const FOREIGN: [&str; 10] = [
    "task",
    "PROVISIONING",
    "DEACTIVATING",
    "PRIMARY",
    "desired count",
    "minimum",
    "circuit breaker",
    "target group",
    "slot",
    "STOPPED",
];

fn plain(name: &str, sentence: &str) {
    assert!(!sentence.trim().is_empty(), "{name}: nothing said");
    for word in FOREIGN {
        assert!(!sentence.contains(word), "{name}: \"{word}\" in \"{sentence}\"");
    }
    assert!(!sentence.contains("1 Pods") && !sentence.contains("  "), "{name}: {sentence}");
}

#[test]
fn every_sentence_is_in_kubernetes_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/kubernetes");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the scenarios") {
        let path = entry.expect("an entry").path().join("scenario.json");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        seen += 1;
        let name = path.display().to_string();
        let resolved = Document::from_text(&text).document.resolve().unwrap_or_else(|problems| panic!("{problems:?}"));
        let run = run_to_end(resolved.settings.clone());
        let end = run.end.kubernetes().expect("a Deployment");
        let (check, outcome) = (check(&resolved), outcome(run.view(), end));
        for sentence in [verdict(&check, None), verdict(&check, Some(&outcome)), ending(&outcome)] {
            plain(&name, &sentence);
        }
        plain(&name, title(&check, Some(&outcome)));
        for (figure, value) in figures(&outcome.figures) {
            plain(&name, &format!("{figure} {value}"));
        }
        for records in run.trace.records.chunk_by(|a, b| a.at == b.at) {
            // The end of a run and an act are told by others.
            if records.iter().any(|record| !matches!(record.what, What::Ended(_) | What::Act { .. })) {
                plain(&name, &caption(records));
            }
            for record in records {
                if let Some(sentence) = line(record) {
                    plain(&name, &sentence);
                }
                let told = row(record, 3);
                if !told.is_empty() {
                    plain(&name, &told);
                }
            }
        }
    }
    assert_eq!(seen, rollscope_scenario::presets_kubernetes::KUBERNETES.len());
}
