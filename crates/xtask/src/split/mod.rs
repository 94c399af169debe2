//! The program of the page in two files.
//!
//! The first file has what the first picture needs. The rest of the functions are in a second one,
//! which the page fetches once that picture stands (`web/src/rest.rs`, `web/js/boot.js`). It shares
//! memory, table and globals with the first and has no data of its own: both together are the
//! program as it was compiled, and one division is as right as another. Which functions can wait is
//! said by `web/rest.txt`; `cargo xtask rest` writes it anew from what runs in a browser.

mod choose;
mod counting;
mod first;
mod learn;
mod numbers;
mod plan;
mod program;
mod rest;
mod short;

use std::fs;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, Outcome, with_path};
use crate::{house, process};
use program::Program;

/// The folder of the second file in the finished site.
pub const FOLDER: &str = "rest";
/// The second file, before it is named by its content.
const FILE: &str = "rollscope-rest.wasm";
/// How the program of the page is named in the finished site.
const WHOLE: &str = "rollscope-web";
/// The attribute of the page that names the second file.
const ATTRIBUTE: &str = "data-rest";

/// Where the list is.
fn list() -> PathBuf {
    house::root().join("web").join("rest.txt")
}

/// Where the whole program of the last build is kept, with the names of its functions.
fn kept() -> Outcome<PathBuf> {
    Ok(process::target_folder()?.join(FOLDER).join("whole.wasm"))
}

/// True for the program that is split, which needs the names of its functions until then.
pub fn is_split(path: &Path) -> bool {
    is_of_page(path, ".wasm")
}

fn is_of_page(path: &Path, ending: &str) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.starts_with(WHOLE) && name.ends_with(ending)
}

/// Splits the program of the site in `dist/`.
pub fn site() -> Outcome {
    let path = program_of(&house::dist(), ".wasm")?;
    let script = program_of(&house::dist(), ".js")?;
    let bytes = fs::read(&path).map_err(with_path(&path))?;
    let text = fs::read_to_string(&script).map_err(with_path(&script))?;
    let (bytes, text) = short::names(&Program::read(&bytes)?, &text)?;
    write(&script, text.as_bytes())?;
    write(&kept()?, &bytes)?;
    let program = Program::read(&bytes)?;
    let list = fs::read_to_string(list()).map_err(with_path(&list()))?;
    let later = choose::later(&program, &choose::rules(&list));
    let plan = plan::Plan::new(&program, &later);
    write(&path, &first::write(&plan)?)?;
    write(&house::dist().join(FOLDER).join(FILE), &rest::write(&plan)?)?;
    let page = house::dist().join("index.html");
    let html = fs::read_to_string(&page).map_err(with_path(&page))?;
    let empty = format!("{ATTRIBUTE}=\"\"");
    if html.matches(&empty).count() != 1 {
        return Err(Failure::new("The page has no place for the address of the rest of its program."));
    }
    write(&page, html.replacen(&empty, &format!("{ATTRIBUTE}=\"./{FOLDER}/{FILE}\""), 1).as_bytes())
}

/// The file of the program, or of its script, in a site.
fn program_of(site: &Path, ending: &str) -> Outcome<PathBuf> {
    for entry in fs::read_dir(site).map_err(with_path(site))? {
        let path = entry.map_err(with_path(site))?.path();
        if is_of_page(&path, ending) {
            return Ok(path);
        }
    }
    Err(Failure::new(format!("The site has no file {WHOLE}{ending}.")))
}

fn write(path: &Path, bytes: &[u8]) -> Outcome {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(with_path(folder))?;
    }
    fs::write(path, bytes).map_err(with_path(path))
}

/// Makes a copy of the site in `dist/` whose program is whole and notes which functions run.
pub fn counting_site(to: &Path) -> Outcome {
    let bytes = whole()?;
    copy(&house::dist(), to)?;
    write(&program_of(to, ".wasm")?, &counting::write(&Program::read(&bytes)?)?)?;
    let page = to.join("index.html");
    let html = fs::read_to_string(&page).map_err(with_path(&page))?;
    let start = html.find(&format!("{ATTRIBUTE}=\"")).ok_or_else(|| Failure::new("The page names no rest."))?;
    let value = start + ATTRIBUTE.len() + 2;
    let end = value + html[value..].find('"').unwrap_or(0);
    write(&page, format!("{}{}", &html[..value], &html[end..]).as_bytes())
}

fn whole() -> Outcome<Vec<u8>> {
    let kept = kept()?;
    fs::read(&kept).map_err(with_path(&kept))
}

fn copy(from: &Path, to: &Path) -> Outcome {
    fs::create_dir_all(to).map_err(with_path(to))?;
    for entry in fs::read_dir(from).map_err(with_path(from))? {
        let path = entry.map_err(with_path(from))?.path();
        let there = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() {
            copy(&path, &there)?;
        } else {
            fs::copy(&path, &there).map_err(with_path(&path))?;
        }
    }
    Ok(())
}

/// Writes the list anew. `ran` has a byte for each function: 0 where it never ran.
pub fn learn(ran: &[u8]) -> Outcome {
    let bytes = whole()?;
    let program = Program::read(&bytes)?;
    let ran: Vec<bool> = ran.iter().map(|ran| *ran != 0).collect();
    let mut text = String::from(HEAD);
    for rule in learn::rules(&program, &ran) {
        text.push_str(&format!("{rule}\n"));
    }
    write(&list(), text.as_bytes())
}

const HEAD: &str = "\
# Functions of the page that its first picture does without; they go into a file of their own.
# Written by `cargo xtask rest`. A line that fits nothing any more does no harm, and a function
# that is called before that file is there is fetched then; see crates/xtask/src/split.
# `path`: functions with this path in their name. `=name`: functions of that name.
";

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_encoder::*;
    use wasmparser::{Parser, Payload};

    /// `a`, exported, calls `b`, which calls `c`; `c` also stands in the table.
    fn small() -> Vec<u8> {
        let mut types = TypeSection::new();
        types.ty().function([ValType::I32], []);
        types.ty().function([ValType::I32], [ValType::I32]);
        let mut imports = ImportSection::new();
        imports.import("x", "__wbg_rollscopeRest_0", EntityType::Function(0));
        let mut functions = FunctionSection::new();
        let mut code = CodeSection::new();
        for callee in [Some(2), Some(3), None] {
            functions.function(1);
            let mut body = Function::new([]);
            body.instruction(&Instruction::LocalGet(0));
            callee.map(|callee| body.instruction(&Instruction::Call(callee)));
            body.instruction(&Instruction::End);
            code.function(&body);
        }
        let mut tables = TableSection::new();
        let (minimum, maximum) = (2, Some(2));
        tables.table(TableType { element_type: RefType::FUNCREF, table64: false, minimum, maximum, shared: false });
        let mut memories = MemorySection::new();
        let memory = MemoryType { minimum: 1, maximum: None, memory64: false, shared: false, page_size_log2: None };
        memories.memory(memory);
        let mut exports = ExportSection::new();
        exports.export("a", ExportKind::Func, 1);
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(1), Elements::Functions([3].as_slice().into()));
        let mut naming = NameMap::new();
        [(1, "p::a"), (2, "p::b::h0123456789abcdef"), (3, "q::c")].iter().for_each(|(i, name)| naming.append(*i, name));
        let mut names = NameSection::new();
        names.functions(&naming);
        let mut module = Module::new();
        module.section(&types).section(&imports).section(&functions).section(&tables).section(&memories);
        module.section(&exports).section(&elements).section(&code).section(&names);
        module.finish()
    }

    /// Functions imported and written, and the functions in the table.
    fn shape(file: &[u8]) -> (usize, usize, Vec<u32>) {
        let (mut imported, mut written, mut slots) = (0, 0, Vec::new());
        for payload in Parser::new(0).parse_all(file) {
            match payload.unwrap() {
                Payload::ImportSection(section) => {
                    let imports = section.into_imports().map(Result::unwrap);
                    imported = imports.filter(|import| matches!(import.ty, wasmparser::TypeRef::Func(_))).count();
                }
                Payload::CodeSectionEntry(_) => written += 1,
                Payload::ElementSection(section) => {
                    for element in section {
                        let wasmparser::ElementItems::Functions(functions) = element.unwrap().items else { continue };
                        slots.extend(functions.into_iter().map(Result::unwrap));
                    }
                }
                _ => {}
            }
        }
        (imported, written, slots)
    }

    fn divided(list: &str) -> (Vec<u8>, Vec<u8>) {
        let bytes = small();
        let program = Program::read(&bytes).unwrap();
        let later = choose::later(&program, &choose::rules(list));
        let plan = plan::Plan::new(&program, &later);
        (first::write(&plan).unwrap(), rest::write(&plan).unwrap())
    }

    #[test]
    fn a_function_that_waits_is_called_through_a_slot_of_its_own() {
        let (first, rest) = divided("p::b\n");
        // a, c and what stands in the new slot for b.
        assert_eq!(shape(&first), (1, 3, vec![2, 3]));
        let again = Program::read(&first).unwrap();
        assert_eq!(again.slots, [None, Some(2), Some(3)]);
        assert_eq!(again.calls, [vec![], vec![], vec![0]], "only what stands in for b calls by number: the loader");
        // b calls c of the first file, and takes the new slot.
        assert_eq!(shape(&rest), (1, 1, vec![1]));
    }

    #[test]
    fn what_javascript_calls_stays_and_nothing_waits_without_a_list() {
        let (first, rest) = divided("p::a\n");
        assert_eq!((shape(&first), shape(&rest)), ((1, 3, vec![3]), (0, 0, vec![])));
    }

    #[test]
    fn the_list_is_what_never_ran() {
        let bytes = small();
        let program = Program::read(&bytes).unwrap();
        let ran = [true, true, false, true];
        // Too short to be worth a line.
        assert_eq!(learn::rules(&program, &ran), []);
        assert!(shape(&counting::write(&program).unwrap()).1 == 3);
    }

    #[test]
    fn names_that_the_script_knows_get_short() {
        let bytes = small();
        let program = Program::read(&bytes).unwrap();
        let (again, script) = short::names(&program, "{__wbg_rollscopeRest_0:1,other_name:2}").unwrap();
        assert_eq!(script, "{__wbg_rollscopeRest_0:1,other_name:2}", "the loader is found by its name");
        assert_eq!(Program::read(&again).unwrap().imports[0].name, "__wbg_rollscopeRest_0");
    }
}
