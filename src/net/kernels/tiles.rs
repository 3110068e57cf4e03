//! Convolutions of 3 x 3 by tiles (S. Winograd 1980; A. Lavin, S. Gray 2016).
//!
//! A tile of `m` x `m` outputs depends on `m + 2` x `m + 2` inputs. Both sides are transformed so that
//! one product for each of the `(m + 2)^2` positions takes the place of 9 for each output. The
//! transform of inputs has integer coefficients, so it is exact in integers.

use super::lanes::{Floats, Words};

/// Sizes of tiles.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) enum Tile {
    /// 3 x 3 outputs from 25 products.
    Three,
    /// 4 x 4 outputs from 36 products.
    Four,
}

impl Tile {
    /// The one that needs fewer products on a board.
    pub(crate) fn for_board(width: usize, height: usize) -> Self {
        let products = |tile: Self| {
            let side = tile.side();
            width.div_ceil(side) * height.div_ceil(side) * tile.positions()
        };
        if products(Self::Three) <= products(Self::Four) { Self::Three } else { Self::Four }
    }

    /// Outputs along a side.
    pub(crate) fn side(self) -> usize {
        match self {
            Self::Three => 3,
            Self::Four => 4,
        }
    }

    /// Products of a tile, for each pair of channels.
    pub(crate) fn positions(self) -> usize {
        (self.side() + 2) * (self.side() + 2)
    }

    /// What weights are multiplied with from the left, and transposed from the right.
    pub(crate) fn of_weights(self) -> &'static [[f64; 3]] {
        const THREE: [[f64; 3]; 5] = [
            [1.0 / 2.0, 0.0, 0.0],
            [-1.0 / 2.0, -1.0 / 2.0, -1.0 / 2.0],
            [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
            [1.0 / 6.0, 1.0 / 3.0, 2.0 / 3.0],
            [0.0, 0.0, 1.0],
        ];
        const FOUR: [[f64; 3]; 6] = [
            [1.0 / 4.0, 0.0, 0.0],
            [-1.0 / 6.0, -1.0 / 6.0, -1.0 / 6.0],
            [-1.0 / 6.0, 1.0 / 6.0, -1.0 / 6.0],
            [1.0 / 24.0, 1.0 / 12.0, 1.0 / 6.0],
            [1.0 / 24.0, -1.0 / 12.0, 1.0 / 6.0],
            [0.0, 0.0, 1.0],
        ];
        match self {
            Self::Three => &THREE,
            Self::Four => &FOUR,
        }
    }

    /// The matrix of the input transform, row by row.
    pub(crate) fn of_inputs(self) -> &'static [&'static [i16]] {
        match self {
            Self::Three => &[
                &[2, -1, -2, 1, 0],
                &[0, -2, -1, 1, 0],
                &[0, 2, -3, 1, 0],
                &[0, -1, 0, 1, 0],
                &[0, 2, -1, -2, 1],
            ],
            Self::Four => &[
                &[4, 0, -5, 0, 1, 0],
                &[0, -4, -4, 1, 1, 0],
                &[0, 4, -4, -1, 1, 0],
                &[0, -2, -1, 2, 1, 0],
                &[0, 2, -1, -2, 1, 0],
                &[0, 4, 0, -5, 0, 1],
            ],
        }
    }

    /// The largest size of the transform of inputs from 0 to 1, at each position.
    pub(crate) fn growth(self) -> Vec<f64> {
        let rows = self.of_inputs();
        let largest = |a: &[i16], b: &[i16]| {
            let products = a.iter().flat_map(|&a| b.iter().map(move |&b| f64::from(a * b)));
            let (more, less): (Vec<f64>, Vec<f64>) = products.partition(|&product| product > 0.0);
            more.iter().sum::<f64>().max(-less.iter().sum::<f64>())
        };
        rows.iter().flat_map(|a| rows.iter().map(move |b| largest(a, b))).collect()
    }
}

/// Boards of a batch, cut into tiles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Grid {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pub(crate) batch: usize,
    pub(crate) tile: Tile,
}

impl Grid {
    pub(crate) fn new(width: usize, height: usize, batch: usize) -> Self {
        Self { width, height, batch, tile: Tile::for_board(width, height) }
    }

    /// Points of a board.
    pub(crate) fn points(&self) -> usize {
        self.width * self.height
    }

    pub(crate) fn tile_columns(&self) -> usize {
        self.width.div_ceil(self.tile.side())
    }

    pub(crate) fn tile_rows(&self) -> usize {
        self.height.div_ceil(self.tile.side())
    }

    /// Tiles of all boards.
    pub(crate) fn tiles(&self) -> usize {
        self.batch * self.tile_columns() * self.tile_rows()
    }

    /// Points in a row of a board with its border and what is missing to whole tiles.
    pub(crate) fn columns(&self) -> usize {
        self.tile_columns() * self.tile.side() + 2
    }

    /// Points of such a board.
    pub(crate) fn bordered(&self) -> usize {
        self.columns() * (self.tile_rows() * self.tile.side() + 2)
    }
}

/// The transforms of a tile, along one side: `I` inputs, `O` outputs.
pub(super) trait Along<const I: usize, const O: usize> {
    fn inputs<const N: usize, W: Words<N>>(w: W, d: [W::Vector; I]) -> [W::Vector; I];
    fn outputs<const N: usize, F: Floats<N>>(f: F, m: [F::Float; I]) -> [F::Float; O];
}

/// [`Tile::Three`].
pub(super) struct Three;

impl Along<5, 3> for Three {
    #[inline(always)]
    fn inputs<const N: usize, W: Words<N>>(w: W, d: [W::Vector; 5]) -> [W::Vector; 5] {
        let two = |v: W::Vector| w.add(v, v);
        let minus = w.sub(d[3], d[1]);
        [
            w.add(two(w.sub(d[0], d[2])), minus),
            w.sub(w.sub(d[3], two(d[1])), d[2]),
            w.add(w.sub(two(d[1]), w.times(d[2], 3)), d[3]),
            minus,
            w.sub(w.sub(d[4], d[2]), two(minus)),
        ]
    }

    #[inline(always)]
    fn outputs<const N: usize, F: Floats<N>>(f: F, m: [F::Float; 5]) -> [F::Float; 3] {
        let (sum, difference) = (f.add(m[1], m[2]), f.sub(m[1], m[2]));
        let two = f.add(m[3], m[3]);
        [
            f.add(f.add(m[0], sum), m[3]),
            f.add(difference, two),
            f.add(f.add(sum, f.add(two, two)), m[4]),
        ]
    }
}

/// [`Tile::Four`].
pub(super) struct Four;

impl Along<6, 4> for Four {
    #[inline(always)]
    fn inputs<const N: usize, W: Words<N>>(w: W, d: [W::Vector; 6]) -> [W::Vector; 6] {
        let four = |v: W::Vector| w.times(v, 4);
        // Even and odd parts of the middle rows.
        let (even, odd) = (w.sub(d[4], four(d[2])), w.sub(d[3], four(d[1])));
        let (near_even, near_odd) = (w.sub(d[4], d[2]), w.sub(d[3], d[1]));
        let near_odd = w.add(near_odd, near_odd);
        [
            w.add(w.sub(four(d[0]), w.times(d[2], 5)), d[4]),
            w.add(even, odd),
            w.sub(even, odd),
            w.add(near_even, near_odd),
            w.sub(near_even, near_odd),
            w.add(w.sub(four(d[1]), w.times(d[3], 5)), d[5]),
        ]
    }

    #[inline(always)]
    fn outputs<const N: usize, F: Floats<N>>(f: F, m: [F::Float; 6]) -> [F::Float; 4] {
        let (sum, difference) = (f.add(m[1], m[2]), f.sub(m[1], m[2]));
        let (far_sum, far_difference) = (f.add(m[3], m[4]), f.sub(m[3], m[4]));
        let two = f.add(far_difference, far_difference);
        let four = f.add(far_sum, far_sum);
        let four = f.add(four, four);
        let eight = f.add(two, two);
        let eight = f.add(eight, eight);
        [
            f.add(f.add(m[0], sum), far_sum),
            f.add(difference, two),
            f.add(sum, four),
            f.add(f.add(difference, eight), m[5]),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::super::lanes::Real;
    use super::super::plain::Plain;
    use super::*;

    /// The convolution of one tile along a side, by the transforms and directly.
    fn check<A: Along<I, O>, const I: usize, const O: usize>(tile: Tile) {
        let weights = [0.7, -1.3, 2.1];
        let inputs: [f32; I] = std::array::from_fn(|i| (i * i % 7) as f32 - 2.0);
        let transformed = A::inputs(Real(Plain), inputs.map(|input| [input; 8]));
        for (row, found) in tile.of_inputs().iter().zip(transformed) {
            let expected: f32 = row.iter().zip(inputs).map(|(&a, x)| f32::from(a) * x).sum();
            assert!((expected - found[0]).abs() < 1e-4, "{row:?}: {}", found[0]);
        }
        let products: [[f32; 8]; I] = std::array::from_fn(|i| {
            let row = tile.of_weights()[i];
            let weight: f64 = row.iter().zip(weights).map(|(a, w)| a * w).sum();
            transformed[i].map(|input| input * weight as f32)
        });
        for (i, found) in A::outputs(Plain, products).into_iter().enumerate() {
            let expected: f64 = (0..3).map(|j| weights[j] * f64::from(inputs[i + j])).sum();
            assert!((expected as f32 - found[0]).abs() < 1e-4, "output {i}");
        }
    }

    #[test]
    fn tiles_are_convolutions() {
        check::<Three, 5, 3>(Tile::Three);
        check::<Four, 6, 4>(Tile::Four);
    }
}
