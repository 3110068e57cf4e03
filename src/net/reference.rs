//! Stored positions and what a network should make of them: one JSON object a line.
//!
//! The form is that of the reference of KataGo's network: size, komi, rules, moves from the empty board in
//! GTP's letters, `policy` (rows from the top, null where a play is illegal), and the rest from White's
//! view.

use serde::Deserialize;
use serde_json::Value;

use super::{Evaluation, Position};
use crate::board::{Color, ColoredMove, Move, Size};
use crate::game::{Game, IllegalMove};
use crate::rules::{Komi, Rules, RulesError};

/// A position and its expected outputs.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Record {
    width: usize,
    height: usize,
    komi: f64,
    rules: Option<Value>,
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

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// It is no JSON object with all keys.
    #[error("not a record: {0}")]
    Json(serde_json::Error),
    /// No board has this size.
    #[error("no board is {0} x {1}")]
    Size(usize, usize),
    /// Komi is infinite.
    #[error("no komi: {0}")]
    Komi(f64),
    /// Its rules are not known.
    #[error(transparent)]
    Rules(#[from] RulesError),
    /// A move, or a color, is no such thing.
    #[error("not a move: {0:?}")]
    Move(String),
    /// A move is illegal.
    #[error("the move {0:?}: {1}")]
    Illegal(String, IllegalMove),
    /// It does not have a number for each point.
    #[error("{found} numbers of {what} for {points} points")]
    Points {
        /// The list.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Points of the board.
        points: usize,
    },
    /// A move is legal there and not here, or the other way round.
    #[error("it does not agree about which plays are legal: point {0} from the top left corner")]
    Legal(usize),
}

/// How far an evaluation is from a record: absolute differences, the largest of all points where there
/// are several.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Difference {
    /// Of probabilities of moves.
    pub policy: f32,
    /// The Kullback-Leibler divergence of the policies, in nats.
    pub policy_kl: f32,
    /// Of the probability of a win.
    pub win: f32,
    /// Of the lead, in points.
    pub lead: f32,
    /// Of the score, in points.
    pub score: f32,
    /// Of the owner of a point.
    pub ownership: f32,
    /// The mean of all points instead.
    pub ownership_mean: f32,
}

impl Difference {
    /// Its numbers with their names.
    pub fn fields(&self) -> [(&'static str, f32); 7] {
        [
            ("policy", self.policy),
            ("policy KL", self.policy_kl),
            ("win", self.win),
            ("lead", self.lead),
            ("score", self.score),
            ("ownership", self.ownership),
            ("ownership mean", self.ownership_mean),
        ]
    }

    fn merge(self, other: Self, merge: fn(f32, f32) -> f32) -> Self {
        Self {
            policy: merge(self.policy, other.policy),
            policy_kl: merge(self.policy_kl, other.policy_kl),
            win: merge(self.win, other.win),
            lead: merge(self.lead, other.lead),
            score: merge(self.score, other.score),
            ownership: merge(self.ownership, other.ownership),
            ownership_mean: merge(self.ownership_mean, other.ownership_mean),
        }
    }

    /// The larger of each number; what is none counts as largest.
    #[must_use]
    pub fn most(self, other: Self) -> Self {
        self.merge(other, |a, b| if a.is_nan() || a > b { a } else { b })
    }

    /// The sums.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        self.merge(other, |a, b| a + b)
    }
}

impl Record {
    /// Reads a line.
    ///
    /// # Errors
    /// [`RecordError::Json`].
    pub fn parse(line: &str) -> Result<Self, RecordError> {
        serde_json::from_str(line).map_err(RecordError::Json)
    }

    /// The position.
    ///
    /// # Errors
    /// [`RecordError`], if it is no position.
    pub fn position(&self) -> Result<Position, RecordError> {
        let size = Size::new(self.width, self.height);
        let size = size.ok_or(RecordError::Size(self.width, self.height))?;
        let rules = self.rules.as_ref().map(rules_of).transpose()?.unwrap_or_default();
        let komi = Komi::from_points(self.komi).ok_or(RecordError::Komi(self.komi))?;
        let mut game = Game::with_rules(size, rules, komi);
        for text in &self.moves {
            let unknown = || RecordError::Move(text.clone());
            let (color, vertex) = text.split_once(' ').ok_or_else(unknown)?;
            let color = color_of(color)?;
            let mv = if vertex.eq_ignore_ascii_case("pass") {
                Move::Pass
            } else {
                Move::Play(size.parse_point(vertex).ok_or_else(unknown)?)
            };
            let illegal = |error| RecordError::Illegal(text.clone(), error);
            game.play(ColoredMove { color, mv }).map_err(illegal)?;
        }
        for (what, found) in [("policy", self.policy.len()), ("ownership", self.ownership.len())] {
            let points = size.points();
            if found != points {
                return Err(RecordError::Points { what, found, points });
            }
        }
        Ok(Position::new(&game, color_of(&self.to_move)?, komi.hundredths()))
    }

    /// How far an evaluation of the position is from what is expected.
    ///
    /// # Errors
    /// [`RecordError::Legal`].
    pub fn compare(
        &self,
        position: &Position,
        evaluation: &Evaluation,
    ) -> Result<Difference, RecordError> {
        let legal = position.size().iter_from_top().map(|point| position.legal.contains(point));
        if let Some(i) = legal.zip(&self.policy).position(|(legal, odds)| legal != odds.is_some()) {
            return Err(RecordError::Legal(i));
        }
        let (policy, pass) = evaluation.probabilities(position);
        let odds = policy.iter().chain([&pass]);
        let expected = self.policy.iter().map(|odds| odds.unwrap_or_default());
        let pairs = || odds.clone().zip(expected.clone().chain([self.policy_pass]));
        let kl = |(&found, expected): (&f32, f32)| {
            if expected > 0.0 { expected * (expected / found).ln() } else { 0.0 }
        };
        let is_white = position.to_play == Color::White;
        let white = |value: f32| if is_white { value } else { -value };
        let win = evaluation.win_probability();
        let win = if is_white { win } else { 1.0 - win };
        let owners = || {
            let pairs = evaluation.ownership.iter().zip(&self.ownership);
            pairs.map(|(&found, expected)| (white(found) - expected).abs())
        };
        Ok(Difference {
            policy: largest(pairs().map(|(&found, expected)| (found - expected).abs())),
            policy_kl: pairs().map(kl).sum::<f32>().max(0.0),
            win: (win - self.white_win).abs(),
            lead: (white(evaluation.lead) - self.white_lead).abs(),
            score: (white(evaluation.score) - self.white_score_selfplay).abs(),
            ownership: largest(owners()),
            ownership_mean: owners().sum::<f32>() / self.ownership.len() as f32,
        })
    }
}

fn largest(values: impl Iterator<Item = f32>) -> f32 {
    values.fold(0.0, |a, b| if a.is_nan() || a > b { a } else { b })
}

/// Rules by name or as an object of settings.
///
/// # Errors
/// [`RulesError`].
pub fn rules_of(value: &Value) -> Result<Rules, RulesError> {
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    Ok(Rules::parse(&text)?.0)
}

fn color_of(text: &str) -> Result<Color, RecordError> {
    match text {
        "b" | "B" => Ok(Color::Black),
        "w" | "W" => Ok(Color::White),
        _ => Err(RecordError::Move(text.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::net::testing::model;
    use crate::net::{Features, plain};

    const LINE: &str = r#"{"width":2,"height":1,"komi":-0.5,"rules":{"ko":"positional"},"moves":["b A1"],
        "to_move":"w","policy":[null,0.25],"policy_pass":0.75,"whiteWin":0.5,"whiteLead":1.5,
        "whiteScoreSelfplay":1,"ownership":[0.5,-0.5]}"#;

    #[test]
    fn a_record_is_compared() {
        let record = Record::parse(LINE).unwrap();
        let position = record.position().unwrap();
        assert_eq!((position.to_play, position.komi_hundredths), (Color::White, -50));
        let mut evaluation = Evaluation {
            policy: vec![9.0, 0.25_f32.ln()],
            pass: 0.75_f32.ln(),
            value: [2.0, 2.0, 0.0],
            lead: 1.5,
            score: 1.0,
            ownership: vec![0.5, -0.5],
            ..Evaluation::default()
        };
        let difference = record.compare(&position, &evaluation).unwrap();
        assert!(difference.fields().iter().all(|(_, value)| *value < 1e-6), "{difference:?}");
        evaluation.ownership[1] = 0.5;
        evaluation.pass = f32::NAN;
        let other = record.compare(&position, &evaluation).unwrap();
        assert!((other.ownership - 1.0).abs() < 1e-6 && (other.ownership_mean - 0.5).abs() < 1e-6);
        assert!(other.policy.is_nan() && difference.most(other).policy.is_nan());
        assert!(other.most(difference).policy.is_nan());
        assert!((difference.plus(other).ownership - 1.0).abs() < 1e-6);
        let evaluation = plain::evaluate(&model(1, 4), &Features::new(&position), position.size());
        assert!(record.compare(&position, &evaluation).unwrap().policy > 0.0);
    }

    #[test]
    fn broken_records_are_errors() {
        for (from, to, expected) in [
            (r#""width":2"#, r#""width":26"#, "no board is 26 x 1"),
            (r#""b A1""#, r#""b C1""#, "not a move: \"b C1\""),
            (r#""b A1""#, r#""x A1""#, "not a move: \"x\""),
            (r#""b A1""#, r#""b A1", "w A1""#, "the move \"w A1\": the point is occupied"),
            ("[null,0.25]", "[null]", "1 numbers of policy for 2 points"),
            ("[null,0.25]", "[0.1,0.25]", "it does not agree about which plays are legal: point 0"),
            (r#""positional""#, r#""round""#, "round"),
            (r#""komi""#, r#""komma""#, "not a record: missing field `komi`"),
        ] {
            let result = Record::parse(&LINE.replace(from, to)).and_then(|record| {
                let position = record.position()?;
                record.compare(
                    &position,
                    &Evaluation { policy: vec![0.0; 2], ..Evaluation::default() },
                )
            });
            let message = result.unwrap_err().to_string();
            assert!(message.contains(expected), "{to}: {message}");
        }
    }
}
