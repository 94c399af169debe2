//! What somebody does to the desired count in mid-run, beside setting it, in English.

/// A schedule sets the desired count.
pub fn by_schedule() -> &'static str {
    "Desired, by a schedule"
}

/// A template is applied.
pub fn by_template() -> &'static str {
    "Template: revision, count"
}

/// The revision that the template deploys.
pub fn template_revision() -> &'static str {
    "Revision of the template"
}

/// The desired count that the template holds.
pub fn template_count() -> &'static str {
    "Desired count of the template, or nothing"
}

/// What stands in the empty field of that count.
pub fn no_count() -> &'static str {
    "–"
}

/// The button that applies a template.
pub fn apply() -> &'static str {
    "Apply"
}

/// What a template does.
pub fn template_hint() -> &'static str {
    "A count in the template takes the place of the one in force; without one that stays."
}
