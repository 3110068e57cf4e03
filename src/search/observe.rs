//! Watching a search while it runs.

use std::time::{Duration, Instant};

use super::Report;
use super::harvest::{Harvest, Posts};

/// The threads are asked for their counts this long before a report is due, but never longer than
/// a quarter of the interval.
const ASK_AHEAD: Duration = Duration::from_millis(10);

/// Somebody who wants to see what a search has found so far.
pub struct Observer<'a> {
    /// Time between two reports; none come without it.
    pub interval: Option<Duration>,
    /// Whether reports shall tell who owns the points after each move.
    pub wants_move_owners: bool,
    /// Takes a report. If it returns `false` the search ends.
    pub show: &'a mut dyn FnMut(&Report) -> bool,
}

impl std::fmt::Debug for Observer<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("Observer").field("interval", &self.interval).finish_non_exhaustive()
    }
}

impl Observer<'_> {
    /// Shows reports until all threads have ended; `false` if the observer has seen enough.
    pub(super) fn watch(&mut self, posts: &Posts, report: &dyn Fn(&Harvest) -> Report) -> bool {
        let Some(interval) = self.interval else { return true };
        let ahead = ASK_AHEAD.min(interval / 4);
        let mut ask_at = Instant::now() + interval.saturating_sub(ahead);
        while !posts.wait_until(ask_at) {
            posts.ask();
            if posts.wait_until(ask_at + ahead) {
                break;
            }
            let harvest = posts.collect();
            // A busy machine's threads may not have left anything yet.
            if harvest.is_empty() {
                ask_at = Instant::now() + ahead;
                continue;
            }
            if !(self.show)(&report(&harvest)) {
                return false;
            }
            // Reports that take longer than the interval must not pile up.
            ask_at = Instant::now().max(ask_at + interval);
        }
        true
    }
}
