//! The first convolution of a network made ready for a machine.

use super::kernels::{Aligned, Grid, Kernel, Stem as Task};
use super::model::{Conv, Matmul, Model};
use super::outputs::multiply;
use super::{Features, PLANES};

/// The first convolution, of any size, and the bias of the global inputs.
#[derive(Debug)]
pub(super) struct Stem {
    kernel: Kernel,
    conv: Conv,
    /// By tap, input and output, with room for whole vectors.
    weights: Aligned<f32>,
    bias: Matmul,
}

impl Stem {
    pub(super) fn new(model: &Model, kernel: Kernel) -> Self {
        let conv = &model.stem;
        let stride = kernel.padded(conv.outputs);
        let mut weights = Aligned::zeros(conv.height * conv.width * conv.inputs * stride);
        let rows = conv.weights.chunks_exact(conv.outputs);
        for (to, from) in weights.chunks_exact_mut(stride).zip(rows) {
            to[..from.len()].copy_from_slice(from);
        }
        Self { kernel, conv: conv.clone(), weights, bias: model.stem_bias.clone() }
    }

    /// Channels that come out.
    pub(super) fn outputs(&self) -> usize {
        self.conv.outputs
    }

    /// The trunk of a board before the first block.
    pub(super) fn apply(&self, grid: Grid, features: &Features, trunk: &mut [f32]) {
        let stride = self.kernel.padded(self.conv.outputs);
        let mut bias = Aligned::zeros(stride);
        bias[..self.conv.outputs].copy_from_slice(&multiply(&self.bias, &features.globals));
        let (rows, ends) = self.rows(grid, features);
        self.kernel.run(Task {
            rows: &rows,
            ends: &ends,
            weights: &self.weights,
            bias: &bias,
            output: trunk,
        });
    }

    /// Rows of the weights by point: those of each tap's planes that are set.
    fn rows(&self, grid: Grid, features: &Features) -> (Vec<u32>, Vec<u32>) {
        let Conv { height, width, .. } = self.conv;
        let set: Vec<Vec<u32>> = features.planes.chunks_exact(PLANES).map(planes_set).collect();
        let (mut rows, mut ends) = (Vec::new(), Vec::with_capacity(set.len()));
        for p in 0..grid.points() {
            let (y, x) = (p / grid.width, p % grid.width);
            for tap in 0..height * width {
                let row = (y + tap / width).wrapping_sub(height / 2);
                let column = (x + tap % width).wrapping_sub(width / 2);
                if row < grid.height && column < grid.width {
                    let planes = &set[row * grid.width + column];
                    rows.extend(planes.iter().map(|plane| (tap * PLANES) as u32 + plane));
                }
            }
            ends.push(rows.len() as u32);
        }
        (rows, ends)
    }
}

fn planes_set(planes: &[f32]) -> Vec<u32> {
    (0..).zip(planes).filter(|(_, plane)| **plane > 0.0).map(|(i, _)| i).collect()
}
