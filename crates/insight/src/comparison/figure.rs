//! Rows of the table, and how two figures differ.

use crate::outcome::OutcomeKind;

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RowKind {
    /// From the start until the rollout is done.
    DoneAfter,
    /// Instants at which new tasks were launched.
    Rounds,
    /// Most tasks that counted against the ceiling at once.
    MostAtOnce,
    /// Kubernetes: fewest Pods that are asked for.
    FewestAsked,
    /// Most that exist at once, those on their way out included. On Amazon ECS the same as those that count.
    MostThere,
    /// Fewest healthy tasks; of Pods available ones.
    FewestHealthy,
    /// How long tasks of two revisions were healthy at once.
    BothVersions,
    /// Tasks beyond the desired count, times how long they existed.
    ExtraCapacity,
    /// From the start until the first new task is healthy.
    FirstNewServes,
    /// Failures that trip the circuit breaker.
    FailuresUntilRollback,
    /// From the start until it goes back when every new task fails to start.
    RollbackIfAllFail,
}

impl RowKind {
    /// Rows that only explain others: they are never among those that differ most.
    const fn explains(self) -> bool {
        matches!(self, RowKind::Rounds | RowKind::FailuresUntilRollback)
    }
}

/// A figure of one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Figure {
    /// Milliseconds.
    Time(u64),
    /// Tasks, rounds, failures.
    Count(u32),
    /// Task-milliseconds.
    TaskTime(u64),
    /// It is never done: how it ends.
    Ends(OutcomeKind),
    /// It never happens.
    Never,
    /// The platform has nothing of the kind.
    Absent,
}

impl Figure {
    /// The bare number; absent where there is none.
    pub fn number(self) -> Option<u64> {
        match self {
            Figure::Time(n) | Figure::TaskTime(n) => Some(n),
            Figure::Count(n) => Some(n.into()),
            Figure::Ends(_) | Figure::Never | Figure::Absent => None,
        }
    }

    /// How this figure differs from `base`; absent where one of them is no number.
    pub fn difference(self, base: Figure) -> Option<Difference> {
        let (own, other) = (self.number()?, base.number()?);
        let by = own.abs_diff(other);
        let by = match self {
            Figure::Count(_) => Figure::Count(u32::try_from(by).unwrap_or(u32::MAX)),
            Figure::TaskTime(_) => Figure::TaskTime(by),
            _ => Figure::Time(by),
        };
        Some(Difference { by, less: own < other })
    }
}

/// A difference in the unit of its figures.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Difference {
    /// By how much; 0 for equal figures.
    pub by: Figure,
    /// It is less, not more.
    pub less: bool,
}

/// A row: one figure a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// What it is about.
    pub kind: RowKind,
    /// In the order of the runs.
    pub figures: Vec<Figure>,
    /// It is one of those that differ most.
    pub heavy: bool,
}

impl Row {
    pub(super) fn new(kind: RowKind, figures: Vec<Figure>) -> Row {
        let heavy = !kind.explains() && differ_much(&figures);
        Row { kind, figures, heavy }
    }

    /// All runs have the same.
    pub fn is_same(&self) -> bool {
        self.figures.windows(2).all(|pair| pair[0] == pair[1])
    }
}

/// Figures differ much when the smallest lacks a third of the largest, or when only some are numbers.
fn differ_much(figures: &[Figure]) -> bool {
    let numbers: Vec<u64> = figures.iter().filter_map(|figure| figure.number()).collect();
    let (Some(least), Some(most)) = (numbers.iter().min(), numbers.iter().max()) else {
        return figures.windows(2).any(|pair| pair[0] != pair[1]);
    };
    numbers.len() < figures.len() || least != most && (most - least).saturating_mul(3) >= *most
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_have_a_sign_and_a_unit() {
        let more = Figure::Time(1_500).difference(Figure::Time(375));
        assert_eq!(more, Some(Difference { by: Figure::Time(1_125), less: false }));
        let less = Figure::Count(5).difference(Figure::Count(8));
        assert_eq!(less, Some(Difference { by: Figure::Count(3), less: true }));
        assert_eq!(Figure::Never.difference(Figure::Time(1)), None);
        assert_eq!(Figure::Time(1).difference(Figure::Ends(OutcomeKind::Stuck)), None);
    }

    #[test]
    fn rows_that_differ_by_a_third_are_heavy() {
        let count = |a, b| Row::new(RowKind::MostAtOnce, vec![Figure::Count(a), Figure::Count(b)]).heavy;
        assert!(count(8, 5) && count(0, 1) && count(6, 9));
        assert!(!count(8, 6) && !count(4, 4) && !count(0, 0));
        let rounds = Row::new(RowKind::Rounds, vec![Figure::Count(1), Figure::Count(4)]);
        assert!(!rounds.heavy && !rounds.is_same());
        assert!(Row::new(RowKind::DoneAfter, vec![Figure::Time(9), Figure::Ends(OutcomeKind::Stuck)]).heavy);
        assert!(!Row::new(RowKind::RollbackIfAllFail, vec![Figure::Never, Figure::Never]).heavy);
    }
}
