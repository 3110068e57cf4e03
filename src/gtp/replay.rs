//! `--replay`: runs a recorded session again and compares what it answers.
//!
//! Each line is fed as soon as the commands before it are answered, whatever the journal says of
//! the time in between; only what may have cut a search (an interrupt, `quit`, the end of the input,
//! any line during an analysis) comes as long after the begin of that search as it did then.
//!
//! An answer has to be the same byte for byte, until the first search that cannot be repeated
//! ([`Repeatable`]); from then on its status, id and kind have to be. Where a move of our own differs,
//! the recorded one takes its place, so that all that follows is still about the same game.

use std::fmt::{self, Display};
use std::io::{self, BufReader, PipeWriter, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Instant;

use super::args::vertex;
use super::line::Line;
use super::reader;
use super::recording::{Answer, Recording, Step, add_output, count_complete};
use super::registry;
use super::session::Session;
use crate::engine::Repeatable;

/// Differences that are told one by one.
const SHOWN: usize = 10;
/// Longest piece of an answer that is shown.
const SHOWN_CHARS: usize = 100;

/// What came of a replay.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Answers that were compared byte for byte.
    pub by_bytes: usize,
    /// Answers that were compared by their form.
    pub by_form: usize,
    /// What differs.
    pub differences: Vec<Difference>,
    /// Commands that the journal has no whole answer to: the recorded session did not live on.
    pub unanswered: Vec<Difference>,
}

/// Two answers to one command.
#[derive(Debug)]
pub struct Difference {
    /// The command's line in the journal.
    pub line: usize,
    /// The command.
    pub command: String,
    /// Its answer in the journal.
    pub recorded: Option<String>,
    /// Its answer now.
    pub found: Option<String>,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = |answer: &Option<String>| -> Vec<String> {
            let text = answer.as_deref().unwrap_or("(no answer)");
            text.lines().map(|line| line.chars().take(SHOWN_CHARS).collect()).collect()
        };
        let (recorded, found) = (lines(&self.recorded), lines(&self.found));
        let same = recorded.iter().zip(&found).take_while(|(a, b)| a == b).count();
        let line = |lines: &[String]| lines.get(same).cloned().unwrap_or("(end)".to_owned());
        let command: String = self.command.chars().take(SHOWN_CHARS).collect();
        writeln!(f, "line {}: {command}", self.line)?;
        writeln!(f, "  recorded: {}", line(&recorded))?;
        write!(f, "  found:    {}", line(&found))
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for difference in self.differences.iter().take(SHOWN) {
            writeln!(f, "{difference}")?;
        }
        if self.differences.len() > SHOWN {
            writeln!(f, "... and {} more", self.differences.len() - SHOWN)?;
        }
        for unanswered in &self.unanswered {
            writeln!(f, "{unanswered}")?;
        }
        let (by_bytes, by_form) = (self.by_bytes, self.by_form);
        write!(f, "answers compared byte for byte: {by_bytes}, by their form: {by_form}, ")?;
        write!(f, "different: {}", self.differences.len())
    }
}

/// Runs a recorded session again in one that has its flags and its seed.
///
/// # Errors
/// If there are no pipe and threads to be had.
pub fn replay(recording: &Recording, mut session: Session) -> io::Result<Outcome> {
    let (reader, input) = io::pipe()?;
    let (sender, output) = channel();
    let engine = session.engine();
    let (stop, repeatable) = (engine.stop_flag(), engine.repeatable());
    let (_, events) = reader::spawn(BufReader::new(reader), stop)?;
    let run = move || super::run(&mut session, &events, &mut Sink { sender, repeatable });
    let thread = thread::Builder::new().name("session".to_owned()).spawn(run)?;
    let mut client = Client::new(recording, input, output);
    client.feed();
    // A panic there has been logged, and its answers are missing.
    let _ = thread.join();
    Ok(client.compare())
}

/// The session's output, each piece with whether searches have been repeatable so far.
struct Sink {
    sender: Sender<(Vec<u8>, bool)>,
    repeatable: Repeatable,
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.sender.send((bytes.to_vec(), !self.repeatable.holds()));
        sent.map(|()| bytes.len()).map_err(|_error| io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Plays the part of the recorded client.
struct Client<'a> {
    recording: &'a Recording,
    input: Option<PipeWriter>,
    output: Receiver<(Vec<u8>, bool)>,
    answers: Vec<Answer>,
    /// Commands that were fed.
    fed: usize,
    /// When the command that is being answered began.
    begun: Instant,
    /// Answers whose moves have been looked at.
    settled: usize,
}

impl<'a> Client<'a> {
    fn new(recording: &'a Recording, input: PipeWriter, output: Receiver<(Vec<u8>, bool)>) -> Self {
        let begun = Instant::now();
        let input = Some(input);
        Self { recording, input, output, answers: Vec::new(), fed: 0, begun, settled: 0 }
    }

    /// Feeds everything, and waits for the end of the session.
    fn feed(&mut self) {
        for step in &self.recording.steps {
            self.wait_for(step);
            self.keep_course();
            match &step.bytes {
                Some(bytes) => self.give(bytes, step.is_command),
                None => self.input = None,
            }
        }
        // The recorded session has died in the last command, unless it was an analysis, which needs
        // an end.
        let last = self.recording.answers.last();
        if last.is_none_or(|answer| answer.is_complete || !answer.is_stream()) {
            self.wait(self.fed, None);
        }
        self.input = None;
        self.wait(usize::MAX, None);
    }

    /// Waits for the moment of a step.
    fn wait_for(&mut self, step: &Step) {
        self.wait(step.answers, None);
        let deadline = self.recording.delay(step).and_then(|delay| self.begun.checked_add(delay));
        self.wait(self.fed, deadline);
    }

    fn give(&mut self, bytes: &[u8], is_command: bool) {
        if count_complete(&self.answers) == self.fed {
            self.begun = Instant::now();
        }
        self.fed += usize::from(is_command);
        // Behind `quit` nobody reads.
        let _ = self.input.as_mut().map(|input| input.write_all(bytes));
    }

    /// Waits until so many answers are complete, the session has ended, or it is late.
    fn wait(&mut self, answers: usize, deadline: Option<Instant>) {
        let mut complete = count_complete(&self.answers);
        while complete < answers {
            let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
            let piece = match left {
                Some(left) => self.output.recv_timeout(left),
                None => self.output.recv().map_err(|_error| RecvTimeoutError::Disconnected),
            };
            let Ok((bytes, varies)) = piece else { return };
            add_output(&mut self.answers, &bytes, varies);
            if count_complete(&self.answers) > complete {
                complete = count_complete(&self.answers);
                self.begun = Instant::now();
            }
        }
    }

    /// Puts the recorded moves in the place of those of our own that differ.
    fn keep_course(&mut self) {
        let complete = count_complete(&self.answers);
        // While something waits, the answer to another command would not be told from its.
        if complete < self.fed {
            return;
        }
        for i in self.settled..complete {
            let Some(command) = self.recording.commands.get(i) else { break };
            let Some(color) = mover(&command.line) else { continue };
            let found = own_move(&self.answers[i]);
            let recorded = self.recording.answers.get(i).and_then(own_move);
            if found == recorded {
                continue;
            }
            let undo = found.map(|_| "undo\n".to_owned());
            let play = recorded.map(|mv| format!("play {color} {mv}\n"));
            for line in undo.into_iter().chain(play) {
                let _ = self.input.as_mut().map(|input| input.write_all(line.as_bytes()));
                self.wait(complete + 1, None);
                self.answers.truncate(complete);
            }
        }
        self.settled = complete;
    }

    fn compare(&self) -> Outcome {
        let mut outcome = Outcome::default();
        for (i, command) in self.recording.commands.iter().enumerate() {
            let recorded = self.recording.answers.get(i).filter(|answer| answer.is_complete);
            let found = self.answers.get(i).filter(|answer| answer.is_complete);
            let text = |answer: &Answer| String::from_utf8_lossy(&answer.bytes).into_owned();
            let difference = || Difference {
                line: command.number,
                command: format!("{} {}", command.line.name, command.line.rest).trim_end().into(),
                recorded: recorded.map(text),
                found: found.map(text),
            };
            match (recorded, found) {
                // Behind `quit`.
                (None, None) => {}
                (None, Some(_)) => outcome.unanswered.push(difference()),
                (Some(_), None) => outcome.differences.push(difference()),
                (Some(recorded), Some(found)) => {
                    let varies = registry::find(&command.line.name).is_some_and(|c| c.varies);
                    let by_form = varies || recorded.varies || found.varies;
                    *(if by_form { &mut outcome.by_form } else { &mut outcome.by_bytes }) += 1;
                    let is_same = if by_form {
                        form(recorded) == form(found)
                    } else {
                        recorded.bytes == found.bytes
                    };
                    if !is_same {
                        outcome.differences.push(difference());
                    }
                }
            }
        }
        outcome
    }
}

/// The color for which a command chooses a move and plays it.
fn mover(line: &Line) -> Option<&str> {
    let name = line.name.as_str();
    let only_tells = ["reg_", "gg_", "restricted_"].iter().any(|prefix| name.starts_with(prefix));
    if !name.contains("genmove") || only_tells {
        return None;
    }
    let suffix = name.strip_prefix("genmove_").filter(|color| ["black", "white"].contains(color));
    suffix.or(line.args.first().map(String::as_str))
}

/// The move that an answer tells, in capitals: its last word. A resignation is none.
fn own_move(answer: &Answer) -> Option<String> {
    let text = String::from_utf8_lossy(&answer.bytes);
    let word = text.strip_prefix('=')?.split_whitespace().last()?;
    vertex(word).map(|_| word.to_ascii_uppercase())
}

/// What has to be the same in answers that may differ: status and id, and what kind the text is of.
fn form(answer: &Answer) -> (String, Kind) {
    let text = String::from_utf8_lossy(&answer.bytes);
    let header = text.split([' ', '\n']).next().unwrap_or_default().to_owned();
    let body = text[header.len()..].trim();
    let kind = if header.starts_with('?') {
        Kind::Failure(body.to_owned())
    } else if answer.is_stream() {
        Kind::Analysis { plays: body.lines().last().is_some_and(|line| line.starts_with("play")) }
    } else {
        let is_point = |word: &str| vertex(word).is_some() || word.eq_ignore_ascii_case("resign");
        match body {
            "" => Kind::Nothing,
            _ if body.split_whitespace().all(is_point) => Kind::Points,
            _ if is_number(body) => Kind::Number,
            _ => Kind::Text,
        }
    };
    (header, kind)
}

fn is_number(text: &str) -> bool {
    let points = text.strip_prefix("B+").or(text.strip_prefix("W+")).unwrap_or(text);
    points.parse::<f64>().is_ok()
}

/// The kind of an answer.
#[derive(Debug, PartialEq, Eq)]
enum Kind {
    /// No text.
    Nothing,
    /// Vertices, passes or a resignation.
    Points,
    /// A number or a result of a game.
    Number,
    /// Anything else.
    Text,
    /// An analysis, with a move behind it or not.
    Analysis { plays: bool },
    /// An error.
    Failure(String),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::line::{self, Input};

    fn answer(text: &str) -> Answer {
        Answer { bytes: text.as_bytes().to_vec(), is_complete: true, varies: true }
    }

    #[test]
    fn forms() {
        let is_same = |a: &str, b: &str| form(&answer(a)) == form(&answer(b));
        assert!(is_same("=1 E5", "=1 resign") && is_same("= W+3.5", "= 0"));
        assert!(is_same("=\ninfo a\nplay E5\n", "=\nplay pass\n"));
        assert!(is_same("= \n A B\n1 . X", "= a text"));
        assert!(!is_same("=1 E5", "=2 E5") && !is_same("= E5", "? E5"));
        assert!(!is_same("= E5", "= ") && !is_same("= E5", "= I5") && !is_same("= 3", "= E5"));
        assert!(!is_same("=\ninfo\n", "=\nplay E5\n"));
        assert!(!is_same("? illegal move", "? syntax error"));
    }

    #[test]
    fn moves_of_our_own() {
        let mover_of = |text: &str| match line::parse(text.as_bytes()) {
            Input::Command(line) => mover(&line).map(str::to_owned),
            _ => None,
        };
        assert_eq!(mover_of("3 genmove W").as_deref(), Some("W"));
        assert_eq!(mover_of("lz-genmove_analyze b 10").as_deref(), Some("b"));
        assert_eq!(mover_of("genmove_white").as_deref(), Some("white"));
        assert_eq!(mover_of("reg_genmove b"), None);
        assert_eq!(own_move(&answer("=3 e5")).as_deref(), Some("E5"));
        assert_eq!(
            own_move(&answer("=\ninfo move A1 pv A1\nplay pass\n")).as_deref(),
            Some("PASS")
        );
        assert_eq!(own_move(&answer("= resign")), None);
    }

    #[test]
    fn the_first_line_that_differs_is_shown() {
        let recorded = Some("= a\nb\nc".to_owned());
        let found = Some("= a\nd".to_owned());
        let difference = Difference { line: 7, command: "showboard".into(), recorded, found };
        assert_eq!(difference.to_string(), "line 7: showboard\n  recorded: b\n  found:    d");
    }
}
