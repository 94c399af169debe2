//! Rollscope: xtask.
fn main() {}
