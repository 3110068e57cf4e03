use super::*;
use crate::board::naive::NaiveBoard;
use crate::board::{PointSet, Suicide};
use crate::rng::Rng;

/// Compares everything that both boards can say.
fn assert_same<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    naive: &NaiveBoard,
) {
    let size = naive.size();
    let mut in_danger = [PointSet::EMPTY; 2];
    let mut hash = 0;
    for point in size.iter() {
        let p = point.index();
        assert_eq!(board.get(p).color(), naive.stone(point), "stone");
        assert_eq!(board.code(p), naive_code(naive, point), "code");
        if let Some(color) = naive.stone(point) {
            hash ^= zobrist::key(color, point);
            let liberties = naive.liberties(point);
            assert_eq!(board.liberty_count(p) as usize, liberties.len(), "number of liberties");
            let listed: PointSet = board.liberties(p).map(Point::from_index).collect();
            assert_eq!(listed, liberties, "liberties");
            let chain: PointSet = board.chain_stones(p).map(Point::from_index).collect();
            assert_eq!(chain, naive.region(point), "chain");
            assert_eq!(board.chain_size(p) as usize, chain.len(), "size");
            if let 1 | 2 = liberties.len() {
                let root = Point::from_index(board.root(p));
                in_danger[color as usize].insert(root);
            }
            continue;
        }
        for color in Color::ALL {
            assert_eq!(board.is_eyelike(color, p), naive.is_eyelike(point, color), "eye");
            let after = naive.after(point, color, Suicide::None);
            if p != board.ko() {
                assert_eq!(board.is_legal(color, p), after.is_some(), "legality");
            }
            if let Some((after, removed)) = after {
                assert_same_tactics(board, &after, removed.captured > 0, color, point);
            }
        }
    }
    assert_eq!(board.hash(), hash, "hash");
    for color in Color::ALL {
        let found: PointSet = board.endangered(color, 2).map(Point::from_index).collect();
        assert_eq!(found, in_danger[color as usize], "chains in danger");
    }
    let mut listed: Vec<u16> = board.empties().to_vec();
    listed.sort_unstable();
    let empty: Vec<u16> = size
        .iter()
        .filter(|&point| naive.stone(point).is_none())
        .map(|point| point.index() as u16)
        .collect();
    assert_eq!(listed, empty, "list of empty points");
}

/// Compares what the heavy board foretells of a legal move with the position after it.
fn assert_same_tactics<const S: usize, const L: usize, const W: usize>(
    board: &Heavy<S, L, W>,
    after: &NaiveBoard,
    captures: bool,
    color: Color,
    point: Point,
) {
    let p = point.index();
    let expected = after.liberties(point);
    let found: PointSet = board.liberties_after(color, p).map(Point::from_index).collect();
    assert_eq!(board.captures_at(color, p), captures, "captures");
    for enough in 1..=4 {
        let count = board.count_after(color, p, enough) as usize;
        assert_eq!(count, found.len().min(enough as usize), "liberties after, to {enough}");
    }
    if captures {
        // Stones that are taken farther away are not looked at.
        assert!(found.iter().all(|q| expected.contains(q)), "liberties after a capture");
    } else {
        assert_eq!(found, expected, "liberties after");
        assert_eq!(board.is_self_atari(color, p), expected.len() <= 1, "self-atari");
    }
}

fn naive_code(naive: &NaiveBoard, point: Point) -> u16 {
    let size = naive.size();
    let (column, row) = (size.column(point), size.row(point));
    let around = [(0, 0), (1, 0), (2, 0), (0, 1), (2, 1), (0, 2), (1, 2), (2, 2)];
    around.iter().enumerate().fold(0, |code, (i, &(x, y))| {
        let neighbor = (column + x).checked_sub(1).zip((row + y).checked_sub(1));
        let pair = match neighbor.and_then(|(x, y)| size.point(x, y)) {
            None => 3,
            Some(q) => naive.stone(q).map_or(0, |color| 1 + color as u16),
        };
        code | pair << (2 * i)
    })
}

struct Compare {
    seed: u64,
    moves: usize,
}

impl HeavyTask for Compare {
    type Output = ();

    fn run<const S: usize, const L: usize, const W: usize>(self, mut board: Box<Heavy<S, L, W>>) {
        let mut rng = Rng::new(self.seed);
        let mut naive = NaiveBoard::new(board.size());
        assert_same(&board, &naive);
        for turn in 0..self.moves {
            let color = Color::ALL[(turn + usize::from(rng.below(8) == 0)) % 2];
            let Some(p) = board.draw(color, &mut rng, Rng::below, |_, _, _| true) else {
                board.pass();
                continue;
            };
            let (next, removed) = naive
                .after(Point::from_index(p), color, Suicide::None)
                .expect("drawn moves are legal");
            assert_eq!(board.play(color, p), removed.captured, "stones taken");
            naive = next;
            assert_same(&board, &naive);
        }
    }
}

#[test]
fn heavy_board_equals_naive_board() {
    for (width, height, moves) in [
        (1, 2, 10),
        (2, 2, 40),
        (3, 2, 60),
        (5, 5, 300),
        (9, 9, 400),
        (7, 12, 300),
        (19, 19, 900),
        (25, 3, 200),
        (25, 25, 900),
    ] {
        for seed in 0..4 {
            let board = Board::new(Size::new(width, height).unwrap());
            board.with_heavy(Compare { seed, moves });
        }
    }
}

struct CompareWith<'a>(&'a Board);

impl HeavyTask for CompareWith<'_> {
    type Output = ();

    fn run<const S: usize, const L: usize, const W: usize>(self, board: Box<Heavy<S, L, W>>) {
        assert_eq!(board.hash(), self.0.hash());
        for point in self.0.size().iter() {
            assert_eq!(board.get(point.index()), self.0.cell(point));
        }
    }
}

#[test]
fn heavy_board_takes_over_a_position() {
    let board = Board::from_diagram("XX.O/.XOO/XX.O/OOOO").unwrap();
    board.with_heavy(CompareWith(&board));
}

/// A question about one point of a position.
struct Ask<F>(&'static str, F);

/// What can be asked: the board as functions of an index.
#[derive(Debug, PartialEq)]
struct Tactics {
    vital: Option<String>,
    caught: bool,
    attack: Option<String>,
    nakade: bool,
}

impl HeavyTask for Ask<Color> {
    type Output = Tactics;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        board: Box<Heavy<S, L, W>>,
    ) -> Tactics {
        let Self(point, owner) = self;
        let size = board.size();
        let p = size.parse_point(point).unwrap().index();
        let name = |p: usize| size.vertex(Point::from_index(p)).to_string();
        let is_empty = board.is_empty(p);
        let mut copy = board.clone();
        Tactics {
            vital: board.vital_point(owner, p).filter(|_| is_empty).map(name),
            caught: !is_empty && board.liberty_count(p) == 1 && copy.is_caught_in_ladder(p, owner),
            attack: board.ladder_attack(p, !owner).filter(|_| !is_empty).map(name),
            nakade: is_empty && board.is_nakade_shape(!owner, p),
        }
    }
}

fn ask(rows: &str, point: &'static str, owner: Color) -> Tactics {
    Board::from_diagram(rows).unwrap().with_heavy(Ask(point, owner))
}

#[test]
fn small_eye_spaces_have_their_vital_points() {
    for (rows, point, vital) in [
        ("...XO/XXXXO/OOOOO/...../.....", "A5", Some("B5")),
        ("..XO./.XXO./XXOO./OO.../.....", "A4", Some("A5")),
        ("....X/XXXXX/OOOOO/...../.....", "A5", None),
        (".X.../...X./.X.XO/XXXXO/OOOO.", "A4", None),
        ("..XXO/..XOO/.XXO./XXOO./OO...", "A3", Some("A4")),
        // Of both colors, or open.
        ("..OXO/XXXXO/OOOOO/...../.....", "A5", None),
        ("...../...../...../...../.....", "A5", None),
    ] {
        assert_eq!(ask(rows, point, Color::Black).vital.as_deref(), vital, "{rows}");
    }
}

/// White at E5 can run to F5 only, towards the lower right. A white stone may stand at H3.
fn ladder(above: char, h3: char) -> String {
    format!(
        "........./........./........./....{above}X.../...XO..../....X..../.......{h3}./........./........."
    )
}

#[test]
fn ladders_are_read_to_the_edge() {
    let ask = |rows: String| {
        let caught = Board::from_diagram(&rows).unwrap().with_heavy(Ask("E5", Color::White));
        (caught.caught, caught.attack)
    };
    assert_eq!(ask(ladder('X', '.')), (true, None), "in atari: it runs in vain");
    assert_eq!(ask(ladder('X', 'O')), (false, None), "a stone in the way breaks the ladder");
    assert!(ask(ladder('.', '.')).1.is_some(), "atari from either side");
    // Upwards there is nothing in the way.
    assert_eq!(ask(ladder('.', 'O')).1.as_deref(), Some("F5"));
}

#[test]
fn shapes_that_die_may_be_filled() {
    // Black at A5 and B5 inside White's eye space of three; C5 makes three in a row.
    assert!(ask("XX.O./OOOO./...../...../.....", "C5", Color::White).nakade);
    // Four in a row live.
    assert!(!ask("XXX.O/OOOOO/...../...../.....", "D5", Color::White).nakade);
}
