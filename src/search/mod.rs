//! Search: from a game and a budget to statistics of the moves.
//!
//! [`Tree::search`] is the engine's player, [`flat::search`] the simpler one that scores every
//! root move by light playouts. What to make of the report (play, pass or resign) is the engine's
//! business.
//!
//! The tree by file: `node` holds the statistics and their memory, `worker` runs a thread's
//! playouts, `select` chooses the move that a playout follows, `rave` credits moves made later in
//! it, `evaluator` is the seam to whatever judges positions, `goal` the fate of stones to search for
//! in the place of the game, `features` and `priors` say which
//! moves are worth a look, `control` ends the search, `harvest` gathers the threads' counts,
//! `summary` makes the report of them, `observe` shows it while the search runs.

pub mod capture;
mod control;
mod evaluator;
pub mod features;
pub mod flat;
mod goal;
mod harvest;
mod lag;
pub mod limits;
mod node;
mod observe;
mod ownership;
pub mod params;
mod priors;
mod rave;
pub mod report;
mod restrict;
mod select;
mod semeai;
mod summary;
mod surroundings;
pub mod time;
mod tree;
mod worker;

pub use evaluator::Network;
pub use goal::{Goal, Prospect};
pub use limits::{Limits, StopFlag};
pub use observe::Observer;
pub use ownership::ownership;
pub use params::SearchParams;
pub use report::{Candidate, Report, Step};
pub use restrict::{Restriction, Restrictions};
pub use semeai::is_seki;
pub use tree::{Task, Tree};

use crate::board::{Color, Point, PointSet};
use crate::game::Game;

/// What to search.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a> {
    /// The game, with its history for superko.
    pub game: &'a Game,
    /// Whose move to choose.
    pub color: Color,
    /// Points to White in hundredths: komi, handicap bonus and the bias.
    pub komi_hundredths: i32,
    /// The part of it that is no real point and is left out of reported scores.
    pub bias_hundredths: i32,
    /// Seed of all playouts.
    pub seed: u64,
}

/// The points where a side may play that are no own eyes.
fn root_moves(game: &Game, color: Color, allowed: &impl Fn(Point) -> bool) -> PointSet {
    let board = game.board();
    board
        .empty_points()
        .filter(|&p| allowed(p) && !board.is_eyelike(p, color) && game.is_legal(p, color))
        .collect()
}

#[cfg(test)]
mod tests;
