//! A network made ready for a machine: packed weights, and the evaluation of batches.

use std::sync::OnceLock;

use super::heads::Heads;
use super::kernels::{
    ACTIVATION_MAX, Activate, Aligned, Grid, Kernel, Pool, Tile, TileProducts, Transform,
};
use super::model::{Block, Conv, Matmul, Model};
use super::outputs::{add, multiply, pool};
use super::plain;
use super::stem::Stem;
use super::weights::{Affine, Pack, Packed, pack};
use super::{Evaluation, Features};
use crate::board::Size;

/// Largest activation seen, in integers: others may be a quarter larger.
const ACTIVATION_SEEN: f32 = ACTIVATION_MAX / 1.25;

/// What a network is computed with.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Arithmetic {
    /// Numbers of 32 bits.
    Real,
    /// Convolutions with activations of 9 bits, weights of 16 bits and sums of 32 bits; the rest with
    /// numbers.
    Integer,
}

impl Arithmetic {
    /// The faster one of a kernel: pairs of integers need instructions of their own.
    pub fn fastest(kernel: Kernel) -> Self {
        if kernel == Kernel::Plain { Self::Real } else { Self::Integer }
    }
}

/// A network that can be evaluated, by many threads at once.
#[derive(Debug)]
pub struct Network {
    name: String,
    kernel: Kernel,
    layers: Prepared,
}

#[derive(Debug)]
enum Prepared {
    Real(Layers<f32>),
    Integer(Layers<i32>),
    /// A network with layers that the kernels do not know.
    Plain(Box<Model>),
}

/// Memory that a thread needs for evaluations.
#[derive(Debug, Default)]
pub struct Workspace {
    real: Buffers<f32>,
    integer: Buffers<i32>,
}

impl Network {
    /// Prepares a model whose layers fit together. Integers need its ranges: without them numbers are
    /// used. A kernel that this machine cannot run is replaced by the plain one.
    pub fn new(model: &Model, arithmetic: Arithmetic, kernel: Kernel) -> Self {
        // Before the weights are packed: their order depends on the length of the kernel's vectors.
        let kernel = if kernel.is_available() { kernel } else { Kernel::Plain };
        let has_ranges = model.ranges.len() == 2 * model.blocks.len();
        let layers = if arithmetic == Arithmetic::Integer && has_ranges {
            let scales = |i: usize, _| activation_scales(&model.ranges[i]);
            Layers::new(model, kernel, scales).map(Prepared::Integer)
        } else {
            Layers::new(model, kernel, |_, inputs| vec![1.0; inputs]).map(Prepared::Real)
        };
        let layers = layers.unwrap_or_else(|| Prepared::Plain(Box::new(model.clone())));
        Self { name: model.name.clone(), kernel, layers }
    }

    /// What its maker called it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it runs on. Networks with layers that no kernel knows run on none but in plain loops.
    pub fn kernel(&self) -> Kernel {
        if let Prepared::Plain(_) = self.layers { Kernel::Plain } else { self.kernel }
    }

    /// What it is computed with.
    pub fn arithmetic(&self) -> Arithmetic {
        match self.layers {
            Prepared::Real(_) | Prepared::Plain(_) => Arithmetic::Real,
            Prepared::Integer(_) => Arithmetic::Integer,
        }
    }

    /// Evaluates positions of one board size.
    pub fn evaluate(
        &self,
        batch: &[Features],
        size: Size,
        workspace: &mut Workspace,
    ) -> Vec<Evaluation> {
        match &self.layers {
            Prepared::Real(layers) => layers.evaluate(batch, size, &mut workspace.real, None),
            Prepared::Integer(layers) => layers.evaluate(batch, size, &mut workspace.integer, None),
            Prepared::Plain(model) => {
                batch.iter().map(|features| plain::evaluate(model, features, size)).collect()
            }
        }
    }
}

/// Looks for the largest input of each channel of the convolutions of a model's blocks.
#[derive(Debug)]
pub(super) struct Calibration {
    layers: Layers<f32>,
    buffers: Buffers<f32>,
    ranges: Vec<Vec<f32>>,
}

impl Calibration {
    /// `None` for a network with layers that the kernels do not know.
    pub(super) fn new(model: &Model) -> Option<Self> {
        let layers = Layers::new(model, Kernel::best(), |_, inputs| vec![1.0; inputs])?;
        let of_block =
            |block: &Residual<f32>| [&block.first, &block.second].map(TileConv::no_range);
        let ranges = layers.blocks.iter().flat_map(of_block).collect();
        Some(Self { layers, buffers: Buffers::default(), ranges })
    }

    /// Evaluates positions and notes what is larger than before.
    pub(super) fn see(&mut self, batch: &[Features], size: Size) -> Vec<Evaluation> {
        self.layers.evaluate(batch, size, &mut self.buffers, Some(&mut self.ranges))
    }

    /// What was largest.
    pub(super) fn into_ranges(self) -> Vec<Vec<f32>> {
        self.ranges
    }
}

/// What activations are multiplied with before they are rounded: the scale of the channel and that of
/// the layer count alike, since a channel may become larger than it was seen.
fn activation_scales(range: &[f32]) -> Vec<f32> {
    let layer = range.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
    let scale = |&most: &f32| ACTIVATION_SEEN / (layer * most.max(layer / 256.0)).sqrt();
    range.iter().map(scale).collect()
}

/// A convolution of 3 x 3.
#[derive(Debug)]
struct TileConv<T> {
    conv: Conv,
    /// What its inputs come multiplied with.
    scales: Vec<f32>,
    kernel: Kernel,
    /// Packed when first needed, for each tile.
    three: OnceLock<Packed<T>>,
    four: OnceLock<Packed<T>>,
}

impl<T: Pack> TileConv<T> {
    fn new(conv: Conv, scales: Vec<f32>, kernel: Kernel) -> Option<Self> {
        let cells = (OnceLock::new(), OnceLock::new());
        let is_known = (conv.height, conv.width) == (3, 3);
        is_known.then_some(Self { conv, scales, kernel, three: cells.0, four: cells.1 })
    }

    /// Zeros for its inputs.
    fn no_range(&self) -> Vec<f32> {
        vec![0.0; self.conv.inputs]
    }

    fn packed(&self, tile: Tile) -> &Packed<T> {
        let cell = if tile == Tile::Three { &self.three } else { &self.four };
        cell.get_or_init(|| pack(&self.conv, &self.scales, tile, self.kernel))
    }

    /// Adds the convolution of boards with borders to the output, or puts it there.
    fn apply(&self, grid: Grid, boards: &[T], room: &mut Room<T>, output: &mut [f32], adds: bool) {
        let stride = self.kernel.padded(self.conv.inputs) / T::CHANNELS;
        let positions = grid.tile.positions();
        let block = self.kernel.padded(1);
        room.tiles.grow(positions * grid.tiles() * stride);
        room.sums.grow(positions * grid.tiles() * block);
        self.kernel.run(Transform { grid, stride, boards, tiles: &mut room.tiles });
        let packed = self.packed(grid.tile);
        self.kernel.run(TileProducts {
            grid,
            stride,
            depth: self.conv.inputs.div_ceil(T::CHANNELS),
            tiles: &room.tiles,
            weights: &packed.words,
            scales: &packed.scales,
            sums: &mut room.sums,
            output,
            adds,
        });
    }
}

/// A residual block. The first convolution has the outputs that are pooled behind the others.
#[derive(Debug)]
struct Residual<T> {
    before: Affine,
    first: TileConv<T>,
    pooling: Option<Pooling>,
    between: Affine,
    second: TileConv<T>,
}

impl<T: Pack> Residual<T> {
    fn new(
        block: &Block,
        kernel: Kernel,
        scales: impl Fn(usize, usize) -> Vec<f32>,
    ) -> Option<Self> {
        let (before, first, between, second, pooling) = match block {
            Block::Ordinary { before, first, between, second } => {
                (before, first.clone(), between, second, None)
            }
            Block::Pooling { before, first, pooled, pooled_norm, pooled_bias, between, second } => {
                let merged = side_by_side(first, pooled);
                let norm = Affine::zeros(kernel.padded(merged.outputs));
                let pooling = Pooling {
                    first: first.outputs,
                    count: pooled.outputs,
                    norm: norm.with(first.outputs, pooled_norm),
                    bias: pooled_bias.clone(),
                };
                (before, merged, between, second, Some(pooling))
            }
            Block::Nested { .. } => return None,
        };
        let norm = |norm, scales: &[f32]| {
            Affine::zeros(kernel.padded(scales.len())).with(0, norm).times(scales)
        };
        let (into_first, into_second) = (scales(0, first.inputs), scales(1, second.inputs));
        Some(Self {
            before: norm(before, &into_first),
            between: norm(between, &into_second),
            first: TileConv::new(first, into_first, kernel)?,
            pooling,
            second: TileConv::new(second.clone(), into_second, kernel)?,
        })
    }
}

#[derive(Debug)]
struct Pooling {
    /// The channels.
    first: usize,
    count: usize,
    norm: Affine,
    bias: Matmul,
}

#[derive(Debug)]
struct Layers<T> {
    kernel: Kernel,
    stem: Stem,
    blocks: Vec<Residual<T>>,
    norm: Affine,
    heads: Heads,
}

/// Room for what convolutions have between their steps.
#[derive(Debug, Default)]
struct Room<T> {
    tiles: Aligned<T>,
    sums: Aligned<f32>,
}

#[derive(Debug, Default)]
struct Buffers<T> {
    grid: Option<Grid>,
    /// Boards with borders, by the number of words of a point: borders stay zero.
    boards: Vec<(usize, Aligned<T>)>,
    room: Room<T>,
    trunk: Aligned<f32>,
    middle: Aligned<f32>,
    points: Aligned<f32>,
    heads: Aligned<f32>,
}

impl<T: Pack> Buffers<T> {
    /// Forgets boards of other sizes.
    fn set_grid(&mut self, grid: Grid) {
        if self.grid != Some(grid) {
            self.boards.clear();
            self.grid = Some(grid);
        }
    }
}

/// The boards for points of so many words.
fn boards_of<T: Pack>(boards: &mut Vec<(usize, Aligned<T>)>, grid: Grid, words: usize) -> &mut [T] {
    let index = boards.iter().position(|(of, _)| *of == words).unwrap_or_else(|| {
        boards.push((words, Aligned::zeros(grid.batch * grid.bordered() * words)));
        boards.len() - 1
    });
    &mut boards[index].1
}

impl<T: Pack> Layers<T> {
    /// `scales` gives the scales of the activations that go into the convolutions of the blocks, two a
    /// block, by their number and inputs. `None` if there are layers that the kernels do not know.
    fn new(
        model: &Model,
        kernel: Kernel,
        scales: impl Fn(usize, usize) -> Vec<f32>,
    ) -> Option<Self> {
        if model.needs_plain() {
            return None;
        }
        let blocks = model.blocks.iter().enumerate();
        let block = |(i, block)| {
            Residual::new(block, kernel, |which, inputs| scales(2 * i + which, inputs))
        };
        Some(Self {
            kernel,
            stem: Stem::new(model, kernel),
            blocks: blocks.map(block).collect::<Option<_>>()?,
            norm: Affine::zeros(kernel.padded(model.stem.outputs)).with(0, &model.norm),
            heads: Heads::new(model, kernel)?,
        })
    }

    fn evaluate(
        &self,
        batch: &[Features],
        size: Size,
        buffers: &mut Buffers<T>,
        mut ranges: Option<&mut Vec<Vec<f32>>>,
    ) -> Vec<Evaluation> {
        if batch.is_empty() {
            return Vec::new();
        }
        let grid = Grid::new(size.width(), size.height(), batch.len());
        buffers.set_grid(grid);
        let stride = self.kernel.padded(self.stem.outputs());
        buffers.trunk.grow(batch.len() * grid.points() * stride);
        let trunks = buffers.trunk.chunks_exact_mut(grid.points() * stride);
        for (features, trunk) in batch.iter().zip(trunks) {
            self.stem.apply(grid, features, trunk);
        }
        for (i, block) in self.blocks.iter().enumerate() {
            self.block(
                block,
                grid,
                stride,
                buffers,
                ranges.as_deref_mut().map(|r| &mut r[2 * i..]),
            );
        }
        buffers.points.grow(batch.len() * grid.points() * stride);
        let size = batch.len() * grid.points() * stride;
        self.kernel.run(Activate {
            stride,
            points: &buffers.trunk[..size],
            scale: &self.norm.scale,
            bias: &self.norm.bias,
            width: usize::MAX,
            first: 0,
            columns: 0,
            output: &mut buffers.points[..size],
        });
        let points = &buffers.points[..size];
        self.heads.evaluate(grid, points, &mut buffers.heads)
    }

    fn block(
        &self,
        block: &Residual<T>,
        grid: Grid,
        stride: usize,
        buffers: &mut Buffers<T>,
        mut ranges: Option<&mut [Vec<f32>]>,
    ) {
        let Buffers { boards, room, trunk, middle, .. } = buffers;
        let points = grid.batch * grid.points();
        let trunk = &mut trunk[..points * stride];
        let input = boards_of(boards, grid, stride / T::CHANNELS);
        self.activate(grid, trunk, stride, &block.before, input);
        if let Some([range, _, ..]) = &mut ranges {
            self.note(range, trunk, stride, &block.before);
        }
        let middle_stride = self.kernel.padded(block.first.conv.outputs);
        middle.grow(points * middle_stride);
        let middle = &mut middle[..points * middle_stride];
        block.first.apply(grid, input, room, middle, false);
        if let Some(pooling) = &block.pooling {
            for board in middle.chunks_exact_mut(grid.points() * middle_stride) {
                pooling.apply(self.kernel, board, middle_stride);
            }
        }
        let words = block.between.scale.len() / T::CHANNELS;
        let input = boards_of(boards, grid, words);
        self.activate(grid, middle, middle_stride, &block.between, input);
        if let Some([_, range, ..]) = &mut ranges {
            self.note(range, middle, middle_stride, &block.between);
        }
        block.second.apply(grid, input, room, trunk, true);
    }

    /// Norm and rectifier, into boards with borders.
    fn activate(&self, grid: Grid, points: &[f32], stride: usize, norm: &Affine, output: &mut [T]) {
        let words = norm.scale.len() / T::CHANNELS;
        for (item, points) in points.chunks_exact(grid.points() * stride).enumerate() {
            self.kernel.run(Activate {
                stride,
                points,
                scale: &norm.scale,
                bias: &norm.bias,
                width: grid.width,
                first: item * grid.bordered() + bordered(grid, 0),
                columns: grid.columns(),
                output: &mut output[..grid.batch * grid.bordered() * words],
            });
        }
    }
}

impl<T: Pack> Layers<T> {
    /// Notes the largest inputs of a convolution.
    fn note(&self, range: &mut [f32], points: &[f32], stride: usize, norm: &Affine) {
        let channels = norm.scale.len();
        let (mut mean, mut most) = (Aligned::zeros(channels), Aligned::zeros(channels));
        let Affine { scale, bias } = norm;
        self.kernel.run(Pool { stride, points, scale, bias, mean: &mut mean, most: &mut most });
        range.iter_mut().zip(most.iter()).for_each(|(range, &most)| *range = range.max(most));
    }
}

impl Pooling {
    /// Adds the bias that comes of a board's pooled channels to its other ones.
    fn apply(&self, kernel: Kernel, board: &mut [f32], stride: usize) {
        let channels = self.norm.scale.len();
        let (mut mean, mut most) = (Aligned::zeros(channels), Aligned::zeros(channels));
        let Affine { scale, bias } = &self.norm;
        kernel.run(Pool { stride, points: board, scale, bias, mean: &mut mean, most: &mut most });
        let pooled = self.first..self.first + self.count;
        let pooled = pool(&mean[pooled.clone()], &most[pooled], board.len() / stride);
        let bias = multiply(&self.bias, &pooled);
        board.chunks_exact_mut(stride).for_each(|point| add(point, &bias));
    }
}

/// Index of a point among those of a board with a border.
fn bordered(grid: Grid, p: usize) -> usize {
    (p / grid.width + 1) * grid.columns() + p % grid.width + 1
}

/// Two convolutions of the same inputs as one.
fn side_by_side(a: &Conv, b: &Conv) -> Conv {
    let rows = a.weights.chunks_exact(a.outputs).zip(b.weights.chunks_exact(b.outputs));
    let weights = rows.flat_map(|(a, b)| a.iter().chain(b).copied()).collect();
    Conv { outputs: a.outputs + b.outputs, weights, ..*a }
}
