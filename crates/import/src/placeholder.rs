//! Placeholders of documentation that was pasted: `{{3}}` is read as its content, `3`.

use std::borrow::Cow;

/// Words of template languages that stand in double braces and are no content.
const WORDS: [&str; 7] = ["end", "else", "if", "range", "with", "define", "template"];

/// The text with each placeholder as its content. Manifests and charts keep theirs: what stands in braces there is
/// filled in by another tool.
pub fn read(text: &str) -> Cow<'_, str> {
    if !text.contains("{{") || text.contains("apiVersion") {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("{{") {
        out.push_str(before);
        match behind.split_once("}}").filter(|(inside, _)| is_content(inside)) {
            Some((inside, after)) => {
                out.push_str(inside.trim());
                rest = after;
            }
            None => {
                out.push_str("{{");
                rest = behind;
            }
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// A number, a name, an address; no expression of a template language and no reference of CloudFormation.
fn is_content(inside: &str) -> bool {
    let word = inside.trim();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | ':' | '/' | '*' | '@' | '+');
    !word.is_empty()
        && word.chars().all(plain)
        && !word.starts_with(['.', '-'])
        && !word.starts_with("resolve:")
        && !WORDS.contains(&word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_read_and_expressions_are_kept() {
        for (text, expected) in [
            ("--desired-count {{3}}", "--desired-count 3"),
            ("\"{{my-service}}\": {{ 4 }}", "\"my-service\": 4"),
            ("{{ .Values.replicas }}", "{{ .Values.replicas }}"),
            ("{{- if x }}a{{ end }}", "{{- if x }}a{{ end }}"),
            ("{{resolve:ssm:/web/count}}", "{{resolve:ssm:/web/count}}"),
            ("{\"a\":{\"b\":{}}}", "{\"a\":{\"b\":{}}}"),
            ("a {{ b", "a {{ b"),
            ("apiVersion: v1\nx: {{3}}", "apiVersion: v1\nx: {{3}}"),
        ] {
            assert_eq!(read(text), expected);
        }
    }
}
