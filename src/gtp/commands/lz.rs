//! Leela Zero's commands beside its analysis.

use crate::analysis;
use crate::engine::Limits;
use crate::gtp::CLIENT_LOG;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::Answer;
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[Command::new(
    "heatmap",
    "",
    "writes to stderr, as Leela Zero does, how likely a good move is on each point before any \
     search, in thousandths; then that of a pass, and the win rate of a short search",
    heatmap,
)];

/// Playouts behind the win rate.
const PLAYOUTS: u64 = 200;

fn heatmap(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(0)?;
    let (size, color) = (session.size(), session.game().to_play());
    let (game, engine) = session.game_and_engine();
    let limits = Limits { playouts: Some(PLAYOUTS), ..Limits::default() };
    let report = engine.report(game, color, limits);
    for line in analysis::heatmap(&report, size) {
        log::info!(target: CLIENT_LOG, "{line}");
    }
    Ok(String::new())
}
