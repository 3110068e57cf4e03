//! Raw arguments to typed values; every wrong one is a `syntax error`.

use super::response::Failure;
use crate::board::{Color, Move, Point, Size, Vertex};

/// The arguments of one command.
#[derive(Clone, Copy, Debug)]
pub(super) struct Args<'a> {
    words: &'a [String],
    rest: &'a str,
}

impl<'a> Args<'a> {
    /// The words behind a command, and the same as it was typed.
    pub(super) fn new(words: &'a [String], rest: &'a str) -> Self {
        Self { words, rest }
    }

    /// Number of arguments.
    pub(super) fn len(&self) -> usize {
        self.words.len()
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Everything behind the command, as it was typed.
    pub(super) fn rest(&self) -> &'a str {
        self.rest
    }

    /// Argument `i`.
    pub(super) fn word(&self, i: usize) -> Result<&'a str, Failure> {
        self.words.get(i).map(String::as_str).ok_or_else(Failure::syntax)
    }

    /// The arguments from number `i` on.
    pub(super) fn from(&self, i: usize) -> &'a [String] {
        self.words.get(i..).unwrap_or_default()
    }

    /// Fails if there are more than `n` arguments: more could change the meaning.
    pub(super) fn at_most(&self, n: usize) -> Result<(), Failure> {
        if self.len() > n { Err(Failure::syntax()) } else { Ok(()) }
    }

    /// Argument `i` as a whole number with an optional sign.
    pub(super) fn integer(&self, i: usize) -> Result<i64, Failure> {
        self.word(i)?.parse().map_err(|_error| Failure::syntax())
    }

    /// Argument `i` as a finite number; a decimal comma is understood, which some clients send.
    pub(super) fn float(&self, i: usize) -> Result<f64, Failure> {
        let text = self.word(i)?.replace(',', ".");
        let is_plain = text.bytes().all(|b| b.is_ascii_digit() || b"+-.eE".contains(&b));
        let number = text.parse().ok().filter(|x: &f64| is_plain && x.is_finite());
        number.ok_or_else(Failure::syntax)
    }

    /// Argument `i` as a truth value: `true`, `false`, `1` or `0`.
    pub(super) fn boolean(&self, i: usize) -> Result<bool, Failure> {
        match self.word(i)?.to_ascii_lowercase().as_str() {
            "true" | "1" => Ok(true),
            "false" | "0" => Ok(false),
            _ => Err(Failure::syntax()),
        }
    }

    /// Argument `i` as a color.
    pub(super) fn color(&self, i: usize) -> Result<Color, Failure> {
        color(self.word(i)?).ok_or_else(Failure::syntax)
    }

    /// Argument 0 as a color. Its failure is that of GNU Go's queries.
    pub(super) fn color_of_query(&self) -> Result<Color, Failure> {
        self.word(0).ok().and_then(color).ok_or_else(|| Failure::new("invalid color"))
    }

    /// Argument `i` as a point of a board of this size. Its failure is that of GNU Go's queries.
    pub(super) fn point(&self, i: usize, size: Size) -> Result<Point, Failure> {
        match self.word(i).ok().and_then(vertex).and_then(|vertex| vertex.on(size)) {
            Some(Move::Play(point)) => Ok(point),
            Some(Move::Pass) | None => Err(Failure::new("invalid coordinate")),
        }
    }

    /// The arguments from number `i` on as pairs of a color and a point or pass, on the board or not.
    pub(super) fn pairs(&self, i: usize) -> Result<Vec<(Color, VertexArg)>, Failure> {
        let pair = |words: &[String]| match words {
            [first, second] => color(first).zip(vertex(second)).ok_or_else(Failure::syntax),
            _ => Err(Failure::syntax()),
        };
        self.from(i).chunks(2).map(pair).collect()
    }

    /// Argument `i` as a point or pass, on the board or not.
    pub(super) fn vertex(&self, i: usize) -> Result<VertexArg, Failure> {
        vertex(self.word(i)?).ok_or_else(Failure::syntax)
    }

    /// Arguments 0 and 1 as color and vertex. The failure is that of GNU Go's queries.
    pub(super) fn color_and_vertex(&self) -> Result<(Color, VertexArg), Failure> {
        let color = self.word(0).ok().and_then(color);
        let vertex = self.word(1).ok().and_then(vertex);
        color.zip(vertex).ok_or_else(|| Failure::new("invalid color or coordinate"))
    }
}

/// A vertex as an argument: the board's size has still to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum VertexArg {
    /// A letter and a number.
    Point(Vertex),
    /// `pass`.
    Pass,
}

impl VertexArg {
    /// The move on a board of this size; `None` if it is off the board.
    pub(super) fn on(self, size: Size) -> Option<Move> {
        match self {
            Self::Pass => Some(Move::Pass),
            Self::Point(vertex) => Some(Move::Play(size.at(vertex)?)),
        }
    }
}

/// Reads a color: `b`, `w`, `black` or `white` in any case.
pub(super) fn color(text: &str) -> Option<Color> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Color::Black),
        "w" | "white" => Some(Color::White),
        _ => None,
    }
}

/// Reads a vertex: a point or `pass` in any case.
pub(super) fn vertex(text: &str) -> Option<VertexArg> {
    if text.eq_ignore_ascii_case("pass") {
        return Some(VertexArg::Pass);
    }
    Vertex::parse(text).map(VertexArg::Point)
}

/// The text of a board's size: one number for a square.
pub(super) fn size_text(size: Size) -> String {
    let (width, height) = (size.width(), size.height());
    if size.is_square() { width.to_string() } else { format!("{width} {height}") }
}

/// The text of a move in the answer of a query: the pass is in capitals.
pub(super) fn query_text(size: Size, mv: Move) -> String {
    match mv {
        Move::Play(_) => size.move_text(mv),
        Move::Pass => "PASS".to_owned(),
    }
}

/// The texts of points with spaces between, sorted by column and then by row.
pub(super) fn points_text(size: Size, points: impl IntoIterator<Item = Point>) -> String {
    let mut vertices: Vec<_> = points.into_iter().map(|point| size.vertex(point)).collect();
    vertices.sort_unstable();
    vertices.iter().map(Vertex::to_string).collect::<Vec<_>>().join(" ")
}
