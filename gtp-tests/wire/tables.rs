//! Handicap points, presets and unconditional life.

use std::collections::BTreeSet;
use std::fs;

use libtest_mimic::{Failed, Trial};
use serde_json::{Map, Value, json};

use super::games::{sgf, vertices};
use super::{Expected, Script};
use crate::records::{BensonRecord, HandicapRecord, PresetRecord, read};

pub(super) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("wire::handicap", handicap),
        Trial::test("wire::presets", presets),
        Trial::test("wire::unconditional", unconditional),
    ]
}

fn handicap() -> Result<(), Failed> {
    let mut script = Script::new()?;
    for (line, record) in read::<HandicapRecord>("handicap.jsonl")? {
        let HandicapRecord { size, n, style, points, .. } = record;
        script.place = format!("handicap.jsonl:{line}: {size}x{size}");
        script.add(format!("boardsize {size}"), Expected::Success);
        script.add(format!("kata-set-rule placement {style}"), Expected::Success);
        let command = format!("fixed_handicap {n}");
        match &points {
            Some(points) => script.add(command, Expected::Text(points.join(" "))),
            None => script.add(command, Expected::Failure),
        }
        let stones: BTreeSet<String> = points.into_iter().flatten().collect();
        let handicap = if stones.len() < 2 { 0 } else { stones.len() };
        script.add("list_stones black", Expected::Words(stones));
        script.add("get_handicap", Expected::text(handicap.to_string()));
    }
    script.run()
}

fn presets() -> Result<(), Failed> {
    let mut script = Script::new()?;
    script.add("komi 3.25", Expected::Success);
    for (line, record) in read::<PresetRecord>("presets.jsonl")? {
        let PresetRecord { name, preset, fields, .. } = record;
        script.place = format!("presets.jsonl:{line}: {preset}");
        let entries = entries(&fields)?;
        script.add(format!("kata-set-rules {name}"), Expected::Success);
        script.add("kata-get-rules", Expected::Entries(entries.clone()));
        // The other command takes the first word only. Other rules come between, so that doing
        // nothing is not enough.
        if !name.contains(' ') {
            let other = if preset == "beginner" { "aga" } else { "beginner" };
            script.add(format!("kata-set-rules {other}"), Expected::Success);
            script.add(format!("kgs-rules {name}"), Expected::Success);
            script.add("kata-get-rules", Expected::Entries(entries));
        }
        script.add("get_komi", Expected::text("3.25"));
    }
    script.run()
}

/// The settings of a record as `kata-get-rules` prints them. Komi is not among them.
fn entries(fields: &Value) -> Result<Value, Failed> {
    let mut entries = Map::new();
    for (field, value) in fields.as_object().ok_or("no settings")? {
        let word = || json!(value.as_str().unwrap_or_default().to_ascii_uppercase());
        let (key, value) = match (field.as_str(), value.as_str()) {
            ("komi", _) => continue,
            ("button", _) => ("hasButton", value.clone()),
            ("handicap_bonus", _) => ("whiteHandicapBonus", word()),
            ("removal", Some(removal)) => ("friendlyPassOk", json!(removal == "agreement")),
            ("suicide", Some("none")) => ("suicide", json!(false)),
            ("suicide", Some("multi")) => ("suicide", json!(true)),
            (field, Some(_)) => (field, word()),
            (field, None) => (field, value.clone()),
        };
        entries.insert(key.to_owned(), value);
    }
    Ok(Value::Object(entries))
}

fn unconditional() -> Result<(), Failed> {
    let mut script = Script::new()?;
    for (line, record) in read::<BensonRecord>("unconditional.jsonl")? {
        let BensonRecord { id, board, alive, alive_self_capture, .. } = record;
        script.place = format!("unconditional.jsonl:{line}: {id}");
        let size = (board.first().map_or(0, String::len), board.len());
        fs::write(script.folder.path().join(format!("{line}.sgf")), sgf(&board, size, "")?)?;
        script.add(format!("loadsgf {line}.sgf"), Expected::Success);
        for (suicide, alive) in [("none", alive), ("multi", alive_self_capture)] {
            script.add(format!("kata-set-rule suicide {suicide}"), Expected::Success);
            for (letter, alive) in [('X', alive.black), ('O', alive.white)] {
                for vertex in vertices(&board, letter) {
                    let expected = if alive.contains(&vertex) {
                        Expected::text("alive")
                    } else {
                        Expected::TextBut("alive")
                    };
                    script.add(format!("unconditional_status {vertex}"), expected);
                }
            }
        }
    }
    script.run()
}
