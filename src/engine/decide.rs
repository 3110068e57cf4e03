//! From the search's numbers to a decision: play, pass or resign.

use std::time::{Duration, Instant};

use super::{Engine, Limits, Report, Request, Restrictions};
use crate::board::{Color, ColoredMove, Move, Point, PointSet};
use crate::config::Player;
use crate::game::{Game, Turn};
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

/// A game without hope: searches of this side in a row that saw none.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hopeless {
    color: Color,
    /// Turn of the last of them.
    turn: usize,
    searches: u32,
}

/// A game is given up when no move of some weight has won so often, in some searches in a row.
/// Fuego gives up at 0.05 to 0.08, Pachi and michi at 0.2 (search.md 3.9).
const RESIGN_WIN_RATE: f64 = 0.08;
/// Playouts of the root's moves, those of earlier searches included, that a resignation needs.
const RESIGN_VISITS: u64 = 500;
/// The same for a network's judgements, each of which tells much more than a playout.
const RESIGN_VISITS_NET: u64 = 30;
/// A move has weight if it got this share of them.
const RESIGN_SHARE: f64 = 0.05;
/// Points that a handicap stone is taken to be worth at first, in hundredths, and the turn on 19x19
/// at which nothing of it is left (search.md 3.6).
const STONE_HUNDREDTHS: f64 = 700.0;
const HANDICAP_TURNS: f64 = 200.0;
/// Above this win rate a game is as good as won. Chosen by hand.
const GOOD: f64 = 0.8;
/// A pass that gives up no more than this many points, by the playouts, costs nothing.
const POINTLESS: f64 = 0.3;
/// A point is settled if one side owns it in this share of the playouts, as an average in -1..=1.
const SETTLED: f32 = 0.85;

/// Share of a move's time that is kept for the status of stones.
const STATUS_SHARE: f64 = 0.3;

impl Engine {
    /// Chooses a move for a side, whoever's turn it is. The game is not changed.
    pub fn genmove(&mut self, game: &Game, request: Request<'_, '_>) -> (Decision, Report) {
        let (start, limits, restrictions) =
            (Instant::now(), request.limits, request.restrictions.clone());
        let report = self.search(game, request);
        let deadline = deadline(start, limits);
        let decision = if self.should_resign(game, &report, deadline) {
            Decision::Resign
        } else {
            Decision::Move(self.choose_permitted(game, &report, &restrictions, deadline))
        };
        (decision, report)
    }

    /// Chooses a move as [`Self::genmove`] does, but never resigns.
    pub fn best_move(&mut self, game: &Game, request: Request<'_, '_>) -> (Move, Report) {
        let (start, limits, restrictions) =
            (Instant::now(), request.limits, request.restrictions.clone());
        let report = self.search(game, request);
        let deadline = deadline(start, limits);
        (self.choose_permitted(game, &report, &restrictions, deadline), report)
    }

    /// Thinks, and keeps some time to judge what was found.
    fn search(&mut self, game: &Game, request: Request<'_, '_>) -> Report {
        let limits = search_limits(game, request.limits);
        self.think(game, Request { limits, ..request })
    }

    /// The move to make, which is none that the restrictions forbid.
    fn choose_permitted(
        &mut self,
        game: &Game,
        report: &Report,
        restrictions: &Restrictions,
        deadline: Option<Instant>,
    ) -> Move {
        let mv = self.choose(game, report, deadline);
        match report.best() {
            Some(best) if !restrictions.permit(report.color, 0, mv) => best.mv,
            _ => mv,
        }
    }

    /// Chooses a move that does not pass while dead stones of the opponent are on the board, for
    /// `kgs-genmove_cleanup`: it takes them off, and fills no own eye. Never resigns.
    pub fn genmove_cleanup(&mut self, game: &Game, color: Color, limits: Limits) -> Move {
        let start = Instant::now();
        let share = limits.time.map(|time| start + time / 2);
        let dead = self.dead_estimate(game, share);
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
            let only = Restrictions::only(color, *allowed);
            let request = Request::new(color, rest(start, limits)).restricted(only);
            let report = self.think(game, request);
            if let Some(best) = report.best_play() {
                return best.mv;
            }
        }
        // Liberties inside that are no legal moves yet: approach from anywhere.
        let report = self.think(game, Request::new(color, rest(start, limits)));
        report.best_play().map_or(Move::Pass, |best| best.mv)
    }

    /// Whether a game of some length is lost, and was already when this side searched before.
    fn should_resign(&mut self, game: &Game, report: &Report, deadline: Option<Instant>) -> bool {
        let (color, turn) = (report.color, game.turns().len());
        let before = self.hopeless.take();
        // Black's win rate in a handicap game is less than it will be.
        let is_doubtful = color == Color::Black && dynamic_komi(game) > 0;
        let is_hopeless = self.config.player != Player::Random
            && turn > game.size().points() / 4 + apparent_handicap(game)
            && !is_doubtful
            && is_hopeless(report, self.resign_visits())
            && !self.passing_wins(game, color, deadline);
        let before =
            before.filter(|last| last.color == color && last.turn < turn && turn <= last.turn + 2);
        let searches = before.map_or(0, |last| last.searches) + 1;
        self.hopeless = is_hopeless.then_some(Hopeless { color, turn, searches });
        is_hopeless && searches >= self.config.resign_after && self.config.allow_resign
    }

    /// Visits of the root's moves that a resignation needs.
    fn resign_visits(&self) -> u64 {
        if self.network().is_some() { RESIGN_VISITS_NET } else { RESIGN_VISITS }
    }

    /// The move to make: the best one that the way of counting does not punish, or a pass.
    fn choose(&mut self, game: &Game, report: &Report, deadline: Option<Instant>) -> Move {
        let color = report.color;
        let is_settled = is_settled(game, report);
        // Where every stone counts there is nothing to agree on: a count that wins ends the game.
        // An opponent who passes again and again sees no more in an open point.
        let is_sure = is_settled
            || game.rules().removal == Removal::None
            || (has_passed_twice(game, color) && is_good(report));
        if is_sure && self.passing_wins(game, color, deadline) {
            return Move::Pass;
        }
        let mut wanted = report.candidates.iter().filter(|c| is_wanted(game, report, c.mv));
        let Some(best) = wanted.next() else {
            return self.pass_or_clean_up(game, report, deadline);
        };
        // Between equals the game shall end: nothing to gain, and nothing open.
        let worth = POINTLESS + first_pass_worth(game);
        let is_pointless = report.pass().is_some_and(|pass| {
            pass.win_rate + 0.01 >= best.win_rate && pass.score + worth >= best.score
        });
        if is_pointless && is_settled && game.rules().scoring != Scoring::Stone {
            return self.pass_or_clean_up(game, report, deadline);
        }
        if best.mv != Move::Pass {
            return best.mv;
        }
        // A pass that ends the game and loses it is worse than any move with a chance.
        let chance = wanted.find(|c| c.win_rate >= RESIGN_WIN_RATE);
        match chance {
            Some(chance) if !is_settled && self.passing_loses(game, color, deadline) => chance.mv,
            _ => self.pass_or_clean_up(game, report, deadline),
        }
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
        let playouts = Some(report.playouts.clamp(100, 2000));
        let budget = Limits { playouts, time, ..Limits::default() };
        self.genmove_cleanup(game, color, budget)
    }

    /// The count after a pass of this side.
    fn score_of_pass(&mut self, game: &Game, color: Color, deadline: Option<Instant>) -> Score {
        let mut passed = game.clone();
        // A pass is always legal.
        let _ = passed.play(ColoredMove { color, mv: Move::Pass });
        self.score_until(&passed, deadline)
    }

    /// Whether our pass would end the game, and win it by the count.
    fn passing_wins(&mut self, game: &Game, color: Color, deadline: Option<Instant>) -> bool {
        pass_ends(game, color) && self.score_of_pass(game, color, deadline).winner() == Some(color)
    }

    /// Whether our pass would end the game, and lose it by the count.
    fn passing_loses(&mut self, game: &Game, color: Color, deadline: Option<Instant>) -> bool {
        pass_ends(game, color) && self.score_of_pass(game, color, deadline).winner() == Some(!color)
    }
}

/// Whether the opponent has just passed, so that a pass of ours ends the game.
fn pass_ends(game: &Game, color: Color) -> bool {
    game.last_move() == Some(ColoredMove { color: !color, mv: Move::Pass })
}

/// Whether the last two turns of the opponent were passes.
fn has_passed_twice(game: &Game, color: Color) -> bool {
    let mut turns = game.turns().iter().rev().filter(|turn| turn.color() == !color);
    turns.next().is_some_and(Turn::is_pass) && turns.next().is_some_and(Turn::is_pass)
}

/// Whether the best move very likely wins.
fn is_good(report: &Report) -> bool {
    report.best().is_some_and(|best| best.win_rate > GOOD)
}

/// Whether no move of the root has a chance worth waiting for.
fn is_hopeless(report: &Report, visits_needed: u64) -> bool {
    let visits: u64 = report.candidates.iter().map(|c| c.visits).sum();
    let weight = RESIGN_SHARE * visits as f64;
    let mut heavy = report.candidates.iter().filter(|c| c.visits as f64 >= weight);
    visits >= visits_needed && heavy.all(|c| c.win_rate < RESIGN_WIN_RATE)
}

/// Points to White in hundredths, beside komi, for the search in a handicap game: what the stones
/// are worth at first, less and less until the middle game is over. Without it White would see
/// nothing but losses and play at random, and Black nothing but wins and play slack.
///
/// It falls by a fraction of a point a turn, so the tree can be kept: its old results are off by
/// less than their noise.
pub(super) fn dynamic_komi(game: &Game) -> i32 {
    let stones = apparent_handicap(game);
    if stones < 2 {
        return 0;
    }
    let turns = HANDICAP_TURNS * game.size().points() as f64 / 361.0;
    let rest = (1.0 - game.turns().len() as f64 / turns).max(0.0);
    (stones as f64 * STONE_HUNDREDTHS * rest) as i32
}

/// Points to White in hundredths by which area, which playouts count, favors Black where territory
/// counts: stones are worth a point on the board and none in the count. It is the number of Black
/// stones played minus that of White's; from here on the sides alternate, so that on average the
/// side to move gets half a stone more.
pub(super) fn territory_shift(game: &Game, color: Color) -> i32 {
    let rules = game.rules();
    if rules.scoring != Scoring::Territory || rules.pass_stones {
        return 0;
    }
    let lost = game.history().lost();
    let mut difference = lost.black as i32 - lost.white as i32;
    difference += game.board().stones().map(|(_, stone)| stone.sign()).sum::<i32>();
    100 * difference + 50 * color.sign()
}

/// What the search may spend of a budget: where the decision to pass will ask for the status of the
/// stones, some of the time is kept for that.
fn search_limits(game: &Game, limits: Limits) -> Limits {
    let empty = game.board().empty_points().count();
    let may_clean_up = game.rules().removal == Removal::None && 3 * empty < game.size().points();
    let just_passed = game.turns().last().is_some_and(Turn::is_pass);
    let kept = if just_passed || may_clean_up { STATUS_SHARE } else { 0.0 };
    let scale = |time: Duration| time.mul_f64(1.0 - kept);
    Limits { time: limits.time.map(scale), time_max: limits.time_max.map(scale), ..limits }
}

/// What is left of a budget that began then.
fn rest(start: Instant, limits: Limits) -> Limits {
    let rest = |time: Duration| time.saturating_sub(start.elapsed());
    Limits { time: limits.time.map(rest), time_max: limits.time_max.map(rest), ..limits }
}

/// When a budget that began then is used up.
fn deadline(start: Instant, limits: Limits) -> Option<Instant> {
    limits.time_max.or(limits.time).map(|time| start + time.mul_f64(1.0 - STATUS_SHARE / 2.0))
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
    let is_black_play = |turn: &&Turn| turn.color() == Color::Black && !turn.is_pass();
    let stones = game.turns().iter().take_while(is_black_play).count();
    if stones < 2 { 0 } else { stones }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_gives_up_after_fewer_visits() {
        let mut report = Report::of_move(Color::Black, Move::Pass);
        report.candidates[0].visits = RESIGN_VISITS_NET;
        report.candidates[0].win_rate = RESIGN_WIN_RATE / 2.0;
        assert!(is_hopeless(&report, RESIGN_VISITS_NET) && !is_hopeless(&report, RESIGN_VISITS));
        report.candidates[0].win_rate = RESIGN_WIN_RATE;
        assert!(!is_hopeless(&report, RESIGN_VISITS_NET));
    }
}
