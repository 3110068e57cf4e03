//! Dragons: chains of one color that nobody can cut apart.
//!
//! Two chains are one dragon if they share two liberties, or one on which a cutting stone would be
//! captured, or if they touch the same stones that cannot be saved.

use crate::board::{Board, Color, Point, PointSet, Suicide};
use crate::search::capture::{self, Success};

/// Stones between two chains that have more liberties than this are not taken for dead.
const FEW: usize = 3;

/// The stones of the dragon at a stone; none for an empty point.
pub fn dragon(board: &Board, stone: Point) -> PointSet {
    let Some(color) = board.stone(stone) else { return PointSet::EMPTY };
    let mut stones: PointSet = board.chain(stone).into_iter().collect();
    let mut to_do = vec![stone];
    while let Some(stone) = to_do.pop() {
        for other in linked(board, color, stone) {
            if stones.insert(other) {
                stones.extend(board.chain(other));
                to_do.push(other);
            }
        }
    }
    stones
}

/// Every dragon of a position once.
pub fn dragons(board: &Board) -> Vec<PointSet> {
    let mut seen = PointSet::EMPTY;
    let mut found = Vec::new();
    for (stone, _) in board.stones() {
        if !seen.contains(stone) {
            let dragon = dragon(board, stone);
            seen.extend(dragon.iter());
            found.push(dragon);
        }
    }
    found
}

/// Stones of chains that nobody can cut from the chain at `stone`.
fn linked(board: &Board, color: Color, stone: Point) -> Vec<Point> {
    let size = board.size();
    let chain = board.chain(stone);
    let liberties = board.liberties(stone);
    let own_around = |point: Point| {
        size.neighbors(point).filter(|&p| board.stone(p) == Some(color)).collect::<Vec<_>>()
    };
    let mut found = Vec::new();
    for point in liberties.iter() {
        let mut is_cut = None;
        for other in own_around(point).into_iter().filter(|p| !chain.contains(p)) {
            let shared = board.liberties(other).iter().filter(|&p| liberties.contains(p)).count();
            if shared > 1 || !*is_cut.get_or_insert_with(|| cuts(board, !color, point)) {
                found.push(other);
            }
        }
    }
    let mut seen = PointSet::EMPTY;
    for point in chain.iter().flat_map(|&stone| size.neighbors(stone)) {
        if board.stone(point) == Some(!color) && !seen.contains(point) {
            let captive = board.chain(point);
            seen.extend(captive.iter().copied());
            if is_lost(board, point) {
                found.extend(captive.into_iter().flat_map(own_around));
            }
        }
    }
    found
}

/// Whether a side can play on a point without being captured there.
fn cuts(board: &Board, color: Color, point: Point) -> bool {
    let mut after = board.clone();
    let is_legal = board.is_legal(point, color, Suicide::None) && board.ko_point() != Some(point);
    is_legal && {
        after.play(point, color);
        capture::attack(&after, point).is_none_or(|read| read.success != Success::Unconditional)
    }
}

/// Whether the chain at a stone is captured though its owner moves first.
fn is_lost(board: &Board, stone: Point) -> bool {
    board.liberties(stone).len() <= FEW
        && capture::attack(board, stone).is_some_and(|read| read.success == Success::Unconditional)
        && capture::defend(board, stone).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(diagram: &str) -> Board {
        Board::from_diagram(diagram).unwrap()
    }

    fn is_same(board: &Board, one: &str, other: &str) -> bool {
        let point = |text| board.size().parse_point(text).unwrap();
        dragon(board, point(one)).contains(point(other))
    }

    #[test]
    fn two_shared_liberties_hold_together() {
        // A bamboo joint and a diagonal.
        let board = board(
            ". . . . . . .
             . X . X . . .
             . X . X . . .
             . . . . X . .
             . . . . . . .
             . X . . . O .
             . . . . . . .",
        );
        assert!(is_same(&board, "B5", "D6"));
        assert!(is_same(&board, "E4", "B6"));
        assert!(!is_same(&board, "B5", "B2"));
        assert!(!is_same(&board, "B5", "F2"));
        assert!(!is_same(&board, "A1", "B2"));
    }

    #[test]
    fn a_cut_must_not_be_captured() {
        let hanging = "
            . . . . . . .
            . . X X X . .
            . . X . . . .
            . . O X O . .
            . . O X O . .
            . . O . O . .
            . . . . . . .";
        // White at D5 is taken at E5.
        assert!(is_same(&board(hanging), "D6", "D4"));
        let cuttable = hanging.replace(". . X . . . .", ". . . . . O .");
        assert!(!is_same(&board(&cuttable), "D6", "D4"));
    }

    #[test]
    fn stones_that_cannot_be_saved_do_not_cut() {
        let board = board(
            ". . . . . . .
             . X X X . . .
             X O O O X . .
             . X X . X . .
             . . . . . . .
             . . . . . . .
             . . . . . . .",
        );
        assert!(is_same(&board, "B6", "B4"));
        assert!(is_same(&board, "A5", "E4"));
    }
}
