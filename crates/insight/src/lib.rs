//! What a run means: the verdict before it, the outcome after it, the figures and rows in between.
//!
//! ```text
//! check(&Resolved) -> Check            one evaluation at time 0, no time passes
//! run_to_end(Settings) -> Run          for callers that only want the result
//! outcome(RunView) -> Outcome          how it ended, the figures, the end state
//! brief(RunView) -> Brief              the few figures that every platform has
//! verdict(&Check, Some(&Outcome))      one word for both
//! cures(&Settings, &Outcome)           what would help a run whose checks are too strict
//! relief(&Resolved, &Check, &Outcome)  what would spare a run its troubles
//! offers(&Resolved, &Check, &Outcome)  all that would help, as one list
//! guards(RunView) -> Vec<GuardRow>     what the guards watch and how near the run came to it
//! moment(&Player) -> Moment             why, at the cursor: two sums, what is waited for
//! moment::changes(&Player)              what would change it, each change tried on a clone
//! account(RunView) -> Option<Account>   where the time goes, from start to completion
//! story(RunView, InstanceId)            the life of one task, and why it started and stopped
//! ecs_effect(pointer) -> EcsEffect      does a change start a deployment on ECS
//! failures(RunView, services)           what was counted, what was not, how each rollout went
//! headlines(RunView, services)          time until it gives up, below desired, who answered
//! outside::..                           what the APIs, the event bus and a pipeline say at a moment
//! chapters(RunView, .., &[Step])        when the narrated steps of a preset are said
//! comparison(&[RunView], ..)           several runs beside each other: table, heading, time
//! guarding(records, &Frame, &Settings)  what guards the newest rollout at a moment
//! remedies(&Settings, &Outcome)        changes of the breaker with which a failing run ends otherwise
//! watchdog::watch(stops, ..)            stops the breaker does not see, and the alarm over them
//! json::{check, run, refused}          the rows that pipelines read
//! json_failures::{add_failures, api_at} those about failures, and the API at a moment
//! kubernetes::..                       the same for a Kubernetes Deployment, in its words
//! placed::..                           and for a StatefulSet and a DaemonSet
//! asg::..                              the same for an instance refresh, in EC2's words
//! vm::..                               the same for Google Cloud's and Azure's groups of machines
//! json_shift::{weights, hooks}        how traffic was shifted, and what the hooks said
//! ```
//!
//! A [`RunView`] comes from a [`Run`] or from a player ([`RunView::of_player`]), so that the page
//! and the command line say the same.

pub mod account;
pub mod asg;
pub mod boot;
pub mod brief;
pub mod changes;
pub mod chapter;
pub mod check;
pub mod comparison;
pub mod cure;
pub mod ecs_effect;
pub mod explore;
pub mod failures;
pub mod figures;
pub mod guarding;
pub mod guards;
pub mod headlines;
mod healthy;
pub mod hosts;
mod instant;
pub mod json;
pub mod json_capacity;
pub mod json_failures;
pub mod json_shift;
pub mod kubernetes;
pub mod moment;
pub mod names;
pub mod offers;
pub mod open;
pub mod outcome;
pub mod outside;
pub mod placed;
pub mod promise;
pub mod relief;
pub mod remedy;
pub mod rows;
pub mod run;
pub mod service_events;
mod serving;
pub mod story;
pub mod tally;
pub mod troubles;
pub mod verdict;
pub mod vm;
pub mod waits;
pub mod watchdog;
pub mod works;

pub use account::{Account, Part, account};
pub use boot::{Boot, boot};
pub use brief::{Brief, brief};
pub use changes::Change;
pub use chapter::{Chapter, chapters, moment_of};
pub use check::{Check, ShiftPlan, StepLimit, check};
pub use comparison::{Comparison, comparison};
pub use cure::cures;
pub use ecs_effect::{EcsEffect, ecs_effect, ecs_effect_of_act};
pub use failures::{Failures, failures};
pub use figures::{FigureMoments, Figures};
pub use guarding::{Guarding, borders, candidate_at_start, guarding};
pub use guards::{GuardRow, guard_moments, guards};
pub use headlines::{Headlines, headlines};
pub use hosts::{Demand, HostRoom, HostStory, host, host_room};
pub use instant::failing;
pub use moment::{Course, Moment, MomentChange, MomentKind, Sums, moment};
pub use offers::{breaker_helps, moving, offers, spared};
pub use open::{Leaving, Open, leavings, most_open};
pub use outcome::{BlockedBy, CutOff, EndState, Outcome, OutcomeKind, TaskTotals, failed_at, outcome};
pub use promise::{Promise, promise};
pub use relief::relief;
pub use remedy::{BreakerChange, Remedy, remedies};
pub use rows::{DecisionRow, TaskRow};
pub use run::{Run, RunView, run_to_end};
pub use service_events::{ServiceEvent, ServiceEventKind};
pub use story::{Story, story};
pub use tally::{Tally, tallies};
pub use troubles::{
    CutRequests, HeldStage, HostDrain, LateAlarm, LoweredCount, Overload, Repaired, Rescaled, Short, Troubles,
};
pub use verdict::{Caution, Verdict, gives_up, verdict};
pub use waits::{Tasks, Wait, WaitCause, WaitEnd, WaitShift};
pub use watchdog::{LoggedStop, TaskStop, WatchdogReport};
pub use works::{WorksFrom, works_from};
