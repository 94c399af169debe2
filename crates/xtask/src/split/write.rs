//! Writes the two files of a split program, or one that notes which functions ran.

use std::borrow::Cow;
use std::collections::HashMap;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, ElementSection, Elements, EntityType, ExportKind, ExportSection, Function, FunctionSection,
    GlobalType, ImportSection, Instruction, MemArg, MemorySection, MemoryType, Module, RawSection, TableSection,
    TableType,
};
use wasmparser::{FunctionBody, Operator, Parser};

use super::program::{Program, unexpected};
use crate::failure::{Failure, Outcome};

/// The name under which the second file knows the first.
const FIRST: &str = "m";

/// The two files.
pub struct Files {
    /// What the page starts with.
    pub first: Vec<u8>,
    /// What is placed beside it later.
    pub rest: Vec<u8>,
    /// How many functions went into the second file.
    pub moved: usize,
}

/// New numbers of functions, and the slots of those that are elsewhere.
struct Numbers<'m> {
    functions: &'m [Option<u32>],
    slots: &'m HashMap<u32, u32>,
    types: &'m [u32],
    table: u32,
}

impl Reencode for Numbers<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        self.functions[function as usize].ok_or(Error::InvalidConstExpr)
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut written = self.new_function_with_parsed_locals(&body)?;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            let elsewhere = match operator {
                Operator::Call { function_index } => {
                    self.slots.get(&function_index).map(|slot| (function_index, *slot))
                }
                _ => None,
            };
            match elsewhere {
                Some((function, slot)) => {
                    written.instruction(&Instruction::I32Const(slot as i32));
                    let type_index = self.types[function as usize];
                    written.instruction(&Instruction::CallIndirect { type_index, table_index: self.table });
                }
                None => {
                    written.instruction(&self.instruction(operator)?);
                }
            }
        }
        code.function(&written);
        Ok(())
    }
}

/// Splits a program. `later` says of each function whether it goes into the second file; `loader` is
/// the imported function that places the second file at once.
pub fn split(program: &Program<'_>, later: &[bool], loader: u32) -> Outcome<Files> {
    let slots = slots(program, later);
    let rest_calls = rest_calls(program, later);
    Ok(Files {
        first: first(program, later, loader, &slots, &rest_calls)?,
        rest: rest(program, later, &slots, &rest_calls)?,
        moved: later.iter().filter(|later| **later).count(),
    })
}

/// The slot of every function of the second file that the first one calls, by name or through the table.
fn slots(program: &Program<'_>, later: &[bool]) -> Vec<(u32, u32)> {
    let mut slots = Vec::new();
    let mut seen: HashMap<u32, u32> = HashMap::new();
    for (slot, function) in program.slots.iter().enumerate() {
        if let Some(function) = function.filter(|function| later[*function as usize]) {
            slots.push((slot as u32, function));
            seen.insert(function, slot as u32);
        }
    }
    let mut end = program.slots.len() as u32;
    for (index, called) in program.calls.iter().enumerate() {
        if later[program.imported as usize + index] {
            continue;
        }
        for function in called.iter().filter(|function| later[**function as usize]) {
            if !seen.contains_key(function) {
                seen.insert(*function, end);
                slots.push((end, *function));
                end += 1;
            }
        }
    }
    slots
}

/// The functions of the first file that the second one calls, in their order.
fn rest_calls(program: &Program<'_>, later: &[bool]) -> Vec<u32> {
    let mut called: Vec<u32> = Vec::new();
    for (index, calls) in program.calls.iter().enumerate() {
        if later[program.imported as usize + index] {
            called.extend(calls.iter().filter(|function| !later[**function as usize]));
        }
    }
    called.sort_unstable();
    called.dedup();
    called
}

/// A short name for a number.
fn short(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut name = String::new();
    let mut rest = number;
    loop {
        name.push(char::from(LETTERS[rest % 52]));
        rest /= 52;
        if rest == 0 {
            return name;
        }
        rest -= 1;
    }
}

fn table_type(program: &Program<'_>, size: u64) -> Outcome<TableType> {
    let table = &program.tables[program.table as usize];
    let mut ty = Numbers { functions: &[], slots: &HashMap::new(), types: &[], table: 0 }
        .table_type(*table)
        .map_err(unexpected)?;
    ty.minimum = ty.minimum.max(size);
    ty.maximum = ty.maximum.map(|maximum| maximum.max(size));
    Ok(ty)
}

fn first(program: &Program<'_>, later: &[bool], loader: u32, slots: &[(u32, u32)], shared: &[u32]) -> Outcome<Vec<u8>> {
    let mut functions = Vec::with_capacity(later.len());
    let mut next = 0;
    for later in later {
        functions.push((!later).then_some(next));
        next += u32::from(!later);
    }
    let stubs_from = next;
    let by_function: HashMap<u32, u32> = slots.iter().map(|(slot, function)| (*function, *slot)).collect();
    let stub_of: HashMap<u32, u32> =
        slots.iter().enumerate().map(|(index, (slot, _))| (*slot, stubs_from + index as u32)).collect();
    let size = slots.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0).max(program.slots.len() as u32);
    let mut numbers =
        Numbers { functions: &functions, slots: &by_function, types: &program.type_of, table: program.table };
    let mut module = Module::new();
    sections(program, |id, data| {
        match id {
            3 => {
                let mut section = FunctionSection::new();
                for (index, ty) in program.type_of.iter().enumerate().skip(program.imported as usize) {
                    if !later[index] {
                        section.function(*ty);
                    }
                }
                for (_, function) in slots {
                    section.function(program.type_of[*function as usize]);
                }
                module.section(&section);
            }
            4 => {
                let mut section = TableSection::new();
                for (index, table) in program.tables.iter().enumerate() {
                    if index as u32 == program.table {
                        section.table(table_type(program, u64::from(size))?);
                    } else {
                        section.table(numbers.table_type(*table).map_err(unexpected)?);
                    }
                }
                module.section(&section);
            }
            7 => {
                let mut section = ExportSection::new();
                numbers_exports(&mut numbers, program, &mut section)?;
                section.export("m", ExportKind::Memory, 0);
                section.export("t", ExportKind::Table, program.table);
                for index in 0..program.globals.len() {
                    section.export(&format!("g{index}"), ExportKind::Global, index as u32);
                }
                for (index, function) in shared.iter().enumerate() {
                    let number = functions[*function as usize].ok_or_else(|| unexpected("a function is in no file"))?;
                    section.export(&format!("_{}", short(index)), ExportKind::Func, number);
                }
                module.section(&section);
            }
            9 => {
                let mut section = ElementSection::new();
                let mut start = 0;
                let filled: Vec<Option<u32>> = (0..size)
                    .map(|slot| {
                        stub_of.get(&slot).copied().or_else(|| {
                            let function = program.slots.get(slot as usize).copied().flatten()?;
                            functions[function as usize]
                        })
                    })
                    .collect();
                runs(&filled, &mut start, program.table, &mut section);
                module.section(&section);
            }
            10 => {
                let mut section = CodeSection::new();
                for (index, body) in program.bodies.iter().enumerate() {
                    if !later[program.imported as usize + index] {
                        numbers.parse_function_body(&mut section, body.clone()).map_err(unexpected)?;
                    }
                }
                for (slot, function) in slots {
                    let ty = program.type_of[*function as usize];
                    section.function(&stub(program, ty, *slot, loader));
                }
                module.section(&section);
            }
            0 => {}
            _ => {
                module.section(&RawSection { id, data });
            }
        }
        Ok(())
    })?;
    Ok(module.finish())
}

fn numbers_exports(numbers: &mut Numbers<'_>, program: &Program<'_>, section: &mut ExportSection) -> Outcome {
    for export in &program.exports {
        let kind = numbers.export_kind(export.kind).map_err(unexpected)?;
        let index = match kind {
            ExportKind::Func => numbers.function_index(export.index).map_err(unexpected)?,
            _ => export.index,
        };
        section.export(export.name, kind, index);
    }
    Ok(())
}

/// Writes the filled slots, a piece for each row without a gap.
fn runs(filled: &[Option<u32>], start: &mut u32, table: u32, section: &mut ElementSection) {
    let mut run: Vec<u32> = Vec::new();
    for (slot, function) in filled.iter().chain([&None]).enumerate() {
        match function {
            Some(function) => {
                if run.is_empty() {
                    *start = slot as u32;
                }
                run.push(*function);
            }
            None if !run.is_empty() => {
                let table = (table != 0).then_some(table);
                section.active(table, &ConstExpr::i32_const(*start as i32), Elements::Functions(Cow::Borrowed(&run)));
                run.clear();
            }
            None => {}
        }
    }
}

/// What stands in a slot until the second file is there: fetches it at once, then calls what stands there now.
fn stub(program: &Program<'_>, ty: u32, slot: u32, loader: u32) -> Function {
    let mut body = Function::new([]);
    body.instruction(&Instruction::I32Const(1));
    body.instruction(&Instruction::Call(loader));
    for local in 0..program.types[ty as usize].params().len() {
        body.instruction(&Instruction::LocalGet(local as u32));
    }
    body.instruction(&Instruction::I32Const(slot as i32));
    body.instruction(&Instruction::CallIndirect { type_index: ty, table_index: program.table });
    body.instruction(&Instruction::End);
    body
}

fn rest(program: &Program<'_>, later: &[bool], slots: &[(u32, u32)], shared: &[u32]) -> Outcome<Vec<u8>> {
    let mut functions = vec![None; later.len()];
    for (index, function) in shared.iter().enumerate() {
        functions[*function as usize] = Some(index as u32);
    }
    let mut next = shared.len() as u32;
    for (index, _) in later.iter().enumerate().filter(|(_, later)| **later) {
        functions[index] = Some(next);
        next += 1;
    }
    let none = HashMap::new();
    let mut numbers = Numbers { functions: &functions, slots: &none, types: &program.type_of, table: 0 };
    let mut imports = ImportSection::new();
    let memory = &program.memories[0];
    imports.import(FIRST, "m", EntityType::Memory(numbers.memory_type(*memory).map_err(unexpected)?));
    let size = slots.iter().map(|(slot, _)| slot + 1).max().unwrap_or(0).max(program.slots.len() as u32);
    imports.import(FIRST, "t", EntityType::Table(table_type(program, u64::from(size))?));
    for (index, global) in program.globals.iter().enumerate() {
        let ty: GlobalType = numbers.global_type(*global).map_err(unexpected)?;
        imports.import(FIRST, &format!("g{index}"), EntityType::Global(ty));
    }
    for (index, function) in shared.iter().enumerate() {
        let ty = program.type_of[*function as usize];
        imports.import(FIRST, &format!("_{}", short(index)), EntityType::Function(ty));
    }
    let mut kinds = FunctionSection::new();
    let mut code = CodeSection::new();
    for (index, body) in program.bodies.iter().enumerate() {
        let index = program.imported as usize + index;
        if later[index] {
            kinds.function(program.type_of[index]);
            numbers.parse_function_body(&mut code, body.clone()).map_err(unexpected)?;
        }
    }
    let by_slot: HashMap<u32, u32> = slots.iter().copied().collect();
    let filled: Vec<Option<u32>> =
        (0..size).map(|slot| by_slot.get(&slot).and_then(|function| functions[*function as usize])).collect();
    let mut elements = ElementSection::new();
    runs(&filled, &mut 0, 0, &mut elements);
    let mut module = Module::new();
    sections(program, |id, data| {
        if id == 1 {
            module.section(&RawSection { id, data });
        }
        Ok(())
    })?;
    module.section(&imports).section(&kinds).section(&elements).section(&code);
    Ok(module.finish())
}

/// Every section of the file with its number, in order.
fn sections(program: &Program<'_>, mut each: impl FnMut(u8, &[u8]) -> Outcome) -> Outcome {
    for payload in Parser::new(0).parse_all(program.bytes) {
        if let Some((id, range)) = payload.map_err(unexpected)?.as_section() {
            each(id, &program.bytes[range])?;
        }
    }
    Ok(())
}

/// The same program that notes in a memory of its own, exported as `ran`, which functions ran.
pub fn counting(program: &Program<'_>) -> Outcome<Vec<u8>> {
    let functions: Vec<Option<u32>> = (0..program.functions()).map(Some).collect();
    let none = HashMap::new();
    let mut numbers = Numbers { functions: &functions, slots: &none, types: &program.type_of, table: 0 };
    let mut module = Module::new();
    sections(program, |id, data| {
        match id {
            5 => {
                let mut section = MemorySection::new();
                for memory in &program.memories {
                    section.memory(numbers.memory_type(*memory).map_err(unexpected)?);
                }
                let pages = u64::from(program.functions()) / 65_536 + 1;
                section.memory(MemoryType {
                    minimum: pages,
                    maximum: Some(pages),
                    memory64: false,
                    shared: false,
                    page_size_log2: None,
                });
                module.section(&section);
            }
            7 => {
                let mut section = ExportSection::new();
                numbers_exports(&mut numbers, program, &mut section)?;
                section.export("ran", ExportKind::Memory, program.memories.len() as u32);
                module.section(&section);
            }
            10 => {
                let mut section = CodeSection::new();
                for (index, body) in program.bodies.iter().enumerate() {
                    let mut written = numbers.new_function_with_parsed_locals(body).map_err(unexpected)?;
                    let place = MemArg { offset: 0, align: 0, memory_index: program.memories.len() as u32 };
                    written.instruction(&Instruction::I32Const(program.imported as i32 + index as i32));
                    written.instruction(&Instruction::I32Const(1));
                    written.instruction(&Instruction::I32Store8(place));
                    let mut operators = body.get_operators_reader().map_err(unexpected)?;
                    while !operators.eof() {
                        written.instruction(&numbers.parse_instruction(&mut operators).map_err(unexpected)?);
                    }
                    section.function(&written);
                }
                module.section(&section);
            }
            0 => {}
            _ => {
                module.section(&RawSection { id, data });
            }
        }
        Ok(())
    })?;
    Ok(module.finish())
}

/// The imported function of that name.
pub fn imported(program: &Program<'_>, name: &str) -> Outcome<u32> {
    let found = program.imports.iter().position(|import| import.name.contains(name));
    found.map(|index| index as u32).ok_or_else(|| Failure::new(format!("The program imports no `{name}`.")))
}
