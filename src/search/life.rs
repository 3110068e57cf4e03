//! Does a group live? A small tree of moves near it, with informed playouts below.
//!
//! Playouts are won by whoever has the group's points at their end; the rest of the board does not
//! count. The tree is a plain one with AMAF, grown by one thread from a fixed seed: the same
//! position always gives the same answer. There are no ko threats but what lies near.

use crate::board::{Board, Color, Heavy, HeavyTask, Move, Point, PointSet};
use crate::playout::{Informed, PlayoutParams};
use crate::rng::{Rng, mix};

/// Playouts of a question: well below a second on 19x19.
const PLAYOUTS: u32 = 4000;
/// Most points that are played on, the nearest first.
const AREA: usize = 48;
/// Playouts after which a move's own result weighs as much as AMAF.
const EQUIVALENCE: f32 = 500.0;
/// How much rarely tried moves are favored.
const EXPLORATION: f32 = 0.15;

/// What the search found out about a group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Life {
    /// Share of the group's points that its owner kept after the best move, 0..=1.
    pub kept: f32,
    /// The best move of the side that moves first.
    pub mv: Move,
}

/// How a group of a color fares if `first` moves first.
pub fn life(
    board: &Board,
    color: Color,
    group: &[Point],
    first: Color,
    params: &PlayoutParams,
) -> Life {
    let area = neighborhood(board, group);
    board.canonical().with_heavy(Question { color, group, first, params, area: &area })
}

/// Empty points near a group, the nearest ones up to [`AREA`]; further steps go through stones of
/// the group's size too, so that the eye space behind weak stones belongs to it.
fn neighborhood(board: &Board, group: &[Point]) -> PointSet {
    let size = board.size();
    let mut seen: PointSet = group.iter().copied().collect();
    let mut edge: Vec<Point> = group.to_vec();
    let mut area = PointSet::EMPTY;
    for _ in 0..4 {
        let mut next = Vec::new();
        for point in edge.iter().flat_map(|&point| size.neighbors(point)) {
            if !seen.insert(point) {
                continue;
            }
            if board.stone(point).is_none() {
                if area.len() < AREA {
                    area.insert(point);
                }
                next.push(point);
            } else {
                let chain = board.chain(point);
                seen.extend(chain.iter().copied());
                next.extend(chain);
            }
        }
        edge = next;
    }
    area
}

struct Question<'a> {
    color: Color,
    group: &'a [Point],
    first: Color,
    params: &'a PlayoutParams,
    area: &'a PointSet,
}

impl HeavyTask for Question<'_> {
    type Output = Life;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        root: Box<Heavy<S, L, W>>,
    ) -> Life {
        let Self { color, group, first, params, area } = self;
        let rng = Rng::new(mix(root.hash(), first as u64));
        let mut search = Search {
            board: root.clone(),
            root,
            first,
            owner: color,
            group: group.iter().map(|point| point.index()).collect(),
            area: area.iter().map(Point::index).collect(),
            nodes: vec![Node::default()],
            informed: Informed::new(params),
            rng,
        };
        for _ in 0..PLAYOUTS {
            search.simulate();
        }
        search.outcome()
    }
}

/// A move of the tree with what came of it, seen from whoever makes it.
#[derive(Clone, Copy, Debug, Default)]
struct Child {
    /// Index of the point, 0 for a pass.
    point: usize,
    visits: f32,
    sum: f32,
    amaf_visits: f32,
    amaf_sum: f32,
    /// Index of the node behind it, 0 before it is made.
    node: usize,
}

impl Child {
    fn value(&self) -> f32 {
        let amaf = (self.amaf_sum + 0.5) / (self.amaf_visits + 1.0);
        if self.visits == 0.0 {
            return amaf;
        }
        let weight = (EQUIVALENCE / (3.0 * self.visits + EQUIVALENCE)).sqrt();
        weight * amaf + (1.0 - weight) * self.sum / self.visits
    }
}

#[derive(Clone, Debug, Default)]
struct Node {
    visits: f32,
    children: Vec<Child>,
}

struct Search<'a, const S: usize, const L: usize, const W: usize> {
    root: Box<Heavy<S, L, W>>,
    /// Where playouts are played.
    board: Box<Heavy<S, L, W>>,
    first: Color,
    owner: Color,
    group: Vec<usize>,
    area: Vec<usize>,
    nodes: Vec<Node>,
    informed: Informed<'a>,
    rng: Rng,
}

impl<const S: usize, const L: usize, const W: usize> Search<'_, S, L, W> {
    /// One playout down the tree and to the end.
    fn simulate(&mut self) {
        self.board.copy_from(&self.root);
        let mut moves: Vec<u16> = Vec::new();
        let mut path = Vec::new();
        let (mut node, mut color) = (0, self.first);
        loop {
            if self.nodes[node].children.is_empty() {
                self.nodes[node].children = self.children(color);
            }
            let chosen = self.select(node);
            let Child { point, visits, node: next, .. } = self.nodes[node].children[chosen];
            path.push((node, chosen));
            if point == 0 {
                self.board.pass();
            } else {
                self.board.play(color, point);
            }
            let passed_before = moves.last() == Some(&0);
            moves.push(point as u16);
            color = !color;
            if visits == 0.0 || point == 0 && passed_before {
                break;
            }
            node = next;
            if next == 0 {
                node = self.nodes.len();
                self.nodes.push(Node::default());
                let (parent, child) = path[path.len() - 1];
                self.nodes[parent].children[child].node = node;
            }
        }
        let back = |n: usize| moves.len().checked_sub(n).map_or(0, |i| usize::from(moves[i]));
        let recent = (back(1), back(2));
        self.informed.play(&mut self.board, color, recent, &mut self.rng, &mut moves);
        let kept = self.kept();
        self.learn(&path, &moves, kept);
    }

    /// The moves worth a look: in the area, legal, and no own eyes; and a pass.
    fn children(&self, color: Color) -> Vec<Child> {
        let board = &self.board;
        let is_sensible = |&p: &usize| {
            board.is_empty(p) && board.is_legal(color, p) && !board.is_eyelike(color, p)
        };
        // Stones that are taken leave points to play on.
        let points = self.area.iter().chain(&self.group).copied().filter(is_sensible);
        points.chain([0]).map(|point| Child { point, ..Child::default() }).collect()
    }

    /// The most promising child.
    fn select(&mut self, node: usize) -> usize {
        let node = &mut self.nodes[node];
        node.visits += 1.0;
        let scale = EXPLORATION * node.visits.ln().max(0.0).sqrt();
        let mut best = (f32::MIN, 0);
        for (i, child) in node.children.iter().enumerate() {
            let value = child.value() + scale / (child.visits + 1.0).sqrt();
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }

    /// Share of the group's points that its owner has in the end.
    fn kept(&self) -> f32 {
        let mut owners = [0; L];
        self.board.owners(&mut owners);
        let sum: i32 = self.group.iter().map(|&p| i32::from(owners[p])).sum();
        let mean = (sum * self.owner.sign()) as f32 / self.group.len().max(1) as f32;
        0.5 + 0.5 * mean
    }

    /// Credits the moves of a playout.
    fn learn(&mut self, path: &[(usize, usize)], moves: &[u16], kept: f32) {
        // Who played first on each point, from some depth on.
        let mut by: Vec<Option<Color>> = vec![None; L];
        let color_at = |depth: usize| if depth % 2 == 0 { self.first } else { !self.first };
        for (depth, &mv) in moves.iter().enumerate().skip(path.len()).rev() {
            by[usize::from(mv)] = Some(color_at(depth));
        }
        for (depth, &(node, chosen)) in path.iter().enumerate().rev() {
            let color = color_at(depth);
            by[usize::from(moves[depth])] = Some(color);
            let reward = if color == self.owner { kept } else { 1.0 - kept };
            for child in &mut self.nodes[node].children {
                if child.point != 0 && by[child.point] == Some(color) {
                    child.amaf_visits += 1.0;
                    child.amaf_sum += reward;
                }
            }
            let child = &mut self.nodes[node].children[chosen];
            child.visits += 1.0;
            child.sum += reward;
        }
    }

    /// The move most visited, and its result.
    fn outcome(&self) -> Life {
        let mut best = Child::default();
        for child in &self.nodes[0].children {
            if child.visits > best.visits {
                best = *child;
            }
        }
        let value = if best.visits > 0.0 { best.sum / best.visits } else { 0.5 };
        let kept = if self.first == self.owner { value } else { 1.0 - value };
        let mv = match best.point {
            0 => Move::Pass,
            p => Move::Play(Point::from_index(p)),
        };
        Life { kept, mv }
    }
}
