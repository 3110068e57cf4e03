//! Which chains are caught in a ladder, as KataGo's networks see it.
//!
//! Their features ask for exactly this reading, so it shares nothing with the search's own: a ladder
//! that needs a ko does not work, superko is ignored, and a line that goes on for very long does.

use std::collections::HashMap;

use super::stones::Stones;
use crate::board::{Board, Color, Hash, Point, PointSet, Size};

/// Positions that a reading may look at; beyond that the chain escapes.
const NODES_MAX: u32 = 25_000;

/// Boards whose ladders are remembered, about 1 MB.
const KNOWN_MAX: usize = 4096;

/// Ladders of boards that were read before.
#[derive(Debug, Default)]
pub(super) struct KnownLadders {
    by_board: HashMap<(Size, Hash, Option<Point>), Ladders>,
}

impl KnownLadders {
    /// The ladders of a board. They depend on its stones and on its ko.
    pub(super) fn read(&mut self, board: &Board) -> &Ladders {
        if self.by_board.len() >= KNOWN_MAX {
            self.by_board.clear();
        }
        let key = (board.size(), board.hash(), board.ko_point());
        let read = || Ladders::new(&mut Stones::new(board), board.size());
        self.by_board.entry(key).or_insert_with(read)
    }
}

/// What is caught on a board.
#[derive(Clone, Debug, Default)]
pub(super) struct Ladders {
    /// Stones of chains that are caught: in atari though they move first, or with two liberties if
    /// the opponent does.
    pub(super) caught: PointSet,
    /// For chains with two liberties that are caught: where the opponent begins.
    pub(super) working: Vec<(Color, usize)>,
}

impl Ladders {
    /// Reads every chain that has one liberty or two.
    pub(super) fn new(stones: &mut Stones, size: Size) -> Self {
        let mut ladders = Self::default();
        let mut seen = PointSet::EMPTY;
        for point in size.iter() {
            let p = point.index();
            let Some(owner) = stones.color(p) else { continue };
            if seen.contains(point) {
                continue;
            }
            let chain: Vec<Point> =
                stones.chain(p).iter().map(|&stone| Point::from_index(stone)).collect();
            seen.extend(chain.iter().copied());
            let (liberties, count) = stones.liberties::<3>(p);
            let mut reader = Reader::new(stones, p, owner, size);
            let is_caught = match count {
                1 => reader.is_caught_moving_first(),
                2 => {
                    let working = reader.working_attacks([liberties[0], liberties[1]]);
                    ladders.working.extend(working.iter().map(|&q| (owner, q)));
                    !working.is_empty()
                }
                _ => false,
            };
            if is_caught {
                ladders.caught.extend(chain);
            }
        }
        ladders
    }
}

/// Reads one chain.
struct Reader<'a> {
    stones: &'a mut Stones,
    /// A stone of the chain.
    chain: usize,
    owner: Color,
    /// Longest line.
    depth_max: usize,
    nodes: u32,
}

impl<'a> Reader<'a> {
    fn new(stones: &'a mut Stones, chain: usize, owner: Color, size: Size) -> Self {
        Self { stones, chain, owner, depth_max: 3 * size.points() / 2, nodes: 0 }
    }

    /// Whether the chain, in atari with its owner to move, is caught.
    fn is_caught_moving_first(&mut self) -> bool {
        self.nodes = 0;
        let ko = self.stones.forget_ko();
        let is_caught = self.defends(0);
        self.stones.set_ko(ko);
        is_caught
    }

    /// By which of its two liberties the chain is caught.
    fn working_attacks(&mut self, liberties: [usize; 2]) -> Vec<usize> {
        let mut working = Vec::new();
        for p in liberties {
            if self.stones.play(!self.owner, p) {
                if self.is_caught_moving_first() {
                    working.push(p);
                }
                self.stones.undo();
            }
        }
        working
    }

    /// Counts a position; what the chain is taken for if the reading has become too long.
    fn cut_off(&mut self, depth: usize) -> Option<bool> {
        self.nodes += 1;
        if self.nodes > NODES_MAX { Some(false) } else { (depth > self.depth_max).then_some(true) }
    }

    /// The owner moves. `true` if the chain is caught whatever he does.
    fn defends(&mut self, depth: usize) -> bool {
        if let Some(is_caught) = self.cut_off(depth) {
            return is_caught;
        }
        let (liberties, count) = self.stones.liberties::<2>(self.chain);
        if count > 1 || self.stones.ko() != 0 {
            return false;
        }
        let mut tries = self.captures();
        tries.push(liberties[0]);
        for p in tries {
            if self.stones.play(self.owner, p) {
                let is_caught = self.attacks(depth + 1);
                self.stones.undo();
                if !is_caught {
                    return false;
                }
            }
        }
        true
    }

    /// The attacker moves. `true` if the chain is caught.
    fn attacks(&mut self, depth: usize) -> bool {
        if let Some(is_caught) = self.cut_off(depth) {
            return is_caught;
        }
        let (liberties, count) = self.stones.liberties::<3>(self.chain);
        match count {
            0 | 1 => return true,
            2 => {}
            _ => return false,
        }
        let liberties = [liberties[0], liberties[1]];
        if self.is_double_ko(liberties) {
            return true;
        }
        for p in liberties {
            if self.stones.play(!self.owner, p) {
                let is_caught = self.defends(depth + 1);
                self.stones.undo();
                if is_caught {
                    return true;
                }
            }
        }
        false
    }

    /// Last liberties of the attacker's chains in atari next to the chain.
    fn captures(&mut self) -> Vec<usize> {
        let chain = self.stones.chain(self.chain).to_vec();
        let near: Vec<usize> = chain.iter().flat_map(|&p| self.stones.around(p)).collect();
        let mut captures = Vec::new();
        let mut seen = PointSet::EMPTY;
        for q in near {
            if self.stones.color(q) != Some(!self.owner) || seen.contains(Point::from_index(q)) {
                continue;
            }
            let (liberties, count) = self.stones.liberties::<2>(q);
            if count == 1 && !captures.contains(&liberties[0]) {
                captures.push(liberties[0]);
            }
            seen.extend(self.stones.chain(q).iter().map(|&stone| Point::from_index(stone)));
        }
        captures
    }

    /// Whether each of the two liberties is a ko that the attacker takes, so that the chain lives by
    /// a double ko at best.
    fn is_double_ko(&mut self, liberties: [usize; 2]) -> bool {
        let has_room =
            |stones: &Stones, p: usize| stones.around(p).iter().any(|&q| stones.is_empty(q));
        if liberties.iter().any(|&p| has_room(self.stones, p)) {
            return false;
        }
        liberties.iter().all(|&p| self.takes_ko(p) && self.gains_little(p))
            && self.captures().is_empty()
    }

    /// Whether the attacker takes a ko by playing here.
    fn takes_ko(&mut self, p: usize) -> bool {
        let is_played = self.stones.play(!self.owner, p);
        let takes = is_played && self.stones.ko() != 0;
        if is_played {
            self.stones.undo();
        }
        takes
    }

    /// Whether the owner has two liberties at most after playing here.
    fn gains_little(&mut self, p: usize) -> bool {
        if !self.stones.play(self.owner, p) {
            return true;
        }
        let count = self.stones.count_liberties::<3>(p);
        self.stones.undo();
        count <= 2
    }
}
