//! Commands about the engine itself.

use crate::gtp::args::Args;
use crate::gtp::registry::{self, Command};
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "protocol_version",
        usage: "",
        help: "the version of GTP: 2",
        handler: |_, _| Ok("2".to_owned()),
    },
    Command {
        name: "name",
        usage: "",
        help: "the name of the engine",
        handler: |_, _| Ok("keima".to_owned()),
    },
    Command {
        name: "version",
        usage: "",
        help: "the version of the engine",
        handler: |_, _| Ok(env!("CARGO_PKG_VERSION").to_owned()),
    },
    Command {
        name: "known_command",
        usage: "NAME",
        help: "whether there is a command of this name: true or false",
        handler: known_command,
    },
    Command {
        name: "list_commands",
        usage: "",
        help: "all commands, one a line",
        handler: list_commands,
    },
    Command {
        name: "help",
        usage: "[NAME]",
        help: "what a command does; without a name as list_commands",
        handler: help,
    },
    Command {
        name: "quit",
        usage: "",
        help: "ends the session; a search that runs answers with its best move so far",
        handler: |session, _| {
            session.quit();
            Ok(String::new())
        },
    },
    Command {
        name: "cputime",
        usage: "",
        help: "seconds of processor time that all threads have used",
        handler: cputime,
    },
    Command {
        name: "get_random_seed",
        usage: "",
        help: "the seed of the present game",
        handler: |session, _| Ok(session.engine().seed().to_string()),
    },
    Command {
        name: "set_random_seed",
        usage: "SEED",
        help: "fixes the seed of this game and of those to come",
        handler: set_random_seed,
    },
    Command {
        name: "echo",
        usage: "[TEXT]",
        help: "answers with its arguments",
        handler: |_, args| Ok(args.rest().to_owned()),
    },
];

fn known_command(_: &mut Session, args: &Args<'_>) -> Answer {
    let is_known = args.word(0).is_ok_and(|name| registry::find(name).is_some());
    Ok(is_known.to_string())
}

fn list_commands(_: &mut Session, _: &Args<'_>) -> Answer {
    Ok(registry::table().map(|command| command.name).collect::<Vec<_>>().join("\n"))
}

fn help(session: &mut Session, args: &Args<'_>) -> Answer {
    let Ok(name) = args.word(0) else { return list_commands(session, args) };
    let command = registry::find(name).ok_or_else(|| registry::unknown(name))?;
    let usage = format!("{} {}", command.name, command.usage);
    Ok(format!("{}: {}", usage.trim_end(), command.help))
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
