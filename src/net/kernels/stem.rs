//! The first convolution, whose inputs are 0 or 1 and mostly 0.

use super::Task;
use super::lanes::{Floats, Words};

/// Adds up the weights of the inputs that are set.
#[derive(Debug)]
pub(crate) struct Stem<'a> {
    /// Rows of weights that each point takes, end to end.
    pub(crate) rows: &'a [u32],
    /// Where the rows of each point end.
    pub(crate) ends: &'a [u32],
    /// By row and output, as many numbers as the bias has.
    pub(crate) weights: &'a [f32],
    pub(crate) bias: &'a [f32],
    /// By point and output.
    pub(crate) output: &'a mut [f32],
}

impl Task for Stem<'_> {
    type Word = f32;

    #[inline(always)]
    fn run<const N: usize, W: Words<N, Word = f32>>(self, w: W) {
        let Self { rows, ends, weights, bias, output } = self;
        let stride = bias.len();
        let mut begin = 0;
        for (&end, output) in ends.iter().zip(output.chunks_exact_mut(stride)) {
            let rows = &rows[begin..end as usize];
            begin = end as usize;
            let mut first = 0;
            // Sums in registers; several at a time, since each waits for the one before it.
            while first + 4 * N <= stride {
                sum::<N, _, 4>(w.floats(), rows, weights, bias, first, output);
                first += 4 * N;
            }
            while first + N <= stride {
                sum::<N, _, 1>(w.floats(), rows, weights, bias, first, output);
                first += N;
            }
        }
    }
}

#[inline(always)]
fn sum<const N: usize, F: Floats<N>, const K: usize>(
    f: F,
    rows: &[u32],
    weights: &[f32],
    bias: &[f32],
    first: usize,
    output: &mut [f32],
) {
    let (chunks, _) = bias[first..first + K * N].as_chunks::<N>();
    let mut sums = [f.splat(0.0); K];
    for i in 0..K {
        sums[i] = f.load(&chunks[i]);
    }
    for &row in rows {
        let from = row as usize * bias.len() + first;
        let (chunks, _) = weights[from..from + K * N].as_chunks::<N>();
        for i in 0..K {
            sums[i] = f.add(sums[i], f.load(&chunks[i]));
        }
    }
    let (chunks, _) = output[first..first + K * N].as_chunks_mut::<N>();
    for i in 0..K {
        f.store(sums[i], &mut chunks[i]);
    }
}
