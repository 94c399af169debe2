//! The JSON values of a text (or the documents of a YAML text), and what each of them is.

use rollscope_scenario::json::{self, Parsed, Position, Value};
use rollscope_scenario::problem::{Kind, Problem};

use crate::Origin;
use crate::node::Node;
use crate::yaml;

/// Most JSON values one after the other.
const PIECES_MAX: usize = 64;

/// One JSON value of the text.
pub struct Piece {
    value: Value,
    places: Places,
}

/// Where the values of a piece stand.
enum Places {
    /// In JSON.
    Json {
        parsed: Parsed,
        /// Bytes of the text before it.
        base: usize,
        text: String,
    },
    /// In a tree that knows them.
    Tree(Node),
}

/// The form a service is given in: what a setting that is left out means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// The answer of a describe call; its counters are live.
    Described,
    /// A call that creates, or a fragment of one: the API's defaults hold.
    Call,
    /// A call that updates: what is left out keeps the value it has.
    Update,
    /// A template of CloudFormation: a new service gets a desired count of 1.
    CloudFormation,
    /// A configuration of Terraform: the desired count of the provider is 0.
    Terraform,
}

impl Piece {
    /// The value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Line and column of a JSON pointer in the whole text.
    pub fn position(&self, pointer: &str) -> Option<(u32, u32)> {
        match &self.places {
            Places::Json { parsed, base, text } => {
                let own = parsed.position(pointer)?;
                let at = Position::of(text, base + own.offset);
                Some((at.line, at.column))
            }
            Places::Tree(node) => node.position(pointer),
        }
    }

    /// Of a tree.
    pub fn of(node: Node) -> Piece {
        Piece { value: node.value(), places: Places::Tree(node) }
    }

    /// As a tree.
    pub fn node(&self) -> Node {
        match &self.places {
            Places::Json { parsed, base, text } => Node::from_json(parsed, text, *base),
            Places::Tree(node) => node.clone(),
        }
    }

    /// The node of a pointer or the unresolved one above it, where the piece is a tree.
    fn reach(&self, pointer: &str) -> Option<&Node> {
        match &self.places {
            Places::Json { .. } => None,
            Places::Tree(node) => node.reach(pointer),
        }
    }
}

/// All of them.
pub struct Pieces {
    /// In the order of the text.
    pub all: Vec<Piece>,
}

/// A part of a piece.
pub struct Found<'a> {
    /// Where it is.
    pub piece: &'a Piece,
    /// JSON pointer inside the piece.
    pub pointer: String,
    /// The object.
    pub value: &'a Value,
    /// The form it is given in.
    pub dialect: Dialect,
}

impl Found<'_> {
    /// Line of a field, or of the part itself when it is not there.
    pub fn line(&self, field: &str) -> Option<u32> {
        self.piece.position(&format!("{}{field}", self.pointer)).map(|(line, _)| line)
    }

    /// Where a field comes from; absent where it is not given.
    pub fn origin(&self, field: &str) -> Option<Origin> {
        if let Some(node) = self.piece.reach(&format!("{}{field}", self.pointer)) {
            let none = node.whole_origin() == Origin::Explicit && node.value().is_null();
            return (!none).then(|| node.whole_origin());
        }
        self.value.pointer(field).filter(|value| !value.is_null()).map(|_| Origin::Explicit)
    }

    /// A field with the words that stand for what is unresolved in it.
    pub fn words(&self, field: &str) -> Option<Value> {
        let node = self.piece.reach(&format!("{}{field}", self.pointer));
        node.map(Node::words).or_else(|| self.value.pointer(field).cloned())
    }

    /// The service's name, or a word for it.
    pub fn name(&self) -> String {
        let name = ["serviceName", "service"].into_iter().find_map(|key| self.value.get(key)?.as_str());
        name.map_or_else(|| "service".to_string(), |name| name.rsplit('/').next().unwrap_or(name).to_string())
    }
}

impl Pieces {
    /// Splits a text into its JSON values.
    pub fn read(text: &str) -> Result<Pieces, Box<Problem>> {
        let mut all = Vec::new();
        let mut base = 0;
        while all.is_empty() || !text[base..].trim().is_empty() {
            // Commas between pasted values are forgiven.
            let rest = text[base..].trim_start_matches([',', ';', ' ', '\n', '\r', '\t']);
            base = text.len() - rest.len();
            if rest.is_empty() && !all.is_empty() {
                break;
            }
            let parsed = json::read_first(rest).map_err(|fault| {
                let expected = if all.is_empty() && fault.at.offset == 0 {
                    "expected a link, or JSON: a scenario document, the answer of describe-services, a service \
                     configuration, a task definition"
                        .to_string()
                } else {
                    format!("expected {}", fault.expected)
                };
                let mut problem = Problem::error(Kind::Syntax, "", fault.found, expected);
                let at = Position::of(text, base + fault.at.offset);
                problem.position = Some((at.line, at.column));
                Box::new(problem)
            })?;
            let used = parsed.used;
            let value = parsed.value.clone();
            all.push(Piece { value, places: Places::Json { parsed, base, text: text.to_string() } });
            base += used;
            if all.len() == PIECES_MAX {
                break;
            }
        }
        Ok(Pieces { all })
    }

    /// The documents of a YAML text.
    pub fn read_yaml(text: &str) -> Result<Pieces, Box<Problem>> {
        Ok(Pieces { all: yaml::read(text)?.into_iter().map(Piece::of).collect() })
    }

    /// The scenario document among them.
    pub fn document(&self) -> Option<&Piece> {
        // The answers of create-service and update-service hold a `service` too, with its address.
        let own_service = |service: &Value| {
            service.as_object().is_some() && ["serviceArn", "deployments"].iter().all(|key| service.get(key).is_none())
        };
        let ours = |value: &Value| {
            value.get("rollscope").is_some()
                || (value.get("service").is_some_and(own_service) && value.get("services").is_none())
        };
        self.all.iter().find(|piece| ours(piece.value()))
    }

    /// Every object for which `wanted` holds, outermost only.
    pub fn find(&self, wanted: impl Fn(&Value) -> bool) -> Vec<Found<'_>> {
        let mut found = Vec::new();
        for piece in &self.all {
            walk(piece, piece.value(), String::new(), &wanted, &mut found);
        }
        found
    }

    /// Services: those of describe-services, and any object with a `deploymentConfiguration`.
    pub fn services(&self) -> Vec<Found<'_>> {
        let is_service = |value: &Value| {
            value.get("deploymentConfiguration").is_some_and(|dc| dc.as_object().is_some())
                || (value.get("serviceName").is_some() && value.get("desiredCount").is_some())
        };
        let mut found = self.find(is_service);
        for service in &mut found {
            if service.value.get("serviceArn").is_some() || service.value.get("deployments").is_some() {
                service.dialect = Dialect::Described;
            }
        }
        if found.is_empty() {
            // A bare deploymentConfiguration.
            found = self
                .find(|value| value.get("minimumHealthyPercent").is_some() || value.get("maximumPercent").is_some());
        }
        found
    }
}

fn walk<'a>(
    piece: &'a Piece,
    value: &'a Value,
    pointer: String,
    wanted: &impl Fn(&Value) -> bool,
    found: &mut Vec<Found<'a>>,
) {
    if wanted(value) {
        found.push(Found { piece, pointer, value, dialect: Dialect::Call });
        return;
    }
    match value {
        Value::Array(items) => {
            for (i, item) in items.iter().enumerate() {
                walk(piece, item, json::pointer_join(&pointer, i), wanted, found);
            }
        }
        Value::Object(entries) => {
            for (key, item) in entries {
                walk(piece, item, json::pointer_join(&pointer, key), wanted, found);
            }
        }
        _ => {}
    }
}
