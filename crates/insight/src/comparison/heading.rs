//! The difference between the runs as data for one sentence. It weighs nothing: what is better is the reader's.

use super::figure::{Figure, Row, RowKind};

/// What the sentence is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heading {
    /// No figure differs.
    Same,
    /// Two runs: how the second differs from the first, at most three clauses.
    Pair(Vec<Clause>),
    /// Some are never done: what each row of `DoneAfter` says.
    Ends(Vec<Figure>),
    /// Three or more that are done: the first and the last one with their run, and the range of tasks.
    Range {
        /// Run and milliseconds of the one that is done first.
        first: (usize, u64),
        /// Run and milliseconds of the one that is done last.
        last: (usize, u64),
        /// Run and count of the one with the fewest tasks at its peak.
        fewest: (usize, u32),
        /// Run and count of the one with the most.
        most: (usize, u32),
    },
}

/// One clause about the second of two runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clause {
    /// Its extra capacity against the first one's.
    Extra(Ratio),
    /// Its time until it is done against the first one's.
    Wait(Ratio),
    /// Fewest healthy tasks: of the first, of the second.
    Healthy(u32, u32),
    /// How long both versions serve, in milliseconds: of the first, of the second.
    Both(u64, u64),
}

/// A number against another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ratio {
    /// Equal.
    Same,
    /// Exactly this many times as much: 2 to 10.
    Times(u32),
    /// In tenths, rounded: 15 (1.5 times) and more.
    Tenths(u64),
    /// Exactly one part of so many: 2 to 4.
    Part(u32),
    /// More by whole per cent, rounded, at least 1.
    More(u32),
    /// Less by whole per cent, rounded, at least 1.
    Less(u32),
    /// Something against nothing.
    FromNothing,
    /// Nothing against something.
    ToNothing,
}

impl Ratio {
    /// Of `b` to `a`.
    pub fn of(a: u64, b: u64) -> Ratio {
        match (a, b) {
            _ if a == b => Ratio::Same,
            (0, _) => Ratio::FromNothing,
            (_, 0) => Ratio::ToNothing,
            _ if b > a && b.is_multiple_of(a) && b / a <= 10 => Ratio::Times((b / a) as u32),
            _ if a > b && a.is_multiple_of(b) && a / b <= 4 => Ratio::Part((a / b) as u32),
            _ => Ratio::rounded(u128::from(a), u128::from(b)),
        }
    }

    fn rounded(a: u128, b: u128) -> Ratio {
        let tenths = (b * 10 + a / 2) / a;
        if tenths >= 15 {
            return Ratio::Tenths(u64::try_from(tenths).unwrap_or(u64::MAX));
        }
        let per_cent = ((a.abs_diff(b) * 100 + a / 2) / a).max(1) as u32;
        if b > a { Ratio::More(per_cent) } else { Ratio::Less(per_cent.min(99)) }
    }
}

pub(super) fn heading(rows: &[Row]) -> Heading {
    if rows.iter().all(Row::is_same) {
        return Heading::Same;
    }
    let figures = |kind: RowKind| rows.iter().find(|row| row.kind == kind).map_or(&[][..], |row| &row.figures[..]);
    let numbers = |kind: RowKind| figures(kind).iter().filter_map(|figure| figure.number()).collect::<Vec<u64>>();
    let done = numbers(RowKind::DoneAfter);
    let all = figures(RowKind::DoneAfter);
    if done.len() < all.len() {
        return Heading::Ends(all.to_vec());
    }
    if let [a, b] = done[..] {
        return pair((a, b), rows);
    }
    let peaks = numbers(RowKind::MostAtOnce);
    let least = |list: &[u64]| list.iter().copied().enumerate().min_by_key(|(_, n)| *n).unwrap_or_default();
    // Of equal ones the first.
    let most = |list: &[u64]| list.iter().copied().enumerate().rev().max_by_key(|(_, n)| *n).unwrap_or_default();
    let count = |(index, n): (usize, u64)| (index, n as u32);
    Heading::Range { first: least(&done), last: most(&done), fewest: count(least(&peaks)), most: count(most(&peaks)) }
}

fn pair((a, b): (u64, u64), rows: &[Row]) -> Heading {
    let of = |kind: RowKind| {
        let row = rows.iter().find(|row| row.kind == kind);
        row.and_then(|row| Some((row.figures.first()?.number()?, row.figures.get(1)?.number()?, row.heavy)))
    };
    let mut clauses = Vec::new();
    clauses.extend(of(RowKind::ExtraCapacity).map(|(a, b, _)| Clause::Extra(Ratio::of(a, b))));
    clauses.push(Clause::Wait(Ratio::of(a, b)));
    let alike = clauses.iter().all(|clause| matches!(clause, Clause::Extra(Ratio::Same) | Clause::Wait(Ratio::Same)));
    let healthy = of(RowKind::FewestHealthy).filter(|(a, b, heavy)| a != b && (*heavy || alike));
    clauses.extend(healthy.map(|(a, b, _)| Clause::Healthy(a as u32, b as u32)));
    let both = of(RowKind::BothVersions).filter(|(a, b, _)| a != b && alike && healthy.is_none());
    clauses.extend(both.map(|(a, b, _)| Clause::Both(a, b)));
    Heading::Pair(clauses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::OutcomeKind;

    #[test]
    fn a_ratio_is_exact_or_rounded() {
        for (a, b, ratio) in [
            (375, 375, Ratio::Same),
            (375, 1_500, Ratio::Times(4)),
            (1_500, 375, Ratio::Part(4)),
            (2, 1, Ratio::Part(2)),
            (100, 150, Ratio::Tenths(15)),
            (100, 149, Ratio::Tenths(15)),
            (100, 144, Ratio::More(44)),
            (100, 70, Ratio::Less(30)),
            (1_000, 1, Ratio::Less(99)),
            (1_000_000, 999_999, Ratio::Less(1)),
            (10, 110, Ratio::Tenths(110)),
            (0, 5, Ratio::FromNothing),
            (5, 0, Ratio::ToNothing),
            (0, 0, Ratio::Same),
        ] {
            assert_eq!(Ratio::of(a, b), ratio, "{b} to {a}");
        }
    }

    fn row(kind: RowKind, figures: &[Figure]) -> Row {
        Row::new(kind, figures.to_vec())
    }

    #[test]
    fn who_is_never_done_is_the_difference() {
        let ends = [Figure::Time(1_000), Figure::Ends(OutcomeKind::Stuck)];
        assert_eq!(heading(&[row(RowKind::DoneAfter, &ends)]), Heading::Ends(ends.to_vec()));
        let both = [Figure::Ends(OutcomeKind::Stuck); 2];
        assert_eq!(heading(&[row(RowKind::DoneAfter, &both)]), Heading::Same);
    }

    #[test]
    fn of_three_the_ends_of_the_range() {
        let rows = [
            row(RowKind::DoneAfter, &[Figure::Time(20), Figure::Time(10), Figure::Time(20)]),
            row(RowKind::MostAtOnce, &[Figure::Count(5), Figure::Count(8), Figure::Count(8)]),
        ];
        let expected = Heading::Range { first: (1, 10), last: (0, 20), fewest: (0, 5), most: (1, 8) };
        assert_eq!(heading(&rows), expected);
    }

    #[test]
    fn alike_in_time_and_capacity_the_next_figure_is_named() {
        let same = |kind, figure| row(kind, &[figure, figure]);
        let mut rows = vec![
            same(RowKind::DoneAfter, Figure::Time(60)),
            same(RowKind::ExtraCapacity, Figure::TaskTime(4)),
            row(RowKind::FewestHealthy, &[Figure::Count(4), Figure::Count(3)]),
        ];
        let alike = [Clause::Extra(Ratio::Same), Clause::Wait(Ratio::Same)];
        let with = |clause| Heading::Pair(alike.into_iter().chain([clause]).collect());
        assert_eq!(heading(&rows), with(Clause::Healthy(4, 3)));
        rows[2] = same(RowKind::FewestHealthy, Figure::Count(4));
        rows.push(row(RowKind::BothVersions, &[Figure::Time(0), Figure::Time(9)]));
        assert_eq!(heading(&rows), with(Clause::Both(0, 9)));
    }
}
