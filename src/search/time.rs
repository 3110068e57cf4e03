//! The engine's own clock, and how much of it to spend on a move.
//!
//! Many controllers never send `time_left`: the clock runs by itself during our moves, and
//! `time_left` only corrects it (gtp.md 3.16).

use std::time::Duration;

use crate::board::{ByColor, Color};

/// A time system, as GTP's `time_settings` gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSettings {
    /// No limit.
    #[default]
    Unlimited,
    /// Main time, then periods of `byo` for `stones` moves each (Canadian). No periods if `stones`
    /// is 0: the main time is all there is.
    Canadian {
        /// Main time.
        main: Duration,
        /// Length of a period.
        byo: Duration,
        /// Moves in a period.
        stones: u32,
    },
}

impl TimeSettings {
    /// GTP's three numbers in seconds, each finite and not negative (gtp.md 1.7): `byo > 0` with
    /// no stones, and three zeros, mean no limit. `None` for numbers that are neither.
    pub fn from_gtp(main: f64, byo: f64, stones: f64) -> Option<Self> {
        if ![main, byo, stones].iter().all(|x| x.is_finite() && *x >= 0.0) {
            return None;
        }
        // Beyond a century nothing differs, and durations stay far from overflow.
        let seconds = |x: f64| Duration::from_secs_f64(x.min(3.2e9));
        let stones = stones.min(1e6) as u32;
        Some(if (byo > 0.0 && stones == 0) || (main == 0.0 && byo == 0.0) {
            Self::Unlimited
        } else if byo == 0.0 {
            Self::Canadian { main: seconds(main), byo: Duration::ZERO, stones: 0 }
        } else {
            Self::Canadian { main: seconds(main), byo: seconds(byo), stones }
        })
    }
}

/// What one side has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SideClock {
    time: Duration,
    /// Moves to make in `time`; 0 in main time.
    stones: u32,
}

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    settings: TimeSettings,
    sides: ByColor<SideClock>,
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// What the clock suggests.
    pub usual: Duration,
    /// What no other budget may exceed.
    pub cap: Duration,
}

impl Clock {
    /// Part of the time on the clock that is kept for what the search cannot see: the controller,
    /// pipes and a busy machine. A guess.
    const RESERVE_SHARE: f64 = 0.1;
    /// The same as a fixed part of the time left.
    const RESERVE: Duration = Duration::from_millis(50);
    /// What each move costs beside its search.
    const OVERHEAD: Duration = Duration::from_millis(15);
    /// No budget from the clock is shorter: a move still looks at a few playouts.
    const SHORTEST: Duration = Duration::from_millis(2);

    /// Full clocks. Settings equal to those in force change nothing, since some controllers repeat
    /// them before every move (gtp.md 2.9).
    pub fn set(&mut self, settings: TimeSettings) {
        if settings != self.settings {
            self.settings = settings;
            self.refill();
        }
    }

    /// Both sides get their full time again.
    pub fn refill(&mut self) {
        let full = match self.settings {
            TimeSettings::Unlimited => SideClock::default(),
            TimeSettings::Canadian { main, byo, stones } if main.is_zero() => {
                SideClock { time: byo, stones }
            }
            TimeSettings::Canadian { main, .. } => SideClock { time: main, stones: 0 },
        };
        self.sides = ByColor { black: full, white: full };
    }

    /// What a controller says that a side has left; `stones` is 0 in main time.
    pub fn set_left(&mut self, color: Color, time: Duration, stones: u32) {
        if self.settings != TimeSettings::Unlimited {
            self.sides[color] = SideClock { time, stones };
        }
    }

    /// Takes the time of a move from a side's clock.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        let TimeSettings::Canadian { byo, stones, .. } = self.settings else { return };
        let side = &mut self.sides[color];
        let overtime = spent.saturating_sub(side.time);
        side.time = side.time.saturating_sub(spent);
        if side.stones > 0 {
            side.stones -= 1;
            if side.stones == 0 {
                *side = SideClock { time: byo, stones };
            }
        } else if side.time.is_zero() && stones > 0 {
            // The move that ends the main time is the first of a period.
            let time = byo.saturating_sub(overtime);
            *side = if stones > 1 {
                SideClock { time, stones: stones - 1 }
            } else {
                SideClock { time: byo, stones }
            };
        }
    }

    /// How long the next move of a side may take if about `moves_left` more are to come; `None`
    /// without a limit.
    pub fn allot(&self, color: Color, moves_left: u32) -> Option<Allotment> {
        let TimeSettings::Canadian { byo, stones, .. } = self.settings else { return None };
        let side = self.sides[color];
        let usable =
            |time: Duration| time.mul_f64(1.0 - Self::RESERVE_SHARE).saturating_sub(Self::RESERVE);
        let (usual, cap) = if side.stones > 0 {
            let overhead = Self::OVERHEAD * side.stones;
            let share = usable(side.time).saturating_sub(overhead) / side.stones;
            (share, share)
        } else {
            let moves_left = moves_left.max(1);
            let left = usable(side.time).saturating_sub(Self::OVERHEAD * moves_left);
            let share = left / moves_left;
            let period = if stones > 0 { usable(byo) / stones } else { Duration::ZERO };
            // With periods to come the main time may go faster.
            let usual = if stones > 0 { (2 * share).max(period.min(left)) } else { share };
            (usual, (4 * share).max(usual).min(left))
        };
        Some(Allotment { usual: usual.max(Self::SHORTEST), cap: cap.max(Self::SHORTEST) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(main: f64, byo: f64, stones: f64) -> Clock {
        let mut clock = Clock::default();
        clock.set(TimeSettings::from_gtp(main, byo, stones).unwrap());
        clock
    }

    /// Plays this many moves that take what was allotted and a lag on top; `false` when the flag
    /// falls.
    fn survives(mut clock: Clock, moves: u32, lag: Duration, capped: bool) -> bool {
        let TimeSettings::Canadian { byo, stones, .. } = clock.settings else { return true };
        for played in 0..moves {
            let side = clock.sides.black;
            let allotted = clock.allot(Color::Black, 40u32.saturating_sub(played).max(10)).unwrap();
            let spent = if capped { allotted.cap } else { allotted.usual } + lag;
            let available =
                if side.stones == 0 && stones > 0 { side.time + byo } else { side.time };
            if spent > available {
                return false;
            }
            clock.spend(Color::Black, spent);
        }
        true
    }

    #[test]
    fn no_flag_falls() {
        let lag = Duration::from_millis(10);
        for (main, byo, stones) in
            [(10.0, 0.0, 0.0), (0.0, 1.0, 1.0), (0.0, 3.0, 5.0), (5.0, 2.0, 5.0), (60.0, 10.0, 1.0)]
        {
            assert!(survives(clock(main, byo, stones), 60, lag, false), "{main} {byo} {stones}");
        }
        assert!(survives(clock(10.0, 0.0, 0.0), 20, Duration::ZERO, true));
    }

    #[test]
    fn settings_without_a_limit() {
        for (main, byo, stones) in [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)] {
            assert_eq!(clock(main, byo, stones).allot(Color::White, 30), None);
        }
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(TimeSettings::from_gtp(bad, 0.0, 0.0), None);
        }
    }

    #[test]
    fn equal_settings_keep_the_clock() {
        let mut clock = clock(10.0, 0.0, 0.0);
        clock.spend(Color::Black, Duration::from_secs(4));
        let before = clock;
        clock.set(TimeSettings::from_gtp(10.0, 0.0, 0.0).unwrap());
        assert_eq!(clock, before);
        clock.refill();
        assert_ne!(clock, before);
    }

    #[test]
    fn periods_follow_the_main_time_and_each_other() {
        let mut clock = clock(1.0, 5.0, 2.0);
        clock.spend(Color::White, Duration::from_millis(1500));
        let left = SideClock { time: Duration::from_millis(4500), stones: 1 };
        assert_eq!(clock.sides.white, left);
        clock.spend(Color::White, Duration::from_secs(1));
        assert_eq!(clock.sides.white, SideClock { time: Duration::from_secs(5), stones: 2 });
    }
}
