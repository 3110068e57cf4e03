//! The engine's own clock, and how much of it to spend on a move.
//!
//! Many controllers never send `time_left`: the clock runs by itself during our moves, and
//! `time_left` only corrects it (gtp.md 3.16). All four systems of online play are kept: absolute
//! and Canadian as GTP knows them, Japanese byo-yomi, Fischer.

use std::time::Duration;

use crate::board::{ByColor, Color};

/// A time system.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TimeSettings {
    /// No limit.
    #[default]
    Unlimited,
    /// Main time, then periods of `byo` for `stones` moves each. No periods if `stones` is 0: the
    /// main time is all there is.
    Canadian {
        /// Main time.
        main: Duration,
        /// Length of a period.
        byo: Duration,
        /// Moves in a period.
        stones: u32,
    },
    /// Main time, then a number of periods; a move that ends within a period gives it back whole.
    ByoYomi {
        /// Main time.
        main: Duration,
        /// Length of a period.
        period: Duration,
        /// Number of periods; at least one.
        periods: u32,
    },
    /// Main time that grows with every move.
    Fischer {
        /// Main time.
        main: Duration,
        /// What a move adds.
        increment: Duration,
        /// The clock never holds more.
        limit: Duration,
        /// No move may take longer.
        move_max: Duration,
    },
}

impl TimeSettings {
    /// More than any game takes, and far from overflow: what "no bound" means here.
    pub const FOREVER: Duration = Duration::from_secs(3_200_000_000);

    /// GTP's three numbers in seconds, each finite and not negative (gtp.md 1.7): `byo > 0` with
    /// no stones, and three zeros, mean no limit. `None` for numbers that are neither.
    pub fn from_gtp(main: f64, byo: f64, stones: f64) -> Option<Self> {
        let (main, byo, stones) = (seconds(main)?, seconds(byo)?, count(stones)?);
        Some(if (!byo.is_zero() && stones == 0) || (main.is_zero() && byo.is_zero()) {
            Self::Unlimited
        } else if byo.is_zero() {
            Self::Canadian { main, byo, stones: 0 }
        } else {
            Self::Canadian { main, byo, stones }
        })
    }
}

/// A time in seconds that is finite and not negative.
pub fn seconds(number: f64) -> Option<Duration> {
    let bound = TimeSettings::FOREVER.as_secs_f64();
    (number.is_finite() && number >= 0.0).then(|| Duration::from_secs_f64(number.min(bound)))
}

/// A number of moves or periods that is finite and not negative.
pub fn count(number: f64) -> Option<u32> {
    (number.is_finite() && number >= 0.0).then(|| number.min(1e6) as u32)
}

/// What one side has left.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SideClock {
    time: Duration,
    /// Moves to make in `time` (Canadian) or periods left (byo-yomi); 0 in main time.
    count: u32,
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
    /// No budget from a clock that holds ten times as much is shorter.
    const SHORTEST: Duration = Duration::from_millis(20);

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
                SideClock { time: byo, count: stones }
            }
            TimeSettings::ByoYomi { main, period, periods } if main.is_zero() => {
                SideClock { time: period, count: periods }
            }
            TimeSettings::Canadian { main, .. }
            | TimeSettings::ByoYomi { main, .. }
            | TimeSettings::Fischer { main, .. } => SideClock { time: main, count: 0 },
        };
        self.sides = ByColor { black: full, white: full };
    }

    /// What a controller says that a side has left: moves of the period, or periods; `count` is 0
    /// in main time.
    pub fn set_left(&mut self, color: Color, time: Duration, count: u32) {
        if self.settings != TimeSettings::Unlimited {
            self.sides[color] = SideClock { time, count };
        }
    }

    /// Takes the time of a move from a side's clock.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        let side = &mut self.sides[color];
        let overtime = spent.saturating_sub(side.time);
        let left = side.time.saturating_sub(spent);
        match self.settings {
            TimeSettings::Unlimited => {}
            TimeSettings::Fischer { increment, limit, .. } => {
                side.time = (left + increment).min(limit);
            }
            TimeSettings::Canadian { byo, stones, .. } => match (side.count, left.is_zero()) {
                (0, true) if stones > 0 => {
                    // The move that ends the main time is the first of a period.
                    let rest = SideClock { time: byo.saturating_sub(overtime), count: stones - 1 };
                    *side = if stones > 1 { rest } else { SideClock { time: byo, count: 1 } };
                }
                (0, _) => side.time = left,
                (1, _) => *side = SideClock { time: byo, count: stones },
                (moves, _) => *side = SideClock { time: left, count: moves - 1 },
            },
            TimeSettings::ByoYomi { period, periods, .. } => {
                if side.count == 0 && !left.is_zero() {
                    side.time = left;
                    return;
                }
                // Whole periods that passed are gone; what is left of one comes back.
                let in_periods = if side.count == 0 { overtime } else { spent };
                let gone = in_periods.as_nanos() / period.as_nanos().max(1);
                let had = if side.count == 0 { periods } else { side.count };
                let kept = u128::from(had).saturating_sub(gone).max(1) as u32;
                *side = SideClock { time: period, count: kept };
            }
        }
    }

    /// How long the next move of a side may take if about `moves_left` more are to come; `None`
    /// without a limit.
    pub fn allot(&self, color: Color, moves_left: u32) -> Option<Allotment> {
        let side = self.sides[color];
        let moves_left = moves_left.max(1);
        let overhead = (Self::OVERHEAD * moves_left).min(side.time / 4);
        let main = usable(side.time).saturating_sub(overhead);
        let (usual, cap) = match self.settings {
            TimeSettings::Unlimited => return None,
            TimeSettings::Canadian { .. } if side.count > 0 => {
                let period = usable(side.time).saturating_sub(Self::OVERHEAD * side.count);
                let share = period / side.count;
                (share, share)
            }
            TimeSettings::Canadian { stones: 0, .. } => {
                let share = main / moves_left;
                (share, (4 * share).min(main))
            }
            TimeSettings::Canadian { byo, stones, .. } => {
                // With periods to come the main time may go faster.
                let share = (2 * (main / moves_left)).max((usable(byo) / stones).min(main));
                (share, (2 * share).min(main))
            }
            TimeSettings::ByoYomi { period, .. } if side.count > 0 => {
                (usable(period), usable(period))
            }
            TimeSettings::ByoYomi { period, .. } => {
                // The first period begins where the main time ends, so it can be spent as well.
                let share = (2 * (main / moves_left)).max(usable(period));
                (share, (2 * share).min(main + usable(period)))
            }
            TimeSettings::Fischer { increment, move_max, .. } => {
                let share = (main / moves_left + increment.mul_f64(0.8)).min(main);
                (share.min(usable(move_max)), (4 * share).min(main / 2).min(usable(move_max)))
            }
        };
        // A short clock still gives a move some playouts, as long as it holds them.
        let usual = usual.max(Self::SHORTEST.min(side.time / 10));
        Some(Allotment { usual, cap: cap.max(usual) })
    }
}

/// What of a time on the clock a search may use.
fn usable(time: Duration) -> Duration {
    time.mul_f64(1.0 - Clock::RESERVE_SHARE).saturating_sub(Clock::RESERVE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const SECOND: Duration = Duration::from_secs(1);

    fn clock(settings: TimeSettings) -> Clock {
        let mut clock = Clock::default();
        clock.set(settings);
        clock
    }

    fn gtp(main: f64, byo: f64, stones: f64) -> TimeSettings {
        TimeSettings::from_gtp(main, byo, stones).unwrap()
    }

    fn byo_yomi(main: Duration, period: Duration, periods: u32) -> TimeSettings {
        TimeSettings::ByoYomi { main, period, periods }
    }

    fn fischer(main: Duration, increment: Duration) -> TimeSettings {
        let (limit, move_max) = (TimeSettings::FOREVER, TimeSettings::FOREVER);
        TimeSettings::Fischer { main, increment, limit, move_max }
    }

    /// The longest that a side may take now without losing on time.
    fn available(clock: &Clock, color: Color) -> Duration {
        let SideClock { time, count } = clock.sides[color];
        match clock.settings {
            TimeSettings::Unlimited => TimeSettings::FOREVER,
            TimeSettings::Canadian { byo, stones, .. } if count == 0 && stones > 0 => time + byo,
            TimeSettings::ByoYomi { period, periods, .. } if count == 0 => time + period * periods,
            TimeSettings::ByoYomi { period, .. } => period * count,
            TimeSettings::Canadian { .. } => time,
            TimeSettings::Fischer { move_max, .. } => time.min(move_max),
        }
    }

    /// Plays this many moves that take what was allotted and a lag on top; `false` when the flag
    /// falls.
    fn survives(settings: TimeSettings, moves: u32, lag: Duration, capped: bool) -> bool {
        let mut clock = clock(settings);
        for played in 0..moves {
            let allotted = clock.allot(Color::Black, 40u32.saturating_sub(played).max(10)).unwrap();
            let spent = if capped { allotted.cap } else { allotted.usual } + lag;
            if spent > available(&clock, Color::Black) {
                return false;
            }
            clock.spend(Color::Black, spent);
        }
        true
    }

    #[test]
    fn no_flag_falls() {
        for settings in [
            gtp(10.0, 0.0, 0.0),
            gtp(0.0, 1.0, 1.0),
            gtp(0.0, 3.0, 5.0),
            gtp(5.0, 2.0, 5.0),
            gtp(60.0, 10.0, 1.0),
            byo_yomi(Duration::ZERO, SECOND / 2, 5),
            byo_yomi(5 * SECOND, SECOND, 1),
            fischer(2 * SECOND, SECOND / 10),
            fischer(10 * SECOND, SECOND),
        ] {
            assert!(survives(settings, 60, 10 * MS, false), "{settings:?}");
            assert!(survives(settings, 20, Duration::ZERO, true), "{settings:?}, to the cap");
        }
    }

    #[test]
    fn a_low_clock_on_a_large_board_still_gives_a_move_time() {
        for (left, moves_left, least) in
            [(3000, 218, 5), (1800, 126, 5), (300, 218, 20), (50, 218, 5)]
        {
            let mut clock = clock(gtp(10.0, 0.0, 0.0));
            clock.set_left(Color::Black, left * MS, 0);
            let usual = clock.allot(Color::Black, moves_left).unwrap().usual;
            assert!(usual >= least * MS, "{left} ms for {moves_left} moves: {usual:?}");
        }
    }

    #[test]
    fn settings_without_a_limit() {
        for (main, byo, stones) in [(0.0, 0.0, 0.0), (0.0, 1.0, 0.0), (1.0, 1.0, 0.0)] {
            assert_eq!(clock(gtp(main, byo, stones)).allot(Color::White, 30), None);
        }
        for bad in [f64::NAN, f64::INFINITY, -1.0] {
            assert_eq!(TimeSettings::from_gtp(bad, 0.0, 0.0), None);
        }
    }

    #[test]
    fn equal_settings_keep_the_clock() {
        let mut clock = clock(gtp(10.0, 0.0, 0.0));
        clock.spend(Color::Black, 4 * SECOND);
        let before = clock;
        clock.set(gtp(10.0, 0.0, 0.0));
        assert_eq!(clock, before);
        clock.refill();
        assert_ne!(clock, before);
    }

    #[test]
    fn time_passes_as_the_systems_say() {
        // Settings, what a move takes each time, and what is left after each.
        let of = |settings, moves: &[(Duration, Duration, u32)]| {
            let mut clock = clock(settings);
            for &(spent, time, count) in moves {
                clock.spend(Color::White, spent);
                assert_eq!(clock.sides.white, SideClock { time, count }, "{settings:?}");
            }
        };
        of(gtp(1.0, 5.0, 2.0), &[(1500 * MS, 4500 * MS, 1), (SECOND, 5 * SECOND, 2)]);
        of(gtp(1.0, 5.0, 1.0), &[(2 * SECOND, 5 * SECOND, 1), (SECOND, 5 * SECOND, 1)]);
        of(
            byo_yomi(SECOND, 2 * SECOND, 3),
            &[
                (SECOND / 2, SECOND / 2, 0),
                (SECOND, 2 * SECOND, 3),
                (SECOND, 2 * SECOND, 3),
                (3 * SECOND, 2 * SECOND, 2),
            ],
        );
        of(fischer(3 * SECOND, SECOND), &[(2 * SECOND, 2 * SECOND, 0), (SECOND, 2 * SECOND, 0)]);
        let capped = TimeSettings::Fischer {
            main: SECOND,
            increment: SECOND,
            limit: 2 * SECOND,
            move_max: SECOND,
        };
        of(capped, &[(Duration::ZERO, 2 * SECOND, 0), (Duration::ZERO, 2 * SECOND, 0)]);
    }
}
