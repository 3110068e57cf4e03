//! The scores of the vectors once more, over the wire: set-up by file, rules as JSON and by name,
//! moves in one sequence, the count with a given list of dead stones.

use std::fmt::Write as _;
use std::fs;

use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::engine::{Engine, Stderr};
use crate::records::{GameRecord, Side, read};
use crate::settings;
use crate::vectors::report;

const FILES: [&str; 3] = ["edge_cases", "finished", "scoring"];

/// One trial a file.
pub(crate) fn trials() -> Vec<Trial> {
    FILES
        .iter()
        .map(|file| Trial::test(format!("wire::{file}"), move || check(&format!("{file}.jsonl"))))
        .collect()
}

fn check(file: &str) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let mut engine = Engine::start_in(folder.path(), &["--threads", "1"], Stderr::Null);
    let mut differences = Vec::new();
    for (line, record) in read::<GameRecord>(file)? {
        if !can_be_told(&record) {
            continue;
        }
        let expected = expected(&record);
        if expected.is_empty() {
            continue;
        }
        replay(&mut engine, &folder, &record)?;
        for (settings, score) in expected {
            let found = count(&mut engine, &record, &settings)?;
            if found != score {
                let GameRecord { id, .. } = &record;
                differences.push(format!(
                    "{file}:{line}: {id}: {settings}: expected {score}, found {found}"
                ));
            }
        }
    }
    report(&differences)
}

/// A file cannot tell of handicap stones that are not on the board, or would not fit there.
fn can_be_told(record: &GameRecord) -> bool {
    let has_stones = record.setup.iter().any(|row| row.contains('X'));
    record.handicap == 0 || has_stones && record.handicap < record.w * record.h
}

/// All settings with the scores that they give.
fn expected(record: &GameRecord) -> Vec<(Value, String)> {
    let by_name = record.scores.iter().map(|(name, score)| (json!(name), score.clone()));
    let own = record.result.iter().map(|score| (record.rules.clone(), score.clone()));
    by_name.chain(record.scored.iter().cloned()).chain(own).collect()
}

fn replay(engine: &mut Engine, folder: &TempDir, record: &GameRecord) -> Result<(), Failed> {
    fs::write(folder.path().join("start.sgf"), start(record)?)?;
    engine.ask("loadsgf start.sgf");
    engine.ask(&format!("kata-set-rules {}", as_command(&record.rules)));
    engine.ask(&format!("gogui-play_sequence {}", record.moves));
    Ok(())
}

/// The start of a record as SGF.
fn start(record: &GameRecord) -> Result<String, std::fmt::Error> {
    let GameRecord { w, h, handicap, .. } = record;
    let side = match record.first {
        Side::Black => "B",
        Side::White => "W",
    };
    let size = if w == h { w.to_string() } else { format!("{w}:{h}") };
    let mut sgf = format!("(;GM[1]FF[4]SZ[{size}]PL[{side}]");
    if *handicap > 0 {
        write!(sgf, "HA[{handicap}]")?;
    }
    for (stone, property) in [('X', "AB"), ('O', "AW")] {
        for (row, letters) in ('a'..).zip(&record.setup) {
            for (column, _) in ('a'..).zip(letters.chars()).filter(|&(_, c)| c == stone) {
                write!(sgf, "{property}[{column}{row}]")?;
            }
        }
    }
    sgf.push(')');
    Ok(sgf)
}

/// Settings in the form of `kata-set-rules`, whose defaults are not those of the vectors.
fn as_command(settings: &Value) -> String {
    let Value::Object(fields) = settings else {
        return settings.as_str().unwrap_or_default().to_owned();
    };
    let mut all = json!({"preset": "chinese", "whiteHandicapBonus": "0"});
    for (field, value) in fields {
        if field == "preset" {
            all = json!({"preset": value});
        }
    }
    for (field, value) in fields {
        all[field] = value.clone();
    }
    all.to_string()
}

fn count(engine: &mut Engine, record: &GameRecord, settings: &Value) -> Result<String, Failed> {
    engine.ask(&format!("kata-set-rules {}", as_command(settings)));
    let komi = settings::rules(settings)?.usual_komi(record.handicap);
    engine.ask(&format!("komi {komi}"));
    let dead = if record.dead.is_empty() { "" } else { "dead " };
    Ok(engine.ask(&format!("keima-final_score {dead}{}", record.dead.join(" "))))
}
