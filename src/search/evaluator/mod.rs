//! The seam between the tree and whatever judges positions.
//!
//! The tree asks an [`Evaluator`] for two things: which moves of a position are worth a look, and
//! who wins it. [`Playouts`] answers with hand-made features and informed playouts, [`Networked`] with
//! a network and a playout beside it.

mod cache;
mod networked;
mod playouts;

pub(super) use cache::EvaluationCache;
pub use networked::Network;
pub(super) use networked::Networked;
pub(super) use playouts::Playouts;

use super::node::PriorMove;
use super::ownership::OwnerSums;
use crate::board::{Color, Heavy};

/// A position of the tree to be judged.
#[derive(Debug)]
pub(super) struct Leaf<'a, const S: usize, const L: usize, const W: usize> {
    pub(super) board: &'a mut Heavy<S, L, W>,
    pub(super) to_play: Color,
    /// Every move from the root on, the index of its point or 0 for a pass; colors alternate.
    pub(super) moves: &'a mut Vec<u16>,
    /// The two moves before the root, the later one first; 0 for passes and none.
    pub(super) recent: [usize; 2],
}

impl<const S: usize, const L: usize, const W: usize> Leaf<'_, S, L, W> {
    /// The last two moves made; 0 for passes and none.
    pub(super) fn last_two(&self) -> (usize, usize) {
        let back = |n: usize| match self.moves.len() {
            len if len >= n => usize::from(self.moves[len - n]),
            len => self.recent[n - 1 - len],
        };
        (back(1), back(2))
    }
}

/// What became of a leaf.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Evaluation {
    /// Black's result: 1 a win, 0 a loss, with a little of the score in it.
    pub(super) value: f32,
    /// Black's score in points, with komi.
    pub(super) score: f32,
    /// Whether the board was played out, and left as it was counted.
    pub(super) is_counted: bool,
}

/// Black's result with a share of the score: it only decides between moves that win or lose alike.
fn value(win: f32, score: f32, points: usize, score_weight: f32) -> f32 {
    let share = 0.5 + 0.5 * (4.0 * score / points as f32).clamp(-1.0, 1.0);
    (1.0 - score_weight) * win + score_weight * share
}

/// Judges positions for the tree. Each search thread has one of its own.
pub(super) trait Evaluator<const S: usize, const L: usize, const W: usize> {
    /// Whether every new position is judged at once and ends the descent, its moves with it; else
    /// positions get moves when they have been visited often enough, and AMAF credits them.
    const IS_EAGER: bool;

    /// Lists the moves of the leaf with a prior for each: every one that is worth a look, a pass
    /// among them.
    fn priors(&mut self, leaf: &Leaf<'_, S, L, W>, moves: &mut Vec<PriorMove>);

    /// Judges the leaf. Moves that it plays out are appended to `leaf.moves`, for AMAF.
    fn evaluate(&mut self, leaf: &mut Leaf<'_, S, L, W>) -> Evaluation;

    /// Judges a position where the game has ended by passes.
    fn count(&mut self, board: &Heavy<S, L, W>) -> Evaluation;

    /// Who owned the points so far.
    fn owners(&self) -> OwnerSums;
}
