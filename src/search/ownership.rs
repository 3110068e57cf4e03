//! Who owns each point of a position, by playouts.

use crate::board::{ARRAY_LEN, Board, Color};
use crate::playout::{self, Job};
use crate::rng::mix;
use crate::score::Ownership;

/// Averages over `playouts` playouts in the current rayon pool, half of them with each side to
/// start, so that they do not depend on whose turn it is. The seed is the position's own: the same
/// position always gives the same answer.
pub fn ownership(board: &Board, playouts: u64) -> Ownership {
    let board = board.canonical();
    let half = |to_play: Color| {
        let job = Job {
            board: &board,
            to_play,
            komi_hundredths: 0,
            seed: mix(board.hash(), to_play as u64),
            with_owners: true,
        };
        playout::run(&job, playouts / 2, &|| false)
    };
    half(Color::Black).plus(&half(Color::White)).ownership()
}

/// Sums over the playouts of a search: owners of the points, and how far they go with the result.
#[derive(Clone, Debug, Default)]
pub(super) struct OwnerSums {
    playouts: u64,
    results: i64,
    owners: Vec<i32>,
    /// Owner times result, both 1 for Black and -1 for White.
    agreements: Vec<i32>,
}

impl OwnerSums {
    /// Adds a playout that ended with this score for Black.
    pub(super) fn add(&mut self, owners: &[i8], score: f32) {
        self.owners.resize(owners.len(), 0);
        self.agreements.resize(owners.len(), 0);
        let result = i32::from(score > 0.0) - i32::from(score < 0.0);
        self.playouts += 1;
        self.results += i64::from(result);
        for ((sum, agreement), &owner) in
            self.owners.iter_mut().zip(&mut self.agreements).zip(owners)
        {
            *sum += i32::from(owner);
            *agreement += i32::from(owner) * result;
        }
    }

    /// Number of playouts.
    #[inline]
    pub(super) fn playouts(&self) -> f32 {
        self.playouts as f32
    }

    /// Mean owner of a point: 1 Black's, -1 White's.
    #[inline]
    pub(super) fn mean(&self, p: usize) -> f32 {
        self.owners[p] as f32 / self.playouts()
    }

    /// Criticality: how much more often the winner owns the point than if winning and owning had
    /// nothing to do with each other (R. Coulom 2009), -1 to 1.
    #[inline]
    pub(super) fn critical(&self, p: usize) -> f32 {
        let n = self.playouts();
        let both = self.agreements[p] as f32 / n;
        both - self.mean(p) * (self.results as f32 / n)
    }

    /// Both sums together.
    pub(super) fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.results += other.results;
        self.owners.resize(self.owners.len().max(other.owners.len()), 0);
        self.agreements.resize(self.owners.len(), 0);
        for (sum, more) in self.owners.iter_mut().zip(&other.owners) {
            *sum += more;
        }
        for (sum, more) in self.agreements.iter_mut().zip(&other.agreements) {
            *sum += more;
        }
    }

    /// The averages by point.
    pub(super) fn ownership(&self) -> Ownership {
        let mut sums = self.owners.clone();
        sums.resize(ARRAY_LEN, 0);
        Ownership::from_sums(&sums, self.playouts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_that_decides_the_game_is_critical() {
        let mut sums = OwnerSums::default();
        for i in 0..100 {
            let winner = if i % 2 == 0 { 1 } else { -1 };
            // The first point goes with the game, the second is always Black's, the third random.
            sums.add(&[winner, 1, if i % 4 < 2 { 1 } else { -1 }], f32::from(winner));
        }
        assert!((sums.critical(0) - 1.0).abs() < 1e-6);
        assert!(sums.critical(1).abs() < 1e-6 && sums.critical(2).abs() < 1e-6);
        assert!((sums.mean(1) - 1.0).abs() < 1e-6);
    }
}
