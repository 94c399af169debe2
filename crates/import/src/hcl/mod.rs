//! HCL, the language of Terraform and Nomad, as far as it says values: bodies, blocks, literals, texts, lists, objects,
//! references and calls. Everything else of an expression (arithmetic, conditions, loops) is kept by its words and
//! never computed.
//!
//! A reader of our own, because a whole grammar with its evaluation is ninety kilobytes of the page's second program,
//! and what would be evaluated here must not be.

mod expression;
mod scan;
pub mod scope;

use rollscope_scenario::json::Value;
use rollscope_scenario::problem::{Kind, Problem};

use crate::node::Place;
use scan::Scan;

/// Most blocks, lists and objects inside each other.
const DEPTH_MAX: u32 = 64;

/// The inside of a file or a block.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Body {
    /// `name = value`, in the order of the text.
    pub attributes: Vec<Attribute>,
    /// Blocks, in the order of the text.
    pub blocks: Vec<Block>,
}

/// `name = value`
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its place.
    pub at: Place,
    /// Its value.
    pub value: Expression,
}

/// `kind "label" "label" { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// What it is.
    pub kind: String,
    /// Its labels.
    pub labels: Vec<String>,
    /// Its place.
    pub at: Place,
    /// Its inside.
    pub body: Body,
}

/// An expression with its words.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Its place.
    pub at: Place,
    /// How it is written, cut when it is long.
    pub words: String,
    /// What it says.
    pub kind: ExpressionKind,
}

/// What an expression says.
#[derive(Clone, Debug, PartialEq)]
pub enum ExpressionKind {
    /// A number, a truth value, `null`.
    Literal(Value),
    /// A text with what is put into it.
    Template(Vec<Part>),
    /// A list.
    List(Vec<Expression>),
    /// An object.
    Object(Vec<(String, Expression)>),
    /// `var.name.part`
    Reference(Vec<String>),
    /// `name(…)`
    Call(String, Vec<Expression>),
    /// Anything else: it would have to be computed.
    Other,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// As it stands.
    Text(String),
    /// `${…}`
    Inserted(Expression),
}

impl Body {
    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// The blocks of a kind.
    pub fn blocks<'a>(&'a self, kind: &'a str) -> impl Iterator<Item = &'a Block> {
        self.blocks.iter().filter(move |block| block.kind == kind)
    }
}

/// Text that begins a line with one of these blocks.
pub fn looks_like(text: &str, kinds: &[&str]) -> bool {
    let begins = |line: &str| {
        kinds.iter().any(|kind| {
            let rest = line.strip_prefix(kind).map(str::trim_start);
            rest.is_some_and(|rest| rest.len() < line.len() - kind.len() && rest.starts_with(['"', '{']))
                || rest.is_some_and(|rest| rest.starts_with('{') && rest.len() == line.len() - kind.len())
        })
    };
    text.lines().map(str::trim).any(begins)
}

/// Reads a file.
pub fn read(text: &str) -> Result<Body, Box<Problem>> {
    let mut scan = Scan::new(text);
    let body = body(&mut scan, 0)?;
    match scan.peek() {
        None => Ok(body),
        Some(_) => Err(scan.fault("a block or an attribute")),
    }
}

/// Attributes and blocks up to a closing brace or the end of the text.
fn body(scan: &mut Scan, depth: u32) -> Result<Body, Box<Problem>> {
    if depth > DEPTH_MAX {
        return Err(scan.problem("deeper", &format!("at most {DEPTH_MAX} levels")));
    }
    let mut body = Body::default();
    loop {
        scan.space(true);
        if matches!(scan.peek(), None | Some('}')) {
            return Ok(body);
        }
        let at = scan.place();
        let Some(name) = scan.name() else { return Err(scan.fault("a name")) };
        scan.space(false);
        if scan.peek() == Some('=') && scan.peek_at(1) != Some('=') {
            scan.next();
            let value = expression::read(scan, false, depth)?;
            scan.space(false);
            if !matches!(scan.peek(), None | Some('\n' | '}' | ',')) {
                return Err(scan.fault("the end of the line"));
            }
            if scan.peek() == Some(',') {
                scan.next();
            }
            body.attributes.push(Attribute { name, at, value });
            continue;
        }
        let labels = labels(scan)?;
        scan.next();
        let inside = self::body(scan, depth + 1)?;
        if scan.next() != Some('}') {
            let words = if labels.is_empty() { name } else { format!("{name} \"{}\"", labels.join("\" \"")) };
            return Err(scan.problem("the end of the text", &format!("}} that closes {words} of line {}", at.0)));
        }
        body.blocks.push(Block { kind: name, labels, at, body: inside });
    }
}

/// The labels before an opening brace.
fn labels(scan: &mut Scan) -> Result<Vec<String>, Box<Problem>> {
    let mut labels = Vec::new();
    loop {
        scan.space(false);
        match scan.peek() {
            Some('{') => return Ok(labels),
            Some('"') => match expression::text(scan, 0)?.as_slice() {
                [] => labels.push(String::new()),
                [Part::Text(text)] => labels.push(text.clone()),
                _ => return Err(scan.fault("a label without ${…}")),
            },
            _ => match scan.name() {
                Some(name) => labels.push(name),
                None => return Err(scan.fault("= or {")),
            },
        }
    }
}

fn syntax(at: Place, given: &str, expected: &str) -> Box<Problem> {
    let mut problem = Problem::error(Kind::Syntax, "", given, format!("expected {expected}"));
    problem.position = Some(at);
    problem.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(text: &str) -> ExpressionKind {
        let body = read(&format!("x = {text}\ny = 1\n")).unwrap_or_else(|problem| panic!("{text}: {problem}"));
        assert_eq!(body.attributes.len(), 2, "{text}");
        body.attributes[0].value.kind.clone()
    }

    fn names(parts: &[&str]) -> ExpressionKind {
        ExpressionKind::Reference(parts.iter().map(|part| (*part).to_owned()).collect())
    }

    #[test]
    fn what_says_a_value_is_read() {
        let text = |text: &str| ExpressionKind::Template(vec![Part::Text(text.to_owned())]);
        for (given, expected) in [
            ("3", ExpressionKind::Literal(3.into())),
            ("-3", ExpressionKind::Literal((-3).into())),
            ("true # yes", ExpressionKind::Literal(true.into())),
            ("null", ExpressionKind::Literal(Value::Null)),
            ("\"a\\\"b\"", text("a\"b")),
            ("\"$${x}\"", text("${x}")),
            ("\"a%%{x}\"", text("a%{x}")),
            ("<<-EOF\n    a\n      b\n    EOF", text("a\n  b\n")),
            ("var.a.b", names(&["var", "a", "b"])),
            ("var.a[\"b\"][0]", names(&["var", "a", "b", "0"])),
            ("(var.a)", names(&["var", "a"])),
        ] {
            assert_eq!(one(given), expected, "{given}");
        }
        let ExpressionKind::List(items) = one("[1, \"a\",\n # c\n var.x,\n]") else { panic!("a list") };
        assert_eq!(items.len(), 3);
        let ExpressionKind::Object(entries) = one("{ a = 1, \"b\" : 2\n c = [1]\n}") else { panic!("an object") };
        assert_eq!(entries.iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["a", "b", "c"]);
        let ExpressionKind::Call(name, arguments) = one("jsonencode([\n{ a = 1 }\n])") else { panic!("a call") };
        assert_eq!((name.as_str(), arguments.len()), ("jsonencode", 1));
    }

    #[test]
    fn what_would_have_to_be_computed_is_not() {
        for given in [
            "var.a + 1",
            "var.on ? 1 : 2",
            "[for x in var.l : x.id]",
            "{ for k, v in var.m : k => v }",
            "aws_x.y[*].id",
            "!var.a",
            "a == b",
            "(1 + 2) * 3",
            "\"%{ if a }x%{ endif }\"",
        ] {
            assert_eq!(one(given), ExpressionKind::Other, "{given}");
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        for (text, place, words) in [
            ("a = 1\nb {\n", (3, 1), "closes b of line 2"),
            ("a 1\n", (1, 3), "= or {"),
            ("a = \"x\n", (1, 7), "\""),
            ("a = [1, 2\n", (2, 1), "]"),
            ("}", (1, 1), "a block or an attribute"),
        ] {
            let problem = read(text).expect_err(text);
            assert_eq!(problem.position, Some(place), "{text}: {problem}");
            assert!(problem.to_string().contains(words), "{text}: {problem}");
        }
        assert!(read(&"a {\n".repeat(80)).expect_err("deep").to_string().contains("64 levels"));
        assert!(read(&format!("a = {}", "[".repeat(80))).expect_err("deep").to_string().contains("64 levels"));
    }

    #[test]
    fn blocks_with_labels() {
        let body = read("resource \"a\" \"b\" {\n  c { d = 1 }\n  /* e */\n}\njob x {}\n").expect("HCL");
        assert_eq!((body.blocks[0].labels.join("."), body.blocks[0].at), ("a.b".to_owned(), (1, 1)));
        assert_eq!(body.blocks[0].body.blocks[0].body.attributes[0].at, (2, 7));
        assert_eq!(body.blocks[1].labels, ["x"]);
        assert!(looks_like("# x\nresource \"a\" \"b\" {", &["resource"]) && !looks_like("resources: 3", &["resource"]));
    }
}
