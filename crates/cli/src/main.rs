//! `rollscope`: the simulator for pipelines, scripts and checks from outside.
//!
//! ```text
//! args      what was asked
//! input     file, link or standard input -> document -> settings, or problems
//! command   check, run, link, import, show: a report and an exit code
//! report    the report for people; with --json it is the rows of `insight`
//! ```
//!
//! Exit code: 0 ends well, 1 does not end well, 2 bad input or settings the platform refuses.

mod args;
mod asg;
mod command;
mod exported;
mod imported;
mod input;
mod kubernetes;
mod pipeline;
mod placed;
mod report;
mod story;
mod vm;

use std::io::{self, Write};
use std::process::ExitCode;

use rollscope_scenario::problem::{Kind, Problem};

use args::{Asked, Options};
use command::Answer;

/// Bad input, a refused setting, or a question that was not understood.
pub const BAD: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned()).collect();
    let answer = match args::parse(&arguments) {
        Ok(Asked::Help) => Answer::text(args::HELP, 0),
        Ok(Asked::Version) => Answer::text(concat!("rollscope ", env!("CARGO_PKG_VERSION"), "\n"), 0),
        Ok(Asked::Command(command, options)) => command::answer(command, &options),
        Err(mistake) => {
            // JSON is printed in every case, also when the question was not understood.
            let options = Options { json: arguments.iter().any(|arg| arg == "--json"), ..Options::default() };
            let problem = Problem::error(Kind::Syntax, "", mistake.given, mistake.allowed);
            command::refuse(&[problem], &options, true)
        }
    };
    print(&answer)
}

/// A reader that has gone (`rollscope … | head`) is no failure of ours.
fn print(answer: &Answer) -> ExitCode {
    let _ = io::stderr().lock().write_all(answer.notes.as_bytes());
    match io::stdout().lock().write_all(answer.text.as_bytes()).and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(BAD),
        _ => ExitCode::from(answer.code),
    }
}
