//! The three alarms that one has to build oneself: what no monitor of a deployment watches once it is over.
//!
//! Which figures deserve an alarm is what articles about early success say (desired minus running of the target
//! some minutes after the success, replacements of its tasks, the age of old tasks that are left); they give no
//! thresholds. Those here are readings: five minutes, three replacements in five minutes as the task-stop watchdog
//! has it, an hour.

use rollscope_engine::SimTime;
use rollscope_engine::settings::{AlarmState, RolloutState};
use rollscope_engine::time::{HOUR, MINUTE};
use rollscope_engine::trace::{DeploymentId, Record, TaskChange, What};

use super::ledger::Ledger;
use super::waiter::desired_at;
use crate::run::RunView;

/// So long new tasks have to be missing after the success, in milliseconds.
pub const MISSING_MS: u64 = 5 * MINUTE;
/// So many replacements of new tasks within [`REPLACED_WITHIN_MS`] raise the alarm.
pub const REPLACED: usize = 3;
/// Length of their window in milliseconds, back from the moment that is looked at.
pub const REPLACED_WITHIN_MS: u64 = 5 * MINUTE;
/// So long after the success no old task is to be left, in milliseconds.
pub const OLD_TASKS_MS: u64 = HOUR;

/// One of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OwnAlarm {
    /// Fewer tasks of the new revision run than are desired, for [`MISSING_MS`] after the success.
    Missing,
    /// [`REPLACED`] tasks of the new revision were replaced within [`REPLACED_WITHIN_MS`].
    Replacements,
    /// A task of an older revision is left [`OLD_TASKS_MS`] after the success.
    OldTasks,
}

impl OwnAlarm {
    /// All of them, in the order in which they are told.
    pub const ALL: [OwnAlarm; 3] = [OwnAlarm::Missing, OwnAlarm::Replacements, OwnAlarm::OldTasks];

    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            OwnAlarm::Missing => "target_missing",
            OwnAlarm::Replacements => "target_replacements",
            OwnAlarm::OldTasks => "oldest_source",
        }
    }

    /// So many tasks raise it, those that are missing, were replaced, or are left.
    pub const fn tasks(self) -> u32 {
        match self {
            OwnAlarm::Missing | OwnAlarm::OldTasks => 1,
            OwnAlarm::Replacements => REPLACED as u32,
        }
    }

    /// For so long, within so long, so long after the success; milliseconds.
    pub const fn for_ms(self) -> u64 {
        match self {
            OwnAlarm::Missing => MISSING_MS,
            OwnAlarm::Replacements => REPLACED_WITHIN_MS,
            OwnAlarm::OldTasks => OLD_TASKS_MS,
        }
    }
}

/// An alarm at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct OwnState {
    /// Which.
    pub alarm: OwnAlarm,
    /// Its state.
    pub state: AlarmState,
    /// Since when; time 0 for one that never changed.
    pub since: SimTime,
    /// When it went to ALARM for the first time by then.
    pub first: Option<SimTime>,
}

/// What the alarms follow from: the books at a moment, as far as they matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Facts {
    /// There is a PRIMARY deployment.
    deployed: bool,
    /// Since when it is COMPLETED; absent while it is not.
    success: Option<SimTime>,
    /// Since when fewer of its tasks run than are desired; absent while they do.
    short: Option<SimTime>,
    /// When its tasks were replaced, ascending; the last [`REPLACED`] times at most.
    replaced: Vec<SimTime>,
    /// Tasks of older deployments that are not STOPPED.
    old: u32,
}

/// Missing tasks: no data until [`MISSING_MS`] after the success.
///
/// Example: success at 35 s, short since 0: INSUFFICIENT_DATA until 5:35, ALARM from then on.
fn missing(success: Option<SimTime>, short: Option<SimTime>, now: SimTime) -> AlarmState {
    match (success, short) {
        (None, _) => AlarmState::InsufficientData,
        (Some(success), _) if now < success + MISSING_MS => AlarmState::InsufficientData,
        (Some(_), Some(short)) if now >= short + MISSING_MS => AlarmState::Alarm,
        (Some(_), _) => AlarmState::Ok,
    }
}

/// Replacements: no data without a deployment; a replacement leaves the window when it is over.
///
/// Example: replacements at 0:00, 1:00 and 4:00: ALARM from 4:00 to 5:00.
fn replacements(deployed: bool, replaced: &[SimTime], now: SimTime) -> AlarmState {
    let lately = replaced.iter().filter(|at| **at <= now && now < **at + REPLACED_WITHIN_MS).count();
    match (deployed, lately >= REPLACED) {
        (false, _) => AlarmState::InsufficientData,
        (true, true) => AlarmState::Alarm,
        (true, false) => AlarmState::Ok,
    }
}

/// Old tasks: no data until the success.
///
/// Example: success at 35 s, one old task protected for two hours: OK until 1:00:35, ALARM until it is gone.
fn old_tasks(success: Option<SimTime>, old: u32, now: SimTime) -> AlarmState {
    match success {
        None => AlarmState::InsufficientData,
        Some(success) if old > 0 && now >= success + OLD_TASKS_MS => AlarmState::Alarm,
        Some(_) => AlarmState::Ok,
    }
}

impl Facts {
    fn states(&self, now: SimTime) -> [AlarmState; 3] {
        [
            missing(self.success, self.short, now),
            replacements(self.deployed, &self.replaced, now),
            old_tasks(self.success, self.old, now),
        ]
    }

    /// The next moment after `now` at which time alone may change a state.
    fn next(&self, now: SimTime) -> Option<SimTime> {
        let success = self.success.into_iter().flat_map(|at| [at + MISSING_MS, at + OLD_TASKS_MS]);
        let short = self.short.map(|at| at + MISSING_MS);
        let leaves = self.replaced.iter().map(|at| *at + REPLACED_WITHIN_MS);
        success.chain(short).chain(leaves).filter(|at| *at > now).min()
    }
}

/// Reads the records one by one.
struct Reader<'a> {
    run: RunView<'a>,
    ledger: Ledger,
    /// The deployment of each task that is not STOPPED.
    tasks: Vec<Option<DeploymentId>>,
    target: Option<DeploymentId>,
    /// By deployment: when its tasks were replaced, the last few times.
    replaced: Vec<Vec<SimTime>>,
    facts: Facts,
}

impl Reader<'_> {
    fn read(&mut self, record: &Record) {
        self.ledger.apply(record);
        let What::Task { task, change } = record.what else { return };
        let id = task.id.0 as usize;
        if id >= self.tasks.len() {
            self.tasks.resize(id + 1, None);
        }
        match change {
            TaskChange::Existing { deployment, .. } => self.put(id, Some(deployment)),
            TaskChange::Created { deployment, replacement, .. } => {
                self.put(id, Some(deployment));
                if replacement {
                    self.replaced(usize::from(deployment.0), record.at);
                }
            }
            TaskChange::Stopped(_) => self.put(id, None),
            _ => {}
        }
    }

    fn replaced(&mut self, of: usize, at: SimTime) {
        if of >= self.replaced.len() {
            self.replaced.resize(of + 1, Vec::new());
        }
        // Older ones than the last few decide nothing.
        let spare = (self.replaced[of].len() + 1).saturating_sub(REPLACED);
        self.replaced[of].drain(..spare);
        self.replaced[of].push(at);
    }

    fn put(&mut self, task: usize, deployment: Option<DeploymentId>) {
        let before = std::mem::replace(&mut self.tasks[task], deployment);
        let old = |of: Option<DeploymentId>| u32::from(of.is_some() && of != self.target);
        self.facts.old = self.facts.old + old(deployment) - old(before);
    }

    /// The books at the end of an instant.
    fn settle(&mut self, now: SimTime) {
        let Some(primary) = self.ledger.primary().copied() else { return };
        if self.target != Some(primary.id) {
            self.target = Some(primary.id);
            self.facts = Facts { deployed: true, ..Facts::default() };
            self.facts.old = self.tasks.iter().flatten().filter(|of| **of != primary.id).count() as u32;
        }
        self.facts.replaced = self.replaced.get(usize::from(primary.id.0)).cloned().unwrap_or_default();
        self.facts.success = (primary.state == RolloutState::Completed).then_some(primary.updated_at);
        let short = desired_at(self.run, now) > primary.running;
        self.facts.short = short.then(|| self.facts.short.unwrap_or(now));
    }
}

/// The three alarms from time 0 to `until`: every moment at which one changes, ascending, with its new state.
pub fn history(run: RunView<'_>, until: SimTime) -> Vec<(SimTime, OwnAlarm, AlarmState)> {
    let ledger = Ledger::new(run.end.settings());
    let mut reader =
        Reader { run, ledger, tasks: Vec::new(), target: None, replaced: Vec::new(), facts: Facts::default() };
    let mut told = [AlarmState::InsufficientData; 3];
    let mut list = Vec::new();
    let mut tell = |now: SimTime, facts: &Facts| {
        for (k, state) in facts.states(now).into_iter().enumerate() {
            if std::mem::replace(&mut told[k], state) != state {
                list.push((now, OwnAlarm::ALL[k], state));
            }
        }
    };
    let mut now = SimTime::ZERO;
    for instant in run.records.chunk_by(|a, b| a.at == b.at) {
        let Some(at) = instant.first().map(|record| record.at).filter(|at| *at <= until) else { break };
        while let Some(timer) = reader.facts.next(now).filter(|timer| *timer < at) {
            now = timer;
            tell(now, &reader.facts);
        }
        instant.iter().for_each(|record| reader.read(record));
        now = at;
        reader.settle(now);
        tell(now, &reader.facts);
    }
    while let Some(timer) = reader.facts.next(now).filter(|timer| *timer <= until) {
        now = timer;
        tell(now, &reader.facts);
    }
    list
}

/// The three alarms at `t`.
pub fn own_alarms(run: RunView<'_>, t: SimTime) -> [OwnState; 3] {
    let history = history(run, t);
    OwnAlarm::ALL.map(|alarm| {
        let mut own = OwnState { alarm, state: AlarmState::InsufficientData, since: SimTime::ZERO, first: None };
        for (at, _, state) in history.iter().filter(|(_, of, _)| *of == alarm) {
            (own.state, own.since) = (*state, *at);
            own.first = own.first.or(Some(*at).filter(|_| *state == AlarmState::Alarm));
        }
        own
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::settings::AlarmState::{Alarm, InsufficientData, Ok};

    const S: u64 = 1_000;

    fn at(s: Option<u64>) -> Option<SimTime> {
        s.map(|s| SimTime(s * S))
    }

    #[test]
    fn missing_tasks() {
        let table = [
            // Success, short since, now, state; seconds.
            (None, Some(0), 10_000, InsufficientData),
            (Some(35), Some(0), 334, InsufficientData),
            (Some(35), Some(0), 335, Alarm),
            (Some(35), None, 335, Ok),
            (Some(35), Some(100), 399, Ok),
            (Some(35), Some(100), 400, Alarm),
        ];
        for (success, short, now, wanted) in table {
            assert_eq!(missing(at(success), at(short), SimTime(now * S)), wanted, "{success:?} {short:?} {now}");
        }
    }

    #[test]
    fn replaced_tasks() {
        let table: [(&[u64], u64, AlarmState); 6] = [
            (&[], 0, Ok),
            (&[0, 60], 60, Ok),
            (&[0, 60, 240], 240, Alarm),
            (&[0, 60, 240], 299, Alarm),
            (&[0, 60, 240], 300, Ok),
            (&[0, 0, 0], 0, Alarm),
        ];
        for (replaced, now, wanted) in table {
            let replaced: Vec<SimTime> = replaced.iter().map(|s| SimTime(s * S)).collect();
            assert_eq!(replacements(true, &replaced, SimTime(now * S)), wanted, "{replaced:?} {now}");
            assert_eq!(replacements(false, &replaced, SimTime(now * S)), InsufficientData);
        }
    }

    #[test]
    fn old_tasks_that_are_left() {
        let table = [
            (None, 4, 10_000, InsufficientData),
            (Some(35), 4, 3_634, Ok),
            (Some(35), 4, 3_635, Alarm),
            (Some(35), 0, 3_635, Ok),
        ];
        for (success, old, now, wanted) in table {
            assert_eq!(old_tasks(at(success), old, SimTime(now * S)), wanted, "{success:?} {old} {now}");
        }
    }
}
