//! From the tree and the threads' counts to a [`Report`].

use super::harvest::Harvest;
use super::node::{Arena, Node};
use super::params::TreeParams;
use super::priors::probability;
use super::report::{Candidate, Report, Step};
use crate::board::{Color, Move, Point};

/// Moves of a variation at most.
const VARIATION_MAX: usize = 30;

/// What a report is made from, beside the counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Summary<'a> {
    pub(super) arena: &'a Arena,
    pub(super) params: &'a TreeParams,
    pub(super) color: Color,
    /// Points that the search gave to White and that nobody has, in hundredths.
    pub(super) bias_hundredths: i32,
    /// Whether the priors of the tree are a network's probabilities.
    pub(super) has_network: bool,
}

impl Summary<'_> {
    /// What the root's moves have come to after so many playouts, most visited first.
    pub(super) fn report(&self, harvest: &Harvest, playouts: u64) -> Report {
        let sign = f64::from(self.color.sign());
        let bias = f64::from(self.bias_hundredths) / 100.0;
        let seen = |mean: f32| sign * (f64::from(mean) + bias);
        // Of this search's playouts only, while the tree keeps the means.
        let score_deviation = harvest.all_scores().deviation().unwrap_or_default();
        let root = self.arena.node(Arena::ROOT);
        let (_, children) = self.arena.children(root);
        let legal = children.iter().filter(|child| !child.is_illegal());
        let (tried, untried): (Vec<&Node>, Vec<&Node>) = legal.partition(|c| c.visits() > 0);
        let candidate = |child: &&Node| {
            let own_deviation = harvest.scores(child.point()).deviation();
            let win_rate = f64::from(child.mean());
            Candidate {
                visits: u64::from(child.visits()),
                win_rate,
                score: seen(child.mean_score()),
                score_deviation: own_deviation.unwrap_or(score_deviation),
                value: win_rate,
                variation: self.variation(child),
                ownership: harvest.ownership(child.point()),
                ..self.untried(child)
            }
        };
        let mut candidates: Vec<Candidate> = tried.iter().map(candidate).collect();
        candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
        // The tree lists moves by prior.
        let untried = untried.into_iter().map(|child| self.untried(child)).collect();
        let ownership = harvest.owners.ownership();
        Report {
            color: self.color,
            candidates,
            untried,
            playouts,
            was_stopped: false,
            // The root is the opponent's last move.
            root_win_rate: 1.0 - f64::from(root.mean()),
            score: seen(root.mean_score()),
            score_deviation,
            ownership,
        }
    }

    fn untried(&self, child: &Node) -> Candidate {
        let stats = child.stats();
        let prior = if self.has_network {
            stats.prior_wins
        } else {
            probability(self.params, stats.prior_visits)
        };
        Candidate::untried(move_of(child), f64::from(prior))
    }

    /// A move and what was tried most after it, and so on.
    fn variation(&self, first: &Node) -> Vec<Step> {
        let mut steps = Vec::new();
        let mut next = Some(first);
        while let Some(node) = next.filter(|_| steps.len() < VARIATION_MAX) {
            steps.push(Step { mv: move_of(node), visits: u64::from(node.visits()) });
            let (_, children) = self.arena.children(node);
            let tried = children.iter().filter(|child| !child.is_illegal() && child.visits() > 0);
            next = tried.max_by_key(|child| child.visits());
        }
        steps
    }
}

fn move_of(node: &Node) -> Move {
    match node.point() {
        0 => Move::Pass,
        point => Move::Play(Point::from_index(point)),
    }
}
