//! Commands that read out what becomes of a chain, and which chains belong together.

use super::query::stone_arg;
use crate::engine::{Reading, Success, attack, defend, dragon};
use crate::gtp::args::{Args, query_text};
use crate::gtp::registry::Command;
use crate::gtp::response::Answer;
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

fn same_dragon(session: &mut Session, args: &Args<'_>) -> Answer {
    let (one, other) = (stone_arg(session, args, 0)?, stone_arg(session, args, 1)?);
    let is_same = dragon(session.game().board(), one).contains(other);
    Ok(u8::from(is_same).to_string())
}
