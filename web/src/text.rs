//! Labels of the page. What the product says about a run comes from the `wording` crate.

use rollscope_draw::ticks;
use rollscope_engine::SimTime;
use rollscope_import::Origin;
use rollscope_player::Speed;
use rollscope_scenario::Problem;

use crate::form::CheckKind;

macro_rules! labels {
    ($($name:ident = $text:literal;)*) => {
        $(#[doc = concat!("“", $text, "”")] pub const $name: &str = $text;)*
    };
}

labels! {
    SKIP = "Skip to the player";
    SETTINGS = "Settings";
    PLATFORM = "Amazon ECS, rolling update";
    COMMON = "Common settings, minimum and maximum in per cent";
    DESIRED = "Desired count";
    ONE_LESS = "One task less";
    ONE_MORE = "One task more";
    MINIMUM = "Minimum healthy";
    MAXIMUM = "Maximum";
    DIFFERS = " (set in this scenario)";
    PROVISIONING = "Provisioning";
    PULL = "Image pull";
    START_UP = "Start-up";
    OPEN_REQUEST = "Longest open request";
    EXIT = "Exit after SIGTERM";
    STOP_TIMEOUT = "Stop timeout";
    GRACE = "Grace period";
    INTERVAL = "Interval";
    FIRST_CHECK = "First check after";
    NEW_TARGET_PASSES = "Passes a new target needs";
    NO_CHECK_HEALTHY = "Healthy without a check after";
    TIMEOUT = "Timeout";
    RETRIES = "Retries";
    START_PERIOD = "Start period";
    HEALTHY_AFTER = "Healthy threshold";
    UNHEALTHY_AFTER = "Unhealthy threshold";
    DELAY = "Deregistration delay";
    TIMING = "Timing";
    CHECKS = "Health checks";
    CHECK_KIND = "Checked by";
    NO_CHECK = "Without any check a task counts as healthy a while after it is running (40 s by default).";
    NEW_REVISION = "New revision";
    FATE = "Its tasks";
    FATE_HEALTHY = "become healthy";
    FATE_NEVER_RUNNING = "fail to start";
    FATE_NEVER_PASSES = "never pass a check";
    FATE_HANGS = "hang in start-up";
    FATE_EXITS = "exit after";
    FATE_TURNS = "turn unhealthy after";
    FATE_ABOVE = "fail while more run than";
    FATE_OTHER = "other, see the document";
    FATE_MORE = "This scenario gives single starts a fate of their own; they are kept.";
    SEED = "Seed";
    SEED_LABEL = "Seed of every draw";
    READINGS = "Readings";
    STOPPING_COUNTS = "Stopping tasks count against the ceiling";
    START_FIRST = "Lockstep: start, wait, stop, wait";
    LEGACY_REPLACEMENT = "A lost old task is replaced by the new revision (before November 2025)";
    UNHEALTHY_BATCH = "At the ceiling several unhealthy tasks stop at once";
    UNHEALTHY_ONE_BY_ONE = "New tasks that never were healthy are replaced one by one";
    ALLOW_100_100 = "Accept 100/100, which cannot move";
    GOOD_TO_KNOW = "Good to know";
    FROM_BEFORE = "This is from before: the settings typed now are not accepted.";
    SMALLEST_CHANGES = "The smallest changes that let it move";
    TRY_IT = "Try it";
    UNDO = "Undo";
    PASTE = "Paste";
    PASTE_LONG = "Paste a link, a document or a service";
    SAVE_PICTURE = "Save picture";
    COPY_LINK = "Copy link";
    TO = "to";
    TRANSPORT = "Player";
    TO_START = "To the start";
    STEP_BACK = "Previous step";
    PLAY = "Play";
    PAUSE = "Pause";
    STEP_ON = "Next step";
    TO_END = "To the end";
    STEP_BY = "Step by";
    BY_DECISION = "decision";
    BY_EVENT = "event";
    BY_SECOND = "second";
    SPEED = "Speed";
    COUNTED = "tasks not yet stopped";
    HEALTHY_TERM = "healthy, all revisions";
    START_A_TASK = "Start a new task?";
    STOP_A_TASK = "Stop an old task?";
    ROOM = "room to start";
    SPARE = "spare to stop";
    WHAT_COMES_NEXT = "What comes next";
    ACTS = "Do something at this moment";
    SET = "Set";
    MINIMUM_MAXIMUM = "Minimum, maximum %";
    DEPLOY_REVISION = "Deploy revision";
    DEPLOY = "Deploy";
    SELECT_A_TASK = "Select a task on the stage to stop or kill it.";
    NO_EVENTS = "No event of this kind in this run.";
    FILTER = "Which events";
    ALL = "All";
    DECISIONS = "Decisions";
    FAILURES = "Failures";
    AS_TABLE = "Tasks as a table";
    SLOT = "Slot";
    TASK = "Task";
    STATE = "State";
    SINCE = "Since";
    UNTIL = "Until";
    OLD = "Old";
    NEW = "New";
    FURTHER = "Further";
    LOAD_BALANCER = "Load balancer";
    IN_SERVICE = "In service";
    CHART = "Healthy and other tasks over time";
    SCRUBBER = "Moment of the run";
    WHY = "Why";
    EVENTS = "Events";
    DETAILS = "Details";
    DONE_AFTER = "Done after";
    FEWEST = "Fewest healthy";
    MOST = "Most at once";
    BOTH = "Both versions serve";
    EXTRA = "Extra capacity";
    TASK_MINUTES = "task-min";
    NEVER = "never";
    NOT_ACCEPTED = "Not accepted";
    COMPUTING = "computing";
    NEVER_MOVES = "Nothing will ever start or stop";
    AS_WANTED = "The service is as wanted";
    NOTHING_NOW = "Nothing starts or stops right now";
    ACTING = "The scheduler acts";
    NO_SETTINGS = "The settings appear here when a scenario is open.";
    NOTHING_RUNS = "Nothing is simulated until the settings are accepted.";
    NO_TASKS = "Nothing to replace: done at once.";
    LINK_COPIED = "The link is on the clipboard. It holds the settings and this moment.";
    NO_OBJECT = "Nothing happened: there is nothing at this moment that the act could change.";
    DISMISS = "Close";
    COPY_TITLE = "Copy the link";
    COPY_LEAD = "The browser does not let this page use the clipboard. The link is selected: copy it with the keyboard.";
    LINK_FIELD = "Link";
    PASTE_TITLE = "Paste";
    PASTE_LEAD = "A Rollscope link, a scenario document, or the output of “aws ecs describe-services”. Nothing leaves this page.";
    PASTE_FIELD = "Text to read";
    READ_IT = "Read it";
    OPEN_IT = "Open in the player";
    CANCEL = "Cancel";
    WHICH_SERVICE = "The text holds several services. Which one?";
    WHAT_WAS_READ = "What was read";
    VALUE = "Value";
    HOW = "Where from";
    FIELD = "Field";
    PASTE_WHOLE = "Paste the whole link";
    OPEN_READABLE = "Open what can be read";
    GUARD_TITLE = "The simulation broke one of its own rules";
    GUARD_LEAD = "This run is not to be trusted from that moment on. It is a fault of Rollscope, not of your settings.";
}

/// `1:50`
pub fn clock(at: SimTime) -> String {
    ticks::clock(at.ms(), true)
}

/// The end of the run behind the present moment.
pub fn of_end(end: SimTime, complete: bool) -> String {
    match (complete, end) {
        (true, SimTime::ZERO) => "nothing to play".to_owned(),
        (true, _) => format!("of {}", ticks::clock(end.ms(), false)),
        (false, _) => format!("of {} and more", ticks::clock(end.ms(), false)),
    }
}

/// `step 4 of 8`
pub fn position((step, of): (usize, usize)) -> String {
    format!("step {step} of {of}")
}

/// A speed to choose.
pub fn speed(speed: Speed) -> String {
    match speed {
        Speed::Fit => "fit 20 s".to_owned(),
        Speed::Milli(milli) => format!("{}×", number(milli / 1_000)),
        Speed::Decisions => "1 decision/s".to_owned(),
    }
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
        (100, 200) => "Full strength, all new tasks at once; needs twice the room",
        (100, 150) => "Full strength, half at a time",
        (50, 100) => "No extra room; half of the tasks are replaced at a time",
        _ => "No extra room; everything may stop at once",
    }
}

/// The ceiling's term in a sum.
pub fn ceiling_term(desired: u32, percent: u32) -> String {
    format!("ceiling, {} × {percent} %", number(u64::from(desired)))
}

/// The floor's term in a sum.
pub fn floor_term(desired: u32, percent: u32) -> String {
    format!("floor, {} × {percent} %", number(u64::from(desired)))
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

/// Time left of a state.
pub fn time_left(clock: &str) -> String {
    format!("{clock} left")
}

/// Where a value comes from.
pub fn origin(origin: Origin, line: Option<u32>) -> String {
    let word = match origin {
        Origin::Explicit => "given",
        Origin::Default => "default",
        Origin::Live => "state of the service",
        Origin::Missing => "missing",
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

/// Fields that are not used.
pub fn ignored(fields: &[String]) -> String {
    format!("Not used: {}.", fields.join(", "))
}

/// A number taken away.
pub fn minus(n: u32) -> String {
    format!("− {}", number(u64::from(n)))
}

/// Label of a slider beside the field of the same name.
pub fn slider(label: &str) -> String {
    format!("{label}, slider")
}

/// Where checks come from.
pub fn check_kind(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::None => "no check",
        CheckKind::Container => "container",
        CheckKind::TargetGroup => "target group",
        CheckKind::Both => "container and target group",
    }
}

/// What the closed section says about timing.
pub fn timing_value(start_up: &str) -> String {
    // A distribution is too long for a heading; it is shown when the section opens.
    if start_up.starts_with('{') { "start-up varies".to_string() } else { format!("start-up {start_up}") }
}

/// How many readings differ.
pub fn readings_value(given: usize) -> String {
    if given == 0 { "default".to_owned() } else { format!("{given} set") }
}

/// Label of a fate's number.
pub fn fate_number(fate: &str) -> &'static str {
    if fate == "above_running" { "Tasks" } else { "Time" }
}

/// A problem of a field, under it.
pub fn problem(problem: &Problem) -> String {
    match problem.given.as_str() {
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

/// Events that are not listed.
pub fn more_events(count: usize) -> String {
    format!("{} more", number(count as u64))
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
    let percent = (u64::from(part) * 100).checked_div(u64::from(whole)).unwrap_or(0);
    format!("r{revision} {percent} %")
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
        "{CHART}: never fewer than {fewest} healthy (floor {floor}), never more than {most} at once (ceiling {ceiling})."
    )
}

/// Tenths of a task-minute.
pub fn task_minutes(task_ms: u64) -> String {
    let tenths = (task_ms + 3_000) / 6_000;
    format!("{}.{}", number(tenths / 10), tenths % 10)
}

/// A title for a scenario without one.
pub fn untitled(service: Option<&str>) -> String {
    service.unwrap_or("A service").to_owned()
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
    fn task_minutes_are_rounded_to_tenths() {
        assert_eq!(task_minutes(426_000), "7.1");
        assert_eq!(task_minutes(0), "0.0");
    }
}
