//! The journal: what a session read and wrote, one JSON object a line, for `--replay` (`replay`).
//!
//! ```text
//! {"process":4711,"ms":0,"start":{"version":"0.20.0","flags":["--seed","1"],"seed":1}}
//! {"process":4711,"ms":12,"in":"genmove b\n"}
//! {"process":4711,"ms":345,"out":"= E5\n\n"}
//! {"process":4711,"ms":346,"end":"input"}
//! ```
//!
//! It wraps the two streams of a session and knows nothing of commands. A line is written before it
//! is handled and an answer before it is sent, each at once, so that a crash loses at most the line
//! being written. Engines may share a file: it only grows, and the process tells whose a line is.
//! Bytes that are no UTF-8 stand as an array of numbers.

use std::fs::File;
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::engine::Repeatable;

/// A line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Entry {
    /// Id of the process that wrote it.
    pub(super) process: u32,
    /// Milliseconds since that process began its journal.
    pub(super) ms: u64,
    /// What was read or written.
    #[serde(flatten)]
    pub(super) event: Event,
    /// Of an answer: whether a search has come before that cannot be repeated.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) varies: bool,
}

/// What a line of a journal tells.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Event {
    /// A session begins.
    Start(Start),
    /// A line was read; its line feed is missing only behind the last one.
    In(Bytes),
    /// Some or all of an answer was written.
    Out(Bytes),
    /// A signal asked to end a search (`INT`) or the session (`TERM`).
    Signal(String),
    /// The input ended.
    End(String),
}

/// What a session needs to be run again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Start {
    /// The version of the engine.
    pub version: String,
    /// The command line behind the name of the program.
    pub flags: Vec<String>,
    /// The seed of the first game.
    pub seed: u64,
}

/// Bytes as JSON: a string if they are UTF-8, else an array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub(super) enum Bytes {
    /// UTF-8.
    Text(String),
    /// Anything else.
    Raw(Vec<u8>),
}

impl From<Vec<u8>> for Bytes {
    fn from(bytes: Vec<u8>) -> Self {
        String::from_utf8(bytes).map_or_else(|error| Self::Raw(error.into_bytes()), Self::Text)
    }
}

impl From<Bytes> for Vec<u8> {
    fn from(bytes: Bytes) -> Self {
        match bytes {
            Bytes::Text(text) => text.into_bytes(),
            Bytes::Raw(bytes) => bytes,
        }
    }
}

/// A journal that is being written. Clones write to the same one.
#[derive(Clone, Debug)]
pub struct Journal {
    start: Instant,
    /// `None` once a line could not be written.
    file: Arc<Mutex<Option<File>>>,
}

impl Journal {
    /// Begins a session's journal at the end of a file.
    ///
    /// # Errors
    /// If the file cannot be opened. Errors of writing are only logged: they must not disturb the
    /// session.
    pub fn open(path: &Path, start: Start) -> io::Result<Self> {
        let mut file = File::options().create(true).append(true).read(true).open(path)?;
        if is_torn(&mut file) {
            // Whatever is wrong with the file shows below.
            let _ = file.write_all(b"\n");
        }
        let journal = Self { start: Instant::now(), file: Arc::new(Mutex::new(Some(file))) };
        journal.write(Event::Start(start), false);
        Ok(journal)
    }

    /// The session's input: what is read there gets into the journal.
    pub fn input<R: BufRead>(&self, inner: R) -> Input<R> {
        Input { journal: self.clone(), inner, line: Vec::new(), is_over: false }
    }

    /// The session's output: what is written there gets into the journal.
    pub fn output<W: Write>(&self, inner: W, repeatable: Repeatable) -> Output<W> {
        Output { journal: self.clone(), inner, repeatable }
    }

    /// Notes a signal by its name.
    pub fn signal(&self, name: &str) {
        self.write(Event::Signal(name.to_owned()), false);
    }

    /// Writes a line. After an error there will be no more.
    fn write(&self, event: Event, varies: bool) {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        // Under the lock, so that times never decrease.
        let ms = self.start.elapsed().as_millis() as u64;
        let entry = Entry { process: std::process::id(), ms, event, varies };
        let Some(target) = file.as_mut() else { return };
        let written = serde_json::to_vec(&entry).map_err(io::Error::from).and_then(|mut line| {
            line.push(b'\n');
            // One write of a file that is open for appending: lines of two engines do not mix.
            target.write_all(&line)
        });
        if let Err(error) = written {
            log::error!("the journal ends here: {error}");
            *file = None;
        }
    }
}

/// Whether the last line of a file lacks its end.
fn is_torn(file: &mut File) -> bool {
    let mut last = [b'\n'];
    // An empty file has no last byte, and what is no file cannot be asked.
    let _ = file.seek(SeekFrom::End(-1)).and_then(|_| file.read(&mut last));
    last != [b'\n']
}

/// Input that is written to a journal line by line.
#[derive(Debug)]
pub struct Input<R> {
    journal: Journal,
    inner: R,
    line: Vec<u8>,
    is_over: bool,
}

impl<R: BufRead> Input<R> {
    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        self.journal.write(Event::In(line.into()), false);
    }
}

impl<R: BufRead> Read for Input<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(buffer)?;
        self.consume(count);
        Ok(count)
    }
}

impl<R: BufRead> BufRead for Input<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if !self.is_over && self.inner.fill_buf()?.is_empty() {
            // A terminal would have to be told its end twice if it were asked again.
            self.is_over = true;
            if !self.line.is_empty() {
                self.end_line();
            }
            self.journal.write(Event::End("input".to_owned()), false);
        }
        if self.is_over { Ok(&[]) } else { self.inner.fill_buf() }
    }

    fn consume(&mut self, count: usize) {
        // The bytes are those that `fill_buf` has just shown, so this reads nothing.
        let bytes = self.inner.fill_buf().map(|bytes| bytes[..count].to_vec()).unwrap_or_default();
        for piece in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                self.end_line();
            }
        }
        self.inner.consume(count);
    }
}

/// Output that is written to a journal.
#[derive(Debug)]
pub struct Output<W> {
    journal: Journal,
    inner: W,
    repeatable: Repeatable,
}

impl<W: Write> Write for Output<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_all(bytes)?;
        Ok(bytes.len())
    }

    fn write_all(&mut self, bytes: &[u8]) -> io::Result<()> {
        // First, or a quick client's next line could come before the answer to its last.
        self.journal.write(Event::Out(bytes.to_vec().into()), !self.repeatable.holds());
        self.inner.write_all(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(text: &str) -> Vec<Entry> {
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn any_byte_survives() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let start = Start { version: "1".into(), flags: vec!["--é".into()], seed: u64::MAX };
        let journal = Journal::open(&path, start.clone()).unwrap();
        let sent: Vec<u8> = (0..=255).chain(*b"\r\n\xc3\xa9 \"\\\n\nend").collect();
        let mut input = journal.input(io::BufReader::with_capacity(7, &sent[..]));
        let mut read = Vec::new();
        while input.read_until(b'\n', &mut read).unwrap() > 0 {}
        assert_eq!(read, sent);
        let entries = entries(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(entries[0].event, Event::Start(start));
        assert_eq!(entries.last().unwrap().event, Event::End("input".into()));
        let lines = entries.into_iter().filter_map(|entry| match entry.event {
            Event::In(bytes) => Some(Vec::from(bytes)),
            _ => None,
        });
        let lines: Vec<Vec<u8>> = lines.collect();
        assert_eq!(lines.concat(), sent);
        assert_eq!(lines.len(), 5, "one a line, and what stands behind the last");
    }

    #[test]
    fn a_torn_line_is_ended() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        std::fs::write(&path, "{\"process\":1,\"ms").unwrap();
        let start = Start { version: String::new(), flags: Vec::new(), seed: 0 };
        Journal::open(&path, start.clone()).unwrap();
        Journal::open(&path, start).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        assert_eq!(text.lines().count(), 3);
        assert_eq!(entries(text.split_once('\n').unwrap().1).len(), 2);
    }

    #[test]
    fn answers_are_written_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let start = Start { version: String::new(), flags: Vec::new(), seed: 0 };
        let journal = Journal::open(&path, start).unwrap();
        let mut sent = Vec::new();
        let mut out = journal.output(&mut sent, Repeatable::default());
        out.write_all(b"= E5\n\n").unwrap();
        assert_eq!(sent, b"= E5\n\n");
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.ends_with("\"out\":\"= E5\\n\\n\"}\n"), "{text}");
    }
}
