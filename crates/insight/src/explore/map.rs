//! The map over two settings: one run for each pair of values, neighbours that come to the same limits as one field.

use core::ops::Range;

use rollscope_engine::order;
use rollscope_engine::settings::{EVENT_BUDGET_PAGE, Settings};
use rollscope_player::Player;
use rollscope_scenario::limits::Limits;
use rollscope_scenario::{Document, Problem};

use super::pairs::{Axis, Pair};
use crate::comparison::{Figure, Summary, summary};
use crate::run::RunView;

/// Events that are computed in one go; a few milliseconds.
const SLICE_EVENTS: u64 = 2_000;

/// What is known of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It is not computed yet.
    Waiting,
    /// The platform refuses all its pairs: why it refuses the first one.
    Refused(Vec<Problem>),
    /// What its run comes to.
    Found(Summary),
}

/// A field of the map: pairs of values with one behaviour.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// Its rows, by index of the axis.
    pub rows: Range<usize>,
    /// Its columns.
    pub columns: Range<usize>,
    /// The pair that runs for all of them: the scenario's own where it is among them, else the first one that is
    /// accepted.
    pub at: (usize, usize),
    /// Its scenario.
    pub document: Document,
    /// Floor and ceiling; absent where it is refused.
    pub limits: Option<Limits>,
    /// What it comes to.
    pub known: Known,
    /// Nothing faster is as safe and as small.
    pub best: bool,
}

/// What is shown of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Measure {
    /// Until the rollout is over.
    Duration,
    /// Fewest healthy at any moment.
    FewestHealthy,
    /// Most at once, those on their way out with them.
    MostAtOnce,
    /// Extra capacity in task-time.
    Extra,
    /// Time with both versions.
    BothVersions,
}

impl Measure {
    /// All of them.
    pub const ALL: [Measure; 5] =
        [Measure::Duration, Measure::FewestHealthy, Measure::MostAtOnce, Measure::Extra, Measure::BothVersions];

    /// Its name in a link.
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Duration => "duration",
            Measure::FewestHealthy => "fewest",
            Measure::MostAtOnce => "most",
            Measure::Extra => "extra",
            Measure::BothVersions => "both",
        }
    }

    /// The figure of a run.
    pub const fn of(self, found: &Summary) -> Figure {
        match self {
            Measure::Duration => found.done,
            Measure::FewestHealthy => Figure::Count(found.fewest_healthy),
            Measure::MostAtOnce => Figure::Count(found.most),
            Measure::Extra => Figure::TaskTime(found.extra_ms),
            Measure::BothVersions => Figure::Time(found.both_ms),
        }
    }
}

/// The map.
pub struct Map {
    /// Rows.
    pub rows: Axis,
    /// Columns.
    pub columns: Axis,
    /// Rows that go together.
    pub row_groups: Vec<Range<usize>>,
    /// Columns that go together.
    pub column_groups: Vec<Range<usize>>,
    /// Its fields, row by row.
    pub fields: Vec<Field>,
    /// The field of the scenario itself; absent where its values are not those of the map.
    pub own: Option<usize>,
    /// Fields to compute, the next one last.
    left: Vec<usize>,
    running: Option<(usize, Box<Player>)>,
}

/// A pair of values: its document and what becomes of it.
struct Tried {
    document: Document,
    outcome: Result<(Settings, Limits), Vec<Problem>>,
}

fn tried(base: &rollscope_scenario::Value, axes: (&Axis, &Axis), at: (usize, usize)) -> Tried {
    let mut tree = base.clone();
    tree.set_pointer(axes.0.pointer, axes.0.values[at.0].clone());
    tree.set_pointer(axes.1.pointer, axes.1.values[at.1].clone());
    let (document, mut problems) = Document::from_value(&tree);
    problems.retain(Problem::is_error);
    let outcome = match document.resolve() {
        Ok(resolved) if problems.is_empty() => {
            let mut settings = resolved.settings;
            settings.event_budget = EVENT_BUDGET_PAGE;
            Ok((settings, resolved.limits))
        }
        Ok(_) => Err(problems),
        Err(found) => Err(found),
    };
    Tried { document, outcome }
}

/// Neighbours that have the same limits everywhere; a pair that is refused stands in nobody's way.
fn groups(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    for index in 0..count {
        match out.last_mut() {
            Some(last) if last.clone().all(|before| alike(before, index)) => last.end = index + 1,
            _ => out.push(index..index + 1),
        }
    }
    out
}

impl Map {
    /// The map of a scenario over two settings; nothing is computed yet.
    ///
    /// Example: 4 tasks over 11 minimums and 11 maximums are 25 fields: floors 4, 3, 2, 1 and 0, ceilings 4 to 8.
    pub fn new(document: &Document, pair: &Pair) -> Map {
        let (rows, columns) = pair.axes(document);
        let base = document.to_json();
        let (height, width) = (rows.values.len(), columns.values.len());
        let all: Vec<Vec<Tried>> = (0..height)
            .map(|row| (0..width).map(|column| tried(&base, (&rows, &columns), (row, column))).collect())
            .collect();
        // Only the dials round: what is equal elsewhere is so by chance.
        let dials = pair.name == "limits";
        let limits = |row: usize, column: usize| all[row][column].outcome.as_ref().ok().map(|(_, limits)| *limits);
        let same = |one: Option<Limits>, other: Option<Limits>| one.is_none() || other.is_none() || one == other;
        let row_groups =
            groups(height, |a, b| dials && (0..width).all(|column| same(limits(a, column), limits(b, column))));
        let column_groups = groups(width, |a, b| dials && (0..height).all(|row| same(limits(row, a), limits(row, b))));
        let own_at = (
            base.pointer(rows.pointer).and_then(|own| rows.values.iter().position(|value| value == own)),
            base.pointer(columns.pointer).and_then(|own| columns.values.iter().position(|value| value == own)),
        );
        let own_at = own_at.0.zip(own_at.1).or_else(|| default_at(document, &all));
        let mut fields = Vec::new();
        for rows in &row_groups {
            for columns in &column_groups {
                fields.push(field(&all, rows, columns, own_at));
            }
        }
        let own = own_at.and_then(|(row, column)| {
            fields.iter().position(|field| field.rows.contains(&row) && field.columns.contains(&column))
        });
        let mut map = Map { rows, columns, row_groups, column_groups, fields, own, left: Vec::new(), running: None };
        map.begin_at(own.unwrap_or(0));
        map
    }

    /// Computes what is left from this field outwards.
    pub fn begin_at(&mut self, from: usize) {
        let width = self.column_groups.len().max(1);
        let place = |index: usize| (index / width, index % width);
        let (row, column) = place(from);
        let mut left: Vec<usize> =
            (0..self.fields.len()).filter(|index| self.fields[*index].known == Known::Waiting).collect();
        let far = |index: usize| {
            let (other_row, other_column) = place(index);
            other_row.abs_diff(row) + other_column.abs_diff(column)
        };
        order::by_key(&mut left, |index| (usize::MAX - far(*index), usize::MAX - *index));
        self.left = left;
    }

    /// Computes a little further. True while something is left.
    pub fn work(&mut self) -> bool {
        if self.running.is_none() {
            let Some(next) = self.left.pop() else { return false };
            let Ok(resolved) = self.fields[next].document.resolve() else { return true };
            let mut settings = resolved.settings;
            settings.event_budget = EVENT_BUDGET_PAGE;
            self.running = Some((next, Box::new(Player::new(settings))));
        }
        if let Some((index, player)) = &mut self.running {
            player.advance(SLICE_EVENTS);
            if player.complete() {
                self.fields[*index].known = Known::Found(summary(RunView::of_player(player)));
                self.running = None;
                self.mark_best();
            }
        }
        true
    }

    /// Leaves the rest uncomputed.
    pub fn stop(&mut self) {
        self.left.clear();
        self.running = None;
    }

    /// Fields that are known, and all.
    pub fn progress(&self) -> (usize, usize) {
        (self.fields.iter().filter(|field| field.known != Known::Waiting).count(), self.fields.len())
    }

    /// The field that is so many rows and columns of fields away.
    pub fn neighbour(&self, from: usize, rows: i32, columns: i32) -> Option<usize> {
        let width = self.column_groups.len();
        let row = i32::try_from(from / width.max(1)).ok()? + rows;
        let column = i32::try_from(from % width.max(1)).ok()? + columns;
        let (row, column) = (usize::try_from(row).ok()?, usize::try_from(column).ok()?);
        (row < self.row_groups.len() && column < width).then_some(row * width + column)
    }

    /// The lowest and the highest number of a measure; absent as long as nothing is known.
    pub fn span(&self, measure: Measure) -> Option<(u64, u64)> {
        let numbers = || self.fields.iter().filter_map(|field| field.number(measure));
        Some((numbers().min()?, numbers().max()?))
    }

    /// How dark a field is, from 0 for the lowest number of the map to 5 for the highest; absent where there is none.
    pub fn shade(&self, index: usize, measure: Measure) -> Option<u8> {
        let n = self.fields.get(index)?.number(measure)?;
        let (least, most) = self.span(measure)?;
        let step = (u128::from(n - least) * 5).checked_div(u128::from(most - least)).unwrap_or(0);
        u8::try_from(step).ok()
    }

    fn mark_best(&mut self) {
        let points: Vec<Option<[u64; 3]>> = self.fields.iter().map(Field::point).collect();
        for (index, field) in self.fields.iter_mut().enumerate() {
            let Some(own) = points[index] else { continue };
            let beaten =
                |other: &[u64; 3]| other != &own && other.iter().zip(&own).all(|(theirs, ours)| theirs <= ours);
            field.best = !points.iter().flatten().any(beaten);
        }
    }
}

/// Where neither setting is written the run of the scenario is that of a pair with the same limits.
fn default_at(document: &Document, all: &[Vec<Tried>]) -> Option<(usize, usize)> {
    let own = document.resolve().ok()?;
    let alike =
        |tried: &Tried| tried.outcome.as_ref().is_ok_and(|(settings, _)| settings.platform == own.settings.platform);
    all.iter().enumerate().find_map(|(row, line)| Some((row, line.iter().position(alike)?)))
}

fn field(all: &[Vec<Tried>], rows: &Range<usize>, columns: &Range<usize>, own: Option<(usize, usize)>) -> Field {
    let inside = own.filter(|(row, column)| rows.contains(row) && columns.contains(column));
    let pairs = || rows.clone().flat_map(|row| columns.clone().map(move |column| (row, column)));
    let accepted = |(row, column): &(usize, usize)| all[*row][*column].outcome.is_ok();
    let at = inside.filter(accepted).or_else(|| pairs().find(accepted)).unwrap_or((rows.start, columns.start));
    let tried = &all[at.0][at.1];
    let (limits, known) = match &tried.outcome {
        Ok((_, limits)) => (Some(*limits), Known::Waiting),
        Err(problems) => (None, Known::Refused(problems.clone())),
    };
    let document = tried.document.clone();
    Field { rows: rows.clone(), columns: columns.clone(), at, document, limits, known, best: false }
}

impl Field {
    /// What its run comes to.
    pub const fn found(&self) -> Option<&Summary> {
        match &self.known {
            Known::Found(found) => Some(found),
            _ => None,
        }
    }

    /// Its figure as a number; absent where the rollout is never over.
    pub fn number(&self, measure: Measure) -> Option<u64> {
        let found = self.found()?;
        match measure.of(found) {
            Figure::Time(n) | Figure::TaskTime(n) if matches!(found.done, Figure::Time(_)) => Some(n),
            Figure::Count(n) if matches!(found.done, Figure::Time(_)) => Some(n.into()),
            _ => None,
        }
    }

    /// How long, how many are missing, how many at most: less is better.
    fn point(&self) -> Option<[u64; 3]> {
        let found = self.found()?;
        let Figure::Time(done) = found.done else { return None };
        Some([done, u64::from(u32::MAX - found.fewest_healthy), found.most.into()])
    }
}
