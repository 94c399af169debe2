//! Sentences and short texts of the panel at the left, in English.

use rollscope_engine::SimTime;
use rollscope_insight::Boot;
use rollscope_scenario::Problem;

use super::page::{ceiling_label, floor_label, number, problem, zone};
use crate::page::FateWho;
use crate::time;

/// Label of a slider beside the field of the same name.
pub fn slider(label: &str) -> String {
    format!("{label}, slider")
}

/// What the closed section says about timing: the start-up, and the longest drain where tasks drain.
pub fn timing_value(start_up: &str, drain: Option<&str>) -> String {
    let start = format!("start-up {}", short(start_up));
    drain.map_or(start.clone(), |drain| format!("{start}, drain up to {drain}"))
}

/// Seconds as they stand in a field: `1200` is “1,200 s”.
pub fn seconds_of(text: &str) -> String {
    text.parse().map_or_else(|_| text.to_owned(), |seconds| format!("{} s", number(seconds)))
}

/// A duration in a heading. A distribution is too long for it; it is shown when the section opens.
fn short(duration: &str) -> &str {
    if duration.starts_with('{') { "varies" } else { duration }
}

/// The same where times in all are given: start to healthy, stop to gone.
pub fn timing_in_all(healthy: Option<&str>, gone: Option<&str>) -> String {
    let healthy = healthy.map(|time| format!("healthy {}", short(time)));
    let gone = gone.map(|time| format!("gone {}", short(time)));
    healthy.into_iter().chain(gone).collect::<Vec<_>>().join(", ")
}

/// What the closed section says about checks: their kind, and the seconds between them.
pub fn checks_value(kind: &str, seconds: Option<&str>) -> String {
    seconds.map_or_else(|| kind.to_owned(), |text| format!("{kind}, {}", seconds_of(text)))
}

/// What the closed section says about the new revision: fate, its number, whom it meets.
pub fn fate_value(fate: &str, number: Option<&str>, who: FateWho<'_>) -> String {
    let number = short(number.unwrap_or("?"));
    let one = match fate {
        "healthy" => return boot_value(Boot::Checked),
        "never_running" => "fails to start".to_owned(),
        "never_passes" => "never healthy".to_owned(),
        "hangs" => "hangs".to_owned(),
        "exits_after" => format!("exits after {number}"),
        "turns_unhealthy_after" => format!("unhealthy after {number}"),
        "above_running" => format!("fails above {number}"),
        _ => return "as in the document".to_owned(),
    };
    // There is room for one line: beside whom it meets, a word has to do.
    let word = match fate {
        "never_running" => "no start",
        "never_passes" => "no pass",
        "exits_after" => "exits",
        "turns_unhealthy_after" => "unhealthy",
        _ => one.as_str(),
    };
    match who {
        FateWho::All => one,
        FateWho::Chance(hits, of) => format!("{hits} in {of}: {word}"),
        FateWho::Zone(index) => format!("{}: {word}", zone(index)),
        FateWho::AllBut(start) => format!("only start {start} passes"),
        FateWho::Only(start) => format!("start {start}: {word}"),
    }
}

/// What the closed section says of a new revision whose fate is to start and stay: what it meets when it boots.
pub fn boot_value(boot: Boot) -> String {
    match boot {
        Boot::Checked => "starts, passes checks".to_owned(),
        Boot::Unchecked => "starts, keeps running".to_owned(),
        Boot::Refused { expects } => format!("gate refuses until {expects}"),
        Boot::NoDigests => "no image digest".to_owned(),
    }
}

/// What a start is called by its number.
pub fn single_start(number: &str) -> String {
    if number.is_empty() { "Start number".into() } else { format!("start {number}") }
}

/// What exists at the start, by the number of deployments that are given.
pub fn start_value(deployments: usize) -> String {
    match deployments {
        0 => "steady".to_owned(),
        1 => "1 deployment".to_owned(),
        n => format!("{n} deployments"),
    }
}

/// Heading of a deployment that exists at the start; its number as it is written.
pub fn start_revision(number: &str) -> String {
    format!("Revision {}", if number.is_empty() { "?" } else { number })
}

/// How many acts a run has.
pub fn acts_value(count: usize) -> String {
    if count == 0 { "none".to_owned() } else { number(count as u64) }
}

/// How much room there is at the start, and how often it changes later.
pub fn room_value(tasks: &str, later: usize) -> String {
    let word = if tasks == "1" { "task" } else { "tasks" };
    match later {
        0 => format!("{tasks} {word}"),
        1 => format!("{tasks} {word}, 1 change"),
        n => format!("{tasks} {word}, {n} changes"),
    }
}

/// How many things are worth knowing.
pub fn notes_value(notes: usize) -> String {
    match notes {
        0 => "defaults only".to_owned(),
        1 => "1 note".to_owned(),
        n => format!("{n} notes"),
    }
}

/// The sum of the ceiling and its result: “4 × 150 % = ”, “ceiling 6”.
pub fn ceiling_calc(desired: u32, percent: u32) -> (String, String) {
    (calc(desired, percent, "down to "), ceiling_label(super::ceiling(desired, percent)))
}

/// The sum of the floor and its result: “4 × 75 % = ”, “floor 3”.
pub fn floor_calc(desired: u32, percent: u32) -> (String, String) {
    (calc(desired, percent, "up to "), floor_label(super::floor(desired, percent)))
}

/// What is exact needs no word on rounding.
fn calc(desired: u32, percent: u32, rounded: &str) -> String {
    let product = super::product(desired, percent);
    let sum = format!("{} × {percent} % = ", number(u64::from(desired)));
    if product.contains('.') { format!("{sum}{product}, {rounded}") } else { sum }
}

/// The slider of the maximum for assistive technology.
pub fn slider_maximum(desired: u32, percent: u32) -> String {
    let ceiling = super::ceiling(desired, percent);
    let room = ceiling.saturating_sub(desired);
    format!("Maximum {percent} percent, {}, {} may start.", ceiling_label(ceiling), or_none(room))
}

/// The slider of the minimum for assistive technology.
pub fn slider_minimum(desired: u32, percent: u32) -> String {
    let floor = super::floor(desired, percent);
    let spare = desired.saturating_sub(floor);
    format!("Minimum {percent} percent, {}, {} may stop.", floor_label(floor), or_none(spare))
}

fn or_none(n: u32) -> String {
    if n == 0 { "none".to_owned() } else { number(u64::from(n)) }
}

/// The row of cells in one sentence.
pub fn ruler(desired: u32, floor: u32, ceiling: u32) -> String {
    let missing = or_none(desired.saturating_sub(floor));
    let added = or_none(ceiling.saturating_sub(desired));
    format!(
        "{} must stay healthy, {missing} may be missing, {added} may be added: at most {} at once.",
        super::tasks(floor),
        number(u64::from(ceiling))
    )
}

/// Words in the bar of tasks that stay healthy, the longest first.
pub fn bar_keep(tasks: u32) -> [String; 2] {
    let n = number(u64::from(tasks));
    [format!("{n} stay healthy"), n]
}

/// Words in the bar of tasks that may be missing, the longest first.
pub fn bar_missing(tasks: u32) -> [String; 2] {
    let n = number(u64::from(tasks));
    [format!("{n} may be missing"), format!("− {n}")]
}

/// Words in the bar of tasks that may be added, the longest first.
pub fn bar_added(tasks: u32) -> [String; 2] {
    let n = number(u64::from(tasks));
    [format!("{n} may be added"), format!("+ {n}")]
}

/// What follows “from”: a moment and all that comes after it.
pub fn from_moment(at: SimTime) -> String {
    format!("{} on", time::clock(at))
}

/// At a moment.
pub fn at_moment(at: SimTime) -> String {
    format!("at {}", time::clock(at))
}

/// Name of a button that goes to the moment a run is decided; it contains `at_moment`.
pub fn go_to_decided(at: SimTime) -> String {
    format!("Go to the moment that decides it, {}", at_moment(at))
}

/// A small button that tries a change.
pub fn try_small(change: &str) -> String {
    let mut change = change.to_owned();
    if let Some(first) = change.get_mut(..1) {
        first.make_ascii_lowercase();
    }
    format!("Try {change}")
}

/// A problem under its field, with the field's label.
pub fn field_problem(label: &str, found: &Problem) -> String {
    format!("{label}: {}", problem(found))
}

/// Name of a button that takes a value out of a field, and the default that then holds.
pub fn reset_to(label: &str, default: &str) -> String {
    if default.is_empty() { format!("Reset {label}") } else { format!("Reset {label} to {default}") }
}

/// Name of a button that removes an entry of a list.
pub fn remove(what: &str) -> String {
    format!("Remove: {what}")
}

/// Place of an entry in a list, for its label: “Room from”, “Room for”.
pub fn room_step(step: usize, is_time: bool) -> String {
    if is_time { format!("Change {step}: from") } else { format!("Change {step}: tasks that find a place") }
}

/// A default that holds.
pub fn default_value(field: &str, value: &str) -> String {
    let short =
        field.trim_start_matches('/').trim_start_matches("service/").trim_start_matches("deploymentConfiguration/");
    format!("{}: {value}", short.replace('/', "."))
}

/// The state an alarm begins in.
pub fn alarm_begins(state: &str) -> String {
    format!("{state} at the start.")
}

/// A change of an alarm at a moment.
pub fn alarm_goes(at: &str, state: &str) -> String {
    format!("{state} at {at}.")
}

/// An alarm that follows the share of bad answers.
pub fn alarm_follows(hits: &str, of: &str, lasting: Option<&str>) -> String {
    let after = lasting.map_or_else(String::new, |time| format!(", after {time}"));
    format!("ALARM while more than {hits} in {of} answers are bad{after}.")
}

/// How many readings differ.
pub fn readings_value(given: usize) -> String {
    if given == 0 { "default".to_owned() } else { format!("{given} set") }
}

/// Label of a fate's number.
pub fn fate_number(fate: &str) -> &'static str {
    if fate == "above_running" { "Tasks" } else { "Time" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_names_the_rounding_only_where_there_is_one() {
        let both = |(sum, result): (String, String)| sum + &result;
        assert_eq!(both(ceiling_calc(4, 150)), "4 × 150 % = ceiling 6");
        assert_eq!(both(ceiling_calc(1, 150)), "1 × 150 % = 1.5, down to ceiling 1");
        assert_eq!(both(floor_calc(3, 50)), "3 × 50 % = 1.5, up to floor 2");
        assert_eq!(slider_maximum(4, 150), "Maximum 150 percent, ceiling 6, 2 may start.");
        assert_eq!(slider_minimum(4, 100), "Minimum 100 percent, floor 4, none may stop.");
    }

    #[test]
    fn a_change_in_a_button_goes_on_in_lower_case() {
        assert_eq!(try_small("Maximum 200 %"), "Try maximum 200 %");
    }

    #[test]
    fn the_heading_of_the_new_revision_says_whom_its_fate_meets() {
        assert_eq!(fate_value("healthy", None, FateWho::All), "starts, passes checks");
        assert_eq!(fate_value("exits_after", Some("30s"), FateWho::All), "exits after 30s");
        assert_eq!(boot_value(Boot::Refused { expects: 42 }), "gate refuses until 42");
        assert_eq!(fate_value("never_passes", None, FateWho::AllBut("3")), "only start 3 passes");
        assert_eq!(fate_value("never_running", None, FateWho::Chance("1", "3")), "1 in 3: no start");
    }
}
