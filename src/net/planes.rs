//! The inputs of many positions of games, packed: what training reads, so that it sees what play sees.

use serde::Deserialize;
use serde_json::Value;

use super::reference::rules_of;
use super::{Features, PLANES, Position};
use crate::board::{ColoredMove, Move, Size};
use crate::game::{Game, IllegalMove};
use crate::rules::{Komi, RulesError};

/// A game as a JSON object. Moves are numbered row by row from the top left corner, a pass comes
/// after the last point; Black begins and colors alternate.
#[derive(Debug, Deserialize)]
struct Line {
    /// Width and height.
    size: [usize; 2],
    /// Without it that of the rules.
    komi: Option<f64>,
    /// A name or an object of settings; without them the default rules.
    rules: Option<Value>,
    moves: Vec<usize>,
    /// After how many moves positions are asked for.
    positions: Vec<usize>,
}

/// Why a line is no game.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is no JSON object of this kind.
    #[error("not a game: {0}")]
    Json(serde_json::Error),
    /// No board has this size.
    #[error("no board is {0} x {1}")]
    Size(usize, usize),
    /// Komi is infinite.
    #[error("no komi: {0}")]
    Komi(f64),
    /// Its rules are not known.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A move has a number beyond that of a pass.
    #[error("move {turn} is {number}, beyond a pass")]
    Beyond {
        /// Moves before it.
        turn: usize,
        /// Its number.
        number: usize,
    },
    /// A move is illegal.
    #[error("move {turn}: {error}")]
    Illegal {
        /// Moves before it.
        turn: usize,
        /// Why.
        error: IllegalMove,
    },
    /// A position after more moves than there are.
    #[error("there is no position {0}: the game is shorter")]
    Position(usize),
}

/// Writes the inputs of the positions of a game, one after the other: the globals as little-endian
/// `f32`, then the planes as bits, plane by plane, row by row from the top, the lowest bit of a byte
/// first, and zeros up to a whole byte.
///
/// # Errors
/// [`LineError`]; nothing was written then.
pub fn write_planes(line: &str, out: &mut Vec<u8>) -> Result<(), LineError> {
    let line: Line = serde_json::from_str(line).map_err(LineError::Json)?;
    let [width, height] = line.size;
    let size = Size::new(width, height).ok_or(LineError::Size(width, height))?;
    let rules = line.rules.as_ref().map(rules_of).transpose()?.unwrap_or_default();
    let komi = match line.komi {
        Some(points) => Komi::from_points(points).ok_or(LineError::Komi(points))?,
        None => rules.komi,
    };
    let points: Vec<_> = size.iter_from_top().collect();
    let mut game = Game::with_rules(size, rules, komi);
    // By position, so that positions may come in any order.
    let mut packed = vec![None; line.moves.len() + 1];
    for &position in &line.positions {
        *packed.get_mut(position).ok_or(LineError::Position(position))? = Some(Vec::new());
    }
    for (turn, packed) in packed.iter_mut().enumerate() {
        if let Some(packed) = packed {
            let position = Position::new(&game, game.to_play(), komi.hundredths());
            pack(&Features::new(&position), packed);
        }
        let Some(&number) = line.moves.get(turn) else { break };
        let mv = match points.get(number) {
            Some(&point) => Move::Play(point),
            None if number == points.len() => Move::Pass,
            None => return Err(LineError::Beyond { turn, number }),
        };
        let color = game.to_play();
        let illegal = |error| LineError::Illegal { turn, error };
        game.play(ColoredMove { color, mv }).map_err(illegal)?;
    }
    out.extend(line.positions.iter().flat_map(|&position| packed[position].iter().flatten()));
    Ok(())
}

fn pack(features: &Features, out: &mut Vec<u8>) {
    out.extend(features.globals.iter().flat_map(|number| number.to_le_bytes()));
    let start = out.len();
    out.resize(start + features.planes.len().div_ceil(8), 0);
    let points = features.planes.len() / PLANES;
    for (point, planes) in features.planes.chunks_exact(PLANES).enumerate() {
        for (plane, &value) in planes.iter().enumerate() {
            let bit = plane * points + point;
            out[start + bit / 8] |= u8::from(value > 0.5) << (bit % 8);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::GLOBALS;

    fn packed(line: &str) -> Vec<u8> {
        let mut out = Vec::new();
        write_planes(line, &mut out).unwrap();
        out
    }

    #[test]
    fn positions_come_in_the_order_of_the_list() {
        let both = packed(r#"{"size":[3,2],"komi":7.5,"moves":[1,6,0],"positions":[3,0,1]}"#);
        let length = 4 * GLOBALS + (PLANES * 6).div_ceil(8);
        assert_eq!(both.len(), 3 * length);
        let one = packed(r#"{"size":[3,2],"komi":7.5,"moves":[1,6,0],"positions":[0]}"#);
        assert_eq!(both[length..2 * length], one);
        // Black has played B2 of `A2 B2 C2` over `A1 B1 C1`; White is to move.
        let planes = &both[2 * length + 4 * GLOBALS..];
        let bit = |plane: usize, point: usize| {
            let bit = 6 * plane + point;
            planes[bit / 8] >> (bit % 8) & 1
        };
        for point in 0..6 {
            assert_eq!(bit(0, point), 1, "the board");
            assert_eq!(bit(1, point), 0, "own stones");
            assert_eq!(bit(2, point), u8::from(point == 1), "the opponent's");
            assert_eq!(bit(5, point), u8::from(point == 1), "with three liberties");
            assert_eq!(bit(9, point), u8::from(point == 1), "the last move");
        }
        let komi = f32::from_le_bytes(both[2 * length + 20..][..4].try_into().unwrap());
        assert!((komi - 0.375).abs() < 1e-6, "{komi}");
    }

    #[test]
    fn rules_matter() {
        let of = |rules: &str| {
            let line = r#"{"size":[3,3],"moves":[],"positions":[0]RULES}"#;
            packed(&line.replace("RULES", rules))
        };
        let suicide = |bytes: &[u8]| f32::from_le_bytes(bytes[32..36].try_into().unwrap()) > 0.5;
        assert!(!suicide(&of("")));
        assert!(suicide(&of(r#","rules":"tromp-taylor""#)));
        assert!(suicide(&of(r#","rules":{"suicide":true}"#)));
    }

    #[test]
    fn what_is_no_game_is_an_error() {
        for (line, expected) in [
            ("", "not a game: EOF"),
            ("{}", "not a game: missing field `size`"),
            (r#"{"size":[0,3],"moves":[],"positions":[]}"#, "no board is 0 x 3"),
            (r#"{"size":[3,3],"moves":[10],"positions":[]}"#, "move 0 is 10, beyond a pass"),
            (r#"{"size":[3,3],"moves":[4,4],"positions":[]}"#, "move 1: the point is occupied"),
            (r#"{"size":[3,3],"moves":[4],"positions":[2]}"#, "there is no position 2"),
            (r#"{"size":[3,3],"moves":[-4],"positions":[2]}"#, "not a game: invalid value"),
            (r#"{"size":[3,3],"moves":[],"positions":[],"rules":"go"}"#, "go"),
            (
                r#"{"size":[3,3],"komi":1e999,"moves":[],"positions":[]}"#,
                "not a game: number out of",
            ),
        ] {
            let mut out = Vec::new();
            let message = write_planes(line, &mut out).unwrap_err().to_string();
            assert!(message.contains(expected) && out.is_empty(), "{line}: {message}");
        }
    }
}
