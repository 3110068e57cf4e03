//! Commands of the clock.

use std::time::Duration;

use crate::engine::TimeSettings;
use crate::gtp::args::Args;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "time_settings",
        "MAIN BYO STONES",
        "main time, then periods of BYO seconds for STONES moves each; 0 T 1 gives T \
               seconds a move, no stones or only zeros mean no limit",
        time_settings,
    ),
    Command::new(
        "time_left",
        "COLOR SECONDS STONES",
        "what a side has left on its clock: in main time if STONES is 0",
        time_left,
    ),
];

fn time_settings(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(3)?;
    let settings = TimeSettings::from_gtp(args.float(0)?, args.float(1)?, args.float(2)?);
    session.state_mut().clock.set(settings.ok_or_else(Failure::syntax)?);
    Ok(String::new())
}

fn time_left(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(3)?;
    let color = args.color(0)?;
    let seconds = args.float(1)?.clamp(0.0, 3.2e9);
    let stones = args.float(2)?;
    if stones < 0.0 {
        return Err(Failure::syntax());
    }
    let time = Duration::from_secs_f64(seconds);
    session.state_mut().clock.set_left(color, time, stones.min(1e6) as u32);
    Ok(String::new())
}
