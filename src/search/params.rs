//! Constants of the flat player, one row each.

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
