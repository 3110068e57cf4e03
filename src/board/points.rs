//! Sets and lists of points.

use super::ARRAY_LEN;
use super::point::Point;

/// A set of points, as bits. Iteration goes by ascending index: row by row from the lower left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PointSet {
    bits: [u64; ARRAY_LEN / 64],
}

impl PointSet {
    /// The set without points.
    pub const EMPTY: Self = Self { bits: [0; ARRAY_LEN / 64] };

    /// Whether the point is in the set.
    pub const fn contains(&self, point: Point) -> bool {
        self.bits[point.index() / 64] >> (point.index() % 64) & 1 == 1
    }

    /// Puts a point in; `true` if it was not there.
    pub const fn insert(&mut self, point: Point) -> bool {
        let new = !self.contains(point);
        self.bits[point.index() / 64] |= 1 << (point.index() % 64);
        new
    }

    /// Takes a point out; `true` if it was there.
    pub const fn remove(&mut self, point: Point) -> bool {
        let old = self.contains(point);
        self.bits[point.index() / 64] &= !(1 << (point.index() % 64));
        old
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.bits.iter().all(|&word| word == 0)
    }

    /// The point of the lowest index.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points by ascending index.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.bits.iter().enumerate().flat_map(|(i, &word)| {
            // Each step clears the lowest bit that is set.
            std::iter::successors((word != 0).then_some(word), |&w| {
                let rest = w & (w - 1);
                (rest != 0).then_some(rest)
            })
            .map(move |w| Point::from_index(i * 64 + w.trailing_zeros() as usize))
        })
    }
}

impl Default for PointSet {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Extend<Point> for PointSet {
    fn extend<I: IntoIterator<Item = Point>>(&mut self, points: I) {
        for point in points {
            self.insert(point);
        }
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        let mut set = Self::EMPTY;
        set.extend(points);
        set
    }
}
