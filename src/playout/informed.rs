//! Informed playouts: games to the end by the rules of [`policy`](super::policy).

use super::params::PlayoutParams;
use super::policy::{Policy, Recent};
use crate::board::{Color, Heavy};
use crate::rng::Rng;

/// Plays informed playouts with one set of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Informed<'a> {
    policy: Policy<'a>,
}

impl<'a> Informed<'a> {
    /// A player with these parameters.
    pub fn new(params: &'a PlayoutParams) -> Self {
        Self { policy: Policy::new(params) }
    }

    /// Plays the board out from this side's turn and appends the moves to `moves` (index of the
    /// point, 0 for a pass). `last` and `before` are the last two moves made, 0 if none.
    ///
    /// Games that cycle by multiple kos are cut off after three moves a point.
    pub fn play<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        to_play: Color,
        (last, before): (usize, usize),
        rng: &mut Rng,
        moves: &mut Vec<u16>,
    ) {
        let mut recent = Recent { last, before, ko: 0, ko_age: u32::MAX };
        let mut color = to_play;
        let mut passes = 0;
        let bound = 3 * board.size().points() + 8;
        for _ in 0..bound {
            let chosen = match color {
                Color::Black => self.turn(board, Color::Black, &mut recent, rng),
                Color::White => self.turn(board, Color::White, &mut recent, rng),
            };
            moves.push(chosen as u16);
            passes = if chosen == 0 { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
            color = !color;
        }
    }

    /// Makes one move; returns its point, or 0 for a pass.
    #[inline]
    fn turn<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        color: Color,
        recent: &mut Recent,
        rng: &mut Rng,
    ) -> usize {
        let ko = board.ko();
        if ko != 0 {
            (recent.ko, recent.ko_age) = (ko, 0);
        }
        let chosen = self.policy.choose(board, color, recent, rng).unwrap_or(0);
        if chosen == 0 {
            board.pass();
        } else {
            board.play(color, chosen);
        }
        recent.before = recent.last;
        recent.last = chosen;
        recent.ko_age = recent.ko_age.saturating_add(1);
        chosen
    }
}
