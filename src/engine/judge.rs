//! From the search's numbers to a decision: play, pass or resign.

use std::time::Instant;

use super::{Engine, Limits, Report};
use crate::board::{Color, ColoredMove, Move, Point, PointSet};
use crate::config::Player;
use crate::game::Game;
use crate::rules::{Removal, Scoring};
use crate::score::Score;

/// What the engine does with its turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// A play or a pass.
    Move(Move),
    /// The game is given up.
    Resign,
}

/// Below this win rate of the best move the game is given up. Chosen by hand for uniform
/// playouts, whose win rates are close to a half until late.
const RESIGN_WIN_RATE: f64 = 0.02;
/// Playouts of the best move that a resignation needs.
const RESIGN_VISITS: u64 = 500;
/// A pass that gives up no more than this many points, by the playouts, costs nothing.
const POINTLESS: f64 = 0.3;
/// A point is settled if one side owns it in this share of the playouts, as an average in -1..=1.
const SETTLED: f32 = 0.85;

/// Share of a move's time that is kept for the status of stones.
const STATUS_SHARE: f64 = 0.3;

impl Engine {
    /// Chooses a move for a side, whoever's turn it is. The game is not changed.
    pub fn genmove(&mut self, game: &Game, color: Color, limits: Limits) -> (Decision, Report) {
        let start = Instant::now();
        let report = self.think(game, color, search_limits(game, limits), None);
        let decision = if self.should_resign(game, &report) {
            Decision::Resign
        } else {
            Decision::Move(self.choose(game, &report, deadline(start, limits)))
        };
        (decision, report)
    }

    /// Chooses a move as [`Self::genmove`] does, but never resigns.
    pub fn best_move(&mut self, game: &Game, color: Color, limits: Limits) -> Move {
        let start = Instant::now();
        let report = self.think(game, color, search_limits(game, limits), None);
        self.choose(game, &report, deadline(start, limits))
    }

    /// Chooses a move that does not pass while dead stones of the opponent are on the board, for
    /// `kgs-genmove_cleanup`: it takes them off, and fills no own eye. Never resigns.
    pub fn genmove_cleanup(&mut self, game: &Game, color: Color, limits: Limits) -> Move {
        let start = Instant::now();
        let share = limits.time.map(|time| start + time / 2);
        let dead = self.dead_estimate(game, share);
        let time = limits.time.map(|time| time.saturating_sub(start.elapsed()));
        let limits = Limits { time, ..limits };
        let board = game.board();
        let targets: PointSet = dead
            .iter()
            .filter(|&point| board.stone(point) == Some(!color))
            .flat_map(|point| board.liberties(point).iter().collect::<Vec<_>>())
            .collect();
        if targets.is_empty() {
            return Move::Pass;
        }
        // A stone that can be taken at once next to the target would only prolong the cleaning.
        let is_sound = |point: Point| {
            let mut after = board.clone();
            let removed = after.play(point, color);
            removed.captured > 0 || after.liberties(point).len() > 1
        };
        let sound: PointSet = targets.iter().filter(|&point| is_sound(point)).collect();
        for allowed in [&sound, &targets] {
            let report = self.think(game, color, limits, Some(&|point| allowed.contains(point)));
            if let Some(best) = report.best_play() {
                return best.mv;
            }
        }
        // Liberties inside that are no legal moves yet: approach from anywhere.
        let report = self.think(game, color, limits, None);
        report.best_play().map_or(Move::Pass, |best| best.mv)
    }

    fn should_resign(&self, game: &Game, report: &Report) -> bool {
        let Some(best) = report.best() else { return false };
        // A handicap game looks lost for White in its opening.
        self.config.allow_resign
            && self.config.player != Player::Random
            && game.turns().len() > game.size().points() / 4 + apparent_handicap(game)
            && best.visits >= RESIGN_VISITS
            && best.win_rate < RESIGN_WIN_RATE
    }

    /// The move to make: the best one that the way of counting does not punish, or a pass.
    fn choose(&mut self, game: &Game, report: &Report, deadline: Option<Instant>) -> Move {
        let is_settled = is_settled(game, report);
        let wanted = report.candidates.iter().find(|c| is_wanted(game, report, c.mv));
        let Some(best) = wanted else { return self.pass_or_clean_up(game, report, deadline) };
        if best.mv == Move::Pass || (is_settled && self.passing_wins(game, report, deadline)) {
            return self.pass_or_clean_up(game, report, deadline);
        }
        // Between equals the game shall end: nothing to gain, and nothing open.
        let worth = POINTLESS + first_pass_worth(game);
        let is_pointless = report.pass().is_some_and(|pass| {
            pass.win_rate + 0.01 >= best.win_rate && pass.score + worth >= best.score
        });
        if is_pointless && is_settled && game.rules().scoring != Scoring::Stone {
            return self.pass_or_clean_up(game, report, deadline);
        }
        best.mv
    }

    /// Passes, unless every stone counts and dead ones of the opponent have still to be taken.
    fn pass_or_clean_up(
        &mut self,
        game: &Game,
        report: &Report,
        deadline: Option<Instant>,
    ) -> Move {
        let color = report.color;
        let counts_all = game.rules().removal == Removal::None;
        if !counts_all || self.score_of_pass(game, color, deadline).winner() == Some(color) {
            return Move::Pass;
        }
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let budget =
            Limits { playouts: Some(report.playouts.clamp(100, 2000)), time, time_max: None };
        self.genmove_cleanup(game, color, budget)
    }

    /// The count after a pass of this side.
    fn score_of_pass(&mut self, game: &Game, color: Color, deadline: Option<Instant>) -> Score {
        let mut passed = game.clone();
        // A pass is always legal.
        let _ = passed.play(ColoredMove { color, mv: Move::Pass });
        self.score_until(&passed, deadline)
    }

    /// Whether the opponent has just passed and the count after our own pass is a win.
    fn passing_wins(&mut self, game: &Game, report: &Report, deadline: Option<Instant>) -> bool {
        let color = report.color;
        game.last_move() == Some(ColoredMove { color: !color, mv: Move::Pass })
            && self.score_of_pass(game, color, deadline).winner() == Some(color)
    }
}

/// What the search may spend of a budget: where the decision to pass will ask for the status of the
/// stones, some of the time is kept for that.
fn search_limits(game: &Game, limits: Limits) -> Limits {
    let empty = game.board().empty_points().count();
    let may_clean_up = game.rules().removal == Removal::None && 3 * empty < game.size().points();
    let just_passed = game.turns().last().is_some_and(crate::game::Turn::is_pass);
    let kept = if just_passed || may_clean_up { STATUS_SHARE } else { 0.0 };
    Limits { time: limits.time.map(|time| time.mul_f64(1.0 - kept)), ..limits }
}

/// When a budget that began then is used up.
fn deadline(start: Instant, limits: Limits) -> Option<Instant> {
    limits.time.map(|time| start + time.mul_f64(1.0 - STATUS_SHARE / 2.0))
}

/// Whether the way of counting leaves a move its worth: where territory is counted, a play inside
/// either side's territory costs a point, unless passes cost one as well.
fn is_wanted(game: &Game, report: &Report, mv: Move) -> bool {
    let Move::Play(point) = mv else { return true };
    game.rules().scoring != Scoring::Territory
        || game.rules().pass_stones
        || report.ownership.at(point).abs() < SETTLED
        || is_between(game, point)
}

/// Points that the first pass of the game is worth: the button changes hands by it, or White's
/// claim to a point.
fn first_pass_worth(game: &Game) -> f64 {
    let is_open = game.history().first_pass().is_none();
    f64::from(u8::from(is_open && (game.rules().button || game.rules().first_pass_point)))
}

/// Whether an empty point touches both colors.
fn is_between(game: &Game, point: Point) -> bool {
    let board = game.board();
    let touches = |color| game.size().neighbors(point).any(|n| board.stone(n) == Some(color));
    board.stone(point).is_none() && touches(Color::Black) && touches(Color::White)
}

/// Whether the playouts agree on every stone and on every point but those between the sides.
fn is_settled(game: &Game, report: &Report) -> bool {
    game.size()
        .iter()
        .all(|point| is_between(game, point) || report.ownership.at(point).abs() >= SETTLED)
}

/// Handicap stones, or Black's plays in a row at the start of a game without White's, from two on:
/// some controllers give handicap that way (gtp.md 1.4).
pub(super) fn apparent_handicap(game: &Game) -> usize {
    if game.start().handicap > 0 {
        return game.start().handicap;
    }
    let is_black_play = |turn: &&crate::game::Turn| turn.color() == Color::Black && !turn.is_pass();
    let stones = game.turns().iter().take_while(is_black_play).count();
    if stones < 2 { 0 } else { stones }
}
