//! What is dead and how the game ends: playouts of the board, cached.
//!
//! The status of a stone depends on the position, komi and rules, never on passes or on whose turn
//! it is: half of the playouts start with each side. `final_score` and the status lists read the
//! same cached answer.

use super::{Engine, judge};
use crate::board::{Board, PointSet};
use crate::game::Game;
use crate::rules::{Komi, Removal, Rules};
use crate::score::{self, Counts, Ownership, Record, Score, StatusMap};
use crate::search;

/// Playouts behind a status, half of them with each side to start.
const PLAYOUTS: u64 = 2000;

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    board: Board,
    komi: Komi,
    rules: Rules,
}

/// The last answer.
#[derive(Clone, Debug, Default)]
pub(super) struct StatusCache {
    entry: Option<(Key, StatusMap)>,
}

impl Engine {
    /// The status of every stone by playouts, whether or not the rules lift dead stones.
    fn estimate(&mut self, game: &Game) -> StatusMap {
        let key = Key { board: game.board().clone(), komi: game.komi(), rules: *game.rules() };
        match &self.status.entry {
            Some((cached, status)) if *cached == key => status.clone(),
            _ => {
                let status = StatusMap::from_ownership(game.board(), &self.ownership(game.board()));
                self.status.entry = Some((key, status.clone()));
                status
            }
        }
    }

    /// Who owns each point of a position, by playouts that do not depend on whose turn it is.
    pub fn ownership(&self, board: &Board) -> Ownership {
        self.pool.install(|| search::ownership(board, PLAYOUTS))
    }

    /// Stones that are dead by playouts, whatever the rules do with dead stones.
    pub fn dead_estimate(&mut self, game: &Game) -> PointSet {
        *self.estimate(game).dead()
    }

    /// The status of every stone as the rules count it: where every stone on the board counts,
    /// none is dead.
    pub fn final_status(&mut self, game: &Game) -> StatusMap {
        match game.rules().removal {
            Removal::Agreement => self.estimate(game),
            Removal::None => StatusMap::all_alive(),
        }
    }

    /// The score if the game ended here: dead stones lifted as [`Self::final_status`] says.
    pub fn final_score(&mut self, game: &Game) -> Score {
        let dead = *self.final_status(game).dead();
        let counts = Counts::new(game.board(), &dead);
        score::final_score(&counts, &self.record(game), game.rules())
    }

    /// What counting needs to know of the game beside the position.
    fn record(&self, game: &Game) -> Record {
        let history = game.history();
        let handicap = if self.config.infer_handicap {
            judge::apparent_handicap(game)
        } else {
            game.start().handicap
        };
        Record {
            komi: game.komi(),
            handicap,
            lost: history.lost(),
            passes: history.passes(),
            first_pass: history.first_pass().map(|(color, _)| color),
            to_play: game.to_play(),
        }
    }
}
