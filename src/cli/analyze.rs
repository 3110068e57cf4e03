//! `keima analyze`.

use std::fs;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};

use super::flags::{self, Flags};
use super::interrupt;
use super::outputs::{Outputs, Results};
use crate::board::{Color, ColoredMove, Size};
use crate::config::Config;
use crate::engine::{Engine, Limits};
use crate::review::{self, Review, Turn};
use crate::rules::Rules;
use crate::sgf::{self, Defaults, Tree};

#[derive(Debug, Args)]
pub(super) struct AnalyzeFlags {
    /// Game records; of each the first game and its main line
    #[arg(required = true, value_name = "GAME.sgf")]
    games: Vec<PathBuf>,
    /// Folder of the results, which is made if need be; without it they lie beside each game
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Playouts a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    playouts: Option<u64>,
    /// Seconds a position [without --playouts: 1]
    #[arg(long, value_name = "S", value_parser = flags::seconds)]
    time_per_move: Option<Duration>,
    /// Mistakes of a game that are listed and get a variation, the worst ones
    #[arg(long, value_name = "N", default_value_t = 10)]
    mistakes: usize,
    /// Rule set, whatever the games say
    #[arg(long, value_name = "NAME", value_parser = flags::rules_by_name)]
    rules: Option<Rules>,
}

impl AnalyzeFlags {
    /// The budget of a position: that given here, else that given in front of the subcommand.
    fn limits(&self, config: &Config) -> Limits {
        let (playouts, time) = match (self.playouts, self.time_per_move) {
            (None, None) => (config.playouts, config.time_per_move),
            given => given,
        };
        let has_budget = playouts.is_some() || time.is_some();
        let time = if has_budget { time } else { Some(Duration::from_secs(1)) };
        Limits { playouts, time, ..Limits::default() }
    }
}

pub(super) fn run(flags: &AnalyzeFlags, of_play: &Flags) -> anyhow::Result<()> {
    let config = of_play.config()?;
    if !config.player.has_tree() {
        bail!("--player {} does not judge positions", config.player.name());
    }
    let rules = flags.rules.unwrap_or(config.rules);
    let defaults = Defaults {
        rules,
        rules_win: flags.rules.is_some() || of_play.are_rules_chosen(),
        komi: config.komi.unwrap_or(rules.komi),
    };
    let mut outputs = Outputs::new(&flags.games, flags.out.as_deref())?;
    let stop = interrupt::stop_flag()?;
    let mut reviewer = Reviewer {
        limits: flags.limits(&config),
        engine: Engine::new(config)?.with_network(of_play.network()?),
        defaults,
        mistakes: flags.mistakes,
        stop: &stop,
    };
    let mut failures = 0;
    for game in &flags.games {
        match outputs.of_game(game).and_then(|results| reviewer.review(game, &results)) {
            Ok(told) => write!(io::stdout().lock(), "{told}").context("standard output")?,
            Err(error) => {
                // The others may be right.
                log::error!("{}: {error:#}", game.display());
                failures += 1;
            }
        }
        if stop.load(Ordering::Relaxed) {
            bail!("interrupted; what was done is kept");
        }
    }
    if failures > 0 {
        bail!("{failures} of {} games were not reviewed", flags.games.len());
    }
    Ok(())
}

/// All that reviews of games share.
struct Reviewer<'a> {
    engine: Engine,
    limits: Limits,
    defaults: Defaults,
    mistakes: usize,
    stop: &'a AtomicBool,
}

impl Reviewer<'_> {
    /// Reviews a game and writes its results; what to tell about it.
    fn review(&mut self, game: &Path, results: &Results) -> anyhow::Result<String> {
        let mut tree = read(game)?;
        let [sgf, svg] = results.open()?;
        let name = one_line(&game.file_name().unwrap_or_default().to_string_lossy());
        let bar = progress_bar(&name);
        let see = |judged, all| {
            bar.set_length(all as u64);
            bar.set_position(judged as u64);
        };
        let file = (&tree, &self.defaults);
        let review = Review::of_game(file, &mut self.engine, self.limits, self.stop, see);
        bar.finish_and_clear();
        let review = review?;
        if review.positions().next().is_none() {
            return Ok(String::new());
        }
        review::annotate(&mut tree, &review, self.mistakes);
        let title = title(&tree, &name);
        let drawn = review::chart(&review, &title)?;
        sgf.finish(&tree.to_bytes())?;
        svg.finish(drawn.as_bytes())?;
        Ok(self.told(&review, &title, results))
    }

    /// The title, how the sides played, the worst moves, the files.
    fn told(&self, review: &Review, title: &str, results: &Results) -> String {
        let (judged, all) = (review.positions().count(), review.places());
        let part =
            if judged < all { format!(", {judged} of {all} positions") } else { String::new() };
        let mut lines = vec![format!("{title}{part}")];
        lines.extend(Color::ALL.map(|color| summary(review, color)));
        let mistakes = review.mistakes(self.mistakes);
        if let Some(size) = review.size().filter(|_| !mistakes.is_empty()) {
            lines.push(table(&mistakes, size).to_string());
        }
        lines.extend([&results.sgf, &results.svg].map(|path| one_line(&path.to_string_lossy())));
        lines.join("\n") + "\n\n"
    }
}

fn read(game: &Path) -> anyhow::Result<Tree> {
    let meta = fs::metadata(game)?;
    if !meta.is_file() || meta.len() > sgf::MAX_FILE_BYTES {
        bail!("no file of at most {} MiB", sgf::MAX_FILE_BYTES >> 20);
    }
    Ok(Tree::parse(&fs::read(game)?)?)
}

/// Characters of a name at most.
const NAME_MAX: usize = 60;

/// A text of a file's without what would break a line, a terminal or XML.
fn one_line(text: &str) -> String {
    let is_plain = |c: char| !c.is_control() && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars().map(|c| if is_plain(c) { c } else { ' ' }).collect()
}

/// The players as the file names them, and the file.
fn title(tree: &Tree, name: &str) -> String {
    let player = |property| {
        let name = tree.root().text(property).filter(|name| !name.trim().is_empty())?;
        Some(one_line(&name).chars().take(NAME_MAX).collect::<String>())
    };
    match (player("PB"), player("PW")) {
        (None, None) => name.to_owned(),
        (black, white) => {
            let black = black.as_deref().unwrap_or("Black");
            format!("{black} (B) - {} (W), {name}", white.as_deref().unwrap_or("White"))
        }
    }
}

fn progress_bar(name: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let style =
        ProgressStyle::with_template("{msg} [{bar:30}] {pos} of {len} positions, {eta} left");
    let bar = ProgressBar::new(0).with_message(name.to_owned());
    bar.with_style(style.unwrap_or_else(|_error| ProgressStyle::default_bar()))
}

fn summary(review: &Review, color: Color) -> String {
    let review::Summary { moves, best, doubtful, bad, points_lost } = review.summary(color);
    let a_move = points_lost / moves.max(1) as f64;
    format!(
        "{color}: {moves} moves, {best} as keima's, {doubtful} doubtful, {bad} bad, \
         {a_move:.1} points lost a move"
    )
}

fn table(mistakes: &[Turn<'_>], size: Size) -> Table {
    let mut table = Table::new();
    table.load_style(presets::UTF8_FULL_CONDENSED);
    table.set_header(["move", "played", "win rate", "points", "better"]);
    for turn in mistakes {
        table.add_row([
            turn.number.to_string(),
            format!("{} {}", turn.played.color, size.move_text(turn.played.mv)),
            format!("{:+.1} %", -100.0 * turn.win_rate_loss()),
            format!("{:+.1}", -turn.points_lost()),
            variation(&turn.before.variation, size),
        ]);
    }
    for number in [0, 2, 3] {
        if let Some(column) = table.column_mut(number) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn variation(moves: &[ColoredMove], size: Size) -> String {
    moves.iter().map(|played| size.move_text(played.mv)).collect::<Vec<_>>().join(" ")
}
