//! Searches that are cut short, searches that must not be, and the clock.
//!
//! Limits of speed are those of the protocol; as the machine may be busy, the best of a few tries
//! counts.

use std::process::Command;
use std::time::{Duration, Instant};

use keima::board::{Color, ColoredMove, Move, Size};
use keima::game::Game;
use libtest_mimic::Trial;

use super::trial;
use crate::engine::Engine;

/// Thinks for minutes if nothing stops it.
const SLOW: [&str; 6] = ["--seed", "1", "--playouts", "1000000000", "--threads", "1"];

/// How long a search runs before it is cut: clearly more than the 100 ms before which the end of
/// the input does not cut it.
const WARM_UP: Duration = Duration::from_millis(300);

/// How soon a search that is cut has to answer.
const AT_ONCE: Duration = Duration::from_millis(300);

const TRIES: usize = 8;

pub(super) fn trials() -> Vec<Trial> {
    vec![
        trial("quit_cuts_a_search", || cut(&["quit"], 2)),
        trial("end_of_input_cuts_a_search", || cut(&[], 1)),
        trial("quit_cuts_a_reading_of_all_dragons", cut_dragons),
        trial("interrupt_ends_a_search", || interrupt(|engine| engine.send("# interrupt"))),
        trial("interrupt_behind_genmove_ends_it", interrupt_at_once),
        trial("signal_ends_a_search", || interrupt(|engine| signal(engine, "INT"))),
        trial("signal_ends_the_session", terminate),
        trial("commands_wait_for_a_search", commands_wait),
        trial("quit_behind_genmove_waits", || waits("genmove b\nquit\n", 2)),
        trial("end_of_input_behind_genmove_waits", || waits("genmove b\n", 1)),
        trial("clock_without_time_left", clock_without_time_left),
        trial("commands_end_pondering", || {
            ponder(|engine| {
                engine.ask("protocol_version");
            });
        }),
        trial("end_of_input_ends_pondering", || ponder(Engine::close_input)),
        trial("clocks_hold", clocks_hold),
        trial("the_last_move_is_timed", last_move_is_timed),
    ]
}

fn last_move_is_timed() {
    let mut engine = Engine::start(&["--time-per-move", "0.2", "--threads", "1"]);
    assert_eq!(engine.ask("time_lastmove"), "0.00");
    engine.ask("boardsize 9");
    let start = Instant::now();
    engine.ask("genmove b");
    let whole = start.elapsed().as_secs_f64();
    let answer = engine.ask("time_lastmove");
    let seconds: f64 = answer.parse().expect("a number of seconds");
    assert!(seconds > 0.1 && seconds <= whole + 0.01, "{seconds} of {whole}");
}

/// Retries what a busy machine may spoil.
pub(super) fn best_of_tries(mut attempt: impl FnMut() -> Duration, limit: Duration) {
    let mut times = Vec::new();
    for _ in 0..TRIES {
        let time = attempt();
        if time <= limit {
            return;
        }
        times.push(time);
    }
    panic!("{times:?} instead of {limit:?}");
}

/// Ends the input, behind these commands, while a search runs: all is answered at once.
fn cut(commands: &[&str], responses: usize) {
    let attempt = || {
        let mut engine = Engine::start(&SLOW);
        engine.ask("boardsize 9");
        engine.send("genmove b");
        engine.expect_silence(WARM_UP);
        let start = Instant::now();
        for command in commands {
            engine.send(command);
        }
        if commands.is_empty() {
            engine.close_input();
        }
        for _ in 0..responses {
            assert!(engine.receive().is_success);
        }
        assert!(engine.finish().success());
        start.elapsed()
    };
    best_of_tries(attempt, AT_ONCE);
}

/// Many dragons, each of which is searched for its fate.
fn cut_dragons() {
    let attempt = || {
        let mut engine = Engine::start(&["--threads", "1"]);
        let size = Size::STANDARD;
        let points = size.iter().filter(|&point| size.column(point) % 3 + size.row(point) % 3 == 2);
        let stones: Vec<String> = points
            .enumerate()
            .map(|(i, point)| {
                format!("{} {}", if i % 2 == 0 { "b" } else { "w" }, size.vertex(point))
            })
            .collect();
        engine.ask(&format!("gogui-setup {}", stones.join(" ")));
        engine.send("dragon_status");
        engine.expect_silence(WARM_UP);
        let start = Instant::now();
        engine.send("quit");
        assert!(engine.receive().is_success);
        assert!(engine.receive().is_success);
        assert!(engine.finish().success());
        start.elapsed()
    };
    best_of_tries(attempt, AT_ONCE);
}

/// Asks for the best move so far, in one of the ways.
fn interrupt(ask: impl Fn(&mut Engine)) {
    let attempt = || {
        let mut engine = Engine::start(&SLOW);
        engine.ask("boardsize 9");
        engine.send("genmove b");
        engine.expect_silence(WARM_UP);
        let start = Instant::now();
        ask(&mut engine);
        let response = engine.receive();
        let time = start.elapsed();
        assert!(response.is_success);
        let size = Size::square(9).expect("a legal size");
        assert!(size.parse_point(&response.text).is_some(), "{} opens no game", response.text);
        assert_eq!(engine.ask("protocol_version"), "2", "the session goes on");
        time
    };
    best_of_tries(attempt, AT_ONCE);
}

/// An interrupt that is read before the search has begun is meant for it all the same.
fn interrupt_at_once() {
    let attempt = || {
        let mut engine = Engine::start(&SLOW);
        engine.ask("boardsize 9");
        let start = Instant::now();
        engine.send("genmove b\n# interrupt");
        let response = engine.receive();
        let time = start.elapsed();
        assert!(response.is_success);
        time
    };
    best_of_tries(attempt, AT_ONCE);
}

fn signal(engine: &Engine, name: &str) {
    let process = engine.process_id().to_string();
    let status = Command::new("kill").args([&format!("-{name}"), &process]).status();
    assert!(status.expect("there is a command kill").success());
}

/// The system asks the engine to end: it answers what it has and goes in good order.
fn terminate() {
    let mut engine = Engine::start(&SLOW);
    engine.send("genmove b");
    engine.expect_silence(WARM_UP);
    signal(&engine, "TERM");
    assert!(engine.receive().is_success);
    assert!(engine.finish().success());
}

/// Sabaki asks for the protocol version whenever it has to wait: the search goes on.
fn commands_wait() {
    let mut engine = Engine::start(&SLOW);
    engine.send("1 genmove b");
    engine.expect_silence(WARM_UP);
    engine.send("2 protocol_version\n# a comment\n");
    engine.expect_silence(WARM_UP);
    engine.send("# interrupt");
    assert_eq!(engine.receive().id, "1");
    assert_eq!(engine.receive().id, "2");
}

/// A script on a pipe delivers its end at once: the search takes its whole time all the same. (The
/// flat player takes it on an empty board; the tree may be sure of its move before.)
fn waits(input: &str, responses: usize) {
    let mut engine =
        Engine::start(&["--time-per-move", "0.5", "--threads", "1", "--player", "flat"]);
    engine.ask("boardsize 9");
    let start = Instant::now();
    engine.write(input.as_bytes());
    engine.close_input();
    assert!(engine.receive().is_success);
    let time = start.elapsed();
    assert!(time >= Duration::from_millis(400), "cut after {time:?}");
    for _ in 1..responses {
        assert!(engine.receive().is_success);
    }
    assert!(engine.finish().success());
}

/// A controller that sets a time and never says what is left of it.
fn clock_without_time_left() {
    let total = Duration::from_secs(3);
    best_of_tries(|| time_of_a_game(total), total);
}

/// How long the engine thinks in a game, as its controller sees it, with so much time for all moves.
fn time_of_a_game(total: Duration) -> Duration {
    let size = Size::square(9).expect("a legal size");
    let mut engine = Engine::start(&["--threads", "1"]);
    engine.ask("boardsize 9");
    engine.ask(&format!("time_settings {} 0 0", total.as_secs()));
    let mut game = Game::new(size);
    let mut spent = Duration::ZERO;
    // White plays the first legal point that is no eye of his: a game of ordinary length.
    for _ in 0..size.points() {
        let start = Instant::now();
        let answer = engine.ask("genmove b");
        spent += start.elapsed();
        let Some(point) = size.parse_point(&answer) else { break };
        game.play(ColoredMove { color: Color::Black, mv: Move::Play(point) }).expect("legal");
        let legal = game.legal_points(Color::White);
        let reply = legal.iter().find(|&point| !game.board().is_eyelike(point, Color::White));
        let mv = reply.map_or(Move::Pass, Move::Play);
        game.play(ColoredMove { color: Color::White, mv }).expect("legal");
        let vertex = reply.map_or("pass".to_owned(), |point| size.vertex(point).to_string());
        engine.ask(&format!("play w {vertex}"));
    }
    assert!(game.turns().len() > 10, "the game was too short to tell");
    spent
}

/// How soon a command is answered that comes while the engine searches on the opponent's time.
const PONDER_ANSWER: Duration = Duration::from_millis(50);

/// Pondering writes nothing, and ends at once for whatever comes in.
fn ponder(event: impl Fn(&mut Engine)) {
    let attempt = || {
        let flags = ["--seed", "1", "--playouts", "500", "--threads", "1", "--ponder"];
        let mut engine = Engine::start(&flags);
        engine.ask("boardsize 9");
        engine.ask("genmove b");
        engine.expect_silence(WARM_UP);
        let before: f64 = engine.ask("cputime").parse().expect("seconds");
        engine.expect_silence(WARM_UP);
        let after: f64 = engine.ask("cputime").parse().expect("seconds");
        assert!(after > before, "it goes on after a command that leaves the game alone");
        engine.expect_silence(WARM_UP);
        let start = Instant::now();
        event(&mut engine);
        let time = start.elapsed();
        engine.close_input();
        assert!(engine.finish().success());
        time.max(start.elapsed().saturating_sub(AT_ONCE))
    };
    best_of_tries(attempt, PONDER_ANSWER);
}

/// The first moves of a game under each time system: none takes longer than its clock allows.
fn clocks_hold() {
    // The settings, and what the first six moves may take together.
    for (settings, seconds) in [
        ("absolute 1", 1.0),
        ("canadian 0 0.6 3", 1.2),
        ("byoyomi 0 0.2 1", 1.2),
        ("fischer 0.5 0.1", 1.0),
    ] {
        let mut engine = Engine::start(&["--threads", "1"]);
        engine.ask("boardsize 9");
        engine.ask(&format!("kata-time_settings {settings}"));
        let mut spent = Duration::ZERO;
        for _ in 0..6 {
            let start = Instant::now();
            engine.ask("genmove b");
            spent += start.elapsed();
            engine.ask("genmove w");
        }
        assert!(spent.as_secs_f64() <= seconds, "{settings}: {spent:?}");
    }
}
