//! The map around a scenario, in English.

use rollscope_engine::SimTime;
use rollscope_insight::comparison::{Figure, Summary};
use rollscope_insight::explore::{Figures, Measure};
use rollscope_scenario::Value;

use super::page::number;
use super::{compare, count};
use crate::explore::Label;
use crate::time::clock;

pub(crate) fn title(pairs: usize, fields: usize) -> String {
    let many = |n: usize, one: &str, more: &str| format!("{} {}", number(n as u64), if n == 1 { one } else { more });
    match pairs == fields {
        true => many(pairs, "pair of settings", "pairs of settings"),
        false => format!(
            "{}, {}",
            many(pairs, "pair of settings", "pairs of settings"),
            many(fields, "behaviour", "behaviours")
        ),
    }
}

pub(crate) fn lead(pairs: usize, fields: usize) -> &'static str {
    match pairs == fields {
        true => "Each field is a run of its own, to its end.",
        false => "Pairs that round to the same floor and ceiling are one field. Each is a run of its own, to its end.",
    }
}

pub(crate) fn progress(done: usize, all: usize) -> String {
    format!("{} of {} computed", number(done as u64), number(all as u64))
}

pub(crate) fn setting(pointer: &str) -> String {
    let name = pointer.rsplit('/').next().unwrap_or(pointer);
    match name {
        "minimumHealthyPercent" => "Minimum",
        "maximumPercent" => "Maximum",
        "desiredCount" => "Desired count",
        "start_up" => "Start-up",
        "deregistration_delay.timeout_seconds" => "Drain",
        "healthCheckGracePeriodSeconds" => "Grace period",
        "healthyPercent" => "Early success",
        "value" => "Failures of the breaker",
        "fixed" => return pointer.rsplit('/').nth(1).unwrap_or(name).to_owned(),
        other => other,
    }
    .to_owned()
}

pub(crate) fn pair(rows: &str, columns: &str) -> String {
    format!("{rows} × {columns}")
}

pub(crate) fn value(value: &Value, pointer: &str) -> String {
    let percent = pointer.ends_with("Percent") || pointer.ends_with("Percentage");
    let seconds = pointer.ends_with("_seconds") || pointer.ends_with("Seconds") || pointer.ends_with("InstanceWarmup");
    match value {
        Value::String(text) => text.strip_suffix('%').map_or_else(|| text.clone(), |n| format!("{n} %")),
        other if percent => format!("{other} %"),
        other if seconds => format!("{other} s"),
        other => other.to_string(),
    }
}

pub(crate) fn measure(measure: Measure) -> &'static str {
    match measure {
        Measure::Duration => "duration",
        Measure::FewestHealthy => "fewest healthy",
        Measure::MostAtOnce => "most at once",
        Measure::Extra => "extra capacity",
        Measure::BothVersions => "both versions",
    }
}

pub(crate) fn group(columns: bool, n: u32) -> String {
    format!("{} {}", if columns { "ceiling" } else { "floor" }, count(n))
}

pub(crate) fn figure(measure: Measure, found: &Summary) -> String {
    match found.done {
        Figure::Time(_) => compare::figure(measure.of(found)),
        other => compare::figure(other),
    }
}

pub(crate) fn range(found: &Summary) -> String {
    format!("{} to {}", count(found.fewest_healthy), count(found.most))
}

pub(crate) fn spoken(rows: &str, columns: &str, of: Measure) -> String {
    format!("{rows}, {columns}: {} ", measure(of))
}

pub(crate) fn best() -> &'static str {
    ", best of its kind"
}

pub(crate) fn same(name: &str, first: &str, last: &str) -> String {
    format!("{name}: from {first} to {last} it is the same.")
}

pub(crate) fn spread(figures: &Figures, runs: usize) -> String {
    let time = |ms: Option<u64>| ms.map_or_else(|| "never".to_owned(), |ms| clock(SimTime(ms)));
    format!(
        "Of {} runs half are done by {}, 9 in 10 by {}, 99 in 100 by {}; the longest takes {}.",
        number(runs as u64),
        time(figures.median),
        time(figures.ninety),
        time(figures.ninety_nine),
        time(figures.worst.1)
    )
}

pub(crate) fn beyond(over: usize, runs: usize, wait: &str) -> String {
    match over {
        0 => format!("None of them passes {wait}, at which a wait for a stable service gives up."),
        _ => format!(
            "{} of {} pass {wait}, at which a wait for a stable service gives up.",
            number(over as u64),
            number(runs as u64)
        ),
    }
}

pub(crate) fn label(label: Label) -> &'static str {
    match label {
        Label::Settings => "Settings",
        Label::Show => "Show",
        Label::Stop => "Stop",
        Label::GoOn => "Go on",
        Label::Refused => "refused",
        Label::Waiting => "not computed yet",
        Label::Selected => "Selected",
        Label::DoneAfter => "Done after",
        Label::Fewest => "Fewest healthy",
        Label::Most => "Most at once",
        Label::Spread => "The same with other luck, each dot is 4 runs",
        Label::NoSpread => {
            "Its times do not vary: every run is like this one. Give start-up, pull or checks a range to see the spread."
        }
        Label::Wait => "A wait gives up at",
        Label::OpenWorst => "Open the longest",
        Label::OneStep => "One step away",
        Label::Select => "Select",
        Label::OpenInStudio => "Open in the Studio",
        Label::CompareWithCurrent => "Compare with the current one",
        Label::Best => "best of its kind: nothing faster is as safe and as small",
        Label::Map => "Map of two settings",
        Label::Broken => "This link cannot be opened as it is. The scenario in it may be cut or changed.",
    }
}
