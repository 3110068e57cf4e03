//! Playouts: random games from a position to its end.
//!
//! A light playout draws every move uniformly from those that are legal (simple ko, no suicide)
//! and do not fill an own eye, and ends when both sides pass in turn. It knows no history: superko
//! is tested at the root by the game, never here.

use crate::board::{Color, Grid};
use crate::rng::Rng;

/// Plays the grid out from this side's turn; returns the number of moves, passes counted.
///
/// Random games that cycle by multiple kos are cut off after a bound that ordinary games stay far
/// below (mean lengths are 1.3 to 1.4 times the number of points).
#[inline]
pub(crate) fn light<const STRIDE: usize, const LEN: usize>(
    grid: &mut Grid<STRIDE, LEN>,
    to_play: Color,
    rng: &mut Rng,
) -> u32 {
    let below = &mut |n| rng.below(n);
    let bound = grid.move_bound();
    let mut moves = 0;
    let mut just_passed = false;
    if to_play == Color::White {
        just_passed = !grid.play_random(Color::White, below);
        moves = 1;
    }
    while moves < bound {
        moves += 1;
        let black_played = grid.play_random(Color::Black, below);
        if !black_played && just_passed {
            break;
        }
        moves += 1;
        just_passed = !grid.play_random(Color::White, below);
        if just_passed && !black_played {
            break;
        }
    }
    moves
}

/// bench
#[derive(Debug)]
pub struct B(pub u32);
impl crate::board::GridTask for B {
    type Output = (u64, u64);
    fn run<const STRIDE: usize, const LEN: usize>(self, grid: &Grid<STRIDE, LEN>) -> Self::Output {
        let mut rng = Rng::new(1);
        let mut moves = 0;
        let mut wins = 0;
        for _ in 0..self.0 {
            let mut g = *grid;
            moves += u64::from(light(&mut g, Color::Black, &mut rng));
            wins += u64::from(g.playout_score() > 6);
        }
        (moves, wins)
    }
}
