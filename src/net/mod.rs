//! Neural networks: files, inputs, evaluation. Knows nothing of the search.

mod area;
mod calibrate;
pub mod embedded;
mod features;
pub mod format;
mod heads;
mod kernels;
mod ladder;
pub mod model;
mod network;
mod outputs;
pub mod plain;
pub mod planes;
mod position;
pub mod reference;
mod stem;
mod stones;
mod symmetry;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
mod tests;
mod weights;

pub use calibrate::{ranges, ranges_of_games};
pub use features::{Extractor, Features, GLOBALS, PLANES};
pub use kernels::Kernel;
pub use network::{Arithmetic, Network, Workspace};
pub use position::{Position, TURNS};
pub use symmetry::Symmetry;

/// The outputs of a network, all seen from the side to move.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Evaluation {
    /// Logits of the points, rows from the top.
    pub policy: Vec<f32>,
    /// Logit of a pass.
    pub pass: f32,
    /// Logits of win, loss and no result.
    pub value: [f32; 3],
    /// Expected score of a game between equals who play to win, in points.
    pub score: f32,
    /// Its standard deviation.
    pub score_deviation: f32,
    /// The komi that would make the game even, in points.
    pub lead: f32,
    /// Owners of the points, 1 for the side to move, -1 for the opponent.
    pub ownership: Vec<f32>,
}

impl Evaluation {
    /// The probability of each point, 0 where the side may not play, and of a pass.
    pub fn probabilities(&self, position: &Position) -> (Vec<f32>, f32) {
        let is_legal = position.size().iter_from_top().map(|point| position.legal.contains(point));
        let mut policy: Vec<f32> = self
            .policy
            .iter()
            .zip(is_legal)
            .map(|(&logit, is_legal)| if is_legal { logit } else { f32::NEG_INFINITY })
            .collect();
        let most = policy.iter().copied().fold(self.pass, f32::max);
        for logit in &mut policy {
            *logit = (*logit - most).exp();
        }
        let pass = (self.pass - most).exp();
        let sum: f32 = policy.iter().sum::<f32>() + pass;
        for odds in &mut policy {
            *odds /= sum;
        }
        (policy, pass / sum)
    }

    /// The probability that the side to move wins a game that somebody wins.
    pub fn win_probability(&self) -> f32 {
        let [win, loss, _] = self.value;
        1.0 / (1.0 + (loss - win).exp())
    }
}
