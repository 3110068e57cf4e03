//! The engine as a client sees it: a process with three streams.
//!
//! Every response that passes here is checked for framing: status, id and one space in front (a line
//! feed instead of the space where an analysis streams), two line feeds behind, no blank line
//! inside, nothing else on the stream.

use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The engine's binary.
pub(crate) const BINARY: &str = env!("CARGO_BIN_EXE_keima");

/// How long an answer may take before the engine counts as hanging. Generous: the machine may be
/// busy, and tests of speed have limits of their own.
const PATIENCE: Duration = Duration::from_mins(1);

/// Where the engine's stderr goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stderr {
    /// Thrown away.
    Null,
    /// Into a pipe that nobody reads.
    Unread,
    /// Closed before the engine starts.
    Closed,
}

/// One response, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Response {
    /// Whether the command succeeded.
    pub(crate) is_success: bool,
    /// The digits of the id, as they came.
    pub(crate) id: String,
    /// The text without the line feeds at its end.
    pub(crate) text: String,
    /// Whether it came in pieces: its header ends with a line feed.
    pub(crate) is_stream: bool,
}

/// A running engine. It is killed when the value is dropped.
#[derive(Debug)]
pub(crate) struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    output: Receiver<Vec<u8>>,
    /// Bytes that have come and are no complete response yet.
    pending: Vec<u8>,
}

impl Engine {
    /// Starts the engine with these flags.
    pub(crate) fn start(flags: &[&str]) -> Self {
        Self::start_in(Path::new("."), flags, Stderr::Null)
    }

    /// Starts the engine in a folder.
    pub(crate) fn start_in(folder: &Path, flags: &[&str], stderr: Stderr) -> Self {
        let mut command = if stderr == Stderr::Closed {
            // The standard library cannot close a stream of a child, a shell can.
            let mut shell = Command::new("sh");
            shell.args(["-c", r#"exec "$0" "$@" 2>&-"#, BINARY]);
            shell
        } else {
            Command::new(BINARY)
        };
        command.args(flags).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(if stderr == Stderr::Unread { Stdio::piped() } else { Stdio::null() });
        // Where stderr is under test, much shall go there.
        command.env("RUST_LOG", if stderr == Stderr::Null { "off" } else { "debug" });
        let mut child = command.spawn().expect("the engine starts");
        let stdout = child.stdout.take().expect("stdout is a pipe");
        let stdin = child.stdin.take();
        Self { child, stdin, output: read_in_background(stdout), pending: Vec::new() }
    }

    /// Writes bytes as they are. An engine that has quit need not read them.
    pub(crate) fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        match stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("stdin: {error}"),
            _ => {}
        }
    }

    /// Writes a line.
    pub(crate) fn send(&mut self, line: &str) {
        self.write(format!("{line}\n").as_bytes());
    }

    /// Closes stdin.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the next response.
    pub(crate) fn receive(&mut self) -> Response {
        let response = self.receive_within(PATIENCE).expect("the engine hangs");
        assert!(!response.is_stream, "no space behind the sign: {response:?}");
        response
    }

    /// Waits for the end of a response that is streamed.
    pub(crate) fn receive_stream(&mut self) -> Response {
        let response = self.receive_within(PATIENCE).expect("the engine hangs");
        assert!(response.is_stream, "no stream: {response:?}");
        response
    }

    /// Waits until so many lines of a response that streams have come.
    pub(crate) fn await_lines(&mut self, lines: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.pending.split(|&byte| byte == b'\n').count() <= lines {
            let left = deadline.saturating_duration_since(Instant::now());
            self.pending.extend(self.output.recv_timeout(left).expect("more lines"));
        }
    }

    /// The next response, if it comes in this time.
    pub(crate) fn receive_within(&mut self, patience: Duration) -> Option<Response> {
        let deadline = Instant::now() + patience;
        loop {
            if let Some(end) = self.pending.windows(2).position(|pair| pair == b"\n\n") {
                let rest = self.pending.split_off(end + 2);
                let bytes = std::mem::replace(&mut self.pending, rest);
                return Some(Response::parse(&bytes[..end]));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            match self.output.recv_timeout(left) {
                Ok(bytes) => self.pending.extend(bytes),
                Err(RecvTimeoutError::Timeout) => return None,
                Err(RecvTimeoutError::Disconnected) => {
                    let pending = String::from_utf8_lossy(&self.pending);
                    panic!("the output ends where a response was due, after {pending:?}");
                }
            }
        }
    }

    /// Asserts that no response comes for this long.
    pub(crate) fn expect_silence(&mut self, time: Duration) {
        if let Some(response) = self.receive_within(time) {
            panic!("an answer came too early: {response:?}");
        }
    }

    /// Sends a command and waits for the response.
    pub(crate) fn respond(&mut self, command: &str) -> Response {
        self.send(command);
        self.receive()
    }

    /// The text that answers a command, which has to succeed.
    pub(crate) fn ask(&mut self, command: &str) -> String {
        let response = self.respond(command);
        assert!(response.is_success, "{command} fails: {}", response.text);
        response.text
    }

    /// Waits for the end of the output and of the process. There must be no more responses.
    pub(crate) fn finish(mut self) -> ExitStatus {
        let rest = self.rest();
        assert!(rest.is_empty(), "unexpected output: {:?}", String::from_utf8_lossy(&rest));
        self.child.wait().expect("the engine ends")
    }

    /// Everything that the engine writes until it closes its output.
    pub(crate) fn rest(&mut self) -> Vec<u8> {
        let mut bytes = std::mem::take(&mut self.pending);
        loop {
            match self.output.recv_timeout(PATIENCE) {
                Ok(more) => bytes.extend(more),
                Err(RecvTimeoutError::Disconnected) => return bytes,
                Err(RecvTimeoutError::Timeout) => panic!("the engine does not end"),
            }
        }
    }

    /// Process id, for signals.
    pub(crate) fn process_id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // It has ended already unless a test failed; there is nothing to do about an error.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Response {
    /// Takes a response apart.
    ///
    /// # Panics
    /// If it is not framed as the protocol asks.
    pub(crate) fn parse(bytes: &[u8]) -> Self {
        let text = String::from_utf8(bytes.to_vec()).expect("responses are UTF-8");
        let is_success = text.starts_with('=');
        let frame = |text: &str| {
            let rest = text.strip_prefix(['=', '?'])?;
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            let (id, rest) = rest.split_at(digits);
            // The line feed of a header without lines is one of the two that end the response.
            let is_stream = rest.is_empty() || rest.starts_with('\n');
            let body = if is_stream { rest.trim_start() } else { rest.strip_prefix(' ')? };
            Some((id.to_owned(), body.to_owned(), is_stream))
        };
        let Some((id, text, is_stream)) = frame(&text) else {
            panic!("a badly framed response: {text:?}")
        };
        assert!(!text.contains('\r'), "a carriage return in {text:?}");
        Self { is_success, id, text, is_stream }
    }
}

/// Reads a stream to its end in a thread of its own, so that waiting for it can have a limit.
fn read_in_background(mut stream: ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(count @ 1..) = stream.read(&mut buffer) {
            if sender.send(buffer[..count].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
