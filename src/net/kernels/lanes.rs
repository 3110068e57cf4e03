//! What an instruction set must be able to do.

use super::Word;

/// Largest activation in integers: [`super::Tile::Four`] makes up to 68 times that of it, which must
/// fit into 16 bits.
pub(in crate::net) const ACTIVATION_MAX: f32 = 481.0;

/// Vectors of `N` numbers.
pub(crate) trait Floats<const N: usize>: Copy {
    /// A vector.
    type Float: Copy;

    fn splat(self, number: f32) -> Self::Float;
    fn load(self, numbers: &[f32; N]) -> Self::Float;
    fn store(self, vector: Self::Float, numbers: &mut [f32; N]);
    fn add(self, a: Self::Float, b: Self::Float) -> Self::Float;
    fn sub(self, a: Self::Float, b: Self::Float) -> Self::Float;
    fn mul(self, a: Self::Float, b: Self::Float) -> Self::Float;
    /// `a * b + c`, rounded once or twice.
    fn mul_add(self, a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float;
    /// `a * b + c`, rounded twice everywhere.
    #[inline(always)]
    fn mul_then_add(self, a: Self::Float, b: Self::Float, c: Self::Float) -> Self::Float {
        self.add(self.mul(a, b), c)
    }
    fn max(self, a: Self::Float, b: Self::Float) -> Self::Float;
    fn min(self, a: Self::Float, b: Self::Float) -> Self::Float;
}

/// Vectors of `N` words, and sums of their products.
pub(crate) trait Words<const N: usize>: Copy {
    type Word: Word;
    type Vector: Copy;
    /// `N` sums.
    type Sum: Copy;
    type Floats: Floats<N>;

    /// Rows of two vectors of sums that fit into registers beside what is added to them.
    const ROWS: usize;

    fn floats(self) -> Self::Floats;
    fn load(self, words: &[Self::Word; N]) -> Self::Vector;
    fn store(self, vector: Self::Vector, words: &mut [Self::Word; N]);
    fn splat(self, word: Self::Word) -> Self::Vector;
    fn add(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    fn sub(self, a: Self::Vector, b: Self::Vector) -> Self::Vector;
    /// Times a small number.
    fn times(self, a: Self::Vector, factor: i16) -> Self::Vector;
    fn zero(self) -> Self::Sum;
    /// The sum and the products of the channels of two words.
    fn mul_add(self, sum: Self::Sum, a: Self::Vector, b: Self::Vector) -> Self::Sum;
    fn to_float(self, sum: Self::Sum) -> <Self::Floats as Floats<N>>::Float;
    /// `N` words of activations, from as many vectors of them as words have channels. `vector(i)` gives
    /// the i-th; integers are rounded and cut off at [`ACTIVATION_MAX`].
    fn activations(self, vectors: [<Self::Floats as Floats<N>>::Float; 2]) -> Self::Vector;
}

/// Numbers as words.
#[derive(Clone, Copy)]
pub(crate) struct Real<F>(pub(crate) F);

impl<const N: usize, F: Floats<N>> Words<N> for Real<F> {
    type Word = f32;
    type Vector = F::Float;
    type Sum = F::Float;
    type Floats = F;

    const ROWS: usize = if N == 16 { 12 } else { 6 };

    #[inline(always)]
    fn floats(self) -> F {
        self.0
    }

    #[inline(always)]
    fn load(self, words: &[f32; N]) -> F::Float {
        self.0.load(words)
    }

    #[inline(always)]
    fn store(self, vector: F::Float, words: &mut [f32; N]) {
        self.0.store(vector, words);
    }

    #[inline(always)]
    fn splat(self, word: f32) -> F::Float {
        self.0.splat(word)
    }

    #[inline(always)]
    fn add(self, a: F::Float, b: F::Float) -> F::Float {
        self.0.add(a, b)
    }

    #[inline(always)]
    fn sub(self, a: F::Float, b: F::Float) -> F::Float {
        self.0.sub(a, b)
    }

    #[inline(always)]
    fn times(self, a: F::Float, factor: i16) -> F::Float {
        self.0.mul(a, self.0.splat(f32::from(factor)))
    }

    #[inline(always)]
    fn zero(self) -> F::Float {
        self.0.splat(0.0)
    }

    #[inline(always)]
    fn mul_add(self, sum: F::Float, a: F::Float, b: F::Float) -> F::Float {
        self.0.mul_add(a, b, sum)
    }

    #[inline(always)]
    fn to_float(self, sum: F::Float) -> F::Float {
        sum
    }

    #[inline(always)]
    fn activations(self, [vector, _]: [F::Float; 2]) -> F::Float {
        vector
    }
}
