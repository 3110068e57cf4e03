//! The flags of play, and the [`Config`] that they make.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};

use super::network::NetworkFlags;
use crate::config::{Config, Player};
use crate::gtp::{ClientChoice, Options};
use crate::net::Network;
use crate::rules::{Komi, PRESETS, Rules, preset};
use crate::search::SearchParams;

#[derive(Debug, Args)]
pub(super) struct Flags {
    /// Threads of the search, up to 1024; 0 means one a core
    #[arg(long, value_name = "N", default_value_t = 0, global = true, value_parser = threads)]
    pub(super) threads: usize,
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
    /// Who chooses the moves [with --net: net, else tree]
    #[arg(long, value_enum)]
    player: Option<PlayerArg>,
    #[command(flatten)]
    pub(super) network: NetworkFlags,
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
    pub(super) log_file: Option<PathBuf>,
    /// Add all that is read and answered to this file
    #[arg(long, value_name = "F")]
    pub(super) journal: Option<PathBuf>,
    /// Run the sessions of a journal again, with their flags, and compare the answers
    #[arg(long, value_name = "F", exclusive = true)]
    pub(super) replay: Option<PathBuf>,
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
    /// Tree search with a neural network
    Net,
}

fn threads(text: &str) -> Result<usize, String> {
    let threads = text.parse().ok().filter(|threads| *threads <= 1024);
    threads.ok_or_else(|| "must be a whole number from 0 to 1024".to_owned())
}

fn memory(text: &str) -> Result<usize, String> {
    let memory = text.parse().ok().filter(|memory| (2..=1_000_000).contains(memory));
    memory.ok_or_else(|| "must be a whole number from 2 to 1000000".to_owned())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
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

pub(super) fn rules_by_name(text: &str) -> Result<Rules, String> {
    let names = || PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ");
    preset(text).map(|preset| preset.rules).ok_or_else(|| format!("known are {}", names()))
}

impl Flags {
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        Ok(Config {
            threads: self.threads,
            seed: self.seed,
            playouts: self.playouts,
            time_per_move: self.time_per_move,
            rules: self.rules.unwrap_or_default(),
            komi: self.komi,
            player: self.player()?,
            memory: self.memory,
            params: self.search_params()?,
            allow_resign: !self.no_resign,
            ponder: self.ponder,
            lenient_superko: self.lenient_superko,
            ..Config::default()
        })
    }

    /// Fails if one of these flags is set, for a subcommand that has no use for it.
    pub(super) fn refuse(&self, unused: &[&str]) -> anyhow::Result<()> {
        let set = [
            ("--params", self.params.is_some()),
            ("--no-net", self.network.no_net),
            ("--net", self.network.is_named()),
        ];
        match set.iter().find(|(name, is_set)| *is_set && unused.contains(name)) {
            Some((name, _)) => bail!("{name} has no meaning here"),
            None => Ok(()),
        }
    }

    fn player(&self) -> anyhow::Result<Player> {
        Ok(match self.player {
            Some(PlayerArg::Random) => Player::Random,
            Some(PlayerArg::Flat) => Player::Flat,
            Some(PlayerArg::Tree) => Player::Tree,
            Some(PlayerArg::Net) if self.network.no_net => {
                bail!("--player net needs what --no-net forbids")
            }
            None if !self.network.is_named() => Player::Tree,
            Some(PlayerArg::Net) | None => Player::Net,
        })
    }

    /// The network that the player needs, or that was asked for.
    pub(super) fn network(&self) -> anyhow::Result<Option<Arc<Network>>> {
        let is_needed = self.player()? == Player::Net || self.network.is_named();
        is_needed.then(|| self.network.read().map(Arc::new)).transpose()
    }

    /// The network to measure: there always is one, unless none is wanted.
    pub(super) fn network_to_measure(&self) -> anyhow::Result<Option<Arc<Network>>> {
        (!self.network.no_net).then(|| self.network.read().map(Arc::new)).transpose()
    }

    pub(super) fn are_rules_chosen(&self) -> bool {
        self.rules.is_some()
    }

    pub(super) fn options(&self) -> Options {
        let DialogueFlags { client, gtp_name, kgs_chat, referee } = &self.dialogue;
        Options {
            are_rules_chosen: self.are_rules_chosen(),
            client: *client,
            name: gtp_name.clone(),
            lists_chat: *kgs_chat,
            lists_referee: *referee,
        }
    }

    pub(super) fn search_params(&self) -> anyhow::Result<SearchParams> {
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
