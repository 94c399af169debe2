//! Which functions the first picture does without.
//!
//! A list says so (`web/rest.txt`). What only they call goes with them, so the list need not know each helper.

use super::program::Program;

/// One line of the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Rule<'l> {
    /// Functions of exactly this name.
    Named(&'l str),
    /// Functions whose name has this path in it, for example the type they are made for.
    About(&'l str),
}

impl<'l> Rule<'l> {
    /// Reads a line: `=name` or `path`.
    pub fn read(line: &'l str) -> Self {
        line.strip_prefix('=').map_or(Rule::About(line), Rule::Named)
    }

    /// Whether it is about a function.
    pub fn covers(&self, name: &str) -> bool {
        match self {
            Rule::Named(whole) => name == *whole,
            Rule::About(path) => mentions(name, path),
        }
    }
}

impl std::fmt::Display for Rule<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Rule::Named(name) => write!(f, "={name}"),
            Rule::About(path) => write!(f, "{path}"),
        }
    }
}

fn mentions(name: &str, path: &str) -> bool {
    let in_word = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.match_indices(path).any(|(at, _)| {
        let before = at.checked_sub(1).map(|at| name.as_bytes()[at]);
        !in_word(before) && !in_word(name.as_bytes().get(at + path.len()).copied())
    })
}

/// Reads a list: a rule a line, empty lines and those with `#` aside.
pub fn rules(list: &str) -> Vec<Rule<'_>> {
    let lines = list.lines().map(str::trim);
    lines.filter(|line| !line.is_empty() && !line.starts_with('#')).map(Rule::read).collect()
}

/// Bytes of a function in the table below which it stays: what stands in its place is as long.
const SHORT: usize = 24;

/// True for each function that may go into the second file: JavaScript does not call it by its name.
pub fn movable(program: &Program<'_>) -> Vec<bool> {
    let functions = program.functions() as usize;
    let mut movable: Vec<bool> = (0..functions).map(|index| index >= program.imported as usize).collect();
    program.exported().for_each(|function| movable[function as usize] = false);
    for function in program.slots.iter().flatten().map(|function| *function as usize) {
        movable[function] = movable[function] && program.size(function) >= SHORT;
    }
    movable
}

/// True for each function that goes into the second file.
pub fn later(program: &Program<'_>, rules: &[Rule<'_>]) -> Vec<bool> {
    let mut free = movable(program);
    let listed = |name: &String| rules.iter().any(|rule| rule.covers(name));
    let names = |index: usize| program.names.get(&(index as u32));
    let later = (0..free.len()).map(|index| free[index] && names(index).is_some_and(listed)).collect();
    // A function in the table may be called by anything.
    program.slots.iter().flatten().for_each(|function| free[*function as usize] = false);
    with_helpers(program, &free, later)
}

/// Adds what only functions of the second file call.
fn with_helpers(program: &Program<'_>, free: &[bool], mut later: Vec<bool>) -> Vec<bool> {
    let mut callers = vec![Vec::new(); later.len()];
    for (index, called) in program.calls.iter().enumerate() {
        for callee in called {
            callers[*callee as usize].push(program.imported as usize + index);
        }
    }
    loop {
        let follows = |index: &usize| {
            let callers = &callers[*index];
            free[*index] && !later[*index] && !callers.is_empty() && callers.iter().all(|caller| later[*caller])
        };
        let follow: Vec<usize> = (0..later.len()).filter(follows).collect();
        if follow.is_empty() {
            return later;
        }
        follow.iter().for_each(|index| later[*index] = true);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_a_function_or_a_path_in_its_name() {
        let about = Rule::read("web::parts::help");
        assert!(about.covers("web::parts::help"));
        assert!(about.covers("core::ptr::drop_glue::<web::parts::help::Props>"));
        assert!(about.covers("<web::parts::help as x>::f"));
        assert!(!about.covers("web::parts::helper"));
        assert!(!about.covers("my_web::parts::help"));
        let named = Rule::read("=web::parts::help");
        assert!(named.covers("web::parts::help") && !named.covers("web::parts::help::f"));
        assert_eq!((about.to_string(), named.to_string()), ("web::parts::help".into(), "=web::parts::help".into()));
    }

    #[test]
    fn a_list_has_a_rule_a_line() {
        assert_eq!(rules("# words\n\n a::b \n=c\n"), [Rule::About("a::b"), Rule::Named("c")]);
    }
}
