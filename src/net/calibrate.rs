//! The ranges of a network's activations, for networks that come without.

use super::model::Model;
use super::network::Calibration;
use super::{Evaluation, Features, Position};
use crate::board::{ColoredMove, Move, Point, Size};
use crate::game::Game;

/// Games that are looked at: side, number, turns.
const GAMES: [(usize, usize, usize); 2] = [(9, 3, 50), (19, 2, 80)];
/// Turns of a game that are no best moves, so that games differ.
const OPENING: usize = 8;

/// The ranges of a model ([`Model::ranges`]) over batches of positions of one size; empty for a network
/// with layers that the kernels do not know.
pub fn ranges<'a>(
    model: &Model,
    batches: impl IntoIterator<Item = (&'a [Features], Size)>,
) -> Vec<Vec<f32>> {
    let Some(mut calibration) = Calibration::new(model) else { return Vec::new() };
    for (batch, size) in batches {
        calibration.see(batch, size);
    }
    calibration.into_ranges()
}

/// The same over a few games in which the network chooses the moves.
pub fn ranges_of_games(model: &Model) -> Vec<Vec<f32>> {
    let Some(mut calibration) = Calibration::new(model) else { return Vec::new() };
    for (side, number, turns) in GAMES {
        let Some(size) = Size::square(side) else { continue };
        let mut games = vec![Game::new(size); number];
        for turn in 0..turns {
            let positions: Vec<Position> = games
                .iter()
                .map(|game| Position::new(game, game.to_play(), game.komi().hundredths()))
                .collect();
            let features: Vec<Features> = positions.iter().map(Features::new).collect();
            let evaluations = calibration.see(&features, size);
            let found = positions.iter().zip(&evaluations);
            for (g, (game, (position, evaluation))) in games.iter_mut().zip(found).enumerate() {
                let rank = if turn < OPENING { (5 * g + 3 * turn) % 7 } else { 0 };
                let mv = ranked(position, evaluation, rank).map_or(Move::Pass, Move::Play);
                // The point is legal; a pass always is.
                let _ = game.play(ColoredMove { color: position.to_play, mv });
            }
        }
    }
    calibration.into_ranges()
}

/// The legal play that the network likes best but for so many.
fn ranked(position: &Position, evaluation: &Evaluation, rank: usize) -> Option<Point> {
    let points = position.size().iter_from_top().zip(&evaluation.policy);
    let mut legal: Vec<(Point, f32)> = points
        .filter(|(point, _)| position.legal.contains(*point))
        .map(|(point, &logit)| (point, logit))
        .collect();
    legal.sort_by(|a, b| b.1.total_cmp(&a.1));
    legal.get(rank.min(legal.len().saturating_sub(1))).map(|&(point, _)| point)
}
