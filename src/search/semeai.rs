//! Two chains that share their liberties: seki, or does one side take the other?
//!
//! A small exact search in the few points that decide. It is what uniform playouts cannot do: in a
//! seki whoever moves loses, and random players move.

use std::collections::HashMap;

use crate::board::{Board, Color, Hash, Point, PointSet, Suicide};

/// Most points that are searched; larger fights are left to playouts.
const MAX_POINTS: usize = 12;
/// Most positions looked at; beyond that the answer is "not proven".
const MAX_NODES: usize = 40_000;
/// Longest line: enough to fill and refill the points a few times.
const MAX_DEPTH: usize = 60;

/// Whether two chains of different colors are proven to be in seki: they share a liberty, and
/// neither side can take the other's chain even if it moves first. `false` if the fight is too
/// large or too open to search. Stones in `safe` are taken to live whatever happens.
pub fn is_seki(board: &Board, one: &[Point], other: &[Point], safe: &PointSet) -> bool {
    let (Some(&first), Some(&second)) = (one.first(), other.first()) else { return false };
    let (libs, other_libs) = (board.liberties(first), board.liberties(second));
    if !libs.iter().any(|point| other_libs.contains(point)) {
        return false;
    }
    // The points of the smaller chain are fought over again once it is taken.
    let inner = if one.len() < other.len() { one } else { other };
    let seeds = libs.iter().chain(other_libs.iter()).chain(inner.iter().copied()).collect();
    let Some(points) = closure(board, seeds, safe) else { return false };
    [(first, second), (second, first)].into_iter().all(|(attacker, target)| {
        let Some(color) = board.stone(attacker) else { return false };
        let mut fight =
            Fight { points, target, target_color: !color, known: HashMap::new(), nodes: 0 };
        let is_taken = fight.can_take(board, 0);
        !is_taken && fight.nodes < MAX_NODES
    })
}

/// The points with all that a fight there may spread to: empty points beside them, and the
/// liberties of chains beside them that may be captured. `None` if that is too much.
fn closure(board: &Board, mut points: PointSet, safe: &PointSet) -> Option<PointSet> {
    let size = board.size();
    let mut left: Vec<Point> = points.iter().collect();
    while let Some(point) = left.pop() {
        if points.len() > MAX_POINTS {
            return None;
        }
        let mut add = |found: Point| {
            if points.insert(found) {
                left.push(found);
            }
        };
        for near in size.neighbors(point) {
            match board.stone(near) {
                None => add(near),
                Some(_) if safe.contains(near) => {}
                Some(_) => board.liberties(near).iter().for_each(&mut add),
            }
        }
    }
    Some(points)
}

struct Fight {
    points: PointSet,
    /// A stone of the chain that is attacked.
    target: Point,
    target_color: Color,
    /// Whether the attacker, to move, takes the target, by position and ko point. A position that
    /// comes back in its own line counts as held: repetition does not take anything.
    known: HashMap<(Hash, Option<Point>), bool>,
    nodes: usize,
}

impl Fight {
    /// Whether the attacker, to move, can take the target whatever the defender does. The attacker
    /// gains nothing by passing.
    fn can_take(&mut self, board: &Board, depth: usize) -> bool {
        if depth >= MAX_DEPTH || self.nodes >= MAX_NODES {
            return false;
        }
        let key = (board.hash(), board.ko_point());
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        self.known.insert(key, false);
        let takes = self.moves(board, !self.target_color).into_iter().any(|after| {
            after.stone(self.target) != Some(self.target_color) || !self.can_hold(&after, depth + 1)
        });
        self.known.insert(key, takes);
        takes
    }

    /// Whether the defender, to move, can keep the target; he may pass.
    fn can_hold(&mut self, board: &Board, depth: usize) -> bool {
        let mut passed = board.clone();
        passed.clear_ko();
        let answers = self.moves(board, self.target_color);
        answers.into_iter().chain([passed]).any(|after| !self.can_take(&after, depth + 1))
    }

    /// The positions after the legal plays of a side.
    fn moves(&mut self, board: &Board, color: Color) -> Vec<Board> {
        let ko = board.ko_point();
        let is_open = |&p: &Point| ko != Some(p) && board.is_legal(p, color, Suicide::None);
        let boards: Vec<Board> = self
            .points
            .iter()
            .filter(is_open)
            .map(|point| {
                let mut after = board.clone();
                after.play(point, color);
                after
            })
            .collect();
        self.nodes += boards.len();
        boards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seki(diagram: &str, one: &str, other: &str) -> bool {
        let board = Board::from_diagram(diagram).unwrap();
        let chain = |vertex| board.chain(board.size().parse_point(vertex).unwrap());
        let mut safe = PointSet::EMPTY;
        for color in Color::ALL {
            safe.extend(board.pass_alive(color, Suicide::None).stones.iter());
        }
        is_seki(&board, &chain(one), &chain(other), &safe)
    }

    #[test]
    fn three_stones_in_a_line_of_five_points_are_in_seki() {
        // What White fills and Black takes leaves four points in a row: two eyes.
        let diagram = "
            . O . O O O O O .
            O O O O O O O O O
            O X X X X X X X O
            O X . O O O . X O
            O X X X X X X X O
            O O O O O O O O O
            . O . O O O O O .";
        assert!(seki(diagram, "B5", "D4"));
        assert!(seki(diagram, "D4", "B5"));
    }

    #[test]
    fn a_bulky_five_is_no_seki() {
        // White fills one point, Black takes five, and White plays in the middle of them.
        let diagram = "
            O O O O O O O
            O X X X X X O
            O X . O . X O
            O X O O O X O
            O X X X X X O
            O O O O O O O
            . . O . O . .";
        assert!(!seki(diagram, "B5", "D4"));
    }

    #[test]
    fn chains_with_an_eye_each_and_one_shared_liberty_are_in_seki() {
        let diagram = "
            . O . O X . X .
            O O O O X X X X
            O O X X X X X X
            X X O O O O X X
            . X . O . O X X";
        assert!(seki(diagram, "A2", "C2"));
        assert!(seki(diagram, "C2", "A2"));
    }

    /// White's four stones hold D4 until Black has filled their liberties E5 and D2.
    #[test]
    fn what_can_be_taken_from_outside_is_no_seki() {
        let diagram = "
            X X . O . X X
            X X O . O X .
            X . X O X X X
            . X X . X . X
            X X X X X X .";
        assert!(!seki(diagram, "C4", "B4"));
    }

    #[test]
    fn an_open_position_is_no_seki() {
        let diagram = "
            . . . X O
            . O . X O
            . . . X .
            . . . X O
            . . . X O";
        assert!(!seki(diagram, "B4", "D4"));
    }

    #[test]
    fn one_shared_liberty_is_a_race() {
        let diagram = "
            O O O O O .
            O X X X O O
            O X . O X .
            O X X O X X
            O O O O X .
            . . O O X X";
        assert!(!seki(diagram, "B4", "D4"));
    }
}
