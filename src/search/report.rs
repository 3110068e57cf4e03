//! What a search found: plain data.

use crate::board::{Color, Move};
use crate::score::Ownership;

/// Statistics of one root move. Scores are points for the side to move, komi included.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts behind the numbers, those of earlier searches included.
    pub visits: u64,
    /// Share of the playouts that the side to move won, 0..=1.
    pub win_rate: f64,
    /// Mean final score.
    pub score: f64,
    /// Standard deviation of the final scores.
    pub score_deviation: f64,
    /// What the search ranks by: the win rate with a little of the score.
    pub value: f64,
    /// Probability of the move before it was tried, 0..=1.
    pub prior: f64,
    /// The principal variation: this move and the ones that were then tried most.
    pub variation: Vec<Step>,
    /// Who owned the points after the move, if that was asked for.
    pub ownership: Option<Ownership>,
}

/// A move of a variation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The move.
    pub mv: Move,
    /// Playouts that made it after the moves before.
    pub visits: u64,
}

/// Standard errors that the lower bound lies below the mean: a side loses by chance once in 40.
const BOUND_ERRORS: f64 = 1.96;

impl Candidate {
    /// A move of which nothing is known.
    pub(super) fn untried(mv: Move, prior: f64) -> Self {
        Self {
            mv,
            visits: 0,
            win_rate: 0.5,
            score: 0.0,
            score_deviation: 0.0,
            value: 0.0,
            prior,
            variation: vec![Step { mv, visits: 0 }],
            ownership: None,
        }
    }

    /// Lower bound of the win rate by E. Wilson's interval (1927); 0 without visits.
    pub fn lower_bound(&self) -> f64 {
        let n = self.visits as f64;
        if self.visits == 0 {
            return 0.0;
        }
        let (p, z) = (self.win_rate.clamp(0.0, 1.0), BOUND_ERRORS);
        let center = p + z * z / (2.0 * n);
        let spread = z * ((p * (1.0 - p) + z * z / (4.0 * n)) / n).sqrt();
        ((center - spread) / (1.0 + z * z / n)).clamp(0.0, 1.0)
    }
}

/// The result of a search: candidates from best to worst. Empty if there was no budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whose move was searched.
    pub color: Color,
    /// Each root move that was tried at least once; a pass too, unless the budget was tiny.
    pub candidates: Vec<Candidate>,
    /// The other moves that the search may try, by prior. Only the tree search lists them.
    pub untried: Vec<Candidate>,
    /// Playouts of this search.
    pub playouts: u64,
    /// Whether a signal ended the search. Set by whoever gives the signal.
    pub was_stopped: bool,
    /// Share of the playouts that the side to move won, 0..=1; a half without any.
    pub root_win_rate: f64,
    /// Mean final score for the side to move, in points with komi.
    pub score: f64,
    /// Standard deviation of the final scores.
    pub score_deviation: f64,
    /// Who owned the points in the playouts of all candidates.
    pub ownership: Ownership,
}

impl Report {
    /// The report of a move that was chosen without playouts.
    pub fn of_move(color: Color, mv: Move) -> Self {
        Self {
            color,
            candidates: vec![Candidate::untried(mv, 1.0)],
            untried: Vec::new(),
            playouts: 0,
            was_stopped: false,
            root_win_rate: 0.5,
            score: 0.0,
            score_deviation: 0.0,
            ownership: Ownership::from_sums(&[], 0),
        }
    }

    /// Makes a candidate, and the best one, of an untried move: with what is known of the position.
    pub fn promote(&mut self, mv: Move) {
        let Some(index) = self.untried.iter().position(|candidate| candidate.mv == mv) else {
            return;
        };
        let known = Candidate {
            visits: self.playouts,
            win_rate: self.root_win_rate,
            value: self.root_win_rate,
            score: self.score,
            score_deviation: self.score_deviation,
            ..self.untried.remove(index)
        };
        self.candidates.insert(0, known);
    }

    /// The best candidate.
    pub fn best(&self) -> Option<&Candidate> {
        self.candidates.first()
    }

    /// The best candidate that is no pass.
    pub fn best_play(&self) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.mv != Move::Pass)
    }

    /// The statistics of passing.
    pub fn pass(&self) -> Option<&Candidate> {
        self.candidates.iter().find(|candidate| candidate.mv == Move::Pass)
    }

    /// Playouts behind all candidates, those of earlier searches included.
    pub fn visits(&self) -> u64 {
        self.candidates.iter().map(|candidate| candidate.visits).sum()
    }

    /// Share of those playouts that the side to move won, 0..=1.
    pub fn win_rate(&self) -> f64 {
        let visits = self.visits();
        if visits == 0 {
            return self.root_win_rate;
        }
        let wins = self.candidates.iter().map(|c| c.visits as f64 * c.win_rate).sum::<f64>();
        wins / visits as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_bound_is_wilsons() {
        let at = |visits, win_rate| {
            let candidate = Candidate { visits, win_rate, ..Candidate::untried(Move::Pass, 0.0) };
            candidate.lower_bound()
        };
        // 50 of 100: the interval is 0.404 to 0.596.
        assert!((at(100, 0.5) - 0.4038).abs() < 1e-3);
        assert!(at(0, 0.5).abs() < 1e-9 && at(10, 0.0).abs() < 1e-9);
        assert!(at(1_000_000, 0.7) > 0.699);
    }
}
