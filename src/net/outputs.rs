//! What plain and fast evaluation share: small products, pooling, and what outputs stand for.

use super::Evaluation;
use super::model::Matmul;

/// Boards of `sqrt(points) = 14` are taken for the middle by the pooling layers.
const POOL_MIDDLE: f32 = 14.0;
/// Points that a score output of 1 stands for.
const SCORE_SCALE: f32 = 20.0;

fn by_size(points: usize) -> f32 {
    (points as f32).sqrt() - POOL_MIDDLE
}

/// Mean, mean by size and maximum of each channel.
pub(super) fn pool(mean: &[f32], most: &[f32], points: usize) -> Vec<f32> {
    let by_size = by_size(points);
    let scaled = mean.iter().map(|mean| mean * by_size / 10.0);
    mean.iter().copied().chain(scaled).chain(most.iter().copied()).collect()
}

/// Mean, and mean by size and by its square, of each channel.
pub(super) fn pool_value(mean: &[f32], points: usize) -> Vec<f32> {
    let by_size = by_size(points);
    let scaled = mean.iter().map(|mean| mean * by_size / 10.0);
    let squared = mean.iter().map(|mean| mean * (by_size * by_size / 100.0 - 0.1));
    mean.iter().copied().chain(scaled).chain(squared).collect()
}

/// Sets what the outputs of the value head say.
pub(super) fn set_value(evaluation: &mut Evaluation, value: &[f32], score: &[f32]) {
    evaluation.value = [value[0], value[1], value[2]];
    evaluation.score = SCORE_SCALE * score[0];
    evaluation.score_deviation = SCORE_SCALE * softplus(score[1]);
    evaluation.lead = SCORE_SCALE * score[2];
}

/// Adds numbers one by one.
pub(super) fn add(values: &mut [f32], more: &[f32]) {
    values.iter_mut().zip(more).for_each(|(value, more)| *value += more);
}

/// `ln(1 + e^x)`.
pub(super) fn softplus(x: f32) -> f32 {
    if x > 20.0 { x } else { x.exp().ln_1p() }
}

/// The product of a matrix and a vector.
pub(super) fn multiply(matrix: &Matmul, input: &[f32]) -> Vec<f32> {
    let mut output = vec![0.0; matrix.outputs];
    for (&value, weights) in input.iter().zip(matrix.weights.chunks_exact(matrix.outputs)) {
        output.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += value * weight);
    }
    output
}
