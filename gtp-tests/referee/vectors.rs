//! The referee against the rules oracle's records: who checks the checker.

use std::collections::BTreeMap;

use keima::board::{Color, ColoredMove, Move, Point, Size};
use libtest_mimic::{Failed, Trial};

use super::{Position, Referee, Verdict};
use crate::records::{GameRecord, read};
use crate::settings;
use crate::vectors::report;

const FILES: [&str; 5] = ["edge_cases", "legality_small", "legality_big", "finished", "scoring"];

/// One trial a file.
pub(crate) fn trials() -> Vec<Trial> {
    let trial = |file| Trial::test(format!("referee::{file}"), move || check(file));
    FILES.into_iter().map(trial).collect()
}

fn check(file: &str) -> Result<(), Failed> {
    let mut all = Vec::new();
    for (line, record) in read::<GameRecord>(&format!("{file}.jsonl"))? {
        let mut differences = Vec::new();
        replay(&record, &mut differences)?;
        let GameRecord { id, why, .. } = &record;
        all.extend(differences.iter().map(|d| format!("{file}.jsonl:{line}: {id}: {d} {why}")));
    }
    report(&all)
}

#[expect(clippy::needless_pass_by_value, reason = "it reads better where the values are made")]
fn note<T: PartialEq + std::fmt::Debug>(
    notes: &mut Vec<String>,
    what: &str,
    expected: T,
    found: T,
) {
    if expected != found {
        notes.push(format!("{what}: expected {expected:?}, found {found:?}"));
    }
}

/// The game at the start of a record.
pub(crate) fn start(record: &GameRecord) -> Result<Referee, String> {
    let size = Size::new(record.w, record.h).ok_or("no such board size")?;
    let mut stones = Vec::new();
    for (y, row) in record.setup.iter().rev().enumerate() {
        for (x, letter) in row.chars().enumerate() {
            let point = size.point(x, y).ok_or("a setup off the board")?;
            match letter {
                'X' => stones.push((point, Color::Black)),
                'O' => stones.push((point, Color::White)),
                _ => {}
            }
        }
    }
    let position = Position::new(size, &stones).ok_or("a setup without liberties")?;
    let rules = settings::rules(&record.rules)?;
    Ok(Referee::new(position, record.first.into(), record.handicap, rules))
}

fn point(game: &Referee, vertex: &str) -> Result<Point, String> {
    game.size().parse_point(vertex).ok_or_else(|| format!("no point {vertex:?}"))
}

fn replay(record: &GameRecord, notes: &mut Vec<String>) -> Result<(), String> {
    let mut game = start(record)?;
    check_turn(record, &game, 0, notes)?;
    let words: Vec<&str> = record.moves.split_whitespace().collect();
    for (i, pair) in words.chunks(2).enumerate() {
        let color = if pair[0] == "B" { Color::Black } else { Color::White };
        match pair[1] {
            "undo" => note(notes, "undo", true, game.undo()),
            vertex => {
                let mv = match vertex {
                    "pass" => Move::Pass,
                    _ => Move::Play(point(&game, vertex)?),
                };
                note(notes, vertex, Verdict::Legal, game.play(ColoredMove { color, mv }));
                check_removed(record, &game, i + 1, notes);
            }
        }
        check_turn(record, &game, i + 1, notes)?;
    }
    check_end(record, &game, notes)
}

fn check_removed(record: &GameRecord, game: &Referee, k: usize, notes: &mut Vec<String>) {
    let Some(removed) = &record.removed else { return };
    let mut expected = removed.get(&k).cloned().unwrap_or_default();
    let text = |&(point, _): &(Point, Color)| game.size().vertex(point).to_string();
    let mut found: Vec<String> = game.last_removed().iter().map(text).collect();
    expected.sort_unstable();
    found.sort_unstable();
    note(notes, &format!("removed by turn {k}"), expected, found);
}

fn check_turn(
    record: &GameRecord,
    game: &Referee,
    k: usize,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    for (_, side, legal, expected) in record.checks.iter().filter(|check| check.0 == k) {
        let color = Color::from(*side);
        note(notes, &format!("to play at {k}"), color, game.to_play());
        let points = game.position().points().into_iter();
        let verdicts = points.map(|p| (game.size().vertex(p).to_string(), game.verdict(p, color)));
        let (yes, no): (Vec<_>, Vec<_>) = verdicts.partition(|(_, v)| *v == Verdict::Legal);
        let no = no.into_iter().filter(|(_, verdict)| *verdict != Verdict::Occupied);
        let no: BTreeMap<String, String> = no.map(|(p, v)| (p, v.word().to_owned())).collect();
        note(notes, &format!("legal at {k}"), *legal, yes.len());
        note(notes, &format!("illegal at {k}"), expected, &no);
    }
    for (side, vertex, expected) in record.probes.get(&k).into_iter().flatten() {
        let found = game.verdict(point(game, vertex)?, (*side).into()).word();
        note(notes, &format!("{side:?} {vertex} at {k}"), expected.as_str(), found);
    }
    if let Some(&expected) = record.over_at.get(&k) {
        note(notes, &format!("over at {k}"), expected, game.is_over());
    }
    Ok(())
}

fn check_end(record: &GameRecord, game: &Referee, notes: &mut Vec<String>) -> Result<(), String> {
    if let Some(expected) = record.end.over {
        note(notes, "over", expected, game.is_over());
    }
    if let Some(side) = record.end.next {
        note(notes, "to play", Color::from(side), game.to_play());
    }
    let dead = record.dead.iter().map(|vertex| point(game, vertex));
    let dead = dead.collect::<Result<Vec<_>, _>>()?;
    let mut score = |settings: &serde_json::Value, expected: &str| -> Result<(), String> {
        let mut game = game.clone();
        game.rules = settings::rules(settings)?;
        game.komi = game.rules.usual_komi(record.handicap).hundredths();
        note(notes, &format!("score under {settings}"), expected.to_owned(), game.score(&dead));
        Ok(())
    };
    for (name, expected) in &record.scores {
        score(&name.as_str().into(), expected)?;
    }
    for (settings, expected) in &record.scored {
        score(settings, expected)?;
    }
    if let Some(expected) = &record.result {
        note(notes, "result", expected.clone(), game.result(&dead));
    }
    Ok(())
}
