//! What a network said of positions, for when they come up again by another order of moves.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::Evaluation;
use crate::board::Hash;
use crate::search::node::PriorMove;

/// Parts, each with a lock of its own.
const SHARDS: usize = 16;
/// Moves of an entry in the estimate of its memory: those of a 13x13 board.
const MOVES: usize = 170;

/// A position as a network sees it, but for the moves that led to it: those that differ in nothing else
/// are taken to be alike.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub(in crate::search) struct Key {
    pub(in crate::search) stones: Hash,
    pub(in crate::search) is_black_to_play: bool,
    /// Index of the point that ko bars, 0 for none.
    pub(in crate::search) ko: usize,
    /// Whether a pass would end the game.
    pub(in crate::search) pass_ends: bool,
    pub(in crate::search) komi_hundredths: i32,
}

/// What a network said.
#[derive(Debug)]
pub(in crate::search) struct Judged {
    /// The moves, the likeliest first.
    pub(in crate::search) moves: Box<[PriorMove]>,
    /// Owners of the points in rows from the top, in parts of [`OWNED`](crate::search::ownership::OWNED).
    pub(in crate::search) owners: Box<[i8]>,
    pub(in crate::search) evaluation: Evaluation,
}

/// Judgements of one network on one board under one set of rules, for all threads.
#[derive(Debug)]
pub(in crate::search) struct EvaluationCache {
    shards: [Mutex<HashMap<Key, Arc<Judged>>>; SHARDS],
    /// Entries of a shard; it begins anew when it has so many.
    most: usize,
}

impl EvaluationCache {
    /// A cache of about so many bytes at most.
    pub(in crate::search) fn new(bytes: usize) -> Self {
        let entry = MOVES * size_of::<PriorMove>() + size_of::<(Key, Judged)>();
        Self { shards: Default::default(), most: bytes / entry / SHARDS }
    }

    /// What was said of a position.
    pub(in crate::search) fn get(&self, key: &Key) -> Option<Arc<Judged>> {
        lock(self.shard(key)).get(key).cloned()
    }

    /// Remembers what was said of a position.
    pub(in crate::search) fn insert(&self, key: Key, judged: Arc<Judged>) {
        let mut shard = lock(self.shard(&key));
        if shard.len() >= self.most {
            shard.clear();
        }
        if self.most > 0 {
            shard.insert(key, judged);
        }
    }

    /// Forgets everything.
    pub(in crate::search) fn clear(&self) {
        self.shards.iter().for_each(|shard| lock(shard).clear());
    }

    fn shard(&self, key: &Key) -> &Mutex<HashMap<Key, Arc<Judged>>> {
        &self.shards[key.stones as usize % SHARDS]
    }
}

/// A thread that panicked leaves a map behind that is as good as any.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(stones: Hash) -> Key {
        Key { stones, is_black_to_play: true, ko: 0, pass_ends: false, komi_hundredths: 750 }
    }

    fn judged(value: f32) -> Arc<Judged> {
        let evaluation = Evaluation { value, ..Evaluation::default() };
        Arc::new(Judged { moves: Box::default(), owners: Box::default(), evaluation })
    }

    #[test]
    fn positions_are_told_apart_by_all_that_matters() {
        let cache = EvaluationCache::new(1 << 20);
        cache.insert(key(1), judged(0.25));
        let value = |key| cache.get(&key).map(|judged| judged.evaluation.value);
        assert_eq!(value(key(1)), Some(0.25));
        assert_eq!(value(key(2)), None);
        assert_eq!(value(Key { is_black_to_play: false, ..key(1) }), None);
        assert_eq!(value(Key { ko: 33, ..key(1) }), None);
        assert_eq!(value(Key { pass_ends: true, ..key(1) }), None);
        assert_eq!(value(Key { komi_hundredths: 650, ..key(1) }), None);
        cache.clear();
        assert_eq!(value(key(1)), None);
    }

    #[test]
    fn memory_is_bounded() {
        let cache = EvaluationCache::new(1 << 20);
        (0..10_000).for_each(|stones| cache.insert(key(stones), judged(0.5)));
        let count: usize = cache.shards.iter().map(|shard| lock(shard).len()).sum();
        assert!((1..400).contains(&count), "{count}");
        let none = EvaluationCache::new(0);
        none.insert(key(1), judged(0.5));
        assert!(none.get(&key(1)).is_none());
    }
}
