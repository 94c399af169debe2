//! The list of what can be said.

use rollscope_engine::frame::{Counts, TaskState};
use rollscope_engine::guard::{GuardKind, Violation};
use rollscope_engine::settings::{Act, Alarm, Command};
use rollscope_engine::sim::ServiceDeployment;
use rollscope_engine::trace::{Decision, Failure, Reason, Record};
use rollscope_engine::{Frame, SimTime};
use rollscope_insight::account::{After, Drain, Link, Share};
use rollscope_insight::story::{Span, Story};
use rollscope_insight::{
    Account, BlockedBy, Change, Check, CutOff, EcsEffect, GuardRow, Moment, MomentChange, Outcome, Part, Promise,
    ServiceEvent, StepLimit, Sums, Wait,
};
use rollscope_scenario::Problem;
use rollscope_scenario::link::LinkError;

use crate::Label;
use crate::rule::RuleKind;

/// What a sentence about a record may refer to beside the record itself.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// Counts at the end of the instant.
    pub counts: Counts,
    /// Revision of the newest deployment, and its healthy tasks.
    pub target: Option<(u32, u32)>,
    /// Tasks serve through a target group.
    pub behind_load_balancer: bool,
    /// A health check of any kind looks at the tasks.
    pub checked: bool,
    /// The acts of the run.
    pub acts: &'a [Act],
    /// The alarms of the settings: a sentence names them, or counts them where they are not given.
    pub alarms: &'a [Alarm],
    /// Service deployments of the run, oldest first, as far as they are known.
    pub services: &'a [ServiceDeployment],
}

impl<'a> Scene<'a> {
    /// The scene of a frame.
    pub fn of(frame: &'a Frame, behind_load_balancer: bool, acts: &'a [Act]) -> Scene<'a> {
        let target = frame.deployments.last().map(|d| (d.revision, d.tasks.healthy));
        Scene {
            counts: frame.counts,
            target,
            behind_load_balancer,
            checked: true,
            acts,
            alarms: &[],
            services: &frame.service_deployments,
        }
    }
}

/// A state in the viewer's word and in the platform's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateWords {
    /// "checking"
    pub plain: String,
    /// "RUNNING, not healthy yet"
    pub platform: String,
}

/// A figure of a run with its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// When it was done.
    DoneAfter,
    /// Fewest healthy tasks.
    FewestHealthy,
    /// Most tasks at once.
    MostAtOnce,
    /// Launches of new tasks.
    Waves,
    /// Both versions serve.
    BothVersions,
    /// Extra capacity.
    ExtraCapacity,
}

/// A heading of the command line's report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Heading {
    /// The verdict.
    Verdict,
    /// The floor.
    Floor,
    /// The ceiling.
    Ceiling,
    /// The first step.
    FirstStep,
    /// Failures that trip the circuit breaker.
    Breaker,
    /// The gate of an early success.
    Gate,
    /// What the breaker counted.
    Counted,
    /// What the alarms did, and the bake time.
    Alarms,
    /// What the users of the service met.
    Users,
    /// Where the time of the deployment goes.
    Time,
    /// Where the time of all tasks goes, added up.
    AllTasks,
    /// Where automatic rollback ends.
    Protection,
    /// The deployment a failure goes back to.
    GoesBack,
    /// The task-stop watchdog.
    Watchdog,
    /// What pipelines say.
    Pipelines,
    /// The outcome.
    Outcome,
    /// What exists at the end.
    EndState,
    /// What would help.
    WouldHelp,
    /// Defaults that were filled in.
    Defaults,
    /// Fields without an effect.
    NotSimulated,
    /// Warnings.
    Warnings,
    /// Problems.
    Problems,
    /// Broken guards.
    Broken,
}

/// Everything the product says.
#[derive(Clone, Copy, Debug)]
pub enum Text<'a> {
    /// Why something was or was not done.
    Reason(&'a Reason),
    /// Why nothing is done at a moment, and whether a rollback is under way: "Rolling back: ...".
    Waiting(&'a Reason, bool),
    /// A decision, with the first task it is about.
    Decision(&'a Decision),
    /// What happened.
    Record(&'a Record, &'a Scene<'a>),
    /// What happened to this many tasks at once, the record's own the first.
    Records(&'a Record, u32, &'a Scene<'a>),
    /// Failures of one instant that the breaker looked at: the last of them, how many, and what follows
    /// from them where the deployment fails: "12·8 failed its check. 5 of 5 failures: ...".
    Failure(&'a Failure, u32, Option<&'a Reason>),
    /// What fails a deployment, and what follows from that.
    Fails(&'a Reason, Option<&'a Reason>, &'a Scene<'a>),
    /// An act of a person.
    Act(&'a Command),
    /// The verdict as a title.
    VerdictTitle(&'a Check, Option<&'a Outcome>),
    /// The verdict as a sentence.
    Verdict(&'a Check, Option<&'a Outcome>),
    /// What the first step is.
    FirstStep(&'a Check),
    /// What shapes the first step.
    StepLimit(StepLimit),
    /// A change that helps.
    Change(&'a Change, &'a Check),
    /// What a change comes to: the run as it is, and with the change.
    Promise(&'a Promise, &'a Promise),
    /// The outcome as a sentence.
    Outcome(&'a Outcome),
    /// What a run waits for.
    BlockedBy(BlockedBy),
    /// What cut a run off.
    CutOff(CutOff),
    /// The floor before the run with its sum, or what stands in for it while traffic is shifted.
    CheckFloor(&'a Check),
    /// The ceiling before the run with its sum, or what stands in for it while traffic is shifted.
    CheckCeiling(&'a Check),
    /// The floor as a sum.
    FloorSum {
        /// `desiredCount`
        desired: u32,
        /// `minimumHealthyPercent`
        percent: u32,
    },
    /// The ceiling as a sum.
    CeilingSum {
        /// `desiredCount`
        desired: u32,
        /// `maximumPercent`
        percent: u32,
    },
    /// A state of a task.
    State(TaskState),
    /// The platform's word for it.
    PlatformState(TaskState),
    /// What a guard watches, in one sentence.
    Guard(GuardKind),
    /// What a guard watches, in a few words: "Healthy never below the floor".
    GuardTitle(GuardKind),
    /// The bound of a guard: "≥ 4".
    GuardBound(&'a GuardRow),
    /// The worst value of a guard and when: "least 4 after a stop, at 0:43".
    GuardWorst(&'a GuardRow),
    /// Where the run was beyond the bound without a broken guard, and whose doing it was not; else empty.
    GuardBeyond(&'a GuardRow),
    /// All guards in a few words: "All guards hold", "1 guard broke".
    GuardsTitle(&'a [GuardRow]),
    /// How often the guards were checked.
    GuardsLead {
        /// Moments at which something changed.
        moments: u64,
    },
    /// A broken guard.
    Violation(&'a Violation),
    /// A report on a broken guard, several lines of plain text to send to somebody.
    GuardReport {
        /// How it broke.
        broken: &'a Violation,
        /// Version of the product.
        version: &'a str,
        /// Link of the scenario.
        link: &'a str,
    },
    /// What happens at a moment, as a heading: "Nothing starts or stops right now".
    MomentTitle(&'a Moment),
    /// The sentence below that heading.
    MomentLead(&'a Moment),
    /// The first term of the first sum: "ceiling, 4 × 150 %".
    CeilingTerm(&'a Sums),
    /// What comes of the first sum: "room to start", "no room: nothing can start".
    RoomTotal(&'a Sums),
    /// What comes of the second sum: "spare to stop", "spare, but nothing old to stop".
    SpareTotal(&'a Sums),
    /// How places limit what the first sum allows; empty where they do not.
    PlacesTerm(&'a Sums),
    /// The second term of the second sum: "floor, 4 × 100 %".
    FloorTerm(&'a Sums),
    /// A coming event with its consequence, and the acts of the run: "8·3 is healthy, so 7·3 may go."
    Wait(&'a Wait, &'a [Act]),
    /// A change that does something at a moment: "Maximum 175 %: ceiling 7, 8·3 starts now."
    MomentChange(&'a MomentChange),
    /// What time is spent on: "Health checks".
    Part(Part),
    /// Where the time of one task went: "provisioning 0:05, image pull 0:10".
    TaskTime(&'a [Share]),
    /// Heading of the time account: "Where the 3:53 go".
    AccountTitle(&'a Account),
    /// Heading of what goes on after a deployment: "After SUCCESSFUL: 30:00 more, until 30:35".
    AfterTitle(&'a Account, &'a After),
    /// Task time in minutes, by part: "serving 1,204.5, draining 90.0".
    TaskMinutes(&'a [Share]),
    /// What ended the drains: open requests, or the deregistration delay.
    Drain(&'a Drain),
    /// One link of the chain of causes: "0:15 to 0:45: 8·1 is checked".
    AccountLink(&'a Link),
    /// Whether a change starts a deployment on ECS, in one sentence.
    EcsEffect(EcsEffect),
    /// A rule in a few words: "Floor: desired count × minimum, rounded up".
    RuleName(RuleKind),
    /// What a task does at a moment: "healthy since 0:00".
    StoryNow(&'a Story, SimTime),
    /// What it does next: "will be picked to stop at 9:14"; empty when nothing changes any more.
    StoryNext(&'a Story, SimTime),
    /// When it did something: "9:14 to 10:11".
    StorySpan(&'a Span),
    /// Where it is: "slot 705, zone b".
    StoryPlace(&'a Story),
    /// Why it was started; empty for a task that was there at time 0.
    StoryWhyStarted(&'a Story),
    /// Why it was stopped; empty for a task that nobody stopped.
    StoryWhyStopped(&'a Story),
    /// An act in a few words, for a branch: "maximum 175 %".
    ActShort(&'a Command),
    /// The name of a figure.
    FigureName(Figure),
    /// A figure of a run.
    FigureValue(Figure, &'a Outcome),
    /// What exists at the end.
    EndState(&'a Outcome),
    /// A problem.
    Problem(&'a Problem),
    /// A link that cannot be opened.
    LinkError(&'a LinkError),
    /// A service event and the name of the service.
    ServiceEvent(&'a ServiceEvent, &'a str),
    /// A heading of a report.
    Heading(Heading),
    /// A label of the page.
    Label(Label),
    /// A length of time in milliseconds, in words.
    Duration(u64),
}
