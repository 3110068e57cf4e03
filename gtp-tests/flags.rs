//! The flag `--params`: a file that sets tunables, and files that the engine refuses to start with.

use std::fs;
use std::process::{Command, Stdio};

use libtest_mimic::{Failed, Trial};

use crate::engine::{BINARY, Engine};

/// Files that must be refused, with what stderr has to say.
const REFUSED: &[(&str, &str, &str)] = &[
    ("unknown_name", r#"{"rave_free": 0.5, "raves": 1}"#, "unknown parameter raves"),
    ("out_of_range", r#"{"rave_free": 1.5}"#, "rave_free must be from 0 to 1"),
    ("no_number", r#"{"rave_free": "0.5"}"#, "rave_free is not a number"),
    ("broken_json", r#"{"rave_free": 0.5"#, "EOF"),
    ("no_object", "[0.5]", "expected a map"),
];

pub(crate) fn trials() -> Vec<Trial> {
    let refused = REFUSED.iter().map(|&(name, text, reason)| {
        Trial::test(format!("flags::params_{name}"), move || is_refused(text, reason))
    });
    let mut trials: Vec<Trial> = refused.collect();
    trials.push(Trial::test("flags::params_set", are_set));
    trials.push(Trial::test("flags::params_no_file", no_file));
    trials
}

fn are_set() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("params.json");
    fs::write(&file, r#"{"rave_free": 0.5, "playout_ko": 1}"#)?;
    let mut engine = Engine::start(&["--params", file.to_str().ok_or("a path in UTF-8")?]);
    assert_eq!(engine.ask("kata-get-param rave_free"), "0.5");
    assert_eq!(engine.ask("kata-get-param playout_ko"), "1");
    Ok(())
}

fn is_refused(text: &str, reason: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("params.json");
    fs::write(&file, text)?;
    fails_with(file.to_str().ok_or("a path in UTF-8")?, reason)
}

fn no_file() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("missing.json");
    fails_with(file.to_str().ok_or("a path in UTF-8")?, "missing.json")
}

/// The engine must end at once with this reason, and name the file.
fn fails_with(file: &str, reason: &str) -> Result<(), Failed> {
    let output = Command::new(BINARY).args(["--params", file]).stdin(Stdio::null()).output()?;
    let log = String::from_utf8(output.stderr)?;
    assert!(!output.status.success() && output.stdout.is_empty(), "it starts: {log}");
    assert!(log.contains(reason) && log.contains(file), "{log}");
    Ok(())
}
