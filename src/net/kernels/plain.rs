//! Arrays as vectors: the oracle of the other kernels, and what machines without them use.

use super::lanes::{ACTIVATION_MAX, Floats, Words};

/// Lanes of an array that is taken for a vector.
const N: usize = 8;

/// Arrays of numbers.
#[derive(Clone, Copy)]
pub(super) struct Plain;

/// Arrays that are passed by value are never changed in place here: rustc 1.95 then confuses those of
/// the caller (seen in the transform of tiles, whose test fails; `-Z mir-enable-passes=-GVN` heals it).
#[inline(always)]
fn zip<T: Copy>(a: [T; N], b: [T; N], f: impl Fn(T, T) -> T) -> [T; N] {
    let mut both = a;
    for i in 0..N {
        both[i] = f(a[i], b[i]);
    }
    both
}

impl Floats<N> for Plain {
    type Float = [f32; N];

    #[inline(always)]
    fn splat(self, number: f32) -> [f32; N] {
        [number; N]
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; N]) -> [f32; N] {
        *numbers
    }

    #[inline(always)]
    fn store(self, vector: [f32; N], numbers: &mut [f32; N]) {
        *numbers = vector;
    }

    #[inline(always)]
    fn add(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a + b)
    }

    #[inline(always)]
    fn sub(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| a * b)
    }

    #[inline(always)]
    fn mul_add(self, a: [f32; N], b: [f32; N], c: [f32; N]) -> [f32; N] {
        self.mul_then_add(a, b, c)
    }

    // Comparisons compile to one instruction; f32::max takes care of NaN, which no kernel does.
    #[inline(always)]
    fn max(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn min(self, a: [f32; N], b: [f32; N]) -> [f32; N] {
        zip(a, b, |a, b| if a < b { a } else { b })
    }
}

/// Arrays of pairs of integers.
#[derive(Clone, Copy)]
pub(super) struct Shorts;

#[inline(always)]
fn low(word: i32) -> i32 {
    i32::from(word as i16)
}

#[inline(always)]
fn high(word: i32) -> i32 {
    word >> 16
}

#[inline(always)]
fn pair(low: i32, high: i32) -> i32 {
    (low & 0xffff) | high << 16
}

/// Rounds to the nearest integer, halves to even ones, for -2^22 to 2^22.
#[inline(always)]
fn round(x: f32) -> i32 {
    const SHIFT: f32 = (3 << 22) as f32;
    (x + SHIFT).to_bits() as i32 - SHIFT.to_bits() as i32
}

impl Words<N> for Shorts {
    type Word = i32;
    type Vector = [i32; N];
    type Sum = [i32; N];
    type Floats = Plain;

    const ROWS: usize = 4;

    #[inline(always)]
    fn floats(self) -> Plain {
        Plain
    }

    #[inline(always)]
    fn load(self, words: &[i32; N]) -> [i32; N] {
        *words
    }

    #[inline(always)]
    fn store(self, vector: [i32; N], words: &mut [i32; N]) {
        *words = vector;
    }

    #[inline(always)]
    fn splat(self, word: i32) -> [i32; N] {
        [word; N]
    }

    #[inline(always)]
    fn add(self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, |a, b| pair(low(a) + low(b), high(a) + high(b)))
    }

    #[inline(always)]
    fn sub(self, a: [i32; N], b: [i32; N]) -> [i32; N] {
        zip(a, b, |a, b| pair(low(a) - low(b), high(a) - high(b)))
    }

    #[inline(always)]
    fn times(self, a: [i32; N], factor: i16) -> [i32; N] {
        let factor = [i32::from(factor); N];
        zip(a, factor, |a, factor| pair(low(a) * factor, high(a) * factor))
    }

    #[inline(always)]
    fn zero(self) -> [i32; N] {
        [0; N]
    }

    #[inline(always)]
    fn mul_add(self, sum: [i32; N], a: [i32; N], b: [i32; N]) -> [i32; N] {
        let products = zip(a, b, |a, b| low(a) * low(b) + high(a) * high(b));
        zip(sum, products, |sum, product| sum + product)
    }

    #[inline(always)]
    fn to_float(self, sum: [i32; N]) -> [f32; N] {
        let mut numbers = [0.0; N];
        for i in 0..N {
            numbers[i] = sum[i] as f32;
        }
        numbers
    }

    #[inline(always)]
    fn activations(self, [first, second]: [[f32; N]; 2]) -> [i32; N] {
        let most = [ACTIVATION_MAX; N];
        let numbers = [Plain.min(first, most), Plain.min(second, most)];
        let numbers = numbers.as_flattened();
        let mut words = [0; N];
        for i in 0..N {
            words[i] = pair(round(numbers[2 * i]), round(numbers[2 * i + 1]));
        }
        words
    }
}
