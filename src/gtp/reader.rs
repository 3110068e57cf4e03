//! Standard input as a channel of lines, read by a thread of its own.
//!
//! The thread sees input while a search runs and cuts the search where the protocol wants that
//! (gtp.md 1.5 and 1.6): an analysis at every line; others at `# interrupt` at once, also if it was
//! meant for a command that still waits, and at `quit` and at the end of input only if the search
//! had already run for [`CUT_AFTER`] then, because a script on a pipe delivers its end together
//! with its commands and must not cut every search. All lines are still answered.

use std::io::{BufRead, ErrorKind};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use super::line::{self, Input, Line};
use crate::engine::StopFlag;

/// Age of a search from which `quit` and the end of input cut it.
pub const CUT_AFTER: Duration = Duration::from_millis(100);

/// What reaches the session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// A command to answer.
    Command(Line),
    /// The end of input.
    End,
}

/// Where events come in. Pondering ends for each of them.
#[derive(Clone, Debug)]
pub struct EventSender {
    events: Sender<Event>,
    stop: StopFlag,
}

impl EventSender {
    /// Passes an event on; `false` if the session is gone.
    pub fn send(&self, event: Event) -> bool {
        self.stop.announce();
        self.events.send(event).is_ok()
    }
}

/// Starts the thread that reads commands, and returns the channel with its events and a sender for
/// events of other sources.
///
/// # Errors
/// If the system gives no thread.
pub fn spawn(
    input: impl BufRead + Send + 'static,
    stop: StopFlag,
) -> std::io::Result<(EventSender, Receiver<Event>)> {
    let (events, receiver) = channel();
    let sender = EventSender { events, stop: stop.clone() };
    let reader_sender = sender.clone();
    std::thread::Builder::new()
        .name("reader".to_owned())
        .spawn(move || read(input, &stop, &reader_sender))?;
    Ok((sender, receiver))
}

fn read(mut input: impl BufRead, stop: &StopFlag, events: &EventSender) {
    let mut is_first = true;
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        match input.read_until(b'\n', &mut bytes) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                log::warn!("input ends: {error}");
                break;
            }
        }
        let mark: &[u8] = b"\xef\xbb\xbf";
        let text = if is_first { bytes.strip_prefix(mark).unwrap_or(&bytes) } else { &bytes };
        is_first = false;
        let number = stop.read_line();
        match line::parse(text) {
            Input::Nothing => {}
            Input::Interrupt => stop.interrupt(number),
            Input::Command(mut line) => {
                line.number = number;
                if line.name == "quit" {
                    stop.stop_after(CUT_AFTER);
                }
                if !events.send(Event::Command(line)) {
                    return;
                }
            }
        }
    }
    stop.read_line();
    stop.stop_after(CUT_AFTER);
    // The session may be gone already.
    events.send(Event::End);
}
