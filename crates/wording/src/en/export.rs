//! Words about settings that are written for another tool.

use crate::export::{Aside, Form, Word};

/// What a text does not say by itself.
pub fn aside(aside: Aside, of: &str) -> String {
    match aside {
        Aside::Blank => format!("{of} stands for something the scenario does not know: put in your own."),
        Aside::CreateOnly => {
            format!("{of} can only be given when it is created; the text leaves it as it is.")
        }
        Aside::NoPlace => format!("{of} has no place in this form; the text does not say it."),
        Aside::Dropped => {
            format!("{of} is not given any more. Leaving it out of the text does not take it away: remove it by hand.")
        }
        Aside::InTaskDefinition => {
            format!("A task definition is registered as a whole: put this into its container by hand: {of}")
        }
        Aside::HowItAsks => format!("{of} is new: the scenario knows when it asks, not how. Add that."),
    }
}

/// A word.
pub const fn word(word: Word) -> &'static str {
    match word {
        Word::Title => "Settings for your tools",
        Word::Lead => "The settings of this scenario as text, ready to paste. Nothing is sent anywhere.",
        Word::Open => "Settings as text",
        Word::Form => "For",
        Word::HowMuch => "How much",
        Word::All => "All that are set",
        Word::Changed => "Only what changed",
        Word::Nothing => "Nothing differs.",
        Word::NothingGiven => "No setting is given: all of them are defaults.",
        Word::NoForm => "There is no text for this platform yet.",
        Word::Asides => "Before you paste it",
        Word::Copy => "Copy",
        Word::Copied => "Copied",
        Word::Text => "Settings as text",
    }
}

/// The name of a form.
pub const fn form(form: Form) -> &'static str {
    match form {
        Form::Cli => "AWS CLI",
        Form::CloudFormation => "CloudFormation",
        Form::Terraform => "Terraform",
        Form::Kubernetes => "Kubernetes",
    }
}

/// How a text of this form is used.
pub const fn usage(form: Form) -> &'static str {
    match form {
        Form::Cli => "Commands for a shell.",
        Form::CloudFormation => "Put the properties into the resources of your template.",
        Form::Terraform => "Put the arguments into the resources of your configuration.",
        Form::Kubernetes => "For kubectl patch with --patch-file, or for your manifest.",
    }
}

/// Which forms there are for a scenario that has not this one.
pub fn other_forms(flags: &[&str]) -> String {
    match flags {
        [] => "no form yet for this platform".to_owned(),
        flags => format!("one of {} for this platform", flags.join(", ")),
    }
}
