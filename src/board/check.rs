//! Recomputes everything that the grid keeps incrementally: debug builds and tests only.

use super::color::Color;
use super::grid::{EMPTY, Grid, LIBERTY_MASK, STONE};
use super::point::Point;
use super::zobrist;

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// Compares the incremental state with a recomputation.
    ///
    /// # Panics
    /// On the first difference, naming the invariant.
    pub(super) fn check(&self) {
        self.check_empties();
        let mut hash = 0;
        for point in self.size.iter() {
            let p = point.index();
            let Some(color) = self.get(p).color() else { continue };
            hash ^= zobrist::key(color, point);
            self.check_chain(p, color);
        }
        assert_eq!(self.hash, hash, "hash");
    }

    fn check_empties(&self) {
        let list = self.empties[..self.empty_count].iter();
        let mut listed: Vec<Point> = list.map(|&p| Point::from_index(p.into())).collect();
        listed.sort_unstable();
        let empty = |point: &Point| self.cell[point.index()] == EMPTY | point.index() as u32;
        let found: Vec<Point> = self.size.iter().filter(empty).collect();
        assert_eq!(listed, found, "list of empty points");
    }

    fn check_chain(&self, p: usize, color: Color) {
        let word = self.cell[p];
        let root = Self::id(word);
        assert_eq!(self.cell[root], word, "the root belongs to its chain");
        assert!(self.chain_stones(p).any(|stone| stone == p), "each stone is linked");
        let liberties: usize = self
            .chain_stones(p)
            .map(|stone| Self::around(stone).iter().filter(|&&q| self.cell[q] & EMPTY != 0).count())
            .sum();
        let size = self.chain_stones(p).count();
        assert_eq!((self.chain[root] >> 16) as usize, size, "chain size");
        assert_eq!((self.chain[root] & LIBERTY_MASK) as usize, liberties, "pseudo-liberties");
        assert!(liberties > 0, "every chain has a liberty");
        for stone in self.chain_stones(p) {
            assert_eq!(self.get(stone).color(), Some(color), "a chain has one color");
            for q in Self::around(stone) {
                let same = self.cell[q] & STONE == word & STONE;
                assert!(!same || Self::id(self.cell[q]) == root, "neighbors are one chain");
            }
        }
    }
}
