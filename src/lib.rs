//! keima: a Go engine that speaks GTP.
pub mod board;
pub mod rng;
pub mod playout;
