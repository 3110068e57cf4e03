//! Monte Carlo tree search with AMAF, in parallel on one tree.
//!
//! [`Tree`] keeps its nodes between moves: what it found out about the moves that were then made
//! is the start of the next search. Each thread of the rayon pool runs one [`Worker`]; what they
//! share is the arena of nodes. With one thread and a budget in playouts a search repeats.

use super::control::Control;
use super::evaluator::Playouts;
use super::limits::{Limits, Progress, StopFlag};
use super::node::{Arena, Node};
use super::ownership::OwnerSums;
use super::params::SearchParams;
use super::report::{Candidate, Report};
use super::worker::{Shared, Worker};
use super::{Root, root_moves};
use crate::board::{Color, Heavy, HeavyTask, Move, Point};
use crate::game::{Game, Turn};
use crate::playout::Informed;
use crate::rng::Rng;

/// A search tree that is kept from move to move.
#[derive(Debug)]
pub struct Tree {
    /// The tree in use and the one that the next root is copied to.
    arenas: [Arena; 2],
    /// The position and the side to move at the root.
    root: Option<(Game, Color)>,
}

/// What one thread brings home.
struct Harvest {
    owners: OwnerSums,
    scores: Vec<(f64, u32)>,
}

impl Tree {
    /// A tree that uses at most so much memory, in bytes; it is taken when it is needed.
    pub fn new(bytes: usize) -> Self {
        Self { arenas: [Arena::new(bytes / 2), Arena::new(bytes / 2)], root: None }
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.arenas[0].clear();
        self.root = None;
    }

    /// Share of the memory that the tree fills, 0 to 1.
    pub fn fullness(&self) -> f32 {
        self.arenas[0].fullness()
    }

    /// Visits of earlier searches with which a search of this root would begin.
    pub fn visits(&self, root: &Root<'_>) -> u64 {
        self.find(root).map_or(0, |index| u64::from(self.arenas[0].node(index).visits()))
    }

    /// Searches for the best move of a side in the current rayon pool. With `allowed` only moves on
    /// such points, or a pass, are looked at.
    pub fn search(
        &mut self,
        root: &Root<'_>,
        allowed: Option<&(dyn Fn(Point) -> bool + Sync)>,
        limits: Limits,
        stop: &StopFlag,
        params: &SearchParams,
    ) -> Report {
        let progress = Progress::new(limits, stop);
        self.move_root(root);
        // Unknown until the search has come to its end, which a panic prevents.
        self.root = None;
        let legal = root_moves(root.game, root.color, &|point| {
            allowed.is_none_or(|allowed| allowed(point))
        });
        let is_root_move = |p: usize| p == 0 || legal.contains(Point::from_index(p));
        let arena = &self.arenas[0];
        let (_, children) = arena.children(arena.node(Arena::ROOT));
        children.iter().filter(|child| !is_root_move(child.point())).for_each(Node::forbid);
        let control = Control::new(progress, arena, &params.tree);
        let game = root.game;
        let shared = Shared {
            arena,
            params: &params.tree,
            color: root.color,
            recent: recent(game.turns()),
            after_pass: game.turns().last().is_some_and(Turn::is_pass),
            known: game.history().sorted_hashes(),
            repeats: &|color, hash| game.repeats(color, hash),
            ko: game.rules().ko,
            allowed: &is_root_move,
        };
        let harvests = game.board().canonical().with_heavy(Run {
            root,
            shared: &shared,
            control: &control,
            params,
        });
        let report = report(arena, root.color, &harvests, control.playouts());
        // A tree of some moves only is of no use for the next search.
        self.root = allowed.is_none().then(|| (game.clone(), root.color));
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
struct Run<'a> {
    root: &'a Root<'a>,
    shared: &'a Shared<'a>,
    control: &'a Control<'a>,
    params: &'a SearchParams,
}

impl HeavyTask for Run<'_> {
    type Output = Vec<Harvest>;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        board: Box<Heavy<S, L, W>>,
    ) -> Vec<Harvest> {
        let Run { root, shared, control, params } = self;
        rayon::broadcast(|context| {
            let mut seeds = Rng::split(root.seed, context.index() as u64);
            let (own, playouts) = (Rng::new(seeds.next_u64()), Rng::new(seeds.next_u64()));
            let informed = Informed::new(&params.playout);
            let evaluator = Playouts::new(informed, &params.tree, root.komi_hundredths, playouts);
            let mut worker = Worker::new(shared, &board, evaluator, own);
            let mut done = 0;
            while control.begin(done) {
                worker.simulate();
                done += 1;
            }
            worker.harvest()
        })
        .into_iter()
        .map(|(owners, scores)| Harvest { owners, scores })
        .collect()
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

/// What the root's moves have come to, most visited first.
fn report(arena: &Arena, color: Color, harvests: &[Harvest], playouts: u64) -> Report {
    let mut owners = OwnerSums::default();
    for harvest in harvests {
        owners.merge(&harvest.owners);
    }
    let sign = f64::from(color.sign());
    let score = |p: usize| {
        let (sum, count) = harvests.iter().fold((0.0, 0), |(sum, count), harvest| {
            let (more, number) = harvest.scores[p];
            (sum + more, count + number)
        });
        sign * if count == 0 { owners.mean_score() } else { sum / f64::from(count) }
    };
    let (_, children) = arena.children(arena.node(Arena::ROOT));
    let mut candidates: Vec<Candidate> = children
        .iter()
        .filter(|child| !child.is_illegal() && child.visits() > 0)
        .map(|child| {
            let point = child.point();
            let mv = if point == 0 { Move::Pass } else { Move::Play(Point::from_index(point)) };
            let win_rate = f64::from(child.mean());
            let visits = u64::from(child.visits());
            Candidate { mv, visits, win_rate, score: score(point), value: win_rate }
        })
        .collect();
    candidates.sort_by(|a, b| b.visits.cmp(&a.visits).then(b.value.total_cmp(&a.value)));
    Report { color, candidates, playouts, ownership: owners.ownership() }
}
