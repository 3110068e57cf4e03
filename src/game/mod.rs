//! A game: a board with its history, the side to move, komi and rules.
//!
//! [`Game`] decides everything that the position alone cannot: ko and superko (by the Zobrist
//! hashes of the history; see [`crate::board::zobrist`] for the odds), the end of the game, who
//! is to play. [`Board`] below it knows no history; playouts use the board only.
//!
//! A move out of turn is legal, as GTP allows it, and is no pass of the side that was skipped.
//! Undo plays the game again from its start, hence is exact by construction; it costs about 50 ns
//! a move.

mod error;
mod handicap;
mod history;
mod perft;
#[cfg(test)]
mod tests;

pub use error::{HandicapError, IllegalMove};
pub use handicap::{free_points, star_points};
pub use history::{History, Turn};

use crate::board::{
    Board, ByColor, Color, ColoredMove, Hash, Move, Point, PointSet, Removed, Size,
};
use crate::rules::{KoRule, Komi, LongCycle, Rules};
use history::Repetition;

/// The position that a game starts from: undo stops here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Start {
    /// Stones placed before the first move.
    pub board: Board,
    /// Who moves first.
    pub to_play: Color,
    /// Handicap stones for which White may get points: 0, or 2 and more.
    pub handicap: usize,
}

/// A game in progress.
///
/// ```
/// use keima::board::{Color, ColoredMove, Move, Size};
/// use keima::game::{Game, IllegalMove};
/// let mut game = Game::new(Size::square(9).expect("a legal size"));
/// let e5 = Move::Play(game.size().parse_point("E5").expect("on the board"));
/// game.play(ColoredMove { color: Color::Black, mv: e5 }).expect("legal");
/// let again = game.play(ColoredMove { color: Color::White, mv: e5 });
/// assert_eq!(again, Err(IllegalMove::Occupied));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    rules: Rules,
    komi: Komi,
    start: Start,
    board: Board,
    to_play: Color,
    history: History,
}

impl Game {
    /// An empty board under the default rules with their komi.
    pub fn new(size: Size) -> Self {
        let rules = Rules::default();
        Self::with_rules(size, rules, rules.komi)
    }

    /// An empty board.
    pub fn with_rules(size: Size, rules: Rules, komi: Komi) -> Self {
        Self::from_start(
            Start { board: Board::new(size), to_play: Color::Black, handicap: 0 },
            rules,
            komi,
        )
    }

    /// A game without moves from a given start.
    pub fn from_start(start: Start, rules: Rules, komi: Komi) -> Self {
        let mut board = start.board.clone();
        board.clear_ko();
        let (to_play, history) = (start.to_play, History::new(board.hash()));
        Self { rules, komi, start, board, to_play, history }
    }

    /// A new game on an empty board of the same size, rules and komi.
    #[must_use]
    pub fn cleared(&self) -> Self {
        Self::with_rules(self.size(), self.rules, self.komi)
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.board.size()
    }

    /// Whose turn it is: after any move, the other side's.
    pub fn to_play(&self) -> Color {
        self.to_play
    }

    /// The rules in force.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Changes the rules; the game so far stays as it is.
    pub fn set_rules(&mut self, rules: Rules) {
        self.rules = rules;
    }

    /// Points added to White's score.
    pub fn komi(&self) -> Komi {
        self.komi
    }

    /// Changes komi.
    pub fn set_komi(&mut self, komi: Komi) {
        self.komi = komi;
    }

    /// Where the game started.
    pub fn start(&self) -> &Start {
        &self.start
    }

    /// The turns made since the start.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The turns made since the start, first to last.
    pub fn turns(&self) -> &[Turn] {
        self.history.turns()
    }

    /// The last turn's move.
    pub fn last_move(&self) -> Option<ColoredMove> {
        self.turns().last().map(|turn| turn.colored_move)
    }

    /// Whether nothing has been placed or played.
    pub fn is_untouched(&self) -> bool {
        self.turns().is_empty() && self.start.board.is_empty()
    }

    /// Stones taken by each color, those that the opponent removed by suicide included.
    pub fn captures(&self) -> ByColor<usize> {
        let lost = self.history.lost();
        ByColor { black: lost.white, white: lost.black }
    }

    /// Turn (from 1) of the pass that took the button; 0 while it lies there or without one.
    fn button_turn(&self) -> usize {
        let pass = self.rules.button.then(|| self.history.first_pass()).flatten();
        pass.map_or(0, |(_, turn)| turn)
    }

    /// What a play would remove and the hash after it.
    ///
    /// # Errors
    /// [`IllegalMove`], the first reason in the order of its variants.
    pub fn check_play(&self, point: Point, color: Color) -> Result<(Removed, Hash), IllegalMove> {
        let (removed, hash) = self.board.outcome(point, color).ok_or(IllegalMove::Occupied)?;
        if !self.rules.suicide.allows(removed.suicided) {
            return Err(IllegalMove::Suicide);
        }
        match self.history.repetition(self.rules.ko, self.button_turn(), color, hash) {
            None => Ok((removed, hash)),
            Some(Repetition::Ko) => Err(IllegalMove::Ko),
            Some(Repetition::Superko) => Err(IllegalMove::Superko),
        }
    }

    /// Whether a play of this color that leads to a position of this hash, now or some moves later,
    /// repeats a position of the game that the ko rule protects.
    pub fn repeats(&self, color: Color, hash: Hash) -> bool {
        let ko = self.rules.ko;
        ko != KoRule::Simple
            && self.history.repetition(ko, self.button_turn(), color, hash).is_some()
    }

    /// Whether a play is legal in this game, whoever's turn it is.
    pub fn is_legal(&self, point: Point, color: Color) -> bool {
        self.check_play(point, color).is_ok()
    }

    /// All points on which a play is legal, by ascending index.
    pub fn legal_points(&self, color: Color) -> PointSet {
        self.board.empty_points().filter(|&point| self.is_legal(point, color)).collect()
    }

    /// Makes a turn.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is unchanged then.
    pub fn play(&mut self, colored_move: ColoredMove) -> Result<Removed, IllegalMove> {
        if let Move::Play(point) = colored_move.mv {
            self.check_play(point, colored_move.color)?;
        }
        Ok(self.make(colored_move))
    }

    /// Makes a turn as [`Self::play`] does, but lets a play repeat an earlier position, except in
    /// simple ko: some servers decide on superko themselves.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is unchanged then.
    pub fn play_leniently(&mut self, colored_move: ColoredMove) -> Result<Removed, IllegalMove> {
        match self.play(colored_move) {
            Err(IllegalMove::Superko) => Ok(self.make(colored_move)),
            result => result,
        }
    }

    /// Makes a turn as [`Self::play`] does, but lets a play repeat any earlier position: to try out
    /// what follows from a ko.
    ///
    /// # Errors
    /// [`IllegalMove`]; the game is unchanged then.
    pub fn play_over_ko(&mut self, colored_move: ColoredMove) -> Result<Removed, IllegalMove> {
        match self.play(colored_move) {
            Err(IllegalMove::Ko | IllegalMove::Superko) => Ok(self.make(colored_move)),
            result => result,
        }
    }

    /// Makes a turn that is known to be legal.
    fn make(&mut self, colored_move: ColoredMove) -> Removed {
        let removed = self.board.apply(colored_move);
        self.to_play = !colored_move.color;
        self.history.push(Turn { colored_move, removed, hash: self.board.hash() });
        removed
    }

    /// Takes the last turn back; `None` at the start. The side to move is again what it was.
    pub fn undo(&mut self) -> Option<Turn> {
        let last = self.turns().last().copied();
        self.undo_many(1);
        last
    }

    /// Takes back this many turns, or all if there are fewer.
    pub fn undo_many(&mut self, turns: usize) {
        self.history.truncate(self.turns().len().saturating_sub(turns));
        self.board = self.start.board.clone();
        self.board.clear_ko();
        for turn in self.history.turns() {
            self.board.apply(turn.colored_move);
        }
        self.to_play = self.last_move().map_or(self.start.to_play, |last| !last.color);
    }

    /// Whether play has stopped: by passes, as the rules ask, or by a long cycle. More moves stay
    /// legal and reopen the game.
    pub fn is_over(&self) -> bool {
        let passes = self.history.trailing_passes(self.button_turn());
        let last_is_white = self.last_move().is_some_and(|last| last.color == Color::White);
        let by_passes =
            passes >= self.rules.end_passes && (!self.rules.white_last || last_is_white);
        by_passes || self.long_cycle() != LongCycle::None
    }

    /// The result that a long cycle has just given, if any: the third occurrence of a situation
    /// under simple ko.
    pub fn long_cycle(&self) -> LongCycle {
        let is_repeated =
            self.rules.ko == KoRule::Simple && self.history.occurrences(self.to_play) >= 3;
        if is_repeated { self.rules.long_cycle } else { LongCycle::None }
    }

    /// Starts a new game with Black stones on these points and White to move. One stone is no
    /// handicap: it earns no points.
    ///
    /// # Errors
    /// [`HandicapError`]; the game is unchanged then.
    pub fn place_handicap(&mut self, points: &[Point]) -> Result<(), HandicapError> {
        if !self.is_untouched() {
            return Err(HandicapError::BoardNotEmpty);
        }
        if points.is_empty() || points.len() >= self.size().points() {
            return Err(HandicapError::Stones);
        }
        let stones = points.iter().map(|&point| (point, Color::Black));
        let board =
            Board::with_stones(self.size(), stones).map_err(|_error| HandicapError::Repeated)?;
        let handicap = if points.len() < 2 { 0 } else { points.len() };
        let start = Start { board, to_play: Color::White, handicap };
        *self = Self::from_start(start, self.rules, self.komi);
        Ok(())
    }
}
