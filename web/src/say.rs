//! What the page says about a run: the sentences of the `wording` crate, with what they need.

use rollscope_draw::flow::Measure;
use rollscope_draw::hosts;
use rollscope_draw::stage::{Group, GroupKey, Head, Role, Words};
use rollscope_draw::weights::{Weight, WeightWords};
use rollscope_engine::SimTime;
use rollscope_engine::frame::{Frame, HostView, TaskState, TaskView, Usage};
use rollscope_engine::guard::Violation;
use rollscope_engine::mechanism::host::Resource;
use rollscope_engine::settings::{AlarmState, Command, RolloutState, TaskName};
use rollscope_engine::trace::Reason;
use rollscope_insight::{Change, Check, Outcome, names};
use rollscope_wording::{Language, Text};

use crate::names::Names;
use crate::text::{self, Label, t};

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Say(Language);

impl Say {
    /// Anything that can be said.
    pub fn text(self, text: Text<'_>) -> String {
        self.0.say(text)
    }

    /// The state in one word.
    pub fn state(self, state: TaskState) -> String {
        self.0.say(Text::State(state))
    }

    /// The state in one word and in the platform's.
    pub fn platform_state(self, state: TaskState) -> String {
        self.0.say(Text::PlatformState(state))
    }

    /// Label of the ceiling.
    pub fn ceiling_label(self, ceiling: u32) -> String {
        text::ceiling_label(ceiling)
    }

    /// Above a weighted strip.
    pub fn weight(self, frame: &Frame, strip: &Weight) -> WeightWords {
        let (long, short) = text::weight_words(strip.revision, strip.weight, strip.refused, frame.weights.is_some());
        WeightWords { long, short, test: t(Label::TestTraffic).to_owned() }
    }

    /// Label of the floor.
    pub fn floor_label(self, floor: u32) -> String {
        text::floor_label(floor)
    }

    /// The state of the newest deployment in the platform's word.
    pub fn run_state(self, frame: &Frame) -> String {
        let newest = frame.deployments.iter().find(|deployment| deployment.primary);
        let name = |revision| self.revision(revision, frame);
        newest.map_or_else(String::new, |d| format!("{} {}", name(d.revision), names::rollout_state(d.state)))
    }

    /// `r2`; of a Pod template `v2`.
    pub fn revision(self, number: u32, frame: &Frame) -> String {
        if frame.has_versions() {
            return rollscope_wording::kubernetes::version(number);
        }
        text::revision(number)
    }

    /// Why the scheduler does something, or nothing, with the numbers.
    pub fn reason(self, reason: &Reason) -> String {
        self.0.say(Text::Reason(reason))
    }

    /// An act in a few words.
    pub fn act_short(self, command: &Command) -> String {
        self.0.say(Text::ActShort(command))
    }

    /// Title and sentences of the verdict.
    pub fn verdict(self, check: &Check, outcome: Option<&Outcome>) -> (String, String) {
        (self.0.say(Text::VerdictTitle(check, outcome)), self.0.say(Text::Verdict(check, outcome)))
    }

    /// Title and sentence of a proposed change.
    pub fn change(self, change: &Change, check: &Check) -> (String, String) {
        let whole = self.0.say(Text::Change(change, check));
        let (title, words) = whole.split_once(": ").unwrap_or((&whole, ""));
        let mut words = words.to_owned();
        if let Some(first) = words.get_mut(..1) {
            first.make_ascii_uppercase();
        }
        (title.to_owned(), words)
    }

    /// A broken guard.
    pub fn guard(self, violation: &Violation) -> String {
        self.0.say(Text::Violation(violation))
    }

    /// A report on a broken guard.
    pub fn report(self, broken: &Violation, link: &str) -> String {
        self.0.say(Text::GuardReport { broken, version: env!("CARGO_PKG_VERSION"), link })
    }

    /// What a change of a field does on ECS, in one sentence.
    pub fn ecs_effect(self, pointer: &str) -> String {
        self.0.say(Text::EcsEffect(rollscope_insight::ecs_effect::ecs_effect(pointer)))
    }

    /// The floor as a sum, its result apart.
    pub fn floor_sum(self, desired: u32, percent: u32) -> (String, String) {
        apart(self.0.say(Text::FloorSum { desired, percent }), ", ")
    }

    /// The ceiling as a sum, its result apart.
    pub fn ceiling_sum(self, desired: u32, percent: u32) -> (String, String) {
        apart(self.0.say(Text::CeilingSum { desired, percent }), ", ")
    }
}

/// A sentence in two at the last `mark`, which stays with the first part.
fn apart(whole: String, mark: &str) -> (String, String) {
    let at = whole.rfind(mark).map_or(whole.len(), |at| at + mark.len());
    (whole[..at].to_owned(), whole[at..].to_owned())
}

/// The words of the stage at one moment.
pub struct StageWords<'a> {
    say: Say,
    names: &'a Names,
    frame: &'a Frame,
    balanced: bool,
}

impl<'a> StageWords<'a> {
    /// For a moment; `balanced`: requests come through a target group.
    pub fn new(say: Say, names: &'a Names, frame: &'a Frame, balanced: bool) -> StageWords<'a> {
        StageWords { say, names, frame, balanced }
    }

    fn left(task: &TaskView, at: SimTime) -> Option<SimTime> {
        let until = task.until.filter(|_| !matches!(task.state, TaskState::Stopped | TaskState::Failed))?;
        // Whole seconds, rounded up: a state that is not over never shows 0.
        Some(SimTime(until.since(at).div_ceil(1_000) * 1_000))
    }
}

impl Words for StageWords<'_> {
    fn name(&self, name: TaskName) -> String {
        self.names.short(name)
    }
    fn state(&self, state: TaskState) -> String {
        self.say.state(state)
    }
    fn note(&self, task: &TaskView, at: SimTime) -> String {
        match (task.state, StageWords::left(task, at)) {
            (TaskState::Healthy, _) if self.balanced => {
                let (weight, tasks) = self.frame.share(task);
                text::of_traffic(weight, tasks)
            }
            (state, Some(left)) => text::state_left(state, left),
            _ => String::new(),
        }
    }
    fn left(&self, task: &TaskView, at: SimTime) -> String {
        StageWords::left(task, at).map_or_else(String::new, text::clock)
    }
    fn ceiling(&self, _: u32) -> String {
        // The wall of a ceiling beyond all sense stands nearer than the ceiling.
        self.say.ceiling_label(self.frame.counts.limits.ceiling)
    }
    fn rounding(&self, _: u32) -> String {
        if self.frame.has_versions() {
            // There is no percentage of which the ceiling would be a part.
            return String::new();
        }
        text::rounded_down(self.frame.counts.limits.desired, self.frame.maximum_percent)
    }
    fn number(&self, number: u32) -> String {
        text::number(number.into())
    }
    fn side(&self, head: &Head) -> [String; 2] {
        [text::wall_of(head.role == Role::Source, head.revision), text::wall_places(head.places)]
    }
    fn group(&self, group: &Group) -> String {
        match group.key {
            GroupKey::Revision(revision, _) if self.frame.has_versions() => {
                rollscope_wording::kubernetes::group_of_version(revision, group.slots)
            }
            GroupKey::Revision(revision, _) => text::group_of_revision(revision, group.slots),
            GroupKey::Zone(zone) => text::group_of_zone(zone, group.slots),
            GroupKey::Free => text::group_free(group.slots),
        }
    }
}

impl hosts::Words for StageWords<'_> {
    fn host(&self, number: u32) -> String {
        text::host_name(number)
    }
    fn zone(&self, zone: u8) -> String {
        text::zone(zone)
    }
    fn zone_caption(&self, zone: &hosts::Zone) -> String {
        text::zone_caption(zone.zone, zone.hosts)
    }
    fn host_state(&self, host: &HostView, at: SimTime) -> String {
        text::host_state(host.state, at)
    }
    fn resource(&self, resource: Resource) -> String {
        text::resource_name(resource).to_owned()
    }
    fn free(&self, usage: &Usage) -> String {
        text::resource_free(usage)
    }
    fn counts(&self, host: &HostView) -> String {
        text::host_counts(host)
    }
    fn more(&self, tasks: u32) -> String {
        text::more_waiting(tasks)
    }
}

/// The words of the timeline; `still` stands in the band of a run that never moves.
pub struct TimeWords<'a> {
    /// Language.
    pub say: Say,
    /// What the tasks are called.
    pub names: &'a Names,
    /// The only task of a run that never moves.
    pub still: Option<TaskName>,
    /// What the chart counts.
    pub counted: Label,
    /// Traffic is shifted: what nothing watches may come back all the same, by a hook or the limit of a stage.
    pub shifts: bool,
}

impl rollscope_draw::timeline::Words for TimeWords<'_> {
    fn status(&self) -> String {
        t(Label::Status).to_owned()
    }
    fn tasks(&self) -> String {
        t(self.counted).to_owned()
    }
    fn state(&self, state: RolloutState) -> String {
        names::rollout_state(state).to_owned()
    }
    fn fails(&self) -> String {
        t(Label::Fails).to_owned()
    }
    fn trips(&self, failures: u32) -> String {
        text::trips_at(failures)
    }
    fn reset(&self) -> String {
        t(Label::CountReset).to_owned()
    }
    fn gate(&self, tasks: u32) -> String {
        text::gate_label(tasks)
    }
    fn alarms(&self, alarms: usize) -> String {
        text::alarm_lanes(alarms).to_owned()
    }
    fn alarm(&self, name: &str, state: AlarmState, ignored: bool) -> String {
        text::alarm_span(name, state, ignored)
    }
    fn name(&self, task: TaskName) -> String {
        self.names.short(task)
    }
    fn more(&self, tasks: u32) -> String {
        text::more_tasks(tasks)
    }
    fn count(&self, tasks: u32) -> String {
        text::number(tasks.into())
    }
    fn per_line(&self, tasks: u32) -> String {
        text::per_line(tasks)
    }
    fn measure(&self, measure: Measure) -> String {
        t(if measure == Measure::Requests { Label::RequestsAxis } else { Label::TrafficAxis }).to_owned()
    }
    fn weight(&self, thousandths: u16) -> String {
        text::weight_label(thousandths)
    }
    fn cut_off(&self, thousandths: u64) -> String {
        text::cut_off_label(thousandths)
    }
    fn flow_band(&self, refused: bool) -> String {
        t(if refused { Label::Refused } else { Label::BadAnswers }).to_owned()
    }
    fn ceiling(&self, tasks: u32) -> String {
        if self.shifts { text::both_label(tasks) } else { self.say.ceiling_label(tasks) }
    }
    fn floor(&self, tasks: u32) -> String {
        if self.shifts { text::each_label(tasks) } else { self.say.floor_label(tasks) }
    }
    fn border(&self) -> String {
        t(Label::NoRollback).to_owned()
    }
    fn never(&self, whole: bool) -> String {
        text::never(whole, self.shifts).to_owned()
    }
    fn idle(&self, ms: u64) -> String {
        self.say.0.say(Text::Duration(ms))
    }
    fn still(&self) -> String {
        self.still.map_or_else(String::new, |task| text::unchanged(&self.names.short(task)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sum_and_its_result_stand_apart() {
        let say = Say::default();
        assert_eq!(say.ceiling_sum(1, 150), ("1 × 150 % = 1.5, ".into(), "down to ceiling 1".into()));
        assert_eq!(say.floor_sum(4, 100), ("4 × 100 % = 4, ".into(), "floor 4".into()));
    }
}
