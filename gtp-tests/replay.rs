//! Replays a game record through [`Game`] and checks everything that the record says.

use std::collections::{BTreeMap, BTreeSet};

use keima::board::{Board, Color, ColoredMove, Move, Point, PointSet, Size};
use keima::game::{Game, IllegalMove, Start};
use keima::rules::{LongCycle, Removal, Rules};
use keima::score::{Counts, Record, final_score};

use crate::records::{GameRecord, Pair, RawCounts};
use crate::settings;

/// A record on its way through the engine; differences are collected, not thrown, so that one run
/// shows them all.
struct Replay<'a> {
    record: &'a GameRecord,
    size: Size,
    game: Game,
    /// The game at each earlier turn, for undo.
    earlier: Vec<Game>,
    differences: Vec<String>,
}

/// What is wrong with the engine, by this record.
pub(crate) fn differences(record: &GameRecord) -> Vec<String> {
    match Replay::new(record).and_then(Replay::run) {
        Ok(differences) => differences,
        Err(error) => vec![error],
    }
}

/// The game at the end of a record.
pub(crate) fn replay(record: &GameRecord) -> Result<Game, String> {
    let mut replay = Replay::new(record)?;
    replay.make_turns()?;
    Ok(replay.game)
}

/// The verdict on a play, in the words of the vectors.
fn verdict(game: &Game, point: Point, color: Color) -> &'static str {
    match game.check_play(point, color) {
        Ok(_) => "legal",
        Err(IllegalMove::Occupied) => "occupied",
        Err(IllegalMove::Suicide) => "suicide",
        Err(IllegalMove::Ko) => "ko",
        Err(IllegalMove::Superko) => "superko",
    }
}

impl<'a> Replay<'a> {
    fn new(record: &'a GameRecord) -> Result<Self, String> {
        let size = Size::new(record.w, record.h).ok_or("no such board size")?;
        let board = if record.setup.is_empty() {
            Board::new(size)
        } else {
            Board::from_diagram(&record.setup.join("/")).map_err(|error| error.to_string())?
        };
        let rules = settings::rules(&record.rules)?;
        let start = Start { board, to_play: record.first.into(), handicap: record.handicap };
        let game = Game::from_start(start, rules, rules.usual_komi(record.handicap));
        Ok(Self { record, size, game, earlier: Vec::new(), differences: Vec::new() })
    }

    fn run(mut self) -> Result<Vec<String>, String> {
        let removed = self.make_turns()?;
        if let Some(expected) = &self.record.removed {
            let expected = expected.iter().map(|(k, v)| (*k, v.iter().cloned().collect()));
            self.compare("removed", &expected.collect(), &removed);
        }
        self.check_end()?;
        self.check_scores()?;
        while !self.earlier.is_empty() {
            self.undo()?;
        }
        Ok(self.differences)
    }

    /// Makes all turns, with the checks at each, and gives what they removed.
    fn make_turns(&mut self) -> Result<BTreeMap<usize, BTreeSet<String>>, String> {
        let words: Vec<&str> = self.record.moves.split_whitespace().collect();
        let mut removed = BTreeMap::new();
        self.check_turn(0)?;
        for (i, pair) in words.chunks(2).enumerate() {
            let &[side, vertex] = pair else { return Err("an odd number of words".into()) };
            if vertex == "undo" {
                self.undo()?;
            } else {
                let before = self.game.clone();
                let taken = self.play(color(side)?, vertex)?;
                self.earlier.push(before);
                if !taken.is_empty() {
                    removed.insert(i + 1, taken);
                }
            }
            self.check_turn(i + 1)?;
        }
        Ok(removed)
    }

    fn compare<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, expected: &T, found: &T) {
        if expected != found {
            self.differences.push(format!("{what}: expected {expected:?}, found {found:?}"));
        }
    }

    fn point(&self, vertex: &str) -> Result<Point, String> {
        self.size.parse_point(vertex).ok_or_else(|| format!("no point {vertex:?}"))
    }

    /// Makes a turn and gives the vertices that lost their stones.
    fn play(&mut self, color: Color, vertex: &str) -> Result<BTreeSet<String>, String> {
        let mv = if vertex == "pass" { Move::Pass } else { Move::Play(self.point(vertex)?) };
        let mut stones: BTreeSet<Point> = self.game.board().stones().map(|(p, _)| p).collect();
        let counts = self.game.play(ColoredMove { color, mv });
        let counts = counts.map_err(|error| format!("{color} {vertex} is refused: {error}"))?;
        self.game.board().check();
        if let Move::Play(point) = mv {
            stones.insert(point);
        }
        for (point, _) in self.game.board().stones() {
            stones.remove(&point);
        }
        let counted = counts.captured + counts.suicided;
        self.compare("the number of stones removed", &stones.len(), &counted);
        Ok(stones.into_iter().map(|point| self.size.vertex(point).to_string()).collect())
    }

    /// Takes the last turn back and compares with the game before that turn.
    fn undo(&mut self) -> Result<(), String> {
        let before = self.earlier.pop().ok_or("nothing to undo")?;
        self.game.undo().ok_or("undo fails")?;
        if self.game != before || self.game.captures() != before.captures() {
            self.differences.push(format!("undo does not restore turn {}", self.earlier.len()));
        }
        Ok(())
    }

    /// Compares legality and the end of the game after `k` turns.
    fn check_turn(&mut self, k: usize) -> Result<(), String> {
        let record = self.record;
        for (_, side, expected_legal, expected) in record.checks.iter().filter(|c| c.0 == k) {
            let color = Color::from(*side);
            self.compare(&format!("turn {k}: to play"), &color, &self.game.to_play());
            let mut illegal = BTreeMap::new();
            for point in self.game.board().empty_points() {
                let verdict = verdict(&self.game, point, color);
                if verdict != "legal" {
                    illegal.insert(self.size.vertex(point).to_string(), verdict.to_owned());
                }
            }
            let legal = self.game.legal_points(color).len();
            self.compare(&format!("turn {k}: legal plays"), expected_legal, &legal);
            self.compare(&format!("turn {k}: illegal points"), expected, &illegal);
        }
        for (side, vertex, expected) in record.probes.get(&k).into_iter().flatten() {
            let found = verdict(&self.game, self.point(vertex)?, (*side).into());
            self.compare(&format!("turn {k}: {side:?} {vertex}"), expected, &found.to_owned());
        }
        if let Some(expected) = record.over_at.get(&k) {
            self.compare(&format!("turn {k}: over"), expected, &self.game.is_over());
        }
        Ok(())
    }

    fn check_end(&mut self) -> Result<(), String> {
        let end = &self.record.end;
        if let Some(rows) = &end.board {
            self.compare("final board", &rows.join("\n"), &self.game.board().to_diagram());
        }
        if let Some(expected) = &end.captured {
            self.compare("final captured", expected, &self.game.history().lost().into());
        }
        if let Some(side) = end.next {
            self.compare("final side to move", &Color::from(side), &self.game.to_play());
        }
        if let Some(expected) = &end.over {
            self.compare("final over", expected, &self.game.is_over());
        }
        if let Some(expected) = &self.record.counts {
            let counts = Counts::new(self.game.board(), &self.dead()?);
            self.check_counts(expected, &counts);
        }
        Ok(())
    }

    fn check_counts(&mut self, expected: &RawCounts, counts: &Counts) {
        let history = self.game.history();
        let mut captured = history.lost();
        captured.black += counts.lifted.black;
        captured.white += counts.lifted.white;
        let passes = history.passes();
        let first_pass = history.first_pass().map(|(color, _)| color);
        for (what, expected, found) in [
            ("stones", expected.stones, counts.stones),
            ("captured", expected.captured, captured),
            ("passes", expected.passes, passes),
            ("own", expected.own, counts.own),
            ("own_no_seki", expected.own_no_seki, counts.own_no_seki),
            ("own_no_seki_strict", expected.own_no_seki_strict, counts.own_no_seki_strict),
            ("tax", expected.tax, counts.tax),
            ("tax_strict", expected.tax_strict, counts.tax_strict),
        ] {
            self.compare(what, &expected, &Pair::from(found));
        }
        self.compare("first_pass", &expected.first_pass.map(Color::from), &first_pass);
    }

    fn check_scores(&mut self) -> Result<(), String> {
        let record = self.record;
        for (name, expected) in &record.scores {
            let found = self.count(&settings::named(name)?)?;
            self.compare(&format!("score under {name}"), expected, &found);
        }
        for (settings, expected) in &record.scored {
            let found = self.count(&settings::rules(settings)?)?;
            self.compare(&format!("score under {settings}"), expected, &found);
        }
        if let Some(expected) = &record.result {
            let found = match self.game.long_cycle() {
                LongCycle::Void => "Void".to_owned(),
                LongCycle::Draw => "0".to_owned(),
                LongCycle::None => self.count(&settings::rules(&record.rules)?)?,
            };
            self.compare("result", expected, &found);
        }
        Ok(())
    }

    fn dead(&self) -> Result<PointSet, String> {
        self.record.dead.iter().map(|vertex| self.point(vertex)).collect()
    }

    /// The count of the final position under these rules with their usual komi.
    fn count(&self, rules: &Rules) -> Result<String, String> {
        let dead = match rules.removal {
            Removal::Agreement => self.dead()?,
            Removal::None => PointSet::EMPTY,
        };
        let history = self.game.history();
        let record = Record {
            komi: rules.usual_komi(self.record.handicap),
            handicap: self.record.handicap,
            lost: history.lost(),
            passes: history.passes(),
            first_pass: history.first_pass().map(|(color, _)| color),
            to_play: self.game.to_play(),
        };
        let counts = Counts::new(self.game.board(), &dead);
        Ok(final_score(&counts, &record, rules).to_string())
    }
}

fn color(side: &str) -> Result<Color, String> {
    match side {
        "B" => Ok(Color::Black),
        "W" => Ok(Color::White),
        other => Err(format!("{other:?} is no side")),
    }
}
