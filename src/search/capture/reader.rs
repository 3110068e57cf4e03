//! The search behind the tactical reader.
//!
//! Each move of the attacker costs as many points of an allowance as the chain has liberties after
//! it, but for one: an atari is free, so a ladder is read to its end. The allowance grows until the
//! chain is caught or the nodes are used up (iterative widening, T. Cazenave 2001). After each move
//! the owner passes first: what catches the chain then is the threat, and a move outside the
//! [`Zone`] of a threat is no answer to it.

use std::cmp::Reverse;
use std::collections::HashMap;

use crate::board::{Color, Hash, Heavy, Move, Point};

/// A chain with more liberties than this is safe.
const MAX_LIBERTIES: u32 = 4;
/// Moves that one reading may make.
const NODES: u32 = 20_000;
/// Moves in a row: a ladder across 25x25 takes about a hundred.
const MAX_PLIES: usize = 160;
/// The largest allowance; the nodes run out before where a chain has room.
const MAX_BUDGET: u32 = 8;
/// How often a side with ko threats may retake at once.
const MAX_RETAKES: u8 = 2;
/// Chains around the target with more liberties than this are not in danger.
const FEW: u32 = 3;
/// Liberties that the attacker closes beforehand, of those that a move at a liberty would open.
const BEYOND: usize = 8;

/// A reading in progress. Plies count the moves since the root.
pub(super) struct Reader<const S: usize, const L: usize, const W: usize> {
    /// A stone of the chain.
    stone: usize,
    owner: Color,
    /// Who has ko threats.
    threats: Option<Color>,
    /// Whether ko has barred a move, or would have without a threat.
    has_met_ko: bool,
    nodes: u32,
    /// The position after each ply.
    boards: Vec<Box<Heavy<S, L, W>>>,
    /// How many threats were used up on the way there.
    retakes: [u8; MAX_PLIES + 2],
    known: HashMap<Key, Known<W>>,
}

/// Position, ko point and threats used up, with the attacker to move.
type Key = (Hash, usize, u8);

/// What is known of a position. While it is read it counts as one without a capture, so that going
/// round in a circle saves the chain.
#[derive(Clone, Copy, Debug)]
struct Known<const W: usize> {
    /// Allowances below this do not suffice.
    fails_below: u32,
    /// An allowance that suffices, and how.
    caught: Option<(u32, Caught<W>)>,
}

/// A capture that was read out.
#[derive(Clone, Copy, Debug)]
struct Caught<const W: usize> {
    /// The attacker's first move; 0 is a pass.
    mv: usize,
    /// The points that it hangs on.
    zone: Zone<W>,
}

/// A set of points: the moves of a proof and the liberties of stones in danger in it.
#[derive(Clone, Copy, Debug)]
struct Zone<const W: usize>([u64; W]);

impl<const W: usize> Zone<W> {
    const EMPTY: Self = Self([0; W]);

    fn add(&mut self, p: usize) {
        self.0[p / 64 % W] |= 1 << (p % 64);
    }

    fn join(&mut self, other: &Self) {
        self.0.iter_mut().zip(other.0).for_each(|(word, more)| *word |= more);
    }

    fn points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..64 * W).filter(|&p| self.0[p / 64] >> (p % 64) & 1 == 1)
    }
}

/// What a move costs that leaves the chain so many liberties.
const fn price(liberties: u32) -> u32 {
    liberties.saturating_sub(1)
}

/// The least allowance for the attacker, to move against so many liberties: the price of taking one
/// after another while the owner plays elsewhere.
const fn least_budget(liberties: u32) -> u32 {
    let rest = liberties.saturating_sub(1);
    rest * rest.saturating_sub(1) / 2
}

impl<const S: usize, const L: usize, const W: usize> Reader<S, L, W> {
    /// A reader of the chain of `owner` at `stone`.
    pub(super) fn new(root: Box<Heavy<S, L, W>>, stone: usize, owner: Color) -> Self {
        Self {
            stone,
            owner,
            threats: None,
            has_met_ko: false,
            nodes: 0,
            boards: vec![root],
            retakes: [0; MAX_PLIES + 2],
            known: HashMap::new(),
        }
    }

    /// Begins to read anew, with ko threats for one side or none.
    pub(super) fn start(&mut self, threats: Option<Color>) {
        self.threats = threats;
        self.has_met_ko = false;
        self.nodes = NODES;
        self.known.clear();
    }

    /// Whether the last reading has met a ko.
    pub(super) fn has_met_ko(&self) -> bool {
        self.has_met_ko
    }

    /// The attacker's move that captures the chain.
    pub(super) fn capture(&mut self) -> Option<Move> {
        let caught = (0..=MAX_BUDGET).find_map(|budget| self.catch(0, budget, 0))?;
        Some(Move::Play(Point::from_index(caught.mv)))
    }

    /// The owner's move that saves the chain. A pass if it is safe already, or if it needs a ko and
    /// no move does better.
    pub(super) fn save(&mut self) -> Option<Move> {
        self.pass(0);
        let threat = (0..=MAX_BUDGET).find_map(|budget| self.catch(1, budget, 0));
        let (zone, hint) = match threat {
            Some(threat) => (threat.zone, threat.mv),
            None if self.threats == Some(!self.owner) => return Some(Move::Pass),
            None => (Zone::EMPTY, 0),
        };
        let mut left = self.defenses(0, 0, &zone);
        // All with a small allowance before any with a larger one: if the nodes run out, what is
        // left has been tried alike.
        for budget in 0..=MAX_BUDGET {
            left.retain(|&p| {
                let is_made = self.play(0, self.owner, p);
                self.nodes == 0 || is_made && self.catch(1, budget, hint).is_none()
            });
        }
        match left.first() {
            Some(&p) => Some(Move::Play(Point::from_index(p))),
            None => threat.is_none().then_some(Move::Pass),
        }
    }

    /// How the attacker, to move, captures within the allowance. `hint` is a move to try first.
    fn catch(&mut self, ply: usize, budget: u32, hint: usize) -> Option<Caught<W>> {
        let board = &self.boards[ply];
        let liberties = board.liberty_count(self.stone);
        let is_hopeless = liberties > MAX_LIBERTIES || least_budget(liberties) > budget;
        if is_hopeless || self.nodes == 0 || ply + 2 >= MAX_PLIES {
            return None;
        }
        let last = board.first_liberty(self.stone);
        let key = (board.hash(), board.ko(), self.retakes[ply]);
        if liberties == 1
            && let Some(zone) = self.take(ply, budget, last)
        {
            return Some(Caught { mv: last, zone });
        }
        let new = Known { fails_below: 0, caught: None };
        let known = self.known.entry(key).or_insert(new);
        match known.caught {
            Some((enough, caught)) if enough <= budget => return Some(caught),
            _ if budget < known.fails_below => return None,
            _ => known.fails_below = budget + 1,
        }
        let caught = self.try_attacks(ply, budget, hint)?;
        self.known.entry(key).or_insert(new).caught = Some((budget, caught));
        Some(caught)
    }

    /// The first of the attacker's moves that captures, but for taking the last liberty.
    fn try_attacks(&mut self, ply: usize, budget: u32, hint: usize) -> Option<Caught<W>> {
        let liberties = self.boards[ply].liberty_count(self.stone);
        for mv in self.attacks(ply, budget, hint) {
            let takes = liberties == 1 && mv == self.boards[ply].first_liberty(self.stone);
            if takes || !self.play(ply, !self.owner, mv) {
                continue;
            }
            let price = price(self.boards[ply + 1].liberty_count(self.stone));
            let Some(rest) = budget.checked_sub(price) else { continue };
            if let Some(mut zone) = self.falls(ply + 1, rest, mv) {
                zone.add(mv);
                return Some(Caught { mv, zone });
            }
        }
        // The owner has used up a threat to retake a ko, and may still have to fear it.
        if self.boards[ply].ko() != 0 && self.retakes[ply] > 0 && self.threats == Some(self.owner) {
            self.pass(ply);
            let zone = self.falls(ply + 1, budget, 0)?;
            return Some(Caught { mv: 0, zone });
        }
        None
    }

    /// Whether the attacker takes the chain on its last liberty, for good even if its owner retakes
    /// a ko; and on which points that hangs.
    fn take(&mut self, ply: usize, budget: u32, last: usize) -> Option<Zone<W>> {
        if !self.play(ply, !self.owner, last) {
            return None;
        }
        let mut zone = Zone::EMPTY;
        let ko = self.boards[ply + 1].ko();
        if ko != 0 && self.play(ply + 1, self.owner, ko) {
            zone = self.catch(ply + 2, budget, 0)?.zone;
        }
        zone.add(last);
        Some(zone)
    }

    /// Whether the chain, its owner to move, falls within this allowance whatever he does; and on
    /// which points that hangs. The attacker's last move was at `last`; 0 is a pass.
    fn falls(&mut self, ply: usize, budget: u32, last: usize) -> Option<Zone<W>> {
        let liberties = self.boards[ply].liberty_count(self.stone);
        if liberties > MAX_LIBERTIES || least_budget(liberties) > budget {
            return None;
        }
        self.pass(ply);
        let threat = self.catch(ply + 1, budget, 0)?;
        let mut zone = threat.zone;
        for p in self.defenses(ply, last, &zone) {
            if self.play(ply, self.owner, p) {
                zone.join(&self.catch(ply + 1, budget, threat.mv)?.zone);
                zone.add(p);
            }
        }
        if self.nodes == 0 {
            return None;
        }
        let board = &*self.boards[ply];
        board.liberties(self.stone).for_each(|p| zone.add(p));
        for chain in self.neighbors(board, self.stone).into_iter().chain([last]) {
            if chain != 0 && board.liberty_count(chain) <= FEW {
                board.liberties(chain).for_each(|p| zone.add(p));
            }
        }
        Some(zone)
    }

    /// What the attacker tries: the liberties, the one first that would give the owner most, and
    /// quiet moves if the allowance lets the chain keep its liberties.
    fn attacks(&self, ply: usize, budget: u32, hint: usize) -> Vec<usize> {
        let board = &*self.boards[ply];
        let mut moves: Vec<usize> = board.liberties(self.stone).collect();
        moves.sort_by_key(|&p| {
            let room = board.count_after(self.owner, p, 5);
            (p != hint, Reverse(room), board.is_self_atari(!self.owner, p))
        });
        let liberties = moves.len() as u32;
        if budget >= price(liberties) + least_budget(liberties) {
            if board.is_empty(hint) && !moves.contains(&hint) {
                moves.insert(0, hint);
            }
            self.add_quiet_attacks(board, &mut moves);
        }
        unique(moves)
    }

    /// Adds what rescues the attacker's stones around the chain, what closes liberties before the
    /// owner opens them, and nets.
    fn add_quiet_attacks(&self, board: &Heavy<S, L, W>, moves: &mut Vec<usize>) {
        let target = board.root(self.stone);
        for chain in self.neighbors(board, self.stone) {
            if board.liberty_count(chain) <= 2 {
                let captives = self.neighbors(board, chain).into_iter();
                let captives = captives.filter(|&c| c != target && board.liberty_count(c) == 1);
                moves.extend(captives.map(|captive| board.first_liberty(captive)));
                moves.extend(board.liberties(chain));
            }
        }
        let liberties: Vec<usize> = board.liberties(self.stone).collect();
        for &p in &liberties {
            moves.extend(board.liberties_after(self.owner, p).take(BEYOND));
        }
        if let [_, _] = liberties[..] {
            let around = Heavy::<S, L, W>::around;
            let near = liberties.into_iter().flat_map(around).filter(|&p| board.is_empty(p));
            moves.extend(near.flat_map(around).filter(|&p| board.is_empty(p)));
        }
    }

    /// What the owner tries: captures, the chain's liberties, those of short chains around it, and
    /// the zone of a threat, the nearest points first.
    fn defenses(&self, ply: usize, last: usize, zone: &Zone<W>) -> Vec<usize> {
        let board = &*self.boards[ply];
        let mut chains = self.neighbors(board, self.stone);
        if last != 0 {
            chains.push(board.root(last));
        }
        let short = |count: u32| {
            let chains = chains.iter().filter(move |&&chain| board.liberty_count(chain) == count);
            chains.flat_map(|&chain| board.liberties(chain))
        };
        let mut moves: Vec<usize> = short(1).collect();
        let mut own: Vec<usize> = board.liberties(self.stone).collect();
        own.sort_by_key(|&p| Reverse(board.count_after(self.owner, p, 9)));
        // In atari there is no time for those.
        let is_in_atari = own.len() == 1;
        moves.extend(own);
        if !is_in_atari {
            moves.extend(short(2));
        }
        let distance = |p: usize, q: usize| (p % S).abs_diff(q % S) + (p / S).abs_diff(q / S);
        let mut rest: Vec<usize> = zone.points().filter(|&p| board.is_empty(p)).collect();
        rest.sort_by_key(|&p| distance(p, self.stone));
        moves.extend(rest);
        unique(moves)
    }

    /// The roots of the opposing chains that touch the chain at a stone.
    fn neighbors(&self, board: &Heavy<S, L, W>, stone: usize) -> Vec<usize> {
        let color = if board.is(self.owner, stone) { !self.owner } else { self.owner };
        let around = board.chain_stones(stone).flat_map(Heavy::<S, L, W>::around);
        unique(around.filter(|&p| board.is(color, p)).map(|p| board.root(p)).collect())
    }

    /// Whether a side may play on a point. Notes where that hangs on a ko.
    fn may_play(&mut self, ply: usize, color: Color, p: usize) -> bool {
        let board = &self.boards[ply];
        if !board.is_empty(p) || board.is_legal(color, p) {
            return board.is_empty(p);
        }
        let is_ko = p == board.ko() && board.captures_at(color, p);
        self.has_met_ko |= is_ko;
        is_ko && self.threats == Some(color) && self.retakes[ply] < MAX_RETAKES
    }

    /// Makes a move on a copy of the position, if it is legal and nodes are left.
    fn play(&mut self, ply: usize, color: Color, p: usize) -> bool {
        if self.nodes == 0 || !self.may_play(ply, color, p) {
            return false;
        }
        self.nodes -= 1;
        let board = self.copy(ply);
        let is_retake = board.ko() == p;
        board.play(color, p);
        self.retakes[ply + 1] += u8::from(is_retake);
        true
    }

    /// Passes on a copy of the position.
    fn pass(&mut self, ply: usize) {
        self.copy(ply).pass();
    }

    /// The position after one ply more, as yet a copy of that after `ply`.
    fn copy(&mut self, ply: usize) -> &mut Heavy<S, L, W> {
        self.retakes[ply + 1] = self.retakes[ply];
        if self.boards.len() == ply + 1 {
            let board = self.boards[ply].clone();
            self.boards.push(board);
        } else {
            let (before, after) = self.boards.split_at_mut(ply + 1);
            after[0].copy_from(&before[ply]);
        }
        &mut self.boards[ply + 1]
    }
}

/// Drops all but the first of equal points.
fn unique(points: Vec<usize>) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::with_capacity(points.len());
    for p in points {
        if !kept.contains(&p) {
            kept.push(p);
        }
    }
    kept
}
