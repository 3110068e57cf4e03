//! Trial moves: GNU Go's stack of moves that are taken back again.

use crate::board::ColoredMove;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "trymove",
        "COLOR VERTEX",
        "plays a stone on trial: every command sees it until popgo or a new game, but last_move, \
               move_history, printsgf and undo, which leave trial moves out",
        |session, args| try_move(session, args, Retake::Barred),
    ),
    Command::new(
        "tryko",
        "COLOR VERTEX",
        "as trymove, but retakes a ko at once",
        |session, args| try_move(session, args, Retake::Allowed),
    ),
    Command::new(
        "popgo",
        "",
        "takes the last trial move back, and what was played after it",
        |session, _| {
            let state = session.state_mut();
            if !state.trials.pop(&mut state.game) {
                return Err(Failure::new("Stack empty."));
            }
            Ok(String::new())
        },
    ),
];

/// Whether ko and superko hold for a trial move.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Retake {
    Barred,
    Allowed,
}

fn try_move(session: &mut Session, args: &Args<'_>, retake: Retake) -> Answer {
    args.at_most(2)?;
    let illegal = || Failure::new("illegal move");
    let (color, vertex) = args.color_and_vertex()?;
    let mv = vertex.on(session.size()).ok_or_else(illegal)?;
    let colored_move = ColoredMove { color, mv };
    match retake {
        Retake::Barred => session.play(colored_move)?,
        Retake::Allowed => {
            session.game_mut().play_over_ko(colored_move).map_err(|_reason| illegal())?;
        }
    }
    let state = session.state_mut();
    state.trials.push(&state.game);
    Ok(String::new())
}
