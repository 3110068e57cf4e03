//! The array that a board lives in: one packed word a cell, pseudo-liberties a chain.
//!
//! The hot kernel of the playouts. Its side is fixed at compile time (worth 4 to 7 %): a board of
//! any shape lives in the smallest array that holds it, the rest being border. Verbs by file:
//! `chain` puts stones down and takes chains off, `eye` has the eye-like test, `draw` makes
//! uniformly random moves.
//!
//! **Words.** `cell[i]` is `id | black | white | empty`: the root of the chain for a stone, the own
//! index for an empty cell, 0 for the border; then one bit for each color in fields of three bits,
//! so that the sum of the four neighbors' words holds the three counts. The border counts as black
//! and white. `chain[root]` is `size << 16 | pseudo-liberties`, so that two chains merge by one
//! addition. Words of `chain` at empty cells and at 0 are scratch: they take the decrements of
//! neighbors that have no chain, which saves the tests.
//!
//! **Invariants** (checked by `check`): every chain has a liberty between moves; `next` links each
//! chain's stones in a circle; `empties[..empty_count]` holds each empty point once, in any order;
//! `hash` is the exclusive or of the stones' keys.
//!
//! **Assumptions.** No history: superko is the game's business. No undo: copy instead (1.6 KB on
//! 9x9, 6 KB on 19x19). Indices are masked with `LEN - 1` where that spares a range check.

use super::color::{Cell, Color};
use super::point::{Point, Size};
use super::zobrist::{self, Hash};

/// Bits of the chain id in a cell word. Four ids add up without reaching the counts.
pub(super) const ID_MASK: u32 = 0x3ff;
pub(super) const BLACK: u32 = 1 << 12;
pub(super) const WHITE: u32 = 1 << 15;
pub(super) const EMPTY: u32 = 1 << 18;
/// Both colors: the color bits of a single cell word.
pub(super) const STONE: u32 = BLACK | WHITE;
/// The border counts as a stone of both colors.
pub(super) const BORDER: u32 = BLACK | WHITE;
/// How many of four neighbors carry this bit, from the sum of their words.
#[inline(always)]
pub(super) const fn count(sum: u32, bit: u32) -> u32 {
    (sum / bit) & 7
}

/// Size of a chain of one stone in a chain word.
pub(super) const ONE_STONE: u32 = 1 << 16;
pub(super) const LIBERTY_MASK: u32 = 0xffff;

/// The cell word's bit of a color.
pub(super) const fn color_bit(color: Color) -> u32 {
    match color {
        Color::Black => BLACK,
        Color::White => WHITE,
    }
}

/// What a cell word says.
pub(super) const fn cell_of(word: u32) -> Cell {
    match word & (STONE | EMPTY) {
        BLACK => Cell::Black,
        WHITE => Cell::White,
        EMPTY => Cell::Empty,
        _ => Cell::Border,
    }
}

/// Whose a point is at the end of a playout, from its word and the sum of its neighbors' words: 1
/// for Black, -1 for White, 0 for nobody and the border.
#[inline(always)]
pub(super) fn owner_of(word: u32, sum: u32) -> i32 {
    let only = |bit: u32| i32::from(count(sum, bit) == 4);
    let stone = i32::from(word & BLACK != 0) - i32::from(word & WHITE != 0);
    // Both at once happens on 1x1 only, where nobody owns the point.
    let surrounded = only(BLACK) - only(WHITE);
    if word & EMPTY != 0 { surrounded } else { stone }
}

/// The arrays of a board; see the module's header. Users see it only through
/// [`GridTask`](super::GridTask).
#[derive(Clone, Copy, Debug)]
pub struct Grid<const STRIDE: usize, const LEN: usize> {
    pub(super) cell: [u32; LEN],
    pub(super) chain: [u32; LEN],
    pub(super) next: [u16; LEN],
    pub(super) empties: [u16; LEN],
    pub(super) empty_count: usize,
    /// The point that simple ko bars for the next move; 0 if none.
    pub(super) ko: usize,
    pub(super) hash: Hash,
    pub(super) size: Size,
}

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// First and last index whose eight neighbors are all inside the array.
    pub(super) const INNER: std::ops::Range<usize> = STRIDE + 1..LEN - STRIDE - 1;

    pub(super) fn new(size: Size) -> Self {
        debug_assert_eq!(size.stride(), STRIDE, "a board lives in the array of its size");
        let mut grid = Self {
            cell: [BORDER; LEN],
            chain: [0; LEN],
            next: [0; LEN],
            empties: [0; LEN],
            empty_count: 0,
            ko: 0,
            hash: 0,
            size,
        };
        for point in size.iter() {
            grid.cell[point.index()] = EMPTY | point.index() as u32;
            grid.empties[grid.empty_count] = point.index() as u16;
            grid.empty_count += 1;
        }
        grid
    }

    /// Lists the empty points by ascending index again, so that random moves depend on the
    /// position and not on the way to it.
    pub(super) fn sort_empties(&mut self) {
        self.empties[..self.empty_count].sort_unstable();
    }

    /// The four neighbors of an index in [`Self::INNER`], lowest index first.
    #[inline(always)]
    pub(super) const fn around(p: usize) -> [usize; 4] {
        [p - STRIDE, p - 1, p + 1, p + STRIDE]
    }

    /// The chain id in a cell word, as an index that needs no range check.
    #[inline(always)]
    pub(super) const fn id(word: u32) -> usize {
        (word & ID_MASK) as usize & (LEN - 1)
    }

    /// What a cell holds.
    pub(super) const fn get(&self, p: usize) -> Cell {
        cell_of(self.cell[p])
    }

    /// Width and height of the board.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Black's area minus White's, when only eyes are left empty: stones, and empty points whose
    /// neighbors all have one color. Regions of several empty points that one color surrounds
    /// would count as neutral; a playout leaves none.
    #[inline]
    pub fn playout_score(&self) -> i32 {
        let mut score = 0;
        for p in Self::INNER {
            score += self.owner(p);
        }
        score
    }

    /// Adds the owner of each point, in the sense of [`Self::playout_score`], to a sum over many
    /// playouts: 1 for Black, -1 for White. `sums` is indexed by point, at least `LEN` long.
    #[inline]
    pub fn add_owners(&self, sums: &mut [i32]) {
        for (p, sum) in Self::INNER.zip(&mut sums[Self::INNER]) {
            *sum += self.owner(p);
        }
    }

    #[inline(always)]
    fn owner(&self, p: usize) -> i32 {
        let word = self.cell[p];
        let sum: u32 = Self::around(p).iter().map(|&q| self.cell[q]).sum();
        owner_of(word, sum)
    }

    /// The stones of the chain at `p`, from its root on.
    pub(super) fn chain_stones(&self, p: usize) -> impl Iterator<Item = usize> + '_ {
        let root = Self::id(self.cell[p]);
        let mut stone = Some(root);
        std::iter::from_fn(move || {
            let this = stone?;
            let next = usize::from(self.next[this]);
            stone = (next != root).then_some(next);
            Some(this)
        })
    }

    /// Exclusive or of the keys of the chain with this root.
    pub(super) fn chain_hash(&self, root: usize, color: Color) -> Hash {
        self.chain_stones(root).fold(0, |hash, p| hash ^ zobrist::key(color, Point::from_index(p)))
    }
}
