//! What a network says of a position, averaged over orientations, and the labels made of it.

use crate::board::{Color, Size};
use crate::net::{Evaluation, Position, Symmetry};

/// Moves that a label keeps.
pub(super) const MOVES: usize = 32;

/// Largest whole number for probabilities.
const PROBABILITY: f32 = 65535.0;
/// Steps of a point of lead.
const LEAD: f32 = 8.0;
/// An owner is 0 to twice this.
const OWNER: f32 = 7.5;

/// The mean of evaluations, from the view of the side to move.
#[derive(Clone, Debug)]
pub(super) struct Judgement {
    /// Probabilities of the points, rows from the top, and of a pass; 0 where a play is illegal.
    pub(super) moves: Vec<f32>,
    pub(super) win: f32,
    lead: f32,
    ownership: Vec<f32>,
}

/// A label: what shared/teacher/README.md says, for White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// Moves before the position.
    pub(super) turn: u32,
    pub(super) white_win: u16,
    pub(super) white_lead8: i16,
    /// The likeliest moves; of probability 0 where there are fewer.
    pub(super) policy_index: [u16; MOVES],
    pub(super) policy_prob: [u16; MOVES],
    /// Two points a byte, low half first.
    pub(super) own4: Vec<u8>,
}

impl Judgement {
    /// The mean of the evaluations of a position, each in its orientation.
    pub(super) fn new(position: &Position, evaluations: &[(Symmetry, &Evaluation)]) -> Self {
        let size = position.size();
        let part = 1.0 / evaluations.len() as f32;
        let points = size.points();
        let mut mean = Self {
            moves: vec![0.0; points + 1],
            win: 0.0,
            lead: 0.0,
            ownership: vec![0.0; points],
        };
        for &(symmetry, evaluation) in evaluations {
            let evaluation = evaluation.turned_back(symmetry, size);
            let (moves, pass) = evaluation.probabilities(position);
            let moves = moves.into_iter().chain([pass]);
            mean.moves.iter_mut().zip(moves).for_each(|(sum, odds)| *sum += part * odds);
            mean.win += part * evaluation.win_probability();
            mean.lead += part * evaluation.lead;
            let owners = mean.ownership.iter_mut().zip(&evaluation.ownership);
            owners.for_each(|(sum, owner)| *sum += part * owner);
        }
        mean
    }

    /// Whether all of it are numbers.
    pub(super) fn is_finite(&self) -> bool {
        let numbers = self.moves.iter().chain(&self.ownership).chain([&self.win, &self.lead]);
        numbers.copied().all(f32::is_finite)
    }

    /// The label of a position after so many moves.
    pub(super) fn label(&self, turn: usize, to_play: Color) -> Label {
        let (win, sign) = match to_play {
            Color::White => (self.win, 1.0),
            Color::Black => (1.0 - self.win, -1.0),
        };
        let mut best: Vec<usize> = (0..self.moves.len()).collect();
        best.sort_by(|&a, &b| self.moves[b].total_cmp(&self.moves[a]).then(a.cmp(&b)));
        let (mut policy_index, mut policy_prob) = ([0; MOVES], [0; MOVES]);
        for (i, &mv) in best.iter().take(MOVES).enumerate() {
            (policy_index[i], policy_prob[i]) = (mv as u16, whole(self.moves[mv]));
        }
        // A cast keeps to the range of its type.
        let owner = |&owner: &f32| (OWNER * (1.0 + sign * owner)).round().clamp(0.0, 15.0) as u8;
        let owners: Vec<u8> = self.ownership.iter().map(owner).collect();
        let pair = |pair: &[u8]| pair[0] | pair.get(1).map_or(0, |second| second << 4);
        Label {
            turn: turn as u32,
            white_win: whole(win),
            white_lead8: (sign * LEAD * self.lead).round() as i16,
            policy_index,
            policy_prob,
            own4: owners.chunks(2).map(pair).collect(),
        }
    }
}

/// A probability as a whole number.
fn whole(probability: f32) -> u16 {
    (PROBABILITY * probability).round() as u16
}

/// Bytes of the owners of all points.
pub(super) fn owner_bytes(size: Size) -> usize {
    size.points().div_ceil(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ColoredMove, Move};
    use crate::game::Game;

    fn evaluation(size: Size) -> Evaluation {
        let numbers = |scale: f32| (0..size.points()).map(|i| scale * i as f32).collect();
        Evaluation {
            policy: numbers(0.25),
            value: [1.0, 0.0, 0.0],
            lead: 4.0,
            ownership: numbers(1.0 / size.points() as f32),
            ..Evaluation::default()
        }
    }

    #[test]
    fn labels_are_for_white() {
        let size = Size::new(3, 3).unwrap();
        let mut game = Game::new(size);
        let position = Position::new(&game, Color::Black, 750);
        let found = evaluation(size);
        let judgement = Judgement::new(&position, &[(Symmetry::IDENTITY, &found)]);
        assert!(judgement.is_finite());
        assert!((judgement.moves.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        let label = judgement.label(0, Color::Black);
        assert_eq!((label.turn, label.white_lead8), (0, -32));
        assert_eq!(label.white_win, (65535.0_f32 / (1.0 + 1.0_f32.exp())).round() as u16);
        assert_eq!(label.policy_index[..3], [8, 7, 6]);
        // Behind all moves of the board there are none.
        assert_eq!((label.policy_index[10], label.policy_prob[10]), (0, 0));
        assert_eq!(label.own4.len(), owner_bytes(size));
        assert_eq!([label.own4[0] & 15, label.own4[0] >> 4, label.own4[4]], [8, 7, 1]);
        // The same for the other side.
        let mv = Move::Play(size.parse_point("B2").unwrap());
        game.play(ColoredMove { color: Color::Black, mv }).unwrap();
        let position = Position::new(&game, Color::White, 750);
        let judgement = Judgement::new(&position, &[(Symmetry::IDENTITY, &found)]);
        assert_eq!(judgement.moves[4].to_bits(), 0.0_f32.to_bits(), "there is a stone");
        let label = judgement.label(1, Color::White);
        assert_eq!((label.turn, label.white_lead8), (1, 32));
        assert_eq!([label.own4[0] & 15, label.own4[0] >> 4, label.own4[4]], [8, 8, 14]);
    }

    #[test]
    fn the_mean_of_all_orientations_is_symmetric() {
        let size = Size::new(4, 4).unwrap();
        let position = Position::new(&Game::new(size), Color::Black, 750);
        let found = evaluation(size);
        let all: Vec<_> = Symmetry::all(size).map(|symmetry| (symmetry, &found)).collect();
        let judgement = Judgement::new(&position, &all);
        for corner in [3, 12, 15] {
            assert!((judgement.moves[corner] - judgement.moves[0]).abs() < 1e-6);
            assert!((judgement.ownership[corner] - judgement.ownership[0]).abs() < 1e-6);
        }
    }

    #[test]
    fn what_is_no_number_is_seen_and_harmless() {
        let size = Size::new(3, 3).unwrap();
        let position = Position::new(&Game::new(size), Color::Black, 750);
        let nan = Evaluation { lead: f32::NAN, ..evaluation(size) };
        let mut infinite = evaluation(size);
        infinite.policy[3] = f32::INFINITY;
        for found in [nan, infinite] {
            let judgement = Judgement::new(&position, &[(Symmetry::IDENTITY, &found)]);
            assert!(!judgement.is_finite());
            judgement.label(0, Color::Black);
        }
    }
}
