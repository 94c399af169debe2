//! A named row per task, with bars by state; what finds no room shares one row a revision.

use plotters_backend::DrawingBackend;
use rollscope_engine::frame::{LANES, TaskState};
use rollscope_engine::order;
use rollscope_engine::settings::TaskName;
use rollscope_engine::trace::{InstanceId, Record};

use crate::chart::Tone;
use crate::geometry::{Rect, Scale};
use crate::guards::Unprotected;
use crate::hatch;
use crate::lives::{self, Lanes};
use crate::palette::{Colour, LaneColours, Palette};
use crate::pen::{self, Anchor, Drawn, Face, Ink};
use crate::raster::{self, Line, Stretch};
use crate::timeline::TimelineLayout;
use crate::unprotected;
use crate::within;
use crate::xscale::XScale;

/// Most slots of a stage whose tasks have a row each; more than that have a carpet.
pub const SLOTS_MAX: u32 = 24;
/// From this number of slots on, tasks that never change share a row.
const MERGE_FROM: u32 = 9;
/// Share of a fill that is left in the future, in per cent.
pub const PALE: u32 = 38;
/// A failed check is at least this wide, in CSS pixels.
const UNHEALTHY_WIDTH: f64 = 3.0;

/// One row: a task, or the rest of a lane.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its task, or the first of them.
    pub id: InstanceId,
    /// `8·3`
    pub name: TaskName,
    /// Lane of colour.
    pub lane: u8,
    /// Tasks in it; 1 but for a shared row.
    pub tasks: u32,
}

/// The rows of a run: lane after lane in start order, the shared row of a lane at its first task.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    rows: Vec<Row>,
    /// Row of each task by identity.
    row_of: Vec<u32>,
}

/// What is known of a task before rows are made.
struct Seen {
    name: TaskName,
    lane: u8,
    /// It was healthy at time 0 and nothing happened to it.
    unchanged: bool,
    /// It failed, or a check of it did.
    failed: bool,
    /// It shares a row.
    shares: bool,
}

/// Every task of a run by identity.
fn seen(records: &[Record], lanes: &Lanes) -> Vec<Seen> {
    let mut seen: Vec<Seen> = Vec::new();
    lives::each_entry(records, |entry| {
        let failed = matches!(entry.state, TaskState::Failed | TaskState::Unhealthy);
        if entry.first {
            let unchanged = entry.state == TaskState::Healthy;
            let lane = lanes.of(entry.name.revision);
            seen.push(Seen { name: entry.name, lane, unchanged, failed, shares: false });
        } else if let Some(task) = seen.get_mut(entry.id as usize) {
            task.unchanged = false;
            task.failed |= failed;
        }
        true
    });
    seen
}

/// Decides who shares a row, so that there are at most `most` rows: first those to which nothing
/// happens (`merge`), then the later ones of each lane, those that failed at last.
fn share(seen: &mut [Seen], merge: bool, most: usize) {
    seen.iter_mut().for_each(|task| task.shares = merge && task.unchanged);
    let own = seen.iter().filter(|task| !task.shares).count();
    let shared = (0..LANES as u8).filter(|lane| seen.iter().any(|task| task.shares && task.lane == *lane)).count();
    if own + shared <= most {
        return;
    }
    // From here on every lane may need a row to share.
    let lanes = (0..LANES as u8).filter(|lane| seen.iter().any(|task| task.lane == *lane)).count();
    let mut place = [0_u32; LANES];
    let mut ranks: Vec<(bool, u32, usize)> = Vec::with_capacity(own);
    for (index, task) in seen.iter().enumerate().filter(|(_, task)| !task.shares) {
        let place = &mut place[usize::from(task.lane)];
        ranks.push((!task.failed, *place, index));
        *place += 1;
    }
    order::by_key(&mut ranks, |rank| *rank);
    for (.., index) in ranks.into_iter().skip(most.saturating_sub(lanes)) {
        seen[index].shares = true;
    }
}

impl Rows {
    /// Reads the rows of a run, at most about `most` of them; `None` where the stage has so many
    /// slots that tasks have no rows.
    pub fn read(records: &[Record], lanes: &Lanes, slots: u32, most: usize) -> Option<Rows> {
        if slots > SLOTS_MAX {
            return None;
        }
        let mut seen = seen(records, lanes);
        share(&mut seen, slots >= MERGE_FROM, most);
        let mut out = Rows { rows: Vec::new(), row_of: vec![0; seen.len()] };
        for lane in 0..LANES as u8 {
            let tasks = || seen.iter().enumerate().filter(move |(_, task)| task.lane == lane);
            let mut shared = None;
            for (index, task) in tasks() {
                let row = shared.filter(|_| task.shares).unwrap_or(out.rows.len());
                out.row_of[index] = row as u32;
                match out.rows.get_mut(row) {
                    Some(row) => row.tasks += 1,
                    None => out.rows.push(Row { id: InstanceId(index as u32), name: task.name, lane, tasks: 1 }),
                }
                shared = if task.shares { Some(row) } else { shared };
            }
        }
        Some(out)
    }

    /// The rows from the top.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a task.
    pub fn row_of(&self, task: InstanceId) -> Option<usize> {
        self.row_of.get(task.0 as usize).map(|row| *row as usize)
    }

    /// The bars of all rows on an axis, up to pixel `until`.
    pub fn bars(&self, records: &[Record], lanes: &Lanes, x: &XScale, until: i32) -> Vec<Line> {
        raster::raster(records, lanes, x, until, self.rows.len(), |id| self.row_of(InstanceId(id)))
    }
}

/// Rows that have their place.
#[derive(Clone, Debug, PartialEq)]
pub struct RowsAt {
    rows: Rows,
    bars: Vec<Line>,
    /// Rows of tasks that start without rollback protection.
    unprotected: Vec<bool>,
    place: Rect,
    pitch: i32,
    scale: Scale,
}

impl RowsAt {
    /// Gives rows and their bars the place of a layout.
    pub fn new(rows: Rows, bars: Vec<Line>, layout: &TimelineLayout) -> RowsAt {
        let unprotected = vec![false; rows.rows.len()];
        RowsAt { rows, bars, unprotected, place: layout.rows, pitch: layout.pitch, scale: layout.scale }
    }

    /// Marks the rows of tasks that start without rollback protection; of a shared row the first one decides.
    pub fn unprotected(mut self, known: &Unprotected) -> RowsAt {
        self.unprotected = self.rows.rows.iter().map(|row| known.has(row.id)).collect();
        self
    }

    /// The rows.
    pub fn rows(&self) -> &Rows {
        &self.rows
    }

    /// The band of a row over the whole width of the axis.
    pub fn band(&self, row: usize) -> Rect {
        Rect::new(self.place.x, self.place.y + self.pitch * row as i32, self.place.w, self.pitch)
    }

    /// The row at a height.
    pub fn row_at(&self, y: i32) -> Option<usize> {
        let row = (y - self.place.y).div_euclid(self.pitch.max(1));
        usize::try_from(row).ok().filter(|row| *row < self.rows.rows.len())
    }

    /// Draws all rows in one tone; `name` and `more` give the words in the gutter.
    pub fn paint<DB: DrawingBackend>(
        &self,
        to: &mut DB,
        tone: Tone,
        palette: &Palette,
        name: impl Fn(TaskName) -> String,
        more: impl Fn(u32) -> String,
    ) -> Drawn<DB> {
        let words = |row: &Row| if row.tasks > 1 { more(row.tasks) } else { name(row.name) };
        let words: Vec<String> = self.rows.rows.iter().map(words).collect();
        let (size, gap) = self.label(to, &words, palette);
        for (index, row) in self.rows.rows.iter().enumerate() {
            let band = self.band(index);
            let lane = palette.lane(row.lane);
            let face = Face { size, bold: false, colour: lane.ink, anchor: Anchor::Right };
            pen::text(to, &words[index], (band.x - gap, band.y + band.h / 2), face)?;
            let brush = Brush { scale: self.scale, palette, lane, tone };
            brush.line(to, &self.bars[index], self.bar(band))?;
            let first = self.bars[index].stretches.first().filter(|_| self.unprotected[index]);
            if let Some(first) = first {
                let side = self.scale.px(8.0).min(band.h - 1);
                let y = band.y + (band.h - side) / 2;
                // Before the bar; where that is the gutter, on it.
                let x = (first.from - side - 2).max(band.x);
                unprotected::sign(to, Rect::new(x, y, side, side), self.scale, palette)?;
            }
        }
        Ok(())
    }

    /// Size of the names in the gutter and their distance to the bars: names longer than the gutter stand nearer, and
    /// all of them smaller, so that none is cut.
    fn label<DB: DrawingBackend>(&self, to: &DB, words: &[String], palette: &Palette) -> (f64, i32) {
        let size = self.scale.0 * NAME;
        let face = Face { size, bold: false, colour: palette.ink, anchor: Anchor::Right };
        let width = |words: &String| to.estimate_text_size(words, &face).map_or(0, |(width, _)| width as i32);
        let widest = words.iter().map(width).max().unwrap_or(0);
        let gutter = self.band(0).x - self.scale.px(1.0);
        let gap = self.scale.px(8.0);
        if widest + gap <= gutter {
            return (size, gap);
        }
        let gap = self.scale.px(4.0);
        let part = f64::from(gutter - gap) / f64::from(widest.max(1));
        (within(size * part, self.scale.0 * NAME_LEAST, size), gap)
    }

    /// The bar inside a band: a little air above and below.
    fn bar(&self, band: Rect) -> Rect {
        let air = (self.pitch / 6).max(self.scale.line(1.0) as i32);
        Rect::new(band.x, band.y + air, band.w, (band.h - 2 * air).max(1))
    }
}

/// Size of the name of a row in CSS pixels, and the least one of a long name.
const NAME: f64 = 12.0;
const NAME_LEAST: f64 = 8.0;

/// Colours and sizes of one row.
struct Brush<'a> {
    scale: Scale,
    palette: &'a Palette,
    lane: &'a LaneColours,
    tone: Tone,
}

impl Brush<'_> {
    /// Fills are pale in the future, outlines and failures are not.
    fn toned(&self, colour: Colour) -> Colour {
        match self.tone {
            Tone::Solid => colour,
            Tone::Pale => colour.over(self.palette.surface, PALE),
        }
    }

    fn line<DB: DrawingBackend>(&self, to: &mut DB, line: &Line, bar: Rect) -> Drawn<DB> {
        let least = self.scale.px(UNHEALTHY_WIDTH);
        let unhealthy = |stretch: &&Stretch| stretch.key.state() == TaskState::Unhealthy;
        for stretch in line.stretches.iter().filter(|stretch| !unhealthy(stretch)) {
            let gap = self.gap(line, stretch);
            let place = Rect::new(stretch.from, bar.y, (stretch.until - stretch.from - gap).max(1), bar.h);
            self.stretch(to, stretch.key.state(), place)?;
        }
        for stretch in line.stretches.iter().filter(unhealthy) {
            let place = Rect::new(stretch.from, bar.y, (stretch.until - stretch.from).max(least), bar.h);
            self.stretch(to, TaskState::Unhealthy, place)?;
        }
        line.failures.iter().try_for_each(|x| self.cross(to, *x, bar))
    }

    /// Ground between a bar and the next one, where there is room for it.
    fn gap(&self, line: &Line, stretch: &Stretch) -> i32 {
        let touches = line.stretches.iter().any(|next| next.from == stretch.until);
        if touches && stretch.until - stretch.from > self.scale.px(4.0) { self.scale.line(1.0) as i32 } else { 0 }
    }

    fn stretch<DB: DrawingBackend>(&self, to: &mut DB, state: TaskState, place: Rect) -> Drawn<DB> {
        let edge = self.scale.line(1.2) as i32;
        let half = Rect::new(place.x, place.y + place.h / 2, place.w, place.h - place.h / 2);
        if place.w <= 2 * edge {
            // As high as it is elsewhere: a short time in health is not to look like a check.
            let speck = if state == TaskState::Healthy { place } else { half };
            return pen::fill(to, speck, self.speck(state));
        }
        match state {
            TaskState::Waiting => {
                pen::dashed_frame(to, place, Ink(self.lane.full, edge as u32), self.scale.px(2.0).max(2))
            }
            TaskState::Starting => self.framed(to, place, edge, self.palette.surface),
            TaskState::Checking => {
                self.framed(to, place, edge, self.palette.surface)?;
                pen::fill(to, Rect { h: half.h - edge, ..half }.narrower(edge), self.toned(self.lane.full))
            }
            TaskState::Healthy if self.tone == Tone::Solid => self.plain(to, place, self.lane.full),
            TaskState::Healthy => self.framed(to, place, edge, self.toned(self.lane.full)),
            TaskState::Unhealthy => {
                self.framed(to, place, edge, self.palette.surface)?;
                pen::fill(to, half, self.palette.fail)
            }
            TaskState::Draining => {
                self.framed(to, place, edge, self.toned(self.lane.tint))?;
                let ink = Ink(self.toned(self.lane.full), self.scale.line(1.7));
                hatch::stripes(to, place.inset(edge), self.scale.px(5.6), ink)
            }
            TaskState::Stopping => {
                let height = self.scale.px(3.0).max(1);
                let y = place.y + (place.h - height) / 2;
                pen::fill(to, Rect::new(place.x, y, place.w, height), self.toned(self.lane.full))
            }
            TaskState::Stopped | TaskState::Failed => Ok(()),
        }
    }

    /// One colour where there is no room for a frame.
    fn speck(&self, state: TaskState) -> Colour {
        match state {
            TaskState::Unhealthy => self.palette.fail,
            TaskState::Waiting | TaskState::Starting => self.lane.mid,
            _ => self.toned(self.lane.full),
        }
    }

    fn plain<DB: DrawingBackend>(&self, to: &mut DB, place: Rect, colour: Colour) -> Drawn<DB> {
        pen::polygon(to, pen::rounded(place, self.scale.px(2.0)), colour)
    }

    fn framed<DB: DrawingBackend>(&self, to: &mut DB, place: Rect, edge: i32, inside: Colour) -> Drawn<DB> {
        self.plain(to, place, self.lane.full)?;
        pen::polygon(to, pen::rounded(place.inset(edge), self.scale.px(1.0)), inside)
    }

    /// A failed task: a red cross at its moment.
    fn cross<DB: DrawingBackend>(&self, to: &mut DB, x: i32, bar: Rect) -> Drawn<DB> {
        let r = self.scale.px(4.0).min(bar.h / 2).max(2);
        let (cx, cy) = (x + r, bar.y + bar.h / 2);
        let ink = Ink(self.palette.fail, self.scale.line(2.0));
        pen::path(to, vec![(cx - r, cy - r), (cx + r, cy + r)], ink)?;
        pen::path(to, vec![(cx - r, cy + r), (cx + r, cy - r)], ink)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rollscope_engine::time::SimTime;
    use rollscope_engine::trace::{DeploymentId, StopCode, TaskChange, TaskRef, What};

    fn record(id: u32, revision: u32, change: TaskChange) -> Record {
        let task = TaskRef { id: InstanceId(id), slot: id, name: TaskName { revision, start: id + 1 } };
        Record { at: SimTime(u64::from(id)), what: What::Task { task, change } }
    }

    /// So many old tasks, all but the first `busy` of which never change, and as many new ones.
    fn records(tasks: u32, busy: u32) -> Vec<Record> {
        let healthy = TaskChange::Existing { deployment: DeploymentId(0), state: TaskState::Healthy, zone: 0 };
        let created = TaskChange::Created { deployment: DeploymentId(1), zone: 0, replacement: false };
        let old = (0..tasks).map(|id| record(id, 7, healthy));
        let new = (tasks..2 * tasks).map(|id| record(id, 8, created));
        old.chain(new).chain((0..busy).map(|id| record(id, 7, TaskChange::Draining))).collect()
    }

    /// Each row: its lane, and its tasks.
    fn rows(records: &[Record], slots: u32, most: usize) -> Vec<(u8, u32)> {
        let rows = Rows::read(records, &Lanes::new(&[7, 8], &[]), slots, most).expect("so few slots have rows");
        let all = (0..rows.row_of.len() as u32).filter_map(|id| rows.row_of(InstanceId(id)));
        let mut counted = vec![0; rows.rows.len()];
        all.for_each(|row| counted[row] += 1);
        assert_eq!(counted, rows.rows.iter().map(|row| row.tasks).collect::<Vec<_>>());
        rows.rows.iter().map(|row| (row.lane, row.tasks)).collect()
    }

    #[test]
    fn every_task_has_its_row_where_there_is_room() {
        assert_eq!(rows(&records(2, 2), 4, 4), [(0, 1), (0, 1), (1, 1), (1, 1)]);
        // Up to eight slots those that never change have one as well.
        assert_eq!(rows(&records(4, 0), 8, 8).len(), 8);
        assert!(Rows::read(&records(4, 0), &Lanes::default(), 25, 99).is_none());
    }

    #[test]
    fn tasks_that_never_change_share_a_row_from_nine_slots_on() {
        assert_eq!(rows(&records(9, 1), 9, 99)[..3], [(0, 1), (0, 8), (1, 1)]);
    }

    #[test]
    fn what_finds_no_room_shares_the_last_row_of_its_lane() {
        let expected = [(0, 1), (0, 1), (0, 1), (0, 9), (1, 1), (1, 1), (1, 1), (1, 9)];
        assert_eq!(rows(&records(12, 12), 24, 8), expected);
    }

    #[test]
    fn a_failure_keeps_its_own_row_as_long_as_it_can() {
        let mut records = records(12, 12);
        records.push(record(23, 8, TaskChange::Stopped(StopCode::TaskFailedToStart)));
        let rows = Rows::read(&records, &Lanes::new(&[7, 8], &[]), 24, 6).expect("so few slots have rows");
        let own = rows.row_of(InstanceId(23)).map(|row| rows.rows[row].tasks);
        assert_eq!((own, rows.rows.len()), (Some(1), 6));
    }

    #[test]
    fn a_name_that_is_longer_than_the_gutter_is_never_cut() {
        let records = records(2, 2);
        let lanes = Lanes::new(&[7, 8], &[]);
        let rows = Rows::read(&records, &lanes, 4, 4).expect("so few slots have rows");
        let mut text = String::new();
        let backend = plotters::backend::SVGBackend::with_string(&mut text, (400, 200));
        let at = |gutter: i32| RowsAt {
            rows: rows.clone(),
            bars: Vec::new(),
            unprotected: Vec::new(),
            place: Rect::new(gutter, 0, 300, 48),
            pitch: 12,
            scale: Scale(1.0),
        };
        let names = |name: &str| vec!["7·1".to_owned(), name.to_owned()];
        let label = |gutter: i32, name: &str| at(gutter).label(&backend, &names(name), &Palette::light());
        assert_eq!(label(46, "8·1"), (12.0, 8), "a short name stands as ever");
        let (size, gap) = label(46, "node 12");
        let face = Face { size, bold: false, colour: Palette::light().ink, anchor: Anchor::Right };
        let (wide, _) = backend.estimate_text_size("node 12", &face).expect("a width");
        assert!(size < 12.0 && gap == 4 && 46 - gap - wide as i32 >= 0, "{size} {gap} {wide}");
        assert_eq!(label(20, "a name without end").0, NAME_LEAST);
    }
}
