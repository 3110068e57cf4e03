//! Rule settings as the vectors write them: a preset name, or an object of settings over the
//! defaults or over a preset.

use keima::rules::{
    HandicapBonus, KoRule, Komi, LongCycle, Placement, Removal, Rules, Scoring, SekiTest, Suicide,
    Tax, preset,
};
use serde_json::Value;

/// Number of settings.
pub(crate) const FIELDS: usize = 16;

/// What an object of settings starts from (`vectors/README.md`, field `rules`). Spelled out here
/// so that a change of the engine's own default shows.
const DEFAULTS: Rules = Rules {
    ko: KoRule::Positional,
    suicide: Suicide::None,
    scoring: Scoring::Area,
    tax: Tax::None,
    seki: SekiTest::Auto,
    removal: Removal::Agreement,
    button: false,
    first_pass_point: false,
    pass_stones: false,
    white_last: false,
    handicap_bonus: HandicapBonus::Zero,
    placement: Placement::Free,
    komi: Komi::from_hundredths(750),
    komi_handicap: Komi::from_hundredths(50),
    long_cycle: LongCycle::None,
    end_passes: 2,
};

/// The rules that a record's settings describe.
pub(crate) fn rules(settings: &Value) -> Result<Rules, String> {
    match settings {
        Value::String(name) => named(name),
        Value::Object(fields) => {
            let mut rules = match fields.get("preset") {
                Some(name) => named(text(name)?)?,
                None => DEFAULTS,
            };
            for (field, value) in fields.iter().filter(|(field, _)| *field != "preset") {
                set(&mut rules, field, value)?;
            }
            // A komi among the settings counts for handicap games too.
            if fields.contains_key("komi") && !fields.contains_key("komi_handicap") {
                rules.komi_handicap = rules.komi;
            }
            Ok(rules)
        }
        other => Err(format!("no rules: {other}")),
    }
}

/// The rules of a preset name.
pub(crate) fn named(name: &str) -> Result<Rules, String> {
    preset(name).map(|preset| preset.rules).ok_or_else(|| format!("unknown rules {name:?}"))
}

fn text(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| format!("{value} is no string"))
}

fn flag(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| format!("{value} is no boolean"))
}

fn komi(value: &Value) -> Result<Komi, String> {
    value.as_f64().and_then(Komi::from_points).ok_or_else(|| format!("{value} is no komi"))
}

/// The value that a word stands for.
fn word<T: Copy>(value: &Value, words: &[(&str, T)]) -> Result<T, String> {
    let name = text(value)?;
    let found = words.iter().find(|(word, _)| *word == name);
    found.map(|&(_, value)| value).ok_or_else(|| format!("unknown value {name:?}"))
}

fn set(rules: &mut Rules, field: &str, value: &Value) -> Result<(), String> {
    match field {
        "ko" => {
            let words = [
                ("simple", KoRule::Simple),
                ("positional", KoRule::Positional),
                ("situational", KoRule::Situational),
                ("natural", KoRule::Natural),
            ];
            rules.ko = word(value, &words)?;
        }
        "suicide" => {
            let words = [("none", Suicide::None), ("multi", Suicide::Multi), ("any", Suicide::Any)];
            rules.suicide = word(value, &words)?;
        }
        "scoring" => {
            let words = [
                ("area", Scoring::Area),
                ("territory", Scoring::Territory),
                ("stone", Scoring::Stone),
            ];
            rules.scoring = word(value, &words)?;
        }
        "tax" => {
            let words = [("none", Tax::None), ("seki", Tax::Seki), ("all", Tax::All)];
            rules.tax = word(value, &words)?;
        }
        "seki" => {
            rules.seki = word(value, &[("auto", SekiTest::Auto), ("strict", SekiTest::Strict)])?;
        }
        "removal" => {
            let words = [("agreement", Removal::Agreement), ("none", Removal::None)];
            rules.removal = word(value, &words)?;
        }
        _ => return set_rest(rules, field, value),
    }
    Ok(())
}

fn set_rest(rules: &mut Rules, field: &str, value: &Value) -> Result<(), String> {
    match field {
        "button" => rules.button = flag(value)?,
        "first_pass_point" => rules.first_pass_point = flag(value)?,
        "pass_stones" => rules.pass_stones = flag(value)?,
        "white_last" => rules.white_last = flag(value)?,
        "handicap_bonus" => {
            let words = [
                ("0", HandicapBonus::Zero),
                ("n-1", HandicapBonus::NMinusOne),
                ("n", HandicapBonus::N),
            ];
            rules.handicap_bonus = word(value, &words)?;
        }
        "placement" => {
            let words = [
                ("fixed", Placement::Fixed),
                ("free", Placement::Free),
                ("sides", Placement::Sides),
            ];
            rules.placement = word(value, &words)?;
        }
        "komi" => rules.komi = komi(value)?,
        "komi_handicap" => rules.komi_handicap = komi(value)?,
        "long_cycle" => {
            let words =
                [("none", LongCycle::None), ("void", LongCycle::Void), ("draw", LongCycle::Draw)];
            rules.long_cycle = word(value, &words)?;
        }
        "end_passes" => {
            let passes = value.as_u64().ok_or_else(|| format!("{value} is no number"))?;
            rules.end_passes = passes as usize;
        }
        _ => return Err(format!("unknown setting {field:?}")),
    }
    Ok(())
}
