//! The regions of the screen as HTML.

use rollscope_engine::SimTime;
use rollscope_engine::frame::Limits;
use rollscope_insight::account::Account;
use rollscope_insight::comparison::{Comparison, Row};
use rollscope_player::StepUnit;
use rollscope_scenario::edit::Platform;
use rollscope_scenario::link::Compared;
use rollscope_wording::compare::{self as words, Label};
use rollscope_wording::page::{self, t};
use rollscope_wording::{Label as Page, problem};

use super::pace::Pace;
use super::runs::{Run, Runs};
use super::state::{PLATFORM, State};
use crate::markup::{self, Markup};

const L: fn(Label) -> &'static str = words::label;

/// Speeds to choose from, in times of real time; 0 is the whole in 20 seconds.
const SPEEDS: [u64; 6] = [0, 1, 10, 60, 600, 10_000];
/// Most moments of the mirrored data.
const ROWS_MAX: usize = 100;
/// Most tasks that are named one by one for those who listen.
const NAMED_MAX: usize = 24;

const UNITS: [(StepUnit, &str, &str); 3] = [
    (StepUnit::Decision, "unit-decision", t(Page::ByDecision)),
    (StepUnit::Event, "unit-event", t(Page::ByEvent)),
    (StepUnit::Second, "unit-second", t(Page::BySecond)),
];

/// What stands still while only the cursor moves.
pub const FRAME: &str = "<div class=\"cmp-edit\" data-region=\"drawer\"></div>\
<div class=\"cmp-centre\"><div class=\"cmp-body\"><div class=\"cmp-content\">\
<div data-region=\"notice\"></div><div data-region=\"head\"></div><div class=\"cmp-runs\" data-region=\"runs\"></div>\
<div data-region=\"track\"></div><p class=\"only-read\" role=\"status\" id=\"cmp-spoken\"></p>\
<div data-region=\"data\"></div></div></div><div data-region=\"bar\"></div></div>\
<aside class=\"cmp-side\" data-region=\"side\" id=\"cmp-side\" tabindex=\"-1\"></aside>";

/// The badge of a run: a letter, filled, outlined, twice outlined or dashed.
fn badge(run: usize, small: bool) -> String {
    let letter = words::letter(run);
    let class = letter.to_ascii_lowercase();
    format!("<span class=\"cmp-badge {class}{}\">{letter}</span>", if small { " small" } else { "" })
}

/// The title row.
pub fn head(state: &State, runs: &Runs) -> String {
    let mut html = Markup::default();
    let settings: Vec<_> = runs.each().map(|(_, run)| run.settings.clone()).collect();
    html.raw("<div class=\"title-row\"><h1 class=\"title\">");
    html.text(&state.title().unwrap_or_else(|| L(Label::Title).to_owned())).raw("</h1>");
    if let Some((old, new)) = State::revisions(&settings) {
        html.put(format_args!(
            "<span class=\"title-revisions\"><span class=\"revision lane-0\">{}</span><span class=\"to\">{}</span>\
             <span class=\"revision lane-1\">{}</span></span>",
            words::revision(old, runs.fleet()),
            const { t(Page::To) },
            words::revision(new, runs.fleet())
        ));
    }
    html.raw("<span class=\"cmp-common\">").text(&in_common(runs)).raw("</span><span class=\"cmp-actions\">");
    html.icon("button icon", "undo", L(Label::Undo), markup::UNDO, !state.can_undo());
    html.button("line", "swap", L(Label::Swap));
    if state.can_add() {
        html.button("line", "add", &words::add(state.scenarios.len()));
    }
    html.raw(
        "<button type=\"button\" class=\"button line\" data-do=\"edit\" id=\"cmp-edit\" aria-controls=\"cmp-drawer\"",
    );
    html.attribute("aria-expanded", if state.editing { "true" } else { "false" }).raw(">");
    html.text(L(Label::Edit)).raw("</button></span></div>");
    html.done()
}

/// What all runs have in common.
fn in_common(runs: &Runs) -> String {
    let same = |pick: &dyn Fn(&Run) -> Option<u64>| {
        let mut all = runs.each().map(|(_, run)| pick(run));
        let first = all.next()??;
        all.all(|other| other == Some(first)).then_some(first)
    };
    let desired = same(&|run| {
        let samples = run.player.timeline().samples();
        samples.first().map(|(_, counts)| u64::from(counts.limits.desired))
    });
    let drain = same(&|run| run.settings.target_groups.iter().map(|group| group.deregistration_delay_ms / 1_000).max());
    desired.map_or_else(String::new, |desired| words::in_common(desired as u32, drain, runs.fleet()))
}

/// The runs, below each other: what they are, and places for their pictures.
pub fn runs(state: &State, runs: &Runs) -> String {
    let mut html = Markup::default();
    for (index, run) in runs.all.iter().enumerate() {
        let name = state.name(index);
        html.put(format_args!("<section class=\"cmp-run\" id=\"cmp-run-{index}\""));
        html.attribute("aria-label", &words::picture(index, &name)).raw("><div class=\"cmp-run-head\">");
        html.raw(&badge(index, false)).raw("<div class=\"cmp-name\"><strong>").text(&name).raw("</strong>");
        let first = |run: &Run| run.player.timeline().samples().first().map(|(_, counts)| limits(run, counts.limits));
        let limits = run.as_ref().and_then(first);
        let second: Vec<String> = state.way(index).into_iter().chain(limits).collect();
        html.raw("<span>").text(&second.join(", ")).raw("</span></div>");
        if run.is_some() {
            html.put(format_args!(
                "<canvas class=\"cmp-stage\" id=\"cmp-stage-{index}\" aria-hidden=\"true\"></canvas>"
            ));
        }
        if state.can_remove() {
            html.icon(
                "button icon cmp-remove",
                &format!("remove-{index}"),
                &words::remove(index),
                markup::CROSS,
                false,
            );
        }
        html.raw("</div>");
        let refused = state.scenarios.get(index).is_some_and(|one| one.refused.is_some());
        if refused {
            html.raw("<p class=\"note\" role=\"status\">").text(&words::refused(index)).raw("</p>");
        }
        match run {
            Some(_) => {
                html.put(format_args!(
                    "<p class=\"only-read\" id=\"cmp-tasks-{index}\"></p><canvas class=\"cmp-chart\" id=\"cmp-chart-{index}\" role=\"img\""
                ));
                html.attribute("aria-label", &words::picture(index, &name)).raw("></canvas>");
            }
            None => problems(&mut html, state, index),
        }
        html.raw("</section>");
    }
    html.done()
}

/// Why a scenario does not run.
fn problems(html: &mut Markup, state: &State, index: usize) {
    let found = state.scenarios.get(index).and_then(|one| one.document.resolve().err()).unwrap_or_default();
    html.raw("<ul class=\"faults\">");
    for fault in found.iter().filter(|fault| fault.is_error()) {
        html.raw("<li>").text(&problem(fault)).raw("</li>");
    }
    html.raw("</ul>");
}

/// The scrubber.
pub fn track(runs: &Runs) -> String {
    let mut html = Markup::default();
    html.raw("<canvas class=\"scrubber\" id=\"cmp-track\" role=\"slider\" tabindex=\"0\" aria-valuemin=\"0\"");
    html.attribute("aria-valuemax", &runs.clock.end.ms().to_string());
    html.attribute("aria-label", const { t(Page::TimeField) }).raw(" aria-valuenow=\"0\"></canvas>").done()
}

/// The table, what it says, and where the time goes.
pub fn side(state: &State, runs: &Runs, note: Option<&str>) -> String {
    let mut html = Markup::default();
    let Some(comparison) = &runs.comparison else {
        return html.raw("<p class=\"read\" aria-busy=\"true\">…</p>").done();
    };
    html.raw("<h2 class=\"cmp-heading\" id=\"cmp-heading\">")
        .text(&words::heading(&comparison.heading, comparison.fleet))
        .raw("</h2>");
    html.raw("<p class=\"read\" id=\"cmp-borrowed\">")
        .text(&words::borrowed(&comparison.borrowed, comparison.fleet))
        .raw("</p>");
    table(&mut html, comparison);
    times(&mut html, comparison, runs);
    if let Some(note) = note {
        html.raw("<p class=\"note\" role=\"status\">").text(note).raw("</p>");
    }
    html.raw("<div class=\"cmp-foot\">").button("line", "copy-table", L(Label::CopyTable));
    for run in 0..state.scenarios.len() {
        html.button("line", &format!("open-{run}"), &words::open_in_studio(run));
    }
    html.raw("</div>").done()
}

/// The revision that all runs roll out.
fn common_revision(comparison: &Comparison) -> Option<u32> {
    let first = comparison.revisions.first().copied()??;
    comparison.revisions.iter().all(|revision| *revision == Some(first)).then_some(first)
}

fn table(html: &mut Markup, comparison: &Comparison) {
    let runs = comparison.ends.len();
    html.raw("<table class=\"cmp-table\" id=\"cmp-table\"><caption class=\"only-read\">").text(L(Label::Table));
    html.raw("</caption><thead><tr><th scope=\"col\"><span class=\"only-read\">")
        .text(L(Label::Figure))
        .raw("</span></th>");
    for run in 0..runs {
        html.raw("<th scope=\"col\">").raw(&badge(run, true)).raw("</th>");
    }
    if runs == 2 {
        html.raw("<th scope=\"col\">").text(&words::minus(1, 0)).raw("</th>");
    }
    html.raw("</tr></thead><tbody>");
    for row in &comparison.rows {
        html.raw(if row.heavy { "<tr class=\"heavy\">" } else { "<tr>" });
        html.raw("<th scope=\"row\">")
            .text(&words::row(row.kind, common_revision(comparison), comparison.fleet))
            .raw("</th>");
        for (run, figure) in row.figures.iter().enumerate() {
            html.raw("<td>").text(&words::figure(*figure));
            if runs > 2 && run > 0 && row.figures[0] != *figure {
                html.raw("<small>").text(&difference(row, run)).raw("</small>");
            }
            html.raw("</td>");
        }
        if runs == 2 {
            html.raw("<td>").text(&difference(row, 1)).raw("</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table>");
}

fn difference(row: &Row, run: usize) -> String {
    words::difference(row.figures.get(run).zip(row.figures.first()).and_then(|(own, base)| own.difference(*base)))
}

/// The table as text, for other programs.
pub fn table_as_text(comparison: &Comparison) -> String {
    let runs = comparison.ends.len();
    let mut head = vec![L(Label::Figure).to_owned()];
    head.extend((0..runs).map(|run| words::letter(run).to_owned()));
    head.extend((1..runs).map(|run| words::minus(run, 0)));
    let mut lines = vec![head.join("\t")];
    for row in &comparison.rows {
        let mut cells = vec![words::row(row.kind, common_revision(comparison), comparison.fleet)];
        cells.extend(row.figures.iter().map(|figure| words::figure(*figure)));
        cells.extend((1..runs).map(|run| difference(row, run)));
        lines.push(cells.join("\t"));
    }
    lines.join("\n")
}

const PATTERNS: &str = "<svg class=\"cmp-patterns\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>\
<pattern id=\"cmp-dots\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\"><rect class=\"ground new\" width=\"5\" height=\"5\"/><circle class=\"ink new\" cx=\"1.25\" cy=\"1.25\" r=\"1\"/><circle class=\"ink new\" cx=\"3.75\" cy=\"3.75\" r=\"1\"/></pattern>\
<pattern id=\"cmp-stripes\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(40)\"><rect class=\"ground old\" width=\"6\" height=\"6\"/><rect class=\"ink old\" width=\"3\" height=\"6\"/></pattern>\
<pattern id=\"cmp-hatch\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(40)\"><rect class=\"ground none\" width=\"6\" height=\"6\"/><rect class=\"ink none\" width=\"1.2\" height=\"6\"/></pattern>\
</defs></svg>";

/// All accounts on one scale, and a word on the largest part.
fn times(html: &mut Markup, comparison: &Comparison, runs: &Runs) {
    let longest = comparison.accounts.iter().flatten().map(|account| account.to.since(account.from)).max().unwrap_or(0);
    if longest == 0 {
        return;
    }
    html.raw("<section class=\"cmp-times\"><h3>").text(L(Label::WhereTimeGoes)).raw("</h3>").raw(PATTERNS);
    for (run, account) in comparison.accounts.iter().enumerate() {
        html.put(format_args!("<div class=\"cmp-time\"><b>{}</b>", words::letter(run)));
        html.raw("<svg height=\"18\" aria-hidden=\"true\" focusable=\"false\">");
        account.iter().for_each(|account| bar(html, account, longest));
        html.raw("</svg></div>");
    }
    html.raw("<ul class=\"cmp-legend\">");
    for part in runs.parts() {
        html.put(format_args!(
            "<li><svg width=\"14\" height=\"14\" aria-hidden=\"true\"><rect class=\"cmp-part {}\" width=\"14\" height=\"14\" rx=\"3\"/></svg>",
            part.looks_like()
        ));
        html.text(words::part(part)).raw("</li>");
    }
    html.raw("</ul>");
    if let Some(largest) = &comparison.largest {
        html.raw("<p class=\"read\" id=\"cmp-largest\">").text(&words::largest(largest));
        if let Some(change) = &runs.shared {
            html.raw(" ")
                .text(&words::shared_change(change))
                .raw(" <button type=\"button\" class=\"cmp-try\" data-do=\"try\" id=\"cmp-try\">");
            html.text(words::try_on_all(comparison.ends.len())).raw("</button>");
        }
        html.raw("</p>");
    }
    html.raw("</section>");
}

/// Hundredths of a per cent of `whole`, as an attribute.
fn share(ms: u64, whole: u64) -> String {
    let hundredths = ms.saturating_mul(10_000) / whole.max(1);
    format!("{}.{:02}%", hundredths / 100, hundredths % 100)
}

fn bar(html: &mut Markup, account: &Account, longest: u64) {
    for link in &account.chain {
        let (from, length) = (link.from.since(account.from), link.to.since(link.from));
        html.put(format_args!(
            "<rect class=\"cmp-part {}\" x=\"{}\" width=\"{}\" y=\"0\" height=\"18\" rx=\"1.5\"/>",
            link.part.looks_like(),
            share(from, longest),
            share(length, longest)
        ));
    }
}

/// The settings that differ, a field for each scenario.
pub fn drawer(state: &State) -> String {
    let mut html = Markup::default();
    if !state.editing {
        return String::new();
    }
    html.raw("<section class=\"cmp-drawer\" id=\"cmp-drawer\"")
        .attribute("aria-label", L(Label::Settings))
        .raw("><div class=\"cmp-drawer-head\"><h2>");
    html.text(L(Label::Settings)).raw("</h2>");
    html.icon("button icon", "close-drawer", L(Label::Close), markup::CROSS, false).raw("</div>");
    if state.is_same() {
        html.raw("<p class=\"hint\">").text(L(Label::NothingDiffers)).raw("</p>");
    }
    platforms(state, &mut html);
    for (line, field) in state.fields().into_iter().enumerate() {
        html.raw("<fieldset class=\"cmp-field\"><legend>").text(&field.label).raw("</legend>");
        for (run, value) in field.values.iter().enumerate() {
            if !field.applies[run] {
                continue;
            }
            let fault = state.scenarios[run].problem(&field.pointer);
            html.raw("<label class=\"cmp-value\">").raw(&badge(run, true));
            html.raw("<span class=\"only-read\">").text(&words::field_of(run, &field.label)).raw("</span>");
            html.put(format_args!(
                "<input class=\"text-input\" id=\"cmp-field-{line}-{run}\" data-run=\"{run}\" autocomplete=\"off\""
            ));
            html.attribute("data-field", &field.pointer).attribute("value", value);
            html.attribute("placeholder", L(Label::Absent));
            if fault.is_some() {
                html.put(format_args!(" aria-invalid=\"true\" aria-describedby=\"cmp-fault-{line}-{run}\""));
            }
            html.raw("></label>");
            if let Some(fault) = fault {
                html.put(format_args!("<p class=\"cmp-fault\" role=\"alert\" id=\"cmp-fault-{line}-{run}\">"));
                html.text(&problem(fault)).raw("</p>");
            }
        }
        html.raw("</fieldset>");
    }
    html.raw("</section>").done()
}

/// Where each runs: another choice moves the fleet there.
fn platforms(state: &State, html: &mut Markup) {
    let label = const { t(Page::PlatformOfRun) };
    html.raw("<fieldset class=\"cmp-field\"><legend>").text(label).raw("</legend>");
    for (run, now) in state.platforms().enumerate() {
        html.raw("<label class=\"cmp-value\">").raw(&badge(run, true));
        html.raw("<span class=\"only-read\">").text(&words::field_of(run, label)).raw("</span>");
        html.put(format_args!("<select class=\"select\" id=\"cmp-platform-{run}\" data-run=\"{run}\""));
        html.attribute("data-field", PLATFORM).raw(">");
        for (index, platform) in Platform::ALL.into_iter().enumerate() {
            html.put(format_args!("<option value=\"{index}\"{}>", if platform == now { " selected" } else { "" }));
            html.text(page::platform_name(platform)).raw("</option>");
        }
        html.raw("</select></label>");
    }
    html.raw("</fieldset>");
}

/// The player.
pub fn bar_of_player(pace: &Pace, at: SimTime, end: SimTime, unit: StepUnit) -> String {
    let mut html = Markup::default();
    let (at_start, at_end, still) = (at == SimTime::ZERO, at >= end, end == SimTime::ZERO);
    html.raw("<div class=\"bar player\" role=\"group\"")
        .attribute("aria-label", const { t(Page::Transport) })
        .raw("><div class=\"moves\">");
    html.icon("button icon to-start", "to-start", const { t(Page::ToStart) }, markup::TO_START, at_start);
    html.icon("button icon step-back", "step-back", const { t(Page::StepBack) }, markup::STEP_BACK, at_start);
    let (name, picture) = match pace.playing {
        true => (const { t(Page::Pause) }, markup::PAUSE),
        false => (const { t(Page::Play) }, markup::PLAY),
    };
    html.icon("play", "play", name, picture, still);
    html.icon("button icon step-on", "step-on", const { t(Page::StepOn) }, markup::STEP_ON, at_end);
    html.icon("button icon to-end", "to-end", const { t(Page::ToEnd) }, markup::TO_END, at_end);
    html.raw("</div><div class=\"clock\" id=\"cmp-clock\"></div><div class=\"cmp-choices\"><span class=\"words\">");
    html.raw(const { t(Page::StepBy) })
        .raw("</span><div class=\"segments\" role=\"group\"")
        .attribute("aria-label", const { t(Page::StepBy) })
        .raw(">");
    for (own, does, label) in UNITS {
        html.put(format_args!(
            "<button type=\"button\" data-do=\"{does}\" id=\"cmp-{does}\" aria-pressed=\"{}\">{label}</button>",
            own == unit
        ));
    }
    html.raw("</div><label class=\"words\" for=\"cmp-speed\">").raw(const { t(Page::Speed) });
    html.raw("</label><select class=\"select\" id=\"cmp-speed\"")
        .attribute("aria-label", const { t(Page::Speed) })
        .raw(">");
    for times in SPEEDS {
        let chosen = pace.milli.unwrap_or(0) == times * 1_000;
        html.put(format_args!("<option value=\"{times}\"{}>", if chosen { " selected" } else { "" }));
        match times {
            0 => html.raw(const { t(Page::SpeedFitShort) }),
            times => html.text(&page::speed_times(times)),
        };
        html.raw("</option>");
    }
    html.raw("</select></div></div>").done()
}

/// The runs as numbers, for those who do not see the pictures.
pub fn data(runs: &Runs) -> String {
    let mut html = Markup::default();
    html.raw("<details class=\"chart-table\" id=\"cmp-data\"><summary>")
        .text(L(Label::Data))
        .raw("</summary><div class=\"table-frame\" tabindex=\"0\" role=\"region\"");
    html.attribute("aria-label", L(Label::Data))
        .raw("><table><thead><tr><th scope=\"col\">")
        .text(L(Label::Moment))
        .raw("</th>");
    for (index, _) in runs.each() {
        html.put(format_args!("<th scope=\"col\">{}</th>", words::letter(index)));
    }
    html.raw("</tr></thead><tbody>");
    for at in runs.decisions().iter().take(ROWS_MAX) {
        html.raw("<tr><th scope=\"row\">").text(&page::clock(*at)).raw("</th>");
        for (index, run) in runs.each() {
            let counts = run.player.timeline().counts_at(*at).copied().unwrap_or_default();
            html.raw("<td>").text(&words::moment(index, counts.healthy(), counts.limits.desired, counts.physical()));
            html.raw("</td>");
        }
        html.raw("</tr>");
    }
    html.raw("</tbody></table></div></details>").done()
}

/// Floor and ceiling; where traffic is shifted the percentages play no part.
fn limits(run: &Run, limits: Limits) -> String {
    match run.settings.strategy.shift() {
        Some(_) => page::limits_shifting(limits.desired),
        None => words::limits(limits.floor, limits.ceiling),
    }
}

/// The tasks of a run at the cursor in words: each by its name, or how many there are.
pub fn tasks(run: &mut Run) -> String {
    let frame = run.player.frame();
    if frame.slots.len() > NAMED_MAX {
        let now = frame.counts.limits;
        return limits(run, now);
    }
    let say = |state| rollscope_wording::Language::default().say(rollscope_wording::Text::State(state));
    let names = frame.slots.iter().flatten().map(|task| format!("{} {}", words::task(task.name), say(task.state)));
    names.collect::<Vec<_>>().join(", ")
}

/// What every run does at the cursor, in one sentence.
pub fn spoken(runs: &Runs, at: SimTime) -> String {
    let each = runs.each().map(|(index, run)| {
        let counts = run.player.timeline().counts_at(at).copied().unwrap_or_default();
        words::moment(index, counts.healthy(), counts.limits.desired, counts.physical())
    });
    format!("{}. {}.", page::clock(at), each.collect::<Vec<_>>().join("; "))
}

/// A comparison that cannot be opened as it is.
pub fn broken(compared: &Compared, readable: bool) -> String {
    let mut html = Markup::default();
    html.raw("<section class=\"notice card\" role=\"alert\" id=\"cmp-broken\"><h1>")
        .text(L(Label::BrokenTitle))
        .raw("</h1><ul>");
    for (run, part) in compared.parts.iter().enumerate() {
        if let Err(error) = part {
            html.raw("<li>").text(&words::broken_part(run, error)).raw("</li>");
        }
    }
    if compared.parts.len() < 2 {
        html.raw("<li>").text(L(Label::OneOnly)).raw("</li>");
    }
    html.raw("</ul><p>").text(L(Label::BrokenWords)).raw("</p>");
    for text in &compared.texts {
        html.raw("<code class=\"clip mono\" tabindex=\"0\">").text(text).raw("</code>");
    }
    html.raw("<div class=\"buttons\">");
    if readable {
        html.button("solid", "open-readable", L(Label::OpenReadable));
    }
    for (run, part) in compared.parts.iter().enumerate() {
        if part.is_ok() {
            html.button("line", &format!("open-{run}"), &words::open_in_studio(run));
        }
    }
    html.raw("</div></section>").done()
}
