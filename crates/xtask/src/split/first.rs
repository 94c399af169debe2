//! The file the page starts with.

use std::collections::HashMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{
    CodeSection, ElementSection, ExportKind, ExportSection, Function, FunctionSection, Instruction, Module, RawSection,
    TableSection,
};

use super::numbers::Numbers;
use super::plan::{self, MEMORY, Plan};
use super::program::{Program, unexpected};
use crate::failure::{Failure, Outcome};

/// What the program asks JavaScript for, to get the rest of it.
pub const LOADER: &str = "rollscopeRest";

/// Writes it. A slot of the table that the second file fills holds a few instructions until then,
/// which ask for that file at once. So every division is right; a good one never gets there.
pub fn write(plan: &Plan<'_>) -> Outcome<Vec<u8>> {
    let program = plan.program;
    let mut numbers = Numbers {
        functions: vec![None; plan.later.len()],
        slots: plan::by_function(&plan.slots),
        type_of: &program.type_of,
        table: program.table,
    };
    let kept = (0..program.imported as usize).chain(plan.of_file(false));
    let mut count = 0;
    for index in kept {
        numbers.functions[index] = Some(count);
        count += 1;
    }
    let loader = loader(program)?;
    let mut module = Module::new();
    program.sections(|id, data| {
        match id {
            0 => {}
            3 => drop(module.section(&kinds(plan))),
            4 => {
                let mut section = TableSection::new();
                for table in plan.tables()? {
                    section.table(table);
                }
                module.section(&section);
            }
            7 => drop(module.section(&exports(plan, &mut numbers)?)),
            9 => drop(module.section(&elements(plan, &numbers, count))),
            10 => {
                let mut code = CodeSection::new();
                for index in plan.of_file(false) {
                    numbers.parse_function_body(&mut code, program.body(index)).map_err(unexpected)?;
                }
                for (slot, function) in &plan.slots {
                    code.function(&stub(program, program.type_of[*function as usize], *slot, loader));
                }
                module.section(&code);
            }
            _ => drop(module.section(&RawSection { id, data })),
        }
        Ok(())
    })?;
    Ok(module.finish())
}

fn loader(program: &Program<'_>) -> Outcome<u32> {
    let found = program.imports.iter().position(|import| import.name.contains(LOADER));
    found.map(|index| index as u32).ok_or_else(|| Failure::new(format!("The program never asks for `{LOADER}`.")))
}

fn kinds(plan: &Plan<'_>) -> FunctionSection {
    let mut section = FunctionSection::new();
    let stubs = plan.slots.iter().map(|(_, function)| *function as usize);
    for index in plan.of_file(false).chain(stubs) {
        section.function(plan.program.type_of[index]);
    }
    section
}

fn exports(plan: &Plan<'_>, numbers: &mut Numbers<'_>) -> Outcome<ExportSection> {
    let mut section = plan.program.exports(numbers)?;
    section.export(MEMORY, ExportKind::Memory, 0);
    for index in 0..plan.program.tables.len() {
        section.export(&plan::table_name(index), ExportKind::Table, index as u32);
    }
    for index in 0..plan.program.globals.len() {
        section.export(&plan::global_name(index), ExportKind::Global, index as u32);
    }
    for (index, function) in plan.shared.iter().enumerate() {
        let number = numbers.function_index(*function).map_err(unexpected)?;
        section.export(&plan::shared_name(index), ExportKind::Func, number);
    }
    Ok(section)
}

fn elements(plan: &Plan<'_>, numbers: &Numbers<'_>, stubs_from: u32) -> ElementSection {
    let stubs = plan.slots.iter().enumerate().map(|(index, (slot, _))| (*slot, stubs_from + index as u32));
    let stubs: HashMap<u32, u32> = stubs.collect();
    let there = |slot: u32| {
        let function = plan.program.slots.get(slot as usize).copied().flatten()?;
        numbers.functions[function as usize]
    };
    let filled: Vec<Option<u32>> =
        (0..plan.size).map(|slot| stubs.get(&slot).copied().or_else(|| there(slot))).collect();
    plan::elements(&filled, plan.program.table)
}

/// Gets the second file at once, then calls what stands in this slot now.
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
