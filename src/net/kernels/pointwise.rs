//! What is done point by point between the products.

use super::lanes::{Floats, Words};
use super::{Task, Word};

/// Norm and rectifier, written as words into boards that may have borders.
#[derive(Debug)]
pub(crate) struct Activate<'a, T> {
    /// Numbers of a point; as many of them as have a scale are taken.
    pub(crate) stride: usize,
    /// A board.
    pub(crate) points: &'a [f32],
    pub(crate) scale: &'a [f32],
    pub(crate) bias: &'a [f32],
    /// Points in a row.
    pub(crate) width: usize,
    /// Where the first point goes, and points between two rows.
    pub(crate) first: usize,
    pub(crate) columns: usize,
    pub(crate) output: &'a mut [T],
}

impl<T: Word> Task for Activate<'_, T> {
    type Word = T;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = T>>(self, w: W) {
        let Self { stride, points, scale, bias, width, first, columns, output } = self;
        let (f, words) = (w.floats(), scale.len() / T::CHANNELS);
        let norm = Norm { scale: scale.as_chunks::<N>().0, bias: bias.as_chunks::<N>().0 };
        for (p, point) in points.chunks_exact(stride).enumerate() {
            let to = (first + p / width * columns + p % width) * words;
            let (chunks, _) = output[to..to + words].as_chunks_mut::<N>();
            let (point, _) = point.as_chunks::<N>();
            for (i, chunk) in chunks.iter_mut().enumerate() {
                let from = i * T::CHANNELS;
                let low = norm.rectified(f, point, from);
                let high = if T::CHANNELS == 2 { norm.rectified(f, point, from + 1) } else { low };
                w.store(w.activations([low, high]), chunk);
            }
        }
    }
}

/// Vectors of factors and summands.
struct Norm<'a, const N: usize> {
    scale: &'a [[f32; N]],
    bias: &'a [[f32; N]],
}

impl<const N: usize> Norm<'_, N> {
    /// Norm and rectifier of the `i`-th vector of a point.
    #[inline(always)]
    fn rectified<F: Floats<N>>(&self, f: F, point: &[[f32; N]], i: usize) -> F::Float {
        let (scale, bias) = (f.load(&self.scale[i]), f.load(&self.bias[i]));
        f.max(f.mul_then_add(f.load(&point[i]), scale, bias), f.splat(0.0))
    }
}

/// Mean and maximum of each channel over a board, after norm and rectifier.
#[derive(Debug)]
pub(crate) struct Pool<'a> {
    pub(crate) stride: usize,
    pub(crate) points: &'a [f32],
    pub(crate) scale: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) mean: &'a mut [f32],
    pub(crate) most: &'a mut [f32],
}

impl Task for Pool<'_> {
    type Word = f32;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = f32>>(self, w: W) {
        let Self { stride, points, scale, bias, mean, most } = self;
        let f = w.floats();
        let share = f.splat(1.0 / (points.len() / stride) as f32);
        let norm = Norm { scale: scale.as_chunks::<N>().0, bias: bias.as_chunks::<N>().0 };
        let (mean, most) = (mean.as_chunks_mut::<N>().0, most.as_chunks_mut::<N>().0);
        for i in 0..norm.scale.len() {
            let (mut sum, mut largest) = (f.splat(0.0), f.splat(0.0));
            for point in points.chunks_exact(stride) {
                let value = norm.rectified(f, point.as_chunks::<N>().0, i);
                sum = f.add(sum, value);
                largest = f.max(largest, value);
            }
            f.store(f.mul(sum, share), &mut mean[i]);
            f.store(largest, &mut most[i]);
        }
    }
}

/// A number for each point: norm, rectifier, and a product with weights.
#[derive(Debug)]
pub(crate) struct Dots<'a> {
    pub(crate) stride: usize,
    pub(crate) points: &'a [f32],
    pub(crate) scale: &'a [f32],
    pub(crate) bias: &'a [f32],
    pub(crate) weights: &'a [f32],
    pub(crate) output: &'a mut [f32],
}

impl Task for Dots<'_> {
    type Word = f32;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = f32>>(self, w: W) {
        let Self { stride, points, scale, bias, weights, output } = self;
        let f = w.floats();
        let norm = Norm { scale: scale.as_chunks::<N>().0, bias: bias.as_chunks::<N>().0 };
        let (weights, _) = weights.as_chunks::<N>();
        for (p, point) in points.chunks_exact(stride).enumerate() {
            let (point, _) = point.as_chunks::<N>();
            let mut sum = f.splat(0.0);
            for i in 0..weights.len() {
                let value = norm.rectified(f, point, i);
                sum = f.add(sum, f.mul(value, f.load(&weights[i])));
            }
            let mut sums = [0.0; N];
            f.store(sum, &mut sums);
            output[p] = sums.iter().sum();
        }
    }
}
