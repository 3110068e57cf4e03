//! keima: a Go engine that speaks GTP.
pub mod board;
pub mod config;
pub mod engine;
pub mod game;
pub mod playout;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
