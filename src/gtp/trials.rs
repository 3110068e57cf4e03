//! Trial moves: a stack on top of the game, for `trymove` and `popgo`.
//!
//! They are turns of the session's game, so that every command sees their position; the stack knows
//! where each of them stands. The record of the game is what lies below the first.

use crate::board::Hash;
use crate::game::{Game, Turn};

/// The trial moves of a game: number of turns below each, and the hash after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Trials {
    marks: Vec<(usize, Hash)>,
}

impl Trials {
    /// Puts the last turn of a game on the stack.
    pub(super) fn push(&mut self, game: &Game) {
        if let Some(turn) = game.turns().last() {
            self.marks.push((game.turns().len() - 1, turn.hash));
        }
    }

    /// Takes the last trial move back, and whatever was played after it; `false` if there is none.
    pub(super) fn pop(&mut self, game: &mut Game) -> bool {
        let Some((below, _)) = self.marks.pop() else { return false };
        game.undo_many(game.turns().len().saturating_sub(below));
        true
    }

    /// The turns of a game below the first trial move.
    pub(super) fn record<'a>(&self, game: &'a Game) -> &'a [Turn] {
        let turns = game.turns();
        let below = self.marks.first().map_or(turns.len(), |mark| mark.0);
        turns.get(..below).unwrap_or(turns)
    }

    /// Number of turns after the last trial move, all without one: what undo may take back.
    pub(super) fn turns_above(&self, game: &Game) -> usize {
        let below = self.marks.last().map_or(0, |mark| mark.0 + 1);
        game.turns().len().saturating_sub(below)
    }

    /// Forgets the trial moves.
    pub(super) fn clear(&mut self) {
        self.marks.clear();
    }

    /// Forgets the trial moves that a game has no longer.
    pub(super) fn keep_those_of(&mut self, game: &Game) {
        self.marks
            .retain(|&(below, hash)| game.turns().get(below).is_some_and(|turn| turn.hash == hash));
    }
}
