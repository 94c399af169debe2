//! The rules of alarms over time and of the schema of the database.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::order;
use rollscope_engine::settings::{Alarm, AlarmState, BadResponses};
use rollscope_engine::time::SimTime;

use super::checker::Checker;
use super::run::{moment, ratio};
use super::{LIST_MAX, fjall};
use crate::document::{AlarmDoc, Document};
use crate::duration;
use crate::json::pointer_join;

/// Most alarms one service watches.
pub const ALARMS_MAX: usize = 100;
const STATES: [&str; 3] = ["OK", "ALARM", "INSUFFICIENT_DATA"];

/// The alarms the service watches, in the order of `alarmNames`, each with how it fares.
pub fn alarms(doc: &Document, c: &mut Checker) -> Vec<Alarm> {
    let entries = doc.alarms.as_deref().unwrap_or(&[]);
    let watch = doc.service.deployment.alarms.as_ref().filter(|a| a.enable == Some(true));
    let names: &[String] = watch.and_then(|a| a.names.as_deref()).unwrap_or(&[]);
    if names.len() > ALARMS_MAX {
        let at = "/service/deploymentConfiguration/alarms/alarmNames";
        c.invalid(at, names.len(), &format!("at most {ALARMS_MAX} alarms"));
    }
    let read: Vec<Option<Alarm>> =
        entries.iter().enumerate().map(|(i, entry)| alarm(&pointer_join("/alarms", i), entry, names, c)).collect();
    let of = |name: &String| {
        let entry = read.iter().flatten().rfind(|alarm| alarm.name == *name).cloned();
        entry.unwrap_or(Alarm { name: name.clone(), at_start: AlarmState::Ok, changes: Vec::new(), derived: None })
    };
    names.iter().map(of).collect()
}

pub(super) fn alarm(at: &str, entry: &AlarmDoc, names: &[String], c: &mut Checker) -> Option<Alarm> {
    let at_name = pointer_join(at, "name");
    let Some(name) = &entry.name else {
        c.missing(&at_name, "the name of an alarm of the service", None);
        return None;
    };
    if !names.contains(name) {
        let allowed = "unused: not in service.deploymentConfiguration.alarms.alarmNames, or these are not enabled";
        c.advise(&at_name, format!("\"{name}\""), allowed);
    }
    let at_start = state(&pointer_join(at, "at_start"), entry.at_start.as_deref().unwrap_or("OK"), c);
    let list = entry.changes.as_deref().unwrap_or(&[]);
    let at_changes = pointer_join(at, "changes");
    if list.len() > LIST_MAX {
        c.invalid(&at_changes, list.len(), &format!("at most {LIST_MAX} changes"));
    }
    let mut changes: Vec<(SimTime, AlarmState)> = Vec::new();
    for (i, change) in list.iter().enumerate() {
        let here = pointer_join(&at_changes, i);
        let when = moment(&here, change.at, c);
        let here = pointer_join(&here, "state");
        match change.state.as_deref() {
            Some(given) => changes.extend(state(&here, given, c).map(|state| (when, state))),
            None => c.missing(&here, &crate::problem::one_of(&STATES), None),
        }
    }
    order::by_key(&mut changes, |(when, _)| *when);
    if let Some(over) = entry.bad_responses_over {
        ratio(&pointer_join(at, "bad_responses_over"), over, c);
    }
    let for_ms = entry.lasting.map_or(0, |span| span.0);
    if for_ms > duration::MAX_MS {
        c.invalid(&pointer_join(at, "for"), "too long", &format!("at most {}", duration::print(duration::MAX_MS)));
    }
    if entry.lasting.is_some() && entry.bad_responses_over.is_none() {
        c.advise(&pointer_join(at, "for"), "given", "unused without bad_responses_over");
    }
    let derived = entry.bad_responses_over.map(|over| BadResponses { over: (over.hits, over.of), for_ms });
    Some(Alarm { name: name.clone(), at_start: at_start?, changes, derived })
}

/// A state of an alarm.
pub fn state(at: &str, given: &str, c: &mut Checker) -> Option<AlarmState> {
    c.one_name(at, given, &STATES, None).map(|name| match name {
        "ALARM" => AlarmState::Alarm,
        "INSUFFICIENT_DATA" => AlarmState::InsufficientData,
        _ => AlarmState::Ok,
    })
}

/// The schema over time, ascending.
pub fn schema(doc: &Document, c: &mut Checker) -> Vec<(SimTime, u32)> {
    let list = doc.schema.as_deref().unwrap_or(&[]);
    if list.len() > LIST_MAX {
        c.invalid("/schema", list.len(), &format!("at most {LIST_MAX} steps"));
    }
    let mut steps = Vec::new();
    for (i, step) in list.iter().enumerate() {
        let at = pointer_join("/schema", i);
        let when = moment(&at, step.at, c);
        match step.version {
            Some(version) => steps.push((when, version.0)),
            None => c.missing(&pointer_join(&at, "version"), "the number of the newest migration, 0 or more", None),
        }
    }
    order::by_key(&mut steps, |(when, _)| *when);
    let expects = [("/new/expects", doc.new.expects), ("/old/expects", doc.old.expects)];
    let given = expects.iter().find_map(|(at, version)| version.map(|version| (*at, version.0)));
    if let Some((at, version)) = given {
        if !fjall::gate(doc) {
            c.advise(at, version, "unused: fjall.schemaGate is false, the tasks are told nothing");
        } else if !schema_known(doc) {
            c.advise(at, version, "unused: without schema nothing says what the database has");
        }
    }
    steps
}

/// Something says which schema the database has.
pub fn schema_known(doc: &Document) -> bool {
    let acts = doc.acts.as_deref().unwrap_or(&[]);
    doc.schema.as_ref().is_some_and(|list| !list.is_empty())
        || acts.iter().any(|act| act.what.as_deref() == Some("schema"))
}

/// The index of a watched alarm.
pub fn index_of(at: &str, name: Option<&str>, alarms: &[Alarm], c: &mut Checker) -> Option<u32> {
    let Some(name) = name else {
        c.missing(at, "the name of an alarm of the service", None);
        return None;
    };
    let index = alarms.iter().position(|alarm| alarm.name == name);
    if index.is_none() {
        let near = crate::problem::nearest_name(name, alarms.iter().map(|alarm| alarm.name.as_str()));
        let near = near.map(ToString::to_string);
        let allowed = "a name in service.deploymentConfiguration.alarms.alarmNames, with enable true";
        c.invalid(at, format!("\"{name}\""), allowed).nearest = near.map(Into::into);
    }
    index.map(|i| i as u32)
}
