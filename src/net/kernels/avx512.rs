//! Vectors of 512 bits: AVX-512 F and BW, and VNNI.

#![expect(
    unsafe_code,
    reason = "intrinsics, which need a processor that has them: tokens prove it"
)]

#[allow(clippy::wildcard_imports, reason = "intrinsics have a prefix of their own")]
use std::arch::x86_64::*;

use super::Task;
use super::lanes::{ACTIVATION_MAX, Floats, Real, Words};

/// Proof that this machine has AVX-512 F and BW.
#[derive(Clone, Copy)]
pub(super) struct Avx512(());

impl Avx512 {
    pub(super) fn detect() -> Option<Self> {
        let has = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw");
        has.then_some(Self(()))
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

/// Proof that this machine has VNNI besides.
#[derive(Clone, Copy)]
pub(super) struct Vnni(Avx512);

impl Vnni {
    pub(super) fn detect() -> Option<Self> {
        let avx512 = Avx512::detect()?;
        is_x86_feature_detected!("avx512vnni").then_some(Self(avx512))
    }

    pub(super) fn run_short<T: Task<Word = i32>>(self, task: T) {
        // SAFETY: the token proves that the machine has these instructions.
        unsafe { run_vnni(self, task) }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
fn run_real<T: Task<Word = f32>>(token: Avx512, task: T) {
    task.run(Real(token));
}

#[target_feature(enable = "avx512f,avx512bw")]
fn run_short<T: Task<Word = i32>>(token: Avx512, task: T) {
    task.run(Shorts { token, vnni: () });
}

#[target_feature(enable = "avx512f,avx512bw,avx512vnni")]
fn run_vnni<T: Task<Word = i32>>(token: Vnni, task: T) {
    task.run(Shorts { token: token.0, vnni: token });
}

impl Floats<16> for Avx512 {
    type Float = __m512;

    #[inline(always)]
    fn splat(self, number: f32) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_set1_ps(number) }
    }

    #[inline(always)]
    fn load(self, numbers: &[f32; 16]) -> __m512 {
        // SAFETY: as above; the array is as long as the vector.
        unsafe { _mm512_loadu_ps(numbers.as_ptr()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512, numbers: &mut [f32; 16]) {
        // SAFETY: as above; the array is as long as the vector.
        unsafe { _mm512_storeu_ps(numbers.as_mut_ptr(), vector) }
    }

    #[inline(always)]
    fn add(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_add_ps(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_sub_ps(a, b) }
    }

    #[inline(always)]
    fn mul(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_mul_ps(a, b) }
    }

    #[inline(always)]
    fn mul_add(self, a: __m512, b: __m512, c: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_fmadd_ps(a, b, c) }
    }

    #[inline(always)]
    fn max(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_max_ps(a, b) }
    }

    #[inline(always)]
    fn min(self, a: __m512, b: __m512) -> __m512 {
        // SAFETY: the token proves that the machine has the instruction.
        unsafe { _mm512_min_ps(a, b) }
    }
}

/// Pairs of integers, whose products are added up in one instruction if `V` is [`Vnni`].
#[derive(Clone, Copy)]
pub(super) struct Shorts<V> {
    token: Avx512,
    vnni: V,
}

/// How products are added up.
trait Products: Copy {
    fn mul_add(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i;
}

impl Products for Shorts<()> {
    #[inline(always)]
    fn mul_add(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `token` proves that the machine has the instructions.
        unsafe { _mm512_add_epi32(sum, _mm512_madd_epi16(a, b)) }
    }
}

impl Products for Shorts<Vnni> {
    #[inline(always)]
    fn mul_add(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        let Vnni(_proof) = self.vnni;
        // SAFETY: `vnni` proves that the machine has the instruction.
        unsafe { _mm512_dpwssd_epi32(sum, a, b) }
    }
}

impl<V: Copy> Words<16> for Shorts<V>
where
    Self: Products,
{
    type Word = i32;
    type Vector = __m512i;
    type Sum = __m512i;
    type Floats = Avx512;

    const ROWS: usize = 12;

    #[inline(always)]
    fn floats(self) -> Avx512 {
        self.token
    }

    #[inline(always)]
    fn load(self, words: &[i32; 16]) -> __m512i {
        // SAFETY: `token` proves the instruction; the array is as long as the vector.
        unsafe { _mm512_loadu_si512(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn store(self, vector: __m512i, words: &mut [i32; 16]) {
        // SAFETY: as above.
        unsafe { _mm512_storeu_si512(words.as_mut_ptr().cast(), vector) }
    }

    #[inline(always)]
    fn splat(self, word: i32) -> __m512i {
        // SAFETY: `token` proves that the machine has the instruction.
        unsafe { _mm512_set1_epi32(word) }
    }

    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `token` proves that the machine has the instruction.
        unsafe { _mm512_add_epi16(a, b) }
    }

    #[inline(always)]
    fn sub(self, a: __m512i, b: __m512i) -> __m512i {
        // SAFETY: `token` proves that the machine has the instruction.
        unsafe { _mm512_sub_epi16(a, b) }
    }

    #[inline(always)]
    fn times(self, a: __m512i, factor: i16) -> __m512i {
        // SAFETY: `token` proves that the machine has the instructions.
        unsafe { _mm512_mullo_epi16(a, _mm512_set1_epi16(factor)) }
    }

    #[inline(always)]
    fn zero(self) -> __m512i {
        // SAFETY: `token` proves that the machine has the instruction.
        unsafe { _mm512_setzero_si512() }
    }

    #[inline(always)]
    fn mul_add(self, sum: __m512i, a: __m512i, b: __m512i) -> __m512i {
        Products::mul_add(self, sum, a, b)
    }

    #[inline(always)]
    fn to_float(self, sum: __m512i) -> __m512 {
        // SAFETY: `token` proves that the machine has the instruction.
        unsafe { _mm512_cvtepi32_ps(sum) }
    }

    #[inline(always)]
    fn activations(self, [first, second]: [__m512; 2]) -> __m512i {
        let most = self.token.splat(ACTIVATION_MAX);
        let (first, second) = (self.token.min(first, most), self.token.min(second, most));
        // SAFETY: `token` proves that the machine has the instructions.
        unsafe {
            let first = _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(first));
            let second = _mm512_cvtsepi32_epi16(_mm512_cvtps_epi32(second));
            _mm512_inserti64x4::<1>(_mm512_castsi256_si512(first), second)
        }
    }
}
