//! Commands that make moves and take them back.

use std::time::Duration;

use crate::analysis;
use crate::board::{Color, ColoredMove, Move, Size};
use crate::engine::{Decision, Limits, Observer, Report, Request};
use crate::gtp::CLIENT_LOG;
use crate::gtp::args::{Args, query_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::{Session, Stopwatch, make_move};

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
        "for the end of a game: as genmove while dead stones are on the board, which it takes off; \
         then a pass",
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
    for (color, vertex) in args.pairs(0)? {
        let mv = vertex.on(game.size()).ok_or_else(|| Failure::new("illegal move"))?;
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
    generate(session, args.color(0)?)
}

/// Chooses a move, makes it and answers with it.
pub(super) fn generate(session: &mut Session, color: Color) -> Answer {
    let (start, limits) = (Stopwatch::start(), session.limits(color));
    let request = Request::new(color, limits);
    let chosen = if session.profile().live_graphics {
        let size = session.size();
        let (game, engine) = session.game_and_engine();
        let mut show = |report: &Report| {
            draw(&analysis::gfx(report, size));
            true
        };
        let mut observer =
            Observer { interval: Some(DRAW_EVERY), wants_move_owners: false, show: &mut show };
        let chosen = engine.genmove(game, request.observed(&mut observer));
        draw(&["CLEAR".to_owned()]);
        chosen
    } else {
        let (game, engine) = session.game_and_engine();
        engine.genmove(game, request)
    };
    make(session, chosen, start, limits)
}

/// How often searches are drawn.
const DRAW_EVERY: Duration = Duration::from_millis(200);

/// Draws on GoGui's board. It takes the lines up to an empty one as one picture.
fn draw(lines: &[String]) {
    log::info!(target: CLIENT_LOG, "gogui-gfx:");
    for line in lines {
        log::info!(target: CLIENT_LOG, "{line}");
    }
    log::info!(target: CLIENT_LOG, "");
}

/// Carries out what was chosen since `start`, and answers with it.
pub(super) fn make(
    session: &mut Session,
    (decision, report): (Decision, Report),
    start: Stopwatch,
    limits: Limits,
) -> Answer {
    let color = report.color;
    session.spend(color, start, limits);
    session.remember(report, decision);
    carry_out(session, color, decision)
}

fn carry_out(session: &mut Session, color: Color, decision: Decision) -> Answer {
    if let Decision::Move(mv) = decision {
        make_move(session.game_mut(), ColoredMove { color, mv }, false)?;
        session.mark_own_move();
    }
    Ok(decision_text(session.size(), decision))
}

/// The text of a decision.
pub(super) fn decision_text(size: Size, decision: Decision) -> String {
    match decision {
        Decision::Resign => "resign".to_owned(),
        Decision::Move(mv) => size.move_text(mv),
    }
}

fn genmove_cleanup(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color(0)?;
    let limits = session.limits(color);
    let start = Stopwatch::start();
    let (game, engine) = session.game_and_engine();
    let mv = engine.genmove_cleanup(game, color, limits);
    session.spend(color, start, limits);
    carry_out(session, color, Decision::Move(mv))
}

fn reg_genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    suggest(session, args.color(0)?)
}

/// Chooses a move for a color without playing it.
pub(super) fn suggest(session: &mut Session, color: Color) -> Answer {
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    // The answer must not depend on what was asked before (gtp.md 1.7).
    let seed = engine.seed();
    let (mv, report) = engine.best_move_by_seed(game, Request::new(color, limits), seed);
    session.remember_analysis(report);
    Ok(query_text(session.size(), mv))
}
