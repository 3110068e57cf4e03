//! Whether what an engine found out so far can be found out again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::config::{Config, Player};
use crate::search::{Limits, StopFlag};

/// Holds until a search depends on more than seed, position and parameters. As trees are kept from
/// move to move, it does not return. Clones share it.
#[derive(Clone, Debug, Default)]
pub struct Repeatable {
    is_lost: Arc<AtomicBool>,
}

impl Repeatable {
    /// Whether every search so far can be repeated.
    pub fn holds(&self) -> bool {
        !self.is_lost.load(Relaxed)
    }

    /// Tells of a search that depended on time: on the clock, or on when somebody stopped it.
    pub(super) fn lose(&self) {
        self.is_lost.store(true, Relaxed);
    }

    /// Tells of a search that has just ended. On more than one thread that of the tree depends on
    /// how they take turns.
    pub(super) fn note(&self, config: &Config, threads: usize, limits: Limits, stop: &StopFlag) {
        let has_count = limits.playouts.or(limits.visits).is_some();
        let by_playouts = has_count && limits.time.is_none() && !stop.is_cut();
        let repeats = match config.player {
            Player::Random => true,
            Player::Flat => by_playouts,
            Player::Tree | Player::Net => by_playouts && threads == 1,
        };
        if !repeats {
            self.lose();
        }
    }
}
