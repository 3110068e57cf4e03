//! Sessions of GTP: live, written down, and run again.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Parser;

use super::{Cli, flags::Flags, without_gtp};
use crate::engine::{Engine, StopFlag};
use crate::gtp::{self, CLIENT_LOG, Event, Journal, Recording, Session};

pub(super) fn run(flags: &Flags, stdin: io::Stdin) -> anyhow::Result<()> {
    let engine = Engine::new(flags.config()?)?.with_network(flags.network()?);
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
    let flags = std::env::args_os().skip(1).map(|flag| match flag.into_string() {
        Ok(flag) => Ok(flag),
        Err(flag) => {
            Err(anyhow!("--journal: {} is no text that could be written down", flag.display()))
        }
    });
    let flags = flags.collect::<anyhow::Result<_>>()?;
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let start = gtp::Start { version, flags, seed };
    Journal::open(path, start).with_context(|| format!("--journal {}", path.display()))
}

/// Runs the sessions of a journal again; answers that differ are an error.
pub(super) fn replay(path: &Path) -> anyhow::Result<()> {
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
        let mut engine = Engine::new(config)?.with_network(cli.flags.network()?);
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
