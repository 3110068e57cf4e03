//! The Go Text Protocol, version 2, as keima reads it.
//!
//! Flow: `reader` (a thread) -> `line` (grammar) -> `registry` (one table of commands) ->
//! `commands` (handlers on a [`Session`]) -> `response` (the only writer of stdout). A `journal` may
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
//! - `quit` and the end of input let a search finish that they arrived together with.
//! - Pondering, off by default, goes on from our `genmove` to the next line of any command, and
//!   again after commands that leave the game as it is.
//! - A handler that panics answers `internal error`; the state before the command is restored.

mod args;
mod commands;
mod journal;
mod line;
mod reader;
mod recording;
mod registry;
mod replay;
mod response;
mod session;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

pub use journal::{Journal, Start};
pub use line::{Input, Line, parse};
pub use reader::{CUT_AFTER, Event, EventSender, spawn};
pub use recording::{JournalError, Recording};
pub use registry::{Command, table};
pub use replay::{Difference, Outcome, replay};
pub use response::{Answer, Failure};
pub use session::Session;

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
    let mut commands = 0;
    while let Ok(Event::Command(line)) = {
        ponder(session);
        events.recv()
    } {
        stop.take_up();
        commands += 1;
        stop.set_command(commands);
        let answer = execute(session, &line);
        if let Err(failure) = &answer {
            log::debug!("{} {}: {}", line.name, line.rest, failure.text());
        }
        match response::write(out, line.id.as_deref(), &answer) {
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
fn execute(session: &mut Session, line: &Line) -> Answer {
    let Some(command) = registry::find(&line.name) else {
        return Err(registry::unknown(&line.name));
    };
    execute_with(session, line, command.handler)
}

/// Runs the handler of a command. A panic restores the state and becomes a failure.
fn execute_with(session: &mut Session, line: &Line, handler: registry::Handler) -> Answer {
    let args = args::Args::new(&line.args, &line.rest);
    let before = session.snapshot();
    catch_unwind(AssertUnwindSafe(|| handler(session, &args))).unwrap_or_else(|_| {
        session.restore(before);
        log::error!("{} {}: panicked; the state before it is restored", line.name, line.rest);
        Err(Failure::new("internal error"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Color;
    use crate::config::Config;
    use crate::engine::Engine;

    fn session() -> Session {
        let config = Config { threads: 1, seed: Some(1), playouts: Some(50), ..Config::default() };
        Session::new(Engine::new(config).unwrap(), false)
    }

    fn ask(session: &mut Session, text: &str) -> Answer {
        let Input::Command(line) = parse(text.as_bytes()) else { panic!("{text} is no command") };
        execute(session, &line)
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
        let (mut session, mut other) = (session(), session());
        for session in [&mut session, &mut other] {
            for command in ["boardsize 7", "time_settings 60 0 0", "play b D4", "genmove w"] {
                ask(session, command).unwrap();
            }
        }
        // What Black may spend, in whole seconds: the clock runs.
        let allotted = |session: &Session| session.limits(Color::Black).time.map(|t| t.as_secs());
        let before = allotted(&session);
        assert!(before.is_some());
        let answer = execute_with(&mut session, &Line::default(), ruin);
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
