//! Positions with what the reader must answer, as `attack` and `defend` of GTP word it.

use super::*;

/// The answer as text: `0`, or a code of 1 to 3 and a vertex.
fn text(board: &Board, reading: Option<Reading>) -> String {
    let Some(Reading { success, mv }) = reading else { return "0".to_owned() };
    let code = match success {
        Success::Unconditional => 1,
        Success::Ko => 2,
        Success::KoThreat => 3,
    };
    match mv {
        Move::Play(point) => format!("{code} {}", board.size().vertex(point)),
        Move::Pass => format!("{code} pass"),
    }
}

#[track_caller]
fn check(board: &Board, vertex: &str, attack_text: &str, defend_text: &str) {
    let stone = board.size().parse_point(vertex).unwrap();
    assert_eq!(text(board, attack(board, stone)), attack_text, "attack {vertex}");
    assert_eq!(text(board, defend(board, stone)), defend_text, "defend {vertex}");
}

fn board(diagram: &str) -> Board {
    Board::from_diagram(diagram).unwrap()
}

#[test]
fn a_stone_in_atari_with_room() {
    let board = board(
        ". . . . . . .
         . . . . . . .
         . . X . . . .
         . X O . . . .
         . . X . . . .
         . . . . . . .
         . . . . . . .",
    );
    check(&board, "C4", "1 D4", "1 D4");
    check(&board, "C5", "0", "1 pass");
}

#[test]
fn an_empty_point_has_no_chain() {
    let board = Board::new(crate::board::Size::STANDARD);
    let center = board.size().parse_point("K10").unwrap();
    assert_eq!((attack(&board, center), defend(&board, center)), (None, None));
}

#[test]
fn a_ladder_runs_across_the_board() {
    let ladder = ". . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . . . . . . . .
         . . X O . . . . .
         . . . X X . . . .
         . . . . . . . . .
         . . . . . . . . .";
    check(&board(ladder), "D4", "1 D5", "1 D5");
    // A stone in its way, at H6.
    let lines: Vec<&str> = ladder.lines().collect();
    let broken = [&lines[..3], &["         . . . . . . . O ."], &lines[4..]].concat().join("\n");
    check(&board(&broken), "D4", "0", "1 pass");
}

#[test]
fn a_net_where_the_ladder_does_not_work() {
    let board = board(
        ". . . . . . . . .
         . . . . . . . O .
         . . . . . . . . .
         . . . . . . . . .
         . . X . . . . . .
         . . X O . . . . .
         . . . X X . . . .
         . . . . . . . . .
         . . . . . . . . .",
    );
    check(&board, "D4", "1 E5", "1 E4");
}

#[test]
fn a_throw_in_at_a_false_eye() {
    // Black takes the stone at E2 and is in atari again.
    let board = board(
        ". . . . . . .
         . . . . . . .
         . O O O O . .
         . O X X O . .
         . O X . X O .
         . O X X . O .
         . . O X O . .",
    );
    check(&board, "C3", "1 E2", "0");
    check(&board, "E3", "1 E2", "0");
}

#[test]
fn two_eyes_are_safe() {
    let board = board(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         O O O O O . .
         O X X X O . .
         X X . X O . .
         . X X O O . .",
    );
    check(&board, "B2", "0", "1 pass");
}

#[test]
fn the_vital_point_of_three_in_a_row() {
    let board = board(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .
         O O O O O . .
         X X X X O . .
         . . . X O . .",
    );
    check(&board, "B2", "1 B1", "1 B1");
}

#[test]
fn a_race_at_the_edge() {
    // Both sides are short of liberties; who moves first wins.
    let board = board(
        ". . . . . . .
         . . . . . . .
         . . . . . . .
         X X X X X . .
         O O O O X . .
         X X X O . X .
         . . X O . X .",
    );
    check(&board, "B2", "1 A1", "1 E1");
    check(&board, "B3", "1 E1", "1 A1");
}

#[test]
fn a_stone_in_ko() {
    let mut board = board(
        ". . . . . . .
         . . X O . . .
         . X O . O . .
         . . X O . . .
         . . . . . . .
         . . . . . . .
         . . . . . . .",
    );
    check(&board, "C5", "2 D5", "1 D5");
    let point = board.size().parse_point("D5").unwrap();
    board.play(point, Color::Black);
    // White must find a threat first; Black may connect.
    check(&board, "D5", "3 C5", "1 C5");
}

/// A pass saves nothing that is taken when the opponent moves first.
#[test]
fn what_is_captured_needs_a_defense() {
    let board = board(
        ". X X . . X X X X
         O O X . X X X X X
         X X . X X . X X X
         O X . X X . X O .
         O O X X X X X X X
         O O O . X X X X X
         O O X X X X . X X
         X O O O . X X X X
         X . . X . X X X X",
    );
    for (stone, _) in board.stones() {
        let is_caught = attack(&board, stone).is_some();
        let is_safe = defend(&board, stone).is_some_and(|reading| reading.mv == Move::Pass);
        assert!(!(is_caught && is_safe), "{}", board.size().vertex(stone));
    }
}
