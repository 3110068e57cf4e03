//! The ways of turning a board: eight of a square, four of a rectangle.

use super::{Evaluation, Features, PLANES};
use crate::board::Size;

/// A way of turning a board: bit 0 of its number mirrors top and bottom, bit 1 left and right, bit 2
/// swaps columns and rows after that, on squares only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// The one that leaves all as it is.
    pub const IDENTITY: Self = Self(0);

    /// All that a board of this size has, by number.
    pub fn all(size: Size) -> impl Iterator<Item = Self> {
        (0..if size.is_square() { 8 } else { 4 }).map(Self)
    }

    /// Where the content of each point of a turned board comes from; points in rows from the top.
    pub fn sources(self, size: Size) -> Vec<usize> {
        let (width, height) = (size.width(), size.height());
        let source = |point: usize| {
            let (mut row, mut column) = (point / width, point % width);
            if self.0 & 4 != 0 {
                (row, column) = (column, row);
            }
            if self.0 & 2 != 0 {
                column = width - 1 - column;
            }
            if self.0 & 1 != 0 {
                row = height - 1 - row;
            }
            row * width + column
        };
        (0..size.points()).map(source).collect()
    }
}

impl Features {
    /// The inputs of the turned position.
    #[must_use]
    pub fn turned(&self, symmetry: Symmetry, size: Size) -> Self {
        let sources = symmetry.sources(size);
        let planes = sources.iter().flat_map(|&source| &self.planes[source * PLANES..][..PLANES]);
        Self { planes: planes.copied().collect(), globals: self.globals.clone() }
    }
}

impl Evaluation {
    /// The evaluation of a position of which this is that of the turned one.
    #[must_use]
    pub fn turned_back(&self, symmetry: Symmetry, size: Size) -> Self {
        let sources = symmetry.sources(size);
        let back = |turned: &[f32]| {
            let mut values = vec![0.0; turned.len()];
            sources.iter().zip(turned).for_each(|(&source, &value)| values[source] = value);
            values
        };
        Self { policy: back(&self.policy), ownership: back(&self.ownership), ..self.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{ColoredMove, Move, Point};
    use crate::game::Game;
    use crate::net::{Arithmetic, Kernel, Network, Position, Workspace, testing};

    const SIZES: [(usize, usize); 3] = [(7, 7), (5, 8), (9, 4)];

    fn sizes() -> impl Iterator<Item = Size> {
        SIZES.into_iter().filter_map(|(width, height)| Size::new(width, height))
    }

    #[test]
    fn the_numbers_mean_what_they_say() {
        let size = Size::square(3).unwrap();
        // Where the top left corner and the point to its right go.
        let targets = Symmetry::all(size).map(|symmetry| {
            let sources = symmetry.sources(size);
            [0, 1].map(|point| sources.iter().position(|&source| source == point).unwrap())
        });
        let expected = [[0, 1], [6, 7], [2, 1], [8, 7], [0, 3], [2, 5], [6, 3], [8, 5]];
        assert_eq!(targets.collect::<Vec<_>>(), expected);
    }

    #[test]
    fn turning_back_undoes_turning() {
        let mut rng = testing::Rng::new(1);
        for size in sizes() {
            let numbers: Vec<f32> = (0..size.points()).map(|_| rng.below(1000) as f32).collect();
            for symmetry in Symmetry::all(size) {
                let turned: Vec<f32> =
                    symmetry.sources(size).iter().map(|&source| numbers[source]).collect();
                assert!(symmetry == Symmetry::IDENTITY || turned != numbers, "{symmetry:?}");
                let (policy, ownership) = (turned.clone(), turned);
                let turned = Evaluation { policy, ownership, lead: 3.0, ..Evaluation::default() };
                let back = turned.turned_back(symmetry, size);
                assert_eq!((&back.policy, &back.ownership), (&numbers, &numbers), "{symmetry:?}");
                assert_eq!(back.lead.to_bits(), 3.0_f32.to_bits());
            }
        }
    }

    /// A game at random, and the same game turned.
    fn games(size: Size, symmetry: Symmetry, seed: u64) -> [Game; 2] {
        let points: Vec<Point> = size.iter_from_top().collect();
        let mut targets = vec![0; points.len()];
        symmetry.sources(size).iter().enumerate().for_each(|(new, &old)| targets[old] = new);
        let mut rng = testing::Rng::new(seed);
        let mut games = [Game::new(size), Game::new(size)];
        for _ in 0..size.points() {
            let point = rng.below(points.len() as u32) as usize;
            let color = games[0].to_play();
            let moves = [points[point], points[targets[point]]];
            let played: Vec<bool> = std::iter::zip(&mut games, moves)
                .map(|(game, point)| game.play(ColoredMove { color, mv: Move::Play(point) }))
                .map(|played| played.is_ok())
                .collect();
            assert_eq!(played[0], played[1], "legal alike");
        }
        games
    }

    #[test]
    fn a_turned_game_has_turned_inputs_and_outputs() {
        let network = Network::new(&testing::model(3, 8), Arithmetic::Real, Kernel::Plain);
        let mut workspace = Workspace::default();
        for size in sizes() {
            for (seed, symmetry) in (1..).zip(Symmetry::all(size)) {
                let [game, turned] = games(size, symmetry, seed)
                    .map(|game| Position::new(&game, game.to_play(), game.komi().hundredths()));
                let [game, turned] = [game, turned].map(|position| Features::new(&position));
                assert_eq!(game.turned(symmetry, size), turned, "{size} {symmetry:?}");
                // The network sees the turned game; its answer is for the points of the first one.
                let answer = network.evaluate(&[turned], size, &mut workspace).remove(0);
                let back = answer.turned_back(symmetry, size);
                let sources = symmetry.sources(size);
                for (new, &old) in sources.iter().enumerate() {
                    assert_eq!(back.policy[old].to_bits(), answer.policy[new].to_bits());
                    assert_eq!(back.ownership[old].to_bits(), answer.ownership[new].to_bits());
                }
            }
        }
    }
}
