//! The map: what it shows, and what an action makes of it.

use rollscope_engine::time::MINUTE;
use rollscope_insight::explore::{Known, Map, Measure, Pair, Spread, pairs};
use rollscope_scenario::Document;
use rollscope_scenario::link::{Link, decode_explored, encode, encode_compared, encode_explored};
use rollscope_wording::time::read_clock;
use wasm_bindgen::JsValue;
use web_sys::{Element, Window};

use super::view;
use crate::regions::Regions;

/// Wall time of a frame that may go into computing, in milliseconds.
const WORK_MS: f64 = 8.0;
/// Least wall time between two pictures of the map while it computes, in milliseconds.
const SHOW_MS: f64 = 120.0;

/// The screen.
pub struct Screen {
    window: Window,
    host: Element,
    regions: Regions,
    /// The scenario of the map; absent where the link cannot be opened.
    pub document: Option<Document>,
    /// The pairs of its platform.
    pub pairs: Vec<Pair>,
    /// The one that is shown.
    pub pair: usize,
    /// What is shown of each field.
    pub measure: Measure,
    /// The map.
    pub map: Option<Map>,
    /// The selected field.
    pub selected: usize,
    /// The selected field with other luck.
    pub spread: Option<Spread>,
    /// After so many milliseconds a wait gives up.
    pub wait_ms: u64,
    /// The visitor has stopped the computing.
    pub stopped: bool,
    written: String,
    shown_at: f64,
    stale: bool,
}

impl Screen {
    /// Takes over the element of the page.
    pub fn new(fragment: &str) -> Option<Screen> {
        let window = web_sys::window()?;
        let document = window.document()?;
        let host = document.get_element_by_id("compare")?;
        host.set_inner_html(view::FRAME);
        let mut screen = Screen {
            window,
            regions: Regions::new(document, host.clone()),
            host,
            document: None,
            pairs: Vec::new(),
            pair: 0,
            measure: Measure::Duration,
            map: None,
            selected: 0,
            spread: None,
            wait_ms: 10 * MINUTE,
            stopped: false,
            written: String::new(),
            shown_at: 0.0,
            stale: true,
        };
        screen.read(fragment);
        Some(screen)
    }

    /// Another address: another map, unless it is the one that is shown.
    pub fn read(&mut self, fragment: &str) {
        if fragment == self.written {
            return;
        }
        self.written = fragment.to_owned();
        let explored = decode_explored(fragment);
        let link = explored.as_ref().and_then(|explored| explored.part.as_ref().ok());
        self.document = link.map(|decoded| decoded.link.document.clone());
        self.pairs = self.document.as_ref().map(pairs).unwrap_or_default();
        let (pair, measure) = explored.as_ref().map_or(("", ""), |found| (&found.pair, &found.measure));
        self.pair = self.pairs.iter().position(|known| known.name == pair).unwrap_or(0);
        self.measure = Measure::ALL.into_iter().find(|known| known.name() == measure).unwrap_or(Measure::Duration);
        self.load(explored.and_then(|found| found.cell));
    }

    /// The map of the pair, with a field selected by a pair of values inside it.
    fn load(&mut self, cell: Option<(u32, u32)>) {
        self.stopped = false;
        let pair = self.pairs.get(self.pair);
        self.map = self.document.as_ref().zip(pair).map(|(document, pair)| Map::new(document, pair));
        let given = cell.and_then(|(row, column)| {
            let (row, column) = (row as usize, column as usize);
            self.map.as_ref()?.fields.iter().position(|f| f.rows.contains(&row) && f.columns.contains(&column))
        });
        self.selected = given.or_else(|| self.map.as_ref()?.own).unwrap_or(0);
        if let Some(map) = &mut self.map {
            map.begin_at(self.selected);
        }
        self.selects();
    }

    /// Another field is selected: its runs with other luck begin anew.
    fn selects(&mut self) {
        let field = self.map.as_ref().and_then(|map| map.fields.get(self.selected));
        let runs = field.filter(|field| !matches!(field.known, Known::Refused(_)));
        self.spread = runs.map(|field| Spread::new(&field.document));
        self.stale = true;
        self.write_address();
    }

    /// Gives the element back as it was.
    pub fn leave(&self) {
        self.host.set_inner_html("");
        // What the state of a run was is none of another screen's.
        let _ = self.host.remove_attribute("data-state");
    }

    fn now(&self) -> f64 {
        self.window.performance().map_or(0.0, |clock| clock.now())
    }

    /// One frame at wall time `now`: a slice of computing, and the regions. True when another one is wanted.
    pub fn frame(&mut self, now: f64) -> bool {
        let begin = self.now();
        let mut left = true;
        while left && self.now() - begin < WORK_MS {
            left = !self.stopped
                && (self.map.as_mut().is_some_and(Map::work) || self.spread.as_mut().is_some_and(Spread::work));
            self.stale |= left;
        }
        if self.stale && (!left || now - self.shown_at >= SHOW_MS) {
            (self.shown_at, self.stale) = (now, false);
            self.put(left);
        }
        left || self.stale
    }

    fn put(&mut self, left: bool) {
        let [head, progress, map, side] = [view::head(self), view::progress(self), view::map(self), view::side(self)];
        self.regions.put("head", head);
        self.regions.put("progress", progress);
        self.regions.put("map", map);
        self.regions.put("side", side);
        let _ = self.host.set_attribute("data-state", if left { "computing" } else { "ready" });
    }

    /// The address holds what is shown; it takes the place of the present entry.
    fn write_address(&mut self) {
        let (Some(document), Some(pair)) = (&self.document, self.pairs.get(self.pair)) else { return };
        let at = self.map.as_ref().and_then(|map| map.fields.get(self.selected)).map(|field| field.at);
        let cell = at.and_then(|(row, column)| Some((u32::try_from(row).ok()?, u32::try_from(column).ok()?)));
        let fragment = encode_explored(&link(document), pair.name, self.measure.name(), cell);
        if fragment == self.written {
            return;
        }
        if let Ok(history) = self.window.history() {
            // A browser that refuses leaves the address as it was; the page works on.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
        }
        self.written = fragment;
    }

    /// Another pair of settings.
    pub fn choose(&mut self, pair: usize) {
        if pair < self.pairs.len() && pair != self.pair {
            self.pair = pair;
            self.load(None);
        }
    }

    /// Another wait; what is no time leaves it.
    pub fn set_wait(&mut self, text: &str) {
        self.wait_ms = read_clock(text).map_or(self.wait_ms, rollscope_engine::SimTime::ms);
        self.stale = true;
    }

    /// Selects a field.
    pub fn select(&mut self, field: usize) {
        if self.map.as_ref().is_some_and(|map| field < map.fields.len()) && field != self.selected {
            self.selected = field;
            self.selects();
        }
    }

    /// Selects the field next to the selected one, and moves the keyboard there.
    pub fn step(&mut self, rows: i32, columns: i32) {
        if let Some(next) = self.map.as_ref().and_then(|map| map.neighbour(self.selected, rows, columns)) {
            self.select(next);
            self.stale = false;
            self.put(true);
            self.regions.focus(&format!("cmp-cell-{next}"));
            self.stale = true;
        }
    }

    /// Carries out an action by its name; an address where it leads to another screen.
    pub fn does(&mut self, action: &str) -> Option<String> {
        let field = self.map.as_ref().and_then(|map| map.fields.get(self.selected));
        match action {
            "stop" => self.halt(true),
            "go-on" => self.halt(false),
            "open" => return field.map(|field| encode(&link(&field.document))),
            "compare" => {
                let (own, field) = (self.document.as_ref()?, field?);
                return Some(encode_compared([&link(own), &link(&field.document)]));
            }
            "open-worst" => {
                let (seed, _) = self.spread.as_ref()?.figures()?.worst;
                let document = Document { seed: i64::try_from(seed).ok(), ..field?.document.clone() };
                return Some(encode(&link(&document)));
            }
            _ => {
                let (name, number) = action.rsplit_once('-')?;
                let number: usize = number.parse().ok()?;
                match name {
                    "cell" => self.select(number),
                    "measure" => {
                        self.measure = *Measure::ALL.get(number)?;
                        self.stale = true;
                        self.write_address();
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn halt(&mut self, stop: bool) {
        (self.stopped, self.stale) = (stop, true);
        if let Some(map) = &mut self.map {
            match stop {
                true => map.stop(),
                false => map.begin_at(self.selected),
            }
        }
    }
}

fn link(document: &Document) -> Link {
    Link { document: document.clone(), ..Link::default() }
}
