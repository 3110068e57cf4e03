//! What a search found: plain data.

use crate::board::{Color, Move};
use crate::score::Ownership;

/// Statistics of one root move.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// The move.
    pub mv: Move,
    /// Playouts behind the numbers.
    pub visits: u64,
    /// Share of the playouts that the side to move won, 0..=1.
    pub win_rate: f64,
    /// Mean final score for the side to move, in points with komi.
    pub score: f64,
    /// What the search ranks by: the win rate with a little of the score.
    pub value: f64,
}

/// The result of a search: candidates from best to worst. Empty if there was no budget.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// Whose move was searched.
    pub color: Color,
    /// Each root move that was tried at least once; a pass too, unless the budget was tiny.
    pub candidates: Vec<Candidate>,
    /// Playouts in all.
    pub playouts: u64,
    /// Who owned the points in the playouts of all candidates.
    pub ownership: Ownership,
}

impl Report {
    /// The report of a move that was chosen without playouts.
    pub fn of_move(color: Color, mv: Move) -> Self {
        let candidate = Candidate { mv, visits: 0, win_rate: 0.5, score: 0.0, value: 0.0 };
        let ownership = Ownership::from_sums(&[], 0);
        Self { color, candidates: vec![candidate], playouts: 0, ownership }
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
}
