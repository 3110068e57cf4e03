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

/// Which part of an allotment a move takes.
type Part = fn(Allotment) -> Duration;

/// Plays this many moves that take part of what was allotted and a lag on top, which the
/// controller tells after each move, or that the search itself overran; `false` when the
/// flag falls.
fn survives(settings: TimeSettings, moves: u32, lag: Duration, part: Part, told: bool) -> bool {
    let mut clock = clock(settings);
    let mut true_clock = clock;
    for turn in 0..moves {
        let share = moves_to_share(81, 2 * turn as usize);
        let search = part(clock.allot(Color::Black, share).unwrap());
        if search + lag > available(&true_clock, Color::Black) {
            return false;
        }
        true_clock.spend(Color::Black, search + lag);
        clock.spend(Color::Black, if told { search } else { search + lag });
        if told {
            let SideClock { time, count } = true_clock.sides.black;
            clock.set_left(Color::Black, time, count);
        } else {
            clock.observe_overrun(lag);
        }
    }
    true
}

#[test]
fn no_flag_falls() {
    for settings in [
        gtp(10.0, 0.0, 0.0),
        gtp(0.0, 1.0, 1.0),
        gtp(0.0, 3.0, 5.0),
        gtp(0.0, 30.0, 25.0),
        gtp(5.0, 2.0, 5.0),
        gtp(60.0, 10.0, 1.0),
        byo_yomi(Duration::ZERO, SECOND / 2, 5),
        byo_yomi(5 * SECOND, SECOND, 1),
        fischer(2 * SECOND, SECOND / 10),
        fischer(10 * SECOND, SECOND),
    ] {
        for told in [false, true] {
            let parts: [(&str, Part); 3] =
                [("usual", |a| a.usual), ("max", |a| a.max), ("cap", |a| a.cap)];
            for (name, part) in parts {
                for (lag, moves) in [(Duration::ZERO, 60), (10 * MS, 60), (40 * MS, 40)] {
                    let moves = if name == "usual" { moves } else { 30 };
                    assert!(
                        survives(settings, moves, lag, part, told),
                        "{settings:?}, {name}, {lag:?}, told: {told}"
                    );
                }
            }
        }
    }
}

#[test]
fn lag_is_learnt_from_corrections() {
    let reserve = |settings, told: &dyn Fn(Duration) -> Duration| {
        let mut clock = clock(settings);
        for _ in 0..20 {
            clock.spend(Color::Black, 100 * MS);
            let left = clock.sides.black.time;
            clock.set_left(Color::Black, told(left), 0);
        }
        clock.lag.reserve()
    };
    let least = 53 * MS;
    assert!(reserve(gtp(60.5, 0.0, 0.0), &|left| left) < 2 * least);
    assert_eq!(reserve(gtp(60.5, 0.0, 0.0), &|left| left.saturating_sub(250 * MS)), 375 * MS);
    // Whole seconds: what is lost by rounding is no lag.
    let whole = |left: Duration| Duration::from_secs(left.as_secs());
    let mut true_left = 60 * SECOND;
    let mut clock = clock(gtp(60.0, 0.0, 0.0));
    for _ in 0..20 {
        true_left -= 130 * MS;
        clock.spend(Color::Black, 100 * MS);
        clock.set_left(Color::Black, whole(true_left), 0);
    }
    assert!(clock.lag.mean() < 60 * MS, "{:?}", clock.lag);
}

#[test]
fn a_period_is_used_and_an_unclear_move_may_take_longer() {
    let allot = |settings| clock(settings).allot(Color::Black, 15).unwrap();
    let absolute = allot(gtp(60.0, 0.0, 0.0));
    assert!(absolute.usual > 3 * SECOND && absolute.max == 2 * absolute.usual);
    let single = allot(gtp(0.0, 10.0, 1.0));
    assert!(single.usual > 9 * SECOND && single.max == single.usual);
    let periods = allot(byo_yomi(Duration::ZERO, 10 * SECOND, 3));
    assert!(periods.usual > 9 * SECOND && periods.max < 10 * SECOND);
    let period = allot(gtp(0.0, 10.0, 5.0));
    assert!(period.usual > 2 * SECOND && period.max > 3 * SECOND && period.max < 5 * SECOND);
}

#[test]
fn time_that_is_kept_is_not_used() {
    let mut clock = clock(gtp(10.0, 0.0, 0.0));
    let usual = |clock: &Clock| clock.allot(Color::Black, 1).unwrap().usual;
    let before = usual(&clock);
    clock.keep(SECOND);
    // A fiftieth of the time was kept already.
    assert_eq!(usual(&clock) + 800 * MS, before);
    clock.refill();
    assert_eq!(usual(&clock) + 800 * MS, before);
}

#[test]
fn time_is_shared_as_published() {
    for (side, turn, moves) in [(9, 0, 15), (9, 60, 15), (13, 0, 50), (13, 30, 25)] {
        assert_eq!(moves_to_share(side * side, turn), moves, "{side}, turn {turn}");
    }
    for (side, turn, moves) in [(19, 0, 126), (19, 80, 46), (19, 300, 46), (5, 0, 9), (1, 0, 8)] {
        assert_eq!(moves_to_share(side * side, turn), moves, "{side}, turn {turn}");
    }
}

#[test]
fn a_low_clock_on_a_large_board_still_gives_a_move_time() {
    for (left, moves_left, least) in [(3000, 218, 5), (1800, 126, 5), (300, 218, 20), (50, 218, 5)]
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

#[test]
fn the_least_time_is_a_limit() {
    for (main, byo, stones) in [(1e-10, 0.0, 0.0), (0.0, 1e-10, 1.0), (0.0, 1e-300, 1.0)] {
        assert_ne!(TimeSettings::from_gtp(main, byo, stones), Some(TimeSettings::Unlimited));
    }
}
