//! The network inside the program: play needs no download.

/// A file of our own format. `src/net/embedded` also has positions with what the trainer got for them,
/// and `keima net info` tells where it comes from.
pub const NETWORK: &[u8] = include_bytes!("embedded/keima.safetensors");
