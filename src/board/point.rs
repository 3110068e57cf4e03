//! Points, board sizes and moves, and the A1..Z25 text of a point.
//!
//! A [`Point`] is an index into a bordered array: `row * stride + column`, both counted from 1 at
//! the lower left corner, as GTP counts them. The stride belongs to the [`Size`], so a point means
//! something only together with the size that made it.

use std::fmt;

use super::color::Color;

/// Letters of the columns: GTP skips I.
const COLUMN_LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// An intersection: index into a bordered array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u16);

impl Point {
    /// The point at this array index.
    pub(crate) const fn from_index(index: usize) -> Self {
        Self(index as u16)
    }

    /// The index into arrays of length [`super::ARRAY_LEN`].
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// Width and height of a board, 1 to 25 each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Size {
    width: u8,
    height: u8,
}

impl Size {
    /// GTP's letters end at Z: the longest side.
    pub const MAX_SIDE: usize = 25;
    /// 19x19.
    pub const STANDARD: Self = Self { width: 19, height: 19 };

    /// A board of `width` columns and `height` rows; `None` unless both are 1 to 25.
    pub fn new(width: usize, height: usize) -> Option<Self> {
        let fits = |side: usize| (1..=Self::MAX_SIDE).contains(&side);
        (fits(width) && fits(height)).then_some(Self { width: width as u8, height: height as u8 })
    }

    /// A square board; `None` unless the side is 1 to 25.
    pub fn square(side: usize) -> Option<Self> {
        Self::new(side, side)
    }

    /// Number of columns.
    pub const fn width(self) -> usize {
        self.width as usize
    }

    /// Number of rows.
    pub const fn height(self) -> usize {
        self.height as usize
    }

    /// Number of points.
    pub const fn points(self) -> usize {
        self.width() * self.height()
    }

    /// Whether width and height are equal.
    pub const fn is_square(self) -> bool {
        self.width == self.height
    }

    /// Index distance of a point to the one above it: one more than the side of the array that the
    /// board lives in (9, 13, 19 or 25, the smallest that holds it).
    pub const fn stride(self) -> usize {
        let side = if self.width > self.height { self.width } else { self.height };
        match side {
            0..=9 => 10,
            10..=13 => 14,
            14..=19 => 20,
            _ => 26,
        }
    }

    /// The point in this column and row, both counted from 0 at the lower left corner; `None` if it
    /// is off the board.
    pub fn point(self, column: usize, row: usize) -> Option<Point> {
        (column < self.width() && row < self.height())
            .then(|| Point::from_index((row + 1) * self.stride() + column + 1))
    }

    /// Column of a point, counted from 0 at the left.
    pub const fn column(self, point: Point) -> usize {
        point.index() % self.stride() - 1
    }

    /// Row of a point, counted from 0 at the bottom.
    pub const fn row(self, point: Point) -> usize {
        point.index() / self.stride() - 1
    }

    /// All points, row by row from the lower left corner (ascending index).
    pub fn iter(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).flat_map(move |row| {
            let start = (row + 1) * self.stride() + 1;
            (start..start + self.width()).map(Point::from_index)
        })
    }

    /// All points as a reader sees the board: row by row from the top left corner.
    pub fn iter_from_top(self) -> impl Iterator<Item = Point> + Clone {
        (0..self.height()).rev().flat_map(move |row| {
            let start = (row + 1) * self.stride() + 1;
            (start..start + self.width()).map(Point::from_index)
        })
    }

    /// The orthogonal neighbors of a point that are on the board.
    pub fn neighbors(self, point: Point) -> impl Iterator<Item = Point> {
        let (column, row) = (self.column(point), self.row(point));
        [
            self.point(column, row.wrapping_sub(1)),
            self.point(column.wrapping_sub(1), row),
            self.point(column + 1, row),
            self.point(column, row + 1),
        ]
        .into_iter()
        .flatten()
    }

    /// The text of a point, as GTP writes it: `D4`.
    pub fn vertex(self, point: Point) -> Vertex {
        Vertex { column: self.column(point) as u8, row: self.row(point) as u8 }
    }

    /// The text of a move: that of its point, or `pass`.
    pub fn move_text(self, mv: Move) -> String {
        match mv {
            Move::Play(point) => self.vertex(point).to_string(),
            Move::Pass => "pass".to_owned(),
        }
    }

    /// Reads the text of a point, in any case; `None` if it is unreadable or off the board.
    pub fn parse_point(self, text: &str) -> Option<Point> {
        self.at(Vertex::parse(text)?)
    }

    /// The point of a vertex; `None` if it is off the board.
    pub fn at(self, vertex: Vertex) -> Option<Point> {
        self.point(vertex.column.into(), vertex.row.into())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

/// Column and row of a point without a board size: what `D4` says.
///
/// ```
/// use keima::board::{Size, Vertex};
/// let size = Size::square(19).expect("a legal size");
/// let point = size.parse_point("q16").expect("on the board");
/// assert_eq!(size.vertex(point).to_string(), "Q16");
/// assert_eq!(Vertex::parse("I5"), None, "the letter I is not used");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Vertex {
    column: u8,
    row: u8,
}

impl Vertex {
    /// Reads a letter A to Z (no I, any case) and a row 1 to 25; `None` for anything else.
    pub fn parse(text: &str) -> Option<Self> {
        let (letter, digits) = text.split_at_checked(1)?;
        let letter = letter.as_bytes()[0].to_ascii_uppercase();
        let column = COLUMN_LETTERS.iter().position(|&l| l == letter)?;
        if digits.is_empty() || digits.len() > 3 || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let row: usize = digits.parse().ok()?;
        (1..=Size::MAX_SIDE)
            .contains(&row)
            .then(|| Self { column: column as u8, row: row as u8 - 1 })
    }
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = char::from(COLUMN_LETTERS[usize::from(self.column)]);
        write!(f, "{letter}{}", self.row + 1)
    }
}

/// A play on a point, or a pass. Resigning is no move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// A stone on this point.
    Play(Point),
    /// No stone.
    Pass,
}

/// A move and who makes it, as in GTP `play`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ColoredMove {
    /// Who moves.
    pub color: Color,
    /// What is played.
    pub mv: Move,
}
