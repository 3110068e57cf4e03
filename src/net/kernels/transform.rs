//! From boards with borders to transformed tiles.

use super::lanes::Words;
use super::tiles::{Along, Four, Grid, Three, Tile};
use super::{Task, Word};

/// Transforms the inputs of a convolution.
#[derive(Debug)]
pub(crate) struct Transform<'a, T> {
    pub(crate) grid: Grid,
    /// Words of a point, whole vectors.
    pub(crate) stride: usize,
    /// Boards with borders, point by point.
    pub(crate) boards: &'a [T],
    /// By position of the tile, tile and word.
    pub(crate) tiles: &'a mut [T],
}

impl<T: Word> Task for Transform<'_, T> {
    type Word = T;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = T>>(self, words: W) {
        match self.grid.tile {
            Tile::Three => self.of_size::<N, W, Three, 5, 3>(words),
            Tile::Four => self.of_size::<N, W, Four, 6, 4>(words),
        }
    }
}

impl<T: Word> Transform<'_, T> {
    #[inline(always)]
    fn of_size<const N: usize, W, A, const I: usize, const O: usize>(self, w: W)
    where
        W: Words<N, Word = T>,
        A: Along<I, O>,
    {
        let Self { grid, stride, boards, tiles } = self;
        let (columns, all) = (grid.columns(), grid.tiles());
        let mut tile = 0;
        for board in boards.chunks_exact(grid.bordered() * stride).take(grid.batch) {
            for row in 0..grid.tile_rows() {
                for column in 0..grid.tile_columns() {
                    let corner = (row * columns + column) * O * stride;
                    for word in (0..stride).step_by(N) {
                        let from = &board[corner + word..];
                        let square = square::<N, W, A, I, O>(w, from, stride, columns * stride);
                        for position in 0..I * I {
                            let to = (position * all + tile) * stride + word;
                            if let Some(to) = tiles[to..].first_chunk_mut() {
                                w.store(square[position / I][position % I], to);
                            }
                        }
                    }
                    tile += 1;
                }
            }
        }
    }
}

/// The transform of a square, row by row.
#[inline(always)]
fn square<const N: usize, W, A, const I: usize, const O: usize>(
    w: W,
    from: &[W::Word],
    point: usize,
    row: usize,
) -> [[W::Vector; I]; I]
where
    W: Words<N>,
    A: Along<I, O>,
{
    let zero = w.splat(W::Word::default());
    let mut square = [[zero; I]; I];
    for y in 0..I {
        let mut inputs = [zero; I];
        for x in 0..I {
            if let Some(words) = from[y * row + x * point..].first_chunk() {
                inputs[x] = w.load(words);
            }
        }
        square[y] = A::inputs(w, inputs);
    }
    for x in 0..I {
        let mut inputs = [zero; I];
        for y in 0..I {
            inputs[y] = square[y][x];
        }
        let outputs = A::inputs(w, inputs);
        for y in 0..I {
            square[y][x] = outputs[y];
        }
    }
    square
}
