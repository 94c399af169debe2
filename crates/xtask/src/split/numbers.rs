//! Functions under other numbers: a body is copied, and its calls go where the callee is now.

use std::collections::HashMap;

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, Instruction};
use wasmparser::{FunctionBody, Operator};

/// Where each function is in the file that is written.
pub struct Numbers<'m> {
    /// Its number there; nothing for a function of the other file.
    pub functions: Vec<Option<u32>>,
    /// The slot of the table through which a function of the other file is called.
    pub slots: HashMap<u32, u32>,
    /// The type of each function.
    pub type_of: &'m [u32],
    /// The number of the table.
    pub table: u32,
}

impl<'m> Numbers<'m> {
    /// The numbers they have already.
    pub fn unchanged(type_of: &'m [u32]) -> Self {
        let functions = (0..type_of.len() as u32).map(Some).collect();
        Self { functions, slots: HashMap::new(), type_of, table: 0 }
    }
}

impl Reencode for Numbers<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Result<u32, Error> {
        self.functions.get(function as usize).copied().flatten().ok_or(Error::InvalidConstExpr)
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody<'_>) -> Result<(), Error> {
        let mut written = self.new_function_with_parsed_locals(&body)?;
        let mut operators = body.get_operators_reader()?;
        while !operators.eof() {
            let operator = operators.read()?;
            let elsewhere = match operator {
                Operator::Call { function_index } => self.slots.get(&function_index).map(|slot| (function_index, slot)),
                _ => None,
            };
            if let Some((function, slot)) = elsewhere {
                let type_index = self.type_of[function as usize];
                written.instruction(&Instruction::I32Const(*slot as i32));
                written.instruction(&Instruction::CallIndirect { type_index, table_index: self.table });
            } else {
                written.instruction(&self.instruction(operator)?);
            }
        }
        code.function(&written);
        Ok(())
    }
}
