//! keima: a Go engine that speaks GTP.
pub mod bench;
pub mod board;
pub mod cli;
pub mod config;
pub mod engine;
pub mod game;
pub mod gtp;
pub mod playout;
pub mod rng;
pub mod rules;
pub mod score;
pub mod search;
pub mod sgf;
