//! What the threads of a search bring home, while it runs and at its end.
//!
//! Each thread counts for itself. Somebody who watches the search [asks](Posts::ask); every thread
//! then leaves a copy of its counts at its post after the playout that it is in.

use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use super::ownership::OwnerSums;
use crate::score::Ownership;

/// Black's scores in the playouts that began with one move.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ScoreSums {
    sum: f64,
    squares: f64,
    count: u32,
}

impl ScoreSums {
    pub(super) fn add(&mut self, score: f32) {
        let score = f64::from(score);
        self.sum += score;
        self.squares += score * score;
        self.count += 1;
    }

    fn merge(&mut self, other: &Self) {
        self.sum += other.sum;
        self.squares += other.squares;
        self.count += other.count;
    }

    /// Standard deviation; `None` without playouts.
    pub(super) fn deviation(&self) -> Option<f64> {
        let count = f64::from(self.count);
        let mean = self.sum / count;
        (self.count > 0).then(|| (self.squares / count - mean * mean).max(0.0).sqrt())
    }
}

/// Owners of the points in the playouts that began with one move.
#[derive(Clone, Debug, Default)]
struct MoveOwners {
    playouts: u64,
    sums: Vec<i32>,
}

impl MoveOwners {
    fn add(&mut self, owners: &[i8]) {
        self.playouts += 1;
        self.sums.resize(owners.len(), 0);
        self.sums.iter_mut().zip(owners).for_each(|(sum, &owner)| *sum += i32::from(owner));
    }

    fn merge(&mut self, other: &Self) {
        self.playouts += other.playouts;
        self.sums.resize(self.sums.len().max(other.sums.len()), 0);
        self.sums.iter_mut().zip(&other.sums).for_each(|(sum, more)| *sum += more);
    }
}

/// Counts of one thread, or of all together. Moves by the index of their point, 0 for a pass.
#[derive(Clone, Debug, Default)]
pub(super) struct Harvest {
    pub(super) owners: OwnerSums,
    scores: Vec<ScoreSums>,
    /// Empty unless somebody wants them.
    move_owners: Vec<MoveOwners>,
}

impl Harvest {
    /// Counts for boards of this array, by first move on demand.
    pub(super) fn new(len: usize, with_move_owners: bool) -> Self {
        let move_owners = vec![MoveOwners::default(); if with_move_owners { len } else { 0 }];
        let scores = vec![ScoreSums::default(); len];
        Self { owners: OwnerSums::default(), scores, move_owners }
    }

    /// Whether nothing has been counted.
    pub(super) fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// A copy with these owners.
    pub(super) fn with_owners(&self, owners: OwnerSums) -> Self {
        Self { owners, ..self.clone() }
    }

    /// Whether owners are wanted by first move.
    pub(super) fn wants_move_owners(&self) -> bool {
        !self.move_owners.is_empty()
    }

    /// Adds a playout by its first move.
    pub(super) fn add(&mut self, first: usize, score: f32) {
        self.scores[first].add(score);
    }

    /// Adds the owners of a playout by its first move.
    pub(super) fn add_owners(&mut self, first: usize, owners: &[i8]) {
        self.move_owners[first].add(owners);
    }

    /// The scores after a move.
    pub(super) fn scores(&self, first: usize) -> ScoreSums {
        self.scores.get(first).copied().unwrap_or_default()
    }

    /// The scores after all moves.
    pub(super) fn all_scores(&self) -> ScoreSums {
        let mut all = ScoreSums::default();
        self.scores.iter().for_each(|scores| all.merge(scores));
        all
    }

    /// Who owned the points after a move, if that was wanted: after all moves if this one had no
    /// playout in this search.
    pub(super) fn ownership(&self, first: usize) -> Option<Ownership> {
        let owners = self.move_owners.get(first)?;
        Some(match owners.playouts {
            0 => self.owners.ownership(),
            playouts => Ownership::from_sums(&owners.sums, playouts),
        })
    }

    fn merge(&mut self, other: &Self) {
        self.owners.merge(&other.owners);
        self.scores.resize(self.scores.len().max(other.scores.len()), ScoreSums::default());
        self.scores.iter_mut().zip(&other.scores).for_each(|(sum, more)| sum.merge(more));
        let moves = self.move_owners.len().max(other.move_owners.len());
        self.move_owners.resize(moves, MoveOwners::default());
        self.move_owners.iter_mut().zip(&other.move_owners).for_each(|(sum, more)| sum.merge(more));
    }
}

/// Where the threads of one search leave their counts.
#[derive(Debug)]
pub(super) struct Posts {
    /// Counts the askings.
    asked: AtomicU32,
    slots: Vec<Mutex<Harvest>>,
    running: Mutex<usize>,
    ended: Condvar,
}

impl Posts {
    /// For so many threads, all of which are taken to run.
    pub(super) fn new(threads: usize) -> Self {
        Self {
            asked: AtomicU32::new(0),
            slots: std::iter::repeat_with(Mutex::default).take(threads).collect(),
            running: Mutex::new(threads),
            ended: Condvar::new(),
        }
    }

    /// Asks all threads to leave a copy of their counts.
    pub(super) fn ask(&self) {
        self.asked.fetch_add(1, Relaxed);
    }

    /// How often was asked so far.
    #[inline]
    pub(super) fn asked(&self) -> u32 {
        self.asked.load(Relaxed)
    }

    /// Leaves the counts of a thread.
    pub(super) fn leave(&self, thread: usize, harvest: Harvest) {
        *lock(&self.slots[thread]) = harvest;
    }

    /// What lies at the posts, all together.
    pub(super) fn collect(&self) -> Harvest {
        let mut all = Harvest::default();
        self.slots.iter().for_each(|slot| all.merge(&lock(slot)));
        all
    }

    /// For a thread to hold as long as it runs.
    pub(super) fn presence(&self) -> Presence<'_> {
        Presence(self)
    }

    /// Waits until then, or until all threads have ended: `true`.
    pub(super) fn wait_until(&self, then: Instant) -> bool {
        let mut running = lock(&self.running);
        while *running > 0 {
            let left = then.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return false;
            }
            let waited = self.ended.wait_timeout(running, left);
            running = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        true
    }
}

/// Tells at its end, also by a panic, that a thread has ended.
pub(super) struct Presence<'a>(&'a Posts);

impl Drop for Presence<'_> {
    fn drop(&mut self) {
        *lock(&self.0.running) -= 1;
        self.0.ended.notify_all();
    }
}

/// A thread that panicked leaves counts behind that are as good as any.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn scores_have_mean_and_deviation() {
        let mut one = Harvest::new(3, true);
        let mut two = Harvest::new(3, true);
        one.add(1, 4.0);
        two.add(1, -2.0);
        two.add(2, 1.0);
        one.add_owners(1, &[1, -1, 0]);
        two.add_owners(1, &[1, 1, 0]);
        one.merge(&two);
        assert!((one.scores(1).deviation().unwrap() - 3.0).abs() < 1e-9);
        assert_eq!(one.scores(0).deviation(), None);
        assert_eq!(one.all_scores().count, 3);
        assert_eq!(one.move_owners[1].sums, [2, 0, 0]);
    }

    #[test]
    fn whoever_waits_sees_the_end() {
        let posts = Posts::new(2);
        assert!(!posts.wait_until(Instant::now() + Duration::from_millis(2)));
        drop((posts.presence(), posts.presence()));
        assert!(posts.wait_until(Instant::now() + Duration::from_mins(1)));
    }
}
