//! Life and death of stones: searches for their fate in the place of the game's.

use super::{Engine, Limits};
use crate::board::{Board, Move};
use crate::search::{Goal, Prospect};

/// What becomes of some stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// They live though the opponent moves first.
    Alive,
    /// They die though their owner moves first.
    Dead,
    /// Whoever moves first decides.
    Critical {
        /// The opponent's move that takes them.
        attack: Move,
        /// The owner's move that keeps them.
        defense: Move,
    },
    /// The searches are not sure.
    Unknown,
}

/// Budget of one search.
const LIMITS: Limits =
    Limits { playouts: Some(3000), time: None, time_max: None, until_stopped: false };
/// The stones are kept for sure if they are in so many of the playouts, and lost if in so few.
const KEPT: f64 = 0.7;
const LOST: f64 = 0.3;

impl Engine {
    /// What becomes of stones of one side, whoever's turn it is. Equal positions get equal answers.
    pub fn fate(&self, board: &Board, goal: &Goal) -> Fate {
        let read = |first| goal.search(board, first, LIMITS, &self.config.params, &self.stop);
        self.stop.begin();
        let (defended, attacked): (Prospect, Prospect) =
            self.pool.join(|| read(goal.owner), || read(!goal.owner));
        self.stop.end();
        if attacked.kept >= KEPT {
            Fate::Alive
        } else if defended.kept <= LOST {
            Fate::Dead
        } else if defended.kept >= KEPT && attacked.kept <= LOST {
            Fate::Critical { attack: attacked.mv, defense: defended.mv }
        } else {
            Fate::Unknown
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PointSet;
    use crate::config::Config;

    fn fate(diagram: &str, vertex: &str) -> (Fate, Board) {
        let board = Board::from_diagram(diagram).unwrap();
        let stone = board.size().parse_point(vertex).unwrap();
        let stones: PointSet = board.chain(stone).into_iter().collect();
        let goal = Goal { owner: board.stone(stone).unwrap(), stones };
        let engine = Engine::new(Config { threads: 2, ..Config::default() }).unwrap();
        (engine.fate(&board, &goal), board)
    }

    /// Black's eye space in the corner: A1 and what `row` says of the points right of it.
    fn corner(row: &str) -> String {
        format!(
            "........./........./........./........./........./........./OOOOOOO../XXXXXOO../{row}"
        )
    }

    #[test]
    fn an_eye_space_of_three_is_critical() {
        let (fate, board) = fate(&corner("...XXOO.."), "A2");
        let vital = Move::Play(board.size().parse_point("B1").unwrap());
        assert_eq!(fate, Fate::Critical { attack: vital, defense: vital });
    }

    #[test]
    fn one_of_two_is_dead_and_one_of_four_alive() {
        assert_eq!(fate(&corner("..XXXOO.."), "A2").0, Fate::Dead);
        assert_eq!(fate(&corner("....XOO.."), "A2").0, Fate::Alive);
        assert_eq!(fate(&corner("....XOO.."), "A3").0, Fate::Alive);
    }
}
