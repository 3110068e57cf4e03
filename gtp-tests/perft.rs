//! Numbers of move sequences, counted by the binary's `perft` subcommand.

use std::collections::BTreeMap;
use std::process::Command;

use libtest_mimic::{Failed, Trial};

use crate::engine::BINARY;
use crate::records::{PerftRecord, read};
use crate::vectors::report;

const FILE: &str = "perft.jsonl";

/// One trial each board size: the harness runs them side by side.
pub(crate) fn trials() -> Vec<Trial> {
    let records = match read::<PerftRecord>(FILE) {
        Ok(records) => records,
        Err(error) => return vec![Trial::test("perft", || Err(error.into()))],
    };
    let mut by_size: BTreeMap<(usize, usize), Vec<_>> = BTreeMap::new();
    for (line, record) in records {
        by_size.entry((record.w, record.h)).or_default().push((line, record));
    }
    by_size
        .into_iter()
        .map(|((w, h), records)| Trial::test(format!("perft::{w}x{h}"), move || check(&records)))
        .collect()
}

fn check(records: &[(usize, PerftRecord)]) -> Result<(), Failed> {
    let mut differences = Vec::new();
    for (line, record) in records {
        if let Err(difference) = compare(record) {
            differences.push(format!("{FILE}:{line}: {}: {difference}", record.id));
        }
    }
    report(&differences)
}

fn compare(record: &PerftRecord) -> Result<(), String> {
    let expected: Vec<String> =
        record.counts.iter().enumerate().map(|(depth, count)| format!("{depth} {count}")).collect();
    let mut command = Command::new(BINARY);
    command.args(["perft", "--size", &format!("{}x{}", record.w, record.h)]);
    command.args(["--ko", &record.ko, "--suicide", &record.suicide]);
    command.args(["--depth", &(record.counts.len() - 1).to_string()]);
    if record.passes {
        command.arg("--passes");
    }
    if let Some(rows) = &record.setup {
        command.args(["--setup", &rows.join("/")]);
    }
    if let Some(side) = &record.first {
        command.args(["--first", side]);
    }
    let output = command.output().map_err(|error| error.to_string())?;
    let found = String::from_utf8_lossy(&output.stdout);
    let found: Vec<&str> = found.lines().collect();
    if output.status.success() && found == expected {
        return Ok(());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    Err(format!("{command:?}: expected {expected:?}, found {found:?} {complaint}"))
}
