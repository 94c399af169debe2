//! What stands in which file, and how the two reach each other.

use std::borrow::Cow;
use std::collections::HashMap;

use wasm_encoder::reencode::Reencode;
use wasm_encoder::{ConstExpr, ElementSection, Elements, TableType};

use super::numbers::Numbers;
use super::program::{Program, unexpected};
use crate::failure::Outcome;

/// The name under which the second file knows the first.
pub const FIRST: &str = "m";
/// The name of the memory in the first file.
pub const MEMORY: &str = "m";

/// The division of a program.
pub struct Plan<'p> {
    /// The whole.
    pub program: &'p Program<'p>,
    /// Of each function, whether it goes into the second file.
    pub later: &'p [bool],
    /// Slots of the table that the second file fills, with the functions that go there.
    pub slots: Vec<(u32, u32)>,
    /// The functions of the first file that the second one calls.
    pub shared: Vec<u32>,
    /// The size of the table.
    pub size: u32,
}

impl<'p> Plan<'p> {
    /// Works out how the two files reach each other.
    pub fn new(program: &'p Program<'p>, later: &'p [bool]) -> Self {
        let (slots, size) = slots(program, later);
        Plan { program, later, slots, shared: shared(program, later), size }
    }

    /// The functions with bodies that go into one of the files.
    pub fn of_file(&self, later: bool) -> impl Iterator<Item = usize> + '_ {
        (self.program.imported as usize..self.later.len()).filter(move |index| self.later[*index] == later)
    }

    /// The types of the tables; the one that is called through has room for all slots.
    pub fn tables(&self) -> Outcome<Vec<TableType>> {
        let mut tables = Vec::new();
        for (index, table) in self.program.tables.iter().enumerate() {
            let mut ty = Numbers::unchanged(&[]).table_type(*table).map_err(unexpected)?;
            if index == self.program.table as usize {
                ty.minimum = ty.minimum.max(u64::from(self.size));
                ty.maximum = ty.maximum.map(|maximum| maximum.max(u64::from(self.size)));
            }
            tables.push(ty);
        }
        Ok(tables)
    }
}

/// The slot of every function of the second file that is called through the table or by the first
/// file, and how large the table is then.
fn slots(program: &Program<'_>, later: &[bool]) -> (Vec<(u32, u32)>, u32) {
    let there = program.slots.iter().enumerate();
    let there = there.filter_map(|(slot, function)| Some((slot as u32, function.filter(|f| later[*f as usize])?)));
    let mut slots: Vec<(u32, u32)> = there.collect();
    let mut seen: Vec<bool> = vec![false; later.len()];
    slots.iter().for_each(|(_, function)| seen[*function as usize] = true);
    let mut size = program.slots.len() as u32;
    let bodies = program.calls.iter().zip(&later[program.imported as usize..]);
    for called in bodies.filter(|(_, later)| !**later).flat_map(|(called, _)| called) {
        if later[*called as usize] && !std::mem::replace(&mut seen[*called as usize], true) {
            slots.push((size, *called));
            size += 1;
        }
    }
    (slots, size)
}

fn shared(program: &Program<'_>, later: &[bool]) -> Vec<u32> {
    let bodies = program.calls.iter().zip(&later[program.imported as usize..]);
    let called = bodies.filter(|(_, later)| **later).flat_map(|(called, _)| called.iter().copied());
    let mut shared: Vec<u32> = called.filter(|function| !later[*function as usize]).collect();
    shared.sort_unstable();
    shared.dedup();
    shared
}

/// The slot by function.
pub fn by_function(slots: &[(u32, u32)]) -> HashMap<u32, u32> {
    slots.iter().rev().map(|(slot, function)| (*function, *slot)).collect()
}

/// The name of the shared function with this place in the list.
pub fn shared_name(index: usize) -> String {
    format!("_{}", letters(index))
}

/// A number in letters.
pub fn letters(number: usize) -> String {
    const LETTERS: &[u8; 52] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    let mut written = String::new();
    let mut rest = number;
    loop {
        written.push(char::from(LETTERS[rest % 52]));
        rest /= 52;
        if rest == 0 {
            return written;
        }
    }
}

/// The name of a shared table.
pub fn table_name(index: usize) -> String {
    format!("t{index}")
}

/// The name of a shared global.
pub fn global_name(index: usize) -> String {
    format!("g{index}")
}

/// Fills a table: a piece for each row of slots without a gap.
pub fn elements(filled: &[Option<u32>], table: u32) -> ElementSection {
    let mut section = ElementSection::new();
    let mut row: Vec<u32> = Vec::new();
    for (slot, function) in filled.iter().chain([&None]).enumerate() {
        if let Some(function) = function {
            row.push(*function);
        } else if !row.is_empty() {
            let start = ConstExpr::i32_const((slot - row.len()) as i32);
            section.active((table != 0).then_some(table), &start, Elements::Functions(Cow::Borrowed(&row)));
            row.clear();
        }
    }
    section
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_shared_functions_differ() {
        let names: std::collections::BTreeSet<String> = (0..5_000).map(shared_name).collect();
        assert_eq!(names.len(), 5_000);
        assert_eq!((shared_name(0), shared_name(51), shared_name(52)), ("_a".into(), "_Z".into(), "_ab".into()));
    }
}
