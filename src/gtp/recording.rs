//! Sessions as a [`journal`](super::journal) tells them: what came in when, and what was answered.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;
use std::{fs, io};

use super::journal::{Entry, Event, Start};
use super::line::{self, Input, Line};

/// Why a journal cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// There is nothing in it.
    #[error("no session in it")]
    Empty,
    /// A line is none of a journal.
    #[error("line {0} is not one of a journal: {1}")]
    Broken(usize, serde_json::Error),
    /// A line belongs to no session.
    #[error("line {0} comes before the start of its session")]
    NoStart(usize),
}

/// A recorded session.
#[derive(Debug)]
pub struct Recording {
    /// How it began.
    pub start: Start,
    /// Number of the line with its start.
    pub line: usize,
    /// What came in, in its order.
    pub(super) steps: Vec<Step>,
    /// The commands that came in.
    pub(super) commands: Vec<Asked>,
    /// Their answers; if the last was not written to its end, it is here as far as it was.
    pub(super) answers: Vec<Answer>,
    /// When the last answer was complete.
    answered: u64,
}

/// A command of a session.
#[derive(Debug)]
pub(super) struct Asked {
    /// Number of the journal's line.
    pub(super) number: usize,
    /// The command.
    pub(super) line: Line,
    ms: u64,
}

/// An answer of a session.
#[derive(Debug, Default)]
pub(super) struct Answer {
    /// Its bytes, without the empty line at the end.
    pub(super) bytes: Vec<u8>,
    /// Whether its empty line was written.
    pub(super) is_complete: bool,
    /// Whether a search that cannot be repeated came before.
    pub(super) varies: bool,
}

impl Answer {
    /// Whether it is an analysis: its header has no space, its text comes line by line.
    pub(super) fn is_stream(&self) -> bool {
        let first = self.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        !first.is_empty() && !first.contains(&b' ')
    }
}

/// Adds output to the answers that it is part of.
pub(super) fn add_output(answers: &mut Vec<Answer>, bytes: &[u8], varies: bool) {
    for &byte in bytes {
        if answers.last().is_none_or(|answer| answer.is_complete) {
            answers.push(Answer::default());
        }
        let Some(answer) = answers.last_mut() else { return };
        answer.varies |= varies;
        if byte == b'\n' && answer.bytes.last() == Some(&b'\n') {
            answer.bytes.pop();
            answer.is_complete = true;
        } else {
            answer.bytes.push(byte);
        }
    }
}

/// Number of answers that are complete.
pub(super) fn count_complete(answers: &[Answer]) -> usize {
    // Only the last one may still be written.
    answers.len() - usize::from(answers.last().is_some_and(|answer| !answer.is_complete))
}

/// Something that came in.
#[derive(Debug)]
pub(super) struct Step {
    /// What it was; `None` if the input ended.
    pub(super) bytes: Option<Vec<u8>>,
    /// Whether it has to be answered.
    pub(super) is_command: bool,
    /// Answers that were complete by then.
    pub(super) answers: usize,
    /// The command that was being answered then, and for how long.
    pub(super) pending: Option<(usize, Duration)>,
}

impl Recording {
    /// Reads the sessions of a file. A line that a crash has cut short is left out.
    ///
    /// # Errors
    /// [`JournalError`], with the number of the line.
    pub fn read(path: &Path) -> Result<Vec<Self>, JournalError> {
        let text = fs::read_to_string(path)?;
        let lines: Vec<&str> = text.lines().collect();
        let mut sessions = Vec::new();
        // The session that a process is in.
        let mut current: BTreeMap<u32, usize> = BTreeMap::new();
        for (i, text) in lines.iter().enumerate() {
            let entry: Entry = match serde_json::from_str(text) {
                Ok(entry) => entry,
                Err(error) if error.is_eof() && begins_session(lines.get(i + 1)) => continue,
                Err(error) => return Err(JournalError::Broken(i + 1, error)),
            };
            if let Event::Start(start) = entry.event {
                current.insert(entry.process, sessions.len());
                sessions.push(Self::new(start, i + 1));
                continue;
            }
            let session = current.get(&entry.process).and_then(|&i| sessions.get_mut(i));
            session.ok_or(JournalError::NoStart(i + 1))?.add(i + 1, entry);
        }
        if sessions.is_empty() { Err(JournalError::Empty) } else { Ok(sessions) }
    }

    fn new(start: Start, line: usize) -> Self {
        let (steps, commands, answers) = (Vec::new(), Vec::new(), Vec::new());
        Self { start, line, steps, commands, answers, answered: 0 }
    }

    fn add(&mut self, number: usize, entry: Entry) {
        match entry.event {
            Event::Start(_) => {}
            Event::Out(bytes) => {
                let before = count_complete(&self.answers);
                add_output(&mut self.answers, &Vec::from(bytes), entry.varies);
                if count_complete(&self.answers) > before {
                    self.answered = entry.ms;
                }
            }
            Event::In(bytes) => {
                let bytes = Vec::from(bytes);
                let mark: &[u8] = if self.steps.is_empty() { b"\xef\xbb\xbf" } else { b"" };
                let input = line::parse(bytes.strip_prefix(mark).unwrap_or(&bytes));
                self.step(Some(bytes), matches!(input, Input::Command(_)), entry.ms);
                if let Input::Command(line) = input {
                    self.commands.push(Asked { number, line, ms: entry.ms });
                }
            }
            Event::Signal(name) if name == "INT" => {
                self.step(Some(b"# interrupt\n".to_vec()), false, entry.ms);
            }
            Event::Signal(_) | Event::End(_) => self.step(None, false, entry.ms),
        }
    }

    fn step(&mut self, bytes: Option<Vec<u8>>, is_command: bool, ms: u64) {
        let answers = count_complete(&self.answers);
        let pending = self.commands.get(answers).map(|command| {
            let begin = command.ms.max(self.answered);
            (answers, Duration::from_millis(ms.saturating_sub(begin)))
        });
        self.steps.push(Step { bytes, is_command, answers, pending });
    }

    /// How long after the begin of the command that was being answered a step came, if it may have
    /// cut it.
    pub(super) fn delay(&self, step: &Step) -> Option<Duration> {
        let (command, delay) = step.pending?;
        let name = &self.commands[command].line.name;
        let answer = self.answers.get(command);
        let is_cut = name.ends_with("_cancellable")
            || answer.is_none_or(|answer| answer.is_stream() || !answer.is_complete)
            || match step.bytes.as_deref().map(line::parse) {
                None | Some(Input::Interrupt) => true,
                Some(Input::Command(line)) => line.name == "quit" || line.name == "stop",
                Some(Input::Nothing) => false,
            };
        is_cut.then_some(delay)
    }
}

/// Whether there is no such line or it starts a session: only before that may a line be torn.
fn begins_session(line: Option<&&str>) -> bool {
    let entry = line.map(|line| serde_json::from_str::<Entry>(line));
    entry.is_none_or(|entry| entry.is_ok_and(|entry| matches!(entry.event, Event::Start(_))))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<Recording>, JournalError> {
        let file = tempfile::NamedTempFile::new().unwrap();
        fs::write(file.path(), text).unwrap();
        Recording::read(file.path())
    }

    const START: &str = r#"{"process":1,"ms":0,"start":{"version":"1","flags":[],"seed":1}}"#;

    fn session(lines: &[(u64, &str, &str)]) -> Recording {
        let lines = lines.iter().map(|(ms, kind, content)| {
            let content = serde_json::to_string(content).unwrap();
            format!("{{\"process\":1,\"ms\":{ms},\"{kind}\":{content}}}\n")
        });
        read(&std::iter::once(format!("{START}\n")).chain(lines).collect::<String>())
            .unwrap()
            .remove(0)
    }

    #[test]
    fn steps_know_what_ran() {
        let recording = session(&[
            (10, "in", "name\n"),
            (11, "out", "= keima\n\n"),
            (20, "in", "# a comment\n"),
            (30, "in", "genmove b\n"),
            (40, "in", "genmove w\n"),
            (130, "out", "= E5\n\n"),
            (150, "in", "# interrupt\n"),
            (151, "out", "= D5\n\n"),
            (160, "in", "lz-analyze 1\n"),
            (161, "in", "name\n"),
            (165, "out", "=\ninfo\n"),
            (166, "out", "\n= keima\n\n"),
            (200, "end", "input"),
        ]);
        let delays: Vec<_> = recording.steps.iter().map(|step| recording.delay(step)).collect();
        let ms = |ms| Some(Duration::from_millis(ms));
        assert_eq!(delays, [None, None, None, None, ms(20), None, ms(1), None]);
        let answers: Vec<_> = recording.steps.iter().map(|step| step.answers).collect();
        assert_eq!(answers, [0, 1, 1, 1, 2, 3, 3, 5]);
        assert!(recording.answers[3].is_stream() && !recording.answers[4].is_stream());
    }

    #[test]
    fn sessions_share_a_file() {
        let other = START.replace(":1,", ":2,");
        let line = |process| format!("{{\"process\":{process},\"ms\":1,\"in\":\"name\\n\"}}\n");
        let text = format!("{START}\n{}{other}\n{}{}{START}\n", line(1), line(2), line(1));
        let commands: Vec<_> = read(&text).unwrap().iter().map(|r| r.commands.len()).collect();
        assert_eq!(commands, [2, 1, 0]);
    }

    #[test]
    fn broken_journals() {
        let torn = r#"{"process":1,"ms":5,"in":"na"#;
        assert!(read(&format!("{START}\n{torn}")).is_ok());
        assert!(read(&format!("{START}\n{torn}\n{START}\n")).is_ok());
        let message = |text: &str| read(text).unwrap_err().to_string();
        assert!(message(&format!("{START}\n{torn}\n{torn}\n{START}")).contains("line 2"));
        assert!(message("boardsize 9\n").contains("line 1"));
        assert!(message(r#"{"process":1,"ms":5,"in":"name\n"}"#).contains("line 1"));
        assert_eq!(message(""), "no session in it");
    }
}
