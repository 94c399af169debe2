//! `cargo xtask`: set-up, the page, the checks.
//!
//! Two commands are enough for daily work: `serve` shows the page, `test` runs
//! every check. Both install what is missing first (see [`setup`]).

mod bench;
mod bench_page;
mod budget;
mod failure;
mod help;
mod house;
mod lazy;
mod names;
mod page;
mod process;
mod rest;
mod serve;
mod server;
mod setup;
mod shrink;
mod split;
mod test;
mod tidy;

use std::process::ExitCode;

use failure::{Failure, Outcome};

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
        println!("{}", help::all());
        return Ok(());
    };
    if let Some(text) = help::of(command).filter(|_| help::is_wanted(rest)) {
        println!("{text}");
        return Ok(());
    }
    match command.as_str() {
        "serve" => serve::command(rest),
        "test" => test::command(rest),
        "dist" => no_arguments(rest).and_then(|()| page::dist()),
        "bench" => bench::command(rest),
        "rest" => rest::command(rest),
        "tidy" => no_arguments(rest).and_then(|()| tidy::command()),
        "help" | "--help" | "-h" => {
            println!("{}", rest.first().and_then(|name| help::of(name)).unwrap_or_else(help::all));
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
        .or_way_out("`cargo xtask COMMAND --help` lists what a command takes.")
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
