//! The eye-like test: points that playouts do not fill.

use super::color::Color;
use super::grid::{BLACK, EMPTY, Grid, WHITE, color_bit, count};

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// Whether the empty point `p`, all of whose neighbors are own stones or border, is a real eye
    /// of `color` by its diagonals: at most one of them is the opponent's, none at the edge.
    #[inline(always)]
    pub(super) fn has_safe_diagonals(&self, color: Color, p: usize) -> bool {
        let diagonals =
            [p - STRIDE - 1, p - STRIDE + 1, p + STRIDE - 1, p + STRIDE + 1].map(|q| self.cell[q]);
        let sum: u32 = diagonals.iter().sum();
        let of = |bit: u32| count(sum, bit);
        // The border counts as both colors, hence twice in the total.
        let border = of(BLACK) + of(WHITE) + of(EMPTY) - 4;
        let opponents = of(color_bit(!color)) - border;
        opponents + border.min(1) < 2
    }

    /// Whether the empty point `p` is surrounded by `color` and its diagonals are safe.
    pub(super) fn is_eyelike(&self, color: Color, p: usize) -> bool {
        let sum: u32 = Self::around(p).iter().map(|&q| self.cell[q]).sum();
        count(sum, color_bit(color)) == 4 && self.has_safe_diagonals(color, p)
    }
}
