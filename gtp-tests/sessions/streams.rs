//! Input and output: ends of streams, many commands at once, framing of everything.

use libtest_mimic::Trial;

use super::trial;
use crate::engine::{Engine, Response, Stderr};

/// A quick engine that always plays the same.
const QUICK: [&str; 6] = ["--seed", "1", "--playouts", "50", "--threads", "1"];

pub(super) fn trials() -> Vec<Trial> {
    vec![
        trial("last_line_without_line_feed", last_line_without_line_feed),
        trial("no_input", no_input),
        trial("pipelined", pipelined),
        trial("long_line", long_line),
        trial("invalid_utf8", invalid_utf8),
        trial("every_command_is_framed", every_command_is_framed),
        trial("stderr_closed", || plays_whatever_stderr_is(Stderr::Closed)),
        trial("stderr_unread", || plays_whatever_stderr_is(Stderr::Unread)),
        trial("version_suits_lizzie", version_suits_lizzie),
    ]
}

fn last_line_without_line_feed() {
    let mut engine = Engine::start(&QUICK);
    engine.write(b"1 name\n2 protocol_version");
    engine.close_input();
    assert_eq!(engine.receive().id, "1");
    assert_eq!(
        engine.receive(),
        Response { is_success: true, id: "2".into(), text: "2".into(), is_stream: false }
    );
    assert!(engine.finish().success());
}

fn no_input() {
    let mut engine = Engine::start(&QUICK);
    engine.close_input();
    assert!(engine.finish().success());
}

fn pipelined() {
    let mut engine = Engine::start(&QUICK);
    let commands = ["name", "play b D4", "undo", "no_such_thing", "komi 6.5", "showboard"];
    let lines: Vec<_> =
        (0..1000).map(|id| format!("{id} {}\n", commands[id % commands.len()])).collect();
    engine.write(lines.concat().as_bytes());
    for id in 0..1000 {
        let response = engine.receive();
        assert_eq!(response.id, id.to_string());
        assert_eq!(response.is_success, id % commands.len() != 3, "{response:?}");
    }
    engine.close_input();
    assert!(engine.finish().success());
}

fn long_line() {
    let mut engine = Engine::start(&QUICK);
    let text = "x".repeat(1 << 20);
    assert_eq!(engine.ask(&format!("echo {text}")), text);
    assert_eq!(engine.ask(&format!("protocol_version # {text}")), "2");
}

fn invalid_utf8() {
    let mut engine = Engine::start(&QUICK);
    engine.write(b"1 \xff\xfe\x80\n2 play b \xc3\n3 protocol_version # \xe9\n");
    assert_eq!(engine.receive().text, "unknown command");
    assert_eq!(engine.receive().text, "syntax error");
    assert_eq!(engine.receive().text, "2");
}

/// Runs every command that the engine lists with many arguments: reading the responses checks
/// their form, and the echo behind each command that there is exactly one.
fn every_command_is_framed() {
    const ARGUMENTS: [&str; 12] = [
        "",
        "b",
        "b D4",
        "1",
        "-1",
        "7",
        "D4",
        "b D4 w E5",
        "9 9",
        "dead",
        "1 2 3",
        "\"a b\" é \u{1}",
    ];
    // These end the session or stream their answer.
    let is_different =
        |name: &str| name == "quit" || name.ends_with("analyze") || name.contains("_analyze_c");
    let folder = tempfile::tempdir().expect("a folder for what the commands write");
    let mut engine = Engine::start_in(folder.path(), &QUICK, Stderr::Null);
    engine.ask("boardsize 5");
    let commands = engine.ask("list_commands");
    let mut id = 1;
    for name in commands.lines().filter(|name| !is_different(name)) {
        for arguments in ARGUMENTS {
            let response = engine.respond(&format!("{id} {name} {arguments}"));
            assert_eq!(response.id, id.to_string(), "{name} {arguments}");
            let is_unknown = response.text == "unknown command";
            assert!(!is_unknown || name == "help", "{name} is listed");
            assert_ne!(response.text, "internal error", "{name} {arguments}");
            assert!(response.is_success || !response.text.contains('\n'), "{response:?}");
            id += 1;
        }
        engine.ask("boardsize 5");
    }
}

fn plays_whatever_stderr_is(stderr: Stderr) {
    let folder = tempfile::tempdir().expect("a folder to run in");
    let mut engine = Engine::start_in(folder.path(), &QUICK, stderr);
    engine.ask("boardsize 9");
    // More than the pipe of an unread stderr holds, if every command logs a line.
    for _ in 0..2000 {
        engine.ask("komi 6.123");
        assert!(!engine.respond("play b A99").is_success);
    }
    for color in ["b", "w", "b", "w"] {
        engine.ask(&format!("genmove {color}"));
    }
    engine.ask("quit");
    assert!(engine.finish().success());
}

/// Lizzie reads the second field of the version as an integer and complains below 15.
fn version_suits_lizzie() {
    let mut engine = Engine::start(&QUICK);
    let version = engine.ask("version");
    let second = version.split('.').nth(1).and_then(|field| field.parse::<u32>().ok());
    assert!(second.is_some_and(|field| field >= 15), "{version}");
}
