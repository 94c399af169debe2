//! The rules of acts: what people and the world do during the run.

use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::platform::ecs::strategy::{HookAction, HookKind};
use rollscope_engine::settings::{Act, Alarm, Behaviour, Capacity, Cluster, Command, HOSTS_MAX, Revision, TASKS_MAX};
use rollscope_engine::time::{MINUTE, SimTime};

use super::checker::{Checker, INVALID_PARAMETER};
use super::run::{behaviour, moment};
use super::service::{self, CheckedService};
use super::{LIST_MAX, capacity, failure, fjall};
use crate::document::{self, Document};
use crate::json::pointer_join;

const ACTS: [&str; 21] = [
    "kill",
    "stop_task",
    "interrupt",
    "desired",
    "percent",
    "deploy",
    "fate",
    "fix",
    "stop_deployment",
    "alarm",
    "schema",
    "protect",
    "unprotect",
    "continue_deployment",
    "add_instance",
    "drain_instance",
    "lose_instance",
    "spot_interruption",
    "lose_zone",
    "schedule",
    "template",
];

/// What the rules of an act look at.
struct Scene<'a> {
    doc: &'a Document,
    alarms: &'a [Alarm],
    /// The revision that is rolled out.
    new: u32,
    /// Instances that there are or may come to be; absent where tasks run on none.
    instances: Option<u32>,
    /// The desired count follows the instances.
    daemon: bool,
    /// What the percentages are at the moment of the act.
    percent: (u32, u32),
    /// What they have to agree with.
    service: &'a CheckedService,
}

/// Checks `acts`, sorted by time, each with its place in the list; equal times keep the order of the list. `new` is the revision
/// that is rolled out.
pub fn acts(
    doc: &Document,
    service: &CheckedService,
    (capacity, alarms): (&Capacity, &[Alarm]),
    new: u32,
    c: &mut Checker,
) -> Vec<(u32, Act)> {
    let list = doc.acts.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/acts", list.len(), &format!("at most {LIST_MAX} acts"));
    }
    let mut order: Vec<(usize, SimTime)> =
        list.iter().enumerate().map(|(i, act)| (i, moment(&pointer_join("/acts", i), act.at, c))).collect();
    order::by_key(&mut order, |(_, at)| *at);
    let start = doc.start.as_ref();
    let begins = start.is_none_or(|s| s.deploy.unwrap_or(s.deployments.as_ref().is_none_or(Vec::is_empty)));
    let instances = match capacity {
        Capacity::Ec2(cluster) => Some(instances(cluster, list)),
        _ => None,
    };
    let percent = (service.minimum, service.maximum);
    let mut scene = Scene { doc, alarms, new, instances, daemon: service.daemon, percent, service };
    let mut acts = Vec::new();
    for (i, at) in order {
        let here = pointer_join("/acts", i);
        let minimum = scene.percent.0;
        let Some(command) = command(&here, &list[i], &mut scene, c) else { continue };
        if at == SimTime::ZERO && minimum < 100 && begins && matches!(command, Command::Protect { .. }) {
            let text =
                "the deployment begins first and may stop the task already; let it begin with an act \"deploy\" later";
            c.advise(&here, "at 0s", text);
        }
        acts.push((i as u32, Act { at, command }));
    }
    acts
}

/// The greatest number that an instance may have: those of the document and those that acts add, or as many
/// as a capacity provider may bring.
fn instances(cluster: &Cluster, acts: &[document::Act]) -> u32 {
    if cluster.provider.is_some() {
        return HOSTS_MAX;
    }
    let adds = acts.iter().filter(|act| act.what.as_deref() == Some("add_instance"));
    let added: u32 = adds.map(|act| act.count.map_or(1, |n| u32::try_from(n).unwrap_or(0))).sum();
    (cluster.hosts.len() as u32).saturating_add(added).min(HOSTS_MAX)
}

/// One act.
fn command(at: &str, act: &document::Act, scene: &mut Scene<'_>, c: &mut Checker) -> Option<Command> {
    let Some(what) = act.what.as_deref() else {
        c.missing(&pointer_join(at, "do"), &crate::problem::one_of(&ACTS), None);
        return None;
    };
    let what = c.one_name(&pointer_join(at, "do"), what, &ACTS, None)?;
    unused_fields(at, what, act, c);
    match what {
        "kill" => task(at, act, c).map(Command::Kill),
        "stop_task" => task(at, act, c).map(Command::StopTask),
        "interrupt" => task(at, act, c).map(Command::Interrupt),
        "protect" => protect(at, act, c),
        "unprotect" => task(at, act, c).map(Command::Unprotect),
        "stop_deployment" => Some(Command::StopDeployment),
        "continue_deployment" => continue_deployment(at, act, scene, c),
        "alarm" => {
            let index = failure::index_of(&pointer_join(at, "name"), act.alarm.as_deref(), scene.alarms, c);
            let at = pointer_join(at, "state");
            let Some(given) = act.state.as_deref() else {
                c.missing(&at, "OK, ALARM or INSUFFICIENT_DATA", None);
                return None;
            };
            let state = failure::state(&at, given, c);
            index.zip(state).map(|(alarm, state)| Command::SetAlarm { alarm, state })
        }
        "schema" => match act.version {
            Some(version) => Some(Command::SetSchema(version.0)),
            None => {
                c.missing(&pointer_join(at, "version"), "the number of the newest migration, 0 or more", None);
                None
            }
        },
        "desired" => desired(at, act, scene, c).map(Command::SetDesired),
        "schedule" => desired(at, act, scene, c).map(Command::Schedule),
        "template" => {
            let revision = revision(&pointer_join(at, "revision"), act.revision, scene.new, c);
            // A template that leaves the count out deploys and keeps what is stored.
            if act.count.is_none() {
                return Some(Command::Deploy { revision, behaviour: None });
            }
            desired(at, act, scene, c).map(|desired| Command::Template { revision, desired })
        }
        "add_instance" | "drain_instance" | "lose_instance" | "spot_interruption" | "lose_zone" => {
            capacity::act(at, what, act, scene.instances, c)
        }
        "percent" => percentages(at, act, scene, c),
        _ => revision_act(at, what, act, scene.new, c),
    }
}

/// The desired count that an act sets.
fn desired(at: &str, act: &document::Act, scene: &Scene<'_>, c: &mut Checker) -> Option<u32> {
    let at = pointer_join(at, "count");
    let Some(count) = act.count else {
        c.missing(&at, "the new number of tasks, 0 or more", None);
        return None;
    };
    if scene.daemon {
        let allowed = "no desired count: that of a DAEMON service is the number of its instances";
        c.refuse(&at, count, allowed, INVALID_PARAMETER);
        return None;
    }
    let desired = c.in_range(&at, count, 0, i64::from(TASKS_MAX), Some(INVALID_PARAMETER));
    service::advise_quota(&at, desired, &scene.doc.service, c);
    Some(desired as u32)
}

/// The revision of an act, or the one that is rolled out.
fn revision(at: &str, given: Option<i64>, new: u32, c: &mut Checker) -> u32 {
    c.optional(at, given, 1, i64::from(u32::MAX), None).map_or(new, |n| n as u32)
}

/// `deploy`, `fate` and `fix`.
fn revision_act(at: &str, what: &str, act: &document::Act, new: u32, c: &mut Checker) -> Option<Command> {
    let at_revision = pointer_join(at, "revision");
    let given = c.optional(&at_revision, act.revision, 1, i64::from(u32::MAX), None).map(|n| n as u32);
    if what == "fix" {
        return Some(Command::SetFate { revision: given.unwrap_or(new), behaviour: Behaviour::default() });
    }
    let Some(revision) = given else {
        c.missing(&at_revision, "the number of the revision, 1 or more", None);
        return None;
    };
    let given = act.fate.is_some() || act.by_start.is_some() || act.bad_responses.is_some();
    let behaviour = behaviour(at, act.fate.as_ref(), act.by_start.as_ref(), act.bad_responses, c);
    if what == "deploy" {
        return Some(Command::Deploy { revision, behaviour: given.then_some(behaviour) });
    }
    if !given {
        c.missing(&pointer_join(at, "fate"), "a fate, by_start or bad_responses", None);
    }
    Some(Command::SetFate { revision, behaviour })
}

/// The answer to a PAUSE hook.
fn continue_deployment(at: &str, act: &document::Act, scene: &Scene<'_>, c: &mut Checker) -> Option<Command> {
    let hooks = scene.service.strategy.shift().map_or(&[][..], |shift| &shift.hooks);
    if !hooks.iter().any(|hook| hook.kind == HookKind::Pause) {
        // Advice: the service answers it at that moment, and the act stays when another strategy is tried.
        let text =
            "finds nothing to answer: no hook of lifecycleHooks has the targetType PAUSE, or the strategy is ROLLING";
        c.advise(&pointer_join(at, "do"), "\"continue_deployment\"", text);
    }
    let at_action = pointer_join(at, "action");
    let known = ["CONTINUE", "ROLLBACK"];
    let action = c.name(&at_action, act.action.as_deref(), &known, "CONTINUE", Some(INVALID_PARAMETER));
    let action = if action == "ROLLBACK" { HookAction::Rollback } else { HookAction::Continue };
    let hook = c.optional(&pointer_join(at, "hookId"), act.hook, 1, i64::from(u32::MAX), None).map(|id| id as u32);
    Some(Command::ContinueDeployment { hook, action })
}

/// Scale-in protection of a task.
fn protect(at: &str, act: &document::Act, c: &mut Checker) -> Option<Command> {
    let task = task(at, act, c);
    let at_minutes = pointer_join(at, "expiresInMinutes");
    if act.renewed == Some(true) {
        if act.expires_minutes.is_some() {
            c.advise(&at_minutes, "given", "unused: renewed for ever");
        }
        return task.map(|task| Command::Protect { task, for_ms: None });
    }
    let minutes = c.number(&at_minutes, act.expires_minutes, 1, 2_880, 120, Some(INVALID_PARAMETER));
    task.map(|task| Command::Protect { task, for_ms: Some(minutes as u64 * MINUTE) })
}

fn task(at: &str, act: &document::Act, c: &mut Checker) -> Option<rollscope_engine::settings::TaskName> {
    let at = pointer_join(at, "task");
    match act.task {
        Some(task) if task.start > 0 => Some(task),
        Some(task) => {
            c.invalid(
                &at,
                format!("{}.{}", task.revision, task.start),
                "starts are counted from 1, for instance \"7.1\"",
            );
            None
        }
        None => {
            c.missing(&at, "a task such as \"7.1\"", None);
            None
        }
    }
}

fn percentages(at: &str, act: &document::Act, scene: &mut Scene<'_>, c: &mut Checker) -> Option<Command> {
    if act.minimum.is_none() && act.maximum.is_none() {
        c.missing(&pointer_join(at, "maximumPercent"), "minimumHealthyPercent, maximumPercent or both", None);
        return None;
    }
    let minimum =
        act.minimum.map(|v| service::minimum_percent(c, &pointer_join(at, "minimumHealthyPercent"), Some(v), 0));
    let maximum = act.maximum.map(|v| service::maximum_percent(c, &pointer_join(at, "maximumPercent"), Some(v), 100));
    // An update is merged with what is stored, so the pair in force counts.
    let now = &mut scene.percent;
    *now = (minimum.unwrap_or(now.0), maximum.unwrap_or(now.1));
    let now = *now;
    agree(at, act, now, scene, c);
    let allow_full = scene.doc.readings.allow_100_100 == Some(true);
    if service::both_100(now.0, now.1, allow_full) {
        let (field, near) = match act.maximum {
            Some(_) => ("maximumPercent", service::room_for_one(scene.service.desired)),
            None => ("minimumHealthyPercent", 99),
        };
        let allowed = "a higher maximum or a lower minimum: together they leave no room to start or stop a task";
        c.refuse(&pointer_join(at, field), "100 and 100", allowed, service::BOTH_100).nearest = Some(near.into());
    }
    Some(Command::SetPercentages { minimum, maximum })
}

/// What the document checks of the percentages holds for those of an act.
fn agree(at: &str, act: &document::Act, (minimum, maximum): (u32, u32), scene: &Scene<'_>, c: &mut Checker) {
    let at_maximum = pointer_join(at, "maximumPercent");
    if act.maximum.is_some() && scene.daemon && maximum > 100 {
        c.refuse(&at_maximum, maximum, "100: a DAEMON service cannot go above it", service::DAEMON_ABOVE_100).nearest =
            Some(100.into());
    }
    if act.maximum.is_some() && scene.service.rebalancing && maximum <= 100 {
        let allowed = "above 100 while availabilityZoneRebalancing is ENABLED";
        c.refuse(&at_maximum, maximum, allowed, INVALID_PARAMETER).nearest = Some(101.into());
    }
    let early = scene.service.protection.early.map(|early| early.healthy_percent);
    if let Some(percent) = early.filter(|percent| act.minimum.is_some() && *percent < minimum) {
        let allowed = format!("at most healthyPercent of earlySuccessCriteria, {percent}");
        c.refuse(&pointer_join(at, "minimumHealthyPercent"), minimum, &allowed, INVALID_PARAMETER).nearest =
            Some(percent.into());
    }
}

fn unused_fields(at: &str, what: &str, act: &document::Act, c: &mut Checker) {
    let given = [
        ("task", act.task.is_some(), &["kill", "stop_task", "interrupt", "protect", "unprotect"][..]),
        ("count", act.count.is_some(), &["desired", "schedule", "template", "add_instance"]),
        ("instance", act.instance.is_some(), &["add_instance", "drain_instance", "lose_instance", "spot_interruption"]),
        ("zone", act.zone.is_some(), &["lose_zone"]),
        ("minimumHealthyPercent", act.minimum.is_some(), &["percent"]),
        ("maximumPercent", act.maximum.is_some(), &["percent"]),
        ("revision", act.revision.is_some(), &["deploy", "fate", "fix", "template"]),
        ("fate", act.fate.is_some(), &["deploy", "fate"]),
        ("by_start", act.by_start.is_some(), &["deploy", "fate"]),
        ("bad_responses", act.bad_responses.is_some(), &["deploy", "fate"]),
        ("expects", act.expects.is_some(), &["deploy"]),
        ("digest_fails", act.digest_fails.is_some(), &["deploy"]),
        ("expiresInMinutes", act.expires_minutes.is_some(), &["protect"]),
        ("renewed", act.renewed.is_some(), &["protect"]),
        ("name", act.alarm.is_some(), &["alarm"]),
        ("state", act.state.is_some(), &["alarm"]),
        ("version", act.version.is_some(), &["schema"]),
        ("action", act.action.is_some(), &["continue_deployment"]),
        ("hookId", act.hook.is_some(), &["continue_deployment"]),
    ];
    for (name, is_given, used_by) in given {
        if is_given && !used_by.contains(&what) {
            c.advise(&pointer_join(at, name), "given", &format!("unused by \"{what}\""));
        }
    }
}

/// Revisions that only acts deploy get their place in the list as well: the index gives the lane of colour.
pub fn add_deployed_revisions(doc: &Document, known: &mut Vec<Revision>, acts: &[Act]) {
    for act in acts {
        let (Command::Deploy { revision, .. } | Command::SetFate { revision, .. } | Command::Template { revision, .. }) =
            &act.command
        else {
            continue;
        };
        if known.iter().all(|r| r.number != *revision) {
            known.push(Revision::new(*revision, Behaviour::default()));
        }
    }
    let told = fjall::gate(doc) && failure::schema_known(doc);
    for act in doc.acts.iter().flatten().filter(|act| act.what.as_deref() == Some("deploy")) {
        let number = act.revision.and_then(|n| u32::try_from(n).ok());
        let Some(revision) = known.iter_mut().find(|r| Some(r.number) == number) else { continue };
        revision.expects_schema = act.expects.filter(|_| told).map(|version| version.0).or(revision.expects_schema);
        revision.digest_fails = act.digest_fails.unwrap_or(revision.digest_fails);
    }
}
