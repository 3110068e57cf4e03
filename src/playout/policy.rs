//! How an informed playout chooses its next move: rules in order, the first that finds a move
//! wins, and a filter over what they propose (search.md 2.1 to 2.3).
//!
//! All rules but the last look only around the last moves. Each has a probability (see
//! [`PlayoutParams`]), since what matters is balance: a rule that is right for one side only does
//! harm.

use super::params::PlayoutParams;
use super::patterns;
use crate::board::{Color, Heavy};
use crate::rng::Rng;

/// What a playout remembers of its course.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Recent {
    /// The opponent's last move and the own one before it; 0 for a pass or none.
    pub(super) last: usize,
    pub(super) before: usize,
    /// The point that a ko barred until now, and how many moves ago it was taken.
    pub(super) ko: usize,
    pub(super) ko_age: u32,
}

/// Points that a rule proposes.
#[derive(Debug)]
struct Queue {
    points: [u16; Self::CAPACITY],
    len: usize,
}

impl Queue {
    const CAPACITY: usize = 24;

    #[inline(always)]
    const fn new() -> Self {
        Self { points: [0; Self::CAPACITY], len: 0 }
    }

    /// Adds a point; what is beyond the capacity is dropped.
    #[inline(always)]
    fn push(&mut self, p: usize) {
        if self.len < Self::CAPACITY {
            self.points[self.len] = p as u16;
            self.len += 1;
        }
    }

    /// Takes a random point out.
    #[inline(always)]
    fn take(&mut self, rng: &mut Rng) -> Option<usize> {
        if self.len == 0 {
            return None;
        }
        let i = rng.below(self.len as u32) as usize;
        self.len -= 1;
        let p = self.points[i];
        self.points[i] = self.points[self.len];
        Some(p.into())
    }
}

/// The chooser of moves: parameters and tables, shared by all playouts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Policy<'a> {
    pub(super) params: &'a PlayoutParams,
    weights: &'static [u8],
}

impl<'a> Policy<'a> {
    pub(super) fn new(params: &'a PlayoutParams) -> Self {
        Self { params, weights: patterns::weights() }
    }

    /// The next move of a side; `None` for a pass, if every move left fills an own eye, is illegal
    /// or is refused by the filter.
    #[inline]
    pub(super) fn choose<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        color: Color,
        recent: &Recent,
        rng: &mut Rng,
    ) -> Option<usize> {
        let local = if recent.last != 0 && board.is(!color, recent.last) {
            self.local_move(board, color, recent, rng)
        } else {
            None
        };
        local.or_else(|| self.random_move(board, color, rng))
    }

    /// The first local rule that finds something.
    #[inline]
    fn local_move<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &Heavy<S, L, W>,
        color: Color,
        recent: &Recent,
        rng: &mut Rng,
    ) -> Option<usize> {
        let params = self.params;
        let last = recent.last;
        if recent.ko != 0
            && recent.ko_age < 3
            && board.is_empty(recent.ko)
            && rng.chance(params.playout_ko)
            && board.is_legal(color, recent.ko)
            && board.captures_at(color, recent.ko)
        {
            return Some(recent.ko);
        }
        let mut queue = Queue::new();
        if rng.chance(params.playout_capture) {
            let reads = rng.chance(params.playout_ladder);
            capture_or_save(board, color, last, reads, &mut queue);
            if let Some(p) = self.permitted(board, color, &mut queue, rng) {
                return Some(p);
            }
        }
        if rng.chance(params.playout_atari) {
            queue.len = 0;
            atari_or_escape(board, color, last, &mut queue);
            if let Some(p) = self.permitted(board, color, &mut queue, rng) {
                return Some(p);
            }
        }
        if rng.chance(params.playout_nakade)
            && let Some(p) = vital_point(board, !color, last)
            && board.is_legal(color, p)
        {
            return Some(p);
        }
        if rng.chance(params.playout_pattern) {
            for around in [last, recent.before] {
                if let Some(p) = self.pattern_move(board, color, around, rng) {
                    return Some(p);
                }
            }
        }
        None
    }

    /// A random point of the queue that the filter lets pass.
    #[inline]
    fn permitted<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &Heavy<S, L, W>,
        color: Color,
        queue: &mut Queue,
        rng: &mut Rng,
    ) -> Option<usize> {
        while let Some(p) = queue.take(rng) {
            if board.is_legal(color, p) && self.permits(board, color, p, rng) {
                return Some(p);
            }
        }
        None
    }

    /// A move that matches a 3x3 pattern next to `around`, by the weights of the patterns.
    #[inline]
    fn pattern_move<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &Heavy<S, L, W>,
        color: Color,
        around: usize,
        rng: &mut Rng,
    ) -> Option<usize> {
        if around == 0 {
            return None;
        }
        let points = Heavy::<S, L, W>::neighbors8(around);
        let mut weights = [0_u32; 8];
        let mut sum = 0;
        for (weight, &p) in weights.iter_mut().zip(&points) {
            if board.is_empty(p) {
                // Patterns hold for either color, so the code needs no turning.
                *weight = u32::from(self.weights[usize::from(board.code(p))]);
                sum += *weight;
            }
        }
        while sum > 0 {
            let mut draw = rng.below(sum);
            let mut i = 0;
            while i < 7 && draw >= weights[i] {
                draw -= weights[i];
                i += 1;
            }
            let p = points[i];
            if board.is_legal(color, p) && self.permits(board, color, p, rng) {
                return Some(p);
            }
            sum -= weights[i];
            weights[i] = 0;
        }
        None
    }

    /// Any move that the filter lets pass.
    #[inline]
    fn random_move<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        color: Color,
        rng: &mut Rng,
    ) -> Option<usize> {
        let p = board
            .draw(color, rng, Rng::below, |rng, board, p| self.permits(board, color, p, rng))?;
        if rng.chance(self.params.playout_eye_fill) {
            Some(redirect(board, color, p))
        } else {
            Some(p)
        }
    }

    /// The filter: whether a legal move may be played. Refuses most self-ataris that gain nothing.
    #[inline]
    fn permits<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &Heavy<S, L, W>,
        color: Color,
        p: usize,
        rng: &mut Rng,
    ) -> bool {
        !board.is_self_atari(color, p) || self.permits_self_atari(board, color, p, rng)
    }

    #[cold]
    #[inline(never)]
    fn permits_self_atari<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &Heavy<S, L, W>,
        color: Color,
        p: usize,
        rng: &mut Rng,
    ) -> bool {
        if board.captures_at(color, p) {
            return true;
        }
        let mut stones = 1;
        let around = Heavy::<S, L, W>::around(p);
        for (i, &q) in around.iter().enumerate() {
            if board.is(color, q) {
                let is_new = !around[..i]
                    .iter()
                    .any(|&r| board.is(color, r) && board.root(r) == board.root(q));
                stones += if is_new { board.chain_size(q) } else { 0 };
            }
        }
        // A stone thrown in may take an eye; a chain that gives atari while it is in atari itself
        // is taken first. In a seki either side's move is of that kind, so that both must pass.
        let gives_atari =
            around.iter().any(|&q| board.is(!color, q) && board.liberty_count(q) == 2);
        if stones == 1 && gives_atari || stones > 1 && board.is_nakade_shape(color, p) {
            return true;
        }
        !gives_atari
            && stones < self.params.playout_self_atari_stones as u32
            && !rng.chance(self.params.playout_self_atari)
    }
}

/// Chains in atari next to the last move: the one just played, and own ones that it threatens.
/// With `reads` an own chain does not run where it would be caught at once.
#[inline]
fn capture_or_save<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    color: Color,
    last: usize,
    reads: bool,
    queue: &mut Queue,
) {
    if board.liberty_count(last) == 1 {
        queue.push(board.first_liberty(last));
    }
    for q in Heavy::<S, L, W>::around(last) {
        if !board.is(color, q) || board.liberty_count(q) != 1 {
            continue;
        }
        if let Some(p) = board.counter_capture(q, color) {
            queue.push(p);
        }
        let out = board.first_liberty(q);
        if board.runs_out(color, out, reads) {
            queue.push(out);
        }
    }
}

/// Chains with two liberties next to the last move: put the opponent's in atari where it helps, let
/// own ones run out if they would be caught otherwise.
#[inline]
fn atari_or_escape<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    color: Color,
    last: usize,
    queue: &mut Queue,
) {
    if board.liberty_count(last) == 2 {
        attack(board, color, last, queue);
    }
    let mut threats = Queue::new();
    for q in Heavy::<S, L, W>::around(last) {
        if board.is(color, q) && board.liberty_count(q) == 2 {
            attack(board, !color, q, &mut threats);
            if threats.len == 0 {
                continue;
            }
            threats.len = 0;
            if let Some(p) = board.counter_capture(q, color) {
                queue.push(p);
            }
            for p in board.liberties(q) {
                if board.count_after(color, p, 3) == 3 {
                    queue.push(p);
                }
            }
        }
    }
}

/// Closes that one of two liberties from which the chain could run out better.
#[inline]
fn attack<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    color: Color,
    chain: usize,
    queue: &mut Queue,
) {
    let mut liberties = board.liberties(chain);
    let (Some(a), Some(b)) = (liberties.next(), liberties.next()) else { return };
    let out = |p: usize| board.count_after(!color, p, 4);
    let (out_a, out_b) = (out(a), out(b));
    // Running at the other one must not bring more than two liberties, else atari only helps.
    for (here, out_here, out_other) in [(a, out_a, out_b), (b, out_b, out_a)] {
        if out_here >= out_other && out_other <= 3 && !board.is_self_atari(color, here) {
            queue.push(here);
        }
    }
}

/// The vital point of a small eye space next to the last move, which was its owner's.
#[inline]
fn vital_point<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    owner: Color,
    last: usize,
) -> Option<usize> {
    Heavy::<S, L, W>::around(last)
        .into_iter()
        .filter(|&q| board.is_empty(q) && board.empty_neighbors(q) > 0)
        .find_map(|q| board.vital_point(owner, q))
}

/// Where to play instead of filling a false eye: a capture at one of its diagonals.
#[inline]
fn redirect<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    color: Color,
    p: usize,
) -> usize {
    if !Heavy::<S, L, W>::around(p).into_iter().all(|q| board.is(color, q) || board.is_border(q)) {
        return p;
    }
    let around = Heavy::<S, L, W>::neighbors8(p);
    let capture = [0, 2, 5, 7]
        .into_iter()
        .map(|diagonal| around[diagonal])
        .filter(|&q| board.is(!color, q) && board.liberty_count(q) == 1)
        .map(|q| board.first_liberty(q))
        .find(|&q| board.is_legal(color, q));
    capture.unwrap_or(p)
}
