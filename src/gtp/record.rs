//! What is known of a game beside its moves: what we thought of ours, who the opponent is, how it
//! ended. Game records get it, and controllers that ask about the last move or search.

use std::collections::BTreeMap;

use crate::analysis;
use crate::board::{Color, Hash, Move};
use crate::engine::{Decision, Report};
use crate::game::Game;

/// The opponent, as far as the controller tells.
#[derive(Clone, Debug, Default)]
pub(super) struct Opponent {
    /// Its name.
    pub(super) name: Option<String>,
    /// Its rating, in the words of the server.
    pub(super) rating: Option<String>,
}

/// Notes on a game.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// By turn, from 1: the position after our move and what we thought of it.
    remarks: BTreeMap<usize, (Hash, String)>,
    last_remark: String,
    /// Whether that is about a move which has still to be made.
    is_decided: bool,
    last_search: Option<Searched>,
    own_color: Option<Color>,
    /// The opponent; the same until another one is told.
    pub(super) opponent: Opponent,
    /// How the game ended, in the words of the controller.
    pub(super) result: Option<String>,
    /// What the file of a loaded game says of it: names of SGF's properties and values.
    pub(super) header: Vec<(String, String)>,
}

/// What a search found, and the number of turns and the hash of its position.
#[derive(Clone, Debug)]
struct Searched {
    report: Report,
    turns: usize,
    hash: Hash,
}

impl Record {
    /// Begins anew, against the same opponent.
    pub(super) fn new_game(&mut self) {
        *self = Self { opponent: std::mem::take(&mut self.opponent), ..Self::default() };
    }

    /// Notes what a search of the position found and what comes of it: a move that has still to be
    /// made, or a resignation.
    pub(super) fn decide(&mut self, game: &Game, report: Report, decision: Decision) {
        let turns = game.turns().len();
        let is_ours =
            |last: &&Searched| last.report.color == report.color && last.turns + 2 == turns;
        let before = self.last_search.as_ref().filter(is_ours).map(|last| &last.report.ownership);
        let chosen = match decision {
            Decision::Move(mv) => Some(mv),
            Decision::Resign => None,
        };
        self.last_remark = analysis::explanation(&report, chosen, before, game.size());
        self.is_decided = chosen.is_some();
        self.own_color = Some(report.color);
        self.search(game, report);
    }

    /// Notes that the last turn of the game is the move that was decided on.
    pub(super) fn mark_move(&mut self, game: &Game) {
        if let Some(turn) = game.turns().last().filter(|_| self.is_decided) {
            self.remarks.insert(game.turns().len(), (turn.hash, self.last_remark.clone()));
            self.is_decided = false;
        }
    }

    /// Notes what a search of the position found, unless it was none: the random player's.
    pub(super) fn search(&mut self, game: &Game, report: Report) {
        if report.visits() > 0 {
            let (turns, hash) = (game.turns().len(), game.board().hash());
            self.last_search = Some(Searched { report, turns, hash });
        }
    }

    /// What we thought when it was our turn last; empty if it never was.
    pub(super) fn last_remark(&self) -> &str {
        &self.last_remark
    }

    /// What we thought of a turn of this game, counted from 1.
    pub(super) fn remark(&self, game: &Game, turn: usize) -> Option<&str> {
        let made = game.turns().get(turn.checked_sub(1)?)?;
        let (hash, text) = self.remarks.get(&turn)?;
        // Other moves may have taken the place of ours.
        (*hash == made.hash).then_some(text.as_str())
    }

    /// Our color, once we have moved.
    pub(super) fn own_color(&self) -> Option<Color> {
        self.own_color
    }

    /// The last search if it was of the present position, or of the one before a move that its
    /// side has made since; that move.
    pub(super) fn last_search(&self, game: &Game) -> Option<(&Report, Option<Move>)> {
        let Searched { report, turns, hash } = self.last_search.as_ref()?;
        let hash_before = |turn: usize| match turn.checked_sub(1) {
            None => Some(game.start().board.hash()),
            Some(last) => game.turns().get(last).map(|turn| turn.hash),
        };
        if hash_before(*turns) != Some(*hash) {
            return None;
        }
        match &game.turns()[*turns..] {
            [] => Some((report, None)),
            [turn] if turn.color() == report.color => Some((report, Some(turn.colored_move.mv))),
            _ => None,
        }
    }
}
