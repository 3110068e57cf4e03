//! The rules oracle's vectors through the library: legality, captures, repetition, counting,
//! handicap, presets and published numbers.

use std::collections::BTreeSet;

use keima::board::{Board, Color, Size, Suicide};
use keima::game::star_points;
use keima::rules::{Placement, preset};
use libtest_mimic::{Failed, Trial};

use crate::records::{
    BensonRecord, FactRecord, GameRecord, HandicapRecord, PresetRecord, Sides, read,
};
use crate::{facts, replay, settings};

/// Files of game records: one trial each.
const GAMES: [&str; 5] = ["edge_cases", "legality_small", "legality_big", "finished", "scoring"];

/// Differences that a failure lists; the rest is counted.
const MAX_LISTED: usize = 40;

/// One trial a file, and one each published number.
pub(crate) fn trials() -> Vec<Trial> {
    let mut trials: Vec<Trial> = GAMES
        .iter()
        .map(|file| {
            Trial::test(format!("vectors::{file}"), move || games(&format!("{file}.jsonl")))
        })
        .collect();
    trials.push(Trial::test("vectors::handicap", handicap));
    trials.push(Trial::test("vectors::presets", presets));
    trials.push(Trial::test("vectors::unconditional", unconditional));
    trials.extend(published());
    trials
}

/// A failure that lists what differs, or none.
pub(crate) fn report(differences: &[String]) -> Result<(), Failed> {
    if differences.is_empty() {
        return Ok(());
    }
    let listed = differences.iter().take(MAX_LISTED).cloned().collect::<Vec<_>>().join("\n");
    Err(format!("{} differences\n{listed}", differences.len()).into())
}

fn games(file: &str) -> Result<(), Failed> {
    let mut differences = Vec::new();
    for (line, record) in read::<GameRecord>(file)? {
        for difference in replay::differences(&record) {
            let GameRecord { id, why, .. } = &record;
            differences.push(format!("{file}:{line}: {id}: {difference} {why}"));
        }
    }
    report(&differences)
}

fn handicap() -> Result<(), Failed> {
    let file = "handicap.jsonl";
    let mut differences = Vec::new();
    for (line, record) in read::<HandicapRecord>(file)? {
        let HandicapRecord { size: side, n, style, points, .. } = record;
        let size = Size::square(side).ok_or("no such board size")?;
        let placement = match style.as_str() {
            "fixed" => Placement::Fixed,
            "sides" => Placement::Sides,
            other => return Err(format!("{file}:{line}: unknown style {other}").into()),
        };
        let found = star_points(size, n, placement).map(|points| {
            points.iter().map(|&point| size.vertex(point).to_string()).collect::<Vec<_>>()
        });
        if found != points {
            let what = format!("{n} stones on {size}, {style}");
            differences
                .push(format!("{file}:{line}: {what}: expected {points:?}, found {found:?}"));
        }
    }
    report(&differences)
}

fn presets() -> Result<(), Failed> {
    let file = "presets.jsonl";
    let mut differences = Vec::new();
    for (line, record) in read::<PresetRecord>(file)? {
        let PresetRecord { name, preset: expected_preset, fields, .. } = record;
        let expected = settings::rules(&fields)?;
        let found = preset(&name).map(|preset| (preset.name, preset.rules));
        if found != Some((expected_preset.as_str(), expected)) {
            differences.push(format!(
                "{file}:{line}: {name}: expected {expected_preset} {expected:?}, found {found:?}"
            ));
        }
        if fields.as_object().map(serde_json::Map::len) != Some(settings::FIELDS) {
            differences.push(format!("{file}:{line}: {name}: not every setting is given"));
        }
    }
    report(&differences)
}

fn unconditional() -> Result<(), Failed> {
    let file = "unconditional.jsonl";
    let mut differences = Vec::new();
    for (line, record) in read::<BensonRecord>(file)? {
        let BensonRecord { id, board, alive, alive_self_capture, .. } = record;
        let board = Board::from_diagram(&board.join("/"))?;
        for (suicide, expected) in [(Suicide::None, alive), (Suicide::Multi, alive_self_capture)] {
            let stones = |color| -> BTreeSet<String> {
                let alive = board.pass_alive(color, suicide).stones;
                alive.iter().map(|point| board.size().vertex(point).to_string()).collect()
            };
            let found = Sides { black: stones(Color::Black), white: stones(Color::White) };
            if found != expected {
                differences.push(format!(
                    "{file}:{line}: {id}, {suicide:?}: expected {expected:?}, found {found:?}"
                ));
            }
        }
    }
    report(&differences)
}

/// A trial for each published number that can be counted in a moment.
fn published() -> Vec<Trial> {
    let records = match read::<FactRecord>("facts.jsonl") {
        Ok(records) => records,
        Err(error) => return vec![Trial::test("vectors::facts", || Err(error.into()))],
    };
    records.into_iter().filter_map(|(line, record)| fact(line, record)).collect()
}

fn fact(line: usize, record: FactRecord) -> Option<Trial> {
    let FactRecord { kind, w, h, count: expected, .. } = record;
    let name = format!("vectors::facts::{kind}_{w}x{h}");
    let count = match (kind.as_str(), w * h) {
        ("positions", ..=facts::MAX_POINTS_POSITIONS) => facts::positions,
        ("games", ..=facts::MAX_POINTS_GAMES) => facts::games,
        ("positions" | "games", _) => return None,
        _ => return Some(Trial::test(name, || Err("unknown kind of fact".into()))),
    };
    Some(Trial::test(name, move || {
        let found = count(Size::new(w, h).ok_or("no such board size")?);
        if found == expected {
            return Ok(());
        }
        Err(format!("facts.jsonl:{line}: expected {expected}, found {found}").into())
    }))
}
