//! Commands that ask for moves without making them: for regression suites.
//!
//! The values of moves are win rates in percent of the side that moves, in the order of the search,
//! which goes by visits; GNU Go's are points.

use super::play::suggest;
use crate::board::{Color, Move, PointSet};
use crate::engine::{Report, Request, Restrictions};
use crate::gtp::args::{Args, query_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("reg_genmove_toplay", "", "as reg_genmove, for the side to move", |session, _| {
        suggest(session, session.game().to_play())
    }),
    Command::new(
        "gg_genmove",
        "COLOR [SEED]",
        "as reg_genmove; with a seed from a fresh search by that seed",
        gg_genmove,
    ),
    Command::new(
        "restricted_genmove",
        "COLOR VERTEX...",
        "as reg_genmove, but only one of these points or PASS",
        restricted_genmove,
    ),
    Command::new(
        "top_moves",
        "",
        "up to ten moves of the side to move, each with its win rate in percent, best first",
        |session, _| top_moves(session, session.game().to_play()),
    ),
    Command::new("top_moves_black", "", "as top_moves, for Black", |session, _| {
        top_moves(session, Color::Black)
    }),
    Command::new("top_moves_white", "", "as top_moves, for White", |session, _| {
        top_moves(session, Color::White)
    }),
    Command::new(
        "all_move_values",
        "",
        "all moves that the search has looked at for the side to move, one a line, as top_moves",
        |session, _| {
            let report = report(session, session.game().to_play());
            Ok(values(session, &report).join("\n"))
        },
    ),
];

fn gg_genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let color = args.color_of_query()?;
    let Ok(seed) = args.word(1) else { return suggest(session, color) };
    let seed = seed.parse().map_err(|_error| Failure::syntax())?;
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    let (mv, _) = engine.best_move_by_seed(game, Request::new(color, limits), seed);
    Ok(query_text(session.size(), mv))
}

fn restricted_genmove(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color_of_query()?;
    let size = session.size();
    let points: Result<PointSet, Failure> = (1..args.len()).map(|i| args.point(i, size)).collect();
    let points = points?;
    if !points.iter().any(|point| session.game().is_legal(point, color)) {
        return Err(Failure::new("no allowed vertex"));
    }
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    let request = Request::new(color, limits).restricted(Restrictions::only(color, points));
    let (mv, _) = engine.best_move(game, request);
    Ok(query_text(size, mv))
}

fn report(session: &mut Session, color: Color) -> Report {
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    engine.report(game, color, limits)
}

/// Each play of a report with its win rate.
fn values(session: &Session, report: &Report) -> Vec<String> {
    let plays = report.candidates.iter().filter(|candidate| candidate.mv != Move::Pass);
    let size = session.size();
    plays
        .map(|play| format!("{} {:.2}", query_text(size, play.mv), 100.0 * play.win_rate))
        .collect()
}

fn top_moves(session: &mut Session, color: Color) -> Answer {
    let report = report(session, color);
    let mut values = values(session, &report);
    values.truncate(10);
    Ok(values.join(" "))
}
