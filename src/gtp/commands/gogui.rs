//! GoGui's extensions.

use std::fmt::Write as _;

use crate::gtp::args::Args;
use crate::gtp::client::ClientChoice;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "gogui-interrupt",
        "",
        "does nothing: tells that the comment \"# interrupt\" ends a search early",
        |_, _| Ok(String::new()),
    ),
    Command::new(
        "gogui-analyze_commands",
        "",
        "the commands that GoGui offers in its analyze menu",
        |_, _| Ok(ANALYZE_COMMANDS.join("\n")),
    ),
    Command::new(
        "gogui-param_game",
        "[NAME VALUE]",
        "shows or sets allow_resign, lenient_superko (play accepts superko repeats), \
               infer_handicap (Black's first plays in a row earn White the bonus), ponder \
               (search on the opponent's time) and client (whose defaults are used)",
        param_game,
    ),
    Command::new(
        "keima-ownership",
        "",
        "who owns each point in playouts: 1 Black, -1 White; rows from the top",
        ownership,
    ),
];

/// Type, label and command of each line; a slash must not occur elsewhere.
const ANALYZE_COMMANDS: &[&str] = &[
    "dboard/Ownership/keima-ownership",
    "plist/Dead Stones/final_status_list dead",
    "plist/Seki Stones/final_status_list seki",
    "string/Final Score/final_score",
    "plist/Legal Moves/all_legal %m",
    "string/Move Suggestion/reg_genmove %m",
    "plist/Liberties/findlib %p",
    "string/Show Board/showboard",
    "string/Move History/move_history",
    "param/Game Parameters/gogui-param_game",
    "param/Search Parameters/gogui-param_search",
    "param/Playout Parameters/gogui-param_playout",
];

fn param_game(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let client = session.client_choice();
    let config = session.engine().config_mut();
    let params = [
        ("allow_resign", &mut config.allow_resign),
        ("lenient_superko", &mut config.lenient_superko),
        ("infer_handicap", &mut config.infer_handicap),
        ("ponder", &mut config.ponder),
    ];
    if args.is_empty() {
        let mut lines =
            params.map(|(name, value)| format!("[bool] {name} {}", u8::from(*value))).to_vec();
        let clients: Vec<&str> = ClientChoice::names().collect();
        lines.push(format!("[list/{}] client {client}", clients.join("/")));
        return Ok(lines.join("\n"));
    }
    let wanted = args.word(0)?;
    if wanted == "client" {
        session.choose_client(args.word(1)?.parse().map_err(|_error| Failure::syntax())?);
        return Ok(String::new());
    }
    let param = params.into_iter().find(|(name, _)| *name == wanted);
    let (_, value) = param.ok_or_else(|| Failure::new(format!("unknown parameter {wanted}")))?;
    *value = args.boolean(1)?;
    Ok(String::new())
}

fn ownership(session: &mut Session, _: &Args<'_>) -> Answer {
    let (game, engine) = session.game_and_engine();
    let ownership = engine.ownership(game.board());
    let size = game.size();
    let mut text = String::from("\n");
    for (i, point) in size.iter_from_top().enumerate() {
        let end = if (i + 1) % size.width() == 0 { '\n' } else { ' ' };
        // Writing to a string does not fail.
        // Adding zero turns a negative zero into a plain one.
        let value = (ownership.at(point) * 100.0).round() / 100.0 + 0.0;
        let _ = write!(text, "{value:5.2}{end}");
    }
    Ok(text)
}
