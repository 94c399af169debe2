//! The verdict before the run: one evaluation at time 0.

use rollscope_engine::frame::{Counts, Frame, HostView, Limits};
use rollscope_engine::mechanism::host::HostState;
use rollscope_engine::mechanism::placement::Shortage;
use rollscope_engine::mechanism::quota::LaunchQuota;
use rollscope_engine::platform::ecs::Shift;
use rollscope_engine::platform::ecs::rules_shift::waiting_ms;
use rollscope_engine::platform::ecs::strategy::{HookKind, ShiftKind};
use rollscope_engine::settings::{Alarm, AlarmState, RolloutState, Settings};
use rollscope_engine::sim::service_deployment::Stage;
use rollscope_engine::trace::{DeploymentId, Reason, TaskChange, What};
use rollscope_engine::{SimTime, Simulation, Step, Trace};
use rollscope_scenario::Resolved;
use rollscope_scenario::limits::{gate, threshold};

use crate::changes::{self, Change};
use crate::outcome::{CutOff, outcome};
use crate::run::run_to_end;
use crate::verdict::{Caution, Verdict, of_check, verdict};

/// What the first evaluation finds and does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// Desired count, floor and ceiling.
    pub limits: Limits,
    /// `minimumHealthyPercent` and `maximumPercent`.
    pub percentages: (u32, u32),
    /// Ceiling minus tasks that count, before the first evaluation.
    pub room_to_start: u32,
    /// Healthy tasks minus floor, before the first evaluation.
    pub spare_to_stop: u32,
    /// Tasks before the first evaluation.
    pub before: Counts,
    /// Tasks of the new revision that are missing, before the first evaluation.
    pub need: u32,
    /// Tasks the first evaluation starts.
    pub started: u32,
    /// Tasks the first evaluation stops.
    pub stopped: u32,
    /// What kept it from starting more.
    pub start_limited_by: StepLimit,
    /// What kept it from stopping more.
    pub stop_limited_by: StepLimit,
    /// Places there are at time 0, when room is limited.
    pub places: Option<u32>,
    /// Instances at time 0 with what is used on each; empty where tasks run on none.
    pub hosts: Vec<HostView>,
    /// Instances of the first entry of the cluster: the kind of which a change adds more.
    pub first_kind: u32,
    /// Instances of the further entries.
    pub other_kinds: u32,
    /// Tasks that find a place on instances, or of Fargate, before the first evaluation; absent
    /// where that does not limit. With managed scaling those that may wait are in it.
    pub room: Option<u32>,
    /// What is short where no instance takes one more task, after the first step.
    pub shortage: Option<Shortage>,
    /// A capacity provider brings instances.
    pub scaling: bool,
    /// Tasks of the first step that wait in PROVISIONING for an instance, and when the next one registers.
    pub waiting: (u32, Option<SimTime>),
    /// Failures that trip the circuit breaker, when it is on.
    pub threshold: Option<u32>,
    /// Healthy tasks of the new revision that make an early success, when that is on.
    pub gate: Option<u32>,
    /// The deployment a failure would go back to, with its revision.
    pub candidate: Option<(DeploymentId, u32)>,
    /// The circuit breaker or the alarms roll back.
    pub rolls_back: bool,
    /// Alarms are watched, and one of them is in ALARM already: all are ignored.
    pub alarms_ignored: bool,
    /// A rollout is under way at time 0.
    pub rollout: bool,
    /// How it shifts traffic; absent for a rolling update.
    pub shift: Option<ShiftPlan>,
    /// Acts of the run. They come after the first step, which alone does not tell the pace then.
    pub later_acts: u32,
    /// Why nothing was done, when nothing was done.
    pub hold: Option<Reason>,
    /// The verdict.
    pub verdict: Verdict,
    /// The smallest changes that would make it move, or give all new tasks room; empty when nothing waits.
    pub changes: Vec<Change>,
}

/// What is known before the run of a deployment that shifts traffic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShiftPlan {
    /// Which strategy.
    pub kind: ShiftKind,
    /// Shifts of the production traffic.
    pub shifts: u32,
    /// Weight of the new revision after the first one, in thousandths.
    pub first: u32,
    /// Time that passes only with waiting, in milliseconds: steps, bake time, a slow load balancer.
    pub waiting_ms: u64,
    /// PAUSE hooks that somebody has to answer, one for each time that a stage with one is passed.
    pub pauses: u32,
    /// ECS moves the traffic; false for a headless service.
    pub steered: bool,
}

impl ShiftPlan {
    fn of(shift: &Shift) -> ShiftPlan {
        let shifts = shift.steps.len() as u32;
        let passed = |stage: &Stage| match stage {
            Stage::PreProductionTrafficShift | Stage::ProductionTrafficShift => shifts,
            Stage::ReconcileService => 0,
            _ => 1,
        };
        let pauses = shift.hooks.iter().filter(|hook| hook.kind == HookKind::Pause);
        let moves = if shift.steered { shifts + u32::from(shift.test_listener) } else { 0 };
        ShiftPlan {
            kind: shift.kind,
            shifts,
            first: shift.steps.first().map_or(0, |step| u32::from(step.green)),
            waiting_ms: waiting_ms(&shift.steps, shift.bake_ms) + u64::from(moves) * shift.extra_ms,
            pauses: pauses.flat_map(|hook| hook.stages.iter().map(passed)).sum(),
            steered: shift.steered,
        }
    }
}

/// What a step ends at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum StepLimit {
    /// Nothing more is wanted.
    Need,
    /// The most tasks that may exist.
    Ceiling,
    /// The fewest tasks that must stay healthy.
    Floor,
    /// The room there is, as a number of places.
    Places,
    /// The room there is on instances, or of Fargate.
    Room,
    /// The launch quota.
    Quota,
}

impl Check {
    /// The first step changes something.
    pub fn moves(&self) -> bool {
        self.started + self.stopped > 0
    }

    /// Whether something keeps the rollout from its end that a change of the start would mend.
    pub fn mendable(&self, verdict: Verdict) -> bool {
        let stays = matches!(verdict, Verdict::CannotMove | Verdict::WillWait | Verdict::Caution(Caution::SomeWait));
        let fails = matches!(verdict, Verdict::WillFailAndRollBack | Verdict::WillFailAndStay);
        !self.changes.is_empty() && (stays || (fails && !self.moves()))
    }

    /// The limit that shapes the first step: what it stops at, or starts at, whichever it does.
    pub fn first_step_limited_by(&self) -> StepLimit {
        if self.started == 0 && self.stopped > 0 { self.stop_limited_by } else { self.start_limited_by }
    }
}

/// One evaluation at time 0.
pub fn check(resolved: &Resolved) -> Check {
    check_settings(&resolved.settings)
}

/// The same for settings.
pub fn check_settings(settings: &Settings) -> Check {
    let mut check = evaluate(settings);
    check.verdict = of_check(&check);
    if matches!(check.verdict, Verdict::CannotMove | Verdict::WillWait | Verdict::Caution(Caution::SomeWait)) {
        check.changes = changes::smallest(settings, &check);
    }
    check.verdict = confirmed(settings, &check);
    check
}

/// Events of the run that confirms a first step in which something waits.
const CONFIRM_EVENTS: u64 = 20_000;

/// A first step that does nothing, or for which room is short, is not the whole truth: what comes later may
/// let it move, or never. So it is run; a run that is cut off leaves the word of the first step.
fn confirmed(settings: &Settings, check: &Check) -> Verdict {
    let waits = Verdict::Caution(Caution::WaitsForInstances);
    let some = Verdict::Caution(Caution::SomeWait);
    if ![Verdict::CannotMove, Verdict::WillWait, some, waits].contains(&check.verdict) {
        return check.verdict;
    }
    let budget = settings.event_budget.min(CONFIRM_EVENTS);
    let run = run_to_end(Settings { event_budget: budget, ..settings.clone() });
    let found = outcome(run.view());
    if found.cut_off_by == Some(CutOff::EventBudget) { check.verdict } else { verdict(check, Some(&found)) }
}

/// The evaluation itself, without verdict and changes.
pub(crate) fn evaluate(settings: &Settings) -> Check {
    let (mut sim, mut trace) = (Simulation::new(settings.clone()), Trace::new());
    let shift = settings.strategy.shift();
    // World events of time 0 come first; the state just before the controller's first pass is
    // what the two sums are about.
    let mut before = sim.clone();
    let mut seen = 0;
    while let Some(SimTime::ZERO) = sim.next_event_at() {
        let step = sim.step(&mut trace);
        // Where traffic is shifted the first passes only go from stage to stage.
        let on_the_way = shift.is_some() && matches!(step, Step::Pass(true)) && {
            let target = sim.deployments().next_back().map(|d| d.id);
            count_step(&trace, seen, target) == (0, 0)
        };
        if matches!(step, Step::Pass(_) | Step::Ended(_)) && !on_the_way {
            break;
        }
        before = sim.clone();
        seen = trace.records.len();
    }
    let frame = before.frame();
    let counts = frame.counts;
    let target = frame.deployments.iter().find(|d| d.primary);
    let target_id = target.map(|d| d.id);
    let need = target.map_or(0, |d| counts.limits.desired.saturating_sub(d.tasks.active()));
    let (started, stopped) = count_step(&trace, seen, target_id);
    let places = settings.places().iter().take_while(|step| step.at == SimTime::ZERO).last().map(|step| step.places);
    let healthy_source = counts.healthy() - target.map_or(0, |d| d.tasks.healthy);
    let room = [
        (need, StepLimit::Need),
        (frame.room_to_start, StepLimit::Ceiling),
        (places.map_or(u32::MAX, |n| n.saturating_sub(counts.physical())), StepLimit::Places),
        (before.room_for_more().unwrap_or(u32::MAX), StepLimit::Room),
        (LaunchQuota::new(settings.quotas).available(SimTime::ZERO), StepLimit::Quota),
    ];
    let spare = [(healthy_source, StepLimit::Need), (frame.spare_to_stop, StepLimit::Floor)];
    let params = settings.platform.ecs();
    let after = sim.frame();
    Check {
        limits: counts.limits,
        percentages: (params.minimum_healthy_percent, params.maximum_percent),
        room_to_start: frame.room_to_start,
        spare_to_stop: frame.spare_to_stop,
        before: counts,
        need,
        started,
        stopped,
        start_limited_by: tightest(&room),
        stop_limited_by: tightest(&spare),
        places,
        room: before.room_for_more(),
        hosts: frame.hosts,
        first_kind: settings.cluster().map_or(0, |cluster| cluster.first_kind),
        other_kinds: settings.cluster().map_or(0, |cluster| cluster.hosts.len() as u32 - cluster.first_kind),
        shortage: sim.shortage(),
        waiting: waiting(&after),
        scaling: settings.cluster().is_some_and(|cluster| cluster.provider.is_some()),
        threshold: params.breaker.map(|b| threshold(b.threshold, counts.limits.desired)),
        gate: params.early_success.map(|e| gate(counts.limits.desired, e.healthy_percent)),
        candidate: after.rollback_candidate,
        rolls_back: params.breaker.is_some_and(|b| b.rollback) || params.alarms.is_some_and(|a| a.rollback),
        alarms_ignored: params.alarms.is_some() && settings.alarms.iter().any(in_alarm_at_start),
        rollout: target.is_some_and(|d| d.state == RolloutState::InProgress),
        shift: shift.map(ShiftPlan::of),
        later_acts: settings.acts.len() as u32,
        hold: after.hold,
        verdict: Verdict::NothingToDo,
        changes: Vec::new(),
    }
}

/// Tasks that wait for an instance, and when the next one registers.
fn waiting(frame: &Frame) -> (u32, Option<SimTime>) {
    let arrives = frame.hosts.iter().filter_map(|host| match host.state {
        HostState::Coming(at) => Some(at),
        _ => None,
    });
    (frame.waiting_for_instance, arrives.min())
}

/// Its state when the deployment begins.
fn in_alarm_at_start(alarm: &Alarm) -> bool {
    let changed = alarm.changes.iter().take_while(|(at, _)| *at == SimTime::ZERO).last();
    changed.map_or(alarm.at_start, |(_, state)| *state) == AlarmState::Alarm
}

/// The first of the smallest entries.
fn tightest(limits: &[(u32, StepLimit)]) -> StepLimit {
    limits.iter().min_by_key(|(n, _)| *n).map_or(StepLimit::Need, |(_, limit)| *limit)
}

/// Tasks of the target that were started and tasks the scheduler stopped, from record `seen` on.
fn count_step(trace: &Trace, seen: usize, target: Option<DeploymentId>) -> (u32, u32) {
    let (mut started, mut stopped) = (0, 0);
    for record in &trace.records[seen..] {
        match record.what {
            What::Task { change: TaskChange::Created { deployment, .. }, .. } => {
                started += u32::from(Some(deployment) == target);
            }
            What::Task { change: TaskChange::StopDecided(cause), .. } => {
                stopped += u32::from(cause.by_scheduler());
            }
            _ => {}
        }
    }
    (started, stopped)
}
