//! 3x3 codes: what surrounds a point, in 16 bits.
//!
//! Two bits for each of the eight neighbors, in the order lower left, below, lower right, left,
//! right, upper left, above, upper right (lowest pair first): 0 empty, 1 Black, 2 White, 3 off the
//! board. So the opposite of pair `i` is pair `7 - i`, and "own stone or border" is one bit.

use super::color::Color;

/// The pair of a neighbor off the board.
pub(super) const BORDER: u16 = 3;
/// The low bits of the pairs of the four direct neighbors.
pub(super) const ORTHOGONAL: u16 = 1 << 2 | 1 << 6 | 1 << 8 | 1 << 12;
/// The low bits of the pairs of the four diagonal neighbors.
pub(super) const DIAGONAL: u16 = 1 | 1 << 4 | 1 << 10 | 1 << 14;
const LOW_BITS: u16 = 0x5555;

/// The pair of a stone.
#[inline(always)]
pub(super) const fn of(color: Color) -> u16 {
    match color {
        Color::Black => 1,
        Color::White => 2,
    }
}

/// Whether all four neighbors are of this color or border, and the diagonals make it a real eye: at
/// most one of them is the opponent's, none at the edge.
#[inline(always)]
pub(super) const fn is_eyelike(code: u16, color: Color) -> bool {
    let (own, other) = match color {
        Color::Black => (code, code >> 1),
        Color::White => (code >> 1, code),
    };
    if own & ORTHOGONAL != ORTHOGONAL {
        return false;
    }
    let border = (own & other & DIAGONAL).count_ones();
    let opponents = (other & !own & DIAGONAL).count_ones();
    opponents + if border > 0 { 1 } else { 0 } < 2
}

/// How many of the eight neighbors are not empty.
#[inline(always)]
pub(super) const fn stones(code: u16) -> u32 {
    ((code | code >> 1) & LOW_BITS).count_ones()
}

/// Whether one of the four direct neighbors is a stone of this color.
#[inline(always)]
pub(super) const fn has_neighbor(code: u16, color: Color) -> bool {
    let seen = seen_by(code, color);
    // Own stones have the low bit only, the border both.
    seen & !(seen >> 1) & ORTHOGONAL != 0
}

/// Whether no neighbor is a stone.
#[inline(always)]
pub(super) const fn has_no_stone(code: u16) -> bool {
    (code ^ code >> 1) & LOW_BITS == 0
}

/// The code with Black and White exchanged.
#[inline(always)]
pub const fn swap_colors(code: u16) -> u16 {
    (code & LOW_BITS) << 1 | (code >> 1) & LOW_BITS
}

/// The code seen by the side to move: its own stones are 1, the opponent's 2.
#[inline(always)]
pub const fn seen_by(code: u16, color: Color) -> u16 {
    match color {
        Color::Black => code,
        Color::White => swap_colors(code),
    }
}

/// The neighbor pairs of a code, 0 to 3 each.
pub const fn pairs(code: u16) -> [u16; 8] {
    let mut pairs = [0; 8];
    let mut i = 0;
    while i < 8 {
        pairs[i] = code >> (2 * i) & 3;
        i += 1;
    }
    pairs
}

/// The eight turnings and mirrorings of a code.
pub fn symmetries(code: u16) -> [u16; 8] {
    // Neighbors of the point as they stand, row by row from below.
    const QUARTER_TURN: [usize; 8] = [5, 3, 0, 6, 1, 7, 4, 2];
    const MIRROR: [usize; 8] = [2, 1, 0, 4, 3, 7, 6, 5];
    let permute = |code: u16, order: &[usize; 8]| {
        let pairs = pairs(code);
        order.iter().enumerate().fold(0, |sum, (i, &from)| sum | pairs[from] << (2 * i))
    };
    let mut all = [code; 8];
    for i in 1..8 {
        all[i] = permute(all[i - 1], &QUARTER_TURN);
        if i == 4 {
            all[i] = permute(all[0], &MIRROR);
        }
    }
    all
}

/// The least of a code's eight symmetries: the same for all of them.
pub fn canonical(code: u16) -> u16 {
    symmetries(code).into_iter().fold(u16::MAX, u16::min)
}
