//! `cargo xtask serve`: the release page on this machine.

use std::net::{Ipv4Addr, TcpListener};

use crate::failure::{Failure, Outcome};
use crate::server::Server;
use crate::{house, page, setup, unknown_argument};

/// The port that is tried first.
const PORT: u16 = 8080;

/// How many ports after it are tried.
const PORTS_TRIED: u16 = 20;

struct Options {
    port: u16,
    build: bool,
}

/// Builds the page, unless told not to, and serves it until stopped.
pub fn command(arguments: &[String]) -> Outcome {
    let options = read(arguments)?;
    if options.build {
        page::build(&setup::prepare(&page::needs())?)?;
    }
    page::must_be_built()?;
    let listener = listen_near(options.port)?;
    let server = Server::new(listener, &house::dist(), "/")?;
    println!("Rollscope is at {} (stop with Ctrl+C).", server.address());
    server.run();
    Ok(())
}

fn read(arguments: &[String]) -> Outcome<Options> {
    let mut options = Options { port: PORT, build: true };
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--no-build" => options.build = false,
            "--port" => {
                let value = rest.next().and_then(|value| value.parse().ok());
                options.port = value
                    .ok_or_else(|| Failure::new("`--port` takes a number from 0 to 65535; 0 picks any free port."))?;
            }
            other => return Err(unknown_argument(other)),
        }
    }
    Ok(options)
}

/// The first free port from the wanted one on, on this machine only.
fn listen_near(wanted: u16) -> Outcome<TcpListener> {
    let last = wanted.saturating_add(PORTS_TRIED);
    for port in wanted..=last {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)) {
            Ok(listener) => {
                if port != wanted {
                    println!("Port {wanted} is taken.");
                }
                return Ok(listener);
            }
            Err(_) if port < last => {}
            Err(error) => {
                return Err(Failure::new(format!("No port from {wanted} to {last} can be used: {error}."))
                    .or_way_out("Name another one with `--port N`; 0 picks any free one."));
            }
        }
    }
    unreachable!("the last port either listens or fails")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(arguments: &[&str]) -> Outcome<Options> {
        let arguments: Vec<String> = arguments.iter().map(|&a| a.to_owned()).collect();
        read(&arguments)
    }

    #[test]
    fn the_port_is_read() {
        assert_eq!(options(&[]).unwrap().port, PORT);
        assert_eq!(options(&["--port", "9000"]).unwrap().port, 9000);
        assert!(options(&["--port"]).is_err());
        assert!(options(&["--port", "70000"]).is_err());
        assert!(options(&["--fast"]).is_err());
    }

    #[test]
    fn a_taken_port_leads_to_the_next() {
        let taken = listen_near(0).unwrap();
        let port = taken.local_addr().unwrap().port();
        let next = listen_near(port).unwrap();
        assert_ne!(next.local_addr().unwrap().port(), port);
    }
}
