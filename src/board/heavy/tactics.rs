//! Short-range tactics: liberties after a move, self-atari, ladders, eye shapes that die.

use super::{Bits, Heavy};
use crate::board::grid::{LIBERTY_MASK, STONE, color_bit};
use crate::board::{Color, pattern};

/// Moves that a ladder may take before it is given up as not working.
const LADDER_NODES: u32 = 200;

impl<const STRIDE: usize, const LEN: usize, const WORDS: usize> Heavy<STRIDE, LEN, WORDS> {
    /// A liberty of the chain at a stone: the only one of a chain in atari.
    #[inline(always)]
    pub fn first_liberty(&self, stone: usize) -> usize {
        let row = &self.liberties[self.root(stone)];
        let word = row.iter().position(|&word| word != 0).unwrap_or(0);
        64 * word + (row[word].trailing_zeros() & 63) as usize
    }

    /// The liberties that a stone on the empty point would give its chain. Points of captured
    /// chains count if they touch the stone.
    #[inline]
    pub fn liberties_after(&self, color: Color, p: usize) -> Bits<WORDS> {
        let own = color_bit(color);
        let mut words = [0; WORDS];
        for q in Self::around(p) {
            let word = self.cell[q & (LEN - 1)];
            let id = Self::id(word);
            if word & STONE == own {
                for (sum, more) in words.iter_mut().zip(self.liberties[id]) {
                    *sum |= more;
                }
            } else if word & STONE == 0
                || word & STONE != STONE && self.chain[id] & LIBERTY_MASK == 1
            {
                let (word, bit) = Self::bit(q);
                words[word] |= bit;
            }
        }
        let (word, bit) = Self::bit(p);
        words[word] &= !bit;
        Bits { words, word: 0 }
    }

    /// Number of [`Self::liberties_after`], counted up to `enough` only.
    #[inline]
    pub fn count_after(&self, color: Color, p: usize, enough: u32) -> u32 {
        if self.empty_neighbors(p) >= enough {
            return enough;
        }
        let own = color_bit(color);
        let around = Self::around(p);
        let words = around.map(|q| self.cell[q & (LEN - 1)]);
        // The only friend, if there are not several.
        let mut friend = 0;
        for word in words {
            if word & STONE == own {
                let id = Self::id(word);
                if self.chain[id] & LIBERTY_MASK > enough {
                    return enough;
                }
                if friend != 0 && friend != id {
                    return self.liberties_after(color, p).take(enough as usize).count() as u32;
                }
                friend = id;
            }
        }
        let mut count = if friend == 0 { 0 } else { (self.chain[friend] & LIBERTY_MASK) - 1 };
        for (q, word) in around.into_iter().zip(words) {
            let stone = word & STONE;
            if stone == 0 {
                let (word, bit) = Self::bit(q);
                let is_shared = friend != 0 && self.liberties[friend][word] & bit != 0;
                count += u32::from(!is_shared);
            } else if stone == own ^ STONE {
                count += u32::from(self.chain[Self::id(word)] & LIBERTY_MASK == 1);
            }
        }
        count.min(enough)
    }

    /// Whether a stone on the empty point would leave its chain at most one liberty.
    #[inline]
    pub fn is_self_atari(&self, color: Color, p: usize) -> bool {
        if self.empty_neighbors(p) >= 2 {
            return false;
        }
        let own = color_bit(color);
        // The only liberty found so far.
        let mut only = 0;
        for q in Self::around(p) {
            let word = self.cell[q & (LEN - 1)];
            let chain = self.chain[Self::id(word)];
            let stone = word & STONE;
            let liberty = if stone == 0 {
                q
            } else if stone == own {
                match chain & LIBERTY_MASK {
                    0 | 1 => continue,
                    2 => self.liberties(q).find(|&liberty| liberty != p).unwrap_or(0),
                    _ => return false,
                }
            } else if stone != STONE && chain & LIBERTY_MASK == 1 {
                if chain >> 16 > 1 {
                    return false;
                }
                q
            } else {
                continue;
            };
            if only != 0 && only != liberty {
                return false;
            }
            only = liberty;
        }
        true
    }

    /// Whether a stone on the empty point takes stones of the opponent.
    #[inline]
    pub fn captures_at(&self, color: Color, p: usize) -> bool {
        let is_taken = |q: usize| self.is(!color, q) && self.liberty_count(q) == 1;
        Self::around(p).into_iter().any(is_taken)
    }

    /// A liberty of an opposing chain in atari that touches the chain at a stone.
    #[inline]
    pub fn counter_capture(&self, stone: usize, color: Color) -> Option<usize> {
        self.chain_stones(stone).flat_map(Self::around).find_map(|q| {
            let is_in_atari = self.is(!color, q) && self.liberty_count(q) == 1;
            is_in_atari.then(|| self.first_liberty(q))
        })
    }

    /// Whether a stone on `p`, the last liberty of own chains, gives them two liberties or more; if
    /// `reads`, not if an atari from either side keeps them at two however they run on.
    #[inline]
    pub fn runs_out(&self, color: Color, p: usize, reads: bool) -> bool {
        let mut after = self.liberties_after(color, p);
        let (Some(a), Some(b)) = (after.next(), after.next()) else { return false };
        if !reads || after.next().is_some() {
            return true;
        }
        let is_caught = |closed: usize, run: usize| {
            let gained = self.liberties_after(color, run).filter(|&q| q != closed && q != p);
            gained.take(3).count() < 3 && !self.is_self_atari(!color, closed)
        };
        !is_caught(a, b) && !is_caught(b, a)
    }

    /// Whether the chain at `stone`, in atari and with its owner to move, is captured by atari
    /// after atari. Plays on this board, which is spoilt afterwards.
    pub fn is_caught_in_ladder(&mut self, stone: usize, color: Color) -> bool {
        let mut nodes = LADDER_NODES;
        self.ladder_defends(stone, color, &mut nodes)
    }

    /// Whether the side to move catches the chain with two liberties at `stone`, of the other
    /// color, by a ladder, and by which move first.
    pub fn ladder_attack(&self, stone: usize, color: Color) -> Option<usize> {
        let mut nodes = LADDER_NODES;
        self.ladder_atari(stone, !color, &mut nodes)
    }

    /// The defender moves, in atari. `true` if caught.
    fn ladder_defends(&mut self, stone: usize, color: Color, nodes: &mut u32) -> bool {
        loop {
            if *nodes == 0 {
                return false;
            }
            *nodes -= 1;
            if self.counter_capture(stone, color).is_some() {
                // Taking a stone of the net mostly breaks it; to read further would cost more
                // than it is worth.
                return false;
            }
            let out = self.first_liberty(stone);
            if !self.is_legal(color, out) {
                return true;
            }
            self.play(color, out);
            match self.liberty_count(stone) {
                0 | 1 => return true,
                2 => {}
                _ => return false,
            }
            let mut liberties = self.liberties(stone);
            let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return false };
            // Where only one side can be closed there is nothing to try out.
            let (can_a, can_b) = (self.closes(color, a, b), self.closes(color, b, a));
            match (can_a, can_b) {
                (false, false) => return false,
                (true, false) => self.play(!color, a),
                (false, true) => self.play(!color, b),
                (true, true) => return self.ladder_atari(stone, color, nodes).is_some(),
            };
        }
    }

    /// Whether the attacker may close the liberty `here` of a chain whose other one is `other`,
    /// and it does not help: the defender must not get three liberties at once.
    fn closes(&self, color: Color, here: usize, other: usize) -> bool {
        if !self.is_legal(!color, here) || self.is_self_atari(!color, here) {
            return false;
        }
        // Running out at the other liberty: its empty neighbors but the one that was closed.
        let mut after = self.liberties_after(color, other).filter(|&liberty| liberty != here);
        after.by_ref().take(3).count() < 3
    }

    /// The attacker moves, against a chain with two liberties. The first move that catches it.
    fn ladder_atari(&self, stone: usize, color: Color, nodes: &mut u32) -> Option<usize> {
        let mut liberties = self.liberties(stone);
        let (a, b) = (liberties.next()?, liberties.next()?);
        for (here, other) in [(a, b), (b, a)] {
            if self.closes(color, here, other) {
                let mut after = Box::new(*self);
                after.play(!color, here);
                if after.ladder_defends(stone, color, nodes) {
                    return Some(here);
                }
            }
        }
        None
    }

    /// Whether a stone of this color stands next to the point.
    #[inline(always)]
    pub fn has_neighbor(&self, color: Color, p: usize) -> bool {
        pattern::has_neighbor(self.code(p), color)
    }

    /// The vital point of the small empty region around `p` that stones of this color alone
    /// enclose: where a stone makes or takes a second eye. None if the region is larger than six
    /// points, if it touches the other color, or if its shape has no such point.
    #[inline]
    pub fn vital_point(&self, owner: Color, p: usize) -> Option<usize> {
        let is_open = pattern::stones(self.code(p)) < 5 || self.has_neighbor(!owner, p);
        if is_open { None } else { self.vital_in_region(owner, p) }
    }

    #[inline(never)]
    fn vital_in_region(&self, owner: Color, p: usize) -> Option<usize> {
        let mut region = [0; 6];
        let (mut len, mut done) = (1, 0);
        region[0] = p;
        while done < len {
            for q in Self::around(region[done]) {
                if self.is_empty(q) && !region[..len].contains(&q) {
                    if len == region.len() || self.has_neighbor(!owner, q) {
                        return None;
                    }
                    region[len] = q;
                    len += 1;
                }
            }
            done += 1;
        }
        vital_of(&region[..len], |a, b| Self::around(a).contains(&b))
    }

    /// Whether the stones of the mover's chains at `p` and `p` itself form a shape that leaves no
    /// two eyes when it is taken off again.
    pub fn is_nakade_shape(&self, color: Color, p: usize) -> bool {
        let mut shape = [0; 6];
        let mut len = 1;
        shape[0] = p;
        for q in Self::around(p) {
            if self.is(color, q) && !shape[..len].contains(&q) {
                for stone in self.chain_stones(q) {
                    if len == shape.len() {
                        return false;
                    }
                    shape[len] = stone;
                    len += 1;
                }
            }
        }
        let shape = &shape[..len];
        let adjacent = |a: usize, b: usize| Self::around(a).contains(&b);
        let is_square = len == 4
            && shape.iter().all(|&a| shape.iter().filter(|&&b| adjacent(a, b)).count() == 2);
        len <= 2 || is_square || vital_of(shape, adjacent).is_some()
    }
}

/// The point of a connected shape that decides between one eye and two: the middle of three in a
/// row or bent, of a T, of a bulky or crossed five, of a rabbity six.
fn vital_of(shape: &[usize], adjacent: impl Fn(usize, usize) -> bool) -> Option<usize> {
    let degree = |a: usize| shape.iter().filter(|&&b| adjacent(a, b)).count();
    let (mut vital, mut most, mut sum) = (0, 0, 0);
    for &a in shape {
        let degree = degree(a);
        sum += degree;
        if degree > most {
            (vital, most) = (a, degree);
        }
    }
    let is_vital = match shape.len() {
        3 => most == 2,
        4 => most == 3,
        // Five with a square in it have an edge more than a tree.
        5 => most == 4 || most == 3 && sum == 10,
        6 => most == 4 && sum == 12,
        _ => false,
    };
    is_vital.then_some(vital)
}
