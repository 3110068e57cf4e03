//! Zobrist keys: a position's hash is the exclusive or of the keys of its stones.
//!
//! The keys are constants, so hashes are the same in every run and on every machine. The hash
//! depends on the stones only: neither on the way to the position nor on ko or side to move.
//!
//! Two different positions of a game have equal hashes with odds of 2^-64 a pair: about 10^-14 for
//! all pairs of a game of 600 turns. Superko tests therefore take equal hashes for equal positions.
//!
//! Source: A. L. Zobrist, A New Hashing Method with Application for Game Playing (1970).

use super::ARRAY_LEN;
use super::color::Color;
use super::point::Point;

/// Hash of the stones of a position.
pub type Hash = u64;

static KEYS: [[Hash; 2]; ARRAY_LEN] = make_keys();

/// The key of a stone.
#[inline(always)]
pub fn key(color: Color, point: Point) -> Hash {
    KEYS[point.index() & (ARRAY_LEN - 1)][color as usize]
}

/// Splitmix64 (G. Steele, D. Lea, C. Flood 2014) from a fixed seed.
const fn make_keys() -> [[Hash; 2]; ARRAY_LEN] {
    let mut keys = [[0; 2]; ARRAY_LEN];
    let mut state: u64 = 0x6b65_696d_6131_3936;
    let mut i = 0;
    while i < 2 * ARRAY_LEN {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[i / 2][i % 2] = z ^ (z >> 31);
        i += 1;
    }
    keys
}
