//! Commands of KataGo's beside rules, clocks, parameters and analysis.

use std::time::Instant;

use crate::engine::Network;
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
        "the neural network in use, as JSON: an array of one, or of none",
        |session, _| Ok(models(session)),
    ),
    Command::new(
        "kata-benchmark",
        "PLAYOUTS",
        "how fast the position is searched; clocks and game stay as they are",
        benchmark,
    )
    .varying(),
];

/// What KataGo tells of a network, as far as it is the same here.
fn models(session: &mut Session) -> String {
    let about = |network: &Network| {
        serde_json::json!({
            "name": network.name(),
            "internalName": network.name(),
            "maxBatchSize": 1,
            "usesHumanSLProfile": false,
            "usingFP16": "false",
        })
    };
    let models: Vec<_> = session.engine().network().map(about).into_iter().collect();
    serde_json::Value::from(models).to_string()
}

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
