//! Who owns each point on average over many playouts.

use crate::board::{ARRAY_LEN, Point};

/// Averages per point: 1 when Black owned the point in every playout, -1 when White did.
#[derive(Clone, Debug, PartialEq)]
pub struct Ownership {
    /// Indexed by [`Point::index`].
    values: Vec<f32>,
}

impl Ownership {
    /// Averages from sums over this many playouts, indexed by point. All zero without playouts.
    pub fn from_sums(sums: &[i32], playouts: u64) -> Self {
        let scale = if playouts == 0 { 0.0 } else { 1.0 / playouts as f32 };
        Self::from_values(sums.iter().map(|&sum| sum as f32 * scale))
    }

    /// Averages by index of the point, zero beyond them.
    pub fn from_values(values: impl Iterator<Item = f32>) -> Self {
        let mut values: Vec<f32> = values.collect();
        values.resize(ARRAY_LEN, 0.0);
        Self { values }
    }

    /// These with others of this weight, 0 to 1, in their place.
    #[must_use]
    pub fn mixed(&self, other: &Self, weight: f32) -> Self {
        let mix = |(own, other): (&f32, &f32)| (1.0 - weight) * own + weight * other;
        Self { values: self.values.iter().zip(&other.values).map(mix).collect() }
    }

    /// The average of a point in -1..=1, Black positive.
    pub fn at(&self, point: Point) -> f32 {
        self.values[point.index()]
    }

    /// The mean over some points; 0 for none.
    pub fn mean(&self, points: &[Point]) -> f32 {
        if points.is_empty() {
            return 0.0;
        }
        points.iter().map(|&point| self.at(point)).sum::<f32>() / points.len() as f32
    }
}
