//! Who owns each point of a position, by playouts from both sides' turn.

use crate::board::{Board, Color};
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
