//! Commands about the engine itself.

use crate::gtp::args::Args;
use crate::gtp::registry::{self, Command};
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("protocol_version", "", "the version of GTP: 2", |_, _| Ok("2".to_owned())),
    Command::new("name", "", "the name of the engine", |session, _| Ok(session.name().to_owned())),
    Command::new("version", "", "the version of the engine", |_, _| {
        Ok(env!("CARGO_PKG_VERSION").to_owned())
    }),
    Command::new(
        "known_command",
        "NAME",
        "whether there is a command of this name: true or false",
        known_command,
    ),
    Command::new("list_commands", "", "all commands, one a line", list_commands),
    Command::new("help", "[NAME]", "what a command does; without a name as list_commands", help),
    Command::new(
        "quit",
        "",
        "ends the session; a search that runs answers with its best move so far",
        |session, _| {
            session.quit();
            Ok(String::new())
        },
    ),
    Command::new("cputime", "", "seconds of processor time that all threads have used", cputime)
        .varying(),
    Command::new("get_random_seed", "", "the seed of the present game", |session, _| {
        Ok(session.engine().seed().to_string())
    }),
    Command::new(
        "set_random_seed",
        "SEED",
        "fixes the seed of this game and of those to come",
        set_random_seed,
    ),
    Command::new(
        "advance_random_seed",
        "N",
        "sets the seed N further, answers with it",
        advance_random_seed,
    ),
    Command::new(
        "level",
        "N",
        "gives each move 25 * 2^N playouts, N from 0 to 20: 10 is about the strength without a clock",
        level,
    ),
    Command::new(
        "clear_cache",
        "",
        "forgets the search tree and the status of stones that earlier commands have found",
        |session, _| {
            session.engine().clear_cache();
            Ok(String::new())
        },
    ),
    Command::new("echo", "[TEXT]", "answers with its arguments", |_, args| {
        Ok(args.rest().to_owned())
    }),
    Command::new("echo_err", "[TEXT]", "as echo, and writes them to the log", |_, args| {
        log::info!("{}", args.rest());
        Ok(args.rest().to_owned())
    }),
];

fn known_command(session: &mut Session, args: &Args<'_>) -> Answer {
    let name = args.word(0).unwrap_or_default();
    let is_known = registry::listed(session.options()).any(|command| command.name == name);
    Ok(is_known.to_string())
}

fn list_commands(session: &mut Session, _: &Args<'_>) -> Answer {
    let names = registry::listed(session.options()).map(|command| command.name);
    Ok(names.collect::<Vec<_>>().join("\n"))
}

fn help(session: &mut Session, args: &Args<'_>) -> Answer {
    let Ok(name) = args.word(0) else { return list_commands(session, args) };
    let command = registry::find(name).ok_or_else(|| registry::unknown(name))?;
    let usage = format!("{} {}", command.name, command.usage);
    let details = command.details.map(|details| format!("\n{}", details())).unwrap_or_default();
    Ok(format!("{}: {}{details}", usage.trim_end(), command.help))
}

fn cputime(_: &mut Session, _: &Args<'_>) -> Answer {
    let time = cpu_time::ProcessTime::try_now()
        .map_err(|_error| Failure::new("no clock of processor time"))?;
    Ok(format!("{:.3}", time.as_duration().as_secs_f64()))
}

fn set_random_seed(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let seed = args.word(0)?.parse().map_err(|_error| Failure::syntax())?;
    session.engine().set_seed(seed);
    Ok(String::new())
}

fn advance_random_seed(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let games: u64 = args.word(0)?.parse().map_err(|_error| Failure::syntax())?;
    let engine = session.engine();
    let seed = engine.seed().wrapping_add(games);
    engine.set_seed(seed);
    Ok(seed.to_string())
}

/// Levels above this would not end.
const LEVEL_MAX: i64 = 20;

fn level(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let level = args.integer(0)?.clamp(0, LEVEL_MAX);
    session.engine().config_mut().playouts = Some(25 << level);
    Ok(String::new())
}
