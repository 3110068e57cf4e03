//! Commands of KataGo's beside rules, clocks, parameters and analysis.

use std::time::Instant;

use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

use super::params::threads_text;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("stop", "", "ends pondering until the next move", |session, _| {
        session.stop_pondering();
        Ok(String::new())
    }),
    Command::new(
        "kata-get-models",
        "",
        "the neural networks in use, as JSON: an empty array, since keima plays without any",
        |_, _| Ok("[]".to_owned()),
    ),
    Command::new(
        "kata-benchmark",
        "PLAYOUTS",
        "how fast the position is searched; clocks and game stay as they are",
        benchmark,
    )
    .varying(),
];

fn benchmark(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let playouts = args.word(0)?.parse().ok().filter(|&playouts| playouts > 0);
    let playouts = playouts.ok_or_else(Failure::syntax)?;
    let (game, engine) = session.game_and_engine();
    let start = Instant::now();
    let report = engine.benchmark(game, playouts);
    let (seconds, playouts) = (start.elapsed().as_secs_f64(), report.playouts);
    let speed = playouts as f64 / seconds.max(1e-9);
    let threads = threads_text(engine);
    Ok(format!("{playouts} playouts in {seconds:.2} s on {threads}: {speed:.0} a second"))
}
