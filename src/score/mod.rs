//! Counting: from a position, its dead stones and the game's record to the result.
//!
//! Nothing here searches or plays: which stones are dead is an input (`ownership` and `status`
//! turn averages over playouts into such a list). All adjustments come from the game's record, so
//! that a change of rules in mid-game rescores exactly. Source: rules.md 3.3 to 3.10.

mod count;
mod groups;
mod ownership;
mod status;

pub use count::Counts;
pub use ownership::Ownership;
pub use status::{OpenChain, Status, StatusMap, Verdicts};

use std::fmt;

use crate::board::{ByColor, Color};
use crate::rules::{Hundredths, Komi, Rules, Scoring, SekiTest, Tax};

/// Black's points minus White's, in hundredths of a point; komi is included when it is final.
///
/// ```
/// use keima::score::Score;
/// assert_eq!(Score::from_hundredths(350).to_string(), "B+3.5");
/// assert_eq!(Score::from_hundredths(-25).to_string(), "W+0.25");
/// assert_eq!(Score::from_hundredths(0).to_string(), "0");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Score {
    hundredths: i32,
}

impl Score {
    /// This many hundredths of a point, Black positive.
    pub const fn from_hundredths(hundredths: i32) -> Self {
        Self { hundredths }
    }

    /// Hundredths of a point, Black positive.
    pub const fn hundredths(self) -> i32 {
        self.hundredths
    }

    /// Who is ahead, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self.hundredths {
            0 => None,
            1.. => Some(Color::Black),
            _ => Some(Color::White),
        }
    }
}

impl fmt::Display for Score {
    /// The result text of GTP and SGF: at least one decimal, no superfluous zero.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let margin = Hundredths(self.hundredths.unsigned_abs());
        match self.winner() {
            None => f.write_str("0"),
            Some(Color::Black) => write!(f, "B+{margin}"),
            Some(Color::White) => write!(f, "W+{margin}"),
        }
    }
}

/// What counting needs to know of the game beside the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// Points to White.
    pub komi: Komi,
    /// Handicap stones that may earn White points.
    pub handicap: usize,
    /// Stones of each color removed during play.
    pub lost: ByColor<usize>,
    /// Passes of each color.
    pub passes: ByColor<usize>,
    /// Who passed first in the whole game.
    pub first_pass: Option<Color>,
    /// Whose turn it is.
    pub to_play: Color,
}

impl Record {
    /// The record of an even game without moves.
    pub fn new(komi: Komi) -> Self {
        Self {
            komi,
            handicap: 0,
            lost: ByColor::default(),
            passes: ByColor::default(),
            first_pass: None,
            to_play: Color::Black,
        }
    }
}

/// The final score of a counted position under a rule set.
pub fn final_score(counts: &Counts, record: &Record, rules: &Rules) -> Score {
    let difference = |points: ByColor<i32>| points.black - points.white;
    let points = ByColor {
        black: points_of(Color::Black, counts, record, rules),
        white: points_of(Color::White, counts, record, rules),
    };
    let mut hundredths = 100 * difference(points);
    hundredths -= record.komi.hundredths() + rules.handicap_points(record.handicap);
    if rules.first_pass_point && record.first_pass == Some(Color::White) {
        hundredths -= 100;
    }
    if rules.button {
        // While nobody has passed, the side to move is credited: it would take the button next.
        hundredths += 50 * record.first_pass.unwrap_or(record.to_play).sign();
    }
    Score { hundredths }
}

/// Points of one side, without komi, bonus and the other adjustments.
fn points_of(color: Color, counts: &Counts, record: &Record, rules: &Rules) -> i32 {
    let surrounded = match (rules.tax, rules.seki) {
        (Tax::None, _) => counts.own,
        (_, SekiTest::Auto) => counts.own_no_seki,
        (_, SekiTest::Strict) => counts.own_no_seki_strict,
    };
    let tax = match (rules.tax, rules.seki) {
        (Tax::None | Tax::Seki, _) => ByColor::default(),
        (Tax::All, SekiTest::Auto) => counts.tax,
        (Tax::All, SekiTest::Strict) => counts.tax_strict,
    };
    let points = match rules.scoring {
        Scoring::Area => counts.stones[color] + surrounded[color],
        Scoring::Stone => counts.stones[color],
        Scoring::Territory => {
            let prisoners = record.lost[!color] + counts.lifted[!color];
            let pass_stones = if rules.pass_stones { record.passes[!color] } else { 0 };
            surrounded[color] + prisoners + pass_stones
        }
    };
    points as i32 - tax[color] as i32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, PointSet};

    /// The Chinese way: Black's stones, regions and half of the neutral points against half of the
    /// board and half of komi; twice the margin is the difference of the other ways.
    #[test]
    fn half_counting_gives_the_same_difference() {
        let komi = Komi::from_hundredths(750);
        for diagram in [
            ".X.O./XX.OO/.X.O./XX.O./.X.O.",
            "XXXXX/X.X.X/XXXOO/OOOO./.O.O.",
            "...../...../..X../...../.....",
        ] {
            let board = Board::from_diagram(diagram).unwrap();
            let counts = Counts::new(&board, &PointSet::EMPTY);
            let own = |color| 100 * (counts.stones[color] + counts.own[color]) as i32;
            let points = 100 * board.size().points() as i32;
            let neutral = points - own(Color::Black) - own(Color::White);
            let half = own(Color::Black) + neutral / 2 - points / 2 - komi.hundredths() / 2;
            let score = final_score(&counts, &Record::new(komi), &Rules::default());
            assert_eq!(2 * half, score.hundredths(), "{diagram}");
        }
    }
}
