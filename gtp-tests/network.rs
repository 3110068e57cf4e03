//! The loader, features and plain evaluation of KataGo's networks, against KataGo's own outputs.
//!
//! The reference lies beside the checkout; where it does not there is nothing to compare with.

use std::fs::{self, File};
use std::path::Path;

use keima::board::{Color, ColoredMove, Move, Size};
use keima::game::Game;
use keima::net::{Features, Position, format::katago, plain};
use keima::rules::{KoRule, Komi, Rules};
use libtest_mimic::{Failed, Trial};
use serde::Deserialize;

const NETWORK: &str = "g170-b6c96-s175395328-d26788732.bin.gz";

pub(crate) fn trials() -> Vec<Trial> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/nets");
    let is_there = folder.join(NETWORK).exists();
    vec![
        Trial::test("network::agrees_with_katago", move || agrees(&folder))
            .with_ignored_flag(!is_there),
    ]
}

/// A position and what KataGo made of it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Record {
    id: usize,
    width: usize,
    height: usize,
    komi: f64,
    moves: Vec<String>,
    #[serde(rename = "to_move")]
    to_move: String,
    policy: Vec<Option<f32>>,
    #[serde(rename = "policy_pass")]
    policy_pass: f32,
    white_win: f32,
    white_lead: f32,
    white_score_selfplay: f32,
    ownership: Vec<f32>,
}

impl Record {
    fn game(&self) -> Game {
        let size = Size::new(self.width, self.height).expect("a size");
        let rules = Rules { ko: KoRule::Positional, ..Rules::default() };
        let mut game = Game::with_rules(size, rules, Komi::from_points(self.komi).expect("a komi"));
        for text in &self.moves {
            let (color, vertex) = text.split_once(' ').expect("a color and a vertex");
            let color = if color == "b" { Color::Black } else { Color::White };
            let mv = size.parse_point(vertex).map_or(Move::Pass, Move::Play);
            game.play(ColoredMove { color, mv }).expect("a legal move");
        }
        game
    }
}

/// Largest differences so far.
#[derive(Debug, Default)]
struct Worst {
    policy: f32,
    win: f32,
    lead: f32,
    score: f32,
    ownership: f32,
}

#[expect(clippy::print_stdout, reason = "the differences are worth knowing when the test passes")]
fn agrees(folder: &Path) -> Result<(), Failed> {
    let model = katago::read(File::open(folder.join(NETWORK))?)?;
    let text = fs::read_to_string(folder.join("reference.jsonl"))?;
    let mut worst = Worst::default();
    for line in text.lines() {
        let record: Record = serde_json::from_str(line)?;
        let game = record.game();
        let to_play = if record.to_move == "b" { Color::Black } else { Color::White };
        let position = Position::new(&game, to_play, game.komi().hundredths());
        let evaluation = plain::evaluate(&model, &Features::new(&position), game.size());
        let (policy, pass) = evaluation.probabilities(&position);
        for (i, (expected, found)) in record.policy.iter().zip(&policy).enumerate() {
            if expected.is_some() != (*found > 0.0) {
                return Err(format!("record {}: point {i} legal or not", record.id).into());
            }
        }
        let sign = if to_play == Color::White { 1.0 } else { -1.0 };
        let white = |value: f32| sign * value;
        let far = |worst: &mut f32, found: f32, expected: f32, limit: f32, what: &str| {
            *worst = worst.max((found - expected).abs());
            if (found - expected).abs() > limit {
                return Err(format!("record {}: {what} {found}, not {expected}", record.id));
            }
            Ok(())
        };
        for (expected, found) in record.policy.iter().zip(&policy) {
            far(&mut worst.policy, *found, expected.unwrap_or_default(), 1e-4, "policy")?;
        }
        far(&mut worst.policy, pass, record.policy_pass, 1e-4, "pass")?;
        let win = evaluation.win_probability();
        let white_win = if to_play == Color::White { win } else { 1.0 - win };
        far(&mut worst.win, white_win, record.white_win, 1e-4, "win")?;
        far(&mut worst.lead, white(evaluation.lead), record.white_lead, 0.01, "lead")?;
        far(&mut worst.score, white(evaluation.score), record.white_score_selfplay, 0.01, "score")?;
        for (expected, found) in record.ownership.iter().zip(&evaluation.ownership) {
            far(&mut worst.ownership, white(*found), *expected, 1e-3, "owner")?;
        }
    }
    println!("largest differences: {worst:?}");
    Ok(())
}
