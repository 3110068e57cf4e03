//! Evaluation in plain loops of `f32`: the oracle of all faster kernels.

use super::model::{Block, Conv, Matmul, Model, Norm, PolicyHead, ValueHead};
use super::{Evaluation, Features};
use crate::board::Size;

/// Boards of `sqrt(points) = 14` are taken for the middle by the pooling layers.
const POOL_MIDDLE: f32 = 14.0;
/// Points that a score output of 1 stands for.
const SCORE_SCALE: f32 = 20.0;

/// The raw outputs of a network.
pub fn evaluate(model: &Model, features: &Features, size: Size) -> Evaluation {
    let shape = Shape { width: size.width(), height: size.height() };
    let mut trunk = shape.conv(&model.stem, &features.planes);
    add_to_points(&mut trunk, &multiply(&model.stem_bias, &features.globals));
    for block in &model.blocks {
        shape.block(block, &mut trunk);
    }
    activate(&mut trunk, &model.norm);
    let (policy, pass) = shape.policy(&model.policy, &trunk);
    let mut evaluation = Evaluation { policy, pass, ..Evaluation::default() };
    shape.value(&model.value, &trunk, &mut evaluation);
    evaluation
}

#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    height: usize,
}

impl Shape {
    fn points(self) -> usize {
        self.width * self.height
    }

    fn conv(self, conv: &Conv, input: &[f32]) -> Vec<f32> {
        let Conv { height, width, inputs, outputs, ref weights } = *conv;
        let mut output = vec![0.0; self.points() * outputs];
        for (p, sums) in output.chunks_exact_mut(outputs).enumerate() {
            let (y, x) = (p / self.width, p % self.width);
            for (tap, weights) in weights.chunks_exact(inputs * outputs).enumerate() {
                let row = (y + tap / width).wrapping_sub(height / 2);
                let column = (x + tap % width).wrapping_sub(width / 2);
                if row >= self.height || column >= self.width {
                    continue;
                }
                let q = (row * self.width + column) * inputs;
                for (&value, weights) in
                    input[q..q + inputs].iter().zip(weights.chunks_exact(outputs))
                {
                    if value != 0.0 {
                        sums.iter_mut().zip(weights).for_each(|(sum, w)| *sum += value * w);
                    }
                }
            }
        }
        output
    }

    fn block(self, block: &Block, trunk: &mut [f32]) {
        let (Block::Ordinary { before, first, between, second }
        | Block::Pooling { before, first, between, second, .. }) = block;
        let mut input = trunk.to_vec();
        activate(&mut input, before);
        let mut middle = self.conv(first, &input);
        if let Block::Pooling { pooled, pooled_norm, pooled_bias, .. } = block {
            let mut values = self.conv(pooled, &input);
            activate(&mut values, pooled_norm);
            let pooled = self.pool(&values, pooled.outputs);
            add_to_points(&mut middle, &multiply(pooled_bias, &pooled));
        }
        activate(&mut middle, between);
        let change = self.conv(second, &middle);
        trunk.iter_mut().zip(change).for_each(|(value, change)| *value += change);
    }

    /// Logits of the points and of a pass.
    fn policy(self, head: &PolicyHead, trunk: &[f32]) -> (Vec<f32>, f32) {
        let mut pooled = self.conv(&head.pooled, trunk);
        activate(&mut pooled, &head.pooled_norm);
        let pooled = self.pool(&pooled, head.pooled.outputs);
        let mut points = self.conv(&head.points, trunk);
        add_to_points(&mut points, &multiply(&head.pooled_bias, &pooled));
        activate(&mut points, &head.norm);
        (self.conv(&head.logits, &points), multiply(&head.pass, &pooled)[0])
    }

    fn value(self, head: &ValueHead, trunk: &[f32], evaluation: &mut Evaluation) {
        let mut points = self.conv(&head.points, trunk);
        activate(&mut points, &head.norm);
        let mut hidden = multiply(&head.hidden, &self.pool_value(&points, head.points.outputs));
        add(&mut hidden, &head.hidden_bias);
        for value in &mut hidden {
            *value = value.max(0.0);
        }
        let mut value = multiply(&head.value, &hidden);
        add(&mut value, &head.value_bias);
        let mut score = multiply(&head.score, &hidden);
        add(&mut score, &head.score_bias);
        evaluation.value = [value[0], value[1], value[2]];
        evaluation.score = SCORE_SCALE * score[0];
        evaluation.score_deviation = SCORE_SCALE * softplus(score[1]);
        evaluation.lead = SCORE_SCALE * score[2];
        let owners = self.conv(&head.ownership, &points);
        evaluation.ownership = owners.into_iter().map(f32::tanh).collect();
    }

    /// Mean, mean by size and maximum of each channel.
    fn pool(self, values: &[f32], channels: usize) -> Vec<f32> {
        let by_size = (self.points() as f32).sqrt() - POOL_MIDDLE;
        let (mean, most) = self.mean_and_most(values, channels);
        let scaled = mean.iter().map(|mean| mean * by_size / 10.0);
        mean.iter().copied().chain(scaled).chain(most).collect()
    }

    /// Mean, and mean by size and by its square, of each channel.
    fn pool_value(self, values: &[f32], channels: usize) -> Vec<f32> {
        let by_size = (self.points() as f32).sqrt() - POOL_MIDDLE;
        let (mean, _) = self.mean_and_most(values, channels);
        let scaled = mean.iter().map(|mean| mean * by_size / 10.0);
        let squared = mean.iter().map(|mean| mean * (by_size * by_size / 100.0 - 0.1));
        mean.iter().copied().chain(scaled).chain(squared).collect()
    }

    fn mean_and_most(self, values: &[f32], channels: usize) -> (Vec<f32>, Vec<f32>) {
        let (mut sum, mut most) = (vec![0.0; channels], vec![f32::NEG_INFINITY; channels]);
        for values in values.chunks_exact(channels) {
            add(&mut sum, values);
            most.iter_mut().zip(values).for_each(|(most, &value)| *most = most.max(value));
        }
        let count = self.points() as f32;
        for sum in &mut sum {
            *sum /= count;
        }
        (sum, most)
    }
}

fn add(values: &mut [f32], more: &[f32]) {
    values.iter_mut().zip(more).for_each(|(value, more)| *value += more);
}

fn add_to_points(values: &mut [f32], bias: &[f32]) {
    values.chunks_exact_mut(bias.len()).for_each(|values| add(values, bias));
}

/// Norm and rectifier.
fn activate(values: &mut [f32], norm: &Norm) {
    for values in values.chunks_exact_mut(norm.scale.len()) {
        for ((value, scale), bias) in values.iter_mut().zip(&norm.scale).zip(&norm.bias) {
            *value = (*value * scale + bias).max(0.0);
        }
    }
}

fn multiply(matrix: &Matmul, input: &[f32]) -> Vec<f32> {
    let mut output = vec![0.0; matrix.outputs];
    for (&value, weights) in input.iter().zip(matrix.weights.chunks_exact(matrix.outputs)) {
        output.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
    }
    output
}

fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}
