//! `keima features`.

use std::io::{self, BufRead, Write};

use anyhow::{Context, bail};

use crate::board::{ColoredMove, Move, Size};
use crate::game::Game;
use crate::search::features;

/// For each line `SIDE MOVE...` of standard input, a game, writes the features of every `skip + 1`-th
/// position. Moves are numbered row by row from the upper left corner, a pass comes after the last
/// point. Numbers of 32 bits, little-endian: the position's turn, how many moves; for each move its
/// number, how many features, the features.
pub(super) fn run(skip: usize) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut write = |number: usize| out.write_all(&(number as u32).to_le_bytes());
    for (game_number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let numbers: Vec<usize> =
            line.split(' ').map(str::parse).collect::<Result<_, _>>().context("a move")?;
        let [side, moves @ ..] = &numbers[..] else { bail!("an empty line") };
        let size = Size::square(*side).context("a board size")?;
        let points: Vec<_> = size.iter_from_top().collect();
        let mut game = Game::new(size);
        for (turn, &number) in moves.iter().enumerate() {
            if (turn + game_number).is_multiple_of(skip + 1) {
                let list = features::of_game(&game);
                write(turn)?;
                write(list.len())?;
                for (mv, features) in list {
                    write(match mv {
                        Move::Pass => points.len(),
                        Move::Play(point) => {
                            points.iter().position(|&p| p == point).unwrap_or(points.len())
                        }
                    })?;
                    write(features.len())?;
                    features.into_iter().try_for_each(|feature| write(feature as usize))?;
                }
            }
            let mv = points.get(number).map_or(Move::Pass, |&point| Move::Play(point));
            let color = game.to_play();
            game.play(ColoredMove { color, mv }).context("a game")?;
        }
        // The end of the game.
        write(u32::MAX as usize)?;
    }
    out.flush()?;
    Ok(())
}
