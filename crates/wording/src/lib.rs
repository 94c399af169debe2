//! Every sentence the product says, from data.
//!
//! [`Text`] lists what can be said; a language is one module with one function that says all of
//! it, so a text that a language lacks does not compile. The functions beside it are shorthand in
//! the language of the product.
//!
//! Names: tasks are `8·3`, revisions `r8`, times `m:ss` and from an hour on `h:mm:ss`, rounding is
//! in words ("1 × 150 % = 1.5, down to ceiling 1").

pub mod asg;
mod caption;
pub mod compare;
pub mod en;
pub mod explore;
pub mod export;
pub mod kubernetes;
pub mod outside;
pub mod page;
pub mod placed;
pub mod reading;
pub mod rule;
pub mod share;
pub mod text;
pub mod time;
pub mod vm;

use rollscope_engine::frame::TaskState;
use rollscope_engine::guard::{GuardKind, Violation};
use rollscope_engine::settings::Command;
use rollscope_engine::sim::service_deployment::FailedBy;
use rollscope_engine::trace::{Decision, Reason, Record};
use rollscope_insight::{Change, Check, Moment, MomentKind, Outcome, Promise, ServiceEvent};
use rollscope_scenario::Problem;
use rollscope_scenario::link::LinkError;

pub use en::ui::Label;
pub use rule::{RuleKind, RuleWords};
pub use text::{Figure, Heading, Scene, StateWords, Text};

/// A language the product speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Language {
    /// English.
    #[default]
    English,
}

impl Language {
    /// Says it.
    pub fn say(self, text: Text<'_>) -> String {
        match self {
            Language::English => en::say(text),
        }
    }
}

fn say(text: Text<'_>) -> String {
    Language::default().say(text)
}

/// Why, in one sentence.
pub fn reason(reason: &Reason) -> String {
    say(Text::Reason(reason))
}

/// A decision in one sentence, with the first task it is about.
pub fn decision(decision: &Decision) -> String {
    say(Text::Decision(decision))
}

/// The rule behind a decision, with its source.
pub fn rule(reason: &Reason) -> RuleWords {
    rule_words(RuleKind::of(reason))
}

/// The rule behind a moment: behind failures it is the circuit breaker's, whatever the scheduler decides then, and
/// where nothing happens that of the waiting. Failures that nothing counts have that of what is decided then.
pub fn moment_rule(moment: &Moment) -> Option<RuleWords> {
    let rule = rule_of(moment)?;
    let (source_title, url) = source_of(rule, moment).source();
    Some(RuleWords { source_title, url, ..rule_words(rule) })
}

fn rule_of(moment: &Moment) -> Option<RuleKind> {
    let because = moment.because.map(|decision| decision.reason);
    match moment.kind {
        MomentKind::Counts(_) => return Some(RuleKind::Breaker),
        MomentKind::TasksFail(_) if moment.failure.is_some() => return Some(RuleKind::Breaker),
        MomentKind::WaitsForHealth if !moment.checked => return Some(RuleKind::Unchecked),
        MomentKind::Ended(_)
        | MomentKind::Fails(_)
        | MomentKind::RollbackFails
        | MomentKind::RolledBack
        | MomentKind::Back
        | MomentKind::Done
        | MomentKind::TasksFail(_)
        | MomentKind::Acting { .. } => because,
        _ => moment.hold.or(because),
    }
    .map(|reason| RuleKind::of(&reason))
}

/// The rule whose page is cited: for what follows from a failure the page about what failed it, which is not always the
/// circuit breaker.
fn source_of(rule: RuleKind, moment: &Moment) -> RuleKind {
    if !matches!(rule, RuleKind::Rollback | RuleKind::Failed) {
        return rule;
    }
    match moment.course.and_then(|course| course.failed) {
        Some((_, FailedBy::Alarm)) => RuleKind::Alarms,
        Some((_, FailedBy::Digests)) => RuleKind::Digests,
        Some((_, FailedBy::Person)) => RuleKind::Deploy,
        Some((_, FailedBy::Hook)) => RuleKind::Hooks,
        Some((_, FailedBy::StageLimit)) => RuleKind::Stages,
        Some((_, FailedBy::Breaker)) | None => rule,
    }
}

/// A rule in words, with its source.
pub fn rule_words(rule: RuleKind) -> RuleWords {
    let (source_title, url) = rule.source();
    RuleWords { name: say(Text::RuleName(rule)), source_title, url }
}

/// What a record tells, in one sentence.
pub fn record(record: &Record, scene: &Scene<'_>) -> String {
    say(Text::Record(record, scene))
}

/// The caption of an instant: its decisions, or the weightiest of what happened. `records` are
/// those of one instant, the scene is that at its end.
pub fn caption(records: &[Record], scene: &Scene<'_>) -> String {
    caption::caption(Language::default(), records, scene)
}

/// The verdict in two or three words.
pub fn verdict_title(check: &Check, outcome: Option<&Outcome>) -> String {
    say(Text::VerdictTitle(check, outcome))
}

/// The verdict in one or two sentences.
pub fn verdict(check: &Check, outcome: Option<&Outcome>) -> String {
    say(Text::Verdict(check, outcome))
}

/// The outcome in one sentence.
pub fn outcome(outcome: &Outcome) -> String {
    say(Text::Outcome(outcome))
}

/// A change that would make it move, with what it does.
pub fn change(change: &Change, check: &Check) -> String {
    say(Text::Change(change, check))
}

/// What a change comes to: the run as it is, and with the change. Empty where nothing differs.
pub fn promise(now: &Promise, then: &Promise) -> String {
    say(Text::Promise(now, then))
}

/// The floor as a sum: "4 × 75 % = 3, floor 3".
pub fn floor_sum(desired: u32, percent: u32) -> String {
    say(Text::FloorSum { desired, percent })
}

/// The ceiling as a sum: "1 × 150 % = 1.5, down to ceiling 1".
pub fn ceiling_sum(desired: u32, percent: u32) -> String {
    say(Text::CeilingSum { desired, percent })
}

/// A state of the stage in the viewer's word and in the platform's.
pub fn state(state: TaskState) -> StateWords {
    StateWords { plain: say(Text::State(state)), platform: say(Text::PlatformState(state)) }
}

/// What a guard watches, in one sentence.
pub fn guard(kind: GuardKind) -> String {
    say(Text::Guard(kind))
}

/// A broken guard, in one sentence.
pub fn violation(violation: &Violation) -> String {
    say(Text::Violation(violation))
}

/// What a person did or will do.
pub fn act(command: &Command) -> String {
    say(Text::Act(command))
}

/// A problem with what was written, with its place and the way out.
pub fn problem(problem: &Problem) -> String {
    say(Text::Problem(problem))
}

/// Why a link cannot be opened as it is.
pub fn link_error(error: &LinkError) -> String {
    say(Text::LinkError(error))
}

/// The message of a service event in the form of `DescribeServices`.
pub fn service_event(event: &ServiceEvent, service: &str) -> String {
    say(Text::ServiceEvent(event, service))
}

/// A label of the page or of the command line.
pub fn label(label: Label) -> String {
    say(Text::Label(label))
}

/// A length of time in words: "3 minutes 53 seconds".
pub fn duration(ms: u64) -> String {
    say(Text::Duration(ms))
}
