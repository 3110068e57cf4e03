//! A game to text.

use std::collections::BTreeMap;

use super::property::{self, Escaped};
use crate::board::{ByColor, Color};
use crate::game::{Game, Turn};
use crate::rules::{PRESETS, Rules};

/// What a file says besides the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameInfo {
    /// Name of the program that writes.
    pub application: String,
    /// Its version.
    pub version: String,
    /// Names of the players.
    pub names: ByColor<Option<String>>,
    /// `YYYY-MM-DD`.
    pub date: Option<String>,
    /// As GTP gives it: `B+3.5`, `W+Resign`, `0`, `Void`.
    pub result: Option<String>,
    /// More properties of the game, each with its value; they replace those above, komi, rules and
    /// handicap. None of them may be a [`is_move_or_board`] property.
    pub properties: Vec<(String, String)>,
    /// Comments on turns, counted from 1.
    pub comments: BTreeMap<usize, String>,
}

/// Whether properties of this name make up the moves and the board, or tell how to read the file:
/// a game writes those itself.
pub fn is_move_or_board(name: &str) -> bool {
    matches!(name, "FF" | "GM" | "CA" | "SZ" | "B" | "W" | "AB" | "AW" | "AE" | "PL" | "KO" | "MN")
}

impl Default for GameInfo {
    /// Written by this program, nothing else known.
    fn default() -> Self {
        Self {
            application: env!("CARGO_PKG_NAME").to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            names: ByColor::default(),
            date: None,
            result: None,
            properties: Vec::new(),
            comments: BTreeMap::new(),
        }
    }
}

/// Writes a game: ASCII but for names and comments, no blank line outside of comments, lines of up to
/// 76 characters where the values are short. There is no line feed at the end.
///
/// Reading it back gives an equal game under the same rules, unless the game holds what a file
/// cannot say: handicap stones counted without a black stone in the start, or moves that its
/// present rules forbid.
pub fn to_text(game: &Game, info: &GameInfo) -> String {
    let size = game.size();
    let height = if size.is_square() { String::new() } else { format!(":{}", size.height()) };
    let handicap = game.start().handicap;
    let escape = |text: &str| Escaped(text).to_string();
    let application = format!("{}:{}", Escaped(&info.application), Escaped(&info.version));
    let mut lines = Lines::default();
    lines.push("(;FF[4]GM[1]CA[UTF-8]");
    let own = [
        ("AP", Some(application)),
        ("SZ", Some(format!("{}{height}", size.width()))),
        ("KM", Some(game.komi().to_string())),
        ("RU", rules_name(game.rules()).map(escape)),
        ("PB", info.names.black.as_deref().map(escape)),
        ("PW", info.names.white.as_deref().map(escape)),
        ("DT", info.date.as_deref().map(escape)),
        ("RE", info.result.as_deref().map(escape)),
        ("HA", (handicap > 0).then(|| handicap.to_string())),
    ];
    let mut given: BTreeMap<&str, &str> =
        info.properties.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    for (name, value) in own {
        if let Some(value) = given.remove(name).map(escape).or(value) {
            lines.push(&format!("{name}[{value}]"));
        }
    }
    for (name, value) in given {
        lines.push(&format!("{name}[{}]", Escaped(value)));
    }
    write_start(game, &mut lines);
    lines.break_line();
    for (i, turn) in game.turns().iter().enumerate() {
        let mv = property::write_move(turn.colored_move.mv, size);
        lines.push(&format!(";{}[{mv}]", property::letter(turn.color())));
        if let Some(comment) = info.comments.get(&(i + 1)) {
            lines.push(&format!("C[{}]", property::escaped(comment)));
        }
    }
    lines.push(")");
    lines.text
}

/// Stones and side to move of the start.
fn write_start(game: &Game, lines: &mut Lines) {
    let start = game.start();
    for color in Color::ALL {
        let stones = start.board.size().iter_from_top();
        let stones = stones.filter(|&point| start.board.stone(point) == Some(color));
        for (i, point) in stones.enumerate() {
            let name = if i == 0 { format!("A{}", property::letter(color)) } else { String::new() };
            lines.push(&format!("{name}[{}]", property::write_point(point, game.size())));
        }
    }
    // Readers guess from the first move, or take Black.
    let guess = game.turns().first().map_or(Color::Black, Turn::color);
    if !start.board.is_empty() || start.to_play != guess {
        lines.push(&format!("PL[{}]", property::letter(start.to_play)));
    }
}

/// The name of these rules, if a preset has them: as FF\[4\] spells it, where it does.
fn rules_name(rules: &Rules) -> Option<&'static str> {
    let name = PRESETS.iter().find(|preset| preset.rules == *rules)?.name;
    Some(match name {
        "aga" => "AGA",
        "chinese" => "Chinese",
        "ing" => "GOE",
        "japanese" => "Japanese",
        "korean" => "Korean",
        "new-zealand" => "NZ",
        other => other,
    })
}

/// Text in lines of modest length: SGF allows a break between any two tokens.
#[derive(Debug, Default)]
struct Lines {
    text: String,
    width: usize,
}

impl Lines {
    /// Twelve moves make 72 characters; short enough for mail, as old readers expect.
    const MAX_WIDTH: usize = 76;

    /// Appends a token, on a new line if it does not fit.
    fn push(&mut self, token: &str) {
        if self.width + token.len() > Self::MAX_WIDTH {
            self.break_line();
        }
        self.text.push_str(token);
        self.width = match token.rsplit_once('\n') {
            Some((_, last)) => last.len(),
            None => self.width + token.len(),
        };
    }

    /// Ends the line, unless it is empty.
    fn break_line(&mut self) {
        if self.width > 0 {
            self.text.push('\n');
            self.width = 0;
        }
    }
}
