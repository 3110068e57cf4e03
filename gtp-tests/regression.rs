//! Regression suites: `regression/*.tst`, run in their folder, with the positions below `sgf/`.
//!
//! A numbered command is a test, the comment behind it is its expectation (see
//! [`crate::expectation`]); a command without a number sets a position up and must succeed. Before
//! a test, `#@ timeout N` limits its answer to N seconds and `#@ require COMMAND` names a command
//! that it needs. `scripts/regress` reads the same files, for any engine; only here a first line
//! `# flags: ...` gives the engine flags.
//!
//! Every suite here runs with a fixed seed, one thread and a budget in playouts, so a known failure
//! that passes is news: it fails the trial until its mark is taken away.

use std::fs;
use std::path::Path;
use std::time::Duration;

use libtest_mimic::{Failed, Trial};

use crate::data;
use crate::engine::{Engine, Response, Stderr};
use crate::expectation::{Expectation, Mark};
use crate::transcripts::{files, flags};

const TIMEOUT: Duration = Duration::from_secs(20);

/// One trial a suite.
pub(crate) fn trials() -> Vec<Trial> {
    files(&data("regression"), "tst")
        .into_iter()
        .map(|(name, path)| Trial::test(format!("regression::{name}"), move || run(&path)))
        .collect()
}

/// A suite in progress.
struct Run {
    engine: Engine,
    timeout: Duration,
    /// The last command with its line number, and what came back.
    last: Option<(String, Response)>,
    /// Whether the last command is a test that no expectation has followed yet.
    is_open: bool,
    tests: usize,
    problems: Vec<String>,
}

fn run(path: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(path)?;
    let flags = flags(text.as_bytes());
    let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
    let engine = Engine::start_in(&data("regression"), &flags, Stderr::Null);
    let mut run = Run {
        engine,
        timeout: TIMEOUT,
        last: None,
        is_open: false,
        tests: 0,
        problems: Vec::new(),
    };
    for (i, line) in text.lines().enumerate() {
        run.line(line.trim()).map_err(|error| format!("line {}: {error}", i + 1))?;
    }
    run.close();
    if run.problems.is_empty() {
        return Ok(());
    }
    let count = run.problems.len();
    Err(format!("{count} of {} tests\n{}", run.tests, run.problems.join("\n")).into())
}

impl Run {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(expectation) = Expectation::parse(line) {
            return self.judge(&expectation?);
        }
        if let Some(directive) = line.strip_prefix("#@") {
            return self.directive(directive.trim());
        }
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        self.close();
        let response = self.command(line)?;
        let is_test = line.starts_with(|first: char| first.is_ascii_digit());
        if is_test {
            self.tests += 1;
            self.timeout = TIMEOUT;
        } else if !response.is_success {
            return Err(format!("{line} fails: {}", response.text));
        }
        self.is_open = is_test;
        self.last = is_test.then(|| (line.to_owned(), response));
        Ok(())
    }

    fn command(&mut self, line: &str) -> Result<Response, String> {
        self.engine.send(line);
        let response = self.engine.receive_within(self.timeout);
        response.ok_or_else(|| format!("{line}: no answer in {:?}", self.timeout))
    }

    fn directive(&mut self, directive: &str) -> Result<(), String> {
        let (name, value) = directive.split_once(' ').ok_or("a directive without value")?;
        match name {
            "timeout" => {
                let seconds = value.parse().map_err(|error| format!("{value}: {error}"))?;
                self.timeout = Duration::from_secs(seconds);
            }
            "require" => {
                let answer = self.command(&format!("known_command {value}"))?;
                if answer.text != "true" {
                    return Err(format!("the engine lacks {value}"));
                }
            }
            other => return Err(format!("unknown directive {other}")),
        }
        Ok(())
    }

    fn judge(&mut self, expectation: &Expectation) -> Result<(), String> {
        let last = self.last.as_ref().filter(|_| self.is_open);
        let (command, response) = last.ok_or("an expectation without a test")?;
        self.is_open = false;
        let problem = match (expectation.mark, expectation.is_met(response)) {
            (Mark::Required, false) => "fails",
            (Mark::KnownFailure, true) => "passes now, take the mark away",
            _ => return Ok(()),
        };
        let Expectation { source, .. } = expectation;
        self.problems.push(format!("{command} {problem}: {source}, answer {:?}", response.text));
        Ok(())
    }

    /// Notes a test that nothing was expected of: it could not fail.
    fn close(&mut self) {
        if std::mem::take(&mut self.is_open)
            && let Some((command, _)) = &self.last
        {
            self.problems.push(format!("{command}: no expectation follows"));
        }
    }
}
