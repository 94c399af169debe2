//! Several runs beside each other, in English.

use rollscope_engine::SimTime;
use rollscope_engine::platform::daemonset::node_counts;
use rollscope_engine::platform::kubernetes::{IntOrPercent, Strategy};
use rollscope_engine::platform::statefulset::rules_update::effective_max_unavailable;
use rollscope_engine::platform::{PlatformSettings, mig, vm};
use rollscope_engine::settings::TaskName;
use rollscope_insight::OutcomeKind;
use rollscope_insight::account::Part;
use rollscope_insight::comparison::{
    Borrowed, Clause, Difference, Figure, Fleet, Heading, Kind, Largest, Ratio, RowKind, SharedChange,
};
use rollscope_scenario::edit::Platform;
use rollscope_scenario::link::LinkError;

use super::page::{number, task_minutes};
use super::{count, plural};
use crate::compare::Label;
use crate::time::clock;

const LETTERS: [&str; 4] = ["A", "B", "C", "D"];

pub(crate) fn letter(run: usize) -> &'static str {
    LETTERS.get(run).copied().unwrap_or("?")
}

/// "A", "A and B", "A, B and C".
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

/// One of them, several of them, and their minutes.
const fn kind_words(kind: Kind) -> [&'static str; 3] {
    match kind {
        Kind::Tasks => ["task", "tasks", "task-minutes"],
        Kind::Pods => ["Pod", "Pods", "Pod-minutes"],
        Kind::Instances => ["instance", "instances", "instance-minutes"],
        Kind::Machines => ["VM", "VMs", "VM-minutes"],
    }
}

/// What counts as healthy.
const fn healthy(kind: Kind) -> &'static str {
    match kind {
        Kind::Tasks => "healthy",
        Kind::Pods | Kind::Machines => "available",
        Kind::Instances => "ready",
    }
}

/// "task", "task or Pod", "task, Pod or instance".
fn joined(words: &[&str], with: &str) -> String {
    match words {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} {with} {last}", most.join(", ")),
    }
}

/// The same of all that run.
fn fleet_words(fleet: Fleet) -> [String; 3] {
    if let Some(kind) = fleet.only() {
        return kind_words(kind).map(str::to_owned);
    }
    let all = |index: usize| fleet.kinds().map(|kind| kind_words(kind)[index]).collect::<Vec<_>>();
    [joined(&all(0), "or"), joined(&all(1), "or"), format!("minutes of {}", joined(&all(1), "and"))]
}

pub(crate) fn revision(number: u32, fleet: Fleet) -> String {
    match fleet.only() {
        Some(Kind::Pods | Kind::Instances | Kind::Machines) => super::kubernetes::version(number),
        _ => format!("r{number}"),
    }
}

fn fence(value: Option<IntOrPercent>) -> String {
    match value {
        None => "0".into(),
        Some(IntOrPercent::Int(n)) => count(n),
        Some(IntOrPercent::Percent(n)) => format!("{n}%"),
    }
}

pub(crate) fn deployment(strategy: &Strategy) -> String {
    match strategy {
        Strategy::Recreate => "Recreate".into(),
        Strategy::RollingUpdate { max_surge, max_unavailable } => {
            format!("{}/{}", fence(*max_surge), fence(*max_unavailable))
        }
    }
}

pub(crate) fn refresh(minimum: u32, maximum: Option<u32>) -> String {
    match maximum {
        Some(maximum) => percentages(minimum, maximum),
        None => format!("{} %, no maximum", count(minimum)),
    }
}

pub(crate) fn machines(kind: &vm::Kind) -> String {
    let share = |share: mig::Share| match share {
        mig::Share::Fixed(n) => count(n),
        mig::Share::Percent(percent) => format!("{percent}%"),
    };
    match kind {
        vm::Kind::Mig(params) => format!("Google Cloud {}/{}", share(params.surge), share(params.unavailable)),
        vm::Kind::Vmss(params) if params.surge => format!("Azure {} %, MaxSurge", params.batch_percent),
        vm::Kind::Vmss(params) => format!("Azure {} %", params.batch_percent),
    }
}

pub(crate) fn on_platform(platform: Platform, way: &str) -> String {
    let name = match platform {
        Platform::Ecs => "Amazon ECS",
        Platform::Kubernetes => "Kubernetes",
        Platform::StatefulSet => "StatefulSet,",
        Platform::DaemonSet => "DaemonSet,",
        Platform::InstanceRefresh => "EC2 Auto Scaling",
        // Whose machines they are, their way says.
        Platform::Mig | Platform::Vmss => return way.to_owned(),
    };
    format!("{name} {way}")
}

pub(crate) fn placed(settings: &PlatformSettings, desired: u32) -> String {
    let at_a_time = |n: u32| format!("{} at a time", count(n));
    match settings {
        PlatformSettings::StatefulSet(set) if set.own.on_delete => "OnDelete".into(),
        PlatformSettings::StatefulSet(set) => at_a_time(effective_max_unavailable(&set.own, desired)),
        PlatformSettings::DaemonSet(set) if set.own.on_delete => "OnDelete".into(),
        PlatformSettings::DaemonSet(set) => match node_counts(&set.own, desired) {
            (0, unavailable) => at_a_time(unavailable),
            (surge, _) => format!("{} beside", count(surge)),
        },
        _ => String::new(),
    }
}

pub(crate) fn heading(heading: &Heading, fleet: Fleet) -> String {
    let [one, more, _] = fleet_words(fleet);
    match heading {
        Heading::Same => "No figure differs".into(),
        Heading::Pair(clauses) => {
            let words: Vec<String> = clauses.iter().map(clause).collect();
            capital(&words.join(", "))
        }
        Heading::Ends(figures) => {
            let words: Vec<String> = figures.iter().enumerate().map(|(run, figure)| end(run, *figure)).collect();
            words.join(", ")
        }
        Heading::Range { first, last, fewest, most } => {
            let done = match first.1 == last.1 {
                true => format!("All are done after {}", clock(SimTime(first.1))),
                false => format!("Done from {} to {}", time_of(*first), time_of(*last)),
            };
            let tasks = match fewest.1 == most.1 {
                true => format!("at most {} at once", plural(most.1, &one, &more)),
                false => {
                    format!("with {} ({}) to {} {more} ({})", fewest.1, letter(fewest.0), most.1, letter(most.0))
                }
            };
            format!("{done}, {tasks}")
        }
    }
}

fn time_of((run, ms): (usize, u64)) -> String {
    format!("{} ({})", clock(SimTime(ms)), letter(run))
}

fn capital(text: &str) -> String {
    let mut text = text.to_owned();
    if let Some(first) = text.get_mut(..1) {
        first.make_ascii_uppercase();
    }
    text
}

fn clause(clause: &Clause) -> String {
    match clause {
        Clause::Extra(ratio) => extra(*ratio),
        Clause::Wait(ratio) => wait(*ratio),
        Clause::Healthy(a, b) => format!("at least {b} healthy instead of {a}"),
        Clause::Both(a, b) => {
            format!("both versions serve for {} instead of {}", clock(SimTime(*b)), clock(SimTime(*a)))
        }
    }
}

fn extra(ratio: Ratio) -> String {
    match ratio {
        Ratio::FromNothing => "extra capacity instead of none".into(),
        Ratio::ToNothing => "no extra capacity".into(),
        ratio => of_the(ratio, "extra capacity"),
    }
}

fn wait(ratio: Ratio) -> String {
    match ratio {
        Ratio::FromNothing => "a wait instead of none".into(),
        Ratio::ToNothing => "no wait".into(),
        ratio => of_the(ratio, "wait"),
    }
}

/// "four times the wait", "20 % less extra capacity".
fn of_the(ratio: Ratio, what: &str) -> String {
    match ratio {
        Ratio::Same => format!("the same {what}"),
        Ratio::Times(n) => format!("{} the {what}", times(n)),
        Ratio::Tenths(tenths) => format!("{}.{} times the {what}", number(tenths / 10), tenths % 10),
        Ratio::Part(2) => format!("half the {what}"),
        Ratio::Part(3) => format!("a third of the {what}"),
        Ratio::Part(_) => format!("a quarter of the {what}"),
        Ratio::More(per_cent) => format!("{per_cent} % more {what}"),
        Ratio::Less(per_cent) => format!("{per_cent} % less {what}"),
        Ratio::FromNothing | Ratio::ToNothing => what.to_owned(),
    }
}

fn times(n: u32) -> String {
    const WORDS: [&str; 11] = ["no", "one", "twice", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    match (n, WORDS.get(n as usize)) {
        (2, _) => "twice".into(),
        (_, Some(word)) => format!("{word} times"),
        _ => format!("{n} times"),
    }
}

/// "A is done after 6:15", "B is stuck".
fn end(run: usize, figure: Figure) -> String {
    let run = letter(run);
    match figure {
        Figure::Time(ms) => format!("{run} is done after {}", clock(SimTime(ms))),
        Figure::Ends(OutcomeKind::RolledBack) => format!("{run} is rolled back"),
        Figure::Ends(OutcomeKind::Failed) => format!("{run} fails and stays failed"),
        Figure::Ends(OutcomeKind::Stuck) => format!("{run} cannot go on"),
        Figure::Ends(OutcomeKind::Waiting) => format!("{run} waits for room"),
        Figure::Ends(OutcomeKind::Cancelled) => format!("{run} is cancelled"),
        Figure::Ends(OutcomeKind::CompletedThenFailing) => format!("{run} fails after it was done"),
        _ => format!("{run} is never done"),
    }
}

pub(crate) fn borrowed(borrowed: &[Borrowed], fleet: Fleet) -> String {
    let Some(first) = borrowed.first() else { return String::new() };
    let [one, _, minutes] = fleet_words(fleet);
    if borrowed.iter().all(|one| one.most == 0) {
        return format!("{} borrows a {one}.", if borrowed.len() == 2 { "Neither" } else { "None" });
    }
    let same = borrowed.iter().all(|one| one.task_ms == first.task_ms);
    let who = if borrowed.len() == 2 { "Both" } else { "All" };
    let total = if same { format!("{who} borrow {} {minutes}. ", task_minutes(first.task_ms)) } else { String::new() };
    let each: Vec<String> = borrowed.iter().enumerate().map(|(run, one)| borrows(run, one, same)).collect();
    format!("{total}{}.", each.join(", "))
}

fn borrows(run: usize, borrowed: &Borrowed, same: bool) -> String {
    let [one, more, minutes] = kind_words(borrowed.kind);
    let (run, tasks) = (letter(run), plural(borrowed.most, one, more));
    match (borrowed.most, borrowed.for_ms) {
        (0, _) => format!("{run} borrows no {one}"),
        (_, Some(ms)) => format!("{run} borrows {tasks} for {}", clock(SimTime(ms))),
        _ if same => format!("{run} borrows up to {tasks}"),
        _ => format!("{run} borrows up to {tasks}, {} {minutes} in all", task_minutes(borrowed.task_ms)),
    }
}

pub(crate) fn row(kind: RowKind, revision: Option<u32>, fleet: Fleet) -> String {
    let only = fleet.only();
    let [one, more, minutes] = fleet_words(fleet);
    match kind {
        RowKind::DoneAfter => "Done after".into(),
        RowKind::Rounds => "Rounds".into(),
        RowKind::MostAtOnce if only == Some(Kind::Pods) => "Most asked for".into(),
        RowKind::MostAtOnce if only.is_none() => "Most that count for the ceiling".into(),
        RowKind::MostAtOnce => format!("Most {more} at once"),
        RowKind::FewestAsked => "Fewest asked for".into(),
        RowKind::MostThere => "Most with those on their way out".into(),
        RowKind::FewestHealthy => {
            let mut words: Vec<&str> = fleet.kinds().map(healthy).collect();
            words.dedup();
            format!("Fewest {}", joined(&words, "or"))
        }
        RowKind::BothVersions => "Both versions serve".into(),
        RowKind::ExtraCapacity => format!("Extra {minutes}"),
        RowKind::FirstNewServes => match revision.filter(|_| only.is_some()) {
            Some(number) if only == Some(Kind::Instances) => {
                format!("First {} {one} ready at", self::revision(number, fleet))
            }
            None if only == Some(Kind::Instances) => format!("First new {one} ready at"),
            Some(number) => format!("First {} {one} serves at", self::revision(number, fleet)),
            _ if only.is_none() && fleet.has(Kind::Instances) => "First new one healthy, or warm, at".into(),
            None if only.is_none() => "First new one serves at".into(),
            None => format!("First new {one} serves at"),
        },
        RowKind::FailuresUntilRollback => "Failures until rollback".into(),
        RowKind::RollbackIfAllFail => "Rollback if every new task fails".into(),
    }
}

pub(crate) fn figure(figure: Figure) -> String {
    match figure {
        Figure::Time(ms) => clock(SimTime(ms)),
        Figure::Count(n) => count(n),
        Figure::TaskTime(ms) => task_minutes(ms),
        Figure::Never => "never".into(),
        Figure::Absent => "–".into(),
        Figure::Ends(kind) => match kind {
            OutcomeKind::Completed => "done",
            OutcomeKind::CompletedThenFailing => "fails later",
            OutcomeKind::RolledBack => "rolled back",
            OutcomeKind::Failed => "failed",
            OutcomeKind::Stuck => "stuck",
            OutcomeKind::Waiting => "waits",
            OutcomeKind::InProgress => "not done",
            OutcomeKind::Cancelled => "cancelled",
            OutcomeKind::Refused => "refused",
        }
        .into(),
    }
}

pub(crate) fn difference(difference: Option<Difference>) -> String {
    let Some(Difference { by, less }) = difference else { return "–".into() };
    match by.number() {
        Some(0) => "0".into(),
        _ => format!("{} {}", if less { "−" } else { "+" }, figure(by)),
    }
}

pub(crate) fn minus(run: usize, base: usize) -> String {
    format!("{} − {}", letter(run), letter(base))
}

/// The part as the subject of a sentence.
fn subject(part: Part) -> &'static str {
    match part {
        Part::Provisioning => "Provisioning",
        Part::Pull => "Pulling the image",
        Part::StartUp => "The start of the application",
        Part::Checks => "Waiting for health",
        Part::Grace => "The grace period of failing tasks",
        Part::Unchecked => "Running until it counts",
        Part::OtherSide => "Waiting for the other revision",
        Part::Serving => "Serving",
        Part::Draining => "Draining",
        Part::Stopping => "Stopping",
        Part::Waiting => "Waiting",
        Part::Pausing => "Pausing between attempts",
        Part::Baking => "Bake time",
    }
}

pub(crate) fn largest(largest: &Largest) -> String {
    let subject = subject(largest.part);
    let known: Vec<(usize, u32)> =
        largest.percents.iter().enumerate().filter_map(|(run, percent)| Some((run, (*percent)?))).collect();
    let alike = known.windows(2).all(|pair| pair[0].1 == pair[1].1) && known.len() == largest.percents.len();
    match known.first() {
        Some((_, percent)) if alike && known.len() > 1 => {
            format!("{subject} is {percent} % of {}.", if known.len() == 2 { "both" } else { "each" })
        }
        _ => {
            let each: Vec<String> =
                known.iter().map(|(run, percent)| format!("{percent} % of {}", letter(*run))).collect();
            format!("{subject} is {}.", listed(&each))
        }
    }
}

pub(crate) fn shared_change(change: &SharedChange) -> String {
    let each = change.done_ms.iter().enumerate();
    let each: Vec<String> = each.map(|(run, ms)| format!("{} takes {}", letter(run), clock(SimTime(*ms)))).collect();
    format!("With a deregistration delay of {} {}.", clock(SimTime(change.deregistration_delay_ms)), listed(&each))
}

pub(crate) fn try_on_all(runs: usize) -> &'static str {
    if runs == 2 { "Try it on both" } else { "Try it on all" }
}

pub(crate) fn part(part: Part) -> &'static str {
    match part {
        Part::Provisioning => "Provisioning",
        Part::Pull => "Pull",
        Part::StartUp => "Start-up",
        Part::Checks => "Health",
        Part::Grace => "Grace",
        Part::Unchecked => "Unchecked",
        Part::OtherSide => "Other side",
        Part::Serving => "Serving",
        Part::Draining => "Draining",
        Part::Stopping => "Stopping",
        Part::Waiting => "Waiting",
        Part::Pausing => "Pause",
        Part::Baking => "Bake time",
    }
}

pub(crate) fn percentages(minimum: u32, maximum: u32) -> String {
    format!("{} % / {} %", count(minimum), count(maximum))
}

pub(crate) fn limits(floor: u32, ceiling: u32) -> String {
    format!("floor {}, ceiling {}", count(floor), count(ceiling))
}

pub(crate) fn ends(run: usize, at: SimTime, done: bool) -> String {
    let (run, at) = (letter(run), clock(at));
    if done { format!("{run} is done at {at}") } else { format!("{run} changes no more from {at}") }
}

pub(crate) fn in_common(desired: u32, drain_s: Option<u64>, fleet: Fleet) -> String {
    let [one, more, _] = fleet_words(fleet);
    let tasks = plural(desired, &one, &more);
    match drain_s {
        Some(seconds) => format!("{tasks}, deregistration delay {}", clock(SimTime(seconds * 1_000))),
        None => tasks,
    }
}

pub(crate) fn picture(run: usize, name: &str) -> String {
    format!("Run {}, {name}", letter(run))
}

pub(crate) fn broken_part(run: usize, error: &LinkError) -> String {
    let run = letter(run);
    match error {
        LinkError::Cut { missing: 1, .. } => format!("{run} is cut: 1 character is missing."),
        LinkError::Cut { missing, .. } => format!("{run} is cut: {missing} characters are missing."),
        LinkError::Damaged { .. } => format!("{run} was changed on its way: its checksum does not fit."),
        LinkError::UnknownVersion { found } => {
            format!("{run} is of format “{found}”, which this page does not know; it reads format v1.")
        }
        LinkError::TooLong { length } => format!("{run} is too long: {length} bytes."),
        LinkError::Empty => format!("{run} is missing."),
        LinkError::NotALink => format!("{run} is not a Rollscope link."),
    }
}

pub(crate) fn left_out(parts: usize) -> String {
    format!("At most four are compared; {} left out.", plural(parts as u32, "more was", "more were"))
}

pub(crate) fn task(name: TaskName) -> String {
    crate::time::task(name)
}

pub(crate) fn moment(run: usize, healthy: u32, desired: u32, total: u32) -> String {
    format!("{}: {} of {} healthy, {} there", letter(run), count(healthy), count(desired), count(total))
}

pub(crate) fn remove(run: usize) -> String {
    format!("Remove {}", letter(run))
}

pub(crate) fn open_in_studio(run: usize) -> String {
    format!("Open {} in the Studio", letter(run))
}

pub(crate) fn add(run: usize) -> String {
    format!("Add {}", letter(run))
}

pub(crate) fn field_of(run: usize, label: &str) -> String {
    format!("{label} of {}", letter(run))
}

pub(crate) fn refused(run: usize) -> String {
    format!("{} is shown as it was before.", letter(run))
}

pub(crate) fn scrubber(at: SimTime, end: SimTime) -> String {
    format!("{} of {}", clock(at), clock(end))
}

pub(crate) fn label(label: Label) -> &'static str {
    match label {
        Label::Title => "Compare",
        Label::Pictures => "Runs on one clock",
        Label::Table => "Differences",
        Label::Swap => "Swap A and B",
        Label::Edit => "Edit",
        Label::Close => "Close",
        Label::Undo => "Undo",
        Label::CopyTable => "Copy table",
        Label::Copied => "Copied.",
        Label::NotCopied => "The browser did not allow copying.",
        Label::WhereTimeGoes => "Where the time goes, on one scale",
        Label::Settings => "Settings that differ",
        Label::NothingDiffers => "Nothing differs yet. Change one of these, or open one in the Studio and come back.",
        Label::Absent => "default",
        Label::BrokenTitle => "This comparison cannot be opened as it is",
        Label::BrokenWords => {
            "Mail and chat programs shorten long links without saying so. Nothing was opened in its place."
        }
        Label::OpenReadable => "Open what can be read",
        Label::OneOnly => "A comparison needs two scenarios; this link has one.",
        Label::Figure => "Figure",
        Label::Moment => "Time",
        Label::Data => "The runs as numbers",
    }
}
