//! From the search's numbers to a decision: play, pass or resign.

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

impl Engine {
    /// Chooses a move for a side, whoever's turn it is. The game is not changed.
    pub fn genmove(&mut self, game: &Game, color: Color, limits: Limits) -> (Decision, Report) {
        let report = self.think(game, color, limits, &|_| true);
        let decision = if self.should_resign(game, &report) {
            Decision::Resign
        } else {
            Decision::Move(self.choose(game, &report))
        };
        (decision, report)
    }

    /// Chooses a move as [`Self::genmove`] does, but never resigns.
    pub fn best_move(&mut self, game: &Game, color: Color, limits: Limits) -> Move {
        let report = self.think(game, color, limits, &|_| true);
        self.choose(game, &report)
    }

    /// Chooses a move that does not pass while dead stones of the opponent are on the board, for
    /// `kgs-genmove_cleanup`: it takes them off, and fills no own eye. Never resigns.
    pub fn genmove_cleanup(&mut self, game: &Game, color: Color, limits: Limits) -> Move {
        let dead = self.dead_estimate(game);
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
            let report = self.think(game, color, limits, &|point| allowed.contains(point));
            if let Some(best) = report.best_play() {
                return best.mv;
            }
        }
        // Liberties inside that are no legal moves yet: approach from anywhere.
        let report = self.think(game, color, limits, &|_| true);
        report.best_play().map_or(Move::Pass, |best| best.mv)
    }

    fn should_resign(&self, game: &Game, report: &Report) -> bool {
        let Some(best) = report.best() else { return false };
        // A handicap game looks lost for White in its opening.
        let turns = game.turns().len() + apparent_handicap(game);
        self.config.allow_resign
            && self.config.player != Player::Random
            && turns > game.size().points() / 4 + 2 * apparent_handicap(game)
            && best.visits >= RESIGN_VISITS
            && best.win_rate < RESIGN_WIN_RATE
    }

    /// The move to make: the best one that the way of counting does not punish, or a pass.
    fn choose(&mut self, game: &Game, report: &Report) -> Move {
        let is_settled = is_settled(game, report);
        let wanted = report.candidates.iter().find(|c| is_wanted(game, report, c.mv));
        let Some(best) = wanted else { return self.pass_or_clean_up(game, report) };
        if best.mv == Move::Pass || (is_settled && self.passing_wins(game, report)) {
            return self.pass_or_clean_up(game, report);
        }
        // Between equals the game shall end: nothing to gain, and nothing open.
        let worth = POINTLESS + first_pass_worth(game);
        let is_pointless = report.pass().is_some_and(|pass| {
            pass.win_rate + 0.01 >= best.win_rate && pass.score + worth >= best.score
        });
        if is_pointless && is_settled && game.rules().scoring != Scoring::Stone {
            return self.pass_or_clean_up(game, report);
        }
        best.mv
    }

    /// Passes, unless every stone counts and dead ones of the opponent have still to be taken.
    fn pass_or_clean_up(&mut self, game: &Game, report: &Report) -> Move {
        let counts_all = game.rules().removal == Removal::None;
        if !counts_all || self.score_of_pass(game, report.color).winner() == Some(report.color) {
            return Move::Pass;
        }
        let budget = Limits { playouts: Some(report.playouts.clamp(100, 2000)), time: None };
        self.genmove_cleanup(game, report.color, budget)
    }

    /// The count after a pass of this side.
    fn score_of_pass(&mut self, game: &Game, color: Color) -> Score {
        let mut passed = game.clone();
        // A pass is always legal.
        let _ = passed.play(ColoredMove { color, mv: Move::Pass });
        self.final_score(&passed)
    }

    /// Whether the opponent has just passed and the count after our own pass is a win.
    fn passing_wins(&mut self, game: &Game, report: &Report) -> bool {
        let opponent_passed =
            game.last_move() == Some(ColoredMove { color: !report.color, mv: Move::Pass });
        opponent_passed && self.score_of_pass(game, report.color).winner() == Some(report.color)
    }
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
