//! The tables of README.md that come from the program: commands, rule sets and parameters. A test
//! compares them with what the program says; `KEIMA_BLESS=1` rewrites them.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use keima::gtp;
use keima::rules::PRESETS;
use keima::search::SearchParams;
use libtest_mimic::Failed;

/// Compares or rewrites the section between `<!-- NAME: -->` and `<!-- :NAME -->`.
fn check(name: &str, expected: &str) -> Result<(), Failed> {
    // Two trials may rewrite the file at once.
    static TURN: Mutex<()> = Mutex::new(());
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path)?;
    let (start, end) = (format!("<!-- {name}: -->\n"), format!("<!-- :{name} -->"));
    let from = text.find(&start).ok_or(format!("README.md has no {start}"))? + start.len();
    let to = text.find(&end).ok_or(format!("README.md has no {end}"))?;
    if text[from..to] == *expected {
        return Ok(());
    }
    if std::env::var_os("KEIMA_BLESS").is_some() {
        std::fs::write(&path, [&text[..from], expected, &text[to..]].concat())?;
        return Ok(());
    }
    Err(format!("the section {name} of README.md is out of date; KEIMA_BLESS=1 rewrites it").into())
}

pub(crate) fn commands() -> Result<(), Failed> {
    let mut table = String::from("| command | what it does and answers |\n|---|---|\n");
    for command in gtp::table() {
        let usage = format!("{} {}", command.name, command.usage).replace('|', "\\|");
        writeln!(table, "| `{}` | {} |", usage.trim_end(), command.help.replace('|', "\\|"))?;
    }
    check("commands", &table)
}

pub(crate) fn rules() -> Result<(), Failed> {
    let mut table = String::from("| name | also | what it is |\n|---|---|---|\n");
    for preset in PRESETS {
        writeln!(
            table,
            "| `{}` | {} | {} |",
            preset.name,
            preset.aliases.join(", "),
            preset.about
        )?;
    }
    check("rules", &table)
}

pub(crate) fn params() -> Result<(), Failed> {
    let mut table = String::from("| name | default | range | what it is |\n|---|---|---|---|\n");
    for row in SearchParams::rows() {
        let (low, high) = (row.range.start(), row.range.end());
        let help = row.help.trim().replace('|', "\\|");
        writeln!(table, "| `{}` | {} | {low} to {high} | {help} |", row.name, row.default)?;
    }
    check("params", &table)
}
