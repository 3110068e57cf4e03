//! What the engine tells about itself and its moves: texts that depend on numbers of the search or
//! on the machine, and files.

use keima::sgf::Tree;
use libtest_mimic::Trial;
use regex::Regex;

use super::trial;
use crate::engine::Engine;

const FLAGS: [&str; 6] = ["--seed", "7", "--playouts", "60", "--threads", "1"];

pub(super) fn trials() -> Vec<Trial> {
    vec![
        trial("a_saved_game_tells_all", save),
        trial("the_header_of_a_file_is_kept", keeps_header),
        trial("the_engine_describes_itself", describe),
        trial("the_analyze_menu_works", analyze_menu),
        trial("the_last_search_is_shown", last_search),
        trial("time_of_moves_is_counted", cpu_time),
        trial("benchmark_leaves_the_game", benchmark),
    ]
}

fn start() -> Engine {
    let mut engine = Engine::start(&FLAGS);
    engine.ask("boardsize 9");
    engine
}

fn matches(pattern: &str, text: &str) {
    let regex = Regex::new(pattern).expect("a regular expression");
    assert!(regex.is_match(text), "{text:?} does not match {pattern:?}");
}

/// Properties that are given, those that the session knows, and what we thought of our moves.
fn save() {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("a game.sgf");
    let path = path.to_str().expect("a path that is text");
    let mut engine = start();
    engine.ask("cgos-opponent_name Some Body");
    engine.ask("cgos-opponent_rating 2000?");
    engine.ask("clear_board");
    engine.ask("genmove b");
    engine.ask("play w A1");
    engine.ask("genmove b");
    engine.ask("cgos-gameover B+Resign");
    let thought = engine.ask("gomill-explain_last_move");
    let given = r"EV=a\_b\\c EV=d\_e:f] RE=W+3.5 sz=19 ev=x\_y";
    engine.ask(&format!("gomill-savesgf \"{path}\" {given}"));
    let bytes = std::fs::read(path).expect("the file is there");
    let tree = Tree::parse(&bytes).expect("a game record");
    let root = |name| tree.root().text(name).unwrap_or_default();
    for (name, value) in [
        ("PB", "keima"),
        ("PW", "Some Body"),
        ("WR", "2000?"),
        ("RU", "cgos"),
        ("RE", "W+3.5"),
        ("SZ", "9"),
        ("EV", "x y"),
    ] {
        assert_eq!(root(name), value, "{name}");
    }
    matches(r"^\d{4}-\d\d-\d\d$", &root("DT"));
    let comments: Vec<_> = tree.main_line().skip(1).map(|node| node.text("C")).collect();
    assert_eq!(comments.len(), 3);
    assert!(comments[0].is_some() && comments[1].is_none());
    assert_eq!(comments[2].as_ref(), Some(&thought));
    // Another move in the place of ours has no comment of ours; the result is the session's.
    engine.ask("undo");
    engine.ask("play b pass");
    engine.ask(&format!("savesgf \"{path}\""));
    let tree = Tree::parse(&std::fs::read(path).expect("the file")).expect("a game record");
    assert_eq!(tree.root().text("RE").as_deref(), Some("B+Resign"));
    let last = tree.main_line().last().expect("a node");
    assert_eq!((last.value("B"), last.text("C")), (Some(&b""[..]), None));
}

/// What a loaded file says of its game is written again; what is not known there is ours.
fn keeps_header() {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = |name: &str| folder.path().join(name).to_str().expect("a text path").to_owned();
    let file = "(;GM[1]SZ[9]PB[me]BR[3d]EV[a \\] cup]TM[600];B[ee];W[cc])";
    std::fs::write(path("old.sgf"), file).expect("a file can be written");
    let mut engine = start();
    engine.ask(&format!("loadsgf {}", path("old.sgf")));
    engine.ask("genmove b");
    engine.ask(&format!("savesgf {}", path("new.sgf")));
    let tree = Tree::parse(&std::fs::read(path("new.sgf")).expect("the file")).expect("a game");
    let root = |name| tree.root().text(name).unwrap_or_default();
    for (name, value) in [("PB", "me"), ("BR", "3d"), ("EV", "a ] cup"), ("TM", "600"), ("PW", "")]
    {
        assert_eq!(root(name), value, "{name}");
    }
    engine.ask("clear_board");
    engine.ask("genmove b");
    engine.ask(&format!("savesgf {}", path("new.sgf")));
    let tree = Tree::parse(&std::fs::read(path("new.sgf")).expect("the file")).expect("a game");
    assert_eq!(tree.root().text("PB").as_deref(), Some("keima"));
    assert_eq!(tree.root().text("EV"), None);
}

fn describe() {
    let mut engine = start();
    let text = engine.ask("gomill-describe_engine");
    let lines: Vec<_> = text.lines().collect();
    matches(r"^keima \d+\.\d+\.\d+$", lines[0]);
    assert_eq!(lines[1], "player tree, 1 thread, 512 MiB, seed 7");
    matches(r#"^rules \{"ko":"POSITIONAL".*\}, komi 7.5$"#, lines[2]);
    matches("^client plain", lines[3]);
    matches(r#"^parameters \{.*"maxPlayouts":60,.*\}$"#, lines[4]);
    matches(r"^keima \d+\.\d+\.\d+ - 60 playouts a move$", &engine.ask("gogui-title"));
}

/// Every line of the menu is well formed, and what needs nobody to fill it in succeeds.
fn analyze_menu() {
    const TYPES: &str = "bwboard cboard dboard eplist gfx hstring hpstring none param plist pspairs \
                         pstring sboard string var varb varc varp varpo varw";
    let mut engine = start();
    let listed = engine.ask("list_commands");
    let menu = engine.ask("gogui-analyze_commands");
    engine.ask("genmove b");
    let mut labels = std::collections::BTreeSet::new();
    for line in menu.lines() {
        let fields: Vec<_> = line.split('/').collect();
        let [kind, label, command] = fields[..] else { panic!("{line} has not three fields") };
        assert!(TYPES.split(' ').any(|known| known == kind), "{line}");
        assert!(labels.insert(label), "{label} comes twice");
        let name = command.split(' ').next().expect("a name");
        assert!(listed.lines().any(|listed| listed == name), "{name} is not listed");
        let stone = engine.ask("list_stones black");
        let command = command.replace("%c", "white").replace("%m", "white").replace("%p", &stone);
        if !command.contains('%') {
            let answer = engine.ask(&command);
            if kind == "dboard" {
                assert_eq!(answer.trim().lines().count(), 9, "{answer}");
            }
        }
    }
    assert_eq!(engine.ask("move_history").lines().count(), 1);
}

/// The numbers stay for the move that the search led to, not for later positions.
fn last_search() {
    let mut engine = start();
    let found = engine.ask("genmove b");
    let pairs = engine.ask("keima-visits");
    let words: Vec<_> = pairs.split(' ').collect();
    assert!(words.iter().step_by(2).any(|point| *point == found), "{found} in {pairs}");
    matches(r"^([A-J][1-9] \d+ ?)+$", &pairs);
    matches(r"^([A-J][1-9] \d\d? ?)+$", &engine.ask("keima-win_rates"));
    matches(
        r"^VAR b [A-J][1-9].*\nINFLUENCE ([A-J][1-9] [01]\.\d+ ?)+\nTEXT black [A-J][1-9]: ",
        &engine.ask("keima-best_moves"),
    );
    matches(
        r"^black to play, \d+ playouts, \d+ visits\n[A-J][1-9]: win rate ",
        &engine.ask("keima-last_search"),
    );
    let rest = engine.ask("keima-pv w");
    assert_eq!(engine.ask("keima-pv b"), "", "it is White's turn in that variation");
    matches(r"^(([A-J][1-9]|pass) ?)+$", &rest);
    engine.ask("undo");
    assert_eq!(engine.ask("keima-visits"), pairs, "the position that was searched");
    assert_eq!(engine.ask("keima-pv w"), "");
    assert_eq!(engine.ask("keima-pv b"), format!("{found} {rest}"));
    engine.ask("reg_genmove w");
    assert!(!engine.ask("keima-pv w").is_empty(), "other searches are shown as well");
    engine.ask("genmove b");
    engine.ask("play w pass");
    assert_eq!(engine.ask("keima-visits"), "", "that is two moves later");
    engine.ask("gg-undo 2");
    engine.ask("play w pass");
    assert_eq!(engine.ask("keima-visits"), "", "White's move was not searched");
    engine.ask("clear_board");
    assert_eq!(engine.ask("keima-last_search"), "no search of this position");
}

fn cpu_time() {
    let mut engine = start();
    let time =
        |engine: &mut Engine| -> f64 { engine.ask("gomill-cpu_time").parse().expect("seconds") };
    assert!(time(&mut engine).abs() < 1e-9);
    engine.ask("genmove b");
    let spent = time(&mut engine);
    assert!(spent > 0.0);
    engine.ask("reg_genmove w");
    assert!((time(&mut engine) - spent).abs() < 1e-9, "no move was made");
    let all: f64 = engine.ask("cputime").parse().expect("seconds");
    assert!(all > spent);
}

fn benchmark() {
    let mut engine = start();
    engine.ask("time_settings 10 0 0");
    engine.ask("play b E5");
    let before = engine.ask("showboard");
    let pattern = r"^[1-9]\d* playouts in \d+\.\d\d s on 1 thread: \d+ a second$";
    matches(pattern, &engine.ask("kata-benchmark 100"));
    assert_eq!(engine.ask("showboard"), before);
}
