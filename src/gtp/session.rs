//! What a session knows: the game, the clock, the engine.

use super::response::Failure;
use crate::board::{Color, ColoredMove, Move, Size};
use crate::engine::{Clock, Engine, Limits};
use crate::game::{Game, IllegalMove};
use crate::rules::Rules;

/// The part of a session that a command which panics must not change.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// The game on the board.
    pub(super) game: Game,
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
    quit: bool,
}

impl Session {
    /// A session on an empty 19x19 board. `are_rules_chosen` tells that the user named the rules.
    pub fn new(engine: Engine, are_rules_chosen: bool) -> Self {
        let rules = engine.config().rules;
        let komi = engine.config().komi.unwrap_or_else(|| rules.usual_komi(0));
        let game = Game::with_rules(Size::STANDARD, rules, komi);
        let state = State { game, clock: Clock::default(), session_rules: rules, are_rules_chosen };
        Self { state, engine, quit: false }
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
        let State { game, session_rules, .. } = &mut self.state;
        *game = Game::with_rules(size, *session_rules, game.komi());
        self.engine.new_game();
    }

    /// Makes a move of the controller's.
    pub(super) fn play(&mut self, colored_move: ColoredMove) -> Result<(), Failure> {
        let is_lenient = self.engine.config().lenient_superko;
        make_move(&mut self.state.game, colored_move, is_lenient)
    }

    /// What the next move of a side may spend.
    pub(super) fn limits(&self, color: Color) -> Limits {
        let empty = self.game().board().empty_points().count() as u32;
        // About a third of the empty points are still to be played on by each side.
        let moves_left = (empty * 35 / 100).max(10);
        self.engine.limits(self.state.clock.allot(color, moves_left))
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
