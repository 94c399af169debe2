//! What the documents of managed instance groups and scale sets share: models, acts, and the settings of the run.

use alloc::boxed::Box;
use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::platform::vm::{GroupAct, Kind, Params};
use rollscope_engine::platform::{PlatformSettings, ecs};
use rollscope_engine::settings::{
    Act, Behaviour, Capacity, Command, EVENT_BUDGET_NATIVE, Fate, Quotas, Revision, RolloutState, SCHEMA_CHECK_MS,
    Settings, Start, StartDeployment, TASKS_MAX, TargetGroup, TaskName,
};
use rollscope_engine::time::SimTime;

use super::checker::Checker;
use super::kubernetes::{no_pools, timing};
use super::run::{behaviour, moment, places, until};
use super::{LIST_MAX, Resolved, fjall, kubernetes_acts};
use crate::document::{self, Document, RevisionDoc};
use crate::json::pointer_join;
use crate::limits::Limits;
use crate::problem::{Kind as Sort, Problem};

/// What a platform brings to the settings.
pub(super) struct Group {
    /// Its configuration.
    pub params: Params,
    /// Its health check as one of a target group.
    pub check: Option<TargetGroup>,
    /// Least available and most machines.
    pub limits: (u32, u32),
}

/// The rest of the document, and everything together.
pub(super) fn settle(doc: &Document, group: Group, mut c: Checker) -> Result<Resolved, Vec<Problem>> {
    super::check_version(doc, &mut c);
    not_of_machines(doc, &mut c);
    let mut timing = timing(doc, 30, &mut c);
    timing.first_check = doc.timing.first_check.clone();
    let (mut known, new, start) = revisions(doc, group.params.size, &mut c);
    let acts = acts(doc, &group.params.kind, new, &mut c);
    let places = places(doc, &mut c);
    let seed = c.number("/seed", doc.seed, 0, i64::MAX, 1, None) as u64;
    let until = until(doc, &mut c);
    if group.check.is_none() {
        unseen(doc, &mut c);
    }
    if c.problems.iter().any(Problem::is_error) {
        return Err(c.into_problems());
    }
    kubernetes_acts::add_revisions(&mut known, &acts);
    let (desired, (floor, ceiling)) = (group.params.size, group.limits);
    let settings = Settings {
        strategy: ecs::Strategy::Rolling,
        containers: Vec::new(),
        target_groups: group.check.into_iter().collect(),
        stop_timeout_ms: 0,
        platform: PlatformSettings::Vm(Box::new(group.params)),
        timing,
        revisions: known,
        capacity: if places.is_empty() { Capacity::Unlimited } else { Capacity::Places(places) },
        rebalancing: false,
        fargate: false,
        exit_codes: Vec::new(),
        traffic: None,
        scaling: None,
        alarms: Vec::new(),
        schema: Vec::new(),
        schema_check_ms: SCHEMA_CHECK_MS,
        start,
        acts,
        quotas: Quotas::None,
        seed,
        until: until.map(SimTime),
        event_budget: EVENT_BUDGET_NATIVE,
    };
    Ok(Resolved {
        settings,
        limits: Limits { desired, floor, ceiling },
        warnings: c.problems,
        defaulted: c.defaulted,
        readings: Vec::new(),
        not_simulated: c.not_simulated,
        act_places: Vec::new(),
        watchdog: fjall::Watchdog::default(),
    })
}

/// Keys that say something on other platforms only.
fn not_of_machines(doc: &Document, c: &mut Checker) {
    let given = [
        ("/containers", doc.containers.is_some()),
        ("/targetGroups", doc.target_groups.is_some()),
        ("/hooks", doc.hooks.is_some()),
        ("/schema", doc.schema.is_some()),
        ("/traffic", doc.traffic.is_some()),
        ("/autoscaling", doc.autoscaling.is_some()),
        ("/capacity", doc.capacity.is_some()),
        ("/fjall", doc.fjall.is_some()),
        ("/quotas", doc.quotas.is_some()),
        ("/resourceQuota", doc.resource_quota.is_some()),
        ("/alarms", doc.alarms.is_some()),
    ];
    for (at, _) in given.into_iter().filter(|(_, given)| *given) {
        c.advise(at, "given", "unused: a group of virtual machines has no such thing here");
    }
    if let Some(start) = doc.start.as_ref().and_then(|start| start.deployments.as_ref()).filter(|list| !list.is_empty())
    {
        let allowed = "not simulated for a group of machines: a run begins steady";
        c.not_available("/start/deployments", &format!("{} deployments", start.len()), allowed);
    }
}

/// The models and what exists at time 0.
fn revisions(doc: &Document, size: u32, c: &mut Checker) -> (Vec<Revision>, u32, Start) {
    let mut number =
        |at: &str, given: Option<i64>, default: i64| c.number(at, given, 1, i64::from(u32::MAX), default, None) as u32;
    let old = number("/old/revision", doc.old.revision, 1);
    let new = number("/new/revision", doc.new.revision, i64::from(old) + 1);
    if old == new {
        c.invalid("/new/revision", new, "another number than the model that runs").nearest =
            Some((i64::from(old) + 1).into());
    }
    let mut side = |at: &str, side: &RevisionDoc, number: u32| {
        let behaviour = behaviour(at, side.fate.as_ref(), side.by_start.as_ref(), side.bad_responses, c);
        no_pools(at, &behaviour, c);
        Revision::new(number, behaviour)
    };
    let known = Vec::from([side("/old", &doc.old, old), side("/new", &doc.new, new)]);
    let steady = StartDeployment {
        revision: old,
        state: RolloutState::Completed,
        failed_tasks: 0,
        healthy: size,
        protected: 0,
        running: 0,
        pending: 0,
        unhealthy: 0,
        stopping: 0,
    };
    let deploy = doc.start.as_ref().and_then(|start| start.deploy).unwrap_or(true);
    (known, new, Start { deployments: Vec::from([steady]), deploy: deploy.then_some(new) })
}

const MIG_ACTS: [&str; 7] =
    ["start_update", "stop_proactive_update", "resize", "delete_instance", "kill", "fate", "fix"];
const VMSS_ACTS: [&str; 7] = ["start_upgrade", "cancel_upgrade", "capacity", "delete_instance", "kill", "fate", "fix"];

/// Checks `acts`, sorted by time; equal times keep the order of the list. `new` is the model that is rolled out.
fn acts(doc: &Document, kind: &Kind, new: u32, c: &mut Checker) -> Vec<Act> {
    let list = doc.acts.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/acts", list.len(), &format!("at most {LIST_MAX} acts"));
    }
    let mut order: Vec<(usize, SimTime)> =
        list.iter().enumerate().map(|(i, act)| (i, moment(&pointer_join("/acts", i), act.at, c))).collect();
    order::by_key(&mut order, |(_, at)| *at);
    let mut read = |(i, at): (usize, SimTime)| {
        Some(Act { at, command: command(&pointer_join("/acts", i), &list[i], kind, new, c)? })
    };
    order.into_iter().filter_map(&mut read).collect()
}

fn command(at: &str, act: &document::Act, kind: &Kind, new: u32, c: &mut Checker) -> Option<Command> {
    let here = |name: &str| pointer_join(at, name);
    let (known, [deploy, resize]) = match kind {
        Kind::Mig(_) => (&MIG_ACTS, ["start_update", "resize"]),
        Kind::Vmss(_) => (&VMSS_ACTS, ["start_upgrade", "capacity"]),
    };
    let Some(what) = act.what.as_deref() else {
        c.missing(&here("do"), &crate::problem::one_of(known), None);
        return None;
    };
    // What the same acts are called elsewhere.
    let what = match what {
        "deploy" => deploy,
        "desired" | "schedule" => resize,
        "stop_task" => "delete_instance",
        other => c.one_name(&here("do"), other, known, None)?,
    };
    unused_fields(at, what, act, c);
    match what {
        "stop_proactive_update" => Some(Command::Group(GroupAct::StopProactive)),
        "cancel_upgrade" => Some(Command::Group(GroupAct::Cancel)),
        "delete_instance" => machine(at, act, c).map(Command::StopTask),
        "kill" => machine(at, act, c).map(Command::Kill),
        "resize" | "capacity" => {
            let Some(count) = act.count else {
                c.missing(&here("count"), "the new size, 0 or more", None);
                return None;
            };
            let count = c.in_range(&here("count"), count, 0, i64::from(TASKS_MAX), None);
            Some(Command::SetDesired(count as u32))
        }
        _ => version(at, what, act, new, c),
    }
}

fn machine(at: &str, act: &document::Act, c: &mut Checker) -> Option<TaskName> {
    let at = pointer_join(at, "task");
    let Some(name) = act.task else {
        c.missing(&at, "a machine such as \"1.1\": the first one of model 1", None);
        return None;
    };
    if name.start == 0 {
        c.invalid(&at, "0", "machines are counted from 1, for instance \"1.1\"");
        return None;
    }
    Some(name)
}

fn version(at: &str, what: &str, act: &document::Act, new: u32, c: &mut Checker) -> Option<Command> {
    let at_revision = pointer_join(at, "revision");
    let given = c.optional(&at_revision, act.revision, 1, i64::from(u32::MAX), None).map(|n| n as u32);
    if what == "fix" {
        return Some(Command::SetFate { revision: given.unwrap_or(new), behaviour: Behaviour::default() });
    }
    let told = act.fate.is_some() || act.by_start.is_some();
    let behaviour = behaviour(at, act.fate.as_ref(), act.by_start.as_ref(), None, c);
    no_pools(at, &behaviour, c);
    if what != "fate" {
        return Some(Command::Deploy { revision: given.unwrap_or(new), behaviour: told.then_some(behaviour) });
    }
    if !told {
        c.missing(&pointer_join(at, "fate"), "a fate or by_start", None);
    }
    Some(Command::SetFate { revision: given.unwrap_or(new), behaviour })
}

fn unused_fields(at: &str, what: &str, act: &document::Act, c: &mut Checker) {
    let given = [
        ("task", act.task.is_some(), &["delete_instance", "kill"][..]),
        ("count", act.count.is_some(), &["resize", "capacity"]),
        ("revision", act.revision.is_some(), &["start_update", "start_upgrade", "fate", "fix"]),
        ("fate", act.fate.is_some(), &["start_update", "start_upgrade", "fate"]),
        ("by_start", act.by_start.is_some(), &["start_update", "start_upgrade", "fate"]),
        ("name", act.alarm.is_some(), &[]),
        ("state", act.state.is_some(), &[]),
    ];
    for (name, is_given, used_by) in given {
        if is_given && !used_by.contains(&what) {
            c.advise(&pointer_join(at, name), "given", &format!("unused by \"{what}\""));
        }
    }
}

/// Warns of a fate that nobody would notice.
fn unseen(doc: &Document, c: &mut Checker) {
    let text = "there is no health check: a machine that runs is all that is asked, and nobody notices";
    for (at, side) in [("/new/fate", &doc.new), ("/old/fate", &doc.old)] {
        let name = match side.fate {
            Some(Fate::NeverPasses) => "never_passes",
            Some(Fate::Hangs) => "hangs",
            Some(Fate::TurnsUnhealthyAfter(_)) => "turns_unhealthy_after",
            _ => continue,
        };
        c.push(Problem::warning(Sort::Advice, at, name, text));
    }
}
