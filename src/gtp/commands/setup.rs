//! Commands that prepare a game: size, komi, handicap.

use crate::board::{Board, Color, Move, Point, Size};
use crate::game::{Game, HandicapError, Start, free_points, star_points};
use crate::gtp::args::{Args, VertexArg, size_text, vertex};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::Session;
use crate::rules::{Komi, Placement};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "boardsize",
        "N | W H | W:H",
        "starts a game on an empty board of 1 to 25 points a side; komi and rules stay, but those of a \
         loaded file",
        boardsize,
    ),
    Command::new(
        "rectangular_boardsize",
        "W H",
        "starts a game on an empty board of W columns and H rows",
        |session, args| {
            args.word(1)?;
            boardsize(session, args)
        },
    ),
    Command::new("query_boardsize", "", "the size of the board: N, or W H", |session, _| {
        Ok(size_text(session.size()))
    }),
    Command::new(
        "clear_board",
        "",
        "starts a game on an empty board with full clocks; size, komi and rules stay, but komi and \
         rules of a loaded file",
        |session, _| {
            session.restart();
            Ok(String::new())
        },
    ),
    Command::new("komi", "POINTS", "sets komi, kept to a hundredth of a point", komi),
    Command::new("get_komi", "", "komi in points", |session, _| {
        Ok(session.game().komi().to_string())
    }),
    Command::new(
        "fixed_handicap",
        "N",
        "places N handicap stones on star points and answers with them",
        fixed_handicap,
    ),
    Command::new(
        "place_free_handicap",
        "N",
        "places N handicap stones, on star points as long as there are some, and answers \
               with them",
        place_free_handicap,
    ),
    Command::new(
        "set_free_handicap",
        "VERTEX...",
        "places handicap stones on these points",
        set_free_handicap,
    ),
    Command::new("get_handicap", "", "the number of handicap stones", |session, _| {
        Ok(session.game().start().handicap.to_string())
    }),
    Command::new(
        "set_position",
        "[COLOR VERTEX]...",
        "starts a game from these stones, without history and with Black to move; without stones as \
         clear_board",
        set_position,
    ),
    Command::new(
        "gogui-setup",
        "[COLOR VERTEX]...",
        "places stones on an empty board: no moves, so undo does not take them back",
        set_up,
    ),
    Command::new(
        "gogui-setup_player",
        "COLOR",
        "makes a color move first, before any move",
        setup_player,
    ),
];

fn boardsize(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(2)?;
    let text = args.from(0).join(" ").replace(':', " ");
    let sides: Vec<usize> = text
        .split(' ')
        .map(|side| side.parse().map_err(|_error| side_failure(side)))
        .collect::<Result<_, _>>()?;
    let size = match sides[..] {
        [side] => Size::square(side),
        [width, height] => Size::new(width, height),
        _ => return Err(Failure::syntax()),
    };
    let size = size.ok_or_else(|| Failure::new("unacceptable size"))?;
    session.new_game(size);
    Ok(String::new())
}

/// A whole number that is no side is an unacceptable size; anything else is no number at all.
fn side_failure(text: &str) -> Failure {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        Failure::new("unacceptable size")
    } else {
        Failure::syntax()
    }
}

fn komi(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let number = args.word(0)?.parse::<f64>();
    if number.is_ok_and(|points| !points.is_finite()) {
        return Err(Failure::new("unacceptable komi"));
    }
    let points = args.float(0)?;
    let komi = Komi::from_points(points).ok_or_else(Failure::syntax)?;
    if (komi.points() - points).abs() > 1e-9 {
        log::warn!("komi {points} is taken as {komi}");
    }
    session.set_komi(komi);
    Ok(String::new())
}

fn fixed_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let stones = args.integer(0)?;
    let placement = session.game().rules().placement;
    let points =
        usize::try_from(stones).ok().and_then(|n| star_points(session.size(), n, placement));
    place(session, points)
}

fn place_free_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let stones = args.integer(0)?;
    let (size, placement) = (session.size(), session.game().rules().placement);
    let points = usize::try_from(stones).ok().and_then(|n| match placement {
        Placement::Sides => star_points(size, n, placement),
        Placement::Fixed | Placement::Free => {
            (2..size.points()).contains(&n).then(|| free_points(size, n))
        }
    });
    place(session, points)
}

/// Places stones and answers with them in their order.
fn place(session: &mut Session, points: Option<Vec<Point>>) -> Answer {
    if !session.game().is_untouched() {
        return Err(Failure::new("board not empty"));
    }
    let points = points.ok_or_else(|| Failure::new("invalid number of stones"))?;
    session.game_mut().place_handicap(&points).map_err(handicap_failure)?;
    let size = session.size();
    Ok(points.iter().map(|&point| size.vertex(point).to_string()).collect::<Vec<_>>().join(" "))
}

fn handicap_failure(error: HandicapError) -> Failure {
    Failure::new(match error {
        HandicapError::BoardNotEmpty => "board not empty",
        HandicapError::Stones => "invalid number of stones",
        HandicapError::Repeated => "bad vertex list",
    })
}

fn set_free_handicap(session: &mut Session, args: &Args<'_>) -> Answer {
    if !session.game().is_untouched() {
        return Err(Failure::new("board not empty"));
    }
    let size = session.size();
    let point = |word: &String| match vertex(word)? {
        VertexArg::Point(vertex) => size.at(vertex),
        VertexArg::Pass => None,
    };
    let points: Option<Vec<Point>> = args.from(0).iter().map(point).collect();
    let placed = points.map(|points| session.game_mut().place_handicap(&points));
    match placed {
        Some(Ok(())) => Ok(String::new()),
        _ => Err(Failure::new("bad vertex list")),
    }
}

/// A board with the stones that the arguments list.
fn position_arg(args: &Args<'_>, size: Size) -> Result<Board, Failure> {
    let refused = || Failure::new("bad vertex list");
    let stone = |(color, vertex): (Color, VertexArg)| match vertex.on(size) {
        Some(Move::Play(point)) => Ok((point, color)),
        Some(Move::Pass) | None => Err(refused()),
    };
    let stones: Vec<_> = args.pairs(0)?.into_iter().map(stone).collect::<Result<_, _>>()?;
    Board::with_stones(size, stones).map_err(|_error| refused())
}

fn set_position(session: &mut Session, args: &Args<'_>) -> Answer {
    let board = position_arg(args, session.size())?;
    session.restart();
    start_from(session, board);
    Ok(String::new())
}

pub(super) fn set_up(session: &mut Session, args: &Args<'_>) -> Answer {
    let board = position_arg(args, session.size())?;
    if !session.game().is_untouched() {
        return Err(Failure::new("board not empty"));
    }
    start_from(session, board);
    Ok(String::new())
}

/// Starts from a position with Black to move.
fn start_from(session: &mut Session, board: Board) {
    let start = Start { board, to_play: Color::Black, handicap: 0 };
    let (rules, komi) = (*session.game().rules(), session.game().komi());
    *session.game_mut() = Game::from_start(start, rules, komi);
}

fn setup_player(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let to_play = args.color(0)?;
    let game = session.game();
    if !game.turns().is_empty() {
        return Err(Failure::new("board not empty"));
    }
    let start = Start { to_play, ..game.start().clone() };
    *session.game_mut() = Game::from_start(start, *game.rules(), game.komi());
    Ok(String::new())
}
