//! What is drawn for each game.

use crate::board::{Size, Suicide};
use crate::rng::Rng;
use crate::rules::{KoRule, Komi, Rules, Scoring, Tax};

/// Area scoring, positional superko, no suicide.
pub(super) const RULES: Rules = Rules {
    ko: KoRule::Positional,
    suicide: Suicide::None,
    scoring: Scoring::Area,
    tax: Tax::None,
    ..Rules::CHINESE
};

/// Komi of most games, in half points.
const USUAL_KOMI: i16 = 15;
/// Part of the games with it.
const USUAL: f32 = 0.6;
/// Part of the other games with a komi near it.
const NEAR: f32 = 0.6;
/// As many below 7.5 as above; half points.
const NEAR_KOMI: [i16; 10] = [10, 11, 12, 13, 14, 16, 17, 18, 19, 20];
/// Likewise; the usual komi is far from even on small boards, and with handicap.
const FAR_KOMI: [i16; 14] = [-37, -21, -13, -5, 1, 3, 7, 23, 27, 29, 35, 43, 51, 67];

const TEMPERATURES: [f32; 4] = [0.15, 0.4, 0.7, 1.0];
/// Of the opening.
pub(super) const OPENING_TEMPERATURE: f32 = 1.5;
/// Longest opening, of the points.
const OPENING: f32 = 0.08;
/// Parts of the moves that are played at random.
const BLUNDERS: [f32; 3] = [0.0, 0.01, 0.04];
/// Part of the games that go on to two passes.
const PLAYED_ON: f32 = 1.0 / 3.0;
/// The others stop after the result was clear for so many turns at least.
const CLEAR_TURNS: usize = 6;
/// A little more than any game with sense takes.
const TURNS_MAX: [usize; 2] = [2, 20];

/// What is drawn for a game.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Komi in half points.
    pub(super) komi_half: i16,
    /// Of the choice of moves after the opening.
    pub(super) temperature: f32,
    /// Turns of the opening.
    pub(super) opening: usize,
    /// Part of the later moves that are played at random.
    pub(super) blunders: f32,
    /// Turns with a clear result after which the game stops; without, it goes on to two passes.
    pub(super) clear_turns: Option<usize>,
    /// Where the game stops at the latest.
    pub(super) turns_max: usize,
    /// Positions before the first one with labels.
    pub(super) phase: usize,
}

impl Settings {
    /// Draws the settings of a game, of which one position in `thin` gets labels.
    pub(super) fn draw(size: Size, thin: usize, rng: &mut Rng) -> Self {
        let points = size.points();
        let one_of = |rng: &mut Rng, n: usize| rng.below(n as u32) as usize;
        let komi_half = match rng.share() {
            usual if usual < USUAL => USUAL_KOMI,
            near if near < USUAL + (1.0 - USUAL) * NEAR => NEAR_KOMI[one_of(rng, NEAR_KOMI.len())],
            _ => FAR_KOMI[one_of(rng, FAR_KOMI.len())],
        };
        let clear_turns = CLEAR_TURNS + one_of(rng, points / 6 + 1);
        Self {
            komi_half,
            temperature: TEMPERATURES[one_of(rng, TEMPERATURES.len())],
            opening: one_of(rng, (OPENING * points as f32) as usize + 1),
            blunders: BLUNDERS[one_of(rng, BLUNDERS.len())],
            clear_turns: (!rng.chance(PLAYED_ON)).then_some(clear_turns),
            turns_max: TURNS_MAX[0] * points + TURNS_MAX[1],
            phase: one_of(rng, thin),
        }
    }

    /// Komi.
    pub(super) fn komi(&self) -> Komi {
        Komi::from_hundredths(50 * i32::from(self.komi_half))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn komi_is_usual_in_most_games_and_else_on_either_side() {
        let mut rng = Rng::new(1);
        let size = Size::STANDARD;
        let drawn: Vec<Settings> = (0..4000).map(|_| Settings::draw(size, 4, &mut rng)).collect();
        let share = |is: &dyn Fn(&Settings) -> bool| {
            drawn.iter().filter(|settings| is(settings)).count() as f32 / 4000.0
        };
        for (found, expected) in [
            (share(&|s| s.komi_half == USUAL_KOMI), 0.6),
            (share(&|s| s.komi_half < USUAL_KOMI), 0.2),
            (share(&|s| s.clear_turns.is_none()), 0.333),
            (share(&|s| s.blunders > 0.0), 0.667),
            (share(&|s| s.temperature < 0.2), 0.25),
            (share(&|s| s.phase == 3), 0.25),
        ] {
            assert!((found - expected).abs() < 0.03, "{found} {expected}");
        }
        assert!(drawn.iter().all(|settings| settings.opening <= 28));
        assert!(drawn.iter().any(|settings| settings.opening == 28));
    }

    #[test]
    fn the_rules_are_those_that_inputs_are_made_for_without_others() {
        assert_eq!(RULES, Rules::default(), "`keima net planes` takes these for the labels");
    }
}
