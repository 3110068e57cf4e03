//! What is dead and how the game ends: playouts of the board, cached.
//!
//! The status of a stone depends on the position, komi and rules, never on passes or on whose turn
//! it is: half of the playouts start with each side. `final_score` and the status lists read the
//! same cached answer.

use std::time::Instant;

use rayon::prelude::*;

use super::{Engine, Goal, Limits, decide};
use crate::board::{Board, Color, PointSet};
use crate::game::{Game, Start};
use crate::rules::{Komi, Removal, Rules, Scoring, Tax};
use crate::score::{self, Counts, OpenChain, Ownership, Record, Score, StatusMap, Verdicts};
use crate::search;

/// Playouts behind a status, half of them with each side to start.
const PLAYOUTS: u64 = 2000;

/// Playouts are sure of a chain if the mean ownership of its stones is beyond this, to either side.
/// Chosen by hand.
const CLEAR: f32 = 0.7;
/// A chain is dead if the mean ownership of its stones, seen from its own side, is at most this. No
/// live chain of 100 judged games comes below -0.05, but stones in seki may.
const DEAD: f32 = -0.25;
/// Chains between that and this are read out; above it they live.
const DOUBTFUL: f32 = 0.3;
/// A chain that was read out is dead if its owner keeps it in less of the playouts. Chosen on the
/// judged games of gtp-tests/status, where 0.6 to 0.8 do alike.
const LOST: f64 = 0.7;
/// Playouts that read out one chain.
const READ_PLAYOUTS: u64 = 1000;
/// Chains read out at most, so that open positions with many doubtful chains are judged in time.
const READ_CHAINS: usize = 8;

/// A point is sure to be a side's if it owned it in this share of the playouts, as an average in
/// -1..=1.
const SURE: f32 = 0.85;

/// A score that is not final: expected, and as it would be if all unsure points went to one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScoreEstimate {
    /// By the mean ownership of the points.
    pub mean: Score,
    /// Black's best.
    pub best: Score,
    /// Black's worst.
    pub worst: Score,
}

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq)]
struct Key {
    board: Board,
    komi: Komi,
    rules: Rules,
}

/// The last answer.
#[derive(Clone, Debug, Default)]
pub(super) struct StatusCache {
    entry: Option<(Key, StatusMap)>,
}

impl Engine {
    /// The status of every stone by playouts, whether or not the rules lift dead stones. Nothing is
    /// read out after the deadline; what is cached then serves later questions too, so that a pass
    /// and the status list after it go by the same answer.
    fn estimate(&mut self, game: &Game, deadline: Option<Instant>) -> StatusMap {
        let key = Key { board: game.board().clone(), komi: game.komi(), rules: *game.rules() };
        match &self.status.entry {
            Some((cached, status)) if *cached == key => status.clone(),
            _ => {
                let status = StatusMap::new(game.board(), &self.judge_dead(game, deadline));
                self.status.entry = Some((key, status.clone()));
                status
            }
        }
    }

    /// Dead stones: unconditionally, by sure playouts, or because their owner cannot keep them even
    /// if he moves first.
    fn judge_dead(&self, game: &Game, deadline: Option<Instant>) -> PointSet {
        let board = game.board();
        let ownership = self.ownership(board);
        let verdicts = Verdicts::new(board, &ownership, game.rules().suicide);
        let Verdicts { mut dead, alive: mut safe, open } = verdicts;
        safe.extend(open.iter().filter(|c| c.own >= CLEAR).flat_map(|c| c.stones.iter().copied()));
        // In a seki playouts are sure of the wrong thing: whoever moves there loses, and they move.
        let is_in_seki =
            |chain: &&OpenChain| open.iter().any(|other| is_seki(board, chain, other, &safe));
        let weak = open.iter().filter(|chain| chain.own <= DOUBTFUL && !is_in_seki(chain));
        let (mut lost, doubtful): (Vec<_>, Vec<_>) = weak.partition(|chain| chain.own <= DEAD);
        self.stop.begin();
        let is_lost = |chain: &&OpenChain| self.is_lost(board, chain, deadline);
        let read = doubtful.into_par_iter().take(READ_CHAINS).filter(is_lost);
        lost.extend(self.pool.install(|| read.collect::<Vec<_>>()));
        self.stop.end();
        dead.extend(lost.into_iter().flat_map(|chain| chain.stones.iter().copied()));
        dead
    }

    /// Whether the owner of a chain cannot keep it though he moves first, by reading. `false` if
    /// there is no time for that.
    fn is_lost(&self, board: &Board, chain: &OpenChain, deadline: Option<Instant>) -> bool {
        let time = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if self.stop.is_stopped() || time.is_some_and(|time| time.is_zero()) {
            return false;
        }
        let goal = Goal { owner: chain.color, stones: chain.stones.iter().copied().collect() };
        let limits = Limits { playouts: Some(READ_PLAYOUTS), time, ..Limits::default() };
        // What is dead does not depend on how the position came about.
        let start = Start { board: board.clone(), to_play: chain.color, handicap: 0 };
        let game = Game::from_start(start, Rules::default(), Komi::default());
        goal.search(&game, chain.color, limits, &self.config.params, &self.stop).kept < LOST
    }

    /// Who owns each point of a position, by playouts that do not depend on whose turn it is.
    pub fn ownership(&self, board: &Board) -> Ownership {
        self.pool.install(|| search::ownership(board, PLAYOUTS))
    }

    /// Stones that are dead by playouts, whatever the rules do with dead stones.
    pub(super) fn dead_estimate(&mut self, game: &Game, deadline: Option<Instant>) -> PointSet {
        *self.estimate(game, deadline).dead()
    }

    /// The status of every stone as the rules count it: where every stone on the board counts,
    /// none is dead.
    pub fn final_status(&mut self, game: &Game) -> StatusMap {
        self.status_until(game, None)
    }

    /// [`Self::final_status`] with a deadline for reading.
    fn status_until(&mut self, game: &Game, deadline: Option<Instant>) -> StatusMap {
        match game.rules().removal {
            Removal::Agreement => self.estimate(game, deadline),
            Removal::None => StatusMap::new(game.board(), &PointSet::EMPTY),
        }
    }

    /// The score if the game ended here: dead stones lifted as [`Self::final_status`] says.
    pub fn final_score(&mut self, game: &Game) -> Score {
        self.score_until(game, None)
    }

    /// [`Self::final_score`] with a deadline for reading.
    pub(super) fn score_until(&mut self, game: &Game, deadline: Option<Instant>) -> Score {
        let dead = *self.status_until(game, deadline).dead();
        self.score_with(game, &dead)
    }

    /// The score with exactly these dead stones, each of which stands for its chain; where the
    /// rules count every stone on the board, none is lifted.
    pub fn score_with(&self, game: &Game, dead: &PointSet) -> Score {
        let dead = match game.rules().removal {
            Removal::Agreement => dead,
            Removal::None => &PointSet::EMPTY,
        };
        let counts = Counts::new(game.board(), dead);
        score::final_score(&counts, &self.record(game), game.rules())
    }

    /// The score that playouts expect, and its bounds.
    pub fn estimate_score(&mut self, game: &Game) -> ScoreEstimate {
        let ownership = self.ownership(game.board());
        let size = game.size();
        let points = |value: fn(f32) -> f32| {
            size.iter().map(|point| f64::from(value(ownership.at(point)))).sum::<f64>()
        };
        // The playouts count area; what the rules add or count otherwise is taken from the count
        // of the position with the stones that are dead now.
        let dead = *self.final_status(game).dead();
        let by_rules = self.score_with(game, &dead).hundredths();
        let counts = Counts::new(game.board(), &dead);
        let area = |color| (counts.stones[color] + counts.own[color]) as i32;
        let adjustment = by_rules - 100 * (area(Color::Black) - area(Color::White));
        let score = |area: f64| Score::from_hundredths((100.0 * area).round() as i32 + adjustment);
        ScoreEstimate {
            mean: score(points(|value| value)),
            best: score(points(|value| if value > -SURE { 1.0 } else { -1.0 })),
            worst: score(points(|value| if value < SURE { -1.0 } else { 1.0 })),
        }
    }

    /// Whether a side wins whatever the opponent plays: by stones that cannot be captured and the
    /// territory that they enclose. Known only where area is counted.
    pub fn is_won_for_sure(&self, game: &Game, color: Color) -> bool {
        let rules = game.rules();
        if rules.scoring != Scoring::Area || rules.tax != Tax::None {
            return false;
        }
        let alive = game.board().pass_alive(color, rules.suicide);
        let own = alive.stones.len() + alive.territory.len();
        let lead = 2 * own as i32 - game.size().points() as i32;
        // Komi and bonus are White's; the button and the first pass may go against us.
        let white = game.komi().hundredths() + rules.handicap_points(self.handicap(game));
        let at_risk = if rules.button { 50 } else { 0 }
            + if rules.first_pass_point && color == Color::Black { 100 } else { 0 };
        100 * lead - color.sign() * white - at_risk > 0
    }

    /// Handicap stones for which the rules may give White points.
    pub(super) fn handicap(&self, game: &Game) -> usize {
        if self.config.infer_handicap {
            decide::apparent_handicap(game)
        } else {
            game.start().handicap
        }
    }

    /// What counting needs to know of the game beside the position.
    fn record(&self, game: &Game) -> Record {
        let history = game.history();
        Record {
            komi: game.komi(),
            handicap: self.handicap(game),
            lost: history.lost(),
            passes: history.passes(),
            first_pass: history.first_pass().map(|(color, _)| color),
            to_play: game.to_play(),
        }
    }
}

/// Whether two chains of different colors are proven to be in seki.
fn is_seki(board: &Board, one: &OpenChain, other: &OpenChain, safe: &PointSet) -> bool {
    one.color != other.color && search::is_seki(board, &one.stones, &other.stones, safe)
}
