//! Commands that read and write SGF files.

use std::fs;

use crate::board::Color;
use crate::gtp::args::{Args, VertexArg, vertex};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;
use crate::sgf::{
    Defaults, FileRules, GameInfo, MAX_FILE_BYTES, Stop, Tree, is_move_or_board, to_game, to_text,
};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "loadsgf",
        "FILE [N | VERTEX]",
        "loads the position before move N, or before the first move at VERTEX, or the last",
        loadsgf,
    ),
    Command::new("printsgf", "[FILE]", "the game as SGF, into FILE or as the answer", printsgf),
    Command::new(
        "savesgf",
        "FILE [PROPERTY=VALUE]...",
        "writes the game into FILE, with comments on our moves and these properties of the game",
        save,
    ),
];

fn loadsgf(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let path = args.word(0)?;
    let stop = stop_arg(args)?;
    let refuse = |reason: &dyn std::fmt::Display| {
        log::warn!("{path}: {reason}");
        Failure::new("cannot load file")
    };
    let meta = fs::metadata(path).map_err(|error| refuse(&error))?;
    if !meta.is_file() || meta.len() > MAX_FILE_BYTES {
        return Err(refuse(&format!("no file of at most {MAX_FILE_BYTES} bytes")));
    }
    let bytes = fs::read(path).map_err(|error| refuse(&error))?;
    let tree = Tree::parse(&bytes).map_err(|error| refuse(&error))?;
    let state = session.state_mut();
    let defaults = Defaults {
        rules: state.session_rules,
        rules_win: state.are_rules_chosen,
        komi: state.session_komi,
    };
    let loaded = to_game(&tree, stop, &defaults).map_err(|error| refuse(&error))?;
    if let FileRules::Unknown(name) = &loaded.file_rules {
        log::warn!("{path}: unknown rules {name}; those in force stay");
    }
    state.game = loaded.game;
    state.trials.clear();
    session.record_mut().header = loaded.header;
    Ok(String::new())
}

/// Where to stop: before a move number or before the first move at a vertex.
fn stop_arg(args: &Args<'_>) -> Result<Stop, Failure> {
    let Ok(word) = args.word(1) else { return Ok(Stop::End) };
    match (word.parse(), vertex(word)) {
        (Ok(number), _) => Ok(Stop::BeforeMove(number)),
        _ if word.bytes().all(|b| b.is_ascii_digit()) => Ok(Stop::End),
        (Err(_), Some(VertexArg::Point(vertex))) => Ok(Stop::BeforeVertex(vertex)),
        _ => Err(Failure::syntax()),
    }
}

fn printsgf(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let text = to_text(&session.played_game(), &GameInfo::default());
    match args.word(0) {
        Err(_) | Ok("-") => Ok(text),
        Ok(path) => write(path, text),
    }
}

fn write(path: &str, text: String) -> Answer {
    fs::write(path, text + "\n").map_err(|error| {
        log::warn!("{path}: {error}");
        Failure::new("cannot write file")
    })?;
    Ok(String::new())
}

/// Writes the game with all that is known of it.
pub(super) fn save(session: &mut Session, args: &Args<'_>) -> Answer {
    let path = args.word(0)?;
    let given = args.from(1).iter().map(|word| property_arg(word));
    let given: Vec<(String, String)> = given.collect::<Result<_, _>>()?;
    let (game, record) = (session.played_game(), session.record());
    let mut info = GameInfo {
        date: Some(jiff::Timestamp::now().strftime("%Y-%m-%d").to_string()),
        result: record.result.clone(),
        ..GameInfo::default()
    };
    if let Some(color) = record.own_color() {
        info.names[color] = Some(session.name().to_owned());
        info.names[!color].clone_from(&record.opponent.name);
        let name = if color == Color::Black { "WR" } else { "BR" };
        let rating = record.opponent.rating.clone();
        info.properties.extend(rating.map(|rating| (name.to_owned(), rating)));
    }
    for turn in 1..=game.turns().len() {
        if let Some(remark) = record.remark(&game, turn) {
            info.comments.insert(turn, remark.to_owned());
        }
    }
    // What the game's file says comes before what we know of it, and what is given now before both.
    info.properties.extend(record.header.iter().cloned());
    for (name, value) in given {
        if is_move_or_board(&name) {
            log::warn!("{path}: {name} is written as the game has it");
        } else {
            info.properties.push((name, value));
        }
    }
    write(path, to_text(&game, &info))
}

/// A property and its value, as Gomill writes them: `\_` for a space, `\\` for a backslash.
fn property_arg(word: &str) -> Result<(String, String), Failure> {
    let (name, value) = word.split_once('=').ok_or_else(Failure::syntax)?;
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(Failure::syntax());
    }
    let mut plain = String::new();
    let mut characters = value.chars();
    while let Some(character) = characters.next() {
        plain.push(match character {
            '\\' => match characters.next() {
                Some('_') => ' ',
                Some('\\') => '\\',
                _ => return Err(Failure::syntax()),
            },
            plain => plain,
        });
    }
    Ok((name.to_ascii_uppercase(), plain))
}
