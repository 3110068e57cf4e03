//! What the last search found, in the forms of GoGui's analyze menu. They answer for the position
//! that was searched, and still after the move that was made then; else there is nothing to show.

use crate::analysis;
use crate::board::{Move, Size};
use crate::engine::Report;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::Answer;
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "keima-last_search",
        "",
        "the best moves of the last search with win rate, score and visits",
        |session, _| Ok(show(session, analysis::table).unwrap_or_else(|| NO_SEARCH.to_owned())),
    ),
    Command::new(
        "keima-best_moves",
        "",
        "graphics of the last search: the expected moves, squares by visits, a line about the best",
        |session, _| {
            let graphics = show(session, |report, size| analysis::gfx(report, size).join("\n"));
            Ok(graphics.unwrap_or_else(|| format!("TEXT {NO_SEARCH}")))
        },
    ),
    Command::new(
        "keima-win_rates",
        "",
        "the moves of the last search with their win rates in percent: points and numbers",
        |session, _| Ok(show(session, analysis::win_rates).unwrap_or_default()),
    ),
    Command::new(
        "keima-visits",
        "",
        "the moves of the last search with their visits: points and numbers",
        |session, _| Ok(show(session, analysis::visits).unwrap_or_default()),
    ),
    Command::new(
        "keima-pv",
        "COLOR",
        "the moves that the last search expects from here if this color moves first",
        variation,
    ),
];

const NO_SEARCH: &str = "no search of this position";

fn show(session: &Session, text: fn(&Report, Size) -> String) -> Option<String> {
    let (report, _) = session.last_search()?;
    Some(text(report, session.size()))
}

fn variation(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let color = args.color(0)?;
    let Some((report, made)) = session.last_search() else { return Ok(String::new()) };
    let steps = report.best().map(|best| &best.variation[..]).unwrap_or_default();
    let expected: Vec<Move> = steps.iter().map(|step| step.mv).collect();
    let rest: &[Move] = match (made, &expected[..]) {
        (None, all) if color == report.color => all,
        (Some(made), [first, rest @ ..]) if made == *first && color == !report.color => rest,
        _ => &[],
    };
    let size = session.size();
    Ok(rest.iter().map(|&mv| size.move_text(mv)).collect::<Vec<_>>().join(" "))
}
