//! Other programs: finding them, running them, reading what they say.

use std::env;
use std::ffi::OsStr;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::failure::{Failure, Outcome};

/// Cargo of the toolchain that runs this program.
pub fn cargo() -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(crate::house::root());
    command.envs(for_wasm());
    command
}

/// Variables for everything that compiles to WebAssembly: panics name files as `yew-0.23.0/src/..`,
/// not where they lie on this machine. So a build is the same everywhere, and smaller.
pub fn for_wasm() -> Option<(&'static str, String)> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")))?;
    let registries = std::fs::read_dir(home.join("registry").join("src")).ok()?;
    let mut folders: Vec<PathBuf> = registries.flatten().map(|entry| entry.path()).collect();
    folders.push(crate::house::root().to_owned());
    folders.sort();
    let flags = folders.iter().map(|folder| format!("--remap-path-prefix={}/=", folder.display()));
    // Names that tell copies of one generic function apart: the split goes by names.
    let flags = flags.chain(["-Csymbol-mangling-version=v0".to_owned()]);
    // Flags are parted by spaces there, so a folder with one keeps its name.
    let flags = flags.filter(|flag| !flag.contains(' '));
    Some(("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", flags.collect::<Vec<_>>().join(" ")))
}

/// Runs a command whose output the user sees; fails when it fails.
pub fn run(command: &mut Command) -> Outcome {
    let status = command.status().map_err(|error| did_not_start(command, &error))?;
    if status.success() {
        return Ok(());
    }
    Err(Failure::new(format!("`{}` failed ({status}).", written(command))))
}

/// Runs a command and returns what it wrote to its standard output.
pub fn capture(command: &mut Command) -> Outcome<String> {
    let output = command.stdin(Stdio::null()).output().map_err(|error| did_not_start(command, &error))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::new(format!(
            "`{}` failed ({}). It said: {}",
            written(command),
            output.status,
            said.trim()
        )));
    }
    String::from_utf8(output.stdout).map_err(|_| Failure::new(format!("`{}` did not write text.", written(command))))
}

/// What `PROGRAM --version` says, or nothing when there is no such program.
pub fn version_of(program: impl AsRef<OsStr>) -> Option<String> {
    let said = capture(Command::new(program).arg("--version")).ok()?;
    Some(said.trim().to_owned())
}

/// Where Cargo builds, which a variable or a setting may have moved.
pub fn target_folder() -> Outcome<PathBuf> {
    let metadata = capture(cargo().args(["metadata", "--no-deps", "--format-version", "1"]))?;
    let value: Option<serde_json::Value> = serde_json::from_str(&metadata).ok();
    value
        .as_ref()
        .and_then(|value| value["target_directory"].as_str())
        .map(PathBuf::from)
        .ok_or_else(|| Failure::new("`cargo metadata` does not say where Cargo builds."))
}

/// The first program of that name on the user's own `PATH`.
pub fn find_on_path(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|candidate| candidate.is_file())
}

/// `PATH` for a child process: our folders first, then the user's.
pub fn path_with(folders: &[PathBuf]) -> Outcome<std::ffi::OsString> {
    let own = env::var_os("PATH").unwrap_or_default();
    let all = folders.iter().cloned().chain(env::split_paths(&own));
    env::join_paths(all).map_err(|error| Failure::new(format!("PATH cannot be extended: {error}.")))
}

fn did_not_start(command: &Command, error: &std::io::Error) -> Failure {
    let program = Path::new(command.get_program()).display();
    if error.kind() == ErrorKind::NotFound {
        Failure::new(format!("The program `{program}` is not installed."))
    } else {
        Failure::new(format!("The program `{program}` did not start: {error}."))
    }
}

/// The command as a person would type it, with the program's bare name.
fn written(command: &Command) -> String {
    let program = Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str());
    std::iter::once(name)
        .chain(command.get_args())
        .map(|part| part.to_string_lossy().into_owned())
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_program_is_named() {
        let failure = run(&mut Command::new("no-such-program-here")).unwrap_err();
        assert_eq!(failure.to_string(), "The program `no-such-program-here` is not installed.");
    }

    #[test]
    fn a_failed_command_is_written_out() {
        let failure = run(Command::new("sh").args(["-c", "exit 3"])).unwrap_err();
        assert!(failure.to_string().starts_with("`sh -c exit 3` failed"));
    }

    #[test]
    fn our_folders_come_first() {
        let path = path_with(&[PathBuf::from("/ours")]).unwrap();
        assert_eq!(env::split_paths(&path).next(), Some("/ours".into()));
    }
}
