//! Verdict, outcome, figures and rows of whole scenarios.

mod account;
mod agreement;
mod chapter;
mod check;
mod comparison;
mod cure;
mod guarding;
mod guards;
mod headlines;
mod json;
mod moment;
mod offers;
mod open;
mod outcome;
mod outside;
mod promise;
mod story;
mod tally;
mod troubles;

use rollscope_insight::{Check, Outcome, run_to_end};
use rollscope_scenario::{Document, Resolved};

/// The settings of a document.
fn resolve(text: &str) -> Resolved {
    Document::from_text(text).resolve().unwrap_or_else(|problems| panic!("{text}: {problems:#?}"))
}

/// A service of `desired` tasks with these percentages and more members of the document.
fn service(desired: u32, minimum: u32, maximum: u32, more: &str) -> Resolved {
    let more = if more.is_empty() { String::new() } else { format!(", {more}") };
    resolve(&format!(
        r#"{{"service": {{"desiredCount": {desired}, "deploymentConfiguration":
            {{"minimumHealthyPercent": {minimum}, "maximumPercent": {maximum}}}}}, "quotas": "none"{more}}}"#
    ))
}

/// Check and outcome of settings.
fn both(resolved: &Resolved) -> (Check, Outcome) {
    let run = run_to_end(resolved.settings.clone());
    (rollscope_insight::check(resolved), rollscope_insight::outcome(run.view()))
}
