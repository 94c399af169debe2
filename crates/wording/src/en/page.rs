//! Sentences and short texts of the page that carry numbers or names, in English.

use rollscope_engine::SimTime;
use rollscope_engine::frame::{Counts, LaneCounts, TaskState};
use rollscope_engine::settings::{AlarmState, Command};
use rollscope_insight::CutOff;
use rollscope_scenario::link::{LINK_MAX, LinkError};
use rollscope_scenario::{Kind, Problem};

use crate::Label;
use crate::page::Source;
use crate::time;

pub use super::by_hand::*;
pub use super::dials::*;
pub use super::hosts::*;
pub use super::panel::*;
pub use super::promise::rounds;
pub use super::protection::*;
pub use super::stuck::*;
pub use super::traffic::*;
pub use super::walls::*;
pub use super::watchers::*;

/// `1:50`, with tenths of a second where there are any.
pub fn clock(at: SimTime) -> String {
    match at.ms() % 1_000 / 100 {
        0 => time::clock(at),
        tenths => format!("{}.{tenths}", time::clock(at)),
    }
}

/// The end of the run behind the present moment.
pub fn of_end(end: SimTime, complete: bool) -> String {
    match (complete, end) {
        (true, SimTime::ZERO) => "nothing to play".to_owned(),
        (true, _) => format!("of {}", time::clock(end)),
        (false, _) => format!("of {} …", time::clock(end)),
    }
}

/// `step 4 of 8`
pub fn position((step, of): (usize, usize)) -> String {
    format!("step {step} of {of}")
}

/// A speed in times of real time: `60×`.
pub fn speed_times(times: u64) -> String {
    format!("{}×", number(times))
}

/// A whole number with commas.
pub fn number(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// What a pair of percentages is good for.
pub fn good_for(minimum: i64, maximum: i64) -> &'static str {
    match (minimum, maximum) {
        (100, 200) => "Full strength, all new tasks at once; needs places for twice as many",
        (100, 150) => "Full strength, half at a time",
        (50, 100) => "No extra places; half of the tasks are replaced at a time",
        _ => "No extra places; everything may stop at once",
    }
}

/// Stands in for the dials where traffic is shifted.
pub fn both_in_full(desired: u32, ceiling: u32) -> String {
    format!(
        "Both revisions run in full: 2 × {} = {} tasks. Minimum and maximum percent play no part.",
        number(u64::from(desired)),
        number(u64::from(ceiling))
    )
}

/// Label of the ceiling.
pub fn ceiling_label(ceiling: u32) -> String {
    format!("ceiling {}", number(u64::from(ceiling)))
}

/// Label of the floor.
pub fn floor_label(floor: u32) -> String {
    format!("floor {}", number(u64::from(floor)))
}

/// `4 tasks, floor 4, ceiling 6`
pub fn limits(desired: u32, floor: u32, ceiling: u32) -> String {
    let tasks = if desired == 1 { "task" } else { "tasks" };
    format!("{} {tasks}, {}, {}", number(u64::from(desired)), floor_label(floor), ceiling_label(ceiling))
}

/// Time left of a state: of a starting task until it runs.
pub fn state_left(state: TaskState, left: SimTime) -> String {
    match state {
        TaskState::Starting => format!("running in {}", clock(left)),
        _ => format!("{} left", clock(left)),
    }
}

/// Time left of a state.
fn time_left(clock: &str) -> String {
    format!("{clock} left")
}

/// How the ceiling was rounded, empty where it is exact: "1.5, down".
pub fn rounded_down(desired: u32, percent: u32) -> String {
    let hundredths = u64::from(desired) * u64::from(percent);
    match hundredths % 100 {
        0 => String::new(),
        rest if rest % 10 == 0 => format!("{}.{}, down", hundredths / 100, rest / 10),
        rest => format!("{}.{rest:02}, down", hundredths / 100),
    }
}

/// The slots of a square.
pub fn slots(first: u32, last: u32) -> String {
    format!("slots {} to {}", number(first.into()), number(last.into()))
}

/// Caption of the boxes of a revision.
pub fn group_of_revision(revision: u32, slots: u32) -> String {
    format!("r{revision}: {}", number(slots.into()))
}

/// Caption of the boxes of a zone.
pub fn group_of_zone(index: u8, slots: u32) -> String {
    format!("{}: {}", zone(index), number(slots.into()))
}

/// Caption of the slots that were never used.
pub fn group_free(slots: u32) -> String {
    format!("free: {}", number(slots.into()))
}

/// Where a value that was read comes from.
pub fn origin(origin: Source, line: Option<u32>) -> String {
    let word = match origin {
        Source::Given => "given",
        Source::Default => "default",
        Source::Live => "state of the service",
        Source::Missing => "missing",
        Source::Unresolved => "filled in elsewhere",
        Source::Parameter => "default of a parameter",
        Source::Computed => "follows from the others",
    };
    match line {
        Some(line) => format!("{word}, line {line}"),
        None => word.to_owned(),
    }
}

/// What a configuration cannot say.
pub fn needed(what: &str) -> String {
    format!("Not in the text: {what}.")
}

/// Fields that are kept and change nothing in a run yet.
pub fn kept(fields: &[String]) -> String {
    format!("Kept, not simulated yet: {}.", fields.join(", "))
}

/// The last name of a pointer.
/// The name of a field; what only says how it is given stands behind the name it belongs to.
fn last(pointer: &str) -> String {
    let mut parts = pointer.rsplit('/');
    let own = parts.next().unwrap_or(pointer);
    match parts.next() {
        Some(around) if matches!(own, "fixed" | "percent" | "type") => format!("{around}.{own}"),
        _ => own.to_owned(),
    }
}

/// Fields under another name on another platform.
pub fn carried_over(fields: &[(String, String)]) -> String {
    let names: Vec<String> = fields.iter().map(|(here, there)| format!("{} as {}", last(here), last(there))).collect();
    format!("Carried over: {}.", names.join(", "))
}

/// Most fields without a counterpart that are named.
const NAMED_MAX: usize = 12;

/// Fields that another platform does not have.
pub fn no_counterpart(fields: &[String]) -> String {
    let bare = |pointer: &String| {
        let own = pointer.trim_start_matches("/service/").trim_start_matches("deploymentConfiguration/");
        own.trim_start_matches('/').replace('/', ".")
    };
    let mut names: Vec<String> = fields.iter().take(NAMED_MAX).map(bare).collect();
    if fields.len() > NAMED_MAX {
        names.push(format!("and {} more", fields.len() - NAMED_MAX));
    }
    format!("Without a counterpart, left out: {}.", names.join(", "))
}

/// Fields that are not used.
pub fn ignored(fields: &[String]) -> String {
    format!("Not used: {}.", fields.join(", "))
}

/// A number taken away.
pub fn minus(n: u32) -> String {
    format!("− {}", number(u64::from(n)))
}

/// A problem of a field, under it.
pub fn problem(problem: &Problem) -> String {
    // A text is given with the quotes it has in a document.
    match problem.given.trim_matches('"') {
        _ if problem.kind == Kind::Missing => format!("Needed: {}.", problem.allowed),
        "" => format!("Allowed: {}.", problem.allowed),
        given => format!("“{given}” is not accepted. Allowed: {}.", problem.allowed),
    }
}

/// A problem with the name of its field, and its place in the text where there is one.
pub fn problem_with_field(problem: &Problem) -> String {
    problem.to_string()
}

/// What the service itself would say.
pub fn service_answers(answer: &str) -> String {
    format!("ECS answers: {answer}")
}

/// The way out of a problem.
pub fn use_nearest(value: &str) -> String {
    format!("Use {value}")
}

/// A field that has no effect yet.
pub fn not_simulated(field: &str, why: &str) -> String {
    format!("{}: {why}", field.trim_start_matches('/').replace('/', "."))
}

/// Label of a button that tries a change.
pub fn try_change(change: &str) -> String {
    format!("Try it: {change}")
}

/// Label of a field whose value holds from this moment on.
pub fn from_now(label: &str) -> String {
    format!("{label}, from this moment on")
}

/// Kill one task.
pub fn kill(task: &str) -> String {
    format!("Kill {task}")
}

/// Stop one task.
pub fn stop_task(task: &str) -> String {
    format!("Stop {task}")
}

/// Select one task.
pub fn select(task: &str) -> String {
    format!("Select {task}")
}

/// Only this task's events.
pub fn only(task: &str) -> String {
    format!("Only {task}")
}

/// Targets in rotation.
pub fn targets(healthy: u32) -> String {
    match healthy {
        1 => "1 task serves".to_owned(),
        n => format!("{} tasks serve", number(u64::from(n))),
    }
}

/// `r7 50 %`
pub fn share(revision: u32, part: u32, whole: u32) -> String {
    // To the nearest: two revisions add up to 100.
    let (part, whole) = (u64::from(part), u64::from(whole));
    let percent = (part * 200 + whole).checked_div(2 * whole).unwrap_or(0);
    format!("r{revision} {percent} %")
}

/// `r8 12.5 %`: a weight in thousandths.
pub fn weight(revision: u32, per_mille: u32) -> String {
    format!("r{revision} {}", super::shift::per_mille(per_mille))
}

/// Value of the scrubber for assistive technology.
pub fn scrubber(at: SimTime, end: SimTime, (step, of): (usize, usize)) -> String {
    format!("{} of {}, step {step} of {of}", spoken(at), spoken(end))
}

fn spoken(at: SimTime) -> String {
    let seconds = at.ms() / 1_000;
    let (h, m, s) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let part = |n: u64, one: &str, many: &str| match n {
        0 => String::new(),
        1 => format!("1 {one} "),
        n => format!("{n} {many} "),
    };
    let text = part(h, "hour", "hours") + &part(m, "minute", "minutes") + &part(s, "second", "seconds");
    if text.is_empty() { "0 seconds".to_owned() } else { text.trim_end().to_owned() }
}

/// One sentence on the whole chart.
pub fn chart_summary(fewest: u32, floor: u32, most: u32, ceiling: u32) -> String {
    format!(
        "Healthy and other tasks over time: never fewer than {fewest} healthy (floor {floor}), never more than {most} at once (ceiling {ceiling})."
    )
}

/// Tenths of a task-minute.
pub fn task_minutes(task_ms: u64) -> String {
    let tenths = (task_ms + 3_000) / 6_000;
    format!("{}.{}", number(tenths / 10), tenths % 10)
}

/// The same with its unit.
pub fn in_task_minutes(task_ms: u64) -> String {
    format!("{} task-minutes", task_minutes(task_ms))
}

/// Beside a time of 0 in which both revisions serve: how long the old one only ends what it has.
pub fn only_drains(ms: u64) -> String {
    format!("old one leaves for {}", clock(SimTime(ms)))
}

/// A title for a scenario without one.
pub fn untitled(service: Option<&str>) -> String {
    service.unwrap_or("A service").to_owned()
}

/// Revisions beside each other: `r9`, `r9 and r10`, `r9 to r12`; empty without any.
pub fn revisions(numbers: &[u32]) -> String {
    match numbers {
        [] => String::new(),
        [one] => revision(*one),
        [one, other] => format!("r{one} and r{other}"),
        [first, .., last] => format!("r{first} to r{last}"),
    }
}

/// Head of the column of healthy tasks of some revisions.
pub fn lane_healthy(revisions: &str) -> String {
    format!("{revisions} healthy")
}

/// One moment of the chart in numbers. `lanes` names the revisions of each lane, where there are more
/// than an old and a new one.
pub fn readout(at: SimTime, counts: &Counts, lanes: &[String]) -> String {
    let of = |(name, lane): (&str, &LaneCounts)| format!("{} {name}", number(lane.healthy.into()));
    let names = if lanes.is_empty() { vec!["old", "new"] } else { lanes.iter().map(|name| &**name).collect() };
    let healthy: Vec<String> = names.into_iter().zip(&counts.lanes).rev().map(of).collect();
    let (served, total, limits) = (counts.healthy(), counts.physical(), counts.limits);
    format!(
        "{}: healthy {}; not serving {}; {} in all; floor {}, ceiling {}",
        clock(at),
        healthy.join(", "),
        number((total - served).into()),
        number(total.into()),
        number(limits.floor.into()),
        number(limits.ceiling.into())
    )
}

/// Further tasks that never change, in one row.
pub fn more_tasks(tasks: u32) -> String {
    format!("+ {}", number(tasks.into()))
}

/// What one line of the carpet stands for.
pub fn per_line(tasks: u32, counted: Label) -> String {
    let (one, many) = match counted {
        Label::PodsAxis => ("Pod", "Pods"),
        Label::InstancesAxis => ("instance", "instances"),
        Label::MachinesAxis => ("VM", "VMs"),
        _ => ("task", "tasks"),
    };
    match tasks {
        1 => format!("1 line is 1 {one}"),
        n => format!("1 line is {} {many}", number(n.into())),
    }
}

/// Label of the circuit breaker's threshold on the timeline.
pub fn trips_at(failures: u32) -> String {
    format!("trips at {}", number(failures.into()))
}

/// Label of the gate of early success on the timeline.
pub fn gate_label(tasks: u32) -> String {
    format!("gate {}", number(tasks.into()))
}

/// What the lanes of so many alarms are.
pub const fn alarm_lanes(alarms: usize) -> &'static str {
    if alarms == 1 { "alarm" } else { "alarms" }
}

/// A span of an alarm, with its name where there is one.
pub fn alarm_span(name: &str, state: AlarmState, ignored: bool) -> String {
    let state = super::failure::alarm_state(state);
    let name = if name.is_empty() { String::new() } else { format!("{name}: ") };
    format!("{name}{state}{}", if ignored { ", ignored" } else { "" })
}

/// A task that stays as it is for ever.
pub fn unchanged(task: &str) -> String {
    format!("{task}, unchanged for ever")
}

/// A zone by its letter.
pub fn zone(index: u8) -> String {
    format!("zone {}", char::from(b'a' + index.min(25)))
}

/// A verdict in one line, with when it is done.
pub fn verdict_done(title: &str, at: SimTime) -> String {
    format!("{title}: done after {}", time::clock(at))
}

/// A verdict in one line, with when it fails.
pub fn verdict_fails(title: &str, at: SimTime) -> String {
    format!("{title}, at {}", time::clock(at))
}

/// A text that is not a moment.
pub fn not_a_time(given: &str) -> String {
    format!("“{given}” is not a time. Type minutes and seconds, for instance 1:50.")
}

/// An act that asks for what is in force already.
pub fn unchanged_act(command: &Command) -> String {
    match command {
        Command::SetDesired(n) | Command::Schedule(n) => {
            format!("Nothing changes: the desired count is {} already.", number((*n).into()))
        }
        Command::SetPercentages { .. } => "Nothing changes: these percentages are in force already.".to_owned(),
        _ => "Nothing changes.".to_owned(),
    }
}

pub use super::line::line;

/// A button that leads to a moment.
pub fn go_to(clock: &str) -> String {
    format!("Go to {clock}")
}

/// The name of a task with its slot, counted from 1.
pub fn in_slot(task: &str, slot: u32) -> String {
    format!("{task}, slot {}", number(u64::from(slot) + 1))
}

/// A page of a list.
pub fn page_of(page: usize, pages: usize) -> String {
    format!("page {} of {}", number(page as u64), number(pages as u64))
}

/// The tab of the guards, for those who do not see the mark on it.
pub fn guards_tab(broken: usize) -> String {
    match broken {
        0 => "all hold".to_owned(),
        n => format!("{} broken", number(n as u64)),
    }
}

/// One task of the stage: name, state, time left.
pub fn task_on_stage(task: &str, state: &str, left: Option<&str>) -> String {
    match left {
        Some(left) => format!("{task}, {state}, {}", time_left(left)),
        None => format!("{task}, {state}"),
    }
}

/// How many lines of the list a search found.
pub fn lines_found(lines: usize) -> String {
    match lines {
        0 => "No line found".to_owned(),
        1 => "1 line found".to_owned(),
        n => format!("{} lines found", number(n as u64)),
    }
}

/// A whole percentage.
pub fn percent(n: u32) -> String {
    format!("{n} %")
}

/// A part of a whole in percent: one that is there is never told as 0.
pub fn part_percent(n: u32) -> String {
    if n == 0 { "under 1 %".to_owned() } else { percent(n) }
}

/// A revision.
pub fn revision(number: u32) -> String {
    format!("r{number}")
}

/// The next tasks of a revision, before how they fare.
pub fn next_tasks(number: u32) -> String {
    format!("Next tasks of {}", revision(number))
}

/// Why a link cannot be opened as it is: title and sentences.
pub fn broken_link(error: &LinkError) -> (String, String) {
    let (title, words) = match error {
        LinkError::Cut { missing: 1, .. } => {
            ("This link was cut off", "1 character is missing at its end. ".to_owned())
        }
        LinkError::Cut { missing, .. } => {
            ("This link was cut off", format!("{missing} characters are missing at its end. "))
        }
        LinkError::Damaged { .. } => (
            "This link was changed",
            "Its checksum does not fit: some characters are not those that were sent. ".to_owned(),
        ),
        LinkError::UnknownVersion { found } => (
            "This link comes from another version",
            format!("It is of format “{found}”; this page reads format v1. A newer page may be able to open it."),
        ),
        LinkError::TooLong { length } => {
            ("This link is too long", format!("It has {length} bytes; links of up to {LINK_MAX} bytes are read."))
        }
        LinkError::Empty | LinkError::NotALink => {
            ("This is not a Rollscope link", "A link begins with its version, for instance “v1”. ".to_owned())
        }
    };
    let rest = match error {
        LinkError::Cut { .. } => {
            "Mail and chat programs shorten long links without saying so. Nothing was opened in its place. If you edited it by hand, open what can be read."
        }
        LinkError::Damaged { .. } => {
            "Nothing was opened in its place. If you changed it yourself, open it anyway; a link that begins with “v1&”, without length and checksum, opens without a check."
        }
        LinkError::UnknownVersion { .. } | LinkError::TooLong { .. } => "",
        _ => "Nothing was opened in its place.",
    };
    (title.to_owned(), words + rest)
}

/// Title and sentence for a run that was cut off at a moment.
pub fn cut_off(cut: CutOff, at: SimTime) -> (String, String) {
    let at = time::clock(at);
    let why = match cut {
        CutOff::Until => "That is where the scenario ends it.",
        CutOff::Horizon => "That is 24 hours after its last deployment or act, or 16 days of protection or clean-up.",
        CutOff::EventBudget => "There were more events than a page computes; the command line goes further.",
        CutOff::Rounds => "The controller did not come to rest there, which is an error of the model.",
    };
    (format!("This run stops at {at}"), format!("{why} What was computed until then stays."))
}

/// A branch: when and what.
pub fn branch(at: SimTime, what: &str) -> String {
    format!("{} {what}", time::clock(at))
}

/// What a text was recognised as.
pub fn read_from(format: &str) -> String {
    format!("Read from {format}")
}

/// How many settings of a link can be read, and which cannot.
pub fn readable(read: usize, of: usize, missing: &[String]) -> String {
    let missing = if missing.is_empty() { String::new() } else { format!(" Missing: {}.", missing.join(", ")) };
    format!("{} of {} settings can be read.{missing}", number(read as u64), number(of as u64))
}

/// Name of the button that shows the speed.
pub fn speed_name(speed: &str) -> String {
    format!("Speed: {speed}")
}

/// The version of the product.
pub fn version(version: &str) -> String {
    format!("Rollscope {version}")
}

/// The keys of the page, each with what it does.
pub fn keys() -> &'static [(&'static [&'static str], &'static str)] {
    &[
        (&["Space", "K"], "play, pause"),
        (&["→", "←"], "next, previous step"),
        (&["Shift + →", "Shift + ←"], "next, previous event"),
        (&[".", ","], "one second on, back"),
        (&["Home", "End"], "start, end"),
        (&["↑", "↓"], "in the player: faster, slower"),
        (&["G"], "go to a time"),
        (&["E", "Shift + E"], "next, previous failure"),
        (&["Ctrl + Z"], "undo"),
        (&["Ctrl + Shift + Z", "Ctrl + Y"], "redo"),
        (&["1", "2", "3", "4"], "Why, Events, API view, Guards"),
        (&["[", "]"], "previous, next narrated step"),
        (&["/"], "find an event or a task"),
        (&["↑", "↓", "←", "→"], "in the stage: move between slots"),
        (&["←", "→", "Enter"], "in the chart: read it, go there"),
        (&["PageUp", "PageDown"], "on the scrubber: a tenth back, on"),
        (&["B"], "branch here"),
        (&["C"], "compare with a copy"),
        (&["F"], "stage only"),
        (&["P"], "present"),
        (&["PageDown", "PageUp"], "presenting: next, previous step of the story"),
        (&[".", "B"], "presenting: play or pause, blank the screen"),
        (&["L"], "legend"),
        (&["T"], "theme"),
        (&["Escape"], "clear, close, leave"),
        (&["?"], "this list"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_commas() {
        assert_eq!(number(999), "999");
        assert_eq!(number(1_000), "1,000");
        assert_eq!(number(1_234_567), "1,234,567");
    }

    #[test]
    fn moments_are_spoken() {
        assert_eq!(spoken(SimTime(110_000)), "1 minute 50 seconds");
        assert_eq!(spoken(SimTime(0)), "0 seconds");
        assert_eq!(spoken(SimTime(3_600_000)), "1 hour");
    }

    #[test]
    fn a_line_of_the_carpet_stands_for_what_the_platform_runs() {
        let cases = [
            (1, Label::TasksAxis, "1 line is 1 task"),
            (45, Label::TasksAxis, "1 line is 45 tasks"),
            (1, Label::PodsAxis, "1 line is 1 Pod"),
            (3, Label::MachinesAxis, "1 line is 3 VMs"),
            (2, Label::InstancesAxis, "1 line is 2 instances"),
        ];
        for (n, counted, words) in cases {
            assert_eq!(per_line(n, counted), words);
        }
    }

    #[test]
    fn task_minutes_are_rounded_to_tenths() {
        assert_eq!(task_minutes(426_000), "7.1");
        assert_eq!(task_minutes(0), "0.0");
    }
}
