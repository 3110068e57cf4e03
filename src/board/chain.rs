//! Putting stones down and taking chains off the grid.

use super::color::Color;
use super::grid::{EMPTY, Grid, LIBERTY_MASK, ONE_STONE, STONE, color_bit, count};
use super::point::Point;
use super::zobrist;

/// What a move would do to the board or has done to it: stones taken from the opponent, stones of
/// the mover's own removed by suicide.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Removed {
    /// Stones of the opponent.
    pub captured: usize,
    /// Stones of the mover, the one just played among them.
    pub suicided: usize,
}

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// Whether a stone at `p`, an empty point without empty neighbors, would capture or be
    /// connected to a chain with another liberty. Read-only: counts of equal ids stand for the
    /// liberties that the stone would take.
    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "fewer branches: 5 % of a playout")]
    pub(super) fn is_supported(&self, color: Color, p: usize) -> bool {
        let own = color_bit(color);
        let words = Self::around(p).map(|q| self.cell[q]);
        let mut supported = false;
        for word in words {
            let stone = word & STONE;
            let contacts: u32 = words.iter().map(|&other| u32::from(other == word)).sum();
            let is_full = self.chain[Self::id(word)] & LIBERTY_MASK == contacts;
            supported |= (stone != STONE) & ((stone == own) != is_full);
        }
        supported
    }

    /// Puts a stone on an empty point that the caller has removed from the list of empty points,
    /// joins chains and takes off opposing chains without liberties. Returns how many stones were
    /// taken. A stone left without liberties stays: legality is the caller's business.
    #[inline(always)]
    pub(super) fn place(&mut self, color: Color, p: usize) -> usize {
        let own = color_bit(color);
        let around = Self::around(p);
        let words = around.map(|q| self.cell[q]);
        let mut sum = 0;
        for word in words {
            let id = Self::id(word);
            self.chain[id] = self.chain[id].wrapping_sub(1);
            sum += word;
        }
        self.hash ^= zobrist::key(color, Point::from_index(p));
        self.next[p] = p as u16;
        self.chain[p] = 0;
        // Joining the first friend directly, found without branches, saves most mergers.
        let mut root = p;
        for word in words {
            root = if word & STONE == own { Self::id(word) } else { root };
        }
        self.cell[p] = own | root as u32;
        self.chain[root] += ONE_STONE + count(sum, EMPTY);
        self.next.swap(p, root);
        // One well predicted branch each for the mergers that are left and for captures.
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
        let mut taken = 0;
        if captures {
            taken = self.capture(color, around);
        }
        self.ko = 0;
        if taken == 1 && self.chain[root] == ONE_STONE + 1 {
            self.ko = usize::from(self.empties[self.empty_count - 1]);
        }
        taken
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

    /// Joins the chain of root `a` and that of the stone at `b`, if they are two. Returns the root
    /// of the whole.
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
        self.chain[keep] += self.chain[drop];
        self.next.swap(keep, drop);
        keep
    }

    /// Takes the chain at `p` off the board; returns its size.
    pub(super) fn take_off(&mut self, color: Color, p: usize) -> usize {
        let root = Self::id(self.cell[p]);
        let mut stone = root;
        let mut count = self.empty_count;
        loop {
            self.cell[stone] = EMPTY | stone as u32;
            self.hash ^= zobrist::key(color, Point::from_index(stone));
            if count < LEN {
                self.empties[count] = stone as u16;
            }
            count += 1;
            if Self::INNER.contains(&stone) {
                for q in Self::around(stone) {
                    let id = Self::id(self.cell[q]);
                    self.chain[id] = self.chain[id].wrapping_add(1);
                }
            }
            stone = usize::from(self.next[stone]) & (LEN - 1);
            if stone == root {
                break;
            }
        }
        let size = count - self.empty_count;
        self.empty_count = count;
        size
    }

    /// What a stone on the empty point `p` would remove, and the hash after that.
    pub(super) fn outcome(&self, color: Color, p: usize) -> (Removed, zobrist::Hash) {
        let own = color_bit(color);
        let words = Self::around(p).map(|q| self.cell[q]);
        let mut hash = self.hash ^ zobrist::key(color, Point::from_index(p));
        let mut removed = Removed::default();
        let mut breathes = words.iter().any(|&word| word & EMPTY != 0);
        for (i, &word) in words.iter().enumerate() {
            let stone = word & STONE;
            if stone == STONE || stone == 0 || words[..i].contains(&word) {
                continue;
            }
            let contacts = words.iter().filter(|&&other| other == word).count() as u32;
            let is_full = self.chain[Self::id(word)] & LIBERTY_MASK == contacts;
            if stone == own {
                breathes |= !is_full;
            } else if is_full {
                removed.captured += (self.chain[Self::id(word)] >> 16) as usize;
                hash ^= self.chain_hash(Self::id(word), !color);
            }
        }
        if !breathes && removed.captured == 0 {
            removed.suicided = 1;
            hash = self.hash;
            for (i, &word) in words.iter().enumerate() {
                if word & STONE == own && !words[..i].contains(&word) {
                    removed.suicided += (self.chain[Self::id(word)] >> 16) as usize;
                    hash ^= self.chain_hash(Self::id(word), color);
                }
            }
        }
        (removed, hash)
    }

    /// Plays on an empty point: captures, or removes the mover's own chain if it is left without
    /// liberties.
    pub(super) fn play(&mut self, color: Color, p: usize) -> Removed {
        let list = &mut self.empties[..self.empty_count];
        let Some(i) = list.iter().position(|&q| usize::from(q) == p) else {
            debug_assert!(false, "the point is empty, so it is listed");
            return Removed::default();
        };
        self.empty_count -= 1;
        self.empties[i] = self.empties[self.empty_count];
        let captured = self.place(color, p);
        let mut suicided = 0;
        if self.chain[Self::id(self.cell[p])] & LIBERTY_MASK == 0 {
            suicided = self.take_off(color, p);
        }
        Removed { captured, suicided }
    }
}
