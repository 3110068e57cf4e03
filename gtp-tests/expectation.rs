//! What a regression suite expects of a response.
//!
//! The form is that of GNU Go and gogui-regress, `#? [regex]`, with the extensions of the project's
//! reference suites:
//!
//! | comment | the response |
//! |---|---|
//! | `#? [regex]` | matches as a whole, in any case |
//! | `#? [!regex]` | does not match |
//! | `#?= [A1 B2]` | is exactly these words, in any order |
//! | `#?+ [A1 B2]` | holds these words |
//! | `#?- [A1 B2]` | holds none of them |
//! | `#?! [regex]` | is an error whose message contains a match |
//!
//! A `*` behind the bracket marks a failure that is known, `&` a result that does not count.

use std::collections::BTreeSet;

use regex::{Regex, RegexBuilder};

use crate::engine::Response;

/// An expectation and how its failure counts.
#[derive(Debug)]
pub(crate) struct Expectation {
    check: Check,
    pub(crate) mark: Mark,
    /// The comment as it stands in the suite.
    pub(crate) source: String,
}

/// How a result counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mark {
    /// It has to pass.
    Required,
    /// It is known to fail.
    KnownFailure,
    /// It does not count.
    Ignored,
}

#[derive(Debug)]
enum Check {
    Matches(Regex),
    DiffersFrom(Regex),
    IsList(Vec<String>),
    HoldsAll(BTreeSet<String>),
    HoldsNone(BTreeSet<String>),
    IsError(Regex),
}

impl Expectation {
    /// Reads a comment; `None` if it is no expectation.
    pub(crate) fn parse(line: &str) -> Option<Result<Self, String>> {
        let rest = line.strip_prefix("#?")?;
        Some(
            Self::parse_rest(rest)
                .map_err(|error| format!("{line}: {error}"))
                .map(|(check, mark)| Self { check, mark, source: line.to_owned() }),
        )
    }

    fn parse_rest(rest: &str) -> Result<(Check, Mark), String> {
        let (kind, rest) = rest.split_once('[').ok_or("no bracket")?;
        let (pattern, mark) = rest.rsplit_once(']').ok_or("no closing bracket")?;
        let mark = match mark.trim() {
            "" => Mark::Required,
            "*" => Mark::KnownFailure,
            "&" => Mark::Ignored,
            other => return Err(format!("unknown mark {other:?}")),
        };
        let whole = |pattern: &str| regex(&format!("^(?:{pattern})$"));
        let check = match (kind.trim(), pattern.strip_prefix('!')) {
            ("", None) => Check::Matches(whole(pattern)?),
            ("", Some(pattern)) => Check::DiffersFrom(whole(pattern)?),
            ("=", _) => Check::IsList(list(pattern)),
            ("+", _) => Check::HoldsAll(words(pattern)),
            ("-", _) => Check::HoldsNone(words(pattern)),
            ("!", _) => Check::IsError(regex(pattern)?),
            (other, _) => return Err(format!("unknown kind {other:?}")),
        };
        Ok((check, mark))
    }

    /// Whether the response is as expected. An error is so only if an error is expected.
    pub(crate) fn is_met(&self, response: &Response) -> bool {
        let text = response.text.trim();
        if let Check::IsError(message) = &self.check {
            return !response.is_success && message.is_match(text);
        }
        response.is_success
            && match &self.check {
                Check::Matches(regex) => regex.is_match(text),
                Check::DiffersFrom(regex) => !regex.is_match(text),
                Check::IsList(expected) => list(text) == *expected,
                Check::HoldsAll(expected) => expected.is_subset(&words(text)),
                Check::HoldsNone(expected) => expected.is_disjoint(&words(text)),
                Check::IsError(_) => false,
            }
    }
}

fn regex(pattern: &str) -> Result<Regex, String> {
    RegexBuilder::new(pattern)
        .case_insensitive(true)
        .dot_matches_new_line(true)
        .build()
        .map_err(|error| error.to_string())
}

/// The words of a text, in upper case.
fn words(text: &str) -> BTreeSet<String> {
    text.split_whitespace().map(str::to_ascii_uppercase).collect()
}

/// The words of a text with their repetitions, in upper case and sorted.
fn list(text: &str) -> Vec<String> {
    let mut words: Vec<_> = text.split_whitespace().map(str::to_ascii_uppercase).collect();
    words.sort_unstable();
    words
}
