//! The list of events: which lines there are. Their sentences are made for the rows in view.

use std::collections::HashMap;
use std::rc::Rc;

use rollscope_engine::SimTime;
use rollscope_engine::kubernetes::Change;
use rollscope_engine::settings::{AlarmState, TaskName};
use rollscope_engine::trace::{DeploymentId, Record, TaskChange, TaskRef, What};
use rollscope_insight::guarding::is_uncounted_failure;
use rollscope_player::is_failure;

use super::moment::{Scenes, state_after};
use crate::app::model::Filter;
use crate::parts::rows::Rows;
use crate::text;

/// Tasks that did the same at one moment share a line when they are more than this.
const APART: usize = 3;

/// What is listed.
#[derive(Clone, Debug, PartialEq)]
pub struct Wanted {
    /// Which events.
    pub filter: Filter,
    /// The selected task, where the filter asks for it.
    pub selected: Option<TaskName>,
    /// Only events with this text.
    pub query: String,
}

/// One line: a record, or several that tell the same of several tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// When.
    pub at: SimTime,
    from: u32,
    count: u32,
}

/// The lines of a run.
#[derive(Debug)]
pub struct Listing {
    entries: Vec<Entry>,
    /// Indices of records, those of one line beside each other.
    members: Vec<u32>,
    /// The lines by their height.
    pub rows: Rc<Rows>,
}

impl Listing {
    /// The lines of what is wanted. `scenes` gives what sentences refer to.
    pub fn new(records: &[Record], wanted: &Wanted, scenes: &Scenes) -> Listing {
        let listed = (0..records.len()).filter(|index| passes(&records[*index], wanted));
        let mut listing = group(records, listed);
        let query = Query::read(&wanted.query);
        if !query.is_empty() {
            listing.keep(records, &query, scenes);
        }
        listing.rows = Rc::new(Rows::new(listing.entries.iter().map(|entry| listing.is_tall(records, entry))));
        listing
    }

    /// A line.
    pub fn entry(&self, line: usize) -> Option<&Entry> {
        self.entries.get(line)
    }

    /// The last line at or before a moment.
    pub fn line_at(&self, at: SimTime) -> Option<usize> {
        self.entries.partition_point(|entry| entry.at <= at).checked_sub(1)
    }

    /// Records of a line.
    pub fn members(&self, entry: &Entry) -> &[u32] {
        &self.members[entry.from as usize..(entry.from + entry.count) as usize]
    }

    /// The record that stands for a line.
    pub fn first(&self, entry: &Entry) -> usize {
        self.members[entry.from as usize] as usize
    }

    /// A line gets two lines of text, but for a plain change of one task, which is always short.
    pub fn is_tall(&self, records: &[Record], entry: &Entry) -> bool {
        match records[self.first(entry)].what {
            What::Task { change, .. } => entry.count > 1 || state_after(change).is_none(),
            _ => true,
        }
    }

    fn push(&mut self, at: SimTime, members: impl Iterator<Item = u32>) {
        let from = self.members.len();
        self.members.extend(members);
        self.entries.push(Entry { at, from: from as u32, count: (self.members.len() - from) as u32 });
    }

    fn keep(&mut self, records: &[Record], query: &Query, scenes: &Scenes) {
        let mut templates = Templates::default();
        let entries = std::mem::take(&mut self.entries);
        let found = entries.into_iter().filter(|entry| query.finds(self, records, entry, scenes, &mut templates));
        let found: Vec<Entry> = found.collect();
        self.entries = found;
    }
}

fn passes(record: &Record, wanted: &Wanted) -> bool {
    match wanted.filter {
        Filter::All => true,
        Filter::Decisions => match record.what {
            What::Decision(_) => true,
            What::Kubernetes(change) => change.is_decision(),
            What::Asg(change) => change.is_decision(),
            What::Vm(change) => change.is_decision(),
            _ => false,
        },
        Filter::Failures => {
            let fires = matches!(record.what, What::Alarm { state: AlarmState::Alarm, .. });
            fires || is_failure(&record.what) || is_uncounted_failure(&record.what)
        }
        Filter::Selected => wanted.selected.is_some() && task_of(record).map(|task| task.name) == wanted.selected,
    }
}

/// The task a record is about.
pub fn task_of(record: &Record) -> Option<TaskRef> {
    match record.what {
        What::Task { task, .. } | What::CountReset { task, .. } => Some(task),
        What::Failure(failure) => failure.task,
        What::Kubernetes(Change::Pod { pod, .. } | Change::Placed { pod, .. } | Change::Removed { pod, .. }) => {
            Some(pod)
        }
        What::Asg(rollscope_engine::asg::Change::Instance { instance, .. }) => Some(instance),
        What::Vm(rollscope_engine::vm::Change::Machine { machine, .. }) => Some(machine),
        _ => None,
    }
}

/// What tasks have to share to stand in one line: revision and kind of change.
type Kind = (u32, std::mem::Discriminant<TaskChange>);

/// Records of one moment that nothing parts yet, in the order in which it happened.
#[derive(Default)]
struct Open {
    records: Vec<(Kind, u32)>,
    /// How many there are of each kind, and whether they have their line.
    kinds: Vec<(Kind, usize, bool)>,
}

impl Open {
    fn add(&mut self, kind: Kind, index: u32) {
        self.records.push((kind, index));
        match self.kinds.iter_mut().find(|(other, ..)| *other == kind) {
            Some((_, count, _)) => *count += 1,
            None => self.kinds.push((kind, 1, false)),
        }
    }

    /// Writes them down: many of a kind as one line, a few as one line each.
    fn close(&mut self, listing: &mut Listing, at: SimTime) {
        for &(kind, index) in &self.records {
            let Some((_, count, done)) = self.kinds.iter_mut().find(|(other, ..)| *other == kind) else { continue };
            if *count <= APART {
                listing.push(at, std::iter::once(index));
            } else if !std::mem::replace(done, true) {
                let alike = self.records.iter().filter(|(other, _)| *other == kind);
                listing.push(at, alike.map(|(_, index)| *index));
            }
        }
        self.records.clear();
        self.kinds.clear();
    }
}

/// More than three tasks of a revision that did the same at one moment are one line. Failures stand
/// alone, and what stands alone parts what comes before it from what comes after it.
fn group(records: &[Record], listed: impl Iterator<Item = usize>) -> Listing {
    let mut listing =
        Listing { entries: Vec::new(), members: Vec::new(), rows: Rc::new(Rows::new(std::iter::empty())) };
    let (mut open, mut at) = (Open::default(), SimTime::ZERO);
    for index in listed {
        let record = &records[index];
        if at != record.at {
            open.close(&mut listing, at);
            at = record.at;
        }
        match record.what {
            What::Task { task, change } if !is_failure(&record.what) => {
                open.add((task.name.revision, std::mem::discriminant(&change)), index as u32);
            }
            _ => {
                open.close(&mut listing, at);
                listing.push(at, std::iter::once(index as u32));
            }
        }
    }
    open.close(&mut listing, at);
    listing
}

/// What was typed into the search field. All of it has to be found.
#[derive(Debug, Default, PartialEq, Eq)]
struct Query {
    /// Names of tasks, also `8.3`.
    names: Vec<TaskName>,
    /// Moments as they begin: `1:4`.
    clocks: Vec<String>,
    /// Words without a digit, in lower case.
    words: Vec<String>,
    /// Words with digits, in lower case.
    digits: Vec<String>,
}

impl Query {
    fn read(text: &str) -> Query {
        let mut query = Query::default();
        for word in text.split_whitespace().map(str::to_ascii_lowercase) {
            if let Some(name) = name_of(&word) {
                query.names.push(name);
            } else if word.contains(':') && word.starts_with(|c: char| c.is_ascii_digit()) {
                query.clocks.push(word);
            } else if word.contains(|c: char| c.is_ascii_digit()) {
                query.digits.push(word.replace('.', "·"));
            } else {
                query.words.push(word);
            }
        }
        query
    }

    fn is_empty(&self) -> bool {
        self.names.is_empty() && self.clocks.is_empty() && self.words.is_empty() && self.digits.is_empty()
    }

    fn finds(
        &self,
        listing: &Listing,
        records: &[Record],
        entry: &Entry,
        scenes: &Scenes,
        templates: &mut Templates,
    ) -> bool {
        if !self.clocks.iter().all(|clock| text::clock(entry.at).starts_with(&**clock)) {
            return false;
        }
        let first = &records[listing.first(entry)];
        let What::Task { task, change } = first.what else {
            let sentence = scenes.line(first, 1).to_ascii_lowercase();
            let named = |name: &TaskName| names_in(&sentence, &scenes.names().task(*name).to_ascii_lowercase());
            return self.names.iter().all(named)
                && self.words.iter().chain(&self.digits).all(|word| sentence.contains(&**word));
        };
        // The words of a task's change are the same for every task; only names and slots differ.
        let words = templates.of(first, task, change, entry.count, scenes);
        if !self.words.iter().all(|word| words.contains(&**word)) {
            return false;
        }
        let members = || listing.members(entry).iter().filter_map(|index| task_of(&records[*index as usize]));
        let mut buffer = String::new();
        let mut has = |task: TaskRef, digits: &str| {
            use std::fmt::Write;
            buffer.clear();
            let _ = write!(buffer, "{} {}", scenes.names().task(task.name), task.slot + 1);
            buffer.contains(digits)
        };
        self.names.iter().all(|name| members().any(|task| task.name == *name))
            && self.digits.iter().all(|digits| members().any(|task| has(task, digits)))
    }
}

/// `8·3`, `8.3` or `8-3`.
fn name_of(word: &str) -> Option<TaskName> {
    let (revision, start) = word.split_once(['·', '.', '-'])?;
    Some(TaskName { revision: revision.parse().ok()?, start: start.parse().ok()? })
}

/// The name stands in the sentence, not as a part of a longer one.
fn names_in(sentence: &str, name: &str) -> bool {
    sentence.match_indices(name).any(|(at, _)| {
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        !digit(sentence[..at].chars().next_back()) && !digit(sentence[at + name.len()..].chars().next())
    })
}

/// The words of each kind of change, made once: its line and its sentence.
#[derive(Default)]
struct Templates(HashMap<(TaskChange, bool), Rc<str>>);

impl Templates {
    fn of(&mut self, record: &Record, task: TaskRef, change: TaskChange, count: u32, scenes: &Scenes) -> Rc<str> {
        let key = match change {
            TaskChange::Existing { state, .. } => TaskChange::Existing { deployment: DeploymentId(0), zone: 0, state },
            TaskChange::Created { replacement, .. } => {
                TaskChange::Created { deployment: DeploymentId(0), zone: 0, replacement }
            }
            other => other,
        };
        let words = self.0.entry((key, count > 1)).or_insert_with(|| {
            let name = scenes.names().task(task.name);
            scenes.all_words(record, count).replace(&name, "").to_ascii_lowercase().into()
        });
        Rc::clone(words)
    }
}

#[cfg(test)]
mod tests {
    use rollscope_engine::trace::{Decision, InstanceId, Reason, Rule, StopCause, StopCode};

    use super::*;

    fn task(at: u64, start: u32, change: TaskChange) -> Record {
        let name = TaskName { revision: 8, start };
        let task = TaskRef { id: InstanceId(start), slot: start - 1, name };
        Record { at: SimTime(at), what: What::Task { task, change } }
    }

    fn decision(at: u64) -> Record {
        let reason = Reason::Completed { desired: 4 };
        Record { at: SimTime(at), what: What::Decision(Decision { rule: Rule::Completion, reason, first: None }) }
    }

    fn all() -> Wanted {
        Wanted { filter: Filter::All, selected: None, query: String::new() }
    }

    fn searched(query: &str) -> Wanted {
        Wanted { query: query.to_owned(), ..all() }
    }

    fn lines(records: &[Record], wanted: &Wanted) -> Vec<Vec<u32>> {
        let listing = Listing::new(records, wanted, &Scenes::default());
        listing.entries.iter().map(|entry| listing.members(entry).to_vec()).collect()
    }

    #[test]
    fn more_than_three_alike_at_one_moment_are_one_line() {
        let mut records: Vec<Record> = (1..=4).map(|n| task(5, n, TaskChange::Healthy)).collect();
        assert_eq!(lines(&records, &all()), [[0, 1, 2, 3]]);
        records.pop();
        assert_eq!(lines(&records, &all()), [[0], [1], [2]]);
        // Another moment is another line.
        records.push(task(6, 4, TaskChange::Healthy));
        assert_eq!(lines(&records, &all()).len(), 4);
    }

    #[test]
    fn what_happens_by_turns_is_parted_by_kind() {
        let mut records = Vec::new();
        for n in 1..=4 {
            records.push(task(5, n, TaskChange::StopDecided(StopCause::Replaced)));
            records.push(task(5, n, TaskChange::Draining));
        }
        assert_eq!(lines(&records, &all()), [[0, 2, 4, 6], [1, 3, 5, 7]]);
        // A few of them stay in the order in which it happened.
        assert_eq!(lines(&records[..4], &all()), [[0], [1], [2], [3]]);
    }

    #[test]
    fn a_failure_and_a_decision_stand_alone_and_part_the_rest() {
        let mut records: Vec<Record> = (1..=2).map(|n| task(5, n, TaskChange::Healthy)).collect();
        records.push(decision(5));
        records.extend((3..=4).map(|n| task(5, n, TaskChange::Healthy)));
        assert_eq!(lines(&records, &all()).len(), 5);
        let failed = TaskChange::Stopped(StopCode::TaskFailedToStart);
        let failures: Vec<Record> = (1..=9).map(|n| task(5, n, failed)).collect();
        assert_eq!(lines(&failures, &all()).len(), 9);
    }

    #[test]
    fn filters() {
        let failed = TaskChange::Stopped(StopCode::TaskFailedToStart);
        let alarm = |at, state| Record { at: SimTime(at), what: What::Alarm { alarm: 0, state } };
        let records = [
            task(1, 1, TaskChange::Running),
            decision(2),
            task(3, 2, failed),
            alarm(4, AlarmState::Alarm),
            alarm(5, AlarmState::Ok),
        ];
        let with = |filter, selected| lines(&records, &Wanted { filter, selected, query: String::new() });
        assert_eq!(with(Filter::Decisions, None), [[1]]);
        assert_eq!(with(Filter::Failures, None), [[2], [3]]);
        let selected = Some(TaskName { revision: 8, start: 1 });
        assert_eq!(with(Filter::Selected, selected), [[0]]);
        assert_eq!(with(Filter::Selected, None), Vec::<Vec<u32>>::new());
    }

    #[test]
    fn searches_find_names_slots_moments_and_words() {
        let mut records = vec![
            task(1_000, 3, TaskChange::Running),
            task(2_000, 30, TaskChange::Running),
            task(63_000, 4, TaskChange::Sigterm),
            decision(64_000),
        ];
        records.extend((40..50).map(|n| task(70_000, n, TaskChange::Healthy)));
        let cases: [(&str, &[u32]); 11] = [
            ("8·3", &[0]),
            ("8.30", &[1]),
            ("8-99", &[]),
            ("running", &[0, 1]),
            ("RUNNING 30", &[1]),
            ("stop signal", &[2]),
            ("sigterm", &[2]),
            ("1:0", &[2, 3]),
            ("completed", &[3]),
            ("all 4", &[3]),
            ("8·45 healthy", &[4]),
        ];
        for (query, found) in cases {
            let firsts: Vec<u32> = lines(&records, &searched(query)).iter().map(|members| members[0]).collect();
            assert_eq!(firsts, found, "{query}");
        }
        assert_eq!(lines(&records, &searched("  ")).len(), 5);
    }

    #[test]
    fn the_line_at_a_moment() {
        let records = [task(10, 1, TaskChange::Running), task(20, 1, TaskChange::Healthy)];
        let listing = Listing::new(&records, &all(), &Scenes::default());
        let at = |ms| listing.line_at(SimTime(ms));
        assert_eq!((at(9), at(10), at(19), at(20), at(99)), (None, Some(0), Some(0), Some(1), Some(1)));
    }

    #[test]
    fn only_the_change_of_one_task_has_one_line() {
        let heights = crate::parts::rows::Heights { one: 1.0, two: 2.0 };
        let high = |records: &[Record]| Listing::new(records, &all(), &Scenes::default()).rows.height(heights);
        assert_eq!(high(&[task(10, 1, TaskChange::Running), decision(20)]), 3.0);
        assert_eq!(high(&[task(10, 1, TaskChange::UnhealthyInGrace)]), 2.0);
        let many: Vec<Record> = (1..=9).map(|start| task(10, start, TaskChange::Running)).collect();
        assert_eq!(high(&many), 2.0, "one line for all of them");
    }
}
