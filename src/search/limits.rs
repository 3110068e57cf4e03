//! How much a search may spend, and the signal that ends it early.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A budget: the search ends when the first of these is used up. Without any it ends at once,
/// unless it shall go on until it is stopped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Number of playouts.
    pub playouts: Option<u64>,
    /// Playouts behind the position, those of earlier searches that are still known included.
    pub visits: Option<u64>,
    /// Wall time.
    pub time: Option<Duration>,
    /// Wall time that a search may take when its result is not settled after `time`.
    pub time_max: Option<Duration>,
    /// Whether a search without playouts or time goes on until it is stopped.
    pub until_stopped: bool,
}

impl Limits {
    /// No limit but the signal to stop.
    pub const UNTIL_STOPPED: Self =
        Self { playouts: None, visits: None, time: None, time_max: None, until_stopped: true };

    /// The same budget without visits, for a search of a position that has so many.
    #[must_use]
    pub fn after(self, visits: u64) -> Self {
        let missing = self.visits.map(|all| all.saturating_sub(visits));
        let playouts = [self.playouts, missing].into_iter().flatten().min();
        Self { playouts, visits: None, ..self }
    }
}

/// Ends a running search from another thread. Clones share the signal.
#[derive(Clone, Debug, Default)]
pub struct StopFlag {
    stopped: Arc<AtomicBool>,
    /// What is running, and what waits for it.
    state: Arc<Mutex<State>>,
    /// Number of the line with the command that is being answered, from 1.
    command: Arc<AtomicU64>,
    /// Searches of commands up to this line were interrupted before they began.
    interrupted: Arc<AtomicU64>,
}

/// What a search is for, and so what ends it early.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Purpose {
    /// An answer that somebody waits for: an interrupt.
    #[default]
    Answer,
    /// The opponent's time: any event.
    Pondering,
    /// Somebody who watches: any line of input, even an empty one.
    Watching,
}

#[derive(Clone, Copy, Debug, Default)]
struct State {
    /// When the search that is running began.
    since: Option<Instant>,
    purpose: Purpose,
    /// Number of events that were read but not yet taken up.
    waiting: u64,
    /// Number of lines that were read, the end of input as one more.
    lines: u64,
}

impl StopFlag {
    fn state(&self) -> std::sync::MutexGuard<'_, State> {
        // A panic elsewhere leaves a time behind, which does no harm.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Tells that a line was read: a search that somebody watches ends. Returns its number.
    pub fn read_line(&self) -> u64 {
        let mut state = self.state();
        state.lines += 1;
        if state.purpose == Purpose::Watching {
            self.stopped.store(true, Ordering::Relaxed);
        }
        state.lines
    }

    /// Tells that there is something to do: pondering and watching end, and no pondering begins
    /// before it is [taken up](Self::take_up).
    pub fn announce(&self) {
        let mut state = self.state();
        state.waiting += 1;
        if state.purpose != Purpose::Answer {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    /// Tells that something announced is being done.
    pub fn take_up(&self) {
        let mut state = self.state();
        state.waiting = state.waiting.saturating_sub(1);
    }

    /// Tells that the command of line `number` is answered now.
    pub fn set_command(&self, number: u64) {
        self.command.store(number, Ordering::Relaxed);
    }

    /// Ends the search that is running, and gives those of commands up to line `number` that have
    /// still to begin no more than 50 ms.
    pub fn interrupt(&self, number: u64) {
        self.interrupted.store(number, Ordering::Relaxed);
        self.stop_after(Duration::ZERO);
    }

    /// What a search gets that was interrupted before it began.
    const EARLY_TIME: Duration = Duration::from_millis(50);

    /// The time that the search may take because of an early interrupt, if there was one.
    fn early_time(&self) -> Option<Duration> {
        let interrupted = self.interrupted.load(Ordering::Relaxed);
        // Commands count from 1, so zero means that nothing was interrupted.
        let was_early = interrupted > 0 && self.command.load(Ordering::Relaxed) <= interrupted;
        was_early.then_some(Self::EARLY_TIME)
    }

    /// Tells that a search begins that somebody waits for: earlier signals are forgotten.
    pub fn begin(&self) {
        self.begin_for(&mut self.state(), Purpose::Answer);
    }

    /// As [`Self::begin`], for a search on the opponent's time: only if nothing waits; `false`
    /// otherwise.
    pub fn begin_pondering(&self) -> bool {
        let mut state = self.state();
        let is_free = state.waiting == 0;
        if is_free {
            self.begin_for(&mut state, Purpose::Pondering);
        }
        is_free
    }

    /// As [`Self::begin`], for a search that any line of input ends: at once if one has come since
    /// the command.
    pub fn begin_watching(&self) {
        let mut state = self.state();
        self.begin_for(&mut state, Purpose::Watching);
        if state.waiting > 0 || state.lines > self.command.load(Ordering::Relaxed) {
            self.stopped.store(true, Ordering::Relaxed);
        }
    }

    fn begin_for(&self, state: &mut State, purpose: Purpose) {
        self.stopped.store(false, Ordering::Relaxed);
        (state.since, state.purpose) = (Some(Instant::now()), purpose);
    }

    /// Tells that the search has ended.
    pub fn end(&self) {
        let mut state = self.state();
        (state.since, state.purpose) = (None, Purpose::Answer);
    }

    /// Ends the search that is running, if it began at least so long ago; `false` otherwise.
    /// Pondering ends too, but is nothing that anybody waits for: `false`.
    pub fn stop_after(&self, age: Duration) -> bool {
        let state = self.state();
        if state.purpose == Purpose::Pondering {
            self.stopped.store(true, Ordering::Relaxed);
            return false;
        }
        let is_old = state.since.is_some_and(|start| start.elapsed() >= age);
        if is_old {
            self.stopped.store(true, Ordering::Relaxed);
        }
        is_old
    }

    /// Whether the search that ran last was ended by a signal or lost time to an early one.
    pub fn is_cut(&self) -> bool {
        self.is_stopped() || self.early_time().is_some()
    }

    /// Whether the search shall end.
    pub fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}

/// How far a search has come within its limits.
#[derive(Debug)]
pub struct Progress<'a> {
    limits: Limits,
    start: Instant,
    stop: &'a StopFlag,
}

impl<'a> Progress<'a> {
    /// A search that starts now.
    pub fn new(limits: Limits, stop: &'a StopFlag) -> Self {
        let time = match (limits.time, stop.early_time()) {
            (Some(time), Some(early)) => Some(time.min(early)),
            (time, early) => time.or(early),
        };
        // An interrupt takes the extension away too.
        let time_max = limits.time_max.filter(|_| stop.early_time().is_none());
        Self { limits: Limits { time, time_max, ..limits }, start: Instant::now(), stop }
    }

    /// The same search, of a position that has so many visits.
    #[must_use]
    pub fn after(self, visits: u64) -> Self {
        Self { limits: self.limits.after(visits), ..self }
    }

    /// Time since the start.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether time is up or a stop was asked for. Playouts are not counted here.
    pub fn is_interrupted(&self) -> bool {
        self.stop.is_stopped() || self.limits.time.is_some_and(|time| self.elapsed() >= time)
    }

    /// Whether there was no budget at all.
    pub fn is_empty(&self) -> bool {
        let Limits { playouts, time, until_stopped, .. } = self.limits;
        !until_stopped && playouts.is_none() && time.is_none()
    }

    /// Whether nothing but a signal ends the search.
    pub fn is_endless(&self) -> bool {
        let Limits { playouts, time, until_stopped, .. } = self.limits;
        until_stopped && playouts.is_none() && time.is_none()
    }

    /// Whether a search that is interrupted must not go on even if it is not settled.
    pub fn is_final(&self) -> bool {
        self.stop.is_stopped() || self.limits.time_max.is_none_or(|max| self.elapsed() >= max)
    }

    /// The used share of the budget: 0 at the start, 1 and more when it is used up or stopped.
    pub fn share(&self, playouts: u64) -> f64 {
        if self.stop.is_stopped() {
            return 1.0;
        }
        let by_playouts = self.limits.playouts.map(|all| playouts as f64 / all.max(1) as f64);
        let by_time = self
            .limits
            .time
            .map(|time| self.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-9));
        match (by_playouts, by_time) {
            (Some(a), Some(b)) => a.max(b),
            (Some(share), None) | (None, Some(share)) => share,
            (None, None) if self.is_endless() => 0.0,
            (None, None) => 1.0,
        }
    }

    /// Playouts that are left, if they are limited.
    pub fn playouts_left(&self, playouts: u64) -> Option<u64> {
        self.limits.playouts.map(|all| all.saturating_sub(playouts))
    }
}
