//! Short names between the program and its script.
//!
//! What one calls the other by is written out in both, long enough to be told apart by a linker.

use std::collections::{HashMap, HashSet};

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ExportSection, ImportSection, Module, RawSection};

use super::first::LOADER;
use super::numbers::Numbers;
use super::plan::letters;
use super::program::{Program, unexpected};
use crate::failure::Outcome;

/// How the names begin that `wasm-bindgen` writes into both. Others may be known elsewhere.
const WRITTEN: [&str; 2] = ["__wb", "wasm_bindgen"];

/// The program and the script with short names. A name that the script does not know stays.
pub fn names(program: &Program<'_>, script: &str) -> Outcome<(Vec<u8>, String)> {
    let known: HashSet<&str> = script.split(|letter: char| !in_name(letter)).collect();
    let imports = program.imports.iter().map(|import| import.name);
    let exports = program.exports.iter().map(|export| export.name);
    let mut short: HashMap<&str, String> = HashMap::new();
    let mut free = (0..).map(|number| format!("${}", letters(number))).filter(|name| !known.contains(name.as_str()));
    for name in imports.chain(exports) {
        let ours = WRITTEN.iter().any(|begin| name.starts_with(begin));
        let long = ours && known.contains(name) && !name.contains(LOADER);
        if long && !short.contains_key(name) {
            short.insert(name, free.next().unwrap_or_default());
        }
    }
    Ok((renamed(program, &short)?, replaced(script, &short)))
}

fn in_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '$'
}

/// The text with other names, where they stand as whole words.
fn replaced(text: &str, short: &HashMap<&str, String>) -> String {
    let mut replaced = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(in_name) {
        let end = rest[start..].find(|letter| !in_name(letter)).map_or(rest.len(), |length| start + length);
        let word = &rest[start..end];
        replaced.push_str(&rest[..start]);
        replaced.push_str(short.get(word).map_or(word, String::as_str));
        rest = &rest[end..];
    }
    replaced + rest
}

fn renamed(program: &Program<'_>, short: &HashMap<&str, String>) -> Outcome<Vec<u8>> {
    let name = |name: &'_ str| short.get(name).cloned().unwrap_or_else(|| name.to_owned());
    let mut numbers = Numbers::unchanged(&program.type_of);
    let mut module = Module::new();
    program.sections(|id, data| {
        match id {
            2 => {
                let mut section = ImportSection::new();
                for import in &program.imports {
                    let ty = numbers.entity_type(import.ty).map_err(unexpected)?;
                    section.import(import.module, &name(import.name), ty);
                }
                module.section(&section);
            }
            7 => {
                let mut section = ExportSection::new();
                for export in &program.exports {
                    let kind = numbers.export_kind(export.kind).map_err(unexpected)?;
                    section.export(&name(export.name), kind, export.index);
                }
                module.section(&section);
            }
            _ => drop(module.section(&RawSection { id, data })),
        }
        Ok(())
    })?;
    Ok(module.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_are_replaced_and_nothing_else() {
        let short = HashMap::from([("__wbg_a", "$a".to_owned())]);
        assert_eq!(replaced("{__wbg_a:1,__wbg_ab:2};x.__wbg_a(`ü`)", &short), "{$a:1,__wbg_ab:2};x.$a(`ü`)");
    }
}
