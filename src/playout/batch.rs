//! Many playouts of one position, spread over the threads of the current rayon pool.
//!
//! Playouts are numbered, and each piece of [`PIECE`] playouts draws from a stream of its own that
//! depends on the seed and on the piece's number only. So the sums are the same whatever the
//! number of threads.

use rayon::prelude::*;

use super::light;
use crate::board::{ARRAY_LEN, Board, Color, Grid, GridTask};
use crate::rng::Rng;
use crate::score::Ownership;

/// Playouts that one random stream serves.
pub const PIECE: u64 = 16;

/// What to play out.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The position, best a [`Board::canonical`] one.
    pub board: &'a Board,
    /// Who moves first.
    pub to_play: Color,
    /// Points to White in hundredths: komi and handicap bonus.
    pub komi_hundredths: i32,
    /// Seed of all streams.
    pub seed: u64,
    /// Whether to sum up who owns each point.
    pub with_owners: bool,
}

/// Sums over playouts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Number of playouts.
    pub playouts: u64,
    /// Playouts that Black won.
    pub black_wins: u64,
    /// Playouts without a winner.
    pub draws: u64,
    /// Moves of all playouts, passes counted.
    pub moves: u64,
    /// Black's area minus White's over all playouts, in points without komi.
    pub area: i64,
    /// Owner sums by point (1 Black, -1 White); empty unless asked for.
    owners: Vec<i32>,
}

impl Tally {
    /// Share of Black's wins in 0..=1, draws counted half; a half without playouts.
    pub fn black_win_rate(&self) -> f64 {
        if self.playouts == 0 {
            return 0.5;
        }
        (self.black_wins as f64 + 0.5 * self.draws as f64) / self.playouts as f64
    }

    /// Mean of Black's area minus White's, in points without komi.
    pub fn mean_area(&self) -> f64 {
        self.area as f64 / self.playouts.max(1) as f64
    }

    /// Moves a playout on average.
    pub fn mean_moves(&self) -> f64 {
        self.moves as f64 / self.playouts.max(1) as f64
    }

    /// Who owned each point on average.
    pub fn ownership(&self) -> Ownership {
        Ownership::from_sums(&self.owners, self.playouts)
    }

    /// Adds the result of a playout: Black's area minus White's in points.
    #[inline(always)]
    pub(super) fn count(&mut self, area: i32, komi_hundredths: i32) {
        let margin = 100 * area - komi_hundredths;
        self.playouts += 1;
        self.area += i64::from(area);
        self.black_wins += u64::from(margin > 0);
        self.draws += u64::from(margin == 0);
    }

    /// Both sums together.
    #[must_use]
    pub fn plus(mut self, other: &Self) -> Self {
        self.playouts += other.playouts;
        self.black_wins += other.black_wins;
        self.draws += other.draws;
        self.moves += other.moves;
        self.area += other.area;
        if self.owners.is_empty() {
            self.owners.clone_from(&other.owners);
        } else {
            for (sum, more) in self.owners.iter_mut().zip(&other.owners) {
                *sum += more;
            }
        }
        self
    }
}

/// Runs `playouts` playouts in parallel, fewer if `is_stopped` says so in between.
pub fn run(job: &Job<'_>, playouts: u64, is_stopped: &(impl Fn() -> bool + Sync)) -> Tally {
    (0..playouts.div_ceil(PIECE))
        .into_par_iter()
        .map(|piece| {
            let count = PIECE.min(playouts - piece * PIECE);
            run_piece(job, piece, count, is_stopped)
        })
        .reduce(Tally::default, |sum, more| sum.plus(&more))
}

/// Runs the first `count` playouts of one piece in this thread, fewer if `is_stopped` says so.
pub fn run_piece(job: &Job<'_>, piece: u64, count: u64, is_stopped: &impl Fn() -> bool) -> Tally {
    job.board.with_grid(Piece { job, number: piece, count, is_stopped })
}

struct Piece<'a, F> {
    job: &'a Job<'a>,
    number: u64,
    count: u64,
    is_stopped: &'a F,
}

impl<F: Fn() -> bool> GridTask for Piece<'_, F> {
    type Output = Tally;

    fn run<const STRIDE: usize, const LEN: usize>(self, root: &Grid<STRIDE, LEN>) -> Tally {
        let job = self.job;
        let mut rng = Rng::split(job.seed, self.number);
        let mut tally = Tally::default();
        if job.with_owners {
            tally.owners = vec![0; ARRAY_LEN];
        }
        for _ in 0..self.count {
            if (self.is_stopped)() {
                break;
            }
            let mut grid = *root;
            tally.moves += u64::from(light(&mut grid, job.to_play, &mut rng));
            tally.count(grid.playout_score(), job.komi_hundredths);
            if job.with_owners {
                grid.add_owners(&mut tally.owners);
            }
        }
        tally
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn play(board: &Board, playouts: u64, komi: i32, threads: usize) -> Tally {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let job =
            Job { board, to_play: Color::Black, komi_hundredths: komi, seed: 5, with_owners: true };
        pool.install(|| run(&job, playouts, &|| false))
    }

    #[test]
    fn sums_do_not_depend_on_the_number_of_threads() {
        let board = Board::new(Size::square(7).unwrap());
        let one = play(&board, 1003, 750, 1);
        assert_eq!(one.playouts, 1003);
        assert_eq!(play(&board, 1003, 750, 3), one);
    }

    /// Means of exactly uniform draws (150,000 games each of an independent program): 111.07
    /// moves and 44.6 % on 9x9, 219.3 and 46.3 % on 13x13, 455.3 and 47.5 % on 19x19 at komi 6.5.
    /// The bounds are four standard errors of these sample sizes and of the reference.
    #[test]
    fn light_playouts_have_the_known_statistics() {
        for (side, playouts, moves, moves_bound, rate, rate_bound) in [
            (9, 60_000, 111.07, 0.3, 0.446, 0.009),
            (13, 16_000, 219.3, 0.6, 0.463, 0.016),
            (19, 6_000, 455.3, 1.4, 0.475, 0.027),
        ] {
            let tally = play(&Board::new(Size::square(side).unwrap()), playouts, 650, 2);
            let (m, r) = (tally.mean_moves(), tally.black_win_rate());
            assert!((m - moves).abs() < moves_bound, "{side}: {m} moves");
            assert!((r - rate).abs() < rate_bound, "{side}: Black wins {r}");
        }
    }

    #[test]
    fn a_settled_board_has_certain_owners() {
        let board = Board::from_diagram(".XXO./XXOOO/.XO.O/XXOOO/.XXO.").unwrap();
        let tally = play(&board, 200, 750, 1);
        let ownership = tally.ownership();
        for (point, color) in board.stones() {
            assert!((ownership.at(point) - color.sign() as f32).abs() < 1e-6);
        }
        assert!((tally.mean_area() + 1.0).abs() < 1e-9);
        assert_eq!(tally.black_wins, 0);
    }

    #[test]
    fn playouts_end_on_every_board() {
        for (width, height) in [(1, 1), (1, 2), (2, 2), (3, 1), (2, 25), (25, 25)] {
            let board = Board::new(Size::new(width, height).unwrap());
            assert_eq!(play(&board, 20, 0, 1).playouts, 20, "{width}x{height}");
        }
    }

    #[test]
    fn a_stop_ends_the_batch() {
        let board = Board::new(Size::square(9).unwrap());
        let job = Job {
            board: &board,
            to_play: Color::White,
            komi_hundredths: 0,
            seed: 1,
            with_owners: false,
        };
        assert_eq!(run(&job, 1000, &|| true), Tally::default());
    }
}
