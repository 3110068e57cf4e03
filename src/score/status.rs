//! Life and death from ownership: which chains are alive, dead or in seki.

use super::count::Lifted;
use super::groups::Groups;
use super::ownership::Ownership;
use crate::board::{Board, ByColor, Color, Point, PointSet, Suicide};

/// What becomes of a point when the position is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A stone that stays and has eyes or room for them.
    Alive,
    /// A stone that stays without two eyes: neither side can attack.
    Seki,
    /// A stone that is lifted.
    Dead,
    /// An empty point that only this color surrounds, dead stones lifted.
    Territory(Color),
    /// An empty point of nobody.
    Dame,
}

/// First judgement of the chains, before anything is read out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdicts {
    /// Stones that are dead unconditionally, or that the playouts are sure of.
    pub dead: PointSet,
    /// Chains on which the playouts do not agree.
    pub unsure: Vec<(Color, Vec<Point>)>,
}

impl Verdicts {
    /// Playouts are sure of a chain if the mean ownership of its stones is beyond this, to either
    /// side. Chosen by hand.
    const CLEAR: f32 = 0.7;

    /// Judges each chain: by unconditional life and territory, else by the mean ownership of its
    /// stones.
    pub fn new(board: &Board, ownership: &Ownership, suicide: Suicide) -> Self {
        let mut dead = PointSet::EMPTY;
        let mut certain = PointSet::EMPTY;
        for color in Color::ALL {
            let alive = board.pass_alive(color, suicide);
            certain.extend(alive.stones.iter());
            for point in alive.territory.iter().filter(|&p| board.stone(p) == Some(!color)) {
                dead.insert(point);
                certain.insert(point);
            }
        }
        let mut unsure = Vec::new();
        for (color, chain) in board.chains() {
            // Chains are certain as a whole.
            if chain.first().is_some_and(|&stone| certain.contains(stone)) {
                continue;
            }
            let own = ownership.mean(&chain) * color.sign() as f32;
            if own <= -Self::CLEAR {
                dead.extend(chain);
            } else if own < Self::CLEAR {
                unsure.push((color, chain));
            }
        }
        Self { dead, unsure }
    }
}

/// The status of every point of a position; chains have one status as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StatusMap {
    stones: PointSet,
    dead: PointSet,
    seki: PointSet,
    territory: ByColor<PointSet>,
}

impl StatusMap {
    /// The statuses that follow from a list of dead stones, each of which stands for its chain.
    pub fn new(board: &Board, dead: &PointSet) -> Self {
        let (_, position) = Lifted::new(board, dead);
        let is_lifted = |&(point, _): &(Point, Color)| position.stone(point).is_none();
        Self {
            stones: board.stones().map(|(point, _)| point).collect(),
            dead: board.stones().filter(is_lifted).map(|(point, _)| point).collect(),
            seki: seki(board, &position),
            territory: Groups::new(&position).territory(),
        }
    }

    /// The dead stones of both colors.
    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// The status of a point.
    pub fn at(&self, point: Point) -> Status {
        let is_stone = self.stones.contains(point);
        if self.dead.contains(point) {
            Status::Dead
        } else if self.seki.contains(point) {
            Status::Seki
        } else if is_stone {
            Status::Alive
        } else if self.territory.black.contains(point) {
            Status::Territory(Color::Black)
        } else if self.territory.white.contains(point) {
            Status::Territory(Color::White)
        } else {
            Status::Dame
        }
    }
}

/// Stones that live without two eyes: their group shares liberties with the opponent, and whoever
/// plays on one of them puts his own stones into atari.
fn seki(board: &Board, position: &Lifted) -> PointSet {
    let groups = Groups::new(position);
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

    fn board(diagram: &str) -> Board {
        Board::from_diagram(diagram).unwrap()
    }

    fn points(board: &Board, vertices: &[&str]) -> PointSet {
        vertices.iter().map(|vertex| board.size().parse_point(vertex).unwrap()).collect()
    }

    #[test]
    fn every_point_has_a_status() {
        let board = board("XX.O./..OOO/OOO../XX.X./..X..");
        let map = StatusMap::new(&board, &points(&board, &["A5"]));
        let at = |vertex| map.at(board.size().parse_point(vertex).unwrap());
        assert_eq!(map.dead(), &points(&board, &["A5", "B5"]), "chains as a whole");
        assert_eq!(at("A5"), Status::Dead);
        assert_eq!(at("A4"), Status::Territory(Color::White));
        assert_eq!(at("A1"), Status::Territory(Color::Black));
        assert_eq!(at("E3"), Status::Dame);
        assert_eq!(at("C3"), Status::Alive);
    }

    #[test]
    fn unconditional_life_comes_before_playouts() {
        // Playouts that say the contrary of everything.
        let board = board(".X.OX./XXXXXX/....../...O../OO..../.O..X.");
        let mut sums = vec![0; ARRAY_LEN];
        for (point, color) in board.stones() {
            sums[point.index()] = -color.sign();
        }
        let verdicts = Verdicts::new(&board, &Ownership::from_sums(&sums, 1), Suicide::None);
        let alive = points(&board, &["B6", "A5", "E6"]);
        assert!(alive.iter().all(|stone| !verdicts.dead.contains(stone)));
        assert_eq!(verdicts.dead.len(), 6, "D6 and what the playouts are sure of");
        assert!(verdicts.unsure.is_empty());
    }

    #[test]
    fn two_eyeless_chains_with_two_shared_liberties_are_in_seki() {
        let board = board("OOOOOOO/OXXXXXO/OX.O.XO/OXOOOXO/OXXXXXO/OOOOOOO/..O.O..");
        let map = StatusMap::new(&board, &PointSet::EMPTY);
        let at = |vertex| map.at(board.size().parse_point(vertex).unwrap());
        assert_eq!(at("D4"), Status::Seki);
        assert_eq!(at("B5"), Status::Seki);
        assert_eq!(at("C5"), Status::Dame);
        assert_eq!(at("A7"), Status::Alive);
    }
}
