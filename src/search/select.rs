//! Which move of a node a playout follows.

use super::node::{Node, Stats};
use super::params::TreeParams;

/// Exploration grows by this share each time that the visits of a node grow by a factor of e, from about
/// so many on (KataGo's documentation of its search).
const GROWTH: f32 = 0.45;
const GROWTH_BASE: f32 = 500.0;

/// The rule that ranks the moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Selector {
    /// 1 / K of the AMAF blend; infinity leaves AMAF out.
    rave_rate: f32,
    exploration: f32,
    widen_base: f32,
    widen_rate: f32,
    puct: Option<Puct>,
}

/// Constants of PUCT (C. Rosin 2011, as in D. Silver et al. 2017).
#[derive(Clone, Copy, Debug)]
struct Puct {
    exploration: f32,
    urgency: f32,
}

impl Selector {
    /// With AMAF, or without it for a share of the playouts: moves that AMAF wrongs get a chance.
    pub(super) fn new(params: &TreeParams, with_rave: bool) -> Self {
        Self {
            rave_rate: if with_rave { 1.0 / params.rave_equivalence } else { f32::INFINITY },
            exploration: params.exploration,
            widen_base: params.widen_base,
            widen_rate: params.widen_rate,
            puct: None,
        }
    }

    /// For moves whose priors are probabilities, told by a network.
    pub(super) fn of_network(params: &TreeParams) -> Self {
        let puct = Puct { exploration: params.net_exploration, urgency: params.net_urgency };
        Self { puct: Some(puct), ..Self::new(params, false) }
    }

    /// Value of a move for the side that makes it: own results and the prior's virtual ones,
    /// blended with AMAF. With `n` results and `r` AMAF ones the weight of AMAF is
    /// `r / (r + n + n r / K)` (D. Silver 2009), which leaves one division.
    #[inline(always)]
    pub(super) fn value(&self, stats: &Stats) -> f32 {
        let n = stats.visits + stats.prior_visits;
        let w = stats.wins + stats.prior_wins;
        if self.rave_rate.is_infinite() {
            return w / n;
        }
        let scale = 1.0 + stats.rave_visits * self.rave_rate;
        (stats.rave_wins + w * scale) / (stats.rave_visits + n * scale)
    }

    /// How many of a node's moves are considered; they are sorted by prior.
    fn width(&self, visits: u32, all: usize) -> usize {
        let doublings = 32 - visits.leading_zeros();
        let width = self.widen_base + self.widen_rate * doublings as f32;
        (width as usize).max(1).min(all)
    }

    /// Index of the move that the next playout follows; `None` if all are illegal.
    #[inline]
    pub(super) fn best(&self, parent: &Node, children: &[Node]) -> Option<usize> {
        if let Some(puct) = self.puct {
            return puct.best(parent, children);
        }
        let visits = parent.visits();
        let mut width = self.width(visits, children.len());
        loop {
            let best = self.best_of(visits, &children[..width]);
            if best.is_some() || width == children.len() {
                return best;
            }
            width = children.len();
        }
    }

    #[inline(always)]
    fn best_of(&self, parent_visits: u32, children: &[Node]) -> Option<usize> {
        let log = if self.exploration > 0.0 { (parent_visits as f32 + 1.0).ln() } else { 0.0 };
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (i, child) in children.iter().enumerate() {
            if child.is_illegal() {
                continue;
            }
            let stats = child.stats();
            let mut value = self.value(&stats);
            if self.exploration > 0.0 {
                value += self.exploration * (log / (stats.visits + 1.0)).sqrt();
            }
            if value > most {
                (best, most) = (Some(i), value);
            }
        }
        best
    }
}

impl Puct {
    /// Index of the move of the largest mean result and exploration term; `None` if all are illegal.
    fn best(self, parent: &Node, children: &[Node]) -> Option<usize> {
        let legal = || children.iter().enumerate().filter(|(_, child)| !child.is_illegal());
        // The visit that is under way counts as lost for whoever moved here.
        let visits = parent.visits().saturating_sub(1).max(1) as f32;
        let tried = legal().map(|(_, child)| child.stats()).filter(|stats| stats.visits > 0.0);
        let mass: f32 = tried.map(|stats| stats.prior_wins).sum();
        let untried = 1.0 - parent.wins() / visits - self.urgency * mass.sqrt();
        let growth = ((visits + GROWTH_BASE) / GROWTH_BASE).ln();
        let exploration = self.exploration * (1.0 + GROWTH * growth) * visits.sqrt();
        let (mut best, mut most) = (None, f32::NEG_INFINITY);
        for (i, child) in legal() {
            let Stats { visits, wins, prior_wins: probability, .. } = child.stats();
            let mean = if visits > 0.0 { wins / visits } else { untried };
            let value = mean + exploration * probability / (1.0 + visits);
            if value > most {
                (best, most) = (Some(i), value);
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_blend_is_silvers() {
        let params = TreeParams { rave_equivalence: 500.0, ..TreeParams::default() };
        let stats = Stats {
            visits: 30.0,
            wins: 20.0,
            prior_visits: 10.0,
            prior_wins: 5.0,
            rave_visits: 200.0,
            rave_wins: 40.0,
        };
        let (n, r) = (40.0, 200.0);
        let beta = r / (r + n + n * r / 500.0);
        let expected = beta * 0.2 + (1.0 - beta) * 25.0 / 40.0;
        assert!((Selector::new(&params, true).value(&stats) - expected).abs() < 1e-5);
        assert!((Selector::new(&params, false).value(&stats) - 0.625).abs() < 1e-6);
    }

    #[test]
    fn illegal_moves_are_passed_over() {
        let nodes: Vec<Node> = (0..40).map(|_| Node::default()).collect();
        for (i, node) in nodes.iter().enumerate() {
            node.reset(i, 10.0, 0.5);
            if i < 39 {
                node.forbid();
            }
        }
        let selector = Selector::new(&TreeParams::default(), true);
        assert_eq!(selector.best(&Node::default(), &nodes), Some(39));
        nodes[39].forbid();
        assert_eq!(selector.best(&Node::default(), &nodes), None);
    }
}
