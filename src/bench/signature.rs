//! The signature: one number from what this build plays.
//!
//! Light playouts and tree searches with fixed positions, seeds and budgets on one thread are mixed
//! into it. A commit that changes play changes it and says so in its message; one that only claims
//! to be faster must not. It takes less than a second.
//!
//! It is the same on every machine: additions, products, quotients and square roots are exact by
//! IEEE 754 and are not reordered, and the priors of the tree have an exponential function of their
//! own. (`ln` is used with exploration only, which is off by default.)

use super::{empty_game, limits, play, playouts, pool, search_once};
use crate::board::Move;
use crate::engine::{EngineError, Report};
use crate::rng::mix;
use crate::search::{SearchParams, Tree};

/// Playouts on the light board, by size.
const LIGHT_PLAYOUTS: u64 = 2000;

/// Boards with the playouts of a search, and a game whose last position is searched too.
const POSITIONS: [(usize, u64, &str); 3] = [
    (9, 2000, include_str!("games/9.txt")),
    (13, 1000, include_str!("games/13.txt")),
    (19, 500, include_str!("games/19.txt")),
];

/// Memory of the tree: none of the searches fills it.
const TREE_BYTES: usize = 64 << 20;

/// The signature of this build; 32 bits, enough to tell builds apart and short enough to read.
///
/// # Errors
/// If the thread cannot be started.
pub fn signature() -> Result<u64, EngineError> {
    // A search repeats itself on one thread only.
    let pool = pool(1)?;
    let mut sum = 0;
    for (side, budget, moves) in POSITIONS {
        let tally = playouts(&pool, side, LIGHT_PLAYOUTS, side as u64);
        sum = mix(sum, mix(tally.black_wins, mix(tally.moves, tally.area as u64)));
        let empty = empty_game(side);
        let middle = play(&empty, moves);
        for game in [empty, middle] {
            let mut tree = Tree::new(TREE_BYTES);
            let params = SearchParams::default();
            let report = search_once(&mut tree, &pool, &game, limits(budget), &params, None);
            sum = mix(sum, digest(&report));
        }
    }
    Ok(sum >> 32)
}

/// Playouts, and the moves with their visits from best to worst.
fn digest(report: &Report) -> u64 {
    report.candidates.iter().fold(report.playouts, |sum, candidate| {
        let point = match candidate.mv {
            Move::Play(point) => point.index() as u64,
            Move::Pass => 0,
        };
        mix(sum, mix(point, candidate.visits))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_games_can_be_played_and_the_signature_repeats() {
        for (side, _, moves) in POSITIONS {
            let game = play(&empty_game(side), moves);
            assert_eq!(game.turns().len(), moves.split_whitespace().count(), "{side}");
            assert!(game.turns().iter().all(|turn| !turn.is_pass()), "{side}");
        }
        assert_eq!(signature().unwrap(), signature().unwrap());
    }
}
