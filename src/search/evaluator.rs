//! The seam between the tree and whatever judges positions.
//!
//! The tree asks an [`Evaluator`] for two things: which moves of a position are worth a look, and
//! who wins it. [`Playouts`] answers with hand-made features and informed playouts; a network can
//! answer in its stead or beside it without any change to the tree.

use super::goal::Goal;
use super::node::PriorMove;
use super::ownership::OwnerSums;
use super::priors::Priors;
use super::tree::Task;
use crate::board::{Color, Heavy};
use crate::playout::Informed;
use crate::rng::Rng;

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
}

/// Judges positions for the tree. Each search thread has one of its own.
pub(super) trait Evaluator<const S: usize, const L: usize, const W: usize> {
    /// Lists the moves of the leaf with a prior for each: every one that is worth a look, a pass
    /// among them.
    fn priors(&mut self, leaf: &Leaf<'_, S, L, W>, moves: &mut Vec<PriorMove>);

    /// Judges the leaf. Moves that it plays out are appended to `leaf.moves`, for AMAF, and the
    /// board is left as it was counted.
    fn evaluate(&mut self, leaf: &mut Leaf<'_, S, L, W>) -> Evaluation;

    /// Judges a position where the game has ended by passes.
    fn count(&mut self, board: &Heavy<S, L, W>) -> Evaluation;

    /// Who owned the points so far.
    fn owners(&self) -> &OwnerSums;
}

/// Features and informed playouts.
#[derive(Debug)]
pub(super) struct Playouts<'a> {
    informed: Informed<'a>,
    priors: Priors<'a>,
    rng: Rng,
    komi: f32,
    score_weight: f32,
    goal: Option<&'a Goal>,
    owners: OwnerSums,
}

impl<'a> Playouts<'a> {
    pub(super) fn new(task: &Task<'a>, rng: Rng) -> Self {
        Self {
            informed: Informed::new(&task.params.playout),
            priors: Priors::new(&task.params.tree),
            rng,
            komi: task.root.komi_hundredths as f32 / 100.0,
            score_weight: task.params.tree.score_weight,
            goal: task.goal,
            owners: OwnerSums::default(),
        }
    }

    /// Counts a board that was played out.
    fn result<const S: usize, const L: usize, const W: usize>(
        &mut self,
        board: &Heavy<S, L, W>,
    ) -> Evaluation {
        let mut owners = [0; L];
        board.owners(&mut owners);
        let (score, points) = if let Some(goal) = self.goal {
            (goal.score(&owners), 4 * goal.stones.len())
        } else {
            let area: i32 = owners.iter().map(|&owner| i32::from(owner)).sum();
            (area as f32 - self.komi, board.size().points())
        };
        let win = if score == 0.0 { 0.5 } else { f32::from(u8::from(score > 0.0)) };
        self.owners.add(&owners, score);
        // The score only decides between moves that win or lose alike.
        let share = 0.5 + 0.5 * (4.0 * score / points as f32).clamp(-1.0, 1.0);
        let value = (1.0 - self.score_weight) * win + self.score_weight * share;
        Evaluation { value, score }
    }
}

impl<const S: usize, const L: usize, const W: usize> Evaluator<S, L, W> for Playouts<'_> {
    fn priors(&mut self, leaf: &Leaf<'_, S, L, W>, moves: &mut Vec<PriorMove>) {
        self.priors.list(leaf.board, leaf.to_play, leaf.last_two(), &self.owners, moves);
    }

    fn evaluate(&mut self, leaf: &mut Leaf<'_, S, L, W>) -> Evaluation {
        let last_two = leaf.last_two();
        self.informed.play(leaf.board, leaf.to_play, last_two, &mut self.rng, leaf.moves);
        self.result(leaf.board)
    }

    fn count(&mut self, board: &Heavy<S, L, W>) -> Evaluation {
        self.result(board)
    }

    fn owners(&self) -> &OwnerSums {
        &self.owners
    }
}
