//! The settings as they are typed: what is wanted, what was refused and why, what is in force.
//!
//! Every edit changes one place of the document's tree. The whole tree is read and checked
//! anew; where that fails the typed text stays in its field with the problem under it, and the
//! last settings that were accepted stay in force.

use std::collections::BTreeMap;
use std::rc::Rc;

use rollscope_scenario::{Document, Kind, Problem, Resolved, Value, duration, json};

/// Settings that can run.
#[derive(Clone, Debug, PartialEq)]
pub struct Accepted {
    /// The document.
    pub document: Document,
    /// What the engine runs, with everything worth knowing.
    pub resolved: Resolved,
}

/// The settings panel's state.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    wanted: Value,
    opened: Rc<Value>,
    typed: BTreeMap<String, String>,
    problems: Vec<Problem>,
    accepted: Option<Rc<Accepted>>,
}

/// Where the checks of a task come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CheckKind {
    /// No check at all.
    None,
    /// The container's own check.
    Container,
    /// A target group's check.
    TargetGroup,
    /// Both.
    Both,
}

/// How a text in a field becomes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldKind {
    /// A whole number.
    Number,
    /// A number that may have a decimal.
    Decimal,
    /// Whole seconds, which may be typed with a unit.
    Seconds,
    /// A duration, or a distribution as JSON. A number alone means seconds.
    Duration,
    /// A bare word or JSON.
    Word,
    /// Words or numbers, divided by commas.
    List,
}

const HEALTH_CHECK: &str = "/containers/0/healthCheck";
const TARGET_GROUPS: &str = "/targetGroups";
/// Objects that say something also while they are empty: all their defaults hold.
const MEANS_SOMETHING: [&str; 5] = [
    "/fjall",
    "/capacity/provider",
    "/service/template/spec/containers/0/readinessProbe",
    "/service/template/spec/containers/0/startupProbe",
    "/service/template/spec/containers/0/livenessProbe",
];
/// The list of containers of a Pod template.
const POD_CONTAINERS: &str = "/service/template/spec/containers";

impl Form {
    /// Takes over a document.
    pub fn new(document: &Document) -> Form {
        Form::with_refused(document, &[])
    }

    /// Takes over a document and what could not be read of it, which stands in its fields as it was given.
    pub fn with_refused(document: &Document, problems: &[Problem]) -> Form {
        let wanted = document.to_json();
        let opened = Rc::new(wanted.clone());
        let mut form = Form { wanted, opened, typed: BTreeMap::new(), problems: Vec::new(), accepted: None };
        for problem in problems.iter().filter(|problem| problem.is_error() && problem.kind == Kind::Syntax) {
            let given = json::read(&problem.given).map_or_else(|_| Value::from(&problem.given), |read| read.value);
            if !problem.field.is_empty() && !problem.given.is_empty() && !form.is_given(&problem.field) {
                form.put(&problem.field, given);
            }
        }
        form.check();
        form
    }

    /// The settings in force; `None` when none were accepted yet.
    pub fn accepted(&self) -> Option<&Rc<Accepted>> {
        self.accepted.as_ref()
    }

    /// The settings in force are those of a Kubernetes Deployment.
    pub fn is_kubernetes(&self) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.resolved.settings.platform.kubernetes().is_some())
    }

    /// The settings in force are those of a StatefulSet or a DaemonSet.
    pub fn is_placed(&self) -> bool {
        let workload = |accepted: &Rc<Accepted>| accepted.resolved.settings.platform.workload().is_some();
        !self.is_kubernetes() && self.accepted.as_ref().is_some_and(workload)
    }

    /// The settings in force are those of an Auto Scaling group.
    pub fn is_asg(&self) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.resolved.settings.platform.asg().is_some())
    }

    /// The settings in force are those of a group of virtual machines.
    pub fn is_vm(&self) -> bool {
        self.accepted.as_ref().is_some_and(|accepted| accepted.resolved.settings.platform.vm().is_some())
    }

    /// The settings in force are those of another platform than Amazon ECS.
    pub fn elsewhere(&self) -> bool {
        self.is_kubernetes() || self.is_placed() || self.is_asg() || self.is_vm()
    }

    /// The document as it is wanted, also where it was refused.
    pub fn wanted(&self) -> &Value {
        &self.wanted
    }

    /// The document as it was opened: an example, a link, or a configuration that was pasted.
    pub fn opened(&self) -> &Rc<Value> {
        &self.opened
    }

    /// True when what is typed differs from what is in force.
    pub fn refused(&self) -> bool {
        self.problems.iter().any(Problem::is_error)
    }

    /// Everything that was noticed, errors first.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// The first error at a field or inside it.
    pub fn problem(&self, pointer: &str) -> Option<&Problem> {
        let inside =
            |field: &str| field.strip_prefix(pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
        self.problems.iter().find(|problem| problem.is_error() && inside(&problem.field))
    }

    /// What is worth knowing about a field or something inside it, where nothing is wrong with it.
    pub fn advice(&self, pointer: &str) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.kind == Kind::Advice && problem.field.starts_with(pointer))
    }

    /// What stands in a field: as typed, else as written; empty when absent.
    pub fn text(&self, pointer: &str) -> String {
        match self.typed.get(pointer) {
            Some(text) => text.clone(),
            None => self.wanted.pointer(pointer).map_or(String::new(), show),
        }
    }

    /// The default in force for an absent field.
    pub fn default_text(&self, pointer: &str) -> Option<String> {
        let Some(accepted) = &self.accepted else {
            // Nothing was accepted yet: most defaults hold whatever else is given.
            let plain = Document::from_text(r#"{"service":{"desiredCount":1}}"#).resolve().ok()?;
            return default_in(&plain, pointer);
        };
        default_in(&accepted.resolved, pointer)
    }

    /// The default that would hold if the field were absent.
    pub fn default_without(&self, pointer: &str) -> Option<String> {
        if !self.is_given(pointer) {
            return self.default_text(pointer);
        }
        let mut without = Form { typed: BTreeMap::new(), ..self.clone() };
        without.take(pointer);
        without.check();
        (!without.refused()).then(|| without.default_text(pointer)).flatten()
    }

    /// True when the document gives the field itself.
    pub fn is_given(&self, pointer: &str) -> bool {
        self.wanted.pointer(pointer).is_some()
    }

    /// Takes over a text typed into a field; an empty one takes the field out.
    /// True when the settings in force changed.
    pub fn type_into(&mut self, pointer: &str, kind: FieldKind, text: &str) -> bool {
        match read(kind, text) {
            Some(value) => self.put(pointer, value),
            None => self.take(pointer),
        };
        let changed = self.check();
        if self.problem(pointer).is_some() {
            self.typed.insert(pointer.to_owned(), text.to_owned());
        } else {
            self.typed.remove(pointer);
        }
        changed
    }

    /// Sets a field to a value; `Null` takes it out. True when the settings in force changed.
    pub fn set(&mut self, pointer: &str, value: Value) -> bool {
        self.set_all([(pointer, value)])
    }

    /// Sets several fields in one step.
    pub fn set_all<'a>(&mut self, fields: impl IntoIterator<Item = (&'a str, Value)>) -> bool {
        for (pointer, value) in fields {
            self.typed.remove(pointer);
            if value.is_null() {
                self.take(pointer);
            } else {
                self.put(pointer, value);
            }
        }
        self.check()
    }

    /// Where the checks come from.
    pub fn check_kind(&self) -> CheckKind {
        let groups = self.wanted.pointer(TARGET_GROUPS).and_then(Value::as_array).is_some_and(|list| !list.is_empty());
        let containers = self.wanted.pointer("/containers").and_then(Value::as_array).unwrap_or_default();
        let checked = containers.iter().any(|container| container.get("healthCheck").is_some());
        match (checked, groups) {
            (false, false) => CheckKind::None,
            (true, false) => CheckKind::Container,
            (false, true) => CheckKind::TargetGroup,
            (true, true) => CheckKind::Both,
        }
    }

    /// Chooses where the checks come from; what is there already stays.
    pub fn set_check_kind(&mut self, kind: CheckKind) -> bool {
        let container = matches!(kind, CheckKind::Container | CheckKind::Both);
        let group = matches!(kind, CheckKind::TargetGroup | CheckKind::Both);
        let now = self.check_kind();
        if container && !matches!(now, CheckKind::Container | CheckKind::Both) {
            if !self.is_given("/containers/0") {
                self.put("/containers", Value::array([Value::empty_object()]));
            }
            let command = Value::array(["CMD-SHELL", "curl -f http://localhost/ || exit 1"]);
            self.put(HEALTH_CHECK, Value::object([("command", command)]));
        }
        if !container {
            let count = self.wanted.pointer("/containers").and_then(Value::as_array).map_or(0, <[Value]>::len);
            for index in 0..count {
                self.take(&format!("/containers/{index}/healthCheck"));
            }
        }
        if group && !matches!(now, CheckKind::TargetGroup | CheckKind::Both) {
            self.put(TARGET_GROUPS, Value::array([Value::empty_object()]));
        }
        if !group {
            self.take(TARGET_GROUPS);
        }
        self.check()
    }

    /// The number of a field as it counts now: given, or its default.
    pub fn number(&self, pointer: &str) -> Option<i64> {
        self.wanted.pointer(pointer).and_then(Value::as_i64).or_else(|| self.default_text(pointer)?.parse().ok())
    }

    /// The duration of the stop timeout belongs to a container, which may not be written yet.
    fn put(&mut self, pointer: &str, value: Value) {
        for list in ["/containers", TARGET_GROUPS, POD_CONTAINERS] {
            if pointer.starts_with(&format!("{list}/0/")) && !self.is_given(&format!("{list}/0")) {
                self.wanted.set_pointer(list, Value::array([Value::empty_object()]));
            }
        }
        // What is only switched on says nothing else: its settings take that place.
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        if self.wanted.pointer(parent).and_then(Value::as_bool) == Some(true) {
            self.wanted.set_pointer(parent, Value::empty_object());
        }
        self.wanted.set_pointer(pointer, value);
    }

    /// Takes a field out, and objects that are empty without it.
    fn take(&mut self, pointer: &str) {
        self.wanted.remove_pointer(pointer);
        let parent = pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
        let empty = |value: &Value| value.as_object().is_some_and(<[_]>::is_empty);
        // An empty entry of a list means something ({} is a target group); an empty object does not, but for a few.
        let of_list = parent.rsplit('/').next().is_some_and(|part| part.parse::<usize>().is_ok());
        let means = of_list || MEANS_SOMETHING.contains(&parent);
        if !parent.is_empty() && !means && self.wanted.pointer(parent).is_some_and(empty) {
            self.take(parent);
        }
    }

    /// Reads and checks the whole tree. True when the settings in force changed.
    fn check(&mut self) -> bool {
        let (document, mut problems) = Document::from_value(&self.wanted);
        // What is typed here is read otherwise than what stands in a document.
        for problem in problems.iter_mut().filter(|problem| problem.allowed.contains(duration::FORMS)) {
            problem.allowed = duration::TYPED_FORMS.to_owned();
        }
        match document.resolve() {
            Ok(resolved) if !problems.iter().any(Problem::is_error) => {
                problems.extend(resolved.warnings.iter().cloned());
                self.problems = problems;
                self.typed.clear();
                let accepted = Accepted { document, resolved };
                let changed = self.accepted.as_deref() != Some(&accepted);
                self.accepted = Some(Rc::new(accepted));
                changed
            }
            Ok(_) => {
                self.problems = problems;
                false
            }
            Err(found) => {
                problems.extend(found);
                rollscope_scenario::problem::sort(&mut problems);
                self.problems = problems;
                false
            }
        }
    }
}

/// The default in force for a field that is absent in a document.
fn default_in(resolved: &Resolved, pointer: &str) -> Option<String> {
    if let Some(name) = pointer.strip_prefix("/readings/") {
        return resolved.readings.iter().find(|reading| reading.name == name).map(|reading| show(&reading.value));
    }
    resolved.defaulted.iter().find(|default| default.field == pointer).map(|default| show(&default.value))
}

/// A text as the value of a field; `None` for an empty one.
fn read(kind: FieldKind, text: &str) -> Option<Value> {
    let text = text.trim();
    if text.is_empty() {
        return None;
    }
    let word = || Value::from(text);
    let number = || text.parse::<i64>().ok().map(Value::from);
    Some(match kind {
        FieldKind::Number => number().unwrap_or_else(word),
        FieldKind::Decimal => match json::read(text).map(|read| read.value) {
            Ok(number @ Value::Number(_)) => number,
            _ => word(),
        },
        FieldKind::Seconds => number().or_else(|| whole_seconds(text)).unwrap_or_else(word),
        FieldKind::Duration | FieldKind::Word if text.starts_with(['{', '[']) => {
            json::read(text).map_or_else(|_| word(), |parsed| parsed.value)
        }
        FieldKind::Duration => read_duration(text),
        FieldKind::List => Value::Array(items(text).map(number_or_text).collect()),
        FieldKind::Word => word(),
    })
}

/// A time with a unit as whole seconds, where it is whole.
fn whole_seconds(text: &str) -> Option<Value> {
    let ms = duration::parse_typed(text)?;
    let seconds = i64::try_from(ms / 1_000).ok()?;
    (ms % 1_000 == 0).then(|| seconds.into())
}

/// A time as it is typed, with a unit afterwards: `30` becomes `30s`, `1.5` becomes `1s500ms`. What is
/// no time stays as it is, to be refused by name.
pub fn read_duration(text: &str) -> Value {
    let plain: String = text.split_whitespace().collect();
    match duration::parse_typed(&plain) {
        None => Value::from(text),
        Some(_) if plain.bytes().all(|b| b.is_ascii_digit()) => Value::from(format!("{plain}s")),
        Some(_) if duration::parse(&plain).is_ok() => Value::from(plain),
        Some(ms) => Value::from(duration::print(ms)),
    }
}

/// What a field shows once a text was typed into it and left: what the text means.
pub fn meaning(kind: FieldKind, text: &str) -> String {
    if kind == FieldKind::List {
        return items(text).collect::<Vec<_>>().join(", ");
    }
    read(kind, text).map_or_else(String::new, |value| show(&value))
}

/// The items of a list as it is typed.
pub fn items(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|item| !item.is_empty())
}

/// What is typed stays as it is where it is no number, so that it can be refused by name.
pub fn number_or_text(text: &str) -> Value {
    text.trim().parse::<i64>().map_or_else(|_| Value::from(text), Value::from)
}

/// A value as it is shown in a field.
pub fn show(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINIMUM: &str = "/service/deploymentConfiguration/minimumHealthyPercent";
    const MAXIMUM: &str = "/service/deploymentConfiguration/maximumPercent";

    fn form() -> Form {
        let text = r#"{"service":{"desiredCount":4,"deploymentConfiguration":{"minimumHealthyPercent":100,"maximumPercent":150}}}"#;
        Form::new(&Document::from_text(text).document)
    }

    fn ceiling(form: &Form) -> u32 {
        form.accepted().expect("accepted").resolved.limits.ceiling
    }

    #[test]
    fn an_accepted_text_is_in_force_at_once() {
        let mut form = form();
        assert_eq!(ceiling(&form), 6);
        assert!(form.type_into(MAXIMUM, FieldKind::Number, "200"));
        assert_eq!(ceiling(&form), 8);
        assert_eq!(form.text(MAXIMUM), "200");
        assert!(!form.type_into(MAXIMUM, FieldKind::Number, "200"), "nothing changed");
    }

    #[test]
    fn a_refused_text_stays_and_the_last_good_settings_too() {
        let mut form = form();
        for wrong in ["-5", "lots", "1.5"] {
            assert!(!form.type_into(MAXIMUM, FieldKind::Number, wrong));
            assert_eq!(form.text(MAXIMUM), wrong);
            assert!(form.problem(MAXIMUM).is_some(), "{wrong}");
            assert!(form.refused());
            assert_eq!(ceiling(&form), 6);
        }
        // Another field is edited meanwhile: the wrong one keeps its text and its message.
        form.type_into("/seed", FieldKind::Number, "7");
        assert_eq!(form.text(MAXIMUM), "1.5");
        assert!(form.problem(MAXIMUM).is_some());
        assert!(form.type_into(MAXIMUM, FieldKind::Number, "150"));
        assert!(!form.refused());
        assert_eq!(form.accepted().map(|a| a.resolved.settings.seed), Some(7));
    }

    #[test]
    fn an_emptied_field_is_absent_and_its_default_shown() {
        let mut form = form();
        form.type_into(MAXIMUM, FieldKind::Number, " ");
        assert!(!form.is_given(MAXIMUM));
        assert_eq!(form.default_text(MAXIMUM).as_deref(), Some("200"));
        form.type_into(MINIMUM, FieldKind::Number, "");
        assert!(!form.is_given("/service/deploymentConfiguration"), "no empty object is left");
        assert_eq!(form.number(MAXIMUM), Some(200));
    }

    #[test]
    fn the_kind_of_check_is_chosen_and_read_back() {
        let mut form = form();
        for kind in [CheckKind::TargetGroup, CheckKind::Both, CheckKind::Container, CheckKind::None] {
            form.set_check_kind(kind);
            assert!(!form.refused(), "{kind:?}: {:?}", form.problems());
            assert_eq!(form.check_kind(), kind);
        }
    }

    #[test]
    fn a_reading_shows_the_value_in_force() {
        let form = form();
        assert_eq!(form.default_text("/readings/no_check_healthy_after_s").as_deref(), Some("40"));
        assert!(form.default_text("/readings/new_target_passes").is_some());
    }

    #[test]
    fn a_number_alone_means_seconds() {
        let mut form = form();
        for (typed, shown) in
            [("30", "30s"), ("90", "90s"), ("1m 30s", "1m30s"), ("1.5", "1s500ms"), ("250ms", "250ms")]
        {
            form.type_into("/timing/start_up", FieldKind::Duration, typed);
            assert!(!form.refused(), "{typed}");
            assert_eq!(form.text("/timing/start_up"), shown);
            assert_eq!(meaning(FieldKind::Duration, typed), shown);
        }
        let grace = "/service/healthCheckGracePeriodSeconds";
        for (typed, seconds) in [("30", 30), ("30s", 30), ("1m30s", 90), ("0.5m", 30)] {
            form.type_into(grace, FieldKind::Seconds, typed);
            assert_eq!(form.number(grace), Some(seconds), "{typed}");
        }
        form.type_into(grace, FieldKind::Seconds, "1.5");
        let problem = form.problem(grace).expect("refused");
        assert_eq!(problem.nearest, Some(2.into()));
    }

    #[test]
    fn what_a_link_gives_wrongly_stands_in_its_field() {
        let refused = Problem::error(Kind::Syntax, MAXIMUM, "4.5", "a whole number");
        let document = Document::from_text(r#"{"service":{"desiredCount":4}}"#).document;
        let form = Form::with_refused(&document, &[refused]);
        assert_eq!(form.text(MAXIMUM), "4.5");
        assert!(form.problem(MAXIMUM).is_some() && form.accepted().is_none());
    }

    #[test]
    fn the_default_of_a_field_that_is_set() {
        let mut form = form();
        assert_eq!(form.default_without(MAXIMUM).as_deref(), Some("200"));
        form.set("/readings/no_check_healthy_after_s", 7.into());
        assert_eq!(form.default_without("/readings/no_check_healthy_after_s").as_deref(), Some("40"));
    }

    #[test]
    fn durations_may_be_distributions() {
        let mut form = form();
        form.type_into("/timing/start_up", FieldKind::Duration, r#"{"uniform":["10s","20s"]}"#);
        assert!(!form.refused(), "{:?}", form.problems());
        form.type_into("/timing/start_up", FieldKind::Duration, "soon");
        assert_eq!(form.text("/timing/start_up"), "soon");
        let problem = form.problem("/timing/start_up").expect("refused");
        assert!(problem.allowed.contains("a number alone means seconds"), "{}", problem.allowed);
    }
}
