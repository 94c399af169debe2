//! What a template of CloudFormation evaluates to without running it: parameters by their defaults, conditions,
//! mappings, and texts put together of these. Everything else is unresolved.

use std::cell::{Cell, RefCell};

use rollscope_scenario::json::Value;

use crate::Origin;
use crate::node::{Node, NodeKind, Place};

/// Evaluations of one template before the rest is unresolved: references may form circles and trees without end.
const STEPS_MAX: u32 = 20_000;
/// Conditions inside each other, whose names may form a circle.
const DEPTH_MAX: u32 = 32;
/// Most bytes of a text that is put together.
const TEXT_MAX: usize = 4_096;
/// Most characters of what stands for an unresolved value.
const WORDS_MAX: usize = 60;

/// A template with what its references were answered by.
pub struct Scope<'a> {
    root: &'a Node,
    steps: Cell<u32>,
    /// Conditions inside each other at this moment.
    depth: Cell<u32>,
    used: RefCell<Vec<String>>,
}

/// A condition: true, false or unknown, and where that comes from.
type Truth = (Option<bool>, Origin);

impl<'a> Scope<'a> {
    /// A template.
    pub fn new(root: &'a Node) -> Scope<'a> {
        Scope { root, steps: Cell::new(0), depth: Cell::new(0), used: RefCell::new(Vec::new()) }
    }

    /// The parameters whose defaults were used, in that order.
    pub fn used(&self) -> Vec<String> {
        self.used.borrow().clone()
    }

    fn is_spent(&self) -> bool {
        self.steps.set(self.steps.get() + 1);
        self.steps.get() > STEPS_MAX
    }

    /// The value of a node; absent for `AWS::NoValue`.
    pub fn eval(&self, node: &Node) -> Option<Node> {
        if self.is_spent() {
            return Some(unresolved(node.at, "a circle", node));
        }
        match &node.kind {
            NodeKind::Scalar(Value::String(text)) if text.contains("{{resolve:") => {
                Some(Node::unresolved(node.at, text.as_str()))
            }
            NodeKind::Scalar(_) => Some(node.clone()),
            NodeKind::List(items) => {
                Some(Node::list(node.at, items.iter().filter_map(|item| self.eval(item)).collect()))
            }
            NodeKind::Map(entries) => match entries.as_slice() {
                [(key, argument)] if key == "Ref" || key.starts_with("Fn::") => self.function(key, argument, node.at),
                entries => {
                    let known = |(key, member): &(String, Node)| Some((key.clone(), self.eval(member)?));
                    Some(Node::map(node.at, entries.iter().filter_map(known).collect()))
                }
            },
        }
    }

    fn function(&self, name: &str, argument: &Node, at: Place) -> Option<Node> {
        let found = match name {
            "Ref" => return self.reference(argument, at),
            "Fn::If" => return self.choice(argument, at),
            "Fn::Sub" => self.substituted(argument, at),
            "Fn::Join" => self.joined(argument, at),
            "Fn::Select" => self.selected(argument),
            "Fn::Split" => self.split(argument, at),
            "Fn::FindInMap" => self.mapped(argument),
            _ => None,
        };
        let found = found.map(|node| Node { at, ..node });
        Some(found.unwrap_or_else(|| unresolved(at, name, argument)))
    }

    fn reference(&self, argument: &Node, at: Place) -> Option<Node> {
        let Some(name) = argument.text() else { return Some(unresolved(at, "Ref", argument)) };
        if name == "AWS::NoValue" {
            return None;
        }
        if let Some(found) = self.parameter(name, at) {
            return Some(found);
        }
        // A resource of the template: its name is known, what it will be called is not.
        let resource = self.root.get("Resources").and_then(|all| all.get(name));
        Some(if resource.is_some() { Node::unresolved(at, name) } else { unresolved(at, "Ref", argument) })
    }

    /// The default of a parameter.
    fn parameter(&self, name: &str, at: Place) -> Option<Node> {
        let parameter = self.root.get("Parameters")?.get(name)?;
        let kind = parameter.get("Type").and_then(Node::text).unwrap_or("String");
        // The default of such a parameter is the name under which its value is kept.
        let elsewhere = kind.starts_with("AWS::SSM::Parameter::Value");
        let Some(default) = parameter.get("Default").filter(|_| !elsewhere) else {
            return Some(Node::unresolved(at, format!("!Ref {name}")));
        };
        let list = kind == "CommaDelimitedList" || kind.starts_with("List<");
        let node = match default.written() {
            Some(text) if list => Node::list(at, text.split(',').map(|item| Node::scalar(at, item.trim())).collect()),
            Some(text) if kind == "Number" => match text.trim().parse::<i64>() {
                Ok(number) => Node::scalar(at, number),
                Err(_) => default.clone(),
            },
            _ => default.clone(),
        };
        let mut used = self.used.borrow_mut();
        if !used.iter().any(|known| known == name) {
            used.push(name.to_owned());
        }
        Some(node.seen_from(at, Origin::ParameterDefault))
    }

    fn choice(&self, argument: &Node, at: Place) -> Option<Node> {
        let ([name, yes, no], Some(condition)) = (argument.items(), argument.items().first().and_then(Node::text))
        else {
            return Some(unresolved(at, "Fn::If", argument));
        };
        match self.named(condition) {
            (Some(truth), origin) => Some(self.eval(if truth { yes } else { no })?.seen_from(at, origin)),
            (None, _) => Some(unresolved(at, "Fn::If", name)),
        }
    }

    /// A condition of the template by its name.
    pub fn named(&self, name: &str) -> Truth {
        let condition = self.root.get("Conditions").and_then(|all| all.get(name));
        let Some(condition) = condition.filter(|_| self.depth.get() < DEPTH_MAX) else {
            return (None, Origin::Unresolved);
        };
        self.depth.set(self.depth.get() + 1);
        let truth = self.truth(condition);
        self.depth.set(self.depth.get() - 1);
        truth
    }

    fn truth(&self, node: &Node) -> Truth {
        let unknown = (None, Origin::Unresolved);
        let ([(name, argument)], false) = (node.entries(), self.is_spent()) else { return unknown };
        match name.as_str() {
            "Condition" => argument.text().map_or(unknown, |name| self.named(name)),
            "Fn::Equals" => {
                let [a, b] = argument.items() else { return unknown };
                let (Some(a), Some(b)) = (self.eval(a), self.eval(b)) else { return unknown };
                match (a.written(), b.written()) {
                    (Some(one), Some(other)) => (Some(one == other), weaker(a.origin, b.origin)),
                    _ => unknown,
                }
            }
            "Fn::Not" => {
                let (truth, origin) = argument.items().first().map_or(unknown, |item| self.truth(item));
                (truth.map(|truth| !truth), origin)
            }
            "Fn::And" | "Fn::Or" => {
                // One that decides is enough, whatever the others are.
                let decides = name == "Fn::Or";
                let all: Vec<Truth> = argument.items().iter().map(|item| self.truth(item)).collect();
                if let Some(one) = all.iter().find(|(truth, _)| *truth == Some(decides)) {
                    return *one;
                }
                if all.iter().any(|(truth, _)| truth.is_none()) {
                    return unknown;
                }
                (Some(!decides), all.iter().fold(Origin::Explicit, |origin, (_, other)| weaker(origin, *other)))
            }
            _ => unknown,
        }
    }

    /// `Fn::Sub`: a text with `${Name}`, and names of its own.
    fn substituted(&self, argument: &Node, at: Place) -> Option<Node> {
        let (text, own) = match argument.items() {
            [] => (argument.text()?, None),
            [text, own] => (text.text()?, Some(own)),
            _ => return None,
        };
        let mut out = String::new();
        let mut origin = Origin::Explicit;
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once("${") {
            out.push_str(before);
            let (name, after) = behind.split_once('}')?;
            rest = after;
            if let Some(literal) = name.strip_prefix('!') {
                out.push_str(&format!("${{{literal}}}"));
                continue;
            }
            let part = match own.and_then(|own| own.get(name)) {
                Some(own) => self.eval(own)?,
                None => self.parameter(name, at)?,
            };
            out.push_str(&part.written()?);
            origin = weaker(origin, part.origin);
            if out.len() > TEXT_MAX {
                return None;
            }
        }
        out.push_str(rest);
        Some(Node::scalar(at, out).seen_from(at, origin))
    }

    fn joined(&self, argument: &Node, at: Place) -> Option<Node> {
        let [delimiter, parts] = argument.items() else { return None };
        let parts = self.eval(parts)?;
        let all: Vec<String> = parts.items().iter().map(Node::written).collect::<Option<_>>()?;
        let text = all.join(delimiter.text()?);
        (matches!(parts.kind, NodeKind::List(_)) && text.len() <= TEXT_MAX)
            .then(|| Node::scalar(at, text).seen_from(at, parts.whole_origin()))
    }

    fn selected(&self, argument: &Node) -> Option<Node> {
        let [index, list] = argument.items() else { return None };
        let index = self.eval(index)?.written()?.parse::<usize>().ok()?;
        self.eval(list)?.items().get(index).cloned()
    }

    fn split(&self, argument: &Node, at: Place) -> Option<Node> {
        let [delimiter, text] = argument.items() else { return None };
        let (delimiter, text) = (delimiter.text()?, self.eval(text)?);
        let parts = text.text()?.split(delimiter).map(|part| Node::scalar(at, part)).collect();
        Some(Node::list(at, parts).seen_from(at, text.origin))
    }

    fn mapped(&self, argument: &Node) -> Option<Node> {
        let keys: Vec<Node> = argument.items().iter().take(3).map(|key| self.eval(key)).collect::<Option<_>>()?;
        let [map, first, second] = keys.as_slice() else { return None };
        let origin = weaker(weaker(map.origin, first.origin), second.origin);
        let all = self.root.get("Mappings")?;
        let found = all.get(&map.written()?)?.get(&first.written()?)?.get(&second.written()?)?;
        Some(found.clone().seen_from(found.at, origin))
    }
}

/// The less certain of two origins.
fn weaker(a: Origin, b: Origin) -> Origin {
    match (a, b) {
        (Origin::Unresolved, _) | (_, Origin::Unresolved) => Origin::Unresolved,
        (Origin::ParameterDefault, _) | (_, Origin::ParameterDefault) => Origin::ParameterDefault,
        _ => Origin::Explicit,
    }
}

/// `!ImportValue network-VpcId`
fn unresolved(at: Place, function: &str, argument: &Node) -> Node {
    let words = match argument.words() {
        Value::String(text) => text,
        other => other.short(WORDS_MAX),
    };
    Node::unresolved(at, format!("!{} {words}", function.trim_start_matches("Fn::")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    const HEAD: &str = "Parameters:\n  N: {Type: Number, Default: \"3\"}\n  Stage: {Type: String, Default: dev}\n  \
                        Open: {Type: String}\n  Kept: {Type: 'AWS::SSM::Parameter::Value<String>', Default: /web/n}\n  \
                        L: {Type: CommaDelimitedList, Default: 'a, b'}\nMappings:\n  M: {dev: {n: 2}, prod: {n: 9}}\n\
                        Conditions:\n  IsDev: !Equals [!Ref Stage, dev]\n  IsProd: !Not [!Condition IsDev]\n  \
                        Unknown: !Equals [!Ref Open, x]\n  Either: !Or [!Condition Unknown, !Condition IsDev]\n  \
                        Both: !And [!Condition Unknown, !Condition IsDev]\n  Round: !Not [!Condition Round]\n";

    fn eval(expression: &str) -> (String, Origin) {
        let text = format!("{HEAD}V: {expression}\n");
        let root = yaml::read(&text).unwrap_or_else(|problem| panic!("{problem}")).remove(0);
        let node = Scope::new(&root).eval(root.get("V").expect("V"));
        node.map_or_else(|| ("nothing".into(), Origin::Missing), |node| (node.words().to_string(), node.whole_origin()))
    }

    #[test]
    fn what_a_template_says_of_itself_is_known() {
        use Origin::{Explicit, Missing, ParameterDefault, Unresolved};
        for (expression, value, origin) in [
            ("7", "7", Explicit),
            ("!Ref N", "3", ParameterDefault),
            ("{Ref: N}", "3", ParameterDefault),
            ("!Ref L", r#"["a","b"]"#, ParameterDefault),
            ("!Ref Open", "\"!Ref Open\"", Unresolved),
            ("!Ref Kept", "\"!Ref Kept\"", Unresolved),
            ("!Ref AWS::NoValue", "nothing", Missing),
            ("!Ref AWS::Region", "\"!Ref AWS::Region\"", Unresolved),
            ("!If [IsDev, 1, 2]", "1", ParameterDefault),
            ("!If [IsProd, 1, 2]", "2", ParameterDefault),
            ("!If [Either, 1, 2]", "1", ParameterDefault),
            ("!If [Both, 1, 2]", "\"!If Both\"", Unresolved),
            ("!If [Unknown, 1, 2]", "\"!If Unknown\"", Unresolved),
            ("!If [Round, 1, 2]", "\"!If Round\"", Unresolved),
            ("!Sub 'web-${Stage}-${!x}'", "\"web-dev-${x}\"", ParameterDefault),
            ("!Sub ['${A}', {A: 5}]", "\"5\"", Explicit),
            ("!Sub '${AWS::Region}'", "\"!Sub ${AWS::Region}\"", Unresolved),
            ("!Join ['-', [a, !Ref Stage]]", "\"a-dev\"", ParameterDefault),
            ("!Select [1, !Ref L]", "\"b\"", ParameterDefault),
            ("!Split [',', 'a,b']", r#"["a","b"]"#, Explicit),
            ("!FindInMap [M, !Ref Stage, n]", "2", ParameterDefault),
            ("!FindInMap [M, dev, n]", "2", Explicit),
            ("!GetAtt A.B", "\"!GetAtt [\\\"A\\\",\\\"B\\\"]\"", Unresolved),
            ("!ImportValue x", "\"!ImportValue x\"", Unresolved),
            ("'{{resolve:ssm:/n}}'", "\"{{resolve:ssm:/n}}\"", Unresolved),
        ] {
            assert_eq!(eval(expression), (value.to_owned(), origin), "{expression}");
        }
    }

    #[test]
    fn what_grows_without_end_stays_unresolved() {
        let mut expression = "x".repeat(64);
        for _ in 0..20 {
            expression = format!("{{\"Fn::Sub\": [\"${{A}}${{A}}\", {{\"A\": {expression}}}]}}");
        }
        assert_eq!(eval(&expression).1, Origin::Unresolved);
    }
}
