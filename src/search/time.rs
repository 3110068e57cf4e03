//! The engine's own clock, and how much of it to spend on a move.
//!
//! Many controllers never send `time_left`: the clock runs by itself during our moves, and
//! `time_left` only corrects it (gtp.md 3.16). All four systems of online play are kept: absolute
//! and Canadian as GTP knows them, Japanese byo-yomi, Fischer.

use std::time::Duration;

use super::lag::Lag;
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

    /// Whether a side has its period whole, or as much time as it can have.
    fn is_fresh(&self, side: SideClock) -> bool {
        match *self {
            Self::Unlimited => true,
            Self::Canadian { byo, stones, .. } => side.count == stones && side.time == byo,
            Self::ByoYomi { period, .. } => side.count > 0 && side.time == period,
            Self::Fischer { limit, .. } => side.time == limit,
        }
    }
}

/// A time in seconds that is finite and not negative.
pub fn seconds(number: f64) -> Option<Duration> {
    let bound = TimeSettings::FOREVER.as_secs_f64();
    // What is more than nothing stays so.
    let least = if number > 0.0 { Duration::from_nanos(1) } else { Duration::ZERO };
    (number.is_finite() && number >= 0.0)
        .then(|| Duration::from_secs_f64(number.min(bound)).max(least))
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

/// Moves since a controller last told a side's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Untold {
    moves: u32,
    /// Lag so far that whole seconds may hide or feign, and the moves it belongs to.
    hidden: (f64, u32),
}

/// The clocks of both sides.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Clock {
    settings: TimeSettings,
    sides: ByColor<SideClock>,
    untold: ByColor<Untold>,
    lag: Lag,
    /// Time that is never used, beside the measured reserve.
    kept: Duration,
}

/// How long a move may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allotment {
    /// What the clock suggests.
    pub usual: Duration,
    /// What it allows where the move is not clear after that time.
    pub max: Duration,
    /// What no other budget may exceed.
    pub cap: Duration,
}

/// Among how many moves the time left is to be shared when `turn` turns have been made on a board
/// of so many points.
///
/// The formula and its numbers for 9x9, 13x13 and 19x19 are those of S. Huang, R. Coulom and S. Lin
/// (2010) as Ray uses them, C + max(M - turn, 0) with C = 20, 30, 60 and M = 0, 30, 80; what the
/// middle game gets more comes from the opening. C is divided by 1.3, since searches that end early
/// give that much back (search.md 3.8).
pub fn moves_to_share(points: usize, turn: usize) -> u32 {
    let beyond_9x9 = points as f64 - 81.0;
    let base = (15.0 + beyond_9x9 * 31.0 / 280.0).max(8.0);
    let opening = (beyond_9x9 * 80.0 / 280.0 - turn as f64).max(0.0);
    (base + opening).round() as u32
}

impl Clock {
    /// Share of the time on the clock that is kept beside the measured reserve, up to a second: the
    /// engine's own clock may run a little slow.
    const RESERVE_SHARE: f64 = 0.02;
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

    /// Keeps at least so much on the clock beside the measured reserve, whatever is set.
    pub fn keep(&mut self, time: Duration) {
        self.kept = time;
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
        self.untold = ByColor::default();
    }

    /// What a controller says that a side has left: moves of the period, or periods; `count` is 0
    /// in main time. Where it is less than the clock here after moves of that side, lag is learnt
    /// from it.
    pub fn set_left(&mut self, color: Color, time: Duration, count: u32) {
        if self.settings == TimeSettings::Unlimited {
            return;
        }
        let told = SideClock { time, count };
        self.learn(color, told);
        self.sides[color] = told;
        self.untold[color].moves = 0;
    }

    fn learn(&mut self, color: Color, told: SideClock) {
        let (own, untold) = (self.sides[color], &mut self.untold[color]);
        // A period that has just been given back whole tells nothing.
        if untold.moves == 0 || own.count != told.count || self.settings.is_fresh(own) {
            return;
        }
        let missing = own.time.as_secs_f64() - told.time.as_secs_f64();
        if told.time.subsec_nanos() > 0 {
            let each = missing.max(0.0) / f64::from(untold.moves);
            self.lag.observe(seconds(each).unwrap_or_default());
            return;
        }
        // Whole seconds are mostly rounded down: over some moves the error stays below one.
        let (sum, moves) = (untold.hidden.0 + missing, untold.hidden.1 + untold.moves);
        untold.hidden = (sum, moves);
        let each = (sum - 1.0).max(0.0) / f64::from(moves);
        self.lag.observe(seconds(each).unwrap_or_default());
    }

    /// Learns how much later than its budget allows a search has ended.
    pub fn observe_overrun(&mut self, overrun: Duration) {
        self.lag.observe(overrun);
    }

    /// Takes the time of a move from a side's clock.
    pub fn spend(&mut self, color: Color, spent: Duration) {
        self.untold[color].moves += 1;
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

    /// How long the next move of a side may take if its time is to be shared among about
    /// `moves_left` moves; `None` without a limit.
    pub fn allot(&self, color: Color, moves_left: u32) -> Option<Allotment> {
        let side = self.sides[color];
        let moves_left = moves_left.max(1);
        let lag = self.lag.mean();
        // The time is shared among fewer moves than may come, so lag is kept for twice as many; but
        // it must not eat up a short clock.
        let lags = (lag * (2 * moves_left)).min(side.time.mul_f64(0.75));
        let main = self.usable(side.time).saturating_sub(lags);
        let share = main / moves_left;
        let (usual, max, cap) = match self.settings {
            TimeSettings::Unlimited => return None,
            TimeSettings::Canadian { .. } if side.count > 0 => {
                let safe = self.usable_by_last(side.time, side.count == 1);
                let period = safe.saturating_sub(lag * (side.count - 1));
                let share = period / side.count;
                // Time that is left at the end of the period is lost, so the first moves may take
                // more, as long as half a share stays for each of the others.
                let cap = (2 * share).min(period.saturating_sub(share / 2 * (side.count - 1)));
                (share.mul_f64(1.2).min(cap), cap, cap)
            }
            TimeSettings::Canadian { stones: 0, .. } => {
                (share, (2 * share).min(main / 2), (3 * share).min(main / 2))
            }
            TimeSettings::Canadian { byo, stones, .. } => {
                // The move that ends the main time is the first of a period, so that a share of it
                // can be spent as well.
                let period = self.usable_by_last(byo, stones == 1);
                let of_period = period.saturating_sub(lag * (stones - 1)) / stones;
                let usual = (2 * share).max(of_period);
                let cap = (2 * usual).min(main + of_period);
                (usual, cap, cap)
            }
            TimeSettings::ByoYomi { period, .. } if side.count > 0 => {
                let usual = self.usable_by_last(period, side.count == 1);
                (usual, usual, usual)
            }
            TimeSettings::ByoYomi { period, periods, .. } => {
                // The first period begins where the main time ends, so it can be spent as well.
                let period = self.usable_by_last(period, periods == 1);
                let usual = (2 * share).max(period);
                let cap = (2 * usual).min(main + period);
                (usual, cap, cap)
            }
            TimeSettings::Fischer { increment, move_max, .. } => {
                let most = self.usable(move_max);
                let usual = (share + increment.saturating_sub(lag)).min(main / 2).min(most);
                let cap = |factor: u32| (factor * usual).min(main / 2).min(most);
                (usual, cap(2), cap(4))
            }
        };
        // A short clock still gives a move some playouts, as long as it holds them.
        let usual = usual.max(Self::SHORTEST.min(side.time / 10));
        Some(Allotment { usual, max: max.max(usual), cap: cap.max(usual) })
    }

    /// What of a time on the clock a search may use.
    fn usable(&self, time: Duration) -> Duration {
        self.usable_by_last(time, false)
    }

    /// The same; `is_last` if the search may take it all and nothing comes after it.
    fn usable_by_last(&self, time: Duration, is_last: bool) -> Duration {
        let share = time.mul_f64(Self::RESERVE_SHARE).min(Duration::from_secs(1)).max(self.kept);
        let lag = if is_last { self.lag.last_reserve() } else { self.lag.reserve() };
        // A very short time is parted evenly.
        let reserve = (share + lag).min(time.mul_f64(0.6));
        time.saturating_sub(reserve)
    }
}

#[cfg(test)]
mod tests;
