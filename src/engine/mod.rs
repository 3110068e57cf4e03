//! The engine: a facade between protocol and search.
//!
//! It owns the thread pool, the seed and the cached status; a [`Game`] goes in, a decision, a
//! score or a status comes out. Judgement (when to pass and to resign, what is dead) lives here;
//! the search only reports numbers.

mod advice;
mod decide;
mod dragon;
mod life;
mod repeatable;
mod request;
mod status;

pub use crate::search::capture::{Reading, Success, attack, defend};
pub use crate::search::time::{Allotment, Clock, TimeSettings, count, moves_to_share, seconds};
pub use crate::search::{Candidate, Limits, Observer, Report, Restriction, Restrictions, StopFlag};
pub use crate::search::{Goal, Network};
pub use decide::Decision;
use decide::Hopeless;
pub use dragon::{dragon, dragons};
pub use life::Fate;
pub use repeatable::Repeatable;
pub use request::Request;

use std::sync::Arc;
use std::time::Duration;

use crate::board::{Board, Color, Move, Point};
use crate::config::{Config, Player};
use crate::game::Game;
use crate::rng::{self, Rng};
use crate::search::{Root, Task, Tree, flat};
pub use status::ScoreEstimate;
use status::StatusCache;

/// The longest that the engine searches on the opponent's time: more hardly changes a move, and
/// somebody may pay for the power.
const PONDER_MAX: Duration = Duration::from_mins(1);

/// Why an engine cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The threads could not be started.
    #[error("cannot start the search threads: {0}")]
    Threads(#[from] rayon::ThreadPoolBuildError),
}

/// Chooses moves and judges positions.
#[derive(Debug)]
pub struct Engine {
    config: Config,
    pool: rayon::ThreadPool,
    seed: u64,
    stop: StopFlag,
    repeatable: Repeatable,
    tree: Tree,
    /// What [`Player::Net`] judges positions by.
    network: Option<Arc<Network>>,
    status: StatusCache,
    /// The side that found its game hopeless last.
    hopeless: Option<Hopeless>,
}

impl Engine {
    /// An engine with its own threads.
    ///
    /// # Errors
    /// [`EngineError::Threads`] if the system gives no threads.
    pub fn new(config: Config) -> Result<Self, EngineError> {
        let pool = start_threads(config.threads)?;
        let seed = config.seed.unwrap_or_else(rng::random_seed);
        log::info!("seed {seed}, threads: {}", pool.current_num_threads());
        let tree = Tree::new(config.memory << 20);
        let (stop, status) = (StopFlag::default(), StatusCache::default());
        let repeatable = Repeatable::default();
        let network = None;
        Ok(Self { config, pool, seed, stop, repeatable, tree, network, status, hopeless: None })
    }

    /// The same with a network for [`Player::Net`], which plays like [`Player::Tree`] without one.
    #[must_use]
    pub fn with_network(self, network: Option<Arc<Network>>) -> Self {
        Self { network, ..self }
    }

    /// The network that chooses moves, if one does.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_deref().filter(|_| self.config.player == Player::Net)
    }

    /// The settings in force.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Puts other settings in force. A tree that was grown under other tunables is forgotten; the
    /// seed stays.
    ///
    /// # Errors
    /// [`EngineError::Threads`] if the system does not give the threads; nothing is changed then.
    pub fn configure(&mut self, config: Config) -> Result<(), EngineError> {
        if config.threads != self.config.threads {
            self.pool = start_threads(config.threads)?;
        }
        if config.memory != self.config.memory {
            self.tree = Tree::new(config.memory << 20);
        } else if config.params != self.config.params {
            self.tree.clear();
            self.status = StatusCache::default();
        }
        self.config = config;
        Ok(())
    }

    /// Number of threads of the search.
    pub fn threads(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// The settings, to be changed between moves. Threads, memory and the tunables of the search
    /// are changed by [`Self::configure`].
    pub fn config_mut(&mut self) -> &mut Config {
        &mut self.config
    }

    /// The signal that ends a running search, for other threads.
    pub fn stop_flag(&self) -> StopFlag {
        self.stop.clone()
    }

    /// Whether the searches so far can be repeated, for those who write them down.
    pub fn repeatable(&self) -> Repeatable {
        self.repeatable.clone()
    }

    /// The seed of the present game.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// Gives the present game the seed that it had before.
    pub fn resume_seed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// Fixes the seed, for later games as well.
    pub fn set_seed(&mut self, seed: u64) {
        self.config.seed = Some(seed);
        self.seed = seed;
    }

    /// Prepares for a new game: a new seed, unless one was set. It follows from the one before, so
    /// that the first seed of a session tells them all.
    pub fn new_game(&mut self) {
        if self.config.seed.is_none() {
            self.seed = rng::mix(self.seed, 0);
            log::info!("seed {}", self.seed);
        }
        self.tree.clear();
        self.hopeless = None;
    }

    /// Forgets what a panic may have left half done: the search that ran, the tree, what is known of
    /// the position.
    pub fn recover(&mut self) {
        self.stop.end();
        self.tree = Tree::new(self.config.memory << 20);
        self.status = StatusCache::default();
        self.hopeless = None;
    }

    /// What the next move of a side may spend: the flags' budget, else what the clock allots, else
    /// five seconds. A clock caps any budget, and only its own may be exceeded by a move that is not
    /// clear.
    pub fn limits(&self, clock: Option<Allotment>) -> Limits {
        let Config { playouts, visits, time_per_move, .. } = self.config;
        let has_budget = playouts.is_some() || visits.is_some() || time_per_move.is_some();
        let (time, time_max) = match clock {
            None if has_budget => (time_per_move, None),
            None => (Some(Duration::from_secs(5)), None),
            Some(Allotment { cap, .. }) if has_budget => {
                (Some(time_per_move.map_or(cap, |time| time.min(cap))), None)
            }
            Some(Allotment { usual, max, .. }) => (Some(usual), Some(max)),
        };
        Limits { playouts, visits, time, time_max, until_stopped: false }
    }

    /// Searches on the opponent's time, for the search that comes after his move, until something
    /// is [announced](StopFlag::announce) or it has been enough. Only the tree search ponders.
    pub fn ponder(&mut self, game: &Game) {
        if !self.config.player.has_tree() || !self.stop.begin_pondering() {
            return;
        }
        let limits = Limits { time: Some(PONDER_MAX), ..Limits::default() };
        let request = Request::new(game.to_play(), limits);
        let report = self.search_tree(game, request);
        self.stop.end();
        self.repeatable.lose();
        log::debug!("pondering: {}", summary(game, &report));
    }

    /// Watches the tree grow until the next line of input, or for as long as the limits say. Never
    /// ends because a move is clear.
    pub fn analyze(&mut self, game: &Game, request: Request<'_, '_>) -> Report {
        self.stop.begin_watching();
        let is_endless = request.limits.until_stopped;
        let report = self.search_tree(game, request);
        // The tree may be full of visits long before anybody has seen enough.
        while is_endless && !self.stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.stop.end();
        self.repeatable.lose();
        report
    }

    /// Searches a position afresh for so many playouts, unless it is clear before. What was known of
    /// the game is forgotten.
    pub fn benchmark(&mut self, game: &Game, playouts: u64) -> Report {
        let limits = Limits { playouts: Some(playouts), ..Limits::default() };
        self.tree.clear();
        let report = self.think(game, Request::new(game.to_play(), limits));
        self.tree.clear();
        report
    }

    /// What to search for a side's move.
    fn root<'a>(&self, game: &'a Game, color: Color) -> Root<'a> {
        let turn = game.turns().len() as u64;
        let seed = rng::mix(self.seed ^ game.board().hash(), 2 * turn + color as u64);
        let bonus = game.rules().handicap_points(self.handicap(game));
        let (shift, bias_hundredths) = match self.config.player {
            Player::Tree | Player::Net => {
                (decide::territory_shift(game, color), decide::dynamic_komi(game))
            }
            Player::Flat | Player::Random => (0, 0),
        };
        let komi_hundredths = game.komi().hundredths() + bonus + shift + bias_hundredths;
        Root { game, color, komi_hundredths, bias_hundredths, seed }
    }

    fn search_tree(&mut self, game: &Game, request: Request<'_, '_>) -> Report {
        let root = self.root(game, request.color);
        let Request { limits, restrictions, observer, .. } = request;
        let Self { pool, tree, stop, config, network, .. } = self;
        let params = &config.params;
        let network = network.as_deref().filter(|_| config.player == Player::Net);
        let task = Task { root, restrictions: &restrictions, limits, params, goal: None, network };
        tree.search(&task, pool, stop, observer)
    }

    /// What to play when there was no time for a single playout of a play: what comes first by its
    /// prior, else any move, which is better than a pass. A network's prior may be for a pass.
    fn unsearched(&self, mut report: Report, random: impl FnOnce() -> Report) -> Report {
        let may_pass = self.network().is_some();
        let mut by_prior = report.untried.iter().map(|candidate| candidate.mv);
        let has_visits = report.visits() > 0;
        match by_prior.find(|&mv| may_pass || mv != Move::Pass) {
            Some(mv) if !(may_pass && has_visits) => {
                report.promote(mv);
                report
            }
            _ if has_visits => report,
            _ => random(),
        }
    }

    /// Chooses a move for a side, whoever's turn it is.
    fn think(&mut self, game: &Game, request: Request<'_, '_>) -> Report {
        let color = request.color;
        let (limits, restrictions) = (request.limits, request.restrictions.clone());
        let is_allowed = |point: Point| restrictions.permit(color, 0, Move::Play(point));
        let root = self.root(game, color);
        let seed = root.seed;
        if request.is_cancellable {
            self.stop.begin_watching();
        } else {
            self.stop.begin();
        }
        let report = match self.config.player {
            Player::Tree | Player::Net => self.search_tree(game, request),
            Player::Flat => {
                let limits = limits.after(0);
                self.pool.install(|| flat::search(&root, &is_allowed, limits, &self.stop))
            }
            Player::Random => random_report(game, color, &is_allowed, seed),
        };
        let was_stopped = self.stop.is_stopped();
        self.stop.end();
        self.repeatable.note(&self.config, self.pool.current_num_threads(), limits, &self.stop);
        let report = if report.best_play().is_some() {
            report
        } else {
            self.unsearched(report, || random_report(game, color, &is_allowed, seed))
        };
        let report = Report { was_stopped, ..report };
        log::debug!("{}", summary(game, &report));
        report
    }
}

/// So many threads; one a core for 0.
fn start_threads(threads: usize) -> Result<rayon::ThreadPool, EngineError> {
    let builder = rayon::ThreadPoolBuilder::new().num_threads(threads);
    Ok(builder.thread_name(|i| format!("search-{i}")).build()?)
}

/// A report of one random move that is legal and fills no own eye, or of a pass if there is none.
fn random_report(game: &Game, color: Color, allowed: &impl Fn(Point) -> bool, seed: u64) -> Report {
    let board: &Board = game.board();
    let moves: Vec<Point> = board
        .empty_points()
        .filter(|&p| allowed(p) && !board.is_eyelike(p, color) && game.is_legal(p, color))
        .collect();
    let chosen = Rng::new(seed).below(moves.len() as u32) as usize;
    Report::of_move(color, moves.get(chosen).map_or(Move::Pass, |&point| Move::Play(point)))
}

/// One line for the log.
fn summary(game: &Game, report: &Report) -> String {
    let Some(best) = report.best() else { return "no playouts".to_owned() };
    let mv = game.size().move_text(best.mv);
    format!(
        "{} {mv}: {} of {} playouts, wins {:.1} %, score {:+.1}",
        report.color,
        best.visits,
        report.playouts,
        100.0 * best.win_rate,
        best.score
    )
}

#[cfg(test)]
mod tests;
