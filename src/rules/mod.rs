//! Rules of Go as plain data: independent settings, presets by name, komi.
//!
//! The model, the presets and their aliases are those of the rules reference (section 2); what the
//! settings do is the business of [`crate::game`] (legality, end of the game) and
//! [`crate::score`] (counting).

use std::fmt;

pub use crate::board::Suicide;
pub use presets::{PRESETS, Preset, preset};
pub use settings::RulesError;

mod presets;
mod settings;

/// Which positions a play may not restore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KoRule {
    /// The position before the opponent's play just made.
    Simple,
    /// Any earlier position of the game.
    Positional,
    /// Any earlier position with the same side to move.
    Situational,
    /// Any position that a play of the same player has produced.
    Natural,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scoring {
    /// Stones and surrounded points.
    Area,
    /// Surrounded points and prisoners.
    Territory,
    /// Stones only.
    Stone,
}

/// Which surrounded points are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tax {
    /// All are counted.
    None,
    /// None in seki.
    Seki,
    /// None in seki, and two less for each living group.
    All,
}

/// How seki is recognized when it is taxed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SekiTest {
    /// Few eyes and a liberty that is shared or must be filled.
    Auto,
    /// Any neutral point next to the group, or a chain in atari.
    Strict,
}

/// Whether dead stones are lifted before counting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Removal {
    /// By agreement: the list of dead stones is an input.
    Agreement,
    /// Never: every stone on the board counts.
    None,
}

/// Points that White gets for `n >= 2` handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapBonus {
    /// None.
    Zero,
    /// One a stone but the first.
    NMinusOne,
    /// One a stone.
    N,
}

/// The usual way of giving handicap stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// GTP's star points, five and seven with the center.
    Fixed,
    /// Wherever Black likes.
    Free,
    /// Star points in the beginners' order: sides before the center.
    Sides,
}

/// What the third occurrence of a situation means, under simple ko.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LongCycle {
    /// Nothing.
    None,
    /// No result.
    Void,
    /// A draw.
    Draw,
}

/// A rule set: every setting of the model. Settings that have no effect together (a cycle rule
/// without simple ko, pass stones without territory) are kept and ignored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent settings, each named")]
pub struct Rules {
    /// Repetition.
    pub ko: KoRule,
    /// Self-capture.
    pub suicide: Suicide,
    /// What is counted.
    pub scoring: Scoring,
    /// Surrounded points that are not counted.
    pub tax: Tax,
    /// How seki is recognized when taxed.
    pub seki: SekiTest,
    /// Whether dead stones are lifted.
    pub removal: Removal,
    /// Whether the first pass takes half a point and does not count towards the end.
    pub button: bool,
    /// Whether White passing first costs Black a point.
    pub first_pass_point: bool,
    /// Whether each pass is a prisoner for the opponent.
    pub pass_stones: bool,
    /// Whether only a pass by White ends the game.
    pub white_last: bool,
    /// Compensation for handicap stones.
    pub handicap_bonus: HandicapBonus,
    /// The usual way of giving handicap stones.
    pub placement: Placement,
    /// Komi of even games: what a game starts with if the rules were named by a flag.
    pub komi: Komi,
    /// Komi that belongs to games with two handicap stones or more. Nothing applies it by itself:
    /// handicap commands never change komi.
    pub komi_handicap: Komi,
    /// Result of a long cycle.
    pub long_cycle: LongCycle,
    /// Passes in a row that stop play; at least 2.
    pub end_passes: usize,
}

impl Rules {
    /// The preset `chinese`, keima's default.
    pub const CHINESE: Self = Self { handicap_bonus: HandicapBonus::N, ..presets::BASE };

    /// Points to White for this many handicap stones, in hundredths.
    pub const fn handicap_points(&self, stones: usize) -> i32 {
        if stones < 2 {
            return 0;
        }
        match self.handicap_bonus {
            HandicapBonus::Zero => 0,
            HandicapBonus::NMinusOne => 100 * (stones as i32 - 1),
            HandicapBonus::N => 100 * stones as i32,
        }
    }

    /// The komi that belongs to the rule set for a game with this many handicap stones.
    pub const fn usual_komi(&self, handicap: usize) -> Komi {
        if handicap < 2 { self.komi } else { self.komi_handicap }
    }
}

impl Default for Rules {
    fn default() -> Self {
        Self::CHINESE
    }
}

/// Points added to White's score, exact to a hundredth.
///
/// ```
/// use keima::rules::Komi;
/// assert_eq!(Komi::from_points(3.75).expect("finite").to_string(), "3.75");
/// assert_eq!(Komi::from_points(7.0).expect("finite").to_string(), "7.0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Komi {
    hundredths: i32,
}

impl Komi {
    /// The largest komi that is kept, in points.
    pub const MAX_POINTS: i32 = 10_000;

    /// This many hundredths of a point.
    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self { hundredths }
    }

    /// Rounds to hundredths and clamps to ±[`Self::MAX_POINTS`]; `None` for an infinity or NaN.
    pub fn from_points(points: f64) -> Option<Self> {
        let bound = f64::from(Self::MAX_POINTS);
        points
            .is_finite()
            .then(|| Self { hundredths: (points.clamp(-bound, bound) * 100.0).round() as i32 })
    }

    /// Hundredths of a point.
    pub const fn hundredths(self) -> i32 {
        self.hundredths
    }

    /// Points.
    pub fn points(self) -> f64 {
        f64::from(self.hundredths) / 100.0
    }
}

impl fmt::Display for Komi {
    /// At least one decimal, no superfluous zero: `7.5`, `-3.0`, `3.75`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.hundredths < 0 { "-" } else { "" };
        write!(f, "{sign}{}", Hundredths(self.hundredths.unsigned_abs()))
    }
}

/// Writes hundredths of a point as a decimal number with one or two decimals.
#[derive(Clone, Copy, Debug)]
pub struct Hundredths(pub u32);

impl fmt::Display for Hundredths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (points, rest) = (self.0 / 100, self.0 % 100);
        if rest % 10 == 0 {
            write!(f, "{points}.{}", rest / 10)
        } else {
            write!(f, "{points}.{rest:02}")
        }
    }
}
