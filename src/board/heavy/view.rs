//! What a heavy board knows of a position.

use crate::board::grid::{EMPTY, LIBERTY_MASK, STONE, cell_of, color_bit, owner_of};
use crate::board::{Cell, Color, pattern};

use super::{Bits, Heavy};

impl<const STRIDE: usize, const LEN: usize, const WORDS: usize> Heavy<STRIDE, LEN, WORDS> {
    /// What a point holds.
    pub fn get(&self, p: usize) -> Cell {
        cell_of(self.cell[p & (LEN - 1)])
    }

    /// Whether there is a stone of this color.
    #[inline(always)]
    pub fn is(&self, color: Color, p: usize) -> bool {
        self.cell[p & (LEN - 1)] & STONE == color_bit(color)
    }

    /// Whether the point is empty.
    #[inline(always)]
    pub fn is_empty(&self, p: usize) -> bool {
        self.cell[p & (LEN - 1)] & EMPTY != 0
    }

    /// Whether the cell lies off the board.
    #[inline(always)]
    pub fn is_border(&self, p: usize) -> bool {
        self.cell[p & (LEN - 1)] & STONE == STONE
    }

    /// Whether the index has all its neighbors inside the array.
    #[inline(always)]
    pub fn is_inner(p: usize) -> bool {
        Self::INNER.contains(&p)
    }

    /// Whether none of the eight neighbors holds a stone.
    #[inline(always)]
    pub fn has_no_stone_around(&self, p: usize) -> bool {
        pattern::has_no_stone(self.code(p))
    }

    /// How many of the four neighbors are empty.
    #[inline(always)]
    pub fn empty_neighbors(&self, p: usize) -> u32 {
        let code = self.code[p & (LEN - 1)];
        // A pair without either bit is empty.
        (!(code | code >> 1) & pattern::ORTHOGONAL).count_ones()
    }

    /// The root of the chain at a stone: the same point for all its stones.
    #[inline(always)]
    pub fn root(&self, stone: usize) -> usize {
        Self::id(self.cell[stone & (LEN - 1)])
    }

    /// Number of liberties of the chain at a stone.
    #[inline(always)]
    pub fn liberty_count(&self, stone: usize) -> u32 {
        self.chain[self.root(stone)] & LIBERTY_MASK
    }

    /// Number of stones of the chain at a stone.
    #[inline(always)]
    pub fn chain_size(&self, stone: usize) -> u32 {
        self.chain[self.root(stone)] >> 16
    }

    /// The liberties of the chain at a stone, by ascending index.
    #[inline(always)]
    pub fn liberties(&self, stone: usize) -> Bits<WORDS> {
        Bits { words: self.liberties[self.root(stone)], word: 0 }
    }

    /// Roots of a color's chains that have this many liberties at most.
    ///
    /// Found by a look at each stone: keeping sets of chains in danger costs each move 6 to 13 ns,
    /// and playouts ask about chains near the last move only.
    pub fn endangered(&self, color: Color, liberties: u32) -> impl Iterator<Item = usize> + '_ {
        let stones = Bits { words: self.stones[color as usize], word: 0 };
        stones.filter(move |&stone| {
            self.root(stone) == stone && self.liberty_count(stone) <= liberties
        })
    }

    /// The stones of the chain at a stone, from its root on.
    pub fn chain_stones(&self, stone: usize) -> impl Iterator<Item = usize> + '_ {
        let root = self.root(stone);
        let mut stone = Some(root);
        std::iter::from_fn(move || {
            let this = stone?;
            let next = usize::from(self.next[this & (LEN - 1)]);
            stone = (next != root).then_some(next);
            Some(this)
        })
    }

    /// The eight neighbors, two bits each; see [`pattern`].
    #[inline(always)]
    pub fn code(&self, p: usize) -> u16 {
        self.code[p & (LEN - 1)]
    }

    /// The eight neighbors of a point, in the order of the code's pairs.
    #[inline(always)]
    pub fn neighbors8(p: usize) -> [usize; 8] {
        Self::OFFSETS.map(|offset| p.wrapping_add_signed(offset))
    }

    /// The empty points, in the order of the draws.
    #[inline(always)]
    pub fn empties(&self) -> &[u16] {
        &self.empties[..self.empty_count.min(LEN)]
    }

    /// Whether the side may play on this empty point: no suicide, no simple ko.
    #[inline(always)]
    pub fn is_legal(&self, color: Color, p: usize) -> bool {
        if self.empty_neighbors(p) > 0 {
            return true;
        }
        p != self.ko && self.is_supported(color, p)
    }

    /// Whether a stone at `p`, an empty point without empty neighbors, would capture or be
    /// connected to a chain with another liberty.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "fewer branches")]
    pub(super) fn is_supported(&self, color: Color, p: usize) -> bool {
        let own = color_bit(color);
        let mut supported = false;
        for q in Self::around(p) {
            let word = self.cell[q & (LEN - 1)];
            let stone = word & STONE;
            let is_last = self.chain[Self::id(word)] & LIBERTY_MASK == 1;
            supported |= (stone != STONE) & ((stone == own) != is_last);
        }
        supported
    }

    /// Whether the empty point is surrounded by `color` and its diagonals make it a real eye.
    #[inline(always)]
    pub fn is_eyelike(&self, color: Color, p: usize) -> bool {
        pattern::is_eyelike(self.code(p), color)
    }

    /// Whose a point is when the game has been played out: stones, and empty points whose
    /// neighbors have one color. 1 for Black, -1 for White, 0 for nobody and the border.
    #[inline(always)]
    fn owner(&self, p: usize) -> i32 {
        owner_of(self.cell[p], Self::around(p).iter().map(|&q| self.cell[q]).sum())
    }

    /// Black's area minus White's in the sense of [`Self::owners`].
    #[inline]
    pub fn playout_score(&self) -> i32 {
        Self::INNER.map(|p| self.owner(p)).sum()
    }

    /// Writes whose each point is at the end of a playout; `owners` is indexed by point. Regions of
    /// several empty points are nobody's; a playout leaves none.
    #[inline]
    pub fn owners(&self, owners: &mut [i8; LEN]) {
        for p in Self::INNER {
            owners[p] = self.owner(p) as i8;
        }
    }
}
