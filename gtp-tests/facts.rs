//! Published numbers of positions and games, counted by the engine's own board and game.

use keima::board::{Board, Color, ColoredMove, Move, Point, Size};
use keima::game::Game;
use keima::rules::{KoRule, Rules, Suicide};

/// Larger boards would take minutes: 5x5 has 4 * 10^11 positions.
pub(crate) const MAX_POINTS_POSITIONS: usize = 16;

/// The 2 * 10^9 games of 4x1 would take minutes.
pub(crate) const MAX_POINTS_GAMES: usize = 3;

/// The number of positions in which every chain has a liberty.
///
/// Stones are put down in the order of the points. A position is legal exactly if no stone removes
/// anything on the way: chains have at least the liberties that they have in the end.
pub(crate) fn positions(size: Size) -> u64 {
    let points: Vec<Point> = size.iter().collect();
    // Exchanging the colors maps positions to positions: let the first stone be Black's.
    let first_stones = (0..points.len()).map(|i| {
        let mut board = Board::new(size);
        let removed = board.play(points[i], Color::Black);
        let is_legal = removed.captured + removed.suicided == 0;
        if is_legal { 1 + with_more_stones(&board, &points[i + 1..]) } else { 0 }
    });
    1 + 2 * first_stones.sum::<u64>()
}

/// The number of positions that have at least one more stone, all on these points.
fn with_more_stones(board: &Board, points: &[Point]) -> u64 {
    let mut count = 0;
    for (i, &point) in points.iter().enumerate() {
        let rest = &points[i + 1..];
        for color in Color::ALL {
            let Some((removed, _)) = board.outcome(point, color) else { continue };
            if removed.captured + removed.suicided > 0 {
                continue;
            }
            count += 1;
            if !rest.is_empty() {
                let mut next = board.clone();
                next.play(point, color);
                count += with_more_stones(&next, rest);
            }
        }
    }
    count
}

/// The number of games under positional superko with self-capture, where either side may play at
/// any time (a pass is implied when one plays twice).
pub(crate) fn games(size: Size) -> u64 {
    let rules = Rules { ko: KoRule::Positional, suicide: Suicide::Any, ..Rules::default() };
    continuations(&mut Game::with_rules(size, rules, rules.komi))
}

/// The number of ways to go on, stopping at once among them.
fn continuations(game: &mut Game) -> u64 {
    let mut count = 1;
    for color in Color::ALL {
        for point in game.legal_points(color).iter() {
            game.play(ColoredMove { color, mv: Move::Play(point) }).expect("it is legal");
            count += continuations(game);
            game.undo().expect("there is a move");
        }
    }
    count
}
