//! Stones on a board, and what a play makes of them (rules reference, 3.1).

use keima::board::{Color, Point, Size};

/// The colors of all points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Position {
    pub(crate) size: Size,
    /// Row by row from the lower left corner.
    stones: Vec<Option<Color>>,
}

/// A position with what a play removed to get there.
#[derive(Clone, Debug)]
pub(super) struct After {
    pub(super) position: Position,
    pub(super) removed: Vec<(Point, Color)>,
}

impl Position {
    /// The position with these stones; `None` if one of their chains has no liberty.
    pub(crate) fn new(size: Size, stones: &[(Point, Color)]) -> Option<Self> {
        let mut position = Self { size, stones: vec![None; size.width() * size.height()] };
        for &(point, color) in stones {
            position.put(point, Some(color));
        }
        let mut chains = position.chains().into_iter();
        chains.all(|(_, chain)| !position.liberties(&chain).is_empty()).then_some(position)
    }

    fn place(&self, point: Point) -> usize {
        self.size.row(point) * self.size.width() + self.size.column(point)
    }

    fn put(&mut self, point: Point, stone: Option<Color>) {
        let place = self.place(point);
        self.stones[place] = stone;
    }

    /// The stone on a point.
    pub(crate) fn stone(&self, point: Point) -> Option<Color> {
        self.stones[self.place(point)]
    }

    /// All points.
    pub(crate) fn points(&self) -> Vec<Point> {
        let (width, height) = (self.size.width(), self.size.height());
        let row = |y| (0..width).filter_map(move |x| self.size.point(x, y));
        (0..height).flat_map(row).collect()
    }

    /// The points to the left, right, below and above.
    pub(super) fn around(&self, point: Point) -> Vec<Point> {
        let (x, y) = (self.size.column(point), self.size.row(point));
        let mut around = Vec::with_capacity(4);
        if x > 0 {
            around.extend(self.size.point(x - 1, y));
        }
        if y > 0 {
            around.extend(self.size.point(x, y - 1));
        }
        // Off the board there is no point.
        around.extend(self.size.point(x + 1, y));
        around.extend(self.size.point(x, y + 1));
        around
    }

    /// The connected points of the same content: a chain, or an empty region.
    pub(crate) fn connected(&self, point: Point) -> Vec<Point> {
        let mut seen = vec![false; self.stones.len()];
        seen[self.place(point)] = true;
        let mut found = vec![point];
        let mut next = 0;
        while next < found.len() {
            for near in self.around(found[next]) {
                let place = self.place(near);
                if !seen[place] && self.stones[place] == self.stone(point) {
                    seen[place] = true;
                    found.push(near);
                }
            }
            next += 1;
        }
        found
    }

    /// The points next to these that hold `content`, each once.
    pub(super) fn next_to(&self, points: &[Point], content: Option<Color>) -> Vec<Point> {
        let mut found = Vec::new();
        for &point in points {
            for near in self.around(point) {
                if self.stone(near) == content && !points.contains(&near) && !found.contains(&near)
                {
                    found.push(near);
                }
            }
        }
        found
    }

    /// The liberties of a chain.
    pub(super) fn liberties(&self, chain: &[Point]) -> Vec<Point> {
        self.next_to(chain, None)
    }

    /// Whether a chain has a liberty.
    fn has_liberty(&self, chain: &[Point]) -> bool {
        chain.iter().any(|&stone| self.around(stone).iter().any(|&p| self.stone(p).is_none()))
    }

    /// Every chain with its color.
    pub(crate) fn chains(&self) -> Vec<(Color, Vec<Point>)> {
        let parts = self.parts().into_iter();
        parts.filter_map(|part| Some((self.stone(part[0])?, part))).collect()
    }

    /// Every empty region.
    pub(super) fn regions(&self) -> Vec<Vec<Point>> {
        self.parts().into_iter().filter(|part| self.stone(part[0]).is_none()).collect()
    }

    /// The board cut into connected parts of the same content.
    fn parts(&self) -> Vec<Vec<Point>> {
        let mut seen = vec![false; self.stones.len()];
        let mut parts = Vec::new();
        for point in self.points() {
            if !seen[self.place(point)] {
                let part = self.connected(point);
                for &member in &part {
                    seen[self.place(member)] = true;
                }
                parts.push(part);
            }
        }
        parts
    }

    /// What a stone on an empty point leads to: opposing chains without liberty go, then its own.
    pub(super) fn after(&self, point: Point, color: Color) -> After {
        let mut after = After { position: self.clone(), removed: Vec::new() };
        after.position.put(point, Some(color));
        for near in self.around(point) {
            if after.position.stone(near) == Some(!color) {
                after.remove_without_liberty(near);
            }
        }
        after.remove_without_liberty(point);
        after
    }

    /// The position without these stones.
    pub(super) fn without(&self, stones: &[Point]) -> Self {
        let mut position = self.clone();
        for &point in stones {
            position.put(point, None);
        }
        position
    }
}

impl After {
    /// Removes the chain at a point if it has no liberty.
    fn remove_without_liberty(&mut self, point: Point) {
        let Some(color) = self.position.stone(point) else { return };
        let chain = self.position.connected(point);
        if !self.position.has_liberty(&chain) {
            self.position = self.position.without(&chain);
            self.removed.extend(chain.into_iter().map(|stone| (stone, color)));
        }
    }
}
