//! The screen: what it shows, and what an action makes of it.

use rollscope_canvas::palette;
use rollscope_draw::{Palette, within};
use rollscope_engine::SimTime;
use rollscope_player::StepUnit;
use rollscope_scenario::link::Compared;
use rollscope_wording::compare::{self as words, Label};
use rollscope_wording::page;
use wasm_bindgen::JsValue;
use web_sys::{Document, Element, Window};

use super::draw::{Drawing, Sizes};
use super::pace::Pace;
use super::runs::Runs;
use super::state::State;
use super::view;
use crate::regions::Regions;

/// Wall time of a frame that may go into computing, in milliseconds.
const WORK_MS: f64 = 8.0;
/// The cursor rests when it has not moved this long: its moment is spoken, and goes into the address.
const REST_MS: f64 = 300.0;
/// Least wall time between two texts of the moment while playing, in milliseconds.
const TEXT_MS: f64 = 100.0;
/// Heights of a chart in CSS pixels: least, most, and where the page scrolls as a whole.
const CHART: (f64, f64, f64) = (104.0, 280.0, 170.0);
/// Below this width the page is a phone's.
const PHONE: f64 = 640.0;

/// What an action asks of the page around.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asks {
    /// Nothing.
    Nothing,
    /// A text for the clipboard.
    Copy(String),
    /// Another address.
    Go(String),
}

/// The screen.
pub struct Screen {
    window: Window,
    document: Document,
    host: Element,
    /// The scenarios.
    pub state: State,
    runs: Runs,
    drawing: Drawing,
    palette: Palette,
    sizes: Sizes,
    broken: Option<Compared>,
    at: SimTime,
    pace: Pace,
    unit: StepUnit,
    note: Option<&'static str>,
    regions: Regions,
    /// The address as it was last written or read.
    written: String,
    last_frame: Option<f64>,
    last_text: f64,
    /// When the cursor moved last; absent when it is told already.
    moved: Option<f64>,
    /// The visitor wants no motion.
    pub still: bool,
    /// Sizes may have changed.
    measure: bool,
}

impl Screen {
    /// Takes over the element of the page.
    pub fn new(fragment: &str) -> Option<Screen> {
        let window = web_sys::window()?;
        let document = window.document()?;
        let host = document.get_element_by_id("compare")?;
        host.set_inner_html(view::FRAME);
        let regions = Regions::new(document.clone(), host.clone());
        let mut screen = Screen {
            window,
            document,
            host,
            state: State::default(),
            runs: Runs::default(),
            drawing: Drawing::default(),
            palette: palette(),
            sizes: Sizes { width: 0.0, stage: 0.0, chart: CHART.2, touch: false },
            broken: None,
            at: SimTime::ZERO,
            pace: Pace::default(),
            unit: StepUnit::default(),
            note: None,
            regions,
            written: String::new(),
            last_frame: None,
            last_text: 0.0,
            moved: None,
            still: false,
            measure: true,
        };
        screen.read(fragment);
        Some(screen)
    }

    /// Another address: another comparison, unless it is the one that is shown.
    pub fn read(&mut self, fragment: &str) {
        if fragment == self.written && self.broken.is_none() {
            return;
        }
        self.written = fragment.to_owned();
        self.pace.set_playing(false);
        match State::read(fragment) {
            Ok((state, at)) => {
                (self.state, self.at, self.broken) = (state, at, None);
                self.changed();
            }
            Err(broken) => {
                (self.state, self.broken) = (State::default(), broken);
                self.changed();
            }
        }
    }

    /// Other scenarios: other runs and other regions.
    fn changed(&mut self) {
        self.note = None;
        self.runs.load(&self.state);
        self.put_regions();
        self.moved = Some(0.0);
    }

    /// Gives the element back as it was.
    pub fn leave(&self) {
        self.host.set_inner_html("");
    }

    /// Single letters act.
    pub fn has_letters(&self) -> bool {
        self.host.get_attribute("data-keys").as_deref() != Some("off")
    }

    /// The colours of the page have changed.
    pub fn repaint(&mut self) {
        self.palette = palette();
        self.drawing.forget();
    }

    /// The size of the page may have changed.
    pub fn resized(&mut self) {
        self.measure = true;
    }

    /// All regions anew, as far as they differ.
    fn put_regions(&mut self) {
        if let Some(compared) = &self.broken {
            let notice = view::broken(compared, State::readable(compared).is_some());
            for region in ["head", "runs", "track", "bar", "side", "drawer", "data"] {
                self.put(region, String::new());
            }
            self.put("notice", notice);
            return self.tell_state("broken");
        }
        self.put("notice", String::new());
        self.put("drawer", view::drawer(&self.state));
        self.put("head", view::head(&self.state, &self.runs));
        let runs = self.put("runs", view::runs(&self.state, &self.runs));
        let track = self.put("track", view::track(&self.runs));
        if runs || track {
            self.drawing.bind(&self.document, &self.runs);
        }
        self.put("side", view::side(&self.state, &self.runs, self.note));
        self.put_bar();
        self.put("data", view::data(&self.runs));
        // An element takes every class.
        let _ = self.host.class_list().toggle_with_force("editing", self.state.editing);
        self.drawing.forget();
        self.measure = true;
        self.tell_state(if self.runs.worked_out() { "ready" } else { "working" });
    }

    fn put_bar(&mut self) {
        let bar = view::bar_of_player(&self.pace, self.at, self.runs.clock.end, self.unit);
        if self.put("bar", bar) {
            self.put_moment();
        }
    }

    /// What the page's own tests wait for.
    fn tell_state(&self, state: &str) {
        let _ = self.host.set_attribute("data-state", state);
    }

    fn put(&mut self, region: &'static str, html: String) -> bool {
        self.regions.put(region, html)
    }

    fn focus(&self, id: &str) {
        self.regions.focus(id);
    }

    /// The texts that follow the cursor.
    fn put_moment(&mut self) {
        let end = self.runs.clock.end;
        if let Some(clock) = self.document.get_element_by_id("cmp-clock") {
            let small = page::of_end(end, self.runs.complete());
            clock.set_inner_html(&format!(
                "<span class=\"clock-face\">{}<small> {small}</small></span>",
                page::clock(self.at)
            ));
        }
        if let Some(track) = self.document.get_element_by_id("cmp-track") {
            let _ = track.set_attribute("aria-valuenow", &self.at.ms().to_string());
            let _ = track.set_attribute("aria-valuetext", &words::scrubber(self.at, end));
        }
        let _ = self.host.set_attribute("data-at", &self.at.ms().to_string());
    }

    /// One frame at wall time `now`. True when another one is wanted.
    pub fn frame(&mut self, now: f64) -> bool {
        let dt = self.last_frame.map_or(0.0, |last| within(now - last, 0.0, 1_000.0)) as u64;
        self.last_frame = Some(now);
        if self.broken.is_some() {
            return false;
        }
        let working = self.work();
        if std::mem::take(&mut self.measure) {
            self.measure_now();
        }
        self.play(dt, now);
        self.runs.seek(self.at);
        self.drawing.paint(&self.document, &mut self.runs, self.at, &self.sizes, &self.palette);
        self.tell(now);
        let again = working || self.pace.playing || self.moved.is_some() || self.measure;
        if !again {
            self.last_frame = None;
        }
        again
    }

    /// Computes for a while. True while something is left.
    fn work(&mut self) -> bool {
        let begin = self.now();
        let (known, done) = (self.runs.comparison.is_some(), self.runs.worked_out());
        let mut left = true;
        while left && self.now() - begin < WORK_MS {
            left = self.runs.work();
        }
        if known != self.runs.comparison.is_some() || done != self.runs.worked_out() {
            self.at = self.at.min(self.runs.clock.end);
            self.put_regions();
        }
        left
    }

    fn now(&self) -> f64 {
        self.window.performance().map_or(0.0, |clock| clock.now())
    }

    fn play(&mut self, dt: u64, now: f64) {
        if !self.pace.playing {
            return;
        }
        let end = self.runs.clock.end;
        let next = match self.still {
            true => self.pace.step(dt, self.at, end, self.runs.decisions()),
            false => self.pace.run(dt, self.at, end, &self.drawing.folds()),
        };
        if next != self.at {
            self.at = next;
            self.moved = Some(now);
        }
        if !self.pace.playing {
            self.put_bar();
        }
    }

    /// The texts of the moment, at most ten times a second; when it rests, the sentence and the address.
    fn tell(&mut self, now: f64) {
        let Some(moved) = self.moved else { return };
        if now - self.last_text >= TEXT_MS || !self.pace.playing {
            self.last_text = now;
            self.put_moment();
        }
        let steps = self.pace.playing && !self.still;
        if steps || now - moved < REST_MS {
            return;
        }
        self.moved = None;
        self.put_bar();
        if let Some(spoken) = self.document.get_element_by_id("cmp-spoken") {
            spoken.set_text_content(Some(&view::spoken(&self.runs, self.at)));
        }
        for (index, run) in self.runs.all.iter_mut().enumerate() {
            let place = self.document.get_element_by_id(&format!("cmp-tasks-{index}"));
            if let (Some(run), Some(place)) = (run, place) {
                place.set_text_content(Some(&view::tasks(run)));
            }
        }
        self.write_address();
    }

    /// The address holds what is shown; it takes the place of the present entry.
    fn write_address(&mut self) {
        let fragment = self.state.fragment(self.at);
        if fragment == self.written || self.broken.is_some() {
            return;
        }
        if let Ok(history) = self.window.history() {
            // A browser that refuses leaves the address as it was; the page works on.
            let _ = history.replace_state_with_url(&JsValue::NULL, "", Some(&format!("#{fragment}")));
        }
        self.written = fragment;
    }

    /// Sizes of the pictures: as wide as there is room, as high as leaves everything in view.
    fn measure_now(&mut self) {
        let width = |selector: &str| {
            let found = self.host.query_selector(selector).ok().flatten();
            found.map_or(0.0, |element| element.get_bounding_client_rect().width().floor())
        };
        let height = |selector: &str| {
            let found = self.host.query_selector(selector).ok().flatten();
            found.map_or(0.0, |element| element.get_bounding_client_rect().height())
        };
        let (all, stage) = (width("[data-region=runs]"), width(".cmp-stage"));
        if all <= 0.0 {
            // It is not in view yet.
            self.measure = true;
            return;
        }
        let count = self.runs.each().count().max(1) as f64;
        let scrolls =
            self.host.query_selector(".cmp-body").ok().flatten().is_some_and(|body| self.scrolls_inside(&body));
        let chart = match scrolls {
            true => {
                let rest = height(".cmp-content") - count * self.sizes.chart;
                within(((height(".cmp-body") - rest - 12.0) / count).floor(), CHART.0, CHART.1)
            }
            false => CHART.2,
        };
        let sizes = Sizes { width: all, stage: if stage > 0.0 { stage } else { all }, chart, touch: all < PHONE };
        if sizes != self.sizes {
            self.sizes = sizes;
            self.drawing.forget();
            // The heights that were measured are those before: once more with these.
            self.measure = scrolls;
        }
    }

    /// The body has a height of its own and scrolls in it.
    fn scrolls_inside(&self, body: &Element) -> bool {
        let style = self.window.get_computed_style(body).ok().flatten();
        style.and_then(|style| style.get_property_value("overflow-y").ok()).is_some_and(|value| value == "auto")
    }

    /// The cursor goes to a moment and rests there.
    pub fn go(&mut self, at: SimTime) {
        self.at = at.min(self.runs.clock.end);
        self.moved = Some(self.now());
        if self.pace.playing {
            self.pace.set_playing(false);
            self.put_bar();
        }
    }

    /// The moment under an x of a picture, in CSS pixels.
    pub fn moment_at(&self, x: f64) -> Option<SimTime> {
        self.drawing.moment_at(x)
    }

    /// Steps on or back by a unit; by the chosen one without.
    pub fn step(&mut self, unit: Option<StepUnit>, on: bool) {
        let at = self.runs.step(self.at, unit.unwrap_or(self.unit), on);
        self.go(at);
    }

    /// Goes a tenth of the whole on or back.
    pub fn tenth(&mut self, on: bool) {
        let tenth = (self.runs.clock.end.ms() / 10).max(1);
        let at = self.at.ms();
        self.go(SimTime(if on { at + tenth } else { at.saturating_sub(tenth) }));
    }

    /// Plays or rests; at the end it starts over.
    pub fn toggle(&mut self) {
        let end = self.runs.clock.end;
        if end == SimTime::ZERO || !self.runs.complete() {
            return;
        }
        if !self.pace.playing && self.at >= end {
            self.at = SimTime::ZERO;
        }
        self.pace.set_playing(!self.pace.playing);
        self.moved = Some(self.now());
        self.put_bar();
    }

    /// Another speed: times of real time, 0 for the whole in 20 seconds.
    pub fn speed(&mut self, times: u64) {
        self.pace.milli = (times > 0).then_some(times * 1_000);
        self.put_bar();
    }

    /// A field of the drawer was typed into.
    pub fn set(&mut self, run: usize, pointer: &str, text: &str) {
        if self.state.set(run, pointer, text) {
            self.changed();
        } else {
            self.put_regions();
        }
    }

    /// Closes what is open.
    pub fn escape(&mut self) {
        if std::mem::take(&mut self.state.editing) {
            self.put_regions();
            self.focus("cmp-edit");
        }
    }

    /// What came of copying.
    pub fn copied(&mut self, done: bool) {
        self.note = Some(words::label(if done { Label::Copied } else { Label::NotCopied }));
        self.put("side", view::side(&self.state, &self.runs, self.note));
    }

    /// Carries out an action by its name.
    pub fn does(&mut self, action: &str) -> Asks {
        let changed = match action {
            "swap" => self.state.swap(),
            "add" => self.state.add(),
            "undo" => self.state.undo(),
            "try" => match self.runs.shared.clone() {
                Some(change) => self.state.set_drain(change.deregistration_delay_ms),
                None => false,
            },
            _ => return self.other(action),
        };
        if changed {
            self.changed();
        } else {
            self.put_regions();
        }
        Asks::Nothing
    }

    fn other(&mut self, action: &str) -> Asks {
        match action {
            "edit" => {
                self.state.editing = !self.state.editing;
                self.put_regions();
                if self.state.editing {
                    self.focus("cmp-field-0-0");
                }
            }
            "close-drawer" => self.escape(),
            "to-start" => self.go(SimTime::ZERO),
            "to-end" => self.go(self.runs.clock.end),
            "step-on" => self.step(None, true),
            "step-back" => self.step(None, false),
            "play" => self.toggle(),
            "unit-decision" => self.by(StepUnit::Decision),
            "unit-event" => self.by(StepUnit::Event),
            "unit-second" => self.by(StepUnit::Second),
            "copy-table" => {
                return self.runs.comparison.as_ref().map_or(Asks::Nothing, |all| Asks::Copy(view::table_as_text(all)));
            }
            "open-readable" => self.open_readable(),
            _ => return self.of_run(action),
        }
        Asks::Nothing
    }

    fn by(&mut self, unit: StepUnit) {
        self.unit = unit;
        self.put_bar();
    }

    fn open_readable(&mut self) {
        if let Some(state) = self.broken.take().as_ref().and_then(State::readable) {
            self.state = state;
            self.changed();
        }
    }

    /// Actions with the number of a run.
    fn of_run(&mut self, action: &str) -> Asks {
        let Some((action, run)) = action.rsplit_once('-').and_then(|(a, n)| Some((a, n.parse::<usize>().ok()?))) else {
            return Asks::Nothing;
        };
        match action {
            "remove" if self.state.remove(run) => self.changed(),
            "open" => {
                let broken = self.broken.as_ref().and_then(|compared| compared.texts.get(run).cloned());
                return broken.or_else(|| self.state.link_of(run, self.at)).map_or(Asks::Nothing, Asks::Go);
            }
            _ => {}
        }
        Asks::Nothing
    }
}
