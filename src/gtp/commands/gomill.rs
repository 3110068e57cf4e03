//! Gomill's extensions: what its ringmaster asks for, and `gomill-savesgf`.

use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::Answer;
use crate::gtp::session::Session;

use super::params;
use super::play::generate;
use super::sgf::save;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "gomill-explain_last_move",
        "",
        "what keima thought of the move that it chose last; empty before the first",
        |session, _| Ok(session.record().last_remark().to_owned()),
    ),
    Command::new(
        "gomill-describe_engine",
        "",
        "name, version, seed, and all settings that affect play",
        describe,
    ),
    Command::new(
        "gomill-cpu_time",
        "",
        "seconds of processor time that all threads have used to choose moves",
        |session, _| Ok(format!("{:.3}", session.cpu_time().as_secs_f64())),
    )
    .varying(),
    Command::new(
        "gomill-genmove_ex",
        "[COLOR KEYWORD...]",
        "as genmove; with the keyword claim it answers claim in a game that is won whatever the \
         opponent plays; without arguments the keywords that it knows",
        genmove_ex,
    ),
    Command::new(
        "gomill-savesgf",
        "FILE [PROPERTY=VALUE]...",
        "writes the game into FILE, with comments on our moves and these properties of the game; \
         \\_ stands for a space in a value and \\\\ for a backslash",
        save,
    ),
];

/// The one keyword that means something.
const CLAIM: &str = "claim";

fn genmove_ex(session: &mut Session, args: &Args<'_>) -> Answer {
    if args.is_empty() {
        return Ok(CLAIM.to_owned());
    }
    let color = args.color(0)?;
    let may_claim = args.from(1).iter().any(|keyword| keyword == CLAIM);
    let (game, engine) = session.game_and_engine();
    if may_claim && engine.is_won_for_sure(game, color) {
        return Ok(CLAIM.to_owned());
    }
    generate(session, color)
}

fn describe(session: &mut Session, _: &Args<'_>) -> Answer {
    let (name, version) = (session.name().to_owned(), env!("CARGO_PKG_VERSION"));
    let client = session.profile().to_string();
    let rules = format!("{}, komi {}", session.game().rules().to_json(), session.game().komi());
    let engine = session.engine();
    let memory = engine.config().memory;
    let player = match engine.network() {
        Some(network) => format!("net ({})", network.name()),
        None => engine.config().player.name().to_owned(),
    };
    let threads = params::threads_text(engine);
    let lines = [
        format!("{name} {version}"),
        format!("player {player}, {threads}, {memory} MiB, seed {}", engine.seed()),
        format!("rules {rules}"),
        format!("client {client}"),
        format!("parameters {}", params::to_json(engine)?),
    ];
    Ok(lines.join("\n"))
}
