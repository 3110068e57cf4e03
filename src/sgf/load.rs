//! The main line of a tree to a game.
//!
//! Where the format leaves a choice: set-up nodes start a new history, so that undo stops there
//! and earlier captures are forgotten; they come before the moves of their own node. `PL` means
//! nothing beside a move. A superko repeat is accepted, since the server that wrote it has
//! decided; an occupied point, a forbidden suicide or a ko is an error (FF\[4\] would have such
//! moves carried out). What follows the stop is not read, hence never an error.

use super::{Node, Property, SgfError, Tree, property};
use crate::board::{Board, Cell, Color, ColoredMove, Move, Point, Size, Vertex};
use crate::game::{Game, Start};
use crate::rules::{Komi, Preset, Rules, preset};

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
    let mut next = None;
    let game = follow(&nodes, defaults, |reader, coming| {
        let is_stop = coming.property.is_some_and(|property| reader.is_at(stop, property));
        next = is_stop.then_some(coming.color);
        !is_stop
    })?;
    let to_play = next.unwrap_or(game.to_play());
    Ok(Loaded { game, to_play, file_rules: file_rules(&nodes), header: header(&nodes) })
}

/// A position of the main line, and the move that is made there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// Index of the node that shows the position. A node with a set-up or a move before the one
    /// played shows another one in the end: then it is that of the move.
    pub node: usize,
    /// The board.
    pub size: Size,
    /// Who is to play, as [`Loaded::to_play`].
    pub to_play: Color,
    /// The move, and the index of its node; none at the end and before a set-up.
    pub played: Option<(Move, usize)>,
}

/// The positions of the main line in which moves are made, those before a set-up and its end: at
/// least one.
///
/// # Errors
/// As [`to_game`].
pub fn places(tree: &Tree, defaults: &Defaults) -> Result<Vec<Place>, SgfError> {
    let mut places = Vec::new();
    visit(tree, defaults, |_, place| {
        places.push(place);
        true
    })?;
    Ok(places)
}

/// Shows these places with the game so far, until `goes_on` says `false`.
///
/// # Errors
/// As [`to_game`].
pub fn visit(
    tree: &Tree,
    defaults: &Defaults,
    mut goes_on: impl FnMut(&Game, Place) -> bool,
) -> Result<(), SgfError> {
    let indexes: Vec<usize> = tree.main_line_indexes().collect();
    let nodes: Vec<&Node> = tree.main_line().collect();
    let mut is_stopped = false;
    let game = follow(&nodes, defaults, |reader, coming| {
        let game = &reader.game;
        let node = indexes[coming.node];
        let above = tree.node(node).and_then(Node::parent).unwrap_or(0);
        let shown = if coming.is_shown_above { above } else { node };
        // What cannot be read fails a moment later.
        let mv = |property: &Property| property::mv(property.value(), game.size());
        let played = coming.property.map(|property| (mv(property).unwrap_or(Move::Pass), node));
        let place = Place { node: shown, size: game.size(), to_play: coming.color, played };
        is_stopped = !goes_on(game, place);
        !is_stopped
    })?;
    if !is_stopped {
        let node = indexes.last().copied().unwrap_or(0);
        let (size, to_play) = (game.size(), game.to_play());
        goes_on(&game, Place { node, size, to_play, played: None });
    }
    Ok(())
}

/// A move that is about to be made, or a set-up behind moves.
#[derive(Clone, Copy)]
struct Coming<'a> {
    /// Number of its node on the main line, the root's is 0.
    node: usize,
    /// The move.
    property: Option<&'a Property>,
    /// Who makes it, or who is to play.
    color: Color,
    /// Whether the node above shows the position.
    is_shown_above: bool,
}

/// Plays the main line, and shows the position before each move and each set-up behind moves, until
/// `goes_on` says `false`.
fn follow<'a>(
    nodes: &[&'a Node],
    defaults: &Defaults,
    mut goes_on: impl FnMut(&Reader, Coming<'a>) -> bool,
) -> Result<Game, SgfError> {
    let next_colors = next_colors(nodes);
    let mut reader = Reader::new(nodes, next_colors.first().copied().flatten(), defaults)?;
    for (number, (node, &next_color)) in nodes.iter().zip(&next_colors).enumerate() {
        let has_setup = node.properties().iter().any(is_setup);
        if has_setup && !reader.game.turns().is_empty() {
            let color = reader.game.to_play();
            let before = Coming { node: number, property: None, color, is_shown_above: true };
            if !goes_on(&reader, before) {
                return Ok(reader.game);
            }
        }
        reader.set_up(node, next_color)?;
        let mut is_shown_above = !has_setup;
        for (property, color) in moves(node) {
            let coming = Coming { node: number, property: Some(property), color, is_shown_above };
            if !goes_on(&reader, coming) {
                return Ok(reader.game);
            }
            reader.play(property, color)?;
            is_shown_above = false;
        }
    }
    Ok(reader.game)
}

fn header(nodes: &[&Node]) -> Vec<(String, String)> {
    let value = |name: &str| game_info(nodes, name).map(property::text);
    HEADER.iter().filter_map(|&name| Some((name.to_owned(), value(name)?))).collect()
}

/// Whether it puts or takes stones.
fn is_setup(property: &Property) -> bool {
    matches!(property.name(), "AB" | "AW" | "AE")
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
