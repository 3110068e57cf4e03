//! Who owns each point of a position, by playouts.

use crate::board::{ARRAY_LEN, Board, Color, Point};
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
    judged: JudgedOwners,
}

/// Sums over what a network said of the owners.
#[derive(Clone, Debug, Default)]
pub(super) struct JudgedOwners {
    judgements: u64,
    /// In parts of [`OWNED`].
    sums: Vec<i64>,
    /// Weight of the playouts' owners beside these, 0 to 1.
    playout_weight: f32,
}

/// A point that is Black's for sure; White's are negative.
pub(super) const OWNED: f32 = 127.0;

impl JudgedOwners {
    pub(super) fn new(playout_weight: f32) -> Self {
        Self { judgements: 0, sums: vec![0; ARRAY_LEN], playout_weight }
    }

    /// Adds a judgement: points with owners in parts of [`OWNED`].
    pub(super) fn add(&mut self, owners: impl Iterator<Item = (Point, i8)>) {
        self.judgements += 1;
        for (point, owner) in owners {
            self.sums[point.index()] += i64::from(owner);
        }
    }

    fn merge(&mut self, other: &Self) {
        self.judgements += other.judgements;
        self.sums.resize(self.sums.len().max(other.sums.len()), 0);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
        self.playout_weight = self.playout_weight.max(other.playout_weight);
    }
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

    /// The same sums with a network's.
    pub(super) fn with_judged(&self, judged: &JudgedOwners) -> Self {
        Self { judged: judged.clone(), ..self.clone() }
    }

    /// Whether nothing was counted.
    pub(super) fn is_empty(&self) -> bool {
        self.playouts == 0 && self.judged.judgements == 0
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
        self.judged.merge(&other.judged);
    }

    /// The averages by point.
    pub(super) fn ownership(&self) -> Ownership {
        let JudgedOwners { judgements, sums, playout_weight } = &self.judged;
        let played = Ownership::from_sums(&self.owners, self.playouts);
        if *judgements == 0 {
            return played;
        }
        let scale = 1.0 / (OWNED * *judgements as f32);
        let judged = Ownership::from_values(sums.iter().map(|&sum| sum as f32 * scale));
        let weight = if self.playouts == 0 { 0.0 } else { *playout_weight };
        judged.mixed(&played, weight)
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

    #[test]
    fn a_network_and_playouts_own_together() {
        let at = |sums: &OwnerSums, index| sums.ownership().at(Point::from_index(index));
        let mut judged = JudgedOwners::new(0.25);
        judged.add([(Point::from_index(1), 127), (Point::from_index(2), -127)].into_iter());
        judged.add([(Point::from_index(1), 127), (Point::from_index(2), 127)].into_iter());
        let mut sums = OwnerSums::default().with_judged(&judged);
        assert!(!sums.is_empty());
        assert!((at(&sums, 1) - 1.0).abs() < 1e-6 && at(&sums, 2).abs() < 1e-6);
        sums.add(&[0, -1, 1], 1.0);
        assert!((at(&sums, 1) - 0.5).abs() < 1e-6 && (at(&sums, 2) - 0.25).abs() < 1e-6);
        let mut both = OwnerSums::default();
        both.merge(&sums);
        both.merge(&sums);
        assert!((at(&both, 1) - 0.5).abs() < 1e-6);
    }
}
