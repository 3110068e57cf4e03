//! What a search may decide in the place of the game: whether a side keeps some stones.

use super::{Limits, Restriction, Restrictions, Root, SearchParams, StopFlag, Task, Tree};
use crate::board::{Board, Color, Move, Point, PointSet};
use crate::game::Game;
use crate::rng::mix;

/// Memory of a search for the fate of stones, in bytes.
const MEMORY: usize = 16 << 20;
/// Steps from what the stones touch to the moves that a search for their fate looks at.
const REACH: usize = 2;

/// What a search for the fate of stones came to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prospect {
    /// How often their owner kept them, 0 to 1.
    pub kept: f64,
    /// The best move of the side that moves first.
    pub mv: Move,
}

/// Stones, the fate of which is the result of a playout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Whose they are.
    pub owner: Color,
    /// Where they stand.
    pub stones: PointSet,
}

impl Goal {
    /// Black's score of a playout by the owners of the points: how many of them he has more than
    /// White. It is never 0: what nobody has is not kept by its owner.
    pub(super) fn score(&self, owners: &[i8]) -> f32 {
        let sum: i32 = self.stones.iter().map(|point| i32::from(owners[point.index()])).sum();
        if sum == 0 { -0.5 * self.owner.sign() as f32 } else { sum as f32 }
    }

    /// Searches for the fate of the stones on the caller's thread, with one side to move first and
    /// moves near the stones only. Equal games get equal answers.
    pub fn search(
        &self,
        game: &Game,
        first: Color,
        limits: Limits,
        params: &SearchParams,
        stop: &StopFlag,
    ) -> Prospect {
        let board = game.board();
        let seed = mix(board.hash(), first as u64);
        let root = Root { game, color: first, komi_hundredths: 0, bias_hundredths: 0, seed };
        let points = self.surroundings(board);
        let near =
            |color| Restriction { color, points, pass: true, allows: true, turns: usize::MAX };
        let restrictions = Restrictions::new(Color::ALL.map(near).to_vec());
        let task = Task {
            root,
            restrictions: &restrictions,
            limits,
            params,
            goal: Some(self),
            network: None,
        };
        let report = Tree::new(MEMORY).search_alone(&task, stop);
        match report.best() {
            Some(best) if first == self.owner => Prospect { kept: best.win_rate, mv: best.mv },
            Some(best) => Prospect { kept: 1.0 - best.win_rate, mv: best.mv },
            None => Prospect { kept: 0.5, mv: Move::Pass },
        }
    }

    /// The points near the stones, theirs among them: the chains that they touch and the liberties
    /// of these, and what is a few steps from there.
    fn surroundings(&self, board: &Board) -> PointSet {
        let size = board.size();
        let touched: PointSet =
            self.stones.iter().flat_map(|stone| size.neighbors(stone)).collect();
        let mut area = self.stones;
        for point in touched.iter() {
            area.insert(point);
            area.extend(board.chain(point));
            area.extend(board.liberties(point).iter());
        }
        for _ in 0..REACH {
            let around: Vec<Point> = area.iter().flat_map(|p| size.neighbors(p)).collect();
            area.extend(around);
        }
        area
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::ARRAY_LEN;

    #[test]
    fn who_keeps_most_of_the_stones_has_reached_the_goal() {
        let board = Board::from_diagram("OO./X../...").unwrap();
        let a3 = board.size().parse_point("A3").unwrap();
        let goal = Goal { owner: Color::White, stones: board.chain(a3).into_iter().collect() };
        let mut owners = [0; ARRAY_LEN];
        assert!(goal.score(&owners) > 0.0, "nobody's points are not White's");
        owners[a3.index()] = -1;
        assert!(goal.score(&owners) < 0.0);
    }

    #[test]
    fn the_surroundings_reach_beyond_the_liberties_of_what_is_touched() {
        let board = Board::from_diagram("X......../XO......./.O......./.O......./........./........./........./........./.........").unwrap();
        let point = |vertex| board.size().parse_point(vertex).unwrap();
        let stones = board.chain(point("A9")).into_iter().collect();
        let area = Goal { owner: Color::Black, stones }.surroundings(&board);
        for (vertex, is_near) in
            [("A9", true), ("B6", true), ("B3", true), ("E6", true), ("G7", false), ("B2", false)]
        {
            assert_eq!(area.contains(point(vertex)), is_near, "{vertex}");
        }
    }
}
