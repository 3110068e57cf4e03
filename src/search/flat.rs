//! The flat player: every legal root move scored by playouts.
//!
//! Playouts go round by round to the moves that are still in the race. How many are, falls
//! geometrically with the used share of the budget, from all to one: sequential halving
//! (Z. Karnin, T. Koren, O. Somekh 2013) in small steps, which needs no exploration constant and
//! works with a budget in time as well. With a budget in playouts the report depends on the seed
//! only, not on the number of threads.

use rayon::prelude::*;

use super::limits::{Limits, Progress, StopFlag};
use super::params::FlatParams;
use super::report::{Candidate, Report, Step};
use super::{Root, root_moves};
use crate::board::{Board, Color, ColoredMove, Move, Point};
use crate::game::Game;
use crate::playout::{Job, PIECE, Tally, run_piece};
use crate::rng::{Rng, mix};

/// A root move in the race.
struct Entry {
    mv: Move,
    /// The position after the move.
    board: Board,
    tally: Tally,
    /// Pieces of playouts done.
    pieces: u64,
    value: f64,
}

/// Scores the moves of the root's color within the limits, in the current rayon pool. Own eyes are not
/// tried. `allowed` restricts the points to try; a pass is tried as well.
pub fn search(
    root: &Root<'_>,
    allowed: &(impl Fn(Point) -> bool + Sync),
    limits: Limits,
    stop: &StopFlag,
) -> Report {
    let params = FlatParams::DEFAULT;
    let progress = Progress::new(limits, stop);
    let mut race = Race::new(root, allowed);
    let mut playouts = 0;
    while progress.share(playouts) < 1.0 && !race.is_decided(&params) {
        let share = progress.share(playouts);
        race.drop_worst(share);
        let pieces = race.pieces_a_round(&progress, playouts, share, &params);
        playouts += race.play_round(pieces, &progress, playouts);
        race.rank(&params);
    }
    race.report(playouts)
}

struct Race<'a> {
    game: &'a Game,
    color: Color,
    seed: u64,
    komi_hundredths: i32,
    /// Ranked by value, the moves that are out behind the first `active`.
    entries: Vec<Entry>,
    active: usize,
}

impl<'a> Race<'a> {
    fn new(root: &Root<'a>, allowed: &(impl Fn(Point) -> bool + Sync)) -> Self {
        let Root { game, color, komi_hundredths, seed, .. } = *root;
        let board = game.board().canonical();
        let points = root_moves(game, color, allowed);
        let plays = points.iter().map(Move::Play);
        let mut moves: Vec<Move> = plays.chain([Move::Pass]).collect();
        // A budget too small for all moves must not always try the same corner.
        Rng::split(seed, u64::MAX).shuffle(&mut moves);
        let entries: Vec<_> = moves
            .into_iter()
            .map(|mv| Entry {
                mv,
                board: after(&board, ColoredMove { color, mv }),
                tally: Tally::default(),
                pieces: 0,
                value: 0.0,
            })
            .collect();
        let active = entries.len();
        Self { game, color, seed, komi_hundredths, entries, active }
    }

    /// Takes the worst moves out of the race, so that `n^(1 - share)` of `n` are left.
    fn drop_worst(&mut self, share: f64) {
        let all = self.entries.len() as f64;
        let keep = all.powf(1.0 - share.clamp(0.0, 1.0)).ceil() as usize;
        // A race needs two.
        self.active = self.active.min(keep.max(2)).min(self.entries.len());
    }

    /// Pieces of playouts for each active move in the next round.
    fn pieces_a_round(
        &self,
        progress: &Progress<'_>,
        playouts: u64,
        share: f64,
        params: &FlatParams,
    ) -> u64 {
        let total = if share > 0.0 { playouts as f64 / share } else { 0.0 };
        let round = match progress.playouts_left(0) {
            Some(all) => all / params.rounds,
            None => total as u64 / params.rounds,
        };
        (round / (PIECE * self.active as u64)).clamp(1, 64)
    }

    /// Plays a round; returns the number of playouts.
    fn play_round(&mut self, pieces: u64, progress: &Progress<'_>, playouts: u64) -> u64 {
        let jobs: Vec<(usize, u64)> = (0..pieces)
            .flat_map(|piece| (0..self.active).map(move |entry| (entry, piece)))
            .collect();
        // The last round of a budget in playouts is cut to the playout.
        let left = progress.playouts_left(playouts).unwrap_or(u64::MAX);
        let results: Vec<(usize, Tally)> = jobs
            .par_iter()
            .enumerate()
            .map(|(i, &(entry, piece))| {
                let count = PIECE.min(left.saturating_sub(i as u64 * PIECE));
                (entry, self.play_piece(entry, piece, count, progress))
            })
            .collect();
        let mut played = 0;
        for (entry, tally) in results {
            played += tally.playouts;
            let entry = &mut self.entries[entry];
            entry.tally = std::mem::take(&mut entry.tally).plus(&tally);
        }
        for entry in &mut self.entries[..self.active] {
            entry.pieces += pieces;
        }
        played
    }

    fn play_piece(&self, entry: usize, piece: u64, count: u64, progress: &Progress<'_>) -> Tally {
        let entry = &self.entries[entry];
        let number = match entry.mv {
            Move::Play(point) => point.index() as u64,
            Move::Pass => 0,
        };
        let job = Job {
            board: &entry.board,
            to_play: !self.color,
            komi_hundredths: self.komi_hundredths,
            seed: mix(self.seed, number),
            with_owners: true,
        };
        run_piece(&job, entry.pieces + piece, count, &|| progress.is_interrupted())
    }

    /// Sorts the active moves by value, best first.
    fn rank(&mut self, params: &FlatParams) {
        let points = self.game.size().points() as f64;
        for entry in &mut self.entries[..self.active] {
            let score = score(&entry.tally, self.color, self.komi_hundredths);
            entry.value = win_rate(&entry.tally, self.color) + params.score_weight * score / points;
        }
        self.entries[..self.active].sort_by(|a, b| b.value.total_cmp(&a.value));
    }

    /// Whether the best move's lead over the next is beyond chance.
    fn is_decided(&self, params: &FlatParams) -> bool {
        let [best, second, ..] = &self.entries[..] else { return true };
        let visits = best.tally.playouts.min(second.tally.playouts);
        let error = (0.5 / visits.max(1) as f64).sqrt();
        visits >= params.decided_visits && best.value - second.value > params.decided_errors * error
    }

    fn report(&self, playouts: u64) -> Report {
        let mut sum = Tally::default();
        for entry in &self.entries {
            sum = sum.plus(&entry.tally);
        }
        let candidates = self.entries.iter().filter(|entry| entry.tally.playouts > 0);
        let candidates = candidates
            .map(|entry| Candidate {
                visits: entry.tally.playouts,
                win_rate: win_rate(&entry.tally, self.color),
                score: score(&entry.tally, self.color, self.komi_hundredths),
                value: entry.value,
                variation: vec![Step { mv: entry.mv, visits: entry.tally.playouts }],
                ..Candidate::untried(entry.mv, 1.0 / self.entries.len() as f64)
            })
            .collect();
        Report {
            color: self.color,
            candidates,
            untried: Vec::new(),
            playouts,
            was_stopped: false,
            root_win_rate: win_rate(&sum, self.color),
            score: score(&sum, self.color, self.komi_hundredths),
            score_deviation: 0.0,
            ownership: sum.ownership(),
        }
    }
}

fn after(board: &Board, colored_move: ColoredMove) -> Board {
    let mut board = board.clone();
    board.apply(colored_move);
    board
}

fn win_rate(tally: &Tally, color: Color) -> f64 {
    match color {
        Color::Black => tally.black_win_rate(),
        Color::White => 1.0 - tally.black_win_rate(),
    }
}

/// Mean score for a color in points with komi.
fn score(tally: &Tally, color: Color, komi_hundredths: i32) -> f64 {
    f64::from(color.sign()) * (tally.mean_area() - f64::from(komi_hundredths) / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    fn report(game: &Game, color: Color, playouts: u64, threads: usize) -> Report {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        let stop = StopFlag::default();
        let komi_hundredths = game.komi().hundredths();
        let root = Root { game, color, komi_hundredths, bias_hundredths: 0, seed: 1 };
        pool.install(|| search(&root, &|_| true, limits, &stop))
    }

    #[test]
    fn reports_do_not_depend_on_the_number_of_threads() {
        let game = Game::new(Size::square(9).unwrap());
        let one = report(&game, Color::Black, 3000, 1);
        assert_eq!(one.playouts, 3000);
        assert_eq!(report(&game, Color::Black, 3000, 3), one);
    }

    #[test]
    fn the_center_of_a_small_board_is_best() {
        let game = Game::new(Size::square(3).unwrap());
        let best = report(&game, Color::Black, 4000, 2).candidates[0].mv;
        assert_eq!(best, Move::Play(game.size().parse_point("B2").unwrap()));
    }

    #[test]
    fn a_tiny_budget_still_tries_something() {
        let game = Game::new(Size::square(19).unwrap());
        let report = report(&game, Color::White, 1, 2);
        assert_eq!((report.playouts, report.candidates.len()), (1, 1));
    }
}
