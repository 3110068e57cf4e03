//! Random games under every combination of rules, through the library and the referee side by side.
//!
//! A game is a string of random turns: plays, passes, turns out of order, undos, attempts at
//! illegal plays, now and then a change of rules for good. After each of them both implementations
//! have to agree on the verdict on every point for both colors, on stones, captures, passes, the
//! side to move, the end and long cycles. At some moments both count: with a random list of dead
//! chains, under the game's own rules and after a change to others.
//!
//! Rules come in blocks of 864 games. Settings of play and settings of counting are numbered
//! apart, 288 and 432; in one block each of the former meets each way of scoring and each of the
//! latter is counted in two games, and 144 blocks play every combination of all settings once.
//! (A button with territory is no rule set; such games are skipped.) `KEIMA_DIFFERENTIAL_BLOCKS`
//! sets the number of blocks, two by default. A failure prints the block's game, its rules, its
//! start and its turns.

use std::collections::BTreeSet;
use std::fmt::{Debug, Display, Write as _};

use keima::board::{Board, Color, ColoredMove, Move, Point, Size};
use keima::config::Config;
use keima::engine::Engine;
use keima::game::{Game, IllegalMove, Start};
use keima::rng::Rng;
use keima::rules::{
    HandicapBonus, KoRule, Komi, LongCycle, Removal, Rules, Scoring, SekiTest, Suicide, Tax,
};
use libtest_mimic::{Failed, Trial};

use crate::referee::{Position, Referee, Verdict};

/// Games in a block.
const BLOCK: usize = 864;
/// Settings that play depends on.
const PLAY_SETTINGS: usize = 2 * 4 * 3 * 2 * 3 * 2;
/// Settings that only the count depends on.
const COUNT_SETTINGS: usize = 3 * 3 * 2 * 2 * 2 * 2 * 3;
/// Trials, so that the harness can share the games among its threads.
const TRIALS: usize = 4;
const SEED: u64 = 0x1017;

/// What the games of a trial have to come across, or they prove little.
const EVENTS: [&str; 11] = [
    "legal",
    "occupied",
    "suicide",
    "ko",
    "superko",
    "own stones removed",
    "several stones removed",
    "undo",
    "over",
    "void",
    "draw",
];

pub(crate) fn trials() -> Vec<Trial> {
    let blocks = std::env::var("KEIMA_DIFFERENTIAL_BLOCKS").ok();
    let blocks = blocks.and_then(|number| number.parse().ok()).unwrap_or(2);
    let games = blocks * BLOCK;
    let trial = |part| {
        let games = part * games / TRIALS..(part + 1) * games / TRIALS;
        Trial::test(format!("differential::part_{part}"), move || play(games))
    };
    (0..TRIALS).map(trial).collect()
}

/// Takes the lowest digit off a number in mixed radix and gives the value that it selects.
fn digit<T: Copy>(number: &mut usize, values: &[T]) -> T {
    let value = values[*number % values.len()];
    *number /= values.len();
    value
}

/// Rules by the numbers of their settings of play and of counting; `None` if these do not fit.
fn rules(mut play: usize, mut count: usize) -> Option<Rules> {
    let (play, count) = (&mut play, &mut count);
    let flags = [false, true];
    // What is drawn last changes once in a block: whether there is a button, what is scored.
    let rules = Rules {
        ko: digit(
            play,
            &[KoRule::Simple, KoRule::Positional, KoRule::Situational, KoRule::Natural],
        ),
        suicide: digit(play, &[Suicide::None, Suicide::Multi, Suicide::Any]),
        long_cycle: digit(play, &[LongCycle::None, LongCycle::Void, LongCycle::Draw]),
        end_passes: digit(play, &[2, 4]),
        white_last: digit(play, &flags),
        button: digit(play, &flags),
        tax: digit(count, &[Tax::None, Tax::Seki, Tax::All]),
        seki: digit(count, &[SekiTest::Auto, SekiTest::Strict]),
        removal: digit(count, &[Removal::Agreement, Removal::None]),
        first_pass_point: digit(count, &flags),
        pass_stones: digit(count, &flags),
        handicap_bonus: digit(
            count,
            &[HandicapBonus::Zero, HandicapBonus::NMinusOne, HandicapBonus::N],
        ),
        scoring: digit(count, &[Scoring::Area, Scoring::Territory, Scoring::Stone]),
        ..Rules::default()
    };
    (!rules.button || rules.scoring != Scoring::Territory).then_some(rules)
}

/// Plays the games of a trial.
fn play(games: impl Iterator<Item = usize>) -> Result<(), Failed> {
    let mut seen = BTreeSet::new();
    // It only counts here.
    let engine = Engine::new(Config { threads: 1, seed: Some(1), ..Config::default() })?;
    for number in games {
        let shift = number / BLOCK;
        let settings = (number % PLAY_SETTINGS, (number + shift) % COUNT_SETTINGS);
        if let Some(rules) = rules(settings.0, settings.1) {
            let mut rng = Rng::split(SEED, number as u64);
            let mut pair = Pair::new(&mut rng, &engine, rules)
                .map_err(|difference| format!("game {number}: {difference}"))?;
            pair.run(&mut rng).map_err(|difference| {
                let Pair { log, .. } = &pair;
                format!("game {number}: {difference}\n{log}\nrules {rules:?}")
            })?;
            seen.append(&mut pair.seen);
        }
    }
    match EVENTS.iter().find(|event| !seen.contains(*event)) {
        Some(event) => Err(format!("no game shows {event:?}").into()),
        None => Ok(()),
    }
}

/// A game in both implementations.
struct Pair<'a> {
    game: Game,
    referee: Referee,
    engine: &'a Engine,
    /// Which events came up.
    seen: BTreeSet<&'static str>,
    /// What happened, for people.
    log: String,
}

/// Fails with what differs.
#[expect(clippy::needless_pass_by_value, reason = "it reads better where the values are made")]
fn same<T: PartialEq + Debug>(what: impl Display, library: T, referee: T) -> Result<(), String> {
    if library == referee {
        return Ok(());
    }
    Err(format!("{what}: the library has {library:?}, the referee {referee:?}"))
}

/// A size up to 7x7, rarely 9x9; small ones, where much is repeated, are the likeliest.
fn random_size(rng: &mut Rng) -> Size {
    let longest = match rng.below(32) {
        0 => return Size::square(9).expect("a legal size"),
        1..10 => 3,
        10..20 => 4,
        _ => 7,
    };
    let mut side = || 1 + rng.below(longest) as usize;
    Size::new(side(), side()).expect("legal sides")
}

/// A start with handicap stones, with stones of both colors, or empty: stones and handicap.
fn random_start(rng: &mut Rng, size: Size) -> (Vec<(Point, Color)>, usize) {
    let mut points: Vec<Point> = size.iter().collect();
    let (most, colors): (usize, &[Color]) = match rng.below(4) {
        0 => (4, &[Color::Black]),
        1 => (points.len(), &Color::ALL),
        _ => (0, &[]),
    };
    let number = rng.below(1 + most.min(points.len() - 1) as u32);
    let mut stones = Vec::new();
    for _ in 0..number {
        let point = points.swap_remove(rng.below(points.len() as u32) as usize);
        stones.push((point, *pick(rng, colors).expect("there are colors")));
    }
    // One stone is no handicap.
    let handicap = if colors.len() == 1 && number >= 2 { stones.len() } else { 0 };
    (stones, handicap)
}

fn pick<'a, T>(rng: &mut Rng, values: &'a [T]) -> Option<&'a T> {
    values.get(rng.below(values.len() as u32) as usize)
}

/// Rules whose settings fit.
fn random_rules(rng: &mut Rng) -> Rules {
    loop {
        let play = rng.below(PLAY_SETTINGS as u32) as usize;
        if let Some(rules) = rules(play, rng.below(COUNT_SETTINGS as u32) as usize) {
            return rules;
        }
    }
}

impl<'a> Pair<'a> {
    fn new(rng: &mut Rng, engine: &'a Engine, rules: Rules) -> Result<Self, String> {
        let size = random_size(rng);
        let (mut stones, mut handicap) = random_start(rng, size);
        let position = Position::new(size, &stones);
        let board = Board::with_stones(size, stones.iter().copied());
        same("the start is a position", board.is_ok(), position.is_some())?;
        if position.is_none() {
            (stones, handicap) = (Vec::new(), 0);
        }
        let position = position.or_else(|| Position::new(size, &stones)).expect("no stones");
        let board = board.unwrap_or_else(|_| Board::new(size));
        let log = format!("{size} {}:", board.to_diagram().replace('\n', "/"));
        let to_play = if handicap > 0 { Color::White } else { Color::Black };
        let referee = Referee::new(position, to_play, handicap, rules);
        let start = Start { board, to_play, handicap };
        let game = Game::from_start(start, rules, rules.usual_komi(handicap));
        Ok(Self { game, referee, engine, seen: BTreeSet::new(), log })
    }

    fn run(&mut self, rng: &mut Rng) -> Result<(), String> {
        // On the smallest boards everything comes again.
        let points = self.game.size().points();
        let turns = if points <= 9 { 150 } else { 40 + 2 * points };
        // Long cycles need games with few passes, ends of games need many.
        let passes = [0, 10, 20][rng.below(3) as usize];
        let mut legal = self.compare()?;
        for _ in 0..turns {
            match rng.below(100) {
                0..8 => self.undo()?,
                8..16 => {
                    let points: Vec<Point> = self.game.size().iter().collect();
                    let point = *pick(rng, &points).expect("there are points");
                    self.turn(ColoredMove { color: random_color(rng), mv: Move::Play(point) })?;
                }
                16..18 => self.set_rules(random_rules(rng)),
                percent => {
                    let is_in_turn = rng.below(14) > 0;
                    let to_play = self.game.to_play();
                    let color = if is_in_turn { to_play } else { !to_play };
                    let play = pick(rng, &legal[color as usize]).filter(|_| percent >= 18 + passes);
                    let mv = play.map_or(Move::Pass, |&point| Move::Play(point));
                    self.turn(ColoredMove { color, mv })?;
                }
            }
            legal = self.compare()?;
            if rng.below(8) == 0 {
                self.count(rng)?;
            }
        }
        self.count(rng)
    }

    fn set_rules(&mut self, rules: Rules) {
        let _ = write!(self.log, "\n{rules:?}\n");
        self.game.set_rules(rules);
        self.referee.rules = rules;
    }

    /// A turn that may be illegal.
    fn turn(&mut self, turn: ColoredMove) -> Result<(), String> {
        let vertex = match turn.mv {
            Move::Pass => "pass".to_owned(),
            Move::Play(point) => self.game.size().vertex(point).to_string(),
        };
        let _ = write!(self.log, " {} {vertex}", turn.color);
        let before = self.game.clone();
        let removed = self.game.play(turn);
        let verdict = self.referee.play(turn);
        same("the verdict", removed.map_or_else(in_our_words, |_| Verdict::Legal), verdict)?;
        match removed {
            Err(_) if self.game != before => Err("an illegal turn changes something".to_owned()),
            Err(_) => Ok(()),
            Ok(removed) => {
                let stones = self.referee.last_removed();
                if stones.len() > 1 {
                    self.seen.insert("several stones removed");
                }
                if stones.iter().any(|&(_, stone)| stone == turn.color) {
                    self.seen.insert("own stones removed");
                }
                let of = |color| stones.iter().filter(|&&(_, stone)| stone == color).count();
                same("stones taken", removed.captured, of(!turn.color))?;
                same("own stones removed", removed.suicided, of(turn.color))
            }
        }
    }

    fn undo(&mut self) -> Result<(), String> {
        self.log += " undo";
        let is_undone = self.referee.undo();
        self.seen.extend(is_undone.then_some("undo"));
        same("undo succeeds", self.game.undo().is_some(), is_undone)
    }

    /// Compares all but the count; gives the legal plays of both colors.
    fn compare(&mut self) -> Result<[Vec<Point>; 2], String> {
        let Self { game, referee, seen, .. } = self;
        let mut legal = [Vec::new(), Vec::new()];
        for point in game.size().iter() {
            let vertex = game.size().vertex(point);
            same(vertex, game.board().stone(point), referee.position().stone(point))?;
            for color in Color::ALL {
                let found = game.check_play(point, color);
                let found = found.map_or_else(in_our_words, |_| Verdict::Legal);
                let expected = referee.verdict(point, color);
                same(format_args!("{color} {vertex}"), found, expected)?;
                seen.insert(expected.word());
                if expected == Verdict::Legal {
                    legal[color as usize].push(point);
                }
            }
        }
        for color in Color::ALL {
            let found: Vec<Point> = game.legal_points(color).iter().collect();
            same("legal points", &found, &legal[color as usize])?;
            same("lost", game.history().lost()[color], referee.lost(color))?;
            same("captures", game.captures()[color], referee.lost(!color))?;
            same("passes", game.history().passes()[color], referee.passes(color))?;
        }
        let first_pass = game.history().first_pass().map(|(color, _)| color);
        same("the first pass", first_pass, referee.first_passer())?;
        same("to play", game.to_play(), referee.to_play())?;
        same("the long cycle", game.long_cycle(), referee.long_cycle())?;
        same("the end", game.is_over(), referee.is_over())?;
        seen.extend(referee.is_over().then_some("over"));
        seen.extend(match referee.long_cycle() {
            LongCycle::None => None,
            LongCycle::Void => Some("void"),
            LongCycle::Draw => Some("draw"),
        });
        Ok(legal)
    }

    /// Compares scores: with random dead chains, under the rules in force and under others.
    fn count(&self, rng: &mut Rng) -> Result<(), String> {
        let dead_share = 10 * rng.below(10);
        let mut dead = Vec::new();
        for (_, chain) in self.referee.position().chains() {
            if rng.below(100) < dead_share {
                // Any stone stands for its chain.
                dead.extend(pick(rng, &chain));
            }
        }
        let mut referee = self.referee.clone();
        let mut game = self.game.clone();
        self.count_with(&game, &referee, &dead)?;
        for _ in 0..4 {
            referee.rules = random_rules(rng);
            referee.komi = 25 * (rng.below(120) as i32 - 40);
            game.set_rules(referee.rules);
            game.set_komi(Komi::from_hundredths(referee.komi));
            self.count_with(&game, &referee, &dead)?;
        }
        Ok(())
    }

    fn count_with(&self, game: &Game, referee: &Referee, dead: &[Point]) -> Result<(), String> {
        let score = self.engine.score_with(game, &dead.iter().copied().collect());
        same("the score", score.to_string(), referee.score(dead)).map_err(|difference| {
            let vertex = |&point: &Point| game.size().vertex(point).to_string();
            let dead: Vec<String> = dead.iter().map(vertex).collect();
            format!("{difference}; dead {dead:?}, komi {}, {:?}", game.komi(), game.rules())
        })
    }
}

/// A color by the toss of a coin.
fn random_color(rng: &mut Rng) -> Color {
    if rng.below(2) == 0 { Color::Black } else { Color::White }
}

fn in_our_words(reason: IllegalMove) -> Verdict {
    match reason {
        IllegalMove::Occupied => Verdict::Occupied,
        IllegalMove::Suicide => Verdict::Suicide,
        IllegalMove::Ko => Verdict::Ko,
        IllegalMove::Superko => Verdict::Superko,
    }
}
