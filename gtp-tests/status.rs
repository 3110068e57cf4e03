//! The engine's judgement of dead stones against GNU Go's, on finished games (`status/README.md`).
//!
//! A stone is judged alike if both say that it is dead or both say that it is not.

use std::collections::BTreeSet;
use std::fs;

use keima::board::{Color, ColoredMove, Move, Size};
use keima::config::Config;
use keima::engine::Engine;
use keima::game::Game;
use keima::rules::{Komi, preset};
use libtest_mimic::{Failed, Trial};
use serde::Deserialize;

use crate::data;

/// Stones of a hundred that have to be judged alike.
const LEAST_SHARE: f64 = 98.0;

pub(crate) fn trials() -> Vec<Trial> {
    vec![Trial::test("status::dead_stones", dead_stones)]
}

/// A game with the labels of its last position. What serves to make the labels is not read.
#[derive(Debug, Deserialize)]
struct Judged {
    id: String,
    size: usize,
    komi: f64,
    moves: String,
    dead: BTreeSet<String>,
    /// Stones whose label hangs on who moves next.
    uncertain: BTreeSet<String>,
}

/// Stones, and how many of them are judged alike.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    stones: usize,
    alike: usize,
}

impl Tally {
    fn add(&mut self, is_alike: bool) {
        self.stones += 1;
        self.alike += usize::from(is_alike);
    }

    /// In percent.
    fn share(self) -> f64 {
        100.0 * self.alike as f64 / self.stones.max(1) as f64
    }
}

#[expect(clippy::print_stdout, reason = "the share is worth knowing when the test passes, too")]
fn dead_stones() -> Result<(), Failed> {
    let mut engine = Engine::new(Config { seed: Some(1), ..Config::default() })?;
    let [mut all, mut certain, mut dead] = [Tally::default(); 3];
    let mut differences = Vec::new();
    for line in fs::read_to_string(data("status/games.jsonl"))?.lines() {
        let judged: Judged = serde_json::from_str(line)?;
        let Judged { id, .. } = &judged;
        let game = replay(&judged).map_err(|error| format!("{id}: {error}"))?;
        let found = engine.final_status(&game);
        let mut stones = BTreeSet::new();
        for (point, color) in game.board().stones() {
            let vertex = game.size().vertex(point).to_string();
            let (is_found, is_labeled) =
                (found.dead().contains(point), judged.dead.contains(&vertex));
            all.add(is_found == is_labeled);
            if !judged.uncertain.contains(&vertex) {
                certain.add(is_found == is_labeled);
            }
            if is_labeled {
                dead.add(is_found);
            }
            if is_found != is_labeled {
                let engine = if is_found { "dead" } else { "not dead" };
                differences.push(format!("{id}: {color} {vertex} is {engine} for the engine"));
            }
            stones.insert(vertex);
        }
        if !judged.dead.is_subset(&stones) {
            return Err(format!("{id}: there is no stone where one is dead").into());
        }
    }
    let shares = format!(
        "{:.2} % of {} stones judged alike, {:.2} % of the certain, {:.2} % of the {} dead",
        all.share(),
        all.stones,
        certain.share(),
        dead.share(),
        dead.stones,
    );
    println!("{shares}");
    // To call every stone alive must not be good enough.
    let alive_share = 100.0 - 100.0 * dead.stones as f64 / all.stones.max(1) as f64;
    if all.share() < LEAST_SHARE || alive_share >= LEAST_SHARE {
        return Err(format!("{shares}\n{}", differences.join("\n")).into());
    }
    Ok(())
}

/// The game at its end.
fn replay(judged: &Judged) -> Result<Game, String> {
    let size = Size::square(judged.size).ok_or("no such board size")?;
    let rules = preset("chinese").ok_or("no such rules")?.rules;
    let komi = Komi::from_points(judged.komi).ok_or("no such komi")?;
    let mut game = Game::with_rules(size, rules, komi);
    let words: Vec<&str> = judged.moves.split_whitespace().collect();
    for pair in words.chunks(2) {
        let &[side, vertex] = pair else { return Err("an odd number of words".into()) };
        let mv = match vertex {
            "pass" => Move::Pass,
            _ => Move::Play(size.parse_point(vertex).ok_or_else(|| format!("no point {vertex}"))?),
        };
        let color = match side {
            "B" => Color::Black,
            "W" => Color::White,
            _ => return Err(format!("{side:?} is no side")),
        };
        let turn = ColoredMove { color, mv };
        game.play(turn).map_err(|error| format!("{side} {vertex}: {error}"))?;
    }
    if game.is_over() { Ok(game) } else { Err("the game is not over".into()) }
}
