//! `keima net`: files of neural networks, and what networks are told.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand};
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::flags::Flags;
use super::network::calibrate;
use crate::net::format::{self, Stored, keima};
use crate::net::planes::write_planes;
use crate::net::reference::{Difference, Record};
use crate::net::{Arithmetic, Features, Kernel, Network, Workspace, embedded};

/// Games that are worked on at a time.
const GAMES: usize = 256;

#[derive(Debug, Subcommand)]
pub(super) enum NetCommand {
    /// Tell what is in a network file, KataGo's or our own
    Info {
        /// The file [default: that of --net, else the network inside]
        file: Option<PathBuf>,
    },
    /// Write a network as a file of our own format
    Convert {
        /// The file, KataGo's or our own
        file: PathBuf,
        /// The file to write
        #[arg(value_name = "OUT.safetensors")]
        out: PathBuf,
        /// Write weights with 16 bits
        #[arg(long)]
        half: bool,
    },
    /// Evaluate stored positions, and fail if the results are not those stored
    Check(CheckFlags),
    /// Read games as JSON lines, write the inputs of networks for positions of them
    Planes,
}

/// The tolerances tell whether a loader of KataGo's networks is right. Those with integers only tell
/// whether it is the same network: a few bits may tip a position over that was made up.
#[derive(Debug, Args)]
pub(super) struct CheckFlags {
    /// The network file
    file: PathBuf,
    /// Positions with results, one JSON object a line
    #[arg(value_name = "RECORDS.jsonl")]
    records: PathBuf,
    /// Compute with integers, as play does, in the place of numbers
    #[arg(long)]
    integers: bool,
    /// Largest difference of a move's probability [default: 1e-4, with --integers 0.05]
    #[arg(long, value_name = "P")]
    policy: Option<f32>,
    /// Largest difference of the probability of a win [default: 1e-4, with --integers 0.05]
    #[arg(long, value_name = "P")]
    win: Option<f32>,
    /// Largest difference of the lead, in points [default: 0.01, with --integers 25]
    #[arg(long, value_name = "N")]
    lead: Option<f32>,
    /// Largest difference of the score, in points [default: 0.01, with --integers 25]
    #[arg(long, value_name = "N")]
    score: Option<f32>,
    /// Largest difference of a point's owner, from -1 to 1 [default: 1e-3, with --integers 0.5]
    #[arg(long, value_name = "N")]
    ownership: Option<f32>,
}

pub(super) fn run(command: NetCommand, flags: &Flags) -> anyhow::Result<()> {
    let pool = || ThreadPoolBuilder::new().num_threads(flags.threads).build();
    match command {
        NetCommand::Info { file } => info(file.as_ref().or(flags.network.net.as_ref())),
        NetCommand::Convert { file, out, half } => convert(&file, &out, half),
        NetCommand::Check(flags) => check(&flags, &pool()?),
        NetCommand::Planes => planes(io::stdin().lock(), io::stdout().lock(), &pool()?),
    }
}

fn read(file: &Path) -> anyhow::Result<(Stored, Vec<u8>)> {
    let context = || file.display().to_string();
    let bytes = format::read_bytes(file).with_context(context)?;
    Ok((format::read_stored(&bytes).with_context(context)?, bytes))
}

fn info(file: Option<&PathBuf>) -> anyhow::Result<()> {
    let (Stored { model, about }, bytes) = match file {
        Some(file) => read(file)?,
        None => (format::read_stored(embedded::NETWORK)?, embedded::NETWORK.to_vec()),
    };
    let unknown = || "not told".to_owned();
    let rows = [
        ("format", about.format),
        ("name", model.name.clone()),
        ("architecture", model.architecture()),
        ("activation", model.activation.name().to_owned()),
        ("parameters", keima::parameters(&model).to_string()),
        ("bytes", bytes.len().to_string()),
        ("features", about.features),
        ("ranges", if model.ranges.is_empty() { "none" } else { "of all blocks" }.to_owned()),
        ("trained on", about.trained_on.unwrap_or_else(unknown)),
        ("command", about.command.unwrap_or_else(unknown)),
        ("weights", about.sha256.unwrap_or_else(|| keima::hash(&model))),
        ("file", keima::hash_of_bytes(&bytes)),
    ];
    let mut out = io::stdout().lock();
    for (name, value) in rows {
        // A file may say anything: nothing of it is to reach the terminal's control.
        let value = value.replace(char::is_control, " ");
        writeln!(out, "{name:12}  {value}")?;
    }
    Ok(())
}

fn convert(file: &Path, out: &Path, half: bool) -> anyhow::Result<()> {
    let (mut stored, _) = read(file)?;
    calibrate(&mut stored.model);
    let bytes = keima::write(&stored, half).with_context(|| out.display().to_string())?;
    fs::write(out, bytes).with_context(|| out.display().to_string())
}

fn check(flags: &CheckFlags, pool: &ThreadPool) -> anyhow::Result<()> {
    let (Stored { mut model, .. }, _) = read(&flags.file)?;
    if flags.integers {
        calibrate(&mut model);
    }
    let context = || flags.records.display().to_string();
    let text = fs::read_to_string(&flags.records).with_context(context)?;
    let lines: Vec<_> = text.lines().enumerate().filter(|(_, line)| !line.is_empty()).collect();
    let arithmetic = if flags.integers { Arithmetic::Integer } else { Arithmetic::Real };
    let network = Network::new(&model, arithmetic, Kernel::best());
    if network.arithmetic() != arithmetic {
        bail!("{}: it has layers that integers are not for", flags.file.display());
    }
    let compare = |&(i, line): &(usize, &str)| {
        let compare = || {
            let record = Record::parse(line)?;
            let position = record.position()?;
            let inputs = [Features::new(&position)];
            let mut workspace = Workspace::default();
            let evaluations = network.evaluate(&inputs, position.size(), &mut workspace);
            record.compare(&position, &evaluations[0])
        };
        compare().with_context(|| format!("{}: line {}", context(), i + 1))
    };
    let differences: Vec<_> =
        pool.install(|| lines.par_iter().map(compare).collect::<anyhow::Result<_>>())?;
    if differences.is_empty() {
        bail!("{}: no records", context());
    }
    let most = differences.iter().copied().reduce(Difference::most).unwrap_or_default();
    let sum = differences.iter().copied().reduce(Difference::plus).unwrap_or_default();
    let mut out = io::stdout().lock();
    writeln!(out, "{:16}  {:>9}  {:>9}", format!("{} records", lines.len()), "largest", "mean")?;
    for ((name, most), (_, sum)) in most.fields().into_iter().zip(sum.fields()) {
        writeln!(out, "{name:16}  {most:9.2e}  {:9.2e}", sum / differences.len() as f32)?;
    }
    let limit = |flag: Option<f32>, of_numbers, of_integers| {
        flag.unwrap_or(if flags.integers { of_integers } else { of_numbers })
    };
    let limits = [
        ("policy", most.policy, limit(flags.policy, 1e-4, 0.05)),
        ("win", most.win, limit(flags.win, 1e-4, 0.05)),
        ("lead", most.lead, limit(flags.lead, 0.01, 25.0)),
        ("score", most.score, limit(flags.score, 0.01, 25.0)),
        ("ownership", most.ownership, limit(flags.ownership, 1e-3, 0.5)),
    ];
    // What is no number is too far as well.
    let is_near = |&&(_, found, limit): &&(_, f32, f32)| found <= limit;
    let far: Vec<&str> =
        limits.iter().filter(|row| !is_near(row)).map(|(name, ..)| *name).collect();
    if !far.is_empty() {
        bail!("above the tolerance: {}", far.join(", "));
    }
    Ok(())
}

fn planes(input: impl BufRead, output: impl Write, pool: &ThreadPool) -> anyhow::Result<()> {
    let mut output = io::BufWriter::new(output);
    let mut lines = input.lines().enumerate();
    loop {
        let games: Vec<_> = lines.by_ref().take(GAMES).collect();
        if games.is_empty() {
            break;
        }
        let packed = |(i, line): (usize, io::Result<String>)| {
            let context = || format!("line {}", i + 1);
            let mut packed = Vec::new();
            write_planes(&line.with_context(context)?, &mut packed).with_context(context)?;
            anyhow::Ok(packed)
        };
        let packed: Vec<_> = pool.install(|| games.into_par_iter().map(packed).collect());
        // What comes before a mistake is written.
        for packed in packed {
            match packed {
                Ok(packed) => output.write_all(&packed)?,
                Err(error) => {
                    output.flush()?;
                    return Err(error);
                }
            }
        }
    }
    output.flush()?;
    Ok(())
}
