//! Weights in the order in which the kernels read them.

use super::kernels::{ACTIVATION_MAX, Aligned, Kernel, Tile, Word, block_of};
use super::model::{Conv, Norm};

/// Weights of a convolution for tiles of one size.
#[derive(Debug)]
pub(super) struct Packed<T> {
    /// By block of outputs, position of the tile, word, and output in the block.
    pub(super) words: Aligned<T>,
    /// What sums are multiplied with, by block, position and output; empty for nothing.
    pub(super) scales: Aligned<f32>,
}

/// Transformed weights of one position of a tile, by input and output, and what is to be known for
/// turning them into words.
pub(super) struct Transformed<'a> {
    /// By position, input and output.
    values: &'a [f64],
    inputs: usize,
    outputs: usize,
    tile: Tile,
    kernel: Kernel,
}

/// How weights become words.
pub(super) trait Pack: Word {
    fn pack(transformed: &Transformed<'_>) -> Packed<Self>;
}

impl Pack for f32 {
    fn pack(transformed: &Transformed<'_>) -> Packed<Self> {
        let mut words = Aligned::zeros(transformed.words(1));
        transformed.each(1, |word, position, k, output| {
            words[word] = transformed.at(position, k, output) as f32;
        });
        Packed { words, scales: Aligned::zeros(0) }
    }
}

impl Pack for i32 {
    fn pack(transformed: &Transformed<'_>) -> Packed<Self> {
        let Transformed { inputs, tile, kernel, .. } = *transformed;
        let growth = tile.growth();
        // The unit of an output's weights at a position: they fit into 16 bits, their sums into 32.
        let unit = |position: usize, output: usize| {
            let sizes = || (0..inputs).map(|k| transformed.at(position, k, output).abs());
            let sum_max = f64::from(i32::MAX) / (growth[position] * f64::from(ACTIVATION_MAX));
            let of_sum = sizes().sum::<f64>() / (sum_max - inputs as f64);
            let unit = of_sum.max(sizes().fold(0.0, f64::max) / f64::from(i16::MAX));
            if unit > 0.0 { unit } else { 1.0 }
        };
        let block = block_of(kernel.lanes());
        let positions = tile.positions();
        let blocks = transformed.blocks();
        let mut scales = Aligned::zeros(blocks * positions * block);
        for (i, scale) in scales.iter_mut().enumerate() {
            *scale = unit(i / block % positions, i / block / positions * block + i % block) as f32;
        }
        let mut words = Aligned::zeros(transformed.words(2));
        transformed.each(2, |word, position, k, output| {
            let at = (output / block * positions + position) * block + output % block;
            let scale = f64::from(scales[at]);
            let short = |k| (transformed.at(position, k, output) / scale).round() as i16;
            words[word] = i32::from(short(2 * k)) & 0xffff | i32::from(short(2 * k + 1)) << 16;
        });
        Packed { words, scales }
    }
}

impl Transformed<'_> {
    fn blocks(&self) -> usize {
        self.outputs.div_ceil(block_of(self.kernel.lanes()))
    }

    /// Words of all weights.
    fn words(&self, channels: usize) -> usize {
        let block = block_of(self.kernel.lanes());
        self.blocks() * self.tile.positions() * self.inputs.div_ceil(channels) * block
    }

    /// Calls back with the index of each word, and its position, index among the input words, output.
    fn each(&self, channels: usize, mut f: impl FnMut(usize, usize, usize, usize)) {
        let block = block_of(self.kernel.lanes());
        let (positions, depth) = (self.tile.positions(), self.inputs.div_ceil(channels));
        for word in 0..self.words(channels) {
            let (output, k) = (word % block, word / block % depth);
            let position = word / block / depth % positions;
            f(word, position, k, word / block / depth / positions * block + output);
        }
    }

    /// 0 beyond the last input or output.
    fn at(&self, position: usize, input: usize, output: usize) -> f64 {
        if input >= self.inputs || output >= self.outputs {
            return 0.0;
        }
        self.values[(position * self.inputs + input) * self.outputs + output]
    }
}

/// The weights of a convolution of 3 x 3 whose inputs come multiplied by `scales`.
pub(super) fn pack<T: Pack>(conv: &Conv, scales: &[f32], tile: Tile, kernel: Kernel) -> Packed<T> {
    let Conv { inputs, outputs, ref weights, .. } = *conv;
    let matrix = tile.of_weights();
    let mut values = vec![0.0; tile.positions() * inputs * outputs];
    for (input, &scale) in scales.iter().enumerate() {
        for output in 0..outputs {
            let tap = |y: usize, x: usize| {
                f64::from(weights[((y * 3 + x) * inputs + input) * outputs + output])
            };
            for (position, (left, right)) in
                matrix.iter().flat_map(|a| matrix.iter().map(move |b| (a, b))).enumerate()
            {
                let mut sum = 0.0;
                for (y, left) in left.iter().enumerate() {
                    for (x, right) in right.iter().enumerate() {
                        sum += left * tap(y, x) * right;
                    }
                }
                let at = (position * inputs + input) * outputs + output;
                values[at] = sum / f64::from(scale);
            }
        }
    }
    T::pack(&Transformed { values: &values, inputs, outputs, tile, kernel })
}

/// The weights of convolutions of 1 x 1 of the same inputs, side by side.
pub(super) fn pack_points(convs: &[&Conv], kernel: Kernel) -> Aligned<f32> {
    let inputs = convs[0].inputs;
    let outputs: usize = convs.iter().map(|conv| conv.outputs).sum();
    let block = block_of(kernel.lanes());
    let mut words = Aligned::zeros(outputs.next_multiple_of(block) * inputs);
    let mut first = 0;
    for conv in convs {
        for (i, &weight) in conv.weights.iter().enumerate() {
            let (input, output) = (i / conv.outputs, first + i % conv.outputs);
            words[(output / block * inputs + input) * block + output % block] = weight;
        }
        first += conv.outputs;
    }
    words
}

/// A factor and a summand for each channel, zeros where nothing is.
#[derive(Debug)]
pub(super) struct Affine {
    pub(super) scale: Aligned<f32>,
    pub(super) bias: Aligned<f32>,
}

impl Affine {
    /// So many channels of nothing.
    pub(super) fn zeros(channels: usize) -> Self {
        Self { scale: Aligned::zeros(channels), bias: Aligned::zeros(channels) }
    }

    /// A norm from some channel on.
    pub(super) fn with(mut self, first: usize, norm: &Norm) -> Self {
        let channels = first..first + norm.scale.len();
        self.scale[channels.clone()].copy_from_slice(&norm.scale);
        self.bias[channels].copy_from_slice(&norm.bias);
        self
    }

    /// The bias, if something is added to the first channels before.
    pub(super) fn shifted(&self, before: &[f32]) -> Vec<f32> {
        let mut shifted = self.bias.to_vec();
        for ((shifted, scale), before) in shifted.iter_mut().zip(self.scale.iter()).zip(before) {
            *shifted += scale * before;
        }
        shifted
    }

    /// The same, multiplied.
    pub(super) fn times(mut self, factors: &[f32]) -> Self {
        for (i, factor) in factors.iter().enumerate() {
            self.scale[i] *= factor;
            self.bias[i] *= factor;
        }
        self
    }
}
