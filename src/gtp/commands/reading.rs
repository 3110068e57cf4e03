//! Commands that read out what becomes of chains and dragons, and which chains belong together.

use super::query::stone_arg;
use crate::board::{Board, PointSet};
use crate::engine::{Fate, Goal, Reading, Success, attack, defend, dragon, dragons};
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
    Command::new(
        "dragon_status",
        "[VERTEX]",
        "what becomes of the dragon at a point: alive, dead, unknown, or critical with the move that \
         takes it and the one that saves it; without a point of every dragon, one a line",
        dragon_status,
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

fn dragon_status(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let goal = |board: &Board, stones: PointSet| {
        let owner = board.stone(stones.first()?)?;
        Some(Goal { owner, stones })
    };
    if !args.is_empty() {
        let stone = stone_arg(session, args, 0)?;
        let board = session.game().board();
        let goals: Vec<Goal> = goal(board, dragon(board, stone)).into_iter().collect();
        return Ok(fate_texts(session, &goals).join(""));
    }
    let board = session.game().board();
    let goals: Vec<Goal> = dragons(board).into_iter().filter_map(|d| goal(board, d)).collect();
    let texts = fate_texts(session, &goals);
    let first = |goal: &Goal| goal.stones.first().map(|point| session.size().vertex(point));
    let named = goals.iter().filter_map(first).zip(texts);
    Ok(named.map(|(vertex, text)| format!("{vertex}: {text}")).collect::<Vec<_>>().join("\n"))
}

fn fate_texts(session: &mut Session, goals: &[Goal]) -> Vec<String> {
    let size = session.size();
    let (game, engine) = session.game_and_engine();
    let text = |fate: Fate| match fate {
        Fate::Alive => "alive".to_owned(),
        Fate::Dead => "dead".to_owned(),
        Fate::Critical { attack, defense } => {
            format!("critical {} {}", query_text(size, attack), query_text(size, defense))
        }
        Fate::Unknown => "unknown".to_owned(),
    };
    engine.fates(game, goals).into_iter().map(text).collect()
}
