//! Commands that make moves and take them back.

use std::time::Instant;

use crate::board::{Color, ColoredMove, Move};
use crate::engine::Decision;
use crate::gtp::args::{Args, color, move_text, query_text, vertex};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::{Session, make_move};

pub(super) const COMMANDS: &[Command] = &[
    Command::new("play", "COLOR VERTEX", "plays a stone or passes, in turn or not", play),
    Command::new(
        "genmove",
        "COLOR",
        "chooses a move, plays it and answers with it: a vertex, pass or resign",
        genmove,
    ),
    Command::new(
        "reg_genmove",
        "COLOR",
        "answers with the move that genmove would choose, without playing it",
        reg_genmove,
    ),
    Command::new(
        "kgs-genmove_cleanup",
        "COLOR",
        "as genmove, but takes dead stones off before it passes",
        genmove_cleanup,
    ),
    Command::new("undo", "", "takes the last move back", |session, _| undo(session, 1)),
    Command::new(
        "gg-undo",
        "[N]",
        "takes the last N moves back, one by default",
        |session, args| {
            args.at_most(1)?;
            let moves = if args.is_empty() { 1 } else { args.integer(0)? };
            undo(session, usize::try_from(moves).map_err(|_error| Failure::syntax())?)
        },
    ),
    Command::new(
        "gogui-play_sequence",
        "[COLOR VERTEX]...",
        "plays moves one after another, all of them or none",
        play_sequence,
    ),
];

/// The move on the session's board that argument `i` names.
fn move_arg(session: &Session, args: &Args<'_>, i: usize) -> Result<Move, Failure> {
    args.vertex(i)?.on(session.size()).ok_or_else(|| Failure::new("illegal move"))
}

fn play(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let color = args.color(0)?;
    play_at(session, color, args, 1)
}

/// Plays where argument `i` says.
pub(super) fn play_at(session: &mut Session, color: Color, args: &Args<'_>, i: usize) -> Answer {
    // Some tools report a resignation that way; it is no move.
    if !args.word(i)?.eq_ignore_ascii_case("resign") {
        let mv = move_arg(session, args, i)?;
        session.play(ColoredMove { color, mv })?;
    }
    Ok(String::new())
}

fn play_sequence(session: &mut Session, args: &Args<'_>) -> Answer {
    let is_lenient = session.engine().config().lenient_superko;
    let mut game = session.game().clone();
    for pair in args.from(0).chunks(2) {
        let [color_text, vertex_text] = pair else { return Err(Failure::syntax()) };
        let color = color(color_text).ok_or_else(Failure::syntax)?;
        let mv = vertex(vertex_text).ok_or_else(Failure::syntax)?.on(game.size());
        let mv = mv.ok_or_else(|| Failure::new("illegal move"))?;
        make_move(&mut game, ColoredMove { color, mv }, is_lenient)?;
    }
    *session.game_mut() = game;
    Ok(String::new())
}

fn undo(session: &mut Session, moves: usize) -> Answer {
    if moves > session.state().trials.turns_above(session.game()) {
        return Err(Failure::new("cannot undo"));
    }
    session.game_mut().undo_many(moves);
    Ok(String::new())
}

fn genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    generate(session, color)
}

/// Chooses a move for a color and plays it.
pub(super) fn generate(session: &mut Session, color: Color) -> Answer {
    let limits = session.limits(color);
    let start = Instant::now();
    let (game, engine) = session.game_and_engine();
    let (decision, _) = engine.genmove(game, color, limits);
    session.spend(color, start, limits);
    match decision {
        Decision::Resign => Ok("resign".to_owned()),
        Decision::Move(mv) => {
            let answer = commit(session, color, mv);
            session.mark_own_move();
            answer
        }
    }
}

fn genmove_cleanup(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let limits = session.limits(color);
    let start = Instant::now();
    let (game, engine) = session.game_and_engine();
    let mv = engine.genmove_cleanup(game, color, limits);
    session.spend(color, start, limits);
    commit(session, color, mv)
}

/// Plays a move of our own and answers with it.
fn commit(session: &mut Session, color: Color, mv: Move) -> Answer {
    make_move(session.game_mut(), ColoredMove { color, mv }, false)?;
    Ok(move_text(session.size(), mv))
}

fn reg_genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    suggest(session, color)
}

/// Chooses a move for a color without playing it.
pub(super) fn suggest(session: &mut Session, color: Color) -> Answer {
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    let mv = engine.best_move(game, color, limits);
    Ok(query_text(session.size(), mv))
}
