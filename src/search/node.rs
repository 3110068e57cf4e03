//! Statistics of the moves in the tree, and the memory they live in.
//!
//! Everything is atomic and relaxed: threads share the tree without locks (M. Enzenberger,
//! M. Müller, A Lock-free Multithreaded Monte-Carlo Tree Search Algorithm, 2009). Sums of AMAF
//! values may lose an update in a race, which costs less than to prevent it; visits and wins do
//! not. With one thread nothing is lost, so that results repeat.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::atomic::{Ordering::Acquire, Ordering::Release};

/// One win in [`Node::wins`].
const WIN: f32 = (1 << 20) as f32;
/// One virtual visit in the prior's field.
const PRIOR_VISIT: f32 = 64.0;

/// No moves yet.
const LEAF: u32 = 0;
/// A thread is adding the moves.
const LOCKED: u32 = u32::MAX;
/// The move repeats an earlier position.
const ILLEGAL: u32 = u32::MAX - 1;

/// A move and what became of it. Values are those of the side that makes the move, 0 to 1.
#[derive(Debug, Default)]
pub(super) struct Node {
    /// Point (0 for a pass), number of children, prior visits, prior value: 16 bits each.
    head: AtomicU64,
    visits: AtomicU32,
    children: AtomicU32,
    /// Sum of the results, in parts of [`WIN`].
    wins: AtomicU64,
    /// Weights and weighted values of playouts in which the side played here later, as `f32`.
    rave_visits: AtomicU32,
    rave_wins: AtomicU32,
    /// Black's mean score in points, as `f32`; only reports read it.
    score: AtomicU32,
}

/// A node's numbers at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Stats {
    /// Playouts, those in progress included (which counts them as lost: the virtual loss).
    pub(super) visits: f32,
    pub(super) wins: f32,
    pub(super) prior_visits: f32,
    pub(super) prior_wins: f32,
    pub(super) rave_visits: f32,
    pub(super) rave_wins: f32,
}

impl Node {
    /// Makes this the record of a fresh move.
    pub(super) fn reset(&self, point: usize, prior_visits: f32, prior_value: f32) {
        let visits = (prior_visits * PRIOR_VISIT).clamp(0.0, 65535.0) as u64;
        let value = (prior_value.clamp(0.0, 1.0) * 65535.0) as u64;
        self.head.store(point as u64 | visits << 32 | value << 48, Relaxed);
        self.visits.store(0, Relaxed);
        self.wins.store(0, Relaxed);
        self.rave_visits.store(0, Relaxed);
        self.rave_wins.store(0, Relaxed);
        self.score.store(0, Relaxed);
        self.children.store(LEAF, Release);
    }

    /// Copies the numbers of another node, but not its children.
    fn copy_from(&self, other: &Self) {
        self.head.store(other.head.load(Relaxed) & !(0xffff << 16), Relaxed);
        self.visits.store(other.visits.load(Relaxed), Relaxed);
        self.wins.store(other.wins.load(Relaxed), Relaxed);
        self.rave_visits.store(other.rave_visits.load(Relaxed), Relaxed);
        self.rave_wins.store(other.rave_wins.load(Relaxed), Relaxed);
        self.score.store(other.score.load(Relaxed), Relaxed);
        let is_illegal = other.children.load(Relaxed) == ILLEGAL;
        self.children.store(if is_illegal { ILLEGAL } else { LEAF }, Relaxed);
    }

    /// The point, 0 for a pass.
    #[inline(always)]
    pub(super) fn point(&self) -> usize {
        (self.head.load(Relaxed) & 0xffff) as usize
    }

    #[inline(always)]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// Sum of the results.
    pub(super) fn wins(&self) -> f32 {
        self.wins.load(Relaxed) as f32 / WIN
    }

    /// Mean result, a half without visits.
    pub(super) fn mean(&self) -> f32 {
        let visits = self.visits();
        if visits == 0 { 0.5 } else { self.wins() / visits as f32 }
    }

    #[inline(always)]
    pub(super) fn stats(&self) -> Stats {
        let head = self.head.load(Relaxed);
        let prior_visits = f32::from((head >> 32) as u16) / PRIOR_VISIT;
        let prior_value = f32::from((head >> 48) as u16) / 65535.0;
        Stats {
            visits: self.visits() as f32,
            // Signed numbers turn into floats by one instruction.
            wins: self.wins.load(Relaxed) as i64 as f32 * (1.0 / WIN),
            prior_visits,
            prior_wins: prior_visits * prior_value,
            rave_visits: f32::from_bits(self.rave_visits.load(Relaxed)),
            rave_wins: f32::from_bits(self.rave_wins.load(Relaxed)),
        }
    }

    /// Counts a playout that has begun: as a loss until [`Self::add_result`].
    #[inline(always)]
    pub(super) fn begin_visit(&self) {
        self.visits.fetch_add(1, Relaxed);
    }

    /// Ends a visit with its value for the side that made the move, and Black's score.
    #[inline(always)]
    pub(super) fn add_result(&self, value: f32, score: f32) {
        self.wins.fetch_add((value * WIN) as u64, Relaxed);
        // A sum in `f32` would lose what is small beside it.
        let mean = self.mean_score();
        let mean = mean + (score - mean) / self.visits().max(1) as f32;
        self.score.store(mean.to_bits(), Relaxed);
    }

    /// Black's mean score in points, 0 without visits.
    pub(super) fn mean_score(&self) -> f32 {
        f32::from_bits(self.score.load(Relaxed))
    }

    #[inline(always)]
    pub(super) fn add_rave(&self, weight: f32, value: f32) {
        let add = |cell: &AtomicU32, more: f32| {
            cell.store((f32::from_bits(cell.load(Relaxed)) + more).to_bits(), Relaxed);
        };
        add(&self.rave_visits, weight);
        add(&self.rave_wins, weight * value);
    }

    pub(super) fn is_illegal(&self) -> bool {
        self.children.load(Relaxed) == ILLEGAL
    }

    pub(super) fn forbid(&self) {
        self.children.store(ILLEGAL, Relaxed);
    }

    pub(super) fn is_leaf(&self) -> bool {
        matches!(self.children.load(Relaxed), LEAF | LOCKED)
    }

    /// Claims the leaf for this thread; `false` if another one was faster.
    fn lock(&self) -> bool {
        self.children.compare_exchange(LEAF, LOCKED, Acquire, Relaxed).is_ok()
    }
}

/// A move with its prior, as an evaluator proposes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PriorMove {
    /// Index of the point, 0 for a pass.
    pub(super) point: usize,
    /// Virtual visits.
    pub(super) visits: f32,
    /// Their mean value.
    pub(super) value: f32,
}

/// Nodes by index. Chunks are allocated when they are first used, up to a bound; nothing is freed
/// within a search. Children of a node are neighbors in one chunk.
#[derive(Debug)]
pub(super) struct Arena {
    chunks: Vec<OnceLock<Box<[Node]>>>,
    next: AtomicU32,
}

impl Arena {
    /// Nodes in a chunk (512 KiB); more than any position has moves.
    const CHUNK: usize = 1 << 14;
    /// Index of the root.
    pub(super) const ROOT: u32 = 1;

    /// An arena of at most so many bytes, and at least one chunk.
    pub(super) fn new(bytes: usize) -> Self {
        let chunks = (bytes / (Self::CHUNK * size_of::<Node>())).clamp(1, 1 << 17);
        let arena = Self {
            chunks: std::iter::repeat_with(OnceLock::new).take(chunks).collect(),
            next: AtomicU32::new(0),
        };
        arena.clear();
        arena
    }

    /// Forgets all nodes but the root, which becomes fresh. Memory is kept for the next search.
    pub(super) fn clear(&self) {
        // Index 0 is never used: it means that there are no children.
        self.next.store(Self::ROOT + 1, Relaxed);
        self.node(Self::ROOT).reset(0, 0.0, 0.5);
    }

    /// Share of the memory in use.
    pub(super) fn fullness(&self) -> f32 {
        self.next.load(Relaxed) as f32 / (self.chunks.len() * Self::CHUNK) as f32
    }

    #[inline(always)]
    fn chunk(&self, i: usize) -> &[Node] {
        self.chunks[i]
            .get_or_init(|| std::iter::repeat_with(Node::default).take(Self::CHUNK).collect())
    }

    #[inline(always)]
    pub(super) fn node(&self, index: u32) -> &Node {
        let index = index as usize;
        &self.chunk(index / Self::CHUNK)[index % Self::CHUNK]
    }

    /// The children of a node; none for a leaf.
    #[inline(always)]
    pub(super) fn children(&self, node: &Node) -> (u32, &[Node]) {
        let first = node.children.load(Acquire);
        if matches!(first, LEAF | LOCKED | ILLEGAL) {
            return (0, &[]);
        }
        let count = (node.head.load(Relaxed) >> 16 & 0xffff) as usize;
        let offset = first as usize % Self::CHUNK;
        (first, &self.chunk(first as usize / Self::CHUNK)[offset..offset + count])
    }

    /// Room for so many neighbors; `None` if the memory is used up.
    fn allocate(&self, count: usize) -> Option<u32> {
        let mut next = self.next.load(Relaxed);
        loop {
            let offset = next as usize % Self::CHUNK;
            let fits = offset + count <= Self::CHUNK;
            let first = if fits { next as usize } else { next as usize - offset + Self::CHUNK };
            let end = first + count;
            if count > Self::CHUNK || end > self.chunks.len() * Self::CHUNK {
                return None;
            }
            match self.next.compare_exchange_weak(next, end as u32, Relaxed, Relaxed) {
                Ok(_) => return Some(first as u32),
                Err(actual) => next = actual,
            }
        }
    }

    /// Gives a leaf the moves that `moves` returns. `false` if another thread does so already or
    /// the memory is used up; the node stays a leaf then.
    pub(super) fn expand<'a>(&self, node: &Node, moves: impl FnOnce() -> &'a [PriorMove]) -> bool {
        if !node.lock() {
            return false;
        }
        let moves = moves();
        let Some(first) = self.allocate(moves.len()) else {
            node.children.store(LEAF, Relaxed);
            return false;
        };
        for (i, mv) in moves.iter().enumerate() {
            self.node(first + i as u32).reset(mv.point, mv.visits, mv.value);
        }
        publish(node, first, moves.len());
        true
    }

    /// Makes this arena a copy of the tree below `source` in another one, as far as it fits; the
    /// most visited first where the memory is short. Only nodes that were visited are kept.
    pub(super) fn copy_tree(&self, other: &Self, source: u32) {
        self.clear();
        self.node(Self::ROOT).copy_from(other.node(source));
        let mut todo = std::collections::VecDeque::from([(source, Self::ROOT)]);
        while let Some((from, to)) = todo.pop_front() {
            let (first_from, children) = other.children(other.node(from));
            if children.is_empty() {
                continue;
            }
            let Some(first) = self.allocate(children.len()) else { return };
            for (i, child) in children.iter().enumerate() {
                self.node(first + i as u32).copy_from(child);
                if !child.is_leaf() {
                    todo.push_back((first_from + i as u32, first + i as u32));
                }
            }
            publish(self.node(to), first, children.len());
        }
    }
}

/// Lets all threads see the children of a node that was locked or is not shared yet.
fn publish(node: &Node, first: u32, count: usize) {
    node.head.fetch_or((count as u64) << 16, Relaxed);
    node.children.store(first, Release);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves(count: usize) -> Vec<PriorMove> {
        (0..count).map(|point| PriorMove { point, visits: 10.0, value: 0.5 }).collect()
    }

    #[test]
    fn a_result_moves_the_mean_and_a_visit_in_progress_counts_as_lost() {
        let node = Node::default();
        node.reset(7, 12.5, 0.25);
        assert_eq!((node.point(), node.stats().prior_visits), (7, 12.5));
        assert!((node.stats().prior_wins - 3.125).abs() < 1e-3);
        node.begin_visit();
        node.begin_visit();
        node.add_result(1.0, 0.0);
        assert!((node.mean() - 0.5).abs() < 1e-6);
    }

    #[test]
    fn a_full_arena_leaves_leaves_alone() {
        let arena = Arena::new(0);
        let root = arena.node(Arena::ROOT);
        assert!(arena.expand(root, || vec![].leak()));
        arena.clear();
        let many = moves(362).leak();
        assert!(arena.expand(arena.node(Arena::ROOT), || many));
        let (first, children) = arena.children(arena.node(Arena::ROOT));
        assert_eq!(children.len(), 362);
        let filled = (first..first + 362).filter(|&i| arena.expand(arena.node(i), || many)).count();
        assert_eq!(filled, Arena::CHUNK / 362 - 1);
        assert!(arena.node(first + 361).is_leaf());
        assert!(!arena.expand(arena.node(first), || many), "it has its moves already");
    }

    #[test]
    fn a_subtree_survives_the_copy() {
        let (old, new) = (Arena::new(0), Arena::new(0));
        old.expand(old.node(Arena::ROOT), || moves(5).leak());
        let (first, _) = old.children(old.node(Arena::ROOT));
        let kept = old.node(first + 3);
        old.expand(kept, || moves(4).leak());
        old.children(kept).1[2].begin_visit();
        old.children(kept).1[1].forbid();
        new.copy_tree(&old, first + 3);
        let (_, children) = new.children(new.node(Arena::ROOT));
        assert_eq!(children.iter().map(Node::visits).collect::<Vec<_>>(), [0, 0, 1, 0]);
        assert!(children[1].is_illegal() && children[0].is_leaf());
    }
}
