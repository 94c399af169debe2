//! `cargo xtask rest`: what the first picture does without, seen in a browser.

use std::collections::BTreeSet;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

use crate::failure::{Failure, Outcome, with_path};
use crate::server::Server;
use crate::setup::{self, Need, Toolbox};
use crate::{house, page, process, split, unknown_argument};

/// Builds the page, unless told not to, looks at it, and writes the list.
pub fn command(arguments: &[String]) -> Outcome {
    let build = match arguments {
        [] => true,
        [only] if only == "--no-build" => false,
        [other, ..] => return Err(unknown_argument(other)),
    };
    let needs: BTreeSet<Need> = page::needs().into_iter().chain([Need::Packages, Need::Browser]).collect();
    let toolbox = setup::prepare(&needs)?;
    if build {
        page::build(&toolbox)?;
    }
    page::must_be_built()?;
    let folder = process::target_folder()?.join(split::FOLDER);
    let site = folder.join("site");
    if site.exists() {
        fs::remove_dir_all(&site).map_err(with_path(&site))?;
    }
    split::counting_site(&site)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))
        .map_err(|error| Failure::new(format!("No server can be started: {error}.")))?;
    let server = Server::new(listener, &site, "/")?;
    let address = server.address().to_owned();
    server.run_beside();
    let ran = folder.join("ran.bin");
    let mut node = toolbox.command("node")?;
    node.arg(house::browser_tests().join("first-picture.mjs")).arg(&ran);
    node.env("ROLLSCOPE_URL", address)
        .env("ROLLSCOPE_BROWSER", toolbox.browser()?)
        .env("ROLLSCOPE_LINKS", links(&toolbox)?.join("\n"));
    process::run(&mut node)?;
    split::learn(&fs::read(&ran).map_err(with_path(&ran))?)?;
    println!("The list is written; `cargo xtask dist` splits by it.");
    Ok(())
}

/// The links of all scenarios of the house that are accepted.
fn links(toolbox: &Toolbox) -> Outcome<Vec<String>> {
    let folder = house::root().join("tests").join("scenarios");
    let mut documents: Vec<PathBuf> = Vec::new();
    for entry in fs::read_dir(&folder).map_err(with_path(&folder))? {
        documents.push(entry.map_err(with_path(&folder))?.path().join("scenario.json"));
    }
    documents.retain(|document| document.is_file());
    documents.sort();
    let mut links = Vec::new();
    for document in documents {
        let mut cargo = toolbox.cargo()?;
        cargo.args(["run", "--quiet", "--offline", "--package", "rollscope-cli", "--", "link"]).arg(document);
        // One that the service refuses has no link.
        if let Ok(link) = process::capture(&mut cargo) {
            links.extend(link.trim().split_once('#').map(|(_, fragment)| fragment.to_owned()));
        }
    }
    Ok(links)
}
