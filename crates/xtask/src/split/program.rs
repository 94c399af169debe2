//! A compiled program, read as far as a split needs it.

use std::collections::HashMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ExportKind, ExportSection};
use wasmparser::{ElementItems, ElementKind, ExternalKind, FunctionBody, KnownCustom, Name, Operator, Parser, Payload};
use wasmparser::{Export, FuncType, GlobalType, Import, MemoryType, TableType, TypeRef};

use super::numbers::Numbers;
use crate::failure::{Failure, Outcome};

/// A program with the parts that stand by themselves in one and in two files.
pub struct Program<'a> {
    /// The whole file.
    pub bytes: &'a [u8],
    /// The types of functions.
    pub types: Vec<FuncType>,
    /// What JavaScript gives, in its order.
    pub imports: Vec<Import<'a>>,
    /// The type of each function; the imported ones come first.
    pub type_of: Vec<u32>,
    /// How many functions are imported.
    pub imported: u32,
    /// The bodies of all others.
    pub bodies: Vec<FunctionBody<'a>>,
    /// The functions each body calls by name.
    pub calls: Vec<Vec<u32>>,
    /// The tables; the first one that holds functions is [`Self::slots`].
    pub tables: Vec<TableType>,
    /// The memories.
    pub memories: Vec<MemoryType>,
    /// The globals.
    pub globals: Vec<GlobalType>,
    /// What JavaScript may call.
    pub exports: Vec<Export<'a>>,
    /// The function in each slot of the table that is called through a number.
    pub slots: Vec<Option<u32>>,
    /// The number of that table.
    pub table: u32,
    /// The names of functions, without what changes from build to build.
    pub names: HashMap<u32, String>,
}

/// The sentence for a program of another form than the compiler writes.
pub fn unexpected(what: impl std::fmt::Display) -> Failure {
    Failure::new(format!("The program cannot be split: {what}."))
}

impl<'a> Program<'a> {
    /// Reads a program. Fails on what the splitting does not know.
    pub fn read(bytes: &'a [u8]) -> Outcome<Self> {
        let mut program = Program {
            bytes,
            types: Vec::new(),
            imports: Vec::new(),
            type_of: Vec::new(),
            imported: 0,
            bodies: Vec::new(),
            calls: Vec::new(),
            tables: Vec::new(),
            memories: Vec::new(),
            globals: Vec::new(),
            exports: Vec::new(),
            slots: Vec::new(),
            table: 0,
            names: HashMap::new(),
        };
        for payload in Parser::new(0).parse_all(bytes) {
            program.take(payload.map_err(unexpected)?)?;
        }
        Ok(program)
    }

    /// Every section of the file with its number, in order.
    pub fn sections(&self, mut each: impl FnMut(u8, &[u8]) -> Outcome) -> Outcome {
        for payload in Parser::new(0).parse_all(self.bytes) {
            if let Some((id, range)) = payload.map_err(unexpected)?.as_section() {
                each(id, &self.bytes[range])?;
            }
        }
        Ok(())
    }

    /// What JavaScript may call, under other numbers.
    pub fn exports(&self, numbers: &mut Numbers<'_>) -> Outcome<ExportSection> {
        let mut section = ExportSection::new();
        for export in &self.exports {
            let kind = numbers.export_kind(export.kind).map_err(unexpected)?;
            let index = match kind {
                ExportKind::Func => numbers.function_index(export.index).map_err(unexpected)?,
                _ => export.index,
            };
            section.export(export.name, kind, index);
        }
        Ok(section)
    }

    /// The body of a function that is not imported.
    pub fn body(&self, function: usize) -> FunctionBody<'a> {
        self.bodies[function - self.imported as usize].clone()
    }

    /// Bytes of the body of a function that is not imported.
    pub fn size(&self, function: usize) -> usize {
        self.bodies[function - self.imported as usize].range().len()
    }

    /// The functions that JavaScript may call by name.
    pub fn exported(&self) -> impl Iterator<Item = u32> + '_ {
        self.exports.iter().filter(|export| export.kind == ExternalKind::Func).map(|export| export.index)
    }

    /// The number of functions, the imported ones included.
    pub fn functions(&self) -> u32 {
        self.imported + self.bodies.len() as u32
    }

    fn take(&mut self, payload: Payload<'a>) -> Outcome {
        match payload {
            Payload::TypeSection(section) => {
                for ty in section.into_iter_err_on_gc_types() {
                    self.types.push(ty.map_err(unexpected)?);
                }
            }
            Payload::ImportSection(section) => {
                for import in section.into_imports() {
                    let import = import.map_err(unexpected)?;
                    let TypeRef::Func(ty) = import.ty else {
                        return Err(unexpected("it imports something that is no function"));
                    };
                    self.type_of.push(ty);
                    self.imported += 1;
                    self.imports.push(import);
                }
            }
            Payload::FunctionSection(section) => {
                for ty in section {
                    self.type_of.push(ty.map_err(unexpected)?);
                }
            }
            Payload::TableSection(section) => {
                for table in section {
                    self.tables.push(table.map_err(unexpected)?.ty);
                }
            }
            Payload::MemorySection(section) => {
                for memory in section {
                    self.memories.push(memory.map_err(unexpected)?);
                }
            }
            Payload::GlobalSection(section) => {
                for global in section {
                    self.globals.push(global.map_err(unexpected)?.ty);
                }
            }
            Payload::ExportSection(section) => {
                for export in section {
                    self.exports.push(export.map_err(unexpected)?);
                }
            }
            Payload::ElementSection(section) => {
                for element in section {
                    self.element(element.map_err(unexpected)?)?;
                }
            }
            Payload::CodeSectionEntry(body) => {
                self.calls.push(calls(&body)?);
                self.bodies.push(body);
            }
            Payload::CustomSection(section) => {
                if let KnownCustom::Name(names) = section.as_known() {
                    for name in names {
                        if let Name::Function(map) = name.map_err(unexpected)? {
                            for naming in map {
                                let naming = naming.map_err(unexpected)?;
                                self.names.insert(naming.index, lasting(naming.name));
                            }
                        }
                    }
                }
            }
            Payload::StartSection { .. } => return Err(unexpected("it starts by itself")),
            _ => {}
        }
        Ok(())
    }

    fn element(&mut self, element: wasmparser::Element<'a>) -> Outcome {
        let (ElementKind::Active { table_index, offset_expr }, ElementItems::Functions(functions)) =
            (element.kind, element.items)
        else {
            return Err(unexpected("its table is filled in another way"));
        };
        let Ok(Operator::I32Const { value }) = offset_expr.get_operators_reader().read() else {
            return Err(unexpected("a part of its table has no fixed place"));
        };
        self.table = table_index.unwrap_or(0);
        for (index, function) in functions.into_iter().enumerate() {
            let slot = value as usize + index;
            if self.slots.len() <= slot {
                self.slots.resize(slot + 1, None);
            }
            self.slots[slot] = Some(function.map_err(unexpected)?);
        }
        Ok(())
    }
}

fn calls(body: &FunctionBody<'_>) -> Outcome<Vec<u32>> {
    let mut called = Vec::new();
    let mut operators = body.get_operators_reader().map_err(unexpected)?;
    while !operators.eof() {
        match operators.read().map_err(unexpected)? {
            Operator::Call { function_index } => called.push(function_index),
            Operator::RefFunc { .. } | Operator::ReturnCall { .. } => {
                return Err(unexpected("it names a function without calling it"));
            }
            _ => {}
        }
    }
    called.sort_unstable();
    called.dedup();
    Ok(called)
}

/// A name without the marks that the compiler adds to tell functions of one name apart.
fn lasting(name: &str) -> String {
    let name = match name.rsplit_once('.') {
        Some((bare, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => name,
    };
    let name = match name.strip_suffix(']').and_then(|name| name.rsplit_once('[')) {
        Some((bare, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => name,
    };
    let is_hash =
        |part: &str| part.len() == 17 && part.starts_with('h') && part[1..].bytes().all(|b| b.is_ascii_hexdigit());
    let name = match name.rsplit_once("::") {
        Some((bare, last)) if is_hash(last) => bare,
        _ => name,
    };
    let mut lasting = String::with_capacity(name.len());
    let mut rest = name;
    while let Some(open) = rest.find('[') {
        let inside = rest[open + 1..].split(']').next().unwrap_or_default();
        if inside.len() >= 12 && inside.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            lasting.push_str(&rest[..open]);
            rest = &rest[open + inside.len() + 2..];
        } else {
            lasting.push_str(&rest[..=open]);
            rest = &rest[open + 1..];
        }
    }
    lasting + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_loses_what_changes_from_build_to_build() {
        for (name, kept) in [
            ("a::b::h0123456789abcdef", "a::b"),
            ("<core[c5930c85a12de822]::fmt::Formatter>::pad", "<core::fmt::Formatter>::pad"),
            ("a::b::{closure#0}.361", "a::b::{closure#0}"),
            ("<a as b>::c[1]", "<a as b>::c"),
            ("<[u8; 4] as x[0123456789abcdef]::Y>::z", "<[u8; 4] as x::Y>::z"),
        ] {
            assert_eq!(lasting(name), kept);
        }
    }

    #[test]
    fn what_is_no_program_is_refused() {
        assert!(Program::read(b"no program").is_err());
    }
}
