//! `cargo xtask`: set-up, the page, the checks.
//!
//! Two commands are enough for daily work: `serve` shows the page, `test` runs
//! every check. Both install what is missing first (see [`setup`]).

mod bench;
mod bench_page;
mod budget;
mod failure;
mod house;
mod lazy;
mod page;
mod process;
mod serve;
mod server;
mod setup;
mod test;
mod tidy;

use std::process::ExitCode;

use failure::{Failure, Outcome};

const HELP: &str = "\
cargo xtask serve [--port N] [--no-build]   Builds the release page and serves it on this machine.
cargo xtask test [--only STEP[,STEP]] [-- ARGUMENT...]
                                            Runs every check, or some; arguments go to the runner of a named step.
cargo xtask dist                            Builds the static site into dist/, for any folder of any server.
cargo xtask bench [--only engine|page] [--no-build] [--long]
                                            Measures the engine, natively and in WebAssembly, and the page in a browser.
cargo xtask tidy                            Checks the house rules a compiler does not know.

What a command needs is installed first, into a cache folder of its own ($ROLLSCOPE_CACHE,
or rollscope/ in the user's cache folder). Tools that are on PATH in the right version are used.
$CHROME names the browser for the browser tests.";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match dispatch(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\n{failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(arguments: &[String]) -> Outcome {
    let Some((command, rest)) = arguments.split_first() else {
        println!("{HELP}");
        return Ok(());
    };
    match command.as_str() {
        "serve" => serve::command(rest),
        "test" => test::command(rest),
        "dist" => no_arguments(rest).and_then(|()| page::dist()),
        "bench" => bench::command(rest),
        "tidy" => no_arguments(rest).and_then(|()| tidy::command()),
        "help" | "--help" | "-h" => {
            println!("{HELP}");
            Ok(())
        }
        other => Err(Failure::new(format!("There is no command `{other}`."))
            .or_way_out("`cargo xtask help` lists the commands.")),
    }
}

fn no_arguments(rest: &[String]) -> Outcome {
    match rest.first() {
        None => Ok(()),
        Some(first) => Err(unknown_argument(first)),
    }
}

/// The sentence for an argument nobody asked for.
fn unknown_argument(argument: &str) -> Failure {
    Failure::new(format!("The argument `{argument}` is not known here."))
        .or_way_out("`cargo xtask help` lists what each command takes.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_command_is_refused_in_words() {
        let failure = dispatch(&["srve".to_owned()]).unwrap_err().to_string();
        assert!(failure.contains("There is no command `srve`."));
    }

    #[test]
    fn an_unknown_argument_is_refused() {
        assert!(dispatch(&["tidy".to_owned(), "--fast".to_owned()]).is_err());
    }
}
