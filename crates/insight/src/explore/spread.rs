//! The same scenario with other luck: how far durations spread.

use rollscope_engine::order;
use rollscope_engine::settings::{EVENT_BUDGET_PAGE, Settings};
use rollscope_player::Player;
use rollscope_scenario::Document;

use crate::comparison::{Figure, summary};
use crate::run::RunView;

/// Runs of a spread.
pub const RUNS: u64 = 200;
/// Runs after which it is known whether luck plays a part at all.
const FIRST: usize = 8;
const SLICE_EVENTS: u64 = 2_000;

/// Runs with one seed after the other.
pub struct Spread {
    document: Document,
    first_seed: u64,
    running: Option<Box<Player>>,
    /// Seed and duration of each run, in the order of seeds; absent where it is never over.
    pub runs: Vec<(u64, Option<u64>)>,
}

/// What the runs come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Half of them take no longer, in milliseconds; absent where they are never over.
    pub median: Option<u64>,
    /// Nine in ten.
    pub ninety: Option<u64>,
    /// 99 in a hundred.
    pub ninety_nine: Option<u64>,
    /// The longest, with its seed.
    pub worst: (u64, Option<u64>),
}

impl Spread {
    /// Of this scenario, beginning with its own seed; nothing is computed yet.
    pub fn new(document: &Document) -> Spread {
        let first_seed = document.seed.and_then(|seed| u64::try_from(seed).ok()).unwrap_or(1);
        Spread { document: document.clone(), first_seed, running: None, runs: Vec::new() }
    }

    fn settings(&self, seed: u64) -> Option<Settings> {
        let mut settings = self.document.resolve().ok()?.settings;
        (settings.seed, settings.event_budget) = (seed, EVENT_BUDGET_PAGE);
        Some(settings)
    }

    /// Computes a little further. True while something is left.
    pub fn work(&mut self) -> bool {
        if self.complete() {
            return false;
        }
        let seed = self.first_seed.wrapping_add(self.runs.len() as u64);
        if self.running.is_none() {
            self.running = self.settings(seed).map(|settings| Box::new(Player::new(settings)));
        }
        let Some(player) = &mut self.running else { return false };
        player.advance(SLICE_EVENTS);
        if player.complete() {
            let done = match summary(RunView::of_player(player)).done {
                Figure::Time(ms) => Some(ms),
                _ => None,
            };
            self.runs.push((seed, done));
            self.running = None;
        }
        true
    }

    /// All runs are computed, or it is known that they are all alike.
    pub fn complete(&self) -> bool {
        self.runs.len() as u64 >= RUNS || self.is_still()
    }

    /// Luck plays no part: the first runs are alike.
    pub fn is_still(&self) -> bool {
        self.runs.len() >= FIRST && self.runs.iter().take(FIRST).all(|run| run.1 == self.runs[0].1)
    }

    /// What the runs come to; absent before the first one.
    pub fn figures(&self) -> Option<Figures> {
        let mut sorted = self.runs.clone();
        // One that is never over is the longest.
        order::by_key(&mut sorted, |(seed, done)| (done.unwrap_or(u64::MAX), *seed));
        let last = sorted.len().checked_sub(1)?;
        let at = |percent: usize| sorted[(sorted.len() * percent).div_ceil(100).saturating_sub(1)].1;
        Some(Figures { median: at(50), ninety: at(90), ninety_nine: at(99), worst: sorted[last] })
    }

    /// The runs that end, in so many parts of equal length: where each begins, and the durations in it.
    pub fn bins(&self, count: u64) -> Vec<(u64, Vec<u64>)> {
        let all = || self.runs.iter().filter_map(|(_, done)| *done);
        let (Some(least), Some(most)) = (all().min(), all().max()) else { return Vec::new() };
        let width = ((most - least) / count.max(1)) + 1;
        let part = |index: u64| {
            let from = least + index * width;
            let mut inside: Vec<u64> = all().filter(|ms| (from..from + width).contains(ms)).collect();
            order::by_key(&mut inside, |ms| *ms);
            (from, inside)
        };
        (0..count.max(1)).map(part).collect()
    }

    /// Runs that take longer than so many milliseconds.
    pub fn longer_than(&self, ms: u64) -> usize {
        self.runs.iter().filter(|(_, done)| done.is_none_or(|done| done > ms)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_of_a_spread() {
        let document = Document::from_text(
            r#"{"service":{"desiredCount":2,"deploymentConfiguration":{"maximumPercent":150}},"timing":{"pull":{"uniform":["10s","60s"]}}}"#,
        )
        .document;
        let mut spread = Spread::new(&document);
        while spread.work() {}
        assert_eq!((spread.runs.len() as u64, spread.is_still()), (RUNS, false));
        let figures = spread.figures().expect("figures");
        assert!(figures.median < figures.ninety && figures.ninety <= figures.ninety_nine);
        assert!(figures.ninety_nine <= figures.worst.1);
        let half = spread.longer_than(figures.median.expect("it ends"));
        assert!((90..=100).contains(&half), "{half}");
        let bins = spread.bins(12);
        assert_eq!((bins.len(), bins.iter().map(|bin| bin.1.len()).sum::<usize>()), (12, RUNS as usize));
        // The worst one can be opened: its seed alone gives its duration.
        let mut again = Spread::new(&Document { seed: i64::try_from(figures.worst.0).ok(), ..document });
        while again.runs.is_empty() && again.work() {}
        assert_eq!(again.runs[0], figures.worst);
    }

    #[test]
    fn without_a_spread_of_times_all_runs_are_alike() {
        let mut spread = Spread::new(&Document::from_text(r#"{"service":{"desiredCount":2}}"#).document);
        while spread.work() {}
        assert!(spread.is_still() && spread.runs.len() == FIRST);
    }
}
