//! Why a move or a set-up is refused.

/// Why a play is illegal. A pass never is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IllegalMove {
    /// There is a stone on the point.
    #[error("the point is occupied")]
    Occupied,
    /// It would remove own stones in a way that the rules forbid.
    #[error("suicide")]
    Suicide,
    /// It would restore the position before the opponent's play just made.
    #[error("ko: it restores the position before the last move")]
    Ko,
    /// It would restore an earlier position of the game.
    #[error("superko: it restores an earlier position")]
    Superko,
}

/// Why handicap stones are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandicapError {
    /// Stones or moves are there already.
    #[error("the board is not empty")]
    BoardNotEmpty,
    /// No layout for that many stones on this board.
    #[error("no such handicap on this board")]
    Stones,
    /// A point is given twice.
    #[error("a point is given twice")]
    Repeated,
}
