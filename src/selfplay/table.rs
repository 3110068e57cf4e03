//! A game in progress: what it asks the network, and what it makes of the answers.

use crate::board::{ColoredMove, Move, Point, Size};
use crate::game::Game;
use crate::net::{Evaluation, Extractor, Features, Position, Symmetry};
use crate::rng::Rng;

use super::judgement::{Judgement, Label};
use super::settings::{OPENING_TEMPERATURE, RULES, Settings};

/// A result is clear when the side behind has less than this to win.
const CLEAR: f32 = 0.03;

/// How positions are labelled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labelling {
    /// One position in so many of a game.
    pub(super) thin: usize,
    /// Orientations that a label is the mean of.
    pub(super) orientations: usize,
}

/// A game in progress.
#[derive(Debug)]
pub(super) struct Table {
    game: Game,
    extractor: Extractor,
    labelling: Labelling,
    settings: Settings,
    rng: Rng,
    record: Record,
    /// Turns that the result has been clear for.
    clear: usize,
}

/// A game with its labels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) size: Size,
    pub(super) komi_half: i16,
    /// Moves in rows from the top, a pass behind the last point.
    pub(super) moves: Vec<u16>,
    /// Labels by ascending turn.
    pub(super) labels: Vec<Label>,
    /// Labels that were left out, since they would not have been numbers.
    pub(super) unusable: usize,
}

/// What a table wants to know.
#[derive(Debug)]
pub(super) struct Question {
    position: Position,
    features: Features,
    symmetries: Vec<Symmetry>,
    wants_label: bool,
}

impl Question {
    /// The inputs of the position, one for each orientation.
    pub(super) fn inputs(&self) -> impl Iterator<Item = Features> {
        let size = self.position.size();
        self.symmetries.iter().map(move |&symmetry| self.features.turned(symmetry, size))
    }

    /// Evaluations that it asks for.
    pub(super) fn count(&self) -> usize {
        self.symmetries.len()
    }
}

impl Table {
    /// A new game.
    pub(super) fn new(size: Size, labelling: Labelling, mut rng: Rng) -> Self {
        let settings = Settings::draw(size, labelling.thin, &mut rng);
        let komi_half = settings.komi_half;
        let record = Record { size, komi_half, moves: Vec::new(), labels: Vec::new(), unusable: 0 };
        let game = Game::with_rules(size, RULES, settings.komi());
        let extractor = Extractor::default();
        Self { game, extractor, labelling, settings, rng, record, clear: 0 }
    }

    /// What is asked about the present position.
    pub(super) fn question(&mut self) -> Question {
        let position =
            Position::new(&self.game, self.game.to_play(), self.game.komi().hundredths());
        let features = self.extractor.features(&position);
        let wants_label = self.record.moves.len() % self.labelling.thin == self.settings.phase;
        let mut symmetries: Vec<Symmetry> = Symmetry::all(self.game.size()).collect();
        self.rng.shuffle(&mut symmetries);
        symmetries.truncate(if wants_label { self.labelling.orientations } else { 1 });
        Question { position, features, symmetries, wants_label }
    }

    /// Notes the label and makes a move, by evaluations in the order of the question's inputs. Whether
    /// the game is over.
    pub(super) fn answer(&mut self, question: &Question, evaluations: &[Evaluation]) -> bool {
        let Question { position, symmetries, wants_label, .. } = question;
        let evaluations: Vec<_> = symmetries.iter().copied().zip(evaluations).collect();
        let judgement = Judgement::new(position, &evaluations);
        if *wants_label {
            if judgement.is_finite() {
                let label = judgement.label(self.record.moves.len(), position.to_play);
                self.record.labels.push(label);
            } else {
                self.record.unusable += 1;
            }
        }
        let is_clear = judgement.win.min(1.0 - judgement.win) < CLEAR;
        self.clear = if is_clear { self.clear + 1 } else { 0 };
        let chosen = self.choose(position, &judgement);
        self.play(position, chosen);
        self.is_over()
    }

    /// The game with its labels.
    pub(super) fn into_record(self) -> Record {
        self.record
    }

    /// Plays the point of this number; passes if there is none, or if the game forbids it.
    fn play(&mut self, position: &Position, number: usize) {
        let color = position.to_play;
        let points = self.game.size().points();
        let mv = self.game.size().iter_from_top().nth(number).map_or(Move::Pass, Move::Play);
        let is_legal = self.game.play(ColoredMove { color, mv }).is_ok();
        debug_assert!(is_legal, "{mv:?} was chosen");
        if !is_legal {
            // A pass always is.
            let _ = self.game.play(ColoredMove { color, mv: Move::Pass });
        }
        self.record.moves.push(if is_legal { number } else { points } as u16);
    }

    fn is_over(&self) -> bool {
        let Settings { turns_max, clear_turns, .. } = self.settings;
        self.game.is_over()
            || self.record.moves.len() >= turns_max
            || clear_turns.is_some_and(|turns| self.clear >= turns)
    }

    /// The number of the move to make.
    fn choose(&mut self, position: &Position, judgement: &Judgement) -> usize {
        let pass = judgement.moves.len() - 1;
        let is_opening = self.record.moves.len() < self.settings.opening;
        if !is_opening && self.rng.chance(self.settings.blunders) {
            return self.at_random(position).unwrap_or(pass);
        }
        let temperature = if is_opening { OPENING_TEMPERATURE } else { self.settings.temperature };
        let most = judgement.moves.iter().copied().fold(f32::MIN_POSITIVE, f32::max);
        let weight = |(number, &odds): (usize, &f32)| {
            // Nobody passes in the opening; and what is no number is not above 0.
            let is_open = odds > 0.0 && !(is_opening && number == pass);
            if is_open { (odds / most).powf(1.0 / temperature) } else { 0.0 }
        };
        let weights: Vec<f32> = judgement.moves.iter().enumerate().map(weight).collect();
        let mut rest = weights.iter().sum::<f32>() * self.rng.share();
        let chosen = weights.iter().position(|weight| {
            rest -= weight;
            rest < 0.0
        });
        chosen.or_else(|| self.at_random(position)).unwrap_or(pass)
    }

    /// A legal play that fills no eye.
    fn at_random(&mut self, position: &Position) -> Option<usize> {
        let board = &position.boards[0];
        let is_sensible = |point: &Point| {
            position.legal.contains(*point) && !board.is_eyelike(*point, position.to_play)
        };
        let points = position.size().iter_from_top().enumerate();
        let plays: Vec<usize> =
            points.filter(|(_, point)| is_sensible(point)).map(|(number, _)| number).collect();
        plays.get(self.rng.below(plays.len() as u32) as usize).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LABELLING: Labelling = Labelling { thin: 3, orientations: 2 };

    /// Plays a game by evaluations that are made of the number of the turn.
    fn game(size: Size, seed: u64, evaluation: impl Fn(usize) -> Evaluation) -> Record {
        let mut table = Table::new(size, LABELLING, Rng::new(seed));
        for turn in 0.. {
            let question = table.question();
            assert_eq!(question.inputs().count(), question.count());
            let evaluations = vec![evaluation(turn); question.count()];
            if table.answer(&question, &evaluations) {
                break;
            }
        }
        table.into_record()
    }

    fn even(size: Size) -> Evaluation {
        let zeros = vec![0.0; size.points()];
        Evaluation { policy: zeros.clone(), ownership: zeros, ..Evaluation::default() }
    }

    /// Plays the record again: every move has to be legal.
    fn replayed(record: &Record) -> Game {
        let komi = crate::rules::Komi::from_hundredths(50 * i32::from(record.komi_half));
        let mut game = Game::with_rules(record.size, RULES, komi);
        let points: Vec<Point> = record.size.iter_from_top().collect();
        for &number in &record.moves {
            let mv = points.get(usize::from(number)).map_or(Move::Pass, |&p| Move::Play(p));
            game.play(ColoredMove { color: game.to_play(), mv }).expect("a legal move");
        }
        game
    }

    #[test]
    fn games_are_legal_and_labelled_at_their_phase() {
        for (seed, (width, height)) in (1..).zip([(5, 5), (7, 4), (2, 2), (9, 9), (2, 3)]) {
            let size = Size::new(width, height).unwrap();
            let record = game(size, seed, |_| even(size));
            replayed(&record);
            assert!(record.moves.len() <= 2 * size.points() + 20);
            let turns: Vec<u32> = record.labels.iter().map(|label| label.turn).collect();
            assert!(turns.windows(2).all(|pair| pair[1] - pair[0] == 3), "{turns:?}");
            let labelled = record.labels.len();
            assert!(labelled == record.moves.len() / 3 || labelled == record.moves.len() / 3 + 1);
        }
    }

    #[test]
    fn a_clear_result_stops_most_games() {
        let size = Size::square(9).unwrap();
        // The side to move has won, and lost at the next turn: the same side every time.
        let clear = |turn: usize| {
            let win = if turn.is_multiple_of(2) { 9.0 } else { -9.0 };
            Evaluation { value: [win, 0.0, 0.0], pass: -50.0, ..even(size) }
        };
        let lengths: Vec<usize> = (0..40).map(|seed| game(size, seed, clear).moves.len()).collect();
        let stopped = lengths.iter().filter(|&&length| length <= 20).count();
        assert!((15..=38).contains(&stopped), "{lengths:?}");
    }

    #[test]
    fn two_passes_end_a_game() {
        let size = Size::square(5).unwrap();
        let pass = Evaluation { pass: 50.0, ..even(size) };
        let record = (1..1000).map(|seed| game(size, seed, |_| pass.clone())).find(|record| {
            // No opening, no blunders.
            record.moves.len() == 2
        });
        assert!(replayed(&record.unwrap()).is_over());
    }

    #[test]
    fn evaluations_without_sense_are_no_labels() {
        let size = Size::square(5).unwrap();
        for nonsense in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let policy = vec![nonsense; size.points()];
            let value = [nonsense; 3];
            let evaluation = Evaluation { policy, value, pass: nonsense, ..even(size) };
            let record = game(size, 1, |_| evaluation.clone());
            replayed(&record);
            assert!(record.labels.is_empty() && record.unusable > 0);
        }
    }
}
