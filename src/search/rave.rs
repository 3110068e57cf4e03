//! AMAF ("all moves as first"): what a playout tells about moves that were made later in it.
//!
//! Each node on the path credits its own moves with the playout's result if its side to move was
//! the first to play there afterwards; moves soon after count more than late ones (S. Gelly,
//! D. Silver 2007; distance weights as in search.md 3.2). No playout passes early, so a pass would keep
//! the value of its prior while plays lose theirs: it is credited with every result, as a move that
//! makes no difference.

use super::node::Node;

/// Who plays first on each point, filled from the end of a playout to its start.
#[derive(Debug)]
pub(super) struct FirstPlays<const LEN: usize> {
    /// Turn of the first play on the point, [`Self::NEVER`] without one.
    turn: [u16; LEN],
}

impl<const LEN: usize> FirstPlays<LEN> {
    const NEVER: u16 = u16::MAX;

    pub(super) fn new() -> Self {
        Self { turn: [Self::NEVER; LEN] }
    }

    /// Forgets the last playout.
    pub(super) fn clear(&mut self) {
        self.turn.fill(Self::NEVER);
    }

    /// Notes the play of a turn, which comes before all that were noted.
    #[inline(always)]
    pub(super) fn note(&mut self, point: u16, turn: usize) {
        self.turn[usize::from(point) & (LEN - 1)] = turn as u16;
    }

    /// Credits the moves of a node whose side to move played in `turn` and every second turn after
    /// it. `value` is that side's result, `end` the number of turns, `near` the weight of a move
    /// made at once.
    #[inline]
    pub(super) fn credit(&self, children: &[Node], turn: usize, end: usize, near: f32, value: f32) {
        let slope = (near - 1.0) / (end - turn).max(1) as f32;
        for child in children {
            let point = child.point();
            let first = self.turn[point & (LEN - 1)];
            let delay = usize::from(first).wrapping_sub(turn);
            if point == 0 {
                child.add_rave(1.0, value);
            } else if first != Self::NEVER && delay.is_multiple_of(2) {
                child.add_rave(near - slope * delay as f32, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Black a, White b, Black c; then White a (again), Black b: seen from each of the first nodes.
    #[test]
    fn only_the_first_to_play_a_point_is_credited() {
        let (a, b, c) = (11, 12, 13);
        let moves: [u16; 6] = [a, b, c, a, b, 0];
        let mut first = FirstPlays::<128>::new();
        let credited = |first: &FirstPlays<128>, turn: usize| -> Vec<f32> {
            let nodes: Vec<Node> = (0..4).map(|_| Node::default()).collect();
            for (node, point) in nodes.iter().zip([0, a, b, c]) {
                node.reset(point.into(), 0.0, 0.5);
            }
            first.credit(&nodes, turn, moves.len(), 3.0, 1.0);
            nodes.iter().map(|node| node.stats().rave_wins).collect()
        };
        for (turn, &point) in moves.iter().enumerate().rev() {
            first.note(point, turn);
            match turn {
                // White to move: b at once. White's later play on a was first there from now on,
                // so it counts; c is Black's.
                1 => assert_eq!(credited(&first, 1), [1.0, 3.0 - 0.8, 3.0, 0.0]),
                // Black to move: a at once, c after two turns; b is White's first.
                0 => {
                    let weights = credited(&first, 0);
                    assert!((weights[1] - 3.0).abs() < 1e-6 && weights[2] == 0.0);
                    assert!((weights[3] - (3.0 - 2.0 * 2.0 / 6.0)).abs() < 1e-6);
                    assert!((weights[0] - 1.0).abs() < 1e-6, "a pass stands for all moves");
                }
                _ => {}
            }
        }
    }
}
