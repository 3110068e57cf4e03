//! Whole games of the engine against itself on boards of all sorts, refereed by the library.

use std::collections::BTreeSet;

use keima::board::{Color, ColoredMove, Move, Size};
use keima::game::Game;
use libtest_mimic::Trial;
use regex::Regex;

use super::trial;
use crate::engine::Engine;

/// Width, height and playouts a move: few enough for a second or two.
const BOARDS: [(usize, usize, &str); 8] = [
    (1, 1, "100"),
    (2, 2, "100"),
    (5, 7, "200"),
    (9, 9, "200"),
    (13, 13, "30"),
    (19, 19, "10"),
    (25, 25, "4"),
    (25, 1, "100"),
];

pub(super) fn trials() -> Vec<Trial> {
    let game = |(width, height, playouts)| {
        trial(&format!("game_{width}x{height}"), move || play(width, height, playouts))
    };
    let mut trials: Vec<Trial> = BOARDS.into_iter().map(game).collect();
    trials.push(trial("cleanup_takes_dead_stones", cleanup));
    trials.push(trial("cgos_gets_dead_stones_taken", cgos));
    trials.push(trial("sgf_round_trip", sgf_round_trip));
    trials
}

fn play(width: usize, height: usize, playouts: &str) {
    let size = Size::new(width, height).expect("a legal size");
    let mut engine = Engine::start(&["--seed", "1", "--playouts", playouts, "--threads", "1"]);
    engine.ask("gogui-param_game allow_resign 0");
    engine.ask(&format!("boardsize {width} {height}"));
    let mut game = Game::new(size);
    // Positional superko ends every game, but not always soon.
    let turns_max = 4 * size.points() + 20;
    while !game.is_over() {
        assert!(game.turns().len() < turns_max, "no end after {turns_max} turns");
        let color = game.to_play();
        let answer = engine.ask(&format!("genmove {color}"));
        let mv = match answer.as_str() {
            "pass" => Move::Pass,
            vertex => Move::Play(size.parse_point(vertex).expect("a vertex on the board")),
        };
        let turn = game.turns().len() + 1;
        let played = game.play(ColoredMove { color, mv });
        assert!(played.is_ok(), "turn {turn}: {color} {answer} is refused: {played:?}");
    }
    check_score(&mut engine);
    check_status(&mut engine, &game);
    engine.ask("quit");
    assert!(engine.finish().success());
}

/// The score is well formed and stays what it is.
fn check_score(engine: &mut Engine) {
    let score = engine.ask("final_score");
    let form = Regex::new(r"^([BW]\+\d+\.\d+|0)$").expect("a regular expression");
    assert!(form.is_match(&score), "{score}");
    assert_eq!(engine.ask("final_score"), score);
}

/// The statuses part the stones of the board, and chains have one as a whole.
fn check_status(engine: &mut Engine, game: &Game) {
    let (board, size) = (game.board(), game.size());
    let mut seen = BTreeSet::new();
    for status in ["alive", "seki", "dead"] {
        let list = engine.ask(&format!("final_status_list {status}"));
        let points: BTreeSet<_> = list
            .split_whitespace()
            .map(|vertex| size.parse_point(vertex).expect("a vertex on the board"))
            .collect();
        for &point in &points {
            assert!(board.stone(point).is_some(), "{status}: no stone in {list:?}");
            assert!(board.chain(point).iter().all(|stone| points.contains(stone)), "{status}");
            assert!(seen.insert(point), "two statuses for one stone: {list:?}");
        }
    }
    let stones: BTreeSet<_> = board.stones().map(|(point, _): (_, Color)| point).collect();
    assert_eq!(seen, stones, "a stone without status");
}

/// KGS asks for this when the players disagree about what is dead.
fn cleanup() {
    let mut engine = Engine::start(&["--seed", "1", "--playouts", "1000", "--threads", "1"]);
    engine.ask("boardsize 7");
    let wall = (1..=7).map(|row| format!("b D{row} w E{row}")).collect::<Vec<_>>().join(" ");
    engine.ask(&format!("gogui-play_sequence {wall} w B2 b B5 b F6 w F3"));
    assert_eq!(
        engine.ask("final_status_list dead").split_whitespace().collect::<Vec<_>>(),
        ["B2", "F6"]
    );
    let score = engine.ask("final_score");
    for color in ["b", "w"] {
        let mut moves = 0;
        while engine.ask(&format!("kgs-genmove_cleanup {color}")) != "pass" {
            moves += 1;
            assert!(moves < 10, "no end to the cleaning");
        }
        assert!(moves > 0, "{color} passes while dead stones are on the board");
        assert_eq!(engine.ask(&format!("captures {color}")), "1");
    }
    assert_eq!(engine.ask("final_status_list dead"), "");
    assert_eq!(engine.ask("final_score"), score);
}

/// The referee of the Computer Go Server counts the board as it stands: a pass would lose.
fn cgos() {
    let mut engine = Engine::start(&["--seed", "1", "--playouts", "300", "--threads", "1"]);
    for command in ["boardsize 5", "komi 3", "cgos-opponent_name x", "clear_board"] {
        engine.ask(command);
    }
    let wall = (1..=5).map(|row| format!("b C{row} w D{row}")).collect::<Vec<_>>().join(" ");
    engine.ask(&format!("gogui-play_sequence {wall} b B4 w E4 b B2 w E2 b A3 w A5"));
    assert_eq!(engine.ask("final_score"), "W+2.0");
    let mut moves = 0;
    while engine.ask("genmove b") != "pass" {
        engine.ask("play w pass");
        moves += 1;
        assert!(moves < 10, "no end to the cleaning");
    }
    assert!(!engine.ask("list_stones w").contains("A5"));
    assert_eq!(engine.ask("final_score"), "B+2.0");
}

/// A game written to a file comes back with all that belongs to it.
fn sgf_round_trip() {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("a game.sgf");
    let path = path.to_str().expect("a path that is text");
    let mut engine = Engine::start(&["--rules", "japanese"]);
    engine.ask("boardsize 9");
    engine.ask("komi 3.75");
    engine.ask("fixed_handicap 3");
    engine.ask("gogui-play_sequence w E5 b E4 w pass b D5 w A1 b A2 w J9 b B1");
    let queries =
        ["showboard", "move_history", "get_komi", "get_handicap", "final_score", "captures b"];
    let before = queries.map(|query| engine.ask(query));
    engine.ask(&format!("printsgf \"{path}\""));
    let printed = engine.ask("printsgf");
    let mut other = Engine::start(&[]);
    other.ask(&format!("loadsgf \"{path}\""));
    // Captures are taken again by the replay, so nothing is lost on the way.
    assert_eq!(queries.map(|query| other.ask(query)), before);
    assert_eq!(other.ask("printsgf"), printed);
    let words = std::fs::read_to_string(path).expect("the file is there");
    let words: Vec<_> = words.split_whitespace().collect();
    assert_eq!(words, printed.split_whitespace().collect::<Vec<_>>());
}
