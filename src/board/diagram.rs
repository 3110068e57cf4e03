//! Text diagrams of a position: rows from the top, `X` Black, `O` White, `.` empty.

use super::{Board, Cell, Color, Point, PointSet, Removed, Size};

/// Why a diagram or a set of stones is no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DiagramError {
    /// No rows, too many, or rows of different lengths.
    #[error("rows must have equal lengths from 1 to 25, and be 1 to 25")]
    Size,
    /// Something else than `.`, `X` and `O`.
    #[error("unknown character {0:?} in a diagram: only . X O are known")]
    Character(char),
    /// A chain without liberties.
    #[error("a chain has no liberty")]
    NoLiberty,
    /// Two stones on one point.
    #[error("a point is given twice")]
    Repeated,
}

impl Board {
    /// The position with these stones and no ko.
    ///
    /// # Errors
    /// [`DiagramError::Repeated`] for two stones on a point, [`DiagramError::NoLiberty`] if a
    /// chain has none.
    pub fn with_stones(
        size: Size,
        stones: impl IntoIterator<Item = (Point, Color)>,
    ) -> Result<Self, DiagramError> {
        let mut seen = PointSet::EMPTY;
        let mut board = Self::new(size);
        for (point, color) in stones {
            if !seen.insert(point) {
                return Err(DiagramError::Repeated);
            }
            // If every chain has a liberty in the end, then it has one all along, in any order: an
            // unfinished chain at the place of a stone still to come. So nothing is ever removed.
            if board.play(point, color) != Removed::default() {
                return Err(DiagramError::NoLiberty);
            }
        }
        board.clear_ko();
        Ok(board)
    }

    /// The position in a diagram: rows from the top, split by white space or `/`.
    ///
    /// # Errors
    /// [`DiagramError`], one variant a reason.
    ///
    /// ```
    /// use keima::board::Board;
    /// let board = Board::from_diagram("
    ///     . X .
    ///     X O X
    ///     . . .").expect("a position");
    /// assert_eq!(board.to_diagram(), ".X.\nXOX\n...");
    /// ```
    pub fn from_diagram(text: &str) -> Result<Self, DiagramError> {
        let rows: Vec<Vec<char>> = text
            .split(['\n', '/'])
            .map(|row| row.chars().filter(|c| !c.is_whitespace()).collect::<Vec<_>>())
            .filter(|row| !row.is_empty())
            .collect();
        let width = rows.first().map_or(0, Vec::len);
        let size = Size::new(width, rows.len()).ok_or(DiagramError::Size)?;
        if rows.iter().any(|row| row.len() != width) {
            return Err(DiagramError::Size);
        }
        let mut stones = Vec::new();
        for (point, &character) in size.iter_from_top().zip(rows.iter().flatten()) {
            match character {
                '.' => {}
                'X' => stones.push((point, Color::Black)),
                'O' => stones.push((point, Color::White)),
                other => return Err(DiagramError::Character(other)),
            }
        }
        Self::with_stones(size, stones)
    }

    /// The diagram of the position: rows from the top, split by line feeds.
    pub fn to_diagram(&self) -> String {
        let size = self.size();
        let letters: Vec<u8> = size
            .iter_from_top()
            .map(|point| match self.cell(point) {
                Cell::Black => b'X',
                Cell::White => b'O',
                Cell::Empty | Cell::Border => b'.',
            })
            .collect();
        let rows: Vec<_> = letters.chunks(size.width()).map(String::from_utf8_lossy).collect();
        rows.join("\n")
    }
}
