//! The 3x3 patterns of informed playouts: hane, cuts and edge moves, each with a weight.
//!
//! Shapes after S. Gelly, Y. Wang, R. Munos, O. Teytaud, Modification of UCT with Patterns in
//! Monte-Carlo Go (INRIA RR-6062, 2006), figures 2 to 4; weights as collected in search.md 2.1.

use std::sync::LazyLock;

use crate::board::pattern::{self, symmetries};

/// Rows from above, the point in the middle. `X` and `O` are stones of two colors, `.` empty, `#`
/// border, `x` no X, `o` no O (border neither), `?` anything on the board.
const SHAPES: [(&str, u8); 14] = [
    ("XOX/.+./???", 52), // enclosing hane
    ("XO./.+./?.?", 53), // hane
    ("XO?/X+./x.?", 32), // magari
    (".O./X+./...", 37), // shoulder, diagonal attachment
    ("XO?/O+o/?o?", 28), // unprotected cut
    ("XO?/O+X/???", 21), // peeped cut
    ("?X?/O+O/ooo", 19), // push through
    ("OX?/o+O/???", 82), // keima cut
    ("OX?/X+O/###", 20), // block a cut at the side
    ("?X?/x+O/###", 11), // block a connection at the side
    ("?XO/x+x/###", 16), // sagari
    ("?OX/X+O/###", 57), // cut at the side
    ("?X./X+./###", 44), // make an eye at the side
    ("X.?/O+?/##?", 12), // chase in the corner or at the side
];

/// The weight of each code seen by the side to move; 0 where no pattern matches.
static WEIGHTS: LazyLock<Vec<u8>> = LazyLock::new(make_weights);

/// The table of weights by code, as the side to move sees it.
pub(super) fn weights() -> &'static [u8] {
    &WEIGHTS
}

fn make_weights() -> Vec<u8> {
    let mut table = vec![0_u8; 1 << 16];
    for (shape, weight) in SHAPES {
        for code in codes(shape) {
            for code in symmetries(code).into_iter().flat_map(|c| [c, pattern::swap_colors(c)]) {
                let entry = &mut table[usize::from(code)];
                *entry = weight.max(*entry);
            }
        }
    }
    table
}

/// All codes that a shape stands for.
fn codes(shape: &str) -> Vec<u16> {
    // Codes count their rows from below.
    let cells = shape.split('/').rev().flat_map(str::chars).filter(|&c| c != '+');
    cells.enumerate().fold(vec![0], |codes, (i, cell)| {
        let pairs: &[u16] = match cell {
            '.' => &[0],
            'X' => &[1],
            'O' => &[2],
            '#' => &[3],
            'x' => &[0, 2],
            'o' => &[0, 1],
            _ => &[0, 1, 2],
        };
        codes
            .iter()
            .flat_map(|&code| pairs.iter().map(move |&pair| code | pair << (2 * i)))
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_match_in_every_orientation_and_color() {
        let hane = codes("XOX/.+./...")[0];
        for code in symmetries(hane) {
            assert_eq!(weights()[usize::from(code)], 52);
            assert_eq!(weights()[usize::from(pattern::swap_colors(code))], 52);
        }
        assert_eq!(weights()[0], 0, "nothing around");
        assert_eq!(weights()[usize::from(codes("XXX/X+X/XXX")[0])], 0, "an eye");
    }
}
