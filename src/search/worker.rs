//! One search thread: playout after playout down the tree and back up.

use super::evaluator::{Evaluation, Evaluator, Leaf};
use super::harvest::Harvest;
use super::node::{Arena, Node, PriorMove};
use super::params::TreeParams;
use super::rave::FirstPlays;
use super::restrict::Restrictions;
use super::select::Selector;
use crate::board::{Color, Hash, Heavy};
use crate::rng::Rng;
use crate::rules::KoRule;

/// What all threads of a search share.
pub(super) struct Shared<'a> {
    pub(super) arena: &'a Arena,
    pub(super) params: &'a TreeParams,
    pub(super) color: Color,
    /// The two moves before the root, the later one first; 0 for passes and none.
    pub(super) recent: [usize; 2],
    /// Whether the last move before the root was a pass.
    pub(super) after_pass: bool,
    /// Hashes of the game's positions, sorted.
    pub(super) known: Vec<Hash>,
    /// Whether a play by a side that leads to a known position is a repetition by the ko rule.
    pub(super) repeats: &'a (dyn Fn(Color, Hash) -> bool + Sync),
    /// Which positions of the path may not come again either.
    pub(super) ko: KoRule,
    /// Whether a move is legal at the root and fills no own eye.
    pub(super) is_root_move: &'a (dyn Fn(usize) -> bool + Sync),
    pub(super) restrictions: &'a Restrictions,
}

/// A thread's share of the search: its board, random numbers and scratch.
pub(super) struct Worker<'a, E, const S: usize, const L: usize, const W: usize> {
    shared: &'a Shared<'a>,
    root: Box<Heavy<S, L, W>>,
    board: Box<Heavy<S, L, W>>,
    evaluator: E,
    rng: Rng,
    with_rave: Selector,
    without_rave: Selector,
    first_plays: FirstPlays<L>,
    /// Nodes from the root to the leaf.
    path: Vec<&'a Node>,
    /// Hashes of the positions before each move of the path.
    hashes: Vec<Hash>,
    moves: Vec<u16>,
    prior_moves: Vec<PriorMove>,
    /// What the playouts came to by first move; the evaluator has the owners.
    harvest: Harvest,
}

impl<'a, E: Evaluator<S, L, W>, const S: usize, const L: usize, const W: usize>
    Worker<'a, E, S, L, W>
{
    pub(super) fn new(
        shared: &'a Shared<'a>,
        root: &Heavy<S, L, W>,
        evaluator: E,
        rng: Rng,
        with_move_owners: bool,
    ) -> Self {
        let selector = |with_rave| {
            if E::IS_EAGER {
                Selector::of_network(shared.params)
            } else {
                Selector::new(shared.params, with_rave)
            }
        };
        Self {
            shared,
            root: Box::new(*root),
            board: Box::new(*root),
            evaluator,
            rng,
            with_rave: selector(true),
            without_rave: selector(false),
            first_plays: FirstPlays::new(),
            path: Vec::new(),
            hashes: Vec::new(),
            moves: Vec::new(),
            prior_moves: Vec::new(),
            harvest: Harvest::new(L, with_move_owners),
        }
    }

    /// A copy of the counts so far.
    pub(super) fn harvest(&self) -> Harvest {
        self.harvest.with_owners(self.evaluator.owners())
    }

    /// One playout: down the tree, a new leaf, its evaluation, and the result back up.
    pub(super) fn simulate(&mut self) {
        self.board.copy_from(&self.root);
        self.moves.clear();
        self.hashes.clear();
        self.path.clear();
        let root = self.shared.arena.node(Arena::ROOT);
        root.begin_visit();
        self.path.push(root);
        let is_over = self.descend();
        let depth = self.path.len();
        let evaluation = if is_over {
            self.evaluator.count(&self.board)
        } else {
            let mut leaf = Leaf {
                board: &mut self.board,
                to_play: color_at(self.shared.color, depth - 1),
                moves: &mut self.moves,
                recent: self.shared.recent,
            };
            self.evaluator.evaluate(&mut leaf)
        };
        self.back_up(evaluation);
    }

    /// Follows the best moves to a leaf; `true` if the game has ended there.
    fn descend(&mut self) -> bool {
        let arena = self.shared.arena;
        let selector = if self.rng.chance(self.shared.params.rave_free) {
            self.without_rave
        } else {
            self.with_rave
        };
        let mut passed = self.shared.after_pass;
        loop {
            let node = self.path[self.path.len() - 1];
            if node.is_leaf() && (!self.expand(node) || E::IS_EAGER) {
                return false;
            }
            let (_, children) = arena.children(node);
            let Some(child) = self.follow(&selector, node, children) else { return false };
            let is_pass = child.point() == 0;
            if is_pass && passed {
                return true;
            }
            passed = is_pass;
        }
    }

    /// Makes the best legal move of a node and returns it.
    fn follow(
        &mut self,
        selector: &Selector,
        node: &Node,
        children: &'a [Node],
    ) -> Option<&'a Node> {
        let color = color_at(self.shared.color, self.path.len() - 1);
        loop {
            let child = &children[selector.best(node, children)?];
            let point = child.point();
            let before = self.board.hash();
            if point == 0 {
                self.board.pass();
            } else {
                self.board.play(color, point);
                if self.is_repetition(color) {
                    child.forbid();
                    self.replay();
                    continue;
                }
            }
            child.begin_visit();
            self.path.push(child);
            self.hashes.push(before);
            self.moves.push(point as u16);
            return Some(child);
        }
    }

    /// Whether the move just made restores a position that the rules forbid.
    fn is_repetition(&self, color: Color) -> bool {
        let hash = self.board.hash();
        // Turns count from 0: after this move it is the turn of number `next`.
        let next = self.moves.len() + 1;
        let in_path = self.hashes.iter().enumerate().any(|(turn, &earlier)| {
            let counts = match self.shared.ko {
                KoRule::Simple => false,
                KoRule::Positional => true,
                KoRule::Situational | KoRule::Natural => (next - turn).is_multiple_of(2),
            };
            counts && earlier == hash
        });
        let is_known = || self.shared.known.binary_search(&hash).is_ok();
        in_path || (is_known() && (self.shared.repeats)(color, hash))
    }

    /// Sets the board up as it was before a move that turned out illegal.
    fn replay(&mut self) {
        self.board.copy_from(&self.root);
        for (turn, &point) in self.moves.iter().enumerate() {
            match point {
                0 => self.board.pass(),
                _ => {
                    self.board.play(color_at(self.shared.color, turn), point.into());
                }
            }
        }
    }

    /// Adds the moves of a leaf that was visited often enough. `false` if it stays a leaf.
    fn expand(&mut self, node: &Node) -> bool {
        let is_root = self.path.len() == 1;
        // The fuller the memory, the more a move must have been visited.
        let room = (1.0 - self.shared.arena.fullness()).max(0.02);
        if !is_root
            && !E::IS_EAGER
            && (node.visits() as f32) * room <= self.shared.params.expand_visits
        {
            return false;
        }
        let Self { evaluator, prior_moves, board, moves, shared, path, .. } = self;
        shared.arena.expand(node, || {
            prior_moves.clear();
            let leaf = Leaf {
                board,
                to_play: color_at(shared.color, path.len() - 1),
                moves,
                recent: shared.recent,
            };
            evaluator.priors(&leaf, prior_moves);
            if is_root {
                prior_moves.retain(|mv| (shared.is_root_move)(mv.point));
            } else {
                prior_moves.truncate(shared.params.children_max as usize);
            }
            if !shared.restrictions.is_empty() {
                let turn = path.len() - 1;
                let (color, restrictions) = (leaf.to_play, shared.restrictions);
                prior_moves.retain(|mv| restrictions.permit_index(color, turn, mv.point));
            }
            if prior_moves.is_empty() {
                // Whoever may not move at all passes.
                prior_moves.push(PriorMove { point: 0, visits: 1.0, value: 0.5 });
            }
            prior_moves
        })
    }

    /// Credits the result to the nodes of the path, and by AMAF to their moves.
    fn back_up(&mut self, evaluation: Evaluation) {
        let shared = self.shared;
        let value_for = |turn: usize| match color_at(shared.color, turn) {
            Color::Black => evaluation.value,
            Color::White => 1.0 - evaluation.value,
        };
        if let Some(&first) = self.moves.first() {
            self.harvest.add(first.into(), evaluation.score);
            if self.harvest.wants_move_owners() && evaluation.is_counted {
                let mut owners = [0; L];
                self.board.owners(&mut owners);
                self.harvest.add_owners(first.into(), &owners);
            }
        }
        // The root is the opponent's last move.
        for (depth, node) in self.path.iter().enumerate() {
            let value = if depth == 0 { 1.0 - value_for(0) } else { value_for(depth - 1) };
            node.add_result(value, evaluation.score);
        }
        if E::IS_EAGER {
            return;
        }
        self.first_plays.clear();
        let end = self.moves.len();
        for turn in (0..end).rev() {
            self.first_plays.note(self.moves[turn], turn);
            if turn < self.path.len() {
                let (_, children) = shared.arena.children(self.path[turn]);
                let near = shared.params.rave_near;
                self.first_plays.credit(children, turn, end, near, value_for(turn));
            }
        }
    }
}

/// Who moves in a turn, if `color` moves in turn 0.
fn color_at(color: Color, turn: usize) -> Color {
    if turn.is_multiple_of(2) { color } else { !color }
}
