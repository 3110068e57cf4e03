//! The Go Text Protocol, version 2, as keima reads it.
//!
//! Flow: `reader` (a thread) -> `line` (grammar) -> `registry` (one table of commands) ->
//! `commands` (handlers on a [`Session`]) -> `response` (the only writer of stdout).
//!
//! Where the draft is silent:
//! - Names are case-sensitive (as GNU Go, KataGo). An id may be glued to the name, a negative
//!   number is no id, a line with an id alone is ignored (as GNU Go).
//! - Extra arguments are a syntax error where they could change the meaning, else ignored.
//! - A well-formed vertex off the board is an illegal move; an unreadable one a syntax error.
//! - `genmove` answers `pass`, `reg_genmove` and the query commands `PASS` (as GNU Go, whose
//!   regression files expect it).
//! - `play` obeys the ko rule in force, superko included, unless `lenient_superko` is on.
//! - Trial moves are seen by every command but those of the record (`last_move`, `move_history`,
//!   `printsgf`, `undo`); `popgo` takes what was played on top of one back as well. GNU Go forbids
//!   that.
//! - `quit` and the end of input let a search finish that they arrived together with.
//! - Pondering, off by default, goes on from our `genmove` to the next line of any command, and
//!   again after commands that leave the game as it is.
//! - A handler that panics answers `internal error`; the state before the command is restored.

mod args;
mod commands;
mod line;
mod reader;
mod registry;
mod response;
mod session;
mod trials;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Receiver;

pub use line::{Input, Line, parse};
pub use reader::{CUT_AFTER, Event, EventSender, spawn};
pub use registry::{Command, table};
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
    // A GUI waits for this line before it sends anything.
    log::info!("GTP ready");
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
        session.engine().config_mut().ponder = false;
    }
}

/// Runs one command. A panic restores the state and becomes a failure.
fn execute(session: &mut Session, line: &Line) -> Answer {
    let Some(command) = registry::find(&line.name) else {
        return Err(registry::unknown(&line.name));
    };
    let args = args::Args::new(&line.args, &line.rest);
    let before = session.state().clone();
    let answer = catch_unwind(AssertUnwindSafe(|| (command.handler)(session, &args)));
    session.drop_lost_trials();
    answer.unwrap_or_else(|_| {
        session.restore(before);
        log::error!("{} {}: panicked; the state before it is restored", line.name, line.rest);
        Err(Failure::new("internal error"))
    })
}
