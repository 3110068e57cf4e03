//! Light playouts on the heavy board: what its exact liberties and codes cost a move.
//!
//! The same games in distribution as those of [`run`](super::run), for the benchmark and as a test
//! of the board's draws; nothing plays by them. One stream of random numbers, no threads.

use super::Tally;
use super::batch::Job;
use crate::board::{Color, Heavy, HeavyTask};
use crate::rng::Rng;

/// Plays uniformly random games on the heavy form of the job's board, in this thread. Owners are
/// not summed up.
pub fn run_heavy(job: &Job<'_>, playouts: u64) -> Tally {
    job.board.with_heavy(Games { job, playouts })
}

struct Games<'a> {
    job: &'a Job<'a>,
    playouts: u64,
}

impl HeavyTask for Games<'_> {
    type Output = Tally;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        root: Box<Heavy<S, L, W>>,
    ) -> Tally {
        let Job { to_play, komi_hundredths, seed, .. } = *self.job;
        let mut rng = Rng::new(seed);
        let mut board = root.clone();
        let mut tally = Tally::default();
        for _ in 0..self.playouts {
            board.copy_from(&root);
            tally.moves += u64::from(uniform(&mut board, to_play, &mut rng));
            tally.count(board.playout_score(), komi_hundredths);
        }
        tally
    }
}

/// Plays the board out from this side's turn; returns the number of moves, passes counted. Bounded
/// as the light playouts are. Their loop is the same, but to share it through a closure made light
/// playouts 6 to 7 % slower.
#[inline(always)]
fn uniform<const S: usize, const L: usize, const W: usize>(
    board: &mut Heavy<S, L, W>,
    to_play: Color,
    rng: &mut Rng,
) -> u32 {
    let bound = 8 * board.size().points() as u32 + 64;
    let mut moves = 0;
    let mut white_passed = false;
    if to_play == Color::White {
        white_passed = !turn(board, Color::White, rng);
        moves = 1;
    }
    // One loop holds a move of each color, so that both are compiled for their color.
    while moves < bound {
        moves += 1;
        let black_passed = !turn(board, Color::Black, rng);
        if black_passed && white_passed {
            break;
        }
        moves += 1;
        white_passed = !turn(board, Color::White, rng);
        if white_passed && black_passed {
            break;
        }
    }
    moves
}

/// Makes one move; `false` for a pass.
#[inline(always)]
fn turn<const S: usize, const L: usize, const W: usize>(
    board: &mut Heavy<S, L, W>,
    color: Color,
    rng: &mut Rng,
) -> bool {
    if let Some(p) = board.draw(color, rng, Rng::below, |_, _, _| true) {
        board.play(color, p);
        true
    } else {
        board.pass();
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Size};

    /// The known means of uniform draws; see the test of the light playouts for their source.
    #[test]
    fn games_on_the_heavy_board_have_the_known_statistics() {
        for (side, playouts, moves, moves_bound, rate, rate_bound) in [
            (9, 20_000, 111.07, 0.5, 0.446, 0.015),
            (13, 6_000, 219.3, 1.0, 0.463, 0.026),
            (19, 2_000, 455.3, 2.4, 0.475, 0.046),
        ] {
            let board = Board::new(Size::square(side).unwrap());
            let job = Job {
                board: &board,
                to_play: Color::Black,
                komi_hundredths: 650,
                seed: 5,
                with_owners: false,
            };
            let tally = run_heavy(&job, playouts);
            let (m, r) = (tally.mean_moves(), tally.black_win_rate());
            assert!((m - moves).abs() < moves_bound, "{side}: {m} moves");
            assert!((r - rate).abs() < rate_bound, "{side}: Black wins {r}");
        }
    }
}
