//! Hand-made features and informed playouts.

use super::{Evaluation, Evaluator, Leaf, value};
use crate::board::Heavy;
use crate::playout::Informed;
use crate::rng::Rng;
use crate::search::goal::Goal;
use crate::search::node::PriorMove;
use crate::search::ownership::OwnerSums;
use crate::search::priors::Priors;
use crate::search::tree::Task;

/// Features and informed playouts.
#[derive(Debug)]
pub(in crate::search) struct Playouts<'a> {
    informed: Informed<'a>,
    priors: Priors<'a>,
    rng: Rng,
    komi: f32,
    score_weight: f32,
    goal: Option<&'a Goal>,
    owners: OwnerSums,
}

impl<'a> Playouts<'a> {
    pub(in crate::search) fn new(task: &Task<'a>, rng: Rng) -> Self {
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

    /// Whether something of this probability happens.
    pub(in crate::search) fn chance(&mut self, probability: f32) -> bool {
        self.rng.chance(probability)
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
        let value = value(win, score, points, self.score_weight);
        Evaluation { value, score, is_counted: true }
    }
}

impl<const S: usize, const L: usize, const W: usize> Evaluator<S, L, W> for Playouts<'_> {
    const IS_EAGER: bool = false;

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

    fn owners(&self) -> OwnerSums {
        self.owners.clone()
    }
}
