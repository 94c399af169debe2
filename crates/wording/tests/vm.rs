//! A managed instance group speaks Google Cloud's words, a scale set Azure's, in every sentence of every vector.
#![cfg(not(target_arch = "wasm32"))]

use rollscope_engine::platform::vm::Kind;
use rollscope_engine::trace::What;
use rollscope_insight::run_to_end;
use rollscope_insight::vm::{check, outcome};
use rollscope_scenario::{Document, json};
use rollscope_wording::vm::{caption, described, figures, line, outcome as ending, row, title, verdict};

/// Words of other platforms that have no business here.
const FOREIGN: [&str; 11] = [
    "task",
    "PROVISIONING",
    "DEACTIVATING",
    "PRIMARY",
    "desired count",
    "circuit breaker",
    "slot",
    "STOPPED",
    "Pod",
    "replicas",
    "deployment",
];
const GOOGLE: [&str; 5] = ["maxUnavailable", "targetSize", "template", "PROACTIVE", "isStable"];
const AZURE: [&str; 4] = ["batch", "Faulted", "upgrade", "RollingForward"];

fn plain(name: &str, sentence: &str, kind: &Kind) {
    assert!(!sentence.trim().is_empty(), "{name}: nothing said");
    let other: &[&str] = if matches!(kind, Kind::Mig(_)) { &AZURE } else { &GOOGLE };
    for word in FOREIGN.iter().chain(other) {
        assert!(!sentence.contains(word), "{name}: \"{word}\" in \"{sentence}\"");
    }
    assert!(!sentence.contains("  ") && !sentence.contains(".."), "{name}: {sentence}");
}

fn every_sentence(name: &str, document: &Document) {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let run = run_to_end(resolved.settings.clone());
    let end = run.end.vm().expect("a group of machines");
    let (before, found) = (check(&resolved).expect("the same"), outcome(run.view(), end));
    let kind = &before.kind;
    for sentence in [title(&before, None).to_owned(), title(&before, Some(&found)).to_owned(), verdict(&before, None)] {
        plain(name, &sentence, kind);
    }
    plain(name, &verdict(&before, Some(&found)), kind);
    plain(name, &ending(&found), kind);
    for (what, value) in figures(&found.figures, kind).into_iter().chain(described(end).1) {
        assert!(!what.is_empty() && !value.is_empty(), "{name}: {what} {value}");
    }
    for record in &run.trace.records {
        if let What::Vm(_) = record.what {
            plain(name, &row(record, 1, kind), kind);
        }
        if let Some(sentence) = line(record, kind) {
            plain(name, &sentence, kind);
        }
    }
    for records in run.trace.records.chunk_by(|one, next| one.at == next.at) {
        let told = records.iter().any(|record| matches!(record.what, What::Vm(_)));
        let sentence = caption(records, kind);
        assert!(!told || !sentence.is_empty(), "{name}: {records:?}");
        if told {
            plain(name, &sentence, kind);
        }
    }
}

#[test]
fn every_sentence_of_a_vector_is_in_its_platforms_words() {
    let rows = json::read(include_str!("../../../tests/vectors/machine_groups_runs.json")).expect("JSON").value;
    let rows = rows.as_array().expect("a list");
    assert!(rows.len() >= 48);
    for row in rows {
        let (document, problems) = Document::from_value(row.get("document").expect("a document"));
        assert!(problems.is_empty(), "{problems:?}");
        every_sentence(&row.get("id").expect("an id").to_string(), &document);
    }
}
