//! What a session knows: the game, the clock, the engine, the controller.

use std::borrow::Cow;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;

use super::CLIENT_LOG;
use super::client::{ClientChoice, Profile, Recognizer};
use super::line::Line;
use super::record::Record;
use super::response::Failure;
use super::trials::Trials;
use crate::analysis;
use crate::board::{Color, ColoredMove, Hash, Move, Size};
use crate::config::Config;
use crate::engine::{Clock, Decision, Engine, Limits, Report, moves_to_share};
use crate::game::{Game, IllegalMove};
use crate::rules::{Komi, Rules};

/// What the user chose for the dialogue; what concerns play is in the engine's settings.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Whether the rules were named, and so win over those of files and clients.
    pub are_rules_chosen: bool,
    /// Who the controller is.
    pub client: ClientChoice,
    /// What `name` answers, if not the name of the program.
    pub name: Option<String>,
    /// Whether `kgs-chat` is listed: kgsGtp 3.5.20 and later crash if it is (gtp.md 3.18).
    pub lists_chat: bool,
    /// Whether `gogui-rules_*` are listed: GoGui takes its board, the size of it included, from a
    /// program that lists them when it attaches one.
    pub lists_referee: bool,
}

/// What a session knows of the game.
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
    /// Komi of the session; that of a loaded file lasts as long as its rules.
    pub(super) session_komi: Komi,
    /// Whether the rules were set by a flag or command, and so win over those of a file.
    pub(super) are_rules_chosen: bool,
}

/// Everything that a command which panics must not change.
#[derive(Clone, Debug)]
pub(super) struct Snapshot {
    state: State,
    config: Config,
    seed: u64,
    own_move: Option<(usize, Hash)>,
}

/// A dialogue with one controller.
#[derive(Debug)]
pub struct Session {
    state: State,
    engine: Engine,
    options: Options,
    client: Recognizer,
    record: Record,
    /// Number of turns and hash of the position that our last move made.
    own_move: Option<(usize, Hash)>,
    /// Processor time of all moves that were generated.
    cpu_time: Duration,
    /// Time that the last move of our own took.
    last_move_time: Duration,
    quit: bool,
}

/// The time since a move was asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stopwatch {
    wall: Instant,
    cpu: Option<ProcessTime>,
}

impl Stopwatch {
    /// Starts now.
    pub(super) fn start() -> Self {
        Self { wall: Instant::now(), cpu: ProcessTime::try_now().ok() }
    }
}

impl Session {
    /// A session on an empty 19x19 board.
    pub fn new(engine: Engine, options: Options) -> Self {
        let rules = engine.config().rules;
        let komi = engine.config().komi.unwrap_or_else(|| rules.usual_komi(0));
        let game = Game::with_rules(Size::STANDARD, rules, komi);
        let state = State {
            game,
            trials: Trials::default(),
            clock: Clock::default(),
            session_rules: rules,
            session_komi: komi,
            are_rules_chosen: options.are_rules_chosen,
        };
        let client = Recognizer::new(options.client);
        let mut session = Self {
            state,
            engine,
            options,
            client,
            record: Record::default(),
            own_move: None,
            cpu_time: Duration::ZERO,
            last_move_time: Duration::ZERO,
            quit: false,
        };
        session.follow_profile();
        session
    }

    /// What the user chose for the dialogue.
    pub(super) fn options(&self) -> &Options {
        &self.options
    }

    /// What the program calls itself here.
    pub(super) fn name(&self) -> &str {
        self.options.name.as_deref().unwrap_or(env!("CARGO_PKG_NAME"))
    }

    /// Learns from a command who the controller is.
    pub(super) fn notice(&mut self, line: &Line) {
        if self.client.notice(line) {
            self.follow_profile();
        }
    }

    /// Who the controller is, according to the user.
    pub(super) fn client_choice(&self) -> ClientChoice {
        self.client.choice()
    }

    /// Lets the user say who the controller is.
    pub(super) fn choose_client(&mut self, choice: ClientChoice) {
        if self.client.choose(choice) {
            self.follow_profile();
        }
    }

    /// The defaults for the controller.
    pub(super) fn profile(&self) -> &'static Profile {
        self.client.profile()
    }

    /// Puts the defaults for the controller in force.
    fn follow_profile(&mut self) {
        let profile = self.client.profile();
        self.state.clock.keep(profile.reserve);
        self.engine.config_mut().resign_after = profile.resign_after;
        if self.state.are_rules_chosen {
            return;
        }
        let rules = profile.rules().unwrap_or(self.engine.config().rules);
        let before = std::mem::replace(&mut self.state.session_rules, rules);
        // Those of a loaded file stay.
        if *self.state.game.rules() == before {
            self.state.game.set_rules(rules);
        }
    }

    /// What is known of the game beside its moves.
    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    pub(super) fn record_mut(&mut self) -> &mut Record {
        &mut self.record
    }

    pub(super) fn state(&self) -> &State {
        &self.state
    }

    pub(super) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// The session as it is now.
    pub(super) fn snapshot(&self) -> Snapshot {
        let Self { state, engine, own_move, .. } = self;
        let (config, seed) = (engine.config().clone(), engine.seed());
        Snapshot { state: state.clone(), config, seed, own_move: *own_move }
    }

    /// Returns to a snapshot after a panic, which may have left the engine's own state half done.
    pub(super) fn restore(&mut self, snapshot: Snapshot) {
        let Snapshot { state, config, seed, own_move } = snapshot;
        (self.state, self.own_move) = (state, own_move);
        if let Err(error) = self.engine.configure(config) {
            log::error!("{error}");
        }
        self.engine.resume_seed(seed);
        self.engine.recover();
    }

    /// Sets komi for this game and those to come.
    pub(super) fn set_komi(&mut self, komi: Komi) {
        self.state.session_komi = komi;
        self.state.game.set_komi(komi);
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

    /// Starts a game on an empty board, with the session's rules and komi.
    pub(super) fn new_game(&mut self, size: Size) {
        let State { game, session_rules, session_komi, trials, .. } = &mut self.state;
        *game = Game::with_rules(size, *session_rules, *session_komi);
        trials.clear();
        self.engine.new_game();
        self.record.new_game();
    }

    /// Starts a game on an empty board of the same size, with full clocks.
    pub(super) fn restart(&mut self) {
        self.new_game(self.size());
        self.state.clock.refill();
    }

    /// The game without trial moves.
    pub(super) fn played_game(&self) -> Cow<'_, Game> {
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
        self.record.mark_move(&self.state.game);
    }

    /// Remembers what a search of the present position found and what comes of it, and tells
    /// controllers that read about it on stderr.
    pub(super) fn remember(&mut self, report: Report, decision: Decision) {
        if self.profile().summary {
            for line in analysis::lz_summary(&report, self.size()) {
                log::info!(target: CLIENT_LOG, "{line}");
            }
        }
        self.record.decide(&self.state.game, report, decision);
    }

    /// Remembers what a search of the present position found that leads to no move.
    pub(super) fn remember_analysis(&mut self, report: Report) {
        self.record.search(&self.state.game, report);
    }

    /// The last search if it was of the present position, or of the one before a move that its
    /// side has made since.
    pub(super) fn last_search(&self) -> Option<(&Report, Option<Move>)> {
        self.record.last_search(&self.state.game)
    }

    /// Searches no more on the opponent's time before the next move of our own.
    pub(super) fn stop_pondering(&mut self) {
        self.own_move = None;
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

    /// Processor time of all moves that were generated, by all threads.
    pub(super) fn cpu_time(&self) -> Duration {
        self.cpu_time
    }

    /// Takes the time of a move from its side's clock, and learns from a search that took longer
    /// than it might.
    pub(super) fn spend(&mut self, color: Color, start: Stopwatch, limits: Limits) {
        let spent = start.wall.elapsed();
        self.cpu_time += start.cpu.map(|cpu| cpu.elapsed()).unwrap_or_default();
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
