//! The policy and value heads of a network made ready for a machine.

use super::Evaluation;
use super::kernels::{Aligned, Dots, Grid, Kernel, PointProducts, Pool};
use super::model::{Matmul, Model, PolicyHead, ValueHead};
use super::outputs::{add, multiply, pool, pool_value, set_value};
use super::weights::{Affine, pack_points};

/// The convolutions of both heads stand side by side: the policy's values, its pooled values, the
/// value head's.
#[derive(Debug)]
pub(super) struct Heads {
    kernel: Kernel,
    /// Channels that go in.
    depth: usize,
    weights: Aligned<f32>,
    /// Of the pooled values and those of the value head.
    pooled: Affine,
    policy: PolicyHead,
    policy_norm: Affine,
    logits: Aligned<f32>,
    value: ValueHead,
    value_norm: Affine,
    ownership: Aligned<f32>,
}

impl Heads {
    /// `None` if there are layers that the kernels do not know.
    pub(super) fn new(model: &Model, kernel: Kernel) -> Option<Self> {
        let (policy, value) = (&model.policy, &model.value);
        let convs = [&policy.points, &policy.pooled, &value.points];
        let mut of_points = convs.into_iter().chain([&policy.logits, &value.ownership]);
        if of_points.any(|conv| (conv.height, conv.width) != (1, 1)) {
            return None;
        }
        let second = policy.points.outputs;
        let third = second + policy.pooled.outputs;
        let stride = kernel.padded(third + value.points.outputs);
        let zeros = || Affine::zeros(stride);
        let weights = |first: usize, weights: &[f32]| {
            let mut all = Aligned::zeros(stride);
            all[first..first + weights.len()].copy_from_slice(weights);
            all
        };
        Some(Self {
            kernel,
            depth: policy.points.inputs,
            weights: pack_points(&convs, kernel),
            pooled: zeros().with(second, &policy.pooled_norm).with(third, &value.norm),
            policy: policy.clone(),
            policy_norm: zeros().with(0, &policy.norm),
            logits: weights(0, &policy.logits.weights),
            value: value.clone(),
            value_norm: zeros().with(third, &value.norm),
            ownership: weights(third, &value.ownership.weights),
        })
    }

    /// What the heads make of the activated trunk of each board.
    pub(super) fn evaluate(
        &self,
        grid: Grid,
        trunk: &[f32],
        room: &mut Aligned<f32>,
    ) -> Vec<Evaluation> {
        let stride = self.logits.len();
        let points = grid.batch * grid.points();
        room.grow(points * stride);
        let output = &mut room[..points * stride];
        self.kernel.run(PointProducts {
            stride: trunk.len() / points,
            depth: self.depth,
            points: trunk,
            weights: &self.weights,
            output,
        });
        output.chunks_exact(grid.points() * stride).map(|board| self.board(board)).collect()
    }

    fn board(&self, board: &[f32]) -> Evaluation {
        let stride = self.logits.len();
        let points = board.len() / stride;
        let (mut mean, mut most) = (Aligned::zeros(stride), Aligned::zeros(stride));
        let Affine { scale, bias } = &self.pooled;
        let (mean_out, most_out) = (&mut mean[..], &mut most[..]);
        let pooling = Pool { stride, points: board, scale, bias, mean: mean_out, most: most_out };
        self.kernel.run(pooling);
        let second = self.policy.points.outputs;
        let third = second + self.policy.pooled.outputs;
        let pooled = pool(&mean[second..third], &most[second..third], points);
        let mut evaluation = Evaluation {
            pass: multiply(&self.policy.pass, &pooled)[0],
            policy: vec![0.0; points],
            ownership: vec![0.0; points],
            ..Evaluation::default()
        };
        let bias = self.policy_norm.shifted(&multiply(&self.policy.pooled_bias, &pooled));
        self.dots(board, &self.policy_norm.scale, &bias, &self.logits, &mut evaluation.policy);
        let Affine { scale, bias } = &self.value_norm;
        self.dots(board, scale, bias, &self.ownership, &mut evaluation.ownership);
        for owner in &mut evaluation.ownership {
            *owner = owner.tanh();
        }
        self.value(&mean[third..third + self.value.points.outputs], points, &mut evaluation);
        evaluation
    }

    fn dots(
        &self,
        points: &[f32],
        scale: &[f32],
        bias: &[f32],
        weights: &[f32],
        output: &mut [f32],
    ) {
        self.kernel.run(Dots { stride: weights.len(), points, scale, bias, weights, output });
    }

    fn value(&self, mean: &[f32], points: usize, evaluation: &mut Evaluation) {
        let head = &self.value;
        let layer = |matrix: &Matmul, input: &[f32], bias: &[f32]| {
            let mut output = multiply(matrix, input);
            add(&mut output, bias);
            output
        };
        let mut hidden = layer(&head.hidden, &pool_value(mean, points), &head.hidden_bias);
        for value in &mut hidden {
            *value = value.max(0.0);
        }
        let value = layer(&head.value, &hidden, &head.value_bias);
        let score = layer(&head.score, &hidden, &head.score_bias);
        set_value(evaluation, &value, &score);
    }
}
