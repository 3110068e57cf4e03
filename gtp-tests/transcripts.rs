//! Whole sessions byte by byte: `NAME.gtp` is what a client writes, `NAME.expected` what the engine
//! has to answer. `protocol` goes through the protocol topic by topic, `clients` shows what the programs
//! send that keima is used with.
//!
//! The engine runs in the folder of the transcript; a first line `# flags: ...` gives it flags. It plays
//! without a network, whose numbers may differ from machine to machine in the last digits. With
//! `KEIMA_BLESS=1` in the environment the expected files are rewritten; the difference is then
//! reviewed like any other change.

use std::path::{Path, PathBuf};
use std::{env, fs};

use keima::gtp;
use libtest_mimic::{Failed, Trial};
use regex::Regex;

use crate::data;
use crate::engine::{Engine, Stderr};

/// One trial a transcript.
pub(crate) fn trials() -> Vec<Trial> {
    let protocol = files(&data("protocol"), "gtp").into_iter().map(|(name, path)| {
        Trial::test(format!("protocol::{name}"), move || replay(&path, <[u8]>::to_vec))
    });
    let clients = files(&data("clients"), "gtp")
        .into_iter()
        .map(|(name, path)| Trial::test(format!("clients::{name}"), move || replay(&path, stable)));
    protocol.chain(clients).collect()
}

/// What stays of an output from run to run and from release to release. The list of commands is in its
/// place if it is exactly that of the table; how many lines an analysis has depends on the time.
fn stable(output: &[u8]) -> Vec<u8> {
    let options = gtp::Options::default();
    let names: Vec<_> = gtp::listed(&options).map(|command| command.name).collect();
    let text = String::from_utf8_lossy(output).replace(&names.join("\n"), "(all commands)");
    let text = text.replace(env!("CARGO_PKG_VERSION"), "(version)");
    let measured = Regex::new(r"(?m)^(=\d* )\d+\.\d{3}$").expect("a regular expression");
    let text = measured.replace_all(&text, "$1(seconds)");
    let is_kept = |line: &&str| !line.starts_with("info ") && !line.starts_with('{');
    text.split_inclusive('\n').filter(is_kept).collect::<String>().into_bytes()
}

/// The files of a folder with this extension, by name.
pub(crate) fn files(folder: &Path, extension: &str) -> Vec<(String, PathBuf)> {
    let entries = fs::read_dir(folder).expect("the folder of the cases");
    let mut files: Vec<_> = entries
        .map(|entry| entry.expect("a readable folder").path())
        .filter(|path| path.extension().is_some_and(|found| found == extension))
        .filter_map(|path| Some((path.file_stem()?.to_str()?.to_owned(), path)))
        .collect();
    files.sort();
    files
}

/// The flags in the first line of a case.
pub(crate) fn flags(text: &[u8]) -> Vec<String> {
    let first = text.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let first = String::from_utf8_lossy(first);
    let flags = first.trim_start_matches('\u{feff}').strip_prefix("# flags:").unwrap_or_default();
    flags.split_whitespace().map(str::to_owned).collect()
}

fn replay(path: &Path, shown: fn(&[u8]) -> Vec<u8>) -> Result<(), Failed> {
    let input = fs::read(path)?;
    let flags = flags(&input);
    let flags: Vec<&str> =
        std::iter::once("--no-net").chain(flags.iter().map(String::as_str)).collect();
    let folder = path.parent().ok_or("a file in a folder")?;
    let mut engine = Engine::start_in(folder, &flags, Stderr::Null);
    engine.write(&input);
    engine.close_input();
    let found = shown(&engine.rest());
    let status = engine.finish();
    if !status.success() {
        return Err(format!("the engine ends with {status}").into());
    }
    let expected_path = path.with_extension("expected");
    if env::var_os("KEIMA_BLESS").is_some_and(|value| value == "1") {
        fs::write(&expected_path, &found)?;
        return Ok(());
    }
    let expected = fs::read(&expected_path).map_err(|error| {
        format!("{}: {error}; KEIMA_BLESS=1 writes it", expected_path.display())
    })?;
    if found == expected {
        return Ok(());
    }
    Err(difference(&expected, &found).into())
}

/// Where two texts begin to differ.
fn difference(expected: &[u8], found: &[u8]) -> String {
    let (expected, found) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(found));
    let (mut lines, mut found_lines) = (expected.split('\n'), found.split('\n'));
    let mut number = 1;
    loop {
        let (line, found_line) = (lines.next(), found_lines.next());
        if line != found_line || line.is_none() {
            let line = line.unwrap_or("(end)");
            let found_line = found_line.unwrap_or("(end)");
            return format!(
                "line {number} of the output: expected {line:?}, found {found_line:?}\n\
                 (KEIMA_BLESS=1 rewrites the expected files)\nthe whole output:\n{found}"
            );
        }
        number += 1;
    }
}
