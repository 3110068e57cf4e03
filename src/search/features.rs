//! What there is to say about a move before any search: features for the priors of the tree.
//!
//! Each feature has a number, and a weight in `priors`: the odds of a move are the
//! product of the odds of its features (R. Coulom, Computing Elo Ratings of Move Patterns in the
//! Game of Go, 2007). The numbers are stable within a file of weights only; `scripts/train-priors`
//! makes both agree.

use std::sync::LazyLock;

use super::surroundings::{BUCKETS, Surroundings};
use crate::board::pattern::{canonical, seen_by};
use crate::board::{Color, Heavy, HeavyTask, Move, Point, Size};
use crate::game::Game;

/// Number of a feature.
pub type Feature = u32;

/// Distances to a recent move are told apart up to this one.
const DISTANCES: usize = 18;
/// Lines from the edge are told apart up to this one.
const LINES: usize = 7;

/// Lines of an open point are told apart up to this one in each direction.
const OPENING_LINES: usize = 10;
/// Pairs of such lines, the lower one first.
const OPENINGS: usize = OPENING_LINES * (OPENING_LINES + 1) / 2;

/// Kinds of features in the order of their numbers, each with its count.
const KINDS: [(&str, usize); 12] = [
    ("pass", 2),
    ("last", DISTANCES),
    ("before", DISTANCES),
    ("line", 2 * LINES),
    ("capture", 6),
    ("extend", 12),
    ("atari", 12),
    ("shortage", 3),
    ("escape", 6),
    ("self-atari", 3),
    ("ko", 1),
    ("opening", 3 * OPENINGS),
];

/// First number of a kind.
const fn start(kind: usize) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < kind {
        sum += KINDS[i].1;
        i += 1;
    }
    sum
}

const PASS: usize = start(0);
const LAST: usize = start(1);
const BEFORE: usize = start(2);
const LINE: usize = start(3);
const CAPTURE: usize = start(4);
const EXTEND: usize = start(5);
const ATARI: usize = start(6);
const SHORTAGE: usize = start(7);
const ESCAPE: usize = start(8);
const SELF_ATARI: usize = start(9);
const KO: usize = start(10);
const OPENING: usize = start(11);
const BUCKET: [usize; 2] = [start(12), start(12) + BUCKETS[0]];
const PATTERN: usize = BUCKET[1] + BUCKETS[1];

/// Number of each 3x3 code among the patterns: the same for codes that look alike when turned.
static PATTERN_NUMBERS: LazyLock<(Vec<u16>, usize)> = LazyLock::new(|| {
    let mut numbers = vec![u16::MAX; 1 << 16];
    let mut count = 0;
    for code in (0..=u16::MAX).filter(|&code| is_possible(code)) {
        let least = usize::from(canonical(code));
        if numbers[least] == u16::MAX {
            numbers[least] = count;
            count += 1;
        }
        numbers[usize::from(code)] = numbers[least];
    }
    // Narrow boards have surroundings that no pattern knows: they share the last number.
    for number in &mut numbers {
        *number = (*number).min(count);
    }
    (numbers, usize::from(count) + 1)
});

/// Whether the border of a code lies as on a board of two or more lines each way: on one side or
/// on two sides that meet.
fn is_possible(code: u16) -> bool {
    const SIDES: [[usize; 3]; 4] = [[0, 1, 2], [5, 6, 7], [0, 3, 5], [2, 4, 7]];
    let pairs = crate::board::pattern::pairs(code);
    let closed = SIDES.map(|side| pairs[side[1]] == 3);
    let borders = (0..8).all(|i| {
        let is_behind = SIDES.iter().zip(closed).any(|(side, closed)| closed && side.contains(&i));
        (pairs[i] == 3) == is_behind
    });
    borders && !(closed[0] && closed[1]) && !(closed[2] && closed[3])
}

/// Number of features.
pub fn count() -> usize {
    PATTERN + PATTERN_NUMBERS.1
}

/// The features of each move that the tree would consider in a game's position: what the weights
/// are fit from.
pub fn of_game(game: &Game) -> Vec<(Move, Vec<Feature>)> {
    let recent = super::tree::recent(game.turns());
    game.board().with_heavy(List { color: game.to_play(), recent })
}

struct List {
    color: Color,
    recent: [usize; 2],
}

impl HeavyTask for List {
    type Output = Vec<(Move, Vec<Feature>)>;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        board: Box<Heavy<S, L, W>>,
    ) -> Self::Output {
        let [last, before] = self.recent;
        let features = Features::new(&board, self.color, last, before);
        let mut of_chains = vec![Vec::new(); L];
        features.of_chains(|p, feature| of_chains[p].push(feature));
        let plays = board
            .empties()
            .iter()
            .map(|&p| usize::from(p))
            .filter(|&p| !board.is_eyelike(self.color, p) && board.is_legal(self.color, p));
        let mut moves = vec![(Move::Pass, vec![features.pass()])];
        moves.extend(plays.map(|p| {
            let mut list = std::mem::take(&mut of_chains[p]);
            features.of_point(p, |feature| list.push(feature));
            (Move::Play(Point::from_index(p)), list)
        }));
        moves
    }
}

/// The features of all moves of a position.
#[derive(Debug)]
pub(super) struct Features<'a, const S: usize, const L: usize, const W: usize> {
    board: &'a Heavy<S, L, W>,
    color: Color,
    last: usize,
    before: usize,
    size: Size,
    surroundings: Surroundings,
}

impl<'a, const S: usize, const L: usize, const W: usize> Features<'a, S, L, W> {
    /// `last` and `before` are the last two moves made, 0 for passes and none.
    pub(super) fn new(board: &'a Heavy<S, L, W>, color: Color, last: usize, before: usize) -> Self {
        let surroundings = Surroundings::new(board, color);
        Self { board, color, last, before, size: board.size(), surroundings }
    }

    /// The feature of passing: after a pass, or not.
    pub(super) fn pass(&self) -> Feature {
        (PASS + usize::from(self.last == 0)) as Feature
    }

    /// Calls `add` with each feature that a point has by itself.
    #[inline]
    pub(super) fn of_point(&self, p: usize, mut add: impl FnMut(Feature)) {
        let board = self.board;
        let code = board.code(p);
        let number = PATTERN_NUMBERS.0[usize::from(seen_by(code, self.color))];
        add((PATTERN + usize::from(number)) as Feature);
        let buckets = self.surroundings.buckets(p % S - 1, p / S - 1);
        for (start, bucket) in BUCKET.into_iter().zip(buckets) {
            add((start + bucket) as Feature);
        }
        if self.last != 0 {
            add((LAST + distance::<S>(p, self.last)) as Feature);
        }
        if self.before != 0 {
            add((BEFORE + distance::<S>(p, self.before)) as Feature);
        }
        let is_open = board.code(p) == 0 && self.is_open(p);
        let line = self.line(p).min(LINES) - 1;
        add((LINE + 2 * line + usize::from(is_open)) as Feature);
        if is_open {
            add((OPENING + self.opening(p)) as Feature);
        }
        if board.is_self_atari(self.color, p) && !board.captures_at(self.color, p) {
            let stones: u32 = Heavy::<S, L, W>::around(p)
                .into_iter()
                .map(|q| if board.is(self.color, q) { board.chain_size(q) } else { 0 })
                .max()
                .unwrap_or(0);
            add((SELF_ATARI + bucket(stones + 1)) as Feature);
        }
    }

    /// Whether no stone lies within two points of an inner point.
    fn is_open(&self, p: usize) -> bool {
        Heavy::<S, L, W>::neighbors8(p).into_iter().all(|q| {
            !Heavy::<S, L, W>::is_inner(q)
                || self.board.is_border(q)
                || self.board.has_no_stone_around(q)
        })
    }

    /// Line from the nearest edge, from 1.
    fn line(&self, p: usize) -> usize {
        let (a, b) = self.lines(p);
        a.min(b)
    }

    /// Lines from the nearest edges left or right and above or below, from 1.
    fn lines(&self, p: usize) -> (usize, usize) {
        let (column, row) = (p % S, p / S);
        let (width, height) = (self.size.width(), self.size.height());
        (column.min(width + 1 - column).max(1), row.min(height + 1 - row).max(1))
    }

    /// Number of an open point's place: how far from the edges on a small, middle or large board.
    fn opening(&self, p: usize) -> usize {
        let (a, b) = self.lines(p);
        let (low, high) = (a.min(b).min(OPENING_LINES), a.max(b).min(OPENING_LINES));
        let class = match self.size.points() {
            0..=121 => 0,
            122..=256 => 1,
            _ => 2,
        };
        class * OPENINGS + high * (high - 1) / 2 + low - 1
    }

    /// Calls `add` with the points and features that chains with few liberties give.
    pub(super) fn of_chains(&self, mut add: impl FnMut(usize, Feature)) {
        let board = self.board;
        for root in board.endangered(!self.color, 3) {
            let size = bucket(board.chain_size(root));
            match board.liberty_count(root) {
                1 => {
                    let saves = self.touches_own_in_atari(root);
                    let feature = CAPTURE + 2 * size + usize::from(saves);
                    let p = board.first_liberty(root);
                    add(p, feature as Feature);
                    if p == board.ko() || board.chain_size(root) == 1 && self.retakes_ko(root) {
                        add(p, KO as Feature);
                    }
                }
                2 => self.ataris(root, size, &mut add),
                _ => {
                    for p in board.liberties(root) {
                        add(p, (SHORTAGE + size) as Feature);
                    }
                }
            }
        }
        for root in board.endangered(self.color, 2) {
            let size = bucket(board.chain_size(root));
            match board.liberty_count(root) {
                1 => self.extensions(root, size, &mut add),
                _ => {
                    for p in board.liberties(root) {
                        let gains = board.count_after(self.color, p, 3) == 3;
                        add(p, (ESCAPE + 2 * size + usize::from(gains)) as Feature);
                    }
                }
            }
        }
    }

    /// Atari on a chain with two liberties: by a ladder that works, from the better side, or not.
    fn ataris(&self, root: usize, size: usize, add: &mut impl FnMut(usize, Feature)) {
        let board = self.board;
        let ladder = board.ladder_attack(root, self.color);
        for p in board.liberties(root) {
            let kind = if ladder == Some(p) {
                2
            } else if board.is_self_atari(self.color, p) {
                0
            } else if self.last != 0
                && board.is(!self.color, self.last)
                && board.root(self.last) == root
            {
                3
            } else {
                1
            };
            add(p, (ATARI + 4 * size + kind) as Feature);
        }
    }

    /// Ways to save an own chain in atari.
    fn extensions(&self, root: usize, size: usize, add: &mut impl FnMut(usize, Feature)) {
        let board = self.board;
        let p = board.first_liberty(root);
        let liberties = board.count_after(self.color, p, 3);
        let mut copy = Box::new(*board);
        let kind = match liberties {
            0 | 1 => 0,
            2 if copy.is_caught_in_ladder(root, self.color) => 1,
            2 => 2,
            _ => 3,
        };
        add(p, (EXTEND + 4 * size + kind) as Feature);
    }

    /// Whether a chain of the opponent, in atari, touches an own one in atari.
    fn touches_own_in_atari(&self, root: usize) -> bool {
        self.board
            .chain_stones(root)
            .flat_map(Heavy::<S, L, W>::around)
            .any(|q| self.board.is(self.color, q) && self.board.liberty_count(q) == 1)
    }

    /// Whether taking this single stone is the taking of a ko: all around it is ours but for it.
    fn retakes_ko(&self, root: usize) -> bool {
        let p = self.board.first_liberty(root);
        self.board.empty_neighbors(p) == 0 && !self.board.has_neighbor(self.color, p)
    }
}

/// Size of a chain in three classes: one stone, two, more.
fn bucket(stones: u32) -> usize {
    (stones.clamp(1, 3) - 1) as usize
}

/// Distance of two points as patterns measure it: both coordinates' differences and the larger of
/// them, shifted to start at 0 for a neighbor and capped.
#[inline]
fn distance<const S: usize>(a: usize, b: usize) -> usize {
    let dx = (a % S).abs_diff(b % S);
    let dy = (a / S).abs_diff(b / S);
    (dx + dy + dx.max(dy)).clamp(2, DISTANCES + 1) - 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_numbered_without_gaps() {
        let (numbers, count) = &*PATTERN_NUMBERS;
        assert!((1000..1400).contains(count), "{count}");
        let most = numbers.iter().max().copied().unwrap_or(0);
        assert_eq!(usize::from(most) + 1, *count);
        assert_ne!(numbers[0], most, "the open board is a pattern");
    }
}
