//! The checklist of the protocol reference (gtp.md 6): which test checks which line, and those tests
//! that have no other place.
//!
//! | line | tests |
//! |---|---|
//! | ids, white space, control bytes, BOM, long and odd lines, comments | `checklist::line_forms`, `protocol::lines`, `protocol::ids`, `sessions::long_line`, `sessions::invalid_utf8`, unit tests of `gtp::line` |
//! | form of every response | `sessions::every_command_is_framed`, [`crate::engine::Response::parse`] in all others, unit tests of `gtp::response` |
//! | pipelined commands, ends of the input | `sessions::pipelined`, `sessions::last_line_without_line_feed`, `sessions::*_cuts_a_search`, `sessions::*_behind_genmove_waits` |
//! | `genmove` with an interrupt, with a queued command | `sessions::interrupt_ends_a_search`, `sessions::interrupt_behind_genmove_ends_it`, `sessions::commands_wait_for_a_search` |
//! | handicap points of all sizes, undo, refused handicap | `wire::handicap`, `protocol::handicap`, `protocol::undo` |
//! | what survives `boardsize` and `clear_board`; sizes | `checklist::settings_survive`, `protocol::boardsize` |
//! | one color twice, passes, ko, superko, suicide | `checklist::one_color_twice`, `protocol::passes`, `protocol::ko`, `protocol::superko_*`, `protocol::suicide_*`, `wire::*` |
//! | score and status agree, with and without passes | `checklist::score_and_status_agree` |
//! | `loadsgf` | `checklist::loadsgf_stops_before_the_move`, `protocol::loadsgf` |
//! | clocks | `sessions::clock_without_time_left`, `sessions::clocks_hold` |
//! | transcripts of clients | `clients::*` |
//! | stderr closed or never read | `sessions::stderr_*` |

use std::time::{Duration, Instant};

use libtest_mimic::Trial;

use crate::engine::{Engine, Response};

pub(crate) fn trials() -> Vec<Trial> {
    let trials: [(&str, fn()); 5] = [
        ("line_forms", line_forms),
        ("settings_survive", settings_survive),
        ("one_color_twice", one_color_twice),
        ("score_and_status_agree", score_and_status_agree),
        ("loadsgf_stops_before_the_move", loadsgf_stops_before_the_move),
    ];
    let trial = |(name, run): (&str, fn())| {
        Trial::test(format!("checklist::{name}"), move || {
            run();
            Ok(())
        })
    };
    trials.into_iter().map(trial).collect()
}

/// Every way to write a command, with the id that its answer has to have.
fn line_forms() {
    let digits = "1234567890".repeat(4);
    let forms: &[(&[u8], &str)] = &[
        (b"\xef\xbb\xbf1 name", "1"),
        (b"12name", "12"),
        (b"12 name", "12"),
        (b"007 name", "007"),
        (b"-3 name", ""),
        (b"-3name", ""),
        (&[digits.as_bytes(), b" name"].concat(), &digits),
        (b"\t4\tname\t", "4"),
        (b"5 name\r", "5"),
        (b"6 n\x01a\x7fme\x1b", "6"),
        (b"7 name#x", "7"),
        (b"name # \xff\xfe", ""),
        (b"8 name \xc3\x28", "8"),
    ];
    let silent: [&[u8]; 5] = [b"12", b"-3", b"# x", b"", b" \t\r"];
    let mut engine = Engine::start(&[]);
    for (form, id) in forms {
        // What says nothing must not shift the answers.
        for line in std::iter::once(form).chain(&silent) {
            engine.write(line);
            engine.write(b"\n");
        }
        let (id, text) = ((*id).into(), "keima".into());
        let expected = Response { is_success: true, id, text, is_stream: false };
        assert_eq!(engine.receive(), expected, "{}", form.escape_ascii());
    }
    engine.close_input();
    assert!(engine.finish().success());
}

/// Komi, rules and clock stay through `boardsize` and `clear_board`.
fn settings_survive() {
    // Without a clock the flat player would take five seconds.
    let mut engine = Engine::start(&["--threads", "1", "--player", "flat"]);
    for command in ["komi 3.5", "kata-set-rules japanese", "time_settings 0 0.2 1"] {
        engine.ask(command);
    }
    let rules = engine.ask("kata-get-rules");
    for command in ["boardsize 9", "clear_board", "boardsize 9 7", "rectangular_boardsize 9 8"] {
        engine.ask(command);
        assert_eq!(engine.ask("get_komi"), "3.5", "{command}");
        assert_eq!(engine.ask("kata-get-rules"), rules, "{command}");
        let start = Instant::now();
        engine.ask("genmove b");
        let time = start.elapsed();
        assert!(time < Duration::from_secs(3), "{command}: the clock is gone, {time:?}");
    }
}

fn one_color_twice() {
    let mut engine = Engine::start(&["--seed", "1", "--threads", "1", "--playouts", "100"]);
    engine.ask("boardsize 9");
    for command in ["play b E5", "play b D4", "genmove b", "genmove b", "play w C3", "genmove w"] {
        engine.ask(command);
    }
    let history = engine.ask("move_history");
    let colors: Vec<_> = history.lines().filter_map(|turn| turn.split(' ').next()).collect();
    assert_eq!(colors, ["white", "white", "black", "black", "black", "black"]);
}

/// The score is the count without the dead stones of the status lists, and passes change neither.
fn score_and_status_agree() {
    let flags = ["--threads", "1", "--player", "random", "--no-resign"];
    for (seed, rules) in [("1", "chinese"), ("2", "japanese"), ("3", "aga"), ("4", "tromp-taylor")]
    {
        let mut engine = Engine::start(&[&flags[..], &["--seed", seed, "--rules", rules]].concat());
        engine.ask("boardsize 7");
        let mut passes = 0;
        for color in ["b", "w"].iter().cycle() {
            let answer = engine.ask(&format!("genmove {color}"));
            passes = if answer == "pass" { passes + 1 } else { 0 };
            if passes == 2 {
                break;
            }
        }
        let statuses = ["alive", "dead", "seki", "dame", "black_territory", "white_territory"];
        let lists = |engine: &mut Engine| {
            statuses.map(|status| engine.ask(&format!("final_status_list {status}")))
        };
        let after = lists(&mut engine);
        let dead = after[1].split_whitespace().collect::<Vec<_>>().join(" ");
        let by_list = engine.ask(format!("keima-final_score dead {dead}").trim_end());
        assert_eq!(engine.ask("final_score"), by_list, "{rules}");
        engine.ask("gg-undo 2");
        assert_eq!(lists(&mut engine), after, "{rules}: passes change the status");
        let points = after.iter().flat_map(|list| list.split_whitespace()).count();
        assert_eq!(points, 49, "{rules}: every point has one status");
    }
}

/// `loadsgf FILE N` makes the moves before the N-th.
fn loadsgf_stops_before_the_move() {
    let folder = tempfile::tempdir().expect("a folder for the file");
    let path = folder.path().join("game.sgf");
    let moves = ["B[ee]", "W[ce]", "B[gc]", "W[]", "B[cc]"];
    std::fs::write(&path, format!("(;GM[1]SZ[9];{})", moves.join(";"))).expect("it is written");
    let mut engine = Engine::start(&[]);
    for number in 0..moves.len() + 3 {
        engine.ask(&format!("loadsgf \"{}\" {number}", path.display()));
        let history = engine.ask("move_history");
        let expected = number.saturating_sub(1).min(moves.len());
        let count = history.lines().filter(|line| !line.is_empty()).count();
        assert_eq!(count, expected, "loadsgf {number}");
    }
}
