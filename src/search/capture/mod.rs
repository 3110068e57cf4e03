//! Tactical reading: can one chain be captured, can it be saved, and by which move.
//!
//! [`attack`] lets the opponent of the chain move first, [`defend`] its owner. The `reader` plays
//! out the lines near the chain in which the attacker keeps it short of liberties.
//!
//! **Ko.** A line is read up to three times: with ko threats for the other side, for nobody, and
//! for the side that moves first. A side with threats may retake a ko at once, twice in a line.
//! [`Success`] says what was needed.
//!
//! **Limits.** A chain of more than four liberties counts as safe, and so does one that is not
//! caught within a fixed number of moves, about 0.1 s. Ko is simple ko, and there is no suicide.
//! Nothing is random: equal positions get equal answers.

mod reader;
#[cfg(test)]
mod tests;

use crate::board::{Board, Color, Heavy, HeavyTask, Move, Point};
use reader::Reader;

/// What a successful attack or defense needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Success {
    /// Nothing: it works though the other side has ko threats.
    Unconditional,
    /// To win a ko for which the other side is the first to need a threat.
    Ko,
    /// To win a ko for which this side is the first to need a threat.
    KoThreat,
}

/// How a chain is captured or saved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reading {
    /// What it needs.
    pub success: Success,
    /// The move that does it; a pass if the chain is safe already.
    pub mv: Move,
}

/// How the opponent, moving first, captures the chain at a stone; `None` if he cannot, or if there
/// is no stone.
pub fn attack(board: &Board, stone: Point) -> Option<Reading> {
    let owner = board.stone(stone)?;
    board.with_heavy(Query { stone, owner, first: !owner })
}

/// How the owner of the chain at a stone, moving first, saves it; `None` if he cannot, or if there
/// is no stone.
pub fn defend(board: &Board, stone: Point) -> Option<Reading> {
    let owner = board.stone(stone)?;
    let reading = board.with_heavy(Query { stone, owner, first: owner })?;
    // To pass is to let the opponent move first; reading that, too, may come to an end too early.
    let is_refuted = reading.mv == Move::Pass && attack(board, stone).is_some();
    (!is_refuted).then_some(reading)
}

struct Query {
    stone: Point,
    owner: Color,
    first: Color,
}

impl HeavyTask for Query {
    type Output = Option<Reading>;

    fn run<const S: usize, const L: usize, const W: usize>(
        self,
        mut board: Box<Heavy<S, L, W>>,
    ) -> Option<Reading> {
        let Self { stone, owner, first } = self;
        // Ko bars nothing to the side that has just taken it.
        let ko = board.ko();
        if ko != 0 && Heavy::<S, L, W>::around(ko).iter().any(|&p| board.is(first, p)) {
            board.pass();
        }
        let mut reader = Reader::new(board, stone.index(), owner);
        let steps = [
            (Success::Unconditional, Some(!first)),
            (Success::Ko, None),
            (Success::KoThreat, Some(first)),
        ];
        for (success, threats) in steps {
            reader.start(threats);
            let mv = if first == owner { reader.save() } else { reader.capture() };
            if let Some(mv) = mv {
                return Some(Reading { success, mv });
            }
            // Without a ko it makes no difference who has threats.
            if !reader.has_met_ko() {
                break;
            }
        }
        None
    }
}
