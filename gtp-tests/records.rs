//! The records of the vector files, typed. A field that is not named here is an error: nothing in
//! the files goes unchecked.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use keima::board::{ByColor, Color};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::data;

/// A side, as `"B"` or `"W"`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
pub(crate) enum Side {
    #[default]
    #[serde(rename = "B")]
    Black,
    #[serde(rename = "W")]
    White,
}

impl From<Side> for Color {
    fn from(side: Side) -> Self {
        match side {
            Side::Black => Self::Black,
            Side::White => Self::White,
        }
    }
}

/// A pair of numbers, Black's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(crate) struct Pair(usize, usize);

impl From<ByColor<usize>> for Pair {
    fn from(by: ByColor<usize>) -> Self {
        Self(by.black, by.white)
    }
}

/// A game with what has to be true of it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GameRecord {
    pub(crate) id: String,
    pub(crate) w: usize,
    pub(crate) h: usize,
    pub(crate) rules: Value,
    #[serde(default)]
    pub(crate) setup: Vec<String>,
    #[serde(default)]
    pub(crate) first: Side,
    #[serde(default)]
    pub(crate) handicap: usize,
    pub(crate) moves: String,
    #[serde(default)]
    pub(crate) removed: Option<BTreeMap<usize, Vec<String>>>,
    #[serde(default)]
    pub(crate) checks: Vec<(usize, Side, usize, BTreeMap<String, String>)>,
    #[serde(default)]
    pub(crate) probes: BTreeMap<usize, Vec<(Side, String, String)>>,
    #[serde(default)]
    pub(crate) over_at: BTreeMap<usize, bool>,
    #[serde(rename = "final", default)]
    pub(crate) end: End,
    #[serde(default)]
    pub(crate) dead: Vec<String>,
    #[serde(default)]
    pub(crate) settled: bool,
    pub(crate) counts: Option<RawCounts>,
    #[serde(default)]
    pub(crate) scores: BTreeMap<String, String>,
    #[serde(default)]
    pub(crate) scored: Vec<(Value, String)>,
    pub(crate) result: Option<String>,
    /// The reason, for people.
    #[serde(default)]
    pub(crate) why: String,
}

/// What is left after all turns.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct End {
    pub(crate) board: Option<Vec<String>>,
    pub(crate) captured: Option<Pair>,
    pub(crate) next: Option<Side>,
    pub(crate) over: Option<bool>,
}

/// The numbers that scores are made of.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RawCounts {
    pub(crate) stones: Pair,
    pub(crate) captured: Pair,
    pub(crate) passes: Pair,
    pub(crate) first_pass: Option<Side>,
    pub(crate) own: Pair,
    pub(crate) own_no_seki: Pair,
    pub(crate) own_no_seki_strict: Pair,
    pub(crate) tax: Pair,
    pub(crate) tax_strict: Pair,
}

/// The points of a fixed handicap.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HandicapRecord {
    #[serde(rename = "kind")]
    _kind: String,
    pub(crate) size: usize,
    pub(crate) n: usize,
    pub(crate) style: String,
    pub(crate) points: Option<Vec<String>>,
}

/// A name of a rule set and its settings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PresetRecord {
    #[serde(rename = "kind")]
    _kind: String,
    pub(crate) name: String,
    pub(crate) preset: String,
    pub(crate) fields: Value,
}

/// Stones that live whatever the opponent does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BensonRecord {
    #[serde(rename = "kind")]
    _kind: String,
    pub(crate) id: String,
    pub(crate) board: Vec<String>,
    pub(crate) alive: Sides<BTreeSet<String>>,
    pub(crate) alive_self_capture: Sides<BTreeSet<String>>,
}

/// Something of each side.
#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Sides<T> {
    #[serde(rename = "B")]
    pub(crate) black: T,
    #[serde(rename = "W")]
    pub(crate) white: T,
}

/// Numbers of move sequences by length.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PerftRecord {
    #[serde(rename = "kind")]
    _kind: String,
    pub(crate) id: String,
    pub(crate) w: usize,
    pub(crate) h: usize,
    pub(crate) ko: String,
    pub(crate) suicide: String,
    pub(crate) passes: bool,
    pub(crate) setup: Option<Vec<String>>,
    pub(crate) first: Option<String>,
    pub(crate) counts: Vec<u64>,
}

/// A published number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FactRecord {
    pub(crate) kind: String,
    pub(crate) w: usize,
    pub(crate) h: usize,
    pub(crate) count: u64,
    #[serde(rename = "source")]
    _source: String,
}

/// The records of a vector file with their line numbers, from 1.
pub(crate) fn read<T: DeserializeOwned>(file: &str) -> Result<Vec<(usize, T)>, String> {
    let path = data("vectors").join(file);
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let parse = |(i, line)| {
        let record = serde_json::from_str(line);
        record.map(|record| (i + 1, record)).map_err(|error| format!("{file}:{}: {error}", i + 1))
    };
    text.lines().enumerate().map(parse).collect()
}
