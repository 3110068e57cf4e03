//! Commands that judge the position: score and status.

use crate::board::{Color, Move, Point};
use crate::gtp::args::{Args, points_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;
use crate::rules::LongCycle;
use crate::score::{Status, StatusMap};

pub(super) const COMMANDS: &[Command] = &[
    Command {
        name: "final_score",
        usage: "",
        help: "the result under the rules in force, dead stones lifted: B+3.5, W+12.5, 0, or Void",
        handler: final_score,
    },
    Command {
        name: "final_status_list",
        usage: "alive|seki|dead",
        help: "the stones of that status, one chain a line",
        handler: final_status_list,
    },
    Command {
        name: "final_status",
        usage: "VERTEX",
        help: "the status of a stone: alive, seki or dead",
        handler: final_status,
    },
];

fn final_score(session: &mut Session, _: &Args<'_>) -> Answer {
    let (game, engine) = session.game_and_engine();
    Ok(match game.long_cycle() {
        LongCycle::Void => "Void".to_owned(),
        LongCycle::Draw => "0".to_owned(),
        LongCycle::None => engine.final_score(game).to_string(),
    })
}

fn status(session: &mut Session) -> StatusMap {
    let (game, engine) = session.game_and_engine();
    engine.final_status(game)
}

fn final_status_list(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let wanted = match args.word(0)?.to_ascii_lowercase().as_str() {
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        "dead" => Status::Dead,
        _ => return Err(Failure::syntax()),
    };
    let map = status(session);
    let size = session.size();
    let chains: Vec<(Color, Vec<Point>)> = session.game().board().chains();
    let lines: Vec<String> = chains
        .into_iter()
        .filter(|(_, chain)| chain.first().is_some_and(|&stone| map.at(stone) == wanted))
        .map(|(_, chain)| points_text(size, chain))
        .collect();
    Ok(lines.join("\n"))
}

fn final_status(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let Some(Move::Play(point)) = args.vertex(0)?.on(session.size()) else {
        return Err(Failure::new("invalid coordinate"));
    };
    if session.game().board().stone(point).is_none() {
        return Err(Failure::new("vertex must not be empty"));
    }
    Ok(match status(session).at(point) {
        Status::Alive => "alive",
        Status::Seki => "seki",
        Status::Dead => "dead",
    }
    .to_owned())
}
