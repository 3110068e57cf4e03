//! Commands that show the position and its history; failure texts and order of points as GNU Go's.

use std::fmt::Write as _;

use crate::board::{Cell, Color, ColoredMove, Move, Point, Size};
use crate::game::{Game, Turn};
use crate::gtp::args::{Args, points_text, query_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;

pub(super) const COMMANDS: &[Command] = &[
    Command::new("showboard", "", "a picture of the position", |session, _| {
        Ok(picture(session.game()))
    }),
    Command::new("list_stones", "COLOR", "the points with stones of a color", list_stones),
    Command::new("color", "VERTEX", "what is on a point: black, white or empty", point_color),
    Command::new(
        "countlib",
        "VERTEX",
        "the number of liberties of the chain at a point",
        |session, args| {
            let point = stone_arg(session, args, 0)?;
            Ok(session.game().board().liberties(point).len().to_string())
        },
    ),
    Command::new("findlib", "VERTEX", "the liberties of the chain at a point", |session, args| {
        let point = stone_arg(session, args, 0)?;
        Ok(points_text(session.size(), session.game().board().liberties(point).iter()))
    }),
    Command::new("captures", "COLOR", "the number of stones taken by a color", |session, args| {
        let color = args.color_of_query()?;
        Ok(session.game().captures()[color].to_string())
    }),
    Command::new("is_legal", "COLOR VERTEX", "whether a move is legal: 1 or 0", is_legal),
    Command::new("all_legal", "COLOR", "the points on which a color may play", |session, args| {
        let color = args.color_of_query()?;
        Ok(points_text(session.size(), session.game().legal_points(color).iter()))
    }),
    Command::new(
        "accuratelib",
        "COLOR VERTEX",
        "the liberties that a stone on an empty point would have, legal or not",
        accuratelib,
    ),
    Command::new(
        "invariant_hash",
        "",
        "a hash of the stones that turning and mirroring the board does not change",
        |session, _| Ok(format!("{:016x}", session.game().board().invariant_hash())),
    ),
    Command::new("last_move", "", "the last move with its color", |session, _| {
        let last = record(session).last().map(|turn| turn.colored_move);
        let last = last.ok_or_else(|| Failure::new("no previous move known"))?;
        Ok(colored_text(session.size(), last))
    }),
    Command::new(
        "move_history",
        "",
        "the moves with their colors, the newest first",
        |session, _| {
            let moves = record(session).iter().rev();
            let size = session.size();
            let lines: Vec<_> = moves.map(|turn| colored_text(size, turn.colored_move)).collect();
            Ok(lines.join("\n"))
        },
    ),
];

/// The turns of the game without trial moves.
fn record(session: &Session) -> &[Turn] {
    session.state().trials.record(session.game())
}

/// The point with a stone that argument `i` names.
pub(super) fn stone_arg(session: &Session, args: &Args<'_>, i: usize) -> Result<Point, Failure> {
    let point = args.point(i, session.size())?;
    match session.game().board().stone(point) {
        Some(_) => Ok(point),
        None => Err(Failure::new("vertex must not be empty")),
    }
}

fn list_stones(session: &mut Session, args: &Args<'_>) -> Answer {
    let wanted = args.color_of_query()?;
    let stones = session.game().board().stones();
    let points = stones.filter(|&(_, color)| color == wanted).map(|(point, _)| point);
    Ok(points_text(session.size(), points))
}

fn point_color(session: &mut Session, args: &Args<'_>) -> Answer {
    let point = args.point(0, session.size())?;
    let stone = session.game().board().stone(point);
    Ok(stone.map_or("empty".to_owned(), |color| color.to_string()))
}

/// The move that the arguments name; a point off the board is none.
fn move_args(session: &Session, args: &Args<'_>) -> Result<(Color, Move), Failure> {
    let (color, vertex) = args.color_and_vertex()?;
    let mv = vertex.on(session.size());
    Ok((color, mv.ok_or_else(|| Failure::new("invalid color or coordinate"))?))
}

fn is_legal(session: &mut Session, args: &Args<'_>) -> Answer {
    let (color, mv) = move_args(session, args)?;
    let is_legal = match mv {
        Move::Play(point) => session.game().is_legal(point, color),
        Move::Pass => true,
    };
    Ok(u8::from(is_legal).to_string())
}

fn accuratelib(session: &mut Session, args: &Args<'_>) -> Answer {
    let (color, mv) = move_args(session, args)?;
    let mut board = session.game().board().clone();
    match mv {
        Move::Play(point) if board.stone(point).is_none() => {
            board.play(point, color);
            Ok(points_text(session.size(), board.liberties(point).iter()))
        }
        _ => Err(Failure::new("vertex must be empty")),
    }
}

fn colored_text(size: Size, colored_move: ColoredMove) -> String {
    format!("{} {}", colored_move.color, query_text(size, colored_move.mv))
}

/// Whether a point carries a dot: where handicap stones go on boards of this size.
fn is_star(size: Size, point: Point) -> bool {
    use crate::game::star_points;
    use crate::rules::Placement;
    let all = [9, 4].iter().find_map(|&n| star_points(size, n, Placement::Fixed));
    all.is_some_and(|points| points.contains(&point))
}

/// The position with coordinates, and what else decides the game below it.
fn picture(game: &Game) -> String {
    let size = game.size();
    let letters: Vec<String> = (0..size.width())
        .filter_map(|column| size.point(column, 0))
        .map(|point| size.vertex(point).to_string()[..1].to_owned())
        .collect();
    let header = format!("   {}", letters.join(" "));
    let mut text = format!("\n{header}\n");
    for row in (0..size.height()).rev() {
        let points = (0..size.width()).filter_map(|column| size.point(column, row));
        let marks: Vec<&str> = points
            .map(|point| match game.board().cell(point) {
                Cell::Black => "X",
                Cell::White => "O",
                _ if is_star(size, point) => "+",
                _ => ".",
            })
            .collect();
        // Writing to a string does not fail.
        let _ = writeln!(text, "{:2} {} {}", row + 1, marks.join(" "), row + 1);
    }
    let captures = game.captures();
    let _ = write!(
        text,
        "{header}\nmove {}, {} to play, captures: black {}, white {}\nkomi {}, handicap {}, \
         hash {:016x}",
        game.turns().len(),
        game.to_play(),
        captures.black,
        captures.white,
        game.komi(),
        game.start().handicap,
        game.board().hash(),
    );
    text
}
