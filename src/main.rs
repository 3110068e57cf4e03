//! keima
fn main() {}
