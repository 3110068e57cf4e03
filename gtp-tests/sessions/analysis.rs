//! Searches that are shown while they run: what ends them, and what their lines hold (gtp.md 1.6
//! and 2.6).

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use super::timing::best_of_tries;
use super::trial;
use crate::engine::{Engine, Response};

const QUICK: [&str; 6] = ["--seed", "1", "--playouts", "300", "--threads", "1"];

/// How soon a new command has to be answered that ends an analysis, on a machine with two busy
/// cores.
const AT_ONCE: Duration = Duration::from_millis(50);

/// Commands that stream until a line comes.
const ANALYSES: [&str; 3] = ["lz-analyze", "kata-analyze", "analyze"];

pub(super) fn trials() -> Vec<Trial> {
    vec![
        trial("any_line_ends_an_analysis", any_line_ends_an_analysis),
        trial("end_of_input_ends_an_analysis", end_of_input_ends_an_analysis),
        trial("a_line_that_waits_ends_an_analysis", a_line_that_waits_ends_an_analysis),
        trial("an_analysis_ends_at_once", an_analysis_ends_at_once),
        trial("an_interval_of_zero_shows_the_end_only", an_interval_of_zero_shows_the_end_only),
        trial("lines_come_on_time", lines_come_on_time),
        trial("lines_hold_what_was_asked_for", lines_hold_what_was_asked_for),
        trial("an_analysis_changes_nothing", an_analysis_changes_nothing),
        trial("genmove_analyze_plays_what_genmove_plays", genmove_analyze_plays_what_genmove_plays),
        trial("restrictions_hold", restrictions_hold),
        trial("a_search_can_be_cancelled", a_search_can_be_cancelled),
        trial("a_finished_game_can_be_analyzed", a_finished_game_can_be_analyzed),
    ]
}

fn any_line_ends_an_analysis() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.ask("boardsize 9");
    for command in ANALYSES {
        for (line, has_answer) in
            [("", false), ("# comment", false), ("8 no_such_thing", true), ("8 name", true)]
        {
            engine.send(&format!("7 {command} 5"));
            engine.await_lines(3);
            engine.send(line);
            let stream = engine.receive_stream();
            assert!(stream.is_success && stream.id == "7", "{stream:?}");
            let lines: Vec<_> = stream.text.lines().collect();
            assert!(lines.len() >= 2, "{stream:?}");
            assert!(lines.iter().all(|line| line.starts_with("info move ")), "{stream:?}");
            if has_answer {
                assert_eq!(engine.receive().id, "8");
            }
        }
    }
    assert_eq!(engine.ask("name"), "keima");
}

fn end_of_input_ends_an_analysis() {
    for command in ANALYSES {
        let mut engine = Engine::start(&["--threads", "1"]);
        engine.send(&format!("{command} 5"));
        engine.await_lines(2);
        engine.close_input();
        engine.receive_stream();
        assert!(engine.finish().success());
    }
}

/// Programs probe what an engine knows by commands in one burst.
fn a_line_that_waits_ends_an_analysis() {
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.write(b"1 lz-analyze 1\n\n2 kata-analyze 1\n# x\n3 analyze 1\n4 name\n");
    for id in ["1", "2", "3"] {
        assert_eq!(engine.receive_stream().id, id);
    }
    assert_eq!(engine.receive().id, "4");
}

/// Loops that use a core each, until they are dropped.
struct Load(Vec<Child>);

impl Load {
    fn new(cores: usize) -> Self {
        let busy = || {
            let mut command = Command::new("sh");
            command.args(["-c", "while :; do :; done"]).stdin(Stdio::null());
            command.spawn().expect("a shell")
        };
        Self((0..cores).map(|_| busy()).collect())
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        for child in &mut self.0 {
            // It cannot have ended, and there is nothing to do about an error.
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn an_analysis_ends_at_once() {
    let _load = Load::new(2);
    let mut engine = Engine::start(&["--threads", "2"]);
    let attempt = || {
        engine.send("kata-analyze 10 ownership true movesOwnership true");
        engine.await_lines(3);
        let start = Instant::now();
        engine.send("protocol_version");
        engine.receive_stream();
        engine.receive();
        start.elapsed()
    };
    best_of_tries(attempt, AT_ONCE);
}

fn an_interval_of_zero_shows_the_end_only() {
    let mut engine = Engine::start(&["--threads", "1"]);
    for command in ["lz-analyze 0", "kata-analyze b"] {
        engine.send(command);
        engine.expect_silence(Duration::from_millis(300));
        engine.send("");
        assert_eq!(engine.receive_stream().text.lines().count(), 1, "{command}");
    }
}

fn lines_come_on_time() {
    let mut engine = Engine::start(&["--threads", "1"]);
    let attempt = || {
        let start = Instant::now();
        engine.send("lz-analyze 20");
        engine.await_lines(4);
        let elapsed = start.elapsed();
        engine.send("");
        engine.receive_stream();
        assert!(elapsed > Duration::from_millis(550), "three lines in {elapsed:?}");
        elapsed
    };
    best_of_tries(attempt, Duration::from_millis(700));
}

/// The words behind a key, up to the next one of these.
fn numbers(line: &str, key: &str) -> Vec<f64> {
    let words = line.split(' ').skip_while(|&word| word != key).skip(1);
    words.map_while(|word| word.parse().ok()).collect()
}

fn lines_hold_what_was_asked_for() {
    let mut engine = Engine::start(&QUICK);
    engine.ask("rectangular_boardsize 6 5");
    engine.send(
        "kata-genmove_analyze b ownership true ownershipStdev true movesOwnership true \
         movesOwnershipStdev true pvVisits true pvEdgeVisits true rootInfo true noResultValue true",
    );
    let text = engine.receive_stream().text;
    let line = text.lines().next().expect("a line before the move");
    for key in ["ownership", "ownershipStdev", "movesOwnership", "movesOwnershipStdev"] {
        let owners = numbers(line, key);
        assert_eq!(owners.len(), 30, "{key} in {line}");
        assert!(owners.iter().all(|owner| owner.abs() <= 1.0), "{key} in {line}");
    }
    let variation = line.split(" pv ").nth(1).expect("a variation");
    let moves = variation.split(' ').take_while(|word| *word != "pvVisits").count();
    assert_eq!(numbers(line, "pvVisits").len(), moves);
    assert_eq!(numbers(line, "pvEdgeVisits").len(), moves);
    let visits: f64 = line.split("info ").flat_map(|part| numbers(part, "visits")).sum();
    let root = line.split("rootInfo ").nth(1).expect("the root's part");
    assert!((visits - numbers(root, "visits")[0]).abs() < 0.5, "{line}");
    assert!(!line.contains("nan") && !line.contains("inf ") && !line.contains("e-"), "{line}");
}

fn an_analysis_changes_nothing() {
    let mut engine = Engine::start(&QUICK);
    engine.ask("boardsize 9");
    engine.ask("play b E5");
    let before = engine.ask("showboard");
    engine.send("lz-analyze b 1");
    engine.await_lines(2);
    assert!(engine_stops(&mut engine).is_success);
    assert_eq!(engine.ask("showboard"), before);
    assert_eq!(engine.ask("genmove w"), {
        let mut other = Engine::start(&QUICK);
        other.ask("boardsize 9");
        other.ask("play b E5");
        other.ask("genmove w")
    });
}

fn engine_stops(engine: &mut Engine) -> Response {
    engine.send("");
    engine.receive_stream()
}

fn genmove_analyze_plays_what_genmove_plays() {
    let mut plain = Engine::start(&QUICK);
    plain.ask("boardsize 9");
    let expected = [plain.ask("genmove b"), plain.ask("genmove w")];
    for command in [
        "lz-genmove_analyze",
        "kata-genmove_analyze",
        "genmove_analyze",
        "cgos-genmove_analyze",
        "kata-search_analyze",
    ] {
        let mut engine = Engine::start(&QUICK);
        engine.ask("boardsize 9");
        for (color, expected) in ["b", "w"].into_iter().zip(&expected) {
            engine.send(&format!("{command} {color}"));
            let text = engine.receive_stream().text;
            let lines: Vec<_> = text.lines().collect();
            assert_eq!(lines.last(), Some(&format!("play {expected}").as_str()), "{command}");
            assert!(lines.len() == 2, "{command}: {text}");
            if command == "kata-search_analyze" {
                let made = engine.ask("move_history");
                assert!(!made.contains(&expected.to_uppercase()), "{command} makes no move");
                engine.ask(&format!("play {color} {expected}"));
            }
            let last = engine.ask("last_move");
            assert!(last.to_lowercase().ends_with(&expected.to_lowercase()), "{command}: {last}");
        }
    }
}

fn restrictions_hold() {
    let mut engine = Engine::start(&QUICK);
    engine.ask("boardsize 9");
    engine.send("lz-genmove_analyze b allow b A1,C2:C3 1");
    let text = engine.receive_stream().text;
    let tried = text.matches("info move ").count();
    assert!((1..=3).contains(&tried), "{text}");
    let mv = text.rsplit(' ').next().unwrap_or_default();
    assert!(["A1", "C2", "C3"].contains(&mv), "{text}");
    // Two plies: neither side answers there.
    engine.send("lz-genmove_analyze w 0 avoid w E5,pass 2 avoid b E5 2");
    let text = engine.receive_stream().text;
    let second = |part: &str| part.split(" pv ").nth(1).unwrap_or_default().starts_with("E5");
    assert!(!text.split("info ").any(second), "{text}");
    assert!(!text.contains("move E5 ") && !text.contains("move pass "), "{text}");
}

fn a_search_can_be_cancelled() {
    let mut engine = Engine::start(&["--playouts", "1000000000", "--threads", "1"]);
    engine.ask("boardsize 9");
    engine.send("1 kata-search_cancellable b");
    engine.expect_silence(Duration::from_millis(200));
    engine.send("");
    assert_eq!(engine.receive().text, "cancelled");
    engine.send("2 kata-search_analyze_cancellable b 5");
    engine.await_lines(2);
    engine.send("3 last_move");
    let text = engine.receive_stream().text;
    assert!(text.ends_with("play cancelled"), "{text}");
    assert_eq!(engine.receive().text, "no previous move known");
    // One that is left alone answers.
    let mut engine = Engine::start(&QUICK);
    let mv = engine.ask("kata-search_cancellable w");
    assert!(mv.len() >= 2 && mv != "cancelled", "{mv}");
}

fn a_finished_game_can_be_analyzed() {
    let mut engine = Engine::start(&QUICK);
    engine.ask("boardsize 5");
    engine.ask("play b pass");
    engine.ask("play w pass");
    for command in ANALYSES {
        engine.send(&format!("{command} 5"));
        engine.await_lines(2);
        assert!(engine_stops(&mut engine).text.starts_with("info move "), "{command}");
    }
}
