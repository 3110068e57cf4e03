//! `keima selfplay`.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::Args;
use indicatif::{ProgressBar, ProgressStyle};

use super::flags::Flags;
use super::interrupt;
use crate::rng;
use crate::selfplay::{self, Plan, Sizes, Tally};

/// Time between two lines of the log where there is no terminal.
const LOG_EVERY: Duration = Duration::from_mins(1);

#[derive(Debug, Args)]
pub(super) struct SelfplayFlags {
    /// Folder of the files, which is made if need be
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Labelled positions to make, rounded up to whole groups of games; without it until SIGINT
    #[arg(long, value_name = "N", value_parser = count)]
    positions: Option<u64>,
    /// Board sizes with their weights
    #[arg(long, value_name = "LIST", default_value = "9=4,13=2,19=4")]
    sizes: Sizes,
    /// Share of other sizes from 5 to 19, half of them rectangles
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    other: f32,
    /// Label one position in so many of each game
    #[arg(long, value_name = "K", default_value_t = 4, value_parser = small::<100>)]
    thin: usize,
    /// Random orientations that a label is the mean of
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = small::<8>)]
    orientations: usize,
    /// Labelled positions of a file
    #[arg(long, value_name = "N", default_value_t = 25_000, value_parser = small::<1_000_000>)]
    per_file: usize,
    /// Seed of all random numbers, which the names of the files tell; without it a random one
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

fn small<const MAX: usize>(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| (1..=MAX).contains(number));
    number.ok_or_else(|| format!("must be a whole number from 1 to {MAX}"))
}

fn share(text: &str) -> Result<f32, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "must be a number from 0 to 1".to_owned())
}

/// A whole number above 0, in thousands with `k`, in millions with `M`.
fn count(text: &str) -> Result<u64, String> {
    let (digits, factor) = match text.strip_suffix('k') {
        Some(digits) => (digits, 1000),
        None => text.strip_suffix('M').map_or((text, 1), |digits| (digits, 1_000_000)),
    };
    let count = digits.parse::<u64>().ok().and_then(|count| count.checked_mul(factor));
    count
        .filter(|count| *count > 0)
        .ok_or_else(|| "must be a whole number above 0, as 5000, 400k or 2M".to_owned())
}

pub(super) fn run(flags: SelfplayFlags, of_play: &Flags) -> anyhow::Result<()> {
    let network = of_play.network.read()?;
    let plan = Plan {
        seed: flags.seed.unwrap_or_else(rng::random_seed),
        threads: of_play.threads,
        positions: flags.positions,
        sizes: flags.sizes.with_other(flags.other),
        thin: flags.thin,
        orientations: flags.orientations,
        per_file: flags.per_file,
    };
    let stop = interrupt::stop_flag()?;
    let mut progress = Progress::new(flags.positions);
    let see = |tally: &Tally| progress.see(tally);
    let tally = selfplay::run(&plan, &network, &flags.out, &stop, see);
    progress.end();
    let Tally { games, turns, positions, unusable, files } = tally?;
    if unusable > 0 {
        log::warn!("{unusable} labels were left out: the network gave no numbers");
    }
    let mut out = io::stdout().lock();
    writeln!(out, "{positions} positions of {games} games ({turns} moves) in {files} files")?;
    Ok(())
}

/// A bar on a terminal, and else a line of the log now and then.
struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    logged: Instant,
}

impl Progress {
    fn new(positions: Option<u64>) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let bar = positions.map_or_else(ProgressBar::no_length, ProgressBar::new);
            let template = "[{elapsed_precise}] {pos} of {len} positions, {per_sec} {msg}";
            // The default one says as much.
            let style = ProgressStyle::with_template(template);
            bar.with_style(style.unwrap_or_else(|_error| ProgressStyle::default_bar()))
        });
        Self { bar, start: Instant::now(), logged: Instant::now() }
    }

    fn see(&mut self, tally: &Tally) {
        if let Some(bar) = &self.bar {
            bar.set_position(tally.positions);
            bar.set_message(format!("{} games", tally.games));
        } else if self.logged.elapsed() >= LOG_EVERY {
            self.logged = Instant::now();
            let rate = tally.positions as f64 / self.start.elapsed().as_secs_f64();
            let Tally { games, positions, .. } = tally;
            log::info!("{positions} positions of {games} games, {rate:.0} a second");
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_with_their_unit() {
        assert_eq!(count("5000"), Ok(5000));
        assert_eq!(count("400k"), Ok(400_000));
        assert_eq!(count("2M"), Ok(2_000_000));
        for wrong in ["", "0", "k", "1.5M", "99999999999999999M"] {
            assert!(count(wrong).is_err(), "{wrong}");
        }
        assert!(small::<8>("8").is_ok() && small::<8>("9").is_err() && small::<8>("0").is_err());
        assert!(share("1").is_ok() && share("NaN").is_err() && share("-0.1").is_err());
    }
}
