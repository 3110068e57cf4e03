//! `keima perft`.

use std::io::{self, Write};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use crate::board::{Board, Color, Size, Suicide};
use crate::game::{Game, Start};
use crate::rules::{KoRule, Komi, Rules};

#[derive(Debug, Args)]
pub(super) struct PerftFlags {
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

pub(super) fn run(flags: &PerftFlags) -> anyhow::Result<()> {
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
