//! The scenarios that are compared, as data: what a link holds and what an edit makes of them.

use rollscope_engine::SimTime;
use rollscope_engine::platform::PlatformSettings;
use rollscope_engine::settings::{EVENT_BUDGET_PAGE, Settings};
use rollscope_insight::comparison::Kind;
use rollscope_scenario::edit::{self, Platform};
use rollscope_scenario::link::{COMPARED, Compared, Link, decode_compared, encode, encode_compared};
use rollscope_scenario::{Document, Problem, Value, json};
use rollscope_wording::compare as words;

/// One scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Scenario {
    /// What runs.
    pub document: Document,
    /// What was typed and refused: the whole document, and why.
    pub refused: Option<(Value, Vec<Problem>)>,
}

/// All of them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct State {
    /// Two to four.
    pub scenarios: Vec<Scenario>,
    /// The drawer with the settings that differ is open.
    pub editing: bool,
    /// What the settings were before each change, the last one last.
    before: Vec<Vec<Scenario>>,
}

/// Most changes that can be taken back.
const UNDO_MAX: usize = 100;

/// Fields that are always in the drawer: what people compare first on Amazon ECS.
const ALWAYS: [&str; 2] =
    ["/service/deploymentConfiguration/minimumHealthyPercent", "/service/deploymentConfiguration/maximumPercent"];
/// The same of a Kubernetes Deployment.
const ALWAYS_KUBERNETES: [&str; 2] =
    ["/service/strategy/rollingUpdate/maxSurge", "/service/strategy/rollingUpdate/maxUnavailable"];
/// The same of an EC2 instance refresh.
const ALWAYS_INSTANCES: [&str; 2] =
    ["/service/Preferences/MinHealthyPercentage", "/service/Preferences/MaxHealthyPercentage"];
/// The same of a StatefulSet.
const ALWAYS_ORDINALS: [&str; 2] =
    ["/service/updateStrategy/rollingUpdate/maxUnavailable", "/service/updateStrategy/rollingUpdate/partition"];
/// The same of a DaemonSet.
const ALWAYS_NODES: [&str; 2] =
    ["/service/updateStrategy/rollingUpdate/maxSurge", "/service/updateStrategy/rollingUpdate/maxUnavailable"];
/// The same of a Google Cloud managed instance group.
const ALWAYS_GOOGLE: [&str; 2] = ["/service/updatePolicy/maxSurge/fixed", "/service/updatePolicy/maxUnavailable/fixed"];
/// The same of an Azure scale set.
const ALWAYS_AZURE: [&str; 2] = [
    "/service/upgradePolicy/rollingUpgradePolicy/maxBatchInstancePercent",
    "/service/upgradePolicy/rollingUpgradePolicy/maxSurge",
];
/// Fields that are no settings. Another platform has another form altogether.
const NO_SETTINGS: [&str; 4] = ["/rollscope", "/title", "/notes", "/platform"];
/// The platform itself is chosen, not typed: its scenario is moved there.
pub const PLATFORM: &str = "/platform";
/// What belongs to one platform alone.
const OWN: [&str; 3] = ["/service/", "/containers/", "/nodes"];
/// What only AWS has.
const OF_AWS: &str = "/targetGroups/";

/// A field of the drawer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRow {
    /// JSON pointer.
    pub pointer: String,
    /// The platform's own name of it.
    pub label: String,
    /// As it stands in each scenario; empty where it is absent.
    pub values: Vec<String>,
    /// The platform of each scenario has it.
    pub applies: Vec<bool>,
}

impl Scenario {
    fn new(document: Document) -> Scenario {
        Scenario { document, refused: None }
    }

    /// The whole document as it is typed.
    fn typed(&self) -> Value {
        self.refused.as_ref().map_or_else(|| self.document.to_json(), |(typed, _)| typed.clone())
    }

    /// What the engine runs, within the page's budget; absent where the service refuses it.
    pub fn settings(&self) -> Option<Settings> {
        let mut settings = self.document.resolve().ok()?.settings;
        settings.event_budget = EVENT_BUDGET_PAGE;
        Some(settings)
    }

    /// What the problem with a field is.
    pub fn problem(&self, pointer: &str) -> Option<&Problem> {
        let (_, problems) = self.refused.as_ref()?;
        problems.iter().find(|problem| problem.is_error() && problem.field == pointer)
    }

    /// Its platform.
    fn platform(&self) -> Platform {
        Platform::of(&self.document.to_json()).unwrap_or(Platform::Ecs)
    }

    /// What people compare first on its platform.
    const fn always(platform: Platform) -> &'static [&'static str] {
        match platform {
            Platform::Ecs => &ALWAYS,
            Platform::Kubernetes => &ALWAYS_KUBERNETES,
            Platform::StatefulSet => &ALWAYS_ORDINALS,
            Platform::DaemonSet => &ALWAYS_NODES,
            Platform::InstanceRefresh => &ALWAYS_INSTANCES,
            Platform::Mig => &ALWAYS_GOOGLE,
            Platform::Vmss => &ALWAYS_AZURE,
        }
    }

    /// The link of it alone.
    pub fn link(&self, at: SimTime) -> Link {
        Link { document: self.document.clone(), moment_ms: (at > SimTime::ZERO).then_some(at.ms()), ..Link::default() }
    }

    /// Changes one field; an empty text takes it out. What is refused stays as it was typed.
    fn set(&mut self, pointer: &str, text: &str) {
        let mut tree = self.typed();
        if text.trim().is_empty() {
            tree.remove_pointer(pointer);
        } else {
            let value = json::read(text.trim()).map_or_else(|_| Value::from(text.trim()), |read| read.value);
            tree.set_pointer(pointer, value);
        }
        let (document, mut problems) = Document::from_value(&tree);
        if let Err(found) = document.resolve() {
            problems.extend(found);
        }
        self.refused = None;
        if problems.iter().any(Problem::is_error) {
            self.refused = Some((tree, problems));
        } else {
            self.document = document;
        }
    }
}

impl State {
    /// What a link holds, with the common moment; `Err` with the parts where it cannot be opened as it is.
    pub fn read(fragment: &str) -> Result<(State, SimTime), Option<Compared>> {
        let compared = decode_compared(fragment).ok_or(None)?;
        if !compared.is_whole() {
            return Err(Some(compared));
        }
        let at = SimTime(compared.moment_ms().unwrap_or(0));
        let documents = compared.parts.into_iter().flatten().map(|part| part.link.document);
        Ok((State::of(documents), at))
    }

    /// What can be read of a link that is broken; absent where that is less than two scenarios.
    pub fn readable(compared: &Compared) -> Option<State> {
        let document = |part: &Result<_, rollscope_scenario::link::LinkError>| match part {
            Ok(decoded) => Some(rollscope_scenario::link::Decoded::clone(decoded).link.document),
            Err(error) => error.partial().map(|partial| partial.link.document.clone()),
        };
        let state = State::of(compared.parts.iter().filter_map(document));
        (state.scenarios.len() >= COMPARED.1).then_some(state)
    }

    fn of(documents: impl Iterator<Item = Document>) -> State {
        let scenarios: Vec<Scenario> = documents.map(Scenario::new).collect();
        // A copy beside its original: the next thing is to change one of them.
        let editing = scenarios.windows(2).all(|pair| pair[0].document == pair[1].document);
        State { scenarios, editing, before: Vec::new() }
    }

    /// The fragment, with the common moment in its first part.
    pub fn fragment(&self, at: SimTime) -> String {
        let links = self.scenarios.iter().enumerate();
        let links: Vec<Link> = links.map(|(run, one)| one.link(if run == 0 { at } else { SimTime::ZERO })).collect();
        encode_compared(&links)
    }

    /// The link of one scenario alone.
    pub fn link_of(&self, run: usize, at: SimTime) -> Option<String> {
        self.scenarios.get(run).map(|one| encode(&one.link(at)))
    }

    /// The revision that runs and the one that is rolled out, where all have the same.
    pub fn revisions(settings: &[Settings]) -> Option<(u32, u32)> {
        let of = |one: &Settings| Some((one.start.deployments.first()?.revision, one.start.deploy?));
        let first = settings.first().and_then(of)?;
        let alike = settings.windows(2).all(|pair| Kind::of(&pair[0]) == Kind::of(&pair[1]));
        (alike && settings.iter().all(|one| of(one) == Some(first))).then_some(first)
    }

    /// The title of all, where they have the same one.
    pub fn title(&self) -> Option<String> {
        let first = title(&self.scenarios.first()?.document)?;
        self.scenarios.iter().all(|one| title(&one.document).as_ref() == Some(&first)).then_some(first)
    }

    /// What a run is called: by its title where these differ, else by what it does.
    pub fn name(&self, run: usize) -> String {
        let Some(one) = self.scenarios.get(run) else { return String::new() };
        let own = title(&one.document).filter(|_| self.title().is_none());
        own.unwrap_or_else(|| self.way_of(one))
    }

    /// The second line of a run's name: what the first does not say of how it goes.
    pub fn way(&self, run: usize) -> Option<String> {
        let one = self.scenarios.get(run)?;
        Some(self.way_of(one)).filter(|way| *way != self.name(run))
    }

    /// How a scenario rolls out, with its platform where there are two of them.
    fn way_of(&self, one: &Scenario) -> String {
        let mixed = self.scenarios.windows(2).any(|pair| pair[0].platform() != pair[1].platform());
        let way = way(&one.document);
        if mixed { words::on_platform(one.platform(), &way) } else { way }
    }

    /// The fields of the drawer.
    pub fn fields(&self) -> Vec<FieldRow> {
        let leaves: Vec<Vec<(String, Value)>> = self.scenarios.iter().map(|one| leaves(&one.typed())).collect();
        let platforms: Vec<Platform> = self.scenarios.iter().map(Scenario::platform).collect();
        // Each with the platforms that have it.
        let mut pointers: Vec<(&str, Vec<Platform>)> = Vec::new();
        let mut add = |pointer, platform| match pointers.iter_mut().find(|(known, _)| *known == pointer) {
            Some((_, having)) => having.push(platform),
            None if NO_SETTINGS.contains(&pointer) => {}
            None => pointers.push((pointer, Vec::from([platform]))),
        };
        for platform in &platforms {
            Scenario::always(*platform).iter().for_each(|pointer| add(*pointer, *platform));
        }
        for (platform, own) in platforms.iter().zip(&leaves) {
            own.iter().for_each(|(pointer, _)| add(pointer, *platform));
        }
        let value = |own: &[(String, Value)], pointer: &str| {
            own.iter().find(|(known, _)| known == pointer).map_or_else(String::new, |(_, value)| shown(value))
        };
        let applies = |pointer: &str, having: &[Platform]| {
            let own = OWN.iter().any(|own| pointer.starts_with(own));
            let aws = pointer.starts_with(OF_AWS);
            let here = |platform: &Platform| match platform {
                _ if own => having.contains(platform),
                Platform::Ecs | Platform::InstanceRefresh => true,
                _ => !aws,
            };
            platforms.iter().map(here).collect()
        };
        let row = |(pointer, having): (&str, Vec<Platform>)| FieldRow {
            applies: applies(pointer, &having),
            pointer: pointer.to_owned(),
            label: label(pointer),
            values: leaves.iter().map(|own| value(own, pointer)).collect(),
        };
        let differs = |row: &FieldRow| row.values.windows(2).any(|pair| pair[0] != pair[1]);
        let always =
            |row: &FieldRow| Platform::ALL.iter().any(|one| Scenario::always(*one).contains(&row.pointer.as_str()));
        let kept = |row: &FieldRow| always(row) || differs(row);
        pointers.into_iter().map(row).filter(kept).collect()
    }

    /// All scenarios are the same.
    pub fn is_same(&self) -> bool {
        self.scenarios.windows(2).all(|pair| pair[0].document == pair[1].document)
    }

    /// One more can be added.
    pub fn can_add(&self) -> bool {
        self.scenarios.len() < COMPARED.0
    }

    /// One can be taken away.
    pub fn can_remove(&self) -> bool {
        self.scenarios.len() > COMPARED.1
    }

    /// A change can be taken back.
    pub fn can_undo(&self) -> bool {
        !self.before.is_empty()
    }

    /// Makes a change that can be taken back. True when it changed what runs.
    fn change(&mut self, change: impl FnOnce(&mut Vec<Scenario>)) -> bool {
        let before = self.scenarios.clone();
        change(&mut self.scenarios);
        if before == self.scenarios {
            return false;
        }
        let runs = |all: &[Scenario]| all.iter().map(|one| one.document.clone()).collect::<Vec<_>>();
        let changed = runs(&before) != runs(&self.scenarios);
        self.before.push(before);
        if self.before.len() > UNDO_MAX {
            self.before.remove(0);
        }
        changed
    }

    /// Exchanges the first two.
    pub fn swap(&mut self) -> bool {
        self.change(|all| all.swap(0, 1))
    }

    /// Adds a copy of the last one.
    pub fn add(&mut self) -> bool {
        let can = self.can_add();
        self.editing |= can;
        self.change(|all| all.extend(all.last().filter(|_| can).cloned()))
    }

    /// Takes one away.
    pub fn remove(&mut self, run: usize) -> bool {
        let can = self.can_remove() && run < self.scenarios.len();
        self.change(|all| {
            if can {
                drop(all.remove(run))
            }
        })
    }

    /// The platform of each.
    pub fn platforms(&self) -> impl Iterator<Item = Platform> {
        self.scenarios.iter().map(Scenario::platform)
    }

    /// Moves one to another platform, with what has a counterpart there.
    fn move_to(&mut self, run: usize, to: Platform) -> bool {
        self.change(|all| {
            if let Some(one) = all.get_mut(run) {
                let tree = edit::moved(&one.typed(), to).tree;
                *one = Scenario::new(Document::from_value(&tree).0);
            }
        })
    }

    /// Changes a field of one.
    pub fn set(&mut self, run: usize, pointer: &str, text: &str) -> bool {
        if pointer == PLATFORM {
            let chosen = text.parse().ok().and_then(|index: usize| Platform::ALL.get(index));
            return chosen.is_some_and(|to| self.move_to(run, *to));
        }
        self.change(|all| all.get_mut(run).into_iter().for_each(|one| one.set(pointer, text)))
    }

    /// Gives every target group of all a deregistration delay.
    pub fn set_drain(&mut self, ms: u64) -> bool {
        let seconds = (ms / 1_000).to_string();
        self.change(|all| {
            for one in all {
                let groups = one.document.target_groups.as_ref().map_or(0, Vec::len);
                for group in 0..groups {
                    one.set(&format!("/targetGroups/{group}/deregistration_delay.timeout_seconds"), &seconds);
                }
            }
        })
    }

    /// Takes the last change back.
    pub fn undo(&mut self) -> bool {
        let Some(before) = self.before.pop() else { return false };
        self.scenarios = before;
        true
    }
}

fn title(document: &Document) -> Option<String> {
    document.title.clone().or_else(|| document.service.service_name.clone())
}

/// How a scenario rolls out: its percentages, and its strategy where it has another one than the usual.
fn way(document: &Document) -> String {
    let json = document.to_json();
    let strategy = json.pointer("/service/deploymentConfiguration/strategy").and_then(Value::as_str);
    if let Some(strategy) = strategy.filter(|strategy| *strategy != "ROLLING") {
        return strategy.to_owned();
    }
    let Ok(resolved) = document.resolve() else { return String::new() };
    match &resolved.settings.platform {
        PlatformSettings::Ecs(params) => words::percentages(params.minimum_healthy_percent, params.maximum_percent),
        PlatformSettings::Kubernetes(params) => words::deployment(&params.strategy),
        PlatformSettings::StatefulSet(_) | PlatformSettings::DaemonSet(_) => {
            words::placed(&resolved.settings.platform, resolved.limits.desired)
        }
        PlatformSettings::Asg(params) => words::refresh(params.preferences.min_healthy, params.preferences.max_healthy),
        PlatformSettings::Vm(params) => words::machines(&params.kind),
    }
}

/// Every value of a document that is no object and no list of objects, with its pointer.
fn leaves(tree: &Value) -> Vec<(String, Value)> {
    let mut out = Vec::new();
    gather("", tree, &mut out);
    out
}

fn gather(pointer: &str, value: &Value, out: &mut Vec<(String, Value)>) {
    let join = |part: &str| json::pointer_join(pointer, part);
    match value {
        Value::Object(entries) if !entries.is_empty() => {
            entries.iter().for_each(|(key, value)| gather(&join(key), value, out));
        }
        Value::Array(items) if items.iter().any(|item| matches!(item, Value::Object(_))) => {
            items.iter().enumerate().for_each(|(index, item)| gather(&join(&index.to_string()), item, out));
        }
        _ if pointer.is_empty() => {}
        other => out.push((pointer.to_owned(), other.clone())),
    }
}

/// A value as it is typed: a text without its quotation marks where it stays a text that way.
fn shown(value: &Value) -> String {
    match value {
        Value::String(text) if json::read(text).is_err() && !text.trim().is_empty() => text.clone(),
        other => other.to_string(),
    }
}

/// The name of a field: its own, and before it what it belongs to where that says more.
fn label(pointer: &str) -> String {
    let path: Vec<&str> = pointer.split('/').skip(1).collect();
    let skipped =
        ["service", "deploymentConfiguration", "strategy", "rollingUpdate", "template", "spec", "Preferences"];
    let named: Vec<&str> = path.into_iter().filter(|part| !skipped.contains(part)).collect();
    named.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: &str = "compare/v1&desired=4&max=200&at=770000/v1&desired=4&max=125";

    fn two() -> State {
        State::read(TWO).expect("it opens").0
    }

    #[test]
    fn a_link_comes_back_with_its_moment() {
        let (state, at) = State::read(TWO).expect("it opens");
        assert_eq!((state.scenarios.len(), at, state.editing), (2, SimTime(770_000), false));
        let fragment = state.fragment(at);
        assert_eq!(State::read(&fragment).expect("it opens"), (state.clone(), at));
        assert!(state.link_of(1, at).expect("B").contains("at=770000"));
        assert_eq!(state.link_of(2, at), None);
    }

    #[test]
    fn a_copy_opens_the_drawer_with_the_percentages() {
        let (state, _) = State::read("compare/v1&desired=4/v1&desired=4").expect("it opens");
        assert!(state.editing && state.is_same());
        let labels: Vec<String> = state.fields().into_iter().map(|row| row.label).collect();
        assert_eq!(labels, ["minimumHealthyPercent", "maximumPercent"]);
    }

    const MIXED: &str =
        "compare/v1&desired=4/v1&platform=kubernetes-deployment&s.replicas=4&s.strategy.rollingUpdate.maxSurge=1";

    #[test]
    fn each_platform_has_its_own_fields_and_words() {
        let (mut state, _) = State::read(MIXED).expect("it opens");
        assert_eq!((state.name(0), state.name(1)), ("Amazon ECS 100 % / 200 %".into(), "Kubernetes 1/25%".into()));
        let rows = state.fields();
        let labels: Vec<(&str, &[bool])> = rows.iter().map(|row| (row.label.as_str(), &row.applies[..])).collect();
        let (ecs, kubernetes) = (&[true, false][..], &[false, true][..]);
        let expected = [
            ("minimumHealthyPercent", ecs),
            ("maximumPercent", ecs),
            ("maxSurge", kubernetes),
            ("maxUnavailable", kubernetes),
            ("desiredCount", ecs),
            ("replicas", kubernetes),
        ];
        assert_eq!(labels, expected);
        assert!(state.set(1, ALWAYS_KUBERNETES[0], "100%") && state.name(1) == "Kubernetes 100%/25%");
        let settings: Vec<Settings> = state.scenarios.iter().filter_map(Scenario::settings).collect();
        assert_eq!((settings.len(), State::revisions(&settings)), (2, None), "r8 is no v2");
    }

    #[test]
    fn an_instance_refresh_beside_a_service_and_a_deployment() {
        let link =
            format!("{MIXED}/v1&platform=asg-refresh&s.DesiredCapacity=4&s.Preferences.MinHealthyPercentage=100");
        let (mut state, _) = State::read(&link).expect("it opens");
        assert_eq!(state.name(2), "EC2 Auto Scaling 100 %, no maximum");
        let rows = state.fields();
        let minimum = rows.iter().find(|row| row.label == "MinHealthyPercentage").expect("a row");
        assert_eq!((&minimum.applies[..], minimum.values[2].as_str()), (&[false, false, true][..], "100"));
        assert!(state.set(2, ALWAYS_INSTANCES[1], "110") && state.name(2) == "EC2 Auto Scaling 100 % / 110 %");
        // Both load balancers check; a Deployment has no target group.
        let group = "v1&platform=asg-refresh&s.HealthCheckType=ELB&tg.0.healthCheckIntervalSeconds=10";
        let (state, _) = State::read(&format!("{MIXED}/{group}")).expect("it opens");
        let interval = |row: &FieldRow| row.pointer == "/targetGroups/0/healthCheckIntervalSeconds";
        let rows = state.fields();
        assert_eq!(rows.iter().find(|row| interval(row)).expect("a row").applies, [true, false, true]);
    }

    #[test]
    fn only_what_differs_is_in_the_drawer() {
        let link = "compare/v1&title=a&desired=4&max=200&tg.0.healthCheckIntervalSeconds=10/v1&title=b&desired=4&max=125&tg.0.healthCheckIntervalSeconds=30";
        let (state, _) = State::read(link).expect("it opens");
        let rows = state.fields();
        assert_eq!(rows.len(), 3, "{rows:?}");
        assert_eq!(rows[1].values, ["200", "125"]);
        assert_eq!(
            (rows[2].label.as_str(), &rows[2].values[..]),
            ("targetGroups 0 healthCheckIntervalSeconds", &["10".to_owned(), "30".to_owned()][..])
        );
        assert_eq!((state.title(), state.name(0), state.way(1)), (None, "a".into(), Some("100 % / 125 %".into())));
    }

    #[test]
    fn swapped_added_removed_and_taken_back() {
        let mut state = two();
        let before = state.scenarios.clone();
        assert!(state.swap() && state.name(0) == "100 % / 125 %");
        assert!(state.add() && state.add() && !state.can_add() && !state.add());
        assert!(state.remove(0) && state.scenarios.len() == 3);
        while state.undo() {}
        assert!(state.scenarios == before && !state.can_undo());
        assert!(!state.remove(0), "two is the least");
    }

    #[test]
    fn what_is_refused_stays_as_it_was_typed_and_does_not_run() {
        let mut state = two();
        let maximum = ALWAYS[1];
        assert!(state.set(1, maximum, "150"));
        assert_eq!(state.name(1), "100 % / 150 %");
        assert!(!state.set(1, maximum, "90"), "it still runs what it ran");
        assert!(state.scenarios[1].problem(maximum).is_some());
        assert_eq!((state.name(1), state.fields()[1].values[1].as_str()), ("100 % / 150 %".into(), "90"));
        assert!(state.set(1, maximum, "") && state.name(1) == "100 % / 200 %", "without it the default holds");
        assert!(state.undo() && state.undo() && state.scenarios[1].refused.is_none());
    }

    #[test]
    fn a_change_of_all_is_one_change() {
        let mut state = State::read("compare/v1&desired=2&tg.0.port=1/v1&desired=3&tg.0.port=2").unwrap_or_default().0;
        state.scenarios.iter_mut().for_each(|one| one.document.target_groups = Some(vec![Default::default()]));
        assert!(state.set_drain(30_000));
        let delay = |one: &Scenario| {
            one.document
                .to_json()
                .pointer("/targetGroups/0/deregistration_delay.timeout_seconds")
                .and_then(Value::as_i64)
        };
        assert!(state.scenarios.iter().all(|one| delay(one) == Some(30)));
        assert!(state.undo() && state.scenarios.iter().all(|one| delay(one).is_none()));
    }

    #[test]
    fn a_broken_part_is_known_and_what_is_left_can_be_opened() {
        let whole = two().fragment(SimTime::ZERO);
        let Err(Some(broken)) = State::read(&whole[..whole.len() - 3]) else { panic!("it is cut") };
        assert!(broken.parts[0].is_ok() && broken.parts[1].is_err());
        assert_eq!(State::readable(&broken).map(|state| state.scenarios.len()), Some(2));
        let Err(Some(half)) = State::read("compare/v1&desired=4") else { panic!("it is one only") };
        assert_eq!(State::readable(&half), None);
        assert_eq!(State::read("v1&desired=4"), Err(None));
    }
}
