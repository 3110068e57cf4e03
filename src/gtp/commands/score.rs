//! Commands that judge the position: score and status.

use crate::board::{Color, ColoredMove, Point, PointSet};
use crate::engine::Request;
use crate::gtp::args::{Args, points_text};
use crate::gtp::registry::Command;
use crate::gtp::response::{Answer, Failure};
use crate::gtp::session::{Session, make_move};
use crate::rules::LongCycle;
use crate::score::{Score, Status, StatusMap};

pub(super) const COMMANDS: &[Command] = &[
    Command::new(
        "final_score",
        "",
        "the result under the rules in force, dead stones lifted: B+3.5, W+12.5, 0, or Void",
        final_score,
    ),
    Command::new(
        "keima-final_score",
        "[dead VERTEX...]",
        "the result with exactly these dead stones, each of which stands for its chain",
        final_score_with,
    ),
    Command::new(
        "final_status_list",
        "alive|seki|dead|dame|black_territory|white_territory",
        "the points of that status: one chain a line, or the empty points on one line",
        final_status_list,
    ),
    Command::new(
        "final_status",
        "VERTEX",
        "the status of a point: alive, seki, dead, dame, black_territory or white_territory",
        final_status,
    ),
    Command::new(
        "unconditional_status",
        "VERTEX",
        "what a point is whatever the opponent plays: alive, dead, black_territory, \
         white_territory or undecided",
        unconditional_status,
    ),
    Command::new(
        "estimate_score",
        "",
        "the score that playouts expect, with bounds (White positive) from the points they are \
         not sure of",
        estimate_score,
    ),
    Command::new("new_score", "", "as estimate_score", estimate_score),
    Command::new(
        "experimental_score",
        "COLOR",
        "the score that playouts expect after the best move of a color, in points to White",
        experimental_score,
    ),
    Command::new(
        "static_score",
        "",
        "the result of the position as it stands, no stone being dead",
        |session, _| {
            let (game, engine) = session.game_and_engine();
            Ok(engine.score_with(game, &PointSet::EMPTY).to_string())
        },
    ),
];

/// The result in the protocol's words.
pub(super) fn final_score(session: &mut Session, _: &Args<'_>) -> Answer {
    let (game, engine) = session.game_and_engine();
    let cycle = cycle_result(game.long_cycle());
    Ok(cycle.unwrap_or_else(|| engine.final_score(game).to_string()))
}

fn final_score_with(session: &mut Session, args: &Args<'_>) -> Answer {
    let board = session.game().board();
    let mut dead = PointSet::EMPTY;
    if args.word(0).is_ok_and(|word| word != "dead") {
        return Err(Failure::syntax());
    }
    for i in 1..args.len() {
        let point = args.point(i, session.size())?;
        if board.stone(point).is_none() {
            return Err(Failure::new("vertex must not be empty"));
        }
        dead.insert(point);
    }
    let (game, engine) = session.game_and_engine();
    let cycle = cycle_result(game.long_cycle());
    Ok(cycle.unwrap_or_else(|| engine.score_with(game, &dead).to_string()))
}

/// The result that a long cycle gives, if one has ended the game.
fn cycle_result(cycle: LongCycle) -> Option<String> {
    match cycle {
        LongCycle::Void => Some("Void".to_owned()),
        LongCycle::Draw => Some(Score::default().to_string()),
        LongCycle::None => None,
    }
}

fn status(session: &mut Session) -> StatusMap {
    let (game, engine) = session.game_and_engine();
    engine.final_status(game)
}

fn status_text(status: Status) -> &'static str {
    match status {
        Status::Alive => "alive",
        Status::Seki => "seki",
        Status::Dead => "dead",
        Status::Dame => "dame",
        Status::Territory(Color::Black) => "black_territory",
        Status::Territory(Color::White) => "white_territory",
    }
}

fn final_status_list(session: &mut Session, args: &Args<'_>) -> Answer {
    args.at_most(1)?;
    let wanted = args.word(0)?.to_ascii_lowercase();
    let map = status(session);
    let size = session.size();
    let is_wanted = |point: Point| status_text(map.at(point)) == wanted;
    match wanted.as_str() {
        "alive" | "seki" | "dead" => {
            let chains = session.game().board().chains().into_iter().map(|(_, chain)| chain);
            let lines: Vec<String> = chains
                .filter(|chain| chain.first().is_some_and(|&stone| is_wanted(stone)))
                .map(|chain| points_text(size, chain))
                .collect();
            Ok(lines.join("\n"))
        }
        "dame" | "black_territory" | "white_territory" => {
            Ok(points_text(size, size.iter().filter(|&point| is_wanted(point))))
        }
        _ => Err(Failure::syntax()),
    }
}

fn final_status(session: &mut Session, args: &Args<'_>) -> Answer {
    let point = args.point(0, session.size())?;
    Ok(status_text(status(session).at(point)).to_owned())
}

fn unconditional_status(session: &mut Session, args: &Args<'_>) -> Answer {
    let point = args.point(0, session.size())?;
    let game = session.game();
    for color in Color::ALL {
        let alive = game.board().pass_alive(color, game.rules().suicide);
        if alive.stones.contains(point) {
            return Ok("alive".to_owned());
        }
        if alive.territory.contains(point) {
            let is_stone = game.board().stone(point).is_some();
            let status = if is_stone { Status::Dead } else { Status::Territory(color) };
            return Ok(status_text(status).to_owned());
        }
    }
    Ok("undecided".to_owned())
}

fn estimate_score(session: &mut Session, _: &Args<'_>) -> Answer {
    let (game, engine) = session.game_and_engine();
    let estimate = engine.estimate_score(game);
    let white = white_points;
    let text = match estimate.mean.winner() {
        None => "0".to_owned(),
        Some(color) => {
            let letter = if color == Color::Black { 'B' } else { 'W' };
            format!("{letter}+{:.1}", white(estimate.mean).abs())
        }
    };
    let (upper, lower) = (white(estimate.worst), white(estimate.best));
    Ok(format!("{text} (upper bound: {upper:.1}, lower: {lower:.1})"))
}

/// A score in points to White.
fn white_points(score: Score) -> f64 {
    f64::from(-score.hundredths()) / 100.0
}

fn experimental_score(session: &mut Session, args: &Args<'_>) -> Answer {
    let color = args.color_of_query()?;
    let limits = session.limits(color);
    let (game, engine) = session.game_and_engine();
    let (mv, _) = engine.best_move(game, Request::new(color, limits));
    let mut after = game.clone();
    make_move(&mut after, ColoredMove { color, mv }, false)?;
    Ok(format!("{:.1}", white_points(engine.estimate_score(&after).mean)))
}
