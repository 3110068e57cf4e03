//! Uniformly random moves: the inner loop of light playouts.

use super::color::Color;
use super::grid::{EMPTY, Grid, color_bit, count};

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// Plays a move drawn with equal odds from those that are legal (no suicide, simple ko) and do
    /// not fill an own eye; `false` if there is none, which is a pass. `below(n)` must draw from
    /// `0..n` uniformly.
    ///
    /// Points that are refused go behind the active part of the free list for this move only, so
    /// the draw is exactly uniform, where scanning on from a random start is not.
    #[inline(always)]
    pub fn play_random(&mut self, color: Color, below: &mut impl FnMut(u32) -> u32) -> bool {
        let mut active = self.empty_count;
        while active > 0 && active <= LEN {
            let i = below(active as u32) as usize & (LEN - 1);
            let p = usize::from(self.empties[i]);
            if self.try_draw(color, p) {
                self.empty_count -= 1;
                self.empties[i] = self.empties[self.empty_count & (LEN - 1)];
                self.place(color, p);
                return true;
            }
            active -= 1;
            self.empties.swap(i, active);
        }
        self.ko = 0;
        false
    }

    /// Whether a playout may play on the empty point `p`.
    #[inline(always)]
    fn try_draw(&self, color: Color, p: usize) -> bool {
        if !Self::INNER.contains(&p) {
            return false;
        }
        let sum: u32 = Self::around(p).iter().map(|&q| self.cell[q]).sum();
        if count(sum, EMPTY) != 0 {
            return true;
        }
        if count(sum, color_bit(color)) == 4 && self.has_safe_diagonals(color, p) {
            return false;
        }
        p != self.ko && self.is_supported(color, p)
    }
}
