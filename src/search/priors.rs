//! Priors of the moves of a position: features, their weights, and virtual visits from them.
//!
//! The probability of a move is the softmax of the sums of its features' weights. Weights were fit
//! to labelled positions by `scripts/train-priors`, which writes `priors.bin`: thousandths as 16 bits,
//! little-endian, in the order of [`features`]. The positions of the weights in use came from games
//! that KataGo's public test network g170-b6c96 played against itself, the labels are its policies.

use std::sync::LazyLock;

use super::features::{self, Features};
use super::node::PriorMove;
use super::ownership::OwnerSums;
use super::params::TreeParams;
use crate::board::{Color, Heavy};

/// Weights by feature, in natural units.
static WEIGHTS: LazyLock<Vec<f32>> = LazyLock::new(|| {
    let (pairs, _) = include_bytes!("priors.bin").as_chunks::<2>();
    let mut weights: Vec<f32> =
        pairs.iter().map(|&pair| f32::from(i16::from_le_bytes(pair)) / 1000.0).collect();
    weights.resize(features::count(), 0.0);
    weights
});

/// On boards with fewer points than those that the weights were fit on, the features say little of the
/// plays and so too much of a pass: it gets no more than the least of them.
const PASS_POINTS_MIN: usize = 81;

/// Playouts that the owners of the points are known by before they count.
const OWNERS_MIN: f32 = 100.0;

/// Lists moves with their priors.
#[derive(Debug)]
pub(super) struct Priors<'a> {
    params: &'a TreeParams,
    weights: &'static [f32],
    /// Sums by point; scratch.
    sums: Vec<f32>,
}

impl<'a> Priors<'a> {
    pub(super) fn new(params: &'a TreeParams) -> Self {
        Self { params, weights: &WEIGHTS, sums: Vec::new() }
    }

    /// Appends every legal move that fills no own eye, and a pass, best first.
    pub(super) fn list<const S: usize, const L: usize, const W: usize>(
        &mut self,
        board: &Heavy<S, L, W>,
        color: Color,
        (last, before): (usize, usize),
        owners: &OwnerSums,
        moves: &mut Vec<PriorMove>,
    ) {
        let features = Features::new(board, color, last, before);
        let weights = self.weights;
        self.sums.clear();
        self.sums.resize(L, 0.0);
        features.of_chains(|p, feature| self.sums[p] += weights[feature as usize]);
        let pass = weights[features.pass() as usize];
        let mut total = exp(pass);
        let pass_index = moves.len();
        moves.push(PriorMove { point: 0, visits: total, value: 0.0 });
        for &p in board.empties() {
            let p = usize::from(p);
            if board.is_eyelike(color, p) || !board.is_legal(color, p) {
                continue;
            }
            let mut sum = self.sums[p] + self.of_owners(owners, color, p);
            features.of_point(p, |feature| sum += weights[feature as usize]);
            let odds = exp(sum);
            total += odds;
            moves.push(PriorMove { point: p, visits: odds, value: 0.0 });
        }
        if board.size().points() < PASS_POINTS_MIN {
            let least = moves.iter().map(|mv| mv.visits).fold(f32::INFINITY, f32::min);
            total += least - moves[pass_index].visits;
            moves[pass_index].visits = least;
        }
        moves.sort_by(|a, b| b.visits.total_cmp(&a.visits).then(a.point.cmp(&b.point)));
        for mv in moves {
            self.set_visits(mv, mv.visits / total);
        }
    }

    /// Virtual visits of a move that has this probability.
    fn set_visits(&self, mv: &mut PriorMove, probability: f32) {
        let (even, wins) = (self.params.prior_even, self.params.prior_policy * probability.sqrt());
        mv.visits = even + wins;
        mv.value = (even * self.params.prior_value + wins) / mv.visits.max(1e-6);
    }

    /// What the playouts so far say of a point: who owns it, and whether the game hangs on it.
    fn of_owners(&self, owners: &OwnerSums, color: Color, p: usize) -> f32 {
        if owners.playouts() < OWNERS_MIN {
            return 0.0;
        }
        let own = owners.mean(p) * color.sign() as f32;
        let contested = 1.0 - own * own;
        self.params.prior_contested * contested + self.params.prior_critical * owners.critical(p)
    }
}

/// The probability of a move that has so many virtual visits: what [`Priors::set_visits`] was given.
pub(super) fn probability(params: &TreeParams, visits: f32) -> f32 {
    let wins = (visits - params.prior_even).max(0.0);
    if params.prior_policy > 0.0 { (wins / params.prior_policy).powi(2).min(1.0) } else { 0.0 }
}

/// The exponential function, for -30 to 30 (beyond that as at the ends). Made of plain arithmetic,
/// so that every machine plays alike: libraries round differently. Error below one part in 100,000.
#[inline]
fn exp(x: f32) -> f32 {
    let x = x.clamp(-30.0, 30.0) * std::f32::consts::LOG2_E;
    let whole = (x + 0.5).floor();
    // Taylor's series of 2^t on -0.5..=0.5.
    let t = (x - whole) * std::f32::consts::LN_2;
    let series = 1.0 + t * (1.0 + t / 2.0 * (1.0 + t / 3.0 * (1.0 + t / 4.0 * (1.0 + t / 5.0))));
    series * f32::from_bits(((127 + whole as i32) as u32) << 23)
}

#[cfg(test)]
mod tests {
    use super::exp;

    #[test]
    fn exp_is_the_exponential_function() {
        for i in -300..=300 {
            let x = i as f32 / 10.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-5, "{x}: {}", exp(x));
        }
        assert!((exp(1e9) - exp(30.0)).abs() < 1.0 && exp(f32::NEG_INFINITY) > 0.0);
    }
}
