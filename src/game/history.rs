//! The record of turns: what superko, the end of the game and counting ask for.

use crate::board::{ByColor, Color, ColoredMove, Hash, Move, Removed};
use crate::rules::KoRule;

/// One turn that was made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Who did what.
    pub colored_move: ColoredMove,
    /// What it removed.
    pub removed: Removed,
    /// Hash of the position after it.
    pub hash: Hash,
}

impl Turn {
    /// Whether the turn was a pass.
    pub fn is_pass(&self) -> bool {
        self.colored_move.mv == Move::Pass
    }

    /// Who made the turn.
    pub fn color(&self) -> Color {
        self.colored_move.color
    }
}

/// What a play may not restore, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Repetition {
    /// The position before the opponent's play just made.
    Ko,
    /// Another earlier position.
    Superko,
}

/// The starting position's hash and the turns since.
///
/// Entry 0 is the start, entry `i` the position after turn `i` (turns count from 1). The side to
/// move at an entry is the one who made the next turn, so that a turn out of order is treated as
/// if it had been that side's turn (rules.md 3.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    start: Hash,
    turns: Vec<Turn>,
}

impl History {
    /// No turn yet, from a position of this hash.
    pub fn new(start: Hash) -> Self {
        Self { start, turns: Vec::new() }
    }

    /// The turns, first to last.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    pub(super) fn push(&mut self, turn: Turn) {
        self.turns.push(turn);
    }

    /// Forgets the turns behind the first `turns`.
    pub(super) fn truncate(&mut self, turns: usize) {
        self.turns.truncate(turns);
    }

    /// Hash of entry `i`.
    fn hash(&self, i: usize) -> Hash {
        if i == 0 { self.start } else { self.turns[i - 1].hash }
    }

    /// Hashes of all positions so far, sorted.
    pub fn sorted_hashes(&self) -> Vec<Hash> {
        let mut hashes: Vec<Hash> = (0..=self.turns.len()).map(|i| self.hash(i)).collect();
        hashes.sort_unstable();
        hashes
    }

    /// Who made the first pass, and in which turn (from 1).
    pub fn first_pass(&self) -> Option<(Color, usize)> {
        let i = self.turns.iter().position(Turn::is_pass)?;
        Some((self.turns[i].color(), i + 1))
    }

    /// Stones of each color that were removed, suicides included.
    pub fn lost(&self) -> ByColor<usize> {
        let mut lost = ByColor::default();
        for turn in &self.turns {
            lost[!turn.color()] += turn.removed.captured;
            lost[turn.color()] += turn.removed.suicided;
        }
        lost
    }

    /// Passes of each color.
    pub fn passes(&self) -> ByColor<usize> {
        let mut passes = ByColor::default();
        for turn in self.turns.iter().filter(|turn| turn.is_pass()) {
            passes[turn.color()] += 1;
        }
        passes
    }

    /// Passes in a row at the end, those of the first `skip` turns not counted.
    pub(super) fn trailing_passes(&self, skip: usize) -> usize {
        let turns = self.turns.get(skip..).unwrap_or_default();
        turns.iter().rev().take_while(|turn| turn.is_pass()).count()
    }

    /// What a play of `color` that leads to the position `hash` would repeat under this rule;
    /// entries before `first` are forgotten.
    pub(super) fn repetition(
        &self,
        ko: KoRule,
        first: usize,
        color: Color,
        hash: Hash,
    ) -> Option<Repetition> {
        let restores_last = self.turns.last().is_some_and(|turn| {
            turn.color() == !color && !turn.is_pass() && self.turns.len() > first
        }) && self.hash(self.turns.len() - 1) == hash;
        let is_repeated = match ko {
            KoRule::Simple => restores_last,
            KoRule::Positional => (first..=self.turns.len()).any(|i| self.hash(i) == hash),
            KoRule::Situational => (first..self.turns.len())
                .any(|i| self.hash(i) == hash && self.turns[i].color() == !color),
            KoRule::Natural => self.turns[first..]
                .iter()
                .any(|turn| turn.hash == hash && turn.color() == color && !turn.is_pass()),
        };
        is_repeated.then_some(if restores_last { Repetition::Ko } else { Repetition::Superko })
    }

    /// How often the present situation has occurred since the last pass, the entry that the pass
    /// made and the present one included.
    pub(super) fn occurrences(&self, to_play: Color) -> usize {
        let last = self.turns.len();
        let since = self.turns.iter().rposition(Turn::is_pass).map_or(0, |i| i + 1);
        let present = self.hash(last);
        let earlier = (since..last)
            .filter(|&i| self.hash(i) == present && self.turns[i].color() == to_play)
            .count();
        earlier + 1
    }
}
