//! The runs that are compared: one player each, one cursor for all.

use rollscope_draw::compare::{Clock, Ran};
use rollscope_draw::track::{Mark, marks};
use rollscope_engine::settings::Settings;
use rollscope_engine::{SimTime, order};
use rollscope_insight::RunView;
use rollscope_insight::account::Part;
use rollscope_insight::comparison::{
    Comparison, Fleet, Kind, SharedChange, all_failing, comparison, done_at, last_change, shared_change, short_drain,
    went_back,
};
use rollscope_player::{Player, StepUnit};
use rollscope_scenario::Document;

use super::state::State;

/// Events that are computed in one go; a few milliseconds.
const SLICE_EVENTS: u64 = 2_000;

/// One run.
pub struct Run {
    /// Of this scenario.
    document: Document,
    /// What it runs with.
    pub settings: Settings,
    /// Its revision numbers, in their order.
    pub revisions: Vec<u32>,
    /// The run with its cursor.
    pub player: Player,
    /// The last change of anything; 0 until it is computed.
    pub last: SimTime,
}

/// All of them. Those whose scenario the service refuses are absent.
#[derive(Default)]
pub struct Runs {
    /// In the order of the scenarios.
    pub all: Vec<Option<Run>>,
    /// The clock of all; of nothing until all are computed.
    pub clock: Clock,
    /// The table and its words, once all are computed.
    pub comparison: Option<Comparison>,
    /// A change that would shorten all of them.
    pub shared: Option<SharedChange>,
    /// The marks of all, ascending.
    pub marks: Vec<Mark>,
    decisions: Vec<SimTime>,
    events: Vec<SimTime>,
    /// Runs that are only asked one question, the next one last.
    trials: Vec<Trial>,
    /// How long each takes to go back when all its tasks fail; as far as it is worked out.
    failing: Vec<Option<u64>>,
    /// When each would be done with a short drain; as far as it is worked out.
    shorter: Vec<Option<u64>>,
    worked_out: bool,
}

/// A run that is asked one question.
enum Trial {
    /// When does it go back? Absent: never.
    Failing(Option<Box<Player>>),
    /// When is it done with a short drain?
    Shorter(Box<Player>),
}

impl Runs {
    /// Takes over scenarios; the runs of those that stay the same are kept.
    pub fn load(&mut self, state: &State) {
        let mut kept: Vec<Run> = std::mem::take(&mut self.all).into_iter().flatten().collect();
        let mut take = |document: &Document| {
            let index = kept.iter().position(|run| run.document == *document)?;
            Some(kept.swap_remove(index))
        };
        let scenarios = state.scenarios.iter();
        self.all = scenarios
            .map(|one| {
                take(&one.document).or_else(|| {
                    let settings = one.settings()?;
                    let player = Player::new(settings.clone());
                    let revisions = settings.revisions.iter().map(|revision| revision.number).collect();
                    Some(Run { document: one.document.clone(), settings, revisions, player, last: SimTime::ZERO })
                })
            })
            .collect();
        (self.comparison, self.shared, self.worked_out) = (None, None, false);
        self.failing.clear();
        self.shorter.clear();
        self.trials.clear();
    }

    /// The runs that there are, with their index.
    pub fn each(&self) -> impl Iterator<Item = (usize, &Run)> {
        self.all.iter().enumerate().filter_map(|(index, run)| Some((index, run.as_ref()?)))
    }

    /// All scenarios run.
    pub fn all_run(&self) -> bool {
        self.all.iter().all(Option::is_some)
    }

    /// What runs in them.
    pub fn fleet(&self) -> Fleet {
        let kinds: Vec<Kind> = self.each().map(|(_, run)| Kind::of(&run.settings)).collect();
        Fleet::of(&kinds)
    }

    /// All are computed to their ends.
    pub fn complete(&self) -> bool {
        self.each().all(|(_, run)| run.player.complete())
    }

    /// Computes a little further, or works out one of the figures that need a run of their own.
    /// True while something is left.
    pub fn work(&mut self) -> bool {
        if let Some(run) = self.all.iter_mut().flatten().find(|run| !run.player.complete()) {
            run.player.advance(SLICE_EVENTS);
            if self.complete() {
                self.settle();
            }
            return true;
        }
        if self.worked_out || !self.all_run() {
            return false;
        }
        if self.comparison.is_none() {
            // First what is known at once; the last row follows.
            self.settle();
            self.compare();
            let player = |settings: Settings| Box::new(Player::new(settings));
            let trials = self.each().map(|(_, run)| Trial::Failing(all_failing(&run.settings).map(player)));
            self.trials = trials.collect();
            self.trials.reverse();
            return true;
        }
        match self.trials.last_mut() {
            Some(Trial::Failing(Some(player)) | Trial::Shorter(player)) if !player.complete() => {
                player.advance(SLICE_EVENTS);
            }
            Some(_) => self.answered(),
            None => self.finish(),
        }
        true
    }

    /// The next trial is over.
    fn answered(&mut self) {
        match self.trials.pop() {
            Some(Trial::Failing(player)) => {
                self.failing.push(player.and_then(|player| went_back(RunView::of_player(&player))));
                if self.trials.is_empty() {
                    self.compare();
                    self.try_shorter();
                }
            }
            Some(Trial::Shorter(player)) => {
                self.shorter.push(done_at(RunView::of_player(&player)).map(SimTime::ms));
            }
            None => {}
        }
    }

    /// Puts up the trials of a change of all, where there is one worth trying.
    fn try_shorter(&mut self) {
        let settings: Vec<&Settings> = self.each().map(|(_, run)| &run.settings).collect();
        let largest = self.comparison.as_ref().and_then(|comparison| comparison.largest.as_ref());
        let shorter = largest.and_then(|largest| short_drain(&settings, largest)).unwrap_or_default();
        self.trials = shorter.into_iter().rev().map(|one| Trial::Shorter(Box::new(Player::new(one)))).collect();
    }

    /// All trials are over.
    fn finish(&mut self) {
        let done = self.comparison.as_ref().and_then(|comparison| comparison.rows.first());
        let tried = done.filter(|row| row.figures.len() == self.shorter.len());
        self.shared = tried.and_then(|row| shared_change(&row.figures, &self.shorter));
        self.worked_out = true;
    }

    /// The last row is there.
    pub fn worked_out(&self) -> bool {
        self.worked_out
    }

    fn compare(&mut self) {
        let views: Vec<RunView<'_>> = self.each().map(|(_, run)| RunView::of_player(&run.player)).collect();
        self.comparison = Some(comparison(&views, &self.failing));
    }

    /// What holds once all are computed: the clock, the marks, the moments to step to.
    fn settle(&mut self) {
        for run in self.all.iter_mut().flatten() {
            run.last = last_change(RunView::of_player(&run.player));
        }
        let folds: Vec<Vec<(SimTime, SimTime)>> = self
            .each()
            .map(|(_, run)| run.player.timeline().folds().iter().map(|fold| (fold.from, fold.to)).collect())
            .collect();
        let ran: Vec<Ran<'_>> = self.each().zip(&folds).map(|((_, run), idle)| Ran { end: run.last, idle }).collect();
        self.clock = Clock::of(&ran);
        let end = self.clock.end;
        let moments = |pick: fn(&Run) -> &[SimTime]| {
            let mut all: Vec<SimTime> =
                self.each().flat_map(|(_, run)| pick(run)).copied().filter(|at| *at <= end).collect();
            order::by_key(&mut all, |at| *at);
            all.dedup();
            all
        };
        let decisions = moments(|run| run.player.timeline().decisions());
        let events = moments(|run| run.player.timeline().events());
        let mut all: Vec<Mark> = self.each().flat_map(|(_, run)| marks(run.player.timeline().records())).collect();
        order::by_key(&mut all, |mark| mark.at);
        (self.decisions, self.events, self.marks) = (decisions, events, all);
    }

    /// Moments with a decision in any run, ascending.
    pub fn decisions(&self) -> &[SimTime] {
        &self.decisions
    }

    /// Puts all cursors at a moment; a run that is over stays at its end.
    pub fn seek(&mut self, at: SimTime) {
        for run in self.all.iter_mut().flatten() {
            run.player.seek(at);
        }
    }

    /// The moment one step on or back from `at`: of the runs together.
    pub fn step(&self, at: SimTime, unit: StepUnit, on: bool) -> SimTime {
        let end = self.clock.end;
        let list = match unit {
            StepUnit::Second if on => return SimTime(at.ms() / 1_000 * 1_000 + 1_000).min(end.max(at)),
            StepUnit::Second => return at.ms().checked_sub(1).map_or(SimTime::ZERO, |ms| SimTime(ms / 1_000 * 1_000)),
            StepUnit::Event | StepUnit::Change => &self.events,
            StepUnit::Decision => &self.decisions,
        };
        if on {
            list.get(list.partition_point(|step| *step <= at)).copied().unwrap_or(end.max(at))
        } else {
            list.partition_point(|step| *step < at).checked_sub(1).map_or(SimTime::ZERO, |index| list[index])
        }
    }

    /// The parts that any of the accounts has, in the order of a task's life.
    pub fn parts(&self) -> Vec<Part> {
        let Some(comparison) = &self.comparison else { return Vec::new() };
        let shares = || comparison.accounts.iter().flatten().flat_map(|account| &account.parts);
        Part::ALL.into_iter().filter(|part| shares().any(|share| share.part == *part)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const S: u64 = 1_000;

    fn runs(link: &str) -> (State, Runs) {
        let (state, _) = State::read(link).expect("it opens");
        let mut runs = Runs::default();
        runs.load(&state);
        while runs.work() {}
        (state, runs)
    }

    const TWO: &str = "compare/v1&desired=4&max=200&t.healthy_after=45s&t.gone_after=30s&quotas=none/v1&desired=4&max=125&t.healthy_after=45s&t.gone_after=30s&quotas=none";

    #[test]
    fn one_clock_and_the_steps_of_all() {
        let (_, mut runs) = runs(TWO);
        assert_eq!(runs.clock.end, SimTime(300 * S), "four rounds of 1:15");
        let comparison = runs.comparison.clone().expect("a table");
        assert_eq!(comparison.ends, [SimTime(75 * S), SimTime(300 * S)]);
        assert!(runs.worked_out() && runs.decisions().first() == Some(&SimTime::ZERO));
        runs.seek(SimTime(100 * S));
        let healthy: Vec<u32> = runs.all.iter_mut().flatten().map(|run| run.player.frame().counts.healthy()).collect();
        assert_eq!(healthy, [4, 4]);
        let on = runs.step(SimTime(46 * S), StepUnit::Decision, true);
        assert_eq!(on, SimTime(75 * S), "A is over, B starts the next task");
        assert_eq!(runs.step(on, StepUnit::Decision, false), SimTime(45 * S));
        assert_eq!(runs.step(SimTime(1_500), StepUnit::Second, true), SimTime(2 * S));
        assert_eq!(runs.step(SimTime(300 * S), StepUnit::Event, true), SimTime(300 * S));
    }

    #[test]
    fn what_stays_the_same_is_not_computed_again() {
        let (mut state, mut runs) = runs(TWO);
        assert!(state.swap());
        runs.load(&state);
        assert!(runs.complete() && runs.comparison.is_none());
        while runs.work() {}
        assert_eq!(runs.comparison.expect("a table").ends, [SimTime(300 * S), SimTime(75 * S)]);
    }

    #[test]
    fn what_the_service_refuses_does_not_run_and_the_others_do() {
        let (_, runs) = runs("compare/v1&desired=4&max=200/v1&desired=4&max=90");
        assert!(runs.all[0].is_some() && runs.all[1].is_none() && !runs.all_run());
        assert!(runs.comparison.is_none() && runs.clock.end > SimTime::ZERO);
    }
}
