//! The inner loops of an evaluation, for several instruction sets.
//!
//! A loop is a [`Task`], written once for vectors of any length ([`lanes`]) and compiled for each
//! [`Kernel`]. Words are what goes into products: numbers (`f32`), or pairs of 16-bit integers whose
//! products add up exactly, so that with integers all kernels give the same bits.
//!
//! The only unsafe code of the crate: intrinsics are called where a token proves that the processor
//! has them, and vectors are read from and written to arrays of their length.

#![expect(
    clippy::needless_range_loop,
    reason = "iterators and closures may stay functions of their own, without the kernel's instructions"
)]

mod aligned;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod lanes;
mod plain;
mod pointwise;
mod products;
mod stem;
mod tiles;
mod transform;

use std::fmt;

use lanes::{Real, Words};

pub(super) use aligned::Aligned;
pub(super) use lanes::ACTIVATION_MAX;
pub(super) use pointwise::{Activate, Dots, Pool};
pub(super) use products::{PointProducts, TileProducts, block_of};
pub(super) use stem::Stem;
pub(super) use tiles::{Grid, Tile};
pub(super) use transform::Transform;

/// Which instructions evaluate a network.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Kernel {
    /// Loops that the compiler may turn into whatever vectors every machine has.
    Plain,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 F and BW.
    Avx512,
    /// AVX-512 with VNNI.
    Vnni,
}

impl Kernel {
    /// All of them, the slowest first.
    pub const ALL: [Self; 4] = [Self::Plain, Self::Avx2, Self::Avx512, Self::Vnni];

    /// Whether this machine can run it.
    pub fn is_available(self) -> bool {
        match self {
            Self::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => avx2::Avx2::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => avx512::Avx512::detect().is_some(),
            #[cfg(target_arch = "x86_64")]
            Self::Vnni => avx512::Vnni::detect().is_some(),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The fastest of this machine.
    pub fn best() -> Self {
        let mut fastest_first = Self::ALL.into_iter().rev();
        fastest_first.find(|kernel| kernel.is_available()).unwrap_or(Self::Plain)
    }

    /// Words in a vector.
    pub(super) fn lanes(self) -> usize {
        match self {
            Self::Plain | Self::Avx2 => 8,
            Self::Avx512 | Self::Vnni => 16,
        }
    }

    /// Channels of a point in memory: whole blocks of [`block_of`].
    pub(super) fn padded(self, channels: usize) -> usize {
        channels.next_multiple_of(block_of(self.lanes()))
    }

    /// Runs a task, whose data are laid out for this kernel, which must be available.
    pub(super) fn run<T: Task>(self, task: T) {
        T::Word::dispatch(self, task);
    }
}

impl fmt::Display for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Plain => "plain",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512",
            Self::Vnni => "AVX-512 VNNI",
        })
    }
}

/// A loop to be compiled for each kernel.
pub(super) trait Task {
    /// What it multiplies.
    type Word: Word;

    /// Does it. Implementations are `inline(always)`, and so is everything hot that they call:
    /// code that is not inlined is compiled without the kernel's instructions.
    fn run<const N: usize, W: Words<N, Word = Self::Word>>(self, words: W);
}

/// What products are made of, 32 bits.
pub(super) trait Word: Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// Channels in a word.
    const CHANNELS: usize;

    /// Runs a task of such words.
    fn dispatch<T: Task<Word = Self>>(kernel: Kernel, task: T);
}

impl Word for f32 {
    const CHANNELS: usize = 1;

    fn dispatch<T: Task<Word = Self>>(kernel: Kernel, task: T) {
        #[cfg(target_arch = "x86_64")]
        match kernel {
            Kernel::Plain => {}
            Kernel::Avx2 => {
                if let Some(token) = avx2::Avx2::detect() {
                    return token.run_real(task);
                }
            }
            Kernel::Avx512 | Kernel::Vnni => {
                if let Some(token) = avx512::Avx512::detect() {
                    return token.run_real(task);
                }
            }
        }
        let _ = kernel;
        task.run(Real(plain::Plain));
    }
}

/// Two channels of 16 bits, signed, the first in the lower half.
impl Word for i32 {
    const CHANNELS: usize = 2;

    fn dispatch<T: Task<Word = Self>>(kernel: Kernel, task: T) {
        #[cfg(target_arch = "x86_64")]
        match kernel {
            Kernel::Plain => {}
            Kernel::Avx2 => {
                if let Some(token) = avx2::Avx2::detect() {
                    return token.run_short(task);
                }
            }
            Kernel::Avx512 => {
                if let Some(token) = avx512::Avx512::detect() {
                    return token.run_short(task);
                }
            }
            Kernel::Vnni => {
                if let Some(token) = avx512::Vnni::detect() {
                    return token.run_short(task);
                }
            }
        }
        let _ = kernel;
        task.run(plain::Shorts);
    }
}
