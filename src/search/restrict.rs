//! Which moves a search may look at.

use crate::board::{Color, Move, Point, PointSet};

/// What one side may not play in the first turns of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Restriction {
    /// Whose moves.
    pub color: Color,
    /// The points that it speaks of.
    pub points: PointSet,
    /// Whether it speaks of passes, too.
    pub pass: bool,
    /// Whether it allows these moves and no others, or forbids them.
    pub allows: bool,
    /// How many turns from the root it lasts, both sides' counted; the root's own is the first.
    pub turns: usize,
}

impl Restriction {
    fn forbids(&self, color: Color, turn: usize, mv: Move) -> bool {
        let is_named = match mv {
            Move::Play(point) => self.points.contains(point),
            Move::Pass => self.pass,
        };
        color == self.color && turn < self.turns && is_named != self.allows
    }
}

/// All restrictions of a search; none by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restrictions(Vec<Restriction>);

impl Restrictions {
    /// These, each of which must permit a move.
    pub fn new(restrictions: Vec<Restriction>) -> Self {
        Self(restrictions)
    }

    /// Only such points, or a pass, for the next move of a side.
    pub fn only(color: Color, points: PointSet) -> Self {
        Self(vec![Restriction { color, points, pass: true, allows: true, turns: 1 }])
    }

    /// Whether every move is permitted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a side may make a move in a turn; the root's own is turn 0.
    pub fn permit(&self, color: Color, turn: usize, mv: Move) -> bool {
        !self.0.iter().any(|restriction| restriction.forbids(color, turn, mv))
    }

    /// As [`Self::permit`], for the index of a point, or 0 for a pass.
    pub(super) fn permit_index(&self, color: Color, turn: usize, index: usize) -> bool {
        let mv = if index == 0 { Move::Pass } else { Move::Play(Point::from_index(index)) };
        self.permit(color, turn, mv)
    }

    /// Whether some restriction lasts longer than the root's own turn.
    pub(super) fn are_deep(&self) -> bool {
        self.0.iter().any(|restriction| restriction.turns > 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn what_is_permitted_depends_on_side_and_turn() {
        let size = Size::square(9).unwrap();
        let [a, b] = ["A1", "B2"].map(|text| size.parse_point(text).unwrap());
        let points: PointSet = [a].into_iter().collect();
        let avoid =
            Restriction { color: Color::Black, points, pass: true, allows: false, turns: 3 };
        let avoid = Restrictions::new(vec![avoid]);
        assert!(!avoid.permit(Color::Black, 2, Move::Play(a)));
        assert!(!avoid.permit(Color::Black, 0, Move::Pass));
        assert!(avoid.permit(Color::Black, 4, Move::Play(a)));
        assert!(avoid.permit(Color::White, 1, Move::Play(a)));
        assert!(avoid.permit(Color::Black, 0, Move::Play(b)));
        let only = Restrictions::only(Color::White, points);
        assert!(only.permit(Color::White, 0, Move::Play(a)));
        assert!(only.permit(Color::White, 0, Move::Pass));
        assert!(!only.permit(Color::White, 0, Move::Play(b)));
        assert!(only.permit(Color::White, 2, Move::Play(b)));
        assert!(avoid.are_deep() && !only.are_deep());
    }
}
