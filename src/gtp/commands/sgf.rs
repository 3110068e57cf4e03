//! Commands that read and write SGF files.

use std::fs;

use crate::gtp::args::{Args, VertexArg, vertex};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;
use crate::sgf::{Defaults, FileRules, GameInfo, Stop, Tree, to_game, to_text};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "loadsgf",
        "FILE [N | VERTEX]",
        "loads the position before move N, or before the first move at VERTEX, or the last",
        loadsgf,
    ),
    Command::new("printsgf", "[FILE]", "the game as SGF, into FILE or as the answer", printsgf),
];

/// Larger files are no game records; a pipe or device would never end.
const MAX_FILE_BYTES: u64 = 16 << 20;

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
        komi: state.game.komi(),
    };
    let loaded = to_game(&tree, stop, &defaults).map_err(|error| refuse(&error))?;
    if let FileRules::Unknown(name) = &loaded.file_rules {
        log::warn!("{path}: unknown rules {name}; those in force stay");
    }
    state.game = loaded.game;
    state.trials.clear();
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
    let text = to_text(&session.record(), &GameInfo::default());
    match args.word(0) {
        Err(_) | Ok("-") => Ok(text),
        Ok(path) => {
            fs::write(path, text + "\n").map_err(|error| {
                log::warn!("{path}: {error}");
                Failure::new("cannot write file")
            })?;
            Ok(String::new())
        }
    }
}
