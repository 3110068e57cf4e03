//! The only source of random numbers.
//!
//! A named generator (xoshiro256++, D. Blackman and S. Vigna 2018), so that a seed gives the same
//! stream in every release. Streams split by number: `Rng::split(seed, n)` depends on both only,
//! never on which thread asks.

use rand::rngs::{SysRng, Xoshiro256PlusPlus};
use rand::{Rng as _, SeedableRng, TryRng};

/// A generator of random numbers; 32 bytes of state, about a nanosecond a number.
#[derive(Clone, Debug)]
pub struct Rng {
    inner: Xoshiro256PlusPlus,
}

impl Rng {
    /// The generator for this seed.
    pub fn new(seed: u64) -> Self {
        Self { inner: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// The generator for stream number `stream` of a seed.
    pub fn split(seed: u64, stream: u64) -> Self {
        Self::new(mix(seed, stream))
    }

    /// 64 random bits.
    #[inline(always)]
    pub fn next_u64(&mut self) -> u64 {
        self.inner.next_u64()
    }

    /// A number in `0..n`, exactly uniform; 0 for `n = 0`.
    ///
    /// Source: D. Lemire, Fast Random Integer Generation in an Interval (2019).
    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut product = (self.next_u64() >> 32) * u64::from(n);
        if (product as u32) < n {
            product = self.redraw(n, product);
        }
        (product >> 32) as u32
    }

    /// `true` with this probability.
    #[inline(always)]
    pub fn chance(&mut self, probability: f32) -> bool {
        ((self.next_u64() >> 40) as f32) < probability * (1 << 24) as f32
    }

    /// A number from 0 to below 1.
    pub fn share(&mut self) -> f32 {
        (self.next_u64() >> 40) as f32 / (1 << 24) as f32
    }

    /// Puts a slice into a random order, each with equal odds.
    pub fn shuffle<T>(&mut self, slice: &mut [T]) {
        for i in (1..slice.len()).rev() {
            slice.swap(i, self.below(i as u32 + 1) as usize);
        }
    }

    /// The rare part of [`Self::below`]: rejects the draws that would make low numbers likelier.
    #[cold]
    fn redraw(&mut self, n: u32, mut product: u64) -> u64 {
        let threshold = n.wrapping_neg() % n;
        while (product as u32) < threshold {
            product = (self.next_u64() >> 32) * u64::from(n);
        }
        product
    }
}

/// A seed made of two numbers, each bit of which depends on all their bits.
pub fn mix(a: u64, b: u64) -> u64 {
    let mut z = a ^ b.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A seed from the operating system; from the clock where it has none to give.
pub fn random_seed() -> u64 {
    SysRng.try_next_u64().unwrap_or_else(|_| {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        now.map_or(0, |elapsed| mix(elapsed.as_nanos() as u64, u64::from(std::process::id())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_is_in_range_and_hits_everything() {
        let mut rng = Rng::new(1);
        for n in [1, 2, 3, 81, 361] {
            let mut seen = vec![0u32; n as usize];
            for _ in 0..n * 200 {
                seen[rng.below(n) as usize] += 1;
            }
            assert!(seen.iter().all(|&count| count > 100), "{n}: {seen:?}");
        }
        assert_eq!(rng.below(0), 0);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let draw = |seed, stream| Rng::split(seed, stream).next_u64();
        assert_eq!(draw(1, 2), draw(1, 2));
        assert_ne!(draw(1, 2), draw(2, 1));
        assert_ne!(draw(1, 0), draw(1, 1));
        assert_ne!(draw(0, 0), draw(0, 1));
    }
}
