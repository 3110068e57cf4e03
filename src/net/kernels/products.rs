//! Products of activations and weights: of transformed tiles, and of points.

use super::lanes::{Floats, Words};
use super::tiles::{Along, Four, Grid, Three, Tile};
use super::{Task, Word};

/// Outputs that are computed together, two vectors.
pub(crate) fn block_of(lanes: usize) -> usize {
    2 * lanes
}

/// Products of tiles, and the transform of the outputs.
#[derive(Debug)]
pub(crate) struct TileProducts<'a, T> {
    pub(crate) grid: Grid,
    /// Words of a tile at a position.
    pub(crate) stride: usize,
    /// Words of them that are multiplied.
    pub(crate) depth: usize,
    /// By position, tile and word.
    pub(crate) tiles: &'a [T],
    /// By block of outputs, position, word, and output in the block.
    pub(crate) weights: &'a [T],
    /// What sums are multiplied with, by block, position and output; empty for nothing.
    pub(crate) scales: &'a [f32],
    /// Room for sums by position, tile and output of a block.
    pub(crate) sums: &'a mut [f32],
    /// By board, point and output.
    pub(crate) output: &'a mut [f32],
    /// Whether the results are added to what is in the output.
    pub(crate) adds: bool,
}

impl<T: Word> Task for TileProducts<'_, T> {
    type Word = T;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = T>>(mut self, words: W) {
        let tile = self.grid.tile;
        let outputs = self.weights.len() / (tile.positions() * self.depth);
        for block in 0..outputs / block_of(N) {
            self.multiply(words, block);
            match tile {
                Tile::Three => {
                    self.write::<N, _, Three, 5, 3>(words.floats(), block * block_of(N), outputs);
                }
                Tile::Four => {
                    self.write::<N, _, Four, 6, 4>(words.floats(), block * block_of(N), outputs);
                }
            }
        }
    }
}

impl<T: Word> TileProducts<'_, T> {
    /// All sums of a block.
    #[inline(always)]
    fn multiply<const N: usize, W: Words<N, Word = T>>(&mut self, w: W, block: usize) {
        let (tiles, positions) = (self.grid.tiles(), self.grid.tile.positions());
        let floats = w.floats();
        for position in 0..positions {
            let index = block * positions + position;
            let size = self.depth * block_of(N);
            let weights = &self.weights[index * size..(index + 1) * size];
            let rows = &self.tiles[position * tiles * self.stride..];
            let sums = &mut self.sums[position * tiles * block_of(N)..];
            let scales = if self.scales.is_empty() {
                [floats.splat(1.0); 2]
            } else {
                pair(floats, &self.scales[index * block_of(N)..])
            };
            let mut sink = Scaled { floats, scales, sums };
            multiply(w, rows, self.stride, tiles, weights, &mut sink);
        }
    }

    /// The outputs of a block, whose first output is given.
    #[inline(always)]
    fn write<const N: usize, F, A, const I: usize, const O: usize>(
        &mut self,
        f: F,
        first: usize,
        outputs: usize,
    ) where
        F: Floats<N>,
        A: Along<I, O>,
    {
        let Grid { width, height, batch, .. } = self.grid;
        let (columns, rows) = (self.grid.tile_columns(), self.grid.tile_rows());
        let all = self.grid.tiles() * block_of(N);
        for tile in 0..batch * rows * columns {
            let (board, row, column) =
                (tile / (rows * columns), tile / columns % rows, tile % columns);
            for half in [0, N] {
                let from = &self.sums[tile * block_of(N) + half..];
                let square = square::<N, F, A, I, O>(f, from, all);
                for y in 0..O.min(height - row * O) {
                    for x in 0..O.min(width - column * O) {
                        let point = (board * height + row * O + y) * width + column * O + x;
                        let to = &mut self.output[point * outputs + first + half..];
                        let Some(to) = to.first_chunk_mut() else { continue };
                        let before = if self.adds { f.load(to) } else { f.splat(0.0) };
                        f.store(f.add(before, square[y][x]), to);
                    }
                }
            }
        }
    }
}

/// The transform of the sums of a tile, of which `all` lie between two positions.
#[inline(always)]
fn square<const N: usize, F, A, const I: usize, const O: usize>(
    f: F,
    from: &[f32],
    all: usize,
) -> [[F::Float; O]; O]
where
    F: Floats<N>,
    A: Along<I, O>,
{
    let zero = f.splat(0.0);
    let mut halfway = [[zero; O]; I];
    for y in 0..I {
        let mut sums = [zero; I];
        for x in 0..I {
            if let Some(numbers) = from[(y * I + x) * all..].first_chunk() {
                sums[x] = f.load(numbers);
            }
        }
        halfway[y] = A::outputs(f, sums);
    }
    let mut square = [[zero; O]; O];
    for x in 0..O {
        let mut sums = [zero; I];
        for y in 0..I {
            sums[y] = halfway[y][x];
        }
        let outputs = A::outputs(f, sums);
        for y in 0..O {
            square[y][x] = outputs[y];
        }
    }
    square
}

/// Products of points: a convolution of 1 x 1.
#[derive(Debug)]
pub(crate) struct PointProducts<'a, T> {
    /// Words of a point.
    pub(crate) stride: usize,
    /// Words of them that are multiplied.
    pub(crate) depth: usize,
    pub(crate) points: &'a [T],
    /// By block of outputs, word, and output in the block.
    pub(crate) weights: &'a [T],
    /// By point and output.
    pub(crate) output: &'a mut [f32],
}

impl<T: Word> Task for PointProducts<'_, T> {
    type Word = T;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = T>>(self, w: W) {
        let Self { stride, depth, points, weights, output } = self;
        let outputs = weights.len() / depth;
        for (block, weights) in weights.chunks_exact(depth * block_of(N)).enumerate() {
            let first = block * block_of(N);
            let mut sink = Spread { outputs, first, output: &mut *output };
            multiply(w, points, stride, points.len() / stride, weights, &mut sink);
        }
    }
}

/// Takes the sums of a row: a trait rather than a closure, since closures may stay functions of their
/// own, which then lack the kernel's instructions.
trait Sink<const N: usize, W: Words<N>> {
    fn take(&mut self, w: W, row: usize, sums: [W::Sum; 2]);
}

/// Multiplies sums and puts them one after the other.
struct Scaled<'a, const N: usize, F: Floats<N>> {
    floats: F,
    scales: [F::Float; 2],
    sums: &'a mut [f32],
}

impl<const N: usize, W: Words<N>> Sink<N, W> for Scaled<'_, N, W::Floats> {
    #[inline(always)]
    fn take(&mut self, w: W, row: usize, [first, second]: [W::Sum; 2]) {
        let (halves, _) = self.sums[row * block_of(N)..][..block_of(N)].as_chunks_mut::<N>();
        self.floats.store(self.floats.mul(w.to_float(first), self.scales[0]), &mut halves[0]);
        self.floats.store(self.floats.mul(w.to_float(second), self.scales[1]), &mut halves[1]);
    }
}

/// Puts sums where the outputs of points have their place.
struct Spread<'a> {
    outputs: usize,
    first: usize,
    output: &'a mut [f32],
}

impl<const N: usize, W: Words<N>> Sink<N, W> for Spread<'_> {
    #[inline(always)]
    fn take(&mut self, w: W, row: usize, [first, second]: [W::Sum; 2]) {
        let from = row * self.outputs + self.first;
        let (halves, _) = self.output[from..from + block_of(N)].as_chunks_mut::<N>();
        w.floats().store(w.to_float(first), &mut halves[0]);
        w.floats().store(w.to_float(second), &mut halves[1]);
    }
}

/// The two halves of a block.
#[inline(always)]
fn pair<const N: usize, F: Floats<N>>(f: F, block: &[f32]) -> [F::Float; 2] {
    let (halves, _) = block[..2 * N].as_chunks::<N>();
    [f.load(&halves[0]), f.load(&halves[1])]
}

/// The sums of every row of words, times the weights of a block.
#[inline(always)]
fn multiply<const N: usize, W: Words<N>>(
    w: W,
    words: &[W::Word],
    stride: usize,
    rows: usize,
    weights: &[W::Word],
    sink: &mut impl Sink<N, W>,
) {
    // Groups of equal size where possible: a small group loads weights for few products.
    let groups = rows.div_ceil(W::ROWS);
    let mut row = 0;
    for group in 0..groups {
        let count = (rows - row).div_ceil(groups - group);
        let words = &words[row * stride..];
        macro_rules! of_rows {
            ($($count:literal)*) => {
                match count {
                    $($count if $count <= W::ROWS => {
                        let sums = rows_times::<N, W, $count>(w, words, stride, weights);
                        for i in 0..$count {
                            sink.take(w, row + i, sums[i]);
                        }
                    })*
                    _ => {}
                }
            };
        }
        of_rows!(1 2 3 4 5 6 7 8 9 10 11 12);
        row += count;
    }
}

/// Sums of `R` rows, in registers.
#[inline(always)]
fn rows_times<const N: usize, W: Words<N>, const R: usize>(
    w: W,
    words: &[W::Word],
    stride: usize,
    weights: &[W::Word],
) -> [[W::Sum; 2]; R] {
    let (vectors, _) = weights.as_chunks::<N>();
    let (pairs, _) = vectors.as_chunks::<2>();
    let depth = pairs.len();
    let mut rows = [&words[..0]; R];
    for r in 0..R {
        rows[r] = &words[r * stride..r * stride + depth];
    }
    let mut sums = [[w.zero(); 2]; R];
    for k in 0..depth {
        let (first, second) = (w.load(&pairs[k][0]), w.load(&pairs[k][1]));
        for r in 0..R {
            let word = w.splat(rows[r][k]);
            sums[r][0] = w.mul_add(sums[r][0], word, first);
            sums[r][1] = w.mul_add(sums[r][1], word, second);
        }
    }
    sums
}
