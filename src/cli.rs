//! Flags and subcommands: from the command line to a [`Config`] and to what the process does.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::{Args, Parser, Subcommand, ValueEnum};

use crate::bench::{self, Plan};
use crate::board::{Board, Color, ColoredMove, Move, Size, Suicide};
use crate::config::{Config, Player};
use crate::engine::{Engine, StopFlag};
use crate::game::{Game, Start};
use crate::gtp::{self, CLIENT_LOG, ClientChoice, Event, Journal, Options, Recording, Session};
use crate::rules::{KoRule, Komi, PRESETS, Rules, preset};
use crate::search::{SearchParams, features};

/// keima, a Go engine that speaks GTP.
///
/// Without a subcommand it answers GTP commands on standard input; `help` lists them. Sabaki,
/// GoGui and match tools start it with no arguments.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    flags: Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Args)]
struct Flags {
    /// Threads of the search, up to 1024; 0 means one a core
    #[arg(long, value_name = "N", default_value_t = 0, global = true, value_parser = threads)]
    threads: usize,
    /// Seed of all random numbers; without it each game gets another one and logs it
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Playouts a move, instead of what the clock allots
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Seconds a move, instead of what the clock allots [without clock or budget: 5]
    #[arg(long, value_name = "S", value_parser = seconds)]
    time_per_move: Option<Duration>,
    /// Rule set, by name or alias
    #[arg(long, value_name = "NAME", value_parser = rules_by_name)]
    rules: Option<Rules>,
    /// Komi; without it that of the rules
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = komi)]
    komi: Option<Komi>,
    /// Who chooses the moves
    #[arg(long, value_enum, default_value_t = PlayerArg::Tree)]
    player: PlayerArg,
    /// Memory of the search tree in MiB, 2 to 1000000
    #[arg(long, value_name = "MB", default_value_t = 512, value_parser = memory)]
    memory: usize,
    /// Set tunables of the search: a JSON object of names and numbers
    #[arg(long, value_name = "F", global = true)]
    params: Option<PathBuf>,
    /// Play lost games to the end
    #[arg(long)]
    no_resign: bool,
    /// Search on the opponent's time as well
    #[arg(long)]
    ponder: bool,
    /// Let `play` repeat positions that superko forbids, where a server decides
    #[arg(long)]
    lenient_superko: bool,
    #[command(flatten)]
    dialogue: DialogueFlags,
    /// Write the log to this file, not to stderr
    #[arg(long, value_name = "F", global = true)]
    log_file: Option<PathBuf>,
    /// Add all that is read and answered to this file
    #[arg(long, value_name = "F")]
    journal: Option<PathBuf>,
    /// Run the sessions of a journal again, with their flags, and compare the answers
    #[arg(long, value_name = "F", exclusive = true)]
    replay: Option<PathBuf>,
}

/// What concerns the controller, not play.
#[derive(Debug, Args)]
struct DialogueFlags {
    /// Who the controller is, which only chooses defaults: auto (by what it sends), plain, gogui,
    /// kgs, cgos, ogs, lizzie
    #[arg(long, value_name = "NAME", default_value_t)]
    client: ClientChoice,
    /// What the command `name` answers, for controllers that go by it
    #[arg(long, value_name = "NAME", value_parser = gtp_name)]
    gtp_name: Option<String>,
    /// List the command kgs-chat, on which kgsGtp 3.5.20 and later crash
    #[arg(long)]
    kgs_chat: bool,
    /// List gogui-rules_*, so that GoGui takes keima as its referee and its board size from keima
    #[arg(long)]
    referee: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PlayerArg {
    /// A random legal move
    Random,
    /// Every root move scored by light playouts
    Flat,
    /// Tree search with informed playouts
    Tree,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer GTP commands on standard input (the default)
    Gtp,
    /// Measure playouts per second and print the build's signature
    Bench {
        /// Print JSON
        #[arg(long)]
        json: bool,
        /// Print the signature only; it is that of the default parameters
        #[arg(long, conflicts_with_all = ["json", "only", "size"])]
        signature: bool,
        /// Runs of which each figure is the median
        #[arg(long, value_name = "N", default_value_t = 5, value_parser = repeats)]
        repeats: usize,
        /// Measure only these, and print no signature
        #[arg(long, value_name = "KIND", value_enum, value_delimiter = ',')]
        only: Vec<bench::Kind>,
        /// Measure on this board only, and print no signature
        #[arg(long, value_name = "SIDE", value_parser = ["9", "13", "19"])]
        size: Option<String>,
    },
    /// Count sequences of moves by length, to check rules
    Perft(PerftFlags),
    /// Read games, write the features of their moves (for scripts/train-priors, which explains both)
    #[command(hide = true)]
    Features {
        /// Positions that are skipped between two that are written
        #[arg(long, value_name = "N", default_value_t = 0)]
        skip: usize,
    },
}

#[derive(Debug, Args)]
struct PerftFlags {
    /// Columns and rows
    #[arg(long, value_name = "WxH", value_parser = size)]
    size: Size,
    /// Repetition rule
    #[arg(long, value_enum, default_value_t = KoArg::Positional)]
    ko: KoArg,
    /// Self-capture rule
    #[arg(long, value_enum, default_value_t = SuicideArg::None)]
    suicide: SuicideArg,
    /// Count passes as turns; two in a row complete a game
    #[arg(long)]
    passes: bool,
    /// Start position: rows from the top, `.` empty, `X` Black, `O` White, split by `/`
    #[arg(long, value_name = "ROWS")]
    setup: Option<String>,
    /// Side to move first
    #[arg(long, value_name = "B|W", default_value = "B", value_parser = color)]
    first: Color,
    /// Longest sequences to count
    #[arg(long, value_name = "D")]
    depth: usize,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum KoArg {
    Simple,
    Positional,
    Situational,
    Natural,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum SuicideArg {
    None,
    Multi,
    Any,
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| *threads <= 1024);
    threads.ok_or_else(|| "must be a whole number from 0 to 1024".to_owned())
}

fn memory(text: &str) -> Result<usize, String> {
    let memory = text.parse().ok().filter(|memory| (2..=1_000_000).contains(memory));
    memory.ok_or_else(|| "must be a whole number from 2 to 1000000".to_owned())
}

fn repeats(text: &str) -> Result<usize, String> {
    let repeats = text.parse().ok().filter(|repeats| (1..=1000).contains(repeats));
    repeats.ok_or_else(|| "must be a whole number from 1 to 1000".to_owned())
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_error| "not a number".to_owned())?;
    if !(seconds > 0.0 && seconds <= 1e6) {
        return Err("must be above 0 and at most 1000000".to_owned());
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn komi(text: &str) -> Result<Komi, String> {
    let points = text.replace(',', ".").parse().ok().and_then(Komi::from_points);
    points.ok_or_else(|| "not a number".to_owned())
}

/// One line of something: it becomes part of a response.
fn gtp_name(text: &str) -> Result<String, String> {
    let is_plain = !text.trim().is_empty() && !text.contains(char::is_control);
    is_plain.then(|| text.to_owned()).ok_or_else(|| "must be a line of text".to_owned())
}

fn rules_by_name(text: &str) -> Result<Rules, String> {
    let names = || PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    preset(text).map(|preset| preset.rules).ok_or_else(|| format!("known are {}", names()))
}

fn size(text: &str) -> Result<Size, String> {
    let sides = text.split_once(['x', 'X']).ok_or("write it as 9x9")?;
    let parse = |side: &str| side.parse::<usize>().map_err(|_error| "write it as 9x9");
    Size::new(parse(sides.0)?, parse(sides.1)?).ok_or_else(|| "sides are 1 to 25".to_owned())
}

fn color(text: &str) -> Result<Color, String> {
    match text.to_ascii_lowercase().as_str() {
        "b" | "black" => Ok(Color::Black),
        "w" | "white" => Ok(Color::White),
        _ => Err("B or W".to_owned()),
    }
}

impl Cli {
    /// Reads the command line of the process; a mistake in it ends the process with a message.
    pub fn from_command_line() -> Self {
        Self::parse_from(without_gtp(std::env::args_os()))
    }

    /// Where the log goes, if not to stderr.
    pub fn log_file(&self) -> Option<&PathBuf> {
        self.flags.log_file.as_ref()
    }

    /// Does what the command line asks for.
    ///
    /// # Errors
    /// One that tells a person what went wrong.
    pub fn run(self) -> anyhow::Result<()> {
        if let Some(journal) = &self.flags.replay {
            return replay(journal);
        }
        match self.command {
            None | Some(Command::Gtp) => speak_gtp(&self.flags, io::stdin()),
            Some(Command::Bench { signature: true, .. }) => print_signature(),
            Some(Command::Bench { json, repeats, only, size, .. }) => {
                let plan = Plan {
                    threads: self.flags.threads,
                    repeats,
                    kinds: only,
                    side: size.and_then(|side| side.parse().ok()),
                    params: self.flags.search_params()?,
                };
                run_bench(&plan, json)
            }
            Some(Command::Perft(flags)) => run_perft(&flags),
            Some(Command::Features { skip }) => write_features(skip),
        }
    }
}

/// A command line without `gtp` behind the name of the program: it is what happens anyway, and left
/// out all flags may follow it.
fn without_gtp(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    args.enumerate().filter(|(i, arg)| *i != 1 || arg != "gtp").map(|(_, arg)| arg)
}

impl Flags {
    fn config(&self) -> anyhow::Result<Config> {
        Ok(Config {
            threads: self.threads,
            seed: self.seed,
            playouts: self.playouts,
            time_per_move: self.time_per_move,
            rules: self.rules.unwrap_or_default(),
            komi: self.komi,
            player: match self.player {
                PlayerArg::Random => Player::Random,
                PlayerArg::Flat => Player::Flat,
                PlayerArg::Tree => Player::Tree,
            },
            memory: self.memory,
            params: self.search_params()?,
            allow_resign: !self.no_resign,
            ponder: self.ponder,
            lenient_superko: self.lenient_superko,
            ..Config::default()
        })
    }

    fn options(&self) -> Options {
        let DialogueFlags { client, gtp_name, kgs_chat, referee } = &self.dialogue;
        Options {
            are_rules_chosen: self.rules.is_some(),
            client: *client,
            name: gtp_name.clone(),
            lists_chat: *kgs_chat,
            lists_referee: *referee,
        }
    }

    fn search_params(&self) -> anyhow::Result<SearchParams> {
        Ok(self.params.as_deref().map(read_params).transpose()?.unwrap_or_default())
    }
}

/// Reads the file of `--params`. A name that occurs twice gets its last value.
fn read_params(file: &Path) -> anyhow::Result<SearchParams> {
    let context = || format!("--params {}", file.display());
    let text = std::fs::read_to_string(file).with_context(context)?;
    let values: serde_json::Map<String, serde_json::Value> =
        serde_json::from_str(&text).with_context(context)?;
    let mut params = SearchParams::default();
    for (name, value) in &values {
        let Some(number) = value.as_f64() else { bail!("{}: {name} is not a number", context()) };
        params.set(name, number as f32).with_context(context)?;
    }
    Ok(params)
}

fn speak_gtp(flags: &Flags, stdin: io::Stdin) -> anyhow::Result<()> {
    let engine = Engine::new(flags.config()?)?;
    let (stop, repeatable) = (engine.stop_flag(), engine.repeatable());
    let journal = flags.journal.as_deref().map(|path| open_journal(path, engine.seed()));
    let journal = journal.transpose()?;
    let mut input: Box<dyn BufRead + Send> = Box::new(io::BufReader::new(stdin));
    let mut output: Box<dyn Write> = Box::new(io::stdout().lock());
    if let Some(journal) = &journal {
        input = Box::new(journal.input(input));
        output = Box::new(journal.output(output, repeatable));
    }
    let (sender, events) = gtp::spawn(input, stop.clone())?;
    watch_signals(sender, stop, journal)?;
    // A client may wait for this before it sends anything.
    log::info!(target: CLIENT_LOG, "keima: GTP ready");
    let mut session = Session::new(engine, flags.options());
    gtp::run(&mut session, &events, &mut output)?;
    Ok(())
}

fn open_journal(path: &Path, seed: u64) -> anyhow::Result<Journal> {
    let flags = std::env::args_os().skip(1).map(|flag| flag.to_string_lossy().into_owned());
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let start = gtp::Start { version, flags: flags.collect(), seed };
    Journal::open(path, start).with_context(|| format!("--journal {}", path.display()))
}

/// Runs the sessions of a journal again; answers that differ are an error.
fn replay(path: &Path) -> anyhow::Result<()> {
    let context = || format!("--replay {}", path.display());
    let mut differences = 0;
    for recording in Recording::read(path).with_context(context)? {
        let gtp::Start { version, flags, seed } = &recording.start;
        let name = "keima".to_owned();
        let args = std::iter::once(&name).chain(flags).map(OsString::from);
        let cli = Cli::try_parse_from(without_gtp(args)).map_err(|error| {
            let reason = error.to_string();
            let reason = reason.lines().next().unwrap_or_default();
            anyhow!("{}: the flags of line {}: {reason}", context(), recording.line)
        })?;
        let mut config = cli.flags.config()?;
        let fixed_seed = config.seed.replace(*seed);
        let mut engine = Engine::new(config)?;
        engine.config_mut().seed = fixed_seed;
        let session = Session::new(engine, cli.flags.options());
        let outcome = gtp::replay(&recording, session)?;
        differences += outcome.differences.len();
        let line = recording.line;
        writeln!(io::stdout(), "session of line {line}: keima {version}, seed {seed}\n{outcome}")?;
    }
    if differences > 0 {
        bail!("{}: answers that differ: {differences}", context());
    }
    Ok(())
}

/// SIGINT ends a search early, as `# interrupt` does; without a search, or with SIGTERM, the
/// session ends.
fn watch_signals(
    sender: gtp::EventSender,
    stop: StopFlag,
    journal: Option<Journal>,
) -> io::Result<()> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
    let watch = move || {
        for signal in signals.forever() {
            if let Some(journal) = &journal {
                journal.signal(if signal == SIGTERM { "TERM" } else { "INT" });
            }
            let was_searching = stop.stop_after(Duration::ZERO);
            // GoGui interrupts by SIGINT; a person at a terminal wants to get out.
            if signal == SIGTERM || (!was_searching && io::IsTerminal::is_terminal(&io::stdin())) {
                // The session may be gone already.
                sender.send(Event::End);
            }
        }
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(watch)?;
    Ok(())
}

fn print_signature() -> anyhow::Result<()> {
    writeln!(io::stdout().lock(), "{}", bench::signature()?)?;
    Ok(())
}

fn run_bench(plan: &Plan, json: bool) -> anyhow::Result<()> {
    let figures = bench::measure(plan)?;
    let mut out = io::stdout().lock();
    if json {
        writeln!(out, "{}", serde_json::to_string(&figures)?)?;
        return Ok(());
    }
    let repeats = plan.repeats;
    writeln!(out, "playouts a second from the empty board, median of {repeats}; komi 6.5")?;
    write!(out, "{figures}")?;
    Ok(())
}

fn run_perft(flags: &PerftFlags) -> anyhow::Result<()> {
    let board = match &flags.setup {
        None => Board::new(flags.size),
        Some(rows) => Board::from_diagram(rows).context("--setup")?,
    };
    if board.size() != flags.size {
        bail!("--setup is {}, --size {}", board.size(), flags.size);
    }
    let ko = match flags.ko {
        KoArg::Simple => KoRule::Simple,
        KoArg::Positional => KoRule::Positional,
        KoArg::Situational => KoRule::Situational,
        KoArg::Natural => KoRule::Natural,
    };
    let suicide = match flags.suicide {
        SuicideArg::None => Suicide::None,
        SuicideArg::Multi => Suicide::Multi,
        SuicideArg::Any => Suicide::Any,
    };
    let rules = Rules { ko, suicide, ..Rules::default() };
    let start = Start { board, to_play: flags.first, handicap: 0 };
    let game = Game::from_start(start, rules, Komi::default());
    let mut out = io::stdout().lock();
    for depth in 0..=flags.depth {
        writeln!(out, "{depth} {}", game.perft(depth, flags.passes))?;
        out.flush()?;
    }
    Ok(())
}

/// For each line `SIDE MOVE...` of standard input, a game, writes the features of every `skip + 1`-th
/// position. Moves are numbered row by row from the upper left corner, a pass comes after the last
/// point. Numbers of 32 bits, little-endian: the position's turn, how many moves; for each move its
/// number, how many features, the features.
fn write_features(skip: usize) -> anyhow::Result<()> {
    let mut out = io::BufWriter::new(io::stdout().lock());
    let mut write = |number: usize| out.write_all(&(number as u32).to_le_bytes());
    for (game_number, line) in io::stdin().lock().lines().enumerate() {
        let line = line?;
        let numbers: Vec<usize> =
            line.split(' ').map(str::parse).collect::<Result<_, _>>().context("a move")?;
        let [side, moves @ ..] = &numbers[..] else { bail!("an empty line") };
        let size = Size::square(*side).context("a board size")?;
        let points: Vec<_> = size.iter_from_top().collect();
        let mut game = Game::new(size);
        for (turn, &number) in moves.iter().enumerate() {
            if (turn + game_number).is_multiple_of(skip + 1) {
                let list = features::of_game(&game);
                write(turn)?;
                write(list.len())?;
                for (mv, features) in list {
                    write(match mv {
                        Move::Pass => points.len(),
                        Move::Play(point) => {
                            points.iter().position(|&p| p == point).unwrap_or(points.len())
                        }
                    })?;
                    write(features.len())?;
                    features.into_iter().try_for_each(|feature| write(feature as usize))?;
                }
            }
            let mv = points.get(number).map_or(Move::Pass, |&point| Move::Play(point));
            let color = game.to_play();
            game.play(ColoredMove { color, mv }).context("a game")?;
        }
        // The end of the game.
        write(u32::MAX as usize)?;
    }
    out.flush()?;
    Ok(())
}
