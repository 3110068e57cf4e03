//! Playouts: games from a position to its end.
//!
//! Informed playouts ([`Informed`]) are those of the tree search: rules in order choose each move.
//! A light playout draws every move uniformly from those that are legal (simple ko, no suicide)
//! and do not fill an own eye, and ends when both sides pass in turn. It knows no history: superko
//! is tested by the game and the tree, never here. Cost: about 40 ns a move.

mod batch;
mod informed;
mod params;
mod patterns;
mod policy;
mod uniform;

pub use batch::{Job, PIECE, Tally, run, run_piece};
pub use informed::Informed;
pub use params::PlayoutParams;
pub use uniform::run_heavy;

use crate::board::{Color, Grid};
use crate::rng::Rng;

/// Plays the grid out from this side's turn; returns the number of moves, passes counted.
///
/// Random games that cycle by multiple kos are cut off after a bound that ordinary games stay far
/// below (mean lengths are 1.3 to 1.4 times the number of points).
#[inline(always)]
fn light<const STRIDE: usize, const LEN: usize>(
    grid: &mut Grid<STRIDE, LEN>,
    to_play: Color,
    rng: &mut Rng,
) -> u32 {
    let below = &mut |n| rng.below(n);
    let bound = 8 * grid.size().points() as u32 + 64;
    let mut moves = 0;
    let mut white_passed = false;
    if to_play == Color::White {
        white_passed = !grid.play_random(Color::White, below);
        moves = 1;
    }
    // One loop holds a move of each color, so that both are compiled for their color.
    while moves < bound {
        moves += 1;
        let black_passed = !grid.play_random(Color::Black, below);
        if black_passed && white_passed {
            break;
        }
        moves += 1;
        white_passed = !grid.play_random(Color::White, below);
        if white_passed && black_passed {
            break;
        }
    }
    moves
}
