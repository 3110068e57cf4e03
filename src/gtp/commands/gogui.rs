//! GoGui's extensions.

use std::fmt::Write as _;

use crate::gtp::args::Args;
use crate::gtp::client::ClientChoice;
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

use super::gogui_rules::forbidden_repeats;

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
        "gogui-version",
        "VERSION",
        "tells that the controller is GoGui, and its version",
        |_, _| Ok(String::new()),
    ),
    Command::new("gogui-title", "", "a title for a window: name, version, budget of a move", title),
    Command::new(
        "gogui-action_forward",
        "[N]",
        "graphics after GoGui went N moves forward: what keima thought of the last move",
        remark,
    ),
    Command::new("gogui-action_backward", "[N]", "the same after GoGui went N moves back", remark),
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
    Command::new(
        "keima-forbidden_repeats",
        "",
        "graphics: marks where ko or superko forbids a move",
        |session, _| Ok(forbidden_repeats(session.game())),
    ),
];

/// Type, label and command of each line; a slash must not occur elsewhere.
const ANALYZE_COMMANDS: &[&str] = &[
    "gfx/Best Moves/keima-best_moves",
    "pspairs/Win Rates/keima-win_rates",
    "pspairs/Visits/keima-visits",
    "varc/Expected Moves/keima-pv %c",
    "hpstring/Last Search/keima-last_search",
    "hpstring/Explain Last Move/gomill-explain_last_move",
    "string/Move Suggestion/reg_genmove %m",
    "dboard/Ownership/keima-ownership",
    "string/Final Score/final_score",
    "string/Estimated Score/estimate_score",
    "plist/Dead Stones/final_status_list dead",
    "plist/Seki Stones/final_status_list seki",
    "plist/Black Territory/final_status_list black_territory",
    "plist/White Territory/final_status_list white_territory",
    "plist/Neutral Points/final_status_list dame",
    "string/Status/final_status %p",
    "string/Unconditional Status/unconditional_status %p",
    "string/Dragon Status/dragon_status %p",
    "plist/Legal Moves/all_legal %m",
    "gfx/Forbidden Repeats/keima-forbidden_repeats",
    "plist/Liberties/findlib %p",
    "string/Number of Liberties/countlib %p",
    "string/Show Board/showboard",
    "hpstring/Move History/move_history",
    "hstring/Engine/gomill-describe_engine",
    "string/Rules/kata-get-rules",
    "none/Set Rules/kata-set-rules %s",
    "none/Load Game/loadsgf %r",
    "none/Save Game/savesgf %w",
    "param/Game Parameters/gogui-param_game",
    "param/Search Parameters/gogui-param_search",
    "param/Playout Parameters/gogui-param_playout",
];

fn title(session: &mut Session, _: &Args<'_>) -> Answer {
    let name = format!("{} {}", session.name(), env!("CARGO_PKG_VERSION"));
    let config = session.engine().config();
    let budget = [
        config.playouts.map(|playouts| format!("{playouts} playouts")),
        config.visits.map(|visits| format!("{visits} visits")),
        config.time_per_move.map(|time| format!("{} s", time.as_secs_f64())),
    ];
    let budget: Vec<String> = budget.into_iter().flatten().collect();
    if budget.is_empty() {
        return Ok(name);
    }
    Ok(format!("{name} - {} a move", budget.join(", ")))
}

fn remark(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    if !args.is_empty() {
        args.integer(0)?;
    }
    let game = session.game();
    let remark = session.record().remark(game, game.turns().len());
    let line = remark.and_then(|remark| remark.lines().next());
    Ok(line.map(|line| format!("TEXT {line}")).unwrap_or_default())
}

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
