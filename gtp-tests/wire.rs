//! The rules oracle's records once more, over the wire: set-up by file, rules by name, as JSON and
//! one by one, moves, undo, legality, stones, captures, counts with a given list of dead stones,
//! handicap, unconditional life.
//!
//! All commands of a file go out at once and the answers are compared as they come: that is fast,
//! and it tests the engine's queue. The referee tells what is on the board in between. Three things cannot be seen over GTP and are left to `vectors`:
//! whether the game is over (`over_at`, `over`), the raw numbers behind the scores (`counts`), and
//! the komi that belongs to a preset. Reasons of illegal plays are not told either, only that they
//! are illegal; and a handicap without stones on the board cannot be given.

mod games;
mod tables;

use std::collections::BTreeSet;

use libtest_mimic::{Failed, Trial};
use serde_json::Value;
use tempfile::TempDir;

use crate::engine::{Engine, Response, Stderr};
use crate::vectors::report;

/// One trial a file.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = games::trials();
    trials.extend(tables::trials());
    trials
}

/// What an answer has to be.
#[derive(Debug)]
enum Expected {
    /// A success, whatever it says.
    Success,
    /// A failure, whatever it says.
    Failure,
    /// A success with exactly this text.
    Text(String),
    /// A success with another text.
    TextBut(&'static str),
    /// A success with these words in any order.
    Words(BTreeSet<String>),
    /// A success with a text that holds this.
    Part(String),
    /// A success with a JSON object that has these entries.
    Entries(Value),
}

impl Expected {
    fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    /// What should have been answered, if it was not.
    fn missed(&self, response: &Response) -> Option<String> {
        let Response { is_success, text, .. } = response;
        let (is_met, wanted) = match self {
            Self::Failure => (!is_success, "a failure".to_owned()),
            _ if !is_success => (false, "a success".to_owned()),
            Self::Success => (true, String::new()),
            Self::Text(expected) => (text == expected, format!("{expected:?}")),
            Self::TextBut(other) => (text != *other, format!("anything but {other:?}")),
            Self::Part(part) => (text.contains(part), format!("{part:?}")),
            Self::Words(expected) => {
                let mut words: Vec<&str> = text.split_whitespace().collect();
                words.sort_unstable();
                let is_met = expected.iter().eq(words);
                (is_met, format!("{expected:?}"))
            }
            Self::Entries(expected) => {
                let found: Value = serde_json::from_str(text).unwrap_or_default();
                let differs = |(key, value): &(&String, &Value)| !is_same(&found[*key], value);
                match expected.as_object().into_iter().flatten().find(differs) {
                    None => (true, String::new()),
                    Some((key, value)) => (false, format!("{key} {value}")),
                }
            }
        };
        (!is_met).then_some(wanted)
    }
}

/// Whether two values are equal, numbers as numbers: 7 is 7.0.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a.as_f64(), b.as_f64()) {
        (Some(a), Some(b)) => (a - b).abs() < 1e-9,
        _ => a == b,
    }
}

/// Commands with what they have to answer, and the folder where the engine runs.
#[derive(Debug)]
struct Script {
    folder: TempDir,
    /// What the commands to come belong to, for people.
    place: String,
    /// Place, command, answer.
    commands: Vec<(String, String, Expected)>,
}

impl Script {
    fn new() -> Result<Self, std::io::Error> {
        Ok(Self { folder: tempfile::tempdir()?, place: String::new(), commands: Vec::new() })
    }

    fn add(&mut self, command: impl Into<String>, expected: Expected) {
        self.commands.push((self.place.clone(), command.into(), expected));
    }

    /// Runs all and tells what differs.
    fn run(self) -> Result<(), Failed> {
        if self.commands.is_empty() {
            return Err("there is nothing to check".into());
        }
        let flags = ["--threads", "1"];
        let mut engine = Engine::start_in(self.folder.path(), &flags, Stderr::Null);
        let lines = self.commands.iter().map(|(_, command, _)| command.as_str());
        engine.write((lines.collect::<Vec<_>>().join("\n") + "\n").as_bytes());
        engine.close_input();
        let mut differences = Vec::new();
        for (place, command, expected) in &self.commands {
            let response = engine.receive();
            if let Some(wanted) = expected.missed(&response) {
                let status = if response.is_success { '=' } else { '?' };
                let text = &response.text;
                differences
                    .push(format!("{place}: {command}: expected {wanted}, found {status} {text}"));
            }
        }
        if !engine.finish().success() {
            differences.push("the engine ends with an error".to_owned());
        }
        report(&differences)
    }
}
