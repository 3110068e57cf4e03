//! A position as the features of a network read it: colors in a bordered array, nothing incremental.
//!
//! Chains and liberties are found by flooding. That is slower than a board that keeps them, and
//! needs no copies: moves are taken back from a log, which is what reading ladders asks for.

use crate::board::{ARRAY_LEN, Board, Cell, Color, Point, Size};

/// Colors of all points, with the point that simple ko bars (0 for none).
#[derive(Clone, Debug)]
pub(super) struct Stones {
    cells: [Cell; ARRAY_LEN],
    stride: usize,
    ko: usize,
    /// When a point was visited last, by the number of the flood.
    visited: [u32; ARRAY_LEN],
    flood: u32,
    /// Points of the last flood.
    found: Vec<usize>,
    /// Moves to take back.
    log: Vec<Played>,
    /// Points of the stones that they took, one move after the other.
    taken: Vec<usize>,
}

/// A move that can be taken back.
#[derive(Clone, Copy, Debug)]
struct Played {
    point: usize,
    taken_before: usize,
    ko_before: usize,
}

impl Stones {
    pub(super) fn new(board: &Board) -> Self {
        let size: Size = board.size();
        let mut cells = [Cell::Border; ARRAY_LEN];
        for point in size.iter() {
            cells[point.index()] = board.cell(point);
        }
        let ko = board.ko_point().map_or(0, Point::index);
        let (found, log, taken) = (Vec::new(), Vec::new(), Vec::new());
        let visited = [0; ARRAY_LEN];
        Self { cells, stride: size.stride(), ko, visited, flood: 0, found, log, taken }
    }

    pub(super) fn cell(&self, p: usize) -> Cell {
        self.cells[p]
    }

    pub(super) fn color(&self, p: usize) -> Option<Color> {
        self.cells[p].color()
    }

    pub(super) fn is_empty(&self, p: usize) -> bool {
        self.cells[p] == Cell::Empty
    }

    pub(super) fn around(&self, p: usize) -> [usize; 4] {
        [p - self.stride, p - 1, p + 1, p + self.stride]
    }

    /// The point that simple ko bars; 0 for none.
    pub(super) fn ko(&self) -> usize {
        self.ko
    }

    /// Lets the ko be retaken; the former ko point, for [`Self::set_ko`].
    pub(super) fn forget_ko(&mut self) -> usize {
        std::mem::take(&mut self.ko)
    }

    pub(super) fn set_ko(&mut self, ko: usize) {
        self.ko = ko;
    }

    /// Stones of the chain at `p`.
    pub(super) fn chain(&mut self, p: usize) -> &[usize] {
        self.flood(p, |_| true);
        &self.found
    }

    /// Up to `N` liberties of the chain at `p`, and how many were found; there may be more if all
    /// `N` were.
    pub(super) fn liberties<const N: usize>(&mut self, p: usize) -> ([usize; N], usize) {
        let (mut liberties, mut count) = ([0; N], 0);
        self.flood(p, |q| {
            liberties[count] = q;
            count += 1;
            count < N
        });
        (liberties, count)
    }

    /// Number of liberties of the chain at `p`, counted up to `N` only.
    pub(super) fn count_liberties<const N: usize>(&mut self, p: usize) -> usize {
        self.liberties::<N>(p).1
    }

    /// Visits the chain at `p`, which ends up in `found`, and shows each liberty once; ends early when
    /// `wants_more` says so.
    fn flood(&mut self, p: usize, mut wants_more: impl FnMut(usize) -> bool) {
        self.flood += 1;
        let (flood, color) = (self.flood, self.cells[p]);
        self.visited[p] = flood;
        self.found.clear();
        self.found.push(p);
        let mut done = 0;
        while let Some(&stone) = self.found.get(done) {
            done += 1;
            for q in self.around(stone) {
                if self.visited[q] == flood {
                    continue;
                }
                if self.cells[q] == color {
                    self.visited[q] = flood;
                    self.found.push(q);
                } else if self.cells[q] == Cell::Empty {
                    self.visited[q] = flood;
                    if !wants_more(q) {
                        return;
                    }
                }
            }
        }
    }

    /// Plays on a point, unless it is occupied, barred by simple ko, or suicide. `true` if the move
    /// was made; [`Self::undo`] takes it back.
    pub(super) fn play(&mut self, color: Color, p: usize) -> bool {
        if !self.is_empty(p) || p == self.ko {
            return false;
        }
        let played = Played { point: p, taken_before: self.taken.len(), ko_before: self.ko };
        self.cells[p] = color.into();
        for q in self.around(p) {
            if self.color(q) == Some(!color) && self.count_liberties::<1>(q) == 0 {
                for i in 0..self.found.len() {
                    let stone = self.found[i];
                    self.cells[stone] = Cell::Empty;
                    self.taken.push(stone);
                }
            }
        }
        let (liberties, count) = self.liberties::<2>(p);
        if count == 0 {
            self.cells[p] = Cell::Empty;
            return false;
        }
        let takes_one = self.taken.len() - played.taken_before == 1;
        let is_alone = self.around(p).iter().all(|&q| self.color(q) != Some(color));
        self.ko = if takes_one && is_alone && count == 1 { liberties[0] } else { 0 };
        self.log.push(played);
        true
    }

    /// Takes the last move back.
    pub(super) fn undo(&mut self) {
        let Some(Played { point, taken_before, ko_before }) = self.log.pop() else { return };
        let taken = match self.cells[point] {
            Cell::Black => Cell::White,
            _ => Cell::Black,
        };
        for stone in self.taken.drain(taken_before..) {
            self.cells[stone] = taken;
        }
        self.cells[point] = Cell::Empty;
        self.ko = ko_before;
    }
}
