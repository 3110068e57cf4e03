//! Constants of the players, one row each.

use crate::params::{ParamError, Row};
use crate::playout::PlayoutParams;

/// Tunables of the flat search. Values were chosen by hand unless a source is named.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FlatParams {
    /// Weight of the mean score in the value of a move, as win rate for a whole board of points.
    pub score_weight: f64,
    /// A move has won the race when it leads by this many standard errors.
    pub decided_errors: f64,
    /// Playouts a move before the race may be called decided.
    pub decided_visits: u64,
    /// Rounds that a budget is cut into.
    pub rounds: u64,
}

impl FlatParams {
    /// The values in use.
    pub const DEFAULT: Self =
        Self { score_weight: 0.2, decided_errors: 5.0, decided_visits: 400, rounds: 24 };
}

crate::params! {
    /// Tunables of the tree search. Starting values and their sources: search.md 3.
    pub struct TreeParams {
        #[doc = " Playouts of a move at which its answers join the tree."]
        expand_visits = 4.0, 1.0..=1000.0;
        #[doc = " Playouts after which AMAF and own results weigh alike (K of D. Silver 2009)."]
        rave_equivalence = 1000.0, 1.0..=1e9;
        #[doc = " Weight in AMAF of a move made at once, against 1 for one at the end of a playout."]
        rave_near = 3.0, 1.0..=100.0;
        #[doc = " Share of the playouts that choose moves in the tree without AMAF."]
        rave_free = 0.05, 0.0..=1.0;
        #[doc = " Exploration constant of UCT; 0 relies on AMAF and priors."]
        exploration = 0.0, 0.0..=10.0;
        #[doc = " Virtual visits of every move, its first-play urgency."]
        prior_even = 14.0, 0.0..=1000.0;
        #[doc = " Value of those visits."]
        prior_value = 0.5, 0.0..=1.0;
        #[doc = " Virtual wins of a move, times the square root of its probability by features."]
        prior_policy = 200.0, 0.0..=1000.0;
        #[doc = " Log-odds of a move on a point that both sides own equally often."]
        prior_contested = 0.5, -10.0..=10.0;
        #[doc = " Log-odds of a move on a point that always goes to the winner."]
        prior_critical = 1.5, -10.0..=10.0;
        #[doc = " Share of the score in the value of a playout."]
        score_weight = 0.02, 0.0..=1.0;
        #[doc = " Moves that a node considers at first, best priors first."]
        widen_base = 12.0, 1.0..=1000.0;
        #[doc = " Further moves for each doubling of its visits."]
        widen_rate = 8.0, 0.0..=1000.0;
        #[doc = " Moves that a node below the root gets at most, best priors first."]
        children_max = 100.0, 2.0..=700.0;
        #[doc = " With a network: exploration constant of PUCT, for values from 0 to 1."]
        net_exploration = 0.6, 0.0..=10.0;
        #[doc = " With a network: how much less than the position an untried move is worth, times the square root of the probability of the tried ones."]
        net_urgency = 0.15, 0.0..=1.0;
        #[doc = " With a network: weight of a playout's result in the value of a position."]
        net_playouts = 0.1, 0.0..=1.0;
        #[doc = " With a network: share of the positions that are played out."]
        net_playout_share = 1.0, 0.0..=1.0;
        #[doc = " With a network: share of the lead in its value."]
        net_score = 0.05, 0.0..=1.0;
        #[doc = " A search ends early when the best move's lead is this share of the playouts left."]
        stop_share = 1.0, 0.0..=1e9;
        #[doc = " A search ends early when the best move's win rate is this far from a half."]
        sure_margin = 0.47, 0.0..=1.0;
        #[doc = " Time is extended unless the best move has so many times the visits of the next."]
        settled_lead = 1.5, 1.0..=1000.0;
    }
}

/// All tunables of the tree search and its playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SearchParams {
    /// Those of the tree.
    pub tree: TreeParams,
    /// Those of the playouts.
    pub playout: PlayoutParams,
}

impl SearchParams {
    /// Every row.
    pub fn rows() -> Vec<Row> {
        [TreeParams::rows(), PlayoutParams::rows()].concat()
    }

    /// The value of this name.
    pub fn get(&self, name: &str) -> Option<f32> {
        self.tree.get(name).or_else(|| self.playout.get(name))
    }

    /// Sets a value by name.
    ///
    /// # Errors
    /// If there is no such name, or the value lies outside of its range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: f32) -> Result<(), ParamError> {
        match self.tree.set(name, value) {
            Err(ParamError::Unknown(_)) => self.playout.set(name, value),
            result => result,
        }
    }
}
