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
            let is_legal = naive.after(point, color, Suicide::None).is_some();
            if p != board.ko() {
                assert_eq!(board.is_legal(color, p), is_legal, "legality");
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
