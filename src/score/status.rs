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
#[derive(Clone, Debug, PartialEq)]
pub struct Verdicts {
    /// Stones that are dead unconditionally.
    pub dead: PointSet,
    /// Stones that are alive unconditionally.
    pub alive: PointSet,
    /// Chains that are neither dead nor alive unconditionally.
    pub open: Vec<OpenChain>,
}

/// A chain that only playouts or reading can judge.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenChain {
    /// Whose it is.
    pub color: Color,
    /// Its stones.
    pub stones: Vec<Point>,
    /// Mean ownership of its stones by the playouts, seen from its own side, in -1..=1.
    pub own: f32,
}

impl Verdicts {
    /// Separates the chains that unconditional life and territory judge from the others.
    pub fn new(board: &Board, ownership: &Ownership, suicide: Suicide) -> Self {
        let (mut dead, mut alive) = (PointSet::EMPTY, PointSet::EMPTY);
        for color in Color::ALL {
            let life = board.pass_alive(color, suicide);
            alive.extend(life.stones.iter());
            dead.extend(life.territory.iter().filter(|&p| board.stone(p) == Some(!color)));
        }
        let open = board
            .chains()
            .into_iter()
            // Chains are certain as a whole.
            .filter(|(_, stones)| !stones.iter().any(|&p| alive.contains(p) || dead.contains(p)))
            .map(|(color, stones)| {
                let own = ownership.mean(&stones) * color.sign() as f32;
                OpenChain { color, stones, own }
            })
            .collect();
        Self { dead, alive, open }
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
        assert_eq!(verdicts.dead, points(&board, &["D6"]));
        let open: PointSet = verdicts.open.iter().flat_map(|chain| chain.stones.clone()).collect();
        assert!(points(&board, &["B6", "A5", "D6"]).iter().all(|stone| !open.contains(stone)));
        assert!(verdicts.open.iter().all(|chain| chain.own < -0.99));
        assert!(!verdicts.open.is_empty());
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
