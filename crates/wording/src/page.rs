//! Short texts of the page that carry numbers or names, in the language of the product.

use rollscope_engine::SimTime;
use rollscope_engine::frame::{Counts, HostView, TaskState, Usage};
use rollscope_engine::mechanism::host::{HostState, Resource};
use rollscope_engine::mechanism::traffic::{Flow, FlowPart};
use rollscope_engine::platform::ecs::Threshold;
use rollscope_engine::platform::ecs::rules_hooks::HookRun;
use rollscope_engine::platform::ecs::strategy::{Shift, ShiftKind};
use rollscope_engine::settings::{AlarmState, Command, HostSpec, TaskName};
use rollscope_engine::sim::service_deployment::ProtectionEnd;
use rollscope_engine::sim::{ServiceDeployment, TrafficView};
use rollscope_engine::trace::{Record, StopCode, Weights};
use rollscope_insight::Boot;
use rollscope_insight::CutOff;
use rollscope_insight::Headlines;
use rollscope_insight::Open;
use rollscope_insight::Tally;
use rollscope_insight::WorksFrom;
use rollscope_insight::guarding::{Counted, Uncounted};
use rollscope_insight::outside::{Colour, Gauges, OwnState, Signal, TailLine, TaskEvents, Trusts};
use rollscope_insight::remedy::{BreakerChange, Remedy};
use rollscope_insight::{HostRoom, HostStory};
use rollscope_scenario::Problem;
use rollscope_scenario::edit::Platform;
use rollscope_scenario::link::LinkError;

use crate::{Label, Language, Scene, en};

/// Where a value of a configuration that was read comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source {
    /// It stands in the text.
    Given,
    /// The platform's default.
    Default,
    /// What the service reports of itself.
    Live,
    /// The text cannot say it.
    Missing,
    /// Another tool fills it in later.
    Unresolved,
    /// The default of a parameter or a variable, which a real run may override.
    Parameter,
    /// It follows from the others.
    Computed,
}

/// Which starts of a revision a fate meets; numbers as they are typed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FateWho<'a> {
    /// All.
    All,
    /// This many of so many, by chance.
    Chance(&'a str, &'a str),
    /// Those in a zone.
    Zone(u8),
    /// All but the start with this number, which is healthy.
    AllBut(&'a str),
    /// Only the start with this number; the others are healthy.
    Only(&'a str),
}

/// One of the alarms that one has to build oneself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAlarmText {
    /// What it looks at.
    pub name: &'static str,
    /// That figure.
    pub value: String,
    /// Its state, as CloudWatch writes it.
    pub state: &'static str,
    /// When it is in ALARM.
    pub rule: String,
}

/// A label as a word of the page.
pub const fn t(label: Label) -> &'static str {
    match PRODUCT {
        Language::English => en::ui::label(label),
    }
}

const PRODUCT: Language = Language::English;

/// Each phrase once for every language: one that a language lacks does not compile.
macro_rules! phrases {
    ($($(#[$doc:meta])* fn $name:ident($($arg:ident: $type:ty),* $(,)?) -> $back:ty;)*) => {
        $($(#[$doc])*
        pub fn $name($($arg: $type),*) -> $back {
            match PRODUCT {
                Language::English => en::page::$name($($arg),*),
            }
        })*
    };
}

phrases! {
    /// `1:50`, with tenths of a second where there are any.
    fn clock(at: SimTime) -> String;
    /// The end of the run behind the present moment.
    fn of_end(end: SimTime, complete: bool) -> String;
    /// `step 4 of 8`
    fn position(step: (usize, usize)) -> String;
    /// A speed in times of real time: `60×`.
    fn speed_times(times: u64) -> String;
    /// A whole number with commas.
    fn number(n: u64) -> String;
    /// What a pair of percentages is good for.
    fn good_for(minimum: i64, maximum: i64) -> &'static str;
    /// Stands in for the dials where traffic is shifted.
    fn both_in_full(desired: u32, ceiling: u32) -> String;
    /// Label of the ceiling.
    fn ceiling_label(ceiling: u32) -> String;
    /// Label of the floor.
    fn floor_label(floor: u32) -> String;
    /// `4 tasks, floor 4, ceiling 6`
    fn limits(desired: u32, floor: u32, ceiling: u32) -> String;
    /// Time left of a state: of a starting task until it runs.
    fn state_left(state: TaskState, left: SimTime) -> String;
    /// Share of one of this many healthy tasks that have so many thousandths of the traffic.
    fn of_traffic(thousandths: u32, healthy: u32) -> String;
    /// Above one of two walls: the source's or the target's.
    fn wall_of(source: bool, revision: u32) -> String;
    /// What one of two walls has room for.
    fn wall_places(places: u32) -> String;
    /// Since when a stage lasts, and until when by its own wait.
    fn stage_clock(at: SimTime, entered: SimTime, until: SimTime) -> String;
    /// When a deployment that shifts traffic was over.
    fn stage_over(finished: Option<SimTime>) -> String;
    /// A hook of the stage that has not answered.
    fn hook_waits(run: &HookRun) -> String;
    /// What the listeners say, in a sentence.
    fn weights_spoken(weights: &Weights) -> String;
    /// Requests that come.
    fn requests(rate: u32) -> String;
    /// What a revision answers, of so many requests a second.
    fn answers(part: &FlowPart, rate: u32) -> String;
    /// How much of a revision's answers is bad; empty for nothing.
    fn bad_answers(part: &FlowPart) -> String;
    /// So many tasks while both revisions stand in full, at the edge of a chart.
    fn both_label(tasks: u32) -> String;
    /// So many tasks of each revision, at the edge of a chart.
    fn each_label(tasks: u32) -> String;
    /// How long the answers of a revision take, on average; empty where they come at once.
    fn takes(part: &FlowPart) -> String;
    /// How long all answers take, where revisions differ; empty where they do not.
    fn takes_all(flow: &Flow) -> String;
    /// A time of an answer.
    fn latency(ms: u64) -> String;
    /// Heading of how long the answers of a revision take.
    fn answers_take(revision: u32) -> String;
    /// What is refused now; empty for nothing.
    fn refused_now(view: &TrafficView) -> String;
    /// What has gone wrong by now; empty for nothing.
    fn lost(view: &TrafficView, still: &Open) -> String;
    /// The load of the busiest task, against what it can answer.
    fn load(view: &TrafficView) -> String;
    /// So many thousandths of a request were cut off.
    fn cut_off_label(thousandths: u64) -> String;
    /// Heading of what a revision answers.
    fn answered_by(revision: u32) -> String;
    /// A weight at its step.
    fn weight_label(thousandths: u16) -> String;
    /// A rate in thousandths of a request a second, in a table.
    fn rate_cell(thousandths: u64) -> String;
    /// One moment of the traffic in numbers.
    fn flow_readout(at: SimTime, flow: &Flow, still: &Open) -> String;
    /// What is still open in tasks that get no more requests.
    fn open(open: &Open) -> String;
    /// Open requests of one task that gets no more.
    fn open_of_task(thousandths: u64) -> String;
    /// The weights of one moment.
    fn weights_readout(at: SimTime, weights: &Weights) -> String;
    /// What stands in for floor and ceiling where traffic is shifted.
    fn limits_shifting(desired: u32) -> String;
    /// Above a weighted strip, long and short.
    fn weight_words(revision: u32, thousandths: u32, refused: bool, steered: bool) -> (String, String);
    /// The ceiling of a rollout that cannot move, before it is rounded.
    fn stuck_sum(desired: u32, percent: u32) -> String;
    /// Why nothing can start and nothing can stop.
    fn stuck_why(desired: u32, percent: u32, ceiling: u32) -> String;
    /// From how many tasks on the same percentages move, and what rounding makes the same.
    fn works_from(works: &WorksFrom) -> String;
    /// Where a scenario comes from that was changed.
    fn changed_example(title: &str) -> String;
    /// What becomes of a rollout with a change.
    fn changed(lowest_healthy: u32, desired: u32, done: Option<SimTime>) -> String;
    /// How the ceiling was rounded, empty where it is exact: "1.5, down".
    fn rounded_down(desired: u32, percent: u32) -> String;
    /// The slots of a square.
    fn slots(first: u32, last: u32) -> String;
    /// Caption of the boxes of a revision.
    fn group_of_revision(revision: u32, slots: u32) -> String;
    /// Caption of the boxes of a zone.
    fn group_of_zone(index: u8, slots: u32) -> String;
    /// An instance in its frame.
    fn host_name(number: u32) -> String;
    /// An instance as a title.
    fn host_title(number: u32) -> String;
    /// What an instance is other than ACTIVE, short; nothing for an ACTIVE one.
    fn host_state(state: HostState, at: SimTime) -> String;
    /// Caption over the instances of a zone.
    fn zone_caption(zone: u8, hosts: u32) -> String;
    /// Name of the bar of a resource.
    fn resource_name(resource: Resource) -> &'static str;
    /// What of a resource is free, beside its bar.
    fn resource_free(usage: &Usage) -> String;
    /// Host port and network interfaces of an instance, where they limit.
    fn host_counts(host: &HostView) -> String;
    /// Room on all instances, and who waits for some; then the same shorter and shorter.
    fn host_room(room: &HostRoom) -> Vec<String>;
    /// Tasks that wait beside those that are drawn.
    fn more_waiting(tasks: u32) -> String;
    /// Zone and state of an instance.
    fn host_place(host: &HostView, at: SimTime) -> String;
    /// State of an instance.
    fn host_status(host: &HostView, at: SimTime) -> String;
    /// What an instance holds and has left, line by line: what, and how much.
    fn host_holds(story: &HostStory) -> Vec<(&'static str, String)>;
    /// Why an instance takes the next task, or not.
    fn host_takes(story: &HostStory, at: SimTime) -> String;
    /// An instance in one line, for those who do not see its frame.
    fn host_read(host: &HostView, at: SimTime) -> String;
    /// Loses every instance of a zone.
    fn lose_zone(zone: u8) -> String;
    /// Caption of the slots that were never used.
    fn group_free(slots: u32) -> String;
    /// Where a value that was read comes from.
    fn origin(origin: Source, line: Option<u32>) -> String;
    /// What a configuration cannot say.
    fn needed(what: &str) -> String;
    /// Fields that are carried over to another platform under another name: pointers here and there.
    fn carried_over(fields: &[(String, String)]) -> String;
    /// Fields, by pointer, that another platform has no counterpart of.
    fn no_counterpart(fields: &[String]) -> String;
    /// Fields that are not used.
    fn ignored(fields: &[String]) -> String;
    /// Fields that are kept and change nothing in a run yet.
    fn kept(fields: &[String]) -> String;
    /// A number taken away.
    fn minus(n: u32) -> String;
    /// Label of a slider beside the field of the same name.
    fn slider(label: &str) -> String;
    /// What the closed section says about timing: the start-up, and the longest drain where tasks drain.
    fn timing_value(start_up: &str, drain: Option<&str>) -> String;
    /// The same where times in all are given: start to healthy, stop to gone.
    fn timing_in_all(healthy: Option<&str>, gone: Option<&str>) -> String;
    /// What the closed section says about checks: their kind, and the seconds between them.
    fn checks_value(kind: &str, seconds: Option<&str>) -> String;
    /// What the closed section says about the new revision: fate, its number, whom it meets.
    fn fate_value(fate: &str, number: Option<&str>, who: FateWho<'_>) -> String;
    /// The same of one whose fate is to start and stay: what it meets when it boots.
    fn boot_value(boot: Boot) -> String;
    /// What a start is called by its number: "start 3"; without one, what a number stands for.
    fn single_start(number: &str) -> String;
    /// How many acts a run has.
    fn acts_value(count: usize) -> String;
    /// How much room there is at the start, and how often it changes later.
    fn room_value(tasks: &str, later: usize) -> String;
    /// How many things are worth knowing.
    fn notes_value(notes: usize) -> String;
    /// The sum of the ceiling and its result: “4 × 150 % = ”, “ceiling 6”.
    fn ceiling_calc(desired: u32, percent: u32) -> (String, String);
    /// The sum of the floor and its result: “4 × 75 % = ”, “floor 3”.
    fn floor_calc(desired: u32, percent: u32) -> (String, String);
    /// The slider of the maximum for assistive technology.
    fn slider_maximum(desired: u32, percent: u32) -> String;
    /// The slider of the minimum for assistive technology.
    fn slider_minimum(desired: u32, percent: u32) -> String;
    /// The row of cells in one sentence.
    fn ruler(desired: u32, floor: u32, ceiling: u32) -> String;
    /// Words in the bar of tasks that stay healthy, the longest first.
    fn bar_keep(tasks: u32) -> [String; 2];
    /// Words in the bar of tasks that may be missing, the longest first.
    fn bar_missing(tasks: u32) -> [String; 2];
    /// Words in the bar of tasks that may be added, the longest first.
    fn bar_added(tasks: u32) -> [String; 2];
    /// Seconds as they stand in a field: `1200` is “1,200 s”.
    fn seconds_of(text: &str) -> String;
    /// What follows “from”: a moment and all that comes after it.
    fn from_moment(at: SimTime) -> String;
    /// At a moment.
    fn at_moment(at: SimTime) -> String;
    /// Name of a button that goes to the moment a run is decided; it contains `at_moment`.
    fn go_to_decided(at: SimTime) -> String;
    /// A small button that tries a change.
    fn try_small(change: &str) -> String;
    /// A problem under its field, with the field's label.
    fn field_problem(label: &str, problem: &Problem) -> String;
    /// Name of a button that takes a value out of a field, and the default that then holds.
    fn reset_to(label: &str, default: &str) -> String;
    /// Name of a button that removes an entry of a list.
    fn remove(what: &str) -> String;
    /// Place of an entry in a list, for its label: “Room from”, “Room for”.
    fn room_step(step: usize, is_time: bool) -> String;
    /// A default that holds.
    fn default_value(field: &str, value: &str) -> String;
    /// The state an alarm begins in.
    fn alarm_begins(state: &str) -> String;
    /// A change of an alarm at a moment.
    fn alarm_goes(at: &str, state: &str) -> String;
    /// An alarm that follows the share of bad answers.
    fn alarm_follows(hits: &str, of: &str, lasting: Option<&str>) -> String;
    /// How many readings differ.
    fn readings_value(given: usize) -> String;
    /// Label of a fate's number.
    fn fate_number(fate: &str) -> &'static str;
    /// A problem of a field, under it.
    fn problem(problem: &Problem) -> String;
    /// A problem with the name of its field, and its place in the text where there is one.
    fn problem_with_field(problem: &Problem) -> String;
    /// What the service itself would say.
    fn service_answers(answer: &str) -> String;
    /// The way out of a problem.
    fn use_nearest(value: &str) -> String;
    /// A field that has no effect yet.
    fn not_simulated(field: &str, why: &str) -> String;
    /// Label of a button that tries a change.
    fn try_change(change: &str) -> String;
    /// Label of a field whose value holds from this moment on.
    fn from_now(label: &str) -> String;
    /// Beside the fewest healthy tasks of a run that shifts traffic: how many are wanted.
    fn of_wanted(desired: u32) -> String;
    /// Beside the most tasks of a run that shifts traffic.
    fn both_revisions() -> &'static str;
    /// How many rounds a rollout took, beside when it was done.
    fn rounds(rounds: u32) -> String;
    /// A schedule sets the desired count.
    fn by_schedule() -> &'static str;
    /// A template is applied.
    fn by_template() -> &'static str;
    /// The revision that a template deploys.
    fn template_revision() -> &'static str;
    /// The desired count that a template holds.
    fn template_count() -> &'static str;
    /// What stands in the empty field of that count.
    fn no_count() -> &'static str;
    /// The button that applies a template.
    fn apply() -> &'static str;
    /// What a template does.
    fn template_hint() -> &'static str;
    /// Kill one task.
    fn kill(task: &str) -> String;
    /// Stop one task.
    fn stop_task(task: &str) -> String;
    /// Select one task.
    fn select(task: &str) -> String;
    /// Only this task's events.
    fn only(task: &str) -> String;
    /// Targets in rotation.
    fn targets(healthy: u32) -> String;
    /// `r7 50 %`
    fn share(revision: u32, part: u32, whole: u32) -> String;
    /// `r8 12.5 %`: a weight in thousandths
    fn weight(revision: u32, per_mille: u32) -> String;
    /// The platform, and how a deployment goes; absent for a rolling update.
    fn platform(strategy: Option<ShiftKind>) -> &'static str;
    /// The name of a platform.
    fn platform_name(platform: Platform) -> &'static str;
    /// What the closed section says about the shift of traffic.
    fn shift_value(shift: &Shift) -> String;
    /// The weights of the new revision and what they cost in time.
    fn shift_sum(shift: &Shift) -> String;
    /// What the closed section says about hooks.
    fn hooks_value(pauses: usize, functions: usize) -> String;
    /// Heading of a hook in the list of hooks; it begins at 1.
    fn hook_title(place: usize, pause: bool) -> String;
    /// Several stages of one hook.
    fn hook_stages(stages: &[String]) -> String;
    /// What the closed section says about a cluster.
    fn cluster_value(hosts: &[HostSpec]) -> String;
    /// Some equal instances in words, and how many tasks each has room for.
    fn instances_sum(hosts: &[HostSpec], tasks_each: u32) -> String;
    /// What one task takes of its instance: CPU units and MiB.
    fn task_sum(cpu: u32, memory: u32) -> String;
    /// What the closed section says about Fargate.
    fn fargate_value(outages: usize) -> &'static str;
    /// What the closed section says about traffic: the rate as it is written, how often it changes.
    fn traffic_value(rate: &str, later: usize, tracked: bool) -> String;
    /// Heading of some equal instances in the list of them; it begins at 1.
    fn instances_title(place: usize) -> String;
    /// Name of a field of an entry in a list.
    fn entry_field(entry: &str, field: &str) -> String;
    /// Heading of a change of the rate of requests, with its time as it is written.
    fn rate_from(at: &str) -> String;
    /// Place of a change of the rate of requests.
    fn rate_step(step: usize, is_time: bool) -> String;
    /// Value of the scrubber for assistive technology.
    fn scrubber(at: SimTime, end: SimTime, step: (usize, usize)) -> String;
    /// One sentence on the whole chart.
    fn chart_summary(fewest: u32, floor: u32, most: u32, ceiling: u32) -> String;
    /// Tenths of a task-minute.
    fn task_minutes(task_ms: u64) -> String;
    /// The same with its unit.
    fn in_task_minutes(task_ms: u64) -> String;
    /// Beside a time of 0 in which both revisions serve: how long the old one only ends what it has.
    fn only_drains(ms: u64) -> String;
    /// A title for a scenario without one.
    fn untitled(service: Option<&str>) -> String;
    /// One moment of the chart in numbers.
    fn readout(at: SimTime, counts: &Counts, lanes: &[String]) -> String;
    /// Revisions beside each other: `r9`, `r9 and r10`, `r9 to r12`; empty without any.
    fn revisions(numbers: &[u32]) -> String;
    /// Head of the column of healthy tasks of some revisions.
    fn lane_healthy(revisions: &str) -> String;
    /// Further tasks that never change, in one row.
    fn more_tasks(tasks: u32) -> String;
    /// What one line of the carpet stands for.
    fn per_line(tasks: u32, counted: Label) -> String;
    /// Label of the circuit breaker's threshold on the timeline.
    fn trips_at(failures: u32) -> String;
    /// Label of the gate of early success on the timeline.
    fn gate_label(tasks: u32) -> String;
    /// What the lanes of so many alarms are.
    fn alarm_lanes(alarms: usize) -> &'static str;
    /// A span of an alarm, with its name where there is one.
    fn alarm_span(name: &str, state: AlarmState, ignored: bool) -> String;
    /// A task that stays as it is for ever.
    fn unchanged(task: &str) -> String;
    /// A zone by its letter.
    fn zone(index: u8) -> String;
    /// A verdict in one line, with when it is done.
    fn verdict_done(title: &str, at: SimTime) -> String;
    /// A text that is not a moment.
    fn not_a_time(given: &str) -> String;
    /// An act that asks for what is in force already.
    fn unchanged_act(command: &Command) -> String;
    /// What happened, in so few words that it fits a line of the list.
    fn line(record: &Record, n: u32, scene: &Scene<'_>) -> String;
    /// A button that leads to a moment.
    fn go_to(clock: &str) -> String;
    /// The name of a task with its slot.
    fn in_slot(task: &str, slot: u32) -> String;
    /// A page of a list.
    fn page_of(page: usize, pages: usize) -> String;
    /// The tab of the guards, for those who do not see the mark on it.
    fn guards_tab(broken: usize) -> String;
    /// One task of the stage: name, state, time left.
    fn task_on_stage(task: &str, state: &str, left: Option<&str>) -> String;
    /// How many lines of the list a search found.
    fn lines_found(lines: usize) -> String;
    /// A whole percentage.
    fn percent(n: u32) -> String;
    /// A part of a whole in percent: one that is there is never told as 0.
    fn part_percent(n: u32) -> String;
    /// A revision.
    fn revision(number: u32) -> String;
    /// The next tasks of a revision, before how they fare.
    fn next_tasks(revision: u32) -> String;
    /// Why a link cannot be opened as it is: title and sentences.
    fn broken_link(error: &LinkError) -> (String, String);
    /// Title and sentence for a run that was cut off at a moment.
    fn cut_off(cut: CutOff, at: SimTime) -> (String, String);
    /// A branch: when and what.
    fn branch(at: SimTime, what: &str) -> String;
    /// What a text was recognised as.
    fn read_from(format: &str) -> String;
    /// How many settings of a link can be read, and which cannot.
    fn readable(read: usize, of: usize, missing: &[String]) -> String;
    /// Name of the button that shows the speed.
    fn speed_name(speed: &str) -> String;
    /// The version of the product.
    fn version(version: &str) -> String;
    /// "5 failures"
    fn failures(n: u32) -> String;
    /// How the breaker's threshold comes about: "10 × 50 % = 5".
    fn threshold_sum(rule: Threshold, desired: u32) -> String;
    /// The sum of the gate and its result: "100 × 90 % = 90, ", "gate 90".
    fn gate_sum(desired: u32, percent: u32) -> (String, String);
    /// What the closed section says of the Fjall constructs: are they `given`, is there a watchdog, is anybody told, is
    /// there a gate.
    fn fjall_value(given: bool, watches: bool, told: bool, gate: bool) -> String;
    /// What the closed section says of the seed, and of the latest end of the run where one is set.
    fn seed_value(seed: &str, until: &str) -> String;
    /// What the closed section says about the breaker: its threshold, absent while it is off.
    fn breaker_value(threshold: Option<u32>, rollback: bool, candidate: bool) -> String;
    /// What the closed section says about the alarms, how many there are, and the bake time in minutes.
    fn alarms_value(alarms: usize, rollback: bool, bake: &str) -> String;
    /// What the closed section says about early success: the percentage and what becomes of old tasks.
    fn early_value(percent: &str, cleanup: &str) -> String;
    /// What a failure goes back to.
    fn goes_back_to(revision: Option<u32>) -> String;
    /// Label of the field of an alarm's behaviour.
    fn alarm_does(name: &str) -> String;
    /// A field of an alarm, for those who do not see it beside its alarm.
    fn alarm_field(name: &str, field: &str) -> String;
    /// A counted failure or a reset: "12·2 failed its check".
    fn counted_event(event: &Counted) -> String;
    /// Failures that did not count, and why.
    fn uncounted(group: &Uncounted) -> String;
    /// Rows of the list that are not shown.
    fn earlier(n: usize) -> String;
    /// What the counter begins with while no failure of the run is counted.
    fn counted_before(n: u32) -> String;
    /// "5 of 5"
    fn count_of(n: u32, threshold: u32) -> String;
    /// The counter for those who do not see its pips.
    fn gauge(n: u32, threshold: u32) -> String;
    /// Heading of the counted failures, once the deployment has failed.
    fn why_failed(at: SimTime) -> String;
    /// Label of the threshold below the counted failures.
    fn threshold_term(rule: Option<Threshold>, desired: u32) -> String;
    /// Which stage the breaker is in.
    fn breaker_stage(second: bool, checked: bool) -> &'static str;
    /// What the alarms of a service deployment do: watching, ignored, fired.
    fn alarms_state(s: &ServiceDeployment, names: &[String]) -> String;
    /// An alarm with its state.
    fn alarm_is(name: &str, state: AlarmState) -> String;
    /// The clock of the bake time.
    fn bake_clock(until: SimTime, now: SimTime) -> String;
    /// That automatic rollback does not protect any more, since when and why.
    fn protects_not(at: SimTime, why: ProtectionEnd) -> String;
    /// What those who listen hear at the border.
    fn border_crossed(at: SimTime, why: ProtectionEnd) -> String;
    /// What a pipeline sees that trusts one signal.
    fn signal(signal: &Signal) -> String;
    /// What a green light does not say, in a phrase of its own; empty where it does not mislead.
    fn misleads(signal: &Signal, rolled_out: u32) -> String;
    /// What a pipeline trusts, in a word.
    fn trusts(trusts: Trusts) -> &'static str;
    /// The colour of a pipeline.
    fn light(colour: Colour) -> &'static str;
    /// The state of a run beside its title; empty where nothing is wrong.
    fn run_state(s: &ServiceDeployment) -> String;
    /// Name of a figure: when a revision was back.
    fn back_on(revision: Option<u32>) -> String;
    /// Name of a figure: how long the revision that failed served.
    fn served_for(revision: u32) -> String;
    /// What stands where nothing rolls a run back by itself, of a whole run or of a part of it; while traffic is
    /// shifted (`shifts`) a hook or the limit of a stage does.
    fn never(whole: bool, shifts: bool) -> &'static str;
    /// A change of the breaker in a few words.
    fn breaker_change(change: BreakerChange) -> String;
    /// A change of the breaker with what comes of it.
    fn remedy(found: &Remedy) -> String;
    /// What a rollout did to its users, each part on its own.
    fn headlines(found: &Headlines, tallies: &[Tally]) -> Vec<String>;
    /// Stamp of an answer that does not change any more.
    fn frozen(at: SimTime) -> String;
    /// Stamp of an answer about this moment.
    fn live(at: SimTime) -> String;
    /// Lines of an answer that changed since another moment.
    fn lines_changed(lines: usize, since: SimTime) -> String;
    /// The alarms that one has to build oneself, each with its figure and its state.
    fn own_alarms(gauges: &Gauges, states: &[OwnState; 3]) -> [OwnAlarmText; 3];
    /// How many of them are in ALARM; nothing where none is.
    fn own_alarms_fire(alarms: usize) -> String;
    /// Place of a narrated step.
    fn step_of(step: usize, of: usize) -> String;
    /// A verdict in one line, with when it fails.
    fn verdict_fails(title: &str, at: SimTime) -> String;
    /// What exists at the start, by the number of deployments that are given.
    fn start_value(deployments: usize) -> String;
    /// Heading of a deployment that exists at the start; its number as it is written.
    fn start_revision(number: &str) -> String;
    /// Events of a list that are not shown.
    fn earlier_events(events: usize) -> String;
    /// An exit code, or that there is none.
    fn exit_code(code: Option<u32>) -> String;
    /// A line of the tail of a deployment.
    fn tail_line(line: &TailLine) -> String;
    /// Tasks that stopped at one instant with one code.
    fn tasks_stopped(tasks: &[TaskName], code: StopCode) -> String;
    /// Stopped tasks that are still answered, and those that are not any more.
    fn stops_listed(listed: usize, gone: usize) -> String;
    /// Until when a stopped task is answered.
    fn answered_until(at: SimTime) -> String;
    /// Lines of a list that are not shown.
    fn earlier_lines(lines: usize) -> String;
    /// Lines that came since the moment that was looked at before.
    fn new_lines(lines: usize) -> String;
    /// How many lines there are, and how many of them are new.
    fn lines_so_far(lines: usize, new: usize) -> String;
    /// When the next deployment interrupts nothing.
    fn next_deployment(at: Option<SimTime>) -> &'static str;
    /// Events of tasks on the bus, which are counted and not listed.
    fn task_events(events: TaskEvents) -> String;
    /// The state of the watchdog's alarm, and since when it has it.
    fn watchdog_state(alarm: bool, since: Option<SimTime>) -> String;
    /// What the watchdog says where its alarm is switched off.
    fn watchdog_silent() -> &'static str;
    /// The metric of the watchdog: stops within its window, and all of them.
    fn watchdog_metric(in_window: u32, all: usize) -> String;
    /// What the picture of the metric shows, for those who do not see it.
    fn watchdog_picture(stops: usize) -> String;
    /// A span in which the watchdog's alarm fired.
    fn watchdog_span(until: Option<SimTime>) -> String;
    /// How many steps are narrated, before the first one.
    fn steps_told(of: usize) -> String;
    /// The keys of the page, each with what it does.
    fn keys() -> &'static [(&'static [&'static str], &'static str)];
}
