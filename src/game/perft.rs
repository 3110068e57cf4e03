//! Counting sequences of turns: the strictest test of rules there is.

use super::Game;
use crate::board::{Color, ColoredMove, Move};

impl Game {
    /// Number of sequences of exactly `depth` turns from here, sides alternating. With `passes` a
    /// pass is a turn, and a sequence that ends in two passes is complete: it counts at its length
    /// and is not continued. Memory grows with `depth` only.
    pub fn perft(&self, depth: usize, passes: bool) -> u64 {
        count(&mut self.clone(), depth, passes)
    }
}

fn count(game: &mut Game, depth: usize, passes: bool) -> u64 {
    if depth == 0 {
        return 1;
    }
    let color = game.to_play();
    let legal = game.legal_points(color);
    if depth == 1 {
        return legal.len() as u64 + u64::from(passes);
    }
    let mut sum = 0;
    for point in legal.iter() {
        sum += count_after(game, color, Move::Play(point), depth, passes);
    }
    let just_passed = game.turns().last().is_some_and(super::Turn::is_pass);
    if passes && !just_passed {
        sum += count_after(game, color, Move::Pass, depth, passes);
    }
    sum
}

fn count_after(game: &mut Game, color: Color, mv: Move, depth: usize, passes: bool) -> u64 {
    let (board, to_play) = (game.board.clone(), game.to_play);
    game.make(ColoredMove { color, mv });
    let sum = count(game, depth - 1, passes);
    game.history.truncate(game.turns().len() - 1);
    game.board = board;
    game.to_play = to_play;
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    #[test]
    fn passes_complete_a_game() {
        // Counts of 1x1 by hand: nothing but passes is legal.
        let game = Game::new(Size::square(1).unwrap());
        let counts: Vec<u64> = (0..4).map(|depth| game.perft(depth, true)).collect();
        assert_eq!(counts, [1, 1, 1, 0]);
        assert_eq!(game.perft(1, false), 0);
    }
}
