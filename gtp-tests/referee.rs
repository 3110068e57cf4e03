//! A second implementation of the rules, slow and obvious, to referee the engine.
//!
//! It was written from the rules reference (sections 2 and 3) and shares nothing with the library
//! but plain data: sizes, points, colors, moves and the settings. Positions are kept whole and
//! compared stone by stone, chains and regions are found by flood fill each time anew, and undo
//! plays the game again from its start. `vectors` holds it against the rules oracle's records, so
//! that a difference between it and the library can be blamed on either.
//!
//! Where the reference leaves room: a pass out of turn is treated as a play out of turn is, and
//! `tax` is taken off under `scoring=stone` too.

mod count;
mod position;
mod vectors;

use keima::board::{Color, ColoredMove, Move, Point, Size};
use keima::rules::{KoRule, LongCycle, Rules, Suicide};

pub(crate) use position::Position;
pub(crate) use vectors::{start, trials};

/// What the rules say to a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Legal,
    Occupied,
    Suicide,
    Ko,
    Superko,
}

impl Verdict {
    /// The vectors' word for it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Legal => "legal",
            Self::Occupied => "occupied",
            Self::Suicide => "suicide",
            Self::Ko => "ko",
            Self::Superko => "superko",
        }
    }
}

/// The start of the game or what a turn has made of it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    position: Position,
    /// Who moves next; if somebody else did, he.
    to_play: Color,
    /// The turn that led here; none for the start.
    turn: Option<ColoredMove>,
    /// What the turn removed.
    removed: Vec<(Point, Color)>,
}

impl Entry {
    fn is_pass(&self) -> bool {
        self.turn.is_some_and(|turn| turn.mv == Move::Pass)
    }

    fn is_play_of(&self, color: Color) -> bool {
        self.turn.is_some_and(|turn| turn.mv != Move::Pass && turn.color == color)
    }
}

/// A game under observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Referee {
    pub(crate) rules: Rules,
    /// Points to White, in hundredths.
    pub(crate) komi: i32,
    handicap: usize,
    /// Who moves first; undo may come back to that.
    first: Color,
    /// The start and the state after each turn.
    entries: Vec<Entry>,
}

impl Referee {
    /// A game from a start with this many handicap stones.
    pub(crate) fn new(start: Position, to_play: Color, handicap: usize, rules: Rules) -> Self {
        let start = Entry { position: start, to_play, turn: None, removed: Vec::new() };
        let komi = if handicap < 2 { rules.komi } else { rules.komi_handicap };
        Self { rules, komi: komi.hundredths(), handicap, first: to_play, entries: vec![start] }
    }

    fn last(&self) -> &Entry {
        self.entries.last().expect("the start is never removed")
    }

    /// The stones on the board.
    pub(crate) fn position(&self) -> &Position {
        &self.last().position
    }

    pub(crate) fn size(&self) -> Size {
        self.position().size
    }

    /// Whose turn it is.
    pub(crate) fn to_play(&self) -> Color {
        self.last().to_play
    }

    /// The turns so far.
    pub(crate) fn turns(&self) -> Vec<ColoredMove> {
        self.entries.iter().filter_map(|entry| entry.turn).collect()
    }

    /// Index of the entry that the first pass of the game made, and who passed.
    fn first_pass(&self) -> Option<(usize, Color)> {
        let index = self.entries.iter().position(Entry::is_pass)?;
        Some((index, self.entries[index].turn?.color))
    }

    /// Who passed first in the whole game.
    pub(crate) fn first_passer(&self) -> Option<Color> {
        self.first_pass().map(|(_, color)| color)
    }

    /// Passes of a color.
    pub(crate) fn passes(&self, color: Color) -> usize {
        let pass = ColoredMove { color, mv: Move::Pass };
        self.entries.iter().filter(|entry| entry.turn == Some(pass)).count()
    }

    /// Stones of a color that were removed in play.
    pub(crate) fn lost(&self, color: Color) -> usize {
        let removed = self.entries.iter().flat_map(|entry| &entry.removed);
        removed.filter(|&&(_, stone)| stone == color).count()
    }

    /// What the last turn removed.
    pub(crate) fn last_removed(&self) -> &[(Point, Color)] {
        &self.last().removed
    }

    /// The entries that repetition looks at: taking the button empties the history.
    fn history(&self) -> &[Entry] {
        match self.first_pass() {
            Some((index, _)) if self.rules.button => &self.entries[index..],
            _ => &self.entries,
        }
    }

    /// Whether a color may play on a point.
    pub(crate) fn verdict(&self, point: Point, color: Color) -> Verdict {
        if self.position().stone(point).is_some() {
            return Verdict::Occupied;
        }
        let after = self.position().after(point, color);
        let own_removed = after.removed.iter().filter(|&&(_, stone)| stone == color).count();
        let is_allowed = match self.rules.suicide {
            Suicide::None => own_removed == 0,
            Suicide::Multi => own_removed != 1,
            Suicide::Any => true,
        };
        if !is_allowed {
            return Verdict::Suicide;
        }
        self.repetition(&after.position, color)
    }

    /// Whether a color may produce this position by a play.
    fn repetition(&self, made: &Position, color: Color) -> Verdict {
        let history = self.history();
        let now = history.len() - 1;
        let undoes_last =
            now > 0 && history[now].is_play_of(!color) && history[now - 1].position == *made;
        let is_banned = match self.rules.ko {
            KoRule::Simple => undoes_last,
            KoRule::Positional => history.iter().any(|entry| entry.position == *made),
            KoRule::Situational => history.iter().enumerate().any(|(i, entry)| {
                // The present situation is the mover's, whoever he is.
                let to_play = if i == now { color } else { entry.to_play };
                entry.position == *made && to_play == !color
            }),
            KoRule::Natural => {
                history.iter().any(|entry| entry.is_play_of(color) && entry.position == *made)
            }
        };
        match (is_banned, undoes_last) {
            (false, _) => Verdict::Legal,
            (true, true) => Verdict::Ko,
            (true, false) => Verdict::Superko,
        }
    }

    /// Makes a turn if the rules allow it, and says whether they do.
    pub(crate) fn play(&mut self, turn: ColoredMove) -> Verdict {
        let verdict = match turn.mv {
            Move::Pass => Verdict::Legal,
            Move::Play(point) => self.verdict(point, turn.color),
        };
        if verdict == Verdict::Legal {
            self.make(turn);
        }
        verdict
    }

    fn make(&mut self, turn: ColoredMove) {
        let after = match turn.mv {
            Move::Pass => position::After { position: self.position().clone(), removed: vec![] },
            Move::Play(point) => self.position().after(point, turn.color),
        };
        self.entries.last_mut().expect("the start is never removed").to_play = turn.color;
        self.entries.push(Entry {
            position: after.position,
            to_play: !turn.color,
            turn: Some(turn),
            removed: after.removed,
        });
    }

    /// Takes the last turn back by playing all others again; `false` at the start.
    pub(crate) fn undo(&mut self) -> bool {
        let mut turns = self.turns();
        if turns.pop().is_none() {
            return false;
        }
        self.entries.truncate(1);
        self.entries[0].to_play = self.first;
        for turn in turns {
            self.make(turn);
        }
        true
    }

    /// Whether play has stopped.
    pub(crate) fn is_over(&self) -> bool {
        let taker =
            if self.rules.button { self.first_pass().map(|(index, _)| index) } else { None };
        let mut passes = 0;
        for (i, entry) in self.entries.iter().enumerate().rev() {
            // The pass that takes the button is not counted.
            if !entry.is_pass() || taker == Some(i) {
                break;
            }
            passes += 1;
        }
        let is_whites = self.last().turn.is_some_and(|turn| turn.color == Color::White);
        let by_passes = passes >= self.rules.end_passes && (is_whites || !self.rules.white_last);
        by_passes || self.long_cycle() != LongCycle::None
    }

    /// What the third occurrence of the present situation means, if it is that.
    pub(crate) fn long_cycle(&self) -> LongCycle {
        let last_pass = self.entries.iter().rposition(Entry::is_pass).unwrap_or(0);
        let (position, to_play) = (self.position(), self.to_play());
        let since = self.entries[last_pass..].iter();
        let times = since.filter(|e| e.position == *position && e.to_play == to_play).count();
        if self.rules.ko == KoRule::Simple && times >= 3 {
            self.rules.long_cycle
        } else {
            LongCycle::None
        }
    }

    /// The result text if play stopped here with these dead stones, each of which stands for its
    /// chain.
    pub(crate) fn result(&self, dead: &[Point]) -> String {
        match self.long_cycle() {
            LongCycle::Void => "Void".to_owned(),
            LongCycle::Draw => "0".to_owned(),
            LongCycle::None => self.score(dead),
        }
    }

    /// The count as text, whatever a long cycle says.
    pub(crate) fn score(&self, dead: &[Point]) -> String {
        count::text(count::hundredths(self, dead))
    }
}
