//! `keima bench`: how fast this machine plays, and a signature of how this build plays.
//!
//! The signature is one number from fixed positions and seeds on one thread. It is the same on
//! every machine; a commit that changes play changes it and says so in its message.

use std::time::Instant;

use rayon::ThreadPool;
use serde::Serialize;

use crate::board::{Board, Color, Size};
use crate::engine::EngineError;
use crate::playout::{self, Job, Tally};
use crate::rng::mix;

/// Komi of the playouts.
const KOMI_HUNDREDTHS: i32 = 650;
/// Sizes with playouts a run: each takes about half a second on one thread.
const SIZES: [(usize, u64); 3] = [(9, 96_000), (13, 48_000), (19, 20_000)];

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

/// Everything that the benchmark prints.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Light playouts by board size.
    pub light: std::collections::BTreeMap<usize, LightFigures>,
    /// See [`signature`].
    pub signature: u64,
}

/// Measures with one thread and with `threads` (0: one a core), each figure the median of
/// `repeats` runs, at least one.
///
/// # Errors
/// If the threads cannot be started.
pub fn measure(threads: usize, repeats: usize) -> Result<Figures, EngineError> {
    let pool = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build();
    let (one, all) = (pool(1)?, pool(threads)?);
    let mut light = std::collections::BTreeMap::new();
    for (side, playouts) in SIZES {
        // Turn about, so that a drift of the machine's speed hits both alike.
        let (singles, multiples): (Vec<_>, Vec<_>) = (0..repeats)
            .map(|_| (speed(&one, side, playouts), speed(&all, side, playouts)))
            .unzip();
        let tally = playouts_of(&one, side, playouts, 1);
        let figures = LightFigures {
            one_thread_per_s: median(singles),
            all_threads_per_s: median(multiples),
            mean_moves: tally.mean_moves(),
            black_win_rate: tally.black_win_rate(),
        };
        light.insert(side, figures);
    }
    Ok(Figures { light, signature: signature(&one) })
}

/// The signature of this build, on a pool of any size.
pub fn signature(pool: &ThreadPool) -> u64 {
    let of = |side, seed| {
        let tally = playouts_of(pool, side, 2000, seed);
        mix(tally.black_wins, mix(tally.moves, tally.area as u64))
    };
    // 32 bits are enough to tell builds apart and short enough to read.
    SIZES.iter().fold(0, |sum, &(side, _)| mix(sum, of(side, side as u64))) >> 32
}

fn playouts_of(pool: &ThreadPool, side: usize, playouts: u64, seed: u64) -> Tally {
    let Some(size) = Size::square(side) else { return Tally::default() };
    let board = Board::new(size);
    let job = Job {
        board: &board,
        to_play: Color::Black,
        komi_hundredths: KOMI_HUNDREDTHS,
        seed,
        with_owners: false,
    };
    pool.install(|| playout::run(&job, playouts, &|| false))
}

fn speed(pool: &ThreadPool, side: usize, playouts: u64) -> f64 {
    let start = Instant::now();
    let done = playouts_of(pool, side, playouts, 1).playouts;
    done as f64 / start.elapsed().as_secs_f64()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
