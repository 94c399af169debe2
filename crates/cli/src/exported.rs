//! `export`: the settings as text for the place where they are kept.

use rollscope_import::export::{Export, Note, NoteKind, Target, export};
use rollscope_scenario::problem::{Kind, Problem};
use rollscope_scenario::{Document, Value};
use rollscope_wording::export::{Aside, Word, aside, other_forms, word};

use crate::args::Options;
use crate::command::{Answer, refuse};
use crate::input::{self, Input};

/// The answer: the text alone on standard output, what it does not say on standard error.
pub fn answer(input: &Input, options: &Options) -> Answer {
    match written(input, options) {
        Ok((target, export)) => said(target, &export, options),
        Err(problems) => refuse(&problems, options, false),
    }
}

/// The text, or why there is none.
fn written(input: &Input, options: &Options) -> Result<(Target, Export), Vec<Problem>> {
    let document = document(input, options)?;
    let forms: Vec<&str> = Target::of(&document).iter().map(|target| target.flag()).collect();
    let Some(target) = options.to else {
        return Err(vec![Problem::error(Kind::Missing, "", "--to", other_forms(&forms))]);
    };
    let base = match &options.base {
        Some(base) => {
            let of_base = Options { operand: base.clone(), service: options.service.clone(), ..Options::default() };
            let read = input::read(&of_base).map_err(|problem| vec![*problem])?;
            Some(self::document(&read, &of_base)?)
        }
        None => None,
    };
    if let Some(base) = base.as_ref().filter(|base| base.platform != document.platform) {
        let platform = |one: &Document| one.platform.clone().unwrap_or_else(|| "ecs".into());
        let allowed = format!("a scenario of the same platform: {}", platform(&document));
        return Err(vec![Problem::error(Kind::NotAvailable, "", platform(base), allowed)]);
    }
    let export = export(&document, base.as_ref(), target);
    export.map(|export| (target, export)).ok_or_else(|| {
        vec![Problem::error(Kind::NotAvailable, "", format!("--to {}", target.flag()), other_forms(&forms))]
    })
}

/// The scenario, also one that the platform refuses; not one that could not be read whole.
fn document(input: &Input, options: &Options) -> Result<Document, Vec<Problem>> {
    match input.document(options) {
        Some(document) if !input.import.problems.iter().any(Problem::is_error) => Ok(document),
        _ => Err(input.resolve(options).err().unwrap_or_default()),
    }
}

fn said(target: Target, export: &Export, options: &Options) -> Answer {
    let nothing = if options.base.is_some() { Word::Nothing } else { Word::NothingGiven };
    if options.json {
        let note = |note: &Note| {
            Value::object([
                ("kind", Value::from(note.kind.name())),
                ("of", note.of.as_str().into()),
                ("text", in_words(note).into()),
            ])
        };
        let value = Value::object([
            ("to", Value::from(target.flag())),
            ("text", export.text.as_str().into()),
            ("notes", Value::array(export.notes.iter().map(note))),
        ]);
        return Answer::json(&value, 0);
    }
    let mut notes: Vec<String> = export.notes.iter().map(in_words).collect();
    if export.text.is_empty() {
        notes.insert(0, word(nothing).to_owned());
    }
    let notes = notes.iter().map(|note| format!("{note}\n")).collect();
    Answer { text: export.text.clone(), notes, code: 0 }
}

fn in_words(note: &Note) -> String {
    let kind = match note.kind {
        NoteKind::Blank => Aside::Blank,
        NoteKind::CreateOnly => Aside::CreateOnly,
        NoteKind::NoPlace => Aside::NoPlace,
        NoteKind::Dropped => Aside::Dropped,
        NoteKind::InTaskDefinition => Aside::InTaskDefinition,
        NoteKind::HowItAsks => Aside::HowItAsks,
    };
    aside(kind, &note.of)
}
