//! Questions about moves that do not make one: for regression suites and the curious.

use std::time::Instant;

use super::{Engine, Limits, Report, StatusCache, judge};
use crate::board::{Color, Move, PointSet};
use crate::game::Game;

impl Engine {
    /// What the search finds about all moves of a side.
    pub fn report(&mut self, game: &Game, color: Color, limits: Limits) -> Report {
        self.think(game, color, limits, None)
    }

    /// Chooses a move as [`Self::best_move`] does, but by another seed, and from a fresh tree so
    /// that it depends on nothing else.
    pub fn best_move_by_seed(
        &mut self,
        game: &Game,
        color: Color,
        limits: Limits,
        seed: u64,
    ) -> Move {
        let own_seed = std::mem::replace(&mut self.seed, seed);
        self.tree.clear();
        let mv = self.best_move(game, color, limits);
        self.seed = own_seed;
        mv
    }

    /// Chooses a move as [`Self::best_move`] does, but only one on these points, or a pass.
    pub fn best_move_of(
        &mut self,
        game: &Game,
        color: Color,
        limits: Limits,
        points: &PointSet,
    ) -> Move {
        let start = Instant::now();
        let allowed = |point| points.contains(point);
        let report = self.think(game, color, judge::search_limits(game, limits), Some(&allowed));
        match self.choose(game, &report, judge::deadline(start, limits)) {
            // It may have looked for dead stones to take off elsewhere.
            Move::Play(point) if !points.contains(point) => Move::Pass,
            mv => mv,
        }
    }

    /// Forgets what earlier searches and playouts have found out.
    pub fn clear_cache(&mut self) {
        self.tree.clear();
        self.status = StatusCache::default();
    }
}
