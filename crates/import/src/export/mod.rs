//! The chosen settings as text for the place where they are kept: a command, a template, a configuration, a patch.
//!
//! ```text
//! ecs       document (and what it is compared with) -> what has to be said, under the names of the API
//! cli, template, terraform                          -> that, as each of them writes it
//! manifest  document (and what it is compared with) -> a patch of Kubernetes
//! ```
//!
//! Beside a base only what differs is written, and each value that is written is the whole of what has to be said there:
//! a setting that is left out and was given before is written with its default. What a form cannot say is noted, never
//! dropped in silence; nothing is made up for what a scenario does not know, such as the name of a cluster.

mod cli;
mod ecs;
#[cfg(test)]
mod laws;
mod manifest;
mod template;
mod terraform;
mod yaml;

use rollscope_scenario::Document;
use rollscope_scenario::document::kubernetes::DEPLOYMENT;
use rollscope_scenario::document::placed::{DAEMON_SET, STATEFUL_SET};

/// What the settings are written for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// `aws ecs update-service`, `aws elbv2 modify-target-group`.
    Cli,
    /// Resources of a template, in YAML.
    CloudFormation,
    /// Resources of the provider `hashicorp/aws`.
    Terraform,
    /// A patch for `kubectl patch`, in YAML; a manifest by its form.
    Kubernetes,
}

impl Target {
    /// Every target with the word that asks for it.
    pub const FLAGS: [(&'static str, Target); 4] = [
        ("cli", Target::Cli),
        ("cloudformation", Target::CloudFormation),
        ("terraform", Target::Terraform),
        ("kubernetes", Target::Kubernetes),
    ];

    /// The word that asks for it.
    pub fn flag(self) -> &'static str {
        Target::FLAGS.iter().find(|(_, target)| *target == self).map_or("", |(flag, _)| flag)
    }

    /// The target that a word asks for.
    pub fn from_flag(flag: &str) -> Option<Target> {
        Target::FLAGS.iter().find(|(known, _)| *known == flag).map(|(_, target)| *target)
    }

    /// Those that settings of this document can be written for; none where there is no such form yet.
    pub fn of(document: &Document) -> &'static [Target] {
        match document.platform.as_deref() {
            None | Some("ecs") => &[Target::Cli, Target::CloudFormation, Target::Terraform],
            Some(DEPLOYMENT | STATEFUL_SET | DAEMON_SET) => &[Target::Kubernetes],
            Some(_) => &[],
        }
    }
}

/// What the text does not say by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of thing.
    pub kind: NoteKind,
    /// Of which field, container or placeholder.
    pub of: String,
}

/// Kinds of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// A word in capitals that stands for something the scenario does not know.
    Blank,
    /// A setting that can only be given when a service is created.
    CreateOnly,
    /// A setting for which this form has no place.
    NoPlace,
    /// A setting that was given in the base, is not given now, and has no documented default.
    Dropped,
    /// It belongs to the container of a task definition, which has to be registered as a whole.
    InTaskDefinition,
    /// A check that the base does not have: the scenario knows when it asks, not how.
    HowItAsks,
}

impl NoteKind {
    /// Its name in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            NoteKind::Blank => "blank",
            NoteKind::CreateOnly => "create-only",
            NoteKind::NoPlace => "no-place",
            NoteKind::Dropped => "dropped",
            NoteKind::InTaskDefinition => "in-task-definition",
            NoteKind::HowItAsks => "how-it-asks",
        }
    }
}

/// Settings as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Export {
    /// The text, ready to paste; empty where nothing differs.
    pub text: String,
    /// What it does not say by itself.
    pub notes: Vec<Note>,
}

impl Export {
    fn note(&mut self, kind: NoteKind, of: impl Into<String>) {
        let note = Note { kind, of: of.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}

/// The settings of a document for a target: all that are given, or beside a base those that differ from it. Absent where
/// the platform has no such form.
pub fn export(document: &Document, base: Option<&Document>, target: Target) -> Option<Export> {
    if !Target::of(document).contains(&target) || base.is_some_and(|base| base.platform != document.platform) {
        return None;
    }
    let mut export = Export::default();
    if target == Target::Kubernetes {
        manifest::write(document, base, &mut export);
        return Some(export);
    }
    let said = ecs::said(document, base, target, &mut export);
    match target {
        Target::Cli => cli::write(&said, &mut export),
        Target::CloudFormation => template::write(&said, &mut export),
        Target::Terraform => terraform::write(&said, &mut export),
        Target::Kubernetes => {}
    }
    Some(export)
}
