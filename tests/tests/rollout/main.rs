//! How rollouts go wrong, and what ECS does then: the engine's rules in whole runs.
#![cfg(not(target_arch = "wasm32"))]

mod alarms;
mod breaker;
mod early;
mod protect;
mod rollback;
mod run;
mod schema;
