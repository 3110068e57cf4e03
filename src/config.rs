//! What the user chose at the start: plain data that flags fill in and the engine reads.

use std::time::Duration;

use crate::board::Color;
pub use crate::params::Row as ParamRow;
pub use crate::playout::PlayoutParams;
use crate::rules::{Komi, Rules};
pub use crate::search::params::{SearchParams, TreeParams};

/// Who chooses the moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Player {
    /// A random legal move that fills no own eye.
    Random,
    /// Every root move scored by playouts.
    Flat,
    /// Monte Carlo tree search with playouts.
    Tree,
    /// Monte Carlo tree search with a network.
    Net,
}

impl Player {
    /// Its name in flags.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Flat => "flat",
            Self::Tree => "tree",
            Self::Net => "net",
        }
    }

    /// Whether it grows a tree.
    pub const fn has_tree(self) -> bool {
        matches!(self, Self::Tree | Self::Net)
    }
}

/// Whose win rate and score an analysis shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// That of the side whose move is searched.
    SideToMove,
    /// Always that of one side.
    Side(Color),
}

impl Perspective {
    /// The side that sees a search of this side's move.
    pub fn side(self, to_move: Color) -> Color {
        match self {
            Self::SideToMove => to_move,
            Self::Side(side) => side,
        }
    }
}

/// Settings of an engine.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "switches of the user's, each on its own")]
pub struct Config {
    /// Threads of the search; 0 means one a core.
    pub threads: usize,
    /// Seed of all random numbers; drawn anew for each game if there is none.
    pub seed: Option<u64>,
    /// Playouts a move, instead of what the clock allots.
    pub playouts: Option<u64>,
    /// Visits of the root, those of earlier searches included, instead of what the clock allots.
    pub visits: Option<u64>,
    /// Time a move, instead of what the clock allots.
    pub time_per_move: Option<Duration>,
    /// Rules at the start.
    pub rules: Rules,
    /// Komi at the start; that of the rules if there is none.
    pub komi: Option<Komi>,
    /// Who chooses the moves.
    pub player: Player,
    /// Memory of the search tree in MiB.
    pub memory: usize,
    /// Tunables of the tree search.
    pub params: SearchParams,
    /// Whether hopeless games are resigned.
    pub allow_resign: bool,
    /// After how many hopeless searches in a row.
    pub resign_after: u32,
    /// Whether to search on the opponent's time as well.
    pub ponder: bool,
    /// Whether `play` accepts moves that superko forbids.
    pub lenient_superko: bool,
    /// Whose win rate and score an analysis shows.
    pub perspective: Perspective,
    /// Whether Black's first moves in a row count as handicap stones for White's bonus.
    pub infer_handicap: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            threads: 0,
            seed: None,
            playouts: None,
            visits: None,
            time_per_move: None,
            rules: Rules::default(),
            komi: None,
            player: Player::Tree,
            memory: 512,
            params: SearchParams::default(),
            allow_resign: true,
            resign_after: 2,
            ponder: false,
            lenient_superko: false,
            perspective: Perspective::SideToMove,
            infer_handicap: false,
        }
    }
}
