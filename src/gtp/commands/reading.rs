//! Commands that read fights out: of a chain, of a dragon.

use super::query::stone_arg;
use crate::engine::{DragonStatus, Reading, Success, attack, defend, dragon};
use crate::gtp::args::{Args, query_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "attack",
        "VERTEX",
        "how the opponent, moving first, captures the chain at a point: 0 if he cannot, else a code \
         and his move; the code is 1 without condition, 2 if it takes a ko in which the owner needs \
         the first threat, 3 if he needs it himself",
        |session, args| {
            let stone = stone_arg(session, args, 0)?;
            Ok(reading_text(session, attack(session.game().board(), stone)))
        },
    ),
    Command::new(
        "defend",
        "VERTEX",
        "how the owner, moving first, saves the chain at a point: as attack; 1 PASS if it needs no \
         move",
        |session, args| {
            let stone = stone_arg(session, args, 0)?;
            Ok(reading_text(session, defend(session.game().board(), stone)))
        },
    ),
    Command::new(
        "dragon_status",
        "VERTEX",
        "what playouts with either side moving first make of the group at a point: alive, dead, or \
         critical with the moves that kill and save it",
        dragon_status,
    ),
    Command::new(
        "same_dragon",
        "VERTEX VERTEX",
        "whether nobody can cut two stones apart: 1 or 0",
        same_dragon,
    ),
];

fn reading_text(session: &Session, reading: Option<Reading>) -> String {
    let Some(Reading { success, mv }) = reading else { return "0".to_owned() };
    let code = match success {
        Success::Unconditional => 1,
        Success::Ko => 2,
        Success::KoThreat => 3,
    };
    format!("{code} {}", query_text(session.size(), mv))
}

fn dragon_status(session: &mut Session, args: &Args<'_>) -> Answer {
    let stone = stone_arg(session, args, 0)?;
    let (game, engine) = session.game_and_engine();
    let status = engine.dragon_status(game, stone);
    let size = session.size();
    match status {
        None => Err(Failure::new("vertex must not be empty")),
        Some(DragonStatus::Alive) => Ok("alive".to_owned()),
        Some(DragonStatus::Dead) => Ok("dead".to_owned()),
        Some(DragonStatus::Critical { attack, defense }) => {
            Ok(format!("critical {} {}", query_text(size, attack), query_text(size, defense)))
        }
    }
}

fn same_dragon(session: &mut Session, args: &Args<'_>) -> Answer {
    let (one, other) = (stone_arg(session, args, 0)?, stone_arg(session, args, 1)?);
    let is_same = dragon(session.game().board(), one).contains(other);
    Ok(u8::from(is_same).to_string())
}
