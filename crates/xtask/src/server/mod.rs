//! A small web server for a folder of files: `serve` and the browser tests use it.
//!
//! One thread a connection, one request a connection. It is for this machine
//! only, and sends what a good host of the page would send: right types, and
//! the content policy as a header beside the one inside the page.

mod files;
mod request;

use std::io::{self, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::failure::{Failure, Outcome, with_path};
use files::{Found, Site};
use request::{Method, Request};

/// The content policy; `index.html` carries the same one.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; \
    form-action 'none'";

/// A client that says nothing for this long is left.
const PATIENCE: Duration = Duration::from_secs(10);

/// A listening server.
pub struct Server {
    listener: TcpListener,
    address: String,
    site: Arc<Site>,
}

impl Server {
    /// A server for the files of `folder`, which appear below `prefix` and
    /// nowhere else. The prefix begins and ends with a slash.
    pub fn new(listener: TcpListener, folder: &Path, prefix: &str) -> Outcome<Self> {
        let folder: PathBuf = folder.canonicalize().map_err(with_path(folder))?;
        let socket =
            listener.local_addr().map_err(|error| Failure::new(format!("The server has no address: {error}.")))?;
        Ok(Self { listener, address: format!("http://{socket}{prefix}"), site: Arc::new(Site::new(folder, prefix)) })
    }

    /// The address of the page.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Answers requests until the process ends.
    pub fn run(self) {
        for stream in self.listener.incoming().flatten() {
            let site = Arc::clone(&self.site);
            // A client that goes away in the middle is its own matter.
            thread::spawn(move || answer(stream, &site));
        }
    }

    /// Answers requests beside everything else, until the process ends.
    pub fn run_beside(self) {
        thread::spawn(move || self.run());
    }
}

fn answer(mut stream: TcpStream, site: &Site) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let response = match Request::read(&mut stream)? {
        Ok(request) => respond(&request, site),
        Err(refused) => Response::text(refused.status(), refused.sentence()),
    };
    stream.write_all(&response.to_bytes())
}

/// The answer to a request that was understood.
fn respond(request: &Request, site: &Site) -> Response {
    let mut response = match site.find(&request.path) {
        Found::File { content_type, body } => {
            Response { status: "200 OK", content_type, location: None, body, with_body: true }
        }
        // Relative addresses in a page need the slash at the end of its folder.
        Found::FolderWithoutSlash => {
            let mut response = Response::text("308 Permanent Redirect", "The folder has a slash.");
            response.location = Some(format!("{}/", request.target_path));
            response
        }
        Found::Nothing => Response::text("404 Not Found", "There is nothing at this address."),
    };
    response.with_body = request.method == Method::Get;
    response
}

struct Response {
    status: &'static str,
    content_type: &'static str,
    location: Option<String>,
    body: Vec<u8>,
    with_body: bool,
}

impl Response {
    fn text(status: &'static str, sentence: &str) -> Self {
        Self {
            status,
            content_type: "text/plain; charset=utf-8",
            location: None,
            body: format!("{sentence}\n").into_bytes(),
            with_body: true,
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut head = format!(
            "HTTP/1.1 {}\r\nContent-Type: {}\r\nContent-Length: {}\r\n\
             Content-Security-Policy: {POLICY}\r\nX-Content-Type-Options: nosniff\r\n\
             Access-Control-Allow-Origin: *\r\nCache-Control: no-cache\r\nConnection: close\r\n",
            self.status,
            self.content_type,
            self.body.len(),
        );
        if self.status.starts_with("405") {
            head.push_str("Allow: GET, HEAD\r\n");
        }
        if let Some(location) = &self.location {
            head.push_str(&format!("Location: {location}\r\n"));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        if self.with_body {
            bytes.extend_from_slice(&self.body);
        }
        bytes
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::net::Ipv4Addr;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    /// Starts a server for a folder with a page, a wasm file and, outside of
    /// it, a secret; returns the address.
    fn start(prefix: &str) -> (std::net::SocketAddr, PathBuf) {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let outer = std::env::temp_dir().join(format!("rollscope-server-{}-{number}", std::process::id()));
        let folder = outer.join("site");
        std::fs::create_dir_all(folder.join("sub")).unwrap();
        std::fs::write(outer.join("secret.txt"), "secret").unwrap();
        std::fs::write(folder.join("index.html"), "<p>page</p>").unwrap();
        std::fs::write(folder.join("sub/index.html"), "<p>sub</p>").unwrap();
        std::fs::write(folder.join("a b.wasm"), b"\0asm").unwrap();
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let address = listener.local_addr().unwrap();
        Server::new(listener, &folder, prefix).unwrap().run_beside();
        (address, outer)
    }

    fn ask(address: std::net::SocketAddr, head: &str) -> String {
        let mut stream = TcpStream::connect(address).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(address: std::net::SocketAddr, target: &str) -> String {
        ask(address, &format!("GET {target} HTTP/1.1\r\nHost: x\r\n\r\n"))
    }

    #[test]
    fn the_page_and_the_header_carry_the_same_policy() {
        let page = include_str!("../../../../index.html");
        assert!(page.contains(&format!("content=\"{POLICY}\"")));
    }

    #[test]
    fn files_come_with_their_type_and_the_policy() {
        let (address, outer) = start("/");
        let page = get(address, "/?x=1");
        assert!(page.starts_with("HTTP/1.1 200 OK\r\n"));
        assert!(page.contains("Content-Type: text/html; charset=utf-8\r\n"));
        assert!(page.contains(&format!("Content-Security-Policy: {POLICY}\r\n")));
        assert!(page.ends_with("<p>page</p>"));
        assert!(get(address, "/a%20b.wasm").contains("Content-Type: application/wasm\r\n"));
        std::fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn head_has_the_length_and_no_body() {
        let (address, outer) = start("/");
        let answer = ask(address, "HEAD / HTTP/1.1\r\n\r\n");
        assert!(answer.contains("Content-Length: 11\r\n"));
        assert!(answer.ends_with("\r\n\r\n"));
        std::fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn nothing_outside_of_the_folder_is_served() {
        let (address, outer) = start("/");
        for target in [
            "/../secret.txt",
            "/sub/../../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "//../secret.txt",
            "/missing",
        ] {
            let answer = get(address, target);
            assert!(answer.starts_with("HTTP/1.1 404 "), "{target}: {answer}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(outer.join("secret.txt"), outer.join("site/link.txt")).unwrap();
            assert!(get(address, "/link.txt").starts_with("HTTP/1.1 404 "));
        }
        std::fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn other_methods_and_nonsense_are_refused() {
        let (address, outer) = start("/");
        let post = ask(address, "POST / HTTP/1.1\r\n\r\n");
        assert!(post.starts_with("HTTP/1.1 405 "));
        assert!(post.contains("Allow: GET, HEAD\r\n"));
        assert!(ask(address, "hello\r\n\r\n").starts_with("HTTP/1.1 400 "));
        std::fs::remove_dir_all(outer).unwrap();
    }

    #[test]
    fn a_prefix_is_the_only_place() {
        let (address, outer) = start("/a/b/");
        assert!(get(address, "/a/b/").ends_with("<p>page</p>"));
        assert!(get(address, "/a/b").contains("Location: /a/b/\r\n"));
        assert!(get(address, "/a/b/sub").contains("Location: /a/b/sub/\r\n"));
        assert!(get(address, "/").starts_with("HTTP/1.1 404 "));
        assert!(get(address, "/a/bc").starts_with("HTTP/1.1 404 "));
        std::fs::remove_dir_all(outer).unwrap();
    }
}
