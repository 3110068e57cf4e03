//! Whole games of the engine against itself under every preset, refereed by the second
//! implementation: every move is legal, every game ends, both count the same.
//!
//! Small boards and few playouts make for wild games: much is captured, recaptured and repeated.
//! `KEIMA_SELFPLAY_GAMES` sets the number of games for each preset and has a summary printed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use keima::board::{Color, ColoredMove, Move, Point, Size};
use keima::config::Config;
use keima::engine::{Decision, Engine, Request};
use keima::game::{Game, star_points};
use keima::rng::{Rng, mix};
use keima::rules::{PRESETS, Placement, Preset};
use libtest_mimic::{Failed, Trial};

use crate::referee::{Position, Referee, Verdict};

/// Games for each preset where nothing else is asked for.
const GAMES: u64 = 6;
/// A game may have this many turns for each point of its board.
const TURNS_A_POINT: usize = 4;
/// Columns and rows. The small boards come more often, they are fast.
const SIZES: [(usize, usize); 8] = [(5, 5), (6, 6), (7, 7), (5, 5), (6, 5), (5, 7), (8, 8), (9, 9)];

/// One trial a preset.
pub(crate) fn trials() -> Vec<Trial> {
    let games = std::env::var("KEIMA_SELFPLAY_GAMES").ok().and_then(|text| text.parse().ok());
    let trial = |preset: &'static Preset| {
        Trial::test(format!("selfplay::{}", preset.name), move || check(preset, games))
    };
    PRESETS.iter().map(trial).collect()
}

#[expect(clippy::print_stdout, reason = "the summary that was asked for")]
fn check(preset: &Preset, games: Option<u64>) -> Result<(), Failed> {
    let mut summary = Summary::default();
    for number in 0..games.unwrap_or(GAMES) {
        let mut one = Match::new(preset, number)?;
        match one.play() {
            Ok(result) => summary.add(&one, &result),
            Err(error) => {
                let Match { log, .. } = &one;
                return Err(format!("{} game {number}: {error}\n{log}", preset.name).into());
            }
        }
    }
    if games.is_some() {
        println!("{}: {summary:?}", preset.name);
    }
    Ok(())
}

/// What happened in the games of a preset.
#[derive(Debug, Default)]
struct Summary {
    games: usize,
    turns: usize,
    /// The longest game in turns for each point of its board.
    longest: f64,
    /// Games won by each side, drawn and without a result.
    results: BTreeMap<char, usize>,
}

impl Summary {
    fn add(&mut self, game: &Match, result: &str) {
        let turns = game.game.turns().len();
        self.games += 1;
        self.turns += turns;
        self.longest = self.longest.max(turns as f64 / game.game.size().points() as f64);
        *self.results.entry(result.chars().next().unwrap_or('?')).or_default() += 1;
    }
}

/// A game of the engine against itself.
struct Match {
    engine: Engine,
    game: Game,
    referee: Referee,
    /// Size and turns, for people.
    log: String,
}

impl Match {
    fn new(preset: &Preset, number: u64) -> Result<Self, Failed> {
        // Equal seeds would give equal games wherever the settings make no difference.
        let row = PRESETS.iter().position(|row| row.name == preset.name).unwrap_or_default();
        let seed = mix(row as u64, number);
        let mut rng = Rng::new(seed);
        let (width, height) = SIZES[number as usize % SIZES.len()];
        let size = Size::new(width, height).ok_or("no such size")?;
        let playouts = 20 + u64::from(rng.below(81));
        let config = Config {
            threads: 2,
            seed: Some(seed),
            playouts: Some(playouts),
            // The games shall come to their ends.
            allow_resign: false,
            ..Config::default()
        };
        let rules = preset.rules;
        let mut game = Game::with_rules(size, rules, rules.komi);
        let mut stones = Vec::new();
        // Some games are handicap games.
        if number % 4 == 2
            && let Some(points) = star_points(size, 2, Placement::Fixed)
        {
            game.place_handicap(&points)?;
            game.set_komi(rules.komi_handicap);
            stones = points.into_iter().map(|point| (point, Color::Black)).collect();
        }
        let position = Position::new(size, &stones).ok_or("a start without liberties")?;
        let referee = Referee::new(position, game.to_play(), stones.len(), rules);
        let log = format!("{size}, {} handicap stones, {playouts} playouts:", stones.len());
        Ok(Self { engine: Engine::new(config)?, game, referee, log })
    }

    /// Plays to the end; the result.
    fn play(&mut self) -> Result<String, String> {
        let most = TURNS_A_POINT * self.game.size().points();
        while !self.referee.is_over() {
            self.turn()?;
            if self.game.turns().len() > most {
                return Err("the game does not end".to_owned());
            }
        }
        let dead: Vec<Point> = self.engine.final_status(&self.game).dead().iter().collect();
        let score = self.engine.final_score(&self.game).to_string();
        let counted = self.referee.score(&dead);
        if score != counted {
            return Err(format!("the engine counts {score}, the referee {counted}; dead {dead:?}"));
        }
        Ok(self.referee.result(&dead))
    }

    fn turn(&mut self) -> Result<(), String> {
        let color = self.referee.to_play();
        let limits = self.engine.limits(None);
        let (decision, _) = self.engine.genmove(&self.game, Request::new(color, limits));
        let Decision::Move(mv) = decision else { return Err("it resigns".to_owned()) };
        let vertex = match mv {
            Move::Pass => "pass".to_owned(),
            Move::Play(point) => self.game.size().vertex(point).to_string(),
        };
        let _ = write!(self.log, " {color} {vertex}");
        let turn = ColoredMove { color, mv };
        match self.referee.play(turn) {
            Verdict::Legal => {}
            verdict => return Err(format!("an illegal move: {verdict:?}")),
        }
        self.game.play(turn).map_err(|error| format!("the library refuses: {error}"))?;
        if self.game.is_over() != self.referee.is_over() {
            return Err("one says that the game is over, the other not".to_owned());
        }
        Ok(())
    }
}
