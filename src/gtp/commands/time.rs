//! Commands of the clock.

use std::time::Duration;

use crate::engine::{TimeSettings, count, seconds};
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "time_settings",
        "MAIN BYO STONES",
        "main time, then periods of BYO seconds for STONES moves each; 0 T 1 gives T seconds a \
         move, no stones or only zeros mean no limit",
        time_settings,
    ),
    Command::new(
        "kgs-time_settings",
        "none | absolute M | byoyomi M T PERIODS | canadian M T STONES",
        "the time system by name; times are in seconds",
        named_settings,
    ),
    Command::new(
        "kata-time_settings",
        "none | absolute M | byoyomi M T PERIODS | canadian M T STONES | fischer M INC | \
         fischer-capped M INC LIMIT MOVE_MAX",
        "as kgs-time_settings, with Fischer clocks; a LIMIT or MOVE_MAX of -1 means none",
        named_settings,
    ),
    Command::new(
        "kata-list_time_settings",
        "",
        "the time systems of kata-time_settings",
        |_, _| Ok("none absolute byoyomi canadian fischer fischer-capped".to_owned()),
    ),
    Command::new(
        "time_left",
        "COLOR SECONDS STONES",
        "what a side has left on its clock: in main time if STONES is 0, else in its period; \
         under byo-yomi STONES is the number of periods",
        time_left,
    ),
    Command::new(
        "time_lastmove",
        "",
        "seconds that the last move of the engine's own took",
        |session, _| Ok(format!("{:.2}", session.last_move_time().as_secs_f64())),
    ),
];

fn time_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(3)?;
    let settings = TimeSettings::from_gtp(args.float(0)?, args.float(1)?, args.float(2)?);
    session.state_mut().clock.set(settings.ok_or_else(Failure::syntax)?);
    Ok(String::new())
}

fn named_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    let time = |i| seconds(args.float(i)?).ok_or_else(Failure::syntax);
    let number = |i| count(args.float(i)?).ok_or_else(Failure::syntax);
    // A negative bound is none.
    let bound = |i| Ok(seconds(args.float(i)?).unwrap_or(TimeSettings::FOREVER));
    let settings = match args.word(0)?.to_ascii_lowercase().as_str() {
        "none" => TimeSettings::Unlimited,
        "absolute" => TimeSettings::Canadian { main: time(1)?, byo: Duration::ZERO, stones: 0 },
        "byoyomi" => {
            TimeSettings::ByoYomi { main: time(1)?, period: time(2)?, periods: number(3)?.max(1) }
        }
        "canadian" => TimeSettings::Canadian { main: time(1)?, byo: time(2)?, stones: number(3)? },
        "fischer" => fischer(time(1)?, time(2)?, TimeSettings::FOREVER, TimeSettings::FOREVER),
        "fischer-capped" => fischer(time(1)?, time(2)?, bound(3)?, bound(4)?),
        _ => return Err(Failure::syntax()),
    };
    session.state_mut().clock.set(settings);
    Ok(String::new())
}

fn fischer(
    main: Duration,
    increment: Duration,
    limit: Duration,
    move_max: Duration,
) -> TimeSettings {
    TimeSettings::Fischer { main, increment, limit, move_max }
}

fn time_left(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(3)?;
    let color = args.color(0)?;
    // A clock that has run out may be told as a negative time.
    let time = seconds(args.float(1)?.max(0.0)).ok_or_else(Failure::syntax)?;
    let stones = count(args.float(2)?).ok_or_else(Failure::syntax)?;
    session.state_mut().clock.set_left(color, time, stones);
    Ok(String::new())
}

#[cfg(test)]
mod tests {
    use crate::config::Config;
    use crate::engine::Engine;
    use crate::gtp::{self, Options, Session};

    fn ask(session: &mut Session, command: &str) {
        assert_eq!(gtp::ask(session, command), Ok(String::new()), "{command}");
    }

    /// Some bridges repeat the settings before every move (gtp.md 2.9).
    #[test]
    fn equal_settings_leave_the_clocks() {
        let config = Config { threads: 1, memory: 2, ..Config::default() };
        let mut session = Session::new(Engine::new(config).unwrap(), Options::default());
        for (settings, same) in [
            ("time_settings 300 0 0", "kgs-time_settings absolute 300"),
            ("time_settings 60 10 5", "kata-time_settings canadian 60 10 5"),
            ("kgs-time_settings byoyomi 60 10 5", "kata-time_settings byoyomi 60 10.0 5"),
            (
                "kata-time_settings fischer-capped 60 5 120 -1",
                "kata-time_settings fischer-capped 60 5 120 -1",
            ),
        ] {
            ask(&mut session, settings);
            let full = session.state().clock;
            ask(&mut session, "time_left b 7 0");
            ask(&mut session, "time_left w 8 0");
            let told = session.state().clock;
            assert_ne!(told, full);
            ask(&mut session, same);
            assert_eq!(session.state().clock, told, "{same}");
            ask(&mut session, "clear_board");
            assert_eq!(session.state().clock, full, "{settings}");
        }
    }
}
