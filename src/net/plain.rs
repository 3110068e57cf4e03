//! Evaluation in plain loops of `f32`: the oracle of all faster kernels.

use super::model::{Activation, Block, Conv, Model, Norm, PolicyHead, ValueHead};
use super::outputs::{add, multiply, pool, pool_value, set_value, softplus};
use super::{Evaluation, Features};
use crate::board::Size;

/// The raw outputs of a network.
pub fn evaluate(model: &Model, features: &Features, size: Size) -> Evaluation {
    let (width, height) = (size.width(), size.height());
    let shape = Shape { width, height, activation: model.activation };
    let mut trunk = shape.conv(&model.stem, &features.planes);
    add_to_points(&mut trunk, &multiply(&model.stem_bias, &features.globals));
    for block in &model.blocks {
        shape.block(block, &mut trunk);
    }
    shape.activate(&mut trunk, &model.norm);
    let (policy, pass) = shape.policy(&model.policy, &trunk);
    let mut evaluation = Evaluation { policy, pass, ..Evaluation::default() };
    shape.value(&model.value, &trunk, &mut evaluation);
    evaluation
}

#[derive(Clone, Copy)]
struct Shape {
    width: usize,
    height: usize,
    activation: Activation,
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
        let (Block::Ordinary { before, .. }
        | Block::Pooling { before, .. }
        | Block::Nested { before, .. }) = block;
        let mut input = trunk.to_vec();
        self.activate(&mut input, before);
        let change = match block {
            Block::Ordinary { first, between, second, .. } => {
                let middle = self.conv(first, &input);
                self.second(middle, between, second)
            }
            Block::Pooling { first, pooled, pooled_norm, pooled_bias, between, second, .. } => {
                let mut values = self.conv(pooled, &input);
                self.activate(&mut values, pooled_norm);
                let pooled = self.pool(&values, pooled.outputs);
                let mut middle = self.conv(first, &input);
                add_to_points(&mut middle, &multiply(pooled_bias, &pooled));
                self.second(middle, between, second)
            }
            Block::Nested { narrow, blocks, after, widen, .. } => {
                let mut inner = self.conv(narrow, &input);
                for block in blocks {
                    self.block(block, &mut inner);
                }
                self.second(inner, after, widen)
            }
        };
        add(trunk, &change);
    }

    /// The second half of a block.
    fn second(self, mut middle: Vec<f32>, norm: &Norm, conv: &Conv) -> Vec<f32> {
        self.activate(&mut middle, norm);
        self.conv(conv, &middle)
    }

    /// Logits of the points and of a pass.
    fn policy(self, head: &PolicyHead, trunk: &[f32]) -> (Vec<f32>, f32) {
        let mut pooled = self.conv(&head.pooled, trunk);
        self.activate(&mut pooled, &head.pooled_norm);
        let pooled = self.pool(&pooled, head.pooled.outputs);
        let mut points = self.conv(&head.points, trunk);
        add_to_points(&mut points, &multiply(&head.pooled_bias, &pooled));
        self.activate(&mut points, &head.norm);
        let hidden = head.pass_hidden.as_ref().map(|hidden| {
            let mut values = multiply(&hidden.matmul, &pooled);
            add(&mut values, &hidden.bias);
            self.apply(&mut values);
            values
        });
        let pass = multiply(&head.pass, hidden.as_ref().unwrap_or(&pooled));
        (self.conv(&head.logits, &points), pass[0])
    }

    fn value(self, head: &ValueHead, trunk: &[f32], evaluation: &mut Evaluation) {
        let mut points = self.conv(&head.points, trunk);
        self.activate(&mut points, &head.norm);
        let (mean, _) = self.mean_and_most(&points, head.points.outputs);
        let mut hidden = multiply(&head.hidden, &pool_value(&mean, self.points()));
        add(&mut hidden, &head.hidden_bias);
        self.apply(&mut hidden);
        let mut value = multiply(&head.value, &hidden);
        add(&mut value, &head.value_bias);
        let mut score = multiply(&head.score, &hidden);
        add(&mut score, &head.score_bias);
        set_value(evaluation, &value, &score);
        let owners = self.conv(&head.ownership, &points);
        evaluation.ownership = owners.into_iter().map(f32::tanh).collect();
    }

    /// Norm and activation.
    fn activate(self, values: &mut [f32], norm: &Norm) {
        for values in values.chunks_exact_mut(norm.scale.len()) {
            for ((value, scale), bias) in values.iter_mut().zip(&norm.scale).zip(&norm.bias) {
                *value = *value * scale + bias;
            }
        }
        self.apply(values);
    }

    fn apply(self, values: &mut [f32]) {
        let activation = match self.activation {
            Activation::Relu => |x: f32| x.max(0.0),
            Activation::Mish => |x: f32| x * softplus(x).tanh(),
            Activation::Silu => |x: f32| x / (1.0 + (-x).exp()),
        };
        for value in values {
            *value = activation(*value);
        }
    }

    fn pool(self, values: &[f32], channels: usize) -> Vec<f32> {
        let (mean, most) = self.mean_and_most(values, channels);
        pool(&mean, &most, self.points())
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

fn add_to_points(values: &mut [f32], bias: &[f32]) {
    values.chunks_exact_mut(bias.len()).for_each(|values| add(values, bias));
}
