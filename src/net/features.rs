//! The inputs of KataGo's networks of feature version 7: planes and global numbers.

use super::area::Area;
use super::ladder::{KnownLadders, Ladders};
use super::position::{Position, TURNS};
use super::stones::Stones;
use crate::board::{Color, Move, Point, Suicide};
use crate::rules::{KoRule, Scoring, Tax};

/// Planes of the board.
pub const PLANES: usize = 22;
/// Global inputs.
pub const GLOBALS: usize = 19;

/// Komi is cut off this far beyond the number of points.
const KOMI_BEYOND: f32 = 20.0;

/// Inputs of a network: [`PLANES`] numbers for each point, rows from the top, and the globals.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The planes, point by point.
    pub planes: Vec<f32>,
    /// The global inputs.
    pub globals: Vec<f32>,
}

impl Features {
    /// What a network is told of a position.
    pub fn new(position: &Position) -> Self {
        Extractor::default().features(position)
    }
}

/// Makes the features of many positions. What was read on the boards of one is not read again for those
/// that follow it.
#[derive(Debug, Default)]
pub struct Extractor {
    ladders: KnownLadders,
}

impl Extractor {
    /// What a network is told of a position.
    pub fn features(&mut self, position: &Position) -> Features {
        let mut planes = Planes { position, values: vec![0.0; PLANES * position.size().points()] };
        let mut stones = Stones::new(&position.boards[0]);
        planes.stones(&mut stones);
        planes.history();
        for (turns_ago, board) in position.boards.iter().enumerate() {
            planes.ladders(turns_ago, self.ladders.read(board));
        }
        planes.area(&mut stones);
        Features { planes: planes.values, globals: globals(position) }
    }
}

struct Planes<'a> {
    position: &'a Position,
    values: Vec<f32>,
}

impl Planes<'_> {
    fn set(&mut self, plane: usize, point: Point) {
        let size = self.position.size();
        let row = size.height() - 1 - size.row(point);
        self.values[(row * size.width() + size.column(point)) * PLANES + plane] = 1.0;
    }

    /// The board itself, stones by color and by number of liberties.
    fn stones(&mut self, stones: &mut Stones) {
        for point in self.position.size().iter() {
            self.set(0, point);
            let Some(color) = stones.color(point.index()) else { continue };
            self.set(if color == self.position.to_play { 1 } else { 2 }, point);
            let liberties = stones.count_liberties::<4>(point.index());
            if liberties <= 3 {
                self.set(2 + liberties, point);
            }
        }
    }

    /// Forbidden repetitions and the last moves.
    fn history(&mut self) {
        let position = self.position;
        position.repeats.iter().for_each(|point| self.set(6, point));
        for turns_ago in 1..=TURNS {
            if let Some(point) = position.played(turns_ago) {
                self.set(8 + turns_ago, point);
            }
        }
    }

    /// Chains that were caught so many turns ago, and now how those of the opponent are.
    fn ladders(&mut self, turns_ago: usize, ladders: &Ladders) {
        ladders.caught.iter().for_each(|point| self.set(14 + turns_ago, point));
        let to_play = self.position.to_play;
        let working =
            ladders.working.iter().filter(|(owner, _)| turns_ago == 0 && *owner != to_play);
        for &(_, p) in working {
            self.set(17, Point::from_index(p));
        }
    }

    /// Area, where it is counted without a tax.
    fn area(&mut self, stones: &mut Stones) {
        let Position { rules, to_play, .. } = self.position;
        if rules.scoring != Scoring::Area || rules.tax != Tax::None {
            return;
        }
        let size = self.position.size();
        let area = Area::new(stones, size, rules.suicide == Suicide::Multi);
        for point in size.iter() {
            if let Some(owner) = area.owner(point.index()) {
                self.set(if owner == *to_play { 18 } else { 19 }, point);
            }
        }
    }
}

fn globals(position: &Position) -> Vec<f32> {
    let Position { rules, komi_hundredths, to_play, moves, .. } = position;
    let points = position.size().points() as f32;
    let mut globals = vec![0.0; GLOBALS];
    for (i, mv) in moves.iter().enumerate() {
        globals[i] = f32::from(u8::from(*mv == Move::Pass));
    }
    let white_komi = *komi_hundredths as f32 / 100.0;
    let komi = if *to_play == Color::White { white_komi } else { -white_komi };
    let komi = komi.clamp(-points - KOMI_BEYOND, points + KOMI_BEYOND);
    globals[5] = komi / 20.0;
    (globals[6], globals[7]) = match rules.ko {
        KoRule::Simple => (0.0, 0.0),
        KoRule::Positional | KoRule::Natural => (1.0, 0.5),
        KoRule::Situational => (1.0, -0.5),
    };
    globals[8] = f32::from(u8::from(rules.suicide == Suicide::Multi));
    globals[9] = f32::from(u8::from(rules.scoring == Scoring::Territory));
    (globals[10], globals[11]) = match rules.tax {
        Tax::None => (0.0, 0.0),
        Tax::Seki => (1.0, 0.0),
        Tax::All => (1.0, 1.0),
    };
    globals[14] = f32::from(u8::from(position.pass_ends));
    globals[17] = f32::from(u8::from(rules.button));
    if rules.scoring == Scoring::Area {
        globals[18] = parity_wave(komi, position.size().points());
    }
    globals
}

/// How komi lies between the scores that a board can have: they are even or odd as its points are.
fn parity_wave(komi: f32, points: usize) -> f32 {
    let floor = if points.is_multiple_of(2) {
        2.0 * (komi / 2.0).floor()
    } else {
        2.0 * ((komi - 1.0) / 2.0).floor() + 1.0
    };
    match komi - floor {
        d if d < 0.5 => d,
        d if d < 1.5 => 1.0 - d,
        d => d - 2.0,
    }
}
