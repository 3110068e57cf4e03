//! What the engine tells about itself: texts that depend on the machine.

use libtest_mimic::Trial;
use regex::Regex;

use super::trial;
use crate::engine::Engine;

const FLAGS: [&str; 6] = ["--seed", "7", "--playouts", "60", "--threads", "1"];

pub(super) fn trials() -> Vec<Trial> {
    vec![trial("benchmark_leaves_the_game", benchmark)]
}

fn start() -> Engine {
    let mut engine = Engine::start(&FLAGS);
    engine.ask("boardsize 9");
    engine
}

fn matches(pattern: &str, text: &str) {
    let regex = Regex::new(pattern).expect("a regular expression");
    assert!(regex.is_match(text), "{text:?} does not match {pattern:?}");
}

fn benchmark() {
    let mut engine = start();
    engine.ask("time_settings 10 0 0");
    engine.ask("play b E5");
    let before = engine.ask("showboard");
    let pattern = r"^[1-9]\d* playouts in \d+\.\d\d s on 1 thread: \d+ a second$";
    matches(pattern, &engine.ask("kata-benchmark 100"));
    assert_eq!(engine.ask("showboard"), before);
}
