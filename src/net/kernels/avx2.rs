//! Vectors of 256 bits: AVX2 and FMA.

#![expect(
    unsafe_code,
    reason = "intrinsics, which need a processor that has them: `Avx2` proves it"
)]

#[allow(clippy::wildcard_imports, reason = "intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::Task;
use super::lanes::{ACTIVATION_MAX, Floats, Real, Words};

/// Proof that this machine has AVX2 and FMA.
#[derive(Clone, Copy)]
pub(super) struct Avx2(());

impl Avx2 {
    pub(super) fn detect() -> Option<Self> {
        (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma")).then_some(Self(()))
    }

    pub(super) fn run_real<T: Task<Word = f32>>(self, task: T) {
        // SAFETY: the token proves that the machine has these instructions.
        unsafe { run_real(self, task) }
    }

    pub(super) fn run_short<T: Task<Word = i32>>(self, task: T) {
        // SAFETY: the token proves that the machine has these instructions.
        unsafe { run_short(self, task) }
    }
}

#[target_feature(enable = "avx2,fma")]
fn run_real<T: Task<Word = f32>>(token: Avx2, task: T) {
    task.run(Real(token));
}

#[target_feature(enable = "avx2,fma")]
fn run_short<T: Task<Word = i32>>(token: Avx2, task: T) {
    task.run(Shorts(token));
}

impl Floats<8> for Avx2 {
    type Float = __m256;

    #[inline(always)]
    fn splat(self, number: f32) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_set1_ps(number) }
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; 8]) -> __m256 {
        // SAFETY: as above; the array is as long as the vector.
        unsafe { _mm256_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: __m256, numbers: &mut [f32; 8]) {
        // SAFETY: as above; the array is as long as the vector.
        unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), vector) }
    }

    #[inline(always)]
    fn add(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_mul_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m256, b: __m256, c: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn max(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_max_ps(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m256, b: __m256) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_min_ps(a, b) }
    }
}

/// Pairs of integers.
#[derive(Clone, Copy)]
pub(super) struct Shorts(Avx2);

impl Words<8> for Shorts {
    type Word = i32;
    type Vector = __m256i;
    type Sum = __m256i;
    type Floats = Avx2;

    const ROWS: usize = 6;

    #[inline(always)]
    fn floats(self) -> Avx2 {
        self.0
    }

    #[inline(always)]
    fn load(self, words: &[i32; 8]) -> __m256i {
        // SAFETY: the token proves the instruction; the array is as long as the vector.
        unsafe { _mm256_loadu_si256(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m256i, words: &mut [i32; 8]) {
        // SAFETY: as above.
        unsafe { _mm256_storeu_si256(words.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, word: i32) -> __m256i {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_set1_epi32(word) }
    }

    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn times(self, a: __m256i, factor: i16) -> __m256i {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { _mm256_mullo_epi16(a, _mm256_set1_epi16(factor)) }
    }

    #[inline(always)]
    fn zero(self) -> __m256i {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_setzero_si256() }
    }

    #[inline(always)]
    fn mul_add(self, sum: __m256i, a: __m256i, b: __m256i) -> __m256i {
        // SAFETY: the token proves that the machine has the instructions.
        unsafe { _mm256_add_epi32(sum, _mm256_madd_epi16(a, b)) }
    }

    #[inline(always)]
    fn to_float(self, sum: __m256i) -> __m256 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm256_cvtepi32_ps(sum) }
    }

    #[inline(always)]
    fn activations(self, [first, second]: [__m256; 2]) -> __m256i {
        let most = self.0.splat(ACTIVATION_MAX);
        let (first, second) = (self.0.min(first, most), self.0.min(second, most));
        // SAFETY: the token proves that the machine has the instructions.
        unsafe {
            // Packing works on the halves of vectors: the quarters are put in order afterwards.
            let packed = _mm256_packs_epi32(_mm256_cvtps_epi32(first), _mm256_cvtps_epi32(second));
            _mm256_permute4x64_epi64::<0b11_01_10_00>(packed)
        }
    }
}
