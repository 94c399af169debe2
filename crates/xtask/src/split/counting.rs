//! The program with a note of every function that ran.

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{CodeSection, ExportKind, Instruction, MemArg, MemorySection, MemoryType, Module, RawSection};

use super::numbers::Numbers;
use super::program::{Program, unexpected};
use crate::failure::Outcome;

/// The name of the memory with a byte for each function: 1 once it ran.
const RAN: &str = "ran";

/// Writes it. The note is in a memory of its own, so that the program does not see it.
pub fn write(program: &Program<'_>) -> Outcome<Vec<u8>> {
    let mut numbers = Numbers::unchanged(&program.type_of);
    let mut module = Module::new();
    let ran = program.memories.len() as u32;
    program.sections(|id, data| {
        match id {
            0 => {}
            5 => {
                let mut section = MemorySection::new();
                for memory in &program.memories {
                    section.memory(numbers.memory_type(*memory).map_err(unexpected)?);
                }
                let pages = u64::from(program.functions()) / 65_536 + 1;
                let (maximum, page_size_log2) = (Some(pages), None);
                section.memory(MemoryType { minimum: pages, maximum, memory64: false, shared: false, page_size_log2 });
                module.section(&section);
            }
            7 => {
                let mut section = program.exports(&mut numbers)?;
                section.export(RAN, ExportKind::Memory, ran);
                module.section(&section);
            }
            10 => drop(module.section(&code(program, &mut numbers, ran)?)),
            _ => drop(module.section(&RawSection { id, data })),
        }
        Ok(())
    })?;
    Ok(module.finish())
}

fn code(program: &Program<'_>, numbers: &mut Numbers<'_>, ran: u32) -> Outcome<CodeSection> {
    let mut code = CodeSection::new();
    for (number, body) in (program.imported..).zip(&program.bodies) {
        let mut written = numbers.new_function_with_parsed_locals(body).map_err(unexpected)?;
        written.instruction(&Instruction::I32Const(number as i32));
        written.instruction(&Instruction::I32Const(1));
        written.instruction(&Instruction::I32Store8(MemArg { offset: 0, align: 0, memory_index: ran }));
        let mut operators = body.get_operators_reader().map_err(unexpected)?;
        while !operators.eof() {
            written.instruction(&numbers.parse_instruction(&mut operators).map_err(unexpected)?);
        }
        code.function(&written);
    }
    Ok(code)
}
