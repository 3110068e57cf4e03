use proptest::prelude::*;

use super::naive::NaiveBoard;
use super::*;
use crate::rng::Rng;

fn size(width: usize, height: usize) -> Size {
    Size::new(width, height).unwrap()
}

/// Compares everything that both boards can say.
fn assert_same(board: &Board, naive: &NaiveBoard) {
    board.check();
    for point in board.size().iter() {
        assert_eq!(board.stone(point), naive.stone(point), "stone");
        if board.stone(point).is_some() {
            assert_eq!(board.liberties(point), naive.liberties(point), "liberties");
            let chain: PointSet = board.chain(point).into_iter().collect();
            assert_eq!(chain, naive.region(point), "chain");
        }
        for color in Color::ALL {
            assert_eq!(board.is_eyelike(point, color), naive.is_eyelike(point, color), "eye");
            for suicide in [Suicide::None, Suicide::Multi, Suicide::Any] {
                let after = naive.after(point, color, suicide);
                assert_eq!(board.is_legal(point, color, suicide), after.is_some(), "legality");
            }
        }
    }
}

/// Plays random moves of random colors on both boards.
fn compare_on(size: Size, seed: u64, moves: usize, suicide: Suicide) {
    let mut rng = Rng::new(seed);
    let mut board = Board::new(size);
    let mut naive = NaiveBoard::new(size);
    let points: Vec<_> = size.iter().collect();
    for turn in 0..moves {
        let point = points[rng.below(points.len() as u32) as usize];
        // Mostly in turn, else captures of large chains are rare.
        let color = Color::ALL[(turn + usize::from(rng.below(8) == 0)) % 2];
        let Some((next, removed)) = naive.after(point, color, suicide) else {
            assert!(!board.is_legal(point, color, suicide));
            continue;
        };
        let predicted = board.outcome(point, color).unwrap();
        assert_eq!(board.play(point, color), removed);
        assert_eq!(predicted, (removed, board.hash()), "the outcome is what play then does");
        naive = next;
        assert_same(&board, &naive);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn board_equals_naive_board(
        width in 1..=19usize, height in 1..=19usize, seed: u64, kind in 0..3usize,
    ) {
        let suicide = [Suicide::None, Suicide::Multi, Suicide::Any][kind];
        compare_on(size(width, height), seed, 60 + 10_000 / (width * height), suicide);
    }

    #[test]
    fn small_boards_equal_naive_board(width in 1..=4usize, height in 1..=4usize, seed: u64) {
        compare_on(size(width, height), seed, 300, Suicide::Any);
    }

    #[test]
    fn random_moves_are_legal_and_no_eyes(
        width in 1..=25usize, height in 1..=25usize, seed: u64,
    ) {
        let mut rng = Rng::new(seed);
        let mut board = Board::new(size(width, height));
        for turn in 0..400 {
            let color = Color::ALL[turn % 2];
            let (before, ko) = (board.clone(), board.ko_point());
            let played = board.play_random(color, &mut rng);
            board.check();
            if let Some(point) = played {
                prop_assert!(before.is_legal(point, color, Suicide::None));
                prop_assert!(!before.is_eyelike(point, color));
                prop_assert_ne!(ko, Some(point));
            } else {
                for point in before.empty_points() {
                    let refused = before.is_eyelike(point, color)
                        || ko == Some(point)
                        || !before.is_legal(point, color, Suicide::None);
                    prop_assert!(refused, "a pass means that no move was possible");
                }
            }
        }
    }
}

impl Board {
    /// One random move; where it went.
    fn play_random(&mut self, color: Color, rng: &mut Rng) -> Option<Point> {
        let before = self.clone();
        let below = &mut |n| rng.below(n);
        let played = with_grid!(&mut self.arrays, grid => grid.play_random(color, below));
        let new = |&point: &Point| {
            before.cell(point) == Cell::Empty && self.cell(point) == Cell::from(color)
        };
        let point = self.size().iter().find(new);
        assert_eq!(played, point.is_some());
        point
    }
}

#[test]
fn largest_board_equals_naive_board() {
    compare_on(size(25, 25), 7, 900, Suicide::Multi);
    compare_on(size(25, 2), 8, 300, Suicide::Any);
    compare_on(size(1, 25), 9, 300, Suicide::None);
}

#[test]
fn random_moves_are_uniform() {
    // X at A1 has two legal answers less on this board; every legal one must be equally likely.
    let board = Board::from_diagram("..X/X.X/.X.").unwrap();
    let mut rng = Rng::new(3);
    let mut counts = [0u32; ARRAY_LEN];
    let draws = 30_000;
    for _ in 0..draws {
        let point = board.clone().play_random(Color::White, &mut rng);
        counts[point.map_or(0, Point::index)] += 1;
    }
    let legal: Vec<u32> = board
        .empty_points()
        .filter(|&p| board.is_legal(p, Color::White, Suicide::None))
        .map(|p| counts[p.index()])
        .collect();
    let expected = draws / legal.len() as u32;
    assert_eq!(legal.iter().sum::<u32>(), draws);
    assert!(legal.iter().all(|&n| n.abs_diff(expected) < 500), "{legal:?}");
}

/// Numbers of legal positions (OEIS A094777; J. Tromp, G. Farneback, Combinatorics of Go, 2016).
#[test]
fn numbers_of_legal_positions() {
    for (side, expected) in [(1, 1), (2, 57), (3, 12_675)] {
        let size = size(side, side);
        let points: Vec<_> = size.iter().collect();
        let count = (0..3u32.pow(points.len() as u32))
            .filter(|&code| {
                let stones = points.iter().enumerate().filter_map(|(i, &point)| {
                    let digit = code / 3u32.pow(i as u32) % 3;
                    (digit > 0).then(|| (point, Color::ALL[digit as usize - 1]))
                });
                Board::with_stones(size, stones).is_ok()
            })
            .count();
        assert_eq!(count, expected, "{side}x{side}");
    }
}

#[test]
fn a_single_capture_in_a_ko_shape_bars_the_retake() {
    let mut board = Board::from_diagram(".XO./XO.O/.XO./....").unwrap();
    let point = |text: &str| board.size().parse_point(text).unwrap();
    let (take, back) = (point("C3"), point("B3"));
    assert_eq!(board.play(take, Color::Black).captured, 1);
    assert_eq!(board.ko_point(), Some(back));
    board.clear_ko();
    assert_eq!(board.play(back, Color::White).captured, 1);
}

#[test]
fn diagrams_survive_a_round_trip_and_refuse_nonsense() {
    let text = "XX.O\n.XO.\nOOO.";
    assert_eq!(Board::from_diagram(text).unwrap().to_diagram(), text);
    for (text, error) in [
        ("", DiagramError::Size),
        ("../.", DiagramError::Size),
        (".#", DiagramError::Character('#')),
        ("XO", DiagramError::NoLiberty),
        ("XOO/OX./.O.", DiagramError::NoLiberty),
    ] {
        assert_eq!(Board::from_diagram(text), Err(error), "{text}");
    }
}

#[test]
fn vertices_survive_a_round_trip() {
    for (width, height) in [(1, 1), (9, 9), (19, 19), (25, 25), (7, 25)] {
        let size = size(width, height);
        for point in size.iter() {
            assert_eq!(size.parse_point(&size.vertex(point).to_string()), Some(point));
        }
        assert_eq!(size.iter().count(), size.points());
    }
    for bad in ["", "A", "5", "I5", "A0", "A26", "AA1", "A-1", "A+1", "A1x", "é1", "A1 "] {
        assert_eq!(Vertex::parse(bad), None, "{bad}");
    }
}
