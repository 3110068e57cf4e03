//! What a move costs beside the search's budget, measured.
//!
//! Two sources: a search that ends later than it should (a busy machine, the status of stones),
//! and `time_left` that shows less than the engine's own clock (the controller, pipes, a
//! network). From these comes what a clock keeps in reserve.

use std::time::Duration;

/// The cost of moves so far. It survives new games and new settings: the controller stays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lag {
    /// Moving average, for what adds up over a game.
    mean: Duration,
    /// Maximum that fades, for what a single move may cost.
    peak: Duration,
}

impl Default for Lag {
    fn default() -> Self {
        Self { mean: Self::FIRST_MEAN, peak: Self::FIRST_PEAK }
    }
}

impl Lag {
    /// What is assumed before anything was measured. A guess.
    const FIRST_MEAN: Duration = Duration::from_millis(15);
    /// The same for a single move.
    const FIRST_PEAK: Duration = Duration::from_millis(60);
    /// No average is taken to be shorter.
    const MEAN_MIN: Duration = Duration::from_millis(2);
    /// No peak is taken to be shorter: a scheduler's time slices.
    const PEAK_MIN: Duration = Duration::from_millis(35);
    /// No observation counts for more: a clock that jumps is no lag.
    const MOST: Duration = Duration::from_secs(2);
    /// Weight of an observation in the average.
    const WEIGHT: f64 = 0.125;
    /// What is left of the peak after an observation: half of it after 34.
    const FADING: f64 = 0.98;

    /// Learns what a move has cost.
    pub(super) fn observe(&mut self, lag: Duration) {
        let lag = lag.min(Self::MOST);
        let mean = self.mean.mul_f64(1.0 - Self::WEIGHT) + lag.mul_f64(Self::WEIGHT);
        self.mean = mean.max(Self::MEAN_MIN);
        self.peak = self.peak.mul_f64(Self::FADING).max(lag).max(Self::PEAK_MIN);
    }

    /// What moves cost on average.
    pub(super) fn mean(&self) -> Duration {
        self.mean
    }

    /// What the next move has to leave on the clock: half as much again as the peak.
    pub(super) fn reserve(&self) -> Duration {
        self.peak.mul_f64(1.5)
    }

    /// The same for a move that takes all there is, and loses the game if that is not enough: of
    /// ten games on a machine with six times more work than cores, half of this lost one.
    pub(super) fn last_reserve(&self) -> Duration {
        3 * self.peak
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peak_counts_at_once_and_fades() {
        let ms = Duration::from_millis;
        let mut lag = Lag::default();
        lag.observe(ms(400));
        assert_eq!(lag.reserve(), ms(600));
        assert!(lag.mean() < ms(70), "{lag:?}");
        for _ in 0..34 {
            lag.observe(ms(5));
        }
        assert!(lag.reserve() < ms(310) && lag.mean() < ms(20), "{lag:?}");
        for _ in 0..200 {
            lag.observe(Duration::ZERO);
        }
        assert_eq!((lag.reserve(), lag.mean()), (ms(35).mul_f64(1.5), ms(2)));
        lag.observe(Duration::from_secs(100));
        assert_eq!(lag.reserve(), Duration::from_secs(3), "bounded");
    }
}
