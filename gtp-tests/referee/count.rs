//! Counting (rules reference, 3.3 to 3.7 and 3.10).

use keima::board::{Color, Point};
use keima::rules::{HandicapBonus, Removal, Rules, Scoring, SekiTest, Tax};

use super::{Position, Referee};

/// Black's points minus White's with komi and all adjustments, in hundredths of a point.
pub(super) fn hundredths(game: &Referee, dead: &[Point]) -> i32 {
    let rules = &game.rules;
    let points = |color| points(game, dead, color);
    let mut difference = 100 * (points(Color::Black) - points(Color::White));
    difference -= game.komi;
    if game.handicap >= 2 {
        let stones = game.handicap as i32;
        difference -= match rules.handicap_bonus {
            HandicapBonus::Zero => 0,
            HandicapBonus::NMinusOne => 100 * (stones - 1),
            HandicapBonus::N => 100 * stones,
        };
    }
    if rules.first_pass_point && game.first_passer() == Some(Color::White) {
        difference -= 100;
    }
    if rules.button {
        // While nobody has passed, the side to move would take it next.
        let taker = game.first_passer().unwrap_or_else(|| game.to_play());
        difference += if taker == Color::Black { 50 } else { -50 };
    }
    difference
}

/// A margin as text.
pub(super) fn text(hundredths: i32) -> String {
    let winner = match hundredths {
        0 => return "0".to_owned(),
        1.. => "B",
        _ => "W",
    };
    let margin = hundredths.abs();
    let mut decimals = format!("{:02}", margin % 100);
    if decimals.ends_with('0') {
        decimals.pop();
    }
    format!("{winner}+{}.{decimals}", margin / 100)
}

/// The points of a side, as the way of scoring and the tax have it.
fn points(game: &Referee, dead: &[Point], color: Color) -> i32 {
    let rules = &game.rules;
    let lifted: Vec<Point> = match rules.removal {
        Removal::None => Vec::new(),
        Removal::Agreement => {
            let chains = game.position().chains().into_iter().map(|(_, chain)| chain);
            chains
                .filter(|chain| chain.iter().any(|stone| dead.contains(stone)))
                .flatten()
                .collect()
        }
    };
    let is_prisoner = |&&stone: &&Point| game.position().stone(stone) == Some(!color);
    let prisoners = game.lost(!color) + lifted.iter().filter(is_prisoner).count();
    let board = game.position().without(&lifted);
    let stones = board.points().into_iter().filter(|&p| board.stone(p) == Some(color)).count();
    let (surrounded, tax) = surrounded(&board, color, rules);
    let counted = match rules.scoring {
        Scoring::Stone => stones,
        Scoring::Area => stones + surrounded,
        Scoring::Territory if rules.pass_stones => surrounded + prisoners + game.passes(!color),
        Scoring::Territory => surrounded + prisoners,
    };
    counted as i32 - tax as i32
}

/// The surrounded points of a side that count, and its group tax.
fn surrounded(board: &Position, color: Color, rules: &Rules) -> (usize, usize) {
    let families = families(board, color);
    if rules.tax == Tax::None {
        return (families.iter().map(|family| family.own().count()).sum(), 0);
    }
    let (mut counted, mut tax) = (0, 0);
    for family in families {
        let is_in_seki = match rules.seki {
            SekiTest::Auto => family.is_in_seki(board),
            SekiTest::Strict => family.is_in_seki_strictly(),
        };
        if is_in_seki {
            continue;
        }
        counted += match rules.seki {
            SekiTest::Auto => family.countable().len(),
            SekiTest::Strict => family.own().count(),
        };
        if rules.tax == Tax::All {
            tax += 2;
        }
    }
    (counted, tax)
}

/// Chains of one color that are joined by regions that only they touch, with these regions.
#[derive(Debug, Default)]
struct Family {
    chains: Vec<Vec<Point>>,
    /// The only liberties of chains that have just one.
    fill: Vec<Point>,
    regions: Vec<Vec<Point>>,
    touches_neutral: bool,
}

fn families(board: &Position, color: Color) -> Vec<Family> {
    let touches = |region: &[Point], color| !board.next_to(region, Some(color)).is_empty();
    let (own, others): (Vec<_>, Vec<_>) = board
        .regions()
        .into_iter()
        .filter(|region| touches(region, color))
        .partition(|region| !touches(region, !color));
    let mut families: Vec<Family> = Vec::new();
    for (stone, chain) in board.chains() {
        if stone == color {
            let liberties = board.liberties(&chain);
            let touches_neutral =
                liberties.iter().any(|liberty| others.iter().any(|r| r.contains(liberty)));
            let fill = if liberties.len() == 1 { liberties } else { Vec::new() };
            families.push(Family {
                chains: vec![chain],
                fill,
                touches_neutral,
                ..Family::default()
            });
        }
    }
    for region in own {
        let around = board.next_to(&region, Some(color));
        let is_near =
            |family: &Family| family.chains.iter().flatten().any(|stone| around.contains(stone));
        let (near, rest): (Vec<_>, Vec<_>) = families.into_iter().partition(is_near);
        let mut joined = Family { regions: vec![region], ..Family::default() };
        for family in near {
            joined.chains.extend(family.chains);
            joined.fill.extend(family.fill);
            joined.regions.extend(family.regions);
            joined.touches_neutral |= family.touches_neutral;
        }
        families = rest;
        families.push(joined);
    }
    families
}

impl Family {
    /// The points that only the family touches.
    fn own(&self) -> impl Iterator<Item = Point> {
        self.regions.iter().flatten().copied()
    }

    /// Those that its owner need not fill.
    fn countable(&self) -> Vec<Point> {
        self.own().filter(|point| !self.fill.contains(point)).collect()
    }

    /// The test `auto`: something shared or to be filled, and no room for two eyes.
    fn is_in_seki(&self, board: &Position) -> bool {
        (self.touches_neutral || !self.fill.is_empty()) && self.eye_potential(board) < 2
    }

    /// The test `strict`: a neutral point, or a chain with one liberty.
    fn is_in_seki_strictly(&self) -> bool {
        self.touches_neutral || !self.fill.is_empty()
    }

    /// One eye for each connected part of up to three countable points, two for a larger one.
    fn eye_potential(&self, board: &Position) -> usize {
        let mut left = self.countable();
        let mut eyes = 0;
        while let Some(point) = left.pop() {
            let mut part = vec![point];
            let mut next = 0;
            while next < part.len() {
                for near in board.around(part[next]) {
                    if let Some(i) = left.iter().position(|&other| other == near) {
                        part.push(left.remove(i));
                    }
                }
                next += 1;
            }
            eyes += if part.len() <= 3 { 1 } else { 2 };
        }
        eyes
    }
}
