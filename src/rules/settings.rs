//! Rules as text: one setting by name, a whole rule set by name or as JSON.
//!
//! The keys are KataGo's (`kata-get-rules` prints them first) and, for what KataGo lacks, the field
//! names of [`Rules`]. One table serves reading and writing, so that what is printed can be set
//! again. Source: rules.md 2.1 and 2.3.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use super::presets::{BASE, preset};
use super::{
    HandicapBonus, KoRule, Komi, LongCycle, Placement, Removal, Rules, Scoring, SekiTest, Suicide,
    Tax,
};

/// Why a text is no rule set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesError {
    /// No preset has this name.
    #[error("unknown rules {0}")]
    UnknownName(String),
    /// There is no such setting.
    #[error("unknown rule setting {0}")]
    UnknownSetting(String),
    /// The setting does not take this value.
    #[error("{setting} cannot be {value}")]
    Value {
        /// Name of the setting.
        setting: String,
        /// What was given.
        value: String,
    },
    /// Two different values for one setting.
    #[error("{0} is given two values")]
    Twice(String),
    /// A button and territory scoring do not fit.
    #[error("the button does not go with territory scoring")]
    ButtonWithTerritory,
    /// The text is no JSON object.
    #[error("rules are no JSON object: {0}")]
    Json(String),
}

/// A setting: its names, KataGo's first, how to read and how to show it.
struct Setting {
    names: &'static [&'static str],
    show: fn(&Rules) -> Value,
    /// Takes a value in lower case; `false` if there is no such value.
    set: fn(&mut Rules, &str) -> bool,
}

/// The values of a setting with their texts: KataGo's spelling first, in lower case.
type Texts<T> = &'static [(T, &'static str)];

const KO: Texts<KoRule> = &[
    (KoRule::Simple, "simple"),
    (KoRule::Positional, "positional"),
    (KoRule::Situational, "situational"),
    (KoRule::Natural, "natural"),
];
const SCORING: Texts<Scoring> =
    &[(Scoring::Area, "area"), (Scoring::Territory, "territory"), (Scoring::Stone, "stone")];
const TAX: Texts<Tax> = &[(Tax::None, "none"), (Tax::Seki, "seki"), (Tax::All, "all")];
const SUICIDE: Texts<Suicide> = &[
    (Suicide::None, "false"),
    (Suicide::Multi, "true"),
    (Suicide::Any, "any"),
    (Suicide::None, "none"),
    (Suicide::Multi, "multi"),
];
const REMOVAL: Texts<Removal> = &[
    (Removal::Agreement, "true"),
    (Removal::None, "false"),
    (Removal::Agreement, "agreement"),
    (Removal::None, "none"),
];
const BONUS: Texts<HandicapBonus> =
    &[(HandicapBonus::Zero, "0"), (HandicapBonus::NMinusOne, "n-1"), (HandicapBonus::N, "n")];
const SEKI: Texts<SekiTest> = &[(SekiTest::Auto, "auto"), (SekiTest::Strict, "strict")];
const PLACEMENT: Texts<Placement> =
    &[(Placement::Fixed, "fixed"), (Placement::Free, "free"), (Placement::Sides, "sides")];
const LONG_CYCLE: Texts<LongCycle> =
    &[(LongCycle::None, "none"), (LongCycle::Void, "void"), (LongCycle::Draw, "draw")];
const BOOLEAN: Texts<bool> = &[(true, "true"), (false, "false")];

/// Reads one of the texts into a field.
fn pick<T: Copy>(field: &mut T, texts: Texts<T>, value: &str) -> bool {
    let found = texts.iter().find(|(_, text)| *text == value);
    found.map(|&(setting, _)| *field = setting).is_some()
}

/// The first text of a value: a truth value, or a word in capitals as KataGo writes it.
fn shown<T: PartialEq>(value: &T, texts: Texts<T>) -> Value {
    match texts.iter().find(|(setting, _)| setting == value) {
        Some((_, "true")) => Value::Bool(true),
        Some((_, "false")) => Value::Bool(false),
        Some((_, text)) => Value::String(text.to_ascii_uppercase()),
        None => Value::Null,
    }
}

/// A row of the table for a field whose values have texts.
macro_rules! setting {
    ($names:expr, $field:ident, $texts:expr) => {
        Setting {
            names: $names,
            show: |rules| shown(&rules.$field, $texts),
            set: |rules, value| pick(&mut rules.$field, $texts, value),
        }
    };
}

const SETTINGS: &[Setting] = &[
    setting!(&["ko"], ko, KO),
    setting!(&["scoring", "score"], scoring, SCORING),
    setting!(&["tax"], tax, TAX),
    setting!(&["suicide"], suicide, SUICIDE),
    setting!(&["hasButton", "button"], button, BOOLEAN),
    setting!(&["whiteHandicapBonus", "handicap_bonus"], handicap_bonus, BONUS),
    setting!(&["friendlyPassOk", "removal"], removal, REMOVAL),
    setting!(&["seki"], seki, SEKI),
    setting!(&["first_pass_point"], first_pass_point, BOOLEAN),
    setting!(&["pass_stones"], pass_stones, BOOLEAN),
    setting!(&["white_last"], white_last, BOOLEAN),
    setting!(&["placement"], placement, PLACEMENT),
    setting!(&["long_cycle"], long_cycle, LONG_CYCLE),
    Setting {
        names: &["komi_handicap"],
        show: |rules| rules.komi_handicap.points().into(),
        set: |rules, value| {
            let komi = value.parse().ok().and_then(Komi::from_points);
            komi.map(|komi| rules.komi_handicap = komi).is_some()
        },
    },
    Setting {
        names: &["end_passes"],
        show: |rules| rules.end_passes.into(),
        set: |rules, value| {
            let passes = value.parse().ok().filter(|passes| (2..=1000).contains(passes));
            passes.map(|passes| rules.end_passes = passes).is_some()
        },
    },
];

impl Rules {
    /// One line of JSON: KataGo's keys, then those that KataGo lacks. Komi of even games is not
    /// among them: that belongs to the game.
    pub fn to_json(&self) -> String {
        let mut object = Map::new();
        for setting in SETTINGS {
            object.insert(setting.names[0].to_owned(), (setting.show)(self));
        }
        Value::Object(object).to_string()
    }

    /// These rules with one setting changed.
    ///
    /// # Errors
    /// [`RulesError::UnknownSetting`], [`RulesError::Value`], or
    /// [`RulesError::ButtonWithTerritory`].
    pub fn with_setting(mut self, key: &str, value: &str) -> Result<Self, RulesError> {
        let setting = setting_of(key)?;
        self.apply(setting, value)?;
        self.checked()
    }

    fn apply(&mut self, setting: &Setting, value: &str) -> Result<(), RulesError> {
        if (setting.set)(self, &value.to_ascii_lowercase()) {
            return Ok(());
        }
        Err(RulesError::Value { setting: setting.names[0].to_owned(), value: value.to_owned() })
    }

    fn checked(self) -> Result<Self, RulesError> {
        if self.button && self.scoring == Scoring::Territory {
            return Err(RulesError::ButtonWithTerritory);
        }
        Ok(self)
    }

    /// The rule set of a name, or of a JSON object; with komi if the object has one.
    ///
    /// An object's missing settings are those of its `preset`, without one Tromp-Taylor's, with
    /// seki taxed under territory scoring, as in KataGo.
    ///
    /// # Errors
    /// [`RulesError`], one variant a reason.
    ///
    /// ```
    /// use keima::rules::{KoRule, Rules};
    /// let (rules, komi) = Rules::parse(r#"{"ko": "SIMPLE", "komi": 6.5}"#).expect("known keys");
    /// assert_eq!(rules.ko, KoRule::Simple);
    /// assert_eq!(komi.expect("given").to_string(), "6.5");
    /// ```
    pub fn parse(text: &str) -> Result<(Self, Option<Komi>), RulesError> {
        if !text.trim_start().starts_with('{') {
            let preset = preset(text).ok_or_else(|| RulesError::UnknownName(text.to_owned()))?;
            return Ok((preset.rules, None));
        }
        let Pairs(pairs) =
            serde_json::from_str(text).map_err(|error| RulesError::Json(error.to_string()))?;
        let mut values = Values::default();
        for (key, value) in pairs {
            values.add(key, value_text(value)?)?;
        }
        values.rules()
    }
}

fn setting_of(key: &str) -> Result<&'static Setting, RulesError> {
    let found = SETTINGS.iter().find(|setting| setting.names.contains(&key));
    found.ok_or_else(|| RulesError::UnknownSetting(key.to_owned()))
}

/// What an object gives, each setting once.
#[derive(Default)]
struct Values {
    preset: Option<String>,
    komi: Option<Komi>,
    /// Effects on a neutral rule set tell whether two spellings of a value are the same.
    settings: Vec<(&'static Setting, String)>,
}

impl Values {
    fn add(&mut self, key: String, value: String) -> Result<(), RulesError> {
        let is_new = match key.as_str() {
            "preset" => same_or_new(&mut self.preset, value),
            "komi" => {
                let komi = value.parse().ok().and_then(Komi::from_points);
                let komi = komi.ok_or(RulesError::Value { setting: key.clone(), value })?;
                same_or_new(&mut self.komi, komi)
            }
            _ => {
                let setting = setting_of(&key)?;
                let effect = |value: &str| {
                    let mut rules = BASE;
                    rules.apply(setting, value).map(|()| rules)
                };
                let after = effect(&value)?;
                let mut known = self.settings.iter();
                if let Some((_, earlier)) = known.find(|(s, _)| s.names == setting.names) {
                    effect(earlier) == Ok(after)
                } else {
                    self.settings.push((setting, value));
                    true
                }
            }
        };
        if is_new { Ok(()) } else { Err(RulesError::Twice(key)) }
    }

    fn rules(self) -> Result<(Rules, Option<Komi>), RulesError> {
        let base = self.preset.as_deref().unwrap_or("tromp-taylor");
        let unknown = || RulesError::UnknownName(base.to_owned());
        let mut rules = preset(base).ok_or_else(unknown)?.rules;
        let names_tax = self.settings.iter().any(|(setting, _)| setting.names == ["tax"]);
        for (setting, value) in &self.settings {
            rules.apply(setting, value)?;
        }
        if self.preset.is_none() && !names_tax && rules.scoring == Scoring::Territory {
            rules.tax = Tax::Seki;
        }
        Ok((rules.checked()?, self.komi))
    }
}

/// Whether the slot was free or holds the same; fills it.
fn same_or_new<T: PartialEq>(slot: &mut Option<T>, value: T) -> bool {
    let fits = slot.as_ref().is_none_or(|old| *old == value);
    *slot = Some(value);
    fits
}

/// A JSON value as the text of a setting.
fn value_text(value: Value) -> Result<String, RulesError> {
    match value {
        Value::String(text) => Ok(text),
        Value::Bool(_) | Value::Number(_) => Ok(value.to_string()),
        other => Err(RulesError::Json(format!("{other} is no value of a setting"))),
    }
}

/// The entries of a JSON object in their order; a key may occur twice.
struct Pairs(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct PairsVisitor;

        impl<'de> Visitor<'de> for PairsVisitor {
            type Value = Pairs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(PairsVisitor)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::PRESETS;
    use super::*;

    #[test]
    fn what_is_printed_can_be_set_again() {
        for preset in PRESETS {
            let (rules, komi) = Rules::parse(&preset.rules.to_json()).unwrap();
            // Komi of even games is the game's.
            let expected = Rules { komi: rules.komi, ..preset.rules };
            assert_eq!((rules, komi), (expected, None), "{}", preset.name);
        }
    }

    #[test]
    fn missing_settings_are_those_of_the_base() {
        let rules = |text: &str| Rules::parse(text).unwrap().0;
        let tromp_taylor = preset("tromp-taylor").unwrap().rules;
        assert_eq!(rules("{}"), tromp_taylor);
        assert_eq!(rules(r#"{"scoring":"TERRITORY"}"#).tax, Tax::Seki);
        assert_eq!(rules(r#"{"preset":"beginner"}"#), preset("beginner").unwrap().rules);
        let ko = rules(r#"{"ko":"natural","preset":"jp"}"#);
        assert_eq!(ko, Rules { ko: KoRule::Natural, ..preset("japanese").unwrap().rules });
    }

    #[test]
    fn nonsense_is_refused() {
        let value = |setting: &str, value: &str| RulesError::Value {
            setting: setting.to_owned(),
            value: value.to_owned(),
        };
        for (text, expected) in [
            ("klingon", RulesError::UnknownName("klingon".to_owned())),
            (r#"{"preset":"x"}"#, RulesError::UnknownName("x".to_owned())),
            (r#"{"kos":"SIMPLE"}"#, RulesError::UnknownSetting("kos".to_owned())),
            (r#"{"ko":"COMPLEX"}"#, value("ko", "COMPLEX")),
            (r#"{"end_passes":1}"#, value("end_passes", "1")),
            (r#"{"komi":"many"}"#, value("komi", "many")),
            (r#"{"ko":"SIMPLE","ko":"POSITIONAL"}"#, RulesError::Twice("ko".to_owned())),
            (r#"{"score":"area","scoring":"STONE"}"#, RulesError::Twice("scoring".to_owned())),
            (r#"{"button":true,"scoring":"TERRITORY"}"#, RulesError::ButtonWithTerritory),
        ] {
            assert_eq!(Rules::parse(text), Err(expected), "{text}");
        }
        for text in ["{", "{]", "{\"ko\":[]}", "{\"ko\":null}", "{\"a\":{\"b\":1}}"] {
            assert!(matches!(Rules::parse(text), Err(RulesError::Json(_))), "{text}");
        }
        // Two spellings of one value are no contradiction.
        assert!(Rules::parse(r#"{"suicide":true,"suicide":"Multi","removal":"none"}"#).is_ok());
    }

    #[test]
    fn one_setting_changes_one_field() {
        let rules = Rules::CHINESE.with_setting("suicide", "ANY").unwrap();
        assert_eq!(rules, Rules { suicide: Suicide::Any, ..Rules::CHINESE });
        assert!(Rules::CHINESE.with_setting("komi", "3").is_err());
        let button = Rules::CHINESE.with_setting("hasButton", "true").unwrap();
        assert_eq!(
            button.with_setting("scoring", "TERRITORY"),
            Err(RulesError::ButtonWithTerritory)
        );
    }

    proptest! {
        #[test]
        fn any_text_is_rules_or_an_error(text in ".{0,40}") {
            let _ = Rules::parse(&text);
            let _ = Rules::parse(&format!("{{{text}}}"));
        }
    }
}
