//! An instance refresh speaks EC2's words, in every sentence of every scenario and of every vector.
#![cfg(not(target_arch = "wasm32"))]

use std::path::Path;

use rollscope_engine::trace::What;
use rollscope_insight::asg::{check, outcome};
use rollscope_insight::run_to_end;
use rollscope_scenario::{Document, json};
use rollscope_wording::asg::{caption, described, figures, line, outcome as ending, row, title, verdict};

/// Words of other platforms that have no business here.
const FOREIGN: [&str; 12] = [
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
    "RUNNING",
    "deployment",
];

fn plain(name: &str, sentence: &str) {
    assert!(!sentence.trim().is_empty(), "{name}: nothing said");
    for word in FOREIGN {
        assert!(!sentence.contains(word), "{name}: \"{word}\" in \"{sentence}\"");
    }
    let wrong = ["1 instances", "  ", "..", " ,", "0 instance is", "1 are "];
    for wrong in wrong {
        assert!(!sentence.contains(wrong), "{name}: \"{wrong}\" in \"{sentence}\"");
    }
}

fn every_sentence(name: &str, document: &Document) {
    let resolved = document.resolve().unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let run = run_to_end(resolved.settings.clone());
    let end = run.end.asg().expect("a group");
    let alarms = &resolved.settings.alarms;
    let (check, outcome) = (check(&resolved), outcome(run.view(), end));
    for sentence in [verdict(&check, None, alarms), verdict(&check, Some(&outcome), alarms), ending(&outcome, alarms)] {
        plain(name, &sentence);
    }
    plain(name, title(&check, Some(&outcome)));
    let rows = figures(&outcome.figures).into_iter().chain(described(&end.view(), alarms));
    for (figure, value) in rows {
        plain(name, &format!("{figure} {value}"));
    }
    for records in run.trace.records.chunk_by(|a, b| a.at == b.at) {
        // The end of a run and an act are told by others.
        if records.iter().any(|record| !matches!(record.what, What::Ended(_) | What::Act { .. })) {
            plain(name, &caption(records, alarms));
        }
        for record in records {
            if let Some(sentence) = line(record, alarms) {
                plain(name, &sentence);
            }
            let told = row(record, 3, alarms);
            if !told.is_empty() {
                plain(name, &told);
            }
        }
    }
}

#[test]
fn every_sentence_of_a_scenario_is_in_ec2s_words() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/instance-refresh");
    let mut seen = 0;
    for entry in std::fs::read_dir(folder).expect("the scenarios") {
        let path = entry.expect("an entry").path().join("scenario.json");
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        seen += 1;
        every_sentence(&path.display().to_string(), &Document::from_text(&text).document);
    }
    assert_eq!(seen, 13);
}

#[test]
fn every_sentence_of_a_vector_is_in_ec2s_words() {
    let rows = json::read(include_str!("../../../tests/vectors/instance_refresh_runs.json")).expect("JSON").value;
    for row in rows.as_array().expect("a list") {
        let (document, problems) = Document::from_value(row.get("document").expect("a document"));
        assert!(problems.is_empty(), "{problems:?}");
        every_sentence(&row.get("id").expect("an id").to_string(), &document);
    }
}
