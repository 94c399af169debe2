//! The finished site made smaller: programs, scripts without comments and long names, all styles in
//! one file.
//!
//! Trunk's own minifier leaves modules alone and keeps each style sheet a file of its own, which
//! compresses worse. `esbuild` and `wasm-opt` are npm packages of the browser tests.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

use crate::failure::{Failure, Outcome, with_path};
use crate::setup::Toolbox;
use crate::{house, lazy, process, split};

/// How `wasm-opt` works. What counts are the bytes after compression: passes that make the program
/// a little shorter and much less alike are left out, and functions with like names, which are
/// mostly the same generic one, stand side by side. Measured, that is 2 % by brotli, 4 % by gzip.
const WASM_OPT: &[&str] = &[
    "-Oz",
    "--skip-pass=merge-locals",
    "--skip-pass=local-cse",
    "--skip-pass=inlining-optimizing",
    "--reorder-locals",
    "--reorder-functions-by-name",
    "--strip-producers",
    "--strip-target-features",
];

/// The names of functions stay as long as the program is to be split.
fn names(path: &Path) -> &'static str {
    if split::is_split(path) { "--debuginfo" } else { "--strip-debug" }
}

/// The file of all styles.
const STYLES: &str = "style.css";

/// Works on the site in `dist/`.
pub fn site(toolbox: &Toolbox) -> Outcome {
    for folder in [house::dist(), house::dist().join(lazy::FOLDER)] {
        for entry in fs::read_dir(&folder).map_err(with_path(&folder))? {
            let path = entry.map_err(with_path(&folder))?.path();
            match path.extension().and_then(|extension| extension.to_str()) {
                Some("js") => rewrite(&path, |text| esbuild(toolbox, "js", text))?,
                Some("wasm") => {
                    let mut wasm_opt = toolbox.command("wasm-opt")?;
                    process::run(wasm_opt.args(WASM_OPT).arg(names(&path)).arg(&path).arg("-o").arg(&path))?;
                }
                _ => {}
            }
        }
    }
    rewrite(&house::dist().join("index.html"), |html| join_styles(toolbox, html))
}

fn rewrite(path: &Path, work: impl FnOnce(&str) -> Outcome<String>) -> Outcome {
    let text = fs::read_to_string(path).map_err(with_path(path))?;
    fs::write(path, work(&text)?).map_err(with_path(path))
}

/// Puts the style sheets of the page into one file, in their order; returns the page that names it.
fn join_styles(toolbox: &Toolbox, html: &str) -> Outcome<String> {
    let links = style_links(html);
    let mut all = String::new();
    for (_, name) in &links {
        let path = house::dist().join(name);
        all.push_str(&fs::read_to_string(&path).map_err(with_path(&path))?);
        fs::remove_file(&path).map_err(with_path(&path))?;
    }
    let styles = esbuild(toolbox, "css", &all)?;
    let path = house::dist().join(STYLES);
    fs::write(&path, styles).map_err(with_path(&path))?;
    with_one_link(html, &links, STYLES).ok_or_else(|| Failure::new("The page names no style sheet."))
}

/// Every line that names a style sheet beside the page, with the file's name.
fn style_links(html: &str) -> Vec<(&str, &str)> {
    let name = |line: &'_ str| -> Option<(usize, usize)> {
        let start = line.find("<link rel=\"stylesheet\" href=\"./")? + "<link rel=\"stylesheet\" href=\"./".len();
        Some((start, start + line[start..].find('"')?))
    };
    html.lines().filter_map(|line| name(line).map(|(start, end)| (line, &line[start..end]))).collect()
}

/// The page with one link in the place of the first of these lines, and without the others.
fn with_one_link(html: &str, links: &[(&str, &str)], name: &str) -> Option<String> {
    let (first, _) = links.first()?;
    let line = format!("  <link rel=\"stylesheet\" href=\"./{name}\"/>\n");
    let mut page = html.replacen(&format!("{first}\n"), &line, 1);
    for (other, _) in &links[1..] {
        page = page.replacen(&format!("{other}\n"), "", 1);
    }
    Some(page)
}

fn esbuild(toolbox: &Toolbox, loader: &str, text: &str) -> Outcome<String> {
    let failed =
        |what: &dyn std::fmt::Display| Failure::new(format!("`esbuild` did not shrink a {loader} file: {what}"));
    let mut command = toolbox.command("esbuild")?;
    command.args([&format!("--loader={loader}"), "--minify", "--charset=utf8", "--log-level=warning"]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(|error| failed(&error))?;
    let mut input = child.stdin.take().ok_or_else(|| failed(&"it has no input."))?;
    let given = text.as_bytes().to_vec();
    // Beside the reading, so that neither side waits for the other with a full pipe.
    let writer = std::thread::spawn(move || input.write_all(&given));
    let output = child.wait_with_output().map_err(|error| failed(&error))?;
    let written = writer.join().is_ok_and(|written| written.is_ok());
    if !written || !output.status.success() {
        return Err(failed(&"see the lines above."));
    }
    String::from_utf8(output.stdout).map_err(|error| failed(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "<head>\n  <link rel=\"icon\" href=\"./i.svg\"/>\n  <link rel=\"stylesheet\" href=\"./a-1.css\"/>\n  \
                        <link rel=\"stylesheet\" href=\"./b-2.css\"/>\n  <meta>\n";

    #[test]
    fn style_sheets_are_found_in_their_order() {
        let names: Vec<&str> = style_links(PAGE).iter().map(|link| link.1).collect();
        assert_eq!(names, ["a-1.css", "b-2.css"]);
    }

    #[test]
    fn one_link_takes_their_place() {
        let page = with_one_link(PAGE, &style_links(PAGE), "style.css").unwrap();
        let expected = "<head>\n  <link rel=\"icon\" href=\"./i.svg\"/>\n  <link rel=\"stylesheet\" href=\"./style.css\"/>\n  <meta>\n";
        assert_eq!(page, expected);
        assert_eq!(with_one_link("<head>", &[], "x"), None);
    }
}
