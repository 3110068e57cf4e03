//! The black-box tests of the engine, and the tests that read their cases from files.
//!
//! One binary, one named trial per file or group of records; the names filter as those of the
//! ordinary harness do: `cargo test --release --test gtp-tests protocol::`.
//!
//! - `vectors`: the rules oracle's records, through the library (`vectors/README.md`);
//! - `wire`: the same records once more, through GTP;
//! - `referee`: a second implementation of the rules, held against the records;
//! - `differential`: random games under every combination of rules, library against referee;
//! - `selfplay`: whole games of the engine under every preset, refereed;
//! - `settled`: scores that the engine has to find by itself;
//! - `status`: its dead stones against GNU Go's, on finished games (`status/README.md`);
//! - `perft`: its counts of move sequences, through the binary;
//! - `transcripts`: whole GTP sessions byte by byte (`protocol` and `clients`, `*.gtp` and `*.expected`);
//! - `regression`: suites in the form of GNU Go and gogui-regress (`regression/*.tst`);
//! - `sessions`: what only a dialogue shows: time, interruption, streams, whole games;
//! - `checklist`: the protocol reference's list of what to test, and what was left of it;
//! - `flags`: files of parameters, good and bad;
//! - `journal`: sessions that are written down and replayed;
//! - `network`: the network inside against its trainer, KataGo's networks against its own outputs;
//! - `positions`: the labelled positions that a network makes;
//! - `reviews`: `keima analyze` on files of every kind;
//! - `readme`: README.md against the program.

#![expect(clippy::panic, clippy::expect_used, reason = "a test fails by a panic that says why")]

mod checklist;
mod differential;
mod engine;
mod expectation;
mod facts;
mod flags;
mod journal;
mod network;
mod perft;
mod positions;
mod readme;
mod records;
mod referee;
mod regression;
mod replay;
mod reviews;
mod selfplay;
mod sessions;
mod settings;
mod settled;
mod status;
mod transcripts;
mod vectors;
mod wire;

use std::path::PathBuf;

use libtest_mimic::{Arguments, Conclusion};

/// A path below the folder of these tests.
fn data(path: &str) -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "gtp-tests", path].iter().collect()
}

fn main() -> std::process::ExitCode {
    let mut trials = vectors::trials();
    trials.extend(settled::trials());
    trials.extend(wire::trials());
    trials.extend(perft::trials());
    trials.extend(transcripts::trials());
    trials.extend(regression::trials());
    trials.extend(sessions::trials());
    trials.extend(checklist::trials());
    trials.extend(flags::trials());
    trials.extend(journal::trials());
    trials.extend(network::trials());
    trials.extend(positions::trials());
    trials.extend(readme::trials());
    trials.extend(referee::trials());
    trials.extend(differential::trials());
    trials.extend(reviews::trials());
    trials.extend(selfplay::trials());
    trials.extend(status::trials());
    let conclusion: Conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    conclusion.exit_code()
}
