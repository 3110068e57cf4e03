//! Patterns of 12 and of 20 points around a move, as numbers that do not change when the board is
//! turned or mirrored.
//!
//! There are too many such patterns to list: each is hashed into one of a fixed number of buckets,
//! and what shares a bucket shares a weight (feature hashing). Rare ones do little harm there,
//! since a weight follows the patterns that are seen often.

use std::sync::LazyLock;

use crate::board::{Color, Heavy};
use crate::rng::Rng;

/// Buckets of the 12 points within distance two (a diamond), and of 20 (5x5 without its corners).
pub(super) const BUCKETS: [usize; 2] = [1 << 14, 1 << 16];
/// Points of both patterns.
const POINTS: [usize; 2] = [12, 20];
/// Points beyond the edge on each side that patterns look at.
const MARGIN: usize = 2;

/// Offsets (column, row) from the middle, near ones first: a pattern is a prefix.
const OFFSETS: [(isize, isize); 20] = [
    (0, 1),
    (1, 0),
    (0, -1),
    (-1, 0),
    (1, 1),
    (1, -1),
    (-1, -1),
    (-1, 1),
    (0, 2),
    (2, 0),
    (0, -2),
    (-2, 0),
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
];

/// Random numbers by offset, content and symmetry: the hash of a pattern in one orientation is the
/// exclusive or over its points.
static KEYS: LazyLock<Vec<[[u32; 8]; 4]>> = LazyLock::new(|| {
    let mut rng = Rng::new(0x7061_7474_6572_6e73);
    let base: Vec<[u32; 4]> =
        OFFSETS.iter().map(|_| [0; 4].map(|_| rng.next_u64() as u32)).collect();
    let turned = |(x, y): (isize, isize), symmetry: usize| {
        let (x, y) = if symmetry & 1 == 0 { (x, y) } else { (-x, y) };
        let (x, y) = if symmetry & 2 == 0 { (x, y) } else { (x, -y) };
        if symmetry & 4 == 0 { (x, y) } else { (y, x) }
    };
    OFFSETS
        .iter()
        .map(|&offset| {
            let mut keys = [[0; 8]; 4];
            for symmetry in 0..8 {
                let image = turned(offset, symmetry);
                let i = OFFSETS.iter().position(|&o| o == image).unwrap_or(0);
                for (content, keys) in keys.iter_mut().enumerate() {
                    keys[symmetry] = base[i][content];
                }
            }
            keys
        })
        .collect()
});

/// A position with a margin around it: 0 empty, 1 own, 2 the opponent's, 3 off the board.
#[derive(Debug)]
pub(super) struct Surroundings {
    cells: Vec<u8>,
    stride: usize,
    keys: &'static [[[u32; 8]; 4]],
}

impl Surroundings {
    /// The position as the side to move sees it.
    pub(super) fn new<const S: usize, const L: usize, const W: usize>(
        board: &Heavy<S, L, W>,
        color: Color,
    ) -> Self {
        let size = board.size();
        let stride = size.width() + 2 * MARGIN;
        let mut cells = vec![3; stride * (size.height() + 2 * MARGIN)];
        for row in 0..size.height() {
            let from = (row + 1) * S + 1;
            let to = (row + MARGIN) * stride + MARGIN;
            for column in 0..size.width() {
                let p = from + column;
                let other = u8::from(board.is(!color, p));
                cells[to + column] = u8::from(board.is(color, p)) | other << 1;
            }
        }
        Self { cells, stride, keys: &KEYS }
    }

    /// Buckets of the patterns around the point in this column and row, counted from 0.
    #[inline]
    pub(super) fn buckets(&self, column: usize, row: usize) -> [usize; 2] {
        let middle = (row + MARGIN) * self.stride + column + MARGIN;
        let mut hashes = [0_u32; 8];
        let mut buckets = [0; 2];
        for (i, &(x, y)) in OFFSETS.iter().enumerate() {
            let cell = middle.wrapping_add_signed(y * self.stride as isize + x);
            let keys = &self.keys[i][usize::from(self.cells[cell] & 3)];
            for (hash, key) in hashes.iter_mut().zip(keys) {
                *hash ^= key;
            }
            for (n, &points) in POINTS.iter().enumerate() {
                if i + 1 == points {
                    let least = hashes.iter().copied().min().unwrap_or(0);
                    // The least of eight has small high bits: spread them again.
                    let spread = least.wrapping_mul(0x9e37_79b1) >> 12;
                    buckets[n] = spread as usize & (BUCKETS[n] - 1);
                }
            }
        }
        buckets
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, HeavyTask, Point, Size};

    struct Buckets(&'static str, Color);

    impl HeavyTask for Buckets {
        type Output = [usize; 2];

        fn run<const S: usize, const L: usize, const W: usize>(
            self,
            board: Box<Heavy<S, L, W>>,
        ) -> [usize; 2] {
            let size: Size = board.size();
            let point: Point = size.parse_point(self.0).unwrap();
            Surroundings::new(&board, self.1).buckets(size.column(point), size.row(point))
        }
    }

    #[test]
    fn turned_and_mirrored_patterns_share_a_bucket() {
        let board = |rows: &str| Board::from_diagram(rows).unwrap();
        let first = board(".X.../..O../...../...../.....").with_heavy(Buckets("B3", Color::Black));
        let turned = board("...../...X./..O../...../.....").with_heavy(Buckets("C2", Color::Black));
        let swapped =
            board(".O.../..X../...../...../.....").with_heavy(Buckets("B3", Color::White));
        assert_eq!(first, swapped, "the side to move sees its own stones");
        assert_ne!(first, turned, "the edge is another one");
        let wide = ".........../....X....../.....O...../.........../.........../.........../\
                    .........../.........../.........../.........../...........";
        let tall = ".........../.........../.........../.........../.......X.../......O..../\
                    .........../.........../.........../.........../...........";
        let a = board(wide).with_heavy(Buckets("E8", Color::Black));
        let b = board(tall).with_heavy(Buckets("F8", Color::Black));
        assert_ne!(a, b);
    }
}
