//! One line of input to id, command name and arguments. Knows nothing of Go.
//!
//! Cleaning and grammar follow the GTP 2 draft (section 2.5 and 3.1) and, where it is silent,
//! GNU Go: an id may be glued to the name, a negative number in its place is swallowed, a line
//! with an id alone says nothing.

use nom::bytes::complete::{tag, take_while, take_while1};
use nom::character::complete::digit1;
use nom::combinator::{opt, recognize};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser, branch::alt};

/// A command line: something to answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// The digits of the id exactly as received.
    pub id: Option<String>,
    /// The command.
    pub name: String,
    /// Words behind it; a quoted argument may hold spaces.
    pub args: Vec<String>,
    /// Everything behind the command, as it was typed.
    pub rest: String,
    /// Which line of the input it is, from 1; [`parse`] leaves 0.
    pub number: u64,
    /// Whether the line ended with a carriage return.
    pub has_carriage_return: bool,
}

/// What a line of input means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// Blank, or a comment, or an id alone: no response.
    Nothing,
    /// The comment by which a GUI asks to end a search early.
    Interrupt,
    /// A command.
    Command(Line),
}

/// Reads a line, with or without its line feed. Every sequence of bytes means something.
pub fn parse(bytes: &[u8]) -> Input {
    let text = clean(bytes);
    if text.trim().eq_ignore_ascii_case("# interrupt") {
        return Input::Interrupt;
    }
    let text = without_comment(&text).trim();
    let has_carriage_return = bytes.strip_suffix(b"\n").unwrap_or(bytes).ends_with(b"\r");
    match command(text) {
        Ok((_, line)) => Input::Command(Line { has_carriage_return, ..line }),
        Err(_) => Input::Nothing,
    }
}

/// Drops control characters and turns tabs into spaces; bytes that are no UTF-8 are replaced.
fn clean(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .filter(|&c| c == '\t' || !c.is_ascii_control())
        .map(|c| if c == '\t' { ' ' } else { c })
        .collect()
}

/// Cuts the text at the first `#` that is not in double quotes.
fn without_comment(text: &str) -> &str {
    // An unclosed quote must not hide a comment.
    let last_quote = text.rfind('"').unwrap_or(0);
    let mut in_quotes = false;
    for (i, c) in text.char_indices() {
        match c {
            '"' => in_quotes = !in_quotes,
            '#' if !in_quotes || last_quote < i => return &text[..i],
            _ => {}
        }
    }
    text
}

fn is_space(c: char) -> bool {
    c == ' '
}

fn spaces(text: &str) -> IResult<&str, &str> {
    take_while(is_space).parse(text)
}

fn command(text: &str) -> IResult<&str, Line> {
    let (text, id) = opt(id).parse(text)?;
    let (rest, name) = preceded(spaces, word).parse(text)?;
    let (mut left, _) = spaces(rest)?;
    let rest = left.to_owned();
    let mut args = Vec::new();
    while !left.is_empty() {
        let (after, argument) = alt((quoted, word)).parse(left)?;
        args.push(argument.to_owned());
        (left, _) = spaces(after)?;
    }
    let id = id.flatten().map(ToOwned::to_owned);
    let name = name.to_owned();
    Ok((left, Line { id, name, args, rest, number: 0, has_carriage_return: false }))
}

/// Digits, glued to the command or not; a negative number is taken for no id.
fn id(text: &str) -> IResult<&str, Option<&str>> {
    alt((digit1.map(Some), recognize((tag("-"), digit1)).map(|_: &str| None))).parse(text)
}

fn word(text: &str) -> IResult<&str, &str> {
    take_while1(|c| !is_space(c)).parse(text)
}

fn quoted(text: &str) -> IResult<&str, &str> {
    delimited(tag("\""), take_while(|c| c != '"'), tag("\"")).parse(text)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn line(id: Option<&str>, name: &str, args: &[&str], rest: &str) -> Input {
        Input::Command(Line {
            id: id.map(ToOwned::to_owned),
            name: name.to_owned(),
            args: args.iter().map(|&arg| arg.to_owned()).collect(),
            rest: rest.to_owned(),
            ..Line::default()
        })
    }

    #[test]
    fn lines() {
        let forty = "1234567890123456789012345678901234567890";
        for (text, expected) in [
            ("", Input::Nothing),
            ("  \t ", Input::Nothing),
            ("# comment", Input::Nothing),
            ("12", Input::Nothing),
            ("name", line(None, "name", &[], "")),
            ("12 name", line(Some("12"), "name", &[], "")),
            ("12name", line(Some("12"), "name", &[], "")),
            ("007\tname", line(Some("007"), "name", &[], "")),
            ("-3 name", line(None, "name", &[], "")),
            ("-3name", line(None, "name", &[], "")),
            ("-12", Input::Nothing),
            (&format!("{forty} name"), line(Some(forty), "name", &[], "")),
            ("na\x01me#x", line(None, "name", &[], "")),
            ("play  b   D4 # good", line(None, "play", &["b", "D4"], "b   D4")),
            ("loadsgf \"a b#.sgf\" 3", line(None, "loadsgf", &["a b#.sgf", "3"], "\"a b#.sgf\" 3")),
            ("echo say \"#", line(None, "echo", &["say", "\""], "say \"")),
            (" # INTERRUPT ", Input::Interrupt),
            ("# interrupted", Input::Nothing),
        ] {
            assert_eq!(parse(text.as_bytes()), expected, "{text:?}");
        }
    }

    #[test]
    fn carriage_returns() {
        for (text, expected) in
            [("name", false), ("name\n", false), ("name\r\n", true), ("na\rme\n", false)]
        {
            let Input::Command(line) = parse(text.as_bytes()) else { panic!("{text:?} is read") };
            assert_eq!((line.name.as_str(), line.has_carriage_return), ("name", expected));
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>) {
            if let Input::Command(line) = parse(&bytes) {
                prop_assert!(!line.name.is_empty() && !line.name.contains([' ', '\n']));
                prop_assert!(line.id.is_none_or(|id| id.bytes().all(|b| b.is_ascii_digit())));
            }
        }

        #[test]
        fn any_text_is_read(text in "[ -3\"#a-c\t]{0,12}") {
            parse(text.as_bytes());
        }
    }
}
