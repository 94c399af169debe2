//! What each command does and takes, for all of them and for one.

/// A command and the words about it.
struct Command {
    name: &'static str,
    /// What stands behind its name.
    takes: &'static str,
    /// What it does, in a sentence.
    does: &'static str,
    /// What each argument means, a line each.
    arguments: &'static str,
}

const COMMANDS: &[Command] = &[
    Command {
        name: "serve",
        takes: "[--port N] [--no-build]",
        does: "Builds the release page and serves it on this machine, until Ctrl+C.",
        arguments: "\
--port N     The port that is tried first, from 0 to 65535; 0 picks any free one. Default 8080. A port that is taken
             leads to the next one; the last line says the address.
--no-build   Serves what is in dist/ already.",
    },
    Command {
        name: "test",
        takes: "[--only STEP[,STEP]] [-- ARGUMENT...]",
        does: "Runs every check, or those that are named.",
        arguments: "\
--only STEP[,STEP]   fmt, tidy, clippy, host, docs, wasm, page or browser; all of them without it.
-- ARGUMENT...       Goes to the runner of the step that is named: a test's name, or --test-name-pattern=NAME
                     for the browser.",
    },
    Command {
        name: "dist",
        takes: "",
        does: "Builds the static site into dist/, for any folder of any web server.",
        arguments: "",
    },
    Command {
        name: "rest",
        takes: "[--no-build]",
        does: "Builds the page, sees in a browser what the first picture needs, and writes web/rest.txt anew.",
        arguments: "\
--no-build   Looks at the page that is in dist/ already.",
    },
    Command {
        name: "bench",
        takes: "[--only engine|page] [--no-build] [--long]",
        does: "Measures the engine, natively and in WebAssembly, and the page in a browser.",
        arguments: "\
--only engine|page   One of the two.
--no-build           Measures the page that is in dist/ already.
--long               Plays for ten minutes where memory is measured, instead of one.",
    },
    Command { name: "tidy", takes: "", does: "Checks the house rules a compiler does not know.", arguments: "" },
];

const FOOT: &str = "\
What a command needs is installed first, into a cache folder of its own ($ROLLSCOPE_CACHE, or rollscope/ in the user's
cache folder); the first time that takes some minutes. Tools that are on PATH in the right version are used.
$CHROME names the browser for the browser tests.";

/// One line a command, and what holds for all of them.
pub fn all() -> String {
    let mut text = String::new();
    for command in COMMANDS {
        text.push_str(&format!("{}\n    {}\n", usage(command), command.does));
    }
    format!("{text}\n`cargo xtask COMMAND --help` explains the arguments.\n{FOOT}")
}

/// Everything about one command; nothing where there is no such command.
pub fn of(name: &str) -> Option<String> {
    let command = COMMANDS.iter().find(|command| command.name == name)?;
    let mut text = format!("{}\n{}\n", usage(command), command.does);
    if !command.arguments.is_empty() {
        text.push_str(&format!("\n{}\n", command.arguments));
    }
    Some(format!("{text}\n{FOOT}"))
}

fn usage(command: &Command) -> String {
    format!("cargo xtask {} {}", command.name, command.takes).trim_end().to_owned()
}

/// Help is asked for among the arguments of a command. What stands behind `--` belongs to its runner.
pub fn is_wanted(arguments: &[String]) -> bool {
    let own = arguments.iter().take_while(|argument| *argument != "--");
    own.into_iter().any(|argument| argument == "--help" || argument == "-h")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_command_explains_its_arguments() {
        for command in COMMANDS {
            let text = of(command.name).unwrap();
            assert!(text.starts_with(&format!("cargo xtask {}", command.name)), "{text}");
            for argument in command.takes.split_whitespace().filter(|word| word.starts_with("[--")) {
                let name = argument.trim_matches(['[', ']']);
                assert!(command.arguments.contains(name), "{name} of {} is not explained", command.name);
            }
            assert!(all().contains(&usage(command)));
        }
        assert_eq!(of("srve"), None);
    }

    #[test]
    fn help_for_a_runner_is_its_own() {
        let arguments = |list: &[&str]| list.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
        assert!(is_wanted(&arguments(&["--port", "1", "--help"])));
        assert!(is_wanted(&arguments(&["-h"])));
        assert!(!is_wanted(&arguments(&["--only", "host", "--", "--help"])));
    }
}
