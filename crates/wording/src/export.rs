//! Words about settings that are written for another tool. Functions of their own, as in `outside`.

use crate::{Language, en};

const PRODUCT: Language = Language::English;

/// What a written text does not say by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aside {
    /// A word in capitals stands for something that the scenario does not know.
    Blank,
    /// It can only be given when the thing is created.
    CreateOnly,
    /// The form has no place for it.
    NoPlace,
    /// It was given before and is not any more, and leaving it out has no documented meaning.
    Dropped,
    /// It belongs to a container, of whose task definition the rest is not known.
    InTaskDefinition,
    /// A check that is new: how it asks is not known.
    HowItAsks,
}

/// Words of the command and of the dialog.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The title of the dialog.
    Title,
    /// What the dialog is for.
    Lead,
    /// The button that opens it.
    Open,
    /// The label of the choice of a form.
    Form,
    /// The label of the choice of how much.
    HowMuch,
    /// All settings that are given.
    All,
    /// Only what differs.
    Changed,
    /// Nothing differs.
    Nothing,
    /// Nothing is given: all settings are defaults.
    NothingGiven,
    /// This platform has no form to write for yet.
    NoForm,
    /// The heading of what the text does not say.
    Asides,
    /// The button that copies the text.
    Copy,
    /// It was copied.
    Copied,
    /// The label of the text.
    Text,
}

/// A form that settings are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A command line of AWS.
    Cli,
    /// Resources of a template.
    CloudFormation,
    /// Resources of a configuration.
    Terraform,
    /// A patch.
    Kubernetes,
}

impl Form {
    /// The form that a word of the command line asks for.
    pub fn from_flag(flag: &str) -> Option<Form> {
        match flag {
            "cli" => Some(Form::Cli),
            "cloudformation" => Some(Form::CloudFormation),
            "terraform" => Some(Form::Terraform),
            "kubernetes" => Some(Form::Kubernetes),
            _ => None,
        }
    }
}

/// What a text does not say by itself; `of` is the field, the container or the word in question.
pub fn aside(aside: Aside, of: &str) -> String {
    match PRODUCT {
        Language::English => en::export::aside(aside, of),
    }
}

/// A word.
pub const fn word(word: Word) -> &'static str {
    match PRODUCT {
        Language::English => en::export::word(word),
    }
}

/// The name of a form.
pub const fn form(form: Form) -> &'static str {
    match PRODUCT {
        Language::English => en::export::form(form),
    }
}

/// How a text of this form is used.
pub const fn usage(form: Form) -> &'static str {
    match PRODUCT {
        Language::English => en::export::usage(form),
    }
}

/// Which forms there are for a scenario that has not this one.
pub fn other_forms(flags: &[&str]) -> String {
    match PRODUCT {
        Language::English => en::export::other_forms(flags),
    }
}
