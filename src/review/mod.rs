//! Reviews of games: what the engine thinks of each position, and which moves were mistakes.
//!
//! [`Review::of_game`] searches the positions of a game one after the other, so that each search goes
//! on with what the last one knows; [`annotate`] writes what it found into the file's tree,
//! [`chart`] draws it. Nothing here touches files.
//!
//! A move's loss is the difference between the position before it and the one after it, each as its
//! own search sees it. So it has the noise of two searches, and a move that the first search prefers
//! loses nothing by definition.

mod annotate;
mod chart;
#[cfg(test)]
mod tests;

pub use annotate::annotate;
pub use chart::{ChartError, chart};

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::board::{Color, ColoredMove, Size};
use crate::engine::{Engine, Limits, Observer, Report, Request};
use crate::game::Game;
use crate::score::Score;
use crate::sgf::{self, Defaults, Place, SgfError, Tree};

/// How often a search looks whether it shall end.
const LOOK_EVERY: Duration = Duration::from_millis(50);
/// Moves of a better variation at most.
const VARIATION_MAX: usize = 10;
/// Points that weigh as much as the whole win rate, by hand: the game's result comes first, but a
/// mistake in a decided game is one too.
const POINTS_OF_A_GAME: f64 = 100.0;
/// Losses, as shares of a game, from which a move is doubtful or bad; by hand.
const DOUBTFUL: f64 = 0.1;
const BAD: f64 = 0.2;

/// What a search thinks of a position.
#[derive(Clone, Debug, PartialEq)]
pub struct Judgement {
    /// Probability that Black wins, 0..=1.
    pub black_wins: f64,
    /// Points by which Black is ahead at the end, komi included.
    pub black_lead: f64,
    /// Playouts behind it; none if the game is over and was counted.
    pub visits: u64,
    /// The best move and what follows, of this color and its opponent's in turn; empty if the game is
    /// over.
    pub variation: Vec<ColoredMove>,
}

impl Judgement {
    /// The end of a game.
    fn of_result(score: Score) -> Self {
        let black_wins = match score.winner() {
            Some(Color::Black) => 1.0,
            Some(Color::White) => 0.0,
            None => 0.5,
        };
        let black_lead = f64::from(score.hundredths()) / 100.0;
        Self { black_wins, black_lead, visits: 0, variation: Vec::new() }
    }

    fn new(report: &Report) -> Self {
        let color = report.color;
        let best = report.best();
        let (wins, lead) = best.map_or((report.root_win_rate, report.score), |best| {
            if best.visits == 0 {
                (report.root_win_rate, report.score)
            } else {
                (best.win_rate, best.score)
            }
        });
        let sign = f64::from(color.sign());
        let steps = best.map_or(&[][..], |best| &best.variation);
        let colors = [color, !color].into_iter().cycle();
        let moves =
            steps.iter().zip(colors).map(|(step, color)| ColoredMove { color, mv: step.mv });
        Self {
            black_wins: 0.5 + sign * (wins.clamp(0.0, 1.0) - 0.5),
            black_lead: sign * lead,
            visits: report.visits(),
            variation: moves.take(VARIATION_MAX).collect(),
        }
    }
}

/// How good a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Nothing to say against it.
    Good,
    /// It loses something.
    Doubtful,
    /// A mistake.
    Bad,
}

/// A move of a game, seen from before and after it.
#[derive(Clone, Copy, Debug)]
pub struct Turn<'a> {
    /// Counted from 1.
    pub number: usize,
    /// Number of the position that it led to, counted from 0 with those before a set-up.
    pub position: usize,
    /// Who moved, and where.
    pub played: ColoredMove,
    /// Index of its node.
    pub node: usize,
    /// Index of the node that shows the position before it.
    pub node_before: usize,
    /// The position before it.
    pub before: &'a Judgement,
    /// The position after it.
    pub after: &'a Judgement,
}

impl Turn<'_> {
    /// Whether it is what the engine would have played.
    pub fn is_best(&self) -> bool {
        self.before.variation.first() == Some(&self.played)
    }

    /// Fall of the mover's win rate, 0..=1; negative if it rose.
    pub fn win_rate_loss(&self) -> f64 {
        self.sign() * (self.before.black_wins - self.after.black_wins)
    }

    /// Points lost by the mover; negative if he gained.
    pub fn points_lost(&self) -> f64 {
        self.sign() * (self.before.black_lead - self.after.black_lead)
    }

    fn sign(&self) -> f64 {
        f64::from(self.played.color.sign())
    }

    /// What it cost, as a share of a game: the win rate and a little of the points; at least 0.
    pub fn loss(&self) -> f64 {
        if self.is_best() {
            return 0.0;
        }
        (self.win_rate_loss() + self.points_lost() / POINTS_OF_A_GAME).max(0.0)
    }

    /// What to call it.
    pub fn verdict(&self) -> Verdict {
        match self.loss() {
            loss if loss >= BAD => Verdict::Bad,
            loss if loss >= DOUBTFUL => Verdict::Doubtful,
            _ => Verdict::Good,
        }
    }
}

/// The positions of a game with what the engine thinks of them, from the first as far as it came.
#[derive(Clone, Debug)]
pub struct Review {
    places: Vec<Place>,
    judgements: Vec<Judgement>,
}

impl Review {
    /// Searches the positions of a file's main line in turn until `stop` is set, and calls `see` after
    /// each with how many are judged, of how many. What has been found until then is kept.
    ///
    /// # Errors
    /// As [`sgf::places`].
    pub fn of_game(
        (tree, defaults): (&Tree, &Defaults),
        engine: &mut Engine,
        limits: Limits,
        stop: &AtomicBool,
        mut see: impl FnMut(usize, usize),
    ) -> Result<Self, SgfError> {
        let places = sgf::places(tree, defaults)?;
        let mut judgements: Vec<Judgement> = Vec::new();
        engine.new_game();
        sgf::visit(tree, defaults, |game, place| {
            let judgement = if game.is_over() && place.played.is_none() {
                Judgement::of_result(engine.final_score(game))
            } else {
                Judgement::new(&search(game, place.to_play, engine, limits, stop))
            };
            // A search that was cut short may have seen nothing.
            let goes_on = !stop.load(Ordering::Relaxed);
            if goes_on {
                judgements.push(judgement);
                see(judgements.len(), places.len());
            }
            goes_on
        })?;
        Ok(Self { places, judgements })
    }

    /// The board.
    pub fn size(&self) -> Option<Size> {
        self.places.first().map(|place| place.size)
    }

    /// Number of positions, judged or not.
    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// The nodes that show positions, and the judgements of these.
    pub fn positions(&self) -> impl Iterator<Item = (usize, &Judgement)> {
        self.places.iter().map(|place| place.node).zip(&self.judgements)
    }

    /// The moves whose position before and after are judged.
    pub fn turns(&self) -> impl Iterator<Item = Turn<'_>> {
        let pairs = self.judgements.windows(2);
        let steps = self.places.iter().zip(pairs).enumerate().filter_map(|(i, (place, pair))| {
            let (mv, node) = place.played?;
            let [before, after] = pair else { return None };
            let played = ColoredMove { color: place.to_play, mv };
            Some((i + 1, played, node, place.node, before, after))
        });
        steps.zip(1..).map(|((position, played, node, node_before, before, after), number)| Turn {
            number,
            position,
            played,
            node,
            node_before,
            before,
            after,
        })
    }

    /// So many moves that lost most, the worst first, of those that are not good.
    pub fn mistakes(&self, most: usize) -> Vec<Turn<'_>> {
        let mut turns: Vec<Turn<'_>> =
            self.turns().filter(|turn| turn.verdict() > Verdict::Good).collect();
        turns.sort_by(|a, b| b.loss().total_cmp(&a.loss()));
        turns.truncate(most);
        turns
    }

    /// How a side played.
    pub fn summary(&self, color: Color) -> Summary {
        let turns: Vec<_> = self.turns().filter(|turn| turn.played.color == color).collect();
        let count = |verdict| turns.iter().filter(|turn| turn.verdict() == verdict).count();
        let lost = turns.iter().filter(|turn| !turn.is_best()).map(Turn::points_lost);
        Summary {
            moves: turns.len(),
            best: turns.iter().filter(|turn| turn.is_best()).count(),
            doubtful: count(Verdict::Doubtful),
            bad: count(Verdict::Bad),
            points_lost: lost.fold(0.0, |sum, points| sum + points.max(0.0)),
        }
    }
}

/// How a side played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Its moves.
    pub moves: usize,
    /// Those that the engine would have played.
    pub best: usize,
    /// Those that are doubtful.
    pub doubtful: usize,
    /// Those that are bad.
    pub bad: usize,
    /// Points that its moves lost; gains count nothing, so that noise adds up.
    pub points_lost: f64,
}

fn search(
    game: &Game,
    to_play: Color,
    engine: &mut Engine,
    limits: Limits,
    stop: &AtomicBool,
) -> Report {
    let mut goes_on = |_: &Report| !stop.load(Ordering::Relaxed);
    let mut observer =
        Observer { interval: Some(LOOK_EVERY), wants_move_owners: false, show: &mut goes_on };
    let request = Request::new(to_play, limits).observed(&mut observer);
    engine.analyze(game, request)
}
