//! Monte Carlo tree search with AMAF, in parallel on one tree.
//!
//! [`Tree`] keeps its nodes between moves: what it found out about the moves that were then made
//! is the start of the next search. Each thread of the rayon pool runs one [`Worker`]; what they
//! share is the arena of nodes. With one thread and a budget in playouts a search repeats.

use std::time::Duration;

use rayon::ThreadPool;

use super::control::Control;
use super::evaluator::{EvaluationCache, Evaluator, Network, Networked, Playouts};
use super::goal::Goal;
use super::harvest::{Harvest, Posts};
use super::limits::{Limits, Progress, StopFlag};
use super::node::{Arena, Node};
use super::observe::Observer;
use super::params::SearchParams;
use super::report::Report;
use super::restrict::Restrictions;
use super::summary::Summary;
use super::worker::{Shared, Worker};
use super::{Root, root_moves};
use crate::board::{Color, Heavy, HeavyTask, Move, Point};
use crate::game::{Game, Turn};
use crate::rng::Rng;

/// The memory of the tree is so many times that of what a network said.
const EVALUATIONS: usize = 32;

/// A search tree that is kept from move to move.
#[derive(Debug)]
pub struct Tree {
    /// The tree in use and the one that the next root is copied to.
    arenas: [Arena; 2],
    /// The position and the side to move at the root.
    root: Option<(Game, Color)>,
    evaluations: EvaluationCache,
}

/// What to search for, and under which conditions.
#[derive(Clone, Copy, Debug)]
pub struct Task<'a> {
    /// The position.
    pub root: Root<'a>,
    /// Which moves may be looked at.
    pub restrictions: &'a Restrictions,
    /// The budget.
    pub limits: Limits,
    /// The tunables.
    pub params: &'a SearchParams,
    /// What to decide in the place of the game.
    pub goal: Option<&'a Goal>,
    /// What judges positions, beside playouts.
    pub network: Option<&'a Network>,
}

impl Tree {
    /// A tree that uses at most so much memory, in bytes; it is taken when it is needed.
    pub fn new(bytes: usize) -> Self {
        let arenas = [Arena::new(bytes / 2), Arena::new(bytes / 2)];
        Self { arenas, root: None, evaluations: EvaluationCache::new(bytes / EVALUATIONS) }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.arenas[0].clear();
        self.evaluations.clear();
        self.root = None;
    }

    /// Share of the memory that the tree fills, 0 to 1.
    pub fn fullness(&self) -> f32 {
        self.arenas[0].fullness()
    }

    /// Searches for the best move of a side on the threads of a pool, which must not be the one
    /// that this is called on. The observer is called on the caller's thread.
    pub fn search(
        &mut self,
        task: &Task<'_>,
        pool: &ThreadPool,
        stop: &StopFlag,
        observer: Option<&mut Observer<'_>>,
    ) -> Report {
        self.run(task, Some(pool), stop, observer)
    }

    /// Searches on the caller's thread only, so that equal tasks give equal reports.
    pub fn search_alone(&mut self, task: &Task<'_>, stop: &StopFlag) -> Report {
        self.run(task, None, stop, None)
    }

    fn run(
        &mut self,
        task: &Task<'_>,
        pool: Option<&ThreadPool>,
        stop: &StopFlag,
        observer: Option<&mut Observer<'_>>,
    ) -> Report {
        let Task { root, restrictions, limits, params, goal, network } = task;
        let progress = Progress::new(*limits, stop);
        self.move_root(root);
        // Unknown until the search has come to its end, which a panic prevents.
        self.root = None;
        if restrictions.are_deep() || goal.is_some() {
            self.clear();
        }
        let legal = root_moves(root.game, root.color, &|_| true);
        let is_root_move = |p: usize| {
            (p == 0 || legal.contains(Point::from_index(p)))
                && restrictions.permit_index(root.color, 0, p)
        };
        let arena = &self.arenas[0];
        let visits = u64::from(arena.node(Arena::ROOT).visits());
        let progress = progress.after(visits);
        let (_, children) = arena.children(arena.node(Arena::ROOT));
        children.iter().filter(|child| !is_root_move(child.point())).for_each(Node::forbid);
        let control = Control::new(progress, arena, &params.tree, network.is_some());
        let game = root.game;
        let shared = Shared {
            arena,
            params: &params.tree,
            color: root.color,
            recent: recent(game.turns()),
            // The fate of stones is not settled by an agreement to stop.
            after_pass: goal.is_none() && game.turns().last().is_some_and(Turn::is_pass),
            known: game.history().sorted_hashes(),
            repeats: &|color, hash| game.repeats(color, hash),
            ko: game.rules().ko,
            is_root_move: &is_root_move,
            restrictions,
        };
        let summary = Summary {
            arena,
            params: &params.tree,
            color: root.color,
            bias_hundredths: root.bias_hundredths,
            has_network: network.is_some(),
        };
        let evaluations = &self.evaluations;
        let (shared, control) = (&shared, &control);
        let run = Run { task, shared, control, summary, evaluations, pool, stop, observer };
        let report = game.board().canonical().with_heavy(run);
        // A tree of some moves only, or for another goal, is of no use for the next search.
        let is_of_use = restrictions.is_empty() && goal.is_none();
        self.root = is_of_use.then(|| (game.clone(), root.color));
        report
    }

    #[cfg(test)]
    pub(super) fn root_node(&self) -> &Node {
        self.arenas[0].node(Arena::ROOT)
    }

    #[cfg(test)]
    pub(super) fn children(&self, node: &Node) -> &[Node] {
        self.arenas[0].children(node).1
    }

    /// Makes the root's position the root of the tree: a fresh one, or what the last search found
    /// out about the moves made since.
    fn move_root(&mut self, root: &Root<'_>) {
        let Some(index) = self.find(root) else {
            self.clear();
            return;
        };
        if index != Arena::ROOT {
            self.arenas[1].copy_tree(&self.arenas[0], index);
            self.arenas.swap(0, 1);
        }
    }

    /// Index of the node of a position that follows from the present root.
    fn find(&self, root: &Root<'_>) -> Option<u32> {
        let (old, color) = self.root.as_ref()?;
        let game = root.game;
        let is_same_game =
            old.start() == game.start() && old.rules() == game.rules() && old.komi() == game.komi();
        let since = game.turns().strip_prefix(old.turns())?;
        let mut index = Arena::ROOT;
        let mut color = *color;
        for turn in since {
            let point = point_of(turn.colored_move.mv);
            let (first, children) = self.arenas[0].children(self.arenas[0].node(index));
            let i = children.iter().position(|child| child.point() == point)?;
            if turn.color() != color || children[i].is_illegal() {
                return None;
            }
            index = first + i as u32;
            color = !color;
        }
        (is_same_game && color == root.color).then_some(index)
    }
}

/// The search itself, compiled for each board array.
struct Run<'a, 'o> {
    task: &'a Task<'a>,
    shared: &'a Shared<'a>,
    control: &'a Control<'a>,
    summary: Summary<'a>,
    evaluations: &'a EvaluationCache,
    /// None for the caller's thread alone.
    pool: Option<&'a ThreadPool>,
    stop: &'a StopFlag,
    observer: Option<&'a mut Observer<'o>>,
}

impl HeavyTask for Run<'_, '_> {
    type Output = Report;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        board: Box<Heavy<S, L, W>>,
    ) -> Report {
        match self.task.network {
            None => self.with(&board, Playouts::new),
            Some(network) => {
                let evaluations = self.evaluations;
                self.with(&board, |task, rng| Networked::new(task, network, evaluations, rng))
            }
        }
    }
}

impl<'a> Run<'a, '_> {
    /// Runs the threads, each with an evaluator of its own.
    fn with<E, const S: usize, const L: usize, const W: usize>(
        self,
        board: &Heavy<S, L, W>,
        evaluator: impl Fn(&Task<'a>, Rng) -> E + Sync,
    ) -> Report
    where
        E: Evaluator<S, L, W>,
    {
        let Run { task, shared, control, summary, pool, stop, observer, .. } = self;
        let posts = Posts::new(pool.map_or(1, ThreadPool::current_num_threads));
        let with_move_owners = observer.as_ref().is_some_and(|observer| observer.wants_move_owners);
        let grow = |thread: usize| {
            let _presence = posts.presence();
            let mut seeds = Rng::split(task.root.seed, thread as u64);
            let (own, playouts) = (Rng::new(seeds.next_u64()), Rng::new(seeds.next_u64()));
            let evaluator = evaluator(task, playouts);
            let mut worker = Worker::new(shared, board, evaluator, own, with_move_owners);
            let (mut done, mut asked) = (0, posts.asked());
            while control.begin(done) {
                worker.simulate();
                done += 1;
                if posts.asked() != asked {
                    asked = posts.asked();
                    posts.leave(thread, worker.harvest());
                }
            }
            posts.leave(thread, worker.harvest());
        };
        let report = |harvest: &Harvest| summary.report(harvest, control.playouts());
        match pool {
            None => grow(0),
            Some(pool) => pool.in_place_scope(|scope| {
                scope.spawn_broadcast(|_, context| grow(context.index()));
                if observer.is_some_and(|observer| !observer.watch(&posts, &report)) {
                    stop.stop_after(Duration::ZERO);
                }
            }),
        }
        report(&posts.collect())
    }
}

/// The last two moves of a game, the later one first; 0 for passes and none.
pub(super) fn recent(turns: &[Turn]) -> [usize; 2] {
    let mut last = turns.iter().rev().map(|turn| point_of(turn.colored_move.mv));
    [last.next().unwrap_or(0), last.next().unwrap_or(0)]
}

fn point_of(mv: Move) -> usize {
    match mv {
        Move::Play(point) => point.index(),
        Move::Pass => 0,
    }
}
