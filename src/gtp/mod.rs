//! The Go Text Protocol, version 2, as keima reads it.
//!
//! Flow: `reader` (a thread) -> `line` (grammar) -> `registry` (one table of commands) ->
//! `commands` (handlers on a [`Session`]) -> `response` (the only writer of stdout). Beside it,
//! `client` finds out who the controller is, `record` keeps what we thought, and a `journal` may
//! write down both ends; `recording` reads one, `replay` runs it again.
//!
//! Where the draft is silent:
//! - Names are case-sensitive (as GNU Go, KataGo). An id may be glued to the name, a negative
//!   number is no id, a line with an id alone is ignored (as GNU Go).
//! - Extra arguments are a syntax error where they could change the meaning, else ignored.
//! - A well-formed vertex off the board is an illegal move; an unreadable one a syntax error.
//! - `genmove` answers `pass`, `reg_genmove` and the query commands `PASS` (as GNU Go, whose
//!   regression files expect it).
//! - `play` obeys the ko rule in force, superko included, unless `lenient_superko` is on.
//! - An analysis ends with the next line of any kind; one that is waiting already lets it write its
//!   header and its end only.
//! - Trial moves are seen by every command but those of the record (`last_move`, `move_history`,
//!   `printsgf`, `undo`); `popgo` takes what was played on top of one back as well. GNU Go forbids
//!   that.
//! - `quit` and the end of input let a search finish that they arrived together with.
//! - Pondering, off by default, goes on from our `genmove` to the next line of any command, and
//!   again after commands that leave the game as it is.
//! - What the controller sends tells who it is, and that chooses some defaults.
//! - A handler that panics answers `internal error`; the state before the command is restored.

mod args;
mod client;
mod commands;
mod journal;
mod line;
mod reader;
mod record;
mod recording;
mod registry;
mod replay;
mod response;
mod session;
mod trials;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

pub use client::{Client, ClientChoice};
pub use journal::{Journal, Start};
pub use line::{Input, Line, parse};
pub use reader::{CUT_AFTER, Event, EventSender, spawn};
pub use recording::{JournalError, Recording};
use registry::Handler;
pub use registry::{Command, listed, table};
pub use replay::{Difference, Outcome, replay};
use response::Stream;
pub use response::{Answer, Failure};
pub use session::{Options, Session};

/// Target of log lines that programs read from stderr: summaries of searches, graphics. Whoever writes
/// the log must not add to them.
pub const CLIENT_LOG: &str = "client";

/// Answers commands until `quit`, the end of input, or until nobody reads the answers any more.
///
/// # Errors
/// Those of the writer, but for a closed pipe, which is a clean end; or if no thread can be had.
pub fn run(
    session: &mut Session,
    events: &Receiver<Event>,
    out: &mut impl Write,
) -> io::Result<()> {
    let stop = session.engine().stop_flag();
    while let Ok(Event::Command(line)) = {
        ponder(session);
        events.recv()
    } {
        stop.take_up();
        stop.set_command(line.number);
        session.notice(&line);
        let mut stream = Stream::new(out, line.id.as_deref());
        let answer = execute(session, &line, &mut stream);
        if let Err(failure) = &answer {
            log::debug!("{} {}: {}", line.name, line.rest, failure.text());
        }
        match stream.end(&answer) {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => break,
            result => result?,
        }
        if session.is_quit() {
            break;
        }
    }
    Ok(())
}

/// Searches on the opponent's time, if that is wanted, until an event comes in.
fn ponder(session: &mut Session) {
    if catch_unwind(AssertUnwindSafe(|| session.ponder())).is_err() {
        log::error!("pondering panicked; it is off now");
        let engine = session.engine();
        engine.config_mut().ponder = false;
        engine.recover();
    }
}

/// Runs one command.
fn execute(session: &mut Session, line: &Line, stream: &mut Stream<'_>) -> Answer {
    let Some(command) = registry::find(&line.name) else {
        return Err(registry::unknown(&line.name));
    };
    execute_with(session, line, command.handler, stream)
}

/// Runs the handler of a command. A panic restores the state and becomes a failure.
fn execute_with(
    session: &mut Session,
    line: &Line,
    handler: Handler,
    stream: &mut Stream<'_>,
) -> Answer {
    let args = args::Args::new(&line.args, &line.rest);
    let before = session.snapshot();
    let run = AssertUnwindSafe(|| handler.run(session, &args, stream));
    let answer = catch_unwind(run);
    session.drop_lost_trials();
    answer.unwrap_or_else(|_| {
        session.restore(before);
        log::error!("{} {}: panicked; the state before it is restored", line.name, line.rest);
        Err(Failure::new("internal error"))
    })
}

/// Runs a command line in a test.
#[cfg(test)]
fn ask(session: &mut Session, text: &str) -> Answer {
    let Input::Command(line) = parse(text.as_bytes()) else { panic!("{text} is no command") };
    execute(session, &line, &mut Stream::new(&mut Vec::new(), None))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::config::Config;
    use crate::engine::Engine;

    fn session() -> Session {
        let config = Config { threads: 1, seed: Some(1), playouts: Some(50), ..Config::default() };
        Session::new(Engine::new(config).unwrap(), Options::default())
    }

    /// Changes everything that there is, begins a search and panics.
    fn ruin(session: &mut Session, _: &args::Args<'_>) -> Answer {
        for command in ["kata-set-param playout_ko 0.1", "set_random_seed 9", "boardsize 19"] {
            ask(session, command)?;
        }
        for command in ["komi 1", "kgs-rules japanese", "time_settings 1 0 0", "genmove w"] {
            ask(session, command)?;
        }
        let engine = session.engine();
        engine.config_mut().threads = 2;
        engine.stop_flag().begin();
        panic!("a test");
    }

    #[test]
    fn a_panic_changes_nothing() {
        const QUERIES: [&str; 6] = [
            "showboard",
            "move_history",
            "get_komi",
            "kata-get-rules",
            "kata-get-params",
            "get_random_seed",
        ];
        let (mut session, mut other, mut out) = (session(), session(), Vec::new());
        for session in [&mut session, &mut other] {
            for command in ["boardsize 7", "time_settings 60 0 0", "play b D4", "genmove w"] {
                ask(session, command).unwrap();
            }
        }
        // What Black may spend, in whole seconds: the clock runs.
        let allotted = |session: &Session| session.limits(Color::Black).time.map(|t| t.as_secs());
        let before = allotted(&session);
        assert!(before.is_some());
        let stream = &mut Stream::new(&mut out, None);
        let handler = Handler::Plain(ruin);
        let answer = execute_with(&mut session, &Line::default(), handler, stream);
        assert_eq!(answer, Err(Failure::new("internal error")));
        for query in QUERIES {
            assert_eq!(ask(&mut session, query), ask(&mut other, query), "{query}");
        }
        assert_eq!(allotted(&session), before, "the clock is that of before");
        // No search is taken to run, so that a signal at the terminal ends the session.
        assert!(!session.engine().stop_flag().stop_after(std::time::Duration::ZERO));
        // The session lives on, and its games with it.
        for command in ["genmove b", "final_status_list alive", "undo", "genmove b", "final_score"]
        {
            assert!(ask(&mut session, command).is_ok(), "{command}");
        }
    }
}
