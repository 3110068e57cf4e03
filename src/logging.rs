//! The log: `env_logger` into a bounded queue that a thread writes to stderr or to a file.
//!
//! A GUI that does not read stderr must never block the search, so a full queue drops lines and
//! counts them. No line starts with `=`, `?`, `info`, `play` or `komi=`, and none holds ` -> `: one GUI
//! reads stderr and stdout as one stream. Panics are logged too, for the same reasons. Lines under the
//! target [`CLIENT_LOG`] are read by programs: they are written as they are, always to stderr, whatever
//! `RUST_LOG` says.

use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use anyhow::Context;
use keima::gtp::CLIENT_LOG;
use log::LevelFilter;

/// Lines that wait for the writer.
const QUEUE_LINES: usize = 1000;
/// How long the end of the program waits for a reader of stderr.
const FINISH_WAIT: Duration = Duration::from_millis(200);

/// The running log.
pub(crate) struct Log {
    end: SyncSender<Message>,
    done: Receiver<()>,
}

enum Message {
    Line(Vec<u8>),
    /// A line for programs.
    ClientLine(Vec<u8>),
    End,
}

/// Marks a line for programs on its way through `env_logger`; no text holds it.
const CLIENT_MARK: u8 = 1;

/// Starts the log; `RUST_LOG` chooses what it shows, by default all from `info` on.
///
/// # Errors
/// If the file cannot be written or there is no thread to be had.
pub(crate) fn start(file: Option<&PathBuf>) -> anyhow::Result<Log> {
    let target: Box<dyn Write + Send> = match file {
        None => Box::new(io::stderr()),
        Some(path) => {
            let file = File::options().create(true).append(true).open(path);
            Box::new(file.with_context(|| format!("cannot write {}", path.display()))?)
        }
    };
    let (sender, lines) = sync_channel(QUEUE_LINES);
    let (done_sender, done) = sync_channel(1);
    let dropped = Arc::new(AtomicU64::new(0));
    let queue = Queue { sender: sender.clone(), dropped: dropped.clone(), line: Vec::new() };
    std::thread::Builder::new()
        .name("log".to_owned())
        .spawn(move || {
            drain(target, &lines, &dropped);
            // The program may have ended without waiting.
            let _ = done_sender.send(());
        })
        .context("cannot start the log")?;
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("info"))
        .filter_module(CLIENT_LOG, LevelFilter::Info)
        .target(env_logger::Target::Pipe(Box::new(queue)))
        // Otherwise marks are taken out like colors.
        .write_style(env_logger::WriteStyle::Always)
        .format(|out, record| {
            if record.target() == CLIENT_LOG {
                out.write_all(&[CLIENT_MARK])?;
                return writeln!(
                    out,
                    "{}",
                    record.args().to_string().replace(char::is_control, " ")
                );
            }
            let (level, module) = (record.level(), record.module_path().unwrap_or("keima"));
            writeln!(out, "[{level} {module}] {}", harmless(&record.args().to_string()))
        })
        .init();
    std::panic::set_hook(Box::new(|panic| {
        let thread = std::thread::current();
        log::error!("thread {}: {panic}", thread.name().unwrap_or("without name"));
    }));
    Ok(Log { end: sender, done })
}

/// A text on one line: those of files and commands must not forge lines of their own, nor the arrow
/// that some GUIs read as an analysis.
pub(crate) fn harmless(text: &str) -> String {
    // What stands before the text ends in a space, and arrows may follow each other.
    text.replace(char::is_control, " ").replace("-> ", "to ")
}

impl Log {
    /// Writes what is queued, as long as somebody reads it.
    pub(crate) fn finish(self) {
        if self.end.try_send(Message::End).is_ok() {
            // A reader that does not read must not keep the program alive.
            let _ = self.done.recv_timeout(FINISH_WAIT);
        }
    }
}

/// Writes lines as they come. Errors are ignored: there is nowhere to report them.
fn drain(mut target: Box<dyn Write + Send>, lines: &Receiver<Message>, dropped: &AtomicU64) {
    loop {
        let _ = match lines.recv() {
            Ok(Message::Line(line)) => target.write_all(&line),
            Ok(Message::ClientLine(line)) => io::stderr().write_all(&line),
            Ok(Message::End) | Err(_) => return,
        };
        let lost = dropped.swap(0, Ordering::Relaxed);
        if lost > 0 {
            let _ = writeln!(target, "[WARN keima] {lost} lines of this log were dropped");
        }
        let _ = target.flush();
    }
}

/// The end of the queue that `env_logger` writes to.
struct Queue {
    sender: SyncSender<Message>,
    dropped: Arc<AtomicU64>,
    line: Vec<u8>,
}

impl Write for Queue {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.line.extend_from_slice(bytes);
        if bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.line.is_empty() {
            let line = std::mem::take(&mut self.line);
            let line = match line.split_first() {
                Some((&CLIENT_MARK, line)) => Message::ClientLine(line.to_vec()),
                _ => Message::Line(line),
            };
            if let Err(TrySendError::Full(_)) = self.sender.try_send(line) {
                self.dropped.fetch_add(1, Ordering::Relaxed);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::harmless;

    #[test]
    fn no_text_forges_a_line() {
        assert_eq!(harmless("x\n= hacked\n\nD4 -> 3"), "x = hacked  D4 to 3");
        for text in ["-> D4", "D4 -> -> 3", "D4 ->\n3", "D4\t->\r3", " -> "] {
            let line = format!("[INFO] {}", harmless(text));
            assert!(!line.contains(" -> ") && !line.contains('\n'), "{line:?}");
        }
    }
}
