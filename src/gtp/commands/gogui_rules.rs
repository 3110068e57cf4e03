//! The commands by which GoGui takes a program as the referee of its game. Its manual, chapter
//! "Rules", has the contract.

use crate::board::{Cell, Color};
use crate::game::{Game, IllegalMove};
use crate::gtp::args::{Args, points_text, size_text};
use crate::gtp::registry::Command;
use crate::gtp::response::Answer;
use crate::gtp::session::Session;

use super::score::final_score;
use super::setup::set_up;

pub(super) const COMMANDS: &[Command] = &[
    referee("gogui-rules_game_id", "", "the game that keima knows: Go", |_, _| Ok("Go".to_owned())),
    referee(
        "gogui-rules_board",
        "",
        "the position: rows of X, O and . from the top",
        |session, _| Ok(rows(session.game())),
    ),
    referee("gogui-rules_board_size", "", "the size of the board: N, or W H", |session, _| {
        Ok(size_text(session.size()))
    }),
    referee(
        "gogui-rules_legal_moves",
        "",
        "where the side to move may play, and pass; nothing when the game is over",
        |session, _| Ok(legal_moves(session.game())),
    ),
    referee("gogui-rules_side_to_move", "", "whose turn it is: black or white", |session, _| {
        Ok(session.game().to_play().to_string())
    }),
    referee("gogui-rules_final_result", "", "the result in words", final_result),
    referee(
        "gogui-rules_captured_count",
        "",
        "the number of stones taken by Black and by White",
        |session, _| {
            let captures = session.game().captures();
            Ok(format!("{} {}", captures.black, captures.white))
        },
    ),
    referee("gogui-rules_board_gfx", "", "as keima-forbidden_repeats", |session, _| {
        Ok(forbidden_repeats(session.game()))
    }),
    referee("gogui-rules_setup", "[COLOR VERTEX]...", "as gogui-setup", set_up),
];

const fn referee(
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    handler: fn(&mut Session, &Args<'_>) -> Answer,
) -> Command {
    Command::new(name, usage, help, handler).listed_if(|options| options.lists_referee)
}

fn rows(game: &Game) -> String {
    let size = game.size();
    let mut text = String::new();
    for (i, point) in size.iter_from_top().enumerate() {
        text.push(if i % size.width() == 0 { '\n' } else { ' ' });
        text.push(match game.board().cell(point) {
            Cell::Black => 'X',
            Cell::White => 'O',
            _ => '.',
        });
    }
    text
}

fn legal_moves(game: &Game) -> String {
    if game.is_over() {
        return String::new();
    }
    let points = points_text(game.size(), game.legal_points(game.to_play()).iter());
    format!("{points} pass").trim_start().to_owned()
}

fn final_result(session: &mut Session, args: &Args<'_>) -> Answer {
    let result = final_score(session, args)?;
    let words = match result.split_once('+') {
        Some(("B", margin)) => format!("{} wins by {margin} points", name(Color::Black)),
        Some((_, margin)) => format!("{} wins by {margin} points", name(Color::White)),
        None if result == "0" => "Draw".to_owned(),
        None => "No result".to_owned(),
    };
    Ok(format!("{words} ({result})"))
}

const fn name(color: Color) -> &'static str {
    match color {
        Color::Black => "Black",
        Color::White => "White",
    }
}

pub(super) fn forbidden_repeats(game: &Game) -> String {
    let is_repeat = |&point: &_| {
        let reason = game.check_play(point, game.to_play());
        matches!(reason, Err(IllegalMove::Ko | IllegalMove::Superko))
    };
    let points = points_text(game.size(), game.board().empty_points().filter(is_repeat));
    if points.is_empty() { points } else { format!("MARK {points}") }
}
