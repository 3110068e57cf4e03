//! The board of informed playouts and of the tree: exact liberties and 3x3 codes.
//!
//! [`Heavy`] knows at every move what a policy asks for: which points are the liberties of a chain
//! (one bitset a chain) and what surrounds a point (`code`, see [`pattern`](super::pattern)). It
//! costs about 1.25 times as much a move as the light [`Grid`](super::grid) and shares its packed
//! cell words; read that module's header first.
//!
//! **Invariants** (checked against the naive board by the tests): for the root `r` of a chain,
//! `liberties[r]` holds exactly its liberties and `chain[r]` is `size << 16 | count`; `code[p]`
//! holds the eight neighbors of every point; `position` inverts `empties`.
//!
//! **Assumptions.** As the light grid: no history, no undo, simple ko, no suicide. Rows of
//! `liberties` and words of `chain` at empty cells and at 0 are scratch.

mod bits;
mod tactics;
mod view;

use crate::board::color::Color;
use crate::board::grid::{
    BORDER, EMPTY, ID_MASK, LIBERTY_MASK, ONE_STONE, STONE, color_bit, count,
};
use crate::board::point::{Point, Size};
use crate::board::zobrist::{self, Hash};
use crate::board::{Board, Move, pattern};
pub use bits::Bits;

/// A position with everything that informed playouts ask for. `WORDS` is `LEN / 64`.
#[derive(Clone, Copy, Debug)]
pub struct Heavy<const STRIDE: usize, const LEN: usize, const WORDS: usize> {
    pub(super) cell: [u32; LEN],
    pub(super) chain: [u32; LEN],
    pub(super) code: [u16; LEN],
    pub(super) next: [u16; LEN],
    empties: [u16; LEN],
    position: [u16; LEN],
    pub(super) liberties: [[u64; WORDS]; LEN],
    stones: [[u64; WORDS]; 2],
    empty_count: usize,
    ko: usize,
    hash: Hash,
    size: Size,
}

/// Work on a heavy board that is compiled for each of the four array sizes.
pub trait HeavyTask {
    /// What the work gives.
    type Output;

    /// Does the work on a copy of the position.
    fn run<const STRIDE: usize, const LEN: usize, const WORDS: usize>(
        self,
        board: Box<Heavy<STRIDE, LEN, WORDS>>,
    ) -> Self::Output;
}

impl Board {
    /// Runs a task on the heavy form of this position.
    pub fn with_heavy<T: HeavyTask>(&self, task: T) -> T::Output {
        match self.size().stride() {
            10 => task.run::<10, 128, 2>(Box::new(Heavy::from_board(self))),
            14 => task.run::<14, 256, 4>(Box::new(Heavy::from_board(self))),
            20 => task.run::<20, 512, 8>(Box::new(Heavy::from_board(self))),
            _ => task.run::<26, 1024, 16>(Box::new(Heavy::from_board(self))),
        }
    }
}

impl<const STRIDE: usize, const LEN: usize, const WORDS: usize> Heavy<STRIDE, LEN, WORDS> {
    /// First and last index whose eight neighbors are all inside the array.
    pub(super) const INNER: std::ops::Range<usize> = STRIDE + 1..LEN - STRIDE - 1;
    /// The eight neighbors in the order of a code's bit pairs: the opposite of `i` is `7 - i`.
    const OFFSETS: [isize; 8] = {
        let s = STRIDE as isize;
        [-s - 1, -s, -s + 1, -1, 1, s - 1, s, s + 1]
    };

    fn new(size: Size) -> Self {
        debug_assert_eq!(size.stride(), STRIDE, "a board lives in the array of its size");
        let mut board = Self {
            cell: [BORDER; LEN],
            chain: [0; LEN],
            code: [0; LEN],
            next: [0; LEN],
            empties: [0; LEN],
            position: [0; LEN],
            liberties: [[0; WORDS]; LEN],
            stones: [[0; WORDS]; 2],
            empty_count: 0,
            ko: 0,
            hash: 0,
            size,
        };
        for point in size.iter() {
            let p = point.index();
            board.cell[p] = EMPTY | p as u32;
            board.empties[board.empty_count] = p as u16;
            board.position[p] = board.empty_count as u16;
            board.empty_count += 1;
        }
        for point in size.iter() {
            let p = point.index();
            for (i, offset) in Self::OFFSETS.into_iter().enumerate() {
                if board.cell[p.wrapping_add_signed(offset)] & EMPTY == 0 {
                    board.code[p] |= pattern::BORDER << (2 * i);
                }
            }
        }
        board
    }

    /// The same stones and ko point. The order of random draws depends on the position only.
    fn from_board(source: &Board) -> Self {
        let mut board = Self::new(source.size());
        for (point, color) in source.stones() {
            board.play(color, point.index());
        }
        board.ko = source.ko_point().map_or(0, Point::index);
        let list = &mut board.empties[..board.empty_count];
        list.sort_unstable();
        for (i, &p) in list.iter().enumerate() {
            board.position[usize::from(p)] = i as u16;
        }
        board
    }

    /// Makes this board a copy of another. Cheaper than `clone`: scratch is left out.
    #[inline]
    pub fn copy_from(&mut self, other: &Self) {
        self.cell = other.cell;
        self.chain = other.chain;
        self.code = other.code;
        self.next = other.next;
        self.empties = other.empties;
        self.position = other.position;
        self.stones = other.stones;
        self.empty_count = other.empty_count;
        self.ko = other.ko;
        self.hash = other.hash;
        self.size = other.size;
        for color in Color::ALL {
            for stone in (Bits { words: other.stones[color as usize], word: 0 }) {
                if other.root(stone) == stone {
                    self.liberties[stone] = other.liberties[stone];
                }
            }
        }
    }

    /// The four neighbors of an index in [`Self::INNER`], lowest index first.
    #[inline(always)]
    pub(crate) const fn around(p: usize) -> [usize; 4] {
        [p - STRIDE, p - 1, p + 1, p + STRIDE]
    }

    /// The chain id in a cell word, as an index that needs no range check.
    #[inline(always)]
    pub(super) const fn id(word: u32) -> usize {
        (word & ID_MASK) as usize & (LEN - 1)
    }

    /// Word and bit of a point in a bitset.
    #[inline(always)]
    const fn bit(p: usize) -> (usize, u64) {
        ((p >> 6) & (WORDS - 1), 1 << (p & 63))
    }

    /// Puts a stone on an empty point: joins chains, takes off opposing chains without liberties,
    /// sets the ko point. A stone left without liberties stays; legality is the caller's business.
    /// Returns how many stones were taken.
    #[inline(always)]
    pub fn play(&mut self, color: Color, p: usize) -> usize {
        if !Self::INNER.contains(&p) {
            return 0;
        }
        let own = color_bit(color);
        let around = Self::around(p);
        let words = around.map(|q| self.cell[q]);
        self.occupy(color, p);
        self.take_liberty(p, words);
        let mut root = p;
        for word in words {
            root = if word & STONE == own { Self::id(word) } else { root };
        }
        self.cell[p] = own | root as u32;
        self.next[p] = p as u16;
        self.chain[p] = 0;
        self.liberties[p] = [0; WORDS];
        self.chain[root] += ONE_STONE;
        self.next.swap(p, root);
        self.give_liberties(root, around, words);
        let mut others = false;
        let mut captures = false;
        for word in words {
            others |= (word & STONE == own) & (Self::id(word) != root);
            let has_no_liberty = self.chain[Self::id(word)] & LIBERTY_MASK == 0;
            captures |= (word & STONE == own ^ STONE) & has_no_liberty;
        }
        if others {
            for word in words {
                if word & STONE == own {
                    root = self.merge(root, Self::id(word));
                }
            }
        }
        let taken = if captures { self.capture(color, around) } else { 0 };
        self.ko = 0;
        if taken == 1 && self.chain[root] == ONE_STONE + 1 {
            self.ko = usize::from(self.empties[(self.empty_count - 1) & (LEN - 1)]);
        }
        taken
    }

    /// Removes a point from the empty ones; hash, stones and codes follow.
    #[inline(always)]
    fn occupy(&mut self, color: Color, p: usize) {
        let i = usize::from(self.position[p]);
        self.empty_count -= 1;
        let last = self.empties[self.empty_count & (LEN - 1)];
        self.empties[i & (LEN - 1)] = last;
        self.position[usize::from(last) & (LEN - 1)] = i as u16;
        self.mark(color, p);
    }

    /// Turns a point from empty to a color or back in hash, stones and codes.
    #[inline(always)]
    fn mark(&mut self, color: Color, p: usize) {
        self.hash ^= zobrist::key(color, Point::from_index(p));
        let (word, bit) = Self::bit(p);
        self.stones[color as usize][word] ^= bit;
        let pair = pattern::of(color);
        for (i, offset) in Self::OFFSETS.into_iter().enumerate() {
            self.code[p.wrapping_add_signed(offset)] ^= pair << (2 * (7 - i));
        }
    }

    /// Takes the point from the liberties of its neighbors' chains.
    #[inline(always)]
    fn take_liberty(&mut self, p: usize, words: [u32; 4]) {
        let (word, bit) = Self::bit(p);
        for neighbor in words {
            let id = Self::id(neighbor);
            let row = &mut self.liberties[id][word];
            let had = *row & bit != 0;
            *row &= !bit;
            self.chain[id] = self.chain[id].wrapping_sub(u32::from(had));
        }
    }

    /// Adds the empty ones of four points to a chain's liberties.
    #[inline(always)]
    fn give_liberties(&mut self, root: usize, around: [usize; 4], words: [u32; 4]) {
        for (q, neighbor) in around.into_iter().zip(words) {
            let (word, _) = Self::bit(q);
            let bit = u64::from(count(neighbor, EMPTY)) << (q & 63);
            let row = &mut self.liberties[root][word];
            let is_new = bit & !*row != 0;
            *row |= bit;
            self.chain[root] += u32::from(is_new);
        }
    }

    /// Takes off the opposing chains without liberties at these four points.
    fn capture(&mut self, color: Color, around: [usize; 4]) -> usize {
        let mut taken = 0;
        for q in around {
            // Read afresh each time: the chain may be gone already.
            let word = self.cell[q & (LEN - 1)];
            let is_opponent = word & STONE == color_bit(!color);
            if is_opponent && self.chain[Self::id(word)] & LIBERTY_MASK == 0 {
                taken += self.take_off(!color, q);
            }
        }
        taken
    }

    /// Joins the chains of root `a` and of the stone at `b`, if they are two. Returns the root of
    /// the whole.
    #[inline(always)]
    fn merge(&mut self, a: usize, b: usize) -> usize {
        let b = Self::id(self.cell[b]);
        if a == b {
            return a;
        }
        // The smaller chain is relabeled: size stands in the high half of the word.
        let (keep, drop) = if self.chain[a] >= self.chain[b] { (a, b) } else { (b, a) };
        let label = (self.cell[keep] & STONE) | keep as u32;
        let mut stone = drop;
        loop {
            self.cell[stone] = label;
            stone = usize::from(self.next[stone]) & (LEN - 1);
            if stone == drop {
                break;
            }
        }
        let (mut shared, mut any) = ([0_u64; WORDS], 0);
        let more = self.liberties[drop];
        for ((own, more), both) in self.liberties[keep].iter_mut().zip(more).zip(&mut shared) {
            *both = *own & more;
            any |= *both;
            *own |= more;
        }
        self.chain[keep] += self.chain[drop];
        // Mostly there are none, and counting bits is slow without an instruction for it.
        if any != 0 {
            self.chain[keep] -= shared.iter().map(|word| word.count_ones()).sum::<u32>();
        }
        self.next.swap(keep, drop);
        keep
    }

    /// Takes the chain at `p` off the board; returns its size.
    fn take_off(&mut self, color: Color, p: usize) -> usize {
        let root = Self::id(self.cell[p & (LEN - 1)]);
        let before = self.empty_count;
        let mut stone = root;
        loop {
            if !Self::INNER.contains(&stone) {
                break;
            }
            self.cell[stone] = EMPTY | stone as u32;
            self.empties[self.empty_count & (LEN - 1)] = stone as u16;
            self.position[stone] = self.empty_count as u16;
            self.empty_count += 1;
            self.mark(color, stone);
            let (word, bit) = Self::bit(stone);
            for q in Self::around(stone) {
                let id = Self::id(self.cell[q]);
                let row = &mut self.liberties[id][word];
                let is_new = *row & bit == 0;
                *row |= bit;
                self.chain[id] = self.chain[id].wrapping_add(u32::from(is_new));
            }
            stone = usize::from(self.next[stone]) & (LEN - 1);
            if stone == root {
                break;
            }
        }
        self.empty_count - before
    }

    /// Draws a move with equal odds from those that are legal, fill no own eye and pass `permits`;
    /// `None` if there is none, which is a pass. `below(source, n)` must draw from `0..n`
    /// uniformly; `source` is where both get their randomness.
    ///
    /// Points that are refused go behind the active part of the free list for this move only.
    #[inline(always)]
    pub fn draw<T>(
        &mut self,
        color: Color,
        source: &mut T,
        below: impl Fn(&mut T, u32) -> u32,
        permits: impl Fn(&mut T, &Self, usize) -> bool,
    ) -> Option<usize> {
        let mut active = self.empty_count;
        while active > 0 && active <= LEN {
            let i = below(source, active as u32) as usize & (LEN - 1);
            let p = usize::from(self.empties[i]);
            if Self::INNER.contains(&p) && self.may_draw(color, p) && permits(source, self, p) {
                return Some(p);
            }
            active -= 1;
            let last = self.empties[active];
            self.empties[i] = last;
            self.empties[active] = p as u16;
            self.position[usize::from(last) & (LEN - 1)] = i as u16;
            self.position[p & (LEN - 1)] = active as u16;
        }
        None
    }

    /// Whether a playout may play on the empty point.
    #[inline(always)]
    fn may_draw(&self, color: Color, p: usize) -> bool {
        self.empty_neighbors(p) > 0
            || !self.is_eyelike(color, p) && p != self.ko && self.is_supported(color, p)
    }

    /// Forgets the ko point, as a pass does.
    #[inline(always)]
    pub fn pass(&mut self) {
        self.ko = 0;
    }

    /// Makes a move.
    pub fn apply(&mut self, color: Color, mv: Move) -> usize {
        match mv {
            Move::Play(point) => self.play(color, point.index()),
            Move::Pass => {
                self.pass();
                0
            }
        }
    }

    /// The point that simple ko bars for the next move; 0 if none.
    #[inline(always)]
    pub fn ko(&self) -> usize {
        self.ko
    }

    /// Zobrist hash of the stones.
    #[inline(always)]
    pub fn hash(&self) -> Hash {
        self.hash
    }

    /// Width and height.
    #[inline(always)]
    pub fn size(&self) -> Size {
        self.size
    }
}

#[cfg(test)]
mod tests;
