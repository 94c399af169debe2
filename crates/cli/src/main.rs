//! Rollscope: cli.
fn main() {}
