//! Rollscope: the page.
fn main() {}
