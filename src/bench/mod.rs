//! `keima bench`: how fast this machine plays, and a signature of how this build plays.
//!
//! Figures by board size, all in playouts a second from the empty board: light playouts, the same
//! games on the heavy board, and the tree search, which is what a move costs; with a network its
//! evaluations and the visits of a search with it. Each is the median of repeats; one thread and all
//! threads run in turn, so that a drift of the machine's speed hits both alike.

mod signature;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use clap::ValueEnum;
use rayon::ThreadPool;
use serde::Serialize;

use crate::board::{Board, Color, ColoredMove, Move, Size};
use crate::engine::{EngineError, Limits, Report, StopFlag};
use crate::game::Game;
use crate::net::{Features, Network, Position, Workspace};
use crate::playout::{self, Job, Tally};
use crate::rules::{Komi, Rules};
use crate::search::{Restrictions, Root, SearchParams, Task, Tree};
pub use signature::signature;

/// Komi of the random playouts.
const KOMI_HUNDREDTHS: i32 = 650;
/// Komi of the searches.
const SEARCH_KOMI_HUNDREDTHS: i32 = 750;
/// Memory of the tree: none of the searches fills it.
const TREE_BYTES: usize = 512 << 20;

/// How much a run plays on a board: about half a second of random playouts and a second of search
/// on one thread.
struct Load {
    side: usize,
    light: u64,
    heavy: u64,
    search: u64,
    net: u64,
}

const LOADS: [Load; 3] = [
    Load { side: 9, light: 96_000, heavy: 64_000, search: 40_000, net: 800 },
    Load { side: 13, light: 48_000, heavy: 32_000, search: 20_000, net: 400 },
    Load { side: 19, light: 20_000, heavy: 14_000, search: 10_000, net: 200 },
];

/// What can be measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Uniformly random games on the light board
    Light,
    /// The same games on the heavy board
    Heavy,
    /// Tree search with informed playouts
    Search,
    /// The network of --net, and tree search with it
    Net,
}

/// What to measure, and how.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Threads of the second figure; 0 means one a core.
    pub threads: usize,
    /// Runs of which each figure is the median, at least one.
    pub repeats: usize,
    /// Only these kinds; all if there is none.
    pub kinds: Vec<Kind>,
    /// Only the board of this side.
    pub side: Option<usize>,
    /// Tunables of the search.
    pub params: SearchParams,
    /// The network to measure.
    pub network: Option<Arc<Network>>,
}

impl Plan {
    fn has(&self, kind: Kind) -> bool {
        self.kinds.is_empty() || self.kinds.contains(&kind)
    }

    fn is_all(&self) -> bool {
        self.kinds.is_empty() && self.side.is_none()
    }
}

/// Light playouts on an empty board of one size.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LightFigures {
    /// Playouts a second on one thread: median of the repeats, wall time.
    pub one_thread_per_s: f64,
    /// The same on all threads.
    pub all_threads_per_s: f64,
    /// Moves a playout, passes counted.
    pub mean_moves: f64,
    /// Share of Black's wins at komi 6.5.
    pub black_win_rate: f64,
}

/// The same games on the heavy board.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct HeavyFigures {
    /// Playouts a second on one thread.
    pub one_thread_per_s: f64,
    /// Moves a playout, passes counted.
    pub mean_moves: f64,
    /// Share of Black's wins at komi 6.5.
    pub black_win_rate: f64,
}

/// Tree search from an empty board at komi 7.5.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SearchFigures {
    /// Playouts a second on one thread.
    pub one_thread_per_s: f64,
    /// The same on all threads, on one tree.
    pub all_threads_per_s: f64,
}

/// A network on one thread.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct NetFigures {
    /// Evaluations a second of a position in the opening, its features included.
    pub evals_per_s: f64,
    /// Visits a second of a search from an empty board at komi 7.5.
    pub visits_per_s: f64,
}

/// Everything that was measured, by board size.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Figures {
    /// Light playouts.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub light: BTreeMap<usize, LightFigures>,
    /// Heavy board.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub heavy: BTreeMap<usize, HeavyFigures>,
    /// Tree search.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub search: BTreeMap<usize, SearchFigures>,
    /// A network.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub net: BTreeMap<usize, NetFigures>,
    /// See [`signature()`]; left out where not everything is measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signature: Option<u64>,
}

/// Measures what the plan asks for.
///
/// # Errors
/// If the threads cannot be started.
pub fn measure(plan: &Plan) -> Result<Figures, EngineError> {
    let (one, all) = (pool(1)?, pool(plan.threads)?);
    let mut figures = Figures::default();
    for load in LOADS.iter().filter(|load| plan.side.is_none_or(|side| side == load.side)) {
        if plan.has(Kind::Light) {
            figures.light.insert(load.side, light(&one, &all, load, plan.repeats));
        }
        if plan.has(Kind::Heavy) {
            figures.heavy.insert(load.side, heavy(load, plan.repeats));
        }
        if plan.has(Kind::Search) {
            figures.search.insert(load.side, search(&one, &all, load, plan));
        }
        if let Some(network) = plan.network.as_deref().filter(|_| plan.has(Kind::Net)) {
            figures.net.insert(load.side, net(&one, load, plan, network));
        }
    }
    if plan.is_all() {
        figures.signature = Some(signature()?);
    }
    Ok(figures)
}

fn pool(threads: usize) -> Result<ThreadPool, EngineError> {
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads).build()?)
}

fn light(one: &ThreadPool, all: &ThreadPool, load: &Load, repeats: usize) -> LightFigures {
    let speed = |pool| per_s(|| playouts(pool, load.side, load.light, 1).playouts);
    let (singles, multiples) = (0..repeats).map(|_| (speed(one), speed(all))).unzip();
    let tally = playouts(one, load.side, load.light, 1);
    LightFigures {
        one_thread_per_s: median(singles),
        all_threads_per_s: median(multiples),
        mean_moves: tally.mean_moves(),
        black_win_rate: tally.black_win_rate(),
    }
}

fn heavy(load: &Load, repeats: usize) -> HeavyFigures {
    let mut tally = Tally::default();
    let mut speed = || {
        per_s(|| {
            tally = with_job(load.side, 1, |job| playout::run_heavy(job, load.heavy));
            tally.playouts
        })
    };
    let speeds = (0..repeats).map(|_| speed()).collect();
    HeavyFigures {
        one_thread_per_s: median(speeds),
        mean_moves: tally.mean_moves(),
        black_win_rate: tally.black_win_rate(),
    }
}

fn search(one: &ThreadPool, all: &ThreadPool, load: &Load, plan: &Plan) -> SearchFigures {
    let params = patient(plan.params);
    let mut tree = Tree::new(TREE_BYTES);
    let game = empty_game(load.side);
    let mut speed = |pool: &ThreadPool| {
        tree.clear();
        per_s(|| search_once(&mut tree, pool, &game, limits(load.search), &params, None).playouts)
    };
    // The first search takes the tree's memory from the system, which a game does once.
    speed(all);
    let (singles, multiples) = (0..plan.repeats).map(|_| (speed(one), speed(all))).unzip();
    SearchFigures { one_thread_per_s: median(singles), all_threads_per_s: median(multiples) }
}

fn net(one: &ThreadPool, load: &Load, plan: &Plan, network: &Network) -> NetFigures {
    let params = patient(plan.params);
    let mut tree = Tree::new(TREE_BYTES);
    let game = empty_game(load.side);
    let opening = play(&game, "C3 G7 G3");
    let komi = opening.komi().hundredths();
    let mut workspace = Workspace::default();
    let mut evaluate = || {
        for _ in 0..load.net {
            let position = Position::new(&opening, opening.to_play(), komi);
            network.evaluate(&[Features::new(&position)], opening.size(), &mut workspace);
        }
        load.net
    };
    // Weights are packed for the board when it is first seen.
    evaluate();
    let mut speeds = || {
        tree.clear();
        let visits = || {
            search_once(&mut tree, one, &game, limits(load.net), &params, Some(network)).playouts
        };
        (per_s(&mut evaluate), per_s(visits))
    };
    let (evals, visits) = (0..plan.repeats).map(|_| speeds()).unzip();
    NetFigures { evals_per_s: median(evals), visits_per_s: median(visits) }
}

/// The parameters, but every playout of the budget is played: a search that ends early would not hurt,
/// but its last moments differ from the rest.
fn patient(mut params: SearchParams) -> SearchParams {
    (params.tree.stop_share, params.tree.sure_margin) = (1e9, 1.0);
    params
}

fn limits(playouts: u64) -> Limits {
    Limits { playouts: Some(playouts), ..Limits::default() }
}

/// A search of the side to move, with a fixed seed.
fn search_once(
    tree: &mut Tree,
    pool: &ThreadPool,
    game: &Game,
    limits: Limits,
    params: &SearchParams,
    network: Option<&Network>,
) -> Report {
    let (restrictions, root) = (Restrictions::default(), root(game));
    let task = Task { root, restrictions: &restrictions, limits, params, goal: None, network };
    tree.search(&task, pool, &StopFlag::default(), None)
}

/// What a search of the side to move looks at, with a fixed seed.
fn root(game: &Game) -> Root<'_> {
    let color = game.to_play();
    let komi_hundredths = game.komi().hundredths();
    Root { game, color, komi_hundredths, bias_hundredths: 0, seed: 1 }
}

fn empty_game(side: usize) -> Game {
    let size = Size::square(side).unwrap_or(Size::STANDARD);
    Game::with_rules(size, Rules::default(), Komi::from_hundredths(SEARCH_KOMI_HUNDREDTHS))
}

/// The game after these moves, as far as they are legal.
fn play(start: &Game, moves: &str) -> Game {
    let mut game = start.clone();
    for word in moves.split_whitespace() {
        let mv = game.size().parse_point(word).map_or(Move::Pass, Move::Play);
        let color = game.to_play();
        let is_played = game.play(ColoredMove { color, mv }).is_ok();
        debug_assert!(is_played, "{word} is illegal");
    }
    game
}

fn with_job(side: usize, seed: u64, play: impl FnOnce(&Job<'_>) -> Tally) -> Tally {
    let board = Board::new(Size::square(side).unwrap_or(Size::STANDARD));
    play(&Job {
        board: &board,
        to_play: Color::Black,
        komi_hundredths: KOMI_HUNDREDTHS,
        seed,
        with_owners: false,
    })
}

fn playouts(pool: &ThreadPool, side: usize, playouts: u64, seed: u64) -> Tally {
    pool.install(|| with_job(side, seed, |job| playout::run(job, playouts, &|| false)))
}

/// Playouts a second of work that tells how many it did.
fn per_s(work: impl FnOnce() -> u64) -> f64 {
    let start = Instant::now();
    let done = work();
    done as f64 / start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// A table for people.
impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "kind   size  one thread/s  all threads/s  ratio   moves  Black wins")?;
        let games = |moves: f64, wins: f64| format!("{moves:>7.1} {:>9.1} %", 100.0 * wins);
        let pair = |one: f64, all: f64| format!("{one:>13.0} {all:>14.0} {:>6.2}", all / one);
        for (size, light) in &self.light {
            let speeds = pair(light.one_thread_per_s, light.all_threads_per_s);
            let games = games(light.mean_moves, light.black_win_rate);
            writeln!(f, "light  {size:>4} {speeds} {games}")?;
        }
        for (size, heavy) in &self.heavy {
            let games = games(heavy.mean_moves, heavy.black_win_rate);
            writeln!(f, "heavy  {size:>4} {:>13.0} {:21} {games}", heavy.one_thread_per_s, "")?;
        }
        for (size, search) in &self.search {
            let speeds = pair(search.one_thread_per_s, search.all_threads_per_s);
            writeln!(f, "search {size:>4} {speeds}")?;
        }
        for (size, net) in &self.net {
            let NetFigures { evals_per_s, visits_per_s } = net;
            writeln!(
                f,
                "net    {size:>4} {evals_per_s:>13.0} evaluations {visits_per_s:>13.0} visits"
            )?;
        }
        self.signature.map_or(Ok(()), |signature| writeln!(f, "signature {signature}"))
    }
}
