//! Acts on a Kubernetes workload.

use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::platform::kubernetes::RolloutAct;
use rollscope_engine::settings::{Act, Behaviour, Command, Revision, TASKS_MAX};
use rollscope_engine::time::SimTime;

use super::LIST_MAX;
use super::checker::Checker;
use super::kubernetes::{answer, fence, no_pools};
use super::run::{behaviour, moment};
use crate::document::{self, Document};
use crate::duration;
use crate::json::pointer_join;

const ACTS: [&str; 12] =
    ["scale", "deploy", "fate", "fix", "pause", "resume", "undo", "strategy", "delete_pod", "kill", "unready", "quota"];

/// Checks `acts`, sorted by time; equal times keep the order of the list. `new` is the template that is
/// rolled out.
pub fn acts(doc: &Document, new: u32, c: &mut Checker) -> Vec<Act> {
    let list = doc.acts.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/acts", list.len(), &format!("at most {LIST_MAX} acts"));
    }
    let mut order: Vec<(usize, SimTime)> =
        list.iter().enumerate().map(|(i, act)| (i, moment(&pointer_join("/acts", i), act.at, c))).collect();
    order::by_key(&mut order, |(_, at)| *at);
    let read =
        |(i, at): (usize, SimTime)| Some(Act { at, command: command(&pointer_join("/acts", i), &list[i], new, c)? });
    order.into_iter().filter_map(read).collect()
}

fn command(at: &str, act: &document::Act, new: u32, c: &mut Checker) -> Option<Command> {
    let here = |name: &str| pointer_join(at, name);
    let Some(what) = act.what.as_deref() else {
        c.missing(&here("do"), &crate::problem::one_of(&ACTS), None);
        return None;
    };
    // `desired` and `stop_task` are what the same acts are called elsewhere.
    let what = match what {
        "desired" => "scale",
        "stop_task" => "delete_pod",
        other => c.one_name(&here("do"), other, &ACTS, None)?,
    };
    unused_fields(at, what, act, c);
    match what {
        "scale" => scale(at, act, c),
        "delete_pod" => task(at, act, c).map(Command::StopTask),
        "kill" => task(at, act, c).map(Command::Kill),
        "pause" => Some(Command::Rollout(RolloutAct::Pause)),
        "resume" => Some(Command::Rollout(RolloutAct::Resume)),
        "undo" => {
            let to = c.optional(&here("toRevision"), act.to_revision, 0, i64::from(u32::MAX), None);
            Some(Command::Rollout(RolloutAct::Undo { to: to.filter(|to| *to > 0).map(|to| to as u32) }))
        }
        "quota" => match act.pods {
            Some(pods) => {
                let pods = c.in_range(&here("pods"), pods, 0, i64::from(u32::MAX), None) as u32;
                Some(Command::Rollout(RolloutAct::SetQuota { pods }))
            }
            None => {
                c.missing(&here("pods"), "the number of Pods, 0 or more", None);
                None
            }
        },
        "strategy" => strategy(at, act, c),
        "unready" => unready(at, act, c),
        _ => template(at, what, act, new, c),
    }
}

fn scale(at: &str, act: &document::Act, c: &mut Checker) -> Option<Command> {
    let at_replicas = pointer_join(at, "replicas");
    let Some(replicas) = act.replicas.or(act.count) else {
        c.missing(&at_replicas, "the new number of Pods, 0 or more", None);
        return None;
    };
    let words = answer("/service/replicas", replicas, "must be greater than or equal to 0");
    let words = Some(words.as_str()).filter(|_| replicas < 0);
    Some(Command::SetDesired(c.in_range(&at_replicas, replicas, 0, i64::from(TASKS_MAX), words) as u32))
}

fn strategy(at: &str, act: &document::Act, c: &mut Checker) -> Option<Command> {
    let here = |name: &str| pointer_join(at, name);
    if let Some(partition) = act.partition {
        let words =
            answer("/service/updateStrategy/rollingUpdate/partition", partition, "must be greater than or equal to 0");
        let words = Some(words.as_str()).filter(|_| partition < 0);
        let partition = c.in_range(&here("partition"), partition, 0, i64::from(i32::MAX), words) as u32;
        return Some(Command::Rollout(RolloutAct::SetPartition { partition }));
    }
    let (surge, unavailable) = (act.max_surge.as_ref(), act.max_unavailable.as_ref());
    if surge.is_none() && unavailable.is_none() {
        c.missing(&here("maxSurge"), "maxSurge, maxUnavailable or both", None);
        return None;
    }
    let max_surge = surge.and_then(|value| fence(&here("maxSurge"), Some(value), 100_000, c));
    let max_unavailable = unavailable.and_then(|value| fence(&here("maxUnavailable"), Some(value), 100, c));
    if let (Some(up), Some(down)) = (max_surge, max_unavailable)
        && up.is_zero()
        && down.is_zero()
    {
        let field = "/service/strategy/rollingUpdate/maxUnavailable";
        let words = answer(field, 0, "may not be 0 when `maxSurge` is 0");
        c.refuse(&here("maxUnavailable"), 0, "more than 0, or maxSurge more than 0", &words);
    }
    Some(Command::Rollout(RolloutAct::SetStrategy { max_surge, max_unavailable }))
}

fn unready(at: &str, act: &document::Act, c: &mut Checker) -> Option<Command> {
    let at_for = pointer_join(at, "for");
    let Some(span) = act.lasts else {
        c.missing(&at_for, "how long the readiness checks fail, such as \"30s\"", None);
        return None;
    };
    if span.0 > duration::MAX_MS {
        c.invalid(&at_for, "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
    }
    let pod = match act.task {
        Some(_) => Some(task_name(at, act, c)?),
        None => None,
    };
    Some(Command::Rollout(RolloutAct::Unready { pod, for_ms: span.0 }))
}

fn task(at: &str, act: &document::Act, c: &mut Checker) -> Option<rollscope_engine::settings::TaskName> {
    if act.task.is_none() {
        c.missing(&pointer_join(at, "task"), "a Pod such as \"1.1\": the first one of template 1", None);
        return None;
    }
    task_name(at, act, c)
}

fn task_name(at: &str, act: &document::Act, c: &mut Checker) -> Option<rollscope_engine::settings::TaskName> {
    let name = act.task.filter(|task| task.start > 0);
    if name.is_none() {
        c.invalid(&pointer_join(at, "task"), "0", "Pods are counted from 1, for instance \"1.1\"");
    }
    name
}

/// `deploy`, `fate` and `fix`.
fn template(at: &str, what: &str, act: &document::Act, new: u32, c: &mut Checker) -> Option<Command> {
    let at_revision = pointer_join(at, "revision");
    let given = c.optional(&at_revision, act.revision, 1, i64::from(u32::MAX), None).map(|n| n as u32);
    if what == "fix" {
        return Some(Command::SetFate { revision: given.unwrap_or(new), behaviour: Behaviour::default() });
    }
    let Some(revision) = given else {
        c.missing(&at_revision, "the number of the template, 1 or more", None);
        return None;
    };
    let told = act.fate.is_some() || act.by_start.is_some();
    let behaviour = behaviour(at, act.fate.as_ref(), act.by_start.as_ref(), None, c);
    no_pools(at, &behaviour, c);
    if what == "deploy" {
        return Some(Command::Deploy { revision, behaviour: told.then_some(behaviour) });
    }
    if !told {
        c.missing(&pointer_join(at, "fate"), "a fate or by_start", None);
    }
    Some(Command::SetFate { revision, behaviour })
}

fn unused_fields(at: &str, what: &str, act: &document::Act, c: &mut Checker) {
    let given = [
        ("task", act.task.is_some(), &["delete_pod", "kill", "unready"][..]),
        ("count", act.count.is_some(), &["scale"]),
        ("replicas", act.replicas.is_some(), &["scale"]),
        ("revision", act.revision.is_some(), &["deploy", "fate", "fix"]),
        ("fate", act.fate.is_some(), &["deploy", "fate"]),
        ("by_start", act.by_start.is_some(), &["deploy", "fate"]),
        ("toRevision", act.to_revision.is_some(), &["undo"]),
        ("maxSurge", act.max_surge.is_some(), &["strategy"]),
        ("maxUnavailable", act.max_unavailable.is_some(), &["strategy"]),
        ("partition", act.partition.is_some(), &["strategy"]),
        ("pods", act.pods.is_some(), &["quota"]),
        ("for", act.lasts.is_some(), &["unready"]),
    ];
    for (name, is_given, used_by) in given {
        if is_given && !used_by.contains(&what) {
            c.advise(&pointer_join(at, name), "given", &format!("unused by \"{what}\""));
        }
    }
}

/// Templates that only acts roll out get their place in the list as well: the index gives the lane of colour.
pub fn add_revisions(known: &mut Vec<Revision>, acts: &[Act]) {
    for act in acts {
        let (Command::Deploy { revision, .. } | Command::SetFate { revision, .. }) = &act.command else { continue };
        if known.iter().all(|r| r.number != *revision) {
            known.push(Revision::new(*revision, Behaviour::default()));
        }
    }
}
