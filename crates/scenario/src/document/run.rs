//! How a run goes: times, fates, what exists at the start, acts, readings.

use alloc::boxed::Box;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use rollscope_engine::platform::asg::RefreshAct;
use rollscope_engine::platform::ecs::strategy::HookAction;
use rollscope_engine::platform::kubernetes::{IntOrPercent, RolloutAct};
use rollscope_engine::platform::vm::GroupAct;
use rollscope_engine::settings::{self, Command, Distribution, Fate, NEVER_MS, TaskName};
use rollscope_engine::time::MINUTE;

use super::failure::SchemaVersion;
use super::field::{Field, Reader, read_ms, record};
use super::kubernetes::IntOrString;
use crate::duration::{self, Span};
use crate::json::{Number, Value, pointer_join};

/// Deepest nesting of fates (`in_zone` inside `ratio` inside ...).
pub const FATE_DEPTH_MAX: usize = 8;

record! {
    /// How long things take; each drawn per task.
    member Timing {
        /// Network interface. Default 5 s.
        provisioning: Option<Distribution> = "provisioning",
        /// Image pull and container creation. Default 10 s.
        pull: Option<Distribution> = "pull",
        /// From RUNNING until the application answers its checks. Default 15 s.
        start_up: Option<Distribution> = "start_up",
        /// From registration to the first check. Default: the target group's interval.
        first_check: Option<Distribution> = "first_check",
        /// How long requests stay open after deregistration. Default 30 s.
        open_request: Option<Distribution> = "open_request",
        /// From SIGTERM to the exit; `never` is allowed. Default 2 s.
        exit_after_sigterm: Option<Distribution> = "exit_after_sigterm",
        /// From a Pod's deletion until nobody sends it requests any more (Kubernetes). Default 2 s.
        endpoint_propagation: Option<Span> = "endpoint_propagation",
        /// Shortcut: from the start of a task to healthy.
        healthy_after: Option<Distribution> = "healthy_after",
        /// Shortcut: from the decision to stop to STOPPED.
        gone_after: Option<Distribution> = "gone_after",
    }
}

record! {
    /// A revision and how its tasks fare.
    member RevisionDoc {
        /// The number shown: 1 and up. Default 8 (new), 7 (old), or as `start` says.
        revision: Option<i64> = "revision",
        /// What becomes of every start without an own entry. Default `healthy`.
        fate: Option<Fate> = "fate",
        /// What becomes of the k-th start.
        by_start: Option<ByStart> = "by_start",
        /// Share of requests its tasks answer badly, for alarms with `bad_responses_over`.
        bad_responses: Option<Ratio> = "bad_responses",
        /// How long its requests take: a duration or a table. Default 0.
        request_time: Option<Distribution> = "request_time",
        /// The schema version its tasks expect when they boot; absent: they do not look.
        expects: Option<SchemaVersion> = "expects",
        /// The digests of its images cannot be resolved. Default false.
        digest_fails: Option<bool> = "digest_fails",
        /// Exit code of its containers when they exit by themselves. Default 1.
        exit_code: Option<i64> = "exit_code",
    }
}

record! {
    /// Room for tasks from a moment on.
    record Places {
        /// When. Required.
        at: Option<Span> = "at",
        /// Tasks that fit, 0 and up. Required.
        places: Option<i64> = "places",
    }
}

record! {
    /// What exists at time 0.
    record Start {
        /// Deployments, oldest first; the last one is PRIMARY. Absent: the old revision, steady.
        deployments: Option<Vec<StartDeployment>> = "deployments",
        /// A deployment of the new revision starts at 0. Default: true when nothing is deployed.
        deploy: Option<bool> = "deploy",
        /// Instances in standby, beyond the desired capacity (Auto Scaling). Default 0.
        standby: Option<i64> = "standby",
        /// Of those in service, protected from scale-in (Auto Scaling). Default 0.
        protected: Option<i64> = "protected",
        /// Of those in service, of the new version already (Auto Scaling). Default 0.
        matching: Option<i64> = "matching",
    }
}

record! {
    /// A deployment that exists at time 0, with its tasks by state.
    record StartDeployment {
        /// Revision number. Required.
        revision: Option<i64> = "revision",
        /// `IN_PROGRESS`, `COMPLETED` or `FAILED`. Default: `COMPLETED`.
        state: Option<String> = "rolloutState",
        /// Failures counted so far. Default 0.
        failed_tasks: Option<i64> = "failedTasks",
        /// Healthy tasks. Default 0.
        healthy: Option<i64> = "healthy",
        /// Of the healthy ones, protected from scale-in for two hours from time 0. Default 0.
        protected: Option<i64> = "protected",
        /// RUNNING since time 0, health unknown: not healthy yet. Default 0.
        running: Option<i64> = "running",
        /// Created at time 0. Default 0.
        pending: Option<i64> = "pending",
        /// Failing their checks. Default 0.
        unhealthy: Option<i64> = "unhealthy",
        /// Told to stop at time 0. Default 0.
        stopping: Option<i64> = "stopping",
    }
}

record! {
    /// Something people or the world do. Which fields belong to which `do`: `docs/scenario.md`.
    record Act {
        /// When. Required.
        at: Option<Span> = "at",
        /// What is done, one of the acts of `docs/scenario.md`. Required.
        what: Option<String> = "do",
        /// The task of `kill`, `stop_task`, `interrupt`, `protect`, `unprotect`.
        task: Option<TaskName> = "task",
        /// The count of `desired`, `schedule`, `template` and `add_instance`.
        count: Option<i64> = "count",
        /// For `percent`.
        minimum: Option<i64> = "minimumHealthyPercent",
        /// For `percent`.
        maximum: Option<i64> = "maximumPercent",
        /// The revision of `deploy`, `fate` and `fix`.
        revision: Option<i64> = "revision",
        /// For `deploy` and `fate`.
        fate: Option<Fate> = "fate",
        /// For `deploy` and `fate`.
        by_start: Option<ByStart> = "by_start",
        /// For `deploy` and `fate`: share of requests answered badly.
        bad_responses: Option<Ratio> = "bad_responses",
        /// For `deploy`: the schema version its tasks expect when they boot.
        expects: Option<SchemaVersion> = "expects",
        /// For `deploy`: the digests of its images cannot be resolved. Default false.
        digest_fails: Option<bool> = "digest_fails",
        /// For `protect`: 1 to 2880. Default 120.
        expires_minutes: Option<i64> = "expiresInMinutes",
        /// For `protect`: renewed before it ends, for ever. Default false.
        renewed: Option<bool> = "renewed",
        /// The name of `alarm`.
        alarm: Option<String> = "name",
        /// The state of `alarm`: `OK`, `ALARM` or `INSUFFICIENT_DATA`.
        state: Option<String> = "state",
        /// The version of `schema`.
        version: Option<SchemaVersion> = "version",
        /// The answer of `continue_deployment`: `CONTINUE` (default) or `ROLLBACK`.
        action: Option<String> = "action",
        /// The pause that `continue_deployment` answers, as `hooks[].id` counts them. Default: the first one that waits.
        hook: Option<i64> = "hookId",
        /// The instance of `drain_instance`, `lose_instance` and `spot_interruption`, from 1; for
        /// `add_instance` the one that the new ones are like.
        instance: Option<i64> = "instance",
        /// The zone of `lose_zone`, 0 to 2.
        zone: Option<i64> = "zone",
        /// The Pods of `scale` (Kubernetes).
        replicas: Option<i64> = "replicas",
        /// The revision of `undo` (Kubernetes); absent: the one before.
        to_revision: Option<i64> = "toRevision",
        /// For `strategy` (Kubernetes).
        max_surge: Option<IntOrString> = "maxSurge",
        /// For `strategy` (Kubernetes).
        max_unavailable: Option<IntOrString> = "maxUnavailable",
        /// For `strategy` (StatefulSet).
        partition: Option<i64> = "partition",
        /// The Pods of `quota` (Kubernetes).
        pods: Option<i64> = "pods",
        /// How long `unready` lasts (Kubernetes).
        lasts: Option<Span> = "for",
    }
}

impl Act {
    /// The act as a document holds it, for acts made by hand during a run. `alarms` are those of
    /// the settings: a document names them.
    pub fn of(act: &settings::Act, alarms: &[settings::Alarm]) -> Act {
        let base = Act { at: Some(Span(act.at.ms())), ..Act::default() };
        let named = |what: &str, act: Act| Act { what: Some(what.to_string()), ..act };
        let on_task = |what: &str, task: &TaskName| named(what, Act { task: Some(*task), ..base.clone() });
        match &act.command {
            Command::Kill(task) => on_task("kill", task),
            Command::StopTask(task) => on_task("stop_task", task),
            Command::Interrupt(task) => on_task("interrupt", task),
            Command::Unprotect(task) => on_task("unprotect", task),
            Command::Protect { task, for_ms } => Act {
                expires_minutes: for_ms.map(|ms| (ms / MINUTE) as i64),
                renewed: for_ms.is_none().then_some(true),
                ..on_task("protect", task)
            },
            Command::AddInstances { like, count } => {
                let (instance, count) = (Some(i64::from(*like)), Some(i64::from(*count)));
                named("add_instance", Act { instance, count, ..base })
            }
            Command::DrainInstance(number) => on_instance("drain_instance", *number, base),
            Command::LoseInstance(number) => on_instance("lose_instance", *number, base),
            Command::ReclaimInstance(number) => on_instance("spot_interruption", *number, base),
            Command::LoseZone(zone) => named("lose_zone", Act { zone: Some(i64::from(*zone)), ..base }),
            Command::Schedule(count) => named("schedule", Act { count: Some(i64::from(*count)), ..base }),
            Command::Template { revision, desired } => {
                let (revision, count) = (Some(i64::from(*revision)), Some(i64::from(*desired)));
                named("template", Act { revision, count, ..base })
            }
            Command::SetDesired(count) => named("desired", Act { count: Some(i64::from(*count)), ..base }),
            Command::SetPercentages { minimum, maximum } => {
                let (minimum, maximum) = (minimum.map(i64::from), maximum.map(i64::from));
                named("percent", Act { minimum, maximum, ..base })
            }
            Command::Deploy { revision, behaviour } => named("deploy", base.faring(*revision, behaviour.as_ref())),
            Command::SetFate { revision, behaviour } => named("fate", base.faring(*revision, Some(behaviour))),
            Command::StopDeployment => named("stop_deployment", base),
            Command::SetAlarm { alarm, state } => {
                let name = alarms.get(*alarm as usize).map(|alarm| alarm.name.clone());
                let state = match state {
                    settings::AlarmState::Ok => "OK",
                    settings::AlarmState::Alarm => "ALARM",
                    settings::AlarmState::InsufficientData => "INSUFFICIENT_DATA",
                };
                named("alarm", Act { alarm: name, state: Some(state.to_string()), ..base })
            }
            Command::ContinueDeployment { hook, action } => {
                let action = if *action == HookAction::Rollback { "ROLLBACK" } else { "CONTINUE" };
                let hook = hook.map(i64::from);
                named("continue_deployment", Act { action: Some(action.to_string()), hook, ..base })
            }
            Command::Rollout(act) => rollout(*act, base),
            Command::Group(GroupAct::StopProactive) => named("stop_proactive_update", base),
            Command::Group(GroupAct::Cancel) => named("cancel_upgrade", base),
            Command::Refresh(act) => match act {
                RefreshAct::Cancel => named("cancel_instance_refresh", base),
                RefreshAct::RollBack => named("rollback_instance_refresh", base),
                RefreshAct::EnterStandby(name) => on_task("enter_standby", name),
                RefreshAct::ExitStandby(name) => on_task("exit_standby", name),
            },
            Command::SetSchema(version) => named("schema", Act { version: Some(SchemaVersion(*version)), ..base }),
        }
    }

    /// The same with a revision and how it fares.
    fn faring(self, revision: u32, behaviour: Option<&settings::Behaviour>) -> Act {
        let by_start = behaviour.filter(|b| !b.by_start.is_empty()).map(|b| ByStart(b.by_start.clone()));
        let bad = behaviour.and_then(|b| b.bad_responses);
        Act {
            revision: Some(i64::from(revision)),
            fate: behaviour.map(|b| b.fate.clone()),
            by_start,
            bad_responses: bad.map(|(hits, of)| Ratio { hits, of }),
            ..self
        }
    }
}

fn rollout(act: RolloutAct, base: Act) -> Act {
    let named = |what: &str, act: Act| Act { what: Some(what.to_string()), ..act };
    let fence = |value: Option<IntOrPercent>| {
        value.map(|value| match value {
            IntOrPercent::Int(n) => IntOrString::Int(i64::from(n)),
            IntOrPercent::Percent(n) => IntOrString::Text(format!("{n}%")),
        })
    };
    match act {
        RolloutAct::Pause => named("pause", base),
        RolloutAct::Resume => named("resume", base),
        RolloutAct::Undo { to } => named("undo", Act { to_revision: to.map(i64::from), ..base }),
        RolloutAct::SetStrategy { max_surge, max_unavailable } => {
            let (max_surge, max_unavailable) = (fence(max_surge), fence(max_unavailable));
            named("strategy", Act { max_surge, max_unavailable, ..base })
        }
        RolloutAct::SetPartition { partition } => {
            named("strategy", Act { partition: Some(i64::from(partition)), ..base })
        }
        RolloutAct::SetQuota { pods } => named("quota", Act { pods: Some(i64::from(pods)), ..base }),
        RolloutAct::Unready { pod, for_ms } => named("unready", Act { task: pod, lasts: Some(Span(for_ms)), ..base }),
    }
}

fn on_instance(what: &str, number: u32, base: Act) -> Act {
    Act { what: Some(what.to_string()), instance: Some(i64::from(number)), ..base }
}

record! {
    /// Switches for places where the public sources disagree; absent is the default reading.
    member Readings {
        /// 100/100 is accepted (and then stuck). Default false.
        allow_100_100: Option<bool> = "allow_100_100",
        /// Passes a new target needs: one (default) or its threshold.
        new_target_passes: Option<NewTargetPasses> = "new_target_passes",
        /// A launch that finds no room counts as a failure. Default: unless a capacity provider is given.
        placement_failure_counts: Option<bool> = "placement_failure_counts",
        /// Seconds from RUNNING to healthy without any check. Default 40.
        no_check_healthy_after_s: Option<i64> = "no_check_healthy_after_s",
        /// Stopping tasks count against the ceiling. Default true.
        stopping_counts: Option<bool> = "stopping_counts",
        /// Lockstep: start, wait, stop, wait. Default false.
        start_first: Option<bool> = "start_first",
        /// A lost old task is replaced by the new revision. Default false.
        legacy_replacement: Option<bool> = "legacy_replacement",
        /// Several unhealthy tasks stop at once at the ceiling. Default false.
        unhealthy_batch: Option<bool> = "unhealthy_batch",
        /// Breaker stages to the letter. Default false.
        literal_stages: Option<bool> = "literal_stages",
        /// Early success keeps old tasks until the gate. Default false.
        hold_source_until_gate: Option<bool> = "hold_source_until_gate",
        /// Image pull drill. Default false.
        digest_drill: Option<bool> = "digest_drill",
        /// Watchdog in aligned windows. Default false.
        watchdog_aligned: Option<bool> = "watchdog_aligned",
        /// Seconds between an alarm and what ECS makes of it: 0 to 3600. Default 20.
        alarm_delay_s: Option<i64> = "alarm_delay_s",
        /// Never-healthy new tasks are replaced one by one. Default false.
        unhealthy_one_by_one: Option<bool> = "unhealthy_one_by_one",
    }
}

/// Passes a newly registered target needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NewTargetPasses {
    /// One.
    One,
    /// As many as its healthy threshold.
    Threshold,
}

impl Field for NewTargetPasses {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        match (value.as_i64(), value.as_str()) {
            (Some(1), _) | (_, Some("one")) => Some(NewTargetPasses::One),
            (_, Some("threshold")) => Some(NewTargetPasses::Threshold),
            _ => {
                reader.wrong(at, value, "1, \"one\" or \"threshold\"");
                None
            }
        }
    }
    fn write(&self) -> Value {
        match self {
            NewTargetPasses::One => "one".into(),
            NewTargetPasses::Threshold => "threshold".into(),
        }
    }
}

/// A share as two whole numbers: `[1, 100]` is one of a hundred.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    /// Numerator.
    pub hits: u32,
    /// Denominator.
    pub of: u32,
}

impl Field for Ratio {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let part = |i: usize| value.at(i).and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        match (value.as_array().map(<[Value]>::len), part(0), part(1)) {
            (Some(2), Some(hits), Some(of)) => Some(Ratio { hits, of }),
            _ => {
                reader.wrong(at, value, "two whole numbers [hits, of], for instance [1, 100]");
                None
            }
        }
    }
    fn write(&self) -> Value {
        Value::array([self.hits, self.of])
    }
}

/// Fates of single starts: the k-th start of the revision, k from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct ByStart(pub Vec<(u32, Fate)>);

impl Field for ByStart {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let Some(entries) = value.as_object() else {
            reader.wrong(at, value, "an object {\"1\": fate, ...}");
            return None;
        };
        let mut list = Vec::new();
        for (key, item) in entries {
            let here = pointer_join(at, key);
            match key.parse::<u32>() {
                Ok(k) if *key == k.to_string() => list.extend(Fate::read(item, reader, &here).map(|f| (k, f))),
                _ => reader.wrong(&here, &Value::from(key), "the number of a start, from \"1\""),
            }
        }
        Some(ByStart(list))
    }
    fn write(&self) -> Value {
        Value::object(self.0.iter().map(|(k, fate)| (k.to_string(), fate.write())))
    }
}

impl Field for TaskName {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let number = |v: Option<&Value>| v.and_then(Value::as_u64).and_then(|n| u32::try_from(n).ok());
        let name = match value {
            Value::String(text) => parse_task_name(text),
            // Unquoted it is a number, kept to the digit: 7.10 is the tenth start.
            Value::Number(Number::Text(text)) => parse_task_name(text),
            _ => number(value.get("revision"))
                .zip(number(value.get("start")))
                .map(|(revision, start)| TaskName { revision, start }),
        };
        if name.is_none() {
            reader.wrong(
                at,
                value,
                "a task such as \"7.1\" (revision 7, first start) or {\"revision\": 7, \"start\": 1}",
            );
        }
        name
    }
    fn write(&self) -> Value {
        Value::from(format!("{}.{}", self.revision, self.start))
    }
}

/// Reads `7·1` or `7.1`.
pub fn parse_task_name(text: &str) -> Option<TaskName> {
    let (revision, start) = text.split_once(['·', '.'])?;
    let number = |s: &str| s.bytes().all(|b| b.is_ascii_digit()).then(|| s.parse::<u32>().ok()).flatten();
    Some(TaskName { revision: number(revision)?, start: number(start)? })
}

const DISTRIBUTION: &str = "a duration, {\"constant\": d}, {\"uniform\": [least, greatest]}, \
    {\"triangular\": [least, most likely, greatest]} or {\"table\": [[d, weight], ...]}";

impl Field for Distribution {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        let Some(entries) = value.as_object() else {
            return read_time(value, reader, at).map(Distribution::Constant);
        };
        let [(name, inner)] = entries else {
            reader.wrong(at, value, DISTRIBUTION);
            return None;
        };
        let here = pointer_join(at, name);
        let times = |reader: &mut Reader, n: usize| -> Option<Vec<u64>> {
            let items = inner.as_array().filter(|items| items.len() == n);
            let Some(items) = items else {
                reader.wrong(&here, inner, format!("a list of {n} durations"));
                return None;
            };
            let read: Vec<_> =
                items.iter().enumerate().map(|(i, v)| read_time(v, reader, &pointer_join(&here, i))).collect();
            read.into_iter().collect()
        };
        match name.as_str() {
            "constant" => read_time(inner, reader, &here).map(Distribution::Constant),
            "uniform" => times(reader, 2).map(|t| Distribution::Uniform { min: t[0], max: t[1] }),
            "triangular" => times(reader, 3).map(|t| Distribution::Triangular { min: t[0], mode: t[1], max: t[2] }),
            "table" => read_table(inner, reader, &here),
            _ => {
                reader.wrong(at, value, DISTRIBUTION);
                None
            }
        }
    }
    fn write(&self) -> Value {
        match self {
            Distribution::Constant(ms) => write_time(*ms),
            Distribution::Uniform { min, max } => {
                Value::object([("uniform", Value::array([write_time(*min), write_time(*max)]))])
            }
            Distribution::Triangular { min, mode, max } => {
                let times = [write_time(*min), write_time(*mode), write_time(*max)];
                Value::object([("triangular", Value::array(times))])
            }
            Distribution::Table(rows) => {
                let row = |(ms, weight): &(u64, u32)| Value::array([write_time(*ms), Value::from(*weight)]);
                Value::object([("table", Value::Array(rows.iter().map(row).collect()))])
            }
        }
    }
}

fn read_table(value: &Value, reader: &mut Reader, at: &str) -> Option<Distribution> {
    let Some(rows) = value.as_array() else {
        reader.wrong(at, value, "a list of [duration, weight]");
        return None;
    };
    let mut table = Vec::new();
    let mut complete = true;
    for (i, row) in rows.iter().enumerate() {
        let here = pointer_join(at, i);
        let weight = row.at(1).and_then(Value::as_u64).and_then(|w| u32::try_from(w).ok());
        match (row.as_array().map(<[Value]>::len), row.at(0), weight) {
            (Some(2), Some(time), Some(weight)) => match read_time(time, reader, &pointer_join(&here, 0)) {
                Some(ms) => table.push((ms, weight)),
                None => complete = false,
            },
            _ => {
                reader.wrong(&here, row, "[duration, weight] with a whole weight of 0 or more");
                complete = false;
            }
        }
    }
    complete.then_some(Distribution::Table(table))
}

/// A duration or `never`.
fn read_time(value: &Value, reader: &mut Reader, at: &str) -> Option<u64> {
    if value.as_str() == Some("never") {
        return Some(NEVER_MS);
    }
    match read_ms(value) {
        Ok(ms) => Some(ms),
        Err(allowed) => {
            reader.wrong(at, value, allowed);
            None
        }
    }
}

fn write_time(ms: u64) -> Value {
    if ms == NEVER_MS { "never".into() } else { duration::print(ms).into() }
}

const FATE: &str = "\"healthy\", \"never_running\", \"never_passes\", \"hangs\", {\"never_running\": {\"after\": d}}, \
    {\"exits_after\": d}, {\"turns_unhealthy_after\": d}, {\"above_running\": N}, \
    {\"in_zone\": {\"zone\": 0, \"fate\": ...}} or {\"ratio\": {\"of\": [hits, of], \"fate\": ...}}";

impl Field for Fate {
    fn read(value: &Value, reader: &mut Reader, at: &str) -> Option<Self> {
        read_fate(value, reader, at, 1)
    }
    fn write(&self) -> Value {
        let one = |name: &str, inner: Value| Value::object([(name, inner)]);
        match self {
            Fate::Healthy => "healthy".into(),
            Fate::NeverRunning { after: None } => "never_running".into(),
            Fate::NeverRunning { after: Some(ms) } => one("never_running", one("after", write_time(*ms))),
            Fate::ExitsAfter(ms) => one("exits_after", write_time(*ms)),
            Fate::NeverPasses => "never_passes".into(),
            Fate::TurnsUnhealthyAfter(ms) => one("turns_unhealthy_after", write_time(*ms)),
            Fate::Hangs => "hangs".into(),
            Fate::AboveRunning(n) => one("above_running", Value::from(*n)),
            Fate::InZone { zone, fate } => {
                one("in_zone", Value::object([("zone", Value::from(*zone)), ("fate", fate.write())]))
            }
            Fate::Ratio { hits, of, fate } => {
                one("ratio", Value::object([("of", Value::array([*hits, *of])), ("fate", fate.write())]))
            }
        }
    }
}

fn read_fate(value: &Value, reader: &mut Reader, at: &str, depth: usize) -> Option<Fate> {
    let wrong = |reader: &mut Reader, text: &str| -> Option<Fate> {
        reader.wrong(at, value, text);
        None
    };
    if depth > FATE_DEPTH_MAX {
        return wrong(reader, "at most 8 fates inside each other");
    }
    if let Some(name) = value.as_str() {
        return match name {
            "healthy" => Some(Fate::Healthy),
            "never_running" => Some(Fate::NeverRunning { after: None }),
            "never_passes" => Some(Fate::NeverPasses),
            "hangs" => Some(Fate::Hangs),
            _ => wrong(reader, FATE),
        };
    }
    let Some([(name, inner)]) = value.as_object() else { return wrong(reader, FATE) };
    let here = pointer_join(at, name);
    let span = |reader: &mut Reader, value: &Value, at: &str| <Span as Field>::read(value, reader, at).map(|s| s.0);
    let nested = |reader: &mut Reader| -> Option<Box<Fate>> {
        let Some(fate) = inner.get("fate") else {
            reader.wrong(&here, inner, "an object with a \"fate\"");
            return None;
        };
        read_fate(fate, reader, &pointer_join(&here, "fate"), depth + 1).map(Box::new)
    };
    match name.as_str() {
        "never_running" => match inner.get("after") {
            Some(after) => {
                let after = span(reader, after, &pointer_join(&here, "after"))?;
                Some(Fate::NeverRunning { after: Some(after) })
            }
            None => wrong(reader, "{\"never_running\": {\"after\": duration}} or \"never_running\""),
        },
        "exits_after" => span(reader, inner, &here).map(Fate::ExitsAfter),
        "turns_unhealthy_after" => span(reader, inner, &here).map(Fate::TurnsUnhealthyAfter),
        "above_running" => match inner.as_u64().and_then(|n| u32::try_from(n).ok()) {
            Some(n) => Some(Fate::AboveRunning(n)),
            None => wrong(reader, "{\"above_running\": N} with a whole number of tasks"),
        },
        "in_zone" => {
            let fate = nested(reader);
            match inner.get("zone").and_then(Value::as_u64).and_then(|z| u8::try_from(z).ok()) {
                Some(zone) => fate.map(|fate| Fate::InZone { zone, fate }),
                None => wrong(reader, "{\"in_zone\": {\"zone\": 0 to 2, \"fate\": ...}}"),
            }
        }
        "ratio" => {
            let fate = nested(reader);
            let of = inner.get("of").cloned().unwrap_or_default();
            let ratio = Ratio::read(&of, reader, &pointer_join(&here, "of"))?;
            fate.map(|fate| Fate::Ratio { hits: ratio.hits, of: ratio.of, fate })
        }
        _ => wrong(reader, FATE),
    }
}
