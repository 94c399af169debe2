//! Which form a text has, and who reads it.

use rollscope_scenario::Document;
use rollscope_scenario::link;
use rollscope_scenario::problem::{Kind, Problem};

use crate::pieces::{Piece, Pieces};
use crate::{
    Format, Import, command, compose, deployments, ecs, foreign, hcl, manifest, nomad, placeholder, template, terraform,
};

/// Most bytes of a text.
const SIZE_MAX: usize = 1_000_000;

/// Reads a text as `format`, or as the one it looks like.
pub fn read(text: &str, choice: Option<&str>, format: Option<Format>) -> Import {
    let trimmed = text.trim();
    if format.is_none_or(|format| format == Format::Link) && link::looks_like(trimmed) {
        return from_link(trimmed);
    }
    if text.len() > SIZE_MAX {
        let given = format!("{} bytes", text.len());
        return refused(Format::Unknown, Problem::error(Kind::Syntax, "", given, format!("at most {SIZE_MAX} bytes")));
    }
    let text = placeholder::read(text);
    match format {
        None => look(&text, choice),
        Some(format) => as_format(&text, choice, format).unwrap_or_else(|problem| refused(format, *problem)),
    }
}

fn refused(format: Format, problem: Problem) -> Import {
    let mut import = Import::new(format);
    import.problems.push(problem);
    import
}

/// The form that the text has by its looks.
fn look(text: &str, choice: Option<&str>) -> Import {
    let problem = match Pieces::read(text) {
        Ok(pieces) => return from_json(text, &pieces, choice),
        Err(problem) => *problem,
    };
    let format = match () {
        () if command::looks_like(text) => Some(Format::CommandLine),
        () if hcl::looks_like(text, &["job"]) => Some(Format::Nomad),
        () if hcl::looks_like(text, &["resource", "variable", "locals", "module", "terraform", "data"]) => {
            Some(Format::Terraform)
        }
        () => None,
    };
    match format {
        Some(format) => as_format(text, choice, format).unwrap_or_else(|problem| refused(format, *problem)),
        None => from_yaml(text, choice, problem),
    }
}

/// The form that is asked for, whatever the text looks like.
fn as_format(text: &str, choice: Option<&str>, format: Format) -> Result<Import, Box<Problem>> {
    let none = || Box::new(Problem::error(Kind::Unknown, "", "this text", format!("expected: {}", format.name())));
    match format {
        Format::CommandLine => Ok(command::read(text, choice)),
        Format::Terraform => Ok(terraform::read(&hcl::read(text)?, choice)),
        Format::Nomad => Ok(nomad::read(&hcl::read(text)?, choice)),
        Format::CloudFormation => template::read(&pieces(text)?, choice).ok_or_else(none),
        Format::Compose => compose::read(&pieces(text)?, choice).ok_or_else(none),
        Format::Manifest => manifest::read(&pieces(text)?, choice).ok_or_else(none),
        Format::ServiceDeployments => deployments::read(&Pieces::read(text)?, choice).ok_or_else(none),
        Format::Document => {
            let pieces = Pieces::read(text)?;
            pieces.all.first().map(|piece| from_document(text, piece)).ok_or_else(none)
        }
        Format::DescribeServices | Format::Service | Format::Parts => Ok(ecs::read(&pieces(text)?, choice)),
        Format::Link | Format::Unknown => Err(none()),
    }
}

/// JSON, or YAML.
fn pieces(text: &str) -> Result<Pieces, Box<Problem>> {
    let json = Pieces::read(text);
    if json.is_ok() || text.trim_start().starts_with(['{', '[']) { json } else { Pieces::read_yaml(text) }
}

fn from_json(text: &str, pieces: &Pieces, choice: Option<&str>) -> Import {
    if let Some(document) = pieces.document() {
        return from_document(text, document);
    }
    deployments::read(pieces, choice)
        .or_else(|| template::read(pieces, choice))
        .or_else(|| manifest::read(pieces, choice))
        .or_else(|| compose::read(pieces, choice))
        .unwrap_or_else(|| ecs::read(pieces, choice))
}

/// A text that is no JSON and nothing else that is known by its words: YAML, or `problem` with it as JSON.
fn from_yaml(text: &str, choice: Option<&str>, problem: Problem) -> Import {
    if !foreign::is_yaml(text) {
        return refused(Format::Unknown, problem);
    }
    let pieces = match Pieces::read_yaml(text) {
        Ok(pieces) => pieces,
        // Where YAML is meant its own grammar says what was expected.
        Err(fault) => return refused(Format::Unknown, *fault),
    };
    template::read(&pieces, choice)
        .or_else(|| manifest::read(&pieces, choice))
        .or_else(|| compose::read(&pieces, choice))
        .unwrap_or_else(|| refused(Format::Unknown, foreign::in_yaml(&pieces).unwrap_or(problem)))
}

fn from_link(text: &str) -> Import {
    let mut import = Import::new(Format::Link);
    match link::decode(text) {
        Ok(decoded) => {
            import.document = Some(decoded.link.document.clone());
            import.problems = decoded.problems;
            import.link = Some(decoded.link);
        }
        Err(error) => {
            import.problems.push(Problem::error(Kind::Syntax, "", "", error.to_string()));
            import.link_error = Some(error);
        }
    }
    import
}

fn from_document(text: &str, piece: &Piece) -> Import {
    let mut import = Import::new(Format::Document);
    // Read again from the whole text when it is nothing else, so that every place is right.
    let reading = Document::from_text(text);
    if reading.text.is_some() {
        import.problems = reading.problems;
        import.document = Some(reading.document);
    } else {
        let (document, problems) = Document::from_value(piece.value());
        import.document = Some(document);
        import.problems = problems;
    }
    import
}
