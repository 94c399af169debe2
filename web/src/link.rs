//! Links of the page: what was opened, or in words why not.

use rollscope_engine::SimTime;
use rollscope_engine::settings::TaskName;
use rollscope_scenario::edit::{self, Platform};
use rollscope_scenario::link::{self, Decoded, Link, LinkError};
use rollscope_scenario::{Document, Kind, Preset, Problem, Value};

use crate::app::model::{ChartOf, Group, Tab};
use crate::text;

/// A scenario that was opened.
#[derive(Clone, Debug, PartialEq)]
pub struct Opened {
    /// The document.
    pub document: Document,
    /// The moment to go to.
    pub at: Option<SimTime>,
    /// The panel to show.
    pub tab: Option<Tab>,
    /// The task to select.
    pub selected: Option<TaskName>,
    /// The instance to select, by its number.
    pub host: Option<u32>,
    /// The order of the stage.
    pub group: Option<Group>,
    /// What the chart shows, where the link says so.
    pub chart: Option<ChartOf>,
    /// What was noticed on the way.
    pub warnings: Vec<Problem>,
}

/// What is wrong with a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrokenKind {
    /// Its end is missing.
    Cut,
    /// Characters were changed.
    Damaged,
    /// Another version made it.
    Version,
    /// It is too long, or no link at all.
    Other,
}

/// A link that could not be opened as it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Broken {
    /// What is wrong with it.
    pub kind: BrokenKind,
    /// What happened, short.
    pub title: String,
    /// What happened, in sentences.
    pub words: String,
    /// What was read and what was not.
    pub details: Vec<String>,
    /// The text of the link, to be copied.
    pub fragment: String,
    /// What can be read of it.
    pub readable: Option<Opened>,
}

/// The scenario of a page that was opened without a link: four tasks, half at a time, behind a
/// load balancer.
const FIRST: &str = r#"{"rollscope":1,"title":"web","service":{"desiredCount":4,
"deploymentConfiguration":{"minimumHealthyPercent":100,"maximumPercent":150}},
"targetGroups":[{"healthCheckIntervalSeconds":10,"deregistration_delay.timeout_seconds":60}]}"#;

/// See [`Opened::first`].
pub fn first() -> Document {
    Document::from_text(FIRST).document
}

impl Opened {
    /// What a page without a link shows.
    pub fn first() -> Opened {
        Opened::document(first())
    }

    /// A scenario read from elsewhere than a link.
    pub fn document(document: Document) -> Opened {
        Opened {
            document,
            at: None,
            tab: None,
            selected: None,
            host: None,
            group: None,
            chart: None,
            warnings: Vec::new(),
        }
    }

    /// A scenario on another platform, changed there by `then`, with what became of its fields.
    pub fn moved(tree: &Value, to: Platform, then: impl Fn(&Value) -> edit::Fields) -> Opened {
        let mut moved = edit::moved(tree, to);
        for (pointer, value) in then(&moved.tree) {
            if value.is_null() {
                moved.tree.remove_pointer(&pointer);
            } else {
                moved.tree.set_pointer(&pointer, value);
            }
        }
        let mut said = Vec::new();
        if !moved.renamed.is_empty() {
            said.push(text::carried_over(&moved.renamed));
        }
        if !moved.lost.is_empty() {
            said.push(text::no_counterpart(&moved.lost));
        }
        let warnings = said.into_iter().map(|words| Problem::warning(Kind::Advice, "", "", words)).collect();
        Opened { warnings, ..Opened::document(Document::from_value(&moved.tree).0) }
    }

    /// A scenario as it is given, with what could not be read of it.
    pub fn refused(tree: &Value) -> Opened {
        let (document, problems) = Document::from_value(tree);
        let warnings = problems.into_iter().filter(Problem::is_error).collect();
        Opened { warnings, ..Opened::document(document) }
    }

    fn decoded(decoded: Decoded) -> Opened {
        let link = decoded.link;
        Opened {
            document: link.document,
            at: link.moment_ms.map(SimTime),
            tab: link.panel.as_deref().and_then(panel),
            selected: link.selection.as_deref().and_then(task),
            host: link.selection.as_deref().and_then(host),
            group: link.group.as_deref().and_then(group),
            chart: link.chart.as_deref().map(|name| if name == TRAFFIC { ChartOf::Traffic } else { ChartOf::Tasks }),
            warnings: decoded.problems,
        }
    }
}

pub use link::looks_like;

/// A fragment, or a whole address, of a screen that the second program shows: a comparison, or a map.
pub fn is_compared(text: &str) -> bool {
    link::is_compared(text) || link::is_explored(text)
}

/// It is that of a map.
pub fn is_explored(text: &str) -> bool {
    link::is_explored(text)
}

/// Reads a fragment or a whole address; `None` for an empty one.
pub fn read(text: &str) -> Result<Option<Opened>, Box<Broken>> {
    match link::decode(text) {
        Ok(decoded) => Ok(Some(Opened::decoded(decoded))),
        Err(LinkError::Empty) => Ok(None),
        Err(error) => Err(Box::new(broken(text, &error))),
    }
}

/// A panel by its name in a link. Unknown ones are those of another version: the page has its own default.
fn panel(name: &str) -> Option<Tab> {
    match name {
        "why" => Some(Tab::Why),
        "events" => Some(Tab::Events),
        "api" => Some(Tab::Api),
        "guards" => Some(Tab::Guards),
        _ => None,
    }
}

fn panel_name(tab: Tab) -> Option<String> {
    match tab {
        Tab::Why => None,
        Tab::Events => Some("events".to_owned()),
        Tab::Api => Some("api".to_owned()),
        Tab::Guards => Some("guards".to_owned()),
    }
}

/// A task as a link names it: `8.3`.
fn task(name: &str) -> Option<TaskName> {
    let (revision, start) = name.split_once('.')?;
    Some(TaskName { revision: revision.parse().ok()?, start: start.parse().ok()? })
}

/// An instance as a link names it: `i3`.
fn host(name: &str) -> Option<u32> {
    name.strip_prefix('i')?.parse().ok()
}

/// The chart of the traffic in a link.
const TRAFFIC: &str = "traffic";

/// The orders of the stage by their names in a link.
const GROUPS: [(Group, &str); 4] =
    [(Group::Slot, "slot"), (Group::Revision, "revision"), (Group::Zone, "zone"), (Group::Instance, "instance")];

fn group(name: &str) -> Option<Group> {
    GROUPS.into_iter().find(|(_, of)| *of == name).map(|(group, _)| group)
}

/// What is looked at beside a document.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Looked {
    /// The moment.
    pub at: SimTime,
    /// The panel.
    pub tab: Tab,
    /// The selected task.
    pub selected: Option<TaskName>,
    /// The selected instance, by its number.
    pub host: Option<u32>,
    /// The order of the stage, where one was chosen.
    pub group: Option<Group>,
    /// What the chart shows.
    pub chart: ChartOf,
}

/// The fragment of a document with what is looked at.
pub fn write(document: &Document, looked: &Looked) -> String {
    let group = looked.group.and_then(|group| GROUPS.into_iter().find(|(of, _)| *of == group));
    let task = looked.selected.map(|name| format!("{}.{}", name.revision, name.start));
    link::encode(&Link {
        document: document.clone(),
        moment_ms: (looked.at > SimTime::ZERO).then_some(looked.at.ms()),
        selection: task.or(looked.host.map(|number| format!("i{number}"))),
        panel: panel_name(looked.tab),
        group: group.map(|(_, name)| name.to_owned()),
        chart: (looked.chart == ChartOf::Traffic).then(|| TRAFFIC.to_owned()),
        ..Link::default()
    })
}

/// The fragment of a comparison of a scenario with its copy, at a moment.
pub fn compare_with_copy(document: &Document, at: SimTime) -> String {
    let copy = Link { document: document.clone(), ..Link::default() };
    let first = Link { moment_ms: (at > SimTime::ZERO).then_some(at.ms()), ..copy.clone() };
    link::encode_compared([&first, &copy])
}

/// The fragment of a comparison of presets, by their names.
pub fn compare_presets(names: &[&str]) -> String {
    let found = names.iter().filter_map(|name| Preset::find(name));
    let links = found.map(|preset| Link { document: Document::from_text(preset.document).document, ..Link::default() });
    link::encode_compared(&links.collect::<Vec<_>>())
}

/// The fragment of the map around a scenario.
pub fn explore(document: &Document) -> String {
    link::encode_explored(&Link { document: document.clone(), ..Link::default() }, "", "", None)
}

/// The scenario that a comparison begins with, or a map is about, as a fragment of its own.
pub fn first_compared(fragment: &str) -> Option<String> {
    let explored = link::decode_explored(fragment).map(|explored| explored.text);
    explored.or_else(|| link::decode_compared(fragment)?.texts.into_iter().next())
}

fn broken(text: &str, error: &LinkError) -> Broken {
    let (title, words) = text::broken_link(error);
    let (kind, partial) = match error {
        LinkError::Cut { partial, .. } => (BrokenKind::Cut, Some((**partial).clone())),
        LinkError::Damaged { partial } => (BrokenKind::Damaged, Some((**partial).clone())),
        LinkError::UnknownVersion { .. } => (BrokenKind::Version, None),
        _ => (BrokenKind::Other, None),
    };
    let mut details = partial.iter().flat_map(|found| found.problems.iter().map(Problem::to_string)).collect();
    let mut readable = partial.map(Opened::decoded);
    if kind == BrokenKind::Version
        && let Some((opened, count)) = shared(text)
    {
        (details, readable) = (vec![count], Some(opened));
    }
    Broken { kind, title, words, details, fragment: text.to_owned(), readable }
}

/// What a link of another version shares with this one, and how much of it that is.
fn shared(text: &str) -> Option<(Opened, String)> {
    let (_, body) = text.split_once('&')?;
    let decoded = link::decode(&format!("v1&{body}")).ok()?;
    let view = ["at=", "step=", "sel=", "panel=", "group=", "chart="];
    let pairs = body.split('&').filter(|pair| !pair.is_empty() && !view.iter().any(|key| pair.starts_with(key)));
    let (all, unread) = (pairs.count(), decoded.problems.len());
    let name = |problem: &Problem| match problem.field.as_str() {
        "" => problem.given.clone(),
        field => field.trim_start_matches('/').replace('/', "."),
    };
    let missing: Vec<String> = decoded.problems.iter().map(name).collect();
    let read = all.checked_sub(unread).filter(|read| *read > 0)?;
    Some((Opened::decoded(decoded), text::readable(read, all, &missing)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_holds_the_document_and_the_moment() {
        let text = write(&first(), &Looked { at: SimTime(110_000), ..Looked::default() });
        let opened = read(&text).expect("opens").expect("not empty");
        assert_eq!(opened.document, first());
        assert_eq!(opened.at, Some(SimTime(110_000)));
        assert!(opened.warnings.is_empty());
        assert_eq!(read("").expect("opens"), None);
    }

    #[test]
    fn a_link_holds_the_panel_and_the_selection() {
        let selected = Some(TaskName { revision: 8, start: 3 });
        for tab in [Tab::Why, Tab::Events, Tab::Api, Tab::Guards] {
            let looked = Looked { tab, selected, ..Looked::default() };
            let opened = read(&write(&first(), &looked)).expect("opens").expect("not empty");
            assert_eq!((opened.tab.unwrap_or_default(), opened.selected), (tab, selected));
        }
    }

    #[test]
    fn a_link_holds_the_order_of_the_stage_and_a_selected_instance() {
        for group in [Group::Slot, Group::Revision, Group::Zone, Group::Instance] {
            let looked = Looked { host: Some(12), group: Some(group), ..Looked::default() };
            let opened = read(&write(&first(), &looked)).expect("opens").expect("not empty");
            assert_eq!((opened.group, opened.host, opened.selected), (Some(group), Some(12), None));
            assert_eq!(opened.chart, None, "tasks need no word");
            let traffic = Looked { chart: ChartOf::Traffic, ..looked };
            let opened = read(&write(&first(), &traffic)).expect("opens").expect("not empty");
            assert_eq!((opened.chart, opened.group), (Some(ChartOf::Traffic), Some(group)));
            assert!(opened.warnings.is_empty());
        }
        let plain = read(&write(&first(), &Looked::default())).expect("opens").expect("not empty");
        assert_eq!((plain.group, plain.host), (None, None));
    }

    #[test]
    fn a_scenario_is_compared_with_its_copy() {
        let fragment = compare_with_copy(&first(), SimTime(5_000));
        assert!(is_compared(&fragment) && !is_compared(&write(&first(), &Looked::default())));
        let alone = first_compared(&fragment).expect("a part");
        let opened = read(&alone).expect("opens").expect("not empty");
        assert_eq!((opened.document, opened.at), (first(), Some(SimTime(5_000))));
    }

    #[test]
    fn a_cut_link_says_how_much_is_missing() {
        let text = write(&first(), &Looked { at: SimTime(110_000), ..Looked::default() });
        let cut = read(&text[..text.len() - 7]).expect_err("cut");
        assert!(cut.words.starts_with("7 characters are missing"), "{}", cut.words);
        assert!(cut.readable.is_some());
    }

    #[test]
    fn damaged_and_foreign_links_are_told_apart() {
        let text = write(&first(), &Looked::default());
        let changed = text.replace("=4", "=5");
        assert_ne!(changed, text);
        assert!(read(&changed).expect_err("damaged").title.contains("changed"));
        let foreign = read("v9.12.00000000&a=b").expect_err("version");
        assert!(foreign.words.contains("v9") && foreign.readable.is_none());
        assert!(read("gallery").expect_err("no link").title.contains("not a Rollscope link"));
    }

    #[test]
    fn what_another_version_shares_can_be_read() {
        let newer = read("v2.9.0&title=web&desired=4&linearStep=10&at=5000").expect_err("version");
        assert_eq!(newer.kind, BrokenKind::Version);
        assert_eq!(newer.details, ["2 of 3 settings can be read. Missing: linearStep."]);
        assert_eq!(newer.readable.expect("readable").document.service.desired_count, Some(4));
    }

    #[test]
    fn the_first_scenario_runs_without_a_warning() {
        let reading = Document::from_text(FIRST);
        assert!(reading.problems.is_empty(), "{:?}", reading.problems);
        assert!(reading.resolve().is_ok());
    }
}
