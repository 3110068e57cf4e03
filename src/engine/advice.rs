//! Questions about moves that do not make one: for regression suites and the curious.

use super::{Engine, Limits, Report, Request, StatusCache};
use crate::board::{Color, Move};
use crate::game::Game;

impl Engine {
    /// What the search finds about all moves of a side.
    pub fn report(&mut self, game: &Game, color: Color, limits: Limits) -> Report {
        self.think(game, Request::new(color, limits))
    }

    /// Chooses a move as [`Self::best_move`] does, but by another seed, and from a fresh tree so
    /// that it depends on nothing else.
    pub fn best_move_by_seed(
        &mut self,
        game: &Game,
        request: Request<'_, '_>,
        seed: u64,
    ) -> (Move, Report) {
        let own_seed = std::mem::replace(&mut self.seed, seed);
        self.tree.clear();
        let chosen = self.best_move(game, request);
        self.seed = own_seed;
        chosen
    }

    /// Forgets what earlier searches and playouts have found out.
    pub fn clear_cache(&mut self) {
        self.tree.clear();
        self.status = StatusCache::default();
    }
}
