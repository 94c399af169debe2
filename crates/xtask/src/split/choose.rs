//! Which functions the first picture does without.
//!
//! A list names them. What only they call goes with them, so the list need not know each helper.

use super::program::{self, Program};

/// The parts of a function's name: `a::b::c` is `a`, `b`, `c`.
fn covers(rule: &str, name: &str) -> bool {
    name.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// Reads a list: a rule a line, empty lines and those with `#` aside.
pub fn rules(list: &str) -> Vec<&str> {
    list.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect()
}

/// True for each function that goes into the second file.
pub fn later(program: &Program<'_>, rules: &[&str]) -> Vec<bool> {
    let exported = program::exported(program);
    let functions = program.functions() as usize;
    let mut later = vec![false; functions];
    let mut free = vec![false; functions];
    for index in program.imported as usize..functions {
        free[index] = !exported[index];
        let name = program.names.get(&(index as u32));
        later[index] = free[index] && name.is_some_and(|name| rules.iter().any(|rule| covers(rule, name)));
    }
    // A function in the table may be called by anything.
    for function in program.slots.iter().flatten() {
        free[*function as usize] = false;
    }
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
        let follow: Vec<usize> = (0..later.len())
            .filter(|index| {
                let callers = &callers[*index];
                free[*index] && !later[*index] && !callers.is_empty() && callers.iter().all(|caller| later[*caller])
            })
            .collect();
        if follow.is_empty() {
            return later;
        }
        follow.iter().for_each(|index| later[*index] = true);
    }
}
