//! What a session knows: the game, the clock, the engine.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use super::response::Failure;
use super::trials::Trials;
use crate::board::{Color, ColoredMove, Hash, Move, Size};
use crate::engine::{Clock, Engine, Limits, moves_to_share};
use crate::game::{Game, IllegalMove};
use crate::rules::Rules;

/// The part of a session that a command which panics must not change.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The game on the board, trial moves included.
    pub(super) game: Game,
    /// Which of its turns are trial moves.
    pub(super) trials: Trials,
    /// Both clocks.
    pub(super) clock: Clock,
    /// Rules of the session: those of a loaded file last until the next game only.
    pub(super) session_rules: Rules,
    /// Whether the rules were set by a flag or command, and so win over those of a file.
    pub(super) are_rules_chosen: bool,
}

/// A dialogue with one controller.
#[derive(Debug)]
pub struct Session {
    state: State,
    engine: Engine,
    /// Number of turns and hash of the position that our last move made.
    own_move: Option<(usize, Hash)>,
    /// Time that the last move of our own took.
    last_move_time: Duration,
    quit: bool,
}

impl Session {
    /// A session on an empty 19x19 board. `are_rules_chosen` tells that the user named the rules.
    pub fn new(engine: Engine, are_rules_chosen: bool) -> Self {
        let rules = engine.config().rules;
        let komi = engine.config().komi.unwrap_or_else(|| rules.usual_komi(0));
        let game = Game::with_rules(Size::STANDARD, rules, komi);
        let (clock, trials) = (Clock::default(), Trials::default());
        let state = State { game, trials, clock, session_rules: rules, are_rules_chosen };
        Self { state, engine, own_move: None, last_move_time: Duration::ZERO, quit: false }
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    pub(super) fn restore(&mut self, state: State) {
        self.state = state;
    }

    /// The game on the board.
    pub fn game(&self) -> &Game {
        &self.state.game
    }

    pub(super) fn game_mut(&mut self) -> &mut Game {
        &mut self.state.game
    }

    pub(super) fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// The game and the engine that shall judge it.
    pub(super) fn game_and_engine(&mut self) -> (&Game, &mut Engine) {
        (&self.state.game, &mut self.engine)
    }

    pub(super) fn size(&self) -> Size {
        self.state.game.size()
    }

    /// Whether `quit` has been answered.
    pub fn is_quit(&self) -> bool {
        self.quit
    }

    pub(super) fn quit(&mut self) {
        self.quit = true;
    }

    /// Starts a game on an empty board: komi stays, the session's rules return.
    pub(super) fn new_game(&mut self, size: Size) {
        let State { game, session_rules, trials, .. } = &mut self.state;
        *game = Game::with_rules(size, *session_rules, game.komi());
        trials.clear();
        self.engine.new_game();
    }

    /// The game without trial moves.
    pub(super) fn record(&self) -> Cow<'_, Game> {
        let State { game, trials, .. } = &self.state;
        let turns = trials.record(game).len();
        if turns == game.turns().len() {
            return Cow::Borrowed(game);
        }
        let mut record = game.clone();
        record.undo_many(game.turns().len() - turns);
        Cow::Owned(record)
    }

    /// Forgets trial moves that are no longer part of the game.
    pub(super) fn drop_lost_trials(&mut self) {
        self.state.trials.keep_those_of(&self.state.game);
    }

    /// Makes a move of the controller's.
    pub(super) fn play(&mut self, colored_move: ColoredMove) -> Result<(), Failure> {
        let is_lenient = self.engine.config().lenient_superko;
        make_move(&mut self.state.game, colored_move, is_lenient)
    }

    /// Remembers that the position is one after our own move.
    pub(super) fn mark_own_move(&mut self) {
        self.own_move = self.last_position();
    }

    fn last_position(&self) -> Option<(usize, Hash)> {
        let turns = self.game().turns();
        turns.last().map(|turn| (turns.len(), turn.hash))
    }

    /// Searches on the opponent's time if that is wanted and the last move was ours.
    pub(super) fn ponder(&mut self) {
        let is_due = self.engine.config().ponder && self.own_move.is_some();
        if is_due && self.own_move == self.last_position() && !self.game().is_over() {
            self.engine.ponder(&self.state.game);
        }
    }

    /// Time that the last move of our own took.
    pub(super) fn last_move_time(&self) -> Duration {
        self.last_move_time
    }

    /// What the next move of a side may spend.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let game = self.game();
        // A position that was set up is as far on as its stones tell.
        let turn = game.turns().len().max(game.board().stones().count());
        let moves_left = moves_to_share(game.size().points(), turn);
        self.engine.limits(self.state.clock.allot(color, moves_left))
    }

    /// Takes the time of a move from its side's clock, and learns from a search that took longer
    /// than it might.
    pub(super) fn spend(&mut self, color: Color, start: Instant, limits: Limits) {
        let spent = start.elapsed();
        self.last_move_time = spent;
        self.state.clock.spend(color, spent);
        if let Some(overrun) = limits.time_max.or(limits.time).and_then(|t| spent.checked_sub(t)) {
            log::debug!("the search ended {overrun:?} late");
            self.state.clock.observe_overrun(overrun);
        }
    }
}

/// Makes a move on a game; the reason of a refusal goes to the log.
pub(super) fn make_move(
    game: &mut Game,
    colored_move: ColoredMove,
    is_lenient: bool,
) -> Result<(), Failure> {
    let result =
        if is_lenient { game.play_leniently(colored_move) } else { game.play(colored_move) };
    result.map(|_removed| ()).map_err(|reason| refuse(game, colored_move, reason))
}

fn refuse(game: &Game, colored_move: ColoredMove, reason: IllegalMove) -> Failure {
    if let Move::Play(point) = colored_move.mv {
        let vertex = game.size().vertex(point);
        log::warn!(
            "{} {vertex} refused in turn {}: {reason}; the board is {}",
            colored_move.color,
            game.turns().len() + 1,
            game.board().to_diagram().replace('\n', "/"),
        );
    }
    Failure::new("illegal move")
}
