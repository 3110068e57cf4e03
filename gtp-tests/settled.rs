//! Positions in which nothing is left to decide: the engine has to find the score by itself, with
//! no list of dead stones.

use keima::config::Config;
use keima::engine::Engine;
use keima::rules::PRESETS;
use libtest_mimic::{Failed, Trial};

use crate::records::{GameRecord, read};
use crate::replay::replay;
use crate::settings;
use crate::vectors::report;

const FILES: [&str; 2] = ["finished.jsonl", "scoring.jsonl"];

/// One trial a rule set.
pub(crate) fn trials() -> Vec<Trial> {
    PRESETS
        .iter()
        .map(|preset| Trial::test(format!("settled::{}", preset.name), move || check(preset.name)))
        .collect()
}

fn check(preset: &str) -> Result<(), Failed> {
    let rules = settings::named(preset)?;
    let mut engine = Engine::new(Config { threads: 1, seed: Some(1), ..Config::default() })?;
    let mut differences = Vec::new();
    for file in FILES {
        for (line, record) in read::<GameRecord>(file)?.into_iter().filter(|(_, r)| r.settled) {
            let mut game = replay(&record)?;
            game.set_rules(rules);
            game.set_komi(rules.usual_komi(record.handicap));
            let found = engine.final_score(&game).to_string();
            let expected = record.scores.get(preset).ok_or("no score under this preset")?;
            if found != *expected {
                let GameRecord { id, .. } = &record;
                differences
                    .push(format!("{file}:{line}: {id}: expected {expected}, found {found}"));
            }
        }
    }
    report(&differences)
}
