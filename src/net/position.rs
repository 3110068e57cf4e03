//! What a network is told of a game: the last boards and moves, and the rules.

use crate::board::{Board, Color, Move, Point, PointSet, Size};
use crate::game::{Game, IllegalMove, Turn};
use crate::rules::Rules;

/// Turns that a network is told of.
pub const TURNS: usize = 5;

/// A position with its recent history.
#[derive(Clone, Debug)]
pub struct Position {
    /// Whose move is asked for.
    pub to_play: Color,
    /// The board now, a turn ago and two turns ago; the earliest known one stands for what is before it.
    pub boards: [Board; 3],
    /// The last moves, the latest first, as far as the colors alternate.
    pub moves: Vec<Move>,
    /// Empty points that ko or superko forbids.
    pub repeats: PointSet,
    /// Where the side to move may play.
    pub legal: PointSet,
    /// Whether the last turn was a pass, so that another one ends the game.
    pub pass_ends: bool,
    /// Komi in hundredths of a point, with what handicap stones are worth to White.
    pub komi_hundredths: i32,
    /// The rules.
    pub rules: Rules,
}

impl Position {
    /// The present position of a game.
    pub fn new(game: &Game, to_play: Color, komi_hundredths: i32) -> Self {
        let board = game.board();
        let size = board.size();
        let (mut repeats, mut legal) = (PointSet::EMPTY, PointSet::EMPTY);
        for point in board.empty_points() {
            match game.check_play(point, to_play) {
                Ok(_) => drop(legal.insert(point)),
                Err(IllegalMove::Ko | IllegalMove::Superko) => drop(repeats.insert(point)),
                Err(_) => {}
            }
        }
        let turns = game.turns();
        // Nothing of the game is shown after its end but the last turn.
        let shown = if ends_with_two_passes(turns) { 1 } else { TURNS };
        let mut color = to_play;
        let is_next = |turn: &&Turn| {
            let alternates = turn.color() == !color;
            color = !color;
            alternates
        };
        let moves: Vec<Move> =
            turns.iter().rev().take(shown).take_while(is_next).map(|t| t.colored_move.mv).collect();
        let back = |n: usize| board_before(game, n.min(moves.len()));
        let boards = [board.clone(), back(1), back(2)];
        debug_assert_eq!(size, boards[1].size());
        Self {
            to_play,
            boards,
            moves,
            repeats,
            legal,
            pass_ends: turns.last().is_some_and(Turn::is_pass),
            komi_hundredths,
            rules: *game.rules(),
        }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.boards[0].size()
    }

    /// The point played so many turns ago (1 is the last move), if it was a play.
    pub(super) fn played(&self, turns_ago: usize) -> Option<Point> {
        match self.moves.get(turns_ago - 1)? {
            Move::Play(point) => Some(*point),
            Move::Pass => None,
        }
    }
}

fn ends_with_two_passes(turns: &[Turn]) -> bool {
    matches!(turns, [.., a, b] if a.is_pass() && b.is_pass())
}

/// The board before the last `n` turns.
fn board_before(game: &Game, n: usize) -> Board {
    if n == 0 {
        return game.board().clone();
    }
    let mut board = game.start().board.clone();
    for turn in &game.turns()[..game.turns().len() - n] {
        board.apply(turn.colored_move);
    }
    board
}
