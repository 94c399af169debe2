//! The command line.

use rollscope_import::Format;
use rollscope_import::export::Target;
use rollscope_scenario::duration;

/// What `--help` prints.
pub const HELP: &str = "\
Rollscope shows what an Amazon ECS rolling update really does.

Usage: rollscope COMMAND X [OPTIONS]

  check X      one evaluation at time 0: can it move, and what is its first step
  run X        the whole rollout: how it ends, when, and what it takes
  link X       the scenario as a link for the page
  import X     what is read from X: every value with its line and where it comes from
  export X     its settings as text for the place where they are kept (--to), ready to paste
  show LINK    the scenario document inside a link

X is a file, a link, or - for standard input. It holds a scenario document, a link, an answer
of the ECS API, aws ecs commands, a CloudFormation template, a Terraform configuration,
Kubernetes manifests, or (import only) a Compose file or a Nomad job.

  --json           answer in JSON, in every case
  --events         with every task, decision and service event (run)
  --until T        end the run at this time, such as 30m or 1h30m
  --at T           with --json: what the API answers at this time (run)
  --seed N         seed of the drawn durations
  --service NAME   which service, when X holds several
  --from FORMAT    what X is, where it does not look like it: document, json, service-deployments,
                   cli, cloudformation, terraform, kubernetes, compose, nomad, link
  --to FORM        what they are written for: cli, cloudformation, terraform or kubernetes (export)
  --format FORM    how the answer is laid out: json, github (lines of a pipeline's log) or sarif (check)
  --base FILE      only what differs from that scenario or configuration (export)
  -h, --help       this text
  -V, --version    the version

Exit code: 0 ends well, 1 does not end well, 2 bad input or settings the platform refuses.
";

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// One evaluation at time 0.
    Check,
    /// The whole run.
    Run,
    /// Document to link.
    Link,
    /// What a text is read as.
    Import,
    /// Settings as text for another tool.
    Export,
    /// Link to document.
    Show,
}

/// How the answer of `check` is laid out for a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// As with `--json`.
    Json,
    /// Workflow commands of GitHub Actions.
    Github,
    /// A SARIF log.
    Sarif,
}

/// Everything beside the command.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// The operand: file, link or `-`.
    pub operand: String,
    /// `--json`
    pub json: bool,
    /// `--events`
    pub events: bool,
    /// `--until`, in milliseconds.
    pub until_ms: Option<u64>,
    /// `--at`, in milliseconds.
    pub at_ms: Option<u64>,
    /// `--seed`
    pub seed: Option<i64>,
    /// `--service`
    pub service: Option<String>,
    /// `--from`
    pub from: Option<Format>,
    /// `--to`
    pub to: Option<Target>,
    /// `--format`
    pub format: Option<Layout>,
    /// `--base`
    pub base: Option<String>,
}

/// What was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// `--help`
    Help,
    /// `--version`
    Version,
    /// A command.
    Command(Command, Options),
}

/// What was not understood, and what may stand there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// What was given.
    pub given: String,
    /// What is allowed.
    pub allowed: String,
}

fn mistake<T>(given: &str, allowed: impl Into<String>) -> Result<T, Mistake> {
    Err(Mistake { given: given.into(), allowed: allowed.into() })
}

/// Reads the arguments after the program's name. Options may stand anywhere; `--name value` and
/// `--name=value` are the same.
pub fn parse(arguments: &[String]) -> Result<Asked, Mistake> {
    let mut words: Vec<&str> = Vec::new();
    let mut options = Options::default();
    let mut rest = arguments.iter().map(String::as_str);
    while let Some(argument) = rest.next() {
        // A link may hold "=": only options are split.
        let (name, own) = match argument.split_once('=') {
            Some((name, value)) if name.starts_with("--") => (name, Some(value)),
            _ => (argument, None),
        };
        let mut value = |what: &str| match own.or_else(|| rest.next()) {
            Some(value) => Ok(value.to_string()),
            None => mistake(name, format!("needs {what}")),
        };
        match name {
            "-h" | "--help" => return Ok(Asked::Help),
            "-V" | "--version" => return Ok(Asked::Version),
            "--json" if own.is_none() => options.json = true,
            "--events" if own.is_none() => options.events = true,
            "--until" | "--at" => {
                let text = value(duration::FORMS)?;
                let ms = duration::parse(&text).or_else(|why| mistake(&format!("{name} {text}"), why))?;
                *(if name == "--at" { &mut options.at_ms } else { &mut options.until_ms }) = Some(ms);
            }
            "--seed" => {
                let text = value("a whole number from 0 on")?;
                let seed = text.parse().ok().filter(|seed| *seed >= 0);
                options.seed = seed
                    .map_or_else(|| mistake(&format!("--seed {text}"), "a whole number from 0 on"), |n| Ok(Some(n)))?;
            }
            "--service" => options.service = Some(value("the name of a service")?),
            "--from" => {
                let text = value("the name of a format")?;
                let known = || Format::FLAGS.map(|(flag, _)| flag).join(", ");
                let found = Format::from_flag(&text);
                options.from = Some(found.map_or_else(|| mistake(&format!("--from {text}"), known()), Ok)?);
            }
            "--to" => {
                let text = value("what the settings are written for")?;
                let known = || Target::FLAGS.map(|(flag, _)| flag).join(", ");
                let found = Target::from_flag(&text);
                options.to = Some(found.map_or_else(|| mistake(&format!("--to {text}"), known()), Ok)?);
            }
            "--format" => {
                let text = value("json, github or sarif")?;
                options.format = Some(match text.as_str() {
                    "json" => Layout::Json,
                    "github" => Layout::Github,
                    "sarif" => Layout::Sarif,
                    _ => return mistake(&format!("--format {text}"), "json, github or sarif"),
                });
            }
            "--base" => options.base = Some(value("a file or a link")?),
            "-" => words.push(argument),
            _ if name.starts_with('-') => return mistake(argument, "this option is not known; see rollscope --help"),
            _ => words.push(argument),
        }
    }
    command(&words, options)
}

fn command(words: &[&str], mut options: Options) -> Result<Asked, Mistake> {
    let Some((first, operands)) = words.split_first() else { return Ok(Asked::Help) };
    let command = match *first {
        "check" => Command::Check,
        "run" => Command::Run,
        "link" => Command::Link,
        "import" => Command::Import,
        "export" => Command::Export,
        "show" => Command::Show,
        "help" => return Ok(Asked::Help),
        other => return mistake(other, "a command: check, run, link, import, export or show; see rollscope --help"),
    };
    match operands {
        [operand] => options.operand = (*operand).to_string(),
        [] => return mistake(first, "needs a file, a link, or - for standard input"),
        [_, second, ..] => return mistake(second, "one file, link or - only"),
    }
    if options.format.is_some() && command != Command::Check {
        return mistake("--format", "with check only");
    }
    Ok(Asked::Command(command, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(line: &str) -> Result<Asked, Mistake> {
        parse(&line.split(' ').map(String::from).collect::<Vec<_>>())
    }

    #[test]
    fn options_stand_anywhere() {
        let options = Options {
            operand: "-".into(),
            json: true,
            events: true,
            until_ms: Some(90_000),
            at_ms: Some(60_000),
            seed: Some(7),
            service: Some("web".into()),
            from: Some(Format::Terraform),
            to: Some(Target::Cli),
            format: None,
            base: Some("old.json".into()),
        };
        let expected = Ok(Asked::Command(Command::Run, options));
        assert_eq!(
            ask(
                "run - --json --events --until 1m30s --at 1m --seed 7 --service web --from terraform --to cli --base old.json"
            ),
            expected
        );
        assert_eq!(
            ask(
                "--json --until=1m30s --at=60000 run --seed=7 --from=terraform --to=cli --base=old.json --events --service=web -"
            ),
            expected
        );
    }

    #[test]
    fn a_link_is_an_operand() {
        let Ok(Asked::Command(Command::Show, options)) = ask("show #v1&desired=4&min=50") else {
            panic!("it is a command")
        };
        assert_eq!(options.operand, "#v1&desired=4&min=50");
    }

    #[test]
    fn mistakes_name_what_is_allowed() {
        for (line, given) in [
            ("walk x", "walk"),
            ("run", "run"),
            ("run a b", "b"),
            ("run a --fast", "--fast"),
            ("run a --until soon", "--until soon"),
            ("run a --at soon", "--at soon"),
            ("run a --seed -3", "--seed -3"),
            ("run a --seed", "--seed"),
            ("run a --from word", "--from word"),
            ("export a --to word", "--to word"),
            ("export a --base", "--base"),
            ("check a --format xml", "--format xml"),
            ("run a --format sarif", "--format"),
            ("run a --json=1", "--json=1"),
        ] {
            let mistake = ask(line).expect_err(line);
            assert_eq!(mistake.given, given);
            assert!(!mistake.allowed.is_empty());
        }
    }
}
