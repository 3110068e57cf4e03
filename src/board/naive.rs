//! A slow, plain board: flood fill and nothing clever. The oracle of tests and fuzzing.
//!
//! Written from rules.md 3.1 only, it shares no code with the fast board but for points and
//! colors.

use super::{Color, Point, PointSet, Removed, Size, Suicide};

/// Stones by point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NaiveBoard {
    size: Size,
    stones: Vec<Option<Color>>,
}

impl NaiveBoard {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        Self { size, stones: vec![None; super::ARRAY_LEN] }
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.stones[point.index()]
    }

    /// Puts a stone down or takes one away, without any rule.
    pub fn set(&mut self, point: Point, stone: Option<Color>) {
        self.stones[point.index()] = stone;
    }

    /// The connected points of the same content as this one.
    pub fn region(&self, point: Point) -> PointSet {
        let mut region = PointSet::EMPTY;
        let mut todo = vec![point];
        while let Some(p) = todo.pop() {
            if region.insert(p) {
                let same = |&q: &Point| self.stone(q) == self.stone(point);
                todo.extend(self.size.neighbors(p).filter(same));
            }
        }
        region
    }

    /// Empty points next to the chain at a point.
    pub fn liberties(&self, point: Point) -> PointSet {
        self.region(point)
            .iter()
            .flat_map(|p| self.size.neighbors(p))
            .filter(|&q| self.stone(q).is_none())
            .collect()
    }

    /// The position after a play and what it removed; `None` if the point is occupied or the
    /// suicide is not allowed.
    pub fn after(&self, point: Point, color: Color, suicide: Suicide) -> Option<(Self, Removed)> {
        if self.stone(point).is_some() {
            return None;
        }
        let mut board = self.clone();
        board.set(point, Some(color));
        let mut removed = Removed::default();
        for neighbor in self.size.neighbors(point) {
            if board.stone(neighbor) == Some(!color) && board.liberties(neighbor).is_empty() {
                removed.captured += board.take_off(neighbor);
            }
        }
        if board.liberties(point).is_empty() {
            removed.suicided = board.take_off(point);
        }
        suicide.allows(removed.suicided).then_some((board, removed))
    }

    fn take_off(&mut self, point: Point) -> usize {
        let chain = self.region(point);
        for stone in chain.iter() {
            self.set(stone, None);
        }
        chain.len()
    }

    /// Whether an empty point is a real eye by its neighbors and diagonals.
    pub fn is_eyelike(&self, point: Point, color: Color) -> bool {
        let own = |&q: &Point| self.stone(q) == Some(color);
        if self.stone(point).is_some() || !self.size.neighbors(point).all(|q| own(&q)) {
            return false;
        }
        let (column, row) = (self.size.column(point), self.size.row(point));
        let mut opponents = 0;
        let mut at_edge = false;
        for (x, y) in [(0, 0), (2, 0), (0, 2), (2, 2)] {
            // Shifted by one, so that the left and lower neighbors stay unsigned.
            let diagonal = (column + x).checked_sub(1).zip((row + y).checked_sub(1));
            match diagonal.and_then(|(x, y)| self.size.point(x, y)) {
                Some(q) => opponents += usize::from(self.stone(q) == Some(!color)),
                None => at_edge = true,
            }
        }
        opponents + usize::from(at_edge) < 2
    }
}
