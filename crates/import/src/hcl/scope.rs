//! What the expressions of a file say without being run: variables by their defaults, locals, texts of these.

use std::cell::{Cell, RefCell};

use rollscope_scenario::json::Value;

use crate::Origin;
use crate::hcl::{Body, Expression, ExpressionKind, Part};
use crate::node::{Node, NodeKind, Place};

/// References inside each other; they may form a circle.
const DEPTH_MAX: u32 = 24;
/// Evaluations of a configuration before the rest is unresolved.
const STEPS_MAX: u32 = 50_000;
/// Most bytes of a text that is put together.
const TEXT_MAX: usize = 4_096;

/// Variables and locals of a configuration.
pub struct Scope<'a> {
    body: &'a Body,
    steps: Cell<u32>,
    depth: Cell<u32>,
    used: RefCell<Vec<String>>,
}

impl<'a> Scope<'a> {
    /// Those of a file.
    pub fn new(body: &'a Body) -> Scope<'a> {
        Scope { body, steps: Cell::new(0), depth: Cell::new(0), used: RefCell::new(Vec::new()) }
    }

    /// The variables whose defaults were used, in that order.
    pub fn used(&self) -> Vec<String> {
        self.used.borrow().clone()
    }

    /// The value of an expression; unresolved where it would have to be computed.
    pub fn eval(&self, expression: &Expression) -> Node {
        self.steps.set(self.steps.get() + 1);
        let at = expression.at;
        let open = || Node::unresolved(at, expression.words.as_str());
        if self.steps.get() > STEPS_MAX || self.depth.get() > DEPTH_MAX {
            return open();
        }
        match &expression.kind {
            ExpressionKind::Literal(value) => Node::scalar(at, value.clone()),
            ExpressionKind::List(items) => Node::list(at, items.iter().map(|item| self.eval(item)).collect()),
            ExpressionKind::Object(entries) => {
                let one = |(key, value): &(String, Expression)| (key.clone(), self.eval(value).seen_at(value.at));
                Node::map(at, entries.iter().map(one).collect())
            }
            ExpressionKind::Template(parts) => self.text(parts, at).unwrap_or_else(open),
            ExpressionKind::Reference(parts) => self.reference(parts, at).unwrap_or_else(open),
            // The text of a value says the value.
            ExpressionKind::Call(name, arguments) if name == "jsonencode" && arguments.len() == 1 => {
                self.eval(&arguments[0])
            }
            ExpressionKind::Call(..) | ExpressionKind::Other => open(),
        }
    }

    fn text(&self, parts: &[Part], at: Place) -> Option<Node> {
        // A reference alone between quotes is the value it refers to.
        if let [Part::Inserted(inserted)] = parts {
            return Some(self.eval(inserted)).filter(|node| node.origin != Origin::Unresolved);
        }
        let mut text = String::new();
        let mut origin = Origin::Explicit;
        for part in parts {
            match part {
                Part::Text(own) => text.push_str(own),
                Part::Inserted(inserted) => {
                    let node = self.eval(inserted);
                    text.push_str(&node.written()?);
                    if node.origin == Origin::ParameterDefault {
                        origin = Origin::ParameterDefault;
                    }
                }
            }
            // Texts of locals may repeat each other; one that is written here is as long as it is.
            if text.len() > TEXT_MAX && parts.len() > 1 {
                return None;
            }
        }
        Some(Node::scalar(at, text).seen_from(at, origin))
    }

    fn reference(&self, parts: &[String], at: Place) -> Option<Node> {
        let [kind, name, rest @ ..] = parts else { return None };
        let whole = match kind.as_str() {
            "var" => self.variable(name, at)?,
            "local" => {
                let mut all = self.body.blocks("locals").filter_map(|block| block.body.attribute(name));
                let local = all.next()?;
                self.inner(&local.value)
            }
            _ => return None,
        };
        let part = rest.iter().try_fold(&whole, |node, part| match &node.kind {
            NodeKind::List(items) => items.get(part.parse::<usize>().ok()?),
            _ => node.get(part),
        })?;
        Some(part.clone().seen_at(at)).filter(|node| node.origin != Origin::Unresolved)
    }

    /// A value of a `tfvars` text, or the default of the variable.
    fn variable(&self, name: &str, at: Place) -> Option<Node> {
        if let Some(given) = self.body.attribute(name) {
            return Some(self.inner(&given.value));
        }
        let mut all = self.body.blocks("variable").filter(|block| block.labels.first().is_some_and(|own| own == name));
        let default = all.next()?.body.attribute("default")?;
        let node = self.inner(&default.value);
        // A default of null is none.
        if matches!(&node.kind, NodeKind::Scalar(Value::Null)) {
            return None;
        }
        let mut used = self.used.borrow_mut();
        if !used.iter().any(|known| known == name) {
            used.push(name.to_owned());
        }
        Some(node.seen_from(at, Origin::ParameterDefault))
    }

    fn inner(&self, expression: &Expression) -> Node {
        self.depth.set(self.depth.get() + 1);
        let node = self.eval(expression);
        self.depth.set(self.depth.get() - 1);
        node
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hcl;

    const HEAD: &str = "variable \"n\" {\n  default = 5\n}\nvariable \"open\" {}\nvariable \"none\" {\n  default = null\n}\n\
                        variable \"o\" {\n  default = { a = { b = [7, 8] } }\n}\nvariable \"set\" {\n  default = 1\n}\nset = 2\n\
                        locals {\n  name = \"web\"\n  twice = \"${local.name}-${var.n}\"\n  round = local.back\n  back = local.round\n\
                        \x20 big = \"${local.big2}${local.big2}\"\n  big2 = \"${local.big}${local.big}\"\n}\n";

    #[test]
    fn what_is_said_is_known_and_nothing_else() {
        use Origin::{Explicit, ParameterDefault, Unresolved};
        for (expression, value, origin) in [
            ("var.n", "5", ParameterDefault),
            ("\"${var.n}\"", "5", ParameterDefault),
            ("\"x-${var.n}\"", "\"x-5\"", ParameterDefault),
            ("var.o.a.b[1]", "8", ParameterDefault),
            ("var.set", "2", Explicit),
            ("local.name", "\"web\"", Explicit),
            ("local.twice", "\"web-5\"", ParameterDefault),
            ("var.open", "\"var.open\"", Unresolved),
            ("var.none", "\"var.none\"", Unresolved),
            ("local.round", "\"local.round\"", Unresolved),
            ("local.big", "\"local.big\"", Unresolved),
            ("aws_x.y.arn", "\"aws_x.y.arn\"", Unresolved),
            ("max(1, 2)", "\"max(1, 2)\"", Unresolved),
            ("var.n * 2", "\"var.n * 2\"", Unresolved),
            ("[local.name, var.open]", "[\"web\",\"var.open\"]", Explicit),
            ("jsonencode({ a = var.n })", "{\"a\":5}", ParameterDefault),
        ] {
            let body = hcl::read(&format!("{HEAD}x = {expression}\n")).expect("HCL");
            let node = Scope::new(&body).eval(&body.attribute("x").expect("x").value);
            assert_eq!((node.words().to_string().as_str(), node.whole_origin()), (value, origin), "{expression}");
        }
    }
}
