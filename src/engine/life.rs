//! Life and death of stones: searches for their fate in the place of the game's.

use rayon::prelude::*;

use super::{Engine, Goal, Limits};
use crate::board::Move;
use crate::game::Game;

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

/// Playouts of one search, and of all searches of one question.
const PLAYOUTS: u64 = 3000;
const PLAYOUTS_ALL: u64 = 30_000;
/// The stones are kept for sure if they are in so many of the playouts, and lost if in so few.
const KEPT: f64 = 0.7;
const LOST: f64 = 0.3;

impl Engine {
    /// What becomes of stones, those of each goal by themselves, whoever's turn it is. Equal
    /// positions get equal answers. After a [stop](super::StopFlag) nothing more is known.
    pub fn fates(&self, game: &Game, goals: &[Goal]) -> Vec<Fate> {
        let playouts = PLAYOUTS.min(PLAYOUTS_ALL / (2 * goals.len() as u64).max(1));
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        self.stop.begin();
        let read = |goal: &Goal| self.fate(game, goal, limits);
        let fates = self.pool.install(|| goals.par_iter().map(read).collect());
        self.stop.end();
        fates
    }

    fn fate(&self, game: &Game, goal: &Goal, limits: Limits) -> Fate {
        let read = |first| goal.search(game, first, limits, &self.config.params, &self.stop);
        let (defended, attacked) = rayon::join(|| read(goal.owner), || read(!goal.owner));
        if self.stop.is_stopped() {
            Fate::Unknown
        } else if attacked.kept >= KEPT {
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
    use crate::board::{Board, Color, ColoredMove, PointSet};
    use crate::config::Config;
    use crate::game::Start;
    use crate::rules::{Komi, Rules};

    fn fate(diagram: &str, vertex: &str) -> (Fate, Board) {
        let board = Board::from_diagram(diagram).unwrap();
        let stone = board.size().parse_point(vertex).unwrap();
        let stones: PointSet = board.chain(stone).into_iter().collect();
        let goal = Goal { owner: board.stone(stone).unwrap(), stones };
        let engine = Engine::new(Config { threads: 2, ..Config::default() }).unwrap();
        let start = Start { board: board.clone(), to_play: goal.owner, handicap: 0 };
        let game = Game::from_start(start, Rules::default(), Komi::default());
        (engine.fates(&game, &[goal])[0], board)
    }

    #[test]
    fn the_end_of_the_game_decides_nothing() {
        let board = Board::from_diagram(&corner("..XXXOO..")).unwrap();
        let stones: PointSet =
            board.chain(board.size().parse_point("A2").unwrap()).into_iter().collect();
        let start = Start { board, to_play: Color::Black, handicap: 0 };
        let mut game = Game::from_start(start, Rules::default(), Komi::default());
        for color in Color::ALL {
            game.play(ColoredMove { color, mv: Move::Pass }).unwrap();
        }
        let engine = Engine::new(Config { threads: 1, ..Config::default() }).unwrap();
        let fates = engine.fates(&game, &[Goal { owner: Color::Black, stones }]);
        assert_eq!(fates, [Fate::Dead]);
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
