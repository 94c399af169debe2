//! The file that is placed beside the first one: functions and their slots, no data.

use std::collections::HashMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{CodeSection, EntityType, FunctionSection, ImportSection, Module, RawSection};

use super::numbers::Numbers;
use super::plan::{self, FIRST, MEMORY, Plan};
use super::program::unexpected;
use crate::failure::Outcome;

/// Writes it.
pub fn write(plan: &Plan<'_>) -> Outcome<Vec<u8>> {
    let program = plan.program;
    let mut numbers = Numbers {
        functions: vec![None; plan.later.len()],
        slots: HashMap::new(),
        type_of: &program.type_of,
        table: program.table,
    };
    let here = plan.shared.iter().map(|function| *function as usize).chain(plan.of_file(true));
    for (number, index) in here.enumerate() {
        numbers.functions[index] = Some(number as u32);
    }
    let (mut kinds, mut code) = (FunctionSection::new(), CodeSection::new());
    for index in plan.of_file(true) {
        kinds.function(program.type_of[index]);
        numbers.parse_function_body(&mut code, program.body(index)).map_err(unexpected)?;
    }
    let slots: HashMap<u32, u32> = plan.slots.iter().copied().collect();
    let function = |slot: u32| numbers.functions[*slots.get(&slot)? as usize];
    let filled: Vec<Option<u32>> = (0..plan.size).map(function).collect();
    let mut module = Module::new();
    program.sections(|id, data| {
        if id == 1 {
            module.section(&RawSection { id, data });
        }
        Ok(())
    })?;
    module.section(&imports(plan, &mut numbers)?);
    module.section(&kinds).section(&plan::elements(&filled, program.table)).section(&code);
    Ok(module.finish())
}

fn imports(plan: &Plan<'_>, numbers: &mut Numbers<'_>) -> Outcome<ImportSection> {
    let mut imports = ImportSection::new();
    let [memory] = plan.program.memories[..] else { return Err(unexpected("it has not one memory")) };
    imports.import(FIRST, MEMORY, EntityType::Memory(numbers.memory_type(memory).map_err(unexpected)?));
    for (index, table) in plan.tables()?.into_iter().enumerate() {
        imports.import(FIRST, &plan::table_name(index), EntityType::Table(table));
    }
    for (index, global) in plan.program.globals.iter().enumerate() {
        let ty = numbers.global_type(*global).map_err(unexpected)?;
        imports.import(FIRST, &plan::global_name(index), EntityType::Global(ty));
    }
    for (index, function) in plan.shared.iter().enumerate() {
        let ty = plan.program.type_of[*function as usize];
        imports.import(FIRST, &plan::shared_name(index), EntityType::Function(ty));
    }
    Ok(imports)
}
