//! The rules of everything that is not configuration: times, revisions, start, acts, readings.

use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::platform::ecs::{ALARM_DELAY_MS, Readings};
use rollscope_engine::settings::{
    Act, Behaviour, Command, Distribution, Fate, NEVER_MS, PlacesStep, Revision, RolloutState, Start, StartDeployment,
    TASKS_MAX, Timing, ZONES,
};
use rollscope_engine::time::{SECOND, SimTime};

use super::checker::Checker;
use super::workload::Workload;
use super::{DEPLOYMENTS_MAX, LIST_MAX, POOLS_MAX, ReadingInForce, UNTIL_MAX_MS, failure, fjall};
use crate::document::{self, ByStart, Document, NewTargetPasses, Ratio, RevisionDoc};
use crate::duration::{self, Span};
use crate::json::{Value, pointer_join};

/// Revision shown for the running version when nothing says otherwise.
pub const OLD_REVISION: u32 = 7;
/// Revision shown for the new version when nothing says otherwise.
pub const NEW_REVISION: u32 = 8;

/// Checks `timing`.
pub fn timing(doc: &Document, workload: &Workload, c: &mut Checker) -> Timing {
    let t = &doc.timing;
    let mut with_default = |name: &str, value: &Option<Distribution>, seconds: u64, never: bool| {
        let at = pointer_join("/timing", name);
        match value {
            Some(d) => {
                distribution(&at, d, never, c);
                d.clone()
            }
            None => {
                c.default_used(&at, duration::print(seconds * SECOND));
                Distribution::Constant(seconds * SECOND)
            }
        }
    };
    let provisioning = with_default("provisioning", &t.provisioning, 5, false);
    let pull = with_default("pull", &t.pull, 10, false);
    let start_up = with_default("start_up", &t.start_up, 15, false);
    let open_request = match (&t.open_request, super::traffic::longest_request(doc)) {
        // The last request that is open is the longest one.
        (None, Some(longest)) => Distribution::Constant(longest),
        (given, _) => with_default("open_request", given, 30, false),
    };
    let exit_after_sigterm = with_default("exit_after_sigterm", &t.exit_after_sigterm, 2, true);
    let shortcuts =
        [("first_check", &t.first_check), ("healthy_after", &t.healthy_after), ("gone_after", &t.gone_after)];
    for (name, value) in shortcuts {
        if let Some(d) = value {
            distribution(&pointer_join("/timing", name), d, false, c);
        }
    }
    if t.first_check.is_some() && workload.target_groups.is_empty() {
        c.advise("/timing/first_check", "given", "unused: there is no target group");
    } else if t.first_check.is_none()
        && t.healthy_after.is_none()
        && let Some(group) = workload.target_groups.first()
    {
        c.default_used("/timing/first_check", duration::print(group.interval_ms));
    }
    Timing {
        provisioning,
        pull,
        start_up,
        first_check: t.first_check.clone(),
        open_request,
        exit_after_sigterm,
        healthy_after: t.healthy_after.clone(),
        gone_after: t.gone_after.clone(),
    }
}

pub(super) fn distribution(at: &str, d: &Distribution, never: bool, c: &mut Checker) {
    let times: Vec<u64> = match d {
        Distribution::Constant(ms) => vec![*ms],
        Distribution::Uniform { min, max } => {
            if min > max {
                c.invalid(
                    &pointer_join(at, "uniform"),
                    "the first is greater",
                    "the least value first, then the greatest",
                );
            }
            vec![*min, *max]
        }
        Distribution::Triangular { min, mode, max } => {
            if min > mode || mode > max {
                let allowed = "least, most likely and greatest value in this order";
                c.invalid(&pointer_join(at, "triangular"), "out of order", allowed);
            }
            vec![*min, *mode, *max]
        }
        Distribution::Table(rows) => {
            let at = pointer_join(at, "table");
            if rows.len() > LIST_MAX {
                c.invalid(&at, rows.len(), &format!("at most {LIST_MAX} rows"));
            }
            if rows.iter().all(|(_, weight)| *weight == 0) {
                c.invalid(&at, "no weight", "at least one row with a weight above 0");
            }
            rows.iter().map(|(ms, _)| *ms).collect()
        }
    };
    let constant = matches!(d, Distribution::Constant(_) | Distribution::Table(_));
    if times.contains(&NEVER_MS) {
        if !never || !constant {
            let allowed = "a duration; \"never\" only in exit_after_sigterm, alone or in a table";
            c.invalid(at, "never", allowed);
        }
    } else if times.iter().any(|ms| *ms > duration::MAX_MS) {
        c.invalid(at, "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
    }
}

/// Checks a fate and everything inside it.
fn fate(at: &str, fate: &Fate, depth: usize, c: &mut Checker) {
    if depth > document::FATE_DEPTH_MAX {
        c.invalid(at, "nested too deep", "at most 8 fates inside each other");
        return;
    }
    match fate {
        Fate::NeverRunning { after: Some(ms) } | Fate::ExitsAfter(ms) | Fate::TurnsUnhealthyAfter(ms) => {
            if *ms > duration::MAX_MS {
                c.invalid(at, "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
            }
        }
        Fate::InZone { zone, fate: inner } => {
            if usize::from(*zone) >= ZONES {
                c.invalid(&format!("{at}/in_zone/zone"), zone, "a zone, 0 to 2").nearest = Some(Value::from(2u8));
            }
            self::fate(&format!("{at}/in_zone/fate"), inner, depth + 1, c);
        }
        Fate::Ratio { hits, of, fate: inner } => {
            if *of == 0 || hits > of {
                c.invalid(
                    &format!("{at}/ratio/of"),
                    format!("[{hits}, {of}]"),
                    "[hits, of] with 0 <= hits <= of and of above 0",
                );
            }
            self::fate(&format!("{at}/ratio/fate"), inner, depth + 1, c);
        }
        Fate::Healthy
        | Fate::NeverRunning { after: None }
        | Fate::NeverPasses
        | Fate::Hangs
        | Fate::AboveRunning(_) => {}
    }
}

/// A fate and the fates of single starts, ascending.
pub(super) fn behaviour(
    at: &str,
    given: Option<&Fate>,
    by_start: Option<&ByStart>,
    bad_responses: Option<Ratio>,
    c: &mut Checker,
) -> Behaviour {
    if let Some(bad) = bad_responses {
        ratio(&pointer_join(at, "bad_responses"), bad, c);
    }

    if let Some(given) = given {
        fate(&pointer_join(at, "fate"), given, 1, c);
    }
    let mut list = by_start.map(|b| b.0.clone()).unwrap_or_default();
    let at = pointer_join(at, "by_start");
    if list.len() > LIST_MAX {
        c.invalid(&at, list.len(), &format!("at most {LIST_MAX} starts"));
    }
    for (k, given) in &list {
        let here = pointer_join(&at, k);
        if *k == 0 {
            c.invalid(&here, 0, "starts are counted from 1").nearest = None;
        }
        fate(&here, given, 1, c);
    }
    // The last entry of a start counts, as with any key given twice.
    list.reverse();
    order::by_key(&mut list, |(k, _)| *k);
    list.dedup_by_key(|(k, _)| *k);
    let bad_responses = bad_responses.map(|bad| (bad.hits, bad.of));
    Behaviour { fate: given.cloned().unwrap_or_default(), by_start: list, bad_responses }
}

/// A share is a share.
pub(super) fn ratio(at: &str, ratio: Ratio, c: &mut Checker) {
    if ratio.of == 0 || ratio.hits > ratio.of {
        c.invalid(at, format!("[{}, {}]", ratio.hits, ratio.of), "[hits, of] with 0 <= hits <= of and of above 0");
    }
}

/// Revisions and what exists at the start.
#[derive(Debug)]
pub struct Revisions {
    pub known: Vec<Revision>,
    /// The number of the revision that is rolled out.
    pub new: u32,
    pub start: Start,
}

/// Checks `new`, `old` and `start`.
pub fn revisions(doc: &Document, desired: u32, c: &mut Checker) -> Revisions {
    let given = doc.start.as_ref().and_then(|s| s.deployments.as_deref());
    let existing = given.map(|list| start_deployments(list, c));
    let none_yet = given.is_none_or(|list| list.is_empty());
    let deploy = doc.start.as_ref().and_then(|s| s.deploy).unwrap_or(none_yet);
    if given.is_some_and(|list| list.is_empty()) && !deploy {
        c.invalid("/start/deploy", "false", "true, or a deployment in start.deployments: otherwise nothing exists")
            .nearest = Some(true.into());
    }
    let (old, new) = numbers(doc, existing.as_deref().unwrap_or(&[]), deploy, c);
    let mut known = vec![side("/old", old, doc, &doc.old, c), side("/new", new, doc, &doc.new, c)];
    let deployments = existing.unwrap_or_else(|| vec![steady(old, desired)]);
    for d in &deployments {
        if known.iter().all(|r| r.number != d.revision) {
            known.push(Revision::new(d.revision, Behaviour::default()));
        }
    }
    Revisions { known, new, start: Start { deployments, deploy: deploy.then_some(new) } }
}

fn side(at: &str, number: u32, doc: &Document, side: &RevisionDoc, c: &mut Checker) -> Revision {
    let behaviour = behaviour(at, side.fate.as_ref(), side.by_start.as_ref(), side.bad_responses, c);
    let told = fjall::gate(doc) && failure::schema_known(doc);
    let expects_schema = side.expects.filter(|_| told).map(|version| version.0);
    Revision { expects_schema, digest_fails: side.digest_fails == Some(true), ..Revision::new(number, behaviour) }
}

/// `exit_code` of both revisions, where it is given.
pub fn exit_codes(doc: &Document, revisions: &Revisions, c: &mut Checker) -> Vec<(u32, u32)> {
    let sides = [("/old/exit_code", &doc.old), ("/new/exit_code", &doc.new)];
    let given = sides.into_iter().zip(&revisions.known).filter_map(|((at, side), revision)| {
        let code = c.optional(at, side.exit_code, 0, 255, None)?;
        Some((revision.number, code as u32))
    });
    given.collect()
}

/// One completed deployment with everything healthy.
fn steady(revision: u32, healthy: u32) -> StartDeployment {
    let state = RolloutState::Completed;
    StartDeployment {
        revision,
        state,
        failed_tasks: 0,
        healthy,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    }
}

fn start_deployments(list: &[document::StartDeployment], c: &mut Checker) -> Vec<StartDeployment> {
    let at = "/start/deployments";
    if list.len() > DEPLOYMENTS_MAX {
        c.invalid(at, list.len(), &format!("at most {DEPLOYMENTS_MAX} deployments"));
    }
    let read: Vec<_> = list.iter().enumerate().map(|(i, d)| start_deployment(&pointer_join(at, i), d, c)).collect();
    let tasks: u64 = read
        .iter()
        .map(|d| [d.healthy, d.running, d.pending, d.unhealthy, d.stopping].iter().map(|n| u64::from(*n)).sum::<u64>())
        .sum();
    if tasks > u64::from(TASKS_MAX) {
        c.invalid(at, format!("{tasks} tasks"), &format!("at most {TASKS_MAX} tasks"));
    }
    let superseded = &read[..read.len().saturating_sub(1)];
    if let Some(i) = superseded.iter().position(|d| d.state == RolloutState::InProgress) {
        let at = format!("{at}/{i}/rolloutState");
        c.advise(&at, "IN_PROGRESS", "superseded by a newer deployment: its tasks are replaced");
    }
    read
}

fn start_deployment(at: &str, d: &document::StartDeployment, c: &mut Checker) -> StartDeployment {
    let max = i64::from(TASKS_MAX);
    let mut count =
        |name: &str, value: Option<i64>| c.optional(&pointer_join(at, name), value, 0, max, None).unwrap_or(0) as u32;
    let (healthy, running, pending) =
        (count("healthy", d.healthy), count("running", d.running), count("pending", d.pending));
    let (unhealthy, stopping) = (count("unhealthy", d.unhealthy), count("stopping", d.stopping));
    let failed_tasks = count("failedTasks", d.failed_tasks);
    let protected = c.optional(&pointer_join(at, "protected"), d.protected, 0, i64::from(healthy), None);
    let protected = protected.unwrap_or(0) as u32;
    let at_state = pointer_join(at, "rolloutState");
    let states = ["IN_PROGRESS", "COMPLETED", "FAILED"];
    let state = match c.name(&at_state, d.state.as_deref(), &states, "COMPLETED", None) {
        "IN_PROGRESS" => RolloutState::InProgress,
        "FAILED" => RolloutState::Failed,
        _ => RolloutState::Completed,
    };
    let at_revision = pointer_join(at, "revision");
    let revision = match d.revision {
        Some(number) => c.in_range(&at_revision, number, 1, i64::from(u32::MAX), None) as u32,
        None => {
            c.missing(&at_revision, "the number of the revision, 1 or more", None);
            0
        }
    };
    StartDeployment { revision, state, failed_tasks, healthy, protected, running, pending, unhealthy, stopping }
}

/// The numbers of the old and the new revision: as written, as the start state has them, or 7 and 8.
fn numbers(doc: &Document, start: &[StartDeployment], deploy: bool, c: &mut Checker) -> (u32, u32) {
    let in_progress =
        start.last().filter(|d| !deploy && d.state == RolloutState::InProgress && d.revision != 0).map(|d| d.revision);
    let before = if in_progress.is_some() { &start[..start.len() - 1] } else { start };
    let completed = before.iter().rev().find(|d| d.state == RolloutState::Completed && d.revision != 0);
    let completed = completed.map(|d| d.revision);
    let mut written = |at: &str, value: Option<i64>, state: Option<u32>, why: &str| {
        let number = c.optional(at, value, 1, i64::from(u32::MAX), None).map(|n| n as u32);
        if let (Some(number), Some(state)) = (number, state)
            && number != state
        {
            c.invalid(at, number, why).nearest = Some(state.into());
        }
        number.or(state)
    };
    let new =
        written("/new/revision", doc.new.revision, in_progress, "the revision of the deployment in progress in start");
    let old = written(
        "/old/revision",
        doc.old.revision,
        completed,
        "the revision of the newest COMPLETED deployment in start",
    );
    let default_old = |new: u32| if new == OLD_REVISION { OLD_REVISION - 1 } else { OLD_REVISION };
    let default_new = |old: u32| if old >= NEW_REVISION { old.saturating_add(1) } else { NEW_REVISION };
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(old), None) => (old, default_new(old)),
        (None, Some(new)) => (default_old(new), new),
        (None, None) => (OLD_REVISION, NEW_REVISION),
    };
    if doc.old.revision.is_none() {
        c.default_used("/old/revision", old);
    }
    if doc.new.revision.is_none() {
        c.default_used("/new/revision", new);
    }
    if old == new {
        let allowed =
            "another number than the old revision; write a repeated deployment of one revision as the next number";
        c.invalid("/new/revision", new, allowed).nearest = Some(new.checked_add(1).unwrap_or(new - 1).into());
    }
    (old, new)
}

/// Warns of a fate that only a health check could notice, where there is none: `new` and `old`, and
/// the acts that change how tasks fare.
pub fn unseen_fates(doc: &Document, workload: &Workload, c: &mut Checker) {
    if !workload.containers.is_empty() || !workload.target_groups.is_empty() {
        return;
    }
    let text = "no check looks at it, so ECS takes it for healthy; give the service a target group or a container a \
        healthCheck";
    let mut look = |at: &str, fate: Option<&Fate>, by_start: Option<&ByStart>| {
        let starts = by_start.iter().flat_map(|b| b.0.iter()).map(|(k, fate)| (format!("{at}/by_start/{k}"), fate));
        let all = fate.map(|fate| (format!("{at}/fate"), fate)).into_iter().chain(starts);
        for (at, name) in all.filter_map(|(at, fate)| Some((at, only_checks_see(fate)?))) {
            c.advise(&at, name, text);
        }
    };
    look("/new", doc.new.fate.as_ref(), doc.new.by_start.as_ref());
    look("/old", doc.old.fate.as_ref(), doc.old.by_start.as_ref());
    for (i, act) in doc.acts.iter().flatten().enumerate() {
        look(&pointer_join("/acts", i), act.fate.as_ref(), act.by_start.as_ref());
    }
}

/// The name of a fate that nothing but a health check notices.
fn only_checks_see(fate: &Fate) -> Option<&'static str> {
    match fate {
        Fate::NeverPasses => Some("never_passes"),
        Fate::Hangs => Some("hangs"),
        Fate::TurnsUnhealthyAfter(_) => Some("turns_unhealthy_after"),
        Fate::AboveRunning(_) => Some("above_running"),
        Fate::InZone { fate, .. } | Fate::Ratio { fate, .. } => only_checks_see(fate),
        Fate::Healthy | Fate::NeverRunning { .. } | Fate::ExitsAfter(_) => None,
    }
}

/// Checks how many different pools the fates name: every task that runs stands in each of them.
pub fn pools(known: &[Revision], acts: &[Act], c: &mut Checker) {
    let planned = acts.iter().filter_map(|act| match &act.command {
        Command::Deploy { behaviour, .. } => behaviour.as_ref(),
        Command::SetFate { behaviour, .. } => Some(behaviour),
        _ => None,
    });
    let behaviours = known.iter().map(|revision| &revision.behaviour).chain(planned);
    let fates = behaviours.flat_map(|b| b.by_start.iter().map(|(_, fate)| fate).chain([&b.fate]));
    let mut limits = BTreeSet::new();
    limits.extend(fates.filter_map(pool));
    if limits.len() > POOLS_MAX {
        c.invalid("", limits.len(), &format!("at most {POOLS_MAX} different numbers in above_running"));
    }
}

/// The number of `above_running` in a fate.
fn pool(fate: &Fate) -> Option<u32> {
    match fate {
        Fate::AboveRunning(limit) => Some(*limit),
        Fate::InZone { fate, .. } | Fate::Ratio { fate, .. } => pool(fate),
        _ => None,
    }
}

/// Checks `places`.
pub fn places(doc: &Document, c: &mut Checker) -> Vec<PlacesStep> {
    let list = doc.places.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/places", list.len(), &format!("at most {LIST_MAX} steps"));
    }
    let mut steps = Vec::new();
    for (i, step) in list.iter().enumerate() {
        let at = pointer_join("/places", i);
        let moment = moment(&at, step.at, c);
        let at = pointer_join(&at, "places");
        match step.places {
            Some(places) => {
                let places = c.in_range(&at, places, 0, i64::from(u32::MAX), None) as u32;
                steps.push(PlacesStep { at: moment, places });
            }
            None => c.missing(&at, "the number of tasks that fit, 0 or more", None),
        }
    }
    order::by_key(&mut steps, |step| step.at);
    steps
}

pub(super) fn moment(at: &str, value: Option<Span>, c: &mut Checker) -> SimTime {
    let at = pointer_join(at, "at");
    match value {
        Some(Span(ms)) if ms <= UNTIL_MAX_MS => SimTime(ms),
        Some(Span(ms)) => {
            c.invalid(&at, duration::print(ms), "at most 16d, the longest run").nearest =
                Some(duration::print(UNTIL_MAX_MS).into());
            SimTime(UNTIL_MAX_MS)
        }
        None => {
            c.missing(&at, "when it happens, from the start of the run", None);
            SimTime::ZERO
        }
    }
}

/// Checks `readings`.
pub fn readings(doc: &Document, c: &mut Checker) -> Readings {
    let r = &doc.readings;
    let at = "/readings/no_check_healthy_after_s";
    let seconds = c.optional(at, r.no_check_healthy_after_s, 0, 86_400, None).unwrap_or(40);
    let default = Readings::default();
    Readings {
        no_check_healthy_after_ms: seconds as u64 * SECOND,
        stopping_counts: r.stopping_counts.unwrap_or(default.stopping_counts),
        start_first: r.start_first.unwrap_or(default.start_first),
        legacy_replacement: r.legacy_replacement.unwrap_or(default.legacy_replacement),
        unhealthy_batch: r.unhealthy_batch.unwrap_or(default.unhealthy_batch),
        unhealthy_one_by_one: r.unhealthy_one_by_one.unwrap_or(default.unhealthy_one_by_one),
        placement_failure_counts: r.placement_failure_counts.unwrap_or(nothing_waits(doc)),
        literal_stages: r.literal_stages.unwrap_or(default.literal_stages),
        hold_source_until_gate: r.hold_source_until_gate.unwrap_or(default.hold_source_until_gate),
        digest_drill: r.digest_drill.unwrap_or(default.digest_drill),
    }
}

/// No capacity provider keeps a task waiting for room: one that finds none has failed.
fn nothing_waits(doc: &Document) -> bool {
    doc.service.capacity_providers.as_ref().is_none_or(Vec::is_empty)
}

/// Every switch with its value.
pub fn readings_in_force(doc: &Document) -> Vec<ReadingInForce> {
    let r = &doc.readings;
    let switch = |name: &'static str, value: Option<bool>, default: bool, simulated: bool| ReadingInForce {
        name,
        value: value.unwrap_or(default).into(),
        given: value.is_some(),
        simulated,
    };
    let passes = match r.new_target_passes {
        Some(NewTargetPasses::Threshold) => Value::from("threshold"),
        _ => Value::from(1),
    };
    vec![
        switch("allow_100_100", r.allow_100_100, false, true),
        ReadingInForce {
            name: "new_target_passes",
            value: passes,
            given: r.new_target_passes.is_some(),
            simulated: true,
        },
        switch("placement_failure_counts", r.placement_failure_counts, nothing_waits(doc), true),
        ReadingInForce {
            name: "no_check_healthy_after_s",
            value: r.no_check_healthy_after_s.unwrap_or(40).into(),
            given: r.no_check_healthy_after_s.is_some(),
            simulated: true,
        },
        switch("stopping_counts", r.stopping_counts, true, true),
        switch("start_first", r.start_first, false, true),
        switch("legacy_replacement", r.legacy_replacement, false, true),
        switch("unhealthy_batch", r.unhealthy_batch, false, true),
        switch("literal_stages", r.literal_stages, false, true),
        switch("hold_source_until_gate", r.hold_source_until_gate, false, true),
        switch("digest_drill", r.digest_drill, false, true),
        switch("watchdog_aligned", r.watchdog_aligned, false, true),
        ReadingInForce {
            name: "alarm_delay_s",
            value: r.alarm_delay_s.unwrap_or((ALARM_DELAY_MS / SECOND) as i64).into(),
            given: r.alarm_delay_s.is_some(),
            simulated: true,
        },
        switch("unhealthy_one_by_one", r.unhealthy_one_by_one, false, true),
    ]
}

/// Checks `until`.
pub fn until(doc: &Document, c: &mut Checker) -> Option<u64> {
    let ms = doc.until?.0;
    if ms > UNTIL_MAX_MS {
        let near = duration::print(UNTIL_MAX_MS);
        c.invalid("/until", duration::print(ms), "at most 16d").nearest = Some(near.to_string().into());
    }
    Some(ms.min(UNTIL_MAX_MS))
}
