//! What the engine says on stderr. Clients read that too: one waits for a word there, one takes it for
//! stdout.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use libtest_mimic::Trial;
use regex::Regex;

use super::trial;
use crate::engine::BINARY;

pub(super) fn trials() -> Vec<Trial> {
    vec![
        trial("stderr_is_harmless", is_harmless),
        trial("stderr_says_ready", says_ready),
        trial("stderr_of_a_bad_start_is_harmless", bad_start_is_harmless),
        trial("stderr_sums_moves_up_for_some", sums_up),
        trial("stderr_draws_for_gogui", draws),
        trial("stderr_shows_the_heat_map", shows_heat_map),
    ]
}

/// Input whose texts get into the log: refused moves and files, unknown names, rules of a file.
const HOSTILE: &[u8] = b"boardsize 9\nplay b D4\nplay b D4\nPLAY w D4\n= -> x\n-> -> -> y\n\
    info -> move\nplay -> D4\nkomi 1.23456\nkomi= ->\nloadsgf rules.sgf\nloadsgf -> .sgf\n\
    loadsgf \"= -> \t-> .sgf\"\nkata-set-rules -> -> x\nkata-set-rules {\" -> \": 1}\n\
    gogui-param_game -> 1\ngenmove b\ngenmove w\nkgs-genmove_cleanup b\nclear_board\n";

const RULES: &str = "(;GM[1]SZ[9]RU[a -> b\n= c\ninfo d\n\nplay e\r? f ->\n-> g])";

/// A number for each point, a line a row, then the pass and the win rate.
fn shows_heat_map() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let log = stderr_of(folder.path(), &[], "off", b"rectangular_boardsize 3 2\nheatmap\n");
    let row = "( *[0-9]+ +[0-9]+ +[0-9]+\n)";
    let expected = format!("^keima: GTP ready\n{row}{{2}}pass: [0-9]+\nwinrate: [01]\\.[0-9]+\n$");
    assert!(Regex::new(&expected).expect("a valid pattern").is_match(&log), "{log}");
}

/// Runs a session in a folder; answers what stderr said.
fn stderr_of(folder: &Path, flags: &[&str], filter: &str, input: &[u8]) -> String {
    let quick = ["--seed", "1", "--playouts", "50", "--threads", "1"];
    let mut command = Command::new(BINARY);
    command.args(quick).args(flags).current_dir(folder).env("RUST_LOG", filter);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the engine starts");
    // An engine that refuses to start reads nothing.
    let _ = child.stdin.as_mut().expect("stdin is a pipe").write_all(input);
    let output = child.wait_with_output().expect("the engine ends");
    String::from_utf8(output.stderr).expect("the log is UTF-8")
}

fn assert_harmless(log: &str) {
    for line in log.lines() {
        for start in ["=", "?", "info", "play", "komi="] {
            assert!(!line.starts_with(start), "{line:?}");
        }
        assert!(!line.contains(" -> ") && !line.contains('\r'), "{line:?}");
    }
}

fn is_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("rules.sgf"), RULES).expect("the file is written");
    for filter in ["debug", "trace"] {
        let log = stderr_of(folder.path(), &["--ponder"], filter, HOSTILE);
        assert_harmless(&log);
        for told in ["refused", "unknown rules", "case-sensitive", "playouts", "komi 1.23456"] {
            assert!(log.contains(told), "{told} is not in {log}");
        }
    }
}

/// Whatever the log shows, and wherever it goes.
fn says_ready() {
    let folder = tempfile::tempdir().expect("a folder");
    let log = stderr_of(folder.path(), &[], "debug", b"name\n");
    assert_eq!(log.matches("GTP ready").count(), 1, "{log}");
    assert_eq!(stderr_of(folder.path(), &[], "off", b""), "keima: GTP ready\n");
    let flags = ["--log-file", "log"];
    assert_eq!(stderr_of(folder.path(), &flags, "debug", HOSTILE), "keima: GTP ready\n");
    assert_harmless(&fs::read_to_string(folder.path().join("log")).expect("there is a log"));
}

/// Lizzie and gtp2ogs read Leela Zero's lines about a move.
fn sums_up() {
    let folder = tempfile::tempdir().expect("a folder");
    let line =
        r"(?m)^ *[A-J][1-9] -> +\d+ \(V: [ \d]\d\.\d\d%\) \(LCB: .*\) \(N: .*\) PV: [A-J][1-9]";
    let line = Regex::new(line).expect("a regular expression");
    for (client, is_told) in [("plain", false), ("gogui", false), ("lizzie", true), ("ogs", true)] {
        for genmove in ["genmove b", "kata-genmove_analyze b"] {
            let input = format!("boardsize 9\n{genmove}\nreg_genmove w\n");
            let log = stderr_of(folder.path(), &["--client", client], "off", input.as_bytes());
            assert_eq!(line.is_match(&log), is_told, "{client}: {log}");
            // Each move of the one search that led to a move has one.
            assert_eq!(log.matches(" -> ").count(), log.matches(" PV: ").count());
        }
    }
}

/// GoGui takes the lines up to an empty one as one picture, and shall forget the last.
fn draws() {
    let folder = tempfile::tempdir().expect("a folder");
    let input = b"gogui-version 1.6\nboardsize 9\nkata-set-param maxPlayouts 1125899906842624\n\
        kata-set-param maxTime 0.7\ngenmove b\n";
    let log = stderr_of(folder.path(), &[], "off", input);
    let picture = "gogui-gfx:\nVAR b [A-J][1-9].*\nINFLUENCE .*\nTEXT black .*\n\n";
    let expected = format!("^keima: GTP ready\n({picture})+gogui-gfx:\nCLEAR\n\n$");
    let expected = Regex::new(&expected).expect("a regular expression");
    assert!(expected.is_match(&log), "{log}");
    let log = stderr_of(folder.path(), &["--client", "plain"], "off", input);
    assert_eq!(log, "keima: GTP ready\n");
}

fn bad_start_is_harmless() {
    let folder = tempfile::tempdir().expect("a folder");
    for (flag, file) in [("--params", "no\n= -> x"), ("--replay", "no\nplay -> b")] {
        let mut command = Command::new(BINARY);
        let output = command.args([flag, file]).current_dir(folder.path()).output();
        let output = output.expect("the engine starts");
        assert!(!output.status.success());
        assert_harmless(&String::from_utf8(output.stderr).expect("the message is UTF-8"));
    }
}
