//! Records of games.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;

use keima::board::{ByColor, Color, ColoredMove, Move};
use libtest_mimic::{Failed, Trial};
use serde_json::{Value, json};

use super::{Expected, Script};
use crate::records::{GameRecord, Side, read};
use crate::referee::{self, Referee};
use crate::settings;

const FILES: [&str; 5] = ["edge_cases", "legality_small", "legality_big", "finished", "scoring"];

pub(super) fn trials() -> Vec<Trial> {
    let trial = |file| Trial::test(format!("wire::{file}"), move || check(file));
    FILES.into_iter().map(trial).collect()
}

fn check(file: &str) -> Result<(), Failed> {
    let mut script = Script::new()?;
    for (line, record) in read::<GameRecord>(&format!("{file}.jsonl"))? {
        script.place = format!("{file}.jsonl:{line}: {}", record.id);
        fs::write(script.folder.path().join(format!("{line}.sgf")), start(&record)?)?;
        script.add(format!("loadsgf {line}.sgf"), Expected::Success);
        script.add(format!("kata-set-rules {}", as_command(&record.rules)), Expected::Success);
        let mut walk =
            Walk { record: &record, referee: referee::start(&record)?, earlier: Vec::new() };
        walk.turns(&mut script)?;
        walk.end(&mut script)?;
        walk.back(&mut script);
    }
    script.run()
}

/// A position of so many columns and rows as SGF, with more properties of the root.
pub(super) fn sgf(
    rows: &[String],
    size: (usize, usize),
    properties: &str,
) -> Result<String, std::fmt::Error> {
    let (width, height) = size;
    let size = if width == height { width.to_string() } else { format!("{width}:{height}") };
    let mut sgf = format!("(;GM[1]FF[4]SZ[{size}]{properties}");
    for (stone, property) in [('X', "AB"), ('O', "AW")] {
        for (row, letters) in ('a'..).zip(rows) {
            for (column, _) in ('a'..).zip(letters.chars()).filter(|&(_, c)| c == stone) {
                write!(sgf, "{property}[{column}{row}]")?;
            }
        }
    }
    sgf.push(')');
    Ok(sgf)
}

/// The start of a record as SGF.
fn start(record: &GameRecord) -> Result<String, std::fmt::Error> {
    let mut properties = format!("PL[{}]", letter(record.first));
    if record.handicap > 0 {
        write!(properties, "HA[{}]", record.handicap)?;
    }
    sgf(&record.setup, (record.w, record.h), &properties)
}

fn letter(side: Side) -> char {
    match side {
        Side::Black => 'B',
        Side::White => 'W',
    }
}

/// Settings in the form of `kata-set-rules`, whose defaults are not those of the vectors.
fn as_command(settings: &Value) -> String {
    let Value::Object(fields) = settings else {
        return settings.as_str().unwrap_or_default().to_owned();
    };
    let mut all = match fields.get("preset") {
        Some(preset) => json!({"preset": preset}),
        None => json!({"preset": "chinese", "whiteHandicapBonus": "0"}),
    };
    for (field, value) in fields {
        all[field] = value.clone();
    }
    all.to_string()
}

/// The vertices of a diagram's points that hold this letter.
pub(super) fn vertices(rows: &[String], letter: char) -> BTreeSet<String> {
    const COLUMNS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
    let mut found = BTreeSet::new();
    for (row, letters) in rows.iter().rev().enumerate() {
        for (column, _) in COLUMNS.chars().zip(letters.chars()).filter(|&(_, c)| c == letter) {
            found.insert(format!("{column}{}", row + 1));
        }
    }
    found
}

/// The stones of both sides, and how many each has lost.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stones {
    stones: ByColor<BTreeSet<String>>,
    lost: ByColor<usize>,
}

impl Stones {
    fn of(game: &Referee) -> Self {
        let stones = |color| {
            let points = game.position().points().into_iter();
            let own = points.filter(|&point| game.position().stone(point) == Some(color));
            own.map(|point| game.size().vertex(point).to_string()).collect()
        };
        let lost = |color| game.lost(color);
        Self { stones: by_color(stones), lost: by_color(lost) }
    }

    /// Asks for all of it.
    fn ask(&self, script: &mut Script) {
        for color in Color::ALL {
            let stones = self.stones[color].clone();
            script.add(format!("list_stones {color}"), Expected::Words(stones));
            script.add(format!("captures {color}"), Expected::text(self.lost[!color].to_string()));
        }
    }
}

fn by_color<T>(value: impl Fn(Color) -> T) -> ByColor<T> {
    ByColor { black: value(Color::Black), white: value(Color::White) }
}

/// A record on its way into a script. The records tell the stones on the board only at the end,
/// so the referee follows, who agrees with them wherever they speak.
struct Walk<'a> {
    record: &'a GameRecord,
    referee: Referee,
    earlier: Vec<Stones>,
}

impl Walk<'_> {
    fn turns(&mut self, script: &mut Script) -> Result<(), String> {
        let words: Vec<&str> = self.record.moves.split_whitespace().collect();
        self.ask(script, 0)?;
        for (i, pair) in words.chunks(2).enumerate() {
            let &[side, vertex] = pair else { return Err("an odd number of words".into()) };
            if vertex == "undo" {
                self.earlier.pop();
                self.referee.undo();
                script.add("undo", Expected::Success);
            } else {
                self.earlier.push(Stones::of(&self.referee));
                let point = self.referee.size().parse_point(vertex);
                let color = if side == "B" { Color::Black } else { Color::White };
                self.referee.play(ColoredMove { color, mv: point.map_or(Move::Pass, Move::Play) });
                script.add(format!("play {side} {vertex}"), Expected::Success);
            }
            self.ask(script, i + 1)?;
        }
        Ok(())
    }

    /// Asks what the record tells after `k` turns.
    fn ask(&self, script: &mut Script, k: usize) -> Result<(), String> {
        let Self { record, referee, .. } = self;
        let Stones { stones, .. } = Stones::of(referee);
        Stones::of(referee).ask(script);
        for (_, side, legal, illegal) in record.checks.iter().filter(|check| check.0 == k) {
            let board = vec![".".repeat(record.w); record.h];
            let mut expected = vertices(&board, '.');
            expected.retain(|vertex| {
                let is_taken = stones.black.contains(vertex) || stones.white.contains(vertex);
                !is_taken && !illegal.contains_key(vertex)
            });
            if expected.len() != *legal {
                return Err(format!("turn {k}: the numbers of legal plays differ"));
            }
            script.add(format!("all_legal {}", letter(*side)), Expected::Words(expected));
        }
        for (side, vertex, verdict) in record.probes.get(&k).into_iter().flatten() {
            let turn = format!("{} {vertex}", letter(*side));
            let is_legal = verdict == "legal";
            script.add(format!("is_legal {turn}"), Expected::text(u8::from(is_legal).to_string()));
            if !is_legal {
                script.add(format!("play {turn}"), Expected::Failure);
            }
        }
        Ok(())
    }

    /// Asks for the end of the game and for all scores.
    fn end(&self, script: &mut Script) -> Result<(), String> {
        let Self { record, referee, .. } = self;
        let last = Stones::of(referee);
        if let Some(rows) = &record.end.board {
            let expected = ByColor { black: vertices(rows, 'X'), white: vertices(rows, 'O') };
            if last.stones != expected {
                return Err("the referee has another board at the end".into());
            }
        }
        if record.end.captured.is_some_and(|captured| captured != last.lost.into()) {
            return Err("the referee has other captures at the end".into());
        }
        if let Some(side) = record.end.next {
            let color = Color::from(side);
            script.add("showboard", Expected::Part(format!(", {color} to play, ")));
        }
        let scores = if can_tell_handicap(record) { scores(record) } else { Vec::new() };
        for (settings, score) in scores {
            script.add(format!("kata-set-rules {}", as_command(&settings)), Expected::Success);
            let komi = settings::rules(&settings)?.usual_komi(record.handicap);
            script.add(format!("komi {komi}"), Expected::Success);
            let dead = if record.dead.is_empty() { "" } else { "dead " };
            let command = format!("keima-final_score {dead}{}", record.dead.join(" "));
            script.add(command, Expected::Text(score));
        }
        Ok(())
    }

    /// Takes everything back: one turn, then two, then three...
    fn back(&self, script: &mut Script) {
        let mut left = self.earlier.len();
        for step in 1.. {
            if step > left {
                script.add(format!("gg-undo {}", left + 1), Expected::Failure);
                break;
            }
            left -= step;
            script.add(format!("gg-undo {step}"), Expected::Success);
            self.earlier[left].ask(script);
        }
        for stones in self.earlier[..left].iter().rev() {
            script.add("undo", Expected::Success);
            stones.ask(script);
        }
        script.add("undo", Expected::Failure);
    }
}

/// Whether a file can tell of the handicap: there have to be stones on the board.
fn can_tell_handicap(record: &GameRecord) -> bool {
    let has_stones = record.setup.iter().any(|row| row.contains('X'));
    record.handicap == 0 || has_stones
}

/// All settings with the scores that they give.
fn scores(record: &GameRecord) -> Vec<(Value, String)> {
    let by_name = record.scores.iter().map(|(name, score)| (json!(name), score.clone()));
    let own = record.result.iter().map(|score| (record.rules.clone(), score.clone()));
    by_name.chain(record.scored.iter().cloned()).chain(own).collect()
}
