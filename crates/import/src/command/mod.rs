//! Command lines of the AWS CLI: `aws ecs create-service` and `update-service`.
//!
//! ```text
//! words      quotes and line ends of the shells
//! shorthand  key=value,key={…}
//! read       the chosen command under the names of the API
//! ```

mod shorthand;
mod words;

use rollscope_scenario::json;
use rollscope_scenario::problem::{Kind, Problem};

use crate::api::{self, SERVICE};
use crate::ecs::{self, Translated};
use crate::node::{Node, NodeKind};
use crate::pieces::Dialect;
use crate::{Format, Import, Origin, yaml};

use words::Word;

/// Options whose value is a list of structures, one a word.
const LISTS: [&str; 4] = ["loadBalancers", "placementStrategy", "capacityProviderStrategy", "serviceRegistries"];
/// Options whose value is a structure.
const STRUCTURES: [&str; 2] = ["deploymentConfiguration", "deploymentController"];

/// A command with the words behind its name.
struct Call<'a> {
    dialect: Dialect,
    at: (u32, u32),
    words: &'a [Word],
}

/// A line begins with `aws`, and somewhere a service is created or updated.
pub fn looks_like(text: &str) -> bool {
    let begins = |line: &str| {
        let line = line.trim_start().trim_start_matches(['$', '%']).trim_start();
        let line = if line.starts_with("PS ") {
            line.split_once('>').map_or(line, |(_, rest)| rest.trim_start())
        } else {
            line
        };
        line.starts_with("aws ") || line.starts_with("aws\t")
    };
    text.lines().any(begins) && (text.contains("create-service") || text.contains("update-service"))
}

/// The chosen command of a text.
pub fn read(text: &str, choice: Option<&str>) -> Import {
    let mut import = Import::new(Format::CommandLine);
    let commands = match words::commands(text) {
        Ok(commands) => commands,
        Err(problem) => {
            import.problems.push(*problem);
            return import;
        }
    };
    let calls: Vec<Call<'_>> = commands.iter().filter_map(|words| call(words)).collect();
    if calls.is_empty() {
        let allowed = "expected a command aws ecs create-service or aws ecs update-service";
        import.problems.push(Problem::error(Kind::Unknown, "", "this text", allowed));
        return import;
    }
    let names: Vec<String> = calls.iter().map(name).collect();
    let names = names.iter().enumerate().map(|(index, name)| {
        let before = names[..index].iter().filter(|other| *other == name).count();
        if before == 0 { name.clone() } else { format!("{name} ({})", before + 1) }
    });
    if let Some(chosen) = import.choose(names.collect(), choice, "services")
        && let Err(problem) = one(&calls[chosen], &mut import)
    {
        import.problems.push(*problem);
    }
    import
}

/// A command that creates or updates a service.
fn call(words: &[Word]) -> Option<Call<'_>> {
    let index = words.windows(2).position(|pair| {
        pair[0].text() == "ecs" && matches!(pair[1].text().as_str(), "create-service" | "update-service")
    })?;
    let dialect = if words[index + 1].text() == "create-service" { Dialect::Call } else { Dialect::Update };
    Some(Call { dialect, at: words[0].at, words: &words[index + 2..] })
}

/// Options with their words, in the order of the text.
fn options<'a>(call: &Call<'a>) -> Vec<(String, Option<Word>, &'a [Word])> {
    let is_option = |word: &Word| word.letters.starts_with(&[('-', word.at)]) && word.text().starts_with("--");
    let mut all = Vec::new();
    let mut rest = call.words;
    while let Some((first, behind)) = rest.split_first() {
        let until = behind.iter().position(is_option).unwrap_or(behind.len());
        if is_option(first) {
            let text = first.text();
            let name = text.split('=').next().unwrap_or(&text);
            let own = text.contains('=').then(|| {
                let letters = first.letters[name.chars().count() + 1..].to_vec();
                Word { at: letters.first().map_or(first.at, |(_, at)| *at), letters, open: first.open }
            });
            all.push((name.trim_start_matches('-').to_owned(), own, &behind[..until]));
        }
        rest = &behind[until..];
    }
    all
}

fn name(call: &Call<'_>) -> String {
    let all = options(call);
    let name = all.iter().find(|(name, ..)| matches!(name.as_str(), "service" | "service-name"));
    let word = name.and_then(|(_, own, words)| own.as_ref().or(words.first()));
    let whole = || {
        let (_, own, words) = all.iter().find(|(name, ..)| name.starts_with("cli-input-"))?;
        let whole = input(own.as_ref().or(words.first()), call.at).ok()?;
        whole.get("serviceName").or(whole.get("service"))?.written()
    };
    let name = word.map(Word::text).or_else(whole).unwrap_or_else(|| "service".to_owned());
    name.rsplit('/').next().unwrap_or(&name).to_owned()
}

fn one(call: &Call<'_>, import: &mut Import) -> Result<(), Box<Problem>> {
    let mut own: Vec<(String, Node)> = Vec::new();
    let mut whole = None;
    for (option, first, words) in options(call) {
        let words: Vec<Word> = first.into_iter().chain(words.iter().cloned()).collect();
        let at = words.first().map_or(call.at, |word| word.at);
        let name = match option.as_str() {
            "service" | "service-name" => "serviceName".to_owned(),
            option => api::from_words(option.strip_prefix("no-").unwrap_or(option)),
        };
        match option.as_str() {
            "cli-input-json" | "cli-input-yaml" => whole = Some(input(words.first(), at)?),
            _ if !SERVICE.contains(&name.as_str()) => import.ignored.push(format!("--{option}")),
            _ => own.push((name.clone(), value(&name, &option, &words, at)?)),
        }
    }
    if let Some(whole) = whole {
        if whole.origin == Origin::Unresolved {
            import.needs.push(format!("the settings in {}", whole.words().as_str().unwrap_or("a file")));
        }
        merge(&mut own, &whole, import);
    }
    if call.dialect == Dialect::Call {
        import
            .warnings
            .push("This creates the service: a first deployment has no completed one to roll back to.".into());
    }
    let id = name(call);
    // An address is known by its last part.
    if let Some((_, node)) = own.iter_mut().find(|(name, _)| name == "serviceName") {
        node.kind = NodeKind::Scalar(id.as_str().into());
    }
    let tree = Node::map(call.at, vec![("service".to_owned(), Node::map(call.at, own))]);
    ecs::translated(Translated { id, title: None, tree }, call.dialect, import);
    Ok(())
}

/// The members of `--cli-input-json` that no option gives.
fn merge(own: &mut Vec<(String, Node)>, whole: &Node, import: &mut Import) {
    for (key, node) in whole.entries() {
        let key = if key == "service" { "serviceName" } else { key };
        if !SERVICE.contains(&key) {
            import.ignored.push(format!("--cli-input-json /{key}"));
        } else if own.iter().all(|(known, _)| known != key) {
            own.push((key.to_owned(), node.clone()));
        }
    }
}

/// The value of an option under the API's name.
fn value(name: &str, option: &str, words: &[Word], at: (u32, u32)) -> Result<Node, Box<Problem>> {
    if words.is_empty() && name == "forceNewDeployment" {
        return Ok(Node::scalar(at, !option.starts_with("no-")));
    }
    let Some(first) = words.first() else {
        let mut problem = Problem::error(Kind::Missing, "", format!("--{option}"), "needs a value");
        problem.position = Some(at);
        return Err(problem.into());
    };
    let text = first.text();
    if text.starts_with("file://") || text.starts_with("fileb://") {
        return Ok(Node::unresolved(at, text));
    }
    let structured = STRUCTURES.contains(&name) || LISTS.contains(&name);
    let node = match () {
        () if structured && text.trim_start().starts_with(['{', '[']) => from_json(first)?,
        () if LISTS.contains(&name) => Node::list(at, words.iter().map(shorthand::read).collect::<Result<_, _>>()?),
        () if structured => shorthand::read(first)?,
        () => Node::scalar(at, text),
    };
    let node = if words.iter().any(|word| word.open) { opened(node) } else { node };
    Ok(api::typed(name, api::named(node, str::to_owned)).seen_at(at))
}

/// JSON in a word. Some shells hand it on with a backslash before each quote.
fn from_json(word: &Word) -> Result<Node, Box<Problem>> {
    let mut letters = word.letters.clone();
    let escaped: String = letters.iter().take(8).map(|(c, _)| *c).filter(|c| !c.is_whitespace()).collect();
    if escaped.starts_with("{\\\"") || escaped.starts_with("[{\\\"") {
        let behind: Vec<Option<char>> = (0..letters.len()).map(|i| letters.get(i + 1).map(|(c, _)| *c)).collect();
        let mut behind = behind.into_iter();
        letters.retain(|(c, _)| !(behind.next().flatten() == Some('"') && *c == '\\'));
    }
    let text: String = letters.iter().map(|(c, _)| *c).collect();
    let starts: Vec<usize> = text.char_indices().map(|(offset, _)| offset).collect();
    let place = |offset: usize| {
        let index = starts.binary_search(&offset).unwrap_or_else(|index| index);
        letters.get(index).map_or(word.at, |(_, at)| *at)
    };
    match json::read(&text) {
        Ok(parsed) => Ok(Node::placed(&parsed, place)),
        Err(fault) => {
            let mut problem = Problem::error(Kind::Syntax, "", fault.found, format!("expected {}", fault.expected));
            problem.position = Some(place(fault.at.offset));
            Err(problem.into())
        }
    }
}

/// The whole of a call as JSON or YAML.
fn input(word: Option<&Word>, at: (u32, u32)) -> Result<Node, Box<Problem>> {
    let Some(word) = word else { return Ok(Node::map(at, Vec::new())) };
    let text = word.text();
    if text.starts_with("file://") || word.open {
        return Ok(Node::unresolved(at, text));
    }
    if text.trim_start().starts_with('{') {
        return from_json(word);
    }
    let read = yaml::read(&text)?.into_iter().next();
    Ok(read.map_or_else(|| Node::map(at, Vec::new()), |node| Node::from_value(&node.value(), at)))
}

/// What the shell fills in is not known here.
fn opened(node: Node) -> Node {
    let Node { at, origin, kind } = node;
    let kind = match kind {
        NodeKind::Scalar(value) if value.as_str().is_some_and(|text| text.contains('$')) => {
            return Node { at, origin: Origin::Unresolved, kind: NodeKind::Scalar(value) };
        }
        NodeKind::List(items) => NodeKind::List(items.into_iter().map(opened).collect()),
        NodeKind::Map(entries) => NodeKind::Map(entries.into_iter().map(|(key, node)| (key, opened(node))).collect()),
        scalar => scalar,
    };
    Node { at, origin, kind }
}
