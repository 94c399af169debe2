//! The program of the page in two files.
pub mod choose;
pub mod program;
pub mod write;

use crate::failure::{Failure, Outcome};
use std::fs;
pub fn try_out(args: &[String]) -> Outcome {
    let bytes = fs::read(&args[1]).map_err(|e| Failure::new(e.to_string()))?;
    let program = program::Program::read(&bytes)?;
    println!("functions {} slots {} table {}", program.functions(), program.slots.len(), program.table);
    if args[0] == "count" {
        fs::write(&args[2], write::counting(&program)?).unwrap();
        let mut out = String::new();
        for i in 0..program.functions() {
            let size =
                if i < program.imported { 0 } else { program.bodies[(i - program.imported) as usize].range().len() };
            out.push_str(&format!("{size}\t{}\n", program.names.get(&i).cloned().unwrap_or_default()));
        }
        fs::write(&args[3], out).unwrap();
    } else {
        let list = fs::read_to_string(&args[2]).unwrap();
        let later = choose::later(&program, &choose::rules(&list));
        let loader = write::imported(&program, &args[3])?;
        let files = write::split(&program, &later, loader)?;
        println!("moved {} first {} rest {}", files.moved, files.first.len(), files.rest.len());
        fs::write(&args[4], files.first).unwrap();
        fs::write(&args[5], files.rest).unwrap();
    }
    Ok(())
}
