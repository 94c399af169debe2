//! A tree of values, each with its place in the text and where it comes from.

use rollscope_scenario::json::{self, Number, Parsed, Position, Value};

use crate::Origin;

/// Line and column, from 1.
pub type Place = (u32, u32);

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// Line and column, from 1; of a mapping's member those of its key.
    pub at: Place,
    /// Explicit, the default of a parameter, or unresolved.
    pub origin: Origin,
    /// What it is.
    pub kind: NodeKind,
}

/// What a node is.
#[derive(Clone, Debug)]
pub enum NodeKind {
    /// A value without parts; of an unresolved node the words that stand for it.
    Scalar(Value),
    /// A list.
    List(Vec<Node>),
    /// Keys with values.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// A value that is written in the text.
    pub fn scalar(at: Place, value: impl Into<Value>) -> Node {
        Node { at, origin: Origin::Explicit, kind: NodeKind::Scalar(value.into()) }
    }

    /// A list.
    pub fn list(at: Place, items: Vec<Node>) -> Node {
        Node { at, origin: Origin::Explicit, kind: NodeKind::List(items) }
    }

    /// A mapping.
    pub fn map(at: Place, entries: Vec<(String, Node)>) -> Node {
        Node { at, origin: Origin::Explicit, kind: NodeKind::Map(entries) }
    }

    /// A value that the text does not give; `words` stand for it.
    pub fn unresolved(at: Place, words: impl Into<String>) -> Node {
        Node { at, origin: Origin::Unresolved, kind: NodeKind::Scalar(Value::from(words.into())) }
    }

    /// JSON with the place of each value; `base` bytes of the text stand before it.
    pub fn from_json(parsed: &Parsed, text: &str, base: usize) -> Node {
        let mut places = Places { text, offset: 0, at: (1, 1) };
        Node::placed(parsed, |offset| places.of(base + offset))
    }

    /// JSON whose places follow from their offsets.
    pub fn placed(parsed: &Parsed, mut place: impl FnMut(usize) -> Place) -> Node {
        let mut offsets = parsed.offsets().iter();
        from_value(&parsed.value, &mut || offsets.next().map_or((1, 1), |offset| place(*offset as usize)))
    }

    /// The value; `null` where it is unresolved.
    pub fn value(&self) -> Value {
        match &self.kind {
            _ if self.origin == Origin::Unresolved => Value::Null,
            NodeKind::Scalar(value) => value.clone(),
            NodeKind::List(items) => Value::Array(items.iter().map(Node::value).collect()),
            NodeKind::Map(entries) => {
                Value::Object(entries.iter().map(|(key, node)| (key.clone(), node.value())).collect())
            }
        }
    }

    /// The value with the words that stand for what is unresolved: for names, which are only shown.
    pub fn words(&self) -> Value {
        match &self.kind {
            NodeKind::Scalar(value) => value.clone(),
            NodeKind::List(items) => Value::Array(items.iter().map(Node::words).collect()),
            NodeKind::Map(entries) => {
                Value::Object(entries.iter().map(|(key, node)| (key.clone(), node.words())).collect())
            }
        }
    }

    /// The text of a scalar that is known.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar(Value::String(text)) if self.origin != Origin::Unresolved => Some(text),
            _ => None,
        }
    }

    /// A known scalar as it would stand inside another text.
    pub fn written(&self) -> Option<String> {
        match &self.kind {
            _ if self.origin == Origin::Unresolved => None,
            NodeKind::Scalar(Value::String(text)) => Some(text.clone()),
            NodeKind::Scalar(Value::Number(Number::Text(text))) => Some(text.clone()),
            NodeKind::Scalar(value @ (Value::Number(_) | Value::Bool(_))) => Some(value.to_string()),
            _ => None,
        }
    }

    /// The members of a mapping.
    pub fn entries(&self) -> &[(String, Node)] {
        match &self.kind {
            NodeKind::Map(entries) => entries,
            _ => &[],
        }
    }

    /// The items of a list.
    pub fn items(&self) -> &[Node] {
        match &self.kind {
            NodeKind::List(items) => items,
            _ => &[],
        }
    }

    /// The member of a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries().iter().rev().find(|(known, _)| known == key).map(|(_, node)| node)
    }

    fn child(&self, part: &str) -> Option<&Node> {
        match &self.kind {
            NodeKind::List(items) => part.parse::<usize>().ok().and_then(|index| items.get(index)),
            NodeKind::Map(_) => self.get(part),
            NodeKind::Scalar(_) => None,
        }
    }

    /// The node of a JSON pointer.
    pub fn find(&self, pointer: &str) -> Option<&Node> {
        json::pointer_parts(pointer)?.iter().try_fold(self, |node, part| node.child(part))
    }

    /// Line and column of a JSON pointer; of one that leads nowhere those of the nearest parent.
    pub fn position(&self, pointer: &str) -> Option<Place> {
        let mut node = self;
        for part in json::pointer_parts(pointer)? {
            let Some(child) = node.child(&part) else { break };
            node = child;
        }
        Some(node.at)
    }

    /// The node of a JSON pointer, or the unresolved one above it.
    pub fn reach(&self, pointer: &str) -> Option<&Node> {
        json::pointer_parts(pointer)?.iter().try_fold(self, |node, part| match node.origin {
            Origin::Unresolved => Some(node),
            _ => node.child(part),
        })
    }

    /// Where a value comes from: of one with parts, a parameter where one part does; a list of unresolved values is
    /// unresolved itself.
    pub fn whole_origin(&self) -> Origin {
        let parts: Vec<Origin> = match &self.kind {
            NodeKind::Scalar(_) => return self.origin,
            NodeKind::List(items) => items.iter().map(Node::whole_origin).collect(),
            NodeKind::Map(entries) => entries.iter().map(|(_, node)| node.whole_origin()).collect(),
        };
        let open = matches!(self.kind, NodeKind::List(_)) && !parts.is_empty();
        match () {
            () if self.origin == Origin::Unresolved => Origin::Unresolved,
            () if open && parts.iter().all(|origin| *origin == Origin::Unresolved) => Origin::Unresolved,
            () if self.origin == Origin::ParameterDefault || parts.contains(&Origin::ParameterDefault) => {
                Origin::ParameterDefault
            }
            () => Origin::Explicit,
        }
    }

    /// JSON that stands in one place.
    pub fn from_value(value: &Value, at: Place) -> Node {
        from_value(value, &mut || at)
    }

    /// The same value with this place.
    pub fn seen_at(mut self, at: Place) -> Node {
        self.at = at;
        self
    }

    /// The same value with this place and at least this origin.
    pub fn seen_from(mut self, at: Place, origin: Origin) -> Node {
        self.at = at;
        self.at_least(origin);
        self
    }

    fn at_least(&mut self, origin: Origin) {
        if self.origin == Origin::Explicit {
            self.origin = origin;
        }
        match &mut self.kind {
            NodeKind::List(items) => items.iter_mut().for_each(|item| item.at_least(origin)),
            NodeKind::Map(entries) => entries.iter_mut().for_each(|(_, item)| item.at_least(origin)),
            NodeKind::Scalar(_) => {}
        }
    }

    /// Gives the mapping at a pointer of one step a member that it does not have.
    pub fn fill(&mut self, pointer: &str, key: &str, value: Node) {
        let NodeKind::Map(entries) = &mut self.kind else { return };
        let below = entries.iter_mut().find(|(known, _)| known == pointer.trim_start_matches('/'));
        if let Some(NodeKind::Map(members)) = below.map(|(_, node)| &mut node.kind)
            && members.iter().all(|(known, _)| known != key)
        {
            members.push((key.to_owned(), value));
        }
    }

    /// Values in it, itself included.
    pub fn size(&self) -> usize {
        1 + match &self.kind {
            NodeKind::Scalar(_) => 0,
            NodeKind::List(items) => items.iter().map(Node::size).sum(),
            NodeKind::Map(entries) => entries.iter().map(|(_, node)| node.size()).sum(),
        }
    }
}

/// Places of rising offsets, found in one walk through the text.
struct Places<'a> {
    text: &'a str,
    offset: usize,
    at: Place,
}

impl Places<'_> {
    fn of(&mut self, offset: usize) -> Place {
        match self.text.get(self.offset..offset) {
            Some(between) => {
                for c in between.chars() {
                    self.at = if c == '\n' { (self.at.0 + 1, 1) } else { (self.at.0, self.at.1 + 1) };
                }
                self.offset = offset;
                self.at
            }
            None => {
                let at = Position::of(self.text, offset);
                (at.line, at.column)
            }
        }
    }
}

/// Every value in the order of the text, each with the next place.
fn from_value(value: &Value, next: &mut impl FnMut() -> Place) -> Node {
    let at = next();
    match value {
        Value::Array(items) => Node::list(at, items.iter().map(|item| from_value(item, next)).collect()),
        Value::Object(entries) => {
            Node::map(at, entries.iter().map(|(key, item)| (key.clone(), from_value(item, next))).collect())
        }
        value => Node::scalar(at, value.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_keeps_its_places() {
        let text = "  \n{\"a\": [1,\n  {\"é\": true}], \"b\": \"x\"}";
        let parsed = json::read_first(text).expect("JSON");
        let node = Node::from_json(&parsed, text, 0);
        assert_eq!(node.value(), parsed.value);
        for pointer in ["", "/a", "/a/0", "/a/1/é", "/b"] {
            let at = parsed.position(pointer).expect(pointer);
            assert_eq!(node.position(pointer), Some((at.line, at.column)), "{pointer}");
        }
    }

    #[test]
    fn the_origin_of_a_list_is_that_of_its_parts() {
        let known = Node::scalar((1, 1), "a");
        let parameter = known.clone().seen_from((1, 1), Origin::ParameterDefault);
        let open = Node::unresolved((1, 1), "var.x");
        for (items, origin) in [
            (vec![], Origin::Explicit),
            (vec![known.clone(), open.clone()], Origin::Explicit),
            (vec![parameter.clone(), open.clone()], Origin::ParameterDefault),
            (vec![open.clone(), open], Origin::Unresolved),
        ] {
            assert_eq!(Node::list((1, 1), items.clone()).whole_origin(), origin, "{items:?}");
        }
        assert_eq!(Node::list((1, 1), vec![known]).value().to_string(), "[\"a\"]");
    }
}
