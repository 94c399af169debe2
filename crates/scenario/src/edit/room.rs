//! Tasks that run elsewhere: with room for any number, in places, on Fargate, on instances.

use rollscope_engine::settings::HOSTS_MAX;

use super::{Edit, Fields, word};
use crate::json::Value;

const CAPACITY: &str = "/capacity";
const INSTANCES: &str = "/capacity/instances";
const PLACES: &str = "/places";
const LAUNCH: &str = "/service/launchType";
const PROVIDERS: &str = "/service/capacityProviderStrategy";
const SCHEDULING: &str = "/service/schedulingStrategy";
const DESIRED: &str = "/service/desiredCount";
const CONFIG: &str = "/service/deploymentConfiguration";
/// Acts on instances.
const ACTS: [&str; 5] = ["add_instance", "drain_instance", "lose_instance", "spot_interruption", "lose_zone"];
/// Tasks of the default size that an instance of the default size holds.
const TASKS_EACH: u64 = 8;
/// CPU units and MiB of memory of an instance of the default size.
const SIZE: (i64, i64) = (2_048, 4_096);
/// Fewest instances a cluster begins with: one in each zone.
const FEWEST: u64 = 3;
/// A cluster begins with room for the tasks that run so many times.
const TIMES: u64 = 2;

/// Where tasks find room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Room {
    /// Every task finds room.
    Unlimited,
    /// A number of places, over time.
    Places,
    /// On Fargate, with its launch quota.
    Fargate,
    /// On instances.
    Instances,
}

impl Room {
    /// All of them.
    pub const ALL: [Room; 4] = [Room::Unlimited, Room::Fargate, Room::Instances, Room::Places];
}

/// Where the tasks of a document run.
pub fn room(tree: &Value) -> Room {
    let edit = Edit::of(tree);
    if edit.get(INSTANCES).is_some() {
        return Room::Instances;
    }
    if edit.get(PLACES).is_some() {
        return Room::Places;
    }
    let fargate =
        word(tree.pointer("/service"), "launchType") == "FARGATE" || edit.list(PROVIDERS).iter().any(on_fargate);
    if fargate { Room::Fargate } else { Room::Unlimited }
}

fn on_fargate(entry: &Value) -> bool {
    matches!(word(Some(entry), "capacityProvider"), "FARGATE" | "FARGATE_SPOT")
}

/// The fields with which the tasks of a document run elsewhere. A cluster or a number of places begins
/// with room for twice the tasks. Acts on instances have no object without them.
pub fn with_room(tree: &Value, to: Room) -> Fields {
    let mut edit = Edit::of(tree);
    let from = room(tree);
    if from == to {
        return edit.fields;
    }
    match to {
        Room::Unlimited | Room::Fargate => {}
        Room::Places => {
            let entry =
                Value::object([("at", Value::from("0s")), ("places", Value::from((tasks(&edit) * TIMES) as i64))]);
            edit.set(PLACES, Value::array([entry]));
        }
        Room::Instances => {
            let first = instances(tasks(&edit));
            edit.set(CAPACITY, Value::object([("instances", Value::array([first]))]));
        }
    }
    if to != Room::Places {
        edit.out(PLACES);
    }
    if to != Room::Instances {
        edit.out(CAPACITY);
        edit.keep("/acts", |act| !ACTS.contains(&word(Some(act), "do")));
        if is_daemon(tree) {
            replica(&mut edit);
        }
    }
    launch(&mut edit, to);
    edit.fields
}

/// The launch type where tasks run; a strategy of capacity providers stays where it fits.
fn launch(edit: &mut Edit<'_>, to: Room) {
    let others = edit.list(PROVIDERS).iter().any(|entry| !on_fargate(entry));
    match to {
        Room::Fargate => {
            edit.out(PROVIDERS);
            edit.set(LAUNCH, "FARGATE");
        }
        _ => {
            edit.keep(PROVIDERS, |entry| !on_fargate(entry));
            if to == Room::Instances && !others {
                edit.set(LAUNCH, "EC2");
            } else {
                edit.out(LAUNCH);
            }
        }
    }
}

/// Tasks that are wanted or run at time 0, at least 1.
fn tasks(edit: &Edit<'_>) -> u64 {
    let number = |value: Option<&Value>| value.and_then(Value::as_i64).and_then(|n| u64::try_from(n).ok()).unwrap_or(0);
    let states = ["healthy", "running", "pending", "unhealthy", "stopping"];
    let of = |entry: &Value| states.iter().map(|state| number(entry.get(state))).sum::<u64>();
    let there: u64 = edit.list("/start/deployments").iter().map(of).sum();
    number(edit.get(DESIRED)).max(there).max(1)
}

/// Instances that hold so many tasks of the default size twice: more of them, then larger ones.
fn instances(tasks: u64) -> Value {
    let most = u64::from(HOSTS_MAX);
    let times = (tasks * TIMES).div_ceil(TASKS_EACH * most).max(1);
    let count = (tasks * TIMES).div_ceil(TASKS_EACH * times).max(FEWEST);
    let mut instance = Value::object([("count", Value::from(count as i64))]);
    if times > 1 {
        instance.insert("cpu", SIZE.0 * times as i64);
        instance.insert("memory", SIZE.1 * times as i64);
    }
    instance
}

/// One task on each instance.
pub fn is_daemon(tree: &Value) -> bool {
    word(tree.pointer("/service"), "schedulingStrategy") == "DAEMON"
}

/// The fields that make a service a DAEMON service, or one with a desired count again. Percentages that
/// a DAEMON service cannot have give way to its defaults.
pub fn daemon(tree: &Value, on: bool) -> Fields {
    let mut edit = Edit::of(tree);
    if !on {
        replica(&mut edit);
        return edit.fields;
    }
    edit.set(SCHEDULING, "DAEMON");
    edit.out(DESIRED);
    let percent = |name: &str| edit.get(CONFIG)?.get(name)?.as_i64();
    let (minimum, maximum) = (percent("minimumHealthyPercent"), percent("maximumPercent"));
    if maximum.is_some_and(|maximum| maximum > 100) {
        edit.out("/service/deploymentConfiguration/maximumPercent");
    }
    if minimum.is_some_and(|minimum| minimum >= 100) {
        edit.out("/service/deploymentConfiguration/minimumHealthyPercent");
    }
    edit.out("/service/availabilityZoneRebalancing");
    edit.fields
}

fn replica(edit: &mut Edit<'_>) {
    let there = edit.list(INSTANCES).iter().filter(|entry| entry.get("at").is_none());
    let count = |entry: &Value| entry.get("count").and_then(Value::as_i64).unwrap_or(1);
    let desired: i64 = there.map(count).sum();
    edit.out(SCHEDULING);
    edit.set(DESIRED, desired.max(1));
    let percent = |name: &str| edit.get(CONFIG)?.get(name)?.as_i64();
    // 100 is the maximum of a DAEMON service; with the other default of 100 it would be refused.
    if percent("maximumPercent") == Some(100) && percent("minimumHealthyPercent").is_none_or(|minimum| minimum >= 100) {
        edit.out("/service/deploymentConfiguration/maximumPercent");
    }
}
