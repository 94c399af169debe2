//! The regions of the map as HTML.

use core::ops::Range;

use rollscope_engine::SimTime;
use rollscope_insight::comparison::Figure;
use rollscope_insight::explore::{Axis, Field, Known, Map, Measure, Spread};
use rollscope_wording::compare as figures;
use rollscope_wording::explore::{self as words, Label};
use rollscope_wording::page;
use rollscope_wording::problem;
use rollscope_wording::time::clock;

use super::screen::Screen;
use crate::markup::Markup;

const L: fn(Label) -> &'static str = words::label;

/// Runs of a dot.
const DOT: usize = 4;
/// Parts of the plot of dots.
const BINS: u64 = 16;
/// Size of the plot, in its own units.
const PLOT: (u64, u64) = (352, 132);

/// What stands still while it computes.
pub const FRAME: &str = "<div class=\"exp-main\"><div data-region=\"head\"></div><p class=\"exp-progress\" data-region=\"progress\" role=\"status\"></p><div data-region=\"map\"></div></div>\
<aside class=\"cmp-side\" data-region=\"side\" id=\"cmp-side\" tabindex=\"-1\"></aside>";

/// Title, pair, measure, progress.
pub fn head(screen: &Screen) -> String {
    let mut html = Markup::default();
    let Some(map) = &screen.map else {
        html.raw("<h1 class=\"title\">").text(L(Label::Map)).raw("</h1><p role=\"alert\">").text(L(Label::Broken));
        return html.raw("</p>").done();
    };
    let pairs = map.rows.values.len() * map.columns.values.len();
    html.raw("<h1 class=\"title\">").text(&words::title(pairs, map.fields.len())).raw("</h1><p class=\"exp-lead\">");
    html.text(words::lead(pairs, map.fields.len()))
        .raw("</p><div class=\"exp-choices\"><label class=\"exp-choice\"><span>");
    html.text(L(Label::Settings)).raw("</span><select class=\"select\" id=\"cmp-pair\">");
    for (index, pair) in screen.pairs.iter().enumerate() {
        let (rows, columns) = pair.pointers();
        html.put(format_args!("<option value=\"{index}\"{}>", if index == screen.pair { " selected" } else { "" }));
        html.text(&words::pair(&words::setting(rows), &words::setting(columns))).raw("</option>");
    }
    html.raw("</select></label><span class=\"exp-choice\"><span id=\"exp-show\">").text(L(Label::Show));
    html.raw("</span><span class=\"segments small\" role=\"group\" aria-labelledby=\"exp-show\">");
    for (index, measure) in Measure::ALL.into_iter().enumerate() {
        html.put(format_args!(
            "<button type=\"button\" data-do=\"measure-{index}\" id=\"cmp-measure-{index}\" aria-pressed=\"{}\">",
            measure == screen.measure
        ));
        html.text(words::measure(measure)).raw("</button>");
    }
    html.raw("</span></span>");
    let (done, all) = map.progress();
    if done < all {
        match screen.stopped {
            true => html.button("line", "go-on", L(Label::GoOn)),
            false => html.button("line", "stop", L(Label::Stop)),
        };
    }
    html.raw("</div>").done()
}

/// How far it is; empty once all is computed.
pub fn progress(screen: &Screen) -> String {
    let (done, all) = screen.map.as_ref().map_or((0, 0), Map::progress);
    if done < all { words::progress(done, all) } else { String::new() }
}

/// The map as a table: merged values span rows and columns.
pub fn map(screen: &Screen) -> String {
    let Some(map) = &screen.map else { return String::new() };
    let mut html = Markup::default();
    let (rows, columns) = (words::setting(map.rows.pointer), words::setting(map.columns.pointer));
    html.raw("<div class=\"exp-scroll\"><table class=\"exp-map\"")
        .attribute("aria-label", L(Label::Map))
        .raw("><thead><tr><td></td>");
    html.put(format_args!("<th class=\"exp-name\" colspan=\"{}\" scope=\"colgroup\">", map.columns.values.len() + 1));
    html.text(&columns).raw("</th></tr><tr><th class=\"exp-name\" scope=\"col\">").text(&rows).raw("</th><td></td>");
    let own = map.own.and_then(|own| map.fields.get(own)).map(|field| field.at);
    for (index, value) in map.columns.values.iter().enumerate() {
        html.raw(if own.is_some_and(|own| own.1 == index) {
            "<th scope=\"col\" class=\"own\">"
        } else {
            "<th scope=\"col\">"
        });
        html.text(&words::value(value, map.columns.pointer)).raw("</th>");
    }
    html.raw("</tr>");
    if merges(&map.column_groups) {
        html.raw("<tr class=\"exp-groups\"><td></td><td></td>");
        for (index, group) in map.column_groups.iter().enumerate() {
            html.put(format_args!("<th scope=\"colgroup\" colspan=\"{}\">", group.len()));
            let ceiling =
                (0..map.row_groups.len()).find_map(|row| at(map, row, index)?.limits).map(|limits| limits.ceiling);
            // One column is too narrow for the word.
            let text = |n: u32| if group.len() > 1 { words::group(true, n) } else { page::number(n.into()) };
            html.text(&ceiling.map(text).unwrap_or_default()).raw("</th>");
        }
        html.raw("</tr>");
    }
    html.raw("</thead><tbody>");
    for (group, range) in map.row_groups.iter().enumerate() {
        for row in range.clone() {
            html.raw(if own.is_some_and(|own| own.0 == row) {
                "<tr><th scope=\"row\" class=\"own\">"
            } else {
                "<tr><th scope=\"row\">"
            });
            html.text(&words::value(&map.rows.values[row], map.rows.pointer)).raw("</th>");
            if row == range.start {
                html.put(format_args!("<th scope=\"rowgroup\" class=\"exp-floor\" rowspan=\"{}\">", range.len()));
                let floor = (0..map.column_groups.len()).find_map(|column| at(map, group, column)?.limits);
                let floor = floor.filter(|_| merges(&map.row_groups)).map(|limits| limits.floor);
                html.text(&floor.map(|n| words::group(false, n)).unwrap_or_default()).raw("</th>");
                (0..map.column_groups.len()).for_each(|column| cell(screen, map, group, column, &mut html));
            }
            html.raw("</tr>");
        }
    }
    html.raw("</tbody></table></div>");
    legend(screen, map, &mut html);
    html.done()
}

fn merges(groups: &[Range<usize>]) -> bool {
    groups.iter().any(|group| group.len() > 1)
}

fn at(map: &Map, row: usize, column: usize) -> Option<&Field> {
    map.fields.get(row * map.column_groups.len() + column)
}

/// The values of a group: one, or the first and the last.
fn values(axis: &Axis, range: &Range<usize>) -> String {
    let name = |index: usize| axis.values.get(index).map(|value| words::value(value, axis.pointer)).unwrap_or_default();
    match range.len() {
        1 => name(range.start),
        _ => format!("{}–{}", name(range.start), name(range.end - 1)),
    }
}

fn cell(screen: &Screen, map: &Map, row: usize, column: usize, html: &mut Markup) {
    let index = row * map.column_groups.len() + column;
    let field = &map.fields[index];
    let selected = index == screen.selected;
    html.put(format_args!("<td colspan=\"{}\" rowspan=\"{}\">", field.columns.len(), field.rows.len()));
    html.put(format_args!(
        "<button type=\"button\" id=\"cmp-cell-{index}\" data-do=\"cell-{index}\" tabindex=\"{}\"",
        if selected { 0 } else { -1 }
    ));
    let shade = map.shade(index, screen.measure).map(|n| format!(" shade-{n}"));
    let state = match &field.known {
        Known::Waiting => " waiting",
        Known::Refused(_) => " refused",
        Known::Found(found) if !matches!(found.done, Figure::Time(_)) => " never",
        Known::Found(_) => "",
    };
    html.put(format_args!(" class=\"exp-cell{state}{}\" aria-pressed=\"{selected}\"", shade.unwrap_or_default()));
    let (rows, columns) = (values(&map.rows, &field.rows), values(&map.columns, &field.columns));
    html.raw("><span class=\"exp-words\"><span class=\"only-read\">");
    html.text(&words::spoken(&rows, &columns, screen.measure)).raw("</span>");
    match &field.known {
        Known::Waiting => {
            html.raw("<b aria-hidden=\"true\">·</b><span class=\"only-read\">").text(L(Label::Waiting)).raw("</span>")
        }
        Known::Refused(_) => html.raw("<b>").text(L(Label::Refused)).raw("</b>"),
        Known::Found(found) => {
            html.raw("<b>").text(&words::figure(screen.measure, found)).raw("</b><small>");
            html.text(&words::range(found)).raw("</small>")
        }
    };
    html.raw("</span>");
    if field.best {
        html.raw("<i class=\"exp-best\"></i><span class=\"only-read\">").text(words::best()).raw("</span>");
    }
    html.raw("</button></td>");
}

fn legend(screen: &Screen, map: &Map, html: &mut Markup) {
    html.raw("<p class=\"exp-legend\">");
    if map.span(screen.measure).is_some() {
        let end = |darkest: bool| {
            let numbers = map.fields.iter().filter_map(|field| Some((field.number(screen.measure)?, field.found()?)));
            let found = if darkest { numbers.max_by_key(|(n, _)| *n) } else { numbers.min_by_key(|(n, _)| *n) };
            found.map(|(_, found)| words::figure(screen.measure, found)).unwrap_or_default()
        };
        html.raw("<span>").text(&end(false)).raw("</span><span class=\"exp-ramp\" aria-hidden=\"true\">");
        (0..6).for_each(|n| {
            html.put(format_args!("<i class=\"shade-{n}\"></i>"));
        });
        html.raw("</span><span>").text(&end(true)).raw("</span>");
    }
    html.raw("<span class=\"exp-dot\"><i class=\"exp-best\"></i>").text(L(Label::Best)).raw("</span></p>");
}

/// The selected field.
pub fn side(screen: &Screen) -> String {
    let mut html = Markup::default();
    let Some(map) = &screen.map else { return String::new() };
    let Some(field) = map.fields.get(screen.selected) else { return String::new() };
    let name =
        |axis: &Axis, index: usize| axis.values.get(index).map(|v| words::value(v, axis.pointer)).unwrap_or_default();
    html.raw("<p class=\"exp-selected\">").text(L(Label::Selected)).raw("</p><h2 class=\"cmp-heading\">");
    html.text(&format!("{} / {}", name(&map.rows, field.at.0), name(&map.columns, field.at.1))).raw("</h2>");
    for (axis, range) in [(&map.rows, &field.rows), (&map.columns, &field.columns)] {
        if range.len() > 1 {
            let same = words::same(&words::setting(axis.pointer), &name(axis, range.start), &name(axis, range.end - 1));
            html.raw("<p>").text(&same).raw("</p>");
        }
    }
    match &field.known {
        Known::Waiting => {
            html.raw("<p>").text(L(Label::Waiting)).raw("</p>");
        }
        Known::Refused(problems) => {
            for refused in problems.iter().take(3) {
                html.raw("<p role=\"alert\">").text(&problem(refused)).raw("</p>");
            }
        }
        Known::Found(found) => {
            html.raw("<dl class=\"exp-figures\">");
            for (label, measure) in [
                (Label::DoneAfter, Measure::Duration),
                (Label::Fewest, Measure::FewestHealthy),
                (Label::Most, Measure::MostAtOnce),
            ] {
                html.raw("<div><dt>")
                    .text(L(label))
                    .raw("</dt><dd>")
                    .text(&figures::figure(measure.of(found)))
                    .raw("</dd></div>");
            }
            html.raw("</dl>");
        }
    }
    if let Some(spread) = &screen.spread {
        spread_of(spread, screen.wait_ms, &mut html);
    }
    neighbours(screen, map, &mut html);
    html.raw("<div class=\"cmp-foot\">");
    html.button("solid", "open", L(Label::OpenInStudio));
    // What is refused does not run, and has nothing to compare.
    if !matches!(field.known, Known::Refused(_)) {
        html.button("line", "compare", L(Label::CompareWithCurrent));
    }
    html.raw("</div>").done()
}

fn neighbours(screen: &Screen, map: &Map, html: &mut Markup) {
    let next = [(-1, 0), (0, 1), (1, 0), (0, -1)].map(|(rows, columns)| map.neighbour(screen.selected, rows, columns));
    html.raw("<h3 class=\"exp-small\">").text(L(Label::OneStep)).raw("</h3><ul class=\"exp-next\">");
    for index in next.into_iter().flatten() {
        let field = &map.fields[index];
        let what = match &field.known {
            Known::Found(found) => format!("{}, {}", words::figure(screen.measure, found), words::range(found)),
            Known::Refused(_) => L(Label::Refused).to_owned(),
            Known::Waiting => L(Label::Waiting).to_owned(),
        };
        let name = |axis: &Axis, index: usize| values(axis, &(index..index + 1));
        html.raw("<li><span><b>");
        html.text(&format!("{} / {}", name(&map.rows, field.at.0), name(&map.columns, field.at.1)));
        html.raw("</b> ").text(&what).raw("</span>");
        html.put(format_args!("<button type=\"button\" class=\"button line small\" data-do=\"cell-{index}\">"));
        html.text(L(Label::Select)).raw("</button></li>");
    }
    html.raw("</ul>");
}

fn spread_of(spread: &Spread, wait_ms: u64, html: &mut Markup) {
    html.raw("<h3 class=\"exp-small\">").text(L(Label::Spread)).raw("</h3>");
    let Some(found) = spread.figures() else { return };
    if spread.is_still() {
        html.raw("<p>").text(L(Label::NoSpread)).raw("</p>");
        return;
    }
    plot(spread, wait_ms, html);
    let runs = spread.runs.len();
    html.raw("<p>").text(&words::spread(&found, runs)).raw("</p><p>");
    html.text(&words::beyond(spread.longer_than(wait_ms), runs, &clock(SimTime(wait_ms)))).raw("</p>");
    html.raw("<div class=\"exp-wait\"><label>")
        .text(L(Label::Wait))
        .raw(" <input class=\"text-input\" id=\"cmp-wait\"");
    html.attribute("value", &clock(SimTime(wait_ms)))
        .raw("></label>")
        .button("line", "open-worst", L(Label::OpenWorst))
        .raw("</div>");
}

/// One dot for each few runs, by their duration; dark beyond the wait.
fn plot(spread: &Spread, wait_ms: u64, html: &mut Markup) {
    let bins = spread.bins(BINS);
    let (Some(first), Some(last)) = (bins.first(), bins.last()) else { return };
    let (width, height) = PLOT;
    let each = width / BINS;
    html.put(format_args!("<svg class=\"exp-plot\" viewBox=\"0 0 {width} {}\" role=\"img\"", height + 20));
    html.attribute("aria-label", L(Label::Spread)).raw(">");
    let highest = bins.iter().map(|bin| bin.1.len().div_ceil(DOT)).max().unwrap_or(1).max(1) as u64;
    let step = (height / (highest + 1)).min(10);
    for (index, (_, inside)) in bins.iter().enumerate() {
        for (dot, runs) in inside.chunks(DOT).enumerate() {
            let (x, y) = (index as u64 * each + each / 2, height - dot as u64 * step - step / 2);
            let over = runs.iter().any(|ms| *ms > wait_ms);
            html.put(format_args!(
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" class=\"{}\"/>",
                if over { "over" } else { "" }
            ));
        }
    }
    html.put(format_args!("<line x1=\"0\" x2=\"{width}\" y1=\"{height}\" y2=\"{height}\"/>"));
    let (from, to) = (first.0, last.0 + bins.get(1).map_or(1, |second| second.0 - first.0));
    if (from..to).contains(&wait_ms) {
        let x = (wait_ms - from) * width / (to - from).max(1);
        html.put(format_args!("<line class=\"wait\" x1=\"{x}\" x2=\"{x}\" y1=\"0\" y2=\"{height}\"/>"));
    }
    html.put(format_args!("<text x=\"0\" y=\"{}\">", height + 16)).text(&clock(SimTime(from))).raw("</text>");
    html.put(format_args!("<text x=\"{width}\" y=\"{}\" text-anchor=\"end\">", height + 16)).text(&clock(SimTime(to)));
    html.raw("</text></svg>");
}
