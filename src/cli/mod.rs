//! Flags and subcommands: from the command line to a [`Config`](crate::config::Config) and to what the
//! process does. Each subcommand has its file.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

use clap::{Parser, Subcommand};

mod analyze;
mod bench;
mod features;
mod flags;
mod interrupt;
mod net;
mod network;
mod outputs;
mod perft;
mod play;
mod selfplay;

/// keima, a Go engine that speaks GTP.
///
/// Without a subcommand it answers GTP commands on standard input; `help` lists them. Sabaki,
/// GoGui and match tools start it with no arguments.
#[derive(Debug, Parser)]
#[command(version, max_term_width = 100)]
pub struct Cli {
    #[command(flatten)]
    flags: flags::Flags,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Answer GTP commands on standard input (the default)
    Gtp,
    /// Review games: what each move cost and what was better, as SGF, SVG and a table
    Analyze(analyze::AnalyzeFlags),
    /// Measure playouts per second and print the build's signature
    Bench(bench::BenchFlags),
    /// Count sequences of moves by length, to check rules
    Perft(perft::PerftFlags),
    /// Look at files of neural networks, convert and check them
    #[command(subcommand)]
    Net(net::NetCommand),
    /// Make positions that networks learn from: a network plays against itself and labels them
    Selfplay(selfplay::SelfplayFlags),
    /// Read games, write the features of their moves (for scripts/train-priors, which explains both)
    #[command(hide = true)]
    Features {
        /// Positions that are skipped between two that are written
        #[arg(long, value_name = "N", default_value_t = 0)]
        skip: usize,
    },
}

impl Command {
    /// Flags of play that are allowed everywhere and say nothing here: a mistake of whoever sets them.
    fn unused(&self) -> &'static [&'static str] {
        match self {
            Self::Gtp | Self::Analyze(_) | Self::Bench(_) => &[],
            Self::Selfplay(_) | Self::Net(net::NetCommand::Info { file: None }) => {
                &["--params", "--no-net"]
            }
            Self::Net(_) | Self::Perft(_) | Self::Features { .. } => {
                &["--params", "--no-net", "--net"]
            }
        }
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
            return play::replay(journal);
        }
        if let Some(command) = &self.command {
            self.flags.refuse(command.unused())?;
        }
        match self.command {
            None | Some(Command::Gtp) => play::run(&self.flags, io::stdin()),
            Some(Command::Analyze(flags)) => analyze::run(&flags, &self.flags),
            Some(Command::Bench(flags)) => bench::run(flags, &self.flags),
            Some(Command::Perft(flags)) => perft::run(&flags),
            Some(Command::Net(command)) => net::run(command, &self.flags),
            Some(Command::Selfplay(flags)) => selfplay::run(flags, &self.flags),
            Some(Command::Features { skip }) => features::run(skip),
        }
    }
}

/// A command line without `gtp` behind the name of the program: it is what happens anyway, and left
/// out all flags may follow it.
fn without_gtp(args: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    args.enumerate().filter(|(i, arg)| *i != 1 || arg != "gtp").map(|(_, arg)| arg)
}
