//! README.md against the program. The tables of commands, rule sets and parameters come from it;
//! `KEIMA_BLESS=1` rewrites them. `help` has to say the same, and every flag has its row.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use keima::gtp;
use keima::rules::PRESETS;
use keima::search::SearchParams;
use libtest_mimic::{Failed, Trial};
use regex::Regex;

use crate::engine::{BINARY, Engine};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("readme::first_game", first_game),
        Trial::test("readme::commands", commands),
        Trial::test("readme::help", help),
        Trial::test("readme::options", options),
        Trial::test("readme::rules", rules),
        Trial::test("readme::params", params),
    ]
}

/// The session that the README begins with, as a person would see it.
fn first_game() -> Result<(), Failed> {
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))?;
    let block = Regex::new(r"(?s)## A first game\n\n```text\n\$ keima ([^\n]*)\n(.*?)\n?```")?;
    let found = block.captures(&readme).ok_or("README.md has no first game")?;
    let flags: Vec<&str> = found[1].split(' ').collect();
    let mut engine = Engine::start(&flags);
    for part in found[2].split("\n\n") {
        let (command, shown) = part.split_once('\n').ok_or(format!("no answer in {part:?}"))?;
        let answer = format!("= {}", engine.ask(command));
        let answer: Vec<&str> = answer.lines().map(str::trim_end).collect();
        if answer.join("\n") != shown {
            return Err(format!("{command}: {}\ninstead of\n{shown}", answer.join("\n")).into());
        }
    }
    Ok(())
}

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

fn commands() -> Result<(), Failed> {
    let mut table = String::from("| command | what it does and answers |\n|---|---|\n");
    for command in gtp::table() {
        let usage = format!("{} {}", command.name, command.usage).replace('|', "\\|");
        writeln!(table, "| `{}` | {} |", usage.trim_end(), command.help.replace('|', "\\|"))?;
    }
    check("commands", &table)
}

/// What a person is told who asks the engine.
fn help() -> Result<(), Failed> {
    let mut engine = Engine::start(&[]);
    for command in gtp::table() {
        let usage = format!("{} {}", command.name, command.usage);
        let told = engine.ask(&format!("help {}", command.name));
        let expected = format!("{}: {}", usage.trim_end(), command.help);
        if told.lines().next() != Some(expected.as_str()) {
            return Err(format!("{told:?} instead of {expected:?}").into());
        }
    }
    Ok(())
}

/// Every flag of `keima --help` is in the table of options.
fn options() -> Result<(), Failed> {
    let output = std::process::Command::new(BINARY).arg("--help").output()?;
    let help = String::from_utf8(output.stdout)?;
    let readme = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md"))?;
    let flags = Regex::new(r"(?m)^ +(?:-\w, )?(--[a-z-]+)")?;
    let flags: Vec<&str> =
        flags.captures_iter(&help).filter_map(|found| Some(found.get(1)?.as_str())).collect();
    assert!(flags.contains(&"--journal"), "{flags:?}");
    for flag in flags.into_iter().filter(|flag| !["--help", "--version"].contains(flag)) {
        let row = Regex::new(&format!(r"(?m)^\|.*`{flag}[` ]"))?;
        assert!(row.is_match(&readme), "the table of options has no {flag}");
    }
    Ok(())
}

fn rules() -> Result<(), Failed> {
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

fn params() -> Result<(), Failed> {
    let mut table = String::from("| name | default | range | what it is |\n|---|---|---|---|\n");
    for row in SearchParams::rows() {
        let (low, high) = (row.range.start(), row.range.end());
        let help = row.help.trim().replace('|', "\\|");
        writeln!(table, "| `{}` | {} | {low} to {high} | {help} |", row.name, row.default)?;
    }
    check("params", &table)
}
