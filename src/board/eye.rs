//! The eye-like test: points that playouts do not fill.

use super::color::Color;
use super::grid::{BLACK, COUNT_MASK, EMPTY, Grid, WHITE, color_bit};

impl<const STRIDE: usize, const LEN: usize> Grid<STRIDE, LEN> {
    /// Whether the empty point `p`, all of whose neighbors are own stones or border, is a real eye
    /// of `color` by its diagonals: at most one of them is the opponent's, none at the edge.
    #[inline(always)]
    pub(super) fn has_safe_diagonals(&self, color: Color, p: usize) -> bool {
        let diagonals =
            [p - STRIDE - 1, p - STRIDE + 1, p + STRIDE - 1, p + STRIDE + 1].map(|q| self.cell[q]);
        let sum: u32 = diagonals.iter().sum();
        let count = |bit: u32| sum / bit & COUNT_MASK;
        // The border counts as both colors, hence twice in the total.
        let border = count(BLACK) + count(WHITE) + count(EMPTY) - 4;
        let opponents = count(color_bit(!color)) - border;
        opponents + border.min(1) < 2
    }

    /// Whether the empty point `p` is surrounded by `color` and its diagonals are safe.
    pub(super) fn is_eyelike(&self, color: Color, p: usize) -> bool {
        let sum: u32 = Self::around(p).iter().map(|&q| self.cell[q]).sum();
        sum / color_bit(color) & COUNT_MASK == 4 && self.has_safe_diagonals(color, p)
    }
}
