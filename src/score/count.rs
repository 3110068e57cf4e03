//! Counting a position after its dead stones are lifted (rules.md 3.3 to 3.6).

use super::groups::Groups;
use crate::board::{ARRAY_LEN, Board, ByColor, Color, Point, PointSet, Size};

/// Raw numbers of a position, from which every way of scoring takes what it needs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Stones on the board.
    pub stones: ByColor<usize>,
    /// Dead stones of each color that were lifted.
    pub lifted: ByColor<usize>,
    /// Empty points surrounded by one color.
    pub own: ByColor<usize>,
    /// The same without points in seki and points that must be filled (`seki=auto`).
    pub own_no_seki: ByColor<usize>,
    /// The same without the points of groups in seki (`seki=strict`).
    pub own_no_seki_strict: ByColor<usize>,
    /// Group tax: two points for each group that is not in seki.
    pub tax: ByColor<usize>,
    /// Group tax under `seki=strict`.
    pub tax_strict: ByColor<usize>,
}

impl Counts {
    /// Counts a position after lifting these stones. A dead stone stands for its chain; empty
    /// points in the set are ignored.
    pub fn new(board: &Board, dead: &PointSet) -> Self {
        let (lifted, position) = Lifted::new(board, dead);
        let mut counts = Self { lifted, ..Self::default() };
        for point in position.size.iter() {
            if let Some(color) = position.stone(point) {
                counts.stones[color] += 1;
            }
        }
        Groups::new(&position).count(&mut counts);
        counts
    }
}

/// A position without its dead stones. Chains need not have liberties of their own here, so it is
/// no [`Board`].
#[derive(Debug)]
pub(super) struct Lifted {
    pub(super) size: Size,
    stones: Vec<Option<Color>>,
}

impl Lifted {
    /// Lifts the chains of these stones; how many stones of each color went, and what is left.
    pub(super) fn new(board: &Board, dead: &PointSet) -> (ByColor<usize>, Self) {
        let mut lifted = ByColor::default();
        let mut stones = vec![None; ARRAY_LEN];
        for (color, chain) in board.chains() {
            if chain.iter().any(|&point| dead.contains(point)) {
                lifted[color] += chain.len();
            } else {
                for point in chain {
                    stones[point.index()] = Some(color);
                }
            }
        }
        (lifted, Self { size: board.size(), stones })
    }

    /// The stone on a point.
    pub(super) fn stone(&self, point: Point) -> Option<Color> {
        self.stones[point.index()]
    }

    /// The connected points of equal content around this one, and the points next to them.
    pub(super) fn region(&self, point: Point) -> (Vec<Point>, PointSet) {
        let content = self.stone(point);
        let mut seen = PointSet::EMPTY;
        let mut border = PointSet::EMPTY;
        seen.insert(point);
        let mut points = vec![point];
        let mut done = 0;
        while let Some(&here) = points.get(done) {
            done += 1;
            for next in self.size.neighbors(here) {
                if self.stone(next) != content {
                    border.insert(next);
                } else if seen.insert(next) {
                    points.push(next);
                }
            }
        }
        (points, border)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn area_of_a_divided_board() {
        let board = Board::from_diagram(".X.O./XX.OO/.X.O./XX.OX/.X.O.").unwrap();
        let dead = [board.size().parse_point("E2").unwrap()].into_iter().collect();
        let counts = Counts::new(&board, &dead);
        assert_eq!(counts.stones, ByColor { black: 7, white: 6 });
        assert_eq!(counts.lifted, ByColor { black: 1, white: 0 });
        assert_eq!(counts.own, ByColor { black: 3, white: 4 });
    }

    #[test]
    fn nobody_owns_an_empty_board() {
        let board = Board::new(Size::square(9).unwrap());
        assert_eq!(Counts::new(&board, &PointSet::EMPTY), Counts::default());
    }

    #[test]
    fn points_sum_to_the_board() {
        // Five neutral points between the walls.
        let board = Board::from_diagram(".X.O./.X.O./.X.O./.X.O./.X.O.").unwrap();
        let counts = Counts::new(&board, &PointSet::EMPTY);
        let sum = |by: ByColor<usize>| by.black + by.white;
        assert_eq!(sum(counts.stones) + sum(counts.own) + 5, 25);
    }
}
