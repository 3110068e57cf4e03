//! The main line of a tree to a game, and a game to text.
//!
//! Where the format leaves a choice: set-up nodes start a new history, so that undo stops there
//! and earlier captures are forgotten; they come before the moves of their own node. `PL` means
//! nothing beside a move. A superko repeat is accepted, since the server that wrote it has
//! decided; an occupied point, a forbidden suicide or a ko is an error (FF\[4\] would have such
//! moves carried out). What follows the stop is not read, hence never an error.

use std::collections::BTreeMap;

use super::property::{self, Escaped};
use super::{Node, Property, SgfError, Tree};
use crate::board::{Board, ByColor, Cell, Color, ColoredMove, Move, Point, Size, Vertex};
use crate::game::{Game, Start, Turn};
use crate::rules::{Komi, PRESETS, Preset, Rules, preset};

/// How far to go along the main line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// To the end.
    End,
    /// To the position before the move of this number, counted from 1 with passes; set-up nodes
    /// before it are carried out. 0 is taken as 1, and too large a number gives the end.
    BeforeMove(usize),
    /// To the position before the first play on this point; to the end without one.
    BeforeVertex(Vertex),
}

/// What applies where a file is silent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Defaults {
    /// Rules of files without `RU`.
    pub rules: Rules,
    /// Whether these rules hold even against `RU`.
    pub rules_win: bool,
    /// Komi of files without `KM`.
    pub komi: Komi,
}

/// What a file says about its rules, whether or not it is obeyed.
#[derive(Clone, Debug)]
pub enum FileRules {
    /// Nothing.
    Unstated,
    /// A preset by name.
    Known(&'static Preset),
    /// A name that no preset has.
    Unknown(String),
}

/// A game from a file.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The game up to the stop.
    pub game: Game,
    /// Who is to play: the color of the next move in the file, else as the game has it. They
    /// differ only where the file breaks the order of turns.
    pub to_play: Color,
    /// The rules that the file asks for.
    pub file_rules: FileRules,
    /// Who played where, when and how, as far as the file says: names of properties and values.
    pub header: Vec<(String, String)>,
}

/// Properties about the game that a game keeps from its file.
const HEADER: [&str; 20] = [
    "AN", "BR", "BT", "CP", "DT", "EV", "GC", "GN", "ON", "OT", "PB", "PC", "PW", "RE", "RO", "SO",
    "TM", "US", "WR", "WT",
];

/// Plays the main line of a tree.
///
/// # Errors
/// [`SgfError::NotGo`], [`SgfError::Size`], [`SgfError::Point`], [`SgfError::NoLiberty`] or
/// [`SgfError::Illegal`].
///
/// ```
/// use keima::rules::Rules;
/// use keima::sgf::{Defaults, Stop, Tree, to_game};
/// let rules = Rules::default();
/// let defaults = Defaults { rules, rules_win: false, komi: rules.komi };
/// let tree = Tree::parse(b"(;SZ[3]KM[2];B[bb];W[ba])").expect("a tree");
/// let loaded = to_game(&tree, Stop::BeforeMove(2), &defaults).expect("a game");
/// assert_eq!(loaded.game.board().to_diagram(), "...\n.X.\n...");
/// ```
pub fn to_game(tree: &Tree, stop: Stop, defaults: &Defaults) -> Result<Loaded, SgfError> {
    let nodes: Vec<&Node> = tree.main_line().collect();
    let next_colors = next_colors(&nodes);
    let mut reader = Reader::new(&nodes, next_colors.first().copied().flatten(), defaults)?;
    let mut next = None;
    'file: for (node, &next_color) in nodes.iter().zip(&next_colors) {
        reader.set_up(node, next_color)?;
        for (property, color) in moves(node) {
            if reader.is_at(stop, property) {
                next = Some(color);
                break 'file;
            }
            reader.play(property, color)?;
        }
    }
    let game = reader.game;
    let to_play = next.unwrap_or(game.to_play());
    Ok(Loaded { game, to_play, file_rules: file_rules(&nodes), header: header(&nodes) })
}

fn header(nodes: &[&Node]) -> Vec<(String, String)> {
    let value = |name: &str| game_info(nodes, name).map(property::text);
    HEADER.iter().filter_map(|&name| Some((name.to_owned(), value(name)?))).collect()
}

/// The moves of a node: one in a good file.
fn moves(node: &Node) -> impl Iterator<Item = (&Property, Color)> {
    node.properties().iter().filter_map(|property| match property.name() {
        "B" => Some((property, Color::Black)),
        "W" => Some((property, Color::White)),
        _ => None,
    })
}

/// For each node the color of the first move in it or behind it.
fn next_colors(nodes: &[&Node]) -> Vec<Option<Color>> {
    let mut next = None;
    let mut colors: Vec<_> = nodes
        .iter()
        .rev()
        .map(|node| {
            next = moves(node).next().map(|(_, color)| color).or(next);
            next
        })
        .collect();
    colors.reverse();
    colors
}

/// A property of the game as a whole: from the root, where it belongs, or from a later node up to
/// the first with a move.
fn game_info<'a>(nodes: &[&'a Node], name: &str) -> Option<&'a [u8]> {
    let before = nodes.iter().position(|node| moves(node).next().is_some());
    let end = before.map_or(nodes.len(), |i| i + 1);
    nodes[..end].iter().find_map(|node| node.value(name))
}

/// Komi by `KM`. The Fox server writes hundredths of a point, and under Chinese rules hundredths of a
/// stone, of which each is two points; its few values are no komi of anybody else.
fn komi(value: f64) -> Option<Komi> {
    const CHINESE: f64 = 375.0;
    const OTHERS: [f64; 3] = [550.0, 650.0, 750.0];
    if value == CHINESE {
        return Komi::from_points(2.0 * value / 100.0);
    }
    Komi::from_points(if OTHERS.contains(&value) { value / 100.0 } else { value })
}

fn file_rules(nodes: &[&Node]) -> FileRules {
    let name = game_info(nodes, "RU").map(property::text).unwrap_or_default();
    match preset(&name) {
        _ if name.trim().is_empty() => FileRules::Unstated,
        Some(preset) => FileRules::Known(preset),
        None => FileRules::Unknown(name),
    }
}

fn size(root: Option<&&Node>) -> Result<Size, SgfError> {
    // FF[4]: a Go board without SZ is 19x19.
    let value = root.and_then(|root| root.value("SZ")).unwrap_or(b"19");
    property::size(value).ok_or_else(|| SgfError::Size { size: property::text(value) })
}

/// More handicap stones than the largest board holds are none.
const MAX_HANDICAP: usize = Size::MAX_SIDE * Size::MAX_SIDE;

/// A node that names more points than this, each many times, is no set-up.
const MAX_SETUP_POINTS: usize = 100_000;

/// The way along the main line.
#[derive(Debug)]
struct Reader {
    game: Game,
    /// Moves made, those before a set-up included.
    moves: usize,
    /// `HA`, if it is a handicap, else 0.
    handicap: usize,
    /// Whether `AB` gave stones before the first move: without them `HA` counts nothing.
    has_handicap_stones: bool,
    /// `PL`, until the next move.
    player: Option<Color>,
}

impl Reader {
    fn new(
        nodes: &[&Node],
        next_color: Option<Color>,
        defaults: &Defaults,
    ) -> Result<Self, SgfError> {
        let root = nodes.first();
        match root.and_then(|root| root.value("GM")).and_then(property::integer) {
            None | Some(1) => {}
            Some(game) => return Err(SgfError::NotGo { game }),
        }
        let size = size(root)?;
        let rules = match file_rules(nodes) {
            FileRules::Known(preset) if !defaults.rules_win => preset.rules,
            _ => defaults.rules,
        };
        let komi = game_info(nodes, "KM").and_then(property::real).and_then(komi);
        let to_play = next_color.unwrap_or(Color::Black);
        let start = Start { board: Board::new(size), to_play, handicap: 0 };
        let handicap = game_info(nodes, "HA")
            .and_then(property::integer)
            .and_then(|stones| usize::try_from(stones).ok())
            .filter(|stones| (2..=MAX_HANDICAP).contains(stones));
        Ok(Self {
            game: Game::from_start(start, rules, komi.unwrap_or(defaults.komi)),
            moves: 0,
            handicap: handicap.unwrap_or(0),
            has_handicap_stones: false,
            player: None,
        })
    }

    /// Carries out the set-up properties of a node; `next_color` makes the next move of the file.
    fn set_up(&mut self, node: &Node, next_color: Option<Color>) -> Result<(), SgfError> {
        let stones = self.stones(node)?;
        if moves(node).next().is_none() {
            let player = node.value("PL").and_then(property::color);
            self.player = player.or(self.player);
        }
        let changes_player = self.player.is_some_and(|color| color != self.game.to_play());
        if stones.is_empty() && !changes_player {
            return Ok(());
        }
        let size = self.game.size();
        let mut cells: Vec<_> =
            size.iter().map(|point| (point, self.game.board().cell(point))).collect();
        for (point, cell) in stones {
            self.has_handicap_stones |= cell == Cell::Black && self.moves == 0;
            if let Ok(i) = cells.binary_search_by_key(&point, |&(point, _)| point) {
                cells[i].1 = cell;
            }
        }
        let stones = cells.into_iter().filter_map(|(point, cell)| Some((point, cell.color()?)));
        let board = Board::with_stones(size, stones)
            .map_err(|_error| SgfError::NoLiberty { number: self.moves + 1 })?;
        let handicap = if self.has_handicap_stones { self.handicap } else { 0 };
        let to_play = self.player.or(next_color).unwrap_or_else(|| {
            let white_first = handicap > 0 && self.moves == 0;
            if white_first { Color::White } else { self.game.to_play() }
        });
        let start = Start { board, to_play, handicap };
        self.game = Game::from_start(start, *self.game.rules(), self.game.komi());
        Ok(())
    }

    /// What `AB`, `AW` and `AE` of a node put where, in the order of the file.
    fn stones(&self, node: &Node) -> Result<Vec<(Point, Cell)>, SgfError> {
        let mut stones = Vec::new();
        for property in node.properties() {
            let cell = match property.name() {
                "AB" => Cell::Black,
                "AW" => Cell::White,
                "AE" => Cell::Empty,
                _ => continue,
            };
            for value in property.values() {
                let points = property::points(value, self.game.size());
                let points = points.ok_or_else(|| bad_point(property, value))?;
                stones.extend(points.into_iter().map(|point| (point, cell)));
                if stones.len() > MAX_SETUP_POINTS {
                    return Err(bad_point(property, value));
                }
            }
        }
        Ok(stones)
    }

    /// Whether to stop before this move.
    fn is_at(&self, stop: Stop, property: &Property) -> bool {
        let size = self.game.size();
        match stop {
            Stop::End => false,
            Stop::BeforeMove(number) => self.moves + 1 >= number,
            Stop::BeforeVertex(vertex) => match property::mv(property.value(), size) {
                Some(Move::Play(point)) => size.vertex(point) == vertex,
                Some(Move::Pass) | None => false,
            },
        }
    }

    fn play(&mut self, property: &Property, color: Color) -> Result<(), SgfError> {
        let (size, value) = (self.game.size(), property.value());
        let mv = property::mv(value, size).ok_or_else(|| bad_point(property, value))?;
        let played = self.game.play_leniently(ColoredMove { color, mv });
        if let (Err(reason), Move::Play(point)) = (played, mv) {
            let (number, vertex) = (self.moves + 1, size.vertex(point));
            return Err(SgfError::Illegal { number, color, vertex, reason });
        }
        self.moves += 1;
        self.player = None;
        Ok(())
    }
}

fn bad_point(property: &Property, value: &[u8]) -> SgfError {
    SgfError::Point { name: property.name().to_owned(), value: property::text(value) }
}

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
        lines.push(&format!(";{}[{mv}]", letter(turn.color())));
        if let Some(comment) = info.comments.get(&(i + 1)) {
            let text: Vec<String> = comment.lines().map(escape).collect();
            lines.push(&format!("C[{}]", text.join("\n")));
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
            let name = if i == 0 { format!("A{}", letter(color)) } else { String::new() };
            lines.push(&format!("{name}[{}]", property::write_point(point, game.size())));
        }
    }
    // Readers guess from the first move, or take Black.
    let guess = game.turns().first().map_or(Color::Black, Turn::color);
    if !start.board.is_empty() || start.to_play != guess {
        lines.push(&format!("PL[{}]", letter(start.to_play)));
    }
}

const fn letter(color: Color) -> char {
    match color {
        Color::Black => 'B',
        Color::White => 'W',
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
