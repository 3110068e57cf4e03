//! Life and death from ownership: which chains are alive, dead or in seki.

use super::count::Lifted;
use super::groups::Groups;
use super::ownership::Ownership;
use crate::board::{Board, Color, Point, PointSet};

/// What becomes of a stone when the position is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// It stays and has eyes or room for them.
    Alive,
    /// It stays without two eyes: neither side can attack.
    Seki,
    /// It is lifted.
    Dead,
}

/// The status of every stone of a position; chains have one status as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusMap {
    dead: PointSet,
    seki: PointSet,
}

impl StatusMap {
    /// A chain is dead if the mean ownership of its stones, seen from its own side, is at most
    /// this. Chosen by hand: stones in seki come out above it, stones inside the opponent's
    /// territory below it, even where uniform playouts defend that territory badly.
    const DEAD: f32 = -0.25;

    /// Judges each chain by the mean ownership of its stones.
    pub fn from_ownership(board: &Board, ownership: &Ownership) -> Self {
        let mut dead = PointSet::EMPTY;
        for (color, chain) in board.chains() {
            if ownership.mean(&chain) * color.sign() as f32 <= Self::DEAD {
                dead.extend(chain);
            }
        }
        Self { dead, seki: seki(board, &dead) }
    }

    /// Every stone alive.
    pub fn all_alive() -> Self {
        Self { dead: PointSet::EMPTY, seki: PointSet::EMPTY }
    }

    /// The dead stones of both colors.
    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// The status of the stone at a point that holds one.
    pub fn at(&self, point: Point) -> Status {
        if self.dead.contains(point) {
            Status::Dead
        } else if self.seki.contains(point) {
            Status::Seki
        } else {
            Status::Alive
        }
    }
}

/// Stones that live without two eyes: their group shares liberties with the opponent, and whoever
/// plays on one of them puts his own stones into atari.
fn seki(board: &Board, dead: &PointSet) -> PointSet {
    let (_, position) = Lifted::new(board, dead);
    let groups = Groups::new(&position);
    let left = board.stones().filter(|&(point, _)| position.stone(point).is_some());
    // Lifting only adds liberties, so what is left is a position.
    let Ok(settled) = Board::with_stones(board.size(), left) else { return PointSet::EMPTY };
    groups
        .in_seki()
        .filter(|family| !family.shared.is_empty())
        .filter(|family| family.shared.iter().all(|point| is_self_atari_for_both(&settled, point)))
        .flat_map(|family| family.stones.iter())
        .collect()
}

fn is_self_atari_for_both(board: &Board, point: Point) -> bool {
    Color::ALL.into_iter().all(|color| {
        let mut after = board.clone();
        let removed = after.play(point, color);
        removed.captured == 0 && (removed.suicided > 0 || after.liberties(point).len() == 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ARRAY_LEN;

    /// Statuses when the playouts give every stone to its own color, or to White at `dead`.
    fn statuses(diagram: &str, dead: &[&str]) -> (Board, StatusMap) {
        let board = Board::from_diagram(diagram).unwrap();
        let mut sums = vec![0; ARRAY_LEN];
        for (point, color) in board.stones() {
            sums[point.index()] = color.sign();
        }
        for vertex in dead {
            sums[board.size().parse_point(vertex).unwrap().index()] *= -1;
        }
        let status = StatusMap::from_ownership(&board, &Ownership::from_sums(&sums, 1));
        (board, status)
    }

    #[test]
    fn chains_are_dead_as_a_whole() {
        let (board, status) = statuses("XX.O./..OOO/OOO../.OO.O/..O..", &["A5", "B5"]);
        assert_eq!(status.dead().len(), 2);
        assert_eq!(status.at(board.size().parse_point("A5").unwrap()), Status::Dead);
        assert_eq!(status.at(board.size().parse_point("C1").unwrap()), Status::Alive);
    }

    #[test]
    fn two_eyeless_chains_with_two_shared_liberties_are_in_seki() {
        // The chains at the left edge share A1 and A5; both outer walls live.
        let diagram = ".XOO.XX/XXOOOX./XOOO.XX/XXOOOX./.XOO.XX";
        let (board, status) = statuses(diagram, &[]);
        let at = |vertex: &str| status.at(board.size().parse_point(vertex).unwrap());
        assert_eq!(at("G3"), Status::Alive);
        let shared = "OOOOOOO/OXXXXXO/OX.O.XO/OXOOOXO/OXXXXXO/OOOOOOO/..O.O..";
        let (board, status) = statuses(shared, &[]);
        let at = |vertex: &str| status.at(board.size().parse_point(vertex).unwrap());
        assert_eq!(at("D4"), Status::Seki);
        assert_eq!(at("B5"), Status::Seki);
        assert_eq!(at("A7"), Status::Alive);
    }
}
