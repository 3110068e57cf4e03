//! Informed playouts: games to the end by the rules of [`policy`](super::policy).

use super::params::PlayoutParams;
use super::policy::{Policy, Recent};
use crate::board::{Color, Heavy};
use crate::rng::Rng;

/// Plays informed playouts with one set of parameters.
#[derive(Clone, Copy, Debug)]
pub struct Informed<'a> {
    policy: Policy<'a>,
}

impl<'a> Informed<'a> {
    /// A player with these parameters.
    pub fn new(params: &'a PlayoutParams) -> Self {
        Self { policy: Policy::new(params) }
    }

    /// Plays the board out from this side's turn and appends the moves to `moves` (index of the
    /// point, 0 for a pass). `last` and `before` are the last two moves made, 0 if none.
    ///
    /// Games that cycle by multiple kos are cut off after three moves a point.
    pub fn play<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        to_play: Color,
        (last, before): (usize, usize),
        rng: &mut Rng,
        moves: &mut Vec<u16>,
    ) {
        let mut recent = Recent { last, before, ko: 0, ko_age: u32::MAX };
        let mut color = to_play;
        let mut passes = 0;
        let bound = 3 * board.size().points() + 8;
        for _ in 0..bound {
            let chosen = match color {
                Color::Black => self.turn(board, Color::Black, &mut recent, rng),
                Color::White => self.turn(board, Color::White, &mut recent, rng),
            };
            moves.push(chosen as u16);
            passes = if chosen == 0 { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
            color = !color;
        }
    }

    /// Makes one move; returns its point, or 0 for a pass.
    #[inline]
    fn turn<const S: usize, const L: usize, const W: usize>(
        &self,
        board: &mut Heavy<S, L, W>,
        color: Color,
        recent: &mut Recent,
        rng: &mut Rng,
    ) -> usize {
        let ko = board.ko();
        if ko != 0 {
            (recent.ko, recent.ko_age) = (ko, 0);
        }
        let chosen = self.policy.choose(board, color, recent, rng).unwrap_or(0);
        if chosen == 0 {
            board.pass();
        } else {
            board.play(color, chosen);
        }
        recent.before = recent.last;
        recent.last = chosen;
        recent.ko_age = recent.ko_age.saturating_add(1);
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, HeavyTask, Point};

    /// Mean owners of points over informed playouts, 1 for Black.
    struct Owned<'a> {
        to_play: Color,
        points: &'a [Point],
    }

    impl HeavyTask for Owned<'_> {
        type Output = Vec<f32>;

        fn run<const S: usize, const L: usize, const W: usize>(
            self,
            start: Box<Heavy<S, L, W>>,
        ) -> Vec<f32> {
            const PLAYOUTS: u32 = 1000;
            let params = PlayoutParams::default();
            let mut rng = Rng::new(7);
            let mut sums = vec![0; L];
            for _ in 0..PLAYOUTS {
                let (mut board, mut moves, mut owners) = (start.clone(), Vec::new(), [0; L]);
                Informed::new(&params).play(&mut board, self.to_play, (0, 0), &mut rng, &mut moves);
                board.owners(&mut owners);
                for (sum, owner) in sums.iter_mut().zip(owners) {
                    *sum += i32::from(owner);
                }
            }
            self.points.iter().map(|p| sums[p.index()] as f32 / PLAYOUTS as f32).collect()
        }
    }

    /// Mean owners of the first point of each line, seen from the color on it, with either side to
    /// start: how well chains keep what is theirs.
    fn kept(diagram: &str, vertices: [&str; 2]) -> Vec<f32> {
        let board = Board::from_diagram(diagram).unwrap();
        let points = vertices.map(|vertex| board.size().parse_point(vertex).unwrap());
        let mut kept = Vec::new();
        for to_play in Color::ALL {
            let owned = board.with_heavy(Owned { to_play, points: &points });
            let own =
                |(point, owner): (&Point, f32)| owner * board.stone(*point).unwrap().sign() as f32;
            kept.extend(points.iter().zip(owned).map(own));
        }
        kept
    }

    #[test]
    fn both_sides_pass_rather_than_break_a_seki() {
        let shared = "
            . O . O O O O O .
            O O O O O O O O O
            O X X X X X X X O
            O X . O O O . X O
            O X X X X X X X O
            O O O O O O O O O
            . O . O O O O O .";
        let eyes = "
            . O . O X . X .
            O O O O X X X X
            O O X X X X X X
            X X O O O O X X
            . X . O . O X X";
        for (diagram, chains) in [(shared, ["B5", "D4"]), (eyes, ["A2", "C2"])] {
            let kept = kept(diagram, chains);
            assert!(kept.iter().all(|&kept| kept > 0.95), "{chains:?}: {kept:?}");
        }
    }

    #[test]
    fn a_nakade_is_no_seki() {
        let bulky_five = "
            O O O O O O O
            O X X X X X O
            O X . O . X O
            O X O O O X O
            O X X X X X O
            O O O O O O O
            . . O . O . .";
        let kept = kept(bulky_five, ["B5", "D4"]);
        // White dies seldom, whoever begins.
        assert!(kept[0] < 0.0 && kept[1] > 0.0 && kept[2] < 0.0 && kept[3] > 0.0, "{kept:?}");
    }
}
