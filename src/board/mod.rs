//! The board: stones and chains, and what a move does to them.
//!
//! [`Board`] answers everything that the position alone decides: captures, legality but for
//! repetition, liberties, eyes, the hash. It knows no history, komi or protocol; superko lives in
//! [`crate::game`]. One public type hides the arrays of four sizes behind it (`grid`); code that
//! must run at the speed of a fixed size, such as the playouts, is a [`GridTask`].
//!
//! Costs: `play` is about 40 ns plus a search of the free list; `clone` copies 1.6 KB (9x9) to
//! 12 KB (25x25); liberties of a chain are counted by a walk along its stones.

mod benson;
mod chain;
#[cfg(any(test, debug_assertions, feature = "oracle"))]
mod check;
mod color;
mod diagram;
mod draw;
mod eye;
mod grid;
mod heavy;
#[cfg(any(test, feature = "oracle"))]
#[doc(hidden)]
pub mod naive;
pub mod pattern;
mod point;
mod points;
pub mod zobrist;

pub use benson::PassAlive;
pub use chain::Removed;
pub use color::{ByColor, Cell, Color};
pub use diagram::DiagramError;
pub use grid::Grid;
pub use heavy::{Bits, Heavy, HeavyTask};
pub use point::{ColoredMove, Move, Point, Size, Vertex};
pub use points::PointSet;
pub use zobrist::Hash;

/// Length of arrays that are indexed by [`Point`].
pub const ARRAY_LEN: usize = 1024;

/// Whether a move may remove the mover's own stones (rules.md 2.1, `suicide`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Suicide {
    /// Never.
    None,
    /// Two stones or more.
    Multi,
    /// A single stone too.
    Any,
}

impl Suicide {
    /// Whether a move that removes this many stones of the mover's own is allowed.
    pub const fn allows(self, suicided: usize) -> bool {
        match self {
            Self::None => suicided == 0,
            Self::Multi => suicided != 1,
            Self::Any => true,
        }
    }
}

/// A position: the stones on a board of 1x1 to 25x25 points.
///
/// ```
/// use keima::board::{Board, Color, Size};
/// let mut board = Board::new(Size::square(9).expect("a legal size"));
/// let point = |text| board.size().parse_point(text).expect("on the board");
/// let (corner, right, above) = (point("A1"), point("B1"), point("A2"));
/// board.play(corner, Color::White);
/// board.play(right, Color::Black);
/// assert_eq!(board.play(above, Color::Black).captured, 1);
/// ```
///
/// # Equality
/// Two boards are equal if they have the same size and stones; ko does not count.
#[derive(Clone, Debug)]
pub struct Board {
    arrays: Arrays,
}

/// Each board lives in the smallest array that holds it.
#[derive(Clone, Debug)]
enum Arrays {
    Up9(Box<Grid<10, 128>>),
    Up13(Box<Grid<14, 256>>),
    Up19(Box<Grid<20, 512>>),
    Up25(Box<Grid<26, 1024>>),
}

/// Evaluates an expression with the board's grid, whatever its size.
macro_rules! with_grid {
    ($board:expr, $grid:ident => $result:expr) => {
        match $board {
            Arrays::Up9($grid) => $result,
            Arrays::Up13($grid) => $result,
            Arrays::Up19($grid) => $result,
            Arrays::Up25($grid) => $result,
        }
    };
}

/// Work on a grid that is compiled for each of the four array sizes.
pub trait GridTask {
    /// What the work gives.
    type Output;

    /// Does the work on a board's grid.
    fn run<const STRIDE: usize, const LEN: usize>(self, grid: &Grid<STRIDE, LEN>) -> Self::Output;
}

impl Board {
    /// An empty board.
    pub fn new(size: Size) -> Self {
        let arrays = match size.stride() {
            10 => Arrays::Up9(Box::new(Grid::new(size))),
            14 => Arrays::Up13(Box::new(Grid::new(size))),
            20 => Arrays::Up19(Box::new(Grid::new(size))),
            _ => Arrays::Up25(Box::new(Grid::new(size))),
        };
        Self { arrays }
    }

    /// Runs a task that is compiled for the array of this board.
    pub fn with_grid<T: GridTask>(&self, task: T) -> T::Output {
        with_grid!(&self.arrays, grid => task.run(grid))
    }

    /// Width and height.
    pub fn size(&self) -> Size {
        with_grid!(&self.arrays, grid => grid.size)
    }

    /// Zobrist hash of the stones: equal for equal positions, whatever led to them.
    pub fn hash(&self) -> Hash {
        with_grid!(&self.arrays, grid => grid.hash)
    }

    /// What a point holds.
    pub fn cell(&self, point: Point) -> Cell {
        with_grid!(&self.arrays, grid => grid.get(point.index()))
    }

    /// The color of the stone on a point, if there is one.
    pub fn stone(&self, point: Point) -> Option<Color> {
        self.cell(point).color()
    }

    /// Whether there is no stone at all.
    pub fn is_empty(&self) -> bool {
        with_grid!(&self.arrays, grid => grid.empty_count) == self.size().points()
    }

    /// All stones, by ascending index.
    pub fn stones(&self) -> impl Iterator<Item = (Point, Color)> + '_ {
        self.size().iter().filter_map(|point| Some((point, self.stone(point)?)))
    }

    /// The empty points, by ascending index.
    pub fn empty_points(&self) -> impl Iterator<Item = Point> + '_ {
        self.size().iter().filter(|&point| self.cell(point) == Cell::Empty)
    }

    /// The point that simple ko bars for the opponent of whoever moved last. Playouts obey it; the
    /// game's own ko rules go by its history.
    pub fn ko_point(&self) -> Option<Point> {
        let ko = with_grid!(&self.arrays, grid => grid.ko);
        (ko != 0).then(|| Point::from_index(ko))
    }

    /// Forgets the ko point, as a pass does.
    pub fn clear_ko(&mut self) {
        with_grid!(&mut self.arrays, grid => grid.ko = 0);
    }

    /// What a stone of this color on an empty point would remove, and the hash after that.
    /// Nothing for a point that is not empty.
    pub fn outcome(&self, point: Point, color: Color) -> Option<(Removed, Hash)> {
        (self.cell(point) == Cell::Empty)
            .then(|| with_grid!(&self.arrays, grid => grid.outcome(color, point.index())))
    }

    /// Whether a play is legal but for ko and superko.
    pub fn is_legal(&self, point: Point, color: Color, suicide: Suicide) -> bool {
        self.outcome(point, color).is_some_and(|(removed, _)| suicide.allows(removed.suicided))
    }

    /// Plays a stone: opposing chains without liberties are taken off, else the mover's own chain
    /// if it has none. Does nothing on a point that is not empty; other rules are the caller's
    /// business.
    pub fn play(&mut self, point: Point, color: Color) -> Removed {
        if self.cell(point) != Cell::Empty {
            return Removed::default();
        }
        let removed = with_grid!(&mut self.arrays, grid => grid.play(color, point.index()));
        #[cfg(debug_assertions)]
        self.check();
        removed
    }

    /// Makes a move: a play as [`Self::play`] does it; a pass forgets the ko point.
    pub fn apply(&mut self, ColoredMove { color, mv }: ColoredMove) -> Removed {
        match mv {
            Move::Play(point) => self.play(point, color),
            Move::Pass => {
                self.clear_ko();
                Removed::default()
            }
        }
    }

    /// Stones of the chain at a point; none for an empty point. The first is the chain's root,
    /// the same for all its stones.
    pub fn chain(&self, point: Point) -> Vec<Point> {
        if self.stone(point).is_none() {
            return Vec::new();
        }
        with_grid!(&self.arrays, grid =>
            grid.chain_stones(point.index()).map(Point::from_index).collect())
    }

    /// The liberties of the chain at a point; none for an empty point.
    pub fn liberties(&self, point: Point) -> PointSet {
        let size = self.size();
        self.chain(point)
            .into_iter()
            .flat_map(|stone| size.neighbors(stone))
            .filter(|&neighbor| self.cell(neighbor) == Cell::Empty)
            .collect()
    }

    /// Every chain once, as the list of its stones.
    pub fn chains(&self) -> Vec<(Color, Vec<Point>)> {
        let mut seen = PointSet::EMPTY;
        let mut chains = Vec::new();
        for (point, color) in self.stones() {
            if !seen.contains(point) {
                let chain = self.chain(point);
                seen.extend(chain.iter().copied());
                chains.push((color, chain));
            }
        }
        chains
    }

    /// Whether an empty point is surrounded by this color, with diagonals that make it a real eye
    /// (at most one of them the opponent's, none at the edge). Playouts never fill such points.
    pub fn is_eyelike(&self, point: Point, color: Color) -> bool {
        self.cell(point) == Cell::Empty
            && with_grid!(&self.arrays, grid => grid.is_eyelike(color, point.index()))
    }

    /// A copy whose random moves depend on the position only, not on the moves that led to it.
    #[must_use]
    pub fn canonical(&self) -> Self {
        let mut copy = self.clone();
        with_grid!(&mut copy.arrays, grid => grid.sort_empties());
        copy
    }

    /// Recomputes everything that is kept incrementally and compares.
    ///
    /// # Panics
    /// On the first difference.
    #[cfg(any(test, debug_assertions, feature = "oracle"))]
    pub fn check(&self) {
        with_grid!(&self.arrays, grid => grid.check());
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Self) -> bool {
        let size = self.size();
        size == other.size() && size.iter().all(|point| self.cell(point) == other.cell(point))
    }
}

impl Eq for Board {}

#[cfg(test)]
mod tests;
