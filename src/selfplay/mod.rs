//! Games of a network against itself without a search, for labelled positions that another network
//! learns from.
//!
//! A game, and a group of games of one size, is a function of the seed and its number. Groups are put in
//! the order of their numbers, so any number of threads writes the same files.
//!
//! The files are those of scripts/train (`scripts/train/README.md`).

mod files;
mod group;
mod judgement;
mod npz;
mod settings;
mod sizes;
mod table;

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::net::Network;
use crate::rng::{Rng, mix};

use files::Files;
use group::Group;
use table::{Labelling, Record};

pub use sizes::{Sizes, SizesError};

/// How often progress is told.
const TICK: Duration = Duration::from_millis(200);

/// What to make.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Of all random numbers.
    pub seed: u64,
    /// Threads; 0 means one a core.
    pub threads: usize,
    /// Labelled positions, and what the last games have beyond; without, until it is stopped.
    pub positions: Option<u64>,
    /// Board sizes.
    pub sizes: Sizes,
    /// One position in so many of a game is labelled.
    pub thin: usize,
    /// Orientations that a label is the mean of: as many as a board has, or fewer.
    pub orientations: usize,
    /// Labelled positions of a file.
    pub per_file: usize,
}

/// How far it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games that came to their end.
    pub games: u64,
    /// Their moves.
    pub turns: u64,
    /// Their labelled positions.
    pub positions: u64,
    /// Labels that were left out, since they would not have been numbers.
    pub unusable: u64,
    /// Files that are written.
    pub files: usize,
}

impl Tally {
    fn add(&mut self, record: &Record) {
        self.games += 1;
        self.turns += record.moves.len() as u64;
        self.positions += record.labels.len() as u64;
        self.unusable += record.unusable as u64;
    }
}

/// Why there are no positions, or no more.
#[derive(Debug, thiserror::Error)]
pub enum SelfplayError {
    /// A file or folder cannot be written.
    #[error("{path}: {1}", path = .0.display())]
    File(PathBuf, io::Error),
    /// Files would be overwritten.
    #[error("{path}: there are positions of this seed already", path = .0.display())]
    Seed(PathBuf),
    /// There are no threads to be had.
    #[error(transparent)]
    Threads(#[from] rayon::ThreadPoolBuildError),
    /// A group of games without a single label.
    #[error("what the network says are no numbers")]
    NotFinite,
}

/// What the threads share.
#[derive(Debug)]
struct Shared<'a> {
    plan: &'a Plan,
    network: &'a Network,
    /// Set by whoever has enough.
    stop: &'a AtomicBool,
    /// Set when there are enough positions.
    enough: AtomicBool,
    /// Number of the next group.
    next: AtomicU64,
    /// Of all games that came to their end, those that are not needed any more included.
    tally: Mutex<Tally>,
}

/// The number of a group and its games.
type Played = (u64, Vec<Record>);

/// Plays games and writes files of labelled positions to a folder, until there are enough or `stop` is
/// set; then games that came to their end are written. Tells `observe` how far it is a few times a second.
///
/// # Errors
/// [`SelfplayError`]; files that were full are written.
pub fn run(
    plan: &Plan,
    network: &Network,
    folder: &Path,
    stop: &AtomicBool,
    mut observe: impl FnMut(&Tally),
) -> Result<Tally, SelfplayError> {
    let mut files = Files::new(folder, plan.seed, plan.per_file)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(plan.threads).build()?;
    let shared = Shared {
        plan,
        network,
        stop,
        enough: AtomicBool::new(false),
        next: AtomicU64::new(0),
        tally: Mutex::default(),
    };
    let (sender, receiver) = channel();
    let collected = pool.in_place_scope(|scope| {
        for _ in 0..pool.current_num_threads() {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move |_| shared.work(&sender));
        }
        // The threads have theirs; the end of the last one ends the channel.
        drop(sender);
        let collected = shared.collect(&receiver, &mut files, &mut observe);
        shared.enough.store(true, Relaxed);
        collected
    });
    // What came before a mistake is good.
    files.finish()?;
    collected?;
    Ok(files.tally)
}

impl Shared<'_> {
    /// Plays groups.
    fn work(&self, sender: &Sender<Played>) {
        let stops = [self.stop, &self.enough];
        while !stops.iter().any(|stop| stop.load(Relaxed)) {
            let number = self.next.fetch_add(1, Relaxed);
            let seed = mix(self.plan.seed, number);
            let group = Group {
                network: self.network,
                size: self.plan.sizes.draw(&mut Rng::new(seed)),
                labelling: Labelling { thin: self.plan.thin, orientations: self.plan.orientations },
                seed,
                stops: &stops,
            };
            let records = group.play(|record| self.tally().add(record));
            if sender.send((number, records)).is_err() {
                break;
            }
        }
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes the groups in their order until the threads have ended or there are enough positions.
    fn collect(
        &self,
        receiver: &Receiver<Played>,
        files: &mut Files,
        observe: &mut impl FnMut(&Tally),
    ) -> Result<(), SelfplayError> {
        let mut waiting = BTreeMap::new();
        for next in 0.. {
            let records = loop {
                if let Some(records) = waiting.remove(&next) {
                    break records;
                }
                let tally = Tally { files: files.tally.files, ..*self.tally() };
                observe(&tally);
                match receiver.recv_timeout(TICK) {
                    Ok((number, records)) => drop(waiting.insert(number, records)),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            };
            let has_labels = records.iter().any(|record: &Record| !record.labels.is_empty());
            if !has_labels && records.iter().any(|record| record.unusable > 0) {
                return Err(SelfplayError::NotFinite);
            }
            records.into_iter().try_for_each(|record| files.add(record))?;
            if self.plan.positions.is_some_and(|positions| files.tally.positions >= positions) {
                return Ok(());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::net::{Arithmetic, Kernel, testing};

    fn plan(threads: usize) -> Plan {
        let sizes = "4=1,4x3=1".parse().unwrap();
        Plan {
            seed: 5,
            threads,
            positions: Some(1500),
            sizes,
            thin: 4,
            orientations: 2,
            per_file: 400,
        }
    }

    fn network() -> Network {
        Network::new(&testing::model(3, 8), Arithmetic::Real, Kernel::Plain)
    }

    /// The names and contents of the files.
    fn written(plan: &Plan, network: &Network) -> (Tally, Vec<(String, Vec<u8>)>) {
        let folder = tempfile::tempdir().unwrap();
        let tally = run(plan, network, folder.path(), &AtomicBool::new(false), |_| {}).unwrap();
        let mut files: Vec<_> = fs::read_dir(folder.path())
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .map(|path| {
                let name = path.file_name().unwrap().to_string_lossy().into_owned();
                (name, fs::read(path).unwrap())
            })
            .collect();
        files.sort();
        (tally, files)
    }

    #[test]
    fn any_number_of_threads_writes_the_same_files() {
        let network = network();
        let (tally, files) = written(&plan(1), &network);
        assert!(tally.positions >= 1500 && tally.files == files.len() && tally.files >= 3);
        assert!(files.iter().any(|(name, _)| name == "s4x4-5-000.npz"));
        assert!(files.iter().any(|(name, _)| name.starts_with("s4x3-5-")));
        for threads in [1, 3] {
            assert!(written(&plan(threads), &network).1 == files, "{threads} threads");
        }
    }

    #[test]
    fn a_stop_ends_it() {
        let (network, folder) = (network(), tempfile::tempdir().unwrap());
        let stop = AtomicBool::new(false);
        let endless = Plan { positions: None, ..plan(2) };
        let observe = |tally: &Tally| stop.store(tally.positions > 100, Relaxed);
        let tally = run(&endless, &network, folder.path(), &stop, observe).unwrap();
        assert!(tally.positions > 100 && tally.files > 0);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), tally.files);
    }

    #[test]
    fn a_network_without_sense_is_an_error() {
        let mut model = testing::model(3, 8);
        model.value.hidden_bias.fill(f32::NAN);
        model.value.score_bias.fill(f32::NAN);
        let network = Network::new(&model, Arithmetic::Real, Kernel::Plain);
        let folder = tempfile::tempdir().unwrap();
        let error = run(&plan(2), &network, folder.path(), &AtomicBool::new(false), |_| {});
        assert!(matches!(error, Err(SelfplayError::NotFinite)), "{error:?}");
    }
}
