//! When a tree search ends: budget, signal, a decided or an unsettled root.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::limits::Progress;
use super::node::{Arena, Node};
use super::params::TreeParams;

/// How many playouts count as much.
#[derive(Clone, Copy, Debug)]
struct Pace {
    /// Playouts of a thread between two looks at the clock.
    clock_every: u64,
    /// Playouts between two looks at the root.
    root_every: u64,
    /// Playouts before a search may end for a sure result.
    sure: u64,
}

const OF_PLAYOUTS: Pace = Pace { clock_every: 8, root_every: 128, sure: 1000 };
/// A network's judgement takes and tells more.
const OF_NETWORK: Pace = Pace { clock_every: 1, root_every: 8, sure: 100 };

/// Visits of the root that a search ends at: counters have 32 bits.
const VISITS_MAX: u32 = u32::MAX - (1 << 24);

/// Counts playouts and tells the threads when to end. Shared by all of them.
#[derive(Debug)]
pub(super) struct Control<'a> {
    progress: Progress<'a>,
    arena: &'a Arena,
    params: &'a TreeParams,
    pace: Pace,
    started: AtomicU64,
    is_over: AtomicBool,
}

impl<'a> Control<'a> {
    pub(super) fn new(
        progress: Progress<'a>,
        arena: &'a Arena,
        params: &'a TreeParams,
        has_network: bool,
    ) -> Self {
        Self {
            progress,
            arena,
            params,
            pace: if has_network { OF_NETWORK } else { OF_PLAYOUTS },
            started: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        }
    }

    /// Whether a thread may begin a playout, its `own`-th.
    #[inline]
    pub(super) fn begin(&self, own: u64) -> bool {
        if self.is_over.load(Relaxed) {
            return false;
        }
        let started = self.started.fetch_add(1, Relaxed);
        // Whatever the budget, somebody wants to know at least what the priors say.
        let is_owed = started == 0 && self.arena.node(Arena::ROOT).is_leaf();
        let is_over = self.progress.is_empty()
            || self.progress.playouts_left(started) == Some(0)
            || (own.is_multiple_of(self.pace.clock_every) && self.is_time_up())
            || (started.is_multiple_of(self.pace.root_every) && self.is_decided(started));
        let may_begin = is_owed || !is_over;
        if !may_begin {
            self.started.fetch_sub(1, Relaxed);
            self.is_over.store(true, Relaxed);
        }
        may_begin
    }

    /// Number of playouts.
    pub(super) fn playouts(&self) -> u64 {
        self.started.load(Relaxed)
    }

    fn is_time_up(&self) -> bool {
        self.progress.is_interrupted() && (self.progress.is_final() || self.is_settled())
    }

    /// Whether the most visited move is also the one of the best value, and clearly ahead.
    fn is_settled(&self) -> bool {
        let Some((best, second)) = self.leaders() else { return true };
        let is_ahead = best.visits() as f32 > self.params.settled_lead * second.visits() as f32;
        is_ahead && best.mean() >= second.mean()
    }

    /// Whether what is left of the budget cannot change the move, or the game is as good as over.
    fn is_decided(&self, playouts: u64) -> bool {
        if playouts == 0 {
            return false;
        }
        if self.arena.node(Arena::ROOT).visits() > VISITS_MAX {
            return true;
        }
        if self.progress.is_endless() {
            return false;
        }
        let Some((best, second)) = self.leaders() else { return playouts >= self.pace.sure };
        let share = self.progress.share(playouts).max(1e-9);
        let left = playouts as f64 * (1.0 - share).max(0.0) / share;
        let lead = f64::from(best.visits()) - f64::from(second.visits());
        let certainty = (best.mean() - 0.5).abs();
        let is_sure = certainty > self.params.sure_margin
            && share > 0.2
            && playouts > self.pace.sure
            && lead > 0.0;
        is_sure || lead > left * f64::from(self.params.stop_share)
    }

    /// The two most visited moves of the root; `None` if there are not two.
    fn leaders(&self) -> Option<(&Node, &Node)> {
        let (_, children) = self.arena.children(self.arena.node(Arena::ROOT));
        let mut legal = children.iter().filter(|child| !child.is_illegal());
        let (mut best, mut second) = (legal.next()?, legal.next()?);
        if second.visits() > best.visits() {
            (best, second) = (second, best);
        }
        for child in legal {
            if child.visits() > best.visits() {
                (best, second) = (child, best);
            } else if child.visits() > second.visits() {
                second = child;
            }
        }
        Some((best, second))
    }
}
