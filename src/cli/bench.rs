//! `keima bench`.

use std::io::{self, Write};

use anyhow::bail;
use clap::Args;

use super::flags::Flags;
use crate::bench::{self, Kind, Plan};

#[derive(Debug, Args)]
pub(super) struct BenchFlags {
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
    only: Vec<Kind>,
    /// Measure on this board only, and print no signature
    #[arg(long, value_name = "SIDE", value_parser = ["9", "13", "19"])]
    size: Option<String>,
}

fn repeats(text: &str) -> Result<usize, String> {
    let repeats = text.parse().ok().filter(|repeats| (1..=1000).contains(repeats));
    repeats.ok_or_else(|| "must be a whole number from 1 to 1000".to_owned())
}

pub(super) fn run(bench: BenchFlags, flags: &Flags) -> anyhow::Result<()> {
    if bench.signature {
        flags.refuse(&["--params", "--net"])?;
        writeln!(io::stdout().lock(), "{}", bench::signature()?)?;
        return Ok(());
    }
    let plan = Plan {
        threads: flags.threads,
        repeats: bench.repeats,
        kinds: bench.only,
        side: bench.size.and_then(|side| side.parse().ok()),
        params: flags.search_params()?,
        network: flags.network_to_measure()?,
    };
    if plan.kinds.contains(&Kind::Net) && plan.network.is_none() {
        bail!("--only net needs what --no-net forbids");
    }
    let figures = bench::measure(&plan)?;
    let mut out = io::stdout().lock();
    if bench.json {
        writeln!(out, "{}", serde_json::to_string(&figures)?)?;
        return Ok(());
    }
    let repeats = plan.repeats;
    writeln!(out, "playouts a second from the empty board, median of {repeats}; komi 6.5")?;
    write!(out, "{figures}")?;
    Ok(())
}
