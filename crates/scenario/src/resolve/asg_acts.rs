//! Acts on an Auto Scaling group.

use alloc::format;
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::platform::asg::RefreshAct;
use rollscope_engine::settings::{Act, Alarm, Behaviour, Command, TASKS_MAX, TaskName};
use rollscope_engine::time::SimTime;

use super::LIST_MAX;
use super::asg::answer;
use super::checker::Checker;
use super::failure;
use super::kubernetes::no_pools;
use super::run::{behaviour, moment};
use crate::document::{self, Document};
use crate::json::pointer_join;

const ACTS: [&str; 13] = [
    "start_instance_refresh",
    "cancel_instance_refresh",
    "rollback_instance_refresh",
    "desired",
    "terminate",
    "kill",
    "protect",
    "unprotect",
    "enter_standby",
    "exit_standby",
    "alarm",
    "fate",
    "fix",
];

/// Checks `acts`, sorted by time; equal times keep the order of the list. `new` is the version that is rolled
/// out.
pub fn acts(doc: &Document, new: u32, alarms: &[Alarm], c: &mut Checker) -> Vec<Act> {
    let list = doc.acts.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/acts", list.len(), &format!("at most {LIST_MAX} acts"));
    }
    let mut order: Vec<(usize, SimTime)> =
        list.iter().enumerate().map(|(i, act)| (i, moment(&pointer_join("/acts", i), act.at, c))).collect();
    order::by_key(&mut order, |(_, at)| *at);
    let mut read = |(i, at): (usize, SimTime)| {
        Some(Act { at, command: command(&pointer_join("/acts", i), &list[i], new, alarms, c)? })
    };
    order.into_iter().filter_map(&mut read).collect()
}

fn command(at: &str, act: &document::Act, new: u32, alarms: &[Alarm], c: &mut Checker) -> Option<Command> {
    let here = |name: &str| pointer_join(at, name);
    let Some(what) = act.what.as_deref() else {
        c.missing(&here("do"), &crate::problem::one_of(&ACTS), None);
        return None;
    };
    // What the same acts are called elsewhere.
    let what = match what {
        "deploy" => "start_instance_refresh",
        "stop_task" => "terminate",
        "schedule" => "desired",
        other => c.one_name(&here("do"), other, &ACTS, None)?,
    };
    unused_fields(at, what, act, c);
    match what {
        "cancel_instance_refresh" => Some(Command::Refresh(RefreshAct::Cancel)),
        "rollback_instance_refresh" => Some(Command::Refresh(RefreshAct::RollBack)),
        "enter_standby" => instance(at, act, c).map(|name| Command::Refresh(RefreshAct::EnterStandby(name))),
        "exit_standby" => instance(at, act, c).map(|name| Command::Refresh(RefreshAct::ExitStandby(name))),
        "terminate" => instance(at, act, c).map(Command::StopTask),
        "kill" => instance(at, act, c).map(Command::Kill),
        "protect" => instance(at, act, c).map(|task| Command::Protect { task, for_ms: None }),
        "unprotect" => instance(at, act, c).map(Command::Unprotect),
        "desired" => {
            let Some(count) = act.count else {
                c.missing(&here("count"), "the new desired capacity, 0 or more", None);
                return None;
            };
            let words = answer("Value at 'desiredCapacity' failed to satisfy constraint: 0 or more");
            let count = c.in_range(&here("count"), count, 0, i64::from(TASKS_MAX), Some(&words));
            Some(Command::SetDesired(count as u32))
        }
        "alarm" => alarm(at, act, alarms, c),
        _ => version(at, what, act, new, c),
    }
}

fn alarm(at: &str, act: &document::Act, alarms: &[Alarm], c: &mut Checker) -> Option<Command> {
    let at_name = pointer_join(at, "name");
    let index = match &act.alarm {
        Some(name) => alarms.iter().position(|alarm| alarm.name == *name),
        None => (!alarms.is_empty()).then_some(0),
    };
    let state = failure::state(&pointer_join(at, "state"), act.state.as_deref().unwrap_or("ALARM"), c)?;
    let Some(index) = index else {
        let given = act.alarm.as_deref().unwrap_or("absent");
        c.invalid(&at_name, given, "a name of Preferences.AlarmSpecification.Alarms");
        return None;
    };
    Some(Command::SetAlarm { alarm: index as u32, state })
}

fn instance(at: &str, act: &document::Act, c: &mut Checker) -> Option<TaskName> {
    let at = pointer_join(at, "task");
    let Some(name) = act.task else {
        c.missing(&at, "an instance such as \"1.1\": the first one of version 1", None);
        return None;
    };
    if name.start == 0 {
        c.invalid(&at, "0", "instances are counted from 1, for instance \"1.1\"");
        return None;
    }
    Some(name)
}

/// `start_instance_refresh`, `fate` and `fix`.
fn version(at: &str, what: &str, act: &document::Act, new: u32, c: &mut Checker) -> Option<Command> {
    let at_revision = pointer_join(at, "revision");
    let given = c.optional(&at_revision, act.revision, 1, i64::from(u32::MAX), None).map(|n| n as u32);
    if what == "fix" {
        return Some(Command::SetFate { revision: given.unwrap_or(new), behaviour: Behaviour::default() });
    }
    let told = act.fate.is_some() || act.by_start.is_some();
    let behaviour = behaviour(at, act.fate.as_ref(), act.by_start.as_ref(), None, c);
    no_pools(at, &behaviour, c);
    if what == "start_instance_refresh" {
        return Some(Command::Deploy { revision: given.unwrap_or(new), behaviour: told.then_some(behaviour) });
    }
    if !told {
        c.missing(&pointer_join(at, "fate"), "a fate or by_start", None);
    }
    Some(Command::SetFate { revision: given.unwrap_or(new), behaviour })
}

fn unused_fields(at: &str, what: &str, act: &document::Act, c: &mut Checker) {
    let on_instance = &["terminate", "kill", "protect", "unprotect", "enter_standby", "exit_standby"][..];
    let given = [
        ("task", act.task.is_some(), on_instance),
        ("count", act.count.is_some(), &["desired"]),
        ("revision", act.revision.is_some(), &["start_instance_refresh", "fate", "fix"]),
        ("fate", act.fate.is_some(), &["start_instance_refresh", "fate"]),
        ("by_start", act.by_start.is_some(), &["start_instance_refresh", "fate"]),
        ("name", act.alarm.is_some(), &["alarm"]),
        ("state", act.state.is_some(), &["alarm"]),
    ];
    for (name, is_given, used_by) in given {
        if is_given && !used_by.contains(&what) {
            c.advise(&pointer_join(at, name), "given", &format!("unused by \"{what}\""));
        }
    }
}
